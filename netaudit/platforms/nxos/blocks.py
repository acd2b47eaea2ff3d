"""A configuration cut into blocks that keep their bytes: an outermost line and all below it, or what stands between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from netaudit.platforms.nxos.answers_text import key_of
from netaudit.platforms.nxos.names import full_name
from netaudit.platforms.nxos.raw import area_of
from netaudit.platforms.nxos.text import MOST_PORTS, Line, members, parse

FEATURES = {"feature bgp": "bgp", "feature interface-vlan": "addressing", "feature lldp": "lldp"}
"""Features that an area of ours needs; others are of whoever switched them on."""

_PORT_LINES: dict[str, tuple[str, ...]] = {
    "ports": ("description ", "shutdown", "no shutdown", "speed ", "mtu ", "fec "),
    "addressing": (
        *("switchport", "no switchport", "vrf member ", "ip address ", "ipv6 address ", "ip forward"),
        *("ipv6 link-local use-bia", "ipv6 nd ra-interval ", "ipv6 nd ra-lifetime "),
    ),
    "qos": ("priority-flow-control ", "service-policy type qos ", "service-policy type queuing output "),
    "buffers": ("service-policy type queuing input ",),
}
"""Area → how the lines of a port begin that a leaf stands for; all others of a port stay as they are."""


@dataclass(slots=True)
class Block:
    """Some rows of a text. `line` is what they mean; of blank lines and comments `None`."""

    rows: list[str]
    """With their ends."""
    line: Line | None = None
    below: list[Block] = field(default_factory=list)
    """The lines directly below, each with its own."""

    @property
    def head(self) -> str:
        """The outermost line as NX-OS means it; empty where there is none."""
        return self.line.text if self.line is not None else ""

    @property
    def text(self) -> str:
        """The rows as they stand."""
        return "".join(self.rows)


def blocks(text: str) -> list[Block]:
    """The whole text, in order: joined again it is the same, byte for byte. Raises `Unreadable` as `parse` does."""
    rows = text.splitlines(keepends=True)
    lines = parse(text)
    made: list[Block] = []
    starts = _starts(rows)
    heads = iter(lines)
    at = 0
    for start, end in starts:
        if at < start:
            made.append(Block(rows=rows[at:start]))
        line = next(heads)
        made.append(Block(rows=rows[start:end], line=line))
        at = end
    if at < len(rows):
        made.append(Block(rows=rows[at:]))
    return made


def _starts(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(first row, row after the last) of each outermost line with what is below it."""
    number, total = 0, len(rows)
    while number < total:
        row = rows[number]
        if not _says(row):
            number += 1
            continue
        start = number
        number += 1
        number += _banner(rows, start)
        last = number
        depth = _depth(row)
        while number < total and (not _says(rows[number]) or _depth(rows[number]) > depth):
            number += 1
            if _says(rows[number - 1]):
                last = number
        number = last
        yield start, last


def _says(row: str) -> bool:
    line = row.strip()
    return bool(line) and not line.startswith("!")


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


def _banner(rows: Sequence[str], start: int) -> int:
    """Rows of a banner after its first."""
    line = rows[start].strip()
    if _depth(rows[start]) or not line.startswith(("banner motd ", "banner exec ")):
        return 0
    begun = line.split(" ", 2)[2]
    if begun[0] in begun[1:]:
        return 0
    for number, row in enumerate(rows[start + 1 :], start=1):
        if begun[0] in row:
            return number
    return len(rows) - start - 1


def singles(line: Line) -> tuple[str, ...]:
    """The heads that one line stands for: `vlan 1,10` is two, as is `interface breakout module 1 port 1-2 map …`."""
    words = line.words
    if words[0] == "vlan" and len(words) == 2 and words[1][:1].isdigit():
        return tuple(f"vlan {number}" for number in sorted(members(words[1], "vlan")))
    if line.text.startswith("interface breakout module ") and len(words) == 8:
        cages = sorted(members(words[5], "interface breakout", MOST_PORTS))
        return tuple(" ".join((*words[:5], str(number), *words[6:])) for number in cages)
    return (line.text,)


def inner(block: Block) -> list[Block]:
    """The rows below the first one, cut as `blocks` cuts a text."""
    return blocks("".join(block.rows[1:]))


def area_of_block(line: Line) -> str:
    """The area whose an outermost line is as a whole; empty for what is nobody's of us, and for ports."""
    if line.text in FEATURES:
        return FEATURES[line.text]
    if is_port_block(line.text):
        return ""
    area = area_of(line.text)
    if area == "qos" and line.text.startswith("policy-map type queuing ") and is_headroom(line):
        return "buffers"
    return area


def is_headroom(line: Line) -> bool:
    """Is a queuing policy one of ingress?"""
    return any(below.text.startswith("class type queuing c-in-") for below in line.below)


def is_port_block(head: str) -> bool:
    """`interface Ethernet1/5`, and no sub-interface or breakout."""
    if not head.startswith("interface "):
        return False
    return key_of(full_name(head.removeprefix("interface ")))[:1].isdigit()


def cage(head: str) -> str:
    """The cage that a port is in, with its module: `interface Ethernet1/5/2` → `Ethernet1/5`."""
    return "/".join(full_name(head.removeprefix("interface ")).split("/")[:2])


def area_of_port_line(text: str) -> str:
    """The area of a line of a port; empty for one that no leaf stands for."""
    found = (area for area, begins in _PORT_LINES.items() for begin in begins if _begins(text, begin))
    return next(found, "")


def _begins(text: str, begin: str) -> bool:
    return text.startswith(begin) if begin.endswith(" ") else text == begin or text.startswith(f"{begin} ")
