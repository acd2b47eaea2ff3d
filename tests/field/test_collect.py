"""Field cases A17, A18 and A20: values in JSON, answers that are too large, and hosts that must not disappear."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from audit.world import NOON, two_plane
from collect.device import Device, running

from field.site import LEAF, OTHER_LEAF, SPINE, audited, rules, told_by
from netaudit.audit.audit import conclude
from netaudit.audit.compare import compare
from netaudit.audit.findings import AuditResult
from netaudit.collect.gnmi import LIMIT_VARIABLE, MESSAGE_LIMIT_BYTES, GnmiClient
from netaudit.diag import Unusable
from netaudit.nornir.hosts import HostError, each_host
from netaudit.pipeline import observe
from netaudit.platforms import Miss, Query, sonic
from netaudit.platforms.sonic.tables import rows
from netaudit.state import Store

# Case A17, numbers as text, text as numbers. OpenConfig's module prefixes come with the platforms that are asked in it.


def as_numbers(tree: Any) -> object:
    """Every number of every row unquoted, as some servers send them."""
    return {k: {f: int(v) if v.isdigit() else v for f, v in row.items()} for k, row in tree.items()}


@pytest.mark.parametrize(
    "query", ["PORT", "PORT_TABLE", "BUFFER_POOL", "BUFFER_PROFILE", "SCHEDULER", "WRED_PROFILE", "PFC_WD"]
)
def test_a_number_and_the_text_of_it_are_equal(query: str) -> None:
    result = audited({LEAF: {query: as_numbers}})
    assert (rules(result), result.not_audited) == ([], ())


def test_text_that_looks_like_a_number_stays_text() -> None:
    """A description `0123`, and a serial number of digits only, lose no zero."""

    def described(tree: Any) -> None:
        tree["Ethernet0"]["description"] = "0123"

    result = audited({LEAF: {"PORT": described}})
    assert [c.observed["running"] for f in result.findings for c in f.comparisons] == ["0123"]
    read = sonic.read({**told_by(LEAF), "EEPROM_INFO": replace(told_by(LEAF)["PORT"], text='{"Value": "00420"}')}, LEAF)
    state = read.stores[Store.STATE]
    assert state.system is not None
    assert state.system.serial == "00420"


def test_a_counter_keeps_all_its_20_digits() -> None:
    largest = 2**64 - 1
    for value in (largest, str(largest)):
        text = json.dumps({"x": {"in-octets": value}})
        assert rows("COUNTERS", json.loads(text))["x"]["in-octets"] == str(largest)


def test_a_variant_a_number_with_a_dot_is_no_whole_number_and_not_seen() -> None:
    """`9216.0` from a server that has floats only: it is told, not rounded and not taken for another MTU."""

    def floats(tree: Any) -> None:
        tree["Ethernet0"]["mtu"] = 9216.5

    result = audited({LEAF: {"PORT": floats}})
    assert rules(result) == []
    assert result.exit_code() == 3
    assert "9216.5" in result.not_audited[0].reason


# Case A18, answers that are too large


def query(table: str) -> Query:
    return Query(id=table, store=Store.RUNNING, transport="gnmi", target="CONFIG_DB", path=(table,))


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    with running(tmp_path) as one:
        one.tables["CONFIG_DB", "PORT"] = "{}"
        yield one


def padded(mib: int) -> str:
    return json.dumps({f"Ethernet{n}": {"description": "x" * 2**20} for n in range(mib)})


def test_an_answer_of_6_mib_is_read_as_it_comes(device: Device) -> None:
    device.tables["CONFIG_DB", "QUEUE"] = padded(6)
    with GnmiClient(device.target, 10) as client:
        answers = client.get([query("QUEUE")])
    assert isinstance(answers, Mapping)
    assert len(rows("QUEUE", json.loads(answers["QUEUE"].text))) == 6


def test_an_answer_above_the_limit_is_one_line_with_size_limit_and_setting_and_costs_no_other(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """80 MiB against 64 in the case; the same in small, since server and client are one process here."""
    assert MESSAGE_LIMIT_BYTES == 64 * 2**20
    monkeypatch.setenv(LIMIT_VARIABLE, "4")
    device.tables["CONFIG_DB", "QUEUE"] = padded(5)
    with GnmiClient(device.target, 20) as client:
        answers = client.get([query("PORT"), query("QUEUE")])
    assert isinstance(answers, Mapping)
    assert answers["PORT"].text == "{}"
    assert answers["QUEUE"].miss is Miss.FAILED
    told = answers["QUEUE"].reason
    assert "\n" not in told
    assert "5.0 MiB" in told
    assert "4.0 MiB" in told
    assert LIMIT_VARIABLE in told


def test_a_part_that_was_too_large_is_not_audited_and_nothing_of_it_is_missing() -> None:
    too_large = replace(told_by(LEAF)["PORT"], text="", miss=Miss.FAILED, reason="gNMI path: an answer of 83,886,127 B")
    result = audited({LEAF: {"BUFFER_PG": too_large}})
    assert rules(result) == []
    assert [n.device for n in result.not_audited] == [LEAF]
    assert result.exit_code() == 3


def test_a_variant_the_limit_can_be_set_and_a_wrong_one_is_refused(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.tables["CONFIG_DB", "QUEUE"] = padded(3)
    monkeypatch.setenv(LIMIT_VARIABLE, "2")
    with GnmiClient(device.target, 10) as client:
        answers = client.get([query("QUEUE")])
    assert isinstance(answers, Mapping)
    assert "larger than max 2.0 MiB" in answers["QUEUE"].reason
    for wrong in ("0", "64MiB", "-1", "1e3", "99999"):
        monkeypatch.setenv(LIMIT_VARIABLE, wrong)
        with pytest.raises(Unusable, match=LIMIT_VARIABLE):
            GnmiClient(device.target, 10)


# Case A20, a host that failed once


THREE = (LEAF, OTHER_LEAF, SPINE)


@pytest.fixture
def three(tmp_path: Path) -> Iterator[dict[str, Device]]:
    """Three switches that answer everything an audit asks."""
    with ExitStack() as stack:
        devices = {name: stack.enter_context(running(tmp_path / name, name)) for name in THREE}
        for name, one in devices.items():
            for asked in sonic.QUERIES:
                answer = told_by(name)[asked.id]
                if asked.transport == "gnmi" and answer.miss is None:
                    one.tables[asked.target, *asked.path] = answer.text
                elif asked.transport == "ssh":
                    one.commands[asked.command] = (0, answer.text, "")
        yield devices


def audit_of(devices: Mapping[str, Device], closed: str = "") -> AuditResult:
    reached = {name: one.target for name, one in devices.items()}
    if closed:
        reached[closed] = replace(reached[closed], gnmi_port=1, ssh_port=1)
    seen = {o.device: compare(two_plane(), o) for o in observe(two_plane(), reached, 10)}
    return conclude(two_plane(), seen, NOON, scope=THREE)


def test_a_host_that_refused_once_is_a_row_of_its_audit_and_is_tried_again(three: dict[str, Device]) -> None:
    first = audit_of(three, closed=OTHER_LEAF)
    assert {d.name: d.audited for d in first.devices} == {LEAF: "complete", OTHER_LEAF: "not", SPINE: "complete"}
    assert [n.device for n in first.not_audited] == [OTHER_LEAF]
    assert "connection refused" in first.not_audited[0].reason
    assert (rules(first), first.exit_code()) == ([], 3)
    second = audit_of(three)
    assert {d.audited for d in second.devices} == {"complete"}
    assert (rules(second), second.not_audited, second.exit_code()) == ([], (), 0)


def test_a_task_that_fails_on_one_host_leaves_the_answers_of_the_others() -> None:
    def task(number: int) -> float:
        return 6 / number

    for _ in range(2):
        given = dict(each_host({"a": 1, "b": 0, "c": 3}, task))
        assert (given["a"], given["c"]) == (6, 2)
        assert isinstance(given["b"], HostError)
        assert "ZeroDivisionError" in given["b"].reason


def test_a_variant_every_host_fails_and_every_one_is_a_row(three: dict[str, Device]) -> None:
    for one in three.values():
        one.target = replace(one.target, gnmi_port=1, ssh_port=1)
    result = audit_of(three)
    assert {d.name: d.audited for d in result.devices} == dict.fromkeys(THREE, "not")
    assert {n.device for n in result.not_audited} == set(THREE)
    assert (rules(result), result.exit_code()) == ([], 3)
