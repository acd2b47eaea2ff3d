"""What the template prints of a device: its settings in Junos's words, part by part, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_interface

from netaudit.platforms.junos import text
from netaudit.platforms.junos.leaves import known
from netaudit.platforms.junos.names import IRB, LOOPBACK, cage_name, logical
from netaudit.platforms.junos.quantize import ETHERNET_BYTES, FEC
from netaudit.platforms.junos.raw import group_lines
from netaudit.platforms.junos.write_bgp import bgp_context
from netaudit.platforms.junos.write_qos import qos_context
from netaudit.state import Device, Interface, Port, Vlan

Row = Mapping[str, object]
VLAN = "Vlan"
"""A VLAN interface is `Vlan<number>` in the state."""


def context(device: Device) -> Mapping[str, object]:
    """What `junos.conf.j2` prints. What is `None` is left out."""
    interfaces = device.interfaces or {}
    native = {key: port.native if isinstance(port.native, str) else key for key, port in (device.ports or {}).items()}
    return {
        "host_name": known(device.system.hostname) if device.system else None,
        "cages": list(_cages(device.ports or {}, native)),
        "ports": [_port(native[key], port) for key, port in (device.ports or {}).items()],
        "switched": list(_switched(device.vlans or {}, native)),
        "interfaces": [_interface(key, interface, native) for key, interface in interfaces.items()],
        "vlans": [_vlan(number, interfaces) for number in device.vlans or {}],
        "instances": list(_instances(device, native)),
        "hashed": _hashed(device),
        "lldp": device.lldp.enabled if device.lldp and isinstance(device.lldp.enabled, bool) else None,
        "raw": group_lines(device.bgp.raw or "") if device.bgp else [],
        **qos_context(device, native),
        **bgp_context(device, native),
    }


def quoted(words: str) -> str:
    """One word as Junos writes it; what cannot be printed is left out of it."""
    return text.word("".join(letter if letter.isprintable() else "?" for letter in words))


def speed(speed_mbps: int) -> str:
    """`400g`, as the statement `speed` has it (junos.md section 2)."""
    return f"{speed_mbps // 1000}g" if speed_mbps % 1000 == 0 else f"{speed_mbps}m"


def _cages(ports: Mapping[str, Port], native: Mapping[str, str]) -> Iterator[Row]:
    """The cages that are split: how many sub-ports they have, and of what speed."""
    cages: dict[str, list[str]] = {}
    for key in ports:
        cage, slash, _ = key.partition("/")
        if slash:
            cages.setdefault(cage, []).append(key)
    for keys in cages.values():
        first = ports[keys[0]]
        yield {
            "name": cage_name(native[keys[0]]),
            "sub_ports": _sub_ports(next((ports[key] for key in keys if key.endswith("/1")), first), keys),
            "speed": speed(first.speed_mbps) if isinstance(first.speed_mbps, int) else None,
        }


def _sub_ports(first: Port, keys: list[str]) -> str | None:
    """What the intent says; where it says nothing, the least number that has room for those there are."""
    if isinstance(first.breakout, str):
        return first.breakout.removesuffix("x")
    if first.breakout is not None:
        return None
    most = max(int(sub) if sub.isdigit() else 1 for _, _, sub in (key.partition("/") for key in keys))
    return str(next((number for number in (2, 4, 8) if number >= most), most))


def _port(name: str, port: Port) -> Row:
    whole = ":" not in name
    speed_mbps = port.speed_mbps if isinstance(port.speed_mbps, int) else None
    fec = FEC.get(speed_mbps or 0, {}).get(port.fec) if isinstance(port.fec, str) else None
    split = port.breakout if whole and isinstance(port.breakout, str) and port.breakout != "1x" else None
    return {
        "name": name,
        "description": quoted(port.description) if isinstance(port.description, str) else None,
        "disabled": port.enabled is False,
        "speed": speed(speed_mbps) if whole and speed_mbps is not None else None,
        "sub_ports": split.removesuffix("x") if split else None,
        "mtu": port.mtu_bytes + ETHERNET_BYTES if isinstance(port.mtu_bytes, int) else None,
        "fec": fec,
    }


def unit_of(key: str, native: Mapping[str, str]) -> tuple[str, str]:
    """(interface, unit) that carries the addresses of a port, a loopback or a VLAN."""
    if key.startswith("Loopback") and key[8:].isdigit():
        return LOOPBACK, key[8:]
    if key.startswith(VLAN) and key[4:].isdigit():
        return IRB, key[4:]
    return native.get(key, key), "0"


def _interface(key: str, interface: Interface, native: Mapping[str, str]) -> Row:
    addresses = sorted(map(ip_interface, known(interface.addresses) or ()), key=lambda one: (one.packed, str(one)))
    old = [str(a) for a in addresses if a.version == 4]
    new = [str(a) for a in addresses if a.version == 6]
    name, unit = unit_of(key, native)
    return {
        "name": name,
        "unit": unit,
        "inet": old,
        "inet6": new,
        "v4": bool(old) or not new,
        "v6": bool(new) or interface.link_local is True,
        "discovers": logical(name) if unit == "0" and name != LOOPBACK else f"{name}.{unit}",
        "link_local": interface.link_local is True,
    }


def _switched(vlans: Mapping[str, Vlan], native: Mapping[str, str]) -> Iterator[Row]:
    """Ports in VLANs: access ports of one, trunks of several or of tagged frames."""
    untagged: dict[str, list[str]] = {}
    tagged: dict[str, list[str]] = {}
    for number, vlan in vlans.items():
        for key in sorted(known(vlan.members) or ()):
            untagged.setdefault(key, []).append(number)
        for key in sorted(known(vlan.tagged) or ()):
            tagged.setdefault(key, []).append(number)
    for key in sorted({*untagged, *tagged}):
        plain, marked = untagged.get(key, []), tagged.get(key, [])
        access = len(plain) == 1 and not marked
        yield {
            "name": native.get(key, key),
            "mode": "access" if access else "trunk",
            "native": plain[0] if plain and not access else None,
            "members": [vlan_name(number) for number in sorted({*plain, *marked})],
        }


def vlan_name(number: str) -> str:
    """What a VLAN is called on the switch."""
    return f"VLAN{number}"


def _vlan(number: str, interfaces: Mapping[str, Interface]) -> Row:
    return {
        "name": vlan_name(number),
        "number": number,
        "l3": f"{IRB}.{number}" if f"{VLAN}{number}" in interfaces else None,
    }


def _instances(device: Device, native: Mapping[str, str]) -> Iterator[Row]:
    """Routing instances with their interfaces; one that only an interface or a speaker names is there, too."""
    names = set(known(device.vrfs) or ())
    members: dict[str, list[str]] = {}
    for key, interface in (device.interfaces or {}).items():
        if isinstance(interface.vrf, str) and interface.vrf != "default":
            name, unit = unit_of(key, native)
            members.setdefault(interface.vrf, []).append(f"{name}.{unit}")
    for name in sorted({*names, *members}):
        yield {"name": name, "declared": name in names, "interfaces": members.get(name, [])}


def _hashed(device: Device) -> list[str]:
    fields = known(device.qos.hash_fields) if device.qos else None
    layers = []
    if fields is not None and "source-ip" in fields:
        layers.append("layer-3")
    if fields is not None and "source-port" in fields:
        layers.append("layer-4")
    return layers
