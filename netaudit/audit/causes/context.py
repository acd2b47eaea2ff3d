"""What causes work on: the audits of all devices, the cables of the model, and which differences are still open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from netaudit.audit.causes.related import Related
from netaudit.audit.compare import DeviceAudit, Merged, PortFact
from netaudit.audit.findings import Comparison, Finding
from netaudit.state import Computing, Expectation, Failures, Link, LinkEnd, PolicyRule, RouteKey, Store
from netaudit.state.walk import Path, dotted, matches

SYMPTOMS = (
    "ports.*.oper_up",
    "ports.*.cable_m",
    "lldp.neighbors",
    "bgp.neighbors.*.session",
    "bgp.neighbors.*.remote_asn",
)
"""What a dead or moved cable shows at its ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A finding, and what it means for the routes of the fabric."""

    finding: Finding
    failures: Failures = field(default_factory=Failures)


@dataclass
class Context:
    """One audit of a fabric, between the passes."""

    expectation: Expectation
    audits: Mapping[str, DeviceAudit]
    failures: Failures = field(default_factory=Failures)
    """Of all causes found so far together."""
    _related: dict[str, Related] = field(default_factory=dict, repr=False)
    _by_port: dict[str, Mapping[str, Sequence[Path]]] = field(default_factory=dict, repr=False)
    _numbered: dict[str, Mapping[str, int]] = field(default_factory=dict, repr=False)

    @cached_property
    def links(self) -> Mapping[LinkEnd, Link]:
        """End → cable of the model, switch ends and host ends."""
        return {end: link for link in self.expectation.links for end in (link.a, link.b)}

    @cached_property
    def far_ends(self) -> Mapping[str, tuple[LinkEnd, ...]]:
        """Switch → the ends on other switches that its planned cables lead to."""
        found: dict[str, list[LinkEnd]] = {name: [] for name in self.expectation.devices}
        for link in self.expectation.links:
            if self.is_switch(link.a) and self.is_switch(link.b):
                found[link.a.device].append(link.b)
                found[link.b.device].append(link.a)
        return {name: tuple(ends) for name, ends in found.items()}

    @cached_property
    def otherwise(self) -> Mapping[str, tuple[RouteKey, ...]]:
        """Device → its routes that were not seen as designed; devices of which all were are left out."""
        tables = ((name, audit.routes) for name, audit in self.audits.items())
        return {name: tuple(seen.otherwise) for name, seen in tables if seen is not None and seen.otherwise}

    def far(self, end: LinkEnd) -> LinkEnd | None:
        """Where the cable planned at an end leads to; `None` for a spare port."""
        link = self.links.get(end)
        return None if link is None else link.b if link.a == end else link.a

    def numbered(self, device: str) -> Mapping[str, int]:
        """Place of each port of a switch of ours in the order of its front panel; empty for anybody else."""
        if device not in self._numbered:
            ports = self.expectation.device(device).ports if device in self.expectation.devices else None
            self._numbered[device] = {port: number for number, port in enumerate(ports or {})}
        return self._numbered[device]

    def speed(self, end: LinkEnd) -> int | None:
        """Planned speed of a port in Mbit/s; of a host's port that of the switch port it is planned at."""
        at = end if self.is_switch(end) else self.far(end)
        ports = self.expectation.device(at.device).ports if at is not None and self.is_switch(at) else None
        port = (ports or {}).get(at.port) if at is not None else None
        return port.speed_mbps if port is not None and isinstance(port.speed_mbps, int) else None

    @cached_property
    def of_device(self) -> Mapping[str, tuple[Link, ...]]:
        """Switch → the cables planned at it."""
        found: dict[str, list[Link]] = {name: [] for name in self.expectation.devices}
        for link in self.expectation.links:
            for name in {link.a.device, link.b.device} & found.keys():
                found[name].append(link)
        return {name: tuple(links) for name, links in found.items()}

    @cached_property
    def heard_from(self) -> Mapping[str, tuple[LinkEnd, ...]]:
        """Device, as LLDP names it → the ends of switches that hear it."""
        found: dict[str, list[LinkEnd]] = {}
        for audit in self.audits.values():
            for port, fact in audit.facts.items():
                if isinstance(fact.neighbor, tuple):
                    found.setdefault(fact.neighbor[0], []).append(LinkEnd(device=audit.name, port=port))
        return {name: tuple(ends) for name, ends in found.items()}

    def fact(self, end: LinkEnd) -> PortFact | None:
        """What a port shows; `None` if its device is no switch of ours or was not read."""
        audit = self.audits.get(end.device)
        return audit.facts.get(end.port) if audit is not None and audit.seen else None

    def is_switch(self, end: LinkEnd) -> bool:
        """Is this end on a switch of ours?"""
        return end.device in self.expectation.devices

    def seen(self, device: str) -> bool:
        """Was anything read of this device?"""
        audit = self.audits.get(device)
        return audit is not None and audit.seen

    def open_at(self, end: LinkEnd, patterns: Iterable[str]) -> Iterator[Merged]:
        """Differences not yet explained that one of the patterns names and that are of this port."""
        audit = self.audits.get(end.device)
        if audit is None:
            return
        for path in self._of_ports(audit).get(end.port, ()):
            merged = audit.merged.get(path)
            if merged is not None and any(matches(p, path) for p in patterns):
                yield merged

    def _of_ports(self, audit: DeviceAudit) -> Mapping[str, Sequence[Path]]:
        """Port → the differences of it, and of a session between addresses that is planned to run over it.

        Made once a device: a switch of which everything is wrong is asked for each of its ports.
        """
        if audit.name not in self._by_port:
            found: dict[str, dict[Path, None]] = {}
            for path in audit.merged:
                over = audit.over.get(path[2]) if path[:2] == ("bgp", "neighbors") and len(path) > 2 else None
                for name in (*path[:4], *((over,) if over is not None else ())):
                    found.setdefault(name, {})[path] = None
            self._by_port[audit.name] = {name: tuple(paths) for name, paths in found.items()}
        return self._by_port[audit.name]

    def take(self, device: str, paths: Iterable[Path]) -> tuple[Comparison, ...]:
        """Mark differences as explained, and give them as the lines of a finding."""
        audit = self.audits[device]
        return tuple(self.comparison(device, audit.merged.pop(path)) for path in list(paths) if path in audit.merged)

    def related(self, device: str) -> Related:
        """What follows from what among the differences of a device; those that were taken are left out."""
        if device not in self._related:
            buffers = self.expectation.device(device).buffers if self.audits[device].merged else None
            computes = buffers is not None and isinstance(buffers.computing, Computing)
            self._related[device] = Related(self.audits[device].merged, computes=computes)
        return self._related[device]

    def take_with_followers(self, device: str, leaders: Sequence[Merged]) -> tuple[Comparison, ...]:
        """Mark differences as explained, and with them what follows from them on the same device."""
        paths = self.related(device).followers(leaders)
        return self.take(device, dict.fromkeys((*(leader.path for leader in leaders), *paths)))

    def take_symptoms(self, ends: Iterable[LinkEnd], patterns: Iterable[str] = SYMPTOMS) -> tuple[Comparison, ...]:
        """Mark what a cable shows at these ends as explained."""
        taken: list[Comparison] = []
        for end in ends:
            if end.device in self.audits:
                taken += self.take(end.device, [m.path for m in self.open_at(end, patterns)])
        return tuple(taken)

    def comparison(self, device: str, merged: Merged) -> Comparison:
        """One difference as a report shows it, with where the expected value comes from."""
        field_ = _told_by(merged)
        in_stores = {**merged.right, **merged.observed}
        return Comparison(
            what=f"{device} {dotted(merged.path)}",
            expected=show(merged.expected),
            observed={str(store): show(in_stores[store]) for store in Store if store in in_stores},
            queries=tuple(
                dict.fromkeys(self.expectation.asked(device, store, merged.path) for store in merged.observed)
            ),
            source=self.expectation.source(merged.origin, field_),
            derivation=self.expectation.derivation(merged.origin, field_),
        )

    def note(self, failures: Failures) -> None:
        """Add what a cause explains to what the routes are compared with."""
        self.failures = together(self.failures, failures)


