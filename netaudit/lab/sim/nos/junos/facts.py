"""What follows from a configuration of Junos: ports, addresses, VLANs; and routing, in FRR's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface
from typing import Final

from netaudit.lab.sim.device import Facts
from netaudit.lab.sim.frr_config import FrrConfig, Static
from netaudit.lab.sim.nos.junos.instances import FAMILY_OF, children_entries, instances, interface_of, owned
from netaudit.lab.sim.nos.junos.speakers import speakers_of
from netaudit.lab.sim.nos.junos.tree import Tree
from netaudit.lab.sim.ports import PortSpec

_FEC: Final = {"fec91": "rs", "fec74": "fc", "fec108": "rs", "none": "none"}


def speed_mbps(text: str) -> int:
    """`400g` → 400000."""
    return int(text[:-1]) * 1000 if text[:-1].isdigit() else 0


def facts_of(root: Tree, cages: Mapping[int, tuple[int, int]]) -> Facts:
    """The facts of a configuration on a box with cages: number → (lanes, Mb/s)."""
    ports = dict(_ports(root, cages))
    native = {place: spec.native for place, spec in ports.items()}
    position = {name: place for place, name in native.items()}
    addresses = dict(_addresses(root, position))
    bound = {
        interface_of(name, position): instance
        for instance, tree in instances(root)
        for name, _ in tree.entries("interface")
    }
    return Facts(
        native=native,
        position=position,
        ports=ports,
        addresses={name: tuple(found) for name, found in addresses.items()},
        link_local=frozenset(_link_local(root, position)),
        frr=FrrConfig(
            speakers=dict(speakers_of(root, position, addresses, bound)),
            statics=tuple(static for vrf, tree in ((("", root)), *instances(root)) for static in _statics(tree, vrf)),
        ),
        vrfs=frozenset(name for name, _ in instances(root)),
        bound=bound,
        loopbacks=frozenset(name for name in addresses if name.startswith("lo0")),
        members={
            str(tree.value("l3-interface")): tuple(_members(root, name, position))
            for name, tree in children_entries(root, "vlans")
            if tree.value("l3-interface")
        },
    )


def _ports(root: Tree, cages: Mapping[int, tuple[int, int]]) -> Iterator[tuple[str, PortSpec]]:
    """Position → what a port asks of its link. Ports of a box are there, configured or not, and up unless disabled."""
    for cage, (lanes, fastest) in cages.items():
        name = f"et-0/0/{cage - 1}"
        whole = root.get("interfaces", name) or Tree()
        parts = int(whole.value("number-of-sub-ports") or 1)
        split = parts > 1
        for sub in range(parts):
            native = f"{name}:{sub}" if split else name
            own = root.get("interfaces", native) or Tree()
            disabled = any(("disable",) in dict(one.active()) for one in (whole, own))
            speed = speed_mbps(own.value("speed") or whole.value("speed")) or fastest // parts
            spec = PortSpec(
                native=native,
                enabled=not disabled and ("unused",) not in whole.children,
                speed=str(speed),
                lanes=lanes // parts,
                fec=_FEC.get(own.value("ether-options", "fec"), ""),
            )
            yield (f"{cage}/{sub + 1}" if split else str(cage)), spec


def _units(root: Tree) -> Iterator[tuple[str, Tree]]:
    """(logical interface, its unit) of every one that is not disabled."""
    for name, interface in children_entries(root, "interfaces"):
        for number, unit in interface.entries("unit"):
            if ("disable",) not in unit.children:
                yield f"{name}.{number}", unit


def _addresses(root: Tree, position: Mapping[str, str]) -> Iterator[tuple[str, list[IPv4Interface | IPv6Interface]]]:
    for logical, unit in _units(root):
        found = [
            ip_interface(address)
            for family in FAMILY_OF
            for address, _ in (unit.get("family", family) or Tree()).entries("address")
        ]
        if found:
            yield interface_of(logical, position), found


def _link_local(root: Tree, position: Mapping[str, str]) -> Iterator[str]:
    """Interfaces with family inet6."""
    for logical, unit in _units(root):
        if unit.get("family", "inet6") is not None:
            yield interface_of(logical, position)


def _members(root: Tree, vlan: str, position: Mapping[str, str]) -> Iterator[str]:
    """The ports of a VLAN."""
    number = root.value("vlans", vlan, "vlan-id")
    for logical, unit in _units(root):
        switching = unit.get("family", "ethernet-switching", "vlan")
        if switching is not None and {vlan, number, "all"} & set(switching.values("members")):
            yield interface_of(logical, position)


def _statics(tree: Tree, vrf: str) -> Iterator[Static]:
    """Static and aggregate routes of an instance."""
    for own in owned(tree):
        way = own[1].values("next-hop")
        yield Static(prefix=own[0].prefix, gateway=way[0] if way and _is_address(way[0]) else "", vrf=vrf)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
