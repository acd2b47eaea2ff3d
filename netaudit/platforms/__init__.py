"""What a network operating system is to netaudit: data and pure functions.."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias, cast

from netaudit.state import BlindSpot, Device, Store
from netaudit.state.expectation import Held

Files: TypeAlias = Mapping[str, str]
"""Configuration file as it is named in an output folder (`config_db.json`, `frr.conf`) → its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One thing to ask a device. `id` is what its answer is filed under."""

    id: str
    store: Store
    transport: str
    """`gnmi` or `ssh`."""
    target: str = ""
    """gNMI: prefix target."""
    path: tuple[str, ...] = ()
    """gNMI: path elements, verbatim."""
    origin: str = ""
    """gNMI: path origin, where the NOS has a native tree of its own (`sonic-db`)."""
    optional: bool = False
    """Often absent, so it is asked in a request of its own: one NOT_FOUND fails a whole gNMI Get."""
    command: str = ""
    """ssh: the command line."""

    @property
    def label(self) -> str:
        """How a report names it."""
        return f"gNMI {self.target} {'/'.join(self.path)}" if self.transport == "gnmi" else self.command


class Miss(StrEnum):
    """Why an answer is missing."""

    ABSENT = "absent"
    """The device answered: there is no such thing."""
    FAILED = "failed"
    """No usable answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one query: text (JSON or CLI text, as sent), or why there is none."""

    text: str = ""
    miss: Miss | None = None
    reason: str = ""


Answers: TypeAlias = Mapping[str, Answer]
"""Query id → answer; every query of the platform is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader made of a device's answers."""

    stores: Mapping[Store, Device]
    problems: tuple[tuple[str, str], ...] = ()
    """(query id, why its answer could not be used): each becomes NOT AUDITED, never an absent value."""
    doubts: tuple[tuple[str, str], ...] = ()
    """(port, what it tells that nobody can believe): listed as not verifiable, and no value."""