def _told_by(merged: Merged) -> str:
    """The nearest name on the path, from the leaf upwards, that the origin knows: an entry of a map has its table's."""
    origin = merged.origin or {}
    return next((name for name in reversed(merged.path) if name in origin), merged.path[-1])


def together(one: Failures, other: Failures) -> Failures:
    """Both sets of failures at once."""
    return replace(
        one,
        links=one.links | other.links,
        sessions=one.sessions | other.sessions,
        devices=one.devices | other.devices,
        recabled=one.recabled | other.recabled,
        withdrawn=one.withdrawn | other.withdrawn,
        added=one.added | other.added,
        asns={**one.asns, **other.asns},
    )


def show(value: object) -> str:
    """A value for a person: sets sorted, whole objects as `present`, the two nothings by their words."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(show, value))) or "none"
    if isinstance(value, tuple):
        return ",".join(map(show, value))
    if isinstance(value, Mapping):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    if isinstance(value, PolicyRule):
        longer = int(value.prefix.partition("/")[2] or 0) != value.up_to
        return f"{value.prefix} up to /{value.up_to}" if longer else value.prefix
    system, port = getattr(value, "system", None), getattr(value, "port", None)
    if system is not None and port is not None:
        return f"{system}:{port}"
    return "present" if hasattr(value, "origin") else str(value)


def worst(observed: Mapping[Store, object]) -> Store:
    """The store to speak of first: what runs, then what is."""
    return next(store for store in (Store.RUNNING, Store.STATE, Store.APPLIED, Store.SAVED) if store in observed)
