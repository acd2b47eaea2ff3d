"""What the reader makes of answers: field cases, refusals, a device that says little, text that nobody expects."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.platforms import Answer, Miss, platform
from netaudit.platforms.nxos.answers_bgp import Path, read_sessions, read_table, used
from netaudit.platforms.nxos.answers_live import Neighbor, port_id, read_lldp, read_oper, read_serial
from netaudit.platforms.nxos.answers_optics import read_lengths
from netaudit.platforms.nxos.answers_routes import read_routes
from netaudit.platforms.nxos.answers_text import Unreadable, asn, key_of, peer, refusal
from netaudit.state import ABSENT, LldpNeighbor, Store

NXOS = platform("nxos")
INVALID = "                 ^\n% Invalid command at '^' marker.\n"
CONFIG = "!Command: show running-config\n!Time: Mon Jan  5 10:00:00 2026\n\nversion 10.4(3) Bios:version 05.51\n"
BRIEF = json.dumps({"TABLE_interface": {"ROW_interface": {"interface": "Ethernet1/1", "state": "up"}}})
VERSION = json.dumps({"nxos_ver_str": "10.4(3)", "proc_board_id": "BOARD"})
INVENTORY = json.dumps({"TABLE_inv": {"ROW_inv": [{"name": '"Chassis"', "serialnum": "FDO1"}]}})
ROUTER = "router bgp 65101\n  router-id 10.255.0.1\n  neighbor 10.0.0.0\n    remote-as 65001\n"
HEADING = "BGP routing table information for VRF default, address family IPv4 Unicast\n"
COLUMNS = "   Network            Next Hop            Metric     LocPrf     Weight Path\n"


def answers(**texts: str | Answer) -> Mapping[str, Answer]:
    """Answers to every query; what is not given did not come."""
    missing = Answer(miss=Miss.FAILED, reason="not there")
    given_ = {name: Answer(text=one) if isinstance(one, str) else one for name, one in texts.items()}
    return {query.id: given_.get(query.id.replace("-", "_"), missing) for query in NXOS.QUERIES}


def test_an_asn_is_a_number_in_whatever_form() -> None:
    """Field case A12."""
    assert [asn(word) for word in ("4259840010", "65000.2", 4259840003, "8.1201")] == [
        4259840010,
        65000 * 65536 + 2,
        4259840003,
        525489,
    ]


@pytest.mark.parametrize("text", ["65000.65536", "70000.1", "4294967296", "-1", "1.2.3", "", "abc", "٣"])
def test_what_is_no_asn_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="ASN"):
        asn(text)


def test_a_float_in_json_does_not_eat_a_digit_of_an_asn() -> None:
    row = '{"neighborid": "10.0.0.0", "neighboras": 65000.10, "state": "Established"}'
    text = (
        '{"TABLE_vrf": {"ROW_vrf": {"vrf-name-out": "default", "vrf-local-as": 65000.20, "TABLE_af": {"ROW_af": '
        '{"af-id": 1, "TABLE_saf": {"ROW_saf": {"safi": 1, "af-name": "IPv4 Unicast", "TABLE_neighbor": '
        '{"ROW_neighbor": ' + row + "}}}}}}}}"
    )
    bgp = read_sessions(text)
    assert (bgp.asn, (bgp.neighbors or {})["10.0.0.0"].remote_asn) == (65000 * 65536 + 20, 65000 * 65536 + 10)


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (Neighbor("Eth1/1", "leaf01", "0200.00aa.bb01", "Ethernet124"), "Ethernet124"),
        (Neighbor("Eth1/1", "leaf02", "etp32", "to spine01"), "etp32"),
        (Neighbor("Eth1/1", "leaf03", "02:00:00:aa:bb:03", "leaf03 uplink"), "02:00:00:aa:bb:03"),
        (Neighbor("Eth1/1", "leaf5", "517", "xe-0/0/3"), "xe-0/0/3"),
        (Neighbor("Eth1/1", "dcedge01", "516", ""), "516"),
        (Neighbor("Eth1/1", "leaf3", '"Ethernet1"', ""), "Ethernet1"),
    ],
)
def test_a_port_id_that_is_no_name_is_told_by_the_description(one: Neighbor, told: str) -> None:
    """Field cases A14 and A15."""
    assert port_id(one) == told


def test_a_local_port_is_known_by_its_short_name() -> None:
    """Field case A15: `Eth1/47` of leaf1 is its port 47."""
    row = {"l_port_id": "Eth1/47", "chassis_id": "leaf2.example.net", "port_id": "Ethernet1/47"}
    heard = read_lldp(json.dumps({"TABLE_nbor": {"ROW_nbor": row}}))
    assert heard == {"47": LldpNeighbor(system="leaf2.example.net", port="Ethernet1/47")}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Ethernet1/5", "5"),
        ("Eth1/5/2", "5/2"),
        ("eth1/5", "5"),
        ("Ethernet2/5", "Ethernet2/5"),
        ("loopback0", "Loopback0"),
        ("Lo0", "Loopback0"),
        ("Vlan10", "Vlan10"),
        ("mgmt0", "mgmt0"),
        ("port-channel3", "port-channel3"),
    ],
)
def test_a_name_gives_the_place_on_the_front_panel(name: str, key: str) -> None:
    assert key_of(name) == key


def test_an_address_is_known_in_whatever_form() -> None:
    """Field case A16; NX-OS writes the VRF behind a link-local address."""
    assert [peer(one) for one in ("FC00::2", "2001:DB8::FFFF:192.0.2.1", "fe80::1%default", "Ethernet1/7")] == [
        "fc00::2",
        "2001:db8::ffff:c000:201",
        "fe80::1",
        "7",
    ]


@pytest.mark.parametrize(
    ("text", "no"),
    [
        (INVALID, "% Invalid command at '^' marker."),
        ("ERROR: BGP is not running\n", "ERROR: BGP is not running"),
        ("Syntax error while parsing 'x'\n", "Syntax error while parsing 'x'"),
        ("interface Ethernet1/1\n  description 100% Invalid link, see ticket\n", ""),
        ("", ""),
    ],
)
def test_a_refusal_is_what_an_answer_begins_with(text: str, no: str) -> None:
    """Field case A21: the words of a description are no refusal."""
    assert refusal(text) == no


def rib(*rows: tuple[str, str, str, str]) -> str:
    """`show ip route vrf all | json` of (prefix, next hop, port, client)."""
    prefixes = [
        {
            "ipprefix": prefix,
            "TABLE_path": {"ROW_path": {"ipnexthop": hop, "ifname": port, "clientname": client, "ubest": "true"}},
        }
        for prefix, hop, port, client in rows
    ]
    table = {"TABLE_addrf": {"ROW_addrf": {"addrf": "ipv4", "TABLE_prefix": {"ROW_prefix": prefixes}}}}
    return json.dumps({"TABLE_vrf": {"ROW_vrf": {"vrf-name-out": "default", **table}}})


def test_a_next_hop_without_a_port_is_looked_up_as_the_switch_does() -> None:
    table = f"{HEADING}{COLUMNS}*>e10.9.0.0/24        10.255.0.9                                     0 65001 i\n"
    table = table.replace("10.255.0.9          ", "10.255.0.9          ")
    routes = read_routes(
        table,
        rib(
            ("10.9.0.0/24", "10.255.0.9", "", "bgp-65101"),
            ("10.255.0.9/32", "10.0.0.0", "", "static"),
            ("10.0.0.0/31", "10.0.0.1", "Eth1/7", "direct"),
            ("0.0.0.0/0", "10.0.1.0", "Eth1/8", "static"),
        ),
    )
    assert routes["default", "10.9.0.0/24"].hops == {"7"}


def test_a_host_that_announces_its_own_address_is_behind_its_port() -> None:
    table = f"{HEADING}{COLUMNS}*>e10.0.0.1/32        10.0.0.1                                       0 65534 i\n"
    routes = read_routes(
        table, rib(("10.0.0.1/32", "10.0.0.1", "", "bgp-65101"), ("10.0.0.0/31", "10.0.0.0", "Eth1/1/1", "direct"))
    )
    assert routes["default", "10.0.0.1/32"].hops == {"1/1"}


def test_a_next_hop_that_nobody_knows_stands_for_itself() -> None:
    table = f"{HEADING}{COLUMNS}*>e10.9.0.0/24        192.0.2.9                                     0 65001 i\n"
    routes = read_routes(table, rib(("10.9.0.0/24", "192.0.2.9", "", "bgp-65101")))
    assert routes["default", "10.9.0.0/24"].hops == {"192.0.2.9"}


def test_a_long_prefix_stands_on_a_line_of_its_own() -> None:
    table = (
        "BGP routing table information for VRF red, address family IPv6 Unicast\n"
        + COLUMNS
        + "*>e2001:db8:1:2:3::/80\n"
        "                      2001:db8::1                                    0 65001 65.10 i\n"
        "*|e                   2001:db8::3                                    0 65001 65.10 i\n"
    )
    found = read_table(table)
    assert list(found) == [("red", "2001:db8:1:2:3::/80")]
    paths = found["red", "2001:db8:1:2:3::/80"]
    assert [(p.hop, p.as_path) for p in used(paths)] == [
        ("2001:db8::1", (65001, 65 * 65536 + 10)),
        ("2001:db8::3", (65001, 65 * 65536 + 10)),
    ]


def test_a_weight_of_a_policy_is_found_by_its_column() -> None:
    line = "*>e10.9.0.0/24        10.0.0.0                 0        100        200 65001 i\n"
    assert read_table(HEADING + COLUMNS + line)["default", "10.9.0.0/24"] == (
        Path(best=True, together=False, kind="e", hop="10.0.0.0", as_path=(65001,)),
    )


def test_a_switch_that_answers_nothing_is_not_absent() -> None:
    reading = NXOS.read(answers(), "leaf1")
    assert {query for query, _ in reading.problems} >= {"running", "saved", "interfaces", "lldp", "sessions", "route4"}
    assert reading.stores[Store.STATE].ports is None
    assert reading.stores[Store.RUNNING].ports is None


def test_a_switch_without_a_speaker_has_no_sessions() -> None:
    """It does not know the commands; that says that nothing is there."""
    no = Answer(miss=Miss.FAILED, reason="SSH path: % Invalid command at '^' marker.")
    told = answers(running=CONFIG, saved=CONFIG, interfaces=BRIEF, sessions=no, bgp4=no, bgp6=no)
    state = NXOS.read(told, "leaf1").stores[Store.STATE]
    assert state.bgp is not None
    assert (state.bgp.asn, state.bgp.neighbors, state.routes) == (ABSENT, {}, {})


def test_a_switch_that_never_saved_would_come_back_empty() -> None:
    told = answers(running=CONFIG + ROUTER, interfaces=BRIEF, saved=Answer(miss=Miss.ABSENT))
    reading = NXOS.read(told, "leaf1")
    saved = reading.stores[Store.SAVED]
    assert saved.bgp is not None
    assert (saved.bgp.asn, saved.bgp.neighbors) == (ABSENT, {})
    assert "saved" not in dict(reading.problems)


def test_a_switch_whose_lldp_is_off_hears_nobody() -> None:
    told = answers(running=CONFIG, interfaces=BRIEF, lldp=Answer(miss=Miss.ABSENT))
    reading = NXOS.read(told, "leaf1")
    lldp = reading.stores[Store.STATE].lldp
    assert lldp is not None
    assert lldp.neighbors == {"1": ABSENT}
    assert "lldp" not in dict(reading.problems)


def test_a_command_that_is_not_known_though_its_feature_is_on_is_a_problem() -> None:
    no = Answer(miss=Miss.ABSENT)
    told = answers(running=CONFIG + "feature lldp\n" + ROUTER, interfaces=BRIEF, lldp=no, sessions=no, bgp4=no)
    reading = NXOS.read(told, "leaf1")
    assert {"lldp", "sessions", "bgp4"} <= dict(reading.problems).keys()
    state = reading.stores[Store.STATE]
    assert (state.bgp, state.routes) == (None, None)


def test_sessions_of_a_speaker_that_has_died_are_down() -> None:
    note = "Note:  process currently not running\n"
    told = answers(running=CONFIG + ROUTER, interfaces=BRIEF, sessions=note, bgp4=note)
    state = NXOS.read(told, "leaf1").stores[Store.STATE]
    assert state.bgp is not None
    sessions = {key: one.session for key, one in (state.bgp.neighbors or {}).items()}
    assert sessions == {"10.0.0.0": "process currently not running"}


GNMI = {
    "oc_interfaces": {"interfaces": {"interface": [{"name": "eth1/1", "state": {"oper-status": "DOWN"}}]}},
    "oc_sessions": {
        "network-instances": {
            "network-instance": [
                {
                    "name": "default",
                    "protocols": {
                        "protocol": [
                            {
                                "identifier": "BGP",
                                "name": "bgp",
                                "bgp": {
                                    "neighbors": {
                                        "neighbor": [
                                            {
                                                "neighbor-address": "10.0.0.0",
                                                "state": {
                                                    "session-state": "ACTIVE",
                                                    "peer-as": "65001",
                                                    "local-as": 65101,
                                                },
                                            }
                                        ]
                                    }
                                },
                            }
                        ]
                    },
                }
            ]
        }
    },
}


def test_gnmi_is_believed_before_a_command() -> None:
    """Field case A17: numbers as text. A session that is down has a configured number, which nobody heard."""
    told = answers(running=CONFIG + ROUTER, interfaces=BRIEF, **{name: json.dumps(tree) for name, tree in GNMI.items()})
    state = NXOS.read(told, "leaf1").stores[Store.STATE]
    assert state.ports is not None
    assert state.ports["1"].oper_up is False
    assert state.bgp is not None
    assert state.bgp.asn == 65101
    one = (state.bgp.neighbors or {})["10.0.0.0"]
    assert (one.session, one.remote_asn) == ("Active", None)


def test_a_command_counts_where_gnmi_says_nothing() -> None:
    told = answers(running=CONFIG, interfaces=BRIEF, oc_interfaces="{}", oc_lldp="not JSON")
    reading = NXOS.read(told, "leaf1")
    ports = reading.stores[Store.STATE].ports
    assert ports is not None
    assert ports["1"].oper_up is True
    assert "oc-lldp" not in {query for query, _ in reading.problems}


def test_the_serial_number_is_that_of_the_chassis() -> None:
    assert read_serial(INVENTORY, VERSION) == "FDO1"
    assert read_serial("{}", VERSION) == "BOARD"
    assert read_serial("{}", "{}") is ABSENT


def test_a_push_sees_the_configuration_without_the_time_of_day() -> None:
    files, serial = NXOS.running_files(answers(running=CONFIG + ROUTER, inventory=INVENTORY, version=VERSION))
    assert (files["nxos.cfg"].partition("\n")[0], serial) == ("version 10.4(3) Bios:version 05.51", "FDO1")


@pytest.mark.parametrize("text", [INVALID, "", "hostname leaf1\n", "{}"])
def test_what_is_no_configuration_is_pushed_to_by_nobody(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the texts differ
        NXOS.running_files(answers(running=text, inventory=INVENTORY, version=VERSION))


def test_a_port_without_a_state_is_not_up() -> None:
    with pytest.raises(Unreadable, match="no front panel port"):
        read_oper('{"TABLE_interface": {"ROW_interface": {"interface": "mgmt0", "state": "up"}}}')


@pytest.mark.parametrize(
    ("kind", "told", "length_m", "doubted"),
    [
        ("QSFP-100G-PCC", "3", 3.0, False),
        ("SFP-H10GB-CU2M", "2", 2.0, False),
        ("QDD-400-CU3M", "3", 3.0, False),
        ("QSFP-100G-AOC10M", "10", 10.0, False),
        ("QSFP-40G-CSR4", "200", ABSENT, False),
        ("QSFP-100G-SR4", "0", ABSENT, False),
        ("QSFP-100G-PCC", "0", ABSENT, False),
        ("QSFP-100G-PCC", "255", ABSENT, True),
        ("QSFP-100G-PCC", "65535", ABSENT, True),
        ("QSFP-100G-PCC", "unknown", ABSENT, True),
    ],
)
def test_a_cable_that_is_fixed_to_its_plugs_tells_its_length(
    kind: str, told: str, length_m: object, doubted: bool
) -> None:
    row = {"interface": "Ethernet1/1", "sfp": "present", "type": kind, "len_cu": told}
    lengths, doubts = read_lengths(json.dumps({"TABLE_interface": {"ROW_interface": row}}))
    assert lengths == {"1": length_m}
    assert bool(doubts) is doubted


TEXTS = st.one_of(
    st.text(max_size=200),
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["TABLE_vrf", "ROW_vrf", "TABLE_interface", "ROW_interface", "TABLE_nbor", "ROW_nbor", "x"]
                ),
                inner,
                max_size=3,
            )
        ),
        max_leaves=10,
    ).map(json.dumps),
    st.sampled_from([INVALID, CONFIG + ROUTER, HEADING + COLUMNS + "*>e10.0.0.0/8\n", BRIEF, "Chassis id: x\n"]),
)


@settings(max_examples=150, deadline=None)
@given(st.fixed_dictionaries({query.id: TEXTS for query in NXOS.QUERIES}))
def test_no_text_of_a_device_raises(texts: Mapping[str, str]) -> None:
    reading = NXOS.read({name: Answer(text=text) for name, text in texts.items()}, "leaf1")
    assert set(reading.stores) >= {Store.RUNNING, Store.SAVED, Store.STATE}
