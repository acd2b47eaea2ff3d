"""From which queue length packets are marked, per speed: one pair of thresholds for the whole fabric (ecn.md V8)."""

from __future__ import annotations

from fractions import Fraction

from netaudit import lossless
from netaudit.expect.classes import Class, lossless_priorities
from netaudit.fabric import Fabric
from netaudit.intent.schema.lossless import EcnThresholds
from netaudit.lossless import Ecn, Term

HOPS = 3
"""Switches on the longest path of two tiers: leaf, spine, leaf."""


def marking(fabric: Fabric, kind: Class, speed_mbps: int, shared_bytes: int, cell_bytes: int, alpha: Fraction) -> Ecn:
    """Kmin, Kmax and Pmax of a class at a speed, with the derivation: as given, or by the default rule (ecn.md 5)."""
    given = kind.body.ecn
    if isinstance(given, EcnThresholds):
        term = Term(name="as given", value=given.kmin, unit="B", source=f"intent: traffic.{kind.name}.ecn")
        pmax = round(given.pmax)
        return Ecn(kmin_bytes=given.kmin, kmax_bytes=given.kmax, pmax_percent=pmax, terms=(term,), warnings=())
    model = fabric.intent.model
    return lossless.ecn(
        speed_mbps=speed_mbps,
        rtt_ns=rtt_ns(fabric),
        roce_mtu_bytes=model.mtu.roce,
        cell_bytes=cell_bytes,
        shared_bytes=shared_bytes,
        alpha=alpha,
        lossless_classes=max(1, len(lossless_priorities(fabric.intent))),
        congestion_control=model.hosts.cc,
    )


def rtt_ns(fabric: Fabric) -> int:
    """Round trip host to host over the longest cables of the fabric (ecn.md section 3)."""
    cables = fabric.intent.model.cables
    measured = [row.length_m for row in fabric.intent.cables.values()]
    up = max([cables.leaf_spine.length_m, *measured])
    down = cables.host_leaf.length_m
    return lossless.rtt(lengths_m=(down, up, up, down), switches=HOPS).value
