"""What one device shall hold: ours where an area is owned, the running text byte for byte elsewhere."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from netaudit.platforms import Files
from netaudit.platforms.eos.areas import ETHERNET, OWNS, SERVER, area_of
from netaudit.platforms.eos.chunks import GONE, Chunk, Part, chunks, parts
from netaudit.platforms.eos.ports import management_vrfs
from netaudit.platforms.eos.raw import named
from netaudit.platforms.eos.read import CONFIG, config_of, device_from
from netaudit.platforms.eos.text import parse, paths
from netaudit.state import Device

Paths = frozenset[tuple[str, ...]]
_PLAIN = re.compile(r"(no )?ip routing( .*)?|ipv6 unicast-routing( .*)?|service routing protocols model .+")
"""Lines of ours that no leaf stands for: they are compared as they are."""
_BOX = ("hostname",)
"""What is of the box itself: read, and never changed (DESIGN.md section 3, «owns»)."""


@dataclass(frozen=True, slots=True)
class _View:
    """A text, and what it means."""

    text: str
    device: Device
    paths: Paths
    managed: frozenset[str]
    """The VRFs of management ports."""


def _view(text: str) -> _View:
    lines = parse(text)
    found = config_of(lines)
    managed = management_vrfs(found.stanzas)
    every = frozenset(paths(lines))
    return _View(text, device_from(found, ""), every, managed)


def _areas(owns: Iterable[str]) -> frozenset[str]:
    said = frozenset(owns)
    return frozenset(OWNS) if "all" in said else said & frozenset(OWNS)


def candidate(rendered: Files, running: Files, owns: Iterable[str]) -> Files:
    """The running text with our stanzas and lines in place of its own. An area that means the same stays as it is."""
    ours, theirs = _view(rendered[CONFIG]), _view(running[CONFIG])
    owned = _areas(owns)
    changed = frozenset(area for area in owned if not _same(area, ours, theirs))
    return {CONFIG: _merged(ours, theirs, changed, whole=owned == frozenset(OWNS))}


def _merged(ours: _View, theirs: _View, areas: Collection[str], *, whole: bool) -> str:
    managed = theirs.managed
    wanted: dict[str, Chunk] = {}
    for chunk in chunks(ours.text):
        if chunk.head and not _is_left(chunk, theirs, whole):
            wanted[chunk.head] = _joined(wanted.get(chunk.head), chunk)
    kept = [new for chunk in chunks(theirs.text) if (new := _kept(chunk, wanted, areas, managed)) is not None]
    known = {chunk.head: number for number, chunk in enumerate(kept) if chunk.head}
    after: dict[int, list[Chunk]] = {}
    place = 0
    for head, chunk in wanted.items():
        if head in known:
            place = known[head]
        elif head.split()[0] not in _BOX and (made := _ours(chunk, areas)) is not None:
            after.setdefault(place, []).append(made)
    result: list[str] = []
    for number, chunk in enumerate(kept):
        result.append(_ended(chunk.text) if number in after else chunk.text)
        result += (_ended(new.text) for new in after.get(number, ()))
    return _without("".join(result), ours.text)


def _joined(one: Chunk | None, other: Chunk) -> Chunk:
    """Two stanzas with one head, the second of which is of the site's own text, as one."""
    if one is None:
        return other
    return Chunk(head=one.head, lines=[*_body(one), *_body(other)[1:], *_tail(one)])


def _is_left(chunk: Chunk, theirs: _View, whole: bool) -> bool:
    """Is it our gNMI server, on a switch that has one or is not ours as a whole?"""
    return _paths(chunk.text) <= SERVER and (
        not whole or any(path[0] == "management api gnmi" for path in theirs.paths)
    )


def _ended(text: str) -> str:
    """With a separator behind it."""
    if not text:
        return text
    text = text if text.endswith("\n") else f"{text}\n"
    return text if text.rstrip().endswith("!") else f"{text}!\n"


def _is_managed(head: str, managed: frozenset[str]) -> bool:
    words = head.split()
    return words[-2:-1] in (["vrf"], ["instance"]) and words[-1] in managed


def _kept(chunk: Chunk, wanted: Mapping[str, Chunk], areas: Collection[str], managed: frozenset[str]) -> Chunk | None:
    """A piece of the running text as it shall be; `None` where it goes."""
    new = wanted.get(chunk.head)
    if ETHERNET.fullmatch(chunk.head):
        return _port(chunk, new, areas)
    area = area_of((chunk.head,))
    if area not in areas or _is_managed(chunk.head, managed):
        return chunk if area or new is None else _added(chunk, new)
    if new is None:
        return None
    return (
        chunk if _paths(chunk.text) == _paths(new.text) else Chunk(head=chunk.head, lines=[*_body(new), *_tail(chunk)])
    )


def _body(chunk: Chunk) -> list[str]:
    return [
        line if line.endswith("\n") else f"{line}\n" for line in chunk.lines[: len(chunk.lines) - len(_tail(chunk))]
    ]


def _tail(chunk: Chunk) -> list[str]:
    """The separators behind a piece."""
    lines = chunk.lines
    end = len(lines)
    while end > 1 and not lines[end - 1].startswith((" ", "\t")):
        end -= 1
    return lines[end:]


def _ours(chunk: Chunk, areas: Collection[str]) -> Chunk | None:
    """A piece that the device does not have: as far as it is of an owned area, or of the site's own text."""
    if ETHERNET.fullmatch(chunk.head):
        made = _port(Chunk(head=chunk.head, lines=[chunk.lines[0]]), chunk, areas)
        return made if len(made.lines) > 1 else None
    area = area_of((chunk.head,))
    return chunk if not area or area in areas else None


