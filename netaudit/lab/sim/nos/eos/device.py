"""One EOS switch: its configuration in force, its flash, its configuration sessions; what follows from them."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from pathlib import Path
from typing import Final, cast

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim.device import Eeprom, Facts, Said, read_eeprom
from netaudit.lab.sim.nos.eos.config import Cage, Editor, Tree, clean, load, text
from netaudit.lab.sim.nos.eos.routing import interpret, management_vrfs
from netaudit.lab.sim.ports import PortSpec

FLASH: Final = "mnt/flash"
STARTUP_FILE: Final = f"{FLASH}/startup-config"
PORTS_FILE: Final = "ports.json"
VERSION: Final = "4.36.1F"
"""What the simulated boxes run: the version that eos.md's YANG is of."""
MOST_SESSIONS: Final = 5
"""Sessions that may be pending at a time (field case A22)."""
_SPEED: Final = re.compile(r"speed (?:auto |forced )?(?:([\d.]+)(t|g)(?:full)?)(?:-(\d))?")
_FEC: Final = {
    "error-correction encoding reed-solomon": "rs",
    "error-correction encoding fire-code": "fc",
    "no error-correction encoding": "none",
}


@dataclass(slots=True, kw_only=True)
class Session:
    """A configuration session."""

    tree: Tree
    state: str = "pending"
    """`pending`, `pendingCommitTimer` or `completed`."""


@dataclass(slots=True, kw_only=True)
class Timer:
    """A commit that waits to be confirmed."""

    session: str
    before: Tree
    """What is in force again when nobody confirms."""
    until_s: float
    """On the clock of `time.monotonic`."""
    handle: asyncio.TimerHandle | None = None


