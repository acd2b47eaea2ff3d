"""The commands that lead from one configuration to another, in an order that NX-OS takes.

Definitions come before what names them and go after it: first what is new or changed of them, then what binds them
(interfaces, `system qos`, `router bgp`), at last what nothing names any more (send order of nxos.md section 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netaudit.platforms.nxos.blocks import cage, is_port_block, singles
from netaudit.platforms.nxos.config_ports import is_enabled
from netaudit.platforms.nxos.text import Line, parse

_BREAKOUT = "interface breakout "
_DEFINED = (
    *("feature ", _BREAKOUT, "vlan ", "vrf context ", "class-map ", "policy-map "),
    *("ip prefix-list ", "ipv6 prefix-list ", "route-map "),
)
"""What others name, in the order in which it is made; taken away in the opposite one."""
_BINDING = (
    "system qos",
    "priority-flow-control ",
    "ip load-sharing ",
    "ip route ",
    "ipv6 route ",
    "interface ",
    "router ",
)
"""What names it, in the order in which it is set."""
_FIRST = ("no switchport", "switchport", "vrf member ", "switchport mode ")
"""Lines of a port that take its addresses away, so they come before these."""
_LAST = ("no shutdown", "shutdown")
CLASS_DEFAULT = "class class-default"
"""What no other class matches, wherever it stands."""
_ONE_WORD = (
    *(
        "description ",
        "mtu ",
        "speed ",
        "fec ",
        "hostname ",
        "router-id ",
        "maximum-paths ",
        "timers bgp ",
        "remote-as ",
    ),
    *(
        "vrf member ",
        "allowas-in ",
        "set qos-group ",
        "pause pfc-cos ",
        "pause buffer-size ",
        "bandwidth remaining percent ",
    ),
    *("priority-flow-control mode ", "random-detect ", "switchport access vlan ", "switchport trunk native vlan "),
    *("switchport trunk allowed vlan ", "priority-flow-control watch-dog interval ", "ip load-sharing ", "local-as "),
    *("priority-flow-control fixed-restore multiplier ", "priority-flow-control watch-dog-interval "),
)
"""Settings of which there is one: the new line takes the place of the old, which needs no `no`."""


def changes(running: str, candidate: str) -> tuple[str, ...]:
    """The command lines, as they are typed after `configure terminal`; empty if nothing differs.

    A line below a block follows the line of the block; each block is entered from the top.
    """
    before, after = _by_head(parse(running)), _by_head(parse(candidate))
    made: list[str] = []
    for kind in (*_DEFINED, *_BINDING, ""):
        if kind == "interface ":
            made += _freed(before, after)
        if kind == _BREAKOUT:  # a cage is whole again before anything is said of it
            made += [c for h in before if _kind(h) == kind and h not in after for c in _without(before[h], after)]
        for head, line in after.items():
            if _kind(head) == kind:
                made += _block(before.get(head), line, _replaced(head, before, after))
        if kind in _BINDING and kind != "interface ":
            made += [c for h in before if _kind(h) == kind and h not in after for c in _without(before[h], after)]
    for kind in (*(kind for kind in reversed(_DEFINED) if kind != _BREAKOUT), ""):
        made += [c for h in before if _kind(h) == kind and h not in after for c in _without(before[h], after)]
    return tuple(made)


def _freed(before: dict[str, Line], after: dict[str, Line]) -> Iterator[str]:
    """Interfaces and addresses that go: first, for what comes may have the same addresses."""
    for head, line in before.items():
        if _kind(head) != "interface ":
            continue
        if head not in after:
            yield from _without(line, after)
            continue
        stays = {below.text for below in after[head].below}
        gone = [b.text for b in line.below if _is_address(b.text) and b.text not in stays]
        if gone:
            yield head
            # a primary address goes last
            yield from (f"  {negated(text)}" for text in sorted(gone, key=lambda t: not t.endswith(" secondary")))


def _is_address(text: str) -> bool:
    return text.startswith(("ip address ", "ipv6 address "))


def _kind(head: str) -> str:
    return next((kind for kind in (*_DEFINED, *_BINDING) if head.startswith(kind)), "")


def _by_head(lines: Sequence[Line]) -> dict[str, Line]:
    """Head → block; VLANs one by one, and a head that comes twice as one block."""
    found: dict[str, Line] = {}
    for line in lines:
        for head in singles(line):
            if head in found:
                found[head].below.extend(line.below)
            else:
                found[head] = Line(text=head, written=line.written, below=list(line.below))
    return found


def _replaced(head: str, before: dict[str, Line], after: dict[str, Line]) -> list[str]:
    """Blocks that must be gone before one of their kind can be made: another speaker, another map of a cage."""
    if head in before:
        return []
    if head.startswith("router bgp "):
        return [h for h in before if h.startswith("router bgp ") and h not in after]
    place = _place(head)
    return [h for h in before if h not in after and place and _place(h) == place]


def _place(head: str) -> str:
    """What there is one of: a cage's map, an entry of a list or of a route-map; empty for other blocks."""
    words = head.split(" ")
    if head.startswith("interface breakout "):
        return head.rpartition(" map ")[0]
    if head.startswith(("ip prefix-list ", "ipv6 prefix-list ")) and words[3:4] == ["seq"]:
        return " ".join(words[:5])
    return f"route-map {words[1]} {words[-1]}" if head.startswith("route-map ") and len(words) == 4 else ""


