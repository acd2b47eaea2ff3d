"""The file: its schema, one audit written and compared in one transaction, and the list of audits.

Values are bound, never spelled into SQL. SQLite's own locks keep two audits at once apart; the file stays in its
default journal mode, as WAL does not work on network file systems (sqlite.org/wal.html, «Overview»).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from netaudit.audit.findings import AuditResult, Change, Earlier, FailOn, Moment
from netaudit.diag import Severity, Unusable
from netaudit.history.change import Standing, State, since, standing

APPLICATION: Final = 0x6E615564
"""SQLite's application_id of our files: `naUd`, so that another program's database is never taken for a history."""
SCHEMA: Final = 1
BUSY_S: Final = 10.0
"""How long to wait for another audit that is writing: a write takes milliseconds."""
_ELSEWHERE: Final = "name another file with --history, or move this one away"

_TABLES: Final = (
    """CREATE TABLE audit (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        fabric TEXT NOT NULL,
        scope TEXT NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('devices', 'snapshot')),
        intent_sha TEXT NOT NULL,
        version TEXT NOT NULL,
        fail_on TEXT NOT NULL,
        exit_code INTEGER NOT NULL,
        switches INTEGER NOT NULL,
        not_audited INTEGER NOT NULL,
        errors INTEGER NOT NULL,
        warnings INTEGER NOT NULL,
        infos INTEGER NOT NULL,
        waived INTEGER NOT NULL,
        new INTEGER NOT NULL,
        persisting INTEGER NOT NULL,
        resolved INTEGER NOT NULL,
        UNIQUE (fabric, scope, source, at)
    )""",
    """CREATE TABLE finding (
        audit INTEGER NOT NULL REFERENCES audit (id) ON DELETE CASCADE,
        fingerprint TEXT NOT NULL,
        rule TEXT NOT NULL,
        severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'info')),
        device TEXT NOT NULL,
        title TEXT NOT NULL,
        first_seen TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'waived', 'unknown')),
        PRIMARY KEY (audit, fingerprint)
    ) WITHOUT ROWID""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What an audit is kept under, beside what it found."""

    at: datetime
    """When the devices were as they were found: the start of the audit, or the day of the snapshot."""
    scope: str
    """The `--where`; empty for the whole fabric."""
    intent_sha: str
    source: str = "devices"
    """`devices` or `snapshot`."""
    fail_on: FailOn = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What one kept audit came to."""

    exit_code: int
    switches: int
    not_audited: int
    errors: int
    warnings: int
    infos: int
    waived: int
    new: int
    persisting: int
    resolved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the history."""

    kept: Kept
    fabric: str
    version: str
    counts: Record


def remember(file: Path, result: AuditResult, kept: Kept) -> Change:
    """Keep an audit, and say what has changed since the one before it of the same fabric and scope.

    The same audit again (a snapshot audited twice) takes the place of its earlier record. Raises `Unusable`.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{file} cannot be written: {error.strerror}", _ELSEWHERE) from None
    with _opened(file, "w") as base:
        before = _last(base, result.fabric, kept)
        found = since(result, before[1] if before else None, before[0] if before else None)
        _write(base, result, kept, found)
    return found


def audits(file: Path, fabric: str) -> tuple[Entry, ...]:
    """The kept audits of a fabric, newest first; none where there is no file. Raises `Unusable`."""
    if not file.exists():
        return ()
    with _opened(file, "r") as base:
        rows = base.execute(
            "SELECT at, scope, intent_sha, source, fail_on, version, exit_code, switches, not_audited, errors,"
            " warnings, infos, waived, new, persisting, resolved FROM audit WHERE fabric = ? ORDER BY at DESC, id DESC",
            (fabric,),
        ).fetchall()
        return tuple(_entry(fabric, row) for row in rows)


TREND: Final = 12
"""Audits of a trend: a quarter of a year of weekly ones (design/report.html)."""


def trend(entries: Iterable[Entry], scope: str, until: datetime | None = None) -> tuple[Moment, ...]:
    """The last audits of one part of a fabric, oldest first; `entries` come newest first."""
    alike = [e for e in entries if e.kept.scope == scope and (until is None or e.kept.at <= until)][:TREND]
    return tuple(
        Moment(
            at=e.kept.at,
            errors=e.counts.errors,
            warnings=e.counts.warnings,
            infos=e.counts.infos,
            not_audited=e.counts.not_audited,
        )
        for e in reversed(alike)
    )


def _entry(fabric: str, row: tuple[object, ...]) -> Entry:
    at, scope, sha, source, fail_on, version, *counts = row
    numbers = [int(str(n)) for n in counts]
    return Entry(
        kept=Kept(
            at=_time(at),
            scope=str(scope),
            intent_sha=str(sha),
            source=str(source),
            fail_on="new" if fail_on == "new" else Severity(str(fail_on)),
        ),
        fabric=fabric,
        version=str(version),
        counts=Record(
            exit_code=numbers[0],
            switches=numbers[1],
            not_audited=numbers[2],
            errors=numbers[3],
            warnings=numbers[4],
            infos=numbers[5],
            waived=numbers[6],
            new=numbers[7],
            persisting=numbers[8],
            resolved=numbers[9],
        ),
    )


