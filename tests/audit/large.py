"""A large fabric as its switches show it, one switch at a time, healthy and with failures of all kinds at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from audit.world import NOON, Fault, World, as_sent, both, changed, dark, programmed, sees_asns, stores, with_routes
from netaudit.audit.observed import Observation
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.state import Failures, Link, LinkEnd, LldpNeighbor, Store


@dataclass(frozen=True, kw_only=True)
class Failure:
    """One thing that happened."""

    fault: Fault
    devices: frozenset[str]
    """Switches that show it otherwise than by their routes."""
    silent: frozenset[str] = frozenset()
    """Switches that do not answer."""


@dataclass(frozen=True)
class Large:
    """A fabric of any size."""

    expected: Expected
    noon = NOON

    @staticmethod
    def load(file: Path) -> Large:
        """The fabric of an intent."""
        return Large(Expected(build(load(file))))

    def observations(self, failures: Sequence[Failure], *, only_touched: bool = False) -> Iterator[Observation]:
        """What is seen of each switch, or of those only that the failures touch."""
        told = reduce(both, (one.fault.failures for one in failures), Failures())
        touched = frozenset().union(*(one.devices for one in failures))
        silent = frozenset().union(*(one.silent for one in failures))
        world: World = {name: stores(self.expected, name) for name in touched - silent}
        for one in failures:
            world = one.fault.shows(world)
        for name in self.expected.devices:
            if name in silent:
                yield Observation(device=name, failure="no route to host")
                continue
            routes = self.expected.routes(name, told)
            if only_touched and name not in touched and routes == self.expected.routes(name, Failures()):
                continue
            seen = with_routes(world.get(name) or stores(self.expected, name), routes)
            yield Observation(device=name, stores=programmed(seen), read_at=NOON)

    def one(self) -> tuple[Failure, ...]:
        """A dead cable between a leaf and a spine."""
        return (self.cut(self._links[0]),)

    def ten(self) -> tuple[Failure, ...]:
        """Cables, a leaf and a spine, wrong ASNs, a swap inside a spine and one across two, withdrawn prefixes."""
        links = self._links
        leaves = list(dict.fromkeys(link.a.device for link in links))
        last = [link for link in links if link.a.device == leaves[-1]]
        spines = list(dict.fromkeys(link.b.device for link in last))
        return (
            self.cut(links[0]),
            self.cut(next(link for link in links if link.a.device == leaves[1])),
            self.dead(leaves[2]),
            self.dead(spines[-1]),
            self.asn(leaves[3], 64999),
            self.asn(spines[0], 64998),
            self.swap(
                *[next(k for k in links if k.a.device == leaf and k.b.device == spines[1]) for leaf in leaves[-3:-1]]
            ),
            self.swap(last[0], last[1]),
            self.withdrawn(leaves[4]),
            self.withdrawn(leaves[5]),
        )

    @property
    def _links(self) -> list[Link]:
        return [link for link in self.expected.links if link.kind == "leaf-spine"]

    def cut(self, link: Link) -> Failure:
        """A cable is cut: both ends are dark."""
        shows = [dark(end) for end in (link.a, link.b)]
        return Failure(
            fault=Fault(
                shows=lambda world: shows[1].shows(shows[0].shows(world)), failures=Failures(links=frozenset({link}))
            ),
            devices=frozenset({link.a.device, link.b.device}),
        )

    def dead(self, device: str) -> Failure:
        """A switch is off: all its far ends are dark, and it does not answer."""
        links = [link for link in self.expected.links if device in (link.a.device, link.b.device)]
        far = [link.b if link.a.device == device else link.a for link in links]
        shows = [dark(end) for end in far if end.device in self.expected.devices]
        return Failure(
            fault=Fault(
                shows=lambda world: reduce(lambda w, fault: fault.shows(w), shows, world),
                failures=Failures(links=frozenset(links), devices=frozenset({device})),
            ),
            devices=frozenset(end.device for end in far if end.device in self.expected.devices) | {device},
            silent=frozenset({device}),
        )

    def asn(self, device: str, number: int) -> Failure:
        """A speaker runs with another number, and its peers see it."""
        links = [link for link in self._links if device in (link.a.device, link.b.device)]
        far = [link.b if link.a.device == device else link.a for link in links]

        def shows(world: World) -> World:
            for store in (Store.RUNNING, Store.STATE):
                world = changed(world, device, store, ("bgp", "asn"), number)
            for end in far:
                if end.device in world and _runs(world, end):
                    path = ("bgp", "neighbors", end.port, "remote_asn")
                    world = changed(world, end.device, Store.STATE, path, number)
            return world

        return Failure(
            fault=Fault(shows=shows, failures=Failures(asns={device: number})),
            devices=frozenset(end.device for end in far) | {device},
        )

    def swap(self, one: Link, two: Link) -> Failure:
        """The upper plugs of two cables are in each other's places."""
        crossed = [Link(a=one.a, b=two.b, kind=one.kind), Link(a=two.a, b=one.b, kind=two.kind)]
        pairs = [pair for link in crossed for pair in ((link.a, link.b), (link.b, link.a))]

        def shows(world: World) -> World:
            for end, far in pairs:
                heard = as_sent(self.expected, LldpNeighbor(system=far.device, port=far.port))
                if end.device in world:
                    world = changed(world, end.device, Store.STATE, ("lldp", "neighbors", end.port), heard)
            return {name: sees_asns(self.expected, name, seen, crossed) for name, seen in world.items()}

        return Failure(
            fault=Fault(shows=shows, failures=Failures(links=frozenset({one, two}), recabled=frozenset(crossed))),
            devices=frozenset(end.device for end, _ in pairs),
        )

    def withdrawn(self, device: str) -> Failure:
        """A leaf no longer announces its host block."""
        bgp = self.expected.device(device).bgp
        assert bgp is not None
        assert isinstance(bgp.networks, frozenset)
        gone = next(iter(sorted(self.expected.built.devices[device].blocks)))
        return Failure(
            fault=Fault(
                shows=lambda world: changed(world, device, Store.RUNNING, ("bgp", "networks"), bgp.networks - {gone}),
                failures=Failures(withdrawn=frozenset({(device, gone)})),
            ),
            devices=frozenset({device}),
        )


def _runs(world: World, end: LinkEnd) -> bool:
    bgp = world[end.device][Store.STATE].bgp
    neighbor = (bgp.neighbors if bgp is not None else None) or {}
    return end.port in neighbor and neighbor[end.port].session == "Established"
