"""NAPALM's own driver and netmiko, unpatched, drive the simulated EOS switch over eAPI and SSH."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import napalm
import pyeapi
import pytest
from napalm.base.exceptions import (
    CommitError,
    MergeConfigException,
    ReplaceConfigException,
    SessionLockedException,
)
from netmiko import ConnectHandler

from lab.nos import eos_lab
from netaudit.lab import control

pytestmark = [pytest.mark.lab, pytest.mark.filterwarnings("ignore")]  # what NAPALM's libraries warn of is theirs


@dataclass(frozen=True)
class Login:
    """How to reach the switches of the lab."""

    folder: Path
    targets: dict[str, Any]

    @property
    def password(self) -> str:
        return Path(self.targets["credentials"]["password"].removeprefix("file:")).read_text(encoding="utf-8")

    def port(self, name: str, door: str) -> int:
        return int(self.targets["targets"][name][f"{door}_port"])

    def driver(self, name: str, password: str = "") -> Any:
        options = {
            "port": self.port(name, "https"),
            "context": ssl.create_default_context(cafile=self.targets["ca"]),
        }
        driver = napalm.get_network_driver("eos")
        return driver("127.0.0.1", "admin", password or self.password, timeout=20, optional_args=options)

    def startup(self, name: str) -> str:
        return (self.folder / "devices" / name / "mnt/flash/startup-config").read_text(encoding="utf-8")


@pytest.fixture
def login(tmp_path: Path) -> Iterator[Login]:
    folder = eos_lab.write(tmp_path / "lab", bare=("leaf2",))
    targets = json.loads(control.up(folder).read_text(encoding="utf-8"))
    try:
        yield Login(folder, targets)
    finally:
        control.down(folder)


def running(device: Any) -> str:
    return str(device.get_config(retrieve="running")["running"])


def test_the_getters_of_napalm_say_what_the_lab_is(login: Login) -> None:
    with login.driver("leaf1") as device:
        facts, neighbors = device.get_facts(), device.get_bgp_neighbors()
        heard, detail = device.get_lldp_neighbors(), device.get_lldp_neighbors_detail()
        ports, texts = device.get_interfaces(), device.get_config()
        addresses, counters = device.get_interfaces_ip(), device.get_interfaces_counters()
    assert {key: facts[key] for key in ("hostname", "serial_number", "vendor", "model")} == {
        "hostname": "leaf1",
        "serial_number": "EO1",
        "vendor": "Arista",
        "model": "DCS-X",
    }
    assert facts["os_version"].startswith("4.36.1F")
    peers = neighbors["global"]["peers"]
    assert neighbors["global"]["router_id"] == eos_lab.LOOPBACKS["leaf1"]
    assert {name: (one["is_up"], one["remote_as"], one["local_as"]) for name, one in peers.items()} == {
        "10.0.1.0": (True, 65001, 65101),
        "fe80::ff:fe00:3%Et7/1": (True, 65001, 65101),
    }
    assert peers["10.0.1.0"]["address_family"]["ipv4"]["received_prefixes"] > 0
    assert {port: rows[0]["hostname"] for port, rows in heard.items()} == {
        "Ethernet1/1": "h1",
        "Ethernet7/1": "spine1",
        "Ethernet8/1": "spine2",
    }
    assert detail["Ethernet7/1"][0]["remote_port"] == "Ethernet1/1"
    assert ports["Ethernet7/1"]["is_up"] is True
    assert (ports["Ethernet7/1"]["mtu"], ports["Ethernet7/1"]["speed"]) == (9214, 400_000.0)
    assert ports["Ethernet2/2"]["is_up"] is False
    assert addresses["Ethernet8/1"]["ipv4"] == {"10.0.1.1": {"prefix_length": 31}}
    assert list(addresses["Ethernet7/1"]["ipv6"]) == ["fe80::ff:fe00:1"]
    assert set(counters) == set(ports)
    assert "router bgp 65101" in texts["running"]
    assert "router bgp 65101" in texts["startup"]


def test_a_whole_configuration_is_loaded_compared_committed_and_saved(login: Login) -> None:
    with login.driver("leaf2") as device:
        device.load_replace_candidate(config=eos_lab.configured("leaf2"))
        compared = device.compare_config()
        assert "+router bgp 65102" in compared
        assert "router bgp" not in running(device)
        device.commit_config()
        assert "router bgp 65102" in running(device)
        assert device.compare_config() == ""
        assert all(one["is_up"] for one in device.get_bgp_neighbors()["global"]["peers"].values())
    assert "router bgp 65102" in login.startup("leaf2")


def test_a_commit_that_is_confirmed_stays_and_one_that_is_not_goes(login: Login) -> None:
    merge = "interface Ethernet7/1\n   mtu 9000\n"
    with login.driver("leaf1") as device:
        device.load_merge_candidate(config=merge)
        device.commit_config(revert_in=60)
        assert device.has_pending_commit()
        assert "mtu 9000" in running(device)
        device.confirm_commit()
        assert not device.has_pending_commit()
        device.load_merge_candidate(config="interface Ethernet7/1\n   mtu 8000\n")
        device.commit_config(revert_in=1)
        assert "mtu 8000" in running(device)
        deadline = time.monotonic() + 10
        while "mtu 8000" in running(device) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert "mtu 9000" in running(device)
        with pytest.raises(CommitError):
            device.confirm_commit()
        device.config_session = None  # its session is completed, which NAPALM does not notice
    assert "mtu 9000" in login.startup("leaf1")


def test_a_pending_commit_is_taken_back_and_keeps_others_out(login: Login) -> None:
    with login.driver("leaf1") as device, login.driver("leaf1") as other:
        device.load_merge_candidate(config="interface Ethernet7/1\n   mtu 9000\n")
        device.commit_config(revert_in=600)
        other.load_merge_candidate(config="interface Ethernet7/1\n   mtu 8000\n")
        with pytest.raises(CommitError, match="Pending commit confirm already in process"):
            other.commit_config(revert_in=600)
        other.discard_config()
        device.rollback()
        assert "mtu 9000" not in running(device)


def test_napalms_own_rollback_is_what_was_saved(login: Login) -> None:
    """Which is why an undo of ours does not use it: what somebody changed and did not save is gone."""
    with login.driver("leaf1") as device:
        device.device.run_commands(["configure", "interface Ethernet8/1", "mtu 5000", "end"])
        device.load_merge_candidate(config="interface Ethernet7/1\n   mtu 9000\n")
        device.commit_config()
        device.rollback()
        assert "mtu 9000" not in running(device)
        assert "mtu 5000" not in running(device)


@pytest.mark.parametrize("replace", [True, False])
def test_a_refused_line_is_named_and_nothing_of_the_session_stays(login: Login, replace: bool) -> None:
    lines = "interface Ethernet7/1\n   mtu 9000\n   prioritty-flow-control priority 3 no-drop\n"
    with login.driver("leaf1") as device:
        before = running(device)
        with pytest.raises(
            (ReplaceConfigException, MergeConfigException), match="'prioritty-flow-control priority 3 no-drop' failed"
        ):
            (device.load_replace_candidate if replace else device.load_merge_candidate)(config=lines)
        assert running(device) == before
        assert device.device.run_commands(["show configuration sessions"])[0]["sessions"] == {}


def test_a_session_of_somebody_else_that_is_pending_keeps_napalm_out(login: Login) -> None:
    with login.driver("leaf1") as device:
        device.device.run_commands(["configure session na-1", "end"])
        with pytest.raises(SessionLockedException):
            device._lock()
        device.device.run_commands(["configure session na-1 abort"])


def test_a_wrong_password_is_refused(login: Login) -> None:
    with pytest.raises(pyeapi.eapilib.ConnectionError, match="Unauthorized"):
        login.driver("leaf1", "wrong").open()


def test_netmiko_reads_configures_and_sees_refusals(login: Login) -> None:
    with ConnectHandler(
        device_type="arista_eos",
        host="127.0.0.1",
        port=login.port("leaf1", "ssh"),
        username="admin",
        password=login.password,
        ssh_strict=True,
        alt_host_keys=True,
        alt_key_file=login.targets["known_hosts"],
    ) as shell:
        shell.enable()
        assert shell.find_prompt() == "leaf1#"
        told = json.loads(shell.send_command("show version | json"))
        assert told["serialNumber"] == "EO1"
        said = shell.send_config_set(["interface Ethernet7/1", "mtu 9000", "description 100% Invalid link"])
        assert "% Invalid" not in said.replace("100% Invalid", "")
        assert "% Invalid input (at token 0: 'prioritty')" in shell.send_config_set(["prioritty"])
        assert "mtu 9000" in shell.send_command("show running-config")
        assert "Copy completed successfully" in shell.save_config()
    assert "mtu 9000" in login.startup("leaf1")
