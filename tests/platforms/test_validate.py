"""What SONiC's models let through and netaudit does not: one fault a case, put into a configuration that is good."""

# One case is one row, and messages are compared whole:
# ruff: noqa: E501

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms.sonic.validate import problems
from netaudit.render import render

EXAMPLE = Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml"
LEAF = "a-su1-r1-leaf"
Tables = dict[str, dict[str, dict[str, Any]]]


@cache
def example() -> Expected:
    return Expected(build(load(EXAMPLE)))


@cache
def good() -> tuple[str, str]:
    """The rendered files of one leaf."""
    files = render(example().device(LEAF))
    return files["config_db.json"], files["frr.conf"]


def judged(change: Callable[[Tables], object]) -> tuple[str, ...]:
    """What is found when the database of a good leaf is changed."""
    database, frr = good()
    tables: Tables = json.loads(database)
    change(tables)
    return problems({"config_db.json": json.dumps(tables), "frr.conf": frr})


def put(table: str, key: str, **fields: Any) -> Callable[[Tables], object]:
    """Fields laid over a row, which is made where it is not there."""
    return lambda tables: tables.setdefault(table, {}).setdefault(key, {}).update(fields)


def put_table(table: str, rows: Any) -> Callable[[Tables], object]:
    """A table in place of what was there."""
    return lambda tables: tables.__setitem__(table, rows)


def drop(table: str, key: str = "", field: str = "") -> Callable[[Tables], object]:
    """A field, a row or a table taken out."""
    if field:
        return lambda tables: tables[table][key].pop(field)
    return (lambda tables: tables[table].pop(key)) if key else (lambda tables: tables.pop(table))


def move(table: str, old: str, *new: str) -> Callable[[Tables], object]:
    """A row under other keys."""

    def change(tables: Tables) -> None:
        row = tables[table].pop(old)
        tables[table].update({key: dict(row) for key in new})

    return change


def both(*changes: Callable[[Tables], object]) -> Callable[[Tables], object]:
    def change(tables: Tables) -> None:
        for one in changes:
            one(tables)

    return change


@dataclass(frozen=True)
class Case:
    fault: str
    change: Callable[[Tables], object]
    found: tuple[str, ...]


