"""What one switch shall hold: the running text, with our blocks and lines in place of those of the areas that are ours.

NX-OS has no candidate configuration of its own: `changes` makes the commands that lead there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from netaudit.platforms import Files
from netaudit.platforms.nxos.blocks import (
    FEATURES,
    Block,
    area_of_block,
    area_of_port_line,
    blocks,
    cage,
    inner,
    is_port_block,
    singles,
)
from netaudit.platforms.nxos.config_bgp import others_maps
from netaudit.platforms.nxos.context import GNMI
from netaudit.platforms.nxos.text import Line, members, ranges

FILE = "nxos.cfg"
OWNS: Mapping[str, tuple[str, ...]] = {
    "ports": ("interface breakout", "interface Ethernet: description, shutdown, speed, mtu, fec"),
    "addressing": (
        *("vrf context", "vlan", "interface Vlan", "interface loopback", "feature interface-vlan"),
        "interface Ethernet: switchport, vrf member, ip and ipv6 address",
    ),
    "bgp": ("router bgp", "route-map", "ip prefix-list", "ipv6 prefix-list", "ip route Null0", "feature bgp"),
    "qos": (
        *("class-map", "policy-map type qos, network-qos, queuing", "system qos", "priority-flow-control"),
        *("ip load-sharing", "interface Ethernet: priority-flow-control, service-policy"),
    ),
    "buffers": ("policy-map type queuing of ingress", "interface Ethernet: service-policy type queuing input"),
    "lldp": ("feature lldp",),
}
"""Area → what of the configuration is ours."""
WHERE_SAID = ("ip load-sharing ",)
"""Lines that are ours only where the intent says something of them."""
_KEPT_LINES = ("lldp ",)
"""Lines of an area that no leaf stands for."""
_SYSTEM_QOS = (
    "service-policy type network-qos ",
    "service-policy type queuing output ",
    "service-policy type qos input ",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ours:
    """What the rendering has, by the heads of its blocks, and what of the running text is somebody else's."""

    blocks: Mapping[str, Block]
    areas: frozenset[str]
    theirs: frozenset[str]
    """Words by which blocks of others name policies, classes, maps, lists and VRFs: those stay."""
    vlans: frozenset[int]
    cages: frozenset[str]
    """Cages of which we know how they are split: their other ports go with a breakout that goes or comes."""


def candidate(rendered: Files, running: Files, owns: Iterable[str]) -> Files:
    """The running text where nothing of ours is, our text elsewhere. Raises `ValueError` for text that is none."""
    there = blocks(running[FILE])
    made = [block for block in blocks(rendered[FILE]) if block.line is not None]
    owned = frozenset(owns)
    areas = frozenset(area for own in owned for area in (OWNS if own == "all" else (own,)))
    lines = [block.line for block in there if block.line is not None]
    ours = _Ours(
        blocks={block.head: block for block in made},
        areas=areas,
        theirs=_theirs(lines, areas, frozenset(cage(b.head) for b in made if is_port_block(b.head)))
        | others_maps(lines),
        vlans=frozenset(n for block in made if block.head.startswith("vlan ") for n in _vlans(block.head)),
        cages=frozenset(cage(block.head) for block in made if is_port_block(block.head)),
    )
    kept = [(block, _merged(block, ours)) for block in there]
    text = "".join(new for _, new in kept)
    stays = [block.line for block, new in kept if new and block.line is not None]
    heads = {head for line in stays for head in (line.text, *_said(line, ours))}
    return {FILE: _with_new(text, _new(ours, heads), _new_features(ours, heads, whole="all" in owned))}


def _said(line: Line, ours: _Ours) -> Iterable[str]:
    """What a line of several says of ours: the others of them are gone."""
    return (head for head in singles(line) if head in ours.blocks)


def _vlans(head: str) -> frozenset[int]:
    rest = head.removeprefix("vlan ")
    return members(rest, "vlan") if rest[:1].isdigit() else frozenset()


def _new(ours: _Ours, heads: set[str]) -> list[Block]:
    """Blocks of ours that the running text lacks, in our order."""
    return [
        block
        for head, block in ours.blocks.items()
        if head not in heads and head not in FEATURES and _is_ours(block, ours)
    ]


