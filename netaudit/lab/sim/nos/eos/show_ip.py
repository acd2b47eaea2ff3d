"""`show ip interface`, `show ipv6 interface`, `show interfaces status`: words, and the data of eAPI."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from ipaddress import IPv4Interface, IPv6Interface
from typing import Final, TypeAlias

from netaudit.lab.sim import views
from netaudit.lab.sim.device import link_local_address
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.eos.device import Eos

Data: TypeAlias = dict[str, object]
Told: TypeAlias = tuple[str, Data]
_NONE: Final[Data] = {"address": "0.0.0.0", "maskLen": 0}


def _addresses(fabric: Fabric, switch: Eos, version: int) -> Told:
    """Every interface with an address of this version, or with a link-local one."""
    facts = switch.facts()
    up = set(fabric.links().far[switch.name]) | set(facts.loopbacks)
    words, rows = "", Data()
    for name in dict.fromkeys((*facts.addresses, *sorted(facts.link_local))):
        found = [one for one in facts.addresses.get(name, ()) if one.version == version]
        if not found and (version == 4 or name not in facts.link_local):
            continue
        state = "up" if name in up else "down"
        told = _v4(found) if version == 4 else _v6(found, link_local_address(switch.eeprom.mac))
        rows[name] = {"name": name, "lineProtocolStatus": state, "vrf": facts.bound.get(name, "default"), **told}
        words += f"{name} is {state}, line protocol is {state}\n" + "".join(
            f"  Internet address is {a}\n" for a in found
        )
    return words, {"interfaces": rows}


def _v4(found: list[IPv4Interface | IPv6Interface]) -> Data:
    first, *others = [{"address": str(one.ip), "maskLen": one.network.prefixlen} for one in found]
    return {"interfaceAddress": {"primaryIp": first, "secondaryIpsOrderedList": others, "virtualIp": _NONE}}


def _v6(found: list[IPv4Interface | IPv6Interface], link_local: str) -> Data:
    return {
        "addresses": [{"address": str(one.ip), "subnet": str(one.network)} for one in found],
        "linkLocal": {"address": link_local, "subnet": "fe80::/64"},
    }


def _status(fabric: Fabric, switch: Eos) -> Told:
    """`show interfaces status`: one line for each port."""
    words, rows = "Port       Name         Status       Vlan     Duplex Speed  Type\n", Data()
    for name, port in views.ports(fabric, switch).items():
        lines = switch.tree.get(f"interface {name}", {})
        status = "connected" if port.up else "notconnect" if port.enabled else "disabled"
        described = next((one.removeprefix("description ") for one in lines if one.startswith("description ")), "")
        rows[name] = {
            "description": described,
            "linkStatus": status,
            "bandwidth": int(port.spec.speed) * 1_000_000,
            "duplex": "duplexFull",
            "vlanInformation": {"interfaceMode": "routed" if "no switchport" in lines else "bridged"},
        }
        short = name.replace("Ethernet", "Et")
        words += f"{short:<10} {described[:12]:<12} {status:<12} {'routed':<8} full   {int(port.spec.speed) // 1000}G\n"
    return words, {"interfaceStatuses": rows}


COMMANDS: Final[dict[str, Callable[[Fabric, Eos], Told]]] = {
    "ip interface": partial(_addresses, version=4),
    "ipv6 interface": partial(_addresses, version=6),
    "interfaces status": _status,
}
