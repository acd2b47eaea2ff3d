"""Pass one, device by device: what differs in any store, what was not seen, and the facts causes are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from netaudit.audit.chain import is_map_entry
from netaudit.audit.lengths import with_told_lengths
from netaudit.audit.observed import Observation
from netaudit.audit.seen import SeenRoutes
from netaudit.state import (
    ABSENT,
    Absent,
    Device,
    Expectation,
    Failures,
    Lldp,
    LldpNeighbor,
    Origin,
    Place,
    Route,
    RouteKey,
    Store,
)
from netaudit.state.walk import Difference, Kind, Path, Tally, differences

IFINDEX = "ifIndex "
"""Before a port id that is a number: Junos sends the index of SNMP (lldp port-id-subtype locally-assigned)."""
_MAC = re.compile(r"[0-9a-fA-F]{2}([:-]?[0-9a-fA-F]{2}){5}|([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}")
"""`00:11:22:33:44:55`, `00-11-…`, `001122334455`, `0011.2233.4455`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """One leaf or object that is not as expected, with what every store says of it."""

    path: Path
    expected: object
    observed: Mapping[Store, object]
    """Only the stores where it differs."""
    origin: Origin | None
    kind: Kind
    right: Mapping[Store, object] = field(default_factory=dict)
    """The stores that show the same leaf as it should be: wrong in one and right in another is a diagnosis."""


@dataclass(frozen=True, slots=True)
class PortFact:
    """What a port shows: the raw material of causes, small enough to keep for a whole fabric."""

    oper_up: bool | None
    neighbor: tuple[str, str] | Absent | None
    """(device or host, port) by LLDP, in the model's names; `ABSENT` hears nobody, `None` was not seen."""
    session: str | None
    remote_asn: int | None


@dataclass(frozen=True, slots=True)
class Unprogrammed:
    """A prefix that the hardware sends elsewhere than the routing table says."""

    key: RouteKey
    routing: frozenset[str]
    """Ports by the routing table; empty where it has no route of BGP."""
    hardware: frozenset[str]


@dataclass(slots=True, kw_only=True)
class DeviceAudit:
    """All that pass one leaves of a device. What was observed as it should be is not kept, but for the routes."""

    name: str
    place: Place
    observation: Observation
    """Without the state itself: problems, failure, time and address."""
    stores: tuple[Store, ...] = ()
    """The stores that were read."""
    merged: dict[Path, Merged] = field(default_factory=dict)
    unseen: dict[Store, list[Path]] = field(default_factory=dict)
    facts: dict[str, PortFact] = field(default_factory=dict)
    over: Mapping[str, str] = field(default_factory=dict)
    """Address of a neighbor → the port its session is planned to run over."""
    asn: int | None = None
    """ASN of the running speaker."""
    routes: SeenRoutes | None = None
    unprogrammed: tuple[Unprogrammed, ...] = ()
    values: int = 0
    unverifiable: list[str] = field(default_factory=list)
    """Host ports whose LLDP cannot be told."""
    unnamed: list[str] = field(default_factory=list)
    """Ports whose neighbor is the planned switch, and names its port by a MAC address only."""
    poses_as: str = ""
    """The switch of the fabric that answered in this one's place."""
    running: Device | None = None
    """QoS as it runs, where a map of it is otherwise: what becomes of a DSCP is told by all maps together."""

    @property
    def seen(self) -> bool:
        """Was anything read?"""
        return not self.observation.failure


