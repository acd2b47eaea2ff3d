"""What `nxos.cfg.j2` prints of a device. Nothing is decided there: leaves that are `None` leave no line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_interface, ip_network

from netaudit.platforms.nxos.config_ports import FEC, MAP
from netaudit.platforms.nxos.context_bgp import speakers
from netaudit.platforms.nxos.context_qos import buffers_context, port_lines, qos_context, system_policy
from netaudit.platforms.nxos.names import native
from netaudit.platforms.nxos.policies import write_lists, write_maps
from netaudit.state import Bgp, Device, Interface, Leaf, Port, Vlan

WORDS_OF_FEC = {state: word for word, state in FEC.items() if word != "auto"}
GNMI = ("grpc", "openconfig")
"""Features behind gNMI and its OpenConfig paths (vendor-gnmi-and-drivers.md B)."""


def context(device: Device) -> Mapping[str, object]:
    """Every block of the file, in the order in which NX-OS takes them (nxos.md section 1)."""
    bgp = device.bgp or Bgp()
    usual = system_policy(device.qos) if device.qos is not None else ""
    return {
        "hostname": text(device.system.hostname if device.system else None),
        "features": list(_features(device)),
        "breakouts": list(_breakouts(device)),
        "vlans": sorted(device.vlans or {}, key=natural),
        "vrfs": sorted(device.vrfs) if isinstance(device.vrfs, frozenset) else [],
        **qos_context(device),
        **buffers_context(device),
        "prefix_lists": list(write_lists(bgp.policies or {})),
        "route_maps": list(write_maps(bgp.policies or {})),
        "discards": [(_word(p), p) for p in prefixes(bgp.discards)],
        "interfaces": [_interface(device, key, usual) for key in _keys(device)],
        "speaker": speakers(device),
        "raw": (bgp.raw or "").splitlines(),
    }


def text(leaf: Leaf[str]) -> str:
    """The text of a leaf; empty where it is not set, or must not be there."""
    return leaf if isinstance(leaf, str) else ""


def natural(key: str) -> tuple[tuple[int, int, str], ...]:
    """Ports by their numbers, other names after them by their text."""
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in key.split("/"))


def prefixes(leaf: Leaf[frozenset[str]]) -> list[str]:
    """Prefixes in order, IPv4 first."""
    known = leaf if isinstance(leaf, frozenset) else frozenset()
    return sorted(known, key=lambda p: (ip_network(p).version, ip_network(p)))


def _word(prefix: str) -> str:
    return "ip" if ip_network(prefix).version == 4 else "ipv6"


def _features(device: Device) -> Iterator[str]:
    if device.bgp is not None and isinstance(device.bgp.asn, int):
        yield "bgp"
    if any(key.startswith("Vlan") for key in device.interfaces or {}):
        yield "interface-vlan"
    if device.lldp is not None and device.lldp.enabled is True:
        yield "lldp"
    yield from GNMI


def _breakouts(device: Device) -> Iterator[tuple[str, str]]:
    """(cage, map) of every cage that is split, known by its first port."""
    for key, port in sorted((device.ports or {}).items(), key=lambda item: natural(item[0])):
        if isinstance(port.breakout, str):
            yield key.partition("/")[0], port.breakout


def _keys(device: Device) -> list[str]:
    """Every interface: ports in their order, then those of VLANs and loopbacks."""
    ports = sorted({*(device.ports or {}), *(k for k in device.interfaces or {} if k[:1].isdigit())}, key=natural)
    others = sorted((k for k in device.interfaces or {} if k not in ports), key=lambda k: (not k.startswith("Vlan"), k))
    return [*ports, *others]


def _interface(device: Device, key: str, usual: str) -> Mapping[str, object]:
    port = (device.ports or {}).get(key)
    layer3 = (device.interfaces or {}).get(key)
    front = key[:1].isdigit() or port is not None
    return {
        "name": native(key),
        "description": text(port.description) if port else "",
        "routed": front and layer3 is not None,
        "vlan": key.startswith("Vlan"),
        "vrf": _vrf(layer3),
        "switching": list(_switching(device.vlans or {}, key)) if front and layer3 is None else [],
        "mtu": _mtu(device, key, port),
        "speed": _speed(device, key, port),
        "fec": WORDS_OF_FEC.get(text(port.fec), "") if port else "",
        "qos": port_lines(device, key, usual),
        **_addresses(layer3),
        "enabled": port.enabled if port is not None and isinstance(port.enabled, bool) else None,
    }


def _vrf(layer3: Interface | None) -> str:
    vrf = text(layer3.vrf) if layer3 else ""
    return "" if vrf == "default" else vrf


def _switching(vlans: Mapping[str, Vlan], key: str) -> Iterator[str]:
    """In which VLANs a port is that has no layer 3."""
    untagged = [n for n, v in vlans.items() if isinstance(v.members, frozenset) and key in v.members]
    tagged = [n for n, v in vlans.items() if isinstance(v.tagged, frozenset) and key in v.tagged]
    if not tagged:
        yield from (f"switchport access vlan {n}" for n in untagged[:1])
        return
    yield "switchport mode trunk"
    yield from (f"switchport trunk native vlan {n}" for n in untagged[:1])
    yield f"switchport trunk allowed vlan {','.join(sorted({*untagged[:1], *tagged}, key=natural))}"


def _mtu(device: Device, key: str, port: Port | None) -> int | None:
    """That of a port; the interface of a VLAN routes whatever its ports take."""
    if port is not None:
        return port.mtu_bytes if isinstance(port.mtu_bytes, int) else None
    vlan = (device.vlans or {}).get(key.removeprefix("Vlan")) if key.startswith("Vlan") else None
    if vlan is None:
        return None
    inside = frozenset[str]().union(*(s for s in (vlan.members, vlan.tagged) if isinstance(s, frozenset)))
    sizes = [p.mtu_bytes for k, p in (device.ports or {}).items() if k in inside and isinstance(p.mtu_bytes, int)]
    return max(sizes, default=None)


def _speed(device: Device, key: str, port: Port | None) -> int | None:
    """Said unless the breakout of the cage says the same."""
    if port is None or not isinstance(port.speed_mbps, int):
        return None
    cage, _, sub = key.partition("/")
    first = (device.ports or {}).get(f"{cage}/1") if sub else None
    mode = MAP.fullmatch(text(first.breakout)) if first is not None else None
    return None if mode and int(mode[1]) * 1000 == port.speed_mbps else port.speed_mbps


def _addresses(layer3: Interface | None) -> Mapping[str, object]:
    """IPv4 addresses, the first one primary, IPv6 addresses, and whether there is a link-local one."""
    known = layer3.addresses if layer3 is not None and isinstance(layer3.addresses, frozenset) else frozenset()
    ordered = sorted(map(ip_interface, known), key=lambda a: (a.version, a.ip, a.network.prefixlen))
    return {
        "v4": [str(a) for a in ordered if a.version == 4],
        "v6": [str(a) for a in ordered if a.version == 6],
        "link_local": layer3 is not None and layer3.link_local is True,
    }
