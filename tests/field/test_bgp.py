"""Field cases A08 to A12: policies, ECMP by the paths that there are, unnumbered sessions, and spellings of an ASN."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from audit.world import session_down, two_plane

from field.site import LEAF, SPINE, audited, put, rules, told_by
from netaudit.diag import Severity
from netaudit.platforms import sonic
from netaudit.platforms.sonic.routing import read_applied_routes, read_routes, read_sessions
from netaudit.platforms.sonic.tables import Unreadable
from netaudit.render import render
from netaudit.state import Failures, Route, RouteKey, Store
from tests.intent.example import problems, read, small

# Case A08, Established, no routes


def without_policies(text: str) -> str:
    """The same configuration, no neighbor of which has a route-map, and that asks for one (RFC 8212)."""
    lines = [line for line in text.splitlines() if not (line.strip().startswith("neighbor") and " route-map " in line)]
    at = next(n for n, line in enumerate(lines) if line.startswith("router bgp"))
    return "\n".join([*lines[: at + 1], " bgp ebgp-requires-policy", *lines[at + 1 :]]) + "\n"


def test_sessions_that_are_up_without_a_policy_are_an_error_of_the_policy_that_carries_the_routes() -> None:
    """Nothing is received or sent; the sessions themselves are right."""
    given, planned = told_by(LEAF), two_plane().routes(LEAF, Failures())
    own = {prefix for (_, prefix), route in planned.items() if not route.hops}

    def policy(tree: Any) -> None:
        for family in tree.values():
            for peer in family["peers"].values():
                peer.update(peerState="Policy", pfxRcd=0, pfxSnt=0)

    def nothing_learned(tree: Any) -> None:
        tree["routes"] = {prefix: paths for prefix, paths in tree["routes"].items() if prefix in own}

    changes = {"frr": without_policies(given["frr"].text), "summary": policy}
    result = audited({LEAF: {**changes, "bgp4": nothing_learned, "bgp6": nothing_learned}})
    assert [f.rule for f in result.findings] == ["BGP-11"]
    carrying = result.findings[0]
    assert f"{LEAF}:64" in carrying.objects
    assert carrying.severity is Severity.ERROR
    assert carrying.consequences[0].text == f"{len(planned) - len(own)} routes on 1 device"
    assert "policy sends and accepts nothing" in carrying.effect


def test_every_session_is_rendered_with_a_policy_each_way_and_no_default_is_spelled_out() -> None:
    for name in (LEAF, SPINE):
        text = render(two_plane().device(name))["frr.conf"]
        assert sonic.problems({"frr.conf": text}) == ()
        bgp = sonic.read_config({"frr.conf": text}, name).bgp
        assert bgp is not None
        assert all(n.import_policy and n.export_policy for n in (bgp.neighbors or {}).values())
        assert "frr defaults datacenter" in text
        assert "no bgp ebgp-requires-policy" not in text


PEERS = {
    "unnumbered": "neighbor Ethernet0 interface remote-as external\n",
    "numbered": "neighbor 192.0.2.1 remote-as 65001\n",
    "in a group": "neighbor G peer-group\n neighbor G remote-as external\n neighbor 192.0.2.1 peer-group G\n",
}


@pytest.mark.parametrize("peer", PEERS.values(), ids=PEERS)
@pytest.mark.parametrize("profile", ["datacenter", "traditional"])
def test_a_neighbor_without_a_policy_is_told_before_it_is_pushed(peer: str, profile: str) -> None:
    name = "G" if "peer-group" in peer else peer.split()[1]
    text = (
        f"frr defaults {profile}\nno fpm use-next-hop-groups\nfpm address 127.0.0.1\nrouter bgp 65101\n {peer}"
        f" address-family ipv4 unicast\n  neighbor {name} activate\n exit-address-family\nexit\n"
    )
    told = [line for line in sonic.problems({"frr.conf": text}) if "route-map" in line]
    effect = "everything passes" if profile == "datacenter" else "nothing passes"
    assert [("route-map in" in line, "route-map out" in line) for line in told] == [(True, False), (False, True)]
    assert all(effect in line for line in told)


def test_a_variant_a_policy_that_only_one_family_has() -> None:
    text = render(two_plane().device(LEAF))["frr.conf"]
    head, mark, tail = text.partition("address-family ipv6")
    cut = "\n".join(line for line in tail.splitlines() if not line.strip().endswith(" out"))
    told = sonic.problems({"frr.conf": f"{head}{mark}{cut}\n"})
    assert [line for line in told if "route-map out" in line] != []
    assert not any("ipv4" in line for line in told)


def test_the_session_of_the_case_is_up(original_json: Callable[[str], object]) -> None:
    bgp = read_sessions(original_json("A08/frr_summary.json"), {})
    assert {k: n.session for k, n in (bgp.neighbors or {}).items()} == {"Ethernet0": "Established"}


def test_a_recorded_switch_tells_which_of_its_sessions_are_up(shared: Path) -> None:
    """24 peers, of which 16 were never up (TRUTH.md)."""
    text = (shared / "field" / "real" / "frr" / "sonic_ipv4_bgp_summary.json").read_text(encoding="utf-8")
    found = read_sessions(json.loads(text), {})
    states = [neighbor.session for neighbor in (found.neighbors or {}).values()]
    assert (found.asn, states.count("Established"), states.count("Active"), len(states)) == (65100, 8, 16, 24)


# Case A09 and A10, how many paths


def table(*paths: Mapping[str, object]) -> dict[str, object]:
    common = {
        "valid": True,
        "pathFrom": "external",
        "nexthops": [{"ip": "fe80::1", "scope": "link-local", "used": True}],
    }
    return {"localAS": 65101, "routes": {"10.9.0.0/24": [{**common, **path} for path in paths]}}


def rib(*ports: str) -> dict[str, object]:
    hops = [{"interfaceName": port, "active": True, "fib": True, "ip": "fe80::1"} for port in ports]
    return {"10.9.0.0/24": [{"protocol": "bgp", "selected": True, "nexthops": hops}]}


KEY = ("default", "10.9.0.0/24")
ONE, TWO = {"path": "65001 65103"}, {"path": "65002 65103"}


def test_paths_that_are_not_used_together_are_no_multipath() -> None:
    found = read_routes(table({**ONE, "bestpath": True}, TWO), rib("Ethernet0"), {})
    assert found[KEY].as_paths == {(65001, 65103)}
    assert found[KEY].hops == {"Ethernet0"}


@pytest.mark.parametrize(
    "paths",
    [
        ({**ONE, "bestpath": True, "multipath": True}, {**TWO, "multipath": True}),
        ({**ONE, "bestpath": True}, {**TWO, "multipath": True}),
        ({**ONE, "bestpath": {"overall": True}}, {**TWO, "multipath": True}),
    ],
    ids=["both marked", "the best one not marked, as FRR 8.4", "the form for one prefix"],
)
def test_paths_that_are_used_together_are(paths: tuple[dict[str, object], ...]) -> None:
    found = read_routes(table(*paths), rib("Ethernet0", "Ethernet8"), {})
    assert found[KEY].as_paths == {(65001, 65103), (65002, 65103)}
    assert found[KEY].hops == {"Ethernet0", "Ethernet8"}


def test_the_best_path_of_one_neighbor_as_only_is_not_the_best() -> None:
    found = read_routes(table({**ONE, "bestpath": {"bestpathFromAs": 65001}}, {**TWO, "bestpath": True}), rib("E"), {})
    assert found[KEY].as_paths == {(65002, 65103)}


@pytest.mark.parametrize("flag", ["false", False])
def test_a_flag_that_is_the_text_false_makes_no_path_valid_or_used(flag: object) -> None:
    """FRR writes some flags as text: a truth test would take `"false"` for true."""
    paths = {**ONE, "bestpath": True}, {**TWO, "multipath": flag}, {**TWO, "valid": flag, "multipath": True}
    assert read_routes(table(*paths), rib("E"), {})[KEY].as_paths == {(65001, 65103)}


def test_relax_that_is_off_is_one_finding_that_carries_the_narrower_routes() -> None:
    """What decides is the running configuration of FRR; the flag of the summary (`"false"`, a text) repeats it."""
    given = told_by(LEAF)

    def narrow(tree: Any) -> None:
        for entries in tree.values():
            for entry in entries:
                if entry["protocol"] == "bgp":
                    entry["nexthops"] = entry["nexthops"][:1]

    def flagged(tree: Any) -> None:
        for family in tree.values():
            family["bestPath"] = {"multiPathRelax": "false"}

    frr = given["frr"].text.replace(" bgp bestpath as-path multipath-relax\n", "")
    assert frr != given["frr"].text
    result = audited({LEAF: {"frr": frr, "route4": narrow, "route6": narrow, "summary": flagged}})
    assert [f.rule for f in result.findings] == ["BGP-07"]
    finding = result.findings[0]
    assert finding.severity is Severity.ERROR
    assert "multipath_relax" in finding.effect
    assert finding.consequences[0].devices == (LEAF,)


def test_one_path_of_two_with_settings_as_planned_is_a_finding_of_its_own() -> None:
    key = next(p for (_, p), r in two_plane().routes(LEAF, Failures()).items() if len(r.hops) == 4 and "." in p)

    def narrow(tree: Any) -> None:
        tree[key][0]["nexthops"] = tree[key][0]["nexthops"][:1]

    result = audited({LEAF: {"route4": narrow}})
    assert rules(result) == [("RIB-02", key)]


def test_two_next_hops_of_one_path_count_once_and_equal_addresses_twice() -> None:
    """A global and a link-local address in each of two paths: two ways out, whatever the addresses are."""
    both = [{"ip": "2001:db8::1", "scope": "global"}, {"ip": "fe80::1", "scope": "link-local", "used": True}]
    paths = [{**ONE, "peerId": "fe80::1", "multipath": True, "nexthops": both} for _ in range(2)]
    paths[0]["bestpath"] = True
    found = read_routes(table(*paths), rib("Ethernet0", "Ethernet8"), {})
    assert found[KEY].hops == {"Ethernet0", "Ethernet8"}


def test_hops_without_a_name_of_a_port_are_counted_by_entry() -> None:
    """Old zebras leave the interface out; two entries of one address are two ways still."""
    entries = rib("", "")
    found = read_routes(table({**ONE, "bestpath": True}), entries, {})
    assert len(found[KEY].hops) == 2


def test_a_variant_a_hop_that_zebra_did_not_install_is_not_used() -> None:
    entries = rib("Ethernet0", "Ethernet8")
    entries["10.9.0.0/24"][0]["nexthops"][1]["fib"] = "false"  # type: ignore[index]
    assert read_routes(table({**ONE, "bestpath": True}), entries, {})[KEY].hops == {"Ethernet0"}


def test_the_tables_of_the_cases_are_read_so(original_json: Callable[[str], Any]) -> None:
    one = read_routes(original_json("A09/frr_bgp_table.json"), {}, {})
    assert one["default", "10.255.0.13/32"].as_paths == {(65001, 65103)}
    prefix = "2001:db8:13::/64"
    two = read_routes(original_json("A10/frr_bgp_table_v6.json"), {prefix: rib("swp1", "swp2")["10.9.0.0/24"]}, {})
    assert two["default", prefix].hops == {"swp1", "swp2"}
    summary = read_sessions(original_json("A09/frr_summary.json"), {})
    assert {n.session for n in (summary.neighbors or {}).values()} == {"Established"}


# Case A11, an unnumbered neighbor that never leaves Idle


def test_an_unnumbered_session_on_a_port_without_link_local_is_told_before_the_change(
    original: Callable[[str], str],
) -> None:
    files = {"config_db.json": original("A11/rendered_config_db.json"), "frr.conf": original("A11/frr.conf")}
    told = [line for line in sonic.problems(files) if "link_local" in line]
    assert [line.partition(" ")[0] for line in told] == ["INTERFACE|Ethernet4"]


def test_a_rendered_port_that_lost_its_link_local_is_told() -> None:
    files = dict(render(two_plane().device(LEAF)))
    tables = json.loads(files["config_db.json"])
    tables["INTERFACE"]["Ethernet504"] = {}
    told = sonic.problems({**files, "config_db.json": json.dumps(tables)})
    assert [line.partition(":")[0] for line in told] == ["INTERFACE|Ethernet504 ipv6_use_link_local_only"]


def test_a_session_that_never_opened_is_one_finding_and_its_asn_is_nobodys() -> None:
    def idle(tree: Any) -> None:
        for family in tree.values():
            family["peers"]["Ethernet504"].update(state="Idle", remoteAs=0)

    result = audited({LEAF: {"summary": idle}}, session_down(f"{LEAF}:64"))
    assert rules(result) == [("BGP-01", f"{LEAF}:64")]
    assert result.not_audited == ()


def test_a_variant_link_local_off_explains_the_session_that_is_down() -> None:
    def idle(tree: Any) -> None:
        for family in tree.values():
            family["peers"]["Ethernet504"].update(state="Idle", remoteAs=0)

    off = put("Ethernet504", ipv6_use_link_local_only="disable")
    result = audited({LEAF: {"summary": idle, "INTERFACE": off}}, session_down(f"{LEAF}:64"))
    assert "BGP-02" not in {f.rule for f in result.findings}
    assert len(result.findings) == 1, rules(result)
    assert "link_local" in " ".join(c.what for c in result.findings[0].comparisons)


def test_the_neighbors_of_the_case_are_interfaces(original_json: Callable[[str], Any]) -> None:
    peers = original_json("A11/frr_neighbors.json")
    rows = {n: {"state": p["bgpState"], "remoteAs": p["remoteAs"]} for n, p in peers.items()}
    found = read_sessions({"ipv4Unicast": {"as": 65101, "peers": rows}}, {}).neighbors or {}
    assert (found["Ethernet4"].session, found["Ethernet4"].remote_asn) == ("Idle", None)
    assert found["Ethernet0"].remote_asn == 65001


# Case A12, an ASN in three spellings


def test_an_asn_is_one_number_in_every_spelling_of_an_intent(tmp_path: Path) -> None:
    for text, number in (('"65000.10"', 4259840010), ("4259840002", 4259840002), ('"65000"', 65000)):
        assert read(tmp_path, small(bgp=f"{{asn_base: {text}}}")).model.bgp.asn_base == number
    rows = "place,asn\na/su1/r1,65000.10\n"
    assert read(tmp_path, small(devices="devices.csv"), devices=rows).devices[0].asn == 4259840010


def test_an_unquoted_dotted_asn_is_refused_with_its_place_and_the_advice_to_quote(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, small(bgp="{asn_base: 65000.10}"))
    assert told.source is not None
    assert told.source.line == 10
    assert "65000.10" in f"{told.message} {told.hint}"
    assert '"' in told.hint


@pytest.mark.parametrize(
    "text", ["0", "4294967296", '"65536.70000"', '"65000."', "-1", "true", '"1.65536"', '".5"', "[]"]
)
def test_what_is_no_asn_is_refused(text: str, tmp_path: Path) -> None:
    told = problems(tmp_path, small(bgp=f"{{asn_base: {text}}}"))
    assert [d.source.line if d.source else 0 for d in told] == [10]


OWN = two_plane().built.devices[LEAF].asn


@pytest.mark.parametrize("spelling", [OWN, str(OWN), f"{OWN // 65536}.{OWN % 65536}"])
def test_the_same_asn_spelled_otherwise_by_a_switch_is_no_finding(spelling: object) -> None:
    def own(tree: Any) -> None:
        for family in tree.values():
            family["as"] = spelling

    def database(tree: Any) -> None:
        tree["localhost"]["bgp_asn"] = str(spelling)

    given = told_by(LEAF)
    frr = given["frr"].text.replace(f"router bgp {OWN}", f"router bgp {spelling}")
    result = audited({LEAF: {"summary": own, "DEVICE_METADATA": database, "frr": frr}})
    assert (rules(result), result.not_audited) == ([], ())


def test_a_neighbor_that_is_demanded_by_a_dotted_number_is_demanded_by_that_number() -> None:
    text = "router bgp 65000.10\n neighbor 192.0.2.1 remote-as 65000.1\n"
    bgp = sonic.read_config({"frr.conf": text}, "x").bgp
    assert bgp is not None
    assert (bgp.asn, (bgp.neighbors or {})["192.0.2.1"].remote) == (4259840010, "4259840001")


def test_a_variant_a_json_number_keeps_the_zero_at_its_end() -> None:
    """`65000.10` unquoted in JSON would become 65000.1, which is another AS."""
    given = told_by(LEAF)
    text = given["summary"].text.replace(f'"as": {OWN}', f'"as": {OWN // 65536}.{OWN % 65536}0')
    assert text != given["summary"].text
    state = sonic.read({**given, "summary": replace(given["summary"], text=text)}, LEAF).stores[Store.STATE]
    assert state.bgp is None or state.bgp.asn == (OWN // 65536) * 65536 + (OWN % 65536) * 10


@pytest.mark.parametrize("number", ["65536.70000", "65000.", "1.65536", ".5", "x", "-1"])
def test_what_is_no_asn_of_a_switch_is_a_problem_and_not_seen(number: str) -> None:
    with pytest.raises(Unreadable):
        read_sessions({"ipv4Unicast": {"as": number, "peers": {}}}, {})


def test_the_numbers_of_the_case_are_these(original_json: Callable[[str], Any]) -> None:
    seen = original_json("A12/observed.json")
    read_as = {n: read_sessions({"ipv4Unicast": {**row, "peers": {}}}, {}).asn for n, row in seen.items()}
    assert read_as == {"leaf01": 4259840010, "leaf02": 4259840002, "leaf03": 4259840003}


# Routes as handed to the hardware (APPL_DB ROUTE_TABLE)

APPLIED = {"protocol": "bgp", "nexthop": "fe80::1,fe80::2", "ifname": "Ethernet0,Ethernet8", "weight": "1,1"}
BOTH = Route(frozenset({"1", "2"}), frozenset())


@pytest.mark.parametrize(
    ("name", "row", "read"),
    [
        ("10.9.0.0/24", APPLIED, {KEY: BOTH}),
        ("10.9.0.0/24", {**APPLIED, "protocol": "0xba"}, {KEY: BOTH}),
        ("10.9.0.0/24", {k: v for k, v in APPLIED.items() if k != "protocol"}, {KEY: BOTH}),
        ("10.9.0.0/24", {"protocol": "bgp", "blackhole": "true"}, {KEY: Route(frozenset(), frozenset())}),
        ("10.255.0.2", APPLIED, {("default", "10.255.0.2/32"): BOTH}),
        ("FD00:0::/64", APPLIED, {("default", "fd00::/64"): BOTH}),
        ("10.1.0.0/24", {**APPLIED, "protocol": "static"}, {}),
        ("10.1.0.0/24", {k: v for k, v in APPLIED.items() if k != "protocol"}, {}),
        ("Vrf-red:10.9.0.0/24", APPLIED, {("Vrf-red", "10.9.0.0/24"): BOTH}),
        ("Vrf_blue:fd00::/64", APPLIED, {("blue", "fd00::/64"): BOTH}),
    ],
    ids=["bgp", "by number", "untold", "blackhole", "host", "v6", "static", "unknown", "another VRF", "our VRF"],
)
def test_a_route_of_the_hardware_is_read_by_its_ports(
    name: str, row: Mapping[str, str], read: Mapping[RouteKey, Route]
) -> None:
    known = {KEY: Route(frozenset({"1"}), frozenset({(65001,)}))}
    assert read_applied_routes({name: row}, {"Ethernet0": "1", "Ethernet8": "2"}, known) == read


@pytest.mark.parametrize(
    ("table_", "reason"),
    [
        (lambda tree: {p: {"protocol": "bgp", "nexthop_group": "12"} for p in tree}, "next-hop group"),
        (lambda _: {}, "no row"),
    ],
    ids=["groups", "empty"],
)
def test_routes_of_the_hardware_that_cannot_be_told_are_not_audited(
    table_: Callable[[Any], object], reason: str
) -> None:
    result = audited({LEAF: {"ROUTE_TABLE": table_}})
    assert rules(result) == []
    (gap,) = result.not_audited
    assert (gap.device, gap.what) == (LEAF, "applied routes")
    assert "gNMI APPL_DB ROUTE_TABLE" in gap.reason
    assert reason in gap.reason
