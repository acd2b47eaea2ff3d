"""A fabric as its switches show it: observations made of expected states, and faults as changes of that data.

Every device is shown the way a SONiC switch shows it: each store has only the leaves that it can hold, LLDP neighbors
come under the names they send, and the routes are those that the fabric holds once all faults have happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime
from functools import cache, reduce
from pathlib import Path
from typing import TypeAlias

from netaudit.audit.audit import conclude
from netaudit.audit.compare import DeviceAudit, compare
from netaudit.audit.findings import AuditResult
from netaudit.audit.observed import Observation, Problem
from netaudit.expect import Expected
from netaudit.fabric import build, host_port
from netaudit.intent import load
from netaudit.state import ABSENT, Bgp, Device, Failures, Link, LinkEnd, LldpNeighbor, Route, RouteKey, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import below, with_leaf

INTENT = Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml"
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

World: TypeAlias = Mapping[str, Mapping[Store, Device]]
"""Device → what each of its stores shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that goes wrong: what devices show of it, and what it does to the routes of the fabric."""

    shows: Callable[[World], World] = field(default=lambda world: world)
    failures: Failures = field(default_factory=Failures)


@cache
def two_plane() -> Expected:
    """The example: 2 planes, 2 units, 4 rails, 2 spines a plane, 2 links a pair."""
    return Expected(build(load(INTENT)))


@cache
def healthy(expected: Expected) -> World:
    """Every switch, doing what it should."""
    return {name: stores(expected, name) for name in expected.devices}


def stores(expected: Expected, name: str) -> Mapping[Store, Device]:
    """What the four stores of one switch show; hosts say which NIC port they are."""
    whole = expected.device(name)
    seen: dict[Store, Device] = {}
    for store in Store:
        device = held_part(whole, expected.held(name, store))
        assert isinstance(device, Device)
        seen[store] = device
    state = seen[Store.STATE]
    assert state.lldp is not None
    heard = {key: as_sent(expected, n) for key, n in (state.lldp.neighbors or {}).items()}
    silent = {key: ABSENT for key in whole.ports or {} if key not in heard}
    lldp = replace(state.lldp, neighbors={**silent, **heard})
    return {**seen, Store.STATE: replace(state, lldp=lldp, routes=expected.routes(name, Failures()))}


def held_part(tree: object, held: Held) -> object:
    """The leaves of a tree that a store holds; everything else is not seen."""
    if held is False:
        return None
    if held is True or tree is None or tree is ABSENT:
        return tree
    if is_dataclass(tree) and not isinstance(tree, type):
        parts = {
            f.name: held_part(getattr(tree, f.name), below(held, f.name))
            for f in fields(tree)
            if f.compare and f.name not in ("name", "platform", "place")
        }
        return replace(tree, **parts)
    assert isinstance(tree, Mapping)
    return {key: held_part(value, below(held, str(key))) for key, value in tree.items()}


def as_sent(expected: Expected, neighbor: object) -> object:
    """A neighbor of the model as it calls itself: a switch sends its alias, a host `nic<rail>p<port>`."""
    if not isinstance(neighbor, LldpNeighbor):
        return neighbor
    if neighbor.system is None:
        return ABSENT  # a link in maintenance, over which nobody need be heard
    end = LinkEnd(device=str(neighbor.system), port=str(neighbor.port))
    device = expected.built.devices.get(end.device)
    if expected.built.is_external(end.device):
        return neighbor
    if end.device in expected.built.extra:
        return LldpNeighbor(system=end.device, port=expected.built.ports(end.device)[end.port].alias)
    if device is None:
        return LldpNeighbor(system=end.device, port=host_port(end, expected.built.intent.model.planes))
    return LldpNeighbor(system=end.device, port=expected.built.layouts[device.place.role].ports[end.port].alias)


def observations(world: World) -> list[Observation]:
    """What `audit` is given of that world, read without any problem; the hardware follows the routing table."""
    return [Observation(device=name, stores=programmed(seen), read_at=NOON) for name, seen in world.items()]


def programmed(seen: Mapping[Store, Device]) -> Mapping[Store, Device]:
    """The stores with the routes that the hardware holds: those of the routing table, if the world has no others."""
    applied, routes = seen[Store.APPLIED], seen[Store.STATE].routes
    if applied.routes is not None or routes is None:
        return seen
    learned = {key: Route(route.hops, frozenset()) for key, route in routes.items() if route.hops}
    return {**seen, Store.APPLIED: replace(applied, routes=learned)}


def broken(expected: Expected, *faults: Fault) -> World:
    """The world with all of these faults, every table as it must be once they have happened."""
    world = reduce(lambda world, fault: fault.shows(world), faults, healthy(expected))
    failures = reduce(both, (fault.failures for fault in faults), Failures())
    if failures == Failures():
        return world
    return {name: with_routes(seen, expected.routes(name, failures)) for name, seen in world.items()}


def with_routes(seen: Mapping[Store, Device], routes: Mapping[RouteKey, Route]) -> Mapping[Store, Device]:
    """The stores of a switch that holds other routes."""
    state = seen[Store.STATE]
    return seen if state.routes == routes else {**seen, Store.STATE: replace(state, routes=routes)}


def both(one: Failures, other: Failures) -> Failures:
    """What two faults do together."""
    return Failures(
        links=one.links | other.links,
        sessions=one.sessions | other.sessions,
        devices=one.devices | other.devices,
        recabled=one.recabled | other.recabled,
        withdrawn=one.withdrawn | other.withdrawn,
        added=one.added | other.added,
        asns={**one.asns, **other.asns},
    )


def audited(*faults: Fault, expected: Expected | None = None) -> AuditResult:
    """The audit of a fabric with all of these faults; the example if no other is given."""
    expected = expected or two_plane()
    return concluded(expected, broken(expected, *faults))


def concluded(expected: Expected, world: World) -> AuditResult:
    """The audit of a world, in which a switch that is as it should be is compared once for all tests."""
    audits = {
        o.device: _as_it_should_be(expected)[o.device]
        if world[o.device] is healthy(expected)[o.device]
        else compare(expected, o)
        for o in observations(world)
    }
    return conclude(expected, audits, NOON)


@cache
def _as_it_should_be(expected: Expected) -> Mapping[str, DeviceAudit]:
    return {o.device: compare(expected, o) for o in observations(healthy(expected))}


def told(result: AuditResult) -> list[tuple[str, str]]:
    """(rule, object) of every finding, which is what a test compares: none may be missing, no other may cry."""
    return sorted((f.rule, f.object) for f in result.findings)


def changed(world: World, device: str, store: Store, path: tuple[str, ...], value: object) -> World:
    """The same world with one value of one store of one device otherwise."""
    return {**world, device: {**world[device], store: with_leaf(world[device][store], path, value)}}


def setting(device: str, path: str, value: object, *in_stores: Store) -> Fault:
    """A value (`ports.1/1.mtu_bytes`) is otherwise in some stores; if none is named, in running and saved."""

    def shows(world: World) -> World:
        for store in in_stores or (Store.RUNNING, Store.SAVED):
            world = changed(world, device, store, tuple(path.split(".")), value)
        return world

    return Fault(shows=shows)


def appearing(device: str, path: str, value: object, *in_stores: Store) -> Fault:
    """A row that nobody planned is there: the last part of the path is its key."""
    *parents, key = path.split(".")

    def shows(world: World) -> World:
        for store in in_stores or (Store.RUNNING, Store.SAVED):
            table = reduce(_below, parents, world[device][store])
            assert isinstance(table, Mapping)
            world = changed(world, device, store, tuple(parents), {**table, key: value})
        return world

    return Fault(shows=shows)


def vanished(device: str, path: str, *in_stores: Store) -> Fault:
    """A row that was planned is not there."""
    *parents, key = path.split(".")

    def shows(world: World) -> World:
        for store in in_stores or (Store.RUNNING, Store.SAVED):
            table = reduce(_below, parents, world[device][store])
            assert isinstance(table, Mapping)
            world = changed(world, device, store, tuple(parents), {k: v for k, v in table.items() if str(k) != key})
        return world

    return Fault(shows=shows)


def _below(tree: object, name: str) -> object:
    return tree[name] if isinstance(tree, Mapping) else getattr(tree, name)


def link_at(end: str) -> Link:
    """The cable of the example at `device:port`."""
    return next(link for link in two_plane().links if end in (str(link.a), str(link.b)))


def end_of(text: str) -> LinkEnd:
    """`device:port` as an end."""
    device, _, port = text.partition(":")
    return LinkEnd(device=device, port=port)


def far_of(text: str) -> LinkEnd:
    """The other end of the cable that is planned at `device:port`."""
    link, end = link_at(text), end_of(text)
    return link.a if link.b == end else link.b


def dark(end: LinkEnd, *, still_heard: bool = False) -> Fault:
    """A port is down and has no session; LLDP forgets the neighbor, or has not yet."""

    def shows(world: World) -> World:
        if end.device not in world:
            return world
        world = _idle(changed(world, end.device, Store.STATE, ("ports", end.port, "oper_up"), False), end)
        if still_heard:
            return world
        return changed(world, end.device, Store.STATE, ("lldp", "neighbors", end.port), ABSENT)

    return Fault(shows=shows)


def link_down(end: str, *, still_heard: bool = False) -> Fault:
    """A cable is cut: both ends are dark."""
    link = link_at(end)
    ends = [dark(there, still_heard=still_heard) for there in (link.a, link.b)]
    return Fault(shows=lambda world: ends[1].shows(ends[0].shows(world)), failures=Failures(links=frozenset({link})))


def _idle(world: World, end: LinkEnd) -> World:
    bgp = world[end.device][Store.STATE].bgp or Bgp()
    if end.port not in (bgp.neighbors or {}):
        return world
    world = changed(world, end.device, Store.STATE, ("bgp", "neighbors", end.port, "session"), "Idle")
    return changed(world, end.device, Store.STATE, ("bgp", "neighbors", end.port, "remote_asn"), None)


def session_down(end: str) -> Fault:
    """A BGP session is not Established; its link is up and LLDP is heard."""
    link = link_at(end)

    def shows(world: World) -> World:
        return _idle(_idle(world, link.a), link.b)

    return Fault(shows=shows, failures=Failures(sessions=frozenset({link.a, link.b})))


def swapped(one: str, two: str, *, port_ids: Mapping[str, str] | None = None) -> Fault:
    """The plugs at two switch ports are in each other's places; `port_ids`: host → the id it sends instead."""
    return moved({one: two, two: one}, port_ids=port_ids)


