"""From which queue length packets are marked, per speed: one pair of thresholds for the whole fabric (ecn.md V8)."""

from __future__ import annotations

from fractions import Fraction

from netaudit import lossless
from netaudit.expect.classes import Class, lossless_priorities
from netaudit.fabric import Fabric
from netaudit.intent.schema.lossless import EcnRule, EcnThresholds
from netaudit.lossless import Derived, Ecn, Term

QUEUES = 8
"""Congested egress queues that one ingress feeds, in the bound E1, unless the intent has another number (ecn.md 5)."""


def marking(
    fabric: Fabric,
    kind: Class,
    speed_mbps: int,
    *,
    shared_bytes: int,
    cell_bytes: int,
    alpha: Fraction,
    deep: bool = False,
    ports: int | None = None,
    far_m: float = 0.0,
) -> Ecn:
    """Kmin, Kmax and Pmax of a class at a speed, with the derivation: as given, or by the default rule (ecn.md 5).

    `ports` of the switch with least to share: the strict case that all of them are congested at once is told, too.
    `far_m` is a cable that a path has beside those between hosts, to another building.
    """
    given = kind.body.ecn
    if isinstance(given, EcnThresholds):
        return _given(kind, given, speed_mbps)
    model, round_trip_ns = fabric.intent.model, rtt_ns(fabric, far_m)
    rule = given if isinstance(given, EcnRule) else None
    cap_us = lossless.delay_cap_us(deep=deep, rtt_ns=round_trip_ns)
    return lossless.ecn(
        speed_mbps=speed_mbps,
        rtt_ns=round_trip_ns,
        roce_mtu_bytes=model.mtu.roce,
        cell_bytes=cell_bytes,
        shared_bytes=shared_bytes,
        alpha=alpha,
        lossless_classes=max(1, len(lossless_priorities(fabric.intent))),
        congested_queues=rule.queues if rule else QUEUES,
        congestion_control=model.hosts.cc,
        delay_cap_us=rule.delay if rule and rule.delay else cap_us,
        throughput=rule.lambda_ if rule else Fraction(1),
        egress_ports=ports,
        judged=f"traffic.{kind.name}.ecn: {rule.reason}" if rule else "ecn.md 5",
    )


def _given(kind: Class, given: EcnThresholds, speed_mbps: int) -> Ecn:
    """Thresholds of the intent, as waiting times and with the reason that it gives."""
    source = f"intent: traffic.{kind.name}.ecn" + (f", {given.reason}" if given.reason else "")
    pmax = round(given.pmax)
    terms = (
        Term(name="Kmin", value=given.kmin, unit="B", source=source),
        Term(name="Kmin, time to drain", value=Fraction(8 * given.kmin, speed_mbps), unit="us", source="at line rate"),
        Term(name="Kmax", value=given.kmax, unit="B", source=source),
        Term(name="Kmax, time to drain", value=Fraction(8 * given.kmax, speed_mbps), unit="us", source="at line rate"),
        Term(name="Pmax", value=pmax, unit="%", source=source),
    )
    return Ecn(kmin_bytes=given.kmin, kmax_bytes=given.kmax, pmax_percent=pmax, terms=terms, warnings=())


def rtt_ns(fabric: Fabric, far_m: float = 0.0) -> int:
    """Round trip host to host over the longest cables of the fabric (ecn.md section 3), in ns."""
    return round_trip(fabric, far_m).value


def round_trip(fabric: Fabric, far_m: float = 0.0) -> Derived:
    """The same with its terms; `far_m` is one more cable on the way."""
    lengths = path_m(fabric)
    return lossless.rtt(lengths_m=(*lengths, far_m), switches=len(lengths) - 1)


def path_m(fabric: Fabric) -> tuple[float, ...]:
    """Lengths of the cables of the longest path from host to host, by tiers: leaf, spine and leaf lie between four."""
    down, up = longest_m(fabric)
    top = fabric.intent.model.cables.spine_superspine
    if top is None:
        return down, up, up, down
    above = max(up, top.length_m)  # measured cables between switches may be of either tier
    return down, up, above, above, up, down


def longest_m(fabric: Fabric) -> tuple[float, float]:
    """The longest cable to a host and the longest between switches of the pattern, measured ones included."""
    cables = fabric.intent.model.cables
    down, up = cables.host_leaf.length_m, cables.leaf_spine.length_m
    for row in fabric.intent.cables.values():
        ends = [fabric.devices.get(end.partition(":")[0]) for end in (row.a, row.b)]
        beside = any(end.place.role in fabric.intent.model.blocks for end in ends if end is not None)
        if None not in ends and not beside:
            up = max(up, row.length_m)
        elif not beside:
            down = max(down, row.length_m)
    return down, up
