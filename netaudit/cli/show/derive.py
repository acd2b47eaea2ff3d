"""How a computed leaf was found, step by step: headroom, marking thresholds, pools, rates, AS numbers, loopbacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_interface

from netaudit import lossless
from netaudit.cli.show import ecn, headroom
from netaudit.cli.show.breakdown import term_data
from netaudit.cli.show.cables import cable
from netaudit.cli.show.page import Json, Table
from netaudit.cli.show.target import Target
from netaudit.cli.show.values import speed
from netaudit.diag import Source
from netaudit.expect import Expected
from netaudit.expect.classes import Class, classes
from netaudit.expect.headroom import Headroom, groups
from netaudit.expect.pools import ingress_lossless
from netaudit.fabric.addressing import PLANE_STEP, TIER_STEP, plane_slice
from netaudit.fabric.roles import BLOCK_ASNS, BLOCK_LOOPBACKS
from netaudit.state import Device
from netaudit.state.walk import Path, matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """The steps as a table for a person, and as data."""

    table: Table
    data: Json
    formula: str = ""
    """In one sentence, where the steps know it better than the leaf's origin."""


Finder = Callable[[Expected, Device, Target, Path], Derivation | None]


def derivation(expected: Expected, device: Device, at: Target, path: Path) -> Derivation | None:
    """The steps of a leaf; `None` for one that is a value as it was written."""
    for pattern, find in FINDERS:
        if matches(pattern, path):
            return find(expected, device, at, path)
    return None


def _headroom(expected: Expected, device: Device, at: Target, path: Path) -> Derivation | None:
    port = path[2] if path[1] == "ports" else _bound(device, path[2], at) or _neediest(expected, device, path[2], at)
    found = headroom.port_facts(expected, at.device, port) if port else None
    if found is None:
        return None
    given = found.given
    formula = given.source if isinstance(given, Headroom) and path[1] == "profiles" else ""
    return Derivation(table=headroom.terms(found), data=headroom.terms_data(found), formula=formula)


def _bound(device: Device, profile: str, at: Target) -> str | None:
    """A port whose priority group has the profile: the one asked for, else the first; lossless profiles only."""
    buffers = device.buffers
    found = (buffers.profiles or {}).get(profile) if buffers else None
    if buffers is None or found is None or not isinstance(found.xoff_bytes, int):
        return None
    ports = [key for key, port in (buffers.ports or {}).items() if profile in (port.groups or {}).values()]
    return at.port if at.port in ports else next(iter(ports), None)


def _neediest(expected: Expected, device: Device, profile: str, at: Target) -> str | None:
    """The port whose need a profile of the whole switch holds: the one asked for if it needs as much as any other."""
    buffers = device.buffers
    found = (buffers.profiles or {}).get(profile) if buffers else None
    if found is None or not isinstance(found.xoff_bytes, int) or (buffers and buffers.ports):
        return None
    fabric = expected.built
    built, laid = fabric.devices[at.device], fabric.ports(at.device)
    speeds = {key: p.speed_mbps for key, p in (device.ports or {}).items() if isinstance(p.speed_mbps, int)}
    needs = {port: need.xoff_bytes for port, need in groups(fabric, built, laid, speeds)}
    return max(needs, key=lambda port: (needs[port], port == at.port), default=None)


def _marking(expected: Expected, device: Device, at: Target, path: Path) -> Derivation | None:
    found = _marked(expected, device, path[2])
    if found is None:
        return None
    marked = ecn.marking(expected, *found, at.device)
    terms = (*(marked.rtt.terms if marked.rtt else ()), *marked.found.terms)
    return Derivation(table=ecn.steps(marked), data=[term_data(term) for term in terms])


def _marked(expected: Expected, device: Device, profile: str) -> tuple[Class, int] | None:
    """(class, speed) of a WRED profile: those of a queue that uses it."""
    kinds = {str(kind.queue): kind for kind in classes(expected.built.intent)}
    for key, port in ((device.qos.ports or {}) if device.qos else {}).items():
        rate = (device.ports or {})[key].speed_mbps
        for number, queue in (port.queues or {}).items():
            if queue.wred == profile and number in kinds and isinstance(rate, int):
                return kinds[number], rate
    return None


def _pool(expected: Expected, device: Device, at: Target, path: Path) -> Derivation | None:
    fabric = expected.built
    built, laid = fabric.devices[at.device], fabric.ports(at.device)
    speeds = {key: p.speed_mbps for key, p in (device.ports or {}).items() if isinstance(p.speed_mbps, int)}
    found = ingress_lossless(fabric, built, laid, [h for _, h in groups(fabric, built, laid, speeds)])
    data: list[Json] = [term_data(term) for term in found.terms]
    return Derivation(table=ecn.term_table(found.terms), data=data)


def _cap(expected: Expected, device: Device, at: Target, path: Path) -> Derivation | None:
    name, _, rate = path[2].rpartition("-")
    kind = next((k for k in classes(expected.built.intent) if k.name.upper() == name), None)
    if kind is None or kind.body.cap is None or not rate.removesuffix("G").isdecimal():
        return None
    found = lossless.strict_cap(percent=kind.body.cap, speed_mbps=int(rate.removesuffix("G")) * 1000)
    data: list[Json] = [term_data(term) for term in found.terms]
    return Derivation(table=ecn.term_table(found.terms), data=data)


