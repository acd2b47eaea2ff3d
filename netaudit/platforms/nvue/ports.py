"""Ports: `interface swpN link …` and the breakout of their cages, written and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.platforms.nvue.names import native_ports, position
from netaudit.platforms.nvue.tree import Tree, below, get, number, on, put, switch, text
from netaudit.state import ABSENT, Device, Leaf, Port

SPEEDS: Final[Mapping[int, str]] = {
    **{mbps: f"{mbps}M" for mbps in (10, 100)},
    **{gbps * 1000: f"{gbps}G" for gbps in (1, 10, 25, 40, 50, 100, 200, 400, 800)},
}
"""Words of `link speed` (nvue.md section 3)."""
FEC: Final[Mapping[str, str]] = {"rs": "rs", "fc": "baser", "none": "off", "auto": "auto"}
MTU: Final = range(552, 9217)
WHOLE: Final = "1x"


def write_ports(device: Device, tree: Tree) -> None:
    """`interface X type` and `link` of every port, and the breakout on the whole cage's name."""
    for key, port in (device.ports or {}).items():
        name = native_ports(device)[key] if not isinstance(port.native, str) else port.native
        _breakout(key, port, tree)
        at = ("interface", name)
        put(tree, (*at, "type"), "swp")
        if isinstance(port.description, str):
            put(tree, (*at, "description"), port.description)
        for word, value in _link(port):
            put(tree, (*at, "link", word), value)


def _link(port: Port) -> Iterator[tuple[str, str | int | Tree]]:
    if isinstance(port.autoneg, bool):
        yield "auto-negotiate", switch(port.autoneg)
    if isinstance(port.fec, str):
        yield "fec", FEC.get(port.fec, port.fec)
    if isinstance(port.mtu_bytes, int):
        yield "mtu", port.mtu_bytes
    if isinstance(port.speed_mbps, int) and port.speed_mbps in SPEEDS:
        yield "speed", SPEEDS[port.speed_mbps]
    if isinstance(port.enabled, bool):
        yield "state", {"up" if port.enabled else "down": {}}


def _breakout(key: str, port: Port, tree: Tree) -> None:
    """A whole cage says nothing: `1x` is what a cage is."""
    if isinstance(port.breakout, str) and port.breakout != WHOLE:
        cage = ("interface", f"swp{key.partition('/')[0]}")
        put(tree, (*cage, "type"), "swp")
        put(tree, (*cage, "link", "breakout", port.breakout), {})


def read_ports(tree: Tree) -> Mapping[str, Port]:
    """Every front-panel port that the configuration speaks of, and that is not split into others."""
    interfaces = below(tree, "interface")
    split = {
        name: mode for name in interfaces if (mode := next(iter(below(interfaces, name, "link", "breakout")), "")) != ""
    }
    parents = {f"swp{position(name)}": mode for name, mode in split.items() if position(name)}
    found: dict[str, Port] = {}
    for name in interfaces:
        key = position(name)
        if key is None or (get(interfaces, name, "type") is None and not below(interfaces, name, "link")):
            continue
        subs = any(f"{name}s" == other[: len(name) + 1] for other in interfaces)
        if parents.get(name, WHOLE) != WHOLE and subs:
            continue
        found[key] = _port(name, key, interfaces, parents)
    return found


def _port(name: str, key: str, interfaces: Tree, split: Mapping[str, str]) -> Port:
    entry = below(interfaces, name)
    link = below(entry, "link")
    cage, _, sub = key.partition("/")
    mode: str | None = split.get(f"swp{cage}") or (None if sub else WHOLE)
    speed, fec, mtu = text(link, "speed"), text(link, "fec"), number(link, "mtu")
    state, autoneg, description = below(link, "state"), on(link, "auto-negotiate"), text(entry, "description")
    return Port(
        native=name,
        enabled="down" not in state,  # a port of which nothing is said is up
        speed_mbps=_speed(speed),
        breakout=(ABSENT if mode is None else mode) if sub in ("", "1") else None,
        fec=ABSENT if fec is None else {word: ours for ours, word in FEC.items()}.get(fec, fec),
        mtu_bytes=ABSENT if mtu is None else mtu,
        autoneg=ABSENT if autoneg is None else autoneg,
        description=ABSENT if description is None else description,
    )


def _speed(word: str | None) -> Leaf[int]:
    if word is None or word == "auto":
        return ABSENT
    found = next((mbps for mbps, spelled in SPEEDS.items() if spelled == word), None)
    if found is None:
        raise ValueError(f"link speed is {word[:20]!r}, no speed")
    return found
