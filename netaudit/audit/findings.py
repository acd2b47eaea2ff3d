"""What an audit says: findings, what could not be audited, and the verdict. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from netaudit.diag import Severity, Source
from netaudit.state import BlindSpot, Place

FailOn: TypeAlias = Severity | Literal["new"]
"""What exits with 2: findings at or above a severity, or errors and warnings that the audit before did not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One value that is not as expected: the same leaf in every store it was read from."""

    what: str
    """The leaf, as a path below the device: `ports.1/1.mtu_bytes`."""
    expected: str
    observed: Mapping[str, str]
    """Store (`running`, `saved`, `applied`, `state`) → what was read there; right values stand there too."""
    queries: tuple[str, ...] = ()
    """What was asked: `gNMI CONFIG_DB PORT`, `vtysh show running-config`."""
    source: Source | None = None
    """Where the intent asks for the expected value."""
    source_text: str = ""
    """That line of the intent."""
    derivation: str = ""
    """Intent path or formula of the expected value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """What follows from a finding and is therefore not one itself: `1,023 routes on 257 devices`."""

    text: str
    count: int
    devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One cause: a problem in the present tense, its place, its effect and what to do."""

    rule: str
    """Id of `reference/audit-rules.md`; several differences of one cause carry the id of the cause."""
    severity: Severity
    device: str
    """The device to look at first."""
    object: str
    """What is wrong on it, as it is named in the fabric: `a-su1-r1-leaf:64`, `10.0.0.8/29`, `a-spine1`."""
    title: str
    """The problem in one short sentence without a full stop."""
    effect: str
    """What it means for traffic or hosts."""
    fix: str
    """One command to copy."""
    devices: tuple[str, ...] = ()
    """All devices concerned, `device` first."""
    objects: tuple[str, ...] = ()
    """All places of the cause: the ports or prefixes."""
    comparisons: tuple[Comparison, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    instruction: str = ""
    """What a person does by hand, where a command cannot: `swap a-su1-r1-leaf:64 and a-su1-r2-leaf:64`."""

    @property
    def fingerprint(self) -> str:
        """Stable name of this finding over audits."""
        return f"{self.rule}|{self.device}|{self.object}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAudited:
    """Something expected that nobody could see. Never mixed with good or bad."""

    device: str
    what: str
    """`everything`, or the part: `applied buffers`."""
    reason: str
    effect: str = ""
    """What this leaves open: `its 6 links were seen from the other ends only`."""
    cause: str = ""
    """The reason without what was asked, which all that was asked in vain for one reason has in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unverifiable:
    """A thing that cannot be told right or wrong by design (a host that sends no LLDP): said, not counted."""

    what: str
    where: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceVerdict:
    """One line of the device list, and of the map."""

    name: str
    place: Place
    audited: str
    """`complete`, `part` or `not`."""
    read_at: datetime | None = None
    stores: tuple[str, ...] = ()
    values: int = 0
    """Leaves compared."""
    model: str = ""
    """`nvidia-sn5600, sonic`"""
    address: str = ""
    ports: tuple[tuple[str, str], ...] = ()
    """Front panel for the drill-down: (port, what is there: the far end's name or `spare`), in cage order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A finding somebody accepts until a day."""

    rule: str
    device: str
    """As it is written: a name, a pattern with `*` and `?`, or `plane=a role=leaf`."""
    object: str
    """A pattern of the place on it; empty for every place."""
    owner: str
    reason: str
    until: date
    """The last day it holds, in UTC."""
    devices: frozenset[str] = frozenset()
    """The devices that `device` means."""
    source: Source | None = None

    def __str__(self) -> str:
        return " ".join(filter(None, (self.rule, self.device, self.object)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Waived:
    """A finding that is there and accepted: listed and counted apart, it never changes the exit code."""

    finding: Finding
    waiver: Waiver


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverNote:
    """A waiver that somebody must look at: it has ended, or it holds for nothing."""

    waiver: Waiver
    text: str
    """`waiver ended 2026-11-15: MGT-05 on a-spine1 counts again`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A finding of an audit before this one."""

    fingerprint: str
    rule: str
    severity: Severity
    device: str
    title: str
    first_seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """This audit beside the one before it, of the same fabric and the same part of it."""

    since: datetime | None
    """When that one was; `None` for the first, where everything is new."""
    new: tuple[str, ...]
    """Fingerprints."""
    persisting: tuple[Earlier, ...] = ()
    resolved: tuple[Earlier, ...] = ()
    unknown: tuple[Earlier, ...] = ()
    """There before, on something that was NOT AUDITED now: nobody can say whether they are gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What one audit of the past came to."""

    at: datetime
    errors: int
    warnings: int
    infos: int
    not_audited: int
    """Switches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResult:
    """The whole answer of one audit."""

    fabric: str
    intent: str
    """The intent as it was named on the command line, for the commands in the report."""
    started_at: datetime
    finished_at: datetime
    devices: tuple[DeviceVerdict, ...]
    findings: tuple[Finding, ...]
    """Most traffic lost first."""
    not_audited: tuple[NotAudited, ...] = ()
    declared: tuple[BlindSpot, ...] = ()
    unverifiable: tuple[Unverifiable, ...] = ()
    changed_during: tuple[str, ...] = ()
    """Differences that were gone when read again after `settle_s`."""
    settle_s: float = 0.0
    links: int = 0
    route_tables: int = 0
    version: str = ""
    waived: tuple[Waived, ...] = ()
    """Findings that are accepted; `findings` does not have them."""
    waiver_notes: tuple[WaiverNote, ...] = ()
    change: Change | None = None
    """`None` where no history was kept, or none could be read."""
    trend: tuple[Moment, ...] = ()
    """The last audits of the same fabric and part of it, oldest first, this one among them."""
    timezone: str = ""
    """Time zone of the site by its name at IANA, in which times are shown beside UTC; empty: as they were given."""
    notes: tuple[str, ...] = ()
    """What went wrong beside the audit: a history that is none."""
    only: tuple[str, ...] = ()
    """The rules and families that were asked for; empty: all."""

    @property
    def zone(self) -> tzinfo | None:
        """The time zone of the site; `None` where there is none, or this machine does not know it."""
        try:
            return ZoneInfo(self.timezone) if self.timezone else None
        except (ZoneInfoNotFoundError, ValueError, OSError):  # of a kept audit: any text; a folder is an OSError
            return None

    def is_new(self, finding: Finding) -> bool:
        """Did the audit before not have it? Where nobody knows, everything is new."""
        return self.change is None or finding.fingerprint in self.change.new

    def exit_code(self, fail_on: FailOn = Severity.ERROR) -> int:
        """0 as intended, 2 findings at or above `fail_on`, 3 anything not audited (wins over 2), or nothing at all."""
        if self.not_audited or not self.devices or any(d.audited != "complete" for d in self.devices):
            return 3
        if not isinstance(fail_on, Severity):
            fresh = (f for f in self.findings if self.is_new(f))
            return 2 if any(f.severity is not Severity.INFO for f in fresh) else 0
        order = (Severity.INFO, Severity.WARNING, Severity.ERROR)
        bad = order[order.index(fail_on) :]
        return 2 if any(f.severity in bad for f in self.findings) else 0