PROFILE = "pg_lossless_400000_5m_profile"
CASES = (
    # ports
    Case("a lane twice", put("PORT", "Ethernet4", lanes="3,4,5,6"), ("PORT|Ethernet4 lanes: lane 3 is a lane of Ethernet0 too",)),
    Case("lanes twice", put("PORT", "Ethernet4", lanes="2,3,4,5"), ("PORT|Ethernet4 lanes: lanes 2, 3 are lanes of Ethernet0 too",)),
    Case("a lane twice in one port", put("PORT", "Ethernet4", lanes="4,5,6,6"), ("PORT|Ethernet4 lanes: a lane stands here twice",)),
    Case("too few lanes", put("PORT", "Ethernet504", lanes="504,505"), ("PORT|Ethernet504 speed: 800000 Mb/s do not run over 2 lanes",)),
    Case("an alias twice", put("PORT", "Ethernet4", alias="etp1a"), ("PORT|Ethernet4 alias: etp1a is the alias of Ethernet0 too",)),
    Case("a sub-port twice", put("PORT", "Ethernet4", subport="1"), ("PORT|Ethernet4 subport: sub-port 1 of cage 1 is Ethernet0 already",)),
    Case("another breakout than the ports", put("BREAKOUT_CFG", "Ethernet0", brkout_mode="4x200G[100G]"), (
        "BREAKOUT_CFG|Ethernet0 brkout_mode: 4x200G[100G] makes 4 ports, and PORT has 2 of this cage",
        "BREAKOUT_CFG|Ethernet0 brkout_mode: 4x200G[100G] has no 400G, which PORT has on this cage",
    )),
    Case("a speed that the breakout lacks", put("PORT", "Ethernet504", speed="20000"), (
        "BREAKOUT_CFG|Ethernet504 brkout_mode: 1x800G[400G,200G,100G,50G,40G,25G,10G] has no 20G, which PORT has on this cage",
        "BUFFER_PG|Ethernet504|3 profile: pg_lossless_800000_40m_profile is for 800000, PORT says 20000",
    )),
    Case("a breakout that is none", put("BREAKOUT_CFG", "Ethernet504", brkout_mode="1 x 800G"), ("BREAKOUT_CFG|Ethernet504 brkout_mode: `1 x 800G` is no mode as 2x400G[200G,100G]",)),
    Case("an address twice", put("INTERFACE", "Ethernet4|10.0.0.0/30"), ("INTERFACE|Ethernet4|10.0.0.0/30: 10.0.0.0 is the address of INTERFACE|Ethernet0|10.0.0.0/31 too",)),
    Case("a loopback's address twice", put("INTERFACE", "Ethernet4|fd00:ff::0001/127"), ("LOOPBACK_INTERFACE|Loopback0|fd00:ff::1/128: fd00:ff::1 is the address of INTERFACE|Ethernet4|fd00:ff::0001/127 too",)),
    Case("an address without its interface", put("INTERFACE", "Ethernet16|10.9.9.0/31"), ("INTERFACE|Ethernet16|10.9.9.0/31: an address without the row INTERFACE|Ethernet16",)),
    Case("a port that is not there", put("PFC_WD", "Ethernet2", action="drop", detection_time="200", restoration_time="400"), ("PFC_WD|Ethernet2: there is no PORT|Ethernet2",)),
    Case("a length of a port that is not there", put("CABLE_LENGTH", "AZURE", Ethernet2="5m"), ("CABLE_LENGTH|AZURE Ethernet2: there is no PORT|Ethernet2",)),
    # ranges
    Case("groups that overlap", put("BUFFER_PG", "Ethernet0|0-1", profile="ingress_lossy_profile"), ("BUFFER_PG|Ethernet0|0-1: 0-1 overlaps 0",)),
    Case("a reversed range of groups", put("BUFFER_PG", "Ethernet0|5-4", profile="ingress_lossy_profile"), ("BUFFER_PG|Ethernet0|5-4: 5-4 is reversed: write 4-5",)),
    Case("groups as a list", move("BUFFER_PG", "Ethernet0|0", "Ethernet0|0,1"), ("BUFFER_PG|Ethernet0|0,1: `0,1` is no priority group 0 to 7, nor a range of them",)),
    Case("queues that overlap", put("QUEUE", "Ethernet0|3-4", scheduler="ROCE"), ("QUEUE|Ethernet0|3-4: 3-4 overlaps 3",)),
    Case("queue buffers that overlap", put("BUFFER_QUEUE", "Ethernet0|5-6", profile="q_lossy_profile"), ("BUFFER_QUEUE|Ethernet0|5-6: 5-6 overlaps 6",)),
    Case("queue 99", put("QUEUE", "Ethernet0|99", scheduler="ROCE"), ("QUEUE|Ethernet0|99: `99` is no queue 0 to 15, nor a range of them",)),
    Case("queue abc", put("QUEUE", "Ethernet0|abc", scheduler="ROCE"), ("QUEUE|Ethernet0|abc: `abc` is no queue 0 to 15, nor a range of them",)),
    # lossless
    Case("PFC on a lossy group", put("BUFFER_PG", "Ethernet0|3", profile="ingress_lossy_profile"), (
        "BUFFER_PG|Ethernet0|3 profile: PFC is on for priority 3, and its group has no headroom: ingress_lossy_profile has no xoff",
    )),
    Case("PFC without a group or a length", both(drop("BUFFER_PG", "Ethernet0|3"), drop("CABLE_LENGTH", "AZURE", "Ethernet0")), (
        "PORT_QOS_MAP|Ethernet0 pfc_enable: PFC is on for priority 3, and neither BUFFER_PG nor a cable length gives it headroom",
    )),
    Case("headroom without PFC", put("PORT_QOS_MAP", "Ethernet0", pfc_enable="", pfcwd_sw_enable=""), ("BUFFER_PG|Ethernet0|3: headroom without PFC on group 3",)),
    Case("a group that buffermgrd keys otherwise", both(
        put("PORT_QOS_MAP", "Ethernet0", pfc_enable="3,4", pfc_to_pg_map="BOTH"),
        put("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "BOTH", **{"3": "3", "4": "4"}),
        put("TC_TO_PRIORITY_GROUP_MAP", "ROCE", **{"4": "4"}),
        put("BUFFER_PG", "Ethernet0|4", profile=PROFILE),
    ), (
        "BUFFER_PG|Ethernet0|3: buffermgrd writes its own row beside this one: key lossless groups 3-4 (and 1 more rows)",
    )),
    Case("a lossless profile without xoff", drop("BUFFER_PROFILE", PROFILE, "xoff"), (
        f"BUFFER_PROFILE|{PROFILE} xoff: a lossless profile without headroom drops what follows XOFF",
        f"BUFFER_PG|Ethernet0|3 profile: PFC is on for priority 3, and its group has no headroom: {PROFILE} has no xoff (and 3 more rows)",
    )),
    Case("headroom that nothing holds", put("BUFFER_PROFILE", PROFILE, size="19456"), (
        f"BUFFER_PROFILE|{PROFILE} size: size 19456 does not hold xon + xoff, and ingress_lossless_pool has no shared headroom (xoff)",
    )),
    Case("no cable length", drop("CABLE_LENGTH", "AZURE", "Ethernet0"), ("CABLE_LENGTH Ethernet0: missing, and the port has a lossless group",)),
    Case("another cable length than the profile's", put("CABLE_LENGTH", "AZURE", Ethernet0="40m"), (f"BUFFER_PG|Ethernet0|3 profile: {PROFILE} is for 5m, CABLE_LENGTH says 40m",)),
    # pools and profiles
    Case("both thresholds", put("BUFFER_PROFILE", PROFILE, static_th="1000"), (f"BUFFER_PROFILE|{PROFILE}: dynamic_th and static_th are both there",)),
    Case("neither threshold", drop("BUFFER_PROFILE", PROFILE, "dynamic_th"), (f"BUFFER_PROFILE|{PROFILE}: neither dynamic_th nor static_th is there",)),
    Case("a static threshold in a dynamic pool", both(drop("BUFFER_PROFILE", PROFILE, "dynamic_th"), put("BUFFER_PROFILE", PROFILE, static_th="1000")), (
        f"BUFFER_PROFILE|{PROFILE} static_th: its pool ingress_lossless_pool is dynamic and takes dynamic_th",
    )),
    Case("an ingress profile on a queue", put("BUFFER_QUEUE", "Ethernet0|3", profile="ingress_lossless_profile"), (
        "BUFFER_QUEUE|Ethernet0|3 profile: ingress_lossless_profile is of the ingress pool ingress_lossless_pool, an egress one is needed",
    )),
    Case("an egress profile on a group", put("BUFFER_PG", "Ethernet0|0", profile="q_lossy_profile"), (
        "BUFFER_PG|Ethernet0|0 profile: q_lossy_profile is of the egress pool egress_lossy_pool, an ingress one is needed",
    )),
    Case("an egress profile in an ingress list", put("BUFFER_PORT_INGRESS_PROFILE_LIST", "Ethernet0", profile_list="ingress_lossless_profile, egress_lossy_profile"), (
        "BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet0 profile_list: egress_lossy_profile is of the egress pool egress_lossy_pool, an ingress one is needed",
    )),
    Case("more shared headroom than pool", put("BUFFER_POOL", "ingress_lossless_pool", xoff="99999999"), ("BUFFER_POOL|ingress_lossless_pool xoff: 99999999 is more than size 67737959",)),
    Case("a pool without a size", drop("BUFFER_POOL", "egress_lossy_pool", "size"), ("BUFFER_POOL|egress_lossy_pool size: missing, and nothing computes it in the traditional model",)),
    Case("a profile that is not there", put("BUFFER_QUEUE", "Ethernet0|3", profile="nobody"), ("BUFFER_QUEUE|Ethernet0|3 profile: there is no BUFFER_PROFILE|nobody",)),
    Case("a pool that is not there", put("BUFFER_PROFILE", "q_lossy_profile", pool="nobody"), ("BUFFER_PROFILE|q_lossy_profile pool: there is no BUFFER_POOL|nobody",)),
    # QoS
    Case("queue 8 of a traffic class", put("TC_TO_QUEUE_MAP", "ROCE", **{"7": "8"}), ("TC_TO_QUEUE_MAP|ROCE 7: `8` is no queue 0 to 7",)),
    Case("no queue of a traffic class", put("TC_TO_QUEUE_MAP", "ROCE", **{"7": ""}), ("TC_TO_QUEUE_MAP|ROCE 7: `` is no queue 0 to 7",)),
    Case("a code point without a class", drop("DSCP_TO_TC_MAP", "ROCE", "46"), ("DSCP_TO_TC_MAP|ROCE: 1 of 64 code points are missing (46) and fall to the chip's default",)),
    Case("a class without a queue", drop("TC_TO_QUEUE_MAP", "ROCE", "6"), ("PORT_QOS_MAP|Ethernet0 tc_to_queue_map: ROCE has no traffic class 6 (and 7 more rows)",)),
    Case("a class without a group", drop("TC_TO_PRIORITY_GROUP_MAP", "ROCE", "6"), ("PORT_QOS_MAP|Ethernet0 tc_to_pg_map: ROCE has no traffic class 6 (and 7 more rows)",)),
    Case("a map that is not there", put("PORT_QOS_MAP", "global", dscp_to_tc_map="AZURE"), ("PORT_QOS_MAP|global dscp_to_tc_map: there is no DSCP_TO_TC_MAP|AZURE",)),
    Case("a scheduler that is not there", put("QUEUE", "Ethernet0|3", scheduler="scheduler.1"), ("QUEUE|Ethernet0|3 scheduler: there is no SCHEDULER|scheduler.1",)),
    Case("a WRED profile that is not there", put("QUEUE", "Ethernet0|3", wred_profile="AZURE"), ("QUEUE|Ethernet0|3 wred_profile: there is no WRED_PROFILE|AZURE",)),
    Case("PFC pauses another queue", put("MAP_PFC_PRIORITY_TO_QUEUE", "ROCE", **{"3": "4"}), (
        "PORT_QOS_MAP|Ethernet0 tc_to_queue_map: priority 3 pauses queue 4, and traffic class 3 of its group is in 3 (and 7 more rows)",
    )),
    Case("PFC for nobody", put("TC_TO_PRIORITY_GROUP_MAP", "ROCE", **{"3": "0"}), (
        "PORT_QOS_MAP|Ethernet0 pfc_enable: PFC is on for priority 3, and no traffic class is in its priority group 3 (and 7 more rows)",
    )),
    Case("a priority watched without PFC", put("PORT_QOS_MAP", "Ethernet0", pfcwd_sw_enable="3,4"), ("PORT_QOS_MAP|Ethernet0 pfcwd_sw_enable: priority 4 is watched and has no PFC",)),
    Case("a queue without a scheduler", drop("QUEUE", "Ethernet0|6"), ("QUEUE|Ethernet0: queue 6 has traffic and no scheduler",)),
    Case("a ceiling without a rate", drop("SCHEDULER", "CONTROL-400G", "cir"), ("SCHEDULER|CONTROL-400G pir: a ceiling needs cir beside it",)),
    Case("ECN without WRED", put("WRED_PROFILE", "ROCE-400G", wred_green_enable="false"), ("WRED_PROFILE|ROCE-400G wred_green_enable: ecn_all marks no green packet without wred_green_enable",)),
    Case("ECN of one colour without WRED", put("WRED_PROFILE", "ROCE-400G", ecn="ecn_green_yellow", wred_yellow_enable="false"), (
        "WRED_PROFILE|ROCE-400G wred_yellow_enable: ecn_green_yellow marks no yellow packet without wred_yellow_enable",
    )),
    Case("a minimum above the maximum", put("WRED_PROFILE", "ROCE-400G", red_min_threshold="1731841"), ("WRED_PROFILE|ROCE-400G red_min_threshold: 1731841 is above the maximum 1731840",)),
    Case("WRED without thresholds", drop("WRED_PROFILE", "ROCE-400G", "green_max_threshold"), ("WRED_PROFILE|ROCE-400G wred_green_enable: enabled without a minimum and a maximum",)),
    Case("a threshold beyond 31 bits", put("WRED_PROFILE", "ROCE-400G", green_max_threshold="2147483648"), (
        "WRED_PROFILE|ROCE-400G green_max_threshold: 2147483648 is more than orchagent reads (2147483647)",
    )),
    Case("a watchdog that polls too slowly", put("PFC_WD", "GLOBAL", POLL_INTERVAL="400"), ("PFC_WD|Ethernet0 detection_time: 200 ms is shorter than the poll interval of 400 ms (and 7 more rows)",)),
    Case("a watchdog that orchagent's own poll is too slow for", both(drop("PFC_WD", "GLOBAL"), put("PFC_WD", "Ethernet0", detection_time="100")), (
        "PFC_WD|Ethernet0 detection_time: 100 ms is shorter than the poll interval of 200 ms",
    )),
    Case("a watchdog without a time", drop("PFC_WD", "Ethernet0", "detection_time"), ("PFC_WD|Ethernet0 detection_time: missing: orchagent takes no row without it",)),
    Case("a watchdog that is not set up", drop("PFC_WD", "Ethernet0"), ("PORT_QOS_MAP|Ethernet0 pfcwd_sw_enable: nothing is watched without PFC_WD|Ethernet0",)),
    # shape
    Case("a number", put("PORT", "Ethernet0", mtu=9216), ('PORT|Ethernet0 mtu: 9216 is no text: every value is a string, as "9100"',)),
    Case("a switch", put("LLDP", "GLOBAL", enabled=True), ('LLDP|GLOBAL enabled: true is no text: every value is a string, as "9100"',)),
    Case("nothing", put("PORT", "Ethernet0", description=None), ('PORT|Ethernet0 description: null is no text: every value is a string, as "9100"',)),
    Case("a list of numbers", put("NTP", "global", src_intf=[1]), ('NTP|global src_intf: [1] is no text: every value is a string, as "9100"',)),
    Case("an empty table", put_table("VLAN", {}), ("VLAN: an empty table: GCU refuses it, leave the table out",)),
    Case("a table that is none", put_table("VLAN", []), ("VLAN: not a table: an object of rows is expected",)),
    Case("a row that is none", put_table("LLDP", {"X": "1"}), ("LLDP|X: not a row: an object of fields is expected",)),
    Case("a reference in brackets", put("BUFFER_QUEUE", "Ethernet0|3", profile="[BUFFER_PROFILE|egress_lossless_profile]"), (
        "BUFFER_QUEUE|Ethernet0|3 profile: a reference in brackets is dead: write the bare name",
    )),
    Case("two ports in a key", move("BUFFER_QUEUE", "Ethernet0|6", "Ethernet0,Ethernet4|7"), ("BUFFER_QUEUE|Ethernet0,Ethernet4|7: several ports in one key: write one row for each port",)),
    # routing
    Case("a neighbor in the database", put("BGP_NEIGHBOR", "10.0.0.1", asn="65000"), ("BGP_NEIGHBOR|10.0.0.1: a second master of FRR beside frr.conf (split-unified): take the row out",)),
    Case("a static route in the database", put("STATIC_ROUTE", "default|0.0.0.0/0", blackhole="true"), (
        "STATIC_ROUTE|default|0.0.0.0/0: a second master of FRR beside frr.conf (split-unified): take the row out",
    )),
    Case("another routing mode", put("DEVICE_METADATA", "localhost", docker_routing_config_mode="split"), (
        "DEVICE_METADATA|localhost docker_routing_config_mode: `split` does not keep frr.conf: split-unified does",
    )),
    Case("no routing mode", drop("DEVICE_METADATA", "localhost", "docker_routing_config_mode"), (
        "DEVICE_METADATA|localhost docker_routing_config_mode: `separated, the default` does not keep frr.conf: split-unified does",
    )),
    Case("another ASN than FRR's", put("DEVICE_METADATA", "localhost", bgp_asn="65000"), ("DEVICE_METADATA|localhost bgp_asn: 65000, and frr.conf says 4200000000",)),
    Case("unnumbered without a link-local address", drop("INTERFACE", "Ethernet480", "ipv6_use_link_local_only"), (
        "INTERFACE|Ethernet480 ipv6_use_link_local_only: not `enable`, and frr.conf has an unnumbered session here: its next hop never reaches the chip",
    )),
    Case("a loopback that is announced and not there", drop("LOOPBACK_INTERFACE", "Loopback0|10.255.0.1/32"), (
        "frr.conf `network 10.255.0.1/32`: no static route and no interface has exactly this prefix: it is never announced",
    )),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.fault.replace(" ", "-"))
def test_a_fault_that_yang_lets_through_is_told_and_nothing_else(case: Case) -> None:
    assert judged(case.change) == case.found


FRR_CASES = (
    ("a default of the profile", " no bgp default ipv4-unicast", " no bgp default ipv4-unicast\n timers bgp 3 9", (
        "frr.conf `timers bgp 3 9`: a default of `frr defaults datacenter`: FRR does not show it, and each reload adds it again",
    )),
    ("all paths of the build", "  maximum-paths 64\n exit-address-family\n !\n", "  maximum-paths 514\n exit-address-family\n !\n", (
        "frr.conf `maximum-paths 514`: a default of `frr defaults datacenter`: FRR does not show it, and each reload adds it again",
    )),
    ("no policy in", "  neighbor FABRIC route-map FABRIC-IN in\n", "", (
        "frr.conf `neighbor FABRIC activate`: eBGP in ipv4 without a route-map in: nothing passes (RFC 8212)",
        "frr.conf `neighbor FABRIC activate`: eBGP in ipv6 without a route-map in: nothing passes (RFC 8212)",
    )),
    ("no policy out, and none required", (" bgp ebgp-requires-policy\n", "  neighbor FABRIC route-map FABRIC-OUT out\n"), "", (
        "frr.conf `neighbor FABRIC activate`: eBGP in ipv4 without a route-map out: everything passes",
        "frr.conf `neighbor FABRIC activate`: eBGP in ipv6 without a route-map out: everything passes",
    )),
    ("an announced prefix without a route", "ip route 10.0.0.0/28 blackhole", "ip route 10.0.0.0/27 blackhole", (
        "frr.conf `network 10.0.0.0/28`: no static route and no interface has exactly this prefix: it is never announced",
    )),
    ("a session on a port that is not there", "neighbor Ethernet480 ", "neighbor Ethernet481 ", (
        "frr.conf `neighbor Ethernet481 interface`: there is no PORT|Ethernet481",
    )),
    ("a session without an ASN", " neighbor Ethernet480 interface peer-group FABRIC", " neighbor Ethernet480 interface v6only", (
        "frr.conf `neighbor Ethernet480`: neither remote-as nor peer-group: there is no session",
    )),
    ("a route-map that is not there", "route-map FABRIC-OUT permit", "route-map FABRIC-AUS permit", (
        "frr.conf `neighbor FABRIC route-map FABRIC-OUT out`: there is no such route-map",
    )),
    ("a prefix-list that is not there", "match ipv6 address prefix-list FABRIC-IN", "match ipv6 address prefix-list FABRIC", (
        "frr.conf `match ipv6 address prefix-list FABRIC`: there is no such prefix-list",
    )),
    ("BFD without its daemon", " neighbor FABRIC remote-as external", " neighbor FABRIC remote-as external\n neighbor FABRIC bfd", (
        "frr.conf `bfd`: bfdd does not run without frr_mgmt_framework_config: there is no BFD session",
    )),
    ("a line that SONiC adds", "fpm address 127.0.0.1\n", "", (
        "frr.conf `fpm address 127.0.0.1`: missing: SONiC adds it at start, and the file never equals FRR",
    )),
)  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "old", "new", "found"), FRR_CASES, ids=[case[0].replace(" ", "-") for case in FRR_CASES]
)
def test_a_fault_in_frr_conf_is_told_and_nothing_else(
    fault: str, old: str | tuple[str, ...], new: str, found: tuple[str, ...]
) -> None:
    database, frr = good()
    for part in (old,) if isinstance(old, str) else old:
        assert part in frr, f"{fault}: the rendering has changed, and this case with it"
        frr = frr.replace(part, new)
    assert problems({"config_db.json": database, "frr.conf": frr}) == found


