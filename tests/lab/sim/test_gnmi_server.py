"""gNMI as a client sees it: real gRPC with TLS (sonic.md section 8)."""

from __future__ import annotations

import json
import subprocess
import sys

import grpc
import pytest

from lab.sim.client import Client, native, refusal, run, set_, value_of
from netaudit import gnmi

pytestmark = pytest.mark.lab


def test_capabilities_name_version_and_encodings(running: Client) -> None:
    answer = running.call("leaf1", gnmi.CAPABILITIES, gnmi.CapabilityRequest(), gnmi.CapabilityResponse)
    assert answer.gNMI_version == "0.7.0"
    assert set(answer.supported_encodings) == {gnmi.Encoding.JSON, gnmi.Encoding.JSON_IETF, gnmi.Encoding.PROTO}
    assert "sonic-db" in {model.name for model in answer.supported_models}


def test_several_paths_give_one_notification_each_in_their_order(running: Client) -> None:
    table, row, field = running.get(
        "leaf1", "CONFIG_DB", ("PORT",), ("PORT", "Ethernet56"), ("PORT", "Ethernet56", "speed")
    )
    assert table["Ethernet56"] == row
    assert (row["speed"], field) == ("800000", "800000")


def test_each_database_answers(running: Client) -> None:
    assert running.get("leaf1", "APPL_DB", ("PORT_TABLE", "Ethernet56", "oper_status")) == ["up"]
    assert running.get("leaf1", "STATE_DB", ("EEPROM_INFO", "0x23", "Value")) == ["MTleaf1"]
    assert running.get("leaf1", "APPL_DB", ("ROUTE_TABLE", "10.0.2.0/29", "protocol")) == ["bgp"]
    assert running.get("leaf1", "COUNTERS_DB", ("COUNTERS", "Ethernet0", "SAI_PORT_STAT_PFC_3_RX_PKTS")) == ["0"]
    (by_alias,) = running.get("leaf1", "COUNTERS_DB", ("COUNTERS", "Ethernet*"))
    (oids,) = running.get("leaf1", "COUNTERS_DB", ("COUNTERS_PORT_NAME_MAP",))
    assert ("etp8" in by_alias, oids["Ethernet0"].startswith("oid:0x")) == (True, True)


