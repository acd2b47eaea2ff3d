"""The lab as a process: started, asked, broken, healed, stopped, and what is left when it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest

from lab.sim import example
from lab.sim.client import TIMEOUT_S, Client, native, refusal, run, set_
from netaudit import gnmi
from netaudit.diag import Invalid, Unusable
from netaudit.lab import control

pytestmark = pytest.mark.lab
REPOSITORY = Path(__file__).resolve().parents[3]


def test_only_the_password_is_secret_and_it_is_ours_alone(running: Client) -> None:
    assert (running.labdir / "access/password").stat().st_mode & 0o777 == 0o600
    assert running.password not in (running.labdir / "targets.json").read_text(encoding="utf-8")
    assert sorted(path.name for path in (running.labdir / "access").iterdir()) == ["ca.pem", "known_hosts", "password"]


def test_the_status_counts_what_is_up(running: Client) -> None:
    status = control.status(running.labdir)
    assert (status["fabric"], status["cables"], status["links_up"], status["sessions"]) == ("small", 10, 10, 8)


def test_a_fault_is_made_and_healed_from_outside(running: Client) -> None:
    assert control.break_(running.labdir, "link", ["leaf1:8"]) == "the cable between leaf1:8 and spine1:1 is cut"
    assert running.get("leaf1", "APPL_DB", ("PORT_TABLE", "Ethernet56", "oper_status")) == ["down"]
    assert control.status(running.labdir)["faults"] == ["the cable between leaf1:8 and spine1:1 is cut"]
    assert control.heal(running.labdir) == "1 fault healed"
    assert running.get("leaf1", "APPL_DB", ("PORT_TABLE", "Ethernet56", "oper_status")) == ["up"]


def test_a_wrong_fault_says_what_there_is(running: Client) -> None:
    with pytest.raises(Invalid) as refused:
        control.break_(running.labdir, "link", ["leaf1:2"])
    assert refused.value.diagnostics[0].hint.startswith("did you mean")


def test_an_unreachable_switch_cuts_what_is_open_forwards_on_and_comes_back_on_its_ports(running: Client) -> None:
    with running.ssh("leaf2") as ssh:
        control.break_(running.labdir, "unreachable", ["leaf2"])
        deadline = time.monotonic() + TIMEOUT_S
        while ssh.get_transport().is_active() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not ssh.get_transport().is_active()
    with pytest.raises(OSError, match=r"[Uu]nable to connect|refused"):
        running.ssh("leaf2")
    with pytest.raises(grpc.RpcError) as refused:
        running.get("leaf2", "CONFIG_DB", ("PORT",))
    assert refusal(refused.value)[0] == "UNAVAILABLE"
    assert running.get("leaf1", "APPL_DB", ("ROUTE_TABLE", "10.0.2.0/29", "protocol")) == ["bgp"]
    control.heal(running.labdir)
    assert running.get("leaf2", "STATE_DB", ("EEPROM_INFO", "0x23", "Value")) == ["MTleaf2"]
    with running.ssh("leaf2") as ssh:
        assert run(ssh, "hostname") == (0, "leaf2\n", "")


def test_a_second_lab_in_the_folder_is_refused(running: Client) -> None:
    with pytest.raises(Unusable) as refused:
        control.up(running.labdir, TIMEOUT_S)
    assert "down" in refused.value.hint
    assert control.status(running.labdir)["fabric"] == "small"


def test_a_lab_that_is_down_leaves_its_own_files_and_a_log(tmp_path: Path) -> None:
    labdir = example.write(tmp_path)
    control.up(labdir, TIMEOUT_S)
    assert control.down(labdir) is True
    assert sorted(path.name for path in labdir.iterdir()) == ["cables.csv", "devices", "lab.json", "sim.log"]
    assert (labdir / "sim.log").read_text(encoding="utf-8") == ""
    assert control.down(labdir) is False
    with pytest.raises(Unusable, match="no lab runs"):
        control.status(labdir)


def test_what_was_saved_is_there_after_the_lab_was_down(tmp_path: Path) -> None:
    labdir = example.write(tmp_path)
    for mtu in ("9000", "9000"):
        client = Client(labdir=labdir, targets=json.loads(control.up(labdir, TIMEOUT_S).read_text(encoding="utf-8")))
        try:
            path = native("PORT", "Ethernet0", "mtu")
            set_(client, "leaf1", update=[gnmi.Update(path=path, val=gnmi.TypedValue(string_val="9000"))])
            assert client.get("leaf1", "CONFIG_DB", ("PORT", "Ethernet0", "mtu")) == [mtu]
        finally:
            control.down(labdir)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_lab_that_died_is_recognised_and_cleaned_up(tmp_path: Path, number: int) -> None:
    labdir = example.write(tmp_path)
    control.up(labdir, TIMEOUT_S)
    pid = int(control.status(labdir)["pid"])
    os.kill(pid, number)
    os.waitpid(pid, 0)
    with pytest.raises(Unusable, match="no lab runs"):
        control.status(labdir)
    control.up(labdir, TIMEOUT_S)
    assert control.down(labdir) is True


def test_a_lab_that_cannot_come_up_says_why_in_its_last_line(tmp_path: Path) -> None:
    labdir = example.write(tmp_path, {"devices/leaf2/eeprom.json": "{"})
    with pytest.raises(Unusable) as refused:
        control.up(labdir, TIMEOUT_S)
    assert "eeprom.json is no eeprom" in refused.value.message
    assert not (labdir / "lab.pid").exists()


def test_a_targets_file_of_an_older_lab_is_not_taken_for_this_one(tmp_path: Path) -> None:
    labdir = example.write(tmp_path, {"targets.json": "{}"})
    targets = control.up(labdir, TIMEOUT_S)
    try:
        assert json.loads(targets.read_text(encoding="utf-8"))["targets"]["leaf1"]["address"] == "127.0.0.1"
    finally:
        control.down(labdir)


def test_a_folder_that_is_no_lab_keeps_its_files(tmp_path: Path) -> None:
    names = ("targets.json", "known_hosts", "access/password")
    (tmp_path / "access").mkdir()
    for name in names:
        (tmp_path / name).write_text("mine", encoding="utf-8")
    (tmp_path / "targets.json").unlink()
    with pytest.raises(Unusable, match="did not come up"):
        control.up(tmp_path, TIMEOUT_S)
    assert control.down(tmp_path) is False
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["access/password", "known_hosts", "sim.log"]


def test_a_folder_that_is_not_there_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(Unusable):
        control.up(tmp_path / "nope", TIMEOUT_S)


def test_a_deep_folder_has_its_control_socket_elsewhere(tmp_path: Path) -> None:
    labdir = tmp_path / ("d" * 60) / ("e" * 60)
    labdir.mkdir(parents=True)
    example.write(labdir)
    control.up(labdir, TIMEOUT_S)
    try:
        assert control.status(labdir)["sessions"] == 8
    finally:
        control.down(labdir)


def test_in_the_foreground_it_ends_cleanly_on_a_signal(tmp_path: Path) -> None:
    labdir = example.write(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "netaudit.lab.sim", str(labdir)], stdin=subprocess.DEVNULL, cwd=REPOSITORY
    )
    deadline = time.monotonic() + TIMEOUT_S
    while not (labdir / "targets.json").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(TIMEOUT_S) == 0
    assert sorted(path.name for path in labdir.iterdir()) == ["cables.csv", "devices", "lab.json"]


def test_wrong_usage_ends_with_4() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "netaudit.lab.sim"],
        stdin=subprocess.DEVNULL,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (4, "usage: python -m netaudit.lab.sim LABDIR\n")