def _new_features(ours: _Ours, heads: set[str], *, whole: bool) -> list[str]:
    """Features that are needed and not on; those behind gNMI where the switch is ours as a whole."""
    wanted = [f for f, area in FEATURES.items() if area in ours.areas] + [f"feature {f}" for f in GNMI if whole]
    return [feature for feature in wanted if feature in ours.blocks and feature not in heads]


def _is_ours(block: Block, ours: _Ours) -> bool:
    """Is a block of the rendering one that is written at all?"""
    assert block.line is not None
    if is_port_block(block.head):
        return "ports" in ours.areas or bool(_port_rows(block, ours.areas))
    if _is_sites_own(block):
        return bool(ours.areas)
    return area_of_block(block.line) in ours.areas


def _is_sites_own(block: Block) -> bool:
    """Is a block of the rendering one that the site brings (`raw`)? All others are of an area, or of the box."""
    outside = block.line is not None and not is_port_block(block.head) and not area_of_block(block.line)
    gnmi = tuple(f"feature {name}" for name in GNMI)
    return outside and not block.head.startswith("hostname ") and block.head not in (*FEATURES, *gnmi)


def _with_new(text: str, new: Sequence[Block], features: Sequence[str]) -> str:
    """New features behind those that are there, new blocks at the end."""
    if text and not text.endswith("\n") and (new or features):
        text += "\n"
    if features:
        at = text.rfind("\nfeature ")
        at = text.find("\n", at + 1) + 1 if at >= 0 else _after_first_lines(text)
        text = text[:at] + "".join(f"{feature}\n" for feature in features) + text[at:]
    for block in new:
        rows = block.text if block.text.endswith("\n") else f"{block.text}\n"
        apart = block.head.startswith(("interface ", "router ", "vrf ")) and "breakout" not in block.head
        text += f"\n{rows}" if apart and text else rows
    return text


def _after_first_lines(text: str) -> int:
    """Behind comments, `version` and `hostname`, which stand before everything."""
    at = 0
    for row in text.splitlines(keepends=True):
        if row.strip() and not row.startswith(("!", "version ", "hostname ", "switchname ")):
            break
        at += len(row)
    return at


def _merged(block: Block, ours: _Ours) -> str:
    """What stands in place of a block of the running text; empty where it goes."""
    if block.line is None:
        return block.text
    own = ours.blocks.get(block.head)
    if is_port_block(block.head):
        if own is None:
            return "" if "ports" in ours.areas and cage(block.head) in ours.cages else block.text
        return _merged_port(block, own, ours.areas)
    if own is not None and ours.areas and _is_sites_own(own):
        return _with_lines(block, own)
    area = area_of_block(block.line)
    if area not in ours.areas or block.head.startswith(_KEPT_LINES):
        return block.text
    if block.head.startswith("vlan "):
        return _merged_vlan(block, ours)
    if block.head.startswith("interface breakout "):
        return _merged_breakout(block, ours)
    if own is None:
        return block.text if _stays(block, ours) else ""
    if block.head == "system qos":
        return _merged_system(block, own)
    if block.head.startswith("vrf context ") or canonical(block.line) == canonical(own.line):
        return block.text
    return own.text if own.text.endswith("\n") else f"{own.text}\n"


def _stays(block: Block, ours: _Ours) -> bool:
    """Is a block of an area of ours, that we do not have, somebody else's? VRFs are, with the interfaces in them."""
    assert block.line is not None
    if block.head.startswith(("vrf context ", *WHERE_SAID)) or (
        block.head in FEATURES and block.head != "feature lldp"
    ):
        return True  # whatever else needs the feature goes with it
    if block.head.startswith("interface "):
        vrf = block.line.first("vrf member ")
        return vrf is not None and f"vrf context {vrf}" not in ours.blocks
    return _name(block.head) in ours.theirs


