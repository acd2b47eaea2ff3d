"""`tune`: the change of the intent that makes it say how long the cables are; shown as a patch, or written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from netaudit.cli.common import (
    Intent,
    Output,
    Progress,
    Targets,
    Where,
    end,
    following,
    out,
    outputs,
    style,
    verdict,
    write_file,
)
from netaudit.cli.fabrics import FabricName, all_of, named, one_of
from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.terminal import LIST_LIMIT, Role, columns, counted, fold_text

if TYPE_CHECKING:
    from netaudit.expect import Expected
    from netaudit.lengths import Change, Decision, Edit, Effect
    from netaudit.pipeline_lengths import Lengths

CHANGES, INCOMPLETE = 2, 3
FORMATS: Final = ("text", "json", "patch")


def tune(
    intent: Intent,
    snapshot: Annotated[Path | None, typer.Argument(help="A snapshot in place of the devices.")] = None,
    where: Where = None,
    fabric: FabricName = None,
    targets: Targets = None,
    output: Output = "text",
    write: Annotated[
        bool, typer.Option("--write", envvar="NETAUDIT_WRITE", help="Write the files; else the patch is only shown.")
    ] = False,
    configured: Annotated[
        bool,
        typer.Option("--configured", envvar="NETAUDIT_CONFIGURED", help="Where no plug tells, take CABLE_LENGTH."),
    ] = False,
    everything: Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="Every cable and reason.")] = False,
    detailed: Annotated[
        bool, typer.Option("--detailed-exitcode", envvar="NETAUDIT_DETAILED_EXITCODE", help="2 if anything changes.")
    ] = False,
) -> None:
    """Measured lengths into the intent: what plugs tell becomes rows of its cables.csv."""
    from netaudit.lengths import decide, effects

    wanted = outputs(output, FORMATS)
    known = all_of(intent, fabric)
    expected = one_of(intent, fabric, "a patch is for one intent") if len(known) > 1 else known[0]
    told = _told(expected, where, targets, snapshot)
    decision = decide(expected, told.seen, configured=configured)
    changed = _edits(expected, decision)
    done = list(effects(expected, decision.changes))
    if write:
        for edit in changed:
            write_file(Path(edit.file), edit.after.encode())
    code = INCOMPLETE if told.unread else CHANGES if detailed and changed else 0
    name = shlex.quote(named(expected, intent, known))
    given = ((str(snapshot) if snapshot else "", ""), (where or "", "--where "), (str(targets or ""), "--targets "))
    again = f"netaudit tune {name}{''.join(f' {option}{shlex.quote(text)}' for text, option in given if text)}"
    for form, file in wanted.items():
        shown = _shown(form, (name, again), decision, told, changed, done, written=write, everything=everything)
        if file is None:
            out(shown)
        else:
            write_file(file, shown.encode())
    end(code)


def _told(expected: Expected, where: str | None, targets: Path | None, snapshot: Path | None) -> Lengths:
    from netaudit import pipeline
    from netaudit.pipeline_lengths import lengths_now, lengths_recorded

    names = pipeline.select(expected, where)
    if snapshot is not None:
        from netaudit.collect.snapshot import load

        inside = snapshot / expected.fabric
        whole = not (snapshot / "snapshot.json").exists() and (inside / "snapshot.json").exists()
        return lengths_recorded(expected, load(inside if whole else snapshot), names)
    reached = pipeline.targets(expected, names, targets)
    progress = Progress("tune", len(reached))
    try:
        return lengths_now(expected, reached, progress)
    finally:
        progress.close()


def _edits(expected: Expected, decision: Decision) -> tuple[Edit, ...]:
    """The files that would change, as they are on the disk now. Raises `Invalid` where a person has to."""
    from netaudit.intent.nodes import lines
    from netaudit.lengths.rewrite import Uneditable, edits, naming_file, table_file

    intent = expected.built.intent
    if not decision.changes:
        return ()
    file = table_file(intent) or naming_file(intent)
    text = _raw(Path(file))
    if lines(text.removeprefix("\ufeff")) != intent.texts[file]:
        message = f"{file} was changed while this ran"
        raise Invalid([Diagnostic(message=message, source=Source(file=file, line=1), hint="run it again")])
    try:
        return edits(intent, decision.changes, {file: text})
    except Uneditable as error:
        raise Invalid([Diagnostic(message=error.message, source=error.source, hint=error.hint)]) from None


def _raw(file: Path) -> str:
    """The text with its line ends and its byte order mark, which stay."""
    return file.read_bytes().decode()


def _shown(
    form: str,
    commands: tuple[str, str],
    decision: Decision,
    told: Lengths,
    changed: tuple[Edit, ...],
    done: list[tuple[Change, tuple[Effect, ...]]],
    *,
    written: bool,
    everything: bool,
) -> str:
    from netaudit.lengths import patch

    if form == "patch":
        return patch(changed)
    if form == "json":
        return json.dumps(_data(decision, told, changed, done, written=written), indent=1, ensure_ascii=False) + "\n"
    lines = [_verdict(decision, told)]
    lines += _told_lines(told)
    lines += _changes(done, everything=everything)
    lines += _doubts(decision, everything=everything)
    if changed and not written:
        lines += ["", patch(changed).rstrip("\n")]
    if changed and written:
        lines += ["", *(f"  written    {style().show(edit.file)}" for edit in changed)]
    lines += ["", _next(*commands, decision, told, changed, written=written)]
    return "\n".join(lines) + "\n"


def _verdict(decision: Decision, told: Lengths) -> str:
    number, cables = len(decision.changes), counted(decision.cables, "cable")
    tells = f"plugs tell the length of {decision.told:,} of {cables}"
    if number:
        return verdict("▲", Role.CARE, f"{counted(number, 'cable')} longer or shorter than the intent says; {tells}")
    if told.unread and not told.seen:
        return verdict("✖", Role.BAD, "no switch was read: nothing is known of any cable")
    if decision.doubts:
        return verdict(
            "●", Role.QUIET, f"nothing to write; {counted(len(decision.doubts), 'length')} not taken; {tells}"
        )
    return verdict("✔", Role.GOOD, f"the intent has the length of every cable that tells its own; {tells}")


def _told_lines(told: Lengths) -> Iterator[str]:
    """Switches that were not read, or in part, those with the same reason together."""
    shown = style()
    reasons: dict[str, list[str]] = {}
    for name, why in told.unread.items():
        reasons.setdefault(why, []).append(name)
    for number, (why, names) in enumerate(reasons.items()):
        yield f"  {'' if number else 'not read':10} {shown.show(f'{fold_text(names)}: {why}')}"


def _changes(done: list[tuple[Change, tuple[Effect, ...]]], *, everything: bool) -> Iterator[str]:
    """A row for each port: what was assumed, what is told, and the bytes of headroom of each lossless class."""
    if not done:
        return
    rows = [("port", "cable to", "says", "is", "xon + xoff", "then", "change")]
    listed = done if everything else done[:LIST_LIMIT]
    for change, ports in listed:
        link = change.link
        for effect in ports:
            far = link.b if effect.end == link.a else link.a
            lengths = (f"{link.length_m:g} m", f"{change.length_m:g} m")
            rows.append((str(effect.end), str(far), *lengths, *_bytes(effect)))
    yield ""
    yield from columns(rows, right=frozenset({2, 3, 4, 5, 6}), width=style().width)
    if len(done) > len(listed):
        yield f"  … {counted(len(done) - len(listed), 'more cable', 'more cables')}: --all"
    total = sum(_more(effect) for _, ports in done for effect in ports)
    yield ""
    yield f"  headroom   {total:+,} B on all of these ports together, for one lossless class"
    for number, told_by in enumerate(dict.fromkeys(change.told_by for change, _ in listed)):
        yield f"  {'' if number else 'told by':10} {told_by}"
    for _, ports in done:
        for effect in ports:
            if effect.refused:
                yield f"  {style().symbol('✖')} {effect.end}: {effect.refused}"


def _bytes(effect: Effect) -> tuple[str, str, str]:
    before, after = ("none" if size is None else f"{size:,}" for size in (effect.before_bytes, effect.after_bytes))
    known = effect.before_bytes is not None and effect.after_bytes is not None
    return before, after, f"{_more(effect):+,}" if known else ""


def _more(effect: Effect) -> int:
    return (effect.after_bytes or 0) - (effect.before_bytes or 0)


def _doubts(decision: Decision, *, everything: bool) -> Iterator[str]:
    shown = style()
    listed = decision.doubts if everything else decision.doubts[:LIST_LIMIT]
    if listed:
        yield ""
    for number, doubt in enumerate(listed):
        yield f"  {'not taken' if number == 0 else '':10} {shown.show(f'{doubt.where}: {doubt.reason}')}"
    if len(decision.doubts) > len(listed):
        yield f"  {'':10} … {len(decision.doubts) - len(listed):,} more: --all"


def _next(name: str, again: str, decision: Decision, told: Lengths, changed: tuple[Edit, ...], *, written: bool) -> str:
    if changed:
        return following(f"netaudit check {name}" if written else f"{again} --write")
    if told.unread:
        return following(f"netaudit doctor {name}")
    return following("nothing to do." if not decision.doubts else f"netaudit audit {name}")


def _data(
    decision: Decision,
    told: Lengths,
    changed: tuple[Edit, ...],
    done: list[tuple[Change, tuple[Effect, ...]]],
    *,
    written: bool,
) -> Mapping[str, object]:
    from netaudit.lengths import patch

    return {
        "cables": decision.cables,
        "told": decision.told,
        "changes": [
            {
                "a": str(change.link.a),
                "b": str(change.link.b),
                "assumed_m": change.link.length_m,
                "length_m": change.length_m,
                "told_by": change.told_by,
                "ports": [
                    {
                        "port": str(effect.end),
                        "headroom_bytes_before": effect.before_bytes,
                        "headroom_bytes_after": effect.after_bytes,
                        "profile_m": effect.made_for_m,
                        "refused": effect.refused,
                    }
                    for effect in ports
                ],
            }
            for change, ports in done
        ],
        "not_taken": [{"where": doubt.where, "reason": doubt.reason} for doubt in decision.doubts],
        "not_read": dict(told.unread),
        "files": [edit.file for edit in changed],
        "patch": patch(changed),
        "written": written,
    }
