"""Whether the chain from a packet's DSCP to its queue and its PFC priority holds for RoCE, for CNPs and for BGP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit import hardware
from netaudit.checks.design import Design
from netaudit.checks.ecn import fits
from netaudit.checks.say import counted, metres
from netaudit.diag import Diagnostic
from netaudit.expect.classes import Class, classes, dscp_to_tc
from netaudit.expect.overrides import settings_for
from netaudit.expect.qos import qos
from netaudit.state import PortQos, Qos, Scheduler

ROCE_DEFAULTS: Mapping[int, str] = {26: "NVIDIA, Juniper and Dell", 24: "Arista and Gaudi-3"}
"""DSCP → whose devices mark RoCE with it unless told otherwise (ecn.md V18)."""
BEST_EFFORT = 0
"""DSCP of everything that nobody marks (RFC 2474)."""
CONTROL = 48
"""CS6: FRR marks BGP so, and NVIDIA's NICs CNPs (ecn.md V9; nxos.md section 4)."""
CNP_QUEUES = (6, 7)
"""QOS-04: 6 is NVIDIA's and Dell's, 7 Cisco's and Arista's (ecn.md V9)."""
LONG_M = 2_000
"""A link that a shallow buffer is not made for (ecn.md V13)."""
MOST_STRICT = 2
"""ETS-02: that of the CNPs, and one more."""
SLOW_DETECT_MS = 400
"""WD-02: twice the 200 ms that are usual (audit-rules.md)."""


def conflicts(design: Design) -> Iterator[Diagnostic]:
    """QOS-02 (V18): a DSCP that NICs give to RoCE by themselves is in a class that may drop."""
    kept = [c for c in classes(design.intent) if c.priority is not None]
    for code, whose in ROCE_DEFAULTS.items() if kept else ():
        owner = next((c for c in classes(design.intent) if code in c.body.dscp), None)
        if owner is not None and owner.priority is None and owner.body.trim is None:
            number = owner.body.dscp.index(code)
            message = f"DSCP {code} is in `{owner.name}`, which may drop; {whose} mark RoCE with it"
            hint = f"add {code} to `{kept[0].name}`, or take it out here and set every NIC"
            yield design.error("QOS-02", f"traffic.{owner.name}.dscp.{number}", message, hint)
    named = {code for c in classes(design.intent) for code in c.body.dscp}
    if kept and kept[0].body.dscp and not named & {*ROCE_DEFAULTS}:
        known = " nor ".join(str(code) for code in ROCE_DEFAULTS)
        message = f"neither DSCP {known} is in a class: RoCE of a NIC that nobody set is in `default`, which may drop"
        hint = f"add 26 to `{kept[0].name}`, or set every NIC to {kept[0].body.dscp[0]}: netaudit export INTENT nics"
        yield design.warning("QOS-02", f"traffic.{kept[0].name}.dscp", message, hint)


def unreached(design: Design) -> Iterator[Diagnostic]:
    """QOS-02: a lossless class that no DSCP leads to. QOS-03: one whose queue and priority are two numbers."""
    for kind in classes(design.intent):
        if kind.priority is None:
            continue
        if not kind.body.dscp:
            message = f"no DSCP is in the lossless class `{kind.name}`: RoCE would be in `default`, which may drop"
            yield design.error("QOS-02", f"traffic.{kind.name}", message, f"{kind.name}: {{dscp: [26]}}")
        if kind.queue != kind.priority:
            message = (
                f"`{kind.name}` is in queue {kind.queue} and pauses priority {kind.priority}: NICs take both as one"
            )
            hint = f"queue: {kind.priority}, or no queue: it is the priority then"
            yield design.error("QOS-03", f"traffic.{kind.name}.queue", message, hint)


def strangers(design: Design) -> Iterator[Diagnostic]:
    """QOS-07: traffic of everybody in a lossless class: it takes the headroom and is paused with RoCE."""
    for kind in classes(design.intent):
        if kind.priority is None:
            continue
        for number, code in enumerate(kind.body.dscp):
            if code == BEST_EFFORT:
                message = f"DSCP {code}, which all unmarked traffic has, is in the lossless class `{kind.name}`"
                hint = f"a DSCP of its own for `{kind.name}`: dscp: [26], and the NICs set to it"
                yield design.error("QOS-07", f"traffic.{kind.name}.dscp.{number}", message, hint)


