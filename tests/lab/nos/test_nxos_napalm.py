"""NAPALM's own drivers and netmiko, unpatched, drive the simulated NX-OS switch over NX-API and SSH.

`nxos` opens netmiko on port 22 for `load_replace_candidate`, whatever port it was given (napalm/nxos/nxos.py,
ensure_netmiko_conn), so a replacement is tried with `nxos_ssh` alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import napalm
import pytest
from napalm.base.exceptions import ConnectionException, MergeConfigException, ReplaceConfigException
from netmiko import ConnectHandler

from lab.nos import nxos_lab
from netaudit.lab import control

pytestmark = [pytest.mark.lab, pytest.mark.filterwarnings("ignore")]  # what NAPALM's libraries warn of is theirs

DRIVERS = ("nxos", "nxos_ssh")


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

    def driver(self, kind: str, name: str, password: str = "") -> Any:
        options: dict[str, object] = {"port": self.port(name, "ssh")}
        if kind == "nxos":
            options = {"port": self.port(name, "https"), "transport": "https", "ssl_verify": self.targets["ca"]}
        driver = napalm.get_network_driver(kind)
        return driver("127.0.0.1", "admin", password or self.password, timeout=20, optional_args=options)

    def startup(self, name: str) -> str:
        return (self.folder / "devices" / name / "startup-config").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def login(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Login]:
    folder = nxos_lab.write(tmp_path_factory.mktemp("napalm") / "lab")
    targets = json.loads(control.up(folder).read_text(encoding="utf-8"))
    try:
        yield Login(folder, targets)
    finally:
        control.down(folder)


@pytest.fixture(params=DRIVERS)
def leaf(request: pytest.FixtureRequest, login: Login) -> Iterator[Any]:
    with login.driver(request.param, "leaf1") as driver:
        yield driver


def test_the_facts_are_those_of_the_box(leaf: Any) -> None:
    facts = leaf.get_facts()
    assert (facts["hostname"], facts["serial_number"], facts["os_version"]) == ("leaf1", "NX1", "10.4(3)")
    assert facts["interface_list"][6] == "Ethernet1/7"


def test_links_are_up_where_cables_are(leaf: Any) -> None:
    ports = leaf.get_interfaces()
    assert {name for name, port in ports.items() if port["is_up"]} == {"Ethernet1/1", "Ethernet1/7", "Ethernet1/8"}
    assert (ports["Ethernet1/7"]["mtu"], ports["Ethernet1/7"]["speed"]) == (9216, 400_000)


def test_neighbors_are_heard(leaf: Any) -> None:
    heard = leaf.get_lldp_neighbors()
    assert heard["Ethernet1/7"] == [{"port": "Ethernet1/1", "hostname": "spine1"}]
    assert heard["Ethernet1/1"] == [{"port": "nic1p1", "hostname": "h1"}]
    detail = leaf.get_lldp_neighbors_detail()["Ethernet1/8"][0]
    assert (detail["remote_system_name"], detail["remote_port_description"]) == ("spine2", "leaf1 Ethernet1/8")


def test_sessions_are_up(leaf: Any) -> None:
    peers = leaf.get_bgp_neighbors()["global"]["peers"]
    assert {key: (peer["is_up"], peer["remote_as"]) for key, peer in peers.items()} == {
        "10.0.0.0": (True, 65001),
        "10.0.1.0": (True, 65001),
    }


def test_both_configurations_can_be_had(leaf: Any) -> None:
    config = leaf.get_config()
    assert "router bgp 65101" in config["running"]
    assert "router bgp 65101" in config["startup"]
    assert "!Time" not in config["running"]


@pytest.mark.parametrize("kind", DRIVERS)
def test_a_merge_is_saved_at_once_and_rolled_back_with_what_is_saved(login: Login, kind: str) -> None:
    with login.driver(kind, "leaf2") as leaf:
        leaf.load_merge_candidate(config="interface Ethernet1/7\n  mtu 9000\n")
        assert "mtu 9000" in leaf.compare_config()
        leaf.commit_config()
        assert "mtu 9000" in login.startup("leaf2")
        leaf.rollback()
        assert "mtu 9000" not in leaf.get_config()["running"]
        assert "mtu 9000" not in login.startup("leaf2")


@pytest.mark.parametrize("kind", DRIVERS)
def test_a_merge_that_is_invalid_is_refused(login: Login, kind: str) -> None:
    with login.driver(kind, "leaf2") as leaf:
        leaf.load_merge_candidate(config="interface Ethernet1/7\n  description half\n  mtuu 9000\n")
        with pytest.raises(MergeConfigException):
            leaf.commit_config()
        assert "description half" not in leaf.get_config()["running"]


@pytest.mark.parametrize("kind", DRIVERS)
def test_a_merge_takes_an_error_in_words_for_a_success(login: Login, kind: str) -> None:
    """Why netaudit does not push by it: vendor-gnmi-and-drivers.md C."""
    with login.driver(kind, "leaf2") as leaf:
        leaf.load_merge_candidate(config="interface Ethernet1/7\n  service-policy type qos input NO-SUCH\n")
        leaf.commit_config()
        assert "NO-SUCH" not in leaf.get_config()["running"]


@pytest.mark.parametrize("kind", DRIVERS)
def test_no_driver_has_a_commit_that_ends_by_itself(login: Login, kind: str) -> None:
    with login.driver(kind, "leaf2") as leaf:
        leaf.load_merge_candidate(config="interface Ethernet1/7\n  mtu 9000\n")
        with pytest.raises(NotImplementedError):
            leaf.commit_config(revert_in=60)
        leaf.discard_config()


def test_a_checkpoint_replaces_the_whole_configuration(login: Login) -> None:
    with login.driver("nxos_ssh", "spine1") as spine:
        checkpoint = spine._get_checkpoint_file()
        spine.load_replace_candidate(config=checkpoint.replace("mtu 9216", "mtu 8000", 1))
        assert "mtu 8000" in spine.compare_config()
        spine.commit_config()
        assert "mtu 8000" in spine.get_config()["running"]
        spine.rollback()
        assert "mtu 8000" not in spine.get_config()["running"]


def test_what_is_no_checkpoint_replaces_nothing(login: Login) -> None:
    with login.driver("nxos_ssh", "spine1") as spine:
        spine.load_replace_candidate(config=spine.get_config()["running"])
        with pytest.raises(ReplaceConfigException, match="Rollback failed"):
            spine.commit_config()
        assert "router bgp 65001" in spine.get_config()["running"]


@pytest.mark.parametrize("kind", DRIVERS)
def test_a_wrong_password_lets_nobody_in(login: Login, kind: str) -> None:
    with pytest.raises((ConnectionException, Exception), match=r"(?i)auth|connect"):
        login.driver(kind, "leaf1", password="guess").open()


def test_netmiko_goes_in_and_out_of_configuration_mode(login: Login) -> None:
    with ConnectHandler(
        device_type="cisco_nxos",
        host="127.0.0.1",
        port=login.port("spine2", "ssh"),
        username="admin",
        password=login.password,
    ) as connection:
        assert connection.find_prompt() == "spine2#"
        said = connection.send_config_set(["interface Ethernet1/1", "mtu 99", "no mtuu", "mtu 9000"])
        assert "% Invalid number, range is (576:9216)" in said
        assert "% Invalid command at '^' marker." in said
        assert "spine2(config-if)#" in said
        assert "mtu 9000" in connection.send_command("show running-config | include mtu")
        assert "Copy complete" in connection.save_config()
    assert "mtu 9000" in login.startup("spine2")
