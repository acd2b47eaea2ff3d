"""`export`: a fabric for other tools and other people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Where, out, outputs, write_file

if TYPE_CHECKING:
    from netaudit.fabric import Fabric

_FORMATS: Mapping[str, tuple[str, ...]] = {
    "cables": ("csv", "markdown", "json"),
    "dot": ("dot",),
    "json": ("json",),
}
"""What is exported → the formats it has, its own first."""


def export(
    intent: Intent,
    what: Annotated[
        str, typer.Argument(metavar="cables|dot|json", help="The cable plan, the graph for Graphviz, or as data.")
    ],
    where: Where = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", envvar="NETAUDIT_OUTPUT", help="csv, markdown, dot or json, or FORMAT=FILE."),
    ] = None,
) -> None:
    """The cable plan with labels and lengths, or the graph of switches, hosts and links. Touches no device."""
    from netaudit.pipeline_load import load_fabric, select

    if what not in _FORMATS:
        raise typer.BadParameter(f"`{what}` is not exported; known: {', '.join(_FORMATS)}", param_hint="WHAT")
    wanted = outputs(output or _FORMATS[what][0], _FORMATS[what])
    expected = load_fabric(intent)
    names = select(expected, where)
    for form, file in wanted.items():
        text = _text(expected.built, names, what, form)
        if file is None:
            out(text)
        else:
            write_file(Path(file), text.encode())


def _text(fabric: Fabric, names: tuple[str, ...], what: str, form: str) -> str:
    from netaudit.export import as_csv, as_dot, as_markdown, cables, graph

    if what == "dot":
        return as_dot(fabric, names)
    if what == "json":
        return json.dumps(graph(fabric, names), indent=1, ensure_ascii=False) + "\n"
    plan = tuple(cables(fabric, names))
    if form == "json":
        return json.dumps([cable.row() for cable in plan], indent=1, ensure_ascii=False) + "\n"
    return as_csv(plan) if form == "csv" else as_markdown(plan)
