"""`netaudit show …`: what the model says, and where each value comes from.

What a page needs is imported when it runs, so that help stays quick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Output, out, outputs, style, write_file
from netaudit.cli.fabrics import FabricName, all_of, named, no_device, with_device

if TYPE_CHECKING:
    from netaudit.cli.show.page import Json, View
    from netaudit.cli.show.target import Target
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
    fabric: FabricName = None,
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

    _print(intent, output, everything, text, data, fabric, device)


@app.command("headroom")
def show_headroom(
    intent: Intent, device: Device = "", output: Output = "text", everything: All = False, fabric: FabricName = None
) -> None:
    """Headroom of a port, step by step, beside the published row; without a port, of all."""
    from netaudit.cli.show import headroom, headrooms

    def text(expected: Expected, view: View) -> str:
        at = _at(expected, device)
        if at and at.port:
            return headroom.port_page(expected, at.device, at.port, view)
        return headrooms.kinds_page(expected, (at.device,) if at else tuple(expected.built.devices), view)

    def data(expected: Expected) -> Mapping[str, Json]:
        at = _at(expected, device)
        if at and at.port:
            return headroom.port_data(expected, at.device, at.port)
        return headrooms.kinds_data(expected, (at.device,) if at else tuple(expected.built.devices))

    _print(intent, output, everything, text, data, fabric, device)


@app.command("rib")
def show_rib(
    intent: Intent,
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="a-su1-r1-leaf", show_default=False)],
    prefix: Annotated[str, typer.Argument(metavar="[PREFIX]", help="10.0.0.16/28", show_default=False)] = "",
    output: Output = "text",
    everything: All = False,
    fabric: FabricName = None,
) -> None:
    """The BGP table a device must hold: prefixes, ports, AS paths, and the count by formula."""
    from netaudit.cli.show import rib, target

    def text(expected: Expected, view: View) -> str:
        return rib.rib_page(expected, target.whole_device(expected, device), prefix, view)

    def data(expected: Expected) -> Mapping[str, Json]:
        return rib.rib_data(expected, target.whole_device(expected, device), prefix)

    _print(intent, output, everything, text, data, fabric, device)


@app.command("ecn")
def show_ecn(
    intent: Intent, device: Device = "", output: Output = "text", everything: All = False, fabric: FabricName = None
) -> None:
    """ECN thresholds per class and speed, step by step."""
    from netaudit.cli.show import ecn as pages

    _print(
        intent,
        output,
        everything,
        lambda expected, view: pages.ecn_page(expected, _at(expected, device), view),
        lambda expected: pages.ecn_data(expected, _at(expected, device)),
        fabric,
        device,
    )


@app.command("links")
def show_links(
    intent: Intent, device: Device = "", output: Output = "text", everything: All = False, fabric: FabricName = None
) -> None:
    """The cable plan: both ends, speed, length, medium, and where the length is from."""
    from netaudit.cli.show import links as pages

    _print(
        intent,
        output,
        everything,
        lambda expected, view: pages.links_page(expected, _at(expected, device), view),
        lambda expected: pages.links_data(expected, _at(expected, device)),
        fabric,
        device,
    )


@app.command("addresses")
def show_addresses(
    intent: Intent, device: Device = "", output: Output = "text", everything: All = False, fabric: FabricName = None
) -> None:
    """Loopbacks, host blocks, AS numbers and the addresses of ports."""
    from netaudit.cli.show import addresses as pages

    _print(
        intent,
        output,
        everything,
        lambda expected, view: pages.addresses_page(expected, _at(expected, device), view),
        lambda expected: pages.addresses_data(expected, _at(expected, device)),
        fabric,
        device,
    )


@app.command("device")
def show_device(
    intent: Intent, device: Device = "", output: Output = "text", everything: All = False, fabric: FabricName = None
) -> None:
    """A switch, or one port of it, at a glance."""
    from netaudit.cli.show import device as pages

    _print(
        intent,
        output,
        everything,
        lambda expected, view: pages.device_page(expected, _at(expected, device), view),
        lambda expected: pages.device_data(expected, _at(expected, device)),
        fabric,
        device,
    )


@app.command("platform")
def show_platform(
    intent: Intent, device: Device = "", output: Output = "text", everything: All = False, fabric: FabricName = None
) -> None:
    """What the network operating system can hold and show, and what it cannot."""
    from netaudit.cli.show import platform as pages

    _print(
        intent,
        output,
        everything,
        lambda expected, view: pages.platform_page(expected, _at(expected, device), view),
        lambda expected: pages.platform_data(expected, _at(expected, device)),
        fabric,
        device,
    )


@app.command("hardware")
def show_hardware(
    intent: Annotated[str, typer.Argument(metavar="[INTENT|MODEL]", help="The intent file, or a model.")] = "",
    device: Annotated[str, typer.Argument(metavar="[DEVICE|MODEL]", help="A device, or a model.")] = "",
    output: Output = "text",
    everything: All = False,
    fabric: FabricName = None,
) -> None:
    """Models, NICs and media, each figure with its source: the catalogue, one model, or those of an intent."""
    from netaudit.cli.show import hardware as pages

    if refused := pages.misspelt(intent):
        raise refused
    if not intent or pages.is_model(intent):
        _pages(output, everything, "", lambda view: pages.named_page(intent, view), lambda: pages.named_data(intent))
        return
    _print(
        Path(intent),
        output,
        everything,
        lambda expected, view: pages.of_intent_page(expected, device, view),
        lambda expected: pages.of_intent_data(expected, device),
        fabric,
    )


@app.command("fabric")
def show_fabric(intent: Intent, output: Output = "text", everything: All = False, fabric: FabricName = None) -> None:
    """Planes, roles, counts, who meets whom, ECMP widths and the capacity used; a picture with -o svg=FILE."""
    from netaudit.cli.show import fabric as pages

    wanted = outputs(output, ("text", "json", "svg"))
    rest = ",".join(part for part in output.split(",") if part.strip().partition("=")[0] != "svg")
    if "svg" in wanted:
        from netaudit.export import as_svg

        every = all_of(intent, fabric)
        if len(every) > 1:
            names = ", ".join(e.fabric for e in every)
            raise typer.BadParameter(f"one picture is of one fabric; there are {names}", param_hint="--fabric")
        picture, file = as_svg(every[0].built), wanted["svg"]
        if file is None:
            out(picture)
        else:
            write_file(file, picture.encode())
    if rest:
        _print(intent, rest, everything, pages.fabric_page, pages.fabric_data, fabric)


def _at(expected: Expected, device: str) -> Target | None:
    """The device or port that is named; `None` for the whole fabric."""
    from netaudit.cli.show.target import target

    return target(expected, device) if device else None


def _print(
    intent: Path,
    output: str,
    everything: bool,
    text: Callable[[Expected, View], str],
    data: Callable[[Expected], Mapping[str, Json]],
    fabric: str | None = None,
    device: str = "",
) -> None:
    """The page of each fabric in each format that is asked for, on stdout or in a file."""
    outputs(output, ("text", "json"))  # a format nobody knows is told before the intent is read
    every = all_of(intent, fabric)
    known = with_device(every, device) if device else every
    if device and len(known) > 1:
        raise no_device(known, device)

    def pages(view: View) -> str:
        return "\n".join(text(e, replace(view, named=named(e, intent, every))) for e in known)

    def both() -> Mapping[str, Json]:
        return data(known[0]) if len(known) == 1 else {"fabrics": [{"fabric": e.fabric, **data(e)} for e in known]}

    _pages(output, everything, str(intent), pages, both)


def _pages(
    output: str,
    everything: bool,
    typed: str,
    text: Callable[[View], str],
    data: Callable[[], Mapping[str, Json]],
) -> None:
    from netaudit.cli.show.page import View, dump
    from netaudit.terminal import Style

    for form, file in outputs(output, ("text", "json")).items():
        shown = Style() if file else style()
        page = text(View(named=typed, style=shown, everything=everything)) if form == "text" else dump(data())
        if file:
            write_file(file, page.encode())
        else:
            out(page)