def control(design: Design) -> Iterator[Diagnostic]:
    """QOS-08: BGP in a queue that PFC pauses, or in one that it shares with everything."""
    owner = next((c for c in classes(design.intent) if CONTROL in c.body.dscp), None)
    carrier = next((c for c in classes(design.intent) if "bgp" in c.body.carries), None)
    if owner is not None and owner.priority is not None:
        number = owner.body.dscp.index(CONTROL)
        message = (
            f"DSCP {CONTROL}, which BGP has, is in the lossless class `{owner.name}`: sessions die while it is paused"
        )
        hint = f"control: {{dscp: [{CONTROL}], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp]}}"
        yield design.error("QOS-08", f"traffic.{owner.name}.dscp.{number}", message, hint)
    elif carrier is not None and (owner is None or owner.name != carrier.name):
        where = f"`{owner.name}`" if owner is not None else "`default`"
        message = f"`{carrier.name}` carries BGP, which has DSCP {CONTROL}, and that is in {where}"
        hint = f"{carrier.name}: {{dscp: [{CONTROL}, …]}}"
        yield design.error("QOS-08", f"traffic.{carrier.name}", message, hint)


def notifications(design: Design) -> Iterator[Diagnostic]:
    """QOS-04: CNPs that no DSCP brings into their class, or whose queue is not the one that NICs and others expect."""
    carrier = next((c for c in classes(design.intent) if "cnp" in c.body.carries), None)
    if carrier is None or design.model.hosts.cc != "dcqcn":
        return
    path = f"traffic.{carrier.name}"
    if not carrier.body.dscp:
        message = f"`{carrier.name}` carries CNPs and has no DSCP: they are in `default`"
        yield design.error("QOS-04", path, message, f"{carrier.name}: {{dscp: [{CONTROL}]}}, and the NICs set to it")
    elif carrier.queue not in CNP_QUEUES and carrier.priority is None:
        message = f"CNPs are in queue {carrier.queue}; 6 or 7 is what NICs and other switches are set to"
        at = f"{path}.queue" if carrier.body.queue is not None else path
        yield design.warning("QOS-04", at, message, "queue: 6")


def unmarked(design: Design) -> Iterator[Diagnostic]:
    """ECN-07 (V7): a lossless class without marking, where NICs slow down by marks only: PFC is the only brake."""
    if design.model.hosts.cc != "dcqcn":
        return
    for kind in classes(design.intent):
        if kind.priority is not None and kind.body.ecn is None:
            message = f"`{kind.name}` is lossless and never marked: DCQCN hears nothing, and PFC is the only brake"
            hint = f"{kind.name}: {{ecn: auto}}, or hosts: {{cc: none}}"
            yield design.error("ECN-07", f"traffic.{kind.name}", message, hint)


def unmarkable(design: Design) -> Iterator[Diagnostic]:
    """ECN-17: marking by WRED in a class of traffic that cannot be marked: it is dropped in its place."""
    for kind in classes(design.intent):
        carried = [word for word in kind.body.carries if word in ("bgp", "bfd")]
        if kind.body.ecn is not None and carried:
            names = " and ".join(word.upper() for word in carried)
            message = f"`{kind.name}` is marked and carries {names}: what cannot be marked is dropped above kmin"
            yield design.warning("ECN-17", f"traffic.{kind.name}.ecn", message, "a class of its own without ecn")


def strict(design: Design) -> Iterator[Diagnostic]:
    """ETS-02: more strict classes than are good, or caps that together leave nothing for the shares."""
    found = [c for c in classes(design.intent) if c.body.strict]
    total = sum(c.body.cap or 0 for c in found)
    if len(found) > MOST_STRICT:
        names = ", ".join(f"`{c.name}`" for c in found)
        message = f"{counted(len(found), 'strict class', 'strict classes')}, {names}: each starves those behind it"
        yield design.error("ETS-02", f"traffic.{found[-1].name}.strict", message, f"{MOST_STRICT} at most, CNPs in one")
    if total >= 100:
        message = f"the caps of the strict classes add up to {float(total):g} %: nothing is left for the others"
        yield design.error("ETS-02", f"traffic.{found[-1].name}.cap", message, "5% for CNPs and BGP is usual")


def slow(design: Design) -> Iterator[Diagnostic]:
    """WD-02: a watchdog that lets a storm spread for long."""
    detect = design.model.pfc.watchdog.detect
    if design.lossless and detect > SLOW_DETECT_MS:
        message = f"a storm lasts {detect}ms until it is seen: by then it stops the fabric"
        yield design.warning("WD-02", "pfc.watchdog.detect", message, "detect: 200ms")


