"""`history`: which audits were kept, and what each of them found. Also where they are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Output, following, out, outputs, style, verdict, write_file
from netaudit.cli.fabrics import FabricName, all_of, named
from netaudit.terminal import Role, Style, columns, counted, cut, moment, stamp

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
    fabric: FabricName = None,
    everything: Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="The list in full.")] = False,
    history: HistoryFile = ".netaudit/history.sqlite",
) -> None:
    """The audits of a fabric that were kept, newest first: what each found, what had changed, and the trend."""
    from netaudit.history import audits

    wanted = outputs(output, ("text", "json"))
    known = all_of(intent, fabric)
    file = kept_in(history)
    if file is None:
        raise typer.BadParameter("with none, no audit is kept", param_hint="--history")
    kept = [(e.fabric, audits(file, e.fabric), named(e, intent, known)) for e in known]
    for name, to in wanted.items():
        if name == "json":
            found = [_data(fabric, entries) for fabric, entries, _ in kept]
            whole = found[0] if len(found) == 1 else {"version": 1, "fabrics": found}
            text = json.dumps(whole, indent=1, ensure_ascii=True) + "\n"
        else:
            text = "\n".join(_text(fabric, entries, where, everything) for fabric, entries, where in kept)
        if to is None:
            out(text)
        else:
            write_file(to, text.encode())


def _data(fabric: str, entries: tuple[Entry, ...]) -> Mapping[str, object]:
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
    return {"version": 1, "fabric": fabric, "audits": rows}


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
    trend_ = "".join(f"{shown.symbol(line)}\n" for line in _trend(entries, shown))
    between = f"\n{trend_}" if trend_ else ""
    return f"{verdict('●', Role.BOLD, head)}\n\n{body}\n{between}\n{following('netaudit report --all')}\n"


_BARS = "▁▂▃▄▅▆▇█"


def _trend(entries: tuple[Entry, ...], shown: Style) -> Iterator[str]:
    """Causes of each severity in the last audits of the part that was audited last, oldest first."""
    from netaudit.history import trend

    points = trend(entries, entries[0].kept.scope)
    if len(points) < 2:
        return
    part = f" of {shown.show(entries[0].kept.scope)}" if entries[0].kept.scope else ""
    yield f"trend over the last {len(points)} audits{part}, oldest first"
    rows = {
        "errors": [p.errors for p in points],
        "warnings": [p.warnings for p in points],
        "infos": [p.infos for p in points],
        "NOT AUDITED": [p.not_audited for p in points],
    }
    wide = max(len(f"{n:,}") for counts in rows.values() for n in counts)
    for name, counts in rows.items():
        numbers = " ".join(f"{n:>{wide},}" for n in counts)
        yield f"  {name:<11}  {numbers}" + (f"  {_bars(counts)}".rstrip() if shown.unicode else "")


def _bars(counts: list[int]) -> str:
    """A bar for each number, as high as its share of the highest; nothing for 0."""
    most = max(*counts, 1)
    return "".join(_BARS[(n * len(_BARS) - 1) // most] if n else " " for n in counts).rstrip()


def _row(entry: Entry) -> tuple[str, ...]:
    counts = entry.counts
    numbers = (counts.errors, counts.warnings, counts.not_audited, counts.waived, counts.new, counts.resolved)
    where = entry.kept.scope or "all"
    return (moment(entry.kept.at), where, entry.kept.source, *(f"{n:,}" for n in numbers), str(counts.exit_code))
