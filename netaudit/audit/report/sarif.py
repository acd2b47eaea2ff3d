"""An audit or a check as SARIF 2.1.0 (OASIS), as GitHub's code scanning and other readers take it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias
from urllib.parse import quote

from netaudit.audit.report.paper import UNNAMED, UNSEEN, Item, Paper, RuleText
from netaudit.diag import Severity, Source
from netaudit.terminal import safe

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_OWN: Final = {
    UNNAMED: RuleText(name="The intent cannot be read as it is written"),
    UNSEEN: RuleText(name="A switch, or a part of it, was not audited", fix="netaudit doctor INTENT"),
}

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | bool | None"


def render(paper: Paper) -> bytes:
    """Return the SARIF log, in ASCII."""
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(paper)]}
    text = json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False)
    return (text.replace("\x7f", "\\u007f") + "\n").encode("ascii")


def _run(paper: Paper) -> Mapping[str, Json]:
    # NOT AUDITED is no result of the analysis: it says that the analysis is incomplete (3.20.21).
    found = [item for item in paper.items if not item.unseen]
    used = sorted({item.rule for item in found})
    driver: dict[str, Json] = {"name": "netaudit", "rules": [_rule(paper, rule) for rule in used]}
    if paper.version:
        driver["version"] = safe(paper.version)
    missing = [_notification(item) for item in paper.items if item.unseen]
    invocation: dict[str, Json] = {
        "executionSuccessful": paper.exit_code in (0, 2),
        "exitCode": paper.exit_code,
        "toolExecutionNotifications": missing,
    }
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"netaudit/{paper.command}/{safe(paper.fabric)}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(paper, item, used.index(item.rule)) for item in found],
    }


def _rule(paper: Paper, rule: str) -> Mapping[str, Json]:
    text = paper.rules.get(rule) or _OWN.get(rule) or RuleText(name=rule)
    made: dict[str, Json] = {
        "id": safe(rule),
        "shortDescription": {"text": safe(text.name.replace("{object}", "a place"))},
        "defaultConfiguration": {"level": LEVELS[text.severity]},
    }
    if text.why:
        made["fullDescription"] = {"text": safe(text.why)}
    if text.fix:
        made["help"] = {"text": safe(text.fix)}
    return made


def _result(paper: Paper, item: Item, index: int) -> Mapping[str, Json]:
    lines = (item.title, *item.details, *([item.command] if item.command else []))
    result: dict[str, Json] = {
        "ruleId": safe(item.rule),
        "ruleIndex": index,
        "level": LEVELS[item.severity],
        # In message text, { } are placeholders where arguments are given (3.11.5); there are none, so they are text.
        "message": {"text": "\n".join(map(safe, lines))},
        "locations": [_location(paper, item)],
        "partialFingerprints": {"netaudit/v1": hashlib.sha256(item.fingerprint.encode("utf-8", "replace")).hexdigest()},
    }
    if item.new is not None and not item.waived:
        result["baselineState"] = "new" if item.new else "unchanged"
    if item.waived:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": safe(item.waived)}]
    return result


def _location(paper: Paper, item: Item) -> Mapping[str, Json]:
    """The line of the intent that asks for it; the intent itself where no line is known."""
    source = item.source or Source(file=paper.intent, line=1)
    region: dict[str, Json] = {"startLine": source.line}
    if item.source:
        region |= {"startColumn": source.column, "endColumn": source.column + source.width}
    physical: Mapping[str, Json] = {"artifactLocation": {"uri": uri(source.file)}, "region": region}
    logical: Sequence[Json] = [{"fullyQualifiedName": safe(item.place), "kind": "resource"}]
    return {"physicalLocation": physical, **({"logicalLocations": logical} if paper.command == "audit" else {})}


def _notification(item: Item) -> Mapping[str, Json]:
    return {
        "level": "error",
        "message": {"text": "\n".join(map(safe, (item.title, *item.details)))},
        "descriptor": {"id": UNSEEN},
    }


def uri(file: str) -> str:
    """A file's name as a URI: relative stays relative (code scanning wants paths of the repository)."""
    name = str(PurePosixPath(file.replace("\\", "/")))
    path = quote(name.encode("utf-8", "surrogateescape"), safe="/")
    return f"file://{path}" if path.startswith("/") else path
