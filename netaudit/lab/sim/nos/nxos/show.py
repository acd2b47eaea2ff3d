"""What `show` says of a switch itself, its links and its neighbors: words, and the data of `| json`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from netaudit.lab.sim import lldp, views
from netaudit.lab.sim.device import Said
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nxos import show_bgp, show_routes
from netaudit.lab.sim.nos.nxos.config import INVALID
from netaudit.lab.sim.nos.nxos.device import VERSION, WHEN, Nexus

Data = Mapping[str, object]


class Shown(NamedTuple):
    """An output."""

    text: str
    data: Data | None = None
    """`None`: the command has no JSON."""


def shown(fabric: Fabric, switch: Nexus, words: list[str]) -> Shown:
    """The output of one `show` command."""
    command = " ".join(words[1:])
    for pattern, do in _COMMANDS.items():
        if found := re.fullmatch(pattern, command):
            return do(fabric, switch, *(group or "" for group in found.groups()))
    return Shown(INVALID)


def short(name: str) -> str:
    """`Ethernet1/1` → `Eth1/1`, `loopback0` → `Lo0`, as tables write it."""
    return name.replace("Ethernet", "Eth").replace("loopback", "Lo")


def dotted(mac: str) -> str:
    """`02:00:00:00:00:01` → `0200.0000.0001`."""
    plain = mac.replace(":", "")
    return ".".join(plain[at : at + 4] for at in (0, 4, 8))


def one_or_many(rows: list[Data]) -> object:
    """NX-OS writes one row as an object, several as a list."""
    return rows[0] if len(rows) == 1 else rows


def _running(fabric: Fabric, switch: Nexus, every: str) -> Shown:
    head = f"\n!Command: show running-config{every}\n!Running configuration last done at: {_when(switch.changes)}\n"
    return Shown(f"{head}!Time: {_when(fabric.version)}\n\n{switch.running()}\n")


def _when(count: int) -> str:
    """A time that differs with each change, as the clock of a switch would."""
    return f"Mon Jan  5 {10 + count // 3600 % 14}:{count // 60 % 60:02}:{count % 60:02} 2026"


def _startup(fabric: Fabric, switch: Nexus) -> Shown:
    return Shown(switch.startup.read_text(encoding="utf-8"))


def _version(fabric: Fabric, switch: Nexus) -> Shown:
    board = switch.eeprom
    text = (
        "Cisco Nexus Operating System (NX-OS) Software\n\nSoftware\n  BIOS: version 05.51\n"
        f"  NXOS: version {VERSION} [Feature Release]\n\nHardware\n  cisco {board.platform} Chassis \n"
        f"  Processor Board ID {board.serial}\n\n  Device name: {switch.hostname()}\n"
        "Kernel uptime is 0 day(s), 0 hour(s), 1 minute(s), 0 second(s)\n"
    )
    data = {
        "header_str": "Cisco Nexus Operating System (NX-OS) Software",
        "bios_ver_str": "05.51",
        "kickstart_ver_str": VERSION,
        "nxos_ver_str": VERSION,
        "chassis_id": f"{board.platform} Chassis",
        "proc_board_id": board.serial,
        "host_name": switch.hostname(),
        "kern_uptm_days": 0,
        "kern_uptm_hrs": 0,
        "kern_uptm_mins": 1,
        "kern_uptm_secs": 0,
        "manufacturer": "Cisco Systems, Inc.",
    }
    return Shown(text, data)


def _inventory(fabric: Fabric, switch: Nexus) -> Shown:
    board = switch.eeprom
    row: Data = {"name": "Chassis", "desc": f"{board.platform} Chassis", "productid": board.hwsku, "vendorid": "V01"}
    text = f'NAME: "Chassis",  DESCR: "{row["desc"]}"\nPID: {board.hwsku} ,  VID: V01 ,  SN: {board.serial}\n'
    return Shown(text, {"TABLE_inv": {"ROW_inv": [{**row, "serialnum": board.serial}]}})


def _hostname(fabric: Fabric, switch: Nexus) -> Shown:
    return Shown(f"{switch.hostname()} \n", {"hostname": switch.hostname()})


def _hosts(fabric: Fabric, switch: Nexus) -> Shown:
    return Shown(
        "DNS lookup enabled\nName servers for vrf:default is 255.255.255.255\n\nHost                    Address\n"
    )


def _value(switch: Nexus, name: str, start: str) -> str:
    lines = switch.tree.get(f"interface {name}", {})
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def _reason(port: views.PortView) -> str:
    return "none" if port.up else "Link not connected" if port.enabled else "Administratively down"


def _brief(fabric: Fabric, switch: Nexus) -> Shown:
    rows: list[Data] = [{"interface": "mgmt0", "state": "up", "ip_addr": "192.0.2.1", "speed": "1000", "mtu": 1500}]
    for name, port in views.ports(fabric, switch).items():
        routed = "no switchport" in switch.tree.get(f"interface {name}", {})
        rows.append(
            {
                "interface": name,
                "vlan": "--" if routed else _value(switch, name, "switchport access vlan ") or "1",
                "type": "eth",
                "portmode": "routed" if routed else "access",
                "state": "up" if port.up else "down",
                "state_rsn_desc": _reason(port),
                "speed": port.spec.speed if port.up else "auto",
                "ratemode": "D",
            }
        )
    rows += [
        {"interface": name, "state": "up", "state_rsn_desc": "none"}
        for name in (head.removeprefix("interface ") for head in switch.tree)
        if name.startswith("loopback")
    ]
    text = "".join(f"{short(str(row['interface'])):<14}{row['state']}\n" for row in rows)
    return Shown(text, {"TABLE_interface": {"ROW_interface": rows}})


def _status(fabric: Fabric, switch: Nexus) -> Shown:
    line = "-" * 80
    text = f"{line}\nPort          Name               Status    Vlan      Duplex  Speed   Type\n{line}\n"
    for name, port in views.ports(fabric, switch).items():
        state = "connected" if port.up else "notconnec" if port.enabled else "disabled"
        described = (_value(switch, name, "description ") or "--")[:18]
        text += f"{short(name):<14}{described:<19}{state:<10}{'routed':<10}{'full':<8}{'auto':<8}--\n"
    return Shown(text)


def _interface(fabric: Fabric, switch: Nexus) -> Shown:
    text, rows = "", []
    for name, port in views.ports(fabric, switch).items():
        described, mtu = _value(switch, name, "description "), _value(switch, name, "mtu ") or "1500"
        state, admin, kbit = "up" if port.up else "down", "up" if port.enabled else "down", int(port.spec.speed) * 1000
        mac = dotted(switch.eeprom.mac)
        reason = "" if port.up else f" ({_reason(port)})"
        text += f"{name} is {state}{reason}\nadmin state is {admin}, Dedicated Interface\n"
        text += f"  Hardware: 400000 Ethernet, address: {mac} (bia {mac})\n"
        text += f"  Description: {described}\n" if described else ""
        text += f"  MTU {mtu} bytes, BW {kbit} Kbit , DLY 10 usec\n\n"
        row: Data = {"interface": name, "state": state, "admin_state": admin, "eth_mtu": mtu, "eth_bw": kbit}
        more: Data = {"desc": described} if described else {}
        rows.append({**row, **more, "eth_hw_addr": mac, "eth_bia_addr": mac, "eth_link_flapped": "never"})
    return Shown(text, {"TABLE_interface": {"ROW_interface": rows}})


def _transceivers(fabric: Fabric, switch: Nexus) -> Shown:
    """What plugs tell, in every port that a cable is in: an assembly its length in whole metres, an optic its reach."""
    native = switch.facts().native
    cables = fabric.cables if fabric.faults.cables is None else fabric.faults.cables
    ends = ((end, cable.assembly_m) for cable in cables for end in (cable.a, cable.b) if end.device == switch.name)
    rows, text = list[Data](), ""
    for end, assembly_m in ends:
        if end.port not in native:
            continue
        told = fabric.faults.plugs.get(end, assembly_m)
        length = f"{round(float(told))}" if re.fullmatch(r"\d+\.\d+", told) else told
        kind = (
            {"type": f"QDD-400-CU{length}M", "len_cu": length} if told else {"type": "QDD-400G-DR4-S", "len_cu": "200"}
        )
        rows.append({"interface": native[end.port], "sfp": "present", **kind, "name": "netaudit lab", "rev": "A"})
        text += f"{native[end.port]}\n    transceiver is present\n    type is {kind['type']}\n"
    return Shown(text, {"TABLE_interface": {"ROW_interface": one_or_many(rows)}} if rows else {})


_CODES: Final = (
    "Capability codes:\n  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device\n"
    "  (W) WLAN Access Point, (P) Repeater, (S) Station, (O) Other\n"
    "Device ID            Local Intf      Hold-time  Capability  Port ID  \n"
)


def _capabilities(said: Said) -> str:
    return "".join({"bridge": "B", "router": "R", "station": "S"}.get(one, "O") for one in said.capabilities)


def _lldp(fabric: Fabric, switch: Nexus, detail: str) -> Shown:
    if "feature lldp" not in switch.tree:
        return Shown(INVALID)
    heard = lldp.heard(fabric, switch)
    count = f"Total entries displayed: {len(heard)}\n"
    if detail:
        blocks = "".join(_block(name, said) for name, said in heard.items())
        rows: list[Data] = [_detailed(name, said) for name, said in heard.items()]
        data: Data = {"TABLE_nbor_detail": {"ROW_nbor_detail": one_or_many(rows)}} if rows else {}
        return Shown(f"{_CODES}\n{blocks}{count}", {**data, "neigh_count": len(rows)})
    text = _CODES
    for name, said in heard.items():
        start = f"{said.system_name:<21}" if len(said.system_name) < 21 else f"{said.system_name}\n{'':<21}"
        text += f"{start}{short(name):<16}{120:<11}{_capabilities(said):<12}{said.port_id}\n"
    rows = [_row(name, said) for name, said in heard.items()]
    return Shown(text + count, {"TABLE_nbor": {"ROW_nbor": rows}, "neigh_count": len(rows)} if rows else {})


def _chassis(said: Said) -> str:
    return dotted(said.chassis_id) if said.chassis_subtype == 4 else said.chassis_id


def _port_id(said: Said) -> str:
    return dotted(said.port_id) if said.port_subtype == 3 else said.port_id


def _block(name: str, said: Said) -> str:
    letters = ", ".join(_capabilities(said))
    return (
        f"Chassis id: {_chassis(said)}\nPort id: {_port_id(said)}\nLocal Port id: {short(name)}\n"
        f"Port Description: {said.port_description or 'not advertised'}\nSystem Name: {said.system_name}\n"
        f"System Description: {said.system_description}\nTime remaining: 110 seconds\n"
        f"System Capabilities: {letters}\nEnabled Capabilities: {letters}\n"
        "Management Address: not advertised\nVlan ID: not advertised\n\n\n"
    )


def _detailed(name: str, said: Said) -> Data:
    return {
        "chassis_id": _chassis(said),
        "port_id": _port_id(said),
        "l_port_id": short(name),
        "port_desc": said.port_description,
        "sys_name": said.system_name,
        "sys_desc": said.system_description,
        "ttl": "110",
    }


def _row(name: str, said: Said) -> Data:
    return {
        "chassis_type": "Locally Assigned",
        "chassis_id": said.system_name,
        "l_port_id": short(name),
        "hold_time": 120,
        "system_capability": _capabilities(said),
        "enabled_capability": _capabilities(said),
        "port_type": "Interface Name",
        "port_id": _port_id(said),
    }


def _bgp_summary(fabric: Fabric, switch: Nexus) -> Shown:
    return Shown(*show_bgp.summary(fabric, switch))


def _bgp_table(fabric: Fabric, switch: Nexus, family: str) -> Shown:
    return Shown(show_bgp.table(fabric, switch, family or "ipv4"))


def _routes(fabric: Fabric, switch: Nexus, version: str) -> Shown:
    return Shown(*show_routes.routes(fabric, switch, "ipv6" if version == "ipv6" else "ipv4"))


def _clock(fabric: Fabric, switch: Nexus) -> Shown:
    return Shown(f"10:00:00.000 UTC {WHEN}\n", {"simple_time": f"10:00:00.000 UTC {WHEN}\n"})


_COMMANDS: Final[Mapping[str, Callable[..., Shown]]] = {
    r"run(?:ning-config)?( all)?": _running,
    r"start(?:up-config)?": _startup,
    r"ver(?:sion)?": _version,
    r"inventory": _inventory,
    r"hostname": _hostname,
    r"hosts": _hosts,
    r"clock": _clock,
    r"int(?:erface)? brief": _brief,
    r"int(?:erface)? status": _status,
    r"int(?:erface)?": _interface,
    r"int(?:erface)? transceiver": _transceivers,
    r"lldp neighbors( detail)?": _lldp,
    r"bgp vrf all all summary|bgp all summary(?: vrf all)?": _bgp_summary,
    r"bgp (?:vrf all )?(ipv4|ipv6) unicast(?: vrf all)?": _bgp_table,
    r"ip bgp(?: vrf all)?()": _bgp_table,
    r"(ip|ipv6) route(?: vrf all)?": _routes,
}
