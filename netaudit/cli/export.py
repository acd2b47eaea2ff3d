"""`export`: a fabric for other tools and other people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Where, out, outputs, write_file
from netaudit.cli.fabrics import FabricName, all_of, parts

if TYPE_CHECKING:
    from netaudit.fabric import Fabric

_FORMATS: Mapping[str, tuple[str, ...]] = {
    "cables": ("csv", "markdown", "json"),
    "dot": ("dot",),
    "json": ("json",),
    "nics": ("markdown", "json"),
    "dscp": ("markdown", "csv", "json"),
    "svg": ("svg",),
    "containerlab": ("yaml",),
    "rails": ("csv", "json"),
    "slurm": ("conf",),
    "k8s": ("sh", "json"),
    "nccl": ("conf",),
}
"""What is exported → the formats it has, its own first."""


def export(
    intent: Intent,
    what: Annotated[
        str,
        typer.Argument(
            metavar="cables|dot|json|svg|containerlab|nics|dscp|rails|slurm|k8s|nccl",
            help="The cable plan; the graph for Graphviz, as data, as a picture, as a lab; settings of the NICs; where "
            "each DSCP goes; the rail and leaf of each NIC port, for schedulers and NCCL.",
        ),
    ],
    where: Where = None,
    fabric: FabricName = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", envvar="NETAUDIT_OUTPUT", help="csv, markdown, dot or json, or FORMAT=FILE."),
    ] = None,
) -> None:
    """The cable plan, the graph, what the NICs must be set to, or the class of each DSCP. Touches no device."""
    if what not in _FORMATS:
        raise typer.BadParameter(f"`{what}` is not exported; known: {', '.join(_FORMATS)}", param_hint="WHAT")
    wanted = outputs(output or _FORMATS[what][0], _FORMATS[what])
    chosen = parts(all_of(intent, fabric), where)
    for form, file in wanted.items():
        text = _together([_text(expected.built, names, what, form) for expected, names in chosen], form)
        if file is None:
            out(text)
        else:
            write_file(Path(file), text.encode())


def _together(texts: list[str], form: str) -> str:
    """Several fabrics as one text: one table, one list, or an object of all."""
    if len(texts) == 1:
        return texts[0]
    if form == "csv":
        return texts[0] + "".join(text.partition("\n")[2] for text in texts[1:])
    if form != "json":
        return "\n".join(texts)
    found = [json.loads(text) for text in texts]
    all_lists = all(isinstance(one, list) for one in found)
    whole = [row for rows in found for row in rows] if all_lists else {"version": 1, "fabrics": found}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _text(fabric: Fabric, names: tuple[str, ...], what: str, form: str) -> str:
    from netaudit.export import as_containerlab, as_csv, as_dot, as_markdown, as_svg, cables, graph

    if what in ("rails", "slurm", "k8s", "nccl"):
        return _of_hosts(fabric, what, form)
    if what == "nics":
        return _nics(fabric, names, form)
    if what == "dscp":
        return _dscp(fabric, form)
    if what == "dot":
        return as_dot(fabric, names)
    if what == "svg":
        return as_svg(fabric)
    if what == "containerlab":
        return as_containerlab(fabric, names)
    if what == "json":
        return json.dumps(graph(fabric, names), indent=1, ensure_ascii=False) + "\n"
    plan = tuple(cables(fabric, names))
    if form == "json":
        return json.dumps([cable.row() for cable in plan], indent=1, ensure_ascii=False) + "\n"
    return as_csv(plan) if form == "csv" else as_markdown(plan)


def _of_hosts(fabric: Fabric, what: str, form: str) -> str:
    from netaudit.export import kubernetes, labels, nccl, rails, rails_csv, slurm

    if what == "rails":
        found = rails(fabric)
        return json.dumps([dict(row) for row in found], indent=1) + "\n" if form == "json" else rails_csv(found)
    if what == "k8s":
        return json.dumps(labels(fabric), indent=1) + "\n" if form == "json" else kubernetes(fabric)
    return slurm(fabric) if what == "slurm" else nccl(fabric)


def _nics(fabric: Fabric, names: tuple[str, ...], form: str) -> str:
    from netaudit.export import nics, nics_markdown

    if form == "json":
        return json.dumps(nics(fabric, names), indent=1, ensure_ascii=False) + "\n"
    return nics_markdown(fabric, names)


def _dscp(fabric: Fabric, form: str) -> str:
    from netaudit.export import dscp_csv, dscp_markdown, dscp_rows

    platforms = sorted({device.platform for device in fabric.devices.values()})
    if form == "json":
        return json.dumps([dict(row) for row in dscp_rows(fabric.intent)], indent=1, ensure_ascii=False) + "\n"
    return dscp_csv(fabric.intent) if form == "csv" else dscp_markdown(fabric.intent, platforms)
