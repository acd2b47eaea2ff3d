"""NAPALM and netmiko themselves, unpatched, and a gNMI client push to the simulated Junos and read from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lab.nos import junos_lab
from lab.sim.client import Client, run
from netaudit import gnmi
from netaudit.lab import control

pytestmark = pytest.mark.lab

napalm = pytest.importorskip("napalm", reason="NAPALM is not installed")
netmiko = pytest.importorskip("netmiko", reason="netmiko is not installed")
from napalm.base.exceptions import CommitConfirmException, LockError, MergeConfigException  # noqa: E402


@dataclass(frozen=True)
class Lab:
    folder: Path
    targets: dict[str, Any]

    @property
    def password(self) -> str:
        return Path(self.targets["credentials"]["password"].removeprefix("file:")).read_text()

    def driver(self, name: str) -> Any:
        """An open NAPALM driver."""
        port = self.targets["targets"][name]["netconf_port"]
        made = napalm.get_network_driver("junos")("127.0.0.1", "admin", self.password, 30, {"port": port})
        made.open()
        return made

    def shell(self, name: str) -> Any:
        """A netmiko connection."""
        return netmiko.ConnectHandler(
            device_type="juniper_junos",
            host="127.0.0.1",
            port=self.targets["targets"][name]["ssh_port"],
            username="admin",
            password=self.password,
        )


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Four boxes, each configured by NAPALM: merge, compare, commit confirmed, confirm."""
    folder = junos_lab.write(tmp_path_factory.mktemp("junos") / "lab")
    made = Lab(folder, json.loads(control.up(folder).read_text()))
    try:
        for name in junos_lab.ASNS:
            driver = made.driver(name)
            driver.load_merge_candidate(config=junos_lab.configuration(name))
            assert "+       group FABRIC {" in driver.compare_config()
            driver.commit_config(revert_in=600)
            assert driver.has_pending_commit()
            driver.confirm_commit()
            assert not driver.has_pending_commit()
            assert driver.compare_config() == ""
            driver.close()
        yield made
    finally:
        control.down(folder)


@pytest.fixture
def driver(lab: Lab) -> Iterator[Any]:
    made = lab.driver("leaf1")
    yield made
    made.close()


def test_the_getters_of_napalm_read_the_box(driver: Any) -> None:
    facts = driver.get_facts()
    assert (facts["vendor"], facts["hostname"], facts["serial_number"], facts["os_version"]) == (
        "Juniper",
        "leaf1",
        "JN0001",
        "24.4R1.8-EVO",
    )
    assert driver.get_lldp_neighbors() == {
        "et-0/0/0": [{"hostname": "su1-h1", "port": "nic1p1"}],
        "et-0/0/62": [{"hostname": "spine1", "port": "et-0/0/0"}],
        "et-0/0/63": [{"hostname": "spine2", "port": "et-0/0/0"}],
    }
    detail = driver.get_lldp_neighbors_detail()["et-0/0/62"][0]
    assert (detail["remote_system_name"], detail["remote_port"]) == ("spine1", "et-0/0/0")
    peers = driver.get_bgp_neighbors()["global"]["peers"]
    assert {peer["remote_as"] for peer in peers.values()} == {65001, 65002}
    assert all(peer["is_up"] and peer["address_family"]["ipv4"]["received_prefixes"] > 2 for peer in peers.values())
    ports = driver.get_interfaces()
    assert (ports["et-0/0/62"]["is_up"], ports["et-0/0/62"]["mtu"], ports["et-0/0/62"]["speed"]) == (
        True,
        9216,
        800000.0,
    )
    assert not ports["et-0/0/5"]["is_up"]
    running = driver.get_config()["running"]
    assert "host-name leaf1;" in running
    assert "set system host-name leaf1" in driver.get_config(format="set")["running"]


def test_a_line_that_is_wrong_is_refused_and_nothing_is_left_in_the_candidate(driver: Any) -> None:
    with pytest.raises(MergeConfigException, match="syntax error"):
        driver.load_merge_candidate(config="set interfaces et-0/0/62 mtu 4000\nset nonsense here\n")
    assert driver.compare_config() == ""
    driver.load_merge_candidate(config="set interfaces et-0/0/62 mtu 4000\n")
    driver.discard_config()
    assert driver.compare_config() == ""


