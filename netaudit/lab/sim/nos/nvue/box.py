"""One box with Cumulus Linux: its files, its revisions, and what of them is in force."""

from __future__ import annotations

import json
from asyncio import TimerHandle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim.device import Eeprom, Facts, Said, read_eeprom
from netaudit.lab.sim.files import write_bytes
from netaudit.lab.sim.nos.nvue import check, document, schema
from netaudit.lab.sim.nos.nvue.document import Tree
from netaudit.lab.sim.nos.nvue.facts import Cage, facts_of, is_on, part, value

STARTUP: Final = "etc/nvue.d/startup.yaml"
_PORTS: Final = "hwsku/ports.json"
_FOLDERS: Final = ("tmp", "home/admin", "home/cumulus")
_MODERN: Final = (5, 15)
"""The release since when the words are other ones (nvue.md section 1)."""
_AUTO_SAVE: Final = (5, 9)
"""The release since when `nv config apply` saves (docs.nvidia.com, NVUE Reference, Config Commands)."""


@dataclass(slots=True, kw_only=True)
class Nvue:
    """One box, and all of it that changes while the lab runs."""

    name: str
    folder: Path
    eeprom: Eeprom
    cages: Mapping[str, Cage]
    header: Tree
    applied: Tree = field(default_factory=dict)
    """What is in force; replaced whole, never changed in place."""
    pending: Tree | None = None
    """What is edited; `None`: nothing is."""
    revision: int = 1
    trial: Trial | None = None
    """An apply that waits for its confirmation."""
    known: tuple[Tree, Facts] | None = None

    @property
    def release(self) -> tuple[int, int]:
        """(major, minor) of the software."""
        words = value(self.header, "version").split()[-1:] or ["5.17.0"]
        major, minor = [*words[0].split("."), "0"][:2]
        return int(major), int(minor)

    @property
    def modern(self) -> bool:
        """Whether the words are those of 5.15 and later."""
        return self.release >= _MODERN

    @property
    def ranges(self) -> bool:
        """Whether interfaces that are alike are shown as ranges, and `--expand` is known."""
        return self.modern

    @property
    def saves(self) -> bool:
        """Whether an apply saves by itself."""
        default = self.release >= _AUTO_SAVE
        return is_on(self.applied, "system", "config", "auto-save", "state", default=default)

    def hostname(self) -> str:
        """The name it gives itself."""
        return value(self.applied, "system", "hostname") or "cumulus"

    def facts(self) -> Facts:
        """What follows from what is applied."""
        if self.known is None or self.known[0] is not self.applied:
            self.known = (self.applied, facts_of(self.applied, self.cages))
        return self.known[1]

    def says(self, native: str) -> Said | None:
        """What lldpd sends: the name of the port as its id, which is what lldpd does by itself."""
        system = part(self.applied, "system", "lldp") if self.modern else part(self.applied, "service", "lldp")
        row = part(self.applied, "interface", native)
        if not is_on(system, "state", default=True) or not is_on(row, "lldp", "state", default=True):
            return None
        return Said(
            chassis_id=self.eeprom.mac,
            port_id=native,
            port_description=value(row, "description") or native,
            system_name=self.hostname(),
            system_description=f"{value(self.header, 'version')} running on NVIDIA {self.eeprom.platform}",
        )

    def routing(self) -> Tree:
        """What is applied: NVUE writes FRR's configuration from it."""
        return self.applied

    def put_routing(self, config: object) -> None:
        """Put another tree in force."""
        self.applied = cast(Tree, config)

    def run_as(self, asn: int) -> None:
        """BGP runs under another ASN."""
        own = value(self.applied, "vrf", "default", "router", "bgp", "autonomous-system", default="auto")
        where = ("router", "bgp") if own == "auto" else ("vrf", "default", "router", "bgp")
        self._put((*where, "autonomous-system"), asn)

    def originate(self, prefix: str, *, wanted: bool) -> None:
        """A network more, with a discard route that carries it; or one less."""
        family = "ipv6-unicast" if ":" in prefix else "ipv4-unicast"
        where = ("vrf", "default", "router", "bgp", "address-family", family, "network", prefix)
        if not wanted:
            self.applied = document.without(self.applied, document.at(where, None))
            return
        self._put(where, {})
        static = ("vrf", "default", "router", "static", prefix)
        self._put((*static, "address-family"), family)
        self._put((*static, "via", "blackhole", "type"), "blackhole")

    def typed(self, text: str) -> None:
        """Lines of `nv set` and `nv unset`, applied. Raises `Invalid`."""
        try:
            _, more, gone = document.read(text, self.modern)
            self.applied = self.checked(document.merged(document.without(self.applied, gone), more))
        except ValueError as error:
            raise Invalid([Diagnostic(message=f"{self.name} does not take it: {error}")]) from error

    def _put(self, path: tuple[str, ...], leaf: schema.Json) -> None:
        self.applied = document.merged(self.applied, document.at(path, leaf))

    def checked(self, tree: Tree) -> Tree:
        """The tree, which this release takes. Raises `ValueError` with what it does not."""
        wrong = list(check.problems(tree, self.modern))
        if wrong:
            raise ValueError("\n".join(f"Invalid config: {one}" for one in wrong[:20]))
        return tree

    def text(self, tree: Tree, *, expand: bool = True) -> str:
        """A tree as `nv config show` prints it."""
        return document.written(
            (("header", self.header), ("set", tree if expand or not self.ranges else document.collapsed(tree))),
        )

    def save(self) -> None:
        """Write what is applied to startup.yaml."""
        write_bytes(self.folder / STARTUP, self.text(self.applied).encode())

    def startup(self) -> Tree:
        """What a reboot brings. Raises `ValueError`."""
        _, more, _ = document.read((self.folder / STARTUP).read_text(encoding="utf-8"), self.modern)
        return more


@dataclass(slots=True, kw_only=True)
class Trial:
    """An apply that goes back by itself unless it is confirmed."""

    before: Tree
    until: float
    """By the clock of the event loop."""
    cancel: TimerHandle | None = None


def boot(name: str, folder: Path) -> Nvue:
    """A box as it comes up from its startup.yaml. Raises `Invalid` where a file is missing or broken."""
    path = folder / STARTUP
    for one in _FOLDERS:
        (folder / one).mkdir(parents=True, exist_ok=True)
    try:
        ports = json.loads((folder / _PORTS).read_text(encoding="utf-8"))
        cages = {
            str(number): Cage(
                lanes=int(cage["lanes"]), speeds_mbps={int(n): int(s) for n, s in cage["speeds_mbps"].items()}
            )
            for number, cage in ports.items()
        }
        header, tree, _ = document.read(path.read_text(encoding="utf-8"), modern=True)
        box = Nvue(name=name, folder=folder, eeprom=read_eeprom(folder), cages=cages, header=header or {})
        box.applied = box.checked(tree)
    except (OSError, UnicodeError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Invalid([Diagnostic(message=f"{name} cannot boot: {error}")]) from error
    return box
