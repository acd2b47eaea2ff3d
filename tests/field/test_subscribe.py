"""Field case A19: a Subscribe ONCE that says too early, too late or never that it is complete."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from collect.device import certificates

from netaudit import gnmi
from netaudit.collect.failure import Failure, Kind
from netaudit.collect.gnmi import GnmiClient, Once
from netaudit.collect.targets import Target

HANG, CLOSE, SYNC = "(hang)", "close", "sync"


def message(word: str) -> gnmi.SubscribeResponse:
    if word == SYNC:
        return gnmi.SubscribeResponse(sync_response=True)
    value = gnmi.TypedValue(json_ietf_val=f'"{word}"'.encode())
    update = gnmi.Update(path=gnmi.path("interfaces", word), val=value)
    return gnmi.SubscribeResponse(update=gnmi.Notification(update=[update]))


@contextmanager
def serving(folder: Path, *script: str) -> Iterator[Target]:
    """A target that sends what the script says; `(hang)` waits for the client to end it, `cut` is an error."""
    end = threading.Event()

    def subscribe(
        requests: Iterator[gnmi.SubscribeRequest], context: grpc.ServicerContext
    ) -> Iterator[gnmi.SubscribeResponse]:
        assert next(requests).subscribe.mode == gnmi.ListMode.ONCE
        context.add_callback(end.set)
        for word in script:
            if word == HANG:
                end.wait(20)
            elif word == "cut":
                context.abort(grpc.StatusCode.INTERNAL, "the agent restarts")
            elif word != CLOSE:
                yield message(word)

    key, chain, ca = certificates(folder / "tls")
    server = grpc.server(ThreadPoolExecutor(2))
    handler = grpc.stream_stream_rpc_method_handler(
        subscribe, gnmi.SubscribeRequest.FromString, gnmi.SubscribeResponse.SerializeToString
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(gnmi.SERVICE, {"Subscribe": handler}),))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, chain)]))
    server.start()
    try:
        yield Target(name="x", address="127.0.0.1", platform="sonic", gnmi_port=port, ca=ca)
    finally:
        end.set()
        server.stop(None).wait()


def asked(folder: Path, *script: str, timeout_s: float = 5.0) -> Once | Failure:
    with serving(folder, *script) as target, GnmiClient(target, timeout_s) as client:
        return client.subscribe_once([gnmi.path("interfaces")], grace_s=0.2)


COMPLETE = {
    "good": ("u1", "u2", SYNC, CLOSE),
    "a sync after each update": ("u1", SYNC, "u2", SYNC, CLOSE),
    "never closed": ("u1", "u2", SYNC, HANG),
    "a sync first, and never closed": (SYNC, "u1", "u2", HANG),
}


@pytest.mark.parametrize("script", COMPLETE.values(), ids=COMPLETE)
def test_every_update_is_used_whenever_the_sync_comes(script: tuple[str, ...], tmp_path: Path) -> None:
    found = asked(tmp_path, *script)
    assert isinstance(found, Once)
    assert [(path, answer.text) for path, answer in found.updates] == [
        ("interfaces/u1", '"u1"'),
        ("interfaces/u2", '"u2"'),
    ]
    assert found.synced


def test_a_stream_that_ends_well_without_a_sync_is_used_and_said_to_have_none(tmp_path: Path) -> None:
    found = asked(tmp_path, "u1", "u2", CLOSE)
    assert isinstance(found, Once)
    assert (len(found.updates), found.synced) == (2, False)


def test_a_silent_target_is_a_time_out_and_no_empty_answer(tmp_path: Path) -> None:
    found = asked(tmp_path, HANG, timeout_s=1.0)
    assert isinstance(found, Failure)
    assert (found.kind, found.cause) == (Kind.TIMED_OUT, "no answer in 1 s")


def test_updates_without_a_sync_and_without_an_end_are_half_an_answer(tmp_path: Path) -> None:
    found = asked(tmp_path, "u1", HANG, timeout_s=1.0)
    assert isinstance(found, Failure)


def test_a_variant_a_stream_that_breaks_before_the_sync_is_half_an_answer(tmp_path: Path) -> None:
    found = asked(tmp_path, "u1", "cut")
    assert isinstance(found, Failure)
    assert "the agent restarts" in found.cause