@contextmanager
def _opened(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """The file in one transaction, made where it is not there yet (`w`). Raises `Unusable` for what is no history."""
    try:
        base = sqlite3.connect(file, timeout=BUSY_S, isolation_level=None)
        try:
            base.execute("PRAGMA foreign_keys = ON")
            base.execute("BEGIN IMMEDIATE" if mode == "w" else "BEGIN")
            _check(base, file, mode)
            yield base
            base.execute("COMMIT")
        finally:
            base.close()  # takes back what was not committed
    except sqlite3.Error as error:
        raise Unusable(f"{file} cannot be used as a history: {error}", _ELSEWHERE) from None
    except ValueError as error:
        raise Unusable(f"{file} holds what netaudit never writes: {error}", _ELSEWHERE) from None


def _check(base: sqlite3.Connection, file: Path, mode: str) -> None:
    (application,) = base.execute("PRAGMA application_id").fetchone()
    (version,) = base.execute("PRAGMA user_version").fetchone()
    (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and version == 0 and tables == 0:
        if mode == "r":
            raise Unusable(f"{file} is empty: no audit was ever kept in it", _ELSEWHERE)
        for statement in _TABLES:
            base.execute(statement)
        # A PRAGMA takes no bound values; both are our own constants.
        base.execute(f"PRAGMA application_id = {APPLICATION}")
        base.execute(f"PRAGMA user_version = {SCHEMA}")
    elif application != APPLICATION:
        raise Unusable(f"{file} is a database of another program, not a history of netaudit", _ELSEWHERE)
    elif version != SCHEMA:
        raise Unusable(f"{file} is a history of version {version}; this netaudit reads version {SCHEMA}", _ELSEWHERE)


def _last(base: sqlite3.Connection, fabric: str, kept: Kept) -> tuple[datetime, tuple[Standing, ...]] | None:
    """When the audit before was, and how its findings stood."""
    row = base.execute(
        "SELECT id, at FROM audit WHERE fabric = ? AND scope = ? AND at < ? ORDER BY at DESC, id DESC LIMIT 1",
        (fabric, kept.scope, _stamp(kept.at)),
    ).fetchone()
    if row is None:
        return None
    found = base.execute(
        "SELECT fingerprint, rule, severity, device, title, first_seen, state FROM finding WHERE audit = ?"
        " ORDER BY fingerprint",
        (row[0],),
    ).fetchall()
    return _time(row[1]), tuple(
        Standing(
            finding=Earlier(
                fingerprint=fingerprint,
                rule=rule,
                severity=Severity(severity),
                device=device,
                title=title,
                first_seen=_time(first),
            ),
            state=State(state),
        )
        for fingerprint, rule, severity, device, title, first, state in found
    )


def _write(base: sqlite3.Connection, result: AuditResult, kept: Kept, change: Change) -> None:
    name = (result.fabric, kept.scope, kept.source, _stamp(kept.at))
    base.execute("DELETE FROM audit WHERE fabric = ? AND scope = ? AND source = ? AND at = ?", name)
    count = {s: sum(f.severity is s for f in result.findings) for s in Severity}
    unseen = {n.device for n in result.not_audited} | {d.name for d in result.devices if d.audited != "complete"}
    values = (
        *name,
        kept.intent_sha,
        result.version,
        str(kept.fail_on),
        replace(result, change=change).exit_code(kept.fail_on),
        len(result.devices),
        len(unseen),
        *(count[s] for s in (Severity.ERROR, Severity.WARNING, Severity.INFO)),
        len(result.waived),
        *map(len, (change.new, change.persisting, change.resolved)),
    )
    row = base.execute(
        "INSERT INTO audit (fabric, scope, source, at, intent_sha, version, fail_on, exit_code, switches,"
        " not_audited, errors, warnings, infos, waived, new, persisting, resolved)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        values,
    )
    base.executemany(
        "INSERT INTO finding (audit, fingerprint, rule, severity, device, title, first_seen, state)"
        " VALUES (?,?,?,?,?,?,?,?)",
        [
            (
                row.lastrowid,
                _text(s.finding.fingerprint),
                s.finding.rule,
                str(s.finding.severity),
                _text(s.finding.device),
                _text(s.finding.title),
                _stamp(s.finding.first_seen),
                str(s.state),
            )
            for s in standing(result, change, kept.at)
        ],
    )


def _text(text: str) -> str:
    """Half a character (a lone surrogate of a device's bytes) cannot be stored; it is spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _stamp(when: datetime) -> str:
    """UTC to the microsecond, all of one length, so that the order of the texts is that of the times."""
    return when.astimezone(UTC).isoformat(timespec="microseconds")


def _time(text: object) -> datetime:
    when = datetime.fromisoformat(str(text))
    if when.tzinfo is None:
        raise ValueError(f"{text!r} is a time without a zone")
    return when