@dataclass(slots=True, kw_only=True)
class Eos:
    """One switch, and all of it that changes while the lab runs."""

    name: str
    folder: Path
    eeprom: Eeprom
    cages: Mapping[int, Cage]
    tree: Tree = field(default_factory=dict)
    """The configuration in force; replaced whole, never changed in place."""
    sessions: dict[str, Session] = field(default_factory=dict)
    timer: Timer | None = None
    booted_s: float = field(default_factory=time.monotonic)
    known: tuple[Tree, Facts] | None = None

    def hostname(self) -> str:
        """The name it gives itself."""
        return next((head.split()[1] for head in self.tree if head.startswith("hostname ")), "localhost")

    def head(self) -> str:
        """How every text of a configuration begins, below the command that shows it."""
        return f"! device: {self.hostname()} ({self.eeprom.platform}, EOS-{VERSION})\n!\n! boot system flash:/EOS.swi\n"

    def running(self) -> str:
        """`show running-config` without its first line."""
        return self.head() + text(self.tree)

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
        if "no lldp run" in self.tree or "no lldp transmit" in lines:
            return None
        described = next((one.removeprefix("description ") for one in lines if one.startswith("description ")), "")
        return Said(
            chassis_id=self.eeprom.mac,
            port_id=native,
            port_description=described,
            system_name=self.hostname(),
            system_description=f"Arista Networks EOS version {VERSION} running on an Arista {self.eeprom.platform}",
        )

    def routing(self) -> Tree:
        """The whole configuration in force."""
        return self.tree

    def put_routing(self, config: object) -> None:
        """Put a configuration in force."""
        self.tree = cast(Tree, config)

    def run_as(self, asn: int) -> None:
        """BGP under another ASN: the number stands in the head of its block."""
        head = self._speaker()
        self.tree = {(f"router bgp {asn}" if one == head else one): below for one, below in self.tree.items()}

    def originate(self, prefix: str, *, wanted: bool) -> None:
        """A `network` line more, with a discard route that carries it; or one less."""
        kind, family = ("ipv6", "ipv6") if ":" in prefix else ("ip", "ipv4")
        route = f"{kind} route {prefix} Null0\n" if wanted else ""
        no = "" if wanted else "no "
        self.typed(f"{route}{self._speaker()}\naddress-family {family}\n{no}network {prefix}")

    def typed(self, text: str) -> None:
        """Lines typed in configuration mode. Raises `Invalid` for one that the CLI does not take."""
        editor = Editor(tree=self.tree, cages=self.cages)
        said = [(line.strip(), no) for line in text.splitlines() if (no := editor.run(line))]
        if said:
            raise Invalid([Diagnostic(message=f"{self.name} does not take `{line}`: {no}") for line, no in said])
        self.tree = editor.tree

    def commit(self, name: str, timer_s: float | None, changed: Callable[[], None]) -> str:
        """Put a session in force, for good or until nobody confirms it. What the CLI complains of."""
        session = self.sessions.get(name)
        if session is None or session.state == "completed":
            return f"Cannot commit session {name}: it does not exist or is completed"
        if session.state == "pendingCommitTimer":
            self._stop_timer()
            self._complete(name)
            return ""
        if self.timer is not None:
            return f"Cannot commit session {name}: session {self.timer.session} has a pending commit timer"
        before, self.tree = self.tree, session.tree
        if timer_s is None:
            self._complete(name)
        else:
            session.state = "pendingCommitTimer"
            self.timer = Timer(session=name, before=before, until_s=time.monotonic() + timer_s)
            self.timer.handle = asyncio.get_running_loop().call_later(timer_s, self._expire, name, changed)
        changed()
        return ""

    def abort(self, name: str, changed: Callable[[], None]) -> str:
        """End a session; one whose commit waits to be confirmed takes it back."""
        session = self.sessions.get(name)
        if session is None or session.state == "completed":
            return f"Session {name} does not exist or is completed"
        if session.state == "pendingCommitTimer":
            self._expire(name, changed)
        del self.sessions[name]
        return ""

    def _expire(self, name: str, changed: Callable[[], None]) -> None:
        """Nobody confirmed: what was before the commit is in force again."""
        if self.timer is not None and self.timer.session == name:
            self.tree = self.timer.before
            self._stop_timer()
            self._complete(name)
            changed()

    def _complete(self, name: str) -> None:
        """A session has ended. Of those that did, the last one is kept: `maxSavedSessions`."""
        self.sessions[name].state = "completed"
        old = [one for one, session in self.sessions.items() if session.state == "completed" and one != name]
        for one in old:
            del self.sessions[one]

    def _stop_timer(self) -> None:
        if self.timer is not None and self.timer.handle is not None:
            self.timer.handle.cancel()
        self.timer = None

    def _speaker(self) -> str:
        """The head of the router bgp block. Raises `Invalid`."""
        found = next((head for head in self.tree if head.startswith("router bgp ")), "")
        if not found:
            raise Invalid([Diagnostic(message=f"{self.name} runs no BGP", hint="push its configuration first")])
        return found


