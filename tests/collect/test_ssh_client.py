"""The SSH client against a real server on the loopback."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from collect.device import Device
from netaudit.collect.failure import Failure, Kind, ReachStep
from netaudit.collect.ssh import OUTPUT_LIMIT_BYTES, Completed, SshClient, open_ssh
from netaudit.collect.targets import Target


def opened(target: Target) -> SshClient:
    client = open_ssh(target)
    assert isinstance(client, SshClient), str(client)
    return client


def test_a_command_gives_its_exit_code_and_both_outputs(device: Device) -> None:
    device.commands["config save -y"] = (2, "out\n", "err\n")
    with opened(device.target) as client:
        assert client.run("config save -y", 5) == Completed(exit_code=2, stdout="out\n", stderr="err\n")


def test_large_outputs_on_both_sides_do_not_block_each_other(device: Device) -> None:
    device.commands["show"] = (0, "o" * 5_000_000, "e" * 5_000_000)
    with opened(device.target) as client:
        done = client.run("show", 20)
    assert isinstance(done, Completed)
    assert (len(done.stdout), len(done.stderr)) == (5_000_000, 5_000_000)


def test_an_output_above_the_limit_is_cut_off_and_says_so(device: Device) -> None:
    device.commands["show"] = (0, "o" * (OUTPUT_LIMIT_BYTES + 1), "")
    with opened(device.target) as client:
        failure = client.run("show", 60)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.cause) == (Kind.CUT_OFF, "more than 67,108,864 bytes")


def test_input_reaches_the_command(device: Device) -> None:
    device.commands["cat"] = (0, "", "")
    with opened(device.target) as client:
        client.run("cat", 5, stdin="hello\n")
    assert device.stdin == ["hello\n"]


def test_a_command_without_an_end_times_out(device: Device) -> None:
    device.slow["show"] = 30.0
    with opened(device.target) as client:
        failure = client.run("show", 0.3)
    assert isinstance(failure, Failure)
    assert (failure.kind, str(failure)) == (Kind.TIMED_OUT, "path: no answer in 0.3 s")


def test_a_connection_that_ends_in_the_middle_is_no_answer(device: Device) -> None:
    device.cut.add("show")
    with opened(device.target) as client:
        failure = client.run("show", 5)
        assert isinstance(failure, Failure)
        assert failure.kind is Kind.CUT_OFF
        assert not client.alive
        assert isinstance(client.run("show", 5), Failure)
        assert isinstance(client.get("/x"), Failure)
        assert isinstance(client.put("/x", b""), Failure)


def test_a_file_goes_up_whole_and_private_and_comes_back(device: Device) -> None:
    content = os.urandom(300_000)
    with opened(device.target) as client:
        assert client.put("/one.bin", b"older") is None
        assert client.put("/one.bin", content) is None
        assert client.get("/one.bin") == content
    assert [f.name for f in device.root.iterdir()] == ["one.bin"]
    assert (device.root / "one.bin").stat().st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_written_or_read_is_refused_with_its_path(device: Device) -> None:
    with opened(device.target) as client:
        up, down = client.put("/no/such/folder", b"x"), client.get("/nothing")
    assert isinstance(up, Failure)
    assert isinstance(down, Failure)
    assert (up.kind, up.cause) == (Kind.REFUSED, "/no/such/folder: no such file or directory")
    assert (down.kind, down.cause) == (Kind.REFUSED, "/nothing: no such file or directory")


def other_key(target: Target) -> Target:
    assert target.known_hosts is not None
    other = target.known_hosts.with_name("other")
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN5Y0oSTTmkaRvo6ApYuzD3gkhCV7x7BWmmX7eOdQJCu"
    other.write_text(f"[127.0.0.1]:{target.ssh_port} {key}\n")
    return replace(target, known_hosts=other)


def no_key(target: Target) -> Target:
    assert target.known_hosts is not None
    empty = target.known_hosts.with_name("empty")
    empty.touch()
    return replace(target, known_hosts=empty)


WRONG: dict[str, tuple[Callable[[Target], Target], Kind, ReachStep, str]] = {
    "name": (lambda t: replace(t, address="no.such.invalid"), Kind.UNREACHABLE, ReachStep.DNS, "no.such.invalid: "),
    "port": (lambda t: replace(t, ssh_port=1), Kind.UNREACHABLE, ReachStep.TCP, "127.0.0.1:1: connection refused"),
    "another key": (other_key, Kind.HOST_KEY_REFUSED, ReachStep.HOST_KEY, "another host key than known_hosts has"),
    "unknown key": (no_key, Kind.HOST_KEY_REFUSED, ReachStep.HOST_KEY, "not found in known_hosts"),
    "user": (lambda t: replace(t, user="x"), Kind.AUTH_REFUSED, ReachStep.AUTH, "Authentication failed"),
    "no SSH": (lambda t: replace(t, ssh_port=t.gnmi_port), Kind.CUT_OFF, ReachStep.HOST_KEY, "127.0.0.1:"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_device_that_cannot_be_reached_names_the_step_and_leaves_no_thread(device: Device, what: str) -> None:
    change, kind, step, cause = WRONG[what]
    before = set(threading.enumerate())
    failure = open_ssh(change(device.target), 2)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.step) == (kind, step)
    assert cause in failure.cause
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_a_listener_that_never_speaks_times_out(tmp_path: Path, device: Device) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        failure = open_ssh(replace(device.target, ssh_port=silent.getsockname()[1]), 0.5)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.step) == (Kind.TIMED_OUT, ReachStep.HOST_KEY)
