"""Addresses, VRFs, VLANs and their interfaces, written and read."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_interface

from netaudit.platforms.nvue.names import BRIDGE, DEFAULT, FIXED_VRFS, key_of, native, native_ports, position
from netaudit.platforms.nvue.tree import Tree, below, on, put, switch, text
from netaudit.state import Device, Interface, Vlan


def write_interfaces(device: Device, tree: Tree) -> None:
    """`ipv4`, `ipv6` and `vrf` of each interface; that a port is routed without addresses is said by its ipv6 state."""
    ports = native_ports(device)
    peers = _unnumbered(device)
    for key, interface in (device.interfaces or {}).items():
        name = native(key, ports)
        at = ("interface", name)
        put(tree, at, below(tree, *at))
        if name == "lo":
            put(tree, (*at, "type"), "loopback")
        if key.startswith("Vlan"):
            put(tree, (*at, "type"), "svi")
            put(tree, (*at, "vlan"), int(key.removeprefix("Vlan")))
            put(tree, (*at, "base-interface"), BRIDGE)
        addresses = interface.addresses if isinstance(interface.addresses, frozenset) else frozenset()
        for address in sorted(addresses, key=lambda a: (ip_interface(a).version, ip_interface(a))):
            put(tree, (*at, f"ipv{ip_interface(address).version}", "address", address), {})
        if interface.link_local is True:
            put(tree, (*at, "ipv6", "state"), switch(True))
        elif interface.link_local is False and (key in peers or not addresses):
            put(tree, (*at, "ipv6", "state"), switch(False))
        if isinstance(interface.vrf, str) and interface.vrf != DEFAULT:
            put(tree, (*at, "vrf"), interface.vrf)


def _unnumbered(device: Device) -> frozenset[str]:
    """Ports that a session runs over by their name."""
    neighbors = device.bgp.neighbors if device.bgp is not None and device.bgp.neighbors else {}
    return frozenset(key for key in neighbors if ":" not in key and "." not in key)


def read_interfaces(tree: Tree) -> Mapping[str, Interface]:
    """Every interface of ours with an address, a VRF or an IPv6 state, and every port that BGP peers over."""
    peers = {
        name
        for vrf in below(tree, "vrf")
        for name, neighbor in below(tree, "vrf", vrf, "router", "bgp", "neighbor").items()
        if text(neighbor, "type") == "unnumbered"
    }
    found: dict[str, Interface] = {}
    for name in below(tree, "interface"):
        entry = below(tree, "interface", name)
        key = key_of(name)
        routed = any(word in entry for word in ("ipv4", "ipv6", "vrf")) or name in peers or key_of(name) == "Loopback0"
        if key is None or not (routed or key.startswith("Vlan")):
            continue
        found[key] = _interface(entry, name in peers)
    return found


def _interface(entry: Tree, peers: bool) -> Interface:
    """A port that BGP peers over has its link-local address without a word: only `disabled` takes it away."""
    state = on(entry, "ipv6", "state")
    addresses = frozenset(
        str(ip_interface(address)) for family in ("ipv4", "ipv6") for address in below(entry, family, "address")
    )
    return Interface(
        vrf=text(entry, "vrf") or DEFAULT,
        addresses=addresses,
        link_local=peers and not below(entry, "ipv6", "address") if state is None else state,
    )


def write_vrfs(device: Device, tree: Tree) -> None:
    """A row below `vrf` for each."""
    for name in sorted(device.vrfs) if isinstance(device.vrfs, frozenset) else ():
        put(tree, ("vrf", name), below(tree, "vrf", name))


def read_vrfs(tree: Tree) -> frozenset[str]:
    """The VRFs beside the default and the management one."""
    return frozenset(name for name in below(tree, "vrf") if name not in FIXED_VRFS)


def write_vlans(device: Device, tree: Tree) -> None:
    """VLANs of the bridge, and which ports are in them, without a tag (`access`) or with one."""
    ports = native_ports(device)
    for number_, vlan in (device.vlans or {}).items():
        if not number_.isdigit():
            continue  # no VLAN of this device, nor of any
        put(tree, ("bridge", "domain", BRIDGE, "vlan", number_), {})
        for key in sorted(vlan.members) if isinstance(vlan.members, frozenset) else ():
            put(tree, ("interface", native(key, ports), "bridge", "domain", BRIDGE, "access"), int(number_))
        for key in sorted(vlan.tagged) if isinstance(vlan.tagged, frozenset) else ():
            put(tree, ("interface", native(key, ports), "bridge", "domain", BRIDGE, "vlan", number_), {})


def read_vlans(tree: Tree) -> Mapping[str, Vlan]:
    """Every VLAN of the bridge, with the ports that are in it; a port in one that the bridge lacks is in none."""
    members: dict[str, set[str]] = {}
    tagged: dict[str, set[str]] = {}
    for name in below(tree, "bridge", "domain", BRIDGE, "vlan"):
        for vlan in numbers(name):
            members.setdefault(vlan, set())
    for name in below(tree, "interface"):
        here = below(tree, "interface", name, "bridge", "domain", BRIDGE)
        key = position(name) or name
        access = text(here, "access")
        if access is not None and access in members:
            members[access].add(key)
        for vlan in (one for word in below(here, "vlan") for one in numbers(word)):
            tagged.setdefault(vlan, set()).add(key)
    return {
        vlan: Vlan(members=frozenset(keys), tagged=frozenset(tagged.get(vlan, ())))
        for vlan, keys in sorted(members.items(), key=lambda item: int(item[0]))
    }


def numbers(word: str) -> tuple[str, ...]:
    """The numbers of a key such as `10`, `10-12` or `3,5`. Raises ValueError for another."""
    found: list[str] = []
    for part in word.split(","):
        first, dash, last = part.partition("-")
        if not (first.isdigit() and (not dash or last.isdigit()) and len(first) < 6 and len(last) < 6):
            raise ValueError(f"{word[:40]!r} is no list of numbers")
        if dash and not 0 <= int(last) - int(first) < 5000:
            raise ValueError(f"{word[:40]!r} is no range")
        found.extend(str(n) for n in range(int(first), int(last or first) + 1))
    return tuple(found)
