"""Failures by name: a switch, an end of a cable, a cage with all its cables, a plane, or a `where` of switches."""

from __future__ import annotations

from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.intent.where import parse
from netaudit.state import LinkEnd
from netaudit.whatif.events import LINK, MODULE, Event, of_links, of_plane, of_switch, str_of, together
from netaudit.whatif.graph import Graph

OPTION = "--fail"


def named(graph: Graph, texts: tuple[str, ...]) -> Event:
    """All that is named, failing at once. Raises `Invalid` with every name that is none."""
    found: list[Event] = []
    wrong: list[Diagnostic] = []
    for text in texts:
        try:
            found.extend(_events(graph, text))
        except Invalid as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise Invalid(wrong)
    return together(found)


def _events(graph: Graph, text: str) -> list[Event]:
    where = parse(text, Source(file=OPTION, line=1), graph.fabric.port_of)
    if where.device is None:
        if where.plane in graph.planes and text.strip() == f"plane={where.plane}":
            return [of_plane(graph, where.plane)]
        devices = graph.fabric.devices
        names = [n for n in graph.doors if where.covers(n, devices[n].place, devices[n].platform)]
        if not names:
            raise _wrong(text, "no switch", "plane=a role=spine, or the name of a switch")
        return [of_switch(graph, name) for name in names]
    if where.device not in graph.doors:
        known = ", ".join(list(graph.doors)[:3])
        raise _wrong(text, "no switch that forwards", f"for example {known}, …")
    if where.port is None:
        return [of_switch(graph, where.device)]
    ports = [port for port in graph.doors[where.device] if where.covers_port(port)]
    if not ports:
        raise _wrong(text, "no port with a cable", f"ports of {where.device}: netaudit show links")
    cables = [graph.link_at[LinkEnd(device=where.device, port=port)] for port in ports]
    if len(cables) == 1:
        return [of_links(graph, LINK, str_of(cables[0]), cables)]
    return [of_links(graph, MODULE, f"{where} ({len(cables)} cables)", cables)]


def _wrong(text: str, what: str, hint: str) -> Invalid:
    source = Source(file=OPTION, line=1, width=max(1, len(text)))
    return Invalid([Diagnostic(message=f"`{text}` is {what} of this fabric", source=source, hint=hint)])
