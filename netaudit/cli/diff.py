"""`diff`: what a change of the intent does to devices, before anybody merges it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Output, end, out, outputs, style, write_file
from netaudit.cli.fabrics import FabricName

if TYPE_CHECKING:
    from netaudit.difference import FabricDiff
    from netaudit.expect import Expected

CHANGED = 2


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A file, a folder, REV:path, or a revision of git alone.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same.")],
    output: Output = "text",
    fabric: FabricName = None,
    full: Annotated[bool, typer.Option("--full", envvar="NETAUDIT_FULL", help="Every line of the diffs.")] = False,
    detailed: Annotated[
        bool, typer.Option("--detailed-exitcode", envvar="NETAUDIT_DETAILED_EXITCODE", help="2 if anything changes.")
    ] = False,
) -> None:
    """What changes on devices when NEW takes the place of OLD: equal diffs once, what flaps, resets and renumbers.

    Both intents are built and their rendered files compared; no device is asked. Of folders of several fabrics those of
    one name are compared. Formats: text, json, markdown.
    """
    from netaudit.cli.revision import expected_of
    from netaudit.difference import compare

    wanted = outputs(output, ("text", "json", "markdown"))
    before, after = expected_of(old, new, fabric), expected_of(new, old, fabric)
    pairs, alone = _pairs(before, after)
    found = [compare(one, other) for one, other in pairs]
    for name, file in wanted.items():
        text = _rendered(name, found, alone, (old, new), full=full)
        if file is None:
            out(text)
        else:
            write_file(file, text.encode())
    end(CHANGED if detailed and (any(found) or any(alone)) else 0)


Alone = tuple[tuple[str, ...], tuple[str, ...]]
"""Names of the fabrics that only OLD has, and that only NEW has."""


def _pairs(before: Sequence[Expected], after: Sequence[Expected]) -> tuple[list[tuple[Expected, Expected]], Alone]:
    """What takes the place of what: one fabric of the other whatever its name, several by their names."""
    if len(before) == len(after) == 1:
        return [(before[0], after[0])], ((), ())
    new = {expected.fabric: expected for expected in after}
    pairs = [(expected, new[expected.fabric]) for expected in before if expected.fabric in new]
    names = {one.fabric for one, _ in pairs}
    gone, came = (tuple(e.fabric for e in side if e.fabric not in names) for side in (before, after))
    return pairs, (gone, came)


def _rendered(form: str, found: Sequence[FabricDiff], alone: Alone, named: tuple[str, str], *, full: bool) -> str:
    """All differences in one format."""
    from netaudit.difference.data import diff_data, diff_markdown
    from netaudit.difference.text import diff_text

    said = [f"{name}: only in {side}" for names, side in zip(alone, named, strict=True) for name in names]
    single = len(found) == 1 and not said
    if form == "json":
        data = [diff_data(one, *named) for one in found]
        whole = {"version": 1, "only_old": alone[0], "only_new": alone[1], "fabrics": data}
        return json.dumps(data[0] if single else whole, indent=1, ensure_ascii=False) + "\n"
    if form == "markdown":
        return "\n".join([*(diff_markdown(one, *named) for one in found), *(f"- {line}\n" for line in said)])
    texts = ["\n".join(diff_text(one, *named, style(), full=full)).rstrip("\n") for one in found]
    lines = "\n".join(map(style().show, said))
    return "\n\n".join([*texts, *([lines] if said else [])]) + "\n"
