"""The speaker of an NX-OS configuration: `router bgp`, its policies, and the routes to nowhere that hold aggregates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from netaudit.platforms.nxos.answers_text import Unreadable, asn, peer, prefix
from netaudit.platforms.nxos.policies import policy_name, read_policies
from netaudit.platforms.nxos.text import Line, named, number
from netaudit.state import ABSENT, Bgp, BgpNeighbor, BgpVrf, Leaf

DEFAULT_TIMERS = (60, 180)
"""keepalive and hold time that run where none are written (Cisco's BGP guide)."""
DEFAULT_LOOPS = 3
"""`allowas-in` without a number."""
FAMILIES = {"address-family ipv4 unicast": "ipv4", "address-family ipv6 unicast": "ipv6"}
SILENT = ("log-neighbor-changes", "disable-peer-as-check", "description ")
"""Lines that change no route: `disable-peer-as-check` leaves it to the receiver to refuse its own ASN, as FRR does."""
_TEMPLATES = ("peer", "peer-session", "peer-policy")
_DEEPEST = 8


@dataclass(slots=True)
class _Speaker:
    """What one `router bgp`, or a `vrf` in it, says."""

    router_id: Leaf[str] = ABSENT
    relax: bool = False
    timers: tuple[int, int] = DEFAULT_TIMERS
    asn: int | None = None
    networks: set[str] = field(default_factory=set)
    paths: dict[str, int] = field(default_factory=dict)
    families: set[str] = field(default_factory=set)
    neighbors: dict[str, BgpNeighbor] = field(default_factory=dict)


@dataclass(slots=True)
class _Reader:
    """Templates, and the lines that no leaf stands for."""

    templates: Mapping[tuple[str, str], Line]
    unmodelled: set[str] = field(default_factory=set)


def read_bgp(lines: Sequence[Line]) -> Bgp:
    """The configuration of BGP; without `router bgp` there is no speaker, and nothing else of it either."""
    policies, told = read_policies(lines, others_maps(lines))
    routers = [line for _, line in named(lines, "router bgp ")]
    discards = frozenset(discarded(lines))
    if not routers:
        none: frozenset[str] = frozenset()
        return Bgp(
            asn=ABSENT,
            router_id=ABSENT,
            multipath_relax=False,
            maximum_paths=ABSENT,
            keepalive_s=DEFAULT_TIMERS[0],
            hold_s=DEFAULT_TIMERS[1],
            networks=none,
            discards=discards,
            policies=policies,
            neighbors={},
            vrfs={},
            unmodelled=told,
        )
    return _whole(routers, policies, told, discards)


def _whole(routers: list[Line], policies: Mapping[str, object], told: frozenset[str], discards: frozenset[str]) -> Bgp:
    block = Line(text=routers[-1].text, written="", below=[below for router in routers for below in router.below])
    reader = _Reader(templates=_templates(block), unmodelled=set(told))
    number_ = asn(block.words[2] if len(block.words) > 2 else "")
    main = _speaker(block, "default", reader)
    vrfs = {name: _speaker(line, name, reader) for name, line in named(block.below, "vrf ")}
    neighbors = dict(main.neighbors)
    for name, vrf in vrfs.items():
        for key, neighbor in vrf.neighbors.items():
            neighbors[key if key not in neighbors else f"{key} in VRF {name}"] = neighbor
    return Bgp(
        asn=number_,
        router_id=main.router_id,
        multipath_relax=main.relax,
        maximum_paths=_paths(main),
        keepalive_s=main.timers[0],
        hold_s=main.timers[1],
        networks=frozenset(main.networks),
        discards=discards,
        policies=policies,  # type: ignore[arg-type]  # what read_policies made
        neighbors=neighbors,
        vrfs={name: _vrf(vrf, number_) for name, vrf in vrfs.items()},
        unmodelled=frozenset(reader.unmodelled),
    )


def _vrf(vrf: _Speaker, number_: int) -> BgpVrf:
    return BgpVrf(
        asn=number_ if vrf.asn is None else vrf.asn,
        router_id=vrf.router_id,
        multipath_relax=vrf.relax,
        maximum_paths=_paths(vrf),
        keepalive_s=vrf.timers[0],
        hold_s=vrf.timers[1],
        networks=frozenset(vrf.networks),
    )


def _paths(speaker: _Speaker) -> Leaf[int]:
    """`maximum-paths`, which is of a family: where families differ, the least, and 1 is what runs without it."""
    if not speaker.paths:
        return ABSENT
    return min(speaker.paths.get(family, 1) for family in speaker.families)


def discarded(lines: Sequence[Line]) -> Iterator[str]:
    """Prefixes of the static routes of the default VRF to `Null0`."""
    for line in lines:
        words = line.words
        if words[0] in ("ip", "ipv6") and words[1:2] == ["route"] and len(words) > 3 and words[3].lower() == "null0":
            yield prefix(words[2])


_OWN_BLOCKS = ("router bgp ", "route-map ", "ip prefix-list ", "ipv6 prefix-list ")


def others_maps(lines: Sequence[Line]) -> frozenset[str]:
    """Words of blocks that are none of BGP's: a route-map or a prefix-list that one of them names is theirs."""
    theirs = frozenset(
        word
        for line in lines
        if not line.text.startswith(_OWN_BLOCKS)
        for below in _all(line)
        if "route-map" in below or "prefix-list" in below or below.startswith(("import map", "export map"))
        for word in below.split(" ")
    )
    inside = frozenset(
        name
        for rest, line in named(lines, "route-map ")
        if rest.split(" ")[0] in theirs
        for below in line.below
        for name in below.text.split(" ")
    )
    return theirs | inside


def _all(line: Line) -> Iterator[str]:
    yield line.text
    for below in line.below:
        yield from _all(below)


def _templates(block: Line) -> Mapping[tuple[str, str], Line]:
    return {(kind, name): line for kind in _TEMPLATES for name, line in named(block.below, f"template {kind} ")}


def _speaker(block: Line, vrf: str, reader: _Reader) -> _Speaker:
    found = _Speaker()
    for line in block.below:
        if line.text in FAMILIES:
            _family(line, FAMILIES[line.text], found, reader, vrf)
        elif line.text.startswith("neighbor "):
            key, neighbor = _neighbor(line, vrf, reader)
            found.neighbors[key] = neighbor
            found.families |= neighbor.families if isinstance(neighbor.families, frozenset) else set()
        elif not _setting(line, found, vrf) and not line.text.startswith((*SILENT, "template ", "vrf ")):
            reader.unmodelled.add(_told(vrf, line.text))
            reader.unmodelled |= {_told(vrf, f"{line.text} {below.text}") for below in line.below}
    return found


def _told(vrf: str, text: str) -> str:
    return text if vrf == "default" else f"vrf {vrf} {text}"


def _setting(line: Line, found: _Speaker, vrf: str) -> bool:
    """Takes a setting of the speaker as a whole. Is it one?"""
    words = line.words
    if words[0] == "router-id" and len(words) == 2:
        found.router_id = words[1]
    elif line.text == "bestpath as-path multipath-relax":
        found.relax = True
    elif words[:2] == ["timers", "bgp"] and len(words) == 4:
        found.timers = (number(words[2], "timers bgp"), number(words[3], "timers bgp"))
    elif words[0] == "local-as" and len(words) == 2 and vrf != "default":
        found.asn = asn(words[1])
    else:
        return False
    return True


def _family(line: Line, family: str, found: _Speaker, reader: _Reader, vrf: str) -> None:
    if line.below:
        found.families.add(family)
    for below in line.below:
        words = below.words
        if words[0] == "network" and len(words) == 2:
            found.networks.add(prefix(words[1]))
        elif words[0] == "maximum-paths" and len(words) == 2:
            found.paths[family] = number(words[1], "maximum-paths")
        else:
            reader.unmodelled.add(_told(vrf, f"{line.text} {below.text}"))


@dataclass(slots=True)
class _Session:
    remote: Leaf[str] = ABSENT
    policies: dict[tuple[str, str], str] = field(default_factory=dict)
    """(family, `in` or `out`) → route-map."""
    families: set[str] = field(default_factory=set)
    loops: dict[str, Leaf[int]] = field(default_factory=dict)


def _neighbor(line: Line, vrf: str, reader: _Reader) -> tuple[str, BgpNeighbor]:
    words = line.words
    key = peer(words[1]) if len(words) > 1 else ""
    session = _Session()

    def note(text: str) -> None:
        reader.unmodelled.add(_told(vrf, f"neighbor {key} {text}"))

    if words[2:3] == ["remote-as"]:
        session.remote = _remote(words[3:])
    for below in _inherited(line.below, reader, ("peer", "peer-session"), 0):
        if below.text in FAMILIES:
            _activate(below, FAMILIES[below.text], session, reader, note)
        elif below.words[0] == "remote-as":
            session.remote = _remote(below.words[1:])
        elif not below.text.startswith(SILENT):
            note(below.text)
    return key, BgpNeighbor(
        vrf=vrf,
        remote=session.remote,
        import_policy=_policy(session, "in"),
        export_policy=_policy(session, "out"),
        families=frozenset(session.families),
        allowas_in=session.loops,
    )


def _remote(words: list[str]) -> str:
    """`external`, `internal`, or the number in asplain."""
    word = words[0] if words else ""
    return word if word in ("external", "internal", "route-map") else str(asn(word))


def _inherited(lines: list[Line], reader: _Reader, kinds: tuple[str, ...], depth: int) -> Iterator[Line]:
    """Lines of the templates that are named first, so that those of the neighbor itself come later and win."""
    if depth > _DEEPEST:
        raise Unreadable("templates that inherit from each other")
    own: list[Line] = []
    for line in lines:
        words = line.words
        if words[0] == "inherit" and len(words) > 2 and words[1] in kinds:
            template = reader.templates.get((words[1], words[2]))
            yield from _inherited(template.below if template else [], reader, kinds, depth + 1)
        else:
            own.append(line)
    yield from own


def _activate(line: Line, family: str, session: _Session, reader: _Reader, note: Callable[[str], None]) -> None:
    session.families.add(family)
    for below in _inherited(line.below, reader, ("peer-policy",), 0):
        words = below.words
        if words[0] == "route-map" and len(words) == 3 and words[2] in ("in", "out"):
            session.policies[family, words[2]] = policy_name(words[1], 4 if family == "ipv4" else 6)
        elif words[0] == "allowas-in" and len(words) <= 2:
            session.loops[family] = number(words[1], "allowas-in") if len(words) == 2 else DEFAULT_LOOPS
        elif not below.text.startswith(SILENT):
            note(f"{line.text} {below.text}")


def _policy(session: _Session, direction: str) -> Leaf[str]:
    """The policy of all families of a session. Where they have several, or one has none, the name says so."""
    names = [session.policies.get((family, direction)) for family in sorted(session.families)]
    if not any(names):
        return ABSENT
    return " and ".join(dict.fromkeys(name or "none" for name in names))
