"""One switch: its files, its databases, its routing daemons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from pathlib import Path
from typing import cast

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim import frr_text
from netaudit.lab.sim.buffers import Lookup, after_buffermgrd, read_lookup
from netaudit.lab.sim.database import Config, Row, merged, metadata, read_config, text
from netaudit.lab.sim.device import Eeprom, Facts, Said, read_eeprom
from netaudit.lab.sim.dynamic import Applied, after_dynamic
from netaudit.lab.sim.frr_config import FrrConfig, interpret
from netaudit.lab.sim.frr_text import FrrText
from netaudit.lab.sim.ports import port_spec, positions, read_port_config, robbed

CONFIG_FILE = "etc/sonic/config_db.json"
INIT_FILE = "etc/sonic/init_cfg.json"
FRR_FILE = "etc/sonic/frr/frr.conf"
_FOLDERS = ("tmp", "home/admin", "etc/sonic/frr")
"""What every box has."""
_FPM_LINES = ("no fpm use-next-hop-groups", "fpm address 127.0.0.1")
"""What the bgp container appends to an frr.conf of ours at its start, where it is missing (sonic.md 6)."""


@dataclass(slots=True, kw_only=True)
class Switch:
    """One switch, and all of it that changes while the lab runs."""

    name: str
    folder: Path
    """The box's file system."""
    eeprom: Eeprom
    port_config: Mapping[str, Row]
    lookup: Lookup
    config: Config = field(default_factory=dict)
    """CONFIG_DB; replaced whole, never changed in place."""
    frr: FrrText = field(default_factory=lambda: {(): ()})
    """FRR's running configuration; replaced whole likewise."""
    flaps: Counter[str] = field(default_factory=Counter)
    """Native name → how often a change took the port down and up."""
    computes: bool = False
    """The dynamic buffer model is in force: taken up at a start, whatever is configured later (sonic.md 1)."""
    headroom: Applied = field(default_factory=Applied)
    """What buffermgrd has computed in the dynamic model."""
    known: tuple[Config, FrrText, Facts] | None = None
    """Facts, with the configurations that they were made from."""

    def take(self, config: Config) -> None:
        """Put a CONFIG_DB in force; the daemons add what is theirs."""
        wanted = {table: rows for table, rows in config.items() if rows}
        self.config = wanted if self.computes else after_buffermgrd(wanted, self.lookup)
        self.headroom = after_dynamic(self.config, self.headroom) if self.computes else Applied()

    def hostname(self) -> str:
        """The name it gives itself."""
        return text(metadata(self.config), "hostname") or self.name

    def says(self, native: str) -> Said | None:
        """What lldpd sends on a port: its alias as port id (lldpmgrd), its name where it has none."""
        if not _lldp_runs(self.config, native):
            return None
        return Said(
            chassis_id=text(metadata(self.config), "mac", self.eeprom.mac),
            port_id=text(self.config.get("PORT", {}).get(native, {}), "alias") or native,
            port_subtype=7,
            port_description=native,
            system_name=self.hostname(),
            system_description=f"SONiC Software Version: SONiC.202411 - HwSku: {self.eeprom.hwsku}",
        )

    def routing(self) -> FrrText:
        """FRR's running configuration."""
        return self.frr

    def put_routing(self, config: object) -> None:
        """Put a running configuration of FRR in force."""
        self.frr = cast(FrrText, config)

    def run_as(self, asn: int) -> None:
        """FRR runs under another ASN."""
        self.frr = frr_text.replaced_head(self.frr, self._speaker(), f"router bgp {asn}")

    def originate(self, prefix: str, *, wanted: bool) -> None:
        """A `network` line more, with a discard route that carries it; or one less."""
        family = "ipv6" if ":" in prefix else "ipv4"
        kind = "ipv6" if ":" in prefix else "ip"
        statement = (
            f"{self._speaker()}\n address-family {family} unicast\n  {'' if wanted else 'no '}network {prefix}\n"
        )
        route = f"{kind} route {prefix} blackhole\n" if wanted else ""
        self.frr, _ = frr_text.load(route + statement, into=self.frr)

    def typed(self, text: str) -> None:
        """Lines typed into vtysh. Raises `Invalid` for one that FRR does not take."""
        self.frr, problems = frr_text.load(text, into=self.frr)
        if problems:
            raise Invalid([Diagnostic(message=f"{self.name} does not take {one}") for one in problems])

    def _speaker(self) -> str:
        """The head of the router bgp block. Raises `Invalid`."""
        found = next((at[0] for at in self.frr if at and at[0].startswith("router bgp ")), "")
        if not found:
            raise Invalid([Diagnostic(message=f"{self.name} runs no BGP", hint="push its configuration first")])
        return found

    def facts(self) -> Facts:
        """What follows from the configurations in force."""
        if self.known is None or self.known[0] is not self.config or self.known[1] is not self.frr:
            frr = self.known[2].frr if self.known and self.known[1] is self.frr else interpret(self.frr)
            self.known = (self.config, self.frr, _facts(self.config, frr, self.port_config))
        return self.known[2]


