"""A SONiC switch as its answers: from what each store shall show to the text of every query.

A second writer beside the product's, for APPL_DB, STATE_DB and FRR's JSON, so that reading is not held to its own
writing. Shapes are those of sonic.md section 8 and of lab.md, «RIB read»; what a real switch adds is added here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from netaudit.platforms import Answer, Answers, Miss
from netaudit.platforms.sonic.ask import QUERIES
from netaudit.render import render
from netaudit.state import Bgp, Buffers, Device, Lldp, LldpNeighbor, Port, Profile, Route, RouteKey, Store

Tables = dict[str, dict[str, dict[str, object]]]
LINK_LOCAL = "fe80::a8bb:ccff:fe00:100"


def answers(stores: Mapping[Store, Device]) -> Answers:
    """The answer to each query; `state` has LLDP neighbors as they are received, and the routes."""
    native = {key: str(port.native) for key, port in (stores[Store.RUNNING].ports or {}).items()}
    known = {
        **running(stores[Store.RUNNING]),
        **saved(stores[Store.SAVED]),
        **live(stores[Store.APPLIED], stores[Store.STATE], native),
    }
    gone = Answer(miss=Miss.ABSENT)
    return {query.id: known.get(query.id, gone) for query in QUERIES}


def running(device: Device) -> Answers:
    """CONFIG_DB table by table, and what FRR runs. A table that is not there is not among them."""
    files = render(device)
    tables = {name: Answer(text=json.dumps(rows)) for name, rows in json.loads(files["config_db.json"]).items()}
    return {**tables, "frr": Answer(text=shown_by_vtysh(files["frr.conf"]))}


def saved(device: Device) -> Answers:
    """The two files that a reboot brings back."""
    files = render(device)
    return {"saved": Answer(text=files["config_db.json"]), "saved-frr": Answer(text=files["frr.conf"])}


def live(applied: Device, state: Device, native: Mapping[str, str]) -> Answers:
    """APPL_DB, STATE_DB, and what FRR says of sessions and routes. `native`: port → the switch's own name of it."""
    programmed = _applied(applied, native)
    texts: dict[str, object] = {
        **programmed,
        **_state(state, native),
        "PORT_TABLE": _with_oper(programmed["PORT_TABLE"], state, native),
    }
    texts["ROUTE_TABLE"] = route_table(texts)
    return {name: Answer(text=json.dumps(value)) for name, value in texts.items()}


def shown_by_vtysh(text: str) -> str:
    """A frr.conf as `show running-config` prints it: a frame around it, and the NOS's own lines."""
    frame = "Building configuration...\n\nCurrent configuration:\n!\nfrr version 8.5.4\n"
    lines = text.splitlines()
    lines[1:1] = [
        "hostname a-su1-r1-leaf",
        "log syslog informational",
        "log facility local4",
        "agentx",
        "no service integrated-vtysh-config",
    ]
    return frame + "\n".join(lines) + "\nend\n"


def _applied(device: Device, native: Mapping[str, str]) -> Tables:
    """APPL_DB as orchagent is given it: keys join with `:`."""
    buffers = device.buffers or Buffers()
    tables: Tables = {
        "PORT_TABLE": {str(port.native): _port_row(key, port) for key, port in (device.ports or {}).items()},
        "BUFFER_POOL_TABLE": {
            name: _row(
                type=pool.direction,
                size=pool.size_bytes,
                xoff=pool.shared_headroom_bytes,
                mode="dynamic" if pool.dynamic is True else "static",
            )
            for name, pool in (buffers.pools or {}).items()
        },
        "BUFFER_PROFILE_TABLE": {name: _profile_row(p) for name, p in (buffers.profiles or {}).items()},
        "BUFFER_PG_TABLE": {},
        "BUFFER_QUEUE_TABLE": {},
    }
    for key, port in (buffers.ports or {}).items():
        for group, profile in (port.groups or {}).items():
            tables["BUFFER_PG_TABLE"][f"{native.get(key, key)}:{group}"] = {"profile": profile}
        for queue, profile in (port.queues or {}).items():
            tables["BUFFER_QUEUE_TABLE"][f"{native.get(key, key)}:{queue}"] = {"profile": profile}
    return tables


