"""What is connected to what, for tools that draw or compute: Graphviz's DOT, and nodes and links as data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from netaudit.export.cables import Cable, End, cables
from netaudit.fabric import Fabric, FabricDevice

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"


def graph(fabric: Fabric, names: Collection[str]) -> Mapping[str, Json]:
    """Switches, hosts and links as data: those of the named switches, and what their cables lead to."""
    plan = tuple(cables(fabric, names))
    return {
        "fabric": fabric.name,
        "nodes": [_node(fabric, name) for name in _nodes(plan, names)],
        "links": [_link(cable) for cable in plan],
    }


def _nodes(plan: Sequence[Cable], names: Collection[str]) -> tuple[str, ...]:
    """The switches in the order of the fabric, then what else the cables lead to."""
    return tuple(dict.fromkeys((*names, *(end.device for cable in plan for end in (cable.a, cable.b)))))


def _node(fabric: Fabric, name: str) -> Mapping[str, Json]:
    device = fabric.devices.get(name)
    if device is None:
        host = fabric.hosts.get(name)
        return {"name": name, "kind": "host" if host else "external", "unit": host.unit if host else ""}
    place = device.place
    return {
        "name": name,
        "kind": "switch",
        "place": str(place),
        "role": place.role,
        "plane": place.plane,
        "unit": place.unit,
        "rail": place.rail,
        "tier": place.tier,
        "group": device.group,
        "model": device.model.name,
        "platform": device.platform,
        "asn": device.asn,
        "loopbacks": list(device.loopbacks),
        "rack": (device.row.rack if device.row else None) or "",
    }


def _link(cable: Cable) -> Mapping[str, Json]:
    return {
        "a": _end(cable.a),
        "b": _end(cable.b),
        "kind": cable.kind,
        "speed_mbps": cable.speed_mbps,
        "medium": cable.medium,
        "length_m": cable.length_m,
        "measured": cable.measured,
        "vrf": cable.vrf,
    }


def _end(end: End) -> Mapping[str, Json]:
    return {"device": end.device, "port": end.port, "name": end.native, "addresses": list(end.addresses)}


def as_dot(fabric: Fabric, names: Collection[str]) -> str:
    """The graph as DOT: a frame a plane, hosts below leaves below spines, parallel cables as one line."""
    plan = tuple(cables(fabric, names))
    nodes = _nodes(plan, names)
    lines = [f"graph {_quoted(fabric.name)} {{", "  rankdir=BT;", "  node [shape=box, fontname=monospace];"]
    for plane in dict.fromkeys(fabric.devices[n].place.plane for n in nodes if n in fabric.devices):
        lines += [f"  subgraph {_quoted(f'cluster_{plane}')} {{", f"    label={_quoted(f'plane {plane}')};"]
        inside = [n for n in nodes if n in fabric.devices and fabric.devices[n].place.plane == plane]
        lines += _ranks(fabric, inside)
        lines += ["  }"]
    lines += [f"  {_quoted(name)} [shape=ellipse];" for name in nodes if name not in fabric.devices]
    lines += _edges(plan)
    return "\n".join((*lines, "}")) + "\n"


def _ranks(fabric: Fabric, names: Sequence[str]) -> Iterator[str]:
    """The switches of a plane, those of one role at one height."""
    for role in dict.fromkeys(fabric.devices[name].place.role for name in names):
        yield "    { rank=same;"
        yield from (
            f"      {_quoted(n)} [{_told(fabric.devices[n])}];" for n in names if fabric.devices[n].place.role == role
        )
        yield "    }"


def _told(device: FabricDevice) -> str:
    return f"label={_quoted(f'{device.name}{chr(92)}nAS {device.asn}')}"


def _edges(plan: Sequence[Cable]) -> Iterator[str]:
    bundles: dict[tuple[str, str], list[Cable]] = {}
    for cable in plan:
        bundles.setdefault((cable.a.device, cable.b.device), []).append(cable)
    for (a, b), found in bundles.items():
        speeds = dict.fromkeys(cable.speed_mbps // 1000 for cable in found)
        label = (
            f"{len(found)} × {', '.join(f'{speed}G' for speed in speeds)}"
            if len(found) > 1
            else f"{next(iter(speeds))}G"
        )
        ports = " ".join(f"{cable.a.port}-{cable.b.port}" for cable in found)
        yield f"  {_quoted(a)} -- {_quoted(b)} [label={_quoted(label)}, tooltip={_quoted(ports)}];"


def _quoted(text: str) -> str:
    """A name as DOT takes any text: in double quotes, of which those inside are escaped."""
    return '"' + text.replace('"', '\\"') + '"'
