"""The `Expectation` of a fabric: what audit compares with and push renders, made device by device when asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from ipaddress import ip_network

from netaudit import platforms
from netaudit.diag import Source
from netaudit.expect.bgp import bgp
from netaudit.expect.buffers import buffers
from netaudit.expect.interfaces import interfaces, leaf_blocks, ports
from netaudit.expect.lldp import lldp
from netaudit.expect.policies import own_prefixes
from netaudit.expect.qos import qos
from netaudit.expect.raw import raw_spots
from netaudit.expect.rib import Tables
from netaudit.expect.system import system
from netaudit.expect.wide import Wide
from netaudit.fabric import DRAINED, PLANNED, Fabric
from netaudit.state import BlindSpot, Device, Failures, Link, Origin, Place, Route, RouteKey, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import without

AREAS: Mapping[str, tuple[str, ...]] = {
    "ports": tuple(
        f"ports.*.{name}"
        for name in (
            "alias",
            "enabled",
            "speed_mbps",
            "lanes",
            "breakout",
            "fec",
            "mtu_bytes",
            "autoneg",
            "description",
        )
    ),
    "addressing": ("interfaces",),
    "bgp": (
        "system.tier",
        "system.asn",
        "system.own_routing_files",
        "system.routing_rows",
        *(
            f"bgp.{name}"
            for name in (
                "router_id",
                "multipath_relax",
                "maximum_paths",
                "keepalive_s",
                "hold_s",
                "requires_policy",
                "networks",
                "discards",
                "policies",
                "unmodelled",
                "neighbors.*.remote",
                "neighbors.*.import_policy",
                "neighbors.*.export_policy",
                "neighbors.*.families",
            )
        ),
    ),
    "qos": ("qos",),
    "buffers": ("buffers",),
    "lldp": ("lldp.enabled",),
}
"""Area → leaves that are expected only where the area is ours; links, sessions and routes are audited in any case."""

HOSTS_UNREAD = BlindSpot(
    what="NIC side of hosts",
    where="every host",
    reason="hosts have no collector: DSCP, PFC, MTU and speed of the NIC are not read",
)


class Expected:
    """Implements `netaudit.state.Expectation`."""

    def __init__(self, fabric: Fabric) -> None:
        self.built = fabric
        self.wide = Wide(fabric)
        self._tables: dict[object, Tables] = {}

    @property
    def fabric(self) -> str:
        """Name of the fabric."""
        return self.built.name

    @cached_property
    def devices(self) -> Mapping[str, Place]:
        """Every switch, leaves before spines, plane by plane."""
        return {name: device.place for name, device in self.built.devices.items()}

    @cached_property
    def hosts(self) -> Mapping[str, frozenset[str]]:
        """Host → its NIC ports."""
        model = self.built.intent.model
        ports_ = frozenset(f"r{rail}/{plane}" for rail in range(1, model.rails + 1) for plane in model.planes)
        return dict.fromkeys(self.built.hosts, ports_)

    @property
    def links(self) -> Sequence[Link]:
        """Every cable."""
        return self.wide.links

    def device(self, name: str) -> Device:
        """The expected state of one device, quantized, without the areas that are not ours."""
        device = self.built.devices[name]
        laid = self.built.ports(name)
        dark = self.wide.disabled
        expected_ports = ports(self.built, device, laid, dark)
        speeds = {key: p.speed_mbps for key, p in expected_ports.items() if isinstance(p.speed_mbps, int)}
        up = frozenset(key for key, p in expected_ports.items() if p.enabled is True)
        whole = Device(
            name=name,
            platform=device.platform,
            place=device.place,
            system=system(device),
            ports=expected_ports,
            interfaces=interfaces(self.built, device, laid),
            bgp=bgp(self.built, device, laid, self.wide.plane_rules[device.place.plane], dark),
            qos=qos(self.wide, device, laid, speeds),
            buffers=buffers(self.wide, device, laid, speeds, up),
            lldp=lldp(name, laid, dark),
        )
        owns = self.built.intent.model.owns
        foreign = tuple(
            p for area, patterns in AREAS.items() if area not in owns and "all" not in owns for p in patterns
        )
        return platforms.platform(device.platform).quantize(without(whole, foreign) if foreign else whole)

    def routes(self, name: str, without: Failures) -> Mapping[RouteKey, Route]:
        """The routes of one device under failures; tables are kept per set of failures."""
        return self._table(without).of(name)

    def _table(self, without: Failures) -> Tables:
        key = (
            without.links,
            without.sessions,
            without.devices,
            without.recabled,
            without.withdrawn,
            without.added,
            frozenset(without.asns.items()),
        )
        if key not in self._tables:
            self._tables[key] = Tables(self.wide, without)
        return self._tables[key]

    def excuse(self, name: str) -> str:
        """Why it is right that a device does not answer, as a report says it; empty where it is not."""
        status = self.built.devices[name].place.status
        return {PLANNED: "it is planned: not there yet", DRAINED: "it is drained: in maintenance"}.get(status, "")

    def owns(self, name: str, path: tuple[str, ...]) -> bool:
        """By the area of the path. What hangs on cables, LLDP among it, is of nobody else."""
        owns = self.built.intent.model.owns
        if "all" in owns:
            return True
        area = {"interfaces": "addressing", "bgp": "bgp", "qos": "qos", "buffers": "buffers", "ports": "ports"}.get(
            path[0]
        )
        return area is None or area in owns

    def allows(self, name: str, key: RouteKey, route: Route | None, without: Failures) -> bool:
        """Whether a route (`None`: that there is none) is right on a device although it is not that of `routes`.

        So is every route of a device in maintenance, whose sessions may be up or down, and a path that ties.
        """
        if self.built.devices[name].place.status == DRAINED:
            return True
        if route is None:
            return False
        beside = self._from_outside(key, route) or self._of_hosts(name, key, route)
        return beside or self._table(without).as_good(name, key, route)

    def _of_hosts(self, name: str, key: RouteKey, route: Route) -> bool:
        """Is it something inside a leaf's block that its hosts announce? What that is, they decide."""
        device, network = self.built.devices[name], ip_network(key[1])
        if self.built.intent.model.hosts.attach != "bgp" or key[1] in device.blocks:
            return False
        inside = any(network.version == b.version and network.subnet_of(b) for b in leaf_blocks(device))  # type: ignore[arg-type]
        return inside and bool(route.hops) and route.hops <= set(self.built.layouts["leaf"].downlinks)

    def _from_outside(self, key: RouteKey, route: Route) -> bool:
        """Is it something that an external neighbor announces of which the intent does not say what it announces?"""
        free = {e.asn for e in self.built.intent.model.external.values() if e.prefixes is None}
        ours = {prefix for device in self.built.devices.values() for prefix in own_prefixes(device)}
        return key[1] not in ours and bool(route.as_paths) and all(free & set(path) for path in route.as_paths)

    def held(self, name: str, store: Store) -> Held:
        """By the platform of the device."""
        return platforms.platform(self.built.devices[name].platform).HELD.get(store, False)

    def neighbor(self, system: str, port: str) -> tuple[str, str | None] | None:
        """By name, short or fully qualified; see the Protocol."""
        name = system if system in self.built.devices or system in self.built.hosts else system.partition(".")[0]
        if name in self.built.devices:
            return name, self._port_ids(name).get(port, port)
        if name in self.built.hosts:
            host = self.built.hosts[name]
            listed = self.built.intent.host_ports.get((host.unit, host.index), {})
            known = next((key for key, said in listed.items() if said == port), None)
            return name, known or _nic_port(port, self.built.intent.model.planes)
        for external, body in self.built.intent.model.external.items():
            said = body.lldp or external
            if system == said or name == said.partition(".")[0]:
                return external, port
        return None

    def _port_ids(self, name: str) -> Mapping[str, str]:
        """Alias or native name → `cage[/sub]`: a SONiC peer sends its alias, or its name where it has none."""
        role = self.built.devices[name].place.role
        if name in self.built.extra:  # its cages may be split otherwise than those of its role
            own = self.built.ports(name).values()
            return self.wide.shared(("ids", role, name), lambda: {t: p.key for p in own for t in (p.alias, p.native)})
        return self.wide.shared(
            ("ids", role),
            lambda: {text: p.key for p in self.built.layouts[role].ports.values() for text in (p.alias, p.native)},
        )

    def asked(self, name: str, store: Store, path: tuple[str, ...]) -> str:
        """By the platform of the device."""
        return platforms.platform(self.built.devices[name].platform).asked(store, path)

    def blind_spots(self, name: str) -> Sequence[BlindSpot]:
        """Text of the site's own, what the platform declares, and the hosts."""
        device = self.built.devices[name]
        return (*raw_spots(self.built, device), *platforms.platform(device.platform).BLIND, HOSTS_UNREAD)

    def source(self, origin: Origin | None, field: str) -> Source | None:
        """The intent's line; `None` for a formula, or a default that no line was written for."""
        path = (origin or {}).get(field, "")
        return self.built.intent.source(path) if path and not path.startswith("=") else None

    def derivation(self, origin: Origin | None, field: str) -> str:
        """Intent path or formula, as text."""
        path = (origin or {}).get(field, "")
        if path.startswith("=") or not path:
            return path.removeprefix("=")
        return path if self.built.intent.given(path) else f"{path} (default)"


@cache
def _nic_port(port: str, planes: tuple[str, ...]) -> str | None:
    """`nic2p1` → `r2/a`; any other port id of a host cannot be told."""
    found = re.fullmatch(r"nic([1-9]\d?)p([1-9])", port)
    if found is None or int(found.group(2)) > len(planes):
        return None
    return f"r{found.group(1)}/{planes[int(found.group(2)) - 1]}"