def moved(places: Mapping[str, str], *, port_ids: Mapping[str, str] | None = None) -> Fault:
    """Plugs are elsewhere: the far end planned at the value is heard at the key."""
    expected, ids = two_plane(), port_ids or {}
    pairs = [(end_of(here), far_of(planned_at)) for here, planned_at in places.items()]
    links = [_link(expected, end, far) for end, far in pairs if far.device in expected.devices]

    def shows(world: World) -> World:
        for end, far in pairs:
            world = _hears(expected, world, end, far, ids)
            if far.device in expected.devices:
                world = _hears(expected, world, far, end, {})
        return {name: sees_asns(expected, name, seen, links) for name, seen in world.items()}

    return Fault(shows=shows, failures=Failures(recabled=frozenset(links)))


def _link(expected: Expected, one: LinkEnd, two: LinkEnd) -> Link:
    a, b = sorted((one, two), key=lambda end: (expected.devices[end.device].tier, end))
    return Link(a=a, b=b, kind="leaf-spine")


def _hears(expected: Expected, world: World, end: LinkEnd, far: LinkEnd, port_ids: Mapping[str, str]) -> World:
    heard = as_sent(expected, LldpNeighbor(system=far.device, port=far.port))
    if far.device in port_ids:
        heard = LldpNeighbor(system=far.device, port=port_ids[far.device])
    return changed(world, end.device, Store.STATE, ("lldp", "neighbors", end.port), heard)


