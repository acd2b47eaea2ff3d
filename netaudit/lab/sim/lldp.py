"""What each port hears by LLDP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.lab.sim.cabling import End
from netaudit.lab.sim.database import Hash, metadata, text
from netaudit.lab.sim.fabric import Fabric, hostname
from netaudit.lab.sim.switch import Switch

_LOCAL = "7"
"""Subtype "locally assigned" (IEEE 802.1AB): lldpmgrd has the port id be the alias."""
_MAC = "4"
"""Chassis id subtype "MAC address"."""
_MAC_PORT = "3"
_NAME = "5"
"""Port id subtypes "MAC address" and "interface name"."""


def neighbors(fabric: Fabric, switch: Switch) -> Mapping[str, Hash]:
    """LLDP_ENTRY_TABLE: native name → the neighbor heard there."""
    return dict(_heard(fabric, switch))


def speaks(switch: Switch, native: str) -> bool:
    """Whether LLDP runs on a port."""
    rows = (switch.config.get("LLDP", {}).get("GLOBAL", {}), switch.config.get("LLDP_PORT", {}).get(native, {}))
    feature = text(switch.config.get("FEATURE", {}).get("lldp", {}), "state", "enabled")
    return all(text(row, "enabled", "true") == "true" for row in rows) and feature != "disabled"


def _heard(fabric: Fabric, switch: Switch) -> Iterator[tuple[str, Hash]]:
    """(native name, neighbor) of every port that hears one."""
    links = fabric.links()
    if switch.name in fabric.faults.deaf:
        return
    for native, end in links.far[switch.name].items():
        if not speaks(switch, native):
            continue
        far = fabric.switches.get(end.device)
        if far is None:
            port_id = links.host_ports.get(end, "")
            if port_id:
                yield native, _host_entry(end, port_id)
        else:
            far_native = far.facts().native[end.port]
            if speaks(far, far_native) and (far.name, far_native) not in fabric.faults.silent:
                yield native, _switch_entry(far, far_native, fabric.faults.port_ids.get(far.name, "alias"))


def _switch_entry(far: Switch, native: str, kind: str) -> Hash:
    """What a SONiC peer sends: its alias as port id, its name where it has none, or what a fault makes of it."""
    row = far.config.get("PORT", {}).get(native, {})
    mac = text(metadata(far.config), "mac", far.eeprom.mac)
    port_id, subtype = {
        "alias": (text(row, "alias") or native, _LOCAL),
        "name": (native, _NAME),
        "mac": (mac, _MAC_PORT),
        "mac-only": (mac, _MAC_PORT),
    }[kind]
    return {
        "lldp_rem_chassis_id": mac,
        "lldp_rem_chassis_id_subtype": _MAC,
        "lldp_rem_index": "1",
        "lldp_rem_man_addr": "",
        "lldp_rem_port_desc": "" if kind == "mac-only" else native,
        "lldp_rem_port_id": port_id,
        "lldp_rem_port_id_subtype": subtype,
        "lldp_rem_sys_cap_enabled": "28 00",
        "lldp_rem_sys_cap_supported": "28 00",
        "lldp_rem_sys_desc": f"SONiC Software Version: SONiC.202411 - HwSku: {far.eeprom.hwsku}",
        "lldp_rem_sys_name": hostname(far),
        "lldp_rem_time_mark": "0",
    }


def _host_entry(end: End, port_id: str) -> Hash:
    """What a host's daemon sends: its own name, and the port id of cables.csv."""
    return {
        "lldp_rem_chassis_id": end.device,
        "lldp_rem_chassis_id_subtype": _LOCAL,
        "lldp_rem_index": "1",
        "lldp_rem_man_addr": "",
        "lldp_rem_port_desc": port_id,
        "lldp_rem_port_id": port_id,
        "lldp_rem_port_id_subtype": _LOCAL,
        "lldp_rem_sys_cap_enabled": "01 00",
        "lldp_rem_sys_cap_supported": "01 00",
        "lldp_rem_sys_desc": "Linux",
        "lldp_rem_sys_name": end.device,
        "lldp_rem_time_mark": "0",
    }