def _port_row(key: str, port: Port) -> dict[str, object]:
    cage, _, sub = key.partition("/")
    return _row(
        index=cage,
        subport=sub or "0",
        alias=port.alias,
        lanes=",".join(map(str, port.lanes)) if isinstance(port.lanes, tuple) else None,
        speed=port.speed_mbps,
        mtu=port.mtu_bytes,
        fec=port.fec,
        admin_status=_up(port.enabled),
        tpid="0x8100",
        pfc_asym="off",
    )


def _profile_row(profile: Profile) -> dict[str, object]:
    exponents: Mapping[object, int] = {Fraction(2) ** n: n for n in range(-8, 8)}
    return _row(
        pool=profile.pool,
        size=profile.size_bytes,
        dynamic_th=exponents.get(profile.alpha),
        static_th=profile.limit_bytes,
        xon=profile.xon_bytes,
        xoff=profile.xoff_bytes,
        xon_offset=profile.xon_offset_bytes,
        packet_discard_action=profile.discard,
    )


def _row(**fields: object) -> dict[str, object]:
    """A hash of Redis: every value is text, and what is not set is not there."""
    return {name: str(value) for name, value in fields.items() if isinstance(value, int | str)}


def _with_oper(
    table: Mapping[str, dict[str, object]], state: Device, native: Mapping[str, str]
) -> dict[str, dict[str, object]]:
    """PORT_TABLE as the switch has it: link state in the same rows, and two keys that are no ports."""
    oper = {native.get(k, k): _row(oper_status=_up(port.oper_up)) for k, port in (state.ports or {}).items()}
    ports = {name: {**row, **oper.get(name, {})} for name, row in table.items()}
    return {**ports, "PortConfigDone": {"count": str(len(ports))}, "PortInitDone": {"lanes": "0"}}


def _up(value: object) -> str | None:
    return ("up" if value else "down") if isinstance(value, bool) else None


def _state(device: Device, native: Mapping[str, str]) -> dict[str, object]:
    serial = device.system.serial if device.system else None
    neighbors = (device.lldp or Lldp()).neighbors or {}
    return {
        "LLDP_ENTRY_TABLE": {
            "eth0": {"lldp_rem_sys_name": "oob-switch", "lldp_rem_port_id": "Gi1/0/7"},
            **{native.get(k, k): _heard(n) for k, n in neighbors.items() if isinstance(n, LldpNeighbor)},
        },
        "TRANSCEIVER_INFO": {
            native.get(key, key): _row(type="OSFP", cable_type="Length Cable Assembly(m)", cable_length=told)
            for key, port in (device.ports or {}).items()
            if (told := str(port.cable_m) if isinstance(port.cable_m, float) else None)
        },
        "EEPROM_INFO": {"Name": "Serial Number", "Len": "20", "Value": serial} if serial else {},
        "summary": _summary(device.bgp or Bgp(), native),
        **_tables(device.routes or {}, native),
    }


def _heard(neighbor: LldpNeighbor) -> dict[str, object]:
    return _row(
        lldp_rem_index="1",
        lldp_rem_chassis_id="02:00:00:00:00:99",
        lldp_rem_sys_name=neighbor.system,
        lldp_rem_port_id=neighbor.port,
        lldp_rem_port_id_subtype="7",
        lldp_rem_port_desc="",
        lldp_rem_sys_desc="SONiC Software Version: SONiC.202411",
    )


def _summary(bgp: Bgp, native: Mapping[str, str]) -> dict[str, object]:
    """`show bgp summary json`: one object a family, a peer by its interface. FRR knows no ASN before the OPEN: 0."""
    peers = {
        native.get(key, key): {
            "hostname": "far",
            "remoteAs": n.remote_asn if isinstance(n.remote_asn, int) else 0,
            "localAs": bgp.asn,
            "version": 4,
            "state": n.session,
            "peerState": "OK",
            "idType": "interface",
        }
        for key, n in (bgp.neighbors or {}).items()
    }
    family: dict[str, object] = {"routerId": "10.255.0.1", "as": bgp.asn, "vrfName": "default", "peers": peers}
    if isinstance(bgp.multipath_relax, bool):
        family["bestPath"] = {"multiPathRelax": "true" if bgp.multipath_relax else "false"}
    return {"ipv4Unicast": family, "ipv6Unicast": family}