@pytest.mark.parametrize(
    ("target", "path", "fields", "code"),
    [
        ("CONFIG_DB", ("VLAN",), {}, "NOT_FOUND"),
        ("CONFIG_DB", ("PORT", "Ethernet1"), {}, "NOT_FOUND"),
        ("CONFIG_DB", ("PORT", "Ethernet0", "nope"), {}, "NOT_FOUND"),
        ("ASIC_DB", ("ASIC_STATE",), {}, "NOT_FOUND"),
        ("CONFIG_DB", ("PORT",), {"type": gnmi.DataType.CONFIG}, "UNIMPLEMENTED"),
        ("CONFIG_DB", ("PORT",), {"encoding": gnmi.Encoding.ASCII}, "UNIMPLEMENTED"),
        ("", ("interfaces",), {}, "UNIMPLEMENTED"),
        ("NO_DB", ("PORT",), {}, "INVALID_ARGUMENT"),
        ("CONFIG_DB", (), {}, "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_had_has_its_status(
    running: Client, target: str, path: tuple[str, ...], fields: dict[str, int], code: str
) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        running.get("leaf1", target, path, **fields)
    assert refusal(refused.value)[0] == code


def test_an_answer_above_four_mebibytes_is_not_sent(running: Client) -> None:
    rows = {f"Ethernet{number}": {"description": "x" * 1000} for number in range(5000, 9500)}
    box = running.labdir / "devices/spine1"
    (box / "tmp/large.json").write_text(json.dumps({"LARGE": rows}), encoding="utf-8")
    with running.ssh("spine1") as ssh:
        assert run(ssh, "sudo config load -y /tmp/large.json")[0] == 0
    with pytest.raises(grpc.RpcError) as refused:
        running.get("spine1", "CONFIG_DB", ("LARGE",))
    assert refusal(refused.value)[0] == "RESOURCE_EXHAUSTED"
    assert running.get("spine1", "CONFIG_DB", ("LARGE", "Ethernet5000", "description")) == ["x" * 1000]


@pytest.mark.parametrize("login", [("admin", "wrong"), ("root", ""), ("", "")])
def test_without_the_password_nothing_is_answered(running: Client, login: tuple[str, str]) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        running.call("leaf1", gnmi.CAPABILITIES, gnmi.CapabilityRequest(), gnmi.CapabilityResponse, login)
    assert refusal(refused.value)[0] == "UNAUTHENTICATED"


def test_a_client_that_does_not_know_the_ca_is_not_served(running: Client) -> None:
    with grpc.secure_channel(f"127.0.0.1:{running.port('leaf1', 'gnmi')}", grpc.ssl_channel_credentials()) as channel:
        with pytest.raises(grpc.RpcError) as refused:
            channel.unary_unary(gnmi.CAPABILITIES)(b"", timeout=2)
        assert refused.value.code().name == "UNAVAILABLE"


def json_value(data: object) -> gnmi.TypedValue:
    return gnmi.TypedValue(json_ietf_val=json.dumps(data).encode())


def test_a_set_goes_through_gcu_and_is_saved(running: Client) -> None:
    port = native("PORT", "Ethernet48")
    answer = set_(
        running, update=[gnmi.Update(path=native("PORT", "Ethernet48", "mtu"), val=gnmi.TypedValue(string_val="9000"))]
    )
    assert [one.op for one in answer.response] == [gnmi.Operation.UPDATE]
    (row,) = [value_of(one) for one in running.call(
        "spine2", gnmi.GET, gnmi.GetRequest(path=[port]), gnmi.GetResponse).notification]  # fmt: skip
    saved = json.loads((running.labdir / "devices/spine2/etc/sonic/config_db.json").read_text(encoding="utf-8"))
    assert (row["mtu"], saved["PORT"]["Ethernet48"]["mtu"]) == ("9000", "9000")


def test_a_set_is_all_or_nothing(running: Client) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        set_(
            running,
            replace=[gnmi.Update(path=native("PORT", "Ethernet56", "mtu"), val=gnmi.TypedValue(string_val="1500"))],
            delete=[native("BUFFER_POOL")],
        )
    assert "BUFFER_POOL table is illegal" in refusal(refused.value)[1]
    assert running.get("spine2", "CONFIG_DB", ("PORT", "Ethernet56", "mtu")) == ["9216"]


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (native("INTERFACE", "Ethernet0|10.0.0.0/31"), json_value({}), "ABORTED"),  # the slash is not escaped
        (native("PORT", "Ethernet0", "mtu"), gnmi.TypedValue(json_ietf_val=b"{"), "INVALID_ARGUMENT"),
        (native("PORT", "Ethernet0", "mtu"), gnmi.TypedValue(int_val=9), "INVALID_ARGUMENT"),
        (native(), json_value({}), "INVALID_ARGUMENT"),
        (gnmi.path("PORT", "Ethernet0", "mtu", target="CONFIG_DB"), json_value("1"), "UNIMPLEMENTED"),
        (gnmi.path("APPL_DB", "localhost", "X", origin="sonic-db"), json_value({}), "INVALID_ARGUMENT"),
    ],
)
def test_a_set_that_cannot_be_has_its_status(
    running: Client, path: gnmi.Path, value: gnmi.TypedValue, code: str
) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        set_(running, update=[gnmi.Update(path=path, val=value)])
    assert refusal(refused.value)[0] == code


def whole(running: Client, name: str) -> object:
    answer = running.call(name, gnmi.GET, gnmi.GetRequest(path=[native()]), gnmi.GetResponse)
    return value_of(answer.notification[0])


def test_the_whole_is_replaced_by_replace_and_only_pretended_to_be_by_delete_and_update(running: Client) -> None:
    config = whole(running, "spine2")
    config["PORT"]["Ethernet40"]["mtu"] = "1500"
    update = gnmi.Update(path=native(), val=json_value(config))
    set_(running, delete=[native()], update=[update])
    assert running.get("spine2", "CONFIG_DB", ("PORT", "Ethernet40", "mtu")) == ["9216"]
    set_(running, replace=[update])
    assert running.get("spine2", "CONFIG_DB", ("PORT", "Ethernet40", "mtu")) == ["1500"]


