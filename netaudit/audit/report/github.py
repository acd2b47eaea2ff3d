"""An audit or a check as GitHub workflow commands: an annotation for each finding, at its line of the intent."""

from __future__ import annotations

from netaudit.audit.report.paper import Item, Paper
from netaudit.diag import Severity
from netaudit.terminal import safe

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(paper: Paper) -> bytes:
    """Return one line for each finding, and the verdict as the last. GitHub shows the first ten of a level."""
    lines = [_command(item) for item in paper.items if not item.waived]
    waived = sum(bool(item.waived) for item in paper.items)
    more = f"; {waived:,} waived" if waived and " waived" not in paper.verdict else ""
    lines.append(f"::notice title=netaudit {paper.command}::{_data(paper.verdict + more)}")
    return ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")


def _command(item: Item) -> str:
    properties: dict[str, str] = {}
    if item.source:
        source = item.source
        properties |= {"file": source.file, "line": str(source.line), "col": str(source.column)}
        properties["endColumn"] = str(source.column + source.width)
    fresh = " (new)" if item.new else ""
    place = "" if item.source and str(item.source) == item.place else f" {item.place}"
    properties["title"] = f"{item.rule}{place}{fresh}"
    lines = (item.title, *item.details, *([item.command] if item.command else []))
    spelled = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{LEVELS[item.severity]} {spelled}::" + "%0A".join(_data(line) for line in lines)


def _data(text: str) -> str:
    """What stands behind `::`: the toolkit escapes %, CR and LF (actions/toolkit, command.ts)."""
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
