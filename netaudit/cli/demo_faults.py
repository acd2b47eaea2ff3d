"""Which faults the demo puts into a fabric, and what an audit must say of each: chosen from the fabric itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from netaudit.expect import Expected
from netaudit.expect.bgp import sessions_of
from netaudit.fabric import HOST_LEAF, LEAF_SPINE, FabricDevice, FabricPort
from netaudit.fabric.addressing import TooSmall, leaf_block
from netaudit.state import LinkEnd

WRONG_ASN = "4200999999"
"""Private (RFC 6996), and beyond what the plan of a fabric gives away."""
FOREIGN = "203.0.113.0/24"
"""TEST-NET-3 (RFC 5737)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the lab, and what an audit must say of it."""

    words: tuple[str, ...]
    rules: tuple[str, ...]
    exit_code: int
    tells: str


CLEAN = Fault((), (), 0, "nothing is wrong")
HEALED = Fault((), (), 0, "all is healed")


def faults_for(expected: Expected) -> tuple[Fault, ...]:
    """One fault of each kind, on different switches as far as the fabric has them."""
    devices = [d for d in expected.built.devices.values() if d.place.status == "active"]
    leaves = [d for d in devices if d.place.role == "leaf"]
    spines = [d for d in devices if d.place.role == "spine"]
    uplinks = {leaf.name: list(_uplinks(expected, leaf)) for leaf in leaves}
    first, second, third, last = leaves[0], leaves[1 % len(leaves)], leaves[2 % len(leaves)], leaves[-1]
    other = uplinks[second.name][-1 if second is not first else 0]
    away = spines[len(spines) // 2 - 1] if len(spines) > 1 else spines[0]
    return (
        _fault("two cables are swapped", "CAB-02", "swap", uplinks[first.name][-1], other),
        _fault("a cable is cut", "INT-01", "link", uplinks[third.name][0]),
        _fault("a spine has another ASN", "BGP-02", "asn", spines[-1].name, WRONG_ASN),
        Fault(("unreachable", away.name), (), 3, "a switch does not answer"),
        _fault("a BGP session is stuck", "BGP-01", "session", uplinks[last.name][0]),
        _fault("a leaf no longer announces its hosts", "RIB-01", "withdraw", last.name, last.blocks[0]),
        _fault(
            "a spine announces what does not exist", "RIB-01", "announce", spines[0].name, _unused(expected, spines[0])
        ),
        *_of_neighbors(expected),
        *_of_hosts(expected, last),
    )


def _of_neighbors(expected: Expected) -> Iterator[Fault]:
    """Of the first external neighbor with a link in use: its session, its ASN, and what it announces."""
    model = expected.built.intent.model
    ends = ((link.a, link.b.device) for link in expected.links if link.b.device in expected.outside)
    near, name = next((pair for pair in ends if _carries(expected, pair[0])), (None, ""))
    if near is None:
        return
    yield _fault("a neighbor's session is stuck", "BGP-01", "session", str(near))
    yield _fault("a neighbor has another ASN", "BGP-02", "asn", name, WRONG_ASN)
    active = sessions_of(expected.built, expected.built.devices[near.device], _port(expected, near)).values()
    family = {int(name.removeprefix("ipv")) for names in active for name in names}
    told = [str(p) for p in model.external[name].prefixes or () if p.version in family]
    if told:
        yield _fault("a neighbor no longer announces a prefix", "RIB-01", "withdraw", name, told[0])
    if model.external[name].prefixes is not None:
        yield Fault(("announce", name, FOREIGN), (), 0, "a neighbor leaks; our policy holds it")


def _port(expected: Expected, end: LinkEnd) -> FabricPort:
    return expected.built.ports(end.device)[end.port]


def _carries(expected: Expected, end: LinkEnd) -> bool:
    """Is a session expected to be up there?"""
    bgp = expected.device(end.device).bgp
    key = next(iter(sessions_of(expected.built, expected.built.devices[end.device], _port(expected, end))), "")
    neighbor = ((bgp.neighbors if bgp else None) or {}).get(key)
    return neighbor is not None and neighbor.session == "Established"


def _of_hosts(expected: Expected, leaf: FabricDevice) -> Iterator[Fault]:
    """Where hosts speak BGP: the session of one."""
    if expected.built.intent.model.hosts.attach == "bgp":
        port = next(str(link.b) for link in expected.links if link.kind == HOST_LEAF and link.b.device == leaf.name)
        yield _fault("a host's session is stuck", "BGP-01", "session", port)


def _fault(tells: str, rule: str, *words: str) -> Fault:
    return Fault(words, (rule,), 2, tells)


def together(faults: tuple[Fault, ...]) -> tuple[tuple[Fault, ...], Fault]:
    """The first four, which share no object, and what an audit must say of all of them at once."""
    chosen = faults[:4]
    rules = tuple(sorted(rule for fault in chosen for rule in fault.rules))
    return chosen, Fault((), rules, 3, f"{len(chosen)} of them at once")


def _uplinks(expected: Expected, leaf: FabricDevice) -> Iterator[str]:
    return (str(k.a) for k in expected.links if k.kind == LEAF_SPINE and k.a.device == leaf.name)


def _unused(expected: Expected, spine: FabricDevice) -> str:
    """A host block of the plane that no leaf has, so that policies let it spread; else a foreign prefix."""
    model = expected.built.intent.model
    plane, planes = model.planes.index(spine.place.plane), len(model.planes)
    free = model.unit_capacity * model.unit_leaves
    try:
        return str(leaf_block(model.addressing.hosts[0], plane, planes, free, model.leaf_capacity, model.hosts.attach))
    except TooSmall:
        return FOREIGN
