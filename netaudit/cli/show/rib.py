"""`show rib DEVICE`: the BGP table a device must hold, destinations alike in one row, and the count by formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_network

from netaudit.cli.show.page import Json, Table, View, facts, notes, page, table
from netaudit.cli.show.rib_formula import Formula, formula
from netaudit.cli.show.values import ordered
from netaudit.diag import Diagnostic, Invalid
from netaudit.expect import Expected
from netaudit.expect.bgp import maximum_paths
from netaudit.expect.policies import own_prefixes
from netaudit.fabric import DEFAULT_VRF, FabricDevice
from netaudit.state import Failures, Route
from netaudit.terminal import Symbol, counted, fold_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Prefixes that leave through the same ports over the same AS paths."""

    origin: str
    """The device that originates them, or `this device`."""
    vrf: str
    prefixes: tuple[str, ...]
    ports: tuple[str, ...]
    as_paths: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BgpTable:
    """The expected table of one device."""

    device: FabricDevice
    groups: tuple[Group, ...]

    @property
    def learned(self) -> tuple[Group, ...]:
        """All that the default VRF has but its own."""
        return tuple(group for group in self.groups if group.ports and group.vrf == DEFAULT_VRF)

    @property
    def in_vrfs(self) -> Mapping[str, int]:
        """Other VRF → how many prefixes it has."""
        counts: dict[str, int] = {}
        for group in self.groups:
            if group.vrf != DEFAULT_VRF:
                counts[group.vrf] = counts.get(group.vrf, 0) + len(group.prefixes)
        return counts

    @property
    def prefixes(self) -> int:
        """How many prefixes it learns."""
        return sum(len(group.prefixes) for group in self.learned)

    @property
    def paths(self) -> int:
        """How many paths these have together: what `show bgp` counts."""
        return sum(len(group.prefixes) * len(group.ports) for group in self.learned)


def rib(expected: Expected, name: str) -> BgpTable:
    """The table of a device with nothing failed."""
    routes = expected.routes(name, Failures())
    plane = expected.built.devices[name].place.plane
    owners: dict[str, str] = {}
    for device in expected.built.devices.values():
        for prefix in own_prefixes(device) if device.place.plane == plane else ():
            owners[prefix] = f"{owners[prefix]}, {device.name}" if prefix in owners else device.name
    found: dict[tuple[str, str, Route], list[str]] = {}
    for (vrf, prefix), route in routes.items():
        owner = "this device" if not route.hops else owners.get(prefix, "–") if vrf == DEFAULT_VRF else "–"
        found.setdefault((vrf, owner, route), []).append(prefix)
    groups = tuple(
        Group(
            origin=owner,
            vrf=vrf,
            prefixes=tuple(map(str, ordered(frozenset(prefixes)))),
            ports=_ports(expected, name, route),
            as_paths=tuple(sorted(route.as_paths)),
        )
        for (vrf, owner, route), prefixes in found.items()
    )
    places = {device: number for number, device in enumerate(expected.built.devices)}
    at = {g.origin: places.get(g.origin.partition(",")[0], -1) for g in groups}
    return BgpTable(
        device=expected.built.devices[name],
        groups=tuple(sorted(groups, key=lambda g: (g.vrf, at[g.origin], g.prefixes))),
    )


def _ports(expected: Expected, name: str, route: Route) -> tuple[str, ...]:
    """In the order of the front panel."""
    laid = tuple(expected.built.ports(name))
    return tuple(key for key in laid if key in route.hops) + tuple(sorted(route.hops - set(laid)))


def rib_page(expected: Expected, name: str, prefix: str, view: View) -> str:
    """The page: the whole table, or the rows that cover one prefix."""
    found = rib(expected, name)
    shown = chosen(expected, found, prefix) if prefix else found.groups
    sums = formula(expected, found.device)
    head = f"{name} learns {counted(found.prefixes, 'prefix', 'prefixes')} over {counted(found.paths, 'path')}"
    if prefix:
        head = f"{name} reaches {prefix} {_over(shown[0])}"
    blocks = (
        table(view, _rows(shown)),
        facts(view.style, tuple(_counts(expected, found, sums)), label=14),
        notes(view.style, tuple(_doubts(found, sums, blocks=bool(expected.built.intent.model.blocks)))),
    )
    rest = (name,) if prefix else (name, shown[0].prefixes[0])
    return page(view, (Symbol.INFO, head), *blocks, then=view.command("show rib", *rest))


