"""Whether marking acts before PFC and without costing throughput: thresholds as given and as computed (ecn.md 6)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from netaudit import lossless
from netaudit.checks.budget import budgets
from netaudit.checks.design import Design
from netaudit.checks.say import exact, megabytes, metres, rate
from netaudit.checks.survey import Load
from netaudit.diag import Diagnostic, Severity, Source
from netaudit.expect.classes import Class, classes
from netaudit.expect.ecn import QUEUES, path_m, rtt_ns
from netaudit.expect.headroom import Headroom
from netaudit.expect.pools import shared_buffer
from netaudit.intent.schema.lossless import EcnThresholds

MARGIN = Fraction(8, 10)
"""Kmax stays below this part of the bound where PFC fires first (ecn.md V3)."""
SENDERS = 2
"""The smallest incast, in the bound E2 (ecn.md 2.2, V3)."""
SHORT_RTT, LONG_RTT = Fraction(1, 4), 4
"""Kmin as a part of the round trip: below the first it costs throughput, above the second latency (ecn.md V4)."""


def _marked(design: Design) -> list[Class]:
    return [c for c in classes(design.intent) if c.body.ecn is not None]


def _speeds(design: Design) -> list[int]:
    return sorted({kind.speed_mbps for kind in design.classes})


def fits(design: Design) -> bool:
    """Whether there is a shared buffer at all; where there is none, HDR-05 or HDR-02 says so."""
    found = budgets(design)
    return len(found) == len(design.loads) and all(b.fits for b in found)


def smallest_pool(design: Design) -> tuple[Load, int]:
    """The devices with least to share, and what lossless groups of one part of their buffer share, in bytes."""
    return min(((load, _pool(design, load)) for load in design.loads), key=lambda found: found[1])


def _pool(design: Design, load: Load) -> int:
    device = design.fabric.devices[load.devices[0]]
    found = [kind.headroom for kind, n in load.ports.items() for _ in range(n) if isinstance(kind.headroom, Headroom)]
    return shared_buffer(design.fabric, device, design.fabric.ports(device.name), found).value


def e1(alpha: Fraction, shared_bytes: int, queues: int, lossless_classes: int) -> Fraction:
    """Queue in bytes up to which marking is complete before PFC, when one ingress feeds so many (ecn.md 2.2)."""
    return alpha * shared_bytes / (queues * (1 + alpha * lossless_classes))


def e2(alpha: Fraction, shared_bytes: int, senders: int) -> Fraction:
    """Queue at which PFC fires, in bytes, when so many ingress ports send to one egress port (ecn.md 2.2)."""
    return senders * alpha * shared_bytes / (1 + senders * alpha)


def _say(
    design: Design, severity: Severity, rule: str, path: str | Source | None, message: str, hint: str
) -> Diagnostic:
    """What thresholds do wrong: to know only, where no NIC slows down because of a mark (ecn.md 5)."""
    cc = design.model.hosts.cc
    if cc == "dcqcn":
        return design.found(severity, rule, path, message, hint)
    return design.info(rule, path, f"{message} (`cc: {cc}`: marks do not slow senders)", hint)


def computed(design: Design) -> Iterator[Diagnostic]:
    """ECN-04: `auto` thresholds that had to be squeezed, because buffer or delay leave too little room."""
    if not fits(design):
        return
    for kind in _marked(design):
        if isinstance(kind.body.ecn, EcnThresholds):
            continue
        for speed_mbps in _speeds(design):
            found = design.expected.wide.marking(kind, speed_mbps).warnings
            for caution in (c for c in found if c.code == "ecn-squeezed"):
                message = f"`{kind.name}` at {rate(speed_mbps)}: {caution.text}"
                short = "delay" in caution.text
                hint = f"{'a longer `delay`' if short else 'fewer lossless ports'} or shorter cables leave more room"
                place = design.written(f"traffic.{kind.name}.ecn", "cables")
                yield _say(design, Severity.WARNING, "ECN-04", place, message, hint)


def everywhere(design: Design) -> Iterator[Diagnostic]:
    """ECN-03 as information: what happens should one ingress feed the congestion of every port (ecn.md 5)."""
    if not fits(design):
        return
    load, shared_bytes = smallest_pool(design)
    ports = sum(load.ports.values())
    alpha = design.policy(load.model, load.role).alpha
    bound = e1(alpha, shared_bytes, ports, max(1, design.lossless))
    for kind in _marked(design):
        found = max((design.expected.wide.marking(kind, s) for s in _speeds(design)), key=lambda m: m.kmax_bytes)
        auto = not isinstance(kind.body.ecn, EcnThresholds)
        if auto and found.kmax_bytes >= bound and kind.priority is not None:
            what = "begins only after PFC" if found.kmin_bytes >= bound else "is complete only after PFC"
            message = f"`{kind.name}`: were all {ports} ports of a {load.role} congested at once, marking {what}"
            hint = f"PFC then fires at {exact(int(bound))} a queue, Kmax is {exact(found.kmax_bytes)}"
            yield design.info("ECN-03", design.written(f"traffic.{kind.name}.ecn", "cables"), message, hint)


def far(design: Design) -> Iterator[Diagnostic]:
    """ECN-04: a link longer than the paths between hosts, whose round trip the thresholds of a chip are not for."""
    if not fits(design):
        return
    longest_m, told = max(path_m(design.fabric)), set()
    for ports, members in design.classes.items():
        if ports.length_m <= longest_m:
            continue
        device = design.fabric.devices[members.end.device]
        round_trip_ns = rtt_ns(design.fabric, ports.length_m)
        for kind in _marked(design):
            kmin = design.expected.wide.marking(kind, ports.speed_mbps, device).kmin_bytes
            if (ports.kind, kind.name) in told or _wait_us(kmin, ports.speed_mbps) >= SHORT_RTT * Fraction(
                round_trip_ns, 1000
            ):
                continue
            told.add((ports.kind, kind.name))
            message = (
                f"`{kind.name}` over {metres(ports.length_m)} of {ports.kind}: kmin {exact(kmin)} costs throughput, "
                f"{_shown(kmin, ports.speed_mbps)}, a round trip {round_trip_ns / 1000:.3g} us"
            )
            hint = f"a deep buffer at its end marks later; {device.model.name} has one pair of thresholds for all ports"
            yield _say(design, Severity.WARNING, "ECN-04", design.length_source(ports), message, hint)


def given(design: Design) -> Iterator[Diagnostic]:
    """ECN-01 to -08: thresholds of the intent that mark nothing, too late, or at the price of throughput."""
    for kind in _marked(design):
        if not isinstance(kind.body.ecn, EcnThresholds):
            continue
        late = list(_before_pfc(design, kind, kind.body.ecn)) if fits(design) else []
        yield from _steps(design, kind, kind.body.ecn)
        yield from late
        yield from _kmin(design, kind, kind.body.ecn)
        if not late:
            yield from _kmax(design, kind, kind.body.ecn)
        if len(speeds := _speeds(design)) > 1:
            both = " and ".join(rate(s) for s in speeds)
            message = f"`{kind.name}` has the same thresholds at {both}: right for one of them at most"
            hint = "ecn: auto scales them by speed"
            yield _say(design, Severity.WARNING, "ECN-08", f"traffic.{kind.name}.ecn", message, hint)


def _steps(design: Design, kind: Class, ecn: EcnThresholds) -> Iterator[Diagnostic]:
    path = f"traffic.{kind.name}.ecn"
    if round(ecn.pmax) < 1:
        message = f"`pmax` {float(ecn.pmax):g} % is 0 in whole percent: nothing is marked up to kmax"
        hint = "1 % at least; 100% is usual with DCQCN"
        yield _say(design, Severity.ERROR, "ECN-06", f"{path}.pmax", message, hint)
    elif ecn.kmin == ecn.kmax and ecn.pmax != 100:
        message = f"kmin and kmax are both {exact(ecn.kmin)}, and pmax is {float(ecn.pmax):g} %: the step marks nothing"
        yield _say(
            design, Severity.ERROR, "ECN-01", f"{path}.pmax", message, "pmax: 100% for a step, or kmax above kmin"
        )


def _before_pfc(design: Design, kind: Class, ecn: EcnThresholds) -> Iterator[Diagnostic]:
    load, shared_bytes = smallest_pool(design)
    alpha = design.policy(load.model, load.role).alpha
    late, at, senders = min(_bounds(design), key=lambda bound: bound[0])
    early = MARGIN * e1(alpha, shared_bytes, QUEUES, max(1, design.lossless))
    path = f"traffic.{kind.name}.ecn.kmax"
    hint = f"at most {exact(int(early))}, or ecn: auto; the {load.role} shares {megabytes(shared_bytes)}"
    if ecn.kmax > shared_bytes:
        message = f"kmax {exact(ecn.kmax)} is more than all that a {load.role} shares: ECN is off in practice"
        yield _say(design, Severity.ERROR, "ECN-02", path, message, hint)
    elif ecn.kmax >= late:
        how = (
            f"when {senders} ports send to one" if senders > 1 else f"when one faster port of a {at.role} sends to one"
        )
        message = f"kmax {exact(ecn.kmax)}: PFC fires before, at {exact(int(late))}, {how}"
        yield _say(design, Severity.ERROR, "ECN-03", path, message, hint)
    elif ecn.kmax > early:
        message = f"kmax {exact(ecn.kmax)}: with {QUEUES} congested queues PFC fires before marking is complete"
        yield _say(design, Severity.WARNING, "ECN-03", path, message, hint)


def _bounds(design: Design) -> Iterator[tuple[Fraction, Load, int]]:
    """(queue in bytes at which PFC fires in the smallest incast, devices, ports that send) of all that are alike.

    Where ports of a device differ in speed, one fast one fills the queue of a slow one by itself (ecn.md 2.2, V3).
    """
    for load in design.loads:
        senders = 1 if len({kind.speed_mbps for kind in load.ports}) > 1 else SENDERS
        yield e2(design.policy(load.model, load.role).alpha, _pool(design, load), senders), load, senders


def _kmin(design: Design, kind: Class, ecn: EcnThresholds) -> Iterator[Diagnostic]:
    """Throughput is lost first where ports are fastest, latency is worst where they are slowest."""
    rtt = rtt_ns(design.fabric)
    slow, fast = _speeds(design)[0], _speeds(design)[-1]
    path = f"traffic.{kind.name}.ecn.kmin"
    if _wait_us(ecn.kmin, fast) < SHORT_RTT * Fraction(rtt, 1000):
        message = f"kmin {exact(ecn.kmin)} costs throughput: {_shown(ecn.kmin, fast)}, a round trip {rtt / 1000:.3g} us"
        hint = "a quarter of the round trip at least, or ecn: auto"
        yield _say(design, Severity.WARNING, "ECN-04", path, message, hint)
    elif _wait_us(ecn.kmin, slow) > LONG_RTT * Fraction(rtt, 1000):
        message = (
            f"kmin {exact(ecn.kmin)} lets queues stand: {_shown(ecn.kmin, slow)}, a round trip {rtt / 1000:.3g} us"
        )
        yield _say(design, Severity.WARNING, "ECN-04", path, message, "four round trips at most, or ecn: auto")


def _kmax(design: Design, kind: Class, ecn: EcnThresholds) -> Iterator[Diagnostic]:
    slow = _speeds(design)[0]
    deep = all(load.model.buffer_class == "deep" for load in design.loads)
    most_us = lossless.delay_cap_us(deep=deep, rtt_ns=rtt_ns(design.fabric))
    if _wait_us(ecn.kmax, slow) > most_us:
        message = f"kmax {exact(ecn.kmax)} is a long wait: {_shown(ecn.kmax, slow)}"
        path = f"traffic.{kind.name}.ecn.kmax"
        yield _say(design, Severity.WARNING, "ECN-05", path, message, f"{most_us} us at most (ecn.md 5)")


def _wait_us(queue_bytes: int, speed_mbps: int) -> Fraction:
    """How long a queue takes to drain."""
    return Fraction(8 * queue_bytes, speed_mbps)


def _shown(queue_bytes: int, speed_mbps: int) -> str:
    return f"{float(_wait_us(queue_bytes, speed_mbps)):,.1f} us at {rate(speed_mbps)}"
