"""One NX-OS switch: its configuration in force, its files, its checkpoints; what follows from them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from pathlib import Path
from typing import Final, cast

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim.device import Eeprom, Facts, Said, read_eeprom
from netaudit.lab.sim.frr_config import FrrConfig
from netaudit.lab.sim.nos.nxos.config import Cage, Editor, Tree, block, load, ports, refuses, text
from netaudit.lab.sim.nos.nxos.routing import interpret
from netaudit.lab.sim.ports import PortSpec

STARTUP_FILE: Final = "startup-config"
PORTS_FILE: Final = "ports.json"
FLASH: Final = "bootflash:"
VERSION: Final = "10.4(3)"
"""What the simulated boxes run."""
_FEC: Final = {"rs-fec": "rs", "rs-cons16": "rs", "rs-ieee": "rs", "kp-fec": "rs", "fc-fec": "fc", "off": "none"}
_OUTSIDE: Final = ("management",)
"""VRFs that carry nothing of the fabric."""
WHEN: Final = "Mon Jan  5 10:00:00 2026"
"""The lab's clock stands still, so that answers can be compared."""


@dataclass(slots=True, kw_only=True)
class Nexus:
    """One switch, and all of it that changes while the lab runs."""

    name: str
    folder: Path
    eeprom: Eeprom
    cages: Mapping[int, Cage]
    tree: Tree = field(default_factory=dict)
    """The configuration in force; replaced whole, never changed in place."""
    changes: int = 0
    """How often it was changed, which the head of its text tells."""
    known: tuple[Tree, Facts] | None = None

    def hostname(self) -> str:
        """The name it gives itself."""
        return next((head.split()[1] for head in self.tree if head.startswith("hostname ")), "switch")

    def put(self, tree: Tree) -> None:
        """Put a configuration in force."""
        if tree is not self.tree:
            self.tree, self.changes = tree, self.changes + 1

    def running(self) -> str:
        """`show running-config`, without the head that tells when it was shown."""
        return f"version {VERSION} Bios:version 05.51\n" + "\n".join(text(self.tree)).lstrip("\n") + "\n"

    @property
    def startup(self) -> Path:
        """The file that a reload brings back."""
        return self.folder / STARTUP_FILE

    def facts(self) -> Facts:
        """What follows from the configuration in force."""
        if self.known is None or self.known[0] is not self.tree:
            self.known = (self.tree, _facts(self.tree, self.cages))
        return self.known[1]

    def says(self, native: str) -> Said | None:
        """What a port sends by LLDP: its name as port id."""
        lines = self.tree.get(f"interface {native}", {})
        if "feature lldp" not in self.tree or "no lldp transmit" in lines:
            return None
        described = next((one.removeprefix("description ") for one in lines if one.startswith("description ")), native)
        return Said(
            chassis_id=self.eeprom.mac,
            port_id=native,
            port_description=described,
            system_name=self.hostname(),
            system_description=f"Cisco Nexus Operating System (NX-OS) Software {VERSION}",
        )

    def routing(self) -> Tree:
        """The whole configuration in force."""
        return self.tree

    def put_routing(self, config: object) -> None:
        """Put a configuration in force."""
        self.put(cast(Tree, config))

    def run_as(self, asn: int) -> None:
        """BGP under another ASN: the number stands in the head of its block."""
        head = self._speaker()
        self.put({(f"router bgp {asn}" if one == head else one): below for one, below in self.tree.items()})

    def originate(self, prefix: str, *, wanted: bool) -> None:
        """A `network` line more, with a discard route that carries it; or one less."""
        family, kind = ("ipv6", "ipv6") if ":" in prefix else ("ipv4", "ip")
        route = f"{kind} route {prefix} Null0\n" if wanted else ""
        no = "" if wanted else "no "
        self.typed(f"{route}{self._speaker()}\naddress-family {family} unicast\n{no}network {prefix}")

    def typed(self, text: str) -> None:
        """Lines typed in configuration mode. Raises `Invalid` for one that the CLI does not take."""
        editor = Editor(tree=self.tree, cages=self.cages)
        answers = [(line, editor.run(line)) for line in text.splitlines()]
        said = [
            f"{self.name} does not take `{line.strip()}`: {one.strip(' ^')}" for line, one in answers if refuses(one)
        ]
        if said:
            raise Invalid([Diagnostic(message=" ".join(one.split())) for one in said])
        self.put(editor.tree)

    def _speaker(self) -> str:
        """The head of the router bgp block. Raises `Invalid`."""
        found = next((head for head in self.tree if head.startswith("router bgp ")), "")
        if not found:
            raise Invalid([Diagnostic(message=f"{self.name} runs no BGP", hint="push its configuration first")])
        return found