def sees_asns(
    expected: Expected, name: str, seen: Mapping[Store, Device], links: Iterable[Link]
) -> Mapping[Store, Device]:
    """The stores of a switch that hears the ASNs of whom these cables lead to."""
    state = seen[Store.STATE]
    for end, far in (pair for link in links for pair in ((link.a, link.b), (link.b, link.a))):
        if end.device == name:
            path = ("bgp", "neighbors", end.port, "remote_asn")
            state = with_leaf(state, path, expected.built.devices[far.device].asn)
    return {**seen, Store.STATE: state}


def host_sends(leaf: str, port: str, neighbor: object) -> Fault:
    """What is heard at a leaf's port to a host: another neighbor, or `ABSENT` for silence."""
    return setting(leaf, f"lldp.neighbors.{port}", neighbor, Store.STATE)


def asn(device: str, number: int, *, in_database: bool = False, in_files: bool = False) -> Fault:
    """A speaker runs under another number, and every peer sees it; a peer with the same one refuses the session."""
    expected = two_plane()
    stores_ = (Store.RUNNING, Store.SAVED) if in_files else (Store.RUNNING,)

    def shows(world: World) -> World:
        for store in (*stores_, Store.STATE):
            world = changed(world, device, store, ("bgp", "asn"), number)
        for store in stores_ if in_database else ():
            world = changed(world, device, store, ("system", "asn"), number)
        for end, far in (pair for link in expected.links for pair in ((link.a, link.b), (link.b, link.a))):
            if far.device == device and end.device in expected.devices:
                world = changed(world, end.device, Store.STATE, ("bgp", "neighbors", end.port, "remote_asn"), number)
                if number == expected.built.devices[end.device].asn:
                    world = _idle(_idle(world, end), far)
        return world

    return Fault(shows=shows, failures=Failures(asns={device: number}))


