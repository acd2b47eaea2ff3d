"""`check`, `schema` and `rules`: what is wanted, before any device is touched."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from netaudit.cli.common import Intent, Output, end, following, out, outputs, style, verdict, write_file
from netaudit.cli.report import PAPERS, paper_bytes
from netaudit.diag import Invalid, Severity
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.audit.findings import Waiver
    from netaudit.checks import Checked
    from netaudit.expect import Expected

REFUSED = 2
BAD_INPUT = 4


def check(intent: Intent, output: Output = "text") -> None:
    """Is the fabric buildable and lossless? Every problem with file:line:column, before anything is touched."""
    from netaudit.intent.waivers import waivers_file
    from netaudit.pipeline_check import check_all
    from netaudit.pipeline_load import load_fabric

    wanted = outputs(output, ("text", "json", *PAPERS))
    waivers: tuple[Waiver, ...] = ()
    try:
        expected = load_fabric(intent)
        if waivers_file(Path(expected.built.intent.file)).exists():
            from netaudit.pipeline_watch import load_all_waivers

            waivers = load_all_waivers(expected)
    except Invalid as error:
        for name, file in wanted.items():
            if name != "text":
                _write(file, _refused(error, name, str(intent)))
        raise
    checked = check_all(expected)
    if waivers:
        checked = replace(checked, facts={**checked.facts, "waivers": _told(waivers)})
    code = REFUSED if any(d.severity is Severity.ERROR for d in checked.diagnostics) else 0
    for name, file in wanted.items():
        _write(file, _checked(expected, checked, name, str(intent), code))
    end(code)


def _told(waivers: tuple[Waiver, ...]) -> str:
    """`3 waivers, the next ends 2026-12-31; 1 has ended`."""
    today = datetime.now(UTC).date()
    ends = sorted(w.until for w in waivers if w.until >= today)
    ended = len(waivers) - len(ends)
    return f"{counted(len(waivers), 'waiver')}" + "".join(
        (
            f", the next ends {ends[0].isoformat()}" if ends else "",
            f"; {ended} {'has' if ended == 1 else 'have'} ended" if ended else "",
        )
    )


def _write(file: Path | None, data: bytes) -> None:
    if file is None:
        out(data.decode())
    else:
        write_file(file, data)


def _checked(expected: Expected, checked: Checked, name: str, named: str, code: int) -> bytes:
    from netaudit.cli.check_text import check_json, check_text

    if name == "text":
        return check_text(expected, checked, named, style()).encode()
    if name == "json":
        return check_json(checked.diagnostics, checked.facts).encode()
    from netaudit.cli.check_paper import check_paper

    return paper_bytes(check_paper(checked.diagnostics, named, code, expected), name)


def _refused(error: Invalid, name: str, named: str) -> bytes:
    """An intent that cannot be read, for programs: they need its lines most; a person gets them on stderr."""
    from netaudit.cli.check_text import check_json

    if name == "json":
        return check_json(error.diagnostics, {}).encode()
    from netaudit.cli.check_paper import check_paper

    return paper_bytes(check_paper(error.diagnostics, named, BAD_INPUT), name)


def schema() -> None:
    """The JSON Schema of the intent, for editors."""
    from netaudit.intent import json_schema

    out(json.dumps(json_schema(), indent=2, ensure_ascii=False))


def rules(output: Output = "text") -> None:
    """Every audit rule: what, why, how to fix."""
    from netaudit.audit.rules import RULES

    if "json" in outputs(output, ("text", "json")):
        rows = [{"id": r.id, "severity": str(r.severity), "name": r.name, "why": r.why, "fix": r.fix} for r in RULES]
        out(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    out(verdict("●", Role.BOLD, f"{len(RULES)} rules"))
    for rule in RULES:
        out(f"\n{rule.id:<8} {rule.severity!s:<8} {rule.name.format(object='a place')}")
        out(f"         why  {rule.why}\n         fix  {rule.fix}")
    out("\n" + following("netaudit audit INTENT"))