def _name(head: str) -> str:
    """The name that a policy, a class, a list or a route-map is bound by; empty for other blocks."""
    words = head.split(" ")
    if words[0] in ("policy-map", "class-map"):
        return words[-1]
    if words[1:2] == ["prefix-list"]:
        return words[2] if len(words) > 2 else ""
    return words[1] if words[0] == "route-map" and len(words) > 1 else ""


def _theirs(lines: Sequence[Line], areas: frozenset[str], cages: frozenset[str]) -> frozenset[str]:
    """Names of policies and classes that blocks of others bind, and those in turn. `cages`: those that we know."""
    words: set[str] = set()
    for line in lines:
        ours = cage(line.text) in cages if is_port_block(line.text) else area_of_block(line) in areas
        if ours:
            continue
        words |= {below.text.rpartition(" ")[2] for below in line.below if below.text.startswith("service-policy ")}
    for line in lines:
        if line.text.startswith("policy-map ") and line.text.rpartition(" ")[2] in words:
            words |= {below.text.rpartition(" ")[2] for below in line.below if below.text.startswith("class ")}
    return frozenset(words)


def _with_lines(block: Block, own: Block) -> str:
    """A block of others with the lines in it that the site brings, as far as they are not there."""
    there = {b.head for b in inner(block)}
    return block.text + "".join(b.text for b in inner(own) if b.line is not None and b.head not in there)


def _merged_breakout(block: Block, ours: _Ours) -> str:
    """A line for several cages stays while each of them is split so; else those of them do that are."""
    assert block.line is not None
    stays = [head for head in singles(block.line) if head in ours.blocks]
    return block.text if len(stays) == len(singles(block.line)) else "".join(f"{head}\n" for head in stays)


def _merged_vlan(block: Block, ours: _Ours) -> str:
    """A block of VLANs keeps its own lines while it holds only such that we have, or VLAN 1."""
    held = _vlans(block.head)
    if not held or held <= ours.vlans | {1}:
        return block.text
    left = held & (ours.vlans | {1})
    if not left:
        return ""
    ending = "\r\n" if block.rows[0].endswith("\r\n") else "\n"
    return f"vlan {ranges(left)}{ending}" + "".join(block.rows[1:])


def _merged_system(block: Block, own: Block) -> str:
    """Our bindings, and whatever else stands in the block."""
    mine = own.rows[1:]
    there = [b.head for b in inner(block) if b.head.startswith(_SYSTEM_QOS)]
    if sorted(there) == sorted(" ".join(row.split()) for row in mine):
        return block.text
    kept = [b.text for b in inner(block) if not b.head.startswith(_SYSTEM_QOS)]
    return "".join((block.rows[0], *mine, *kept))


def _port_rows(block: Block, areas: frozenset[str]) -> list[str]:
    """The rows of ours in a port, of the areas that are ours."""
    return [b.text for b in inner(block) if b.line is not None and area_of_port_line(b.head) in areas]


def _merged_port(block: Block, own: Block, areas: frozenset[str]) -> str:
    """Our lines of a port in place of those of our areas; lines that no leaf stands for stay behind them."""
    mine = [b for b in inner(own) if b.line is not None and area_of_port_line(b.head) in areas]
    there = inner(block)
    old = [b for b in there if b.line is not None and area_of_port_line(b.head) in areas]
    if sorted(b.head for b in mine) == sorted(b.head for b in old):
        return block.text
    new = {b.head for b in mine}
    # a line of ours may be one that no area has: what it needs stands in `own` once, and is not said again
    extra = [b for b in inner(own) if b.line is not None and not area_of_port_line(b.head)]
    kept = [b for b in there if b.line is None or area_of_port_line(b.head) not in areas]
    known = {b.head for b in kept}
    if "addressing" in areas:
        mine += [b for b in extra if b.head not in known | new]
    return "".join((block.rows[0], *(b.text for b in mine), *(b.text for b in kept)))


def canonical(line: Line | None) -> tuple[object, ...]:
    """A block without the order of its lines, but where order means something: classes of a classifier."""
    if line is None:
        return ()
    parts = [canonical(below) for below in line.below]
    ordered = line.text.startswith("policy-map type qos ")
    return (line.text, tuple(parts if ordered else sorted(parts, key=repr)))