def withdrawn(device: str, prefix: str, *, discard_too: bool = False) -> Fault:
    """A prefix is no longer originated; `discard_too`: its discard route is gone as well."""
    gone = frozenset({prefix})
    networks, discards = _prefixes(device)
    faults = (
        setting(device, "bgp.networks", networks - gone, Store.RUNNING),
        setting(device, "bgp.discards", discards - gone if discard_too else discards, Store.RUNNING),
    )
    return Fault(
        shows=lambda world: faults[1].shows(faults[0].shows(world)),
        failures=Failures(withdrawn=frozenset({(device, prefix)})),
    )


def announced(device: str, prefix: str) -> Fault:
    """A prefix is originated that should not be, with its discard route; the policies stay as they are."""
    networks, discards = _prefixes(device)
    faults = (
        setting(device, "bgp.networks", networks | {prefix}, Store.RUNNING),
        setting(device, "bgp.discards", discards | {prefix}, Store.RUNNING),
    )
    return Fault(
        shows=lambda world: faults[1].shows(faults[0].shows(world)),
        failures=Failures(added=frozenset({(device, prefix)})),
    )


def _prefixes(device: str) -> tuple[frozenset[str], frozenset[str]]:
    bgp = two_plane().device(device).bgp
    assert bgp is not None
    assert isinstance(bgp.networks, frozenset)
    assert isinstance(bgp.discards, frozenset)
    return bgp.networks, bgp.discards


def not_read(result: Iterable[Observation], *devices: str, failure: str = "no route to host") -> list[Observation]:
    """The same observations, but some switches did not answer."""
    return [Observation(device=o.device, failure=failure) if o.device in devices else o for o in result]


def part_unread(
    result: Iterable[Observation], device: str, store: Store, path: str, asked: str, reason: str
) -> list[Observation]:
    """The same observations, but one answer of a device could not be used, so a part of a store is not seen."""
    parts = tuple(path.split("."))
    return [
        replace(
            o,
            stores={**o.stores, store: with_leaf(o.stores[store], parts, None)},
            problems=(*o.problems, Problem(store=store, asked=asked, reason=reason)),
        )
        if o.device == device
        else o
        for o in result
    ]
