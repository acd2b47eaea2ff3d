"""What a network operating system is to netaudit: data and pure functions.

A package of this folder is a platform; nothing lists them. `Platform` says what it has to offer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
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
    """gNMI: path elements, verbatim; keys of a list stand in the element: `interface[name=*]`."""
    stream: bool = False
    """gNMI: by Subscribe STREAM up to its sync_response, for servers that know no Get (Cumulus)."""
    origin: str = ""
    """gNMI: path origin, where the NOS has a native tree of its own (`sonic-db`)."""
    optional: bool = False
    """Often absent, so it is asked in a request of its own: one NOT_FOUND fails a whole gNMI Get."""
    command: str = ""
    """ssh: the command line."""
    refusal: str = ""
    """ssh, of a CLI whose exit codes tell nothing: how the first line of its no begins (`% `), as a regular expression.
    Such an answer is FAILED; an exit code other than 0 is so too, but one that never comes is no failure."""
    absent: str = ""
    """ssh: how the first line begins that says "there is none", a regular expression; looked for before `refusal`."""
    instead: str = ""
    """Id of the query that tells the same: where this one has no answer nothing is lost."""

    @property
    def label(self) -> str:
        """How a report names it."""
        words = ("gNMI", self.target, "/".join(self.path)) if self.transport == "gnmi" else (self.command,)
        return " ".join(filter(None, words))


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
    driver: str = ""
    """In place of a command: the method of the NAPALM driver that is called, `content` being what it is given
    (`load_replace_candidate`, `load_merge_candidate`, `compare_config`, `commit_config`, `confirm_commit`,
    `discard_config`, `rollback`). All steps of one device use one driver object while its connection lives.
    Where the driver or the device says no, that is exit code 1, which `ok` may allow."""
    revert_s: int = 0
    """Of `commit_config`: how long the device waits for `confirm_commit` until it goes back by itself; 0: for ever."""
    error_if_stderr: bool = False
    """Anything on stderr is a failure too, whatever the exit code (vtysh -C)."""
    harmless_stderr: tuple[str, ...] = ()
    """Beginnings of lines on stderr that mean nothing."""
    refusal: str = ""
    """Of a CLI whose exit codes tell nothing: how a line of an output begins that says no, wherever it stands, as a
    regular expression. `% ` and a word are always taken for one."""
    needed: bool = False
    """Where it fails the steps behind it are not tried, not even of `undo`, where all are otherwise."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Something that an intent can ask for and this NOS cannot do: never rendered in hope (DESIGN.md, rule 9)."""

    path: str
    """Where the intent asks for it: `bgp.bfd`."""
    values: tuple[object, ...]
    """What it asks for there; of a list, one of its members."""
    message: str
    hint: str
    """What to write in its place."""


class Platform(Protocol):
    """What each `platforms/<nos>` package offers at its top; mypy checks the module against this."""

    NAME: str
    TITLE: str
    """As its maker calls it: `Arista EOS`."""
    OWNS: Mapping[str, tuple[str, ...]]
    """Area of the intent's `owns` → tables or stanzas that are ours as a whole where the area is."""
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
    """Leaf pattern → why this NOS cannot do what it asks for: `quantize` unsets it, and `check` warns."""
    IMPLIED: Mapping[str, str]
    """Leaf pattern → why it is no setting of its own on this NOS (it follows from another, or is another NOS's word):
    `quantize` unsets it, nothing is lost and nobody is warned."""
    ROUNDED: Mapping[str, str]
    """Leaf pattern → how `quantize` changes it, and why; `check` says so where a number became another one."""
    REFUSED: tuple[Refused, ...]
    """What `check` refuses with the line of the intent."""
    VENDORS: tuple[str, ...]
    """Makers of the boxes that the NOS is known to run on, as the catalogue calls them; empty: of any."""
    UNVERIFIED: Mapping[str, str]
    """Leaf pattern → what of its spelling, range or reading no source proves; `show platform` lists it."""
    TABLES: bool
    """Whether headroom comes in tables of the vendor's, row by row of a length (`headroom: published`)."""
    NAPALM: str
    """Name of the NAPALM driver by which steps with `driver` are carried out; empty: there is none."""
    GNMI_PORT: int
    """Where its gNMI server listens unless a targets file says otherwise."""
    HELD: Mapping[Store, Held]
    """Which leaves each store can hold."""
    BLIND: tuple[BlindSpot, ...]
    """What is declared as not auditable."""
    BLIND_COMPUTING: tuple[BlindSpot, ...]
    """The same, of devices that compute headroom by themselves."""

    def port_name(self, port: str, lanes: int, cage_lanes: int, first_lane: int) -> str:
        """The NOS's name of `cage[/sub]` with so many lanes, in a cage of `cage_lanes`.

        `first_lane` is what a NOS that names ports after lanes counts the first lane of the cage as.
        """

    def unnumbered(self, version: str) -> str:
        """Why links between switches must have addresses on this version; empty where BGP runs over link-local ones."""

    def cage_of(self, name: str, cage_lanes: int) -> str | None:
        """The `cage` a vendor port name is in, for error hints; `None` if it is no port name."""

    def full_name(self, name: str) -> str:
        """A port name as this NOS writes it out: `Eth1/1`, `et1/1` → `Ethernet1/1`; other text stays as it is."""

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


@cache
def names() -> tuple[str, ...]:
    """The platforms there are: the packages of this folder, SONiC first, the others by name."""
    found = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    return tuple(sorted(found, key=lambda name: name != "sonic"))


@cache
def platform(name: str) -> Platform:
    """The platform of that name. Raises `KeyError` for another."""
    if name not in names():
        raise KeyError(name)
    return cast(Platform, import_module(f"{__name__}.{name}"))