def _added(chunk: Chunk, new: Chunk) -> Chunk:
    """Somebody else's stanza with the lines that the site's own text brings, each below the one that it is for."""
    head, known, end = parts(chunk)
    wanted = {part.head: part for part in parts(new)[1]}
    more = [line for part in wanted.values() if part.head not in {p.head for p in known} for line in part.lines]
    within = {part.head: _lacking(part, wanted.get(part.head)) for part in known}
    if not more and not any(within.values()):
        return chunk
    lines = [line for part in known for line in (*part.lines, *within[part.head])]
    return Chunk(head=chunk.head, lines=[head, *lines, *more, *end])


def _lacking(part: Part, new: Part | None) -> list[str]:
    """What stands below the same line in the site's own text, and not here."""
    have = {" ".join(line.split()) for line in part.lines}
    return [line for line in (new.lines if new is not None else []) if " ".join(line.split()) not in have]


def _port(chunk: Chunk, new: Chunk | None, areas: Collection[str]) -> Chunk:
    """A port: our lines of the owned areas, then the others that it has."""
    head, known, end = parts(chunk)
    ours = [part for part in (parts(new)[1] if new is not None else []) if _line_area(chunk, part.head) in {*areas, ""}]
    mine = [part for part in known if _line_area(chunk, part.head) in areas]
    foreign = [part for part in known if _line_area(chunk, part.head) not in areas]
    ours = [part for part in ours if part.head not in {other.head for other in foreign}]
    if [part.lines for part in ours] == [part.lines for part in mine]:
        return chunk
    lines = [line if line.endswith("\n") else f"{line}\n" for part in (*ours, *foreign) for line in part.lines]
    return Chunk(head=chunk.head, lines=[head if head.endswith("\n") else f"{head}\n", *lines, *end])


def _line_area(chunk: Chunk, line: str) -> str:
    return area_of((chunk.head, line))


def _paths(text: str) -> Paths:
    return frozenset(paths(parse(text)))


def _without(text: str, ours: str) -> str:
    """The text less the lines that a rollback takes away."""
    gone = {line[len(GONE) :].strip() for line in ours.splitlines() if line.startswith(GONE)}
    if not gone:
        return text
    result: list[str] = []
    for chunk in chunks(text):
        if named([chunk.head]) in gone:
            continue
        if chunk.head and any(name.startswith(f"{named([chunk.head])} / ") for name in gone):
            head, known, end = parts(chunk)
            lines = [
                line
                for part in known
                if named([chunk.head, part.head]) not in gone
                for line in part.lines
                if named([chunk.head, part.head, " ".join(line.split())]) not in gone
            ]
            chunk = Chunk(head=chunk.head, lines=[head, *lines, *end])
        result.append(chunk.text)
    return "".join(result)


def kept(running: Files, rendered: Files, owns: Iterable[str]) -> Files:
    """The stanzas and lines of owned areas as they run, and the names of the site's own lines that do not yet."""
    areas, theirs = _areas(owns), _view(running[CONFIG])
    result: list[str] = []
    for chunk in chunks(theirs.text):
        if ETHERNET.fullmatch(chunk.head):
            head, known, _ = parts(chunk)
            result += [head, *(line for p in known if _line_area(chunk, p.head) in areas for line in p.lines), "!\n"]
        elif area_of((chunk.head,)) in areas and not _is_managed(chunk.head, theirs.managed):
            result.append(_ended(chunk.text))
    new = (path for path in _paths(rendered[CONFIG]) if not area_of(path) and path not in theirs.paths)
    result += (f"{GONE}{named(path)}\n" for path in sorted(new) if path[0].split()[0] not in _BOX)
    return {CONFIG: "".join(line if line.endswith("\n") else f"{line}\n" for line in result)}


def equal(one: Files, other: Files) -> bool:
    """Do both mean the same? Order, spelling and lines that say a default do not count."""
    a, b = _view(one[CONFIG]), _view(other[CONFIG])
    return _foreign(a) == _foreign(b) and all(_same(area, a, b) for area in OWNS)


def _foreign(view: _View) -> Paths:
    """What no area is of."""
    return frozenset(path for path in view.paths if not area_of(path))


def _same(area: str, one: _View, other: _View) -> bool:
    """Do both mean the same in an area?"""
    return _of(area, one.device) == _of(area, other.device) and _plain(area, one) == _plain(area, other)


def _of(area: str, device: Device) -> object:
    """The part of the state that an area is about."""
    return {
        "ports": device.ports,
        "addressing": (device.interfaces, device.vlans, device.vrfs),
        "bgp": device.bgp,
        "qos": device.qos,
        "buffers": device.buffers,
        "lldp": device.lldp,
    }[area]


def _plain(area: str, view: _View) -> Paths:
    """Lines of an area that no leaf stands for."""
    if area == "bgp":
        return frozenset(p for p in view.paths if _PLAIN.fullmatch(p[0]) and not _is_managed(p[0], view.managed))
    if area == "addressing":
        svi = (p for p in view.paths if p[0].startswith("interface Vlan") and len(p) > 1)
        return frozenset(p for p in svi if p[1].startswith("mtu "))
    return frozenset()


def diff(running: Files, candidate: Files) -> tuple[str, ...]:
    """`- line` and `+ line`, each with those that it stands below, of the areas in which something changes."""
    one, other = _view(running[CONFIG]), _view(candidate[CONFIG])
    areas = {area for area in OWNS if not _same(area, one, other)}
    return tuple(_changes(one.paths, other.paths, areas))


def _changes(old: Paths, new: Paths, areas: set[str]) -> Iterator[str]:
    shown = {*areas, ""}
    for sign, some in (("-", old - new), ("+", new - old)):
        for path in sorted(some):
            if area_of(path) in shown:
                yield f"{sign} {named(path)}"