def compare(expectation: Expectation, observation: Observation) -> DeviceAudit:
    """Pass one of one device. Routes are left for pass two."""
    name = observation.device
    stores = tuple(store for store in Store if store in observation.stores)
    light = replace(observation, stores={})
    result = DeviceAudit(name=name, place=expectation.devices[name], observation=light, stores=stores)
    if observation.failure:
        return result
    expected = expectation.device(name)
    result.over = _ports_of_sessions(expected)
    tally = Tally()
    for store in Store:
        observed = observation.stores.get(store, Device(name=name, platform=expected.platform))
        if store is Store.STATE:
            observed = with_told_lengths(expected, _in_model_names(expectation, expected, observed, result))
            result.facts = _facts(observed, result.over)
            result.routes = _shared(expectation, name, observed.routes)
            result.asn = _number(observed.bgp.asn) if observed.bgp else None
        observed = _own_vrfs(expected, observed)
        for difference in differences(expected, observed, expectation.held(name, store), tally):
            if _is_in_foreign_vrf(expected, difference):
                continue
            _merge(expectation, result, store, _whole_neighbor(expected, observed, difference))
    _drop_unknown_asns(result)
    _compare_hardware(expectation, result, observation.stores.get(Store.APPLIED))
    other = _answered_by(expectation, expected, observation)
    if other:
        return _of_another(result, other)
    running = observation.stores.get(Store.RUNNING)
    if running is not None and any(map(is_map_entry, result.merged)):
        result.running = Device(name=name, platform=expected.platform, qos=running.qos)
    result.merged = {p: replace(m, right=dict(_right(observation, m))) for p, m in result.merged.items()}
    if result.routes is None:
        result.unseen.setdefault(Store.STATE, []).append(("routes",))
    result.values = tally.leaves + len(result.routes or ())
    return result


def _ports_of_sessions(expected: Device) -> Mapping[str, str]:
    neighbors = (expected.bgp.neighbors if expected.bgp else None) or {}
    return {key: neighbor.over for key, neighbor in neighbors.items() if neighbor.over is not None}


def _own_vrfs(expected: Device, observed: Device) -> Device:
    """The device without VRFs that the intent does not have: they are somebody else's, and stay."""
    if not isinstance(expected.vrfs, frozenset) or not isinstance(observed.vrfs, frozenset):
        return observed
    return observed if observed.vrfs <= expected.vrfs else replace(observed, vrfs=observed.vrfs & expected.vrfs)


def _is_in_foreign_vrf(expected: Device, difference: Difference) -> bool:
    """Is it an interface that only the device has, in a VRF that the intent does not have?"""
    bound = getattr(difference.observed, "vrf", None) if difference.kind is Kind.EXTRA else None
    if not isinstance(bound, str) or difference.path[0] != "interfaces":
        return False
    return bound != "default" and isinstance(expected.vrfs, frozenset) and bound not in expected.vrfs


def _shared(expectation: Expectation, name: str, seen: Mapping[RouteKey, Route] | None) -> SeenRoutes | None:
    """The same routes, of which only those that are not as designed are kept."""
    return None if seen is None else SeenRoutes(lambda: expectation.routes(name, Failures()), seen)


def _compare_hardware(expectation: Expectation, result: DeviceAudit, applied: Device | None) -> None:
    """Next hops of the routing table against those that were programmed, of which only what differs is kept."""
    if not expectation.asked(result.name, Store.APPLIED, ("routes",)):
        return
    if applied is None or applied.routes is None:
        result.unseen.setdefault(Store.APPLIED, []).append(("routes",))
    elif result.routes is not None:
        result.unprogrammed = tuple(_unprogrammed(result.routes.whole(), applied.routes))


def _unprogrammed(routing: Mapping[RouteKey, Route], hardware: Mapping[RouteKey, Route]) -> Iterator[Unprogrammed]:
    for key in dict.fromkeys((*routing, *hardware)):
        wanted, found = (routes[key].hops if key in routes else frozenset() for routes in (routing, hardware))
        if wanted != found:
            yield Unprogrammed(key, wanted, found)


def _answered_by(expectation: Expectation, expected: Device, observation: Observation) -> str:
    """The other switch of the fabric that answered: by its name, and by a serial number or MAC that is not ours."""
    running, state = observation.stores.get(Store.RUNNING), observation.stores.get(Store.STATE)
    seen, wanted = running.system if running else None, expected.system
    name = seen.hostname if seen else None
    if seen is None or wanted is None or not isinstance(name, str) or name == expected.name:
        return ""
    serial = state.system.serial if state and state.system else None
    told = ((wanted.mac, seen.mac), (wanted.serial, serial))
    another = any(isinstance(b, str) and isinstance(a, str) and a != b for a, b in told)
    return name if another and name in expectation.devices else ""