def wanted(list_mode: gnmi.ListMode, path: gnmi.Path, **fields: int) -> gnmi.SubscribeRequest:
    return gnmi.SubscribeRequest(
        subscribe=gnmi.SubscriptionList(
            prefix=gnmi.path(target="CONFIG_DB"),
            mode=list_mode,
            encoding=gnmi.Encoding.JSON_IETF,
            subscription=[gnmi.Subscription(path=path, **fields)],
        )
    )


MTU = gnmi.path("PORT", "Ethernet24", "mtu")


def test_once_gives_every_value_and_says_that_it_is_all(running: Client) -> None:
    answers = list(running.subscribe("spine2", [wanted(gnmi.ListMode.ONCE, MTU)]))
    assert [one.WhichOneof("response") for one in answers] == ["update", "sync_response"]
    assert value_of(answers[0].update) == "9216"


def test_poll_gives_the_values_again_at_each_poll(running: Client) -> None:
    requests = [wanted(gnmi.ListMode.POLL, MTU), *[gnmi.SubscribeRequest(poll=gnmi.Poll())] * 2]
    answers = list(running.subscribe("spine2", requests))
    assert [one.WhichOneof("response") for one in answers] == ["update", "sync_response"] * 3


def test_sample_repeats_and_on_change_waits_for_one(running: Client) -> None:
    sample = wanted(gnmi.ListMode.STREAM, MTU, mode=gnmi.SubscriptionMode.SAMPLE, sample_interval=1_000_000_000)
    stream = running.subscribe("spine2", [sample])
    kinds = [next(stream).WhichOneof("response") for _ in range(3)]
    stream.close()
    assert kinds == ["update", "sync_response", "update"]
    stream = running.subscribe("spine2", [wanted(gnmi.ListMode.STREAM, MTU, mode=gnmi.SubscriptionMode.ON_CHANGE)])
    assert [next(stream).WhichOneof("response") for _ in range(2)] == ["update", "sync_response"]
    other = native("PORT", "Ethernet32", "mtu")
    set_(running, update=[gnmi.Update(path=other, val=gnmi.TypedValue(string_val="2000"))])
    ours = native("PORT", "Ethernet24", "mtu")
    set_(running, update=[gnmi.Update(path=ours, val=gnmi.TypedValue(string_val="3000"))])
    assert value_of(next(stream).update) == "3000"
    stream.close()


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (wanted(gnmi.ListMode.STREAM, MTU), "INVALID_ARGUMENT"),
        (wanted(gnmi.ListMode.STREAM, MTU, mode=2, sample_interval=999_999_999), "INVALID_ARGUMENT"),
        (wanted(gnmi.ListMode.ONCE, gnmi.path("NOPE")), "NOT_FOUND"),
        (gnmi.SubscribeRequest(poll=gnmi.Poll()), "INVALID_ARGUMENT"),
        (gnmi.SubscribeRequest(subscribe=gnmi.SubscriptionList()), "INVALID_ARGUMENT"),
    ],
    ids=["TARGET_DEFINED", "too often", "not there", "poll first", "nothing"],
)
def test_a_subscription_that_cannot_be_has_its_status(
    running: Client, request_: gnmi.SubscribeRequest, code: str
) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        list(running.subscribe("spine2", [request_]))
    assert refusal(refused.value)[0] == code


PYGNMI = """
import json, sys
from pygnmi.client import gNMIclient
port, password, ca = sys.argv[1:]
with gNMIclient(target=("127.0.0.1", int(port)), username="admin", password=password, path_root=ca) as client:
    version = client.capabilities()["gnmi_version"]
    got = client.get(path=["PORT/Ethernet56"], target="CONFIG_DB", encoding="json_ietf")
    once = client.subscribe2(subscribe={"subscription": [{"path": "PORT/Ethernet56/speed"}], "mode": "once",
                                        "encoding": "json_ietf"}, target="CONFIG_DB")
    kinds = [sorted(one) for one in once]
print(json.dumps([version, got["notification"][0]["update"][0]["val"]["speed"], kinds]))
"""


def test_another_client_gets_the_same(running: Client) -> None:
    port, ca = str(running.port("leaf1", "gnmi")), str(running.targets["ca"])
    done = subprocess.run(
        [sys.executable, "-c", PYGNMI, port, running.password, ca],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    version, speed, kinds = json.loads(done.stdout)
    assert (version, speed) == ("0.7.0", "800000")
    assert [kind for kind in kinds if "update" in kind or "sync_response" in kind]
