"""Everything a platform asks, of one device: a query ends as an answer, whatever happens to the device."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collect.device import Device
from netaudit.collect.doctor import Verdict, examine
from netaudit.collect.failure import ReachStep
from netaudit.collect.read import collect_device, silence
from netaudit.collect.secrets import Secret
from netaudit.diag import Unusable
from netaudit.platforms import Answer, Miss, Query
from netaudit.state import Store

PORT = Query(id="PORT", store=Store.RUNNING, transport="gnmi", target="CONFIG_DB", path=("PORT",))
FRR = Query(id="frr", store=Store.RUNNING, transport="ssh", command="vtysh -c 'show running-config'")
SAVED = Query(id="saved", store=Store.SAVED, transport="ssh", command="sudo cat /etc/sonic/frr/frr.conf")
QUERIES = (PORT, FRR, SAVED)


@pytest.fixture
def filled(device: Device) -> Device:
    device.tables["CONFIG_DB", "PORT"] = "{}"
    device.commands[FRR.command] = (0, "router bgp 1\n", "")
    device.commands[SAVED.command] = (0, "router bgp 2\n", "")
    return device


def test_each_query_is_answered_over_its_transport_in_the_order_asked(filled: Device) -> None:
    answers = collect_device(QUERIES, filled.target, 5)
    assert list(answers.items()) == [
        ("PORT", Answer(text="{}")),
        ("frr", Answer(text="router bgp 1\n")),
        ("saved", Answer(text="router bgp 2\n")),
    ]
    assert silence(answers) is None


def test_a_missing_file_is_absent_and_a_missing_program_is_a_failure(filled: Device) -> None:
    filled.commands[SAVED.command] = (1, "", "cat: /etc/sonic/frr/frr.conf: No such file or directory\n")
    filled.commands[FRR.command] = (127, "", "bash: vtysh: No such file or directory\n")
    answers = collect_device(QUERIES, filled.target, 5)
    assert answers["saved"] == Answer(miss=Miss.ABSENT)
    assert answers["frr"].miss is Miss.FAILED
    assert answers["frr"].reason == "SSH path: exit code 127: bash: vtysh: No such file or directory"


def test_one_transport_down_leaves_the_other(filled: Device) -> None:
    answers = collect_device(QUERIES, replace(filled.target, gnmi_port=1), 5)
    assert answers["PORT"] == Answer(miss=Miss.FAILED, reason="gNMI TCP: 127.0.0.1:1: connection refused")
    assert answers["frr"].text
    assert silence(answers) is None


def test_a_silent_device_answers_nothing_and_says_why(filled: Device) -> None:
    answers = collect_device(QUERIES, replace(filled.target, gnmi_port=1, ssh_port=2), 5)
    assert {a.miss for a in answers.values()} == {Miss.FAILED}
    assert silence(answers) == ("gNMI TCP: 127.0.0.1:1: connection refused; SSH TCP: 127.0.0.1:2: connection refused")


def test_a_connection_lost_half_way_fails_what_follows_and_keeps_what_came(filled: Device) -> None:
    filled.cut.add(FRR.command)
    answers = collect_device(QUERIES, filled.target, 5)
    assert answers["PORT"].text
    assert {answers["frr"].miss, answers["saved"].miss} == {Miss.FAILED}


def test_text_that_is_not_utf8_is_kept_readable(filled: Device) -> None:
    filled.commands[FRR.command] = (0, "description Zürich\n", "")
    assert collect_device(QUERIES, filled.target, 5)["frr"].text == "description Zürich\n"


def test_a_missing_secret_is_nobodys_device(filled: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NETAUDIT_TEST_PASSWORD", raising=False)
    with pytest.raises(Unusable, match="NETAUDIT_TEST_PASSWORD is not set"):
        collect_device(QUERIES, replace(filled.target, password=Secret("env", "NETAUDIT_TEST_PASSWORD")), 5)


def test_the_doctor_finds_every_step_of_a_sound_device_ok(filled: Device) -> None:
    both = examine(QUERIES, filled.target, 5)
    assert [e.transport for e in both] == ["gnmi", "ssh"]
    assert all(e.ok for e in both)
    assert [str(step) for step in both[0].verdicts] == ["DNS", "TCP", "TLS", "auth", "path"]


def test_the_doctor_stops_at_the_first_step_that_fails(filled: Device) -> None:
    gnmi, ssh = examine(QUERIES, replace(filled.target, ca=None, user="x"), 5)
    ok, fail, none = Verdict.OK, Verdict.FAIL, Verdict.NOT_REACHED
    assert list(gnmi.verdicts.values()) == [ok, ok, fail, none, none]
    assert list(ssh.verdicts.values()) == [ok, ok, ok, fail, none]
    assert gnmi.failure is not None
    assert gnmi.failure.step is ReachStep.TLS


def test_the_doctor_names_the_path_that_gives_nothing(filled: Device) -> None:
    filled.slow["CONFIG_DB", "PORT"] = 3.0
    gnmi, ssh = examine(QUERIES, filled.target, 1)
    assert gnmi.verdicts[ReachStep.PATH] is Verdict.FAIL
    assert gnmi.paths == {"gNMI CONFIG_DB PORT": "path: no answer in 1 s"}
    assert ssh.ok


REFUSING = Query(
    id="one", store=Store.STATE, transport="ssh", command="show x", refusal=r"% |error:", absent="% BGP in"
)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ((0, "\n% Invalid input\n", ""), Answer(miss=Miss.FAILED, reason="SSH path: % Invalid input")),
        ((0, "", "error: permission denied\n"), Answer(miss=Miss.FAILED, reason="SSH path: error: permission denied")),
        ((0, "% BGP inactive\n", ""), Answer(miss=Miss.ABSENT)),
        ((0, '{"a": "% Invalid input"}', ""), Answer(text='{"a": "% Invalid input"}')),
        ((0, "", ""), Answer(text="")),
        ((1, "half", "no"), Answer(miss=Miss.FAILED, reason="SSH path: exit code 1: no")),
    ],
)
def test_what_a_cli_without_exit_codes_says_no_by_is_no_answer(
    device: Device, said: tuple[int, str, str], answer: Answer
) -> None:
    device.commands["show x"] = said
    assert collect_device((REFUSING,), device.target, 5)["one"] == answer


def test_an_exit_code_that_never_comes_is_missed_only_where_it_tells_something(device: Device) -> None:
    device.commands["show x"] = (-1, "all of it\n", "")
    strict = replace(REFUSING, id="two", refusal="")
    answers = collect_device((REFUSING, strict), device.target, 5)
    assert answers["one"] == Answer(text="all of it\n")
    assert answers["two"].miss is Miss.FAILED
    device.cut.add("show x")
    assert collect_device((REFUSING,), device.target, 5)["one"].miss is Miss.FAILED