@pytest.mark.parametrize("name", ["a-su1-r1-leaf", "a-spine1", "b-su2-r4-leaf", "b-spine2"])
def test_nothing_is_found_in_what_is_rendered(name: str) -> None:
    assert problems(render(example().device(name))) == ()


def test_the_profile_says_whether_sessions_need_policies() -> None:
    database, frr = good()
    bare = frr.replace("  neighbor FABRIC route-map FABRIC-OUT out\n", "").replace(" bgp ebgp-requires-policy\n", "")
    traditional = bare.replace("defaults datacenter", "defaults traditional")
    freed = traditional.replace(" no bgp default", " no bgp ebgp-requires-policy\n no bgp default")
    for text, effect in (
        (bare, "everything passes"),
        (traditional, "nothing passes (RFC 8212)"),
        (freed, "everything passes"),
    ):
        lines = problems({"config_db.json": database, "frr.conf": text})
        assert [line.rpartition(": ")[2] for line in lines] == [effect, effect]


@pytest.mark.parametrize("left", ["ports", "addressing", "qos", "buffers", "lldp"])
def test_an_area_that_is_not_ours_is_not_missed(left: str) -> None:
    intent = load(EXAMPLE)
    owns = tuple(area for area in intent.model.owns if area != left)
    model = intent.model.model_copy(update={"owns": owns})
    expected = Expected(build(replace(intent, model=model)))
    assert problems(render(expected.device(LEAF))) == ()


