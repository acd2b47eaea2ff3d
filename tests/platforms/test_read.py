"""Whatever a switch answers is data: what cannot be used is a problem and not seen, never absent, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.platforms import Answer, Answers, Miss, Reading, sonic
from netaudit.platforms.sonic.ask import ALWAYS, APPLIED, OFTEN, QUERIES
from netaudit.state import ABSENT, Device, LldpNeighbor, Store
from netaudit.state.walk import Kind, differences, dotted
from platforms.answers_sonic import answers, with_text, without
from platforms.example import LEAF, in_stores

WHOLE = in_stores(LEAF)[Store.RUNNING]
ANSWERS = answers(in_stores(LEAF))


def said(reading: Reading) -> Iterator[tuple[str, str, Kind]]:
    """(store, leaf, kind) of everything that is not as it was written."""
    for store in Store:
        for d in differences(WHOLE, reading.stores[store], sonic.HELD[store]):
            yield str(store), dotted(d.path), d.kind


def read_with(query: str, text: str) -> Reading:
    return sonic.read(with_text(ANSWERS, query, text), LEAF)


def test_a_switch_as_it_should_be_reads_as_it_was_written() -> None:
    reading = sonic.read(ANSWERS, LEAF)
    assert (list(said(reading)), reading.problems) == ([], ())


@pytest.mark.parametrize("query", [q.id for q in QUERIES])
def test_a_query_that_failed_is_a_problem_and_its_leaves_are_not_seen(query: str) -> None:
    """Timeout, no permission, connection lost: nothing of it is missing or wrong."""
    reading = sonic.read(without(ANSWERS, query, reason="timed out after 30 s"), LEAF)
    told = " ".join(f"{asked}: {reason}" for asked, reason in reading.problems)
    assert "timed out after 30 s" in told
    assert {kind for _, _, kind in said(reading)} <= {Kind.UNSEEN}


@pytest.mark.parametrize("query", [q.id for q in QUERIES])
def test_a_query_without_any_answer_is_a_problem(query: str) -> None:
    reading = sonic.read({name: a for name, a in ANSWERS.items() if name != query}, LEAF)
    assert reading.problems
    assert {kind for _, _, kind in said(reading)} <= {Kind.UNSEEN}


JSON_QUERIES = sorted(name for name, a in ANSWERS.items() if a.text.startswith("{"))


@pytest.mark.parametrize("query", JSON_QUERIES)
@pytest.mark.parametrize("at", [0.0, 0.5, 0.99])
def test_json_that_is_cut_off_is_a_problem_and_its_leaves_are_not_seen(query: str, at: float) -> None:
    """A gNMI message beyond 4 MiB, an SSH channel that closed: half a table is not a smaller table."""
    text = ANSWERS[query].text
    reading = read_with(query, text[: int(len(text) * at)])
    assert query in [asked for asked, _ in reading.problems] or any(query in reason for _, reason in reading.problems)
    assert {kind for _, _, kind in said(reading)} <= {Kind.UNSEEN}


FOREIGN = {
    "null": "null",
    "a number": "1",
    "a text": '"OK"',
    "a list": "[]",
    "a table that is a list": '{"Ethernet0": []}',
    "a row that is a number": '{"Ethernet0": 1}',
    "a row of rows": '{"Ethernet0": {"speed": {"value": "800000"}}}',
    "a CLI error": "% Unknown command.",
    "a shell error": "sudo: a password is required",
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("query", sorted({*ALWAYS, *OFTEN, *APPLIED} & set(JSON_QUERIES)))
def test_an_answer_of_another_shape_is_a_problem_and_not_a_table(query: str, text: str) -> None:
    reading = read_with(query, text)
    assert reading.problems
    assert {kind for _, _, kind in said(reading)} <= {Kind.UNSEEN}


NUMBERS = {
    "PORT": ANSWERS["PORT"].text.replace('"speed": "800000"', '"speed": "fast"', 1),
    "SCHEDULER": '{"ROCE": {"type": "DWRR", "weight": "1_0"}}',
    "WRED_PROFILE": '{"ROCE-400G": {"wred_green_enable": "true", "green_min_threshold": "٣"}}',
    "DSCP_TO_TC_MAP": '{"ROCE": {"26": "three"}}',
    "BUFFER_POOL": '{"ingress_lossless_pool": {"type": "ingress", "size": "52 MB"}}',
    "BUFFER_PROFILE": '{"q_lossy_profile": {"dynamic_th": "9"}}',
    "CABLE_LENGTH": '{"AZURE": {"Ethernet0": "3 feet"}}',
    "BUFFER_POOL_TABLE": '{"ingress_lossless_pool": {"size": "0x100"}}',
    "INTERFACE": '{"Ethernet0": {}, "Ethernet0|10.0.0.300/31": {}}',
}


@pytest.mark.parametrize(("query", "text"), NUMBERS.items(), ids=NUMBERS)
def test_a_value_that_is_none_is_a_problem_of_its_table(query: str, text: str) -> None:
    reading = read_with(query, text)
    assert query.removesuffix("_TABLE") in " ".join(f"{q} {reason}" for q, reason in reading.problems)
    assert {kind for _, _, kind in said(reading)} <= {Kind.UNSEEN}


def test_numbers_may_come_as_numbers_and_switches_as_true_and_false() -> None:
    """Some servers do not quote: the meaning is the same."""
    rows = json.loads(ANSWERS["PORT"].text)
    plain = {name: {f: int(v) if v.isdigit() else v for f, v in row.items()} for name, row in rows.items()}
    lldp = '{"GLOBAL": {"enabled": true}}'
    reading = sonic.read(with_text(with_text(ANSWERS, "PORT", json.dumps(plain)), "LLDP", lldp), LEAF)
    assert (list(said(reading)), reading.problems) == ([], ())


@pytest.mark.parametrize("query", [*ALWAYS, *OFTEN])
def test_a_table_that_is_not_there_is_absent_and_no_problem(query: str) -> None:
    """NOT_FOUND is an answer: the switch has no such table."""
    reading = sonic.read({**ANSWERS, query: Answer(miss=Miss.ABSENT)}, LEAF)
    assert reading.problems == ()
    assert Kind.UNSEEN not in {kind for store, _, kind in said(reading) if store == "running"}


def test_an_absent_table_of_ours_is_missing_and_not_unseen() -> None:
    reading = sonic.read({**ANSWERS, "WRED_PROFILE": Answer(miss=Miss.ABSENT)}, LEAF)
    assert list(said(reading)) == [
        ("running", "qos.wred.ROCE-400G", Kind.MISSING),
        ("running", "qos.wred.ROCE-800G", Kind.MISSING),
    ]


def test_an_unreadable_port_table_makes_nothing_else_look_missing() -> None:
    """Ports have their cages from PORT; where that fails, from what is applied, else from what is saved."""
    for failing in (("PORT",), ("PORT", "PORT_TABLE"), ("PORT", "PORT_TABLE", "saved")):
        reading = sonic.read(without(ANSWERS, *failing), LEAF)
        assert {kind for _, _, kind in said(reading)} == {Kind.UNSEEN}, failing
        assert {asked for asked, _ in reading.problems} == set(failing)


def test_an_unreadable_saved_database_leaves_the_saved_routing_readable() -> None:
    reading = sonic.read(without(ANSWERS, "saved"), LEAF)
    assert {(store, leaf.partition(".")[0]) for store, leaf, _ in said(reading)} == {
        ("saved", area) for area in ("system", "ports", "vrfs", "interfaces", "vlans", "qos", "buffers", "lldp")
    }


def test_a_routing_file_that_was_never_saved_brings_nothing_back() -> None:
    reading = sonic.read({**ANSWERS, "saved-frr": Answer(miss=Miss.ABSENT)}, LEAF)
    found = dict.fromkeys(leaf.partition(".")[0] for store, leaf, kind in said(reading) if kind is not Kind.UNSEEN)
    assert list(found) == ["bgp"]
    assert reading.problems == ()


def test_a_switch_that_tells_no_serial_number_is_not_taken_for_another_box() -> None:
    reading = sonic.read({**ANSWERS, "EEPROM_INFO": Answer(miss=Miss.ABSENT)}, LEAF)
    assert list(said(reading)) == [("state", "system.serial", Kind.UNSEEN)]
    assert reading.problems == (("EEPROM_INFO", "the switch tells no serial number"),)


def test_half_of_the_routes_is_no_table() -> None:
    """Without IPv6, every IPv6 route would look missing."""
    for query in ("bgp4", "bgp6", "route4", "route6"):
        reading = sonic.read(without(ANSWERS, query), LEAF)
        assert reading.stores[Store.STATE].routes is None


def test_rows_beside_our_routing_files_are_seen() -> None:
    """A daemon of the NOS would put them into FRR on top of ours."""
    reading = read_with("BGP_NEIGHBOR", '{"192.0.2.1": {"asn": "65001"}}')
    assert list(said(reading)) == [("running", "system.routing_rows", Kind.WRONG)]
    assert reading.stores[Store.RUNNING].system.routing_rows == {"BGP_NEIGHBOR|192.0.2.1"}  # type: ignore[union-attr]


def test_the_management_port_is_no_port_and_its_neighbor_is_not_ours() -> None:
    state = sonic.read(ANSWERS, LEAF).stores[Store.STATE]
    assert state.lldp is not None
    assert "eth0" not in (state.lldp.neighbors or {})
    assert "PortConfigDone" not in (state.ports or {})


def test_a_port_that_hears_nobody_was_looked_at() -> None:
    state = read_with("LLDP_ENTRY_TABLE", "{}").stores[Store.STATE]
    assert state.lldp is not None
    assert set((state.lldp.neighbors or {}).values()) == {ABSENT}


def _session(**row: object) -> Mapping[str, object]:
    peers = {"Ethernet504": {"remoteAs": 4200100000, "state": "Established", **row}}
    return {"as": 4200000000, "peers": peers}


def test_a_session_is_up_only_if_it_is_up_in_every_family() -> None:
    text = json.dumps({"ipv4Unicast": _session(), "ipv6Unicast": _session(state="Idle (Admin)")})
    bgp = read_with("summary", text).stores[Store.STATE].bgp
    assert bgp is not None
    assert (bgp.neighbors or {})["64"].session == "Idle (Admin)"


def without_bgpd(*also: str) -> Answers:
    """What a switch answers whose bgpd has died: zebra alone shows the configuration (seen with FRR 8.4.4)."""
    shown = ANSWERS["frr"].text
    head, _, rest = shown.partition("router bgp ")
    _, _, tail = rest.partition("\nexit\n")
    gone = without(ANSWERS, "summary", "bgp4", "bgp6", *also, reason="SSH path: exit code 1: bgpd is not running")
    return with_text(gone, "frr", f"{head}{tail}")


def test_a_dead_bgpd_has_its_sessions_down_and_its_configuration_not_seen() -> None:
    reading = sonic.read(without_bgpd(), LEAF)
    told = list(said(reading))
    sessions = {leaf for _, leaf, kind in told if kind is not Kind.UNSEEN}
    assert sessions == {f"bgp.neighbors.{key}.session" for key in (WHOLE.bgp and WHOLE.bgp.neighbors) or ()}
    assert {store for store, _, kind in told if kind is not Kind.UNSEEN} == {"state"}
    assert {leaf.partition(".")[0] for store, leaf, _ in told if store == "running"} == {"bgp"}
    assert reading.stores[Store.STATE].routes is None
    assert {asked for asked, _ in reading.problems} == {"frr", "summary", "bgp4", "bgp6"}


def test_a_dead_bgpd_whose_file_cannot_be_read_leaves_its_sessions_not_seen() -> None:
    assert {kind for _, _, kind in said(sonic.read(without_bgpd("saved-frr"), LEAF))} == {Kind.UNSEEN}


def test_a_bgpd_that_runs_without_a_speaker_is_no_dead_one() -> None:
    answers_ = with_text(without_bgpd(), "summary", "{}")
    assert ("running", "bgp.asn", Kind.MISSING) in set(said(sonic.read(answers_, LEAF)))


ASNS = {"plain": 4200100000, "text": "4200100000", "dotted": "64088.28832", "unknown": 0}


@pytest.mark.parametrize("spelling", ASNS)
def test_an_asn_is_read_in_every_spelling(spelling: str) -> None:
    """asplain and asdot (RFC 5396); FRR says 0 until an OPEN told it, which is not a wrong number."""
    bgp = read_with("summary", json.dumps({"ipv4Unicast": _session(remoteAs=ASNS[spelling])})).stores[Store.STATE].bgp
    assert bgp is not None
    wanted = None if spelling == "unknown" else 4200100000
    assert (bgp.neighbors or {})["64"].remote_asn == wanted


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["Ethernet0", "1/1", "²", "0x1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)


@given(query=st.sampled_from(JSON_QUERIES), data=st.data())
@settings(max_examples=150)
def test_no_answer_whatever_raises(query: str, data: st.DataObject) -> None:
    """One value somewhere in the answer becomes anything at all."""
    tree = json.loads(ANSWERS[query].text)
    reading = read_with(query, json.dumps(_replaced(tree, data, data.draw(junk))))
    for store in Store:
        assert isinstance(reading.stores[store], Device)
        list(differences(WHOLE, reading.stores[store], sonic.HELD[store]))


def _replaced(tree: object, data: st.DataObject, value: object) -> object:
    if not isinstance(tree, dict) or not tree or data.draw(st.integers(0, 3)) == 0:
        return value
    key = data.draw(st.sampled_from(sorted(tree)))
    return {**tree, key: _replaced(tree[key], data, value)}


@given(text=st.text(alphabet=st.sampled_from("aeiou 0123456789.:/|!\n\t-²٣"), max_size=80), at=st.integers(0, 60))
@settings(max_examples=100)
def test_no_routing_text_whatever_raises(text: str, at: int) -> None:
    lines = ANSWERS["frr"].text.splitlines()
    lines[at % len(lines)] = text
    reading = read_with("frr", "\n".join(lines))
    assert isinstance(reading.stores[Store.RUNNING], Device)


def test_a_neighbor_without_name_or_port_is_one_all_the_same() -> None:
    state = read_with("LLDP_ENTRY_TABLE", '{"Ethernet504": {"lldp_rem_chassis_id": "x"}}').stores[Store.STATE]
    assert state.lldp is not None
    assert (state.lldp.neighbors or {})["64"] == LldpNeighbor(system=ABSENT, port=ABSENT)
