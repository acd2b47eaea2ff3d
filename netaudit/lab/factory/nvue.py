"""The files a switch with Cumulus Linux ships with once it is racked: its startup.yaml, and the cages it has.

NVUE's own startup file has a host name, the account of `cumulus`, the API and the management port (NVUE-CLI of
CumulusNetworks/docs, "Default Startup File"). Nothing here knows an intent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from netaudit.diag import Diagnostic, Invalid
from netaudit.hardware import Cage, SwitchModel

VENDOR: Final = "NVIDIA"
"""Cumulus Linux runs on switches of NVIDIA with a Spectrum chip, and on no other chip since 5.0."""
VERSION: Final = "5.17.0"
"""The release whose documentation nvue.md follows."""


def factory_files(
    model: SwitchModel, hwsku: str, *, hostname: str = "cumulus", serial: str, mac: str, version: str = VERSION
) -> Mapping[str, str]:
    """`eeprom.json`, `hwsku/ports.json` and `etc/nvue.d/startup.yaml`. Raises `Invalid` for a box of another vendor.

    `version`: of the software, 5.11 and later; before 5.15 it has other words (nvue.md section 1).
    """
    if model.vendor != VENDOR:
        raise Invalid([Diagnostic(message=f"{model.name} runs no Cumulus Linux", hint="switches of NVIDIA do")])
    product = (model.title or model.name).removeprefix("NVIDIA ")
    eeprom = {"serial": serial, "mac": mac, "platform": product, "hwsku": hwsku}
    return {
        "eeprom.json": json.dumps(eeprom, indent=1) + "\n",
        "hwsku/ports.json": json.dumps({str(cage.number): _cage(cage) for cage in model.cages}) + "\n",
        "etc/nvue.d/startup.yaml": _startup(product, hostname, version),
    }


def _cage(cage: Cage) -> Mapping[str, object]:
    """Lanes, and the fastest speed of a port by how many the cage is split into."""
    speeds = {mode.partition("x")[0]: found[0] for mode, found in cage.breakouts.items()}
    return {"lanes": len(cage.lanes), "speeds_mbps": {"1": cage.max_speed_mbps, **speeds}}


_MANAGEMENT: Final = """\
        ipv4:
          dhcp-client:
            state: enabled
        type: eth
        vrf: mgmt"""
_OLD_MANAGEMENT: Final = """\
        ip:
          address:
            dhcp: {}
          vrf: mgmt
        type: eth"""


def _startup(product: str, hostname: str, version: str) -> str:
    """The account's password hash is that of nothing; it is there because a real file has one, which nobody may see."""
    major, minor, *_ = version.split(".")
    management = _MANAGEMENT if (int(major), int(minor)) >= (5, 15) else _OLD_MANAGEMENT
    return f"""- header:
    model: {product}
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux {version}
- set:
    interface:
      eth0:
{management}
    system:
      aaa:
        user:
          cumulus:
            hashed-password: $6$lab$simulated.hash.of.no.password
            role: system-admin
      api:
        state: enabled
      config:
        auto-save:
          state: enabled
      hostname: {hostname}
"""