def _of_another(result: DeviceAudit, other: str) -> DeviceAudit:
    """An audit of which only the mix-up is left: nothing else that was read is of this switch."""
    mixed = {path: merged for path, merged in result.merged.items() if path[0] == "system"}
    why = f"{other} answers at its address"
    light = replace(result.observation, failure=why, problems=())
    return DeviceAudit(
        name=result.name, place=result.place, observation=light, stores=result.stores, merged=mixed, poses_as=other
    )


def _right(observation: Observation, merged: Merged) -> Iterator[tuple[Store, object]]:
    """(store, value) wherever the same leaf was seen as it should be."""
    for store, device in observation.stores.items():
        if store not in merged.observed and (value := _at(device, merged.path)) is not None:
            yield store, value


def _at(tree: object, path: Path) -> object:
    """What a tree has at a path; `None` for nothing."""
    for name in path:
        if isinstance(tree, Mapping):
            tree = next((value for key, value in tree.items() if str(key) == name), None)
        else:
            tree = getattr(tree, name, None)
    return tree


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _merge(expectation: Expectation, result: DeviceAudit, store: Store, difference: Difference) -> None:
    if difference.kind is Kind.EXTRA and not expectation.owns(result.name, difference.path):
        return
    if difference.kind is Kind.UNSEEN:
        result.unseen.setdefault(store, []).append(difference.path)
        return
    before = result.merged.get(difference.path)
    observed = {**(before.observed if before else {}), store: difference.observed}
    result.merged[difference.path] = Merged(
        path=difference.path,
        expected=difference.expected,
        observed=observed,
        origin=difference.origin,
        kind=before.kind if before else difference.kind,
    )


def _whole_neighbor(expected: Device, observed: Device, difference: Difference) -> Difference:
    """A wrong name and a wrong port of one LLDP neighbor are one difference: the neighbor is another one."""
    path = difference.path
    if path[:2] != ("lldp", "neighbors") or len(path) < 4 or difference.kind is Kind.UNSEEN:
        return difference
    wanted = (expected.lldp.neighbors if expected.lldp else None) or {}
    heard = (observed.lldp.neighbors if observed.lldp else None) or {}
    return replace(difference, path=path[:3], kind=Kind.WRONG, expected=wanted[path[2]], observed=heard[path[2]])


def _drop_unknown_asns(result: DeviceAudit) -> None:
    """A session that is not Established cannot tell its peer's ASN: that is one fact, not a second one unseen."""
    paths = result.unseen.get(Store.STATE, [])
    down = {p[2] for p in result.merged if len(p) == 4 and p[:2] == ("bgp", "neighbors") and p[3] == "session"}
    kept = [p for p in paths if not (len(p) == 4 and p[3] == "remote_asn" and p[2] in down)]
    if kept:
        result.unseen[Store.STATE] = kept
    else:
        result.unseen.pop(Store.STATE, None)


def _in_model_names(expectation: Expectation, expected: Device, observed: Device, result: DeviceAudit) -> Device:
    """The observed neighbors in the model's names; what a host does not tell is set aside as not verifiable."""
    if observed.lldp is None or observed.lldp.neighbors is None:
        return observed
    wanted = (expected.lldp.neighbors if expected.lldp else None) or {}
    named = {key: _named(expectation, wanted.get(key), n) for key, n in observed.lldp.neighbors.items()}
    for key, want in wanted.items():
        if isinstance(want, LldpNeighbor) and want.system in expectation.hosts:
            if named.get(key, ABSENT) is ABSENT or _is_nameless(named[key]):
                named[key] = want
                if not _is_dark(observed, key):
                    result.unverifiable.append(key)
            elif _keeps_port_secret(expectation, observed.lldp.neighbors[key]):
                result.unverifiable.append(key)
        elif isinstance(want, LldpNeighbor) and _sends_mac(want, named.get(key)):
            named[key] = want
            result.unnamed.append(key)
    return replace(observed, lldp=Lldp(enabled=observed.lldp.enabled, neighbors=named))


