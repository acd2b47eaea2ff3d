"""Whether two configurations mean the same, what differs between them for a person, and what of one a push changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from netaudit.platforms import Files
from netaudit.platforms.nxos.blocks import (
    FEATURES,
    area_of_block,
    area_of_port_line,
    blocks,
    cage,
    inner,
    is_port_block,
    singles,
)
from netaudit.platforms.nxos.candidate import FILE, OWNS, WHERE_SAID, candidate, canonical
from netaudit.platforms.nxos.config import read_config
from netaudit.platforms.nxos.raw import BELOW, is_secret
from netaudit.platforms.nxos.text import Line, parse
from netaudit.state import Device

_FRAME = ("version ", "boot ", "Building configuration", "Current configuration", "end", "no ip redirects")
"""Lines that the device writes itself, or that frame a configuration."""


def equal(one: Files, other: Files) -> bool:
    """Do both mean the same? Order, the spelling of addresses and lines that say a default do not count."""
    return one[FILE] == other[FILE] or _meaning(one) == _meaning(other)


def _meaning(files: Files) -> tuple[Device, frozenset[object]]:
    """The state, and every line that no leaf stands for."""
    lines = parse(files[FILE])
    state = replace(read_config(files, ""), raw=None, version="")
    return state, frozenset(_others(lines))


def _others(lines: Sequence[Line]) -> Iterator[object]:
    for line in lines:
        if line.text.startswith("policy-map type network-qos "):
            yield canonical(line)  # its MTU is no leaf
        elif is_port_block(line.text):
            yield from ((line.text, b.text) for b in line.below if not area_of_port_line(b.text) and _counts(b.text))
        elif not area_of_block(line) and _counts(line.text):
            yield canonical(line)


def _counts(text: str) -> bool:
    return not text.startswith(_FRAME) and not text.startswith(("ipv6 nd ", "no ipv6 nd ", "no ipv6 redirects"))


def paths(lines: Sequence[Line], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every line with those it stands below; a block of several VLANs is each of them."""
    for line in lines:
        for text in singles(line) if not line.below else (line.text,):
            yield (*above, text)
            yield from paths(line.below, (*above, text))


def diff(running: Files, candidate: Files) -> tuple[str, ...]:
    """`- line` and `+ line`, each with those it stands below; empty if nothing changes. No secret is shown."""
    if equal(running, candidate):
        return ()
    before, after = (dict.fromkeys(paths(parse(files[FILE]))) for files in (running, candidate))
    heads = dict.fromkeys(path[0] for path in (*before, *after))
    told: dict[str, list[str]] = {}
    for path in before:
        # what goes with the block it stands in is one line
        if path not in after and (len(path) == 1 or path[:-1] in after):
            told.setdefault(path[0], []).append(f"- {_shown(path)}")
    for path in after:
        if path not in before:
            told.setdefault(path[0], []).append(f"+ {_shown(path)}")
    return tuple(line for head in heads for line in told.get(head, ()))


def _shown(path: tuple[str, ...]) -> str:
    if is_secret(path[-1]) and not path[-1].startswith("class-map "):
        path = (*path[:-1], f"{path[-1].split(' ')[0]} … (may hold a secret)")
    return BELOW.join(path)


def kept(running: Files, rendered: Files, owns: Iterable[str]) -> Files:
    """Of the running text what `candidate` replaces, in a form that it puts back; nothing that belongs to others.

    A line that may hold a secret is left out: a plan keeps none.
    """
    wanted = tuple(owns)
    areas = frozenset(area for own in wanted for area in (OWNS if own == "all" else (own,)))
    after = {block.text for block in blocks(candidate(rendered, running, wanted)[FILE])}
    ours = dict.fromkeys(block.head for block in blocks(rendered[FILE]))
    made: list[str] = []
    there = blocks(running[FILE])
    cages = {cage(block.head) for block in there if is_port_block(block.head)}
    # a cage that the running text does not name is one port without a line
    unnamed = dict.fromkeys(cage(head) for head in ours if is_port_block(head) and cage(head) not in cages)
    made += [f"interface {name}\n" for name in unnamed]
    for block in there:
        if block.line is None:
            continue
        if is_port_block(block.head):
            if block.head in ours or block.text not in after:
                made.append(_port(block.rows, [b.text for b in inner(block) if area_of_port_line(b.head) in areas]))
        elif area_of_block(block.line) in areas and (block.text not in after or _is_ours(block.head, ours)):
            made.append("".join(row for row in block.rows if not is_secret(row) or row.startswith("class-map ")))
    return {FILE: "".join(text if text.endswith("\n") else f"{text}\n" for text in made)}


def _is_ours(head: str, ours: Collection[str]) -> bool:
    """Is a block of the running text one that we have, too, or one of the switch as a whole?"""
    return head in ours or head in FEATURES or head.startswith(("vlan ", *WHERE_SAID))


def _port(rows: Sequence[str], below: Sequence[str]) -> str:
    return "".join((rows[0], *below))
