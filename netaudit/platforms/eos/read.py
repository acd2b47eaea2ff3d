"""A device's state out of its configuration text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from netaudit.platforms import Files
from netaudit.platforms.eos.bgp_read import Routing, read_bgp, routing_line
from netaudit.platforms.eos.buffers import Reader
from netaudit.platforms.eos.ports import (
    Stanza,
    keys_of,
    management_vrfs,
    read_interfaces,
    read_ports,
    read_stanza,
    read_vlans,
    vlan_numbers,
)
from netaudit.platforms.eos.qos_read import Switch, read_qos, switch_line
from netaudit.platforms.eos.raw import read_raw
from netaudit.platforms.eos.text import Line, Unreadable, parse
from netaudit.state import ABSENT, Device, Leaf, Lldp, System

CONFIG = "eos.cfg"


@dataclass(slots=True)
class Config:
    """A configuration, taken apart."""

    hostname: Leaf[str] = ABSENT
    lldp: bool = True
    vrfs: set[str] = field(default_factory=set)
    vlans: set[str] = field(default_factory=set)
    stanzas: list[Stanza] = field(default_factory=list)
    routing: Routing = field(default_factory=Routing)
    switch: Switch = field(default_factory=Switch)
    mmu: Reader = field(default_factory=Reader)
    lines: Sequence[Line] = ()


def read_config(files: Files, name: str) -> Device:
    """The state that `eos.cfg` describes. Raises `Unreadable` for text that EOS does not write."""
    text = files.get(CONFIG)
    if text is None:
        raise Unreadable(f"there is no {CONFIG}")
    return device_of(text, name)


def device_of(text: str, name: str) -> Device:
    """The same of the text alone."""
    return device_from(config_of(parse(text)), name)


def device_from(found: Config, name: str) -> Device:
    """The same of its parts, which are used up by it."""
    keys = keys_of(found.stanzas)
    managed = management_vrfs(found.stanzas)
    return Device(
        name=name,
        platform="eos",
        system=System(hostname=found.hostname),
        vrfs=frozenset(found.vrfs - managed),
        qos=read_qos(found.switch, found.stanzas, keys),
        ports=read_ports(found.stanzas, keys),
        interfaces=read_interfaces(found.stanzas, keys),
        vlans=read_vlans(frozenset(found.vlans), found.stanzas, keys),
        bgp=read_bgp(found.routing, keys),
        buffers=found.mmu.buffers,
        lldp=Lldp(enabled=found.lldp),
        raw=read_raw(found.lines),
    )


def config_of(lines: Iterable[Line]) -> Config:
    """The parts of a configuration. A later stanza of one interface adds to the earlier one."""
    found = Config()
    merged = _merged(lines)
    found.lines = merged
    for line in merged:
        match line.words:
            case ["hostname", hostname]:
                found.hostname = hostname
            case ["no", "lldp", "run"]:
                found.lldp = False
            case ["vrf", "instance", vrf]:
                found.vrfs.add(vrf)
            case ["vlan", numbers]:
                found.vlans.update(vlan_numbers(numbers))
            case ["interface", _]:
                found.stanzas.append(read_stanza(line))
            case _:
                _ = routing_line(found.routing, line) or found.mmu.line(line) or switch_line(found.switch, line)
    return found


def _merged(lines: Iterable[Line]) -> list[Line]:
    """Stanzas with one head are one."""
    known: dict[str, Line] = {}
    for line in lines:
        if line.text in known:
            known[line.text].below.extend(line.below)
        else:
            known[line.text] = line
    return list(known.values())
