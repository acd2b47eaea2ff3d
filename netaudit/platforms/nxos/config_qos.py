"""Classes, queues, PFC and headroom of an NX-OS configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from netaudit.platforms.nxos.config_ports import interfaces_of, is_front
from netaudit.platforms.nxos.quantize_qos import HASHES, KBYTE, POLL_MS, canonical
from netaudit.platforms.nxos.text import Line, members, named, number
from netaudit.state import (
    ABSENT,
    Buffers,
    Leaf,
    Marking,
    PortBuffers,
    PortQos,
    Profile,
    Qos,
    Queue,
    Scheduler,
    Watchdog,
    Wred,
)

DSCPS = 64
NAMES: Mapping[str, int] = {
    "default": 0,
    "ef": 46,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{x}{y}": 8 * x + 2 * y for x in range(1, 5) for y in range(1, 4)},
}
"""Names of DSCPs (RFC 2474, 2597, 3246), which NX-OS takes for numbers."""
_OUT = re.compile(r"c-out-(?:8q-)?q(?:-(default)|([1-7]))", re.ASCII)
_IN = re.compile(r"c-in-q(?:-(default)|([1-7]))", re.ASCII)
_NO_DROP = re.compile(r"c-8q-nq(?:-(default)|([1-7]))", re.ASCII)
_MARK = re.compile(
    r"random-detect minimum-threshold (\d+) kbytes maximum-threshold (\d+) kbytes "
    r"drop-probability (\d+) weight \d+( ecn)?",
    re.ASCII,
)
_QOS = "policy-map type qos "
_QUEUING = "policy-map type queuing "
_NETWORK = "policy-map type network-qos "


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """What the block `system qos` binds for the whole switch."""

    classifier: str = ""
    egress: str = ""
    network: str = ""


def system_of(lines: Sequence[Line]) -> System:
    """The policies of the system; of several lines of a kind the last."""
    found = {"qos input ": "", "queuing output ": "", "network-qos ": ""}
    for _, line in named(lines, "system qos"):
        for kind in found:
            found[kind] = line.first(f"service-policy type {kind}") or found[kind]
    return System(classifier=found["qos input "], egress=found["queuing output "], network=found["network-qos "])


def queue_of(pattern: re.Pattern[str], name: str) -> int | None:
    """`c-out-8q-q3` → 3, `c-out-8q-q-default` → 0."""
    found = pattern.fullmatch(name)
    return None if found is None else 0 if found[1] else int(found[2])


def read_qos(lines: Sequence[Line]) -> Qos:
    """Everything about queues. Ports without a line of their own on it have no row, as spare ports have none."""
    system = system_of(lines)
    schedulers: dict[str, Scheduler] = {}
    wred: dict[str, Wred] = {}
    queues: dict[str, Mapping[str, Queue]] = {}
    for policy, line in named(lines, _QUEUING):
        if any(queue_of(_OUT, name) is not None for name in line.find("class type queuing ")):
            queues[policy] = _policy(policy, line, schedulers, wred)
    maps, marking = _classifiers(lines)
    lossless = no_drop(lines, system)
    dog = _Dog.of(lines)
    ports = {
        key: _port(line, system, queues, marking, lossless, dog)
        for key, line in interfaces_of(lines)
        if is_front(line) and _speaks_of_queues(line)
    }
    return Qos(
        dscp_to_tc=maps,
        schedulers=schedulers,
        wred=wred,
        watchdog_poll_ms=dog.poll_ms,
        hash_fields=_hash(lines),
        ports=ports,
    )


def _speaks_of_queues(line: Line) -> bool:
    begins = ("priority-flow-control ", "service-policy type qos ", "service-policy type queuing output ")
    return any(below.text.startswith(begins) for below in line.below)


def _policy(policy: str, line: Line, schedulers: dict[str, Scheduler], wred: dict[str, Wred]) -> Mapping[str, Queue]:
    """The queues of one policy; one with no share that is served last of all is none in use."""
    found: dict[str, Queue] = {}
    for name, below in named(line.below, "class type queuing "):
        queue = queue_of(_OUT, name)
        if queue is None:
            continue
        key = canonical(policy, queue)
        scheduler, marked = _scheduler(below), _wred(below)
        if scheduler is not None:
            schedulers[key] = scheduler
        if marked is not None:
            wred[key] = marked
        if scheduler is not None or marked is not None:
            found[str(queue)] = Queue(
                scheduler=ABSENT if scheduler is None else key, wred=ABSENT if marked is None else key
            )
    return found


def _scheduler(line: Line) -> Scheduler | None:
    if line.first("priority level ") is not None or line.has("priority"):
        return Scheduler(kind="strict", weight=ABSENT)
    share = line.first("bandwidth remaining percent ")
    share = line.first("bandwidth percent ") if share is None else share
    if share is None or not (weight := number(share, "bandwidth")):
        return None
    return Scheduler(kind="dwrr", weight=weight)


def _wred(line: Line) -> Wred | None:
    found = next((m for below in line.below if (m := _MARK.fullmatch(below.text))), None)
    if found is None:
        return None
    marking = Marking(
        kmin_bytes=number(found[1], "minimum-threshold") * KBYTE,
        kmax_bytes=number(found[2], "maximum-threshold") * KBYTE,
        pmax_percent=number(found[3], "drop-probability"),
    )
    return Wred(ecn=bool(found[4]), colours={"green": marking})


def _classifiers(lines: Sequence[Line]) -> tuple[Mapping[str, Mapping[int, int]], frozenset[str]]:
    """(policy → DSCP → qos-group, the policies that change what they match)."""
    dscps: dict[str, frozenset[int]] = {}
    for rest, line in named(lines, "class-map "):
        words = [w for w in rest.split(" ") if w not in ("type", "qos", "match-any", "match-all")]
        found = frozenset[int]()
        for matched in line.find("match dscp "):
            found |= _dscps(matched)
        if words:
            dscps[words[-1]] = found
    maps: dict[str, Mapping[int, int]] = {}
    marking: set[str] = set()
    for policy, line in named(lines, _QOS):
        maps[policy] = _map(line, dscps)
        sets = (rest for _, below in named(line.below, "class ") for rest in below.find("set "))
        if any(not rest.startswith("qos-group ") for rest in sets):
            marking.add(policy)
    return maps, frozenset(marking)


def _dscps(words: str) -> frozenset[int]:
    numbers = ",".join(str(NAMES.get(part.lower(), part)) for part in words.replace(",", " ").split())
    return members(numbers, "match dscp", DSCPS - 1)


def _map(policy: Line, dscps: Mapping[str, frozenset[int]]) -> Mapping[int, int]:
    """The first class that matches decides; what none matches is in `class-default`."""
    found: dict[int, int] = {}
    rest = 0
    for name, line in named(policy.below, "class "):
        group = line.first("set qos-group ")
        target = number(group, "set qos-group") if group else 0
        called = name.removeprefix("type qos ")
        if called == "class-default":
            rest = target
        for dscp in dscps.get(called, ()):
            found.setdefault(dscp, target)
    return {dscp: found.get(dscp, rest) for dscp in range(DSCPS)}


def no_drop(lines: Sequence[Line], system: System) -> frozenset[int]:
    """Priorities that the network-qos policy in force keeps from dropping: only where class nq n pauses CoS n does PFC
    protect what it is meant to (nxos.md section 7)."""
    found: set[int] = set()
    for policy, line in named(lines, _NETWORK):
        for name, below in named(line.below, "class type network-qos ") if policy == system.network else ():
            queue = queue_of(_NO_DROP, name)
            cos = below.first("pause pfc-cos ")
            if cos and queue is not None and queue in members(cos, "pause pfc-cos", 7):
                found.add(queue)
    return frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dog:
    """The PFC watchdog of the whole switch."""

    runs: bool
    poll_ms: int
    restore_ms: Leaf[int]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Dog:
        texts = [line.text for line in lines if line.text.startswith("priority-flow-control ")]
        poll, restore = POLL_MS[0], None
        for text in texts:
            if text.startswith("priority-flow-control watch-dog interval "):
                poll = number(text.rpartition(" ")[2], "watch-dog interval")
            elif text.startswith("priority-flow-control fixed-restore multiplier "):
                restore = number(text.rpartition(" ")[2], "fixed-restore multiplier")
        runs = "priority-flow-control watch-dog-interval on" in texts
        return cls(runs=runs, poll_ms=poll, restore_ms=ABSENT if restore is None else restore * poll)

    def port(self, line: Line) -> Leaf[Watchdog]:
        word = line.first("priority-flow-control watch-dog-interval ") or "off"
        if not self.runs or word.split(" ")[0] != "on":
            return ABSENT
        return Watchdog(restore_ms=self.restore_ms, action="alert" if "disable-action" in word else "drop")


def _port(
    line: Line,
    system: System,
    queues: Mapping[str, Mapping[str, Queue]],
    marking: frozenset[str],
    lossless: frozenset[int],
    dog: _Dog,
) -> PortQos:
    classifier = line.first("service-policy type qos input ") or system.classifier
    mode = (line.first("priority-flow-control mode ") or "auto").split(" ")[0]
    egress = line.first("service-policy type queuing output ") or system.egress
    return PortQos(
        dscp_to_tc=classifier or ABSENT,
        rewrite=classifier if classifier in marking else ABSENT,
        # `auto` asks the neighbor by DCBX, which hosts do not speak: no pause frame is sure to be obeyed
        pfc=lossless if mode == "on" else frozenset(),
        queues=queues.get(egress, {}),
        watchdog=dog.port(line),
    )


def _hash(lines: Sequence[Line]) -> frozenset[str]:
    """Without a line all five fields are hashed; another line than those we write is told by its words."""
    said = [rest for rest, _ in named(lines, "ip load-sharing ")]
    if not said:
        return next(iter(HASHES))
    plain = re.split(r" (?:universal-id|rotate|concatenation)\b", said[-1])[0]
    return next((fields for fields, words in HASHES.items() if words == plain), frozenset({plain}))


def read_buffers(lines: Sequence[Line]) -> Buffers:
    """Headroom that is set: ingress queuing policies with `pause`, and the ports that have one."""
    profiles: dict[str, Profile] = {}
    groups: dict[str, Mapping[str, str]] = {}
    for policy, line in named(lines, _QUEUING):
        found = dict(_pauses(line))
        if found:
            first = profiles[policy] = next(iter(found.values()))
            # classes of one policy with other figures are no group with this profile: seen as missing, not as right
            groups[policy] = {str(queue): policy for queue in sorted(found) if found[queue] == first}
    return Buffers(profiles=profiles, ports={k: PortBuffers(groups=g) for k, g in _bound(lines, groups)})


def _pauses(policy: Line) -> Iterator[tuple[int, Profile]]:
    for name, line in named(policy.below, "class type queuing "):
        queue, pause = queue_of(_IN, name), line.first("pause buffer-size ")
        if queue is None or pause is None:
            continue
        words = pause.split(" ")
        size = number(words[0], "pause buffer-size")
        said = {word: number(value, word) for word, value in zip(words[1::2], words[2::2], strict=False)}
        stop, resume = said.get("pause-threshold"), said.get("resume-threshold")
        yield (
            queue,
            Profile(
                size_bytes=size,
                xoff_bytes=ABSENT if stop is None else size - stop,
                xon_bytes=ABSENT if resume is None else resume,
            ),
        )


def _bound(lines: Sequence[Line], groups: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Mapping[str, str]]]:
    for key, line in interfaces_of(lines):
        policy = line.first("service-policy type queuing input ")
        if is_front(line) and (policy or _speaks_of_queues(line)):
            yield key, groups.get(policy or "", {})
