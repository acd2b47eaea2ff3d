"""The simulated NX-OS switch by itself: what its CLI takes and refuses, what follows from it, what it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from lab.nos import nxos_lab
from lab.nos.nxos_lab import LEAVES, SPINES
from netaudit.diag import Invalid
from netaudit.hardware import switch, switch_names
from netaudit.lab import factory
from netaudit.lab.sim import faults, lldp, rib, views
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.https_server import Request
from netaudit.lab.sim.nos.nxos import openconfig_tree
from netaudit.lab.sim.nos.nxos.cli import NxosCli
from netaudit.lab.sim.nos.nxos.config import Cage, load
from netaudit.lab.sim.nos.nxos.device import Nexus
from netaudit.lab.sim.nos.nxos.nxapi import answer
from netaudit.lab.sim.serve import boot_fabric

INVALID = "% Invalid command at '^' marker."


@pytest.fixture
def fabric(tmp_path: Path) -> Fabric:
    return boot_fabric(nxos_lab.write(tmp_path / "lab"))


def nexus(fabric: Fabric, name: str = "leaf1") -> Nexus:
    found = fabric.switches[name]
    assert isinstance(found, Nexus)
    return found


def cli(fabric: Fabric, name: str = "leaf1") -> NxosCli:
    return NxosCli(fabric, nexus(fabric, name))


def typed(fabric: Fabric, *lines: str, name: str = "leaf1") -> str:
    """What is said to lines in configuration mode."""
    one = cli(fabric, name)
    one.run("configure terminal")
    return "".join(str(one.run(line).out) for line in lines)


def running(fabric: Fabric, name: str = "leaf1") -> str:
    return str(cli(fabric, name).run("show running-config").out)


def block(text: str, head: str) -> list[str]:
    rows = text.splitlines()
    at = rows.index(head) + 1
    end = next((n for n, row in enumerate(rows[at:], start=at) if not row.startswith(" ")), len(rows))
    return [row.strip() for row in rows[at:end]]


def test_the_fabric_comes_up_from_its_startup_configurations(fabric: Fabric) -> None:
    for name in (*LEAVES, *SPINES):
        assert [one.state for one in views.sessions(fabric, nexus(fabric, name))] == ["Established", "Established"]
    routes = rib.entries(fabric, nexus(fabric), "ipv4")
    assert {hop.interface for hop in routes["10.255.0.2/32"][0].hops} == {"Ethernet1/7", "Ethernet1/8"}


def test_what_is_shown_is_taken_again(fabric: Fabric) -> None:
    switch_ = nexus(fabric)
    switch_.startup.write_text(running(fabric))
    again = boot_fabric(switch_.folder.parent.parent)
    assert nexus(again).running() == switch_.running()


def test_a_factory_box_of_every_model_boots(tmp_path: Path) -> None:
    for number, name in enumerate(switch_names()):
        model = switch(name)
        files = factory.factory_files(
            "nxos", model, model.default_hwsku, hostname="x", serial="S", mac="02:00:00:00:00:01"
        )
        lab = {"fabric": "f", "devices": {"x": {"platform": "nxos"}}}
        folder = tmp_path / str(number)
        for path, text in {
            "lab.json": json.dumps(lab),
            "cables.csv": "a,b,a_lldp_port\n",
            **{f"devices/x/{path}": text for path, text in files.items()},
        }.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        assert len(nexus(boot_fabric(folder), "x").facts().ports) == len(model.cages)


def test_the_reference_leaf_is_taken_line_by_line(shared: Path) -> None:
    """Written by hand from Cisco's scripts and netlab's templates, not by a template of ours."""
    text = (shared / "data" / "vendor-examples" / "nxos-leaf.cfg").read_text(encoding="utf-8")
    made, refused = load(text, {number: Cage(8, 400_000) for number in range(1, 33)})
    assert refused == ()
    assert made["router bgp 65101"]["neighbor 203.0.113.0"] == {"inherit peer SPINE": {}, "description spine1": {}}


REFUSED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "a typo": (("prioritty-flow-control on",), INVALID),
    "a number out of range": (("interface Ethernet1/1", "mtu 99"), "% Invalid number, range is (576:9216)"),
    "a port that is not there": (("interface Ethernet1/9",), "% Invalid range at '^' marker."),
    "an address on a switched port": (("interface Ethernet1/2", "ip address 10.9.9.9/31"), "ERROR: Ethernet1/2: "),
    "a policy that is not there": (
        ("interface Ethernet1/1", "service-policy type qos input NOPE"),
        "ERROR: policy-map NOPE does not exist",
    ),
    "a policy that is in use": (
        ("no policy-map type qos QOS_CLASSIFICATION",),
        "ERROR: QOS_CLASSIFICATION is in use by interface Ethernet1/1",
    ),
    "a class that is in use": (("no class-map type qos match-any ROCEv2",), "ERROR: ROCEv2 is in use by "),
    "more than all of the bandwidth": (
        (
            "policy-map type queuing QOS_EGRESS_PORT",
            "class type queuing c-out-8q-q3",
            "bandwidth remaining percent 51",
        ),
        "ERROR: Sum of bandwidth percent exceeds 100",
    ),
    "another speaker": (("router bgp 65999",), "ERROR: BGP is already running; AS is 65101"),
    "a template that is not there": (
        ("router bgp 65101", "neighbor 10.0.0.0", "inherit peer NOPE"),
        "ERROR: template peer NOPE does not exist",
    ),
    "an interface of a feature that is off": (("interface Vlan10",), INVALID),
    "a physical port that is to go": (("no interface Ethernet1/1",), "ERROR: "),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_nx_os_does_not_take_is_refused_in_words_and_changes_nothing(fabric: Fabric, what: str) -> None:
    lines, said = REFUSED[what]
    before = nexus(fabric).running()
    assert said in typed(fabric, *lines)
    assert nexus(fabric).running() == before


def test_a_new_value_stands_where_the_old_one_stood(fabric: Fabric) -> None:
    assert typed(fabric, "interface eth1/7", "mtu 9000") == ""
    assert block(running(fabric), "interface Ethernet1/7")[:3] == [
        "description spine1 Ethernet1/1",
        "no switchport",
        "mtu 9000",
    ]


def test_a_line_of_an_outer_mode_leaves_the_inner_ones(fabric: Fabric) -> None:
    one = cli(fabric)
    for line in ("configure terminal", "router bgp 65101", "neighbor 10.0.0.0", "address-family ipv4 unicast"):
        one.run(line)
    assert one.prompt() == "leaf1(config-router-neighbor-af)# "
    assert one.run("interface Ethernet1/1").out == ""
    assert one.prompt() == "leaf1(config-if)# "


def test_a_routed_port_is_down_until_it_is_told_otherwise(fabric: Fabric) -> None:
    typed(fabric, "interface Ethernet1/2", "no switchport")
    assert nexus(fabric).facts().ports["2"].enabled is False
    typed(fabric, "interface Ethernet1/2", "no shutdown")
    assert nexus(fabric).facts().ports["2"].enabled is True


def test_a_vrf_takes_the_addresses_of_its_port(fabric: Fabric) -> None:
    said = typed(fabric, "vrf context red", "interface Ethernet1/1", "vrf member red")
    assert said == "% Deleted all L3 config on interface Ethernet1/1\n"
    assert "Ethernet1/1" not in nexus(fabric).facts().addresses
    assert nexus(fabric).facts().vrf("Ethernet1/1") == "red"


def test_a_split_cage_has_other_ports(fabric: Fabric) -> None:
    typed(fabric, "interface breakout module 1 port 2-3 map 200g-2x")
    facts = nexus(fabric).facts()
    assert (facts.native["2/2"], facts.ports["3/1"].lanes, facts.ports["3/1"].speed) == ("Ethernet1/2/2", 4, "200000")
    assert "2" not in facts.native
    typed(fabric, "no interface breakout module 1 port 2-3 map 200g-2x")
    assert nexus(fabric).facts().native["2"] == "Ethernet1/2"


def test_a_feature_takes_with_it_what_it_brought(fabric: Fabric) -> None:
    typed(fabric, "no feature bgp")
    assert "router bgp" not in running(fabric)
    assert (
        cli(fabric).run("show bgp vrf all all summary").out == "                 ^\n% Invalid command at '^' marker.\n"
    )


def test_members_of_a_vlan_are_its_switched_ports(fabric: Fabric) -> None:
    typed(
        fabric,
        "feature interface-vlan",
        "vlan 10",
        "interface Ethernet1/2",
        "switchport access vlan 10",
        "interface Vlan10",
    )
    typed(fabric, "interface Vlan10", "ip address 10.7.0.1/24", "no shutdown")
    assert nexus(fabric).facts().members["Vlan10"] == ("Ethernet1/2",)


def test_a_checkpoint_brings_everything_back_and_saves_nothing(fabric: Fabric) -> None:
    one, before, saved = cli(fabric), nexus(fabric).running(), nexus(fabric).startup.read_text()
    assert "Done" in str(one.run("checkpoint here").out)
    assert "ERROR" in str(one.run("checkpoint here").out)
    one.run("configure terminal ; no router bgp 65101 ; interface Ethernet1/7 ; shutdown")
    assert [view.state for view in views.sessions(fabric, nexus(fabric))] == []
    said = str(cli(fabric).run("rollback running-config checkpoint here atomic").out)
    assert "Rollback completed successfully." in said
    assert (nexus(fabric).running(), nexus(fabric).startup.read_text()) == (before, saved)


def test_several_commands_of_one_line_are_one_after_the_other(fabric: Fabric) -> None:
    said = str(cli(fabric).run("configure terminal ; interface Ethernet1/7 ; mtuu 9000 ; mtu 9000").out)
    assert INVALID in said
    assert "mtu 9000" in block(running(fabric), "interface Ethernet1/7")


def test_the_head_of_a_configuration_tells_when_and_no_line_of_it_does(fabric: Fabric) -> None:
    before = running(fabric)
    typed(fabric, "interface Ethernet1/7", "mtu 9000", "mtu 9216")
    assert running(fabric) != before
    assert running(fabric).partition("\nversion")[2] == before.partition("\nversion")[2]


def test_a_silent_port_hears_nobody(fabric: Fabric) -> None:
    typed(fabric, "interface Ethernet1/7", "no lldp transmit")
    assert set(lldp.heard(fabric, nexus(fabric))) == {"Ethernet1/1", "Ethernet1/8"}
    assert "Ethernet1/1" not in lldp.heard(fabric, nexus(fabric, "spine1"))


@pytest.mark.parametrize(
    ("words", "state"),
    [
        (("asn", "leaf1", "65999"), ["Idle", "Idle"]),
        (("session", "leaf1:7"), ["Active", "Established"]),
        (("typed", "spine1", "router bgp 65001 ; neighbor 10.0.0.1 ; shutdown"), ["Active", "Established"]),
        (("typed", "spine1", "interface Ethernet1/1 ; speed 100000"), ["Idle", "Established"]),
    ],
)
def test_faults_break_and_are_healed(fabric: Fabric, words: tuple[str, ...], state: list[str]) -> None:
    before = running(fabric, "spine1").partition("\nversion")[2]
    faults.make(fabric, words[0], words[1:])
    assert [one.state for one in views.sessions(fabric, nexus(fabric))] == state
    faults.heal(fabric)
    assert [one.state for one in views.sessions(fabric, nexus(fabric))] == ["Established", "Established"]
    assert running(fabric, "spine1").partition("\nversion")[2] == before


def test_a_typed_line_that_is_refused_is_no_fault(fabric: Fabric) -> None:
    with pytest.raises(Invalid, match="Invalid command"):
        faults.make(fabric, "typed", ("spine1", "interface Ethernet1/1 ; mtuu 1500"))


def test_a_dead_process_says_so(fabric: Fabric) -> None:
    faults.make(fabric, "bgpd", ("leaf1",))
    assert "process currently not running" in str(cli(fabric).run("show bgp vrf all all summary | json").out)


def test_a_prefix_is_withdrawn_and_announced(fabric: Fabric) -> None:
    faults.make(fabric, "announce", ("leaf1", "198.51.100.0/24"))
    assert "198.51.100.0/24" in rib.entries(fabric, nexus(fabric, "leaf2"), "ipv4")
    faults.make(fabric, "withdraw", ("leaf1", "198.51.100.0/24"))
    assert "198.51.100.0/24" not in rib.entries(fabric, nexus(fabric, "leaf2"), "ipv4")


def test_openconfig_is_there_with_its_features_and_has_no_bgp_table(fabric: Fabric) -> None:
    whole = openconfig_tree(fabric, nexus(fabric))
    assert "openconfig-interfaces:interfaces" in whole
    assert "afts" not in repr(whole)
    typed(fabric, "no feature openconfig")
    assert openconfig_tree(fabric, nexus(fabric)) == {}


def post(fabric: Fabric, body: object, path: str = "/ins") -> tuple[int, object]:
    request = Request(method="POST", path=path, headers={}, body=json.dumps(body).encode())
    response = answer(fabric, nexus(fabric), request)
    return response.status, json.loads(response.body) if response.body[:1] in b"[{" else response.body


def call(number: int, command: str, method: str = "cli") -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": method, "params": {"cmd": command, "version": 1}, "id": number}


def test_nx_api_ends_a_request_at_the_first_command_that_is_invalid(fabric: Fabric) -> None:
    status, said = post(fabric, [call(1, "interface Ethernet1/7"), call(2, "mtuu 1"), call(3, "mtu 9000")])
    assert status == 500
    assert isinstance(said, list)
    assert ["error" in one for one in said] == [False, True, True]
    assert "mtu 9216" in block(running(fabric), "interface Ethernet1/7")


def test_nx_api_gives_data_and_words(fabric: Fabric) -> None:
    _, data = post(fabric, call(1, "show hostname"))
    assert data == {"jsonrpc": "2.0", "result": {"body": {"hostname": "leaf1"}}, "id": 1}
    _, words = post(fabric, call(1, "show hostname", "cli_ascii"))
    assert words == {"jsonrpc": "2.0", "result": {"msg": "leaf1 \n"}, "id": 1}


@pytest.mark.parametrize(
    ("body", "status"), [("x", 500), ({}, 500), ([], 200), (call(1, ""), 500), (call(1, "show hostname", "walk"), 500)]
)
def test_nx_api_answers_nonsense_with_an_error(fabric: Fabric, body: object, status: int) -> None:
    assert post(fabric, body)[0] == status


def test_nx_api_is_a_feature(fabric: Fabric) -> None:
    typed(fabric, "no feature nxapi")
    assert post(fabric, call(1, "show hostname"))[0] == 503
    assert post(fabric, call(1, "show hostname"), "/other")[0] == 503
