"""A VOS box in the running lab: its lines, what follows from them, and four commands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_interface, ip_network
from pathlib import Path
from typing import Any

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim import cli_server, lldp, views
from netaudit.lab.sim.cli_server import Ran
from netaudit.lab.sim.device import Device, Eeprom, Facts, Said, read_eeprom
from netaudit.lab.sim.doors import Door
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, FrrConfig, Peer, Speaker, Static
from netaudit.lab.sim.frr_policy import Clause, Policy, PrefixRule
from netaudit.lab.sim.ports import PortSpec

CONFIG = "vos.conf"


@dataclass(frozen=True)
class Config:
    """A text, and the tree that it describes; values as they are written."""

    text: str

    @cached_property
    def tree(self) -> dict[str, Any]:
        """Path → value, nested."""
        tree: dict[str, Any] = {}
        for line in self.text.splitlines():
            path, at = json.JSONDecoder().raw_decode(line)
            below = tree
            for part in path[:-1]:
                below = below.setdefault(part, {})
            below[path[-1]] = json.loads(line[at:])
        return tree

    def rows(self, *path: str) -> dict[str, Any]:
        """A table, or nothing."""
        found: Any = self.tree
        for part in path:
            found = found.get(part, {}) if isinstance(found, dict) else {}
        return found if isinstance(found, dict) and set(found) not in ({"table"}, {"set"}, {"absent"}) else {}


def _set(value: object) -> list[Any]:
    return list(value["set"]) if isinstance(value, dict) and "set" in value else []


@dataclass(slots=True, kw_only=True)
class Vos:
    """One device."""

    name: str
    folder: Path
    eeprom: Eeprom
    config: Config
    known: tuple[Config, Facts] | None = None

    def hostname(self) -> str:
        """As configured."""
        return str(self.config.rows("system").get("hostname", self.name))

    def facts(self) -> Facts:
        """What follows from the lines."""
        if self.known is None or self.known[0] is not self.config:
            self.known = (self.config, _facts(self.config))
        return self.known[1]

    def says(self, native: str) -> Said | None:
        """Its name and the port's."""
        if self.config.rows("lldp").get("enabled") is not True:
            return None
        mac, name = self.eeprom.mac, self.hostname()
        return Said(chassis_id=mac, port_id=native, port_description="", system_name=name, system_description="VOS")

    def routing(self) -> object:
        """All of it."""
        return self.config

    def put_routing(self, config: object) -> None:
        """All of it."""
        assert isinstance(config, Config)
        self.config = config

    def run_as(self, asn: int) -> None:
        """Another number."""
        self.typed(f'["bgp", "asn"] {asn}')

    def originate(self, prefix: str, *, wanted: bool) -> None:
        """A prefix more, or less."""
        networks = {*_set(self.config.rows("bgp").get("networks"))}
        body = json.dumps({"set": sorted(networks | {prefix} if wanted else networks - {prefix})})
        self.typed(f'["bgp", "networks"] {body}')

    def typed(self, text: str) -> None:
        """Lines in place of those with the same path."""
        old, new = (
            {line.partition("] ")[0]: line for line in lines.splitlines()} for lines in (self.config.text, text)
        )
        config = Config("".join(f"{line}\n" for line in {**old, **new}.values()))
        try:
            _facts(config)
        except (ValueError, KeyError, TypeError) as error:
            raise Invalid([Diagnostic(message=f"{self.name} does not take it: {error}")]) from None
        self.config = config


def _facts(config: Config) -> Facts:
    ports = {
        key: PortSpec(
            native=str(row["native"]),
            enabled=row.get("enabled") is True,
            speed=str(row.get("speed_mbps", "")),
            lanes=len(row.get("lanes", {}).get("tuple", ())),
            fec=str(row.get("fec", "")),
        )
        for key, row in config.rows("ports").items()
    }
    names = {key: spec.native for key, spec in ports.items()}
    layer_3 = config.rows("interfaces")
    addresses = {
        names.get(key, key): tuple(ip_interface(a) for a in _set(row.get("addresses"))) for key, row in layer_3.items()
    }
    bgp = config.rows("bgp")
    statics = tuple(Static(prefix=prefix) for prefix in _set(bgp.get("discards")))
    return Facts(
        native=names,
        position={native: key for key, native in names.items()},
        ports=ports,
        addresses=addresses,
        link_local=frozenset(names.get(key, key) for key, row in layer_3.items() if row.get("link_local") is True),
        frr=FrrConfig(speakers={"": _speaker(config, names)} if "asn" in bgp else {}, statics=statics),
        loopbacks=frozenset(key for key in layer_3 if key.startswith("Loopback")),
    )