def _named(expectation: Expectation, want: object, neighbor: LldpNeighbor | Absent) -> LldpNeighbor | Absent:
    """In the model's names. A host's port that is not told is taken for the one of the rail and plane it is on."""
    if not isinstance(neighbor, LldpNeighbor) or not isinstance(neighbor.system, str):
        return neighbor
    port = neighbor.port if isinstance(neighbor.port, str) else ""
    found = expectation.neighbor(neighbor.system, port)
    if found is None:
        return neighbor
    system, known = found
    if known == port and port.isdigit() and system in expectation.devices:
        known = f"{IFINDEX}{port}"  # no name of a port: it must not be taken for the number of a cage
    if known is None:
        known = str(want.port) if isinstance(want, LldpNeighbor) and want.system in expectation.hosts else port
    return LldpNeighbor(system=system, port=known)


def _is_dark(observed: Device, key: str) -> bool:
    """A port that is down hears nobody, whoever is plugged in."""
    port = (observed.ports or {}).get(key)
    return port is not None and port.oper_up is False


def _sends_mac(want: LldpNeighbor, heard: LldpNeighbor | Absent | None) -> bool:
    """The planned switch, with a port id that names no port: a MAC address, which all ports of most switches share,
    or the index of SNMP, which nobody else knows."""
    if not isinstance(heard, LldpNeighbor) or heard.system != want.system or not isinstance(heard.port, str):
        return False
    return heard.port.startswith(IFINDEX) or _MAC.fullmatch(heard.port) is not None


def _is_nameless(neighbor: LldpNeighbor | Absent) -> bool:
    """A NIC's own LLDP agent sends a MAC address and no system name: as good as silence."""
    return isinstance(neighbor, LldpNeighbor) and (not isinstance(neighbor.system, str) or not neighbor.system)


def _keeps_port_secret(expectation: Expectation, neighbor: LldpNeighbor | Absent) -> bool:
    if not isinstance(neighbor, LldpNeighbor):
        return False
    found = expectation.neighbor(str(neighbor.system), str(neighbor.port))
    return found is not None and found[1] is None


def _facts(observed: Device, over: Mapping[str, str]) -> dict[str, PortFact]:
    """By port; a session between addresses is one of the port it runs over. `over`: neighbor → that port."""
    ports = observed.ports or {}
    neighbors = (observed.bgp.neighbors if observed.bgp else None) or {}
    sessions = {over.get(key, key): neighbor for key, neighbor in neighbors.items()}
    heard = observed.lldp.neighbors if observed.lldp else None
    keys = dict.fromkeys((*ports, *sessions, *(heard or {})))
    facts: dict[str, PortFact] = {}
    for key in keys:
        oper = ports[key].oper_up if key in ports else None
        session = sessions[key].session if key in sessions else None
        remote = sessions[key].remote_asn if key in sessions else None
        facts[key] = PortFact(
            oper_up=oper if isinstance(oper, bool) else None,
            neighbor=None if heard is None else _end(heard.get(key, ABSENT)),
            session=session if isinstance(session, str) else None,
            remote_asn=_number(remote),
        )
    return facts


def _end(neighbor: LldpNeighbor | Absent) -> tuple[str, str] | Absent:
    if isinstance(neighbor, LldpNeighbor):
        return str(neighbor.system), str(neighbor.port)
    return ABSENT


def unseen_areas(audit: DeviceAudit) -> Iterator[tuple[Store, str, Path]]:
    """(store, area, its first path) of everything expected that was not seen: `running qos`, `applied buffers`."""
    for store, paths in audit.unseen.items():
        areas: dict[str, Path] = {}
        for path in paths:
            areas.setdefault(path[0], path)
        for area, path in areas.items():
            yield store, area, path
