"""`show fabric`: what is built, how much of the capacity is used, and how wide every destination is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.cli.show.page import Json, Table, View, facts, page, table
from netaudit.cli.show.values import metres, speed
from netaudit.expect import Expected
from netaudit.expect.bgp import maximum_paths
from netaudit.fabric import HOST_LEAF, SPARE
from netaudit.intent import IntentModel, tiers
from netaudit.terminal import Symbol, counted, fold_text, share


def fabric_page(expected: Expected, view: View) -> str:
    """The page of the whole fabric."""
    model = expected.built.intent.model
    devices = counted(len(expected.built.devices), "device")
    head = f"{expected.fabric}: {devices}, {counted(len(expected.links), 'link')}, {counted(_hosts(expected), 'host')} "
    head += f"in {counted(len(model.units), 'unit')}; capacity used {_used(model)}"
    rows = tuple(_roles(expected))
    shown = Table(head=("role", "per plane", "in all", "model", "host ports", "fabric ports", "spare"), rows=rows)
    shown = Table(head=shown.head, rows=rows, right=frozenset({1, 2, 4, 5, 6}))
    wired = Table(head=("group", "above", "below", "links"), rows=tuple(_groups(expected)))
    blocks = (facts(view.style, tuple(_facts(expected))), table(view, shown), table(view, wired))
    then = view.command("show device", next(iter(expected.built.devices)))
    return page(view, (Symbol.INFO, head), *blocks, then=then)


def _hosts(expected: Expected) -> int:
    return len(expected.built.hosts)


def _used(model: IntentModel) -> str:
    return f"{len(model.units):,} of {model.unit_capacity:,} units"


def _facts(expected: Expected) -> Iterator[tuple[str, str]]:
    model = expected.built.intent.model
    hosts = max(unit.hosts for unit in model.units.values())
    planes = ", ".join(model.planes)
    yield "planes", f"{planes}: disjoint, NIC port n is in plane n"
    where = "its leaf of rail r" if model.leaf.rails == 1 else f"a leaf that serves {model.leaf.rails} rails"
    yield "rails", f"{model.rails:,}: NIC r of every host of a unit is on {where}, one in each plane"
    units = ", ".join(f"{name} ({counted(unit.hosts, 'host')})" for name, unit in model.units.items())
    yield "units", units
    yield (
        "capacity",
        f"{_used(model)}, {hosts:,} of {model.host_capacity:,} hosts in a unit; growth inside renumbers nothing",
    )
    up, down = _uplink(model), _downlink(model)
    yield "bandwidth", f"a leaf: {speed(down)} down, {speed(up)} up, subscription {_ratio(down, up)}"
    width = model.spine.count * model.spine.links
    wide = f"{width:,} next hops between leaves ({model.spine.count} spines × {model.spine.links} links)"
    wide += f", {model.spine.links} from a spine to a leaf"
    if model.superspine is not None:
        groups = [group for group, _ in tiers.superspine_numbers(model)]
        wide += f", {groups.count(groups[0]) * model.superspine.links} from a spine to another pod"
    yield "ECMP", f"{wide}; maximum_paths {maximum_paths(expected.built)}"
    cables = model.cables
    classes = f"host-leaf {metres(cables.host_leaf.length_m)} {cables.host_leaf.medium}, "
    classes += f"leaf-spine {metres(cables.leaf_spine.length_m)} {cables.leaf_spine.medium}"
    if (top := cables.spine_superspine) is not None:
        classes += f", spine-superspine {metres(top.length_m)} {top.medium}"
    yield "cables", f"{classes}; {len(expected.built.intent.cables):,} measured"
    yield "overrides", f"{len(model.overrides):,}" if model.overrides else "none"


def _downlink(model: IntentModel) -> int:
    return max(unit.hosts for unit in model.units.values()) * model.leaf.rails * model.hosts.speed


def _uplink(model: IntentModel) -> int:
    return model.spine.count * model.spine.links * model.spine.speed


def _ratio(down: int, up: int) -> str:
    return f"{down / up:.2f}"


def _roles(expected: Expected) -> Iterator[tuple[str, ...]]:
    """A row for each role: counts, and the ports of its fullest device."""
    planes = len(expected.built.intent.model.planes)
    for role, (name, count) in _samples(expected).items():
        kinds = [port.kind for port in expected.built.ports(name).values()]
        yield (
            role,
            f"{count // planes:,}",
            f"{count:,}",
            expected.built.devices[name].model.name,
            f"{kinds.count(HOST_LEAF):,}",
            f"{len(kinds) - kinds.count(HOST_LEAF) - kinds.count(SPARE):,}",
            f"{kinds.count(SPARE):,} ({share(kinds.count(SPARE), len(kinds))})",
        )


def _groups(expected: Expected) -> Iterator[tuple[str, ...]]:
    """Who meets whom: a row for each group of spines, with its leaves, and of superspines, with their spines."""
    for name, above, below, links in _wired(expected):
        yield name, fold_text(above), fold_text(below), f"{links} each"


def _wired(expected: Expected) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...], int]]:
    """(group, switches above, switches below, links of each pair), plane by plane, the highest tier first."""
    fabric, model = expected.built, expected.built.intent.model
    word = {"plane": "spines", "rail": "rail", "pod": "pod"}[model.spine.per]
    for plane in model.planes:
        spines = [d for d in fabric.devices.values() if d.place.role == "spine" and d.place.plane == plane]
        if (body := model.superspine) is not None:
            for group in dict.fromkeys(g for g, _ in tiers.superspine_numbers(model)):
                below = [s for s in spines if group in (0, (s.place.number - 1) % model.spine.count + 1)]
                above = tuple(d.name for d in fabric.alike(plane, "superspine", group))
                said = f"{plane}: superspines" + (f" {group}" if group else "")
                yield said, above, tuple(s.name for s in below), body.links
        for group in dict.fromkeys(s.group for s in spines):
            above = tuple(s.name for s in spines if s.group == group)
            leaves = tuple(d.name for d in fabric.alike(plane, "leaf", group))
            said = f"{plane}: {word}" + (f" {group}" if model.spine.per != "plane" else "")
            yield said, above, leaves, model.spine.links


def _samples(expected: Expected) -> Mapping[str, tuple[str, int]]:
    """Role → (its first device, how many there are)."""
    found: dict[str, tuple[str, int]] = {}
    for device in expected.built.devices.values():
        first, count = found.get(device.place.role, (device.name, 0))
        found[device.place.role] = (first, count + 1)
    return found


def fabric_data(expected: Expected) -> Mapping[str, Json]:
    """The same in JSON."""
    model = expected.built.intent.model
    return {
        "show": "fabric",
        "fabric": expected.fabric,
        "planes": list(model.planes),
        "rails": model.rails,
        "units": {name: {"id": unit.id, "hosts": unit.hosts} for name, unit in model.units.items()},
        "groups": [
            {"group": name, "above": list(above), "below": list(below), "links": links}
            for name, above, below, links in _wired(expected)
        ],
        "capacity": {"units": model.unit_capacity, "hosts": model.host_capacity},
        "roles": {role: count for role, (_, count) in _samples(expected).items()},
        "hosts": _hosts(expected),
        "links": len(expected.links),
        "ecmp": {
            "leaf_to_leaf": model.spine.count * model.spine.links,
            "spine_to_leaf": model.spine.links,
            "maximum_paths": maximum_paths(expected.built),
        },
        "leaf_mbps": {"down": _downlink(model), "up": _uplink(model)},
        "measured_cables": len(expected.built.intent.cables),
        "overrides": len(model.overrides),
        "devices": [
            {"name": d.name, "place": str(d.place), "role": d.place.role, "model": d.model.name, "platform": d.platform}
            for d in expected.built.devices.values()
        ],
    }
