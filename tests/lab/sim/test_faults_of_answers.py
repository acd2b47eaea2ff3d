"""Switches that answer late, too much, in part or in another's name: what a client gets over real gRPC and SSH."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import grpc
import pytest

from lab.sim.client import Client, refusal, run
from netaudit import gnmi
from netaudit.lab import control

pytestmark = pytest.mark.lab

PORTS = gnmi.GetRequest(prefix=gnmi.path(target="CONFIG_DB"), path=[gnmi.path("PORT")])


@pytest.fixture
def lab(running: Client) -> Iterator[Client]:
    """The running lab, healed afterwards."""
    yield running
    control.heal(running.labdir)


def broken(lab: Client, *fault: str) -> None:
    control.break_(lab.labdir, fault[0], fault[1:])


def ports(lab: Client, limit_bytes: int = -1) -> bytes:
    """PORT of a leaf as it comes over the wire."""
    credentials = grpc.ssl_channel_credentials((lab.labdir / "access/ca.pem").read_bytes())
    where = f"127.0.0.1:{lab.port('leaf1', 'gnmi')}"
    options = [("grpc.max_receive_message_length", limit_bytes)]
    with grpc.secure_channel(where, credentials, options=options) as channel:
        call = channel.unary_unary(
            gnmi.GET,
            request_serializer=gnmi.GetRequest.SerializeToString,
            response_deserializer=gnmi.GetResponse.FromString,
        )
        answer = call(PORTS, timeout=10, metadata=[("username", "admin"), ("password", lab.password)])
    return bytes(answer.notification[0].update[0].val.json_ietf_val)


def test_a_value_that_is_cut_off_is_half_of_it(lab: Client) -> None:
    whole = ports(lab)
    broken(lab, "cut-off", "leaf1", "PORT")
    half = ports(lab)
    assert half == whole[: len(whole) // 2]
    with pytest.raises(json.JSONDecodeError):
        json.loads(half)
    assert lab.get("leaf1", "CONFIG_DB", ("INTERFACE",)) != []


def test_a_large_value_is_the_same_json_and_above_the_default_limit(lab: Client) -> None:
    whole = ports(lab)
    broken(lab, "large", "leaf1", "PORT", "5")
    large = ports(lab)
    assert (len(large), json.loads(large)) == (5 * 2**20, json.loads(whole))
    with pytest.raises(grpc.RpcError) as refused:
        ports(lab, 4 * 2**20)
    assert refusal(refused.value)[0] == "RESOURCE_EXHAUSTED"


def test_numbers_come_as_the_fault_says(lab: Client) -> None:
    broken(lab, "numbers", "leaf1", "ints")
    assert json.loads(ports(lab))["Ethernet56"]["mtu"] == 9216
    with lab.ssh("leaf1") as ssh:
        plain = json.loads(run(ssh, "sudo vtysh -c 'show bgp summary json'")[1])
        broken(lab, "numbers", "leaf1", "strings")
        texts = json.loads(run(ssh, "sudo vtysh -c 'show bgp summary json'")[1])
    assert (plain["ipv4Unicast"]["as"], texts["ipv4Unicast"]["as"]) == (4200000000, "4200000000")


def subscribed(lab: Client) -> list[str]:
    """What kinds of answers a subscription ONCE brings."""
    wanted = gnmi.SubscriptionList(
        prefix=gnmi.path(target="CONFIG_DB"),
        subscription=[gnmi.Subscription(path=gnmi.path("PORT"))],
        mode=gnmi.ListMode.ONCE,
    )
    answers = lab.subscribe("leaf1", [gnmi.SubscribeRequest(subscribe=wanted)])
    return [str(answer.WhichOneof("response")) for answer in answers]


def test_a_subscription_that_never_syncs_ends_without_the_word(lab: Client) -> None:
    assert subscribed(lab) == ["update", "sync_response"]
    broken(lab, "no-sync", "leaf1")
    assert subscribed(lab) == ["update"]


def test_a_slow_switch_answers_late_and_right(lab: Client) -> None:
    broken(lab, "slow", "leaf1", "300")
    started = time.monotonic()
    assert lab.get("leaf1", "CONFIG_DB", ("PORT", "Ethernet56", "mtu")) == ["9216"]
    with lab.ssh("leaf1") as ssh:
        assert run(ssh, "hostname")[0] == 0
    assert time.monotonic() - started >= 0.6


def test_a_switch_that_hangs_takes_requests_and_answers_when_it_is_healed(lab: Client) -> None:
    broken(lab, "hang", "leaf1")
    with lab.channel("leaf1") as channel:
        call = channel.unary_unary(
            gnmi.GET,
            request_serializer=gnmi.GetRequest.SerializeToString,
            response_deserializer=gnmi.GetResponse.FromString,
        )
        login = [("username", "admin"), ("password", lab.password)]
        with pytest.raises(grpc.RpcError) as late:
            call(PORTS, timeout=0.5, metadata=login)
        assert refusal(late.value)[0] == "DEADLINE_EXCEEDED"
        waiting = call.future(PORTS, timeout=10, metadata=login)
        control.heal(lab.labdir)
        assert len(waiting.result().notification) == 1
    assert lab.get("leaf2", "CONFIG_DB", ("PORT", "Ethernet56", "mtu")) == ["9216"]


def test_another_switch_answers_over_both_transports(lab: Client) -> None:
    name = ("DEVICE_METADATA", "localhost", "hostname")
    broken(lab, "impostor", "leaf1", "spine1")
    assert lab.get("leaf1", "CONFIG_DB", name) == ["spine1"]
    with lab.ssh("leaf1") as ssh:
        assert run(ssh, "hostname")[1] == "spine1\n"
    control.heal(lab.labdir)
    assert lab.get("leaf1", "CONFIG_DB", name) == ["leaf1"]
