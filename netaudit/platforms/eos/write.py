"""What `eos.cfg.j2` prints of a device. Nothing is decided there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.platforms.eos import bgp_write, buffers, qos
from netaudit.platforms.eos.areas import GNMI
from netaudit.platforms.eos.asics import is_sand
from netaudit.platforms.eos.ports import (
    VLAN,
    interface_lines,
    native_names,
    port_lines,
    switched_lines,
)
from netaudit.state import Buffers, Device, Interface, Lldp, Qos

Block = tuple[str, list[str]]
"""(what opens it, the lines in it)."""


def context(device: Device) -> Mapping[str, object]:
    """Everything, in the order of a running configuration. `None` leaves are left out of the text."""
    held = device.buffers or Buffers()
    system = device.system
    profiles, bound = qos.profiles(device)
    return {
        "hostname": system.hostname if system is not None and isinstance(system.hostname, str) else "",
        "mmu": None if is_sand(device.asic) else (buffers.PROFILE, buffers.profile_lines(held)),
        "mmu_lines": [] if is_sand(device.asic) else list(buffers.global_lines(held)),
        "profiles": [(name, *qos.profile_block(device, profile)) for name, profile in sorted(profiles.items())],
        "lldp": (device.lldp or Lldp()).enabled is not False,
        "vlans": list(device.vlans or {}),
        "vrfs": sorted(device.vrfs) if isinstance(device.vrfs, frozenset) else [],
        "gnmi": GNMI if system is not None else "",
        "interfaces": list(_interfaces(device, bound)),
        "routing": list(_routing(device)),
        "watchdog": list(qos.watchdog_lines(device.qos or Qos())),
        "maps": list(qos.map_lines(device.qos or Qos())),
        "raw": (device.bgp.raw if device.bgp is not None and device.bgp.raw else "").splitlines(),
        **bgp_write.context(device),
    }


def _interfaces(device: Device, bound: Mapping[str, str]) -> Iterator[Block]:
    """Ports in the order of the front panel, then whatever else has addresses."""
    names = native_names(device)
    ports, interfaces = device.ports or {}, device.interfaces or {}
    qos_ports = (device.qos.ports if device.qos is not None else None) or {}
    for key, port in ports.items():
        lines = list(port_lines(port))
        if key in interfaces:
            lines += interface_lines(interfaces[key], routed=True)
        lines += switched_lines(key, device.vlans or {})
        if key in qos_ports:
            lines += qos.port_lines(qos_ports[key], bound.get(key, ""))
        yield names[key], lines
    for key, interface in interfaces.items():
        if key not in ports:
            yield key, [*_svi_mtu(device, key), *interface_lines(interface, routed=_is_port(key))]


def _is_port(key: str) -> bool:
    return not key.startswith((VLAN, "Loopback"))


def _svi_mtu(device: Device, key: str) -> Iterator[str]:
    """What the ports of a VLAN can all send; without it EOS would route 1,500 bytes into it."""
    vlan = (device.vlans or {}).get(key.removeprefix(VLAN))
    if vlan is None or not key.startswith(VLAN):
        return
    members = {key for group in (vlan.members, vlan.tagged) if isinstance(group, frozenset) for key in group}
    sizes = [p.mtu_bytes for key, p in (device.ports or {}).items() if key in members and isinstance(p.mtu_bytes, int)]
    if sizes:
        yield f"mtu {min(sizes)}"


def _routing(device: Device) -> Iterator[str]:
    """That IPv4 and IPv6 are routed at all, in each VRF; over link-local addresses where a session is."""
    bgp = device.bgp
    if bgp is None or not isinstance(bgp.asn, int):
        return
    vrfs = sorted(device.vrfs) if isinstance(device.vrfs, frozenset) else []
    for vrf in ("default", *vrfs):
        where = "" if vrf == "default" else f" vrf {vrf}"
        bare = any(n.vrf == vrf and bgp_write.is_interface(key) for key, n in (bgp.neighbors or {}).items()) or any(
            _is_bare(i) for i in (device.interfaces or {}).values() if i.vrf == vrf
        )
        yield f"ip routing{' ipv6 interfaces' if bare else ''}{where}"
        yield f"ipv6 unicast-routing{where}"


def _is_bare(interface: Interface) -> bool:
    return interface.link_local is True and not interface.addresses
