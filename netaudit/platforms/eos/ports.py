"""Interface stanzas: what is on a port, on a loopback and on a VLAN, without its queues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_interface

from netaudit.platforms.eos.names import Seen, positions
from netaudit.platforms.eos.speeds import WORDS, read_speed, spelled
from netaudit.platforms.eos.text import Line
from netaudit.state import ABSENT, Device, Interface, Port, Vlan

ROUTED, SWITCHED = "no switchport", "switchport"
VLAN, LOOPBACK = "Vlan", "Loopback"
MANAGEMENT = "Management"
"""Ports of management are not ours (DESIGN.md section 3, «owns»)."""
DEFAULT_MTU = 1500
"""What an interface without `mtu` has: EOS's default, which its running configuration leaves out."""
FEC = {
    "rs": "error-correction encoding reed-solomon",
    "fc": "error-correction encoding fire-code",
    "none": "no error-correction encoding",
}
"""Our word → the line; without one EOS takes what the plug asks for, which is our `auto`."""


def native_names(device: Device) -> Mapping[str, str]:
    """`cage[/sub]` → EOS's name."""
    return {key: p.native if isinstance(p.native, str) else key for key, p in (device.ports or {}).items()}


def port_lines(port: Port) -> Iterator[str]:
    """What a port is set to, in the order of a running configuration; `shutdown` is not EOS's default."""
    if isinstance(port.description, str):
        yield f"description {port.description}"
    if port.enabled is False:
        yield "shutdown"
    if isinstance(port.mtu_bytes, int):
        yield f"mtu {port.mtu_bytes}"
    if isinstance(port.speed_mbps, int) and isinstance(port.lanes, tuple):
        pair = spelled(port.speed_mbps, len(port.lanes))
        if pair is not None:
            yield f"speed {'auto ' if port.autoneg is True else ''}{WORDS[pair]}"
    if isinstance(port.fec, str) and port.fec in FEC:
        yield FEC[port.fec]


def interface_lines(interface: Interface, *, routed: bool) -> Iterator[str]:
    """Layer 3 of an interface; `routed`: it is a port, and has to be told so."""
    if routed:
        yield ROUTED
    if isinstance(interface.vrf, str) and interface.vrf != "default":
        yield f"vrf {interface.vrf}"
    addresses = interface.addresses if isinstance(interface.addresses, frozenset) else frozenset()
    ordered = sorted(map(ip_interface, addresses), key=lambda a: (a.version, a.ip.packed, a.network.prefixlen))
    for number, four in enumerate(str(a) for a in ordered if a.version == 4):
        yield f"ip address {four}{' secondary' if number else ''}"
    if interface.link_local is True:
        yield "ipv6 enable"
    yield from (f"ipv6 address {a}" for a in ordered if a.version == 6)


def switched_lines(key: str, vlans: Mapping[str, Vlan]) -> Iterator[str]:
    """The VLANs that a port is in. A port with tags is a trunk, whose untagged VLAN is its native one."""
    untagged = [n for n, vlan in vlans.items() if isinstance(vlan.members, frozenset) and key in vlan.members]
    tagged = [n for n, vlan in vlans.items() if isinstance(vlan.tagged, frozenset) and key in vlan.tagged]
    if tagged:
        yield from (f"switchport trunk native vlan {number}" for number in untagged)
        yield f"switchport trunk allowed vlan {','.join((*untagged, *tagged))}"
        yield "switchport mode trunk"
    else:
        yield from (f"switchport access vlan {number}" for number in untagged)


@dataclass(slots=True)
class Stanza:
    """What the lines of one interface say. `rest`: lines that are none of this module's."""

    name: str
    empty: bool = False
    shutdown: bool = False
    description: str | None = None
    mtu: int | None = None
    speed: tuple[int, int | None] | None = None
    auto: bool = False
    fec: str | None = None
    routed: bool = False
    vrf: str | None = None
    addresses: set[str] = field(default_factory=set)
    link_local: bool = False
    access: list[str] = field(default_factory=list)
    native: list[str] = field(default_factory=list)
    allowed: list[str] | None = None
    trunk: bool = False
    rest: list[Line] = field(default_factory=list)


def read_stanza(line: Line) -> Stanza:
    """One `interface` block."""
    found = Stanza(name=line.text.partition(" ")[2], empty=not line.below)
    for below in line.below:
        if not (_port_line(found, below.text) or _layer3_line(found, below.words) or _vlan_line(found, below.words)):
            found.rest.append(below)
    return found


def _port_line(found: Stanza, text: str) -> bool:
    word, _, rest = text.partition(" ")
    if text in ("shutdown", "no shutdown"):
        found.shutdown = text == "shutdown"
    elif word == "description" and rest:
        found.description = rest
    elif word == "mtu" and rest.isdecimal():
        found.mtu = int(rest[:6])
    elif word == "speed" and rest:
        found.auto = rest.split()[0] == "auto"
        read = read_speed(rest.split())
        found.speed = read[:2] if read else None
        return read is not None or rest == "auto"
    elif text in FEC.values():
        found.fec = next(fec for fec, spelling in FEC.items() if spelling == text)
    else:
        return False
    return True


