"""`show links`: the cable plan of a device, a port or the fabric, with lengths, media and where each length is from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from netaudit import hardware
from netaudit.cli.show.cables import Cable, cable_of, speed_mbps
from netaudit.cli.show.page import Json, Table, View, facts, page, table
from netaudit.cli.show.target import Target
from netaudit.cli.show.values import metres, speed
from netaudit.expect import Expected
from netaudit.fabric import DEFAULT_VRF, SPARE, end_addresses, host_port
from netaudit.state import LinkEnd
from netaudit.terminal import Symbol, counted, fold_text


def plan(expected: Expected, at: Target | None) -> tuple[tuple[Cable, int], ...]:
    """(cable, speed in Mb/s) of every cable at a device or port; of all, each once and leaves first, without one."""
    fabric = expected.built
    found: list[tuple[Cable, int]] = []
    told: set[LinkEnd] = set()
    for name in [at.device] if at else fabric.devices:
        for key, port in fabric.ports(name).items():
            wire = cable_of(fabric, name, port)
            here = LinkEnd(device=name, port=key)
            if wire is not None and here not in told and (at is None or at.port in (None, key)):
                found.append((wire, speed_mbps(fabric, name, port)))
                if port.peer is not None:
                    told.add(port.peer)
    return tuple(found)


def links_page(expected: Expected, at: Target | None, view: View) -> str:
    """The page: a row for each cable, then what is spare and what is needed of each kind."""
    found = plan(expected, at)
    place = f"at {at}" if at else f"in {expected.fabric}"
    if not found:
        head = (Symbol.INFO, f"no cable is planned {place}: the port is spare, down and without headroom")
        return page(view, head, then=view.command("show links", at.device if at else ""))
    measured = sum(1 for wire, _ in found if wire.measured)
    head_text = f"{counted(len(found), 'cable')} {place}, {measured:,} with a measured length"
    rows = tuple(_row(expected, wire, rate) for wire, rate in found)
    shown = Table(
        head=("end", "other end", "LLDP port", "speed", "length", "medium", "length from"),
        rows=rows,
        right=frozenset({3, 4}),
    )
    blocks = (table(view, shown), facts(view.style, tuple(_sums(expected, at, found))))
    first = found[-1][0].a
    return page(view, (Symbol.INFO, head_text), *blocks, then=view.command("show headroom", str(first)))


def _row(expected: Expected, wire: Cable, rate: int) -> tuple[str, ...]:
    far = said_by(expected, wire.b)
    return (str(wire.a), str(wire.b), far, speed(rate), metres(wire.length_m), wire.medium, wire.place)


def said_by(expected: Expected, end: LinkEnd) -> str:
    """The port id that a far end sends by LLDP: a switch its alias or else its name, a host its NIC and port."""
    built = expected.built.devices.get(end.device)
    if built is not None:
        fabric = expected.built
        ports = fabric.ports(built.name) if built.name in fabric.extra else fabric.layouts[built.place.role].ports
        return ports[end.port].alias or ports[end.port].native
    if expected.built.is_external(end.device):
        return end.port
    return host_port(end, expected.built.intent.model.planes)


def _sums(expected: Expected, at: Target | None, found: tuple[tuple[Cable, int], ...]) -> Iterator[tuple[str, str]]:
    kinds = Counter((wire.kind, speed(rate), wire.medium) for wire, rate in found)
    for number, ((kind, rate, medium), count) in enumerate(kinds.items()):
        reach = hardware.medium(medium).title if medium in hardware.media_names() else "not in the catalogue"
        yield "" if number else "kinds", f"{count:,} × {kind} at {rate}, {medium} ({reach})"
    if at is not None and at.port is not None:
        own, far = _addresses(expected, found[0][0])
        yield "addresses", f"{', '.join(own)}; at the other end {', '.join(far)}" if own else ""
    inside: dict[str, list[str]] = {}
    for wire, _ in found:
        inside.setdefault(_vrf(expected, wire), []).append(str(wire.a))
    for vrf in sorted(inside.keys() - {DEFAULT_VRF}):
        yield f"VRF {vrf}", fold_text(inside[vrf])
    lengths = [wire.length_m for wire, _ in found]
    if len(found) > 1:
        yield "lengths", f"{metres(min(lengths))} to {metres(max(lengths))}"
    if at is not None and at.port is None:
        spare = [key for key, port in expected.built.ports(at.device).items() if port.kind == SPARE]
        yield (
            "spare",
            f"{counted(len(spare), 'port')}, down: {fold_text([f':{key}' for key in spare])}" if spare else "",
        )


def _vrf(expected: Expected, wire: Cable) -> str:
    return expected.built.vrf_ends.get(wire.a, DEFAULT_VRF)


def _addresses(expected: Expected, wire: Cable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    device = expected.built.devices[wire.a.device]
    return end_addresses(expected.built, device, expected.built.ports(device.name)[wire.a.port])


def links_data(expected: Expected, at: Target | None) -> Mapping[str, Json]:
    """The same in JSON."""
    rows: list[Json] = [
        {
            "a": str(wire.a),
            "b": str(wire.b),
            "kind": wire.kind,
            "speed_mbps": rate,
            "length_m": wire.length_m,
            "medium": wire.medium,
            "measured": wire.measured,
            "length_from": str(wire.source) if wire.source else None,
            "lldp_port_of_b": said_by(expected, wire.b),
            "vrf": _vrf(expected, wire),
            "a_addresses": list(own),
            "b_addresses": list(far),
        }
        for wire, rate in plan(expected, at)
        for own, far in (_addresses(expected, wire),)
    ]
    return {"show": "links", "device": at.device if at else None, "port": at.port if at else None, "links": rows}
