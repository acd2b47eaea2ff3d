"""What each port hears by LLDP, and how SONiC's APPL_DB has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from netaudit.lab.sim.cabling import End
from netaudit.lab.sim.database import Hash
from netaudit.lab.sim.device import Device, Said
from netaudit.lab.sim.fabric import Fabric

_LOCAL, _MAC_PORT, _NAME = 7, 3, 5
"""Port id subtypes of IEEE 802.1AB: locally assigned, MAC address, interface name."""


def heard(fabric: Fabric, device: Device) -> Mapping[str, Said]:
    """Native name → what the neighbor says that is heard there."""
    return dict(_heard(fabric, device))


def _heard(fabric: Fabric, device: Device) -> Iterator[tuple[str, Said]]:
    """(native name, neighbor) of every port that hears one."""
    links = fabric.links()
    if device.name in fabric.faults.deaf:
        return
    for native, end in links.far[device.name].items():
        if device.says(native) is None:
            continue
        far = fabric.switches.get(end.device)
        if far is None:
            port_id = links.host_ports.get(end, "")
            if port_id:
                yield native, _of_host(end, port_id)
        else:
            said = sent(fabric, far, far.facts().native[end.port])
            if said is not None:
                yield native, said


def sent(fabric: Fabric, device: Device, native: str) -> Said | None:
    """What a port sends, after what faults make of it; `None` where it is silent."""
    said = device.says(native)
    if said is None or (device.name, native) in fabric.faults.silent:
        return None
    kind = fabric.faults.port_ids.get(device.name, "alias")
    if kind == "name":
        return replace(said, port_id=native, port_subtype=_NAME)
    if kind in ("mac", "mac-only"):
        description = "" if kind == "mac-only" else native
        return replace(said, port_id=said.chassis_id, port_subtype=_MAC_PORT, port_description=description)
    return said


def _of_host(end: End, port_id: str) -> Said:
    """What a host's daemon sends: its own name, and the port id of cables.csv."""
    return Said(
        chassis_id=end.device,
        chassis_subtype=_LOCAL,
        port_id=port_id,
        port_subtype=_LOCAL,
        port_description=port_id,
        system_name=end.device,
        system_description="Linux",
        capabilities=("station",),
    )


def neighbors(fabric: Fabric, device: Device) -> Mapping[str, Hash]:
    """LLDP_ENTRY_TABLE: native name → the neighbor heard there."""
    return {native: _entry(said) for native, said in heard(fabric, device).items()}


def _entry(said: Said) -> Hash:
    """A neighbor as lldp_syncd writes it. Bits of the capabilities: 0x28 bridge and router, 0x01 other."""
    capabilities = "28 00" if "router" in said.capabilities else "01 00"
    return {
        "lldp_rem_chassis_id": said.chassis_id,
        "lldp_rem_chassis_id_subtype": str(said.chassis_subtype),
        "lldp_rem_index": "1",
        "lldp_rem_man_addr": "",
        "lldp_rem_port_desc": said.port_description,
        "lldp_rem_port_id": said.port_id,
        "lldp_rem_port_id_subtype": str(said.port_subtype),
        "lldp_rem_sys_cap_enabled": capabilities,
        "lldp_rem_sys_cap_supported": capabilities,
        "lldp_rem_sys_desc": said.system_description,
        "lldp_rem_sys_name": said.system_name,
        "lldp_rem_time_mark": "0",
    }
