"""Ports, layer 3 interfaces, VLANs and VRFs of an NX-OS configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_interface

from netaudit.platforms.nxos.answers_text import Unreadable, is_port, key_of
from netaudit.platforms.nxos.names import TAKEN_VRFS, full_name
from netaudit.platforms.nxos.text import MOST_PORTS, Line, members, named, number
from netaudit.state import ABSENT, Interface, Leaf, Port, Vlan

DEFAULT_MTU = 1500
"""nxos.md section 2."""
FEC = {"rs-fec": "rs", "fc-fec": "fc", "off": "none", "auto": "auto"}
"""Word behind `fec` → the state's (DME names them so, nxos.md section 4)."""
MAP = re.compile(r"(\d+)g-(\d+)x", re.ASCII)
_SPEED_UNITS = {"auto": None}


def interfaces_of(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """(key of the state, block) of every interface, but those of management; a name that comes twice is one block."""
    found: dict[str, Line] = {}
    for name, line in named(lines, "interface "):
        if name.startswith(("breakout ", "mgmt")):
            continue
        key = key_of(full_name(name))
        if key in found:
            found[key].below.extend(line.below)
        else:
            found[key] = Line(text=line.text, written=line.written, below=list(line.below))
    yield from found.items()


def breakouts(lines: Sequence[Line]) -> dict[str, str]:
    """Cage → map, of `interface breakout module 1 port 1-4 map 400g-2x`."""
    found: dict[str, str] = {}
    for line in lines:
        words = line.words
        if line.text.startswith("interface breakout module ") and len(words) == 8 and words[4] == "port":
            module = "" if words[3] == "1" else f"Ethernet{words[3]}/"
            for cage in members(words[5], "interface breakout", MOST_PORTS):
                found[f"{module}{cage}"] = words[7]
    return found


def read_ports(lines: Sequence[Line]) -> Mapping[str, Port]:
    """Every front panel port that the text names."""
    maps = breakouts(lines)
    return {key: _port(key, line, maps) for key, line in interfaces_of(lines) if is_front(line)}


def is_front(line: Line) -> bool:
    """Is it a block of a front panel port?"""
    return is_port(full_name(line.text.removeprefix("interface ")))


def _port(key: str, line: Line, maps: Mapping[str, str]) -> Port:
    cage, _, sub = key.rpartition("/") if "/" in key.removeprefix("Ethernet1/") else (key, "", "")
    mtu = line.first("mtu ")
    mode = maps.get(cage, ABSENT) if sub in ("", "1") else None
    return Port(
        native=full_name(line.text.removeprefix("interface ")),
        enabled=is_enabled(line),
        speed_mbps=_speed(line, maps.get(cage, "") if sub else ""),
        breakout=mode,
        fec=FEC.get(word, word) if (word := line.first("fec ")) else "auto",
        mtu_bytes=number(mtu, "mtu") if mtu else DEFAULT_MTU,
        description=line.first("description ") or ABSENT,
    )


def is_enabled(line: Line) -> bool:
    """By its last word on it; without one a routed port is down and a switched one up."""
    for below in reversed(line.below):
        if below.text in ("shutdown", "no shutdown"):
            return below.text == "no shutdown"
    return not line.has("no switchport")


def _speed(line: Line, mode: str) -> Leaf[int]:
    """The speed that is written; of a port of a breakout else that of the map. A port without one takes what fits."""
    word = line.first("speed ")
    if word and word not in _SPEED_UNITS:
        return number(word.split(" ")[0], "speed")
    found = MAP.fullmatch(mode)
    return int(found[1]) * 1000 if found else ABSENT


def read_interfaces(lines: Sequence[Line]) -> Mapping[str, Interface]:
    """Layer 3: routed ports, loopbacks and those of VLANs. Bundles, tunnels and sub-interfaces are of others."""
    return {
        key: _interface(line)
        for key, line in interfaces_of(lines)
        if (line.has("no switchport") if is_front(line) else key.startswith(("Loopback", "Vlan")))
    }


def _interface(line: Line) -> Interface:
    v4 = (rest.split(" ")[0] for rest in line.find("ip address "))
    v6 = (rest.split(" ")[0] for rest in line.find("ipv6 address ") if rest != "use-link-local-only")
    return Interface(
        vrf=line.first("vrf member ") or "default",
        addresses=frozenset(_address(a) for a in (*v4, *v6) if a != "dhcp"),
        link_local=line.has("ipv6 address use-link-local-only"),
    )


def _address(text: str) -> str:
    try:
        return str(ip_interface(text))
    except ValueError:
        raise Unreadable(f"{text[:60]!r} is no address") from None


def read_vrfs(lines: Sequence[Line]) -> frozenset[str]:
    """VRFs beside those that every box has."""
    return frozenset(name for name, _ in named(lines, "vrf context ")) - set(TAKEN_VRFS)


def read_vlans(lines: Sequence[Line]) -> Mapping[str, Vlan]:
    """VLANs and their ports. VLAN 1 is on every box, and said to be there only where a port is told to be in it."""
    untagged: dict[int, set[str]] = {}
    tagged: dict[int, set[str]] = {}
    for key, line in interfaces_of(lines):
        if is_front(line) and not line.has("no switchport"):
            _members(key, line, untagged, tagged)
    known = {n for rest, _ in named(lines, "vlan ") if rest[:1].isdigit() for n in members(rest, "vlan")} - {1}
    return {
        str(n): Vlan(members=frozenset(untagged.get(n, ())), tagged=frozenset(tagged.get(n, ())))
        for n in sorted(known | (untagged.keys() & {1}))
    }


def _members(key: str, line: Line, untagged: dict[int, set[str]], tagged: dict[int, set[str]]) -> None:
    if not line.has("switchport mode trunk"):
        if access := line.first("switchport access vlan "):
            untagged.setdefault(number(access, "switchport access vlan"), set()).add(key)
        return
    native = line.first("switchport trunk native vlan ")
    inside = number(native, "switchport trunk native vlan") if native else 1
    for rest in line.find("switchport trunk allowed vlan "):
        listed = rest.removeprefix("add ")
        for one in members(listed, "switchport trunk allowed vlan") if listed[:1].isdigit() else ():
            if one != inside:
                tagged.setdefault(one, set()).add(key)
            elif native:
                untagged.setdefault(one, set()).add(key)
