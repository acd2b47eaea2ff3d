"""SSH as a client sees it: commands with exit codes, and files."""

from __future__ import annotations

import json
import os

import paramiko
import pytest

from lab.sim.client import TIMEOUT_S, Client, run

pytestmark = pytest.mark.lab


def test_a_command_has_its_exit_code_and_both_outputs(running: Client) -> None:
    with running.ssh("leaf1") as ssh:
        assert run(ssh, "sudo config list-checkpoints") == (0, "[]\n", "")
        assert run(ssh, "cat /nope") == (1, "", "cat: /nope: No such file or directory\n")
        assert run(ssh, "nope")[0] == 127
        assert run(ssh, "ls | cat")[0] == 2
        code, out, _ = run(ssh, "vtysh -c 'show bgp summary json'")
        assert (code, json.loads(out)["ipv4Unicast"]["as"]) == (0, 4200000000)


def test_a_large_file_comes_over_whole(running: Client) -> None:
    content = os.urandom(3_000_000)
    with running.ssh("leaf1") as ssh, ssh.open_sftp() as sftp:
        with sftp.open("/tmp/big", "wb") as file:
            file.write(content)
        _, stdout, _ = ssh.exec_command("cat /tmp/big", timeout=TIMEOUT_S)
        assert stdout.read() == content
        assert stdout.channel.recv_exit_status() == 0
        sftp.rename("/tmp/big", "/tmp/bigger")
        assert sorted(sftp.listdir("/tmp")) == ["bigger"]
        sftp.remove("/tmp/bigger")


def test_sftp_does_not_lead_out_of_the_box(running: Client) -> None:
    with running.ssh("leaf1") as ssh, ssh.open_sftp() as sftp:
        assert "lab.json" not in sftp.listdir("/..")
        with pytest.raises(OSError, match="No such file"):
            sftp.open("/../../lab.json")


def test_a_wrong_password_is_refused(running: Client) -> None:
    with pytest.raises(paramiko.AuthenticationException):
        running.ssh("leaf1", "wrong")


def test_there_is_no_shell_to_open(running: Client) -> None:
    with running.ssh("leaf1") as ssh, ssh.invoke_shell() as channel:
        assert channel.recv_exit_status() == 1


def test_many_at_a_time_are_served(running: Client) -> None:
    clients = [running.ssh(name) for name in ("leaf1", "leaf2", "spine1", "spine2") for _ in range(3)]
    try:
        assert [run(ssh, "vtysh -c 'show ip route json'")[0] for ssh in clients] == [0] * 12
    finally:
        for ssh in clients:
            ssh.close()
