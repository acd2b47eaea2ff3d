"""Field cases A16, A23 and A24: spellings of IPv6, keys that stand twice, and patches that a switch takes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from platforms.answers_sonic import with_text

from field.site import LEAF, audited, rules, told_by
from netaudit.diag import Severity
from netaudit.lab.sim import gcu
from netaudit.lab.sim.patch import patched
from netaudit.platforms import Impact, Steps, sonic
from netaudit.platforms.sonic.tables import Unreadable
from tests.intent.example import problems, small

Tables = Mapping[str, Mapping[str, Mapping[str, object]]]


def files(tables: Tables, frr: str = "") -> dict[str, str]:
    return {"config_db.json": json.dumps(tables), "frr.conf": frr}


def patch_of(steps: Steps) -> list[dict[str, Any]]:
    texts = [step.content for step in steps.prepare if step.path.endswith("json-patch")]
    return json.loads(texts[0]) if texts else []


# Case A16, text forms of IPv6

SPELLED = {
    "capitals and zeros": ("2001:db8::1/127", "2001:0DB8:0:0:0:0:0:1/127"),
    "an IPv4 address inside": ("2001:db8::ffff:c000:201/127", "2001:db8::ffff:192.0.2.1/127"),
    "as it is": ("2001:db8::1/127", "2001:db8::1/127"),
}


def addressed(address: str, **more: str) -> dict[str, Any]:
    return {
        "PORT": {"Ethernet0": {"index": "1", "lanes": "1", "mtu": "9100", **more}},
        "INTERFACE": {"Ethernet0": {}, f"Ethernet0|{address}": {}},
        "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.0.0.1/32": {}},
        "DEVICE_METADATA": {"localhost": {"hostname": "x"}},
    }


@pytest.mark.parametrize(("ours", "theirs"), SPELLED.values(), ids=SPELLED)
def test_an_address_is_the_same_in_every_spelling(ours: str, theirs: str) -> None:
    one, two = (sonic.read_config(files(addressed(a)), "x").interfaces for a in (ours, theirs))
    assert one == two


@pytest.mark.parametrize(("ours", "theirs"), SPELLED.values(), ids=SPELLED)
def test_a_candidate_keeps_the_devices_own_spelling_and_changes_nothing(ours: str, theirs: str) -> None:
    running = files(addressed(theirs))
    wanted = sonic.candidate(files(addressed(ours)), running, ["ports", "addressing"])
    assert list(json.loads(wanted["config_db.json"])["INTERFACE"]) == ["Ethernet0", f"Ethernet0|{theirs}"]
    assert sonic.diff(running, wanted) == ()
    assert sonic.steps(running, wanted, "r") == Steps()
    assert sonic.equal(running, wanted)


def test_a_change_of_such_a_key_is_addressed_as_the_device_spells_it() -> None:
    running = files(addressed("FC00:0:0:0::1/126"))
    wanted = sonic.candidate(files(addressed("fc00::5/126")), running, ["ports", "addressing"])
    assert [(op["op"], op["path"]) for op in patch_of(sonic.steps(running, wanted, "r"))] == [
        ("remove", "/INTERFACE/Ethernet0|FC00:0:0:0::1~1126"),
        ("add", "/INTERFACE/Ethernet0|fc00::5~1126"),
    ]


def test_a_variant_a_field_of_such_a_row_is_changed_in_place() -> None:
    tables = addressed("fc00::1/126")
    tables["LOOPBACK_INTERFACE"] = {"Loopback0": {}, "Loopback0|FD00:FF::0/128": {"scope": "global"}}
    ours = addressed("fc00::1/126", mtu="9216")
    ours["LOOPBACK_INTERFACE"] = {"Loopback0": {}, "Loopback0|fd00:ff::/128": {}}
    wanted = sonic.candidate(files(ours), files(tables), ["ports", "addressing"])
    assert [op["path"] for op in patch_of(sonic.steps(files(tables), wanted, "r"))] == ["/PORT/Ethernet0/mtu"]


def test_a_variant_queues_that_the_device_has_in_one_row_stay_in_one_row() -> None:
    """What means the same is not taken out and put in again: for these rows GCU would take the port down."""
    row, other = {"scheduler": "A"}, {"scheduler": "B"}
    theirs = {"Ethernet0|0-2": row, "Ethernet8|0-1": row, "Ethernet8|2": row}
    ours = {f"Ethernet{p}|{q}": row if p == 0 else other for p in (0, 8) for q in range(3)}
    running = files({**addressed("fc00::1/126"), "QUEUE": theirs})
    wanted = sonic.candidate(files({**addressed("fc00::1/126"), "QUEUE": ours}), running, ["qos"])
    assert json.loads(wanted["config_db.json"])["QUEUE"] == {
        "Ethernet0|0-2": row,
        **{f"Ethernet8|{q}": other for q in range(3)},
    }


def test_an_address_that_stands_in_two_spellings_goes_down_to_one() -> None:
    running = addressed("FC00::1/126")
    running["INTERFACE"]["Ethernet0|fc00::1/126"] = {}
    wanted = sonic.candidate(files(addressed("fc00::1/126")), files(running), ["addressing"])
    assert list(json.loads(wanted["config_db.json"])["INTERFACE"]) == ["Ethernet0", "Ethernet0|fc00::1/126"]


def test_the_audit_of_a_switch_that_spells_all_its_addresses_otherwise_finds_nothing() -> None:
    def shouted(tree: Any) -> object:
        return {key.replace("fd00:ff::", "FD00:00FF:0:0::"): row for key, row in tree.items()}

    assert "fd00:ff::" in told_by(LEAF)["LOOPBACK_INTERFACE"].text
    assert rules(audited({LEAF: {"LOOPBACK_INTERFACE": shouted}})) == []


BAD_NETWORKS = {
    "a length beyond 128": ("fc00::/129", ""),
    "an octet of 300": ("10.0.0.300/24", ""),
    "host bits": ("10.255.1.0/16", "10.255.0.0/16"),
    "host bits of IPv6": ("fd00:ff::1/48", "fd00:ff::/48"),
}


@pytest.mark.parametrize(("text", "right"), BAD_NETWORKS.values(), ids=BAD_NETWORKS)
def test_what_is_no_network_is_refused_and_the_right_one_is_proposed(text: str, right: str, tmp_path: Path) -> None:
    (told,) = problems(tmp_path, small(addressing=f'{{loopbacks: ["{text}"]}}'))
    assert told.severity is Severity.ERROR
    assert told.source is not None
    assert told.source.line == 10
    assert right in told.hint


def test_the_keys_of_the_case_are_these_addresses(original_json: Callable[[str], Any]) -> None:
    table = original_json("A16/observed_config_db.json")["INTERFACE"]
    read = sonic.read_config(files({"PORT": {}, "INTERFACE": table}), "x").interfaces or {}
    assert read["Ethernet12"].addresses == {"fc00::1/126"}
    assert read["Ethernet16"].addresses == {"2001:db8::ffff:c000:201/127"}


# Case A23, the same key twice


def test_a_key_that_repeats_one_of_the_same_table_is_refused_with_both_lines(tmp_path: Path) -> None:
    text = small(addressing="{loopbacks: 10.255.0.0/16}") + "units: {su9: {hosts: 2}}\n"
    (told,) = problems(tmp_path, text)
    assert told.source is not None
    assert (told.severity, told.source.line) == (Severity.ERROR, 11)
    assert "`units`" in told.message
    assert "line 5" in told.hint


REPEATS = {
    "a unit": "{su1: {hosts: 2}, su1: {hosts: 4}}",
    "a key in a flow mapping": "{su1: {hosts: 2, hosts: 4}}",
    "in quotes": '{su1: {hosts: 2, "hosts": 4}}',
}


@pytest.mark.parametrize("units", REPEATS.values(), ids=REPEATS)
def test_a_nested_repeat_is_refused_too(units: str, tmp_path: Path) -> None:
    (told,) = problems(tmp_path, small(units=units))
    assert told.source is not None
    assert told.source.line == 5
    assert "second time" in told.message


def test_a_merge_key_with_a_key_of_its_own_is_no_repeat(tmp_path: Path) -> None:
    units = "\n  su1: &base {hosts: 2}\n  su2: {<<: *base, hosts: 1}"
    assert problems(tmp_path, small(units=units)) == ()


def test_a_configuration_with_a_table_twice_is_refused() -> None:
    text = '{"PORT": {"Ethernet0": {"index": "1"}}, "PORT": {}}'
    with pytest.raises(Unreadable, match="PORT"):
        sonic.read_config({"config_db.json": text}, "x")
    assert any("PORT" in line and "twice" in line for line in sonic.problems({"config_db.json": text}))


@pytest.mark.parametrize("query", ["PORT", "BUFFER_PG", "PORT_TABLE", "DSCP_TO_TC_MAP"])
def test_a_variant_an_answer_with_a_row_twice_is_a_problem_and_not_seen(query: str) -> None:
    text = told_by(LEAF)[query].text
    name = next(iter(json.loads(text)))
    doubled = f'{{"{name}": {{}}, {text[1:]}'
    reading = sonic.read(with_text(told_by(LEAF), query, doubled), LEAF)
    assert any(name in reason and "twice" in reason for _, reason in reading.problems)
    result = audited({LEAF: {query: doubled}})
    assert rules(result) == []
    assert result.exit_code() == 3


def test_the_intent_of_the_case_is_refused(original: Callable[[str], str], tmp_path: Path) -> None:
    told = problems(tmp_path, original("A23/intent_bad.yaml"))
    twice = [d for d in told if "second time" in d.message]
    assert [(d.source.line if d.source else 0, d.hint[:22]) for d in twice] == [(6, "the first is in line 1")]


# Case A24, patches

CURRENT = {
    "DEVICE_METADATA": {"localhost": {"hostname": "x", "hwsku": "ACS-SN5600"}},
    "PORT": {f"Ethernet{n}": {"index": str(n), "lanes": str(n), "mtu": "9100"} for n in (0, 8, 16)},
    "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.0/31": {}, "Ethernet16": {}, "Ethernet16|10.0.0.4/31": {}},
    "PORTCHANNEL": {"PortChannel1": {"min_links": "1"}},
}
WANTED = {
    **CURRENT,
    "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.0/31": {}, "Ethernet8": {}, "Ethernet8|10.0.0.2/31": {}},
}


def test_a_patch_adds_the_base_before_its_address_and_removes_the_address_before_its_base() -> None:
    patch = patch_of(sonic.steps(files(CURRENT), files(WANTED), "r"))
    assert [(op["op"], op["path"]) for op in patch] == [
        ("remove", "/INTERFACE/Ethernet16|10.0.0.4~131"),
        ("remove", "/INTERFACE/Ethernet16"),
        ("add", "/INTERFACE/Ethernet8"),
        ("add", "/INTERFACE/Ethernet8|10.0.0.2~131"),
    ]
    assert patched(CURRENT, patch) == WANTED
    assert gcu.apply_patch(CURRENT, patch).config == WANTED


def test_what_gcu_refuses_is_said_by_the_plan_and_goes_another_way() -> None:
    """PFC_WD can neither be made nor lose its GLOBAL row by a patch: the database is loaded as a whole."""
    with_watchdog = {**CURRENT, "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}}}
    steps = sonic.steps(files(CURRENT), files(with_watchdog), "r")
    assert steps.impact is Impact.DRAIN
    assert steps.apply[0].name == "reload"
    upload = next(step for step in steps.prepare if step.path.endswith("config_db.json"))
    assert json.loads(upload.content) == with_watchdog


def test_an_emptied_table_goes_as_a_whole_and_is_never_left_empty() -> None:
    without = {name: rows for name, rows in CURRENT.items() if name != "PORTCHANNEL"}
    for wanted in (without, {**CURRENT, "PORTCHANNEL": {}}):
        steps = sonic.steps(files(CURRENT), files(wanted), "r")
        assert [(op["op"], op["path"]) for op in patch_of(steps)] == [("remove", "/PORTCHANNEL")]
        assert gcu.apply_patch(CURRENT, patch_of(steps)).config == without
    made = sonic.candidate(files({**CURRENT, "INTERFACE": {}}), files(CURRENT), ["addressing"])
    assert "INTERFACE" not in json.loads(made["config_db.json"])


def test_a_variant_a_tilde_and_a_slash_in_one_key() -> None:
    current = {**CURRENT, "LOGGER": {"a~b": {"LOGLEVEL": "INFO"}, "c": {"LOGLEVEL": "INFO"}}}
    wanted = {**CURRENT, "LOGGER": {"a~b": {"LOGLEVEL": "NOTICE"}, "x/~1": {"LOGLEVEL": "INFO"}}}
    patch = patch_of(sonic.steps(files(current), files(wanted), "r"))
    assert {op["path"] for op in patch} == {"/LOGGER/a~0b/LOGLEVEL", "/LOGGER/c", "/LOGGER/x~1~01"}
    assert patched(current, patch) == wanted


def test_the_configurations_of_the_case_are_brought_together(original_json: Callable[[str], Any]) -> None:
    """The new PFC_WD makes it a reload; without that table it is a patch in the order that GCU needs."""
    current, wanted = original_json("A24/current.json"), original_json("A24/wanted.json")
    assert sonic.steps(files(current), files(wanted), "r").impact is Impact.DRAIN
    small_one = {"INTERFACE": wanted["INTERFACE"]}
    patch = patch_of(sonic.steps(files({"INTERFACE": current["INTERFACE"]}), files(small_one), "r"))
    assert [op["path"] for op in patch] == ["/INTERFACE/Ethernet4", "/INTERFACE/Ethernet4|10.0.0.2~131"]
