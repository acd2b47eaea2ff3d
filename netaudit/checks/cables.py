"""Whether every cable can carry its link, and whether what was measured is a cable of this fabric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache

from netaudit import hardware
from netaudit.checks.design import Design
from netaudit.checks.say import counted, metres, rate
from netaudit.checks.survey import PortClass
from netaudit.diag import Diagnostic
from netaudit.fabric import FabricPort
from netaudit.intent import CableRow

MAX_COMPARED = 5_000
"""Names that a misspelt one is compared with; beyond, a row would take seconds and gets no suggestion."""


def reach(design: Design) -> Iterator[Diagnostic]:
    """CAB-09: a link that its medium does not carry, at that speed or over that length; one a kind of link."""
    longest: dict[tuple[str, int, str, bool], PortClass] = {}
    for kind in design.classes:
        able = hardware.medium(kind.medium).reach_m(kind.speed_mbps, kind.lanes)
        if not kind.possible or (able is not None and kind.length_m <= able):
            continue
        key = (kind.kind, kind.speed_mbps, kind.medium, kind.measured)  # both ends of a cable are in one
        if key not in longest or kind.length_m > longest[key].length_m:
            longest[key] = kind
    for kind in longest.values():
        yield _too_long(design, kind)


def _too_long(design: Design, kind: PortClass) -> Diagnostic:
    able = hardware.medium(kind.medium).reach_m(kind.speed_mbps, kind.lanes)
    members = design.classes[kind]
    place = f"{members.end} to {members.peer}: " if kind.measured else f"{kind.kind}: "
    lanes = f"{rate(kind.speed_mbps)} over {counted(kind.lanes, 'lane')}"
    if able is None:
        message = f"{place}there is no {kind.medium} for {lanes}"
    else:
        message = f"{place}{kind.medium} reaches {metres(able)} at {lanes}, the cable is {metres(kind.length_m)}"
    return design.error("CAB-09", design.length_source(kind), message, _other_media(kind))


def _other_media(kind: PortClass) -> str:
    """The media that would do, shortest reach first: what is cheapest usually reaches least."""
    able = sorted(
        (reach_m, name)
        for name in hardware.media_names()
        if (reach_m := hardware.medium(name).reach_m(kind.speed_mbps, kind.lanes)) and reach_m >= kind.length_m
    )
    if not able:
        return f"no medium of the catalogue carries {rate(kind.speed_mbps)} over {metres(kind.length_m)}"
    names = ", ".join(f"{name} ({metres(reach_m)})" for reach_m, name in able[:3])
    return f"{names} would do: cables: {{{kind.kind}: {kind.length_m:g}m {able[0][1]}}}"


def measured(design: Design) -> Iterator[Diagnostic]:
    """A row of the measured cables whose ends are not the two ends of one planned cable."""
    ports = cache(design.fabric.ports)
    for row in design.intent.cables.values():
        for column, here, there in (("a", row.a, row.b), ("b", row.b, row.a)):
            device, _, port = here.partition(":")
            found = None
            if device in design.fabric.devices:
                found = _switch_end(design, row, column, port, there, ports(device))
            elif device not in design.fabric.hosts:
                found = _stranger(design, row, column, device)
            elif port not in design.expected.hosts[device]:
                known = ", ".join(sorted(design.expected.hosts[device])[:8])
                found = design.error("CAB-10", row.row.cell(column), f"{device} has no port {port}", f"ports: {known}")
            if found is not None:
                yield found
                break


def _stranger(design: Design, row: CableRow, column: str, device: str) -> Diagnostic:
    known = [*design.fabric.devices, *design.fabric.hosts]
    near = get_close_matches(device, known, 1) if len(known) <= MAX_COMPARED else []
    hint = f"did you mean `{near[0]}`?" if near else "ends are device:cage[/sub] or host:r<rail>/<plane>"
    return design.error("CAB-10", row.row.cell(column), f"{device} is no device or host of this fabric", hint)


def _switch_end(
    design: Design, row: CableRow, column: str, port: str, there: str, laid: Mapping[str, FabricPort]
) -> Diagnostic | None:
    here = f"{row.a if column == 'a' else row.b}"
    source = row.row.cell(column)
    if port not in laid:
        parts = [key for key in laid if key.split("/")[0] == port.split("/")[0]]
        hint = f"cage {port.split('/')[0]} is {', '.join(parts)}" if parts else f"its last cage is {list(laid)[-1]}"
        return design.error("CAB-10", source, f"{here} is no port of this fabric", hint)
    peer = laid[port].peer
    if peer is None:
        far = _planned(design, there)
        hint = f"{there} is planned to go to {far}" if far else "netaudit show links has every planned cable"
        return design.error("CAB-10", source, f"no cable is planned at {here}", hint)
    if str(peer) != there:
        hint = f"write {peer} if the cable runs as planned; else re-cable it: this table only says how long cables are"
        return design.error("CAB-10", source, f"{here} is planned to go to {peer}, not to {there}", hint)
    return None


def _planned(design: Design, end: str) -> str:
    """The planned far end of a switch port or NIC port; empty if there is none."""
    name, _, port = end.partition(":")
    if name in design.fabric.devices:
        found = design.fabric.ports(name).get(port)
        return str(found.peer) if found is not None and found.peer is not None else ""
    host, (rail, _, plane) = design.fabric.hosts.get(name), port.partition("/")
    if host is None or port not in design.expected.hosts[name]:
        return ""
    leaf = design.fabric.leaf_of(plane, host.unit, int(rail[1:]))
    if leaf is None:  # retired
        return ""
    nth = (int(rail[1:]) - 1) % design.model.leaf.rails
    return f"{leaf.name}:{design.fabric.layouts['leaf'].downlinks[nth * design.model.host_capacity + host.index - 1]}"
