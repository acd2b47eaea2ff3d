"""The audit as JSON: every field of every finding, stable in order and spelling, for machines and for keeping.

Only ASCII comes out: control and direction characters of devices stay escapes, so that a terminal may print the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from netaudit.audit.findings import AuditResult, Comparison, DeviceVerdict, Earlier, FailOn, Finding, NotAudited, Waiver
from netaudit.audit.report.summary import SEVERITIES, Summary, place_count, states, summary, verdict
from netaudit.diag import Severity, Source
from netaudit.terminal import stamp

SCHEMA = 1
"""Version of the shape below; a field may be added under the same version, none is renamed or removed."""

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"


def render(result: AuditResult, *, fail_on: FailOn = Severity.ERROR) -> bytes:
    """Return the audit as a JSON document that ends with a newline; `exit_code` is that under `fail_on`."""
    text = json.dumps(document(result, fail_on=fail_on), indent=1, ensure_ascii=True, allow_nan=False)
    return (text.replace("\x7f", "\\u007f") + "\n").encode("ascii")  # DEL is the one control json leaves alone


def document(result: AuditResult, *, fail_on: FailOn = Severity.ERROR) -> Mapping[str, Json]:
    """Return the document as plain data."""
    counts = summary(result)
    return {
        "schema": SCHEMA,
        "netaudit": result.version,
        "fabric": result.fabric,
        "intent": result.intent,
        "started_at": _time(result.started_at),
        "finished_at": _time(result.finished_at),
        "exit_code": result.exit_code(fail_on),
        "fail_on": str(fail_on),
        "verdict": verdict(result, counts),
        **({"only": [*result.only]} if result.only else {}),
        "counts": _counts(result, counts),
        "findings": [{**_finding(f), "new": _new(result, f)} for f in result.findings],
        "waived": [{**_finding(w.finding), "waiver": _waiver(w.waiver)} for w in result.waived],
        "waivers": [{"text": n.text, "waiver": _waiver(n.waiver)} for n in result.waiver_notes],
        "change": _change(result),
        "not_audited": [_not_audited(missing) for missing in result.not_audited],
        "coverage": _coverage(result, counts),
        "devices": _devices(result),
        "notes": [*result.notes],
    }


def _new(result: AuditResult, finding: Finding) -> bool | None:
    """`None` where there is no audit before to tell."""
    return None if result.change is None or result.change.since is None else result.is_new(finding)


def _waiver(waiver: Waiver) -> Mapping[str, Json]:
    return {
        "rule": waiver.rule,
        "device": waiver.device,
        "object": waiver.object,
        "owner": waiver.owner,
        "reason": waiver.reason,
        "until": waiver.until.isoformat(),
        "source": _source(waiver.source),
    }


def _change(result: AuditResult) -> Mapping[str, Json] | None:
    change = result.change
    if change is None:
        return None
    return {
        "since": _time(change.since),
        "new": [*change.new],
        "persisting": [_before(e) for e in change.persisting],
        "resolved": [_before(e) for e in change.resolved],
        "unknown": [_before(e) for e in change.unknown],
    }


def _before(earlier: Earlier) -> Mapping[str, Json]:
    return {
        "fingerprint": earlier.fingerprint,
        "rule": earlier.rule,
        "severity": str(earlier.severity),
        "device": earlier.device,
        "title": earlier.title,
        "first_seen": _time(earlier.first_seen),
    }


def _time(when: datetime | None) -> str | None:
    return None if when is None else stamp(when)


def _counts(result: AuditResult, counts: Summary) -> Mapping[str, Json]:
    return {
        "findings": {
            str(severity): {"causes": len(counts.causes[severity]), "places": counts.places[severity]}
            for severity in SEVERITIES
        },
        "not_audited": counts.unknown,
        "waived": len(result.waived),
        "devices": {
            "total": counts.switches,
            "complete": counts.complete,
            "part": counts.part,
            "not": counts.unseen,
        },
        "values": counts.values,
        "links": result.links,
        "route_tables": result.route_tables,
    }


def _finding(finding: Finding) -> Mapping[str, Json]:
    return {
        "fingerprint": finding.fingerprint,
        "rule": finding.rule,
        "severity": str(finding.severity),
        "device": finding.device,
        "object": finding.object,
        "title": finding.title,
        "effect": finding.effect,
        "fix": finding.fix,
        "instruction": finding.instruction,
        "places": place_count(finding),
        "devices": [*finding.devices],
        "objects": [*finding.objects],
        "comparisons": [_comparison(comparison) for comparison in finding.comparisons],
        "consequences": [
            {"text": consequence.text, "count": consequence.count, "devices": [*consequence.devices]}
            for consequence in finding.consequences
        ],
    }


def _comparison(comparison: Comparison) -> Mapping[str, Json]:
    return {
        "what": comparison.what,
        "expected": comparison.expected,
        "observed": {**comparison.observed},
        "queries": [*comparison.queries],
        "source": _source(comparison.source),
        "source_text": comparison.source_text,
        "derivation": comparison.derivation,
    }


def _source(source: Source | None) -> Mapping[str, Json] | None:
    if source is None:
        return None
    return {"file": source.file, "line": source.line, "column": source.column, "width": source.width}


def _not_audited(missing: NotAudited) -> Mapping[str, Json]:
    return {"device": missing.device, "what": missing.what, "reason": missing.reason, "effect": missing.effect}


def _coverage(result: AuditResult, counts: Summary) -> Mapping[str, Json]:
    return {
        "stores": [*counts.stores],
        "declared": [{"what": b.what, "where": b.where, "reason": b.reason} for b in result.declared],
        "unverifiable": [{"what": u.what, "where": [*u.where], "reason": u.reason} for u in result.unverifiable],
        "changed_during": [*result.changed_during],
        "settle_s": result.settle_s,
    }


def _devices(result: AuditResult) -> Sequence[Json]:
    state = states(result)
    return [{**_device(device), "state": state[device.name]} for device in result.devices]


def _device(device: DeviceVerdict) -> Mapping[str, Json]:
    place = device.place
    return {
        "name": device.name,
        "place": {
            "role": place.role,
            "tier": place.tier,
            "plane": place.plane,
            "unit": place.unit,
            "rail": place.rail,
            "number": place.number,
            "status": place.status,
        },
        "audited": device.audited,
        "read_at": _time(device.read_at),
        "stores": [*device.stores],
        "values": device.values,
        "model": device.model,
        "address": device.address,
        "ports": [[port, there] for port, there in device.ports],
    }
