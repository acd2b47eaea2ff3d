"""Which findings are accepted, and which waivers need a look. Pure: the waivers are handed in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache

from netaudit.audit.findings import AuditResult, Finding, Waived, Waiver, WaiverNote

SHOWN = 3
"""Devices named in a note; more are counted."""
_BETWEEN = re.compile(" [–↔] ")
"""What stands between the two ends of a cable, and between two cables that are swapped."""


def with_waivers(result: AuditResult, waivers: Collection[Waiver], today: date) -> AuditResult:
    """The audit with accepted findings set apart. A waiver that has ended accepts nothing."""
    holding = [w for w in waivers if today <= w.until]
    waived: list[Waived] = []
    left: list[Finding] = []
    for finding in result.findings:
        waiver = next((w for w in holding if covers(w, finding)), None)
        if waiver is None:
            left.append(finding)
        else:
            waived.append(Waived(finding=finding, waiver=waiver))
    used = {id(w.waiver) for w in waived}
    notes = [
        note
        for waiver in waivers
        if id(waiver) not in used
        for note in _notes(result, waiver, today, [w for w in holding if w is not waiver])
    ]
    return replace(result, findings=tuple(left), waived=tuple(waived), waiver_notes=tuple(notes))


def covers(waiver: Waiver, finding: Finding) -> bool:
    """Does the waiver accept the whole finding: its rule, its device, and every place of it on that device?"""
    return _speaks_of(waiver, finding) and all(_matches(waiver.object, finding.device, o) for o in _places(finding))


def pattern(text: str) -> re.Pattern[str]:
    """What `*` (any text) and `?` (one character) mean; every other character is itself."""
    return _compiled(text)


@lru_cache(maxsize=1024)
def _compiled(text: str) -> re.Pattern[str]:
    # `**` says no more than `*`, and several in a row would make a mismatch slow.
    parts = re.split(r"(\*+|\?)", text)
    return re.compile("".join(".*" if p[:1] == "*" else "." if p == "?" else re.escape(p) for p in parts), re.DOTALL)


def _speaks_of(waiver: Waiver, finding: Finding) -> bool:
    return waiver.rule == finding.rule and finding.device in waiver.devices


def _places(finding: Finding) -> tuple[str, ...]:
    """The places on the device itself, of a cable its end there: what a cause is seen at elsewhere goes with it."""
    device = finding.device
    listed = finding.objects or (finding.object,)
    ends = tuple(dict.fromkeys(end for place in listed for end in _BETWEEN.split(place)))
    there = tuple(o for o in ends if o == device or o.startswith((f"{device}:", f"{device} ")))
    return there or ends


def _matches(wanted: str, device: str, place: str) -> bool:
    """`a-spine1:5` may be waived as that, or as `5` on a-spine1."""
    if not wanted:
        return True
    short = place.removeprefix(f"{device}:").removeprefix(f"{device} ")
    return any(_compiled(wanted).fullmatch(text) for text in (place, short))


def _notes(result: AuditResult, waiver: Waiver, today: date, holding: list[Waiver]) -> Iterator[WaiverNote]:
    if not waiver.devices:
        yield WaiverNote(waiver=waiver, text=f"waiver {waiver} means no device of this fabric")
        return
    met = [f for f in result.findings if covers(waiver, f) and not any(covers(w, f) for w in holding)]
    if today > waiver.until:
        ended = f"waiver ended {waiver.until.isoformat()}"
        if met:
            counts = "counts" if len(met) == 1 else "count"
            where = _some(tuple(dict.fromkeys(f.device for f in met)))
            yield WaiverNote(waiver=waiver, text=f"{ended}: {waiver.rule} on {where} {counts} again")
        elif not _unseen(result, waiver):
            yield WaiverNote(waiver=waiver, text=f"{ended}: {waiver} is not found any more; take it out")
        return
    if _unseen(result, waiver):
        return  # what was not audited may well have it
    part = next((f for f in result.findings if _part(waiver, f)), None)
    if part is not None:
        seen = _places(part)
        some = sum(_matches(waiver.object, part.device, o) for o in seen)
        text = f"waiver {waiver} holds for {some} of {len(seen)} places of one cause, so all of it counts"
        yield WaiverNote(waiver=waiver, text=text)
    else:
        yield WaiverNote(waiver=waiver, text=f"waiver {waiver} matches no finding")


def _part(waiver: Waiver, finding: Finding) -> bool:
    return _speaks_of(waiver, finding) and any(_matches(waiver.object, finding.device, o) for o in _places(finding))


def _unseen(result: AuditResult, waiver: Waiver) -> bool:
    """Is a device that is meant outside of this audit, or not audited completely?"""
    named = {n.device for n in result.not_audited}
    seen = {d.name for d in result.devices if d.audited == "complete"} - named
    return not waiver.devices <= seen


def _some(names: tuple[str, ...]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