def boot(name: str, folder: Path) -> Eos:
    """A switch as it comes up from its files. Raises `Invalid` where one is missing or broken."""
    eeprom = read_eeprom(folder)
    try:
        data = json.loads((folder / PORTS_FILE).read_text(encoding="utf-8"))
        cages = {int(number): Cage(lanes=row["lanes"], speed_mbps=row["speed_mbps"]) for number, row in data.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Invalid([Diagnostic(message=f"{folder / PORTS_FILE} is no list of cages: {error!r}")]) from error
    switch = Eos(name=name, folder=folder, eeprom=eeprom, cages=cages, tree=clean(cages))
    (folder / FLASH).mkdir(parents=True, exist_ok=True)
    if switch.startup.is_file():
        switch.tree, _ = load(switch.startup.read_text(encoding="utf-8"), cages)  # EOS skips what it does not take
    return switch


def _facts(tree: Tree, cages: Mapping[int, Cage]) -> Facts:
    specs = _ports(tree, cages)
    layer_3 = {head.split()[1]: lines for head, lines in tree.items() if _has_layer_3(head, lines)}
    addresses: dict[str, list[IPv4Interface | IPv6Interface]] = {}
    for name, lines in layer_3.items():
        found = [ip_interface(line.split()[2]) for line in lines if line.startswith(("ip address ", "ipv6 address "))]
        if found:
            addresses[name] = found
    enabled = {name for name, lines in layer_3.items() if "ipv6 enable" in lines}
    with_ipv6 = {name for name, found in addresses.items() if any(one.version == 6 for one in found)}
    outside = management_vrfs(tree)
    return Facts(
        native={position: spec.native for position, spec in specs.items()},
        position={spec.native: position for position, spec in specs.items()},
        ports=specs,
        addresses={name: tuple(found) for name, found in addresses.items()},
        link_local=frozenset(enabled | with_ipv6),
        frr=interpret(tree),
        vrfs=frozenset(head.split()[2] for head in tree if head.startswith("vrf instance ")) - outside,
        bound={n: vrf for n, lines in layer_3.items() if (vrf := next((x[4:] for x in lines if x[:4] == "vrf "), ""))},
        loopbacks=frozenset(name for name in layer_3 if name.startswith("Loopback")),
        members=_members(tree),
    )


def _has_layer_3(head: str, lines: Tree) -> bool:
    """A front panel port is switched until `no switchport` says otherwise; management is nothing of the fabric."""
    if not head.startswith("interface ") or head.startswith("interface Management"):
        return False
    return not head.startswith("interface Ethernet") or "no switchport" in lines


def _ports(tree: Tree, cages: Mapping[int, Cage]) -> Mapping[str, PortSpec]:
    """Position → port. A lane is a port where none before it runs over it, and it is configured or the first."""
    found: dict[str, PortSpec] = {}
    for number, cage in cages.items():
        used: list[PortSpec] = []
        taken = 0
        for lane in range(1, cage.lanes + 1):
            native = f"Ethernet{number}/{lane}" if cage.lanes > 1 else f"Ethernet{number}"
            lines = tree.get(f"interface {native}", {})
            if lane > taken and (lane == 1 or lines):
                spec = _spec(native, lines, cage)
                used.append(spec)
                taken = lane + spec.lanes - 1
        found |= {f"{number}/{at}" if len(used) > 1 else str(number): spec for at, spec in enumerate(used, start=1)}
    return found


def _spec(native: str, lines: Tree, cage: Cage) -> PortSpec:
    said = next((match for line in lines if (match := _SPEED.fullmatch(line))), None)
    speed, lanes = cage.speed_mbps, cage.lanes
    if said:
        speed = int(float(said[1]) * (1_000_000 if said[2] == "t" else 1000))
        lanes = int(said[3]) if said[3] else min(cage.lanes, max(1, speed // 25_000)) if speed > 25_000 else 1
    return PortSpec(
        native=native,
        enabled="shutdown" not in lines,
        speed=str(speed),
        lanes=lanes,
        fec=next((_FEC[line] for line in lines if line in _FEC), ""),
    )


def _members(tree: Tree) -> Mapping[str, tuple[str, ...]]:
    """Interface of a VLAN → its ports."""
    found: dict[str, list[str]] = {}
    for head, lines in tree.items():
        if head.startswith("interface Ethernet") and "no switchport" not in lines:
            for line in lines:
                if match := re.fullmatch(r"switchport (?:access|trunk native|trunk allowed) vlan ([\d,-]+)", line):
                    for vlan in _numbers(match[1]):
                        found.setdefault(f"Vlan{vlan}", []).append(head.split()[1])
    return {vlan: tuple(ports) for vlan, ports in found.items()}


def _numbers(words: str) -> list[int]:
    ranges = (part.partition("-") for part in words.split(","))
    return [number for low, _, high in ranges for number in range(int(low), int(high or low) + 1)]
