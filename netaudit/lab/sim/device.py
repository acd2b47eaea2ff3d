"""What the running lab needs of a device, whatever its NOS is: what it is, what follows from its configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Interface, IPv6Interface, ip_address
from pathlib import Path
from typing import Protocol

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim.frr_config import FrrConfig
from netaudit.lab.sim.ports import PortSpec

EEPROM_FILE = "eeprom.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Eeprom:
    """What is burned into the box."""

    serial: str
    mac: str
    platform: str
    """The vendor's name of the hardware: `x86_64-nvidia_sn5600-r0`, `SN5600`, `DCS-7060X6-64PE`."""
    hwsku: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What follows from the configuration of one device alone. Interfaces are called as the device calls them."""

    native: Mapping[str, str]
    """Front panel position → native name."""
    position: Mapping[str, str]
    """Native name → front panel position."""
    ports: Mapping[str, PortSpec]
    """Front panel position → what the port asks of its link."""
    addresses: Mapping[str, tuple[IPv4Interface | IPv6Interface, ...]]
    """Interface → its addresses. Of a port it is the native name, whatever unit or sub-interface carries them."""
    link_local: frozenset[str]
    """Interfaces with an IPv6 link-local address."""
    frr: FrrConfig
    """What routing does, in FRR's words on every NOS; an over-interface peer has the native name as its key."""
    vrfs: frozenset[str] = frozenset()
    """VRFs that exist beside the default one."""
    bound: Mapping[str, str] = field(default_factory=dict)
    """Interface → the VRF that it is bound to, which may not exist; those of the default VRF are left out."""
    loopbacks: frozenset[str] = frozenset()
    """Interfaces that are always up."""
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Interface of a VLAN → its ports."""

    def vrf(self, interface: str) -> str | None:
        """The VRF an interface is in, empty for the default one; `None` while it waits for one that is not there."""
        name = self.bound.get(interface, "")
        return name if not name or name in self.vrfs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a port sends by LLDP. Subtypes are numbers of IEEE 802.1AB."""

    chassis_id: str
    port_id: str
    port_description: str
    system_name: str
    system_description: str
    chassis_subtype: int = 4
    """4: MAC address, 7: locally assigned."""
    port_subtype: int = 5
    """3: MAC address, 5: interface name, 7: locally assigned."""
    capabilities: tuple[str, ...] = ("bridge", "router")


class Device(Protocol):
    """A device of the running lab. Its kind is the module of `lab.sim.nos` that made it."""

    @property
    def name(self) -> str:
        """As lab.json calls it."""

    @property
    def folder(self) -> Path:
        """The box's file system."""

    @property
    def eeprom(self) -> Eeprom:
        """What is burned into the box."""

    def hostname(self) -> str:
        """The name it gives itself."""

    def facts(self) -> Facts:
        """What follows from the configuration in force; the same object until that changes."""

    def says(self, native: str) -> Said | None:
        """What a port sends by LLDP; `None` where LLDP is off there: it hears nobody either."""

    def routing(self) -> object:
        """The configuration that routing follows, a value that is never changed in place: what faults change."""

    def put_routing(self, config: object) -> None:
        """Put such a value in force, saved nowhere."""

    def run_as(self, asn: int) -> None:
        """BGP of the default VRF runs under another ASN, as if somebody had typed it."""

    def originate(self, prefix: str, *, wanted: bool) -> None:
        """A prefix is originated in the default VRF though no port has it, or is no longer."""

    def typed(self, text: str) -> None:
        """Lines of configuration that somebody typed in, in force and saved nowhere. Raises `Invalid`."""


def read_eeprom(folder: Path) -> Eeprom:
    """What is burned into a box, from its file. Raises `Invalid`."""
    path = folder / EEPROM_FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Eeprom(**{field: str(data[field]) for field in ("serial", "mac", "platform", "hwsku")})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Invalid([Diagnostic(message=f"{path} is no eeprom: {error!r}")]) from error


@lru_cache(maxsize=1024)
def link_local_address(mac: str) -> str:
    """The EUI-64 link-local address. All ports of a switch share its MAC, so it is the same on each of them."""
    octets = bytearray(int(part, 16) for part in mac.split(":"))
    octets[0] ^= 2
    host = bytes(octets[:3]) + b"\xff\xfe" + bytes(octets[3:])
    return str(ip_address(b"\xfe\x80" + bytes(6) + host))
