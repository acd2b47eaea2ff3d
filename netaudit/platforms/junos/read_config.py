"""A configuration of Junos as state: system, ports, interfaces, VLANs and LLDP; BGP and QoS stand apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_interface
from typing import Final

from netaudit.platforms import Files
from netaudit.platforms.junos import text
from netaudit.platforms.junos.inherit import effective
from netaudit.platforms.junos.names import IRB, LOOPBACK, RESERVED, cage_name, port_of
from netaudit.platforms.junos.quantize import ETHERNET_BYTES
from netaudit.platforms.junos.read_bgp import read_bgp
from netaudit.platforms.junos.read_buffers import read_buffers
from netaudit.platforms.junos.read_qos import read_qos
from netaudit.platforms.junos.text import Tree, below, has, number, value
from netaudit.state import ABSENT, Device, Interface, Leaf, Lldp, Port, System, Vlan

FILE: Final = "junos.conf"
_PORTS: Final = re.compile(r"(et|xe|ge)-\d+/\d+/\d+(:\d+)?", re.ASCII)
DEFAULT_MTU_BYTES: Final = 1514
"""What a port has where nothing is said, header included (Junos, «Protocol MTU»)."""
_LAYER_2: Final = ("mac-vrf", "virtual-switch", "evpn", "vpls", "l2vpn")


def read_config(files: Files, name: str) -> Device:
    """The state that a configuration describes. Raises `ValueError` for text that is not Junos's."""
    statements = effective(text.entries(files.get(FILE, "")))
    root = text.tree(statements)
    ports = _ports(below(root, "interfaces"))
    return Device(
        name=name,
        platform="junos",
        version=value(root, "version") or "",
        system=System(hostname=value(root, "system", "host-name") or ABSENT),
        vrfs=frozenset(_instances(root)),
        ports=ports,
        interfaces=_interfaces(root),
        vlans=_vlans(root),
        bgp=read_bgp(statements, root),
        qos=read_qos(root, frozenset(ports)),
        buffers=read_buffers(root, frozenset(ports)),
        lldp=Lldp(enabled=_lldp(below(root, "protocols", "lldp"))),
    )


def _lldp(lldp: Tree) -> bool:
    """Junos has LLDP only on the interfaces that are named."""
    if has(lldp, "disable"):
        return False
    return any(not has(rest, "disable") for rest in below(lldp, "interface").values())


def _instances(root: Tree) -> Iterator[str]:
    for name, instance in below(root, "routing-instances").items():
        kind = value(instance, "instance-type")
        if name not in RESERVED and not name.startswith("__") and kind is not None and kind not in _LAYER_2:
            yield name


def _ports(interfaces: Tree) -> Mapping[str, Port]:
    """Every physical port that a statement is about. The cage of sub-ports is none."""
    split = {cage_name(name) for name in interfaces if ":" in name}
    found: dict[str, Port] = {}
    for name in interfaces:
        if _PORTS.fullmatch(name) and not (name in split and _only_a_cage(interfaces[name])):
            found[port_of(name)] = _port(name, interfaces)
    return dict(sorted(found.items(), key=lambda item: _place(item[0])))


def _place(key: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", key)) if key[:1].isdigit() else (1_000_000,)


def _only_a_cage(cage: Tree) -> bool:
    return not set(cage) - {"number-of-sub-ports", "speed"}


def _port(name: str, interfaces: Tree) -> Port:
    port, cage = interfaces[name], below(interfaces, cage_name(name))
    mtu = number(port, "mtu")
    layer_3 = number(port, "unit", "0", "family", "inet", "mtu")
    return Port(
        native=name,
        enabled=not has(port, "disable"),
        speed_mbps=_speed(value(cage, "speed") or value(port, "speed")),
        breakout=_breakout(name, cage),
        fec=_fec(value(port, "ether-options", "fec")),
        mtu_bytes=layer_3 if layer_3 is not None else (mtu or DEFAULT_MTU_BYTES) - ETHERNET_BYTES,
        description=value(port, "description") or ABSENT,
    )


def _speed(word: str | None) -> Leaf[int]:
    found = re.fullmatch(r"(\d{1,5})([gm])", word or "")
    return int(found.group(1)) * (1000 if found.group(2) == "g" else 1) if found else ABSENT


def _breakout(name: str, cage: Tree) -> Leaf[str]:
    """On the first port of a cage: how many there are."""
    _, colon, channel = name.partition(":")
    if colon and channel != "0":
        return None
    count = number(cage, "number-of-sub-ports")
    return f"{count}x" if count is not None else ABSENT if colon else "1x"


def _fec(word: str | None) -> Leaf[str]:
    if word is None:
        return ABSENT
    return {"fec91": "rs", "fec108": "rs", "fec74": "fc"}.get(word, word)


def _interfaces(root: Tree) -> Mapping[str, Interface]:
    """Every logical interface with IP, by the port, loopback or VLAN that it belongs to."""
    instances = below(root, "routing-instances")
    member = {
        interface: name
        for name, instance in instances.items()
        if name not in RESERVED
        for interface in below(instance, "interface")
    }
    discovering = {
        name
        for node in (root, *instances.values())
        for name, settings in below(node, "protocols", "router-advertisement", "interface").items()
        if not has(settings, "disable")
    }
    found = {}
    for name, settings in below(root, "interfaces").items():
        for unit, logical in below(settings, "unit").items():
            key = _key(name, unit)
            family = below(logical, "family")
            if key is not None and (has(family, "inet") or has(family, "inet6")):
                found[key] = Interface(
                    vrf=member.get(f"{name}.{unit}", "default"),
                    addresses=frozenset(_addresses(family)),
                    link_local=f"{name}.{unit}" in discovering and has(family, "inet6"),
                )
    return found


def _key(name: str, unit: str) -> str | None:
    """What the state calls a logical interface; `None` for those that are not ours, as management is."""
    if name == LOOPBACK:
        return f"Loopback{unit}"
    if name == IRB:
        return f"Vlan{unit}"
    if _PORTS.fullmatch(name) or not re.match(r"(em|fxp|vme|me|re)\d*|lo|ae\d+|vtep|bme|pfe|lsi", name):
        return port_of(name) if unit == "0" else f"{port_of(name)}.{unit}"
    return None


def _addresses(family: Tree) -> Iterator[str]:
    """In the canonical text; an address that is none stays as it is, so that it is seen."""
    for version in ("inet", "inet6"):
        for address in below(family, version, "address"):
            try:
                yield str(ip_interface(address))
            except ValueError:
                yield address


def _vlans(root: Tree) -> Mapping[str, Vlan]:
    names = {name: value(vlan, "vlan-id") or name for name, vlan in below(root, "vlans").items()}
    members: dict[str, set[str]] = {number: set() for number in names.values()}
    tagged: dict[str, set[str]] = {number: set() for number in names.values()}
    for interface, settings in below(root, "interfaces").items():
        switching = below(settings, "unit", "0", "family", "ethernet-switching")
        trunk = value(switching, "interface-mode") == "trunk"
        plain = value(settings, "native-vlan-id")
        for name in below(switching, "vlan", "members"):
            number = names.get(name, name)
            where = tagged if trunk and number != plain else members
            where.setdefault(number, set()).add(port_of(interface))
    return {
        number: Vlan(members=frozenset(members.get(number, ())), tagged=frozenset(tagged.get(number, ())))
        for number in sorted({*members, *tagged})
    }
