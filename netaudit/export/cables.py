"""The cable plan: every cable with both its ends, what stands on its label, and its length."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netaudit.fabric import DEFAULT_VRF, Fabric, FabricPort, end_addresses
from netaudit.state import Link, LinkEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a cable."""

    device: str
    port: str
    """`cage[/sub]`; of a host its NIC port, `r2/a`."""
    native: str
    """The device's own name of the port; empty for a host."""
    rack: str
    """From devices.csv; empty where it says nothing."""
    addresses: tuple[str, ...] = ()
    """`address/length` there; none on an unnumbered link. Ports in a VLAN have those of its interface together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """One cable of the plan. `a` is the lower end."""

    label: str
    """The same text for both ends of the cable: lower end, then upper end."""
    a: End
    b: End
    kind: str
    speed_mbps: int
    medium: str
    length_m: float
    measured: bool
    """The length is a row of cables.csv; else it is that of its class."""
    vrf: str = DEFAULT_VRF
    """The VRF that both its ends are in."""

    def row(self) -> Mapping[str, str]:
        """Column → text, in the order of the columns."""
        return {
            "label": self.label,
            "a": f"{self.a.device}:{self.a.port}",
            "b": f"{self.b.device}:{self.b.port}",
            "a_port_name": self.a.native,
            "b_port_name": self.b.native,
            "a_rack": self.a.rack,
            "b_rack": self.b.rack,
            "kind": self.kind,
            "speed": f"{self.speed_mbps // 1000}G",
            "medium": self.medium,
            "length_m": f"{self.length_m:g}",
            "length_from": "measured" if self.measured else "class",
            "a_addresses": " ".join(self.a.addresses),
            "b_addresses": " ".join(self.b.addresses),
            "vrf": self.vrf,
        }


def chosen(fabric: Fabric, names: Collection[str]) -> Iterator[Link]:
    """The links with an end on one of these switches, in the order of the fabric."""
    wanted = frozenset(names)
    return (link for link in fabric.links() if link.a.device in wanted or link.b.device in wanted)


def cables(fabric: Fabric, names: Collection[str]) -> Iterator[Cable]:
    """Every cable with an end on one of these switches. Linear in the cables."""
    laid: dict[str, Mapping[str, FabricPort]] = {}

    def port(end: LinkEnd) -> FabricPort | None:
        if end.device not in fabric.devices:
            return None
        if end.device not in laid:
            laid[end.device] = fabric.ports(end.device)
        return laid[end.device].get(end.port)

    for link in chosen(fabric, names):
        a, b = port(link.a), port(link.b)
        # a host's port is not laid out: the switch says its addresses, and the speed
        at_b, at_a = end_addresses(fabric, fabric.devices[link.b.device], b) if b else _turned(fabric, link.a, a)
        yield Cable(
            label=f"{link.a} - {link.b}",
            a=_end(fabric, link.a, a, at_a),
            b=_end(fabric, link.b, b, at_b),
            kind=link.kind,
            speed_mbps=max(a.speed_mbps if a else 0, b.speed_mbps if b else 0),
            medium=link.medium,
            length_m=link.length_m,
            measured=fabric.intent.cables.get(frozenset((str(link.a), str(link.b)))) is not None,
            vrf=fabric.vrf(link.kind),
        )


def _turned(fabric: Fabric, end: LinkEnd, port: FabricPort | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(addresses at the far end, those here), of a cable whose far end is external."""
    own, far = end_addresses(fabric, fabric.devices[end.device], port) if port else ((), ())
    return far, own


def _end(fabric: Fabric, end: LinkEnd, port: FabricPort | None, addresses: tuple[str, ...]) -> End:
    device = fabric.devices.get(end.device)
    rack = device.row.rack if device is not None and device.row is not None else None
    native = port.native if port else ""
    return End(device=end.device, port=end.port, native=native, rack=rack or "", addresses=addresses)


def as_csv(plan: Sequence[Cable]) -> str:
    """The plan as CSV with a header (RFC 4180, lines end with LF)."""
    text = io.StringIO()
    writer = csv.DictWriter(text, tuple(_columns(plan)), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _inert(cell) for name, cell in cable.row().items()} for cable in plan)
    return text.getvalue()


def as_markdown(plan: Sequence[Cable]) -> str:
    """The plan as a table of Markdown."""
    names = tuple(_columns(plan))
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cable.row().values())} |" for cable in plan]
    return "\n".join(lines) + "\n"


def _columns(plan: Sequence[Cable]) -> Sequence[str]:
    nothing = End(device="", port="", native="", rack="")
    empty = Cable(label="", a=nothing, b=nothing, kind="", speed_mbps=0, medium="", length_m=0, measured=False)
    return tuple((plan[0] if plan else empty).row())


def _inert(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: a rack's name is text that somebody typed."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