def _facts(config: Config, frr: FrrConfig, port_config: Mapping[str, Row]) -> Facts:
    """The facts of one pair of configurations."""
    native = positions(config, port_config)
    addresses: dict[str, list[IPv4Interface | IPv6Interface]] = {}
    for table in ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE"):
        for key in config.get(table, {}):
            interface, _, address = key.partition("|")
            if address:
                addresses.setdefault(interface, []).append(ip_interface(address))
    for interface, texts in frr.addresses.items():
        addresses.setdefault(interface, []).extend(map(ip_interface, texts))
    layer_3 = (config.get(table, {}) for table in ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE"))
    bound = {key: vrf for rows in layer_3 for key, row in rows.items() if (vrf := text(row, "vrf_name"))}
    waiting = {interface for interface, vrf in bound.items() if vrf not in config.get("VRF", {})}
    addresses = {interface: found for interface, found in addresses.items() if interface not in waiting}
    enabled = {
        key for key, row in config.get("INTERFACE", {}).items() if text(row, "ipv6_use_link_local_only") == "enable"
    }
    unmade = robbed(config.get("PORT", {}))
    specs = {place: port_spec(name, config["PORT"][name]) for place, name in native.items()}
    with_ipv6 = {name for name, found in addresses.items() if any(one.version == 6 for one in found)}
    return Facts(
        native=native,
        position={name: place for place, name in native.items()},
        ports={place: replace(one, enabled=one.enabled and one.native not in unmade) for place, one in specs.items()},
        addresses={name: tuple(found) for name, found in addresses.items()},
        link_local=frozenset((enabled | with_ipv6) - waiting),
        frr=frr,
        vrfs=frozenset(config.get("VRF", {})),
        bound=bound,
        loopbacks=frozenset(name for name in addresses if name.startswith("Lo")),
        members=_members(config),
    )


def _members(config: Config) -> Mapping[str, tuple[str, ...]]:
    """VLAN interface → its ports."""
    found: dict[str, list[str]] = {}
    for key in config.get("VLAN_MEMBER", {}):
        vlan, _, port = key.partition("|")
        found.setdefault(vlan, []).append(port)
    return {vlan: tuple(ports) for vlan, ports in found.items()}


def _lldp_runs(config: Config, native: str) -> bool:
    """Whether LLDP runs on a port."""
    rows = (config.get("LLDP", {}).get("GLOBAL", {}), config.get("LLDP_PORT", {}).get(native, {}))
    feature = text(config.get("FEATURE", {}).get("lldp", {}), "state", "enabled")
    return all(text(row, "enabled", "true") == "true" for row in rows) and feature != "disabled"


def boot(name: str, folder: Path) -> Switch:
    """A switch as it comes up from its files. Raises `Invalid` where one is missing or broken."""
    switch = Switch(
        name=name,
        folder=folder,
        eeprom=read_eeprom(folder),
        port_config=read_port_config(_optional(folder / "hwsku/port_config.ini")),
        lookup=read_lookup(_optional(folder / "hwsku/pg_profile_lookup.ini")),
    )
    for name in _FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    path = folder / CONFIG_FILE
    try:
        saved = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise Invalid([Diagnostic(message=f"{name} cannot boot: {error}")]) from error
    restart(switch, read_config(saved, str(path)))
    return switch


def restart(switch: Switch, config: Config) -> None:
    """Put a whole CONFIG_DB in force as `config reload` and a boot do: everything starts anew, routing too."""
    base = _optional(switch.folder / INIT_FILE)
    loaded = merged(read_config(base, INIT_FILE), config) if base else config
    if not metadata(loaded).get("mac"):
        loaded = merged(loaded, {"DEVICE_METADATA": {"localhost": {"mac": switch.eeprom.mac}}})
    switch.computes = text(metadata(loaded), "buffer_model", "traditional") == "dynamic"
    switch.headroom = Applied()
    switch.take(loaded)
    restart_routing(switch)


def restart_routing(switch: Switch) -> None:
    """Start FRR anew. Only in split-unified mode does a file of ours survive this (sonic.md 6)."""
    mode = text(metadata(switch.config), "docker_routing_config_mode")
    path = switch.folder / FRR_FILE
    if mode != "split-unified" or not path.is_file():
        switch.frr = {(): ("frr defaults traditional",)}
        return
    content = path.read_text(encoding="utf-8")
    missing = [line for line in _FPM_LINES if line not in map(str.strip, content.splitlines())]
    if missing:
        content = content.rstrip("\n") + "\n" + "\n".join(missing) + "\n"
        path.write_text(content, encoding="utf-8")
    switch.frr, _ = frr_text.load(content)  # as vtysh -b does, good lines are taken beside bad ones


def _optional(path: Path) -> str:
    """A file's text; empty where there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""
