"""`check`, `schema` and `rules`: what is wanted, before any device is touched."""

from __future__ import annotations

import json

from netaudit.cli.common import Intent, Output, end, following, out, outputs, style, verdict, write_file
from netaudit.diag import Severity
from netaudit.terminal import Role

REFUSED = 2


def check(intent: Intent, output: Output = "text") -> None:
    """Is the fabric buildable and lossless? Every problem with file:line:column, before anything is touched."""
    from netaudit import pipeline
    from netaudit.cli.check_text import check_json, check_text
    from netaudit.pipeline_check import check_all

    wanted = outputs(output, ("text", "json"))
    expected = pipeline.load_fabric(intent)
    checked = check_all(expected)
    for name, file in wanted.items():
        text = check_json(checked) if name == "json" else check_text(expected, checked, str(intent), style())
        if file is None:
            out(text)
        else:
            write_file(file, text.encode())
    end(REFUSED if any(d.severity is Severity.ERROR for d in checked.diagnostics) else 0)


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
