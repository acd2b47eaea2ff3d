"""What `nv show … -o json` prints of the running box, in the shapes of NVUE 5.x (nvue.md, docs.nvidia.com)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from netaudit.lab.sim import lldp, views
from netaudit.lab.sim.device import Said
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nvue.box import Nvue
from netaudit.lab.sim.nos.nvue.facts import part, value
from netaudit.lab.sim.views import PortView, SessionView

DEFAULT_MTU = 9216
"""Of a switch port (nvue.md section 3)."""
_LLDPD = {3: "mac", 4: "mac", 5: "ifname", 7: "local"}
"""Subtype → lldpd's word: of a chassis id 4 is the MAC address, of a port id 3 is."""


def operational(fabric: Fabric, box: Nvue, words: Sequence[str]) -> object | None:
    """The answer to `nv show WORDS`; `None` for what the simulator does not know."""
    match list(words):
        case ["system"]:
            return _system(box)
        case ["platform"]:
            return _platform(box)
        case ["interface"]:
            return {name: _interface(box, port) for name, port in views.ports(fabric, box).items()}
        case ["interface", "lldp" | "lldp-detail"]:
            return {name: {"lldp": _lldp(said)} for name, said in lldp.heard(fabric, box).items()}
        case ["interface", name] if name in box.facts().position:
            return _interface(box, views.ports(fabric, box)[name])
        case ["vrf", vrf, "router", "bgp", "neighbor"]:
            found = views.sessions(fabric, box, "" if vrf == "default" else vrf)
            return {one.key: _neighbor(one) for one in found}
    return None


def _system(box: Nvue) -> Mapping[str, object]:
    release = value(box.header, "version").split()[-1:]
    return {
        "build": value(box.header, "version"),
        "hostname": box.hostname(),
        "product-name": "Cumulus Linux",
        "product-release": release[0] if release else "",
        "platform": box.eeprom.platform,
        "system-mac": box.eeprom.mac,
    }


def _platform(box: Nvue) -> Mapping[str, object]:
    return {
        "asic-vendor": "Mellanox",
        "product-name": box.eeprom.platform,
        "serial-number": box.eeprom.serial,
        "system-mac": box.eeprom.mac,
    }


def _interface(box: Nvue, port: PortView) -> Mapping[str, object]:
    row = part(box.applied, "interface", port.native)
    speed = int(port.spec.speed) // 1000 if port.spec.speed.isdecimal() else 0
    return {
        "type": "swp",
        **({"description": value(row, "description")} if value(row, "description") else {}),
        "link": {
            "admin-status": "up" if port.enabled else "down",
            "oper-status": "up" if port.up else "down",
            "mtu": int(value(row, "link", "mtu", default=str(DEFAULT_MTU))),
            **({"speed": f"{speed}G"} if port.up else {}),
            "mac-address": box.eeprom.mac,
        },
    }


def _lldp(said: Said) -> Mapping[str, object]:
    name = said.system_name or said.chassis_id
    return {
        "neighbor": {
            name: {
                "age": str(views.UPTIME_S),
                "chassis": {
                    "chassis-id": said.chassis_id,
                    "system-name": said.system_name,
                    "system-description": said.system_description,
                    "capability": {f"is-{one}": "on" for one in said.capabilities},
                },
                "port": {
                    "name": said.port_id,
                    "type": _LLDPD[said.port_subtype],
                    "description": said.port_description,
                },
            }
        }
    }


def _neighbor(one: SessionView) -> Mapping[str, object]:
    return {
        "state": one.state.split()[0].lower(),
        "remote-as": one.remote_asn,
        "local-as": one.local_asn,
        **({"peer-group": one.group} if one.group else {}),
        **({"hostname": one.remote_hostname} if one.remote_hostname else {}),
        "remote-router-id": one.remote_router_id,
        "neighbor-address": one.address,
    }


def lldpctl(fabric: Fabric, box: Nvue) -> Mapping[str, object]:
    """`lldpctl -f json0`: every value in a list, whether there is one or several (field/real/frr)."""
    return {
        "lldp": [
            {
                "interface": [
                    _heard(name, number, said) for number, (name, said) in enumerate(_all(fabric, box), start=1)
                ]
            }
        ]
    }


def _all(fabric: Fabric, box: Nvue) -> Sequence[tuple[str, Said]]:
    return tuple(lldp.heard(fabric, box).items())


def _heard(name: str, number: int, said: Said) -> Mapping[str, object]:
    capabilities = [{"type": one.capitalize(), "enabled": True} for one in said.capabilities]
    return {
        "name": name,
        "via": "LLDP",
        "rid": str(number),
        "age": "0 day, 00:01:00",
        "chassis": [
            {
                "id": [{"type": _LLDPD[said.chassis_subtype], "value": said.chassis_id}],
                "name": [{"value": said.system_name}],
                "descr": [{"value": said.system_description}],
                "capability": capabilities,
            }
        ],
        "port": [
            {
                "id": [{"type": _LLDPD[said.port_subtype], "value": said.port_id}],
                "descr": [{"value": said.port_description}],
                "ttl": [{"value": "120"}],
            }
        ],
    }
