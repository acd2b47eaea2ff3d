"""What a QFX with Junos Evolved ships with, made from the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.diag import Diagnostic, Invalid
from netaudit.hardware import SwitchModel

VERSION: Final = "24.4R1.8-EVO"
"""The release whose grammar the simulator has (junos.md, J2)."""


def factory_files(model: SwitchModel, hwsku: str, *, hostname: str, serial: str, mac: str) -> Mapping[str, str]:
    """Path → text of what the box ships with: `config/juniper.conf`, `chassis.json`, `eeprom.json`.

    Raises `Invalid` for a HWSKU that the model does not have.
    """
    if hwsku not in model.hwskus:
        known = ", ".join(sorted(model.hwskus))
        raise Invalid([Diagnostic(message=f"{model.name} has no HWSKU `{hwsku}`", hint=f"it has {known}")])
    cages = {str(cage.number): [len(cage.lanes), cage.max_speed_mbps] for cage in model.cages}
    chassis = {"model": model.name, "version": VERSION, "cages": cages}
    eeprom = {"serial": serial, "mac": mac, "platform": model.name, "hwsku": hwsku}
    return {
        "config/juniper.conf": "".join(line + "\n" for line in _configuration(hostname)),
        "chassis.json": json.dumps(chassis, indent=1) + "\n",
        "eeprom.json": json.dumps(eeprom, indent=1) + "\n",
    }


def _configuration(hostname: str) -> Iterator[str]:
    """The factory default, with what racking added: a name, a user, SSH and NETCONF."""
    yield from (
        f"version {VERSION};",
        "system {",
        f"    host-name {hostname};",
        "    root-authentication {",
        '        encrypted-password "$6$lab$lab";',
        "    }",
        "    login {",
        "        user admin {",
        "            class super-user;",
        "            authentication {",
        '                encrypted-password "$6$lab$lab";',
        "            }",
        "        }",
        "    }",
        "    services {",
        "        ssh;",
        "        netconf {",
        "            ssh;",
        "        }",
        "    }",
        "    management-instance;",
        "}",
        "interfaces {",
        "    re0:mgmt-0 {",
        "        unit 0 {",
        "            family inet {",
        "                address 192.0.2.2/24;",
        "            }",
        "        }",
        "    }",
        "}",
        "protocols {",
        "    lldp {",
        "        interface all;",
        "    }",
        "}",
    )