def long_links(design: Design) -> Iterator[Diagnostic]:
    """HDR-12 (V13): a long link that is lossless at a switch with a shallow buffer. One diagnostic a kind of link."""
    told: set[str] = set()
    for kind in design.classes:
        shallow = hardware.switch(kind.model).buffer_class == "shallow"
        if design.lossless and shallow and kind.length_m > LONG_M and kind.kind not in told:
            told.add(kind.kind)
            message = f"{kind.kind}: {metres(kind.length_m)} lossless at {kind.model}, whose buffer is on the chip"
            hint = f"a deep-buffer switch at its end, a lossy class, or {LONG_M:,} m at most"
            yield design.warning("HDR-12", design.length_source(kind), message, hint)


def whole(design: Design) -> Iterator[Diagnostic]:
    """QOS-03 (V11, V12): what netaudit made of the classes, followed from end to end on one device of each kind."""
    seen: set[tuple[str, str, str]] = set()
    for load in design.loads if fits(design) else ():
        first = design.fabric.devices[load.devices[0]]
        key = (load.role, load.model.name, first.platform)
        if key in seen:
            continue
        seen.add(key)
        laid = design.fabric.ports(first.name)
        speeds = {k: settings_for(design.fabric, first, p).speed_mbps(p.speed_mbps) for k, p in laid.items()}
        made, codes = qos(design.expected.wide, first, laid, speeds), dscp_to_tc(design.intent)
        for kind in classes(design.intent):
            for problem in broken(made, kind, codes):
                message = f"`{kind.name}` on {first.name}: {problem}"
                yield design.error("QOS-03", f"traffic.{kind.name}", message, "a fault of netaudit; please report it")


def broken(made: Qos, kind: Class, codes: Mapping[int, int]) -> Iterator[str]:
    """What is wrong between DSCP, traffic class, queue, group, PFC, scheduler and watchdog of a class on a device."""
    # ports that are alike are one object
    for key, port in {id(port): (key, port) for key, port in (made.ports or {}).items()}.values():
        maps = _maps(made, port)
        for code, tc in codes.items():
            if tc != kind.queue:
                continue
            if maps["dscp_to_tc"].get(code) != tc or maps["tc_to_queue"].get(tc) != kind.queue:
                yield f"{key}: DSCP {code} is not in queue {kind.queue}"
        yield from (f"{key}: {problem}" for problem in _paused(port, kind, maps))
        queue = (port.queues or {}).get(str(kind.queue))
        scheduler = (made.schedulers or {}).get(str(queue.scheduler)) if queue is not None else None
        if not isinstance(scheduler, Scheduler):
            yield f"{key}: queue {kind.queue} has no scheduler"
        if queue is not None and isinstance(queue.wred, str) != (kind.body.ecn is not None):
            yield f"{key}: queue {kind.queue} is {'not marked' if kind.body.ecn is not None else 'marked'}"


def _maps(made: Qos, port: PortQos) -> dict[str, Mapping[int, int]]:
    return {
        "dscp_to_tc": (made.dscp_to_tc or {}).get(str(port.dscp_to_tc), {}),
        "tc_to_queue": (made.tc_to_queue or {}).get(str(port.tc_to_queue), {}),
        "tc_to_pg": (made.tc_to_pg or {}).get(str(port.tc_to_pg), {}),
        "pfc_to_queue": (made.pfc_to_queue or {}).get(str(port.pfc_to_queue), {}),
    }


def _paused(port: PortQos, kind: Class, maps: Mapping[str, Mapping[int, int]]) -> Iterator[str]:
    """PFC, priority group and watchdog come together, or not at all."""
    pfc = port.pfc if isinstance(port.pfc, frozenset) else frozenset()
    group = maps["tc_to_pg"].get(kind.queue)
    if kind.priority is None:
        pausing = [p for p in pfc if maps["pfc_to_queue"].get(p) == kind.queue]
        if group in pfc or pausing:
            yield f"it may drop, and PFC of priority {group if group in pfc else pausing[0]} pauses it"
        return
    if kind.priority not in pfc:
        yield f"PFC is off for priority {kind.priority}"
    if group != kind.priority:
        yield f"it is in priority group {group}, not {kind.priority}"
    if maps["pfc_to_queue"].get(kind.priority) != kind.queue:
        yield f"PFC of priority {kind.priority} does not pause queue {kind.queue}"
    if port.watched != pfc:
        yield "the watchdog does not watch it"
