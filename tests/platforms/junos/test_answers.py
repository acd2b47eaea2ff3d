"""What answers of a Junos switch become: states per store, or problems, and never an exception."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from netaudit.platforms import Answer, Miss, junos
from netaudit.platforms.junos import answers, answers_live, answers_routes
from netaudit.platforms.junos.answers_tree import LIMIT_CHARACTERS, Unreadable, parsed
from netaudit.platforms.junos.ask import (
    CHASSIS,
    COMMITS,
    CONFIGURATION,
    INTERFACES,
    LLDP,
    OC_INTERFACES,
    OC_LLDP,
    PREVIOUS,
    QUERIES,
    ROUTES,
    SESSIONS,
    VERSION,
)
from netaudit.platforms.junos.names import port_of
from netaudit.state import ABSENT, Bgp, BgpNeighbor, LldpNeighbor, Route, Store

CONFIG = """set version 24.4R1.8-EVO
set system host-name leaf1
set interfaces et-0/0/4 mtu 9216
set interfaces et-0/0/4 unit 0 family inet6
set policy-options as-list AS-ANY members 1-4294967295
set policy-options policy-statement ORIGINATE term OWN-V4 from protocol direct
set policy-options policy-statement ORIGINATE term OWN-V4 from route-filter 192.0.2.11/32 prefix-length-range /32-/32
set policy-options policy-statement ORIGINATE term OWN-V4 then accept
set policy-options policy-statement ORIGINATE term REST then reject
set routing-options autonomous-system 65101
set protocols router-advertisement interface et-0/0/4.0
set protocols bgp group FABRIC type external
set protocols bgp group FABRIC export ORIGINATE
set protocols bgp group FABRIC peer-as-list AS-ANY
set protocols bgp group FABRIC dynamic-neighbor FABRIC peer-auto-discovery interface et-0/0/4.0
set protocols bgp group FABRIC dynamic-neighbor FABRIC peer-auto-discovery family inet6 ipv6-nd
"""


def element(**children: object) -> dict[str, object]:
    """An element of the verbose JSON: text, or rows of elements."""
    return {
        name.replace("_", "-"): value if isinstance(value, list) else [{"data": str(value)}]
        for name, value in children.items()
    }


def told(name: str, **children: object) -> str:
    return json.dumps({name: [element(**children)]})


def commits(comment: str = "") -> str:
    newest = element(sequence_number=0, user="admin", **({"comment": comment} if comment else {}))
    return told("commit-information", commit_history=[newest, element(sequence_number=1)])


GOOD = {
    CONFIGURATION: CONFIG,
    COMMITS: commits(),
    VERSION: told("software-information", host_name="leaf1", junos_version="24.4R1.8-EVO"),
    CHASSIS: told("chassis-inventory", chassis=[element(name="Chassis", serial_number="JN1")]),
    INTERFACES: told(
        "interface-information",
        physical_interface=[
            element(name="et-0/0/4", oper_status="up"),
            element(name="et-0/0/0:1", oper_status="down"),
            element(name="lo0", oper_status="up"),
        ],
    ),
    LLDP: told("lldp-neighbors-information"),
    SESSIONS: told(
        "bgp-information",
        bgp_peer=[element(peer_address="fe80::1%et-0/0/4.0+179", peer_as="65001", peer_state="Established")],
    ),
    ROUTES: told("route-information", route_table=[]),
}


def given(**texts: str) -> dict[str, Answer]:
    """Good answers, with some in place of theirs; gNMI has none."""
    failed = Answer(miss=Miss.FAILED, reason="gNMI TCP: refused")
    made = {query.id: Answer(text={**GOOD, **texts}[query.id]) for query in QUERIES if query.id in {**GOOD, **texts}}
    return {query.id: made.get(query.id, failed) for query in QUERIES}


def test_good_answers_give_every_store_and_no_problem() -> None:
    reading = junos.read(given(), "leaf1")
    assert reading.problems == ()
    assert set(reading.stores) == set(Store)
    assert reading.stores[Store.RUNNING] == junos.read_config({"junos.conf": CONFIG}, "leaf1")
    assert reading.stores[Store.SAVED] == reading.stores[Store.RUNNING]
    state = reading.stores[Store.STATE]
    assert state.system is not None
    assert (state.system.serial, state.version) == ("JN1", "24.4R1.8-EVO")
    assert {key: port.oper_up for key, port in (state.ports or {}).items()} == {"5": True, "1/2": False}
    assert state.bgp is not None
    assert state.bgp.neighbors == {"5": BgpNeighbor(session="Established", remote_asn=65001)}


def test_a_commit_that_waits_is_not_saved_what_was_before_is() -> None:
    before = CONFIG.replace("mtu 9216", "mtu 1514")
    waiting = commits("commit confirmed, rollback in 10mins")
    reading = junos.read(given(**{COMMITS: waiting, PREVIOUS: before}), "leaf1")
    assert reading.problems == ()
    assert reading.stores[Store.SAVED] == junos.read_config({"junos.conf": before}, "leaf1")
    assert reading.stores[Store.SAVED] != reading.stores[Store.RUNNING]


def test_what_a_waiting_commit_goes_back_to_is_not_guessed() -> None:
    reading = junos.read(given(**{COMMITS: commits("commit confirmed, rollback in 5mins")}), "leaf1")
    assert [query for query, _ in reading.problems] == [PREVIOUS]
    assert reading.stores[Store.SAVED].ports is None


def test_a_session_whose_peer_was_never_heard_is_idle() -> None:
    reading = junos.read(given(**{SESSIONS: told("bgp-information")}), "leaf1")
    bgp = reading.stores[Store.STATE].bgp
    assert bgp is not None
    assert bgp.neighbors == {"5": BgpNeighbor(session="Idle")}


def test_gnmi_is_believed_before_the_command_line() -> None:
    tree = {"interfaces": {"interface": [{"name": "et-0/0/4", "state": {"oper-status": "DOWN"}}]}}
    heard = {"id": "1", "state": {"system-name": "spine1", "port-id": "et-0/0/1"}}
    lldp = {"lldp": {"interfaces": {"interface": [{"name": "et-0/0/4", "neighbors": {"neighbor": [heard]}}]}}}
    asked = given(**{OC_INTERFACES: json.dumps(tree), OC_LLDP: json.dumps(lldp)})
    state = junos.read(asked, "leaf1").stores[Store.STATE]
    assert {key: port.oper_up for key, port in (state.ports or {}).items()} == {"5": False}
    assert state.lldp is not None
    assert state.lldp.neighbors == {"5": LldpNeighbor(system="spine1", port="et-0/0/1")}


@pytest.mark.parametrize("text", ["", "{", "[]", '"x"', "null", '{"interfaces": {}}', "\x00", "1e999", "[" * 100_000])
@pytest.mark.parametrize("query", [q.id for q in QUERIES])
def test_broken_answers_are_problems_or_passed_over_and_never_raise(query: str, text: str) -> None:
    reading = junos.read(given(**{query: text}), "leaf1")
    if query in (OC_INTERFACES, OC_LLDP, PREVIOUS):
        assert reading.problems == ()  # another answer is used in place of it
    else:
        assert query in {where for where, _ in reading.problems}


def test_no_answers_at_all_are_problems() -> None:
    reading = junos.read({}, "leaf1")
    assert {query for query, _ in reading.problems} >= {CONFIGURATION, COMMITS, SESSIONS, CHASSIS}
    assert all(device.ports is None for device in reading.stores.values())


def test_running_files_are_the_set_lines_and_the_serial_number() -> None:
    files, serial = junos.running_files(given(**{CONFIGURATION: f"\n{CONFIG}\n{{master:0}}\n"}))
    assert files == {"junos.conf": CONFIG}
    assert serial == "JN1"


@pytest.mark.parametrize("text", ["", "  \n", "system { host-name x; }", "error: permission denied"])
def test_text_that_is_no_set_lines_is_no_running_configuration(text: str) -> None:
    with pytest.raises(ValueError, match="configuration"):
        junos.running_files(given(**{CONFIGURATION: text}))


def test_xml_with_entities_is_refused_unread() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><bgp-information>&b;</bgp-information>'
    with pytest.raises(Unreadable, match="document type"):
        parsed(bomb)


def test_xml_is_bounded_in_depth_and_length() -> None:
    with pytest.raises(Unreadable, match="elements within each other"):
        parsed("<a>" * 100 + "</a>" * 100)
    with pytest.raises(Unreadable, match="longer than"):
        parsed("<" + "a" * LIMIT_CHARACTERS)


def test_an_error_in_place_of_the_answer_is_repeated() -> None:
    text = "<rpc-reply><rpc-error><message>the lldp subsystem is not running</message></rpc-error></rpc-reply>"
    with pytest.raises(Unreadable, match="the lldp subsystem is not running"):
        answers_live.read_neighbors(text, port_of)


@pytest.mark.parametrize(
    ("said", "number"), [("4259840010", 4259840010), ("65000.10", 4259840010), ("65000.2", 4259840002)]
)
def test_field_case_a12_an_asn_is_read_in_every_spelling(said: str, number: int) -> None:
    text = told("bgp-information", bgp_peer=[element(peer_address="10.0.0.1", peer_as=said, peer_state="Active")])
    assert answers_live.read_sessions(text, port_of).neighbors == {
        "10.0.0.1": BgpNeighbor(session="Active", remote_asn=number)
    }
    assert answers_live.read_sessions(text.replace(f'"{said}"', said), port_of).neighbors == {
        "10.0.0.1": BgpNeighbor(session="Active", remote_asn=number)
    }


@pytest.mark.parametrize("said", ["4294967296", "65000.65536", "-1", "1.2.3", "AS65001", "٣"])
def test_what_is_no_asn_is_a_problem(said: str) -> None:
    with pytest.raises(Unreadable, match="ASN is"):
        answers_live.asn(said)


@pytest.mark.parametrize(
    ("local", "sent", "described", "port", "far"),
    [
        ("et-0/0/0", "02:00:00:aa:bb:01", "Ethernet124", "1", "Ethernet124"),  # A14
        ("et-0/0/1", "etp32", "to spine01", "2", "etp32"),
        ("et-0/0/2", "02:00:00:aa:bb:03", "leaf03 uplink", "3", "02:00:00:aa:bb:03"),
        ("et-0/0/3", "517", "et-0/0/9", "4", "et-0/0/9"),  # A15, Junos's own number of a port
        ("et-0/0/0.0", '"Ethernet1"', "", "1", "Ethernet1"),
        ("et-0/0/0:1", "", "et-0/0/1", "1/2", "et-0/0/1"),
    ],
)
def test_field_cases_a14_and_a15_a_neighbor_has_the_port_that_it_means(
    local: str, sent: str, described: str, port: str, far: str
) -> None:
    row = element(lldp_local_interface=local, lldp_remote_port_description=described, lldp_remote_system_name="x")
    if sent:
        row |= element(lldp_remote_port_id=sent)
    text = told("lldp-neighbors-information", lldp_neighbor_information=[row])
    assert answers_live.read_neighbors(text, port_of) == {port: LldpNeighbor(system="x", port=far)}


def test_field_case_a16_an_ipv6_address_is_the_same_in_every_spelling() -> None:
    for spelled in ("FC00:0:0:0::2", "fc00::2+179", "fc00::2"):
        text = told("bgp-information", bgp_peer=[element(peer_address=spelled, peer_as=1, peer_state="Active")])
        assert list(answers_live.read_sessions(text, port_of).neighbors or {}) == ["fc00::2"]


def test_a_link_local_peer_goes_by_its_port_with_and_without_a_zone() -> None:
    zoned = element(peer_address="fe80::1%et-0/0/4.0", peer_as=1, peer_state="Active")
    plain = element(peer_address="fe80::1+179", peer_as=1, peer_state="Active", local_interface_name="et-0/0/5.0")
    text = told("bgp-information", bgp_peer=[zoned, plain])
    assert list(answers_live.read_sessions(text, port_of).neighbors or {}) == ["5", "6"]


def test_both_json_forms_and_xml_say_the_same() -> None:
    verbose = told("bgp-information", bgp_peer=[element(peer_address="10.0.0.1", peer_as=1, peer_state="Active")])
    compact = '{"bgp-information": {"bgp-peer": {"peer-address": "10.0.0.1", "peer-as": 1, "peer-state": "Active"}}}'
    xml = (
        '<rpc-reply xmlns:junos="x"><bgp-information xmlns="y"><bgp-peer junos:style="terse"><peer-address>'
        "10.0.0.1</peer-address><peer-as>1</peer-as><peer-state>\nActive\n</peer-state></bgp-peer></bgp-information>"
        "<cli><banner/></cli></rpc-reply>"
    )
    read = [answers_live.read_sessions(text, port_of) for text in (verbose, compact, xml)]
    assert read[0] == read[1] == read[2]
    assert read[0].neighbors


def entry(protocol: str, *hops: tuple[str, str], path: str = "", active: bool = True) -> dict[str, object]:
    ways = [element(to=to, via=via) for to, via in hops]
    return element(
        protocol_name=protocol,
        nh=ways,
        **({"active_tag": "*"} if active else {}),
        **({"as_path": path} if path else {}),
    )


def routes(prefix: str, *entries: dict[str, object], table: str = "inet.0") -> str:
    row = {**element(rt_destination=prefix), "rt-entry": list(entries)}
    return told("route-information", route_table=[{**element(table_name=table), "rt": [row]}])


def test_paths_used_together_are_those_over_the_next_hops_of_the_active_one() -> None:
    one, two, three = ("fe80::1", "et-0/0/4.0"), ("fe80::1", "et-0/0/5.0"), ("fe80::1", "et-0/0/6.0")
    text = routes(
        "10.0.0.0/24",
        entry("BGP", one, two, path="65001 65102 I"),
        entry("BGP", two, path="65002 65102 I", active=False),
        entry("BGP", three, path="65003 65009 65102 I", active=False),
    )
    found = answers_routes.read_routes(text, port_of, None)
    paths = frozenset({(65001, 65102), (65002, 65102)})
    assert found == {("default", "10.0.0.0/24"): Route(frozenset({"5", "6"}), paths)}


def test_an_own_prefix_is_one_that_is_announced_and_there() -> None:
    announces = Bgp(networks=frozenset({"192.0.2.11/32", "192.0.2.12/32"}))
    direct = entry("Direct", ("", "lo0.0"))
    found = answers_routes.read_routes(routes("192.0.2.11/32", direct), port_of, announces)
    assert found == {("default", "192.0.2.11/32"): Route(frozenset(), frozenset({()}))}
    assert answers_routes.read_routes(routes("192.0.2.99/32", direct), port_of, announces) == {}
    learned = entry("BGP", ("fe80::1", "et-0/0/4.0"), path="65001 I")
    found = answers_routes.read_routes(routes("192.0.2.12/32", learned), port_of, announces)
    assert found["default", "192.0.2.12/32"].hops == frozenset({"5"})


def test_tables_of_other_kinds_are_passed_over() -> None:
    one = entry("BGP", ("10.0.0.1", "et-0/0/4.0"), path="65001 I")
    for table in (":vxlan.inet.0", "mpls.0", "bgp.evpn.0", "inet.3"):
        assert answers_routes.read_routes(routes("10.0.0.0/24", one, table=table), port_of, None) == {}
    assert list(answers_routes.read_routes(routes("10.0.0.0/24", one, table="red.inet.0"), port_of, None)) == [
        ("red", "10.0.0.0/24")
    ]


def test_an_as_path_is_what_stands_before_its_origin_without_the_own_number() -> None:
    path = "AS path: [65101] 65001 65000.1 I\n x 1"
    text = routes("10.0.0.0/24", entry("BGP", ("10.0.0.1", "et-0/0/4.0"), path=path))
    found = answers_routes.read_routes(text, port_of, None)
    assert found["default", "10.0.0.0/24"].as_paths == frozenset({(65001, 65000 * 65536 + 1)})


def test_secrets_of_a_configuration_are_not_repeated_in_problems() -> None:
    reading = answers.read(given(**{CONFIGURATION: 'system { root-authentication { plain "s3cret!"; } }'}), "leaf1")
    assert reading.problems
    assert "s3cret" not in str(reading.problems)


def test_ports_that_hear_nobody_are_absent() -> None:
    state = junos.read(given(), "leaf1").stores[Store.STATE]
    assert state.lldp is not None
    assert state.lldp.neighbors == {"5": ABSENT, "1/2": ABSENT}


def mutated(text: str, dice: Random) -> str:
    """The same text, somewhat damaged: other letters, or the end cut off."""
    letters = list(text)
    for _ in range(dice.randint(1, 6)):
        letters[dice.randrange(len(letters))] = dice.choice('<>&;"{}[],:0-\x00\ud800é/%+')
    return "".join(letters[: dice.randrange(len(letters))] if dice.random() < 0.4 else letters)


def test_damaged_answers_never_raise() -> None:
    dice = Random(6)
    problems = 0
    for _ in range(600):
        query = dice.choice(list(GOOD))
        problems += bool(junos.read(given(**{query: mutated(GOOD[query], dice)}), "leaf1").problems)
    assert 100 < problems < 600


@pytest.mark.parametrize(
    ("first", "refused"),
    [
        ("error: permission denied: configure", True),  # A21
        ("unknown command.", True),
        ("                    ^", True),
        ("syntax error, expecting <command>.", True),
        ("error: the lldp subsystem is not running", True),
        ('set interfaces et-0/0/0 description "error: see ticket"', False),
        ("{", False),
        ('<rpc-reply xmlns:junos="http://xml.juniper.net/junos/24.4R1/junos">', False),
    ],
)
def test_field_case_a21_a_no_is_known_by_how_its_first_line_begins(first: str, refused: bool) -> None:
    assert {bool(re.match(q.refusal, first)) for q in QUERIES if q.transport == "ssh"} == {refused}


def test_a_gate_and_tune_need_a_few_answers_only() -> None:
    few = {id_: answer for id_, answer in given().items() if id_ in junos.SESSION_QUERIES}
    bgp = junos.read(few, "leaf1").stores[Store.STATE].bgp
    assert bgp is not None
    assert bgp.neighbors == {"5": BgpNeighbor(session="Established", remote_asn=65001)}
    few = {id_: answer for id_, answer in given().items() if id_ in junos.LENGTH_QUERIES}
    lldp = junos.read(few, "leaf1").stores[Store.STATE].lldp
    assert lldp is not None
    assert set(lldp.neighbors or {}) == {"5", "1/2"}
