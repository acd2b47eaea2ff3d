"""PORT, BREAKOUT_CFG and the tables of interfaces: each table's writer beside its reader."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_interface

from netaudit.platforms.sonic.names import VLAN
from netaudit.platforms.sonic.tables import (
    Row,
    Seen,
    Table,
    Tables,
    Unreadable,
    fields,
    flag,
    number,
    numbers,
    seen,
    text,
)
from netaudit.platforms.sonic.vrf import native_vrf, vrf_of
from netaudit.state import ABSENT, Device, Interface, Leaf, Port

_UP = {True: "up", False: "down"}
_ON = {True: "on", False: "off"}


def write_ports(device: Device) -> Tables:
    """PORT and BREAKOUT_CFG. The speed is mandatory for YANG even where `port_config.ini` has none."""
    ports: Table = {}
    breakout: Table = {}
    for key, port in (device.ports or {}).items():
        cage, _, sub = key.partition("/")
        row = fields(
            {
                "alias": port.alias,
                "index": cage,
                "lanes": port.lanes,
                "speed": port.speed_mbps,
                "fec": port.fec,
                "mtu": port.mtu_bytes,
                "admin_status": _word(port.enabled, _UP),
                "autoneg": _word(port.autoneg, _ON),
                # off is what a port is without the field
                "pfc_asym": "on" if port.pfc_asymmetric is True else None,
                "description": port.description,
            }
        )
        if sub:
            row["subport"] = sub
        ports[_native(key, port)] = row
        if isinstance(port.breakout, str):
            breakout[_native(key, port)] = {"brkout_mode": port.breakout}
    return {"PORT": ports, "BREAKOUT_CFG": breakout}


def _native(key: str, port: Port) -> str:
    return port.native if isinstance(port.native, str) else key


def _word(value: Leaf[bool], words: Mapping[bool, str]) -> str | None:
    return words[value] if isinstance(value, bool) else None


def read_ports(tables: Seen, keys: Mapping[str, str]) -> Mapping[str, Port] | None:
    """Ports by `cage[/sub]`. `keys`: native name → key."""
    table = seen(tables, "PORT")
    if table is None:
        return None
    breakout = seen(tables, "BREAKOUT_CFG")
    return {keys[name]: _read_port(name, keys[name], row, breakout) for name, row in table.items()}


def _read_port(name: str, key: str, row: Row, breakout: Mapping[str, Row] | None) -> Port:
    first = key.partition("/")[2] in ("", "1")
    lanes = text(row, "lanes")
    mode: Leaf[str] = None
    if breakout is not None and (first or name in breakout):
        mode = text(breakout.get(name, {}), "brkout_mode")
    return Port(
        native=name,
        alias=text(row, "alias"),
        enabled=flag(row, "admin_status", "up", "down", default=False),
        speed_mbps=number(row, "speed"),
        lanes=numbers(lanes, f"PORT|{name} lanes") if isinstance(lanes, str) else ABSENT,
        breakout=mode,
        fec=read_fec(row),
        mtu_bytes=read_mtu(row),
        autoneg=flag(row, "autoneg", "on", "off", default=False),
        pfc_asymmetric=flag(row, "pfc_asym", "on", "off", default=False),
        description=text(row, "description"),
    )


NRZ_LANE_MBPS = 25_000
"""The fastest lane without PAM4 (IEEE 802.3by, 802.3bm); up to it a link may do without FEC."""


def read_fec(row: Row) -> Leaf[str]:
    """FEC of a port. A field that is missing, empty or `N/A` is `none` where the lanes can do without, else absent."""
    value = text(row, "fec")
    if isinstance(value, str) and value not in ("", "N/A"):
        return value
    lanes, speed = text(row, "lanes"), number(row, "speed")
    count = len(lanes.split(",")) if isinstance(lanes, str) and lanes else 0
    return "none" if isinstance(speed, int) and speed <= count * NRZ_LANE_MBPS else ABSENT


def read_mtu(row: Row) -> Leaf[int]:
    """MTU of a port; 0 stands for `not told`, and is compared as such (INT-12)."""
    return number(row, "mtu")


_LOOPBACKS = "LOOPBACK_INTERFACE"


def write_interfaces(device: Device) -> Tables:
    """INTERFACE, LOOPBACK_INTERFACE and VLAN_INTERFACE: the bare row first, which each address row needs."""
    tables: Tables = {"INTERFACE": {}, "LOOPBACK_INTERFACE": {}, "VLAN_INTERFACE": {}}
    for key, interface in (device.interfaces or {}).items():
        port = (device.ports or {}).get(key)
        kind = "VLAN_INTERFACE" if key.startswith(VLAN) else _LOOPBACKS if port is None else "INTERFACE"
        table = tables[kind]
        name = key if port is None else _native(key, port)
        link_local = interface.link_local
        mode = ("enable" if link_local else "disable") if isinstance(link_local, bool) and kind != _LOOPBACKS else None
        vrf = native_vrf(interface.vrf) if isinstance(interface.vrf, str) and interface.vrf != "default" else None
        table[name] = fields({"ipv6_use_link_local_only": mode if mode == "enable" else None, "vrf_name": vrf})
        addresses = interface.addresses
        for address in sorted(addresses) if isinstance(addresses, frozenset) else ():
            table[f"{name}|{address}"] = {}
    return tables


_LAYER3 = ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE")


def read_interfaces(tables: Seen, keys: Mapping[str, str]) -> Mapping[str, Interface] | None:
    """Interfaces by port key, loopbacks and VLANs by their own name. `None` unless all three tables were seen."""
    parts = [seen(tables, name) for name in _LAYER3]
    if any(part is None for part in parts):
        return None
    bare: dict[str, Row] = {}
    addresses: dict[str, set[str]] = {}
    for part in parts:
        for key, row in (part or {}).items():
            name, _, prefix = key.partition("|")
            if prefix:
                addresses.setdefault(name, set()).add(_address(prefix))
                bare.setdefault(name, {})
            else:
                bare[name] = row
    return {keys.get(name, name): _read_interface(name, row, addresses.get(name, set())) for name, row in bare.items()}


def _read_interface(name: str, row: Row, addresses: set[str]) -> Interface:
    vrf = text(row, "vrf_name")
    return Interface(
        vrf=vrf_of(vrf) if isinstance(vrf, str) else "default",
        addresses=frozenset(addresses),
        link_local=flag(row, "ipv6_use_link_local_only", "enable", "disable", default=False)
        if not name.startswith("Loopback")
        else None,
    )


def _address(prefix: str) -> str:
    try:
        return str(ip_interface(prefix))
    except ValueError:
        raise Unreadable(f"{prefix[:60]!r} is not an address") from None
