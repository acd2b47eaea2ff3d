"""The files an EOS switch comes with once it is racked: a management address, a user, and the APIs switched on."""

from __future__ import annotations

import json
from collections.abc import Mapping

from netaudit.hardware import SwitchModel

FLASH = "mnt/flash"


def factory_files(
    model: SwitchModel, hwsku: str, *, hostname: str = "localhost", serial: str, mac: str
) -> Mapping[str, str]:
    """Path → text of what the box ships with: `eeprom.json`, `ports.json` and `mnt/flash/startup-config`.

    Every port is a switched one, and up; nothing of a fabric is configured.
    """
    name = (model.title or model.name).removeprefix(f"{model.vendor} ").replace(" ", "-").upper()
    eeprom = {"serial": serial, "mac": mac, "platform": f"DCS-{name}", "hwsku": hwsku or model.name}
    ports = {cage.number: {"lanes": len(cage.lanes), "speed_mbps": cage.max_speed_mbps} for cage in model.cages}
    return {
        "eeprom.json": json.dumps(eeprom, indent=1) + "\n",
        "ports.json": json.dumps(ports) + "\n",
        f"{FLASH}/startup-config": _startup(hostname, f"DCS-{name}"),
    }


def _startup(hostname: str, box: str) -> str:
    """The configuration of a switch that nobody has given a part in a fabric, as eos.md section 5 has its management.

    The hash of the password is that of nothing; it stands there because a real configuration has one, which no plan,
    log or report may show.
    """
    return f"""! device: {hostname} ({box}, EOS-4.36.1F)
!
! boot system flash:/EOS.swi
!
service routing protocols model multi-agent
!
hostname {hostname}
!
spanning-tree mode none
!
no aaa root
!
username admin privilege 15 role network-admin secret sha512 $6$NETAUDIT$simulated.hash.of.no.password
!
vrf instance MGMT
!
management api http-commands
   no shutdown
!
management api gnmi
   transport grpc default
      ssl profile lab
      port 6030
!
management security
   !
   ssl profile lab
      certificate lab.crt key lab.key
!
interface Management1
   vrf MGMT
   ip address 192.0.2.1/24
!
no ip routing vrf MGMT
!
ntp server vrf MGMT 192.0.2.123
!
end
"""