def _guard(head: str) -> str:
    """An entry behind all others that refuses everything, for as long as one is taken out and put in again: no source
    says what a route-map lets through that names an empty list, or that is empty itself."""
    words = head.split(" ")
    if head.startswith("route-map "):
        return f"route-map {words[1]} deny 65535"
    anything = {"ip": "0.0.0.0/0 le 32", "ipv6": "::/0 le 128"}.get(words[0], "")
    return f"{' '.join(words[:3])} seq 4294967294 deny {anything}" if words[1:2] == ["prefix-list"] else ""


def _block(old: Line | None, new: Line, gone: list[str]) -> list[str]:
    """The commands by which a block becomes the new one; none where it is so already. `gone`: in its place before."""
    inside = list(_inside(old, new, 1))
    if is_port_block(new.text):
        inside = list(_with_state(old, new, inside))
    if old is not None and not inside:
        return []
    guard = [_guard(new.text)] if gone and _guard(new.text) else []
    return [*guard, *(f"no {head}" for head in gone), new.text, *inside, *(f"no {line}" for line in guard)]


def _with_state(old: Line | None, new: Line, inside: list[str]) -> Iterator[str]:
    """The lines of a port, at last its state by what it means: without a word a switched port is up, a routed one down.

    To take a word of it back would say the opposite, which is not the same as saying nothing.
    """
    lines = [line for line in inside if line.strip() not in _LAST]
    yield from lines
    moved = any(line.strip() in ("switchport", "no switchport") for line in lines)
    if len(lines) != len(inside) or moved:
        up = is_enabled(new)
        if moved or old is None or is_enabled(old) != up or any(line.text in _LAST for line in new.below):
            yield "  no shutdown" if up else "  shutdown"


def _inside(old: Line | None, new: Line, depth: int) -> Iterator[str]:
    """The commands below the line of a block, indented as deep as they stand."""
    before = {line.text: line for line in (old.below if old is not None else ())}
    after = {line.text: line for line in new.below}
    indent = "  " * depth
    gone = [line for text, line in before.items() if text not in after and not _is_address(text)]
    gone.sort(key=lambda line: line.text in ("switchport", "no switchport"))
    come = sorted(after.values(), key=lambda line: _rank(line.text))
    reordered = new.text.startswith("policy-map type qos ") and _order(before, after)
    for line in gone:
        if not _overwritten(line.text, after):
            yield f"{indent}{negated(line.text)}"
    for line in come:
        known = None if reordered else before.get(line.text)
        below = list(_inside(known, line, depth + 1))
        if reordered and line.text in before and line.text != CLASS_DEFAULT:
            yield f"{indent}{negated(line.text)}"
        if known is None or below:
            yield f"{indent}{line.text}"
            yield from below
    yield from _again(
        before, after, indent, [line.text for line in (*gone, *come) if line.text not in before or line in gone]
    )


def _rank(text: str) -> int:
    if text.startswith(_FIRST):
        return 0
    return 2 if text in _LAST else 1


def _order(before: dict[str, Line], after: dict[str, Line]) -> bool:
    """Do classes of a classifier come in another order? The first that matches decides, so all are made again."""
    old, new = ([text for text in one if text != CLASS_DEFAULT] for one in (before, after))
    stays = [text for text in old if text in after]
    return [text for text in new if text in before] != stays or new[: len(stays)] != stays


def _overwritten(text: str, after: dict[str, Line]) -> bool:
    """Does a new line take the place of an old one without its being taken away?"""
    if text in ("shutdown", "no shutdown"):
        return bool({"shutdown", "no shutdown"} & after.keys())
    if text in ("switchport", "no switchport"):
        return bool({"switchport", "no switchport"} & after.keys())
    if text.startswith("route-map "):
        return any(t.startswith("route-map ") and t.rpartition(" ")[2] == text.rpartition(" ")[2] for t in after)
    return _has_next(text, after)


def _has_next(text: str, after: dict[str, Line]) -> bool:
    """Is it a setting of which there is one, with another value then?"""
    begin = next((begin for begin in _ONE_WORD if text.startswith(begin)), None)
    return begin is not None and any(other.startswith(begin) for other in after)


def _again(before: dict[str, Line], after: dict[str, Line], indent: str, changed: list[str]) -> Iterator[str]:
    """Addresses that are to stay and went with the VRF or the mode of a port, and its state after all."""
    if not any(text.startswith(("vrf member ", "no switchport", "switchport")) for text in changed):
        return
    lost = ("ip address ", "ipv6 address ", "ip forward", "ipv6 link-local ", "ipv6 nd ", "no ipv6 redirects")
    for text in after:
        if text in before and text.startswith(lost):
            yield f"{indent}{text}"
    for text in after:
        if text in before and text in _LAST:
            yield f"{indent}{text}"


def negated(text: str) -> str:
    """`mtu 9216` → `no mtu 9216`; `no shutdown` → `shutdown`; of a description the text is left out."""
    if text.startswith("no "):
        return text.removeprefix("no ")
    if text.startswith("description "):
        return "no description"
    return f"no {text}"


def _without(line: Line, after: dict[str, Line]) -> Iterator[str]:
    """A block that goes. A port cannot go: what is said of it does."""
    head = line.text
    if head.startswith("router bgp ") and any(h.startswith("router bgp ") for h in after):
        return  # gone already: there is one
    if _place(head) and any(_place(other) == _place(head) for other in after):
        return
    if is_port_block(head):
        if any(cage(head) == cage(other) for other in after if is_port_block(other)):
            return  # it goes with the breakout of its cage, or comes no more
        yield f"default {head}"
        return
    if head == "system qos":
        yield head
        yield from (f"  {negated(below.text)}" for below in line.below)
        return
    if not _has_next(head, after):
        yield negated(head)