def _layer3_line(found: Stanza, words: list[str]) -> bool:
    if words in ([*ROUTED.split()], [SWITCHED]):
        found.routed = words[0] == "no"
    elif words[0] == "vrf" and len(words) == 2:
        found.vrf = words[1]
    elif words[:2] in (["ip", "address"], ["ipv6", "address"]) and words[3:] in ([], ["secondary"]):
        address = _address(words[2]) if len(words) > 2 else None
        if address is None:
            return False
        found.addresses.add(address)
    elif words == ["ipv6", "enable"]:
        found.link_local = True
    else:
        return False
    return True


def _address(text: str) -> str | None:
    try:
        return str(ip_interface(text)) if "/" in text else None
    except ValueError:
        return None


def _vlan_line(found: Stanza, words: list[str]) -> bool:
    match words:
        case ["switchport", "mode", "access" | "trunk" as mode]:
            found.trunk = mode == "trunk"
        case ["switchport", "access", "vlan", number]:
            found.access.append(number)
        case ["switchport", "trunk", "native", "vlan", number]:
            found.native.append(number)
        case ["switchport", "trunk", "allowed", "vlan", numbers]:
            found.allowed = vlan_numbers(numbers)
        case ["switchport", "trunk", "allowed", "vlan", "add", numbers]:
            found.allowed = [*(found.allowed or []), *vlan_numbers(numbers)]
        case _:
            return False
    return True


def vlan_numbers(text: str) -> list[str]:
    """`10,20-22` → 10, 20, 21, 22; `none` → none."""
    numbers: list[str] = []
    for part in text.split(","):
        low, _, high = part.partition("-")
        if low.isdecimal() and high.isdecimal() and len(low) < 5 and len(high) < 5:
            numbers += map(str, range(int(low), int(high) + 1))
        elif part != "none":
            numbers.append(part)
    return numbers


def keys_of(stanzas: Sequence[Stanza]) -> Mapping[str, str]:
    """Native name → `cage[/sub]` of the ports among the interfaces of a configuration."""
    return positions(Seen(name=s.name, lanes=s.speed[1] if s.speed else None, empty=s.empty) for s in stanzas)


def read_ports(stanzas: Sequence[Stanza], keys: Mapping[str, str]) -> Mapping[str, Port]:
    """The ports, by `cage[/sub]`."""
    return {keys[stanza.name]: _port(stanza) for stanza in stanzas if stanza.name in keys}


def _port(stanza: Stanza) -> Port:
    speed_mbps, lanes = stanza.speed if stanza.speed else (None, None)
    return Port(
        native=stanza.name,
        enabled=not stanza.shutdown,
        speed_mbps=speed_mbps if speed_mbps is not None else ABSENT,
        lanes=tuple(range(lanes)) if lanes is not None else ABSENT,
        fec=stanza.fec or "auto",
        mtu_bytes=stanza.mtu if stanza.mtu is not None else DEFAULT_MTU,
        autoneg=stanza.auto,
        description=stanza.description if stanza.description is not None else ABSENT,
    )


def read_interfaces(stanzas: Sequence[Stanza], keys: Mapping[str, str]) -> Mapping[str, Interface]:
    """Layer 3 by interface: ports that are routed, and what has addresses by its nature."""
    return {
        keys.get(s.name, s.name): Interface(
            vrf=s.vrf or "default", addresses=frozenset(s.addresses), link_local=s.link_local
        )
        for s in stanzas
        if _is_ours(s) and (s.routed or s.addresses or s.link_local or s.name.startswith((VLAN, LOOPBACK)))
    }


def _is_ours(stanza: Stanza) -> bool:
    return not stanza.name.startswith(MANAGEMENT)


def management_vrfs(stanzas: Sequence[Stanza]) -> frozenset[str]:
    """VRFs that a port of management is in: they are not ours."""
    return frozenset(s.vrf for s in stanzas if s.vrf is not None and not _is_ours(s))


DEFAULT_VLAN = "1"
"""The VLAN of every port that nobody has put into one: it is always there, and no leaf stands for it."""


def read_vlans(numbers: frozenset[str], stanzas: Sequence[Stanza], keys: Mapping[str, str]) -> Mapping[str, Vlan]:
    """Who is in which VLAN; `numbers`: the VLANs that are defined."""
    untagged: dict[str, set[str]] = {number: set() for number in numbers}
    tagged: dict[str, set[str]] = {number: set() for number in numbers}
    for stanza in stanzas:
        if stanza.routed or stanza.name not in keys:
            continue
        key = keys[stanza.name]
        native = (stanza.native or [DEFAULT_VLAN]) if stanza.trunk else stanza.access
        for number in native:
            untagged.setdefault(number, set()).add(key)
        if stanza.trunk:
            for number in numbers if stanza.allowed is None else stanza.allowed:
                if number not in native:
                    tagged.setdefault(number, set()).add(key)
    return {
        number: Vlan(members=frozenset(untagged.get(number, ())), tagged=frozenset(tagged.get(number, ())))
        for number in sorted({*untagged, *tagged} - {DEFAULT_VLAN})
    }
