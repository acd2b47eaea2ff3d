"""Text of the site's own for frr.conf: which of its lines must be found on a device, and which it may not have."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from netaudit.platforms.sonic.frr import SILENT, read_frr
from netaudit.platforms.sonic.tables import Unreadable

SUFFIXES = (".cfg", ".conf")
"""Files whose lines go to frr.conf."""

_ROUTING = (
    *("router bgp", "address-family", "neighbor", "network", "maximum-paths", "bgp", "no bgp", "timers bgp"),
    *("route-map", "ip prefix-list", "ipv6 prefix-list", "no router bgp", "no route-map"),
    *("no ip prefix-list", "no ipv6 prefix-list", "no neighbor", "frr defaults"),
)
"""Beginnings of lines that configure BGP or its policies, wherever they stand; the reader takes more of them for ours
(a discard route)."""
_OTHERS = ("router ", "vrf ")
"""Blocks in which `neighbor`, `network` and `address-family` are another protocol's."""
_MANAGEMENT = ("interface eth0", "interface mgmt")
"""Ports of management are not ours (DESIGN.md section 3, «SONiC, owns»)."""


def raw_lines(text: str) -> frozenset[str]:
    """The lines that a device must have: without comments, and without what only ends a block."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return frozenset(line for line in lines if line and not line.startswith("!") and not _closes(line))


def raw_problems(text: str, owns: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """(line, what is wrong, hint) for each line that is ours, or that could not be audited. `owns`: areas."""
    head = ""
    for number, written in enumerate(text.splitlines(), start=1):
        line = " ".join(written.split())
        if not line or line.startswith("!"):
            continue
        if not written.startswith((" ", "\t")):
            head = line
        wrong = None if _closes(line) else _wrong(line, head, owns)
        if wrong is not None:
            yield number, *wrong


def _closes(line: str) -> bool:
    return line == "end" or line == "exit" or line.startswith("exit-")


def _wrong(line: str, head: str, owns: Collection[str]) -> tuple[str, str] | None:
    if not line.isprintable() or line.startswith("#"):
        return f"FRR does not keep this line: {line[:60]!r}", "plain text; a comment starts with `!`"
    foreign = line != head and head.startswith(_OTHERS) and not head.startswith("router bgp")
    if (_begins(line, _ROUTING) and not foreign) or _is_ours(line):
        return f"`{line}` touches the area bgp, which is ours", "BGP and its policies come from the intent alone"
    ours = next((area for area in ("addressing", "ports") if area in owns), "")
    if head.startswith("interface ") and not _begins(head, _MANAGEMENT) and ours:
        return f"`{line}` touches the area {ours}, which is ours", "interfaces come from the intent alone"
    if line.startswith(SILENT):
        return f"`{line}` would not be audited: the NOS writes such lines itself", "take it out"
    return None


def _begins(line: str, words: tuple[str, ...]) -> bool:
    """Vtysh takes a word by its first letters, too, so `router bg 1` is meant."""
    given = line.lower().split()
    return any(
        len(given) >= len(word.split())
        and all(whole.startswith(part) for whole, part in zip(word.split(), given, strict=False))
        for word in words
    )


def _is_ours(line: str) -> bool:
    """Does the reader take it for a leaf, or fail to, where one stands?"""
    if line.startswith(SILENT):
        return False
    try:
        return line not in (read_frr(line, {}).unmodelled or ())  # type: ignore[operator]  # a reader says a set
    except Unreadable:
        return True