def chosen(expected: Expected, found: BgpTable, prefix: str) -> tuple[Group, ...]:
    """The row of one prefix. Raises `Invalid` where the table has none."""
    try:
        wanted = str(ip_network(prefix, strict=False))
    except ValueError:
        hint = f"for example {found.groups[0].prefixes[0]}"
        raise Invalid([Diagnostic(message=f"`{prefix}` is not a prefix", hint=hint)]) from None
    rows = tuple(group for group in found.groups if wanted in group.prefixes)
    if not rows:
        known = [p for group in found.groups for p in group.prefixes]
        raise Invalid([_no_route(expected, found.device, wanted, known)])
    return rows


def _no_route(expected: Expected, device: FabricDevice, wanted: str, known: list[str]) -> Diagnostic:
    network = ip_network(wanted)
    covering = [p for p in known if (n := ip_network(p)).version == network.version and network.subnet_of(n)]  # type: ignore[arg-type]
    owner = next((d for d in expected.built.devices.values() if wanted in own_prefixes(d)), None)
    if covering:
        hint = f"it is inside {covering[0]}"
    elif owner is None:
        hint = "no device of this fabric originates it"
    elif owner.place.plane != device.place.plane:
        hint = f"it is of {owner.name}, and the planes are disjoint"
    else:
        hint = f"it is of {owner.name}, whose AS path holds the own ASN {device.asn}"
    return Diagnostic(message=f"{device.name} must have no route to {wanted}", hint=hint)


def _over(group: Group) -> str:
    if not group.ports:
        return "itself: it originates it"
    return f"over {counted(len(group.ports), 'port')}: {fold_text(group.ports, to='–')}"


def _rows(groups: tuple[Group, ...]) -> Table:
    rows = tuple(
        (
            group.origin,
            fold_text(group.ports, to="–") or "–",
            str(len(group.ports)) if group.ports else "–",
            " or ".join(" ".join(map(str, path)) for path in group.as_paths if path) or "own",
            ", ".join(group.prefixes) + (f" (vrf {group.vrf})" if group.vrf != DEFAULT_VRF else ""),
        )
        for group in groups
    )
    return Table(head=("from", "ports", "ECMP", "AS path", "prefixes"), rows=rows, right=frozenset({2}))


def _counts(expected: Expected, found: BgpTable, sums: Formula | None) -> Iterator[tuple[str, str]]:
    own = sum(len(group.prefixes) for group in found.groups if not group.ports)
    yield "own", f"{counted(own, 'prefix', 'prefixes')}, sent with the AS path {found.device.asn}"
    yield (
        "learned",
        f"{found.prefixes:,} prefixes, {found.paths:,} paths; maximum_paths {maximum_paths(expected.built)}",
    )
    for vrf, count in found.in_vrfs.items():
        yield f"VRF {vrf}", f"{counted(count, 'prefix', 'prefixes')}, none of ours"
    if sums is not None:
        agreed = (sums.prefixes, sums.paths) == (found.prefixes, found.paths)
        result = f"{sums.prefixes:,} prefixes, {sums.paths:,} paths{', as above' if agreed else ''}"
        yield "by formula", f"{sums.text} = {result}"


def _doubts(found: BgpTable, sums: Formula | None, *, blocks: bool) -> Iterator[str]:
    if sums is None:
        why = "the spines of this plane do not share one ASN, or two leaves do"
        yield f"no formula: {'it knows leaves and spines, and no other blocks' if blocks else why}"
    elif (sums.prefixes, sums.paths) != (found.prefixes, found.paths):
        yield "the table is not what the formula says: pinned loopbacks or ASNs stand outside of the pattern"


def rib_data(expected: Expected, name: str, prefix: str) -> Mapping[str, Json]:
    """The same in JSON."""
    found = rib(expected, name)
    sums = formula(expected, found.device)
    rows: list[Json] = [
        {
            "from": group.origin if group.ports else name,
            "vrf": group.vrf,
            "prefixes": list(group.prefixes),
            "ports": list(group.ports),
            "as_paths": [list(path) for path in group.as_paths],
        }
        for group in (chosen(expected, found, prefix) if prefix else found.groups)
    ]
    return {
        "show": "rib",
        "device": name,
        "asn": found.device.asn,
        "learned_prefixes": found.prefixes,
        "learned_paths": found.paths,
        "formula": {"text": sums.text, "prefixes": sums.prefixes, "paths": sums.paths} if sums else None,
        "routes": rows,
    }
