"""The smallest NOS there is, a kind of device that only this folder knows of: ten words of configuration.

`hostname NAME`, `port NUMBER SPEED`, `address INTERFACE PREFIX`, `bgp ASN`, `neighbor ADDRESS ASN`, `network PREFIX`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_interface
from pathlib import Path

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim import cli_server, gnmi_door, https_server, openconfig, views
from netaudit.lab.sim.cli_server import Ran
from netaudit.lab.sim.device import Device, Eeprom, Facts, Said, read_eeprom
from netaudit.lab.sim.doors import Door
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, FrrConfig, Peer, Speaker, Static
from netaudit.lab.sim.gnmi_door import Abilities
from netaudit.lab.sim.https_server import Request, Response, json_response
from netaudit.lab.sim.ports import PortSpec

Lines = tuple[str, ...]
CONFIG = "toy.conf"
WORDS = {"hostname": 1, "port": 2, "address": 2, "bgp": 1, "neighbor": 2, "network": 1}
OPEN = FamilyPeer(active=True, policy_in=None, policy_out=None, allowas_in=0)


@dataclass(slots=True, kw_only=True)
class Toy:
    """One device, and all of it that changes while the lab runs."""

    name: str
    folder: Path
    eeprom: Eeprom
    running: Lines
    known: tuple[Lines, Facts] | None = None

    def hostname(self) -> str:
        return next((words[1] for words in self.of("hostname")), self.name)

    def of(self, word: str) -> list[list[str]]:
        return [line.split() for line in self.running if line.startswith(f"{word} ")]

    def facts(self) -> Facts:
        if self.known is None or self.known[0] is not self.running:
            self.known = (self.running, _facts(self))
        return self.known[1]

    def says(self, native: str) -> Said | None:
        return Said(
            chassis_id=self.eeprom.mac,
            port_id=native,
            port_description="",
            system_name=self.hostname(),
            system_description="Toy",
        )

    def routing(self) -> object:
        return self.running

    def put_routing(self, config: object) -> None:
        assert isinstance(config, tuple)
        self.running = config

    def run_as(self, asn: int) -> None:
        self.running = tuple(f"bgp {asn}" if line.startswith("bgp ") else line for line in self.running)

    def originate(self, prefix: str, *, wanted: bool) -> None:
        rest = tuple(line for line in self.running if line != f"network {prefix}")
        self.running = (*rest, f"network {prefix}") if wanted else rest

    def typed(self, text: str) -> None:
        for line in text.splitlines():
            words = line.split()
            if WORDS.get(words[0] if words else "") != len(words) - 1:
                raise Invalid([Diagnostic(message=f"{self.name} does not take {line}")])
        self.running = (*self.running, *text.splitlines())


def _facts(toy: Toy) -> Facts:
    ports = {
        number: PortSpec(native=f"port{number}", enabled=True, speed=speed, lanes=8, fec="rs")
        for _, number, speed in toy.of("port")
    }
    networks = [prefix for _, prefix in toy.of("network")]
    speakers = {"": _speaker(toy, toy.of("bgp")[-1][1], networks)} if toy.of("bgp") else {}
    return Facts(
        native={place: spec.native for place, spec in ports.items()},
        position={spec.native: place for place, spec in ports.items()},
        ports=ports,
        addresses={interface: (ip_interface(prefix),) for _, interface, prefix in toy.of("address")},
        link_local=frozenset(),
        frr=FrrConfig(speakers=speakers, statics=tuple(Static(prefix=prefix) for prefix in networks)),
        loopbacks=frozenset({"lo"}),
    )


def _speaker(toy: Toy, asn: str, networks: list[str]) -> Speaker:
    peers = {
        key: Peer(
            key=key,
            over_interface=False,
            remote=remote,
            group="",
            shutdown=False,
            description="",
            families=dict.fromkeys(FAMILIES, OPEN),
        )
        for _, key, remote in toy.of("neighbor")
    }
    return Speaker(
        asn=int(asn),
        router_id="",
        relax=True,
        requires_policy=False,
        import_check=True,
        keepalive_s=3,
        hold_s=9,
        peers=peers,
        networks={"ipv4": tuple(n for n in networks if ":" not in n), "ipv6": tuple(n for n in networks if ":" in n)},
        redistribute=dict.fromkeys(FAMILIES, ()),
        maximum_paths=dict.fromkeys(FAMILIES, 64),
    )


class ToyCli:
    """`show`, `peers`, `save`, `exit`, and lines of configuration."""

    def __init__(self, fabric: Fabric, toy: Toy) -> None:
        self.fabric, self.toy = fabric, toy

    def prompt(self) -> str:
        return f"{self.toy.hostname()}> "

    def run(self, line: str) -> Ran:
        if line == "show":
            return Ran(out="".join(f"{one}\n" for one in self.toy.running))
        if line == "peers":
            found = views.sessions(self.fabric, self.toy)
            return Ran(out="".join(f"{one.key} {one.remote_asn} {one.state}\n" for one in found))
        if line == "save":
            (self.toy.folder / CONFIG).write_text("\n".join(self.toy.running))
            return Ran()
        if line in ("", "exit"):
            return Ran(ends=line == "exit")
        try:
            self.toy.typed(line)
        except Invalid as error:
            return Ran(err=f"{error}\n", code=1)
        self.fabric.changed()
        return Ran()


def boot(name: str, folder: Path) -> Toy:
    lines = (folder / CONFIG).read_text().splitlines()
    return Toy(name=name, folder=folder, eeprom=read_eeprom(folder), running=tuple(lines))


def doors(fabric: Fabric, device: Device) -> Mapping[str, Door]:
    toy = device
    assert isinstance(toy, Toy)
    return {
        "ssh": cli_server.door(fabric, toy, lambda one: ToyCli(fabric, one), folder=toy.folder),
        "https": https_server.door(fabric, toy, _answer),
        "gnmi": gnmi_door.door(fabric, toy, lambda one: openconfig.tree(fabric, one), Abilities()),
    }


def _answer(toy: Toy, request: Request) -> Response:
    return json_response({"hostname": toy.hostname(), "asked": request.path})
