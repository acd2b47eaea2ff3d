"""What the box tells of itself, by name of the answer's element: links, neighbors, sessions, routes, commits.

Shapes of `lldp-neighbors-information`, `bgp-information` and `route-information` are those of field/real/junos; of the
others those that PyEZ and NAPALM read.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Final

from netaudit.lab.sim import lldp, rib, views
from netaudit.lab.sim.device import Said
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.frr_config import FAMILIES
from netaudit.lab.sim.nos.junos.box import Commit, JunosBox
from netaudit.lab.sim.nos.junos.instances import children_entries, owned
from netaudit.lab.sim.nos.junos.reply import Element, holding, of, words
from netaudit.lab.sim.nos.junos.speakers import named_neighbors
from netaudit.lab.sim.views import UPTIME_S, PathView, PortView, SessionView

_MASTER: Final = "master"
_SUBTYPES: Final = {3: "Mac address", 4: "Mac address", 5: "Interface name", 7: "Locally assigned"}
_TABLES: Final = {"ipv4": "inet.0", "ipv6": "inet6.0"}
_PREFERENCE: Final = {"connected": 0, "local": 0, "static": 5, "bgp": 170}
"""Junos's preference of each protocol."""
_PROTOCOL: Final = {"connected": "Direct", "local": "Local", "static": "Static", "bgp": "BGP"}
_STATES: Final = {"Idle (Admin)": "Idle"}


def software(box: JunosBox) -> Element:
    """`show version`."""
    version = box.chassis.version
    return holding(
        "software-information",
        words(host_name=box.hostname(), product_model=box.chassis.model, product_name=box.chassis.model),
        words(junos_version=version),
        holding("package-information", words(name="junos", comment=f"JUNOS OS [{version}]")),
    )


def software_of_engines(box: JunosBox) -> Element:
    """`show version invoke-on all-routing-engines`."""
    item = holding("multi-routing-engine-item", words(re_name="re0"), software(box))
    return of("multi-routing-engine-results", item)


def inventory(box: JunosBox) -> Element:
    """`show chassis hardware`."""
    chassis = words(name="Chassis", serial_number=box.eeprom.serial, description=box.chassis.model)
    return of("chassis-inventory", holding("chassis", chassis, style="inventory"))


def engines() -> Element:
    """`show chassis routing-engine`."""
    one = words(slot=0, mastership_state="master", status="OK", model="RE-QFX", up_time="1 minute")
    return of("route-engine-information", holding("route-engine", one))


def nodes() -> Element:
    """`show system nodes`."""
    attribute = words(system_node_info_node_attribute="RE (Active)")
    entry = [*words(system_node_info_node_name="re0"), of("system-node-info-node-attributes-list", *attribute)]
    return of("system-nodes-info", holding("system-nodes-info-entry", entry))


def uptime() -> Element:
    """`show system uptime`."""
    now = int(time.time())
    up = of("up-time", text="1 min", seconds=str(UPTIME_S))
    return of(
        "system-uptime-information",
        of("current-time", _date(now)),
        of("system-booted-time", _date(now - UPTIME_S), of("time-length", text="1 min", seconds=str(UPTIME_S))),
        of("uptime-information", up),
    )


def _date(at_s: int) -> Element:
    return of("date-time", text=_utc(at_s), seconds=str(at_s))