def _speaker(config: Config, names: Mapping[str, str]) -> Speaker:
    bgp = config.rows("bgp")
    policies = {name: _policy(row) for name, row in config.rows("bgp", "policies").items()}
    networks = _set(bgp.get("networks"))
    width = int(bgp["maximum_paths"])
    return Speaker(
        asn=int(bgp["asn"]),
        router_id=str(bgp["router_id"]),
        relax=bgp["multipath_relax"] is True,
        requires_policy=bgp["requires_policy"] is True,
        import_check=True,
        keepalive_s=int(bgp["keepalive_s"]),
        hold_s=int(bgp["hold_s"]),
        peers={
            names.get(key, key): _peer(names.get(key, key), key in names, row, policies)
            for key, row in config.rows("bgp", "neighbors").items()
        },
        networks={family: tuple(n for n in networks if (":" in n) == (family == "ipv6")) for family in FAMILIES},
        redistribute=dict.fromkeys(FAMILIES, ()),
        maximum_paths=dict.fromkeys(FAMILIES, width),
    )


def _policy(row: Mapping[str, Any]) -> Policy:
    rules = []
    for one in _set(row.get("permits")):
        prefix, up_to = one["rule"]
        network = ip_network(prefix)
        rules.append(
            PrefixRule(True, network.version, int(network.network_address), network.prefixlen, network.prefixlen, up_to)
        )
    return (Clause(True, (tuple(rules),)),)


def _peer(key: str, over: bool, row: Mapping[str, Any], policies: Mapping[str, Policy]) -> Peer:
    active = _set(row.get("families"))
    return Peer(
        key=key,
        over_interface=over,
        remote=str(row["remote"]),
        group="",
        shutdown=False,
        description="",
        families={
            family: FamilyPeer(
                active=family in active,
                policy_in=policies.get(str(row.get("import_policy"))),
                policy_out=policies.get(str(row.get("export_policy"))),
                allowas_in=0,
            )
            for family in FAMILIES
        },
    )


class VosCli:
    """`show running`, `show saved`, `show live`, `load FILE`, `save`."""

    def __init__(self, fabric: Fabric, vos: Vos) -> None:
        self.fabric, self.vos = fabric, vos

    def prompt(self) -> str:
        """Its name."""
        return f"{self.vos.hostname()}> "

    def run(self, line: str) -> Ran:
        """One command."""
        match line.split():
            case ["show", "running"]:
                return Ran(out=self.vos.config.text)
            case ["show", "saved"]:
                return Ran(out=(self.vos.folder / CONFIG).read_text())
            case ["show", "live"]:
                return Ran(out=json.dumps(_live(self.fabric, self.vos)))
            case ["save"]:
                (self.vos.folder / CONFIG).write_text(self.vos.config.text)
                return Ran()
            case ["load", path]:
                return self._load(path)
        return Ran(ends=line == "exit") if line in ("", "exit") else Ran(err=f"% {line}: no such command\n", code=1)

    def _load(self, path: str) -> Ran:
        config = Config((self.vos.folder / path.lstrip("/")).read_text())
        try:
            _facts(config)
        except (ValueError, KeyError, TypeError) as error:
            return Ran(err=f"% refused: {error}\n", code=1)
        self.vos.config = config
        self.fabric.changed()
        return Ran()


def _live(fabric: Fabric, vos: Vos) -> dict[str, Any]:
    facts = vos.facts()
    heard = lldp.heard(fabric, vos)
    ports = views.ports(fabric, vos)
    routes: dict[str, dict[str, Any]] = {}
    for family in FAMILIES:
        for prefix, found in views.bgp_table(fabric, vos, family):
            used = [path for path in found if path.best or path.multipath]
            hops = sorted({facts.position.get(p.hop.interface, p.hop.interface) for p in used if p.hop is not None})
            routes[prefix] = {"hops": hops, "as_paths": sorted({tuple(p.as_path) for p in used})}
    said = {facts.position[native]: {"system": s.system_name, "port": s.port_id} for native, s in heard.items()}
    return {
        "serial": vos.eeprom.serial,
        "tables": {
            "position": facts.native,
            "ports": {view.position: view.up for view in ports.values()},
            "lldp": {**dict.fromkeys(facts.native), **said},
            "sessions": {s.key: {"state": s.state, "asn": s.remote_asn} for s in views.sessions(fabric, vos)},
            "routes": routes,
        },
    }


def boot(name: str, folder: Path) -> Vos:
    """As its file says."""
    (folder / "tmp").mkdir(exist_ok=True)
    return Vos(name=name, folder=folder, eeprom=read_eeprom(folder), config=Config((folder / CONFIG).read_text()))


def doors(fabric: Fabric, device: Device) -> Mapping[str, Door]:
    """SSH alone."""
    assert isinstance(device, Vos)
    return {"ssh": cli_server.door(fabric, device, lambda one: VosCli(fabric, one), folder=device.folder)}
