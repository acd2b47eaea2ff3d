"""Whether the VLAN tables of a config are what SONiC's YANG model of them accepts (sonic.md 1, sonic-vlan.yang)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from netaudit.lab.sim.database import Config, text

_MODES: Final = ("tagged", "untagged", "priority_tagged")
_NUMBERS: Final = range(2, 4095)


def refused(config: Config) -> str:
    """The first thing that the model does not accept, as it says it; empty where there is none."""
    return next(_problems(config), "")


def _problems(config: Config) -> Iterator[str]:
    yield from _rows(config)
    yield from _members(config)
    for key in config.get("VLAN_INTERFACE", {}):
        name, bar, _ = key.partition("|")
        if name not in config.get("VLAN", {}):
            yield f"Leafref of VLAN_INTERFACE|{key} points to no VLAN"
        if bar and name not in config["VLAN_INTERFACE"]:
            yield "Must condition not satisfied, Try adding Vlan<vlanid>: {}, Example: 'Vlan100': {}"


def _rows(config: Config) -> Iterator[str]:
    for name, row in config.get("VLAN", {}).items():
        number = name.removeprefix("Vlan")
        if not (number.isascii() and number.isdecimal() and f"Vlan{int(number)}" == name and int(number) in _NUMBERS):
            yield f"Value {name} does not satisfy the pattern of VLAN names"
        if text(row, "vlanid", number) != number:
            yield "The vlanid must correspond to the VLAN name"
        if "members" in row:
            yield f"Node members of VLAN|{name} is unknown"


def _members(config: Config) -> Iterator[str]:
    ports = config.get("PORT", {}).keys() | config.get("PORTCHANNEL", {}).keys()
    untagged: set[str] = set()
    for key, row in config.get("VLAN_MEMBER", {}).items():
        name, _, port = key.partition("|")
        if name not in config.get("VLAN", {}) or port not in ports:
            yield f"Leafref of VLAN_MEMBER|{key} points to no {'port' if name in config.get('VLAN', {}) else 'VLAN'}"
        if text(row, "tagging_mode") not in _MODES:
            yield f"tagging_mode of VLAN_MEMBER|{key} is mandatory: {', '.join(_MODES)}"
        if port in config.get("INTERFACE", {}):
            yield "Port is a router interface."
        if text(row, "tagging_mode") == "untagged":
            if port in untagged:
                yield "Port can be untagged in at most one VLAN."
            untagged.add(port)