def boot(name: str, folder: Path) -> Nexus:
    """A switch as it comes up from its files. Raises `Invalid` where one is missing or broken."""
    switch = Nexus(name=name, folder=folder, eeprom=read_eeprom(folder), cages=_read_cages(folder / PORTS_FILE))
    (folder / FLASH).mkdir(exist_ok=True)
    try:
        saved = switch.startup.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise Invalid([Diagnostic(message=f"{name} cannot boot: {error}")]) from error
    switch.tree, refused = load(saved, switch.cages)
    if refused:
        raise Invalid([Diagnostic(message=f"{name} cannot boot: {one}") for one in refused])
    return switch


def _read_cages(path: Path) -> Mapping[int, Cage]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {int(row["cage"]): Cage(int(row["lanes"]), int(row["speed_mbps"])) for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Invalid([Diagnostic(message=f"{path} is no table of cages: {error!r}")]) from error


def _facts(tree: Tree, cages: Mapping[int, Cage]) -> Facts:
    """The facts of one configuration."""
    native: dict[str, str] = {}
    specs: dict[str, PortSpec] = {}
    for name, (place, lanes, speed) in ports(tree, cages).items():
        native[place] = name
        specs[place] = _spec(name, block(tree, (f"interface {name}",)), lanes, speed)
    addresses, link_local, bound = _layer_3(tree)
    vrfs = frozenset(head.split()[2] for head in tree if head.startswith("vrf context "))
    return Facts(
        native=native,
        position={name: place for place, name in native.items()},
        ports=specs,
        addresses=addresses,
        link_local=link_local,
        frr=interpret(tree) if "feature bgp" in tree else FrrConfig(),
        vrfs=vrfs - frozenset(_OUTSIDE),
        bound=bound,
        loopbacks=frozenset(name for name in addresses if name.startswith("loopback")),
        members=_members(tree),
    )


def _spec(name: str, lines: Tree, lanes: int, speed_mbps: int) -> PortSpec:
    """What a port asks of its link. A routed port is down until `no shutdown`, a switched one up until `shutdown`."""
    routed = "no switchport" in lines
    enabled = "no shutdown" in lines if routed else "shutdown" not in lines
    speed = _value(lines, "speed ") or "auto"
    return PortSpec(
        native=name,
        enabled=enabled,
        speed=str(speed_mbps) if speed == "auto" else speed,
        lanes=lanes,
        fec=_FEC.get(_value(lines, "fec "), ""),
    )


def _value(lines: Tree, start: str) -> str:
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


_ADDRESS: Final = re.compile(r"(?:ip|ipv6) address ([0-9a-fA-F:.]+/\d+)")


def _layer_3(
    tree: Tree,
) -> tuple[Mapping[str, tuple[IPv4Interface | IPv6Interface, ...]], frozenset[str], Mapping[str, str]]:
    """Addresses, interfaces with a link-local address, and VRFs, by interface."""
    addresses: dict[str, tuple[IPv4Interface | IPv6Interface, ...]] = {}
    link_local: set[str] = set()
    bound: dict[str, str] = {}
    for head, lines in tree.items():
        name = head.removeprefix("interface ")
        vrf = _value(lines, "vrf member ")
        if not head.startswith(("interface Ethernet", "interface loopback", "interface Vlan")) or vrf in _OUTSIDE:
            continue
        found = tuple(ip_interface(one[1]) for line in lines if (one := _ADDRESS.match(line)))
        if found:
            addresses[name] = found
        if "ipv6 address use-link-local-only" in lines or any(one.version == 6 for one in found):
            link_local.add(name)
        if vrf:
            bound[name] = vrf
    return addresses, frozenset(link_local), bound


def _members(tree: Tree) -> Mapping[str, tuple[str, ...]]:
    """VLAN interface → its ports."""
    found: dict[str, list[str]] = {}
    for head, lines in tree.items():
        if head.startswith("interface Ethernet") and "no switchport" not in lines:
            for vlan in _vlans(lines):
                found.setdefault(f"Vlan{vlan}", []).append(head.removeprefix("interface "))
    return {vlan: tuple(names) for vlan, names in found.items()}


def _vlans(lines: Tree) -> set[int]:
    if "switchport mode trunk" not in lines:
        return {int(_value(lines, "switchport access vlan ") or 1)}
    allowed = _value(lines, "switchport trunk allowed vlan ")
    found: set[int] = set()
    for part in (allowed or "1").split(","):
        low, _, high = part.partition("-")
        if low.isdecimal():
            found |= set(range(int(low), int(high or low) + 1))
    return found
