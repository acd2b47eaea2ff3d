"""`history`: which audits were kept, and what each of them found. Also where they are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Output, following, out, outputs, style, verdict, write_file
from netaudit.terminal import Role, columns, counted, cut, moment, stamp

if TYPE_CHECKING:
    from netaudit.history import Entry

HistoryFile = Annotated[
    str,
    typer.Option("--history", envvar="NETAUDIT_HISTORY", help="Where audits are kept; `none` keeps nothing."),
]


def kept_in(history: str) -> Path | None:
    """The file that `--history` names; `None` where nothing shall be kept."""
    return None if history == "none" else Path(history)


def history(
    intent: Intent,
    output: Output = "text",
    everything: Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="The list in full.")] = False,
    history: HistoryFile = ".netaudit/history.sqlite",
) -> None:
    """The audits of a fabric that were kept, newest first: what each found, and what had changed."""
    from netaudit.history import audits
    from netaudit.pipeline_load import load_fabric

    wanted = outputs(output, ("text", "json"))
    fabric = load_fabric(intent).fabric
    file = kept_in(history)
    if file is None:
        raise typer.BadParameter("with none, no audit is kept", param_hint="--history")
    entries = audits(file, fabric)
    for name, to in wanted.items():
        text = _data(fabric, entries) if name == "json" else _text(fabric, entries, str(intent), everything)
        if to is None:
            out(text)
        else:
            write_file(to, text.encode())


def _data(fabric: str, entries: tuple[Entry, ...]) -> str:
    rows = [
        {
            "at": stamp(e.kept.at),
            "scope": e.kept.scope,
            "source": e.kept.source,
            "fail_on": str(e.kept.fail_on),
            "exit_code": e.counts.exit_code,
            "intent_sha256": e.kept.intent_sha,
            "netaudit": e.version,
            "switches": e.counts.switches,
            "not_audited": e.counts.not_audited,
            "error": e.counts.errors,
            "warning": e.counts.warnings,
            "info": e.counts.infos,
            "waived": e.counts.waived,
            "new": e.counts.new,
            "persisting": e.counts.persisting,
            "resolved": e.counts.resolved,
        }
        for e in entries
    ]
    return json.dumps({"version": 1, "fabric": fabric, "audits": rows}, indent=1, ensure_ascii=True) + "\n"


def _text(fabric: str, entries: tuple[Entry, ...], named: str, everything: bool) -> str:
    shown = style()
    if not entries:
        head = verdict("●", Role.BOLD, f"no audit of {shown.show(fabric)} is kept yet")
        return f"{head}\n\n{following(f'netaudit audit {shown.show(named)}')}\n"
    last = entries[0]
    found = f"{counted(last.counts.errors, 'error cause')}, {counted(last.counts.warnings, 'warning cause')}"
    head = f"{counted(len(entries), 'audit')} of {shown.show(fabric)} kept; the last, {moment(last.kept.at)}: {found}"
    heads = ("when", "part", "from", "errors", "warnings", "NOT AUDITED", "waived", "new", "resolved", "exit")
    lines = columns((heads, *map(_row, entries)), right=frozenset(range(3, len(heads))), width=shown.width)
    listed = lines if everything else (lines[0], *cut(lines[1:]))
    body = "\n".join(shown.symbol(shown.show(line)) for line in listed)
    return f"{verdict('●', Role.BOLD, head)}\n\n{body}\n\n{following('netaudit report --all')}\n"


def _row(entry: Entry) -> tuple[str, ...]:
    counts = entry.counts
    numbers = (counts.errors, counts.warnings, counts.not_audited, counts.waived, counts.new, counts.resolved)
    where = entry.kept.scope or "all"
    return (moment(entry.kept.at), where, entry.kept.source, *(f"{n:,}" for n in numbers), str(counts.exit_code))