def test_a_candidate_replaces_all_and_rollback_brings_it_back(driver: Any) -> None:
    before = driver.get_config()["running"]
    driver.load_replace_candidate(config=before.replace("mtu 9216;", "mtu 4000;"))
    assert driver.compare_config().splitlines()[1:3] == ["-   mtu 9216;", "+   mtu 4000;"]
    driver.commit_config(message="smaller")
    assert "mtu 4000;" in driver.get_config()["running"]
    driver.rollback()
    assert driver.get_config()["running"] == before


def test_what_the_driver_itself_cannot_do_it_says(driver: Any) -> None:
    with pytest.raises(CommitConfirmException, match="multiple of 60"):
        driver.commit_config(revert_in=90)
    with pytest.raises(ValueError, match="overwrite"):
        driver.load_replace_candidate(config="set system host-name x")  # vendor-gnmi-and-drivers.md C
    driver.discard_config()


def test_a_lock_of_another_session_is_told(lab: Lab, driver: Any) -> None:
    other = lab.driver("leaf1")
    try:
        other.load_merge_candidate(config="set interfaces et-0/0/62 mtu 4000\n")
        with pytest.raises(LockError, match="configuration database locked by"):
            driver.load_merge_candidate(config="set interfaces et-0/0/62 mtu 5000\n")
    finally:
        other.discard_config()
        other.close()


def test_netmiko_configures_commits_and_reads(lab: Lab) -> None:
    with lab.shell("leaf2") as shell:
        assert shell.find_prompt() == "admin@leaf2>"
        assert "et-0/0/62" in shell.send_command("show lldp neighbors")
        out = shell.send_config_set(["set interfaces et-0/0/9 mtu 4000", "set nonsense"], exit_config_mode=False)
        assert "syntax error" in out
        assert "commit complete" in shell.commit(comment="by netmiko")
        shell.exit_config_mode()
        assert "mtu 4000" in shell.send_command("show configuration interfaces et-0/0/9")
        shell.send_config_set(["set protocols bgp group FABRIC import GONE"], exit_config_mode=False)
        with pytest.raises(ValueError, match="GONE referenced but not defined"):
            shell.commit()
        shell.send_command("rollback 0", expect_string="#")
        shell.exit_config_mode()


@pytest.fixture
def client(lab: Lab) -> Client:
    return Client(labdir=lab.folder, targets=lab.targets)


def test_openconfig_over_gnmi_tells_ports_neighbors_and_sessions(client: Client) -> None:
    def get(*path: str) -> list[Any]:
        request = gnmi.GetRequest(path=[gnmi.path(*path)], encoding=gnmi.Encoding.JSON_IETF)
        (note,) = client.call("leaf1", gnmi.GET, request, gnmi.GetResponse).notification
        return [json.loads(update.val.json_ietf_val) for update in note.update]

    assert get("interfaces", "interface[name=et-0/0/62]", "state", "oper-status") == ["UP"]
    everywhere = get("interfaces", "interface[name=*]", "state", "oper-status")
    assert (everywhere.count("UP"), set(everywhere)) == (3, {"UP", "DOWN"})
    (heard,) = get("lldp", "interfaces", "interface[name=et-0/0/63]", "neighbors")
    assert "spine2" in json.dumps(heard)
    states = get("network-instances", "network-instance[name=default]", "protocols")
    assert json.dumps(states).count("ESTABLISHED") == 2


def test_capabilities_name_what_the_reference_has(client: Client) -> None:
    answer = client.call("leaf1", gnmi.CAPABILITIES, gnmi.CapabilityRequest(), gnmi.CapabilityResponse)
    assert set(answer.supported_encodings) == {gnmi.Encoding.PROTO, gnmi.Encoding.JSON_IETF}
    assert "openconfig-lldp" in {model.name for model in answer.supported_models}


def test_commands_over_ssh_end_with_code_0_and_say_no_in_words(client: Client) -> None:
    with client.ssh("leaf1") as ssh:
        assert run(ssh, "show configuration | display set | match host-name")[:2] == (0, "set system host-name leaf1\n")
        code, out, err = run(ssh, "show frobnicate")
        assert (code, err, "syntax error" in out) == (0, "", True)
