"""The gNMI client against a real server on the loopback: every path ends as an answer, every failure names its step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from collect.device import Device, running
from netaudit.collect.failure import Failure, Kind, ReachStep
from netaudit.collect.gnmi import MESSAGE_LIMIT_BYTES, Capabilities, GnmiClient
from netaudit.collect.targets import Target
from netaudit.platforms import Answer, Miss, Query
from netaudit.state import Store


def query(table: str, target: str = "CONFIG_DB", *, optional: bool = False) -> Query:
    return Query(id=table, store=Store.RUNNING, transport="gnmi", target=target, path=(table,), optional=optional)


def fill(device: Device, *tables: str) -> None:
    for table in tables:
        device.tables["CONFIG_DB", table] = f'{{"of": "{table}"}}'


def test_the_queries_of_one_target_go_in_one_request(device: Device) -> None:
    fill(device, "PORT", "QUEUE")
    device.tables["APPL_DB", "PORT_TABLE"] = "{}"
    with GnmiClient(device.target, 5) as client:
        answers = client.get([query("PORT"), query("PORT_TABLE", "APPL_DB"), query("QUEUE")])
    assert answers == {
        "PORT": Answer(text='{"of": "PORT"}'),
        "PORT_TABLE": Answer(text="{}"),
        "QUEUE": Answer(text='{"of": "QUEUE"}'),
    }
    assert device.requests == [(("CONFIG_DB", "PORT"), ("CONFIG_DB", "QUEUE")), (("APPL_DB", "PORT_TABLE"),)]


def test_a_missing_table_is_absent_and_costs_the_others_nothing(device: Device) -> None:
    fill(device, "PORT", "QUEUE")
    with GnmiClient(device.target, 5) as client:
        answers = client.get([query("PORT"), query("PFC_WD"), query("QUEUE")])
    assert answers["PFC_WD"] == Answer(miss=Miss.ABSENT)
    assert (answers["PORT"].text, answers["QUEUE"].text) == ('{"of": "PORT"}', '{"of": "QUEUE"}')


def test_an_optional_table_is_asked_alone(device: Device) -> None:
    fill(device, "PORT")
    with GnmiClient(device.target, 5) as client:
        answers = client.get([query("PORT"), query("PFC_WD", optional=True)])
    assert answers["PFC_WD"].miss is Miss.ABSENT
    assert device.requests == [(("CONFIG_DB", "PORT"),), (("CONFIG_DB", "PFC_WD"),)]


def test_a_slow_path_costs_only_itself(device: Device) -> None:
    fill(device, "PORT", "QUEUE")
    device.slow["CONFIG_DB", "QUEUE"] = 3.0
    with GnmiClient(device.target, 1) as client:
        answers = client.get([query("PORT"), query("QUEUE")])
    assert answers["PORT"].text
    assert answers["QUEUE"] == Answer(miss=Miss.FAILED, reason="path: no answer in 1 s")


def test_an_answer_under_another_name_is_no_answer(device: Device) -> None:
    fill(device, "PORT", "QUEUE")
    device.misnamed.add(("CONFIG_DB", "QUEUE"))
    with GnmiClient(device.target, 5) as client:
        answers = client.get([query("PORT"), query("QUEUE")])
    assert answers["PORT"].text
    assert answers["QUEUE"] == Answer(miss=Miss.FAILED, reason="path: the answer is for another path")


def test_a_key_with_a_slash_stays_one_element(device: Device) -> None:
    path = ("INTERFACE", "Ethernet0|10.0.0.0/31")
    device.tables["CONFIG_DB", *path] = "{}"
    asked = Query(id="x", store=Store.RUNNING, transport="gnmi", target="CONFIG_DB", path=path)
    with GnmiClient(device.target, 5) as client:
        assert client.get([asked]) == {"x": Answer(text="{}")}


def test_an_answer_above_grpcs_own_4_mib_is_read(device: Device) -> None:
    device.tables["CONFIG_DB", "ROUTES"] = '"' + "x" * 6_000_000 + '"'
    with GnmiClient(device.target, 10) as client:
        answers = client.get([query("ROUTES")])
    assert len(answers["ROUTES"].text) == 6_000_002


def test_an_answer_above_the_limit_fails_and_says_so(device: Device) -> None:
    device.tables["CONFIG_DB", "ROUTES"] = '"' + "x" * MESSAGE_LIMIT_BYTES + '"'
    fill(device, "PORT")
    with GnmiClient(device.target, 20) as client:
        answers = client.get([query("PORT"), query("ROUTES")])
    assert answers["PORT"].text
    assert answers["ROUTES"].miss is Miss.FAILED
    assert "larger than max" in answers["ROUTES"].reason


def test_capabilities(device: Device) -> None:
    with GnmiClient(device.target, 5) as client:
        assert client.capabilities() == Capabilities(
            version="0.7.0", encodings=("JSON", "JSON_IETF"), models=("sonic-db",)
        )


WRONG: dict[str, tuple[Callable[[Target], Target], Kind, ReachStep, str]] = {
    "name": (lambda t: replace(t, address="no.such.invalid"), Kind.UNREACHABLE, ReachStep.DNS, "no.such.invalid: "),
    "port": (lambda t: replace(t, gnmi_port=1), Kind.UNREACHABLE, ReachStep.TCP, "127.0.0.1:1: connection refused"),
    "trust": (lambda t: replace(t, ca=None), Kind.TLS_REFUSED, ReachStep.TLS, "unable to get local issuer certificate"),
    "whom": (lambda t: replace(t, address="localhost"), Kind.TLS_REFUSED, ReachStep.TLS, "Hostname mismatch"),
    "user": (lambda t: replace(t, user="x"), Kind.AUTH_REFUSED, ReachStep.AUTH, "unknown user or password"),
    "no password": (lambda t: replace(t, password=None), Kind.AUTH_REFUSED, ReachStep.AUTH, "unknown user"),
    "no TLS": (lambda t: replace(t, gnmi_port=t.ssh_port), Kind.TLS_REFUSED, ReachStep.TLS, "wrong version number"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_device_that_cannot_be_asked_names_the_step(device: Device, what: str) -> None:
    change, kind, step, cause = WRONG[what]
    with GnmiClient(change(device.target), 5) as client:
        failure = client.get([query("PORT"), query("QUEUE")])
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.step) == (kind, step)
    assert cause in failure.cause
    assert "\n" not in failure.cause


def test_a_certificate_that_ended_is_said_to_have_ended(tmp_path: Path) -> None:
    with running(tmp_path, ended=True) as device, GnmiClient(device.target, 5) as client:
        failure = client.capabilities()
    assert isinstance(failure, Failure)
    assert "certificate has expired" in failure.cause


def test_another_name_in_the_certificate_passes_only_where_it_is_set(tmp_path: Path) -> None:
    with running(tmp_path, certified="192.0.2.1") as device:
        with GnmiClient(device.target, 5) as client:
            assert isinstance(client.capabilities(), Failure)
        with GnmiClient(replace(device.target, tls_name="192.0.2.1"), 5) as client:
            assert isinstance(client.capabilities(), Capabilities)
