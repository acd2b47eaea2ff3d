"""`diff`: what a change of the intent does to devices, before anybody merges it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from netaudit.cli.common import Output, end, out, outputs, style, write_file

CHANGED = 2


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A file, a folder, REV:path, or a revision of git alone.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same.")],
    output: Output = "text",
    full: Annotated[bool, typer.Option("--full", envvar="NETAUDIT_FULL", help="Every line of the diffs.")] = False,
    detailed: Annotated[
        bool, typer.Option("--detailed-exitcode", envvar="NETAUDIT_DETAILED_EXITCODE", help="2 if anything changes.")
    ] = False,
) -> None:
    """What changes on devices when NEW takes the place of OLD: equal diffs once, what flaps, resets and renumbers.

    Both intents are built and their rendered files compared; no device is asked. Formats: text, json, markdown.
    """
    from netaudit.cli.revision import expected_of
    from netaudit.difference import compare
    from netaudit.difference.data import diff_data, diff_markdown
    from netaudit.difference.text import diff_text

    wanted = outputs(output, ("text", "json", "markdown"))
    found = compare(expected_of(old, new), expected_of(new, old))
    for name, file in wanted.items():
        if name == "json":
            text = json.dumps(diff_data(found, old, new), indent=1, ensure_ascii=False) + "\n"
        elif name == "markdown":
            text = diff_markdown(found, old, new)
        else:
            text = "\n".join(diff_text(found, old, new, style(), full=full)) + "\n"
        if file is None:
            out(text)
        else:
            write_file(file, text.encode())
    end(CHANGED if detailed and found else 0)
