"""The samples beside an audit before, and with waivers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from netaudit.audit.findings import Change, Earlier, Waived, Waiver, WaiverNote
from netaudit.diag import Severity, Source

from .samples import ASN, CLEAN, EVIL, FINDINGS, HOSTILE, LINK, MTU, QOS, SPARE, SWAP

BEFORE = datetime(2026, 11, 16, 6, 0, tzinfo=UTC)
WAIVER = Waiver(
    rule="MGT-05",
    device="a-spine*",
    object="",
    owner="netops",
    reason="CHG-4711",
    until=date(2026, 12, 31),
    devices=frozenset({"a-spine1", "a-spine2"}),
    source=Source(file="intent/waivers.yml", line=4, column=3),
)
ENDED = replace(WAIVER, until=date(2026, 11, 15))
OLD = replace(
    MTU, rule="MGT-05", device="a-spine1", object="a-spine1", devices=("a-spine1",), objects=(), comparisons=()
)


def earlier(title: str, device: str = "a-spine1") -> Earlier:
    """A finding of the audit before."""
    return Earlier(
        fingerprint=f"INT-01|{device}|{title}",
        rule="INT-01",
        severity=Severity.ERROR,
        device=device,
        title=title,
        first_seen=datetime(2026, 11, 2, 6, 0, tzinfo=UTC),
    )


CHANGE = Change(
    since=BEFORE,
    new=tuple(f.fingerprint for f in (QOS, LINK)),
    persisting=tuple(replace(earlier(f.title, f.device), fingerprint=f.fingerprint) for f in (SWAP, ASN, MTU, SPARE)),
    resolved=(earlier("The link a-spine1:9 is down"),),
    unknown=(earlier("The link b-spine2:9 is down", "b-spine2"),),
)
CHANGED = replace(
    FINDINGS,
    change=CHANGE,
    waived=(Waived(finding=OLD, waiver=WAIVER),),
    waiver_notes=(WaiverNote(waiver=ENDED, text="waiver ended 2026-11-15: MGT-05 on a-spine2 counts again"),),
    notes=("history.sqlite was moved away",),
)
ACCEPTED = replace(
    CLEAN, waived=(Waived(finding=OLD, waiver=WAIVER),), change=replace(CHANGE, new=(), persisting=(), unknown=())
)
FIRST_KEPT = replace(FINDINGS, change=Change(since=None, new=tuple(f.fingerprint for f in FINDINGS.findings)))
EVIL_WAIVER = replace(
    WAIVER, rule=EVIL, device=EVIL, object=EVIL, owner=EVIL, reason=EVIL, source=Source(file=EVIL, line=1)
)
EVIL_CHANGED = replace(
    HOSTILE,
    change=replace(CHANGE, resolved=(earlier(EVIL, EVIL),), unknown=(earlier(EVIL, EVIL),)),
    waived=(Waived(finding=HOSTILE.findings[0], waiver=EVIL_WAIVER),),
    waiver_notes=(WaiverNote(waiver=EVIL_WAIVER, text=EVIL),),
    notes=(EVIL,),
)
