"""The `Expectation` of a fabric: what audit compares with and push renders, made device by device when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from ipaddress import ip_network

from netaudit import platforms
from netaudit.diag import Source
from netaudit.expect.bgp import bgp
from netaudit.expect.buffers import buffers
from netaudit.expect.headroom import is_dynamic
from netaudit.expect.interfaces import interfaces, leaf_blocks, ports
from netaudit.expect.lldp import lldp
from netaudit.expect.policies import own_prefixes
from netaudit.expect.qos import qos
from netaudit.expect.raw import raw_spots, raw_tables
from netaudit.expect.rib import Tables
from netaudit.expect.system import system
from netaudit.expect.vlans import vlans
from netaudit.expect.vrfs import externals_in, vrfs
from netaudit.expect.wide import Wide
from netaudit.fabric import DEFAULT_VRF, DRAINED, PLANNED, Fabric, FabricPort
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
            "pfc_asymmetric",
            "description",
        )
    ),
    "addressing": ("interfaces", "vlans", "vrfs"),
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
                "vrfs",
                "unmodelled",
                "neighbors.*.vrf",
                "neighbors.*.remote",
                "neighbors.*.import_policy",
                "neighbors.*.export_policy",
                "neighbors.*.families",
                "neighbors.*.allowas_in",
            )
        ),
    ),
    "qos": ("qos",),
    "buffers": ("buffers",),
    "lldp": ("lldp.enabled",),
}
"""Area → leaves that are expected only where the area is ours; links, sessions and routes are audited in any case."""

_AREA_OF = {
    "interfaces": "addressing",
    "vrfs": "addressing",
    "vlans": "addressing",
    "bgp": "bgp",
    "qos": "qos",
    "buffers": "buffers",
    "ports": "ports",
}
"""Part of the state → the area it is of, where it is of one alone."""

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
        self._held: dict[str, Mapping[Store, Held]] = {}

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

    @cached_property
    def outside(self) -> Mapping[str, int]:
        """External neighbor → its ASN."""
        return {name: external.asn for name, external in self.built.intent.model.external.items()}

    @cached_property
    def _prefixes(self) -> frozenset[str]:
        """What our devices originate."""
        return frozenset(prefix for device in self.built.devices.values() for prefix in own_prefixes(device))

    @cached_property
    def _blocks(self) -> frozenset[str]:
        """What is inside of these is ours as well; inside of what a border originates it need not be."""
        return frozenset(block for device in self.built.devices.values() for block in device.blocks)

    def is_ours(self, prefix: str) -> bool:
        """Does a device of ours originate it, or is it a part of a host block?"""
        if prefix in self._prefixes:
            return True
        network = ip_network(prefix)
        return any(str(network.supernet(new_prefix=n)) in self._blocks for n in range(network.prefixlen))

    @property
    def links(self) -> Sequence[Link]:
        """Every cable."""
        return self.wide.links

    def device(self, name: str) -> Device:
        """The expected state of one device, quantized, without the areas that are not ours."""
        return platforms.platform(self.built.devices[name].platform).quantize(self.intended(name))

    def intended(self, name: str) -> Device:
        """The same before its NOS rounds it, and leaves out what it has no place for."""
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
            version=device.version,
            asic=device.model.asic,
            system=system(device),
            ports=expected_ports,
            vrfs=vrfs(self.built, laid),
            interfaces=interfaces(self.built, device, laid),
            vlans=vlans(self.built, device, laid),
            bgp=bgp(self.built, device, laid, self.wide.plane_rules[device.place.plane], dark),
            qos=qos(self.wide, device, laid, speeds),
            buffers=buffers(self.wide, device, laid, speeds, up),
            lldp=lldp(name, laid, dark),
            raw=raw_tables(self.built, device) or None,
            origin={"raw": "raw", "vlans": "hosts.attach", "vrfs": "=a VRF is where one of the links is in it"},
        )
        owns = self.built.intent.model.owns
        foreign = tuple(
            p for area, patterns in AREAS.items() if area not in owns and "all" not in owns for p in patterns
        )
        return without(whole, foreign) if foreign else whole

    def routes(self, name: str, without: Failures) -> Mapping[RouteKey, Route]:
        """The routes of one device under failures; tables are kept per set of failures."""
        found = self._table(without).of(name)
        for vrf in sorted(self._vrfs_of(name)):
            found = {**found, **self._table(without, vrf).of(name)}
        return found

    def _table(self, without: Failures, vrf: str = DEFAULT_VRF) -> Tables:
        key = (
            vrf,
            without.links,
            without.sessions,
            without.devices,
            without.recabled,
            without.withdrawn,
            without.added,
            frozenset(without.asns.items()),
        )
        if key not in self._tables:
            whole = without == Failures()
            made = Tables.designed(self.wide, vrf) if whole else Tables(self.wide, without, vrf)
            self._tables[key] = made
        return self._tables[key]

    def excuse(self, name: str) -> str:
        """Why it is right that a device does not answer, as a report says it; empty where it is not."""
        status = self.built.devices[name].place.status
        return {PLANNED: "it is planned: not there yet", DRAINED: "it is drained: in maintenance"}.get(status, "")

    def owns(self, name: str, path: tuple[str, ...]) -> bool:
        """By the area of the path. What hangs on cables, LLDP among it, is of nobody else."""
        if path[0] == "raw":
            return False  # what else stands in such a table is of whoever put it there
        owns = self.built.intent.model.owns
        if "all" in owns:
            return True
        area = _AREA_OF.get(path[0])
        return area is None or area in owns

    def allows(self, name: str, key: RouteKey, route: Route | None, without: Failures) -> bool:
        """Whether a route (`None`: that there is none) is right on a device although it is not that of `routes`.

        So is every route of a device in maintenance, whose sessions may be up or down, and a path that ties.
        """
        if self.built.devices[name].place.status == DRAINED or self._with_drained(name, key, route, without):
            return True
        if route is None:
            return False
        if key[0] != DEFAULT_VRF and key[0] not in self._vrfs_of(name):
            return not self.owns(name, ("bgp", "vrfs", key[0]))  # somebody else's VRF, in a frr.conf that is not ours
        beside = self._from_outside(name, key, route, without) or self._of_hosts(name, key, route)
        return beside or self._table(without, key[0]).as_good(name, key, route)

    @cached_property
    def _drained(self) -> frozenset[Link]:
        """Links that are in maintenance themselves: they may carry traffic, and need not."""
        if not self.built.link_statuses and not self.built.extra:
            return frozenset()
        drained = self.built.drained
        return frozenset(link for link in self.links if drained(link.a) or drained(link.b))

    def _with_drained(self, name: str, key: RouteKey, route: Route | None, without: Failures) -> bool:
        """Is a route what it is where some of the links in maintenance carry nothing?"""
        if not self._drained:
            return False
        most = self._table(without, key[0]).of(name).get(key)
        less = replace(without, links=without.links | self._drained)
        least = self._table(less, key[0]).of(name).get(key)
        if route is None or most is None or route == least:
            return route == least
        kept = most.hops & least.hops if least is not None else frozenset()
        return bool(route.hops) and kept <= route.hops <= most.hops and route.as_paths <= most.as_paths

    def _vrfs_of(self, name: str) -> frozenset[str]:
        return frozenset(vrf for end, vrf in self.built.vrf_ends.items() if end.device == name)

    def _of_hosts(self, name: str, key: RouteKey, route: Route) -> bool:
        """Is it something inside a leaf's block that its hosts announce? What that is, they decide."""
        device, network = self.built.devices[name], ip_network(key[1])
        if self.built.intent.model.hosts.attach != "bgp" or key[1] in device.blocks or key[0] != DEFAULT_VRF:
            return False
        inside = any(network.version == b.version and network.subnet_of(b) for b in leaf_blocks(device))  # type: ignore[arg-type]
        return inside and bool(route.hops) and route.hops <= set(self.built.layouts["leaf"].downlinks)

    def _from_outside(self, name: str, key: RouteKey, route: Route, without: Failures) -> bool:
        """Is it something that an external neighbor announces of which the intent does not say what it announces?"""
        external = self.built.intent.model.external
        said = {n: e for n, e in external.items() if e.prefixes is None and self._heard_in(n, name, key[0])}
        free = {without.asns.get(n, e.asn) for n, e in said.items()}
        ours = key[0] == DEFAULT_VRF and self.is_ours(key[1])
        return not ours and bool(route.as_paths) and all(free & set(path) for path in route.as_paths)

    def _heard_in(self, neighbor: str, name: str, vrf: str) -> bool:
        """Can a device hear an external neighbor in a VRF? In the default one it may over others, too."""
        return vrf == DEFAULT_VRF or neighbor in externals_in(self.built, name, vrf)

    def held(self, name: str, store: Store) -> Held:
        """By the platform of the device, and by the device where it computes headroom by itself."""
        device = self.built.devices[name]
        platform = platforms.platform(device.platform)
        if not is_dynamic(self.built, device):
            return platform.HELD.get(store, False)
        if name not in self._held:
            expected = self.device(name)
            self._held[name] = {kind: platform.held(kind, expected) for kind in Store}
        return self._held[name][store]

    def neighbor(self, system: str, port: str) -> tuple[str, str | None] | None:
        """By name, short or fully qualified; see the Protocol."""
        name = system if system in self.built.devices or system in self.built.hosts else system.partition(".")[0]
        if name in self.built.devices:
            full = platforms.platform(self.built.devices[name].platform).full_name(port)
            return name, self._port_ids(name).get(port) or self._port_ids(name).get(full, port)
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
            return self.wide.shared(("ids", role, name), lambda: _names(own))
        return self.wide.shared(
            ("ids", role),
            lambda: _names(self.built.layouts[role].ports.values()),
        )

    def asked(self, name: str, store: Store, path: tuple[str, ...]) -> str:
        """By the platform of the device."""
        return platforms.platform(self.built.devices[name].platform).asked(store, path)

    def blind_spots(self, name: str) -> Sequence[BlindSpot]:
        """Text of the site's own, what the platform declares, and the hosts."""
        device = self.built.devices[name]
        platform = platforms.platform(device.platform)
        more = platform.BLIND_COMPUTING if is_dynamic(self.built, device) else ()
        return (*raw_spots(self.built, device), *platform.BLIND, *more, HOSTS_UNREAD)

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


def _names(ports: Iterable[FabricPort]) -> dict[str, str]:
    """Alias or native name → port; a box whose aliases nobody published has its names only."""
    return {text: port.key for port in ports for text in (port.alias, port.native) if text}
