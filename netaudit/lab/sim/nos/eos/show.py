"""What `show` says of the box, its ports and its neighbors: words, and the data that `| json` and eAPI print.

Members and their nesting are those of real captures (vEOS, 4.2x); what a capture has beyond what the lab knows is left
out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from netaudit.lab.sim import lldp, views
from netaudit.lab.sim.device import Said
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.eos import show_bgp, show_ip
from netaudit.lab.sim.nos.eos.config import diff, names, text
from netaudit.lab.sim.nos.eos.device import MOST_SESSIONS, VERSION, Eos

Data: TypeAlias = dict[str, object]
BOOTED: Final = 1_767_607_200.0
"""2026-01-05 10:00 UTC: the lab's clock stands still, so that answers can be compared."""
_PORT_TYPE: Final = {3: "macAddress", 5: "interfaceName", 7: "local"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a `show` prints. `data`: `None` where EOS has no JSON of it."""

    words: str = ""
    data: Data | None = None
    complaint: str = ""


def shown(fabric: Fabric, switch: Eos, command: str) -> Shown | None:
    """What `show …` says; `None` where there is no such command."""
    words = " ".join(command.split()).removeprefix("show ")
    if words.startswith("session-config named "):
        return _session(switch, words.split()[2:])
    if words.startswith("lldp neighbors ") and words != "lldp neighbors detail":
        return _lldp_of(fabric, switch, words.split()[2:])
    found = _COMMANDS.get(words)
    return found(fabric, switch) if found else None


def _version(fabric: Fabric, switch: Eos) -> Shown:
    mac = switch.eeprom.mac
    data: Data = {
        "mfgName": "Arista",
        "modelName": switch.eeprom.platform,
        "hardwareRevision": "11.00",
        "serialNumber": switch.eeprom.serial,
        "systemMacAddress": mac,
        "hwMacAddress": mac,
        "configMacAddress": "00:00:00:00:00:00",
        "version": VERSION,
        "architecture": "x86_64",
        "internalVersion": f"{VERSION}-40000000.4361F",
        "bootupTimestamp": BOOTED,
        "uptime": _uptime_s(switch),
        "isIntlVersion": False,
    }
    words = (
        f"Arista {switch.eeprom.platform}\nHardware version: 11.00\nSerial number: {switch.eeprom.serial}\n"
        f"Hardware MAC address: {mac}\nSystem MAC address: {mac}\n\nSoftware image version: {VERSION}\n"
    )
    return Shown(words=words, data=data)


def _uptime_s(switch: Eos) -> float:
    """The one clock that goes: commits wait by it."""
    return round(time.monotonic() - switch.booted_s, 2)


def _hostname(fabric: Fabric, switch: Eos) -> Shown:
    name = switch.hostname()
    return Shown(words=f"Hostname: {name}\nFQDN:     {name}\n", data={"hostname": name, "fqdn": name})


def _running(fabric: Fabric, switch: Eos) -> Shown:
    return Shown(words=f"! Command: show running-config\n{switch.running()}")


def _startup(fabric: Fabric, switch: Eos) -> Shown:
    if not switch.startup.is_file():
        return Shown(complaint="startup-config not found")
    saved = switch.startup.read_text(encoding="utf-8")
    when = "! Startup-config last modified at  Mon Jan  5 10:00:00 2026 by admin\n"
    return Shown(words=f"! Command: show startup-config\n{when}{saved}")


def _session(switch: Eos, words: list[str]) -> Shown | None:
    """`show session-config named NAME [diffs]`."""
    session = switch.sessions.get(words[0])
    if session is None:
        return Shown(complaint=f"Session {words[0]} does not exist")
    if words[1:] == ["diffs"]:
        lines = "\n".join(diff(switch.tree, session.tree))
        head = f"--- system:/running-config\n+++ session:/{words[0]}-session-config\n"
        return Shown(words=f"{head}{lines}\n" if lines else "")
    if words[1:]:
        return None
    return Shown(words=f"! Command: show session-config named {words[0]}\n{switch.head()}{text(session.tree)}")


def _sessions(fabric: Fabric, switch: Eos) -> Shown:
    """Since 4.32 the timer of a commit stands beside the sessions (field case A22)."""
    rows: dict[str, dict[str, object]] = {
        name: {"state": "pending" if one.state == "pending" else "completed", "commitUser": "", "instances": {}}
        for name, one in switch.sessions.items()
    }
    data: Data = {"sessions": rows, "maxSavedSessions": 1, "maxOpenSessions": MOST_SESSIONS}
    if switch.timer is not None:
        rows[switch.timer.session]["state"] = "committed"
        data["commitTimerSessionName"] = switch.timer.session
        data["commitTimerExpireTime"] = round(switch.timer.until_s - switch.booted_s, 2)
    lines = "".join(f"   {name:<30} {one.state}\n" for name, one in switch.sessions.items())
    words = f"Maximum number of completed sessions: 1\nMaximum number of pending sessions: {MOST_SESSIONS}\n\n{lines}"
    return Shown(words=words, data=data)


def _interfaces(fabric: Fabric, switch: Eos) -> Shown:
    ports = views.ports(fabric, switch)
    rows: dict[str, Data] = {}
    for name in names(switch.cages):
        port = ports.get(name)
        lines = switch.tree.get(f"interface {name}", {})
        up, enabled = port is not None and port.up, port is None or port.enabled
        rows[name] = {
            "name": name,
            "interfaceStatus": "connected" if up else "notconnect" if enabled else "disabled",
            "lineProtocolStatus": "up" if up else "down",
            "hardware": "ethernet",
            "description": _said(lines, "description "),
            "mtu": int(_said(lines, "mtu ") or 1500),
            "bandwidth": int(port.spec.speed) * 1_000_000 if port is not None else 0,
            "forwardingModel": "routed" if "no switchport" in lines else "bridged",
            "physicalAddress": switch.eeprom.mac,
            "lastStatusChangeTimestamp": BOOTED,
        }
    words = "".join(
        f"{name} is {row['lineProtocolStatus']}, line protocol is {row['lineProtocolStatus']} "
        f"({row['interfaceStatus']})\n"
        for name, row in rows.items()
    )
    return Shown(words=words, data={"interfaces": rows})


def _said(lines: Mapping[str, object], start: str) -> str:
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def _lldp(fabric: Fabric, switch: Eos) -> Shown:
    rows: list[dict[str, object]] = [
        {"port": name, "neighborDevice": said.system_name, "neighborPort": said.port_id, "ttl": 120}
        for name, said in lldp.heard(fabric, switch).items()
    ]
    words = "Port          Neighbor Device ID       Neighbor Port ID    TTL\n"
    words += "".join(f"{r['port']:<14}{r['neighborDevice']:<25}{r['neighborPort']:<20}120\n" for r in rows)
    return Shown(words=words, data={"lldpNeighbors": rows, "tablesAgeOuts": 0})


def _lldp_detail(fabric: Fabric, switch: Eos) -> Shown:
    heard = lldp.heard(fabric, switch)
    data = {n: {"lldpNeighborInfo": [_neighbor(heard[n])] if n in heard else []} for n in switch.facts().position}
    words = "".join(_neighbor_words(name, heard.get(name)) for name in data)
    return Shown(words=words, data={"lldpNeighbors": data})


def _lldp_of(fabric: Fabric, switch: Eos, words: list[str]) -> Shown | None:
    """`show lldp neighbors Ethernet1/1 [detail]`."""
    whole = _lldp_detail(fabric, switch)
    found = whole.data["lldpNeighbors"] if whole.data else {}
    if words[1:] not in ([], ["detail"]) or not isinstance(found, dict):
        return None
    return Shown(data={"lldpNeighbors": {name: row for name, row in found.items() if name == words[0]}})


def _neighbor(said: Said) -> Data:
    """EOS puts port ids into quotes within the text (field case A15), and MAC addresses into three groups."""
    port: Data = {
        "interfaceIdType": _PORT_TYPE[said.port_subtype],
        "interfaceId": _dotted(said.port_id) if said.port_subtype == 3 else f'"{said.port_id}"',
        "interfaceDescription": said.port_description,
    }
    return {
        "chassisId": _dotted(said.chassis_id) if said.chassis_subtype == 4 else said.chassis_id,
        "chassisIdType": "macAddress" if said.chassis_subtype == 4 else "local",
        "systemName": said.system_name,
        "systemDescription": said.system_description,
        "systemCapabilities": {name: True for name in said.capabilities if name in ("bridge", "router")},
        "ttl": 120,
        "neighborInterfaceInfo": port,
        "managementAddresses": [],
    }


def _dotted(mac: str) -> str:
    digits = mac.replace(":", "").lower()
    return ".".join(digits[at : at + 4] for at in (0, 4, 8)) if len(digits) == 12 else mac


def _neighbor_words(name: str, said: Said | None) -> str:
    if said is None:
        return f"Interface {name} detected 0 LLDP neighbors:\n\n"
    return (
        f"Interface {name} detected 1 LLDP neighbors:\n\n"
        f'  Neighbor {_dotted(said.chassis_id)}/"{said.port_id}", age 12 seconds\n'
        f"  - Chassis ID type: MAC address (4)\n    Chassis ID     : {_dotted(said.chassis_id)}\n"
        f'  - Port ID type: Interface name (5)\n    Port ID     : "{said.port_id}"\n'
        f'  - System Name: "{said.system_name}"\n\n'
    )


def _told(told: Callable[[Fabric, Eos], show_bgp.Told], fabric: Fabric, switch: Eos) -> Shown:
    words, data = told(fabric, switch)
    return Shown(words=words, data=data)


_COMMANDS: Final[Mapping[str, Callable[[Fabric, Eos], Shown]]] = {
    "version": _version,
    "hostname": _hostname,
    "running-config": _running,
    "running-config all": _running,
    "running-config sanitized": _running,
    "startup-config": _startup,
    "configuration sessions": _sessions,
    "configuration sessions detail": _sessions,
    "interfaces": _interfaces,
    "lldp neighbors": _lldp,
    "lldp neighbors detail": _lldp_detail,
    **{words: partial(_told, told) for words, told in (show_bgp.COMMANDS | show_ip.COMMANDS).items()},
}
