"""`netaudit show …`: what the model says, and where each value comes from.

What a page needs is imported when it runs, so that help stays quick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Output, out, outputs, style, write_file

if TYPE_CHECKING:
    from netaudit.cli.show.page import Json, View
    from netaudit.expect import Expected

app = typer.Typer(no_args_is_help=True, help="A value of the model, and where it comes from.")

Device = Annotated[str, typer.Argument(metavar="DEVICE[:PORT]", help="a-su1-r1-leaf:64", show_default=False)]
Needed = Annotated[str, typer.Argument(metavar="DEVICE[:PORT]", help="a-su1-r1-leaf:64", show_default=False)]
All = Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="Lists in full.")]


@app.command("explain")
def show_explain(
    intent: Intent,
    device: Needed,
    field: Annotated[str, typer.Argument(metavar="[FIELD]", help="mtu, speed, kmin, asn, ports.1/1.fec, …")] = "",
    output: Output = "text",
    everything: All = False,
) -> None:
    """A value from the line of the intent to the line on the device; without FIELD, all there are."""
    from netaudit.cli.show import explain, explain_text, target

    def text(expected: Expected, view: View) -> str:
        at = target.target(expected, device)
        if not field:
            return explain_text.overview_page(expected, at, view)
        return explain_text.explain_page(explain.explain(expected, at, field), view)

    def data(expected: Expected) -> Mapping[str, Json]:
        at = target.target(expected, device)
        return explain.explain_data(explain.explain(expected, at, field)) if field else explain.overview(expected, at)

    _print(intent, output, everything, text, data)


@app.command("headroom")
def show_headroom(intent: Intent, device: Device = "", output: Output = "text", everything: All = False) -> None:
    """Headroom of a port, step by step, beside the published row; without a port, of all."""
    from netaudit.cli.show import headroom, target

    def found(expected: Expected) -> tuple[str, str]:
        return target.needed_port(expected, device, "headroom")

    _print(
        intent,
        output,
        everything,
        lambda expected, view: headroom.port_page(expected, *found(expected), view),
        lambda expected: headroom.port_data(expected, *found(expected)),
    )


def _print(
    intent: Path,
    output: str,
    everything: bool,
    text: Callable[[Expected, View], str],
    data: Callable[[Expected], Mapping[str, Json]],
) -> None:
    """The page in each format that is asked for, on stdout or in a file."""
    from netaudit.cli.show.page import View, dump
    from netaudit.pipeline import load_fabric
    from netaudit.terminal import Style

    wanted = outputs(output, ("text", "json"))
    expected = load_fabric(intent)
    for form, file in wanted.items():
        shown = Style() if file else style()
        page = text(expected, View(named=str(intent), style=shown, everything=everything)) if form == "text" else ""
        page = page or dump(data(expected))
        if file:
            write_file(file, page.encode())
        else:
            out(page)