def _asn(expected: Expected, device: Device, at: Target, path: Path) -> Derivation | None:
    fabric = expected.built
    built = fabric.devices[at.device]
    if built.row is not None and built.row.asn is not None:
        return None
    place, model = built.place, fabric.intent.model
    number = model.planes.index(place.plane)
    rest = built.asn - model.bgp.asn_base - number * PLANE_STEP - place.tier * TIER_STEP
    spines = f"number of the {model.spine.per}, whose spines share one" if rest else "the spines of a plane share one"
    index = "rails + rail − 1" if model.leaf.rails == 1 else "leaves of a unit + which of them it is"
    why = {
        "leaf": f"its index, (unit − 1) × {index}",
        "spine": spines,
        "superspine": "the superspines of a plane share one",
    }.get(place.role, f"id × {BLOCK_ASNS} + number")
    return _steps(
        ("base", str(model.bgp.asn_base), "intent: bgp.asn_base"),
        ("plane", f"+ {number} × {PLANE_STEP:,}", f"plane {place.plane} is number {number}, counted from 0"),
        ("tier", f"+ {place.tier} × {TIER_STEP:,}", f"{place.role} is tier {place.tier}"),
        ("number", f"+ {rest:,}", why),
        ("ASN", str(built.asn), "the sum"),
    )


def _loopback(expected: Expected, device: Device, at: Target, path: Path) -> Derivation | None:
    fabric = expected.built
    built, model = fabric.devices[at.device], fabric.intent.model
    if built.row is not None and built.row.loopback:
        return None
    number = model.planes.index(built.place.plane)
    block = model.blocks.get(built.place.role)
    count = built.index + 1 + (block.id * BLOCK_LOOPBACKS if block is not None else 0)
    rows = []
    for pool, text in zip(model.addressing.loopbacks, built.loopbacks, strict=True):
        part = plane_slice(pool, number, len(model.planes))
        quarter = f"quarter {built.place.tier + 1} of 4 for {built.place.role}s, address {count}"
        rows += [
            (f"IPv{pool.version} pool", str(pool), "intent: addressing.loopbacks"),
            ("slice", str(part), f"plane {built.place.plane}, {number + 1} of {len(model.planes)}"),
            ("loopback", str(ip_interface(text)), quarter),
        ]
    return _steps(*rows)


def _steps(*rows: tuple[str, str, str]) -> Derivation:
    data: list[Json] = [{"name": name, "value": text, "source": source} for name, text, source in rows]
    last = frozenset({len(rows) - 1})
    head = ("term", "value", "where it comes from")
    return Derivation(table=Table(head=head, rows=rows, right=frozenset({1}), bold=last, whole=True), data=data)


FINDERS: tuple[tuple[str, Finder], ...] = (
    ("buffers.ports.*.cable_length_m", _headroom),
    ("buffers.ports.*.groups", _headroom),
    ("buffers.profiles.*.xoff_bytes", _headroom),
    ("buffers.profiles.*.xon_bytes", _headroom),
    ("buffers.profiles.*.size_bytes", _headroom),
    ("buffers.pools.ingress_lossless_pool.size_bytes", _pool),
    ("qos.wred.*.colours", _marking),
    ("qos.schedulers.*.cap_bytes_per_s", _cap),
    ("bgp.asn", _asn),
    ("system.asn", _asn),
    ("bgp.router_id", _loopback),
    ("interfaces.Loopback0.addresses", _loopback),
)
"""Leaf pattern → who knows its steps; the first that fits."""


def stated(expected: Expected, device: Device, at: Target, path: Path) -> Iterator[tuple[Source, str]]:
    """The lines that a formula starts from, each with what it says; for a leaf that no line decides alone."""
    intent = expected.built.intent
    bound = _bound(device, path[2], at) if path[:2] == ("buffers", "profiles") else None
    if path[:2] == ("buffers", "profiles") and bound is None:
        bound = _neediest(expected, device, path[2], at)
    if bound is not None:
        wire = cable(expected.built, at.device, bound)
        if wire is not None and wire.source is not None:
            yield wire.source, f"the length of {wire.a} – {wire.b}"
    for key, why in _inputs(expected, device, path).items():
        source = intent.source(key) if intent.given(key) else None
        if source is not None:
            yield source, f"{key}: {why}"


def _inputs(expected: Expected, device: Device, path: Path) -> Mapping[str, str]:
    """Intent path → why it matters."""
    kinds = [kind.name for kind in classes(expected.built.intent) if kind.priority is not None]
    port = (device.ports or {}).get(path[1]) if path[0] == "ports" and len(path) > 1 else None
    if path[:2] == ("qos", "ports") and path[-1] in ("pfc", "watched"):
        return {f"traffic.{name}.priority": "a lossless class" for name in kinds}
    if path[:2] == ("buffers", "profiles"):
        return {"buffers.shallow.headroom": "whose numbers", "mtu.port": "the longest frame"}
    if port is not None and path[-1] == "fec" and isinstance(port.speed_mbps, int):
        key = (port.origin or {}).get("speed_mbps", "")
        return {} if key.startswith("=") else {key: f"{speed(port.speed_mbps)} over its lanes"}
    if path[:2] in (("bgp", "networks"), ("bgp", "discards")):
        return {"addressing.loopbacks": "its own", "addressing.hosts": "the block of a leaf"}
    return {}