def _utc(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def commits(box: JunosBox) -> Element:
    """`show system commit`."""
    return holding("commit-information", [_commit(number, one) for number, one in enumerate(box.commits)])


def _commit(number: int, one: Commit) -> Element:
    return holding(
        "commit-history",
        words(sequence_number=number, user=one.user, client=one.client),
        _date(one.at_s),
        words(comment=one.comment) if one.comment else [],
        words(log=one.log) if one.log else [],
    )


def revision(box: JunosBox) -> Element:
    """`show system commit revision detail`: the newest commit."""
    one = box.commits[0]
    return holding(
        "commit-revision-information",
        words(revision=f"re0-{one.at_s}-{len(box.commits)}", user=one.user, client=one.client),
        _date(one.at_s),
        words(comment=one.comment) if one.comment else [],
    )


def instances(box: JunosBox) -> Element:
    """`show route instance`."""
    names = (_MASTER, *sorted(box.facts().vrfs))
    return holding("instance-information", [of("instance-core", *words(instance_name=name)) for name in names])


def interfaces(fabric: Fabric, box: JunosBox, wanted: str = "", *, terse: bool = False) -> Element:
    """`show interfaces`, also `terse`: ports and loopback, with their logical interfaces."""
    rows = [_port(box, port, terse) for port in views.ports(fabric, box).values() if wanted in ("", port.native)]
    if wanted in ("", "lo0"):
        state = words(name="lo0", admin_status="up", oper_status="up")
        rows.append(holding("physical-interface", state, _logical(box, "lo0", "up", terse)))
    return holding("interface-information", rows, style="terse" if terse else "normal")


def _port(box: JunosBox, port: PortView, terse: bool) -> Element:
    name, tree = port.native, box.active.get("interfaces", port.native)
    state = "up" if port.up else "down"
    common = words(name=name, admin_status="up" if port.enabled else "down", oper_status=state)
    if terse:
        return holding("physical-interface", common, _logical(box, name, state, terse))
    mtu = tree.value("mtu") if tree is not None else ""
    description = tree.value("description") if tree is not None else ""
    return holding(
        "physical-interface",
        common,
        words(local_index=box.index_of(name), snmp_index=box.index_of(name)),
        words(description=description) if description else [],
        words(link_level_type="Ethernet", mtu=mtu or 1514, speed=f"{int(port.spec.speed) // 1000}Gbps"),
        words(current_physical_address=box.eeprom.mac, hardware_physical_address=box.eeprom.mac),
        of("interface-flapped", text="1 min", seconds=str(UPTIME_S)),
        _logical(box, name, state, terse),
    )


def _logical(box: JunosBox, name: str, state: str, terse: bool) -> Iterator[Element]:
    tree = box.active.get("interfaces", name)
    for number, unit in tree.entries("unit") if tree is not None else ():
        status = words(admin_status="up", oper_status=state) if terse else []
        families = [
            holding(
                "address-family",
                words(address_family_name=family),
                [of("interface-address", *words(ifa_local=address)) for address, _ in one.entries("address")],
            )
            for family in ("inet", "inet6")
            if (one := unit.get("family", family)) is not None
        ]
        yield holding("logical-interface", words(name=f"{name}.{number}"), status, families)


def neighbors(fabric: Fabric, box: JunosBox, wanted: str = "", *, detail: bool = False) -> Element:
    """`show lldp neighbors`, also `detail`."""
    heard = {name: said for name, said in lldp.heard(fabric, box).items() if wanted in ("", name)}
    rows = [_neighbor(box, name, said, detail) for name, said in heard.items()]
    return holding("lldp-neighbors-information", rows, style="detail" if detail else "brief")


def _neighbor(box: JunosBox, name: str, said: Said, detail: bool) -> Element:
    far = words(
        lldp_local_parent_interface_name="-",
        lldp_remote_chassis_id_subtype=_SUBTYPES[said.chassis_subtype],
        lldp_remote_chassis_id=said.chassis_id,
        lldp_remote_port_id_subtype=_SUBTYPES[said.port_subtype],
        lldp_remote_port_id=said.port_id,
    )
    described = words(lldp_remote_port_description=said.port_description) if said.port_description else []
    system = words(lldp_remote_system_name=said.system_name)
    if not detail:
        return holding("lldp-neighbor-information", words(lldp_local_port_id=name), far, described, system)
    capabilities = " ".join(one.capitalize() for one in said.capabilities) + " "
    return holding(
        "lldp-neighbor-information",
        words(lldp_index=1, lldp_ttl=120, lldp_age=0, lldp_local_interface=name),
        far[:1],
        words(lldp_local_port_id=box.index_of(name)),
        far[1:],
        described,
        system,
        of("lldp-system-description", *words(lldp_remote_system_description=said.system_description)),
        words(
            lldp_remote_system_capabilities_supported=capabilities,
            lldp_remote_system_capabilities_enabled=capabilities,
        ),
    )


def _vrfs(box: JunosBox, instance: str) -> tuple[str, ...]:
    """The VRFs that an instance of a request stands for; without one, all."""
    known = ("", *sorted(box.facts().vrfs))
    return known if not instance else tuple(vrf for vrf in known if (vrf or _MASTER) == instance)


def _sessions(fabric: Fabric, box: JunosBox, instance: str) -> Iterator[tuple[str, SessionView]]:
    """(VRF, session); a peer that is discovered, or let in, is there once it was heard."""
    for vrf in _vrfs(box, instance):
        named = named_neighbors(box.active, vrf)
        for one in views.sessions(fabric, box, vrf):
            if one.ever or one.key in named:
                yield vrf, one


def _peer_address(one: SessionView) -> str:
    """A discovered peer by its link-local address and the logical interface."""
    return f"{one.address or 'fe80::'}%{one.port}.0" if one.key == one.port else one.key


def _rib(vrf: str, family: str) -> str:
    return f"{vrf}.{_TABLES[family]}" if vrf else _TABLES[family]


def sessions(fabric: Fabric, box: JunosBox, instance: str = "") -> Element:
    """`show bgp neighbor`."""
    rows = [_peer(box, vrf, one) for vrf, one in _sessions(fabric, box, instance)]
    return holding("bgp-information", rows)


def _peer(box: JunosBox, vrf: str, one: SessionView) -> Element:
    port = "179" if one.up else ""
    mine = next(
        (str(a.ip) for a in box.facts().addresses.get(one.port, ()) if (a.version == 6) == (":" in one.key)), ""
    )
    families = " ".join(f"{_TABLES[family].partition('.')[0]}-unicast" for family in one.families)
    hold = box.facts().frr.speakers[vrf].hold_s
    return holding(
        "bgp-peer",
        words(
            peer_address=_peer_address(one) + (f"+{port}" if port else ""),
            peer_as=one.remote_asn,
            local_address=(mine or "unspecified") + (f"+{port}" if port and mine else ""),
            local_as=one.local_asn,
            peer_group=one.group,
            peer_cfg_rti=vrf or _MASTER,
            peer_fwd_rti=vrf or _MASTER,
            peer_type="Internal" if one.remote_asn == one.local_asn else "External",
            peer_state=_STATES.get(one.state, one.state),
        ),
        words(description=one.description) if one.description else [],
        of("bgp-option-information", *words(bgp_options_extended="", address_families=families, holdtime=hold)),
        words(flap_count=one.dropped),
        words(peer_id=one.remote_router_id, local_id=one.local_router_id) if one.up else [],
        words(active_holdtime=hold, keepalive_interval=hold // 3) if one.up else [],
        words(local_interface_name=f"{one.port}.0") if one.port else [],
        [
            holding(
                "bgp-rib",
                words(name=_rib(vrf, family), send_state="in sync"),
                words(active_prefix_count=one.received[family], received_prefix_count=one.received[family]),
                words(accepted_prefix_count=one.received[family], suppressed_prefix_count=0),
                words(advertised_prefix_count=one.sent[family]),
            )
            for family in one.families
            if one.up
        ],
        style="detail",
    )


def summary(fabric: Fabric, box: JunosBox, instance: str = "") -> Element:
    """`show bgp summary`."""
    found = list(_sessions(fabric, box, instance))
    down = sum(not one.up for _, one in found)
    groups = len({(vrf, one.group) for vrf, one in found})
    rows = [
        holding(
            "bgp-peer",
            words(peer_address=_peer_address(one), peer_as=one.remote_asn, input_messages=0, output_messages=0),
            words(route_queue_count=0, flap_count=one.dropped),
            of("elapsed-time", text="1:00", seconds=str(UPTIME_S)),
            words(peer_state=_STATES.get(one.state, one.state)),
            [
                holding("bgp-rib", words(name=_rib(vrf, family), active_prefix_count=one.received[family]))
                for family in one.families
                if one.up
            ],
            style="terse",
        )
        for vrf, one in found
    ]
    return holding("bgp-information", words(group_count=groups, peer_count=len(found), down_peer_count=down), rows)


def routes(fabric: Fabric, box: JunosBox, protocol: str = "", table: str = "") -> Element:
    """`show route`, of one protocol or table where they are named."""
    made = []
    for vrf in _vrfs(box, ""):
        for family in FAMILIES:
            if table in ("", _rib(vrf, family)):
                rows = list(_table(fabric, box, family, vrf, protocol))
                count = words(table_name=_rib(vrf, family), destination_count=len(rows))
                made.append(holding("route-table", count, rows))
    return holding("route-information", made)


def _table(fabric: Fabric, box: JunosBox, family: str, vrf: str, wanted: str) -> Iterator[Element]:
    learned = dict(views.bgp_table(fabric, box, family, vrf))
    aggregates = _aggregates(box)
    for prefix, entries in sorted(
        rib.entries(fabric, box, family, vrf).items(), key=lambda one: (ip_network(one[0]).network_address, one[0])
    ):
        rows: list[Element] = []
        for entry in entries:
            if entry.protocol != "bgp":
                own = "Aggregate" if prefix in aggregates and entry.protocol == "static" else _PROTOCOL[entry.protocol]
                preference = 130 if own == "Aggregate" else _PREFERENCE[entry.protocol]
                hops = [_hop(hop.address, hop.interface, box) for hop in entry.hops]
                rows.append(_entry(own, preference, not rows, hops or [of("nh", *words(nh_local_interface="Discard"))]))
        rows += list(_bgp_entries(box, learned.get(prefix, ()), not rows))
        if wanted:
            rows = [row for row in rows if any(one.text == wanted for one in row.below if one.name == "protocol-name")]
        if rows:
            yield holding("rt", words(rt_destination=prefix), rows, style="brief")


def _aggregates(box: JunosBox) -> frozenset[str]:
    trees = (box.active, *(tree for _, tree in children_entries(box.active, "routing-instances")))
    return frozenset(own.prefix for tree in trees for own, _ in owned(tree) if own.protocol == "aggregate")


def _hop(address: str, interface: str, box: JunosBox) -> Element:
    logical = f"{interface}.0" if interface in box.facts().position else interface
    return holding("nh", words(to=address) if address else [], words(via=logical) if interface else [])


def _entry(protocol: str, preference: int, active: bool, below: list[Element]) -> Element:
    marks = [*words(active_tag="*"), of("current-active"), of("last-active")] if active else words(active_tag="")
    age = of("age", text="00:01:00", seconds=str(UPTIME_S))
    return holding("rt-entry", marks, words(protocol_name=protocol, preference=preference), age, below)


def _bgp_entries(box: JunosBox, paths: tuple[PathView, ...], first: bool) -> Iterator[Element]:
    """The paths of a prefix: the best one with the next hops of all that are used beside it, then the others."""
    used = [one for one in paths if (one.best or one.multipath) and one.hop is not None]
    for one in sorted((path for path in paths if path.hop is not None), key=lambda path: not path.best):
        shown = used if one.best else [one]
        hops = [_hop(path.hop.address, path.hop.interface, box) for path in shown if path.hop is not None]
        said = words(
            local_preference=100, as_path=" ".join((*map(str, one.as_path), "I")), validation_state="unverified"
        )
        yield _entry("BGP", _PREFERENCE["bgp"], first and one.best, [*said, *hops])