def _tables(routes: Mapping[RouteKey, Route], native: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for version, colon in (("4", False), ("6", True)):
        own = {prefix: route for (_, prefix), route in routes.items() if (":" in prefix) is colon}
        found[f"bgp{version}"] = {
            "vrfName": "default",
            "localAS": 4200000000,
            "routes": {prefix: list(_paths(prefix, route)) for prefix, route in own.items()},
        }
        found[f"route{version}"] = {prefix: list(_entries(route, native)) for prefix, route in own.items()}
    return found


def route_table(texts: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """APPL_DB ROUTE_TABLE as fpmsyncd makes it of what zebra has: own prefixes, and those that BGP knows."""
    rows: dict[str, dict[str, object]] = {}
    for version in ("4", "6"):
        known, zebra = texts[f"bgp{version}"], texts[f"route{version}"]
        assert isinstance(known, dict)
        assert isinstance(zebra, dict)
        for prefix in known.get("routes", {}):
            for entry in zebra.get(prefix, ()):
                hops = [h for h in entry["nexthops"] if h["active"]]
                rows[prefix] = _row(
                    protocol=entry["protocol"],
                    nexthop=",".join(h.get("ip", "0.0.0.0") for h in hops),
                    ifname=",".join(h["interfaceName"] for h in hops),
                    weight=",".join("1" for _ in hops),
                )
    return rows


def _paths(prefix: str, route: Route) -> Iterator[dict[str, object]]:
    """Paths of one prefix: used ones, and one more that is valid and longer, which no table uses."""
    common = {"network": prefix, "pathFrom": "external", "origin": "IGP"}
    for number, path in enumerate(sorted(route.as_paths)):
        chosen = {"bestpath": True} if number == 0 else {"multipath": True}
        hops = [{"ip": LINK_LOCAL, "afi": "ipv6", "scope": "link-local", "used": True}]
        yield {"valid": True, **chosen, **common, "path": " ".join(map(str, path)), "nexthops": hops}
    if route.hops:
        yield {"valid": True, **common, "path": "4200100000 4200000009 4200100001 4200000001", "nexthops": []}


def _entries(route: Route, native: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """What zebra has of one prefix. An own one is connected or static, never BGP."""
    if not route.hops:
        yield {"protocol": "connected", "selected": True, "nexthops": [{"interfaceName": "Loopback0", "active": True}]}
        return
    yield {
        "protocol": "bgp",
        "selected": True,
        "installed": True,
        "nexthops": [
            {"fib": True, "active": True, "ip": LINK_LOCAL, "interfaceName": native.get(h, h), "weight": 1}
            for h in sorted(route.hops)
        ]
        # what the kernel did not take: known to zebra, not in the table that forwards
        + [{"active": False, "ip": LINK_LOCAL, "interfaceName": "Ethernet400"}],
    }


def all_stores(
    device: Device, lldp: Mapping[str, LldpNeighbor], routes: Mapping[RouteKey, Route]
) -> dict[Store, Device]:
    """A device that is the same in every store."""
    heard = replace(device.lldp or Lldp(), neighbors=dict(lldp))
    return {store: replace(device, lldp=heard, routes=routes) for store in Store}


def without(answers_: Answers, *queries: str, reason: str = "timed out") -> Answers:
    """The same answers, but some queries failed."""
    return {**answers_, **{query: Answer(miss=Miss.FAILED, reason=reason) for query in queries}}


def with_text(answers_: Answers, query: str, text: str) -> Answers:
    """The same answers, but one is another text."""
    return {**answers_, query: Answer(text=text)}


def ids() -> Iterable[str]:
    """Every query."""
    return (query.id for query in QUERIES)
