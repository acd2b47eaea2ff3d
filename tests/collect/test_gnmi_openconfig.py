"""Keyed paths, streams and encodings against a real server on the loopback that holds one tree of OpenConfig."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import gnmi_serving as serving
import grpc
import pytest
from google.protobuf import json_format

from collect.device import certificates
from netaudit import gnmi
from netaudit.collect.answered import answers_of, updates_of
from netaudit.collect.failure import Failure, Kind
from netaudit.collect.gnmi import LIMIT_VARIABLE, GnmiClient
from netaudit.collect.targets import Target
from netaudit.platforms import Answer, Miss, Query, openconfig
from netaudit.state import Store

PORTS = ("interfaces", "interface[name=*]", "state")
TREE = {
    "interfaces": {
        "interface": [
            {"name": "swp1", "state": {"name": "swp1", "oper-status": "UP", "admin-status": "UP", "mtu": 9216}},
            {"name": "swp2", "state": {"name": "swp2", "oper-status": "DOWN", "admin-status": "UP", "mtu": 9216}},
        ]
    },
    "lldp": {"interfaces": {"interface": [{"name": "swp1", "neighbors": {"neighbor": [{"id": "1"}]}}]}},
}


@dataclass
class Box:
    """A gNMI server with one tree; `get` False: it knows no Get, as Cumulus."""

    tree: object
    encodings: tuple[int, ...] = (gnmi.Encoding.JSON, gnmi.Encoding.JSON_IETF)
    get: bool = True
    extra: tuple[gnmi.SubscribeResponse, ...] = ()
    """Sent before the data of a stream."""
    chatty: bool = False
    """After the sync_response it goes on without a pause."""
    asked: list[tuple[str, int, tuple[tuple[str, ...], ...]]] = field(default_factory=list)
    """Kind of request, encoding, paths."""
    origins: list[str] = field(default_factory=list)
    end: threading.Event = field(default_factory=threading.Event)

    def capabilities(self, request: gnmi.CapabilityRequest, context: grpc.ServicerContext) -> gnmi.CapabilityResponse:
        self.asked.append(("capabilities", 0, ()))
        return gnmi.CapabilityResponse(gNMI_version="0.7.0", supported_encodings=self.encodings)

    def answer(self, request: gnmi.GetRequest, context: grpc.ServicerContext) -> gnmi.GetResponse:
        self.asked.append(("get", request.encoding, tuple(gnmi.elems(path) for path in request.path)))
        self.origins += [path.origin for path in request.path]
        if request.encoding not in self.encodings or not self.get:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "not here")
        notifications = []
        for path in request.path:
            found = serving.get_notification(self.tree, request.prefix, path, request.encoding)
            if found is None:
                context.abort(grpc.StatusCode.NOT_FOUND, "no such path")
            notifications.append(found)
        return gnmi.GetResponse(notification=notifications)

    def subscribe(
        self, requests: Iterator[gnmi.SubscribeRequest], context: grpc.ServicerContext
    ) -> Iterator[gnmi.SubscribeResponse]:
        wanted = next(requests).subscribe
        self.asked.append(("stream", wanted.encoding, tuple(gnmi.elems(s.path) for s in wanted.subscription)))
        if wanted.mode != gnmi.ListMode.STREAM:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "STREAM only")
        over = threading.Event()
        context.add_callback(over.set)
        yield from self.extra
        yield from serving.stream(self.tree, wanted)
        while self.chatty and not over.wait(0.01):
            yield gnmi.SubscribeResponse(update=gnmi.Notification(timestamp=2))
        over.wait(20)


@contextmanager
def serving_box(folder: Path, box: Box, timeout_s: float = 10.0) -> Iterator[GnmiClient]:
    key, chain, ca = certificates(folder / "tls")
    server = grpc.server(ThreadPoolExecutor(4))
    handlers = {
        "Get": grpc.unary_unary_rpc_method_handler(
            box.answer, gnmi.GetRequest.FromString, gnmi.GetResponse.SerializeToString
        ),
        "Capabilities": grpc.unary_unary_rpc_method_handler(
            box.capabilities, gnmi.CapabilityRequest.FromString, gnmi.CapabilityResponse.SerializeToString
        ),
        "Subscribe": grpc.stream_stream_rpc_method_handler(
            box.subscribe, gnmi.SubscribeRequest.FromString, gnmi.SubscribeResponse.SerializeToString
        ),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(gnmi.SERVICE, handlers),))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, chain)]))
    server.start()
    target = Target(name="x", address="127.0.0.1", platform="x", gnmi_port=port, ca=ca)
    try:
        with GnmiClient(target, timeout_s) as client:
            yield client
    finally:
        server.stop(None).wait()


def query(*path: str, id: str = "ports", stream: bool = False, origin: str = "", optional: bool = False) -> Query:
    return Query(id=id, store=Store.STATE, transport="gnmi", path=path, stream=stream, origin=origin, optional=optional)


def answered(folder: Path, box: Box, *queries: Query) -> dict[str, Answer]:
    with serving_box(folder, box) as client:
        found = client.get(queries)
    assert not isinstance(found, Failure), found
    return dict(found)


def up(answer: Answer) -> dict[str, bool | None]:
    return {name: port.oper_up for name, port in openconfig.interfaces(answer.text).items.items()}


def test_a_keyed_path_is_answered_by_one_tree_from_the_root(tmp_path: Path) -> None:
    found = answered(tmp_path, Box(TREE), query(*PORTS))
    assert json.loads(found["ports"].text) == {"interfaces": TREE["interfaces"]}


def test_a_path_without_keys_is_answered_by_its_value_as_it_came(tmp_path: Path) -> None:
    found = answered(tmp_path, Box(TREE), query("interfaces", origin="openconfig"))
    assert json.loads(found["ports"].text) == TREE["interfaces"]
    assert up(found["ports"]) == {"swp1": True, "swp2": False}


def test_the_origin_of_a_path_is_sent(tmp_path: Path) -> None:
    box = Box(TREE)
    answered(tmp_path, box, query(*PORTS, origin="openconfig"))
    assert box.origins == ["openconfig"]


def test_a_stream_brings_the_same_tree_in_one_request(tmp_path: Path) -> None:
    box = Box(TREE, get=False)
    lldp = query("lldp", "interfaces", id="lldp", stream=True)
    found = answered(tmp_path, box, query(*PORTS, stream=True), lldp)
    assert json.loads(found["ports"].text) == {"interfaces": TREE["interfaces"]}
    assert openconfig.lldp(found["lldp"].text).items.keys() == {"swp1"}
    assert [kind for kind, _, _ in box.asked] == ["capabilities", "stream"]


def test_what_a_stream_has_nothing_of_is_absent(tmp_path: Path) -> None:
    box = Box(TREE)
    bgp = query("network-instances", "network-instance[name=*]", id="bgp", stream=True)
    found = answered(tmp_path, box, query(*PORTS, stream=True), bgp)
    assert found["bgp"] == Answer(miss=Miss.ABSENT)
    assert up(found["ports"]) == {"swp1": True, "swp2": False}


def test_a_missing_keyed_path_is_absent_and_costs_the_others_nothing(tmp_path: Path) -> None:
    bgp = query("network-instances", "network-instance[name=*]", id="bgp")
    found = answered(tmp_path, Box(TREE), query(*PORTS), bgp)
    assert found["bgp"] == Answer(miss=Miss.ABSENT)
    assert up(found["ports"]) == {"swp1": True, "swp2": False}


def test_what_a_stream_deletes_is_not_there(tmp_path: Path) -> None:
    ghost = gnmi.Update(path=gnmi.path("interfaces", "interface[name=ghost]", "state", "mtu"))
    ghost.val.uint_val = 1500
    gone = gnmi.path("interfaces", "interface[name=ghost]")
    extra = (
        gnmi.SubscribeResponse(update=gnmi.Notification(update=[ghost])),
        gnmi.SubscribeResponse(update=gnmi.Notification(delete=[gone])),
    )
    found = answered(tmp_path, Box(TREE, extra=extra), query(*PORTS, stream=True))
    assert up(found["ports"]) == {"swp1": True, "swp2": False}


@pytest.mark.parametrize("stream", [False, True])
def test_a_device_without_json_ietf_is_asked_in_json_after_one_look_at_what_it_can(
    tmp_path: Path, stream: bool
) -> None:
    box = Box(TREE, encodings=(gnmi.Encoding.JSON, gnmi.Encoding.PROTO))
    found = answered(tmp_path, box, query(*PORTS, stream=stream), query("lldp", id="lldp", optional=True))
    assert up(found["ports"]) == {"swp1": True, "swp2": False}
    assert [kind for kind, _, _ in box.asked].count("capabilities") == 1
    assert {encoding for kind, encoding, _ in box.asked if kind != "capabilities"} == {gnmi.Encoding.JSON}


def test_a_stream_that_is_never_still_is_left_with_what_it_brought(tmp_path: Path) -> None:
    found = answered(tmp_path, Box(TREE, chatty=True), query(*PORTS, stream=True))
    assert up(found["ports"]) == {"swp1": True, "swp2": False}


def test_a_stream_above_the_limit_is_cut_off_and_says_how_the_limit_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "1")
    big = gnmi.Update(path=gnmi.path("interfaces", "interface[name=x]", "state", "description"))
    big.val.string_val = "x" * 600_000
    response = gnmi.SubscribeResponse(update=gnmi.Notification(update=[big]))
    found = answered(tmp_path, Box(TREE, extra=(response, response)), query(*PORTS, stream=True))
    assert found["ports"].miss is Miss.FAILED
    assert LIMIT_VARIABLE in found["ports"].reason


def test_a_stream_without_end_and_without_sync_times_out(tmp_path: Path) -> None:
    class Silent(Box):
        def subscribe(
            self, requests: Iterator[gnmi.SubscribeRequest], context: grpc.ServicerContext
        ) -> Iterator[gnmi.SubscribeResponse]:
            over = threading.Event()
            context.add_callback(over.set)
            over.wait(20)
            yield from ()

    with serving_box(tmp_path, Silent(TREE), timeout_s=1.0) as client:
        found = client.get([query(*PORTS, stream=True)])
    answer = found if isinstance(found, Failure) else found["ports"]
    assert isinstance(answer, Failure) or answer.miss is Miss.FAILED
    assert "no answer in 1 s" in (answer.cause if isinstance(answer, Failure) else answer.reason)


def test_a_value_that_is_not_understood_is_left_out_where_others_are(tmp_path: Path) -> None:
    odd = gnmi.Update(path=gnmi.path("interfaces", "interface[name=swp1]", "state", "odd"))
    odd.val.proto_bytes = b"\x00"
    extra = (gnmi.SubscribeResponse(update=gnmi.Notification(update=[odd])),)
    found = answered(tmp_path, Box(TREE, extra=extra), query(*PORTS, stream=True))
    assert up(found["ports"]) == {"swp1": True, "swp2": False}


def test_only_values_that_are_not_understood_are_a_failed_answer(tmp_path: Path) -> None:
    odd = gnmi.Update(path=gnmi.path("interfaces", "interface[name=swp1]", "state", "odd"))
    odd.val.proto_bytes = b"\x00"
    extra = (gnmi.SubscribeResponse(update=gnmi.Notification(update=[odd])),)
    found = answered(tmp_path, Box({}, extra=extra), query(*PORTS, stream=True))
    assert found["ports"].miss is Miss.FAILED
    assert "proto_bytes" in found["ports"].reason


def test_a_device_that_is_not_there_is_a_failure_of_the_device(tmp_path: Path) -> None:
    with serving_box(tmp_path, Box(TREE)) as client:
        target = client._target
    with GnmiClient(target, 2.0) as client:
        found = client.get([query(*PORTS, stream=True)])
    assert isinstance(found, Failure)
    assert found.kind is not Kind.TIMED_OUT


CAPTURED = {
    "subscribe_canonical_field_names_responses.json": {"eth42"},
    "subscribe_issue_11778_responses.json": {"eth42"},
    "subscribe_issue_12931_responses.json": {"ethernet-1/1"},
    "subscribe_issue_14044_responses.json": {"FourHundredGigE0/2/0/3"},
    "subscribe_issue_14530_responses.json": {"Ethernet35"},
    "subscribe_issue_17154_responses.json": {"et-0/0/0"},
    "subscribe_tagging_subinterfaces_responses.json": {"xe-0/1/1"},
}


def captured(file: Path) -> Answer:
    responses = [
        json_format.ParseDict(one, gnmi.SubscribeResponse(), ignore_unknown_fields=True)
        for one in json.loads(file.read_text())
    ]
    found = answers_of([query(stream=True)], updates_of(response.update for response in responses))
    assert found is not None
    return found[0]


@pytest.mark.parametrize("name", CAPTURED)
def test_a_captured_stream_becomes_the_tree_of_its_interfaces(name: str, shared: Path) -> None:
    answer = captured(shared / "field" / "real" / "gnmi" / name)
    assert openconfig.interfaces(answer.text).items.keys() == CAPTURED[name]


def test_every_captured_stream_becomes_one_json_tree(shared: Path) -> None:
    files = sorted((shared / "field" / "real" / "gnmi").glob("subscribe_*.json"))
    assert files
    for file in files:
        assert isinstance(json.loads(captured(file).text), dict)


def test_a_neighbor_address_that_is_spelled_as_protobuf_does_is_found(shared: Path) -> None:
    answer = captured(shared / "field" / "real" / "gnmi" / "subscribe_issue_11011_responses.json")
    assert [s.address for s in openconfig.sessions(answer.text).items.values()] == ["192.0.2.1"]
