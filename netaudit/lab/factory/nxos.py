"""The files an NX-OS switch comes with once it is racked: a management address, users, and the APIs switched on."""

from __future__ import annotations

import json
from collections.abc import Mapping

from netaudit.hardware import SwitchModel


def factory_files(
    model: SwitchModel, hwsku: str, *, hostname: str = "switch", serial: str, mac: str
) -> Mapping[str, str]:
    """Path → text of what the box ships with: `eeprom.json`, `ports.json` and `startup-config`.

    Every port is a switched one, and up; nothing of a fabric is configured.
    """
    title = model.title or model.name
    eeprom = {"serial": serial, "mac": mac, "platform": f"Nexus9000 {title}", "hwsku": hwsku or model.name}
    ports = [{"cage": cage.number, "lanes": len(cage.lanes), "speed_mbps": cage.max_speed_mbps} for cage in model.cages]
    return {
        "eeprom.json": json.dumps(eeprom, indent=1) + "\n",
        "ports.json": json.dumps(ports) + "\n",
        "startup-config": _startup(hostname),
    }


def _startup(hostname: str) -> str:
    """The configuration of a switch that nobody has given a part in a fabric.

    The hash of the password is that of nothing; it stands there because a real configuration has one, which no plan,
    log or report may show.
    """
    return "\n".join(
        (
            "!Command: show startup-config",
            "!Startup config saved at: Mon Jan  5 09:00:00 2026",
            "",
            "version 10.4(3) Bios:version 05.51",
            f"hostname {hostname}",
            f"vdc {hostname} id 1",
            "  limit-resource vlan minimum 16 maximum 4094",
            "  limit-resource vrf minimum 2 maximum 4096",
            "",
            "feature nxapi",
            "feature scp-server",
            "feature grpc",
            "feature openconfig",
            "username admin password 5 $5$NETAUDIT$simulated.hash.of.no.password  role network-admin",
            "ip domain-lookup",
            "copp profile strict",
            "snmp-server user admin network-admin auth md5 0x0123456789abcdef priv 0x0123456789abcdef localizedkey",
            "ntp server 192.0.2.123 use-vrf management",
            "vlan 1",
            "vrf context management",
            "  ip route 0.0.0.0/0 192.0.2.254",
            "",
            "interface mgmt0",
            "  vrf member management",
            "  ip address 192.0.2.1/24",
            "line console",
            "line vty",
            "",
        )
    )
