"""Text of the site's own: which of its lines must be found on a device, and which it may not have.

NX-OS has one file for everything, so what others put there is told from ours by the line it stands below, and each line
of the site's own is a row of `Device.raw`: present, or not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from netaudit.platforms.nxos.text import Line, parse
from netaudit.state import Leaf

SUFFIXES = (".cfg", ".conf", ".txt")
"""Files whose lines go to nxos.cfg."""
TABLE = "nxos.cfg"
NOTHING = "NULL"
"""The field of a row that has none."""
BELOW = " > "
"""Between a line and those it stands below, in the name of its row."""
Rows = Mapping[str, Mapping[str, Mapping[str, Leaf[str]]]]

HEADS: Mapping[str, tuple[str, ...]] = {
    "ports": ("interface Ethernet", "interface breakout", "interface Eth", "no interface Ethernet"),
    "addressing": ("interface loopback", "interface Vlan", "vlan ", "vrf context ", "feature interface-vlan"),
    "bgp": (
        *("router bgp", "route-map ", "ip prefix-list ", "ipv6 prefix-list ", "feature bgp"),
        *("no router bgp", "no route-map ", "no ip prefix-list ", "no ipv6 prefix-list ", "no feature bgp"),
    ),
    "qos": (
        *("class-map ", "policy-map ", "system qos", "priority-flow-control ", "ip load-sharing "),
        *("no class-map ", "no policy-map ", "no priority-flow-control ", "hardware qos "),
    ),
    "lldp": ("feature lldp", "no feature lldp", "lldp "),
}
"""Area → how the outermost lines begin that are its."""
_NULL_ROUTE = re.compile(r"(?:no )?ip(?:v6)? route \S+ Null0", re.IGNORECASE | re.ASCII)
_OTHERS = ("class-map type control-plane ", "policy-map type control-plane ", "vrf context management")
"""Beginnings of what is like ours and never is; so is `vlan 1`, which every box has."""
_SECRET = re.compile(
    r"password|passphrase|secret|\bkey\b|key-string|community|username |\bmd5\b|\bsha\b|snmp-server user|auth",
    re.IGNORECASE | re.ASCII,
)


def area_of(head: str) -> str:
    """The area whose an outermost line is; empty where it is nobody's that netaudit configures."""
    if head == "vlan 1" or head.startswith(_OTHERS):
        return ""
    if _NULL_ROUTE.match(head):
        return "bgp"
    return next((area for area, heads in HEADS.items() if head.startswith(heads) or f"{head} " in heads), "")


def is_secret(line: str) -> bool:
    """May a line hold a secret?"""
    return _SECRET.search(line) is not None


def paths(lines: Sequence[Line], above: str = "") -> Iterator[str]:
    """The name of each line: those it stands below, and itself."""
    for line in lines:
        name = f"{above}{line.text}"
        yield name
        yield from paths(line.below, f"{name}{BELOW}")


def raw_lines(text: str) -> frozenset[str]:
    """The lines that a device must have, each with those it stands below. What cannot be read has none."""
    try:
        return frozenset(paths(parse(text)))
    except ValueError:
        return frozenset()


def rows_of(text: str) -> Rows:
    """The rows that the lines of a text of the site's own are."""
    return {TABLE: {name: {NOTHING: NOTHING} for name in sorted(raw_lines(text))}}


def others_rows(lines: Sequence[Line]) -> Rows:
    """The rows of a whole configuration: every line that is of no area. What may be a secret is left out."""
    foreign = [line for line in lines if not area_of(line.text)]
    return {TABLE: {name: {NOTHING: NOTHING} for name in paths(foreign) if not _SECRET.search(name)}}


def raw_problems(text: str, owns: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """(line, what is wrong, hint) for each line that is ours, or that could not be audited. `owns`: areas."""
    head = ""
    for number, written in enumerate(text.splitlines(), start=1):
        line = " ".join(written.split())
        if not line or line.startswith("!"):
            continue
        if not written.startswith((" ", "\t")):
            head = line
        wrong = _wrong(line, head, owns)
        if wrong is not None:
            yield number, *wrong


def _wrong(line: str, head: str, owns: Collection[str]) -> tuple[str, str] | None:
    if not line.isprintable() or line.startswith("#"):
        return f"NX-OS does not keep this line: {line[:60]!r}", "plain text; a comment starts with `!`"
    if line in ("end", "exit") or line.startswith("exit "):
        return f"`{line}` stands in no configuration that NX-OS shows", "blocks end where the indentation does"
    if area := area_of(head):
        if area in owns:
            return f"`{line}` touches the area {area}, which is ours", "what stands there comes from the intent alone"
        return f"`{line}` would not be audited: it is of the area {area}", f"take it out, or add {area} to `owns`"
    if head.startswith(("hostname ", "switchname ")):
        return f"`{line}` names the switch, which the intent does", "take it out"
    if _SECRET.search(line):
        return "this line may hold a secret, so it is not read back and would not be audited", "set it beside netaudit"
    return None


def raw_table_problem(path: tuple[str, ...], owns: Collection[str]) -> tuple[str, str] | None:
    """NX-OS has no tables of configuration."""
    return "NX-OS has no tables of configuration", f"lines, in a file that ends in {SUFFIXES[0]}"