class Impact(StrEnum):
    """What a change does to traffic, mildest first (design/terminal.md)."""

    NONE = "none"
    RESET = "reset"
    FLAP = "flap"
    DRAIN = "drain"
    REBOOT = "reboot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action on a device over SSH: upload `content` to `path` if there is one, else run `command`."""

    name: str
    """What it is for, as a log prints it: `checkpoint`, `upload config_db.json`, `apply patch`, `save`."""
    command: str = ""
    path: str = ""
    content: str = ""
    timeout_s: float = 60.0
    ok: frozenset[int] = frozenset({0})
    """Exit codes that mean success."""
    error_if_stderr: bool = False
    """Anything on stderr is a failure too, whatever the exit code (vtysh -C)."""
    harmless_stderr: tuple[str, ...] = ()
    """Beginnings of lines on stderr that mean nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """How to take one device from its running files to the candidate, and back."""

    prepare: tuple[Step, ...] = ()
    """Checkpoint, uploads and trials: nothing that runs changes, so a failure here needs no undo."""
    apply: tuple[Step, ...] = ()
    """Load; without save."""
    save: tuple[Step, ...] = ()
    undo: tuple[Step, ...] = ()
    """Back to the running files as they were, saved as they were saved; safe to run from any half-done state."""
    clean: tuple[Step, ...] = ()
    """Remove what the steps left on the device (checkpoints, uploaded files); failures are ignored."""
    impact: Impact = Impact.NONE


class Platform(Protocol):
    """What each `platforms/<nos>` package offers at its top; mypy checks the module against this."""

    NAME: str
    FILES: tuple[str, ...]
    """Configuration files, in the order in which they are rendered."""
    ROUTING_FILE: str
    """The one of FILES that belongs to the area `bgp` as a whole; empty if there is none."""
    RAW_SUFFIXES: tuple[str, ...]
    """How the names of files end whose text can be appended to it."""
    RAW_TABLES: tuple[str, ...]
    """How the names of files end whose tables can be merged into the other one."""
    QUERIES: tuple[Query, ...]
    """Everything an audit asks."""
    PUSH_QUERIES: tuple[Query, ...]
    """What a push asks: the whole running configuration, and the facts of the box."""
    SESSION_QUERIES: tuple[str, ...]
    """Ids of the queries that tell which BGP sessions are up, by the names of ports."""
    LENGTH_QUERIES: tuple[str, ...]
    """Ids of the queries that tell how long cables are, and which cable is where."""
    UNSUPPORTED: Mapping[str, str]
    """Leaf pattern → why this NOS has no place for it."""
    HELD: Mapping[Store, Held]
    """Which leaves each store can hold."""
    BLIND: tuple[BlindSpot, ...]
    """What is declared as not auditable."""
    BLIND_COMPUTING: tuple[BlindSpot, ...]
    """The same, of devices that compute headroom by themselves."""

    def port_name(self, port: str, lanes: int, cage_lanes: int) -> str:
        """The NOS's name of `cage[/sub]` with so many lanes, on a box whose cages have `cage_lanes`."""

    def cage_of(self, name: str, cage_lanes: int) -> str | None:
        """The `cage` a vendor port name is in, for error hints; `None` if it is no port name."""

    def vrf_problem(self, name: str) -> str:
        """Why the NOS cannot have a VRF of that name; empty if it can."""

    def lossless_profile(self, speed_mbps: int, length_m: int) -> str:
        """The name under which the NOS keeps headroom for a speed and a cable length."""

    def computed_profile(self, speed_mbps: int, length_m: int, mtu_bytes: int, lanes: int, box: str) -> str:
        """The name that the switch itself gives to headroom it computes; `box` is its platform string or HWSKU."""

    def merged(self, priorities: frozenset[int]) -> tuple[str, ...]:
        """The keys of priority groups that share a profile: one for each run of numbers, or one for each number."""

    def raw_lines(self, text: str) -> frozenset[str]:
        """The lines of a text of the site's own that a device must then have, as its reader gives them."""

    def raw_problems(self, text: str, owns: Collection[str]) -> Iterable[tuple[int, str, str]]:
        """(line, what is wrong, hint) for each line of such a text that touches an owned area, or is not auditable."""

    def raw_table_problem(self, path: tuple[str, ...], owns: Collection[str]) -> tuple[str, str] | None:
        """(what is wrong, hint) with a table, a row or a field of the site's own; `None` if it may stand there."""

    def raw_queries(self, device: Device) -> tuple[Query, ...]:
        """What has to be asked, beside QUERIES, of this device: for tables of the site's own, or where it computes."""

    def asked(self, store: Store, path: tuple[str, ...]) -> str:
        """What is asked to read a leaf from a store, as a report names it; empty where the store does not hold it."""

    def quantize(self, device: Device) -> Device:
        """The expected state as this hardware and NOS can hold it: rounded once, unsupported leaves `None`."""

    def held(self, store: Store, device: Device) -> Held:
        """Which leaves a store can hold of this expected device; HELD where it computes nothing by itself."""

    def context(self, device: Device) -> Mapping[str, object]:
        """What the templates print."""

    def read_config(self, files: Files, name: str) -> Device:
        """The state that configuration files describe. Raises `ValueError` for text that is not this NOS's."""

    def read(self, answers: Answers, name: str) -> Reading:
        """The observed state, per store. Never raises on device text: what cannot be used is a problem."""

    def running_files(self, answers: Answers) -> tuple[Files, str]:
        """The running configuration as files, and the serial number (`''` if unknown). `ValueError` if incomplete."""

    def problems(self, files: Files) -> tuple[str, ...]:
        """What would not work in these files, beyond what the vendor's own schema sees; empty if nothing."""

    def candidate(self, rendered: Files, running: Files, owns: Iterable[str]) -> Files:
        """What the device shall hold: ours where the area is owned, the running text byte for byte elsewhere."""

    def kept(self, running: Files, rendered: Files, owns: Iterable[str]) -> Files:
        """What of the running files a push may change, for `candidate` to put back; nothing that belongs to others."""

    def equal(self, one: Files, other: Files) -> bool:
        """Do both mean the same configuration?"""

    def diff(self, running: Files, candidate: Files) -> tuple[str, ...]:
        """Lines for a person: `TABLE|key field  old → new`; empty if nothing changes."""

    def steps(self, running: Files, candidate: Files, run: str) -> Steps:
        """How to get there and back; `run` names checkpoints and files. Empty `apply` if nothing changes."""


_NAMES = ("sonic",)


def names() -> tuple[str, ...]:
    """The platforms there are."""
    return _NAMES


def platform(name: str) -> Platform:
    """The platform of that name. Raises `KeyError` for another."""
    if name == "sonic":
        from netaudit.platforms import sonic

        return cast(Platform, sonic)
    raise KeyError(name)
