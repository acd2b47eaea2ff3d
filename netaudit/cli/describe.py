"""`check`, `schema` and `rules`: what is wanted, before any device is touched."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Output, end, following, out, outputs, style, verdict, write_file
from netaudit.cli.report import PAPERS, paper_bytes
from netaudit.diag import Invalid
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.audit.findings import Waiver
    from netaudit.cli.check_text import Judged
    from netaudit.expect import Expected

REFUSED = 2
BAD_INPUT = 4


Equivalence = Annotated[
    bool,
    typer.Option(
        "--equivalence",
        envvar="NETAUDIT_EQUIVALENCE",
        help="Also one device of each kind as every NOS would have it, read back and compared.",
    ),
]


def check(intent: Intent, output: Output = "text", equivalence: Equivalence = False) -> None:
    """Is the fabric buildable and lossless? Every problem with file:line:column, before anything is touched.

    Of a folder each fabric in it is checked, of a file those that it includes, too.
    """
    from netaudit.pipeline_load import load_fabrics

    wanted = outputs(output, ("text", "json", *PAPERS))
    try:
        known = [(expected, _waivers(expected)) for expected in load_fabrics(intent)]
    except Invalid as error:
        for name, file in wanted.items():
            if name != "text":
                _write(file, _refused(error, name, str(intent)))
        raise
    judged = tuple(_judged(expected, waivers, equivalence) for expected, waivers in known)
    code = REFUSED if any(one.refused for one in judged) else 0
    for name, file in wanted.items():
        _write(file, _checked(judged, name, str(intent), code))
    end(code)


def _waivers(expected: Expected) -> tuple[Waiver, ...]:
    from netaudit.intent.waivers import waivers_file

    if not waivers_file(Path(expected.built.intent.file)).exists():
        return ()
    from netaudit.pipeline_watch import load_all_waivers

    return load_all_waivers(expected)


def _judged(expected: Expected, waivers: tuple[Waiver, ...], equivalence: bool) -> Judged:
    from netaudit.cli.check_text import Judged
    from netaudit.pipeline_check import check_all

    checked = check_all(expected, equivalence=equivalence)
    if waivers:
        checked = replace(checked, facts={**checked.facts, "waivers": _told(waivers)})
    return Judged(expected=expected, checked=checked)


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


def _checked(judged: tuple[Judged, ...], name: str, named: str, code: int) -> bytes:
    from netaudit.cli.check_text import check_json, check_text

    if name == "text":
        return check_text(judged, named, style()).encode()
    if name == "json":
        return check_json(judged).encode()
    from netaudit.cli.check_paper import check_paper

    return paper_bytes(check_paper(judged, code), name)


def _refused(error: Invalid, name: str, named: str) -> bytes:
    """An intent that cannot be read, for programs: they need its lines most; a person gets them on stderr."""
    from netaudit.cli.check_text import diagnostics_json

    if name == "json":
        return diagnostics_json(error.diagnostics, {}).encode()
    from netaudit.cli.check_paper import refused_paper

    return paper_bytes(refused_paper(error.diagnostics, named, BAD_INPUT), name)


OwnModels = Annotated[
    bool, typer.Option("--hardware", envvar="NETAUDIT_HARDWARE", help="Of a file of own switch and NIC models.")
]


def schema(hardware: OwnModels = False) -> None:
    """The JSON Schema of the intent, for editors."""
    from netaudit.intent import json_schema, models_schema

    out(json.dumps(models_schema() if hardware else json_schema(), indent=2, ensure_ascii=False))


Catalogue = Annotated[
    bool,
    typer.Option("--catalogue", envvar="NETAUDIT_CATALOGUE", help="The field's catalogue and what became of it."),
]


def rules(output: Output = "text", catalogue: Catalogue = False) -> None:
    """Every audit rule: what, why, how to fix; or the field's catalogue with the status of each rule."""
    wanted = outputs(output, ("text", "json"))
    if catalogue:
        _catalogue("json" in wanted)
        return
    from netaudit.audit.rules import RULES
    from netaudit.rulebook import Status, decided, entries

    audits = {rule.id for rule in RULES}
    status = {e.id: [str(s) for s in decided(e, (), audits)] for e in entries()}
    if "json" in wanted:
        rows = [
            {
                "id": r.id,
                "severity": str(r.severity),
                "name": r.name,
                "why": r.why,
                "fix": r.fix,
                "status": status.get(r.id, [str(Status.AUDIT)]),
            }
            for r in RULES
        ]
        out(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    out(verdict("●", Role.BOLD, f"{len(RULES)} rules"))
    for rule in RULES:
        out(f"\n{rule.id:<8} {rule.severity!s:<8} {rule.name.format(object='a place')}")
        out(f"         why  {rule.why}\n         fix  {rule.fix}")
        out(f"         status  {', '.join(status.get(rule.id, [str(Status.AUDIT)]))}")
    out("\n" + following("netaudit rules --catalogue"))


def _catalogue(as_json: bool) -> None:
    """The field's catalogue: what is right, where it is decided, by which rules, or why not."""
    from netaudit.audit.rules import RULES
    from netaudit.checks.rules import RULES as CHECKS
    from netaudit.rulebook import MEANING, Status, decided, entries

    audits = {rule.id for rule in RULES}
    found = [(entry, decided(entry, CHECKS, audits)) for entry in entries()]
    if as_json:
        rows = [
            {
                "id": e.id,
                "severity": str(e.severity),
                "what": e.what,
                "status": [str(s) for s in status],
                "rules": list(e.rules),
                "reason": e.reason,
            }
            for e, status in found
        ]
        out(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    out(verdict("●", Role.BOLD, f"{len(found)} rules of the catalogue"))
    for status_ in Status:
        out(f"{sum(status_ in s for _, s in found):>5} {status_!s:<8} {MEANING[status_].replace('`', '')}")
    out("")
    for e, status in found:
        out(f"{e.id:<8} {e.severity!s:<8} {'+'.join(status):<13} {e.what}")
        if e.rules or e.reason:
            out(f"{'':<31} {'; '.join(part for part in (' '.join(e.rules), e.reason) if part)}")
    out("\n" + following("netaudit check INTENT"))