def test_a_session_inside_an_as_needs_no_policy() -> None:
    database, frr = good()
    inside = frr.replace("remote-as external", "remote-as internal")
    inside = inside.replace("  neighbor FABRIC route-map FABRIC-IN in\n", "")
    assert problems({"config_db.json": database, "frr.conf": inside}) == ()


def test_a_file_that_is_not_there_is_not_judged() -> None:
    database, frr = good()
    assert problems({}) == ()
    assert problems({"config_db.json": database}) == ()
    assert problems({"frr.conf": frr}) == ()


def test_headroom_that_the_switch_computes_is_no_fault() -> None:
    def dynamic(tables: Tables) -> None:
        tables["DEVICE_METADATA"]["localhost"]["buffer_model"] = "dynamic"
        for name in [key for key in tables["BUFFER_PROFILE"] if key.startswith("pg_lossless")]:
            del tables["BUFFER_PROFILE"][name]
        for key in [key for key in tables["BUFFER_PG"] if key.endswith("|3")]:
            tables["BUFFER_PG"][key] = {"profile": "NULL"}
        for pool in tables["BUFFER_POOL"].values():
            pool.pop("size", None)
        tables["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"default_dynamic_th": "0"}}
        tables["LOSSLESS_TRAFFIC_PATTERN"] = {"AZURE": {"mtu": "1024", "small_packet_percentage": "100"}}

    assert judged(dynamic) == ()


def test_a_switch_that_computes_headroom_and_is_not_told_what_for_is_a_fault() -> None:
    def told_nothing(tables: Tables) -> None:
        tables["DEVICE_METADATA"]["localhost"]["buffer_model"] = "dynamic"
        tables["LOSSLESS_TRAFFIC_PATTERN"] = {name: {"mtu": "1024"} for name in ("AZURE", "OTHER")}

    found = judged(told_nothing)
    assert "DEFAULT_LOSSLESS_BUFFER_PARAMETER: missing, and the dynamic model computes no headroom without it" in found
    assert "LOSSLESS_TRAFFIC_PATTERN|AZURE: 2 rows, of which the switch takes any: write one" in found


def test_a_row_that_stands_twice_in_the_file_is_told() -> None:
    database, _ = good()
    twice = database.replace('"LLDP": {', '"LLDP": {"GLOBAL": {"enabled": "false"},', 1)
    assert problems({"config_db.json": twice}) == ("config_db.json: `GLOBAL` stands twice in one object",)


HOSTILE = (
    "", "{", "[]", "3", "null", '{"PORT": 3}', '{"PORT": {"Ethernet0": null}}', "[" * 100_000,
    '{"PORT": {"Ethernet0": {"lanes": "x,y", "speed": "1e9", "index": {}}}, "BREAKOUT_CFG": {"Ethernet0": {}}}',
    '{"BUFFER_PG": {"": {}, "|": {}, "Ethernet0|9-": {"profile": ["a", "b"]}}, "BUFFER_PROFILE": {"x": {"xoff": "-"}}}',
    '{"DSCP_TO_TC_MAP": {"A": {"x": "y"}}, "PORT_QOS_MAP": {"e": {"dscp_to_tc_map": "A", "pfc_enable": "x"}}}',
    '{"INTERFACE": {"a|b|c": {}, "|": {}}, "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "' + "9" * 5000 + '"}}}',
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_makes_it_stumble(text: str) -> None:
    assert problems({"config_db.json": text}) != ()


@pytest.mark.parametrize(
    "text", ["neighbor", "router bgp", "route-map", "network x", "ip route x", "\x00", "neighbor X route-map"]
)
def test_no_line_of_frr_makes_it_stumble(text: str) -> None:
    assert all(line.startswith("frr.conf ") for line in problems({"frr.conf": text}))


REAL = (
    ("rendered_sn5600_acs_t1.json", ("PORT|Ethernet512 speed: 800000 Mb/s do not run over 1 lanes",)),
    ("rendered_sn5600_o128_t1.json", ()),
    ("cfgengine_sn4600c_t1.json", ()),
    ("dbmig_acs-msn2700-t0-version_3_0_3.json", (
        "PORT|Ethernet8 fec: rs, and 40G over 4 lanes has none or fc",
    )),
    ("vlab-t2-01_qos_new.json", ()),
    ("fanout-7060cx.json", (
        "BUFFER_PROFILE|egress_lossless_profile pool: a reference in brackets is dead: write the bare name (and 2 more rows)",
    )),
)  # fmt: skip
"""Public configurations that SONiC itself ships or tests with. The first has 800G on a management port of one lane."""


@pytest.mark.parametrize(("name", "found"), REAL, ids=[name for name, _ in REAL])
def test_real_configurations_are_told_only_what_is_wrong_with_them(
    shared: Path, name: str, found: tuple[str, ...]
) -> None:
    assert problems({"config_db.json": (shared / "data" / "sonic-real" / name).read_text("utf-8")}) == found


def test_every_real_configuration_can_be_judged(shared: Path) -> None:
    def lines() -> Iterator[str]:
        for file in sorted((shared / "data" / "sonic-real").glob("*.json")):
            yield from problems({"config_db.json": file.read_text("utf-8")})

    assert all(": " in line for line in lines())
