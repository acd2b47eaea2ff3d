"""The simulated EOS switch by itself: what its CLI takes and refuses, sessions, files, and what the fabric follows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.nos import eos_lab
from netaudit.diag import Invalid
from netaudit.lab.sim import lldp, rib, views
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.eos.cli import EosCli
from netaudit.lab.sim.nos.eos.config import Cage, Editor, clean, diff, load, text
from netaudit.lab.sim.nos.eos.device import Eos
from netaudit.lab.sim.serve import boot_fabric

CAGES = {
    1: Cage(lanes=8, speed_mbps=400_000),
    2: Cage(lanes=8, speed_mbps=400_000),
    9: Cage(lanes=1, speed_mbps=10_000),
}


@pytest.fixture
def fabric(tmp_path: Path) -> Fabric:
    return boot_fabric(eos_lab.write(tmp_path / "lab"))


def switch(fabric: Fabric, name: str = "leaf1") -> Eos:
    found = fabric.switches[name]
    assert isinstance(found, Eos)
    return found


def cli(fabric: Fabric, *lines: str, name: str = "leaf1") -> str:
    one = EosCli(fabric, switch(fabric, name))
    return "".join(str(one.run(line).out) for line in lines)


def test_sessions_come_up_over_ports_and_over_addresses(fabric: Fabric) -> None:
    for name in (*eos_lab.LEAVES, *eos_lab.SPINES):
        assert [one.state for one in views.sessions(fabric, switch(fabric, name))] == ["Established", "Established"]
    found = rib.entries(fabric, switch(fabric), "ipv4")["10.1.1.0/31"]
    assert [hop.interface for hop in found[0].hops] == ["Ethernet7/1", "Ethernet8/1"]


def test_each_hears_the_other_by_lldp(fabric: Fabric) -> None:
    heard = lldp.heard(fabric, switch(fabric))
    assert {n: (s.system_name, s.port_id) for n, s in heard.items() if n != "Ethernet1/1"} == {
        "Ethernet7/1": ("spine1", "Ethernet1/1"),
        "Ethernet8/1": ("spine2", "Ethernet1/1"),
    }
    cli(fabric, "configure", "interface Ethernet1/1", "no lldp transmit", name="spine1")
    assert "Ethernet7/1" not in lldp.heard(fabric, switch(fabric))


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("interface Ethernet1/1", "mtu 9214", "mtu 9000"), ["mtu 9000"]),
        (("interface Et1/1", "speed 400g-4", "exit", "hostname x"), ["speed 400g-4"]),
        (("interface Ethernet1/1", "no switchport", "switchport"), []),
        (("interface Ethernet1/1", "mtu 9214", "no mtu"), []),
        (("interface Ethernet1/1", "mtu 9214", "default mtu"), []),
        (("interface Ethernet1/1", "qos trust dscp", "no qos trust"), ["no qos trust"]),
        (("interface Ethernet1/1", "ip address 10.0.0.0/31", "ip address 10.0.0.2/31"), ["ip address 10.0.0.2/31"]),
        (("interface Ethernet1/1", "shutdown", "no shutdown"), []),
        (("interface Ethernet1/1", "description a  b"), ["description a b"]),
        (("interface Ethernet1/1", "description x", "no interface Ethernet1/1"), []),
    ],
)
def test_a_line_takes_the_place_of_the_one_that_says_the_same_setting(lines: tuple[str, ...], shown: list[str]) -> None:
    editor = Editor(tree=clean(CAGES), cages=CAGES)
    assert [editor.run(line) for line in lines] == [""] * len(lines)
    assert list(editor.tree["interface Ethernet1/1"]) == shown


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (("prioritty-flow-control on",), "Invalid input (at token 0: 'prioritty-flow-control')"),
        (("interface Ethernet1/1", "speed 800g"), "Invalid input (at token 0: 'speed')"),
        (("interface Ethernet3/1",), "Interface Ethernet3/1 does not exist"),
        (("interface Ethernet9/1",), "Interface Ethernet9/1 does not exist"),
        (("qos map dscp 64 to traffic-class 3",), "Invalid input (at token 0: 'qos')"),
        (("qos map traffic-class 7 to tx-queue 3",), "Invalid input (at token 0: 'qos')"),
        (("router bgp 65001", "router bgp 65002"), "BGP is already running with AS number 65001"),
        (("interface Ethernet1/1", "uc-tx-queue 9"), "Invalid input (at token 0: 'uc-tx-queue')"),
        (("interface Ethernet1/1", "mtu 70000"), "Invalid input (at token 0: 'mtu')"),
        (("no such line",), "Invalid input (at token 0: 'no')"),
    ],
)
def test_what_nobody_could_have_typed_is_refused(lines: tuple[str, ...], complaint: str) -> None:
    editor = Editor(tree=clean(CAGES), cages=CAGES)
    assert [editor.run(line) for line in lines] == [*[""] * (len(lines) - 1), complaint]


def test_a_line_that_a_mode_does_not_know_is_one_of_the_mode_above() -> None:
    """NAPALM sends lines without their indentation."""
    cages = dict.fromkeys(range(1, 9), CAGES[1])
    editor = Editor(tree=clean(cages), cages=cages)
    lines = eos_lab.configured("leaf1").removesuffix("end\n")
    assert {editor.run(line.strip()) for line in lines.splitlines()} == {""}
    assert editor.tree == load(lines, cages)[0]


def test_a_configuration_comes_back_from_its_own_text() -> None:
    cages = dict.fromkeys(range(1, 9), CAGES[1])
    tree, refused = load(eos_lab.configured("leaf1"), cages)
    assert refused == ()
    again, refused = load(text(tree), cages)
    assert refused == ()
    assert again == tree
    assert list(diff(tree, again)) == []


def test_dscps_of_one_line_are_settings_of_their_own() -> None:
    editor = Editor(tree=clean(CAGES), cages=CAGES)
    assert editor.run("qos map dscp 26 46 to traffic-class 3") == ""
    assert editor.run("qos map dscp 46 to traffic-class 5") == ""
    assert [line for line in editor.tree if line.startswith("qos")] == [
        "qos map dscp 26 to traffic-class 3",
        "qos map dscp 46 to traffic-class 5",
    ]


def test_lanes_that_somebody_runs_over_are_no_ports() -> None:
    lines = "interface Ethernet1/1\n speed 400g-4\ninterface Ethernet1/3\n description no port\n"
    lines += "interface Ethernet1/5\n speed 200g-2\ninterface Ethernet1/7\n speed 200g-2\n"
    tree, refused = load(lines, CAGES)
    assert refused == ()
    box = Eos(name="x", folder=Path(), eeprom=None, cages=CAGES, tree=tree)  # type: ignore[arg-type]
    assert box.facts().position == {
        "Ethernet1/1": "1/1",
        "Ethernet1/5": "1/2",
        "Ethernet1/7": "1/3",
        "Ethernet2/1": "2",
        "Ethernet9": "9",
    }
    assert {p.lanes for n, p in box.facts().ports.items() if n in ("1/2", "1/3")} == {2}


def test_a_session_changes_nothing_until_it_is_committed_and_shows_what_it_would(fabric: Fabric) -> None:
    before = switch(fabric).tree
    said = cli(
        fabric,
        "configure session netaudit-1",
        "interface Ethernet7/1",
        "mtu 9000",
        "end",
        "show session-config named netaudit-1 diffs",
    )
    assert switch(fabric).tree is before
    assert said.splitlines()[:2] == ["--- system:/running-config", "+++ session:/netaudit-1-session-config"]
    assert [line for line in said.splitlines()[2:] if line[0] in "+-"] == ["-   mtu 9214", "+   mtu 9000"]
    cli(fabric, "configure session netaudit-1 commit")
    assert "mtu 9000" in switch(fabric).tree["interface Ethernet7/1"]


def test_a_session_that_begins_clean_holds_what_is_typed_and_the_ports_of_the_box(fabric: Fabric) -> None:
    cli(fabric, "configure session a", "rollback clean-config", "hostname other", "end", "configure session a commit")
    assert switch(fabric).hostname() == "other"
    assert [head for head in switch(fabric).tree if not head.startswith("interface ")] == ["hostname other"]
    assert "interface Ethernet8/8" in switch(fabric).tree


def test_sessions_are_few_and_those_that_ended_cannot_be_entered(fabric: Fabric) -> None:
    for number in range(5):
        assert cli(fabric, f"configure session s{number}", "end") == ""
    assert "Maximum number of pending sessions" in cli(fabric, "configure session s5")
    cli(fabric, "configure session s0 abort", "configure session s1 commit")
    assert cli(fabric, "configure session s5", "end") == ""
    assert "Cannot enter session s1: it is completed" in cli(fabric, "configure session s1")
    assert "does not exist or is completed" in cli(fabric, "configure session s0 abort")


def test_what_is_saved_comes_back_and_what_is_copied_can_be_replaced_with(fabric: Fabric, tmp_path: Path) -> None:
    assert cli(fabric, "copy running-config flash:before").endswith("successfully.\n")
    cli(fabric, "configure", "interface Ethernet7/1", "mtu 9000", "end")
    cli(fabric, "write memory")
    again = boot_fabric(tmp_path / "lab")
    assert "mtu 9000" in switch(again).tree["interface Ethernet7/1"]
    assert cli(fabric, "configure replace flash:before") == ""
    assert "mtu 9214" in switch(fabric).tree["interface Ethernet7/1"]
    assert "No such file" in cli(fabric, "copy flash:nothing startup-config")
    assert "before" in cli(fabric, "dir")
    assert cli(fabric, "delete flash:before", "dir").count("before") == 0


def test_a_user_without_privilege_sees_no_configuration_and_changes_none(fabric: Fabric) -> None:
    one = EosCli(fabric, switch(fabric), enabled=False)
    assert one.prompt() == "leaf1>"
    assert "privileged mode required" in str(one.run("configure").out)
    assert "privileged mode required" in str(one.run("show running-config").out)
    one.run("enable")
    assert one.prompt() == "leaf1#"
    one.run("configure session netaudit-1")
    assert one.prompt() == "leaf1(config-s-netaud)#"


def test_the_json_of_a_command_is_that_of_the_device(fabric: Fabric) -> None:
    found = json.loads(cli(fabric, "show ip bgp summary vrf all | json"))
    peers = found["vrfs"]["default"]["peers"]
    assert {name: (row["asn"], row["peerState"]) for name, row in peers.items()} == {
        "fe80::ff:fe00:3%Et7/1": ("65001", "Established"),
        "10.0.1.0": ("65001", "Established"),
    }
    told = json.loads(cli(fabric, "show lldp neighbors detail | json"))["lldpNeighbors"]["Ethernet7/1"]
    assert told["lldpNeighborInfo"][0]["neighborInterfaceInfo"]["interfaceId"] == '"Ethernet1/1"'
    assert cli(fabric, "show running-config | json").startswith("% This is an unconverted command")


@pytest.mark.parametrize(
    ("do", "left"),
    [
        (lambda box: box.run_as(65999), {"Active", "Idle"}),
        (lambda box: box.typed("router bgp 65101\nneighbor FABRIC shutdown"), {"Idle (Admin)"}),
        (lambda box: box.typed("interface Ethernet7/1\nshutdown"), {"Established", "Idle"}),
        (lambda box: box.typed("interface Ethernet7/1\nspeed 200g-2"), {"Established", "Idle"}),
        (lambda box: box.typed("no interface Loopback0"), {"Established"}),
    ],
)
def test_what_is_typed_is_what_the_fabric_follows(fabric: Fabric, do, left: set[str]) -> None:
    fabric.routing()
    do(switch(fabric))
    fabric.changed()
    assert {one.state for one in views.sessions(fabric, switch(fabric))} <= left


def test_a_prefix_is_originated_and_withdrawn(fabric: Fabric) -> None:
    switch(fabric).originate("203.0.113.0/24", wanted=True)
    fabric.changed()
    assert "203.0.113.0/24" in dict(views.bgp_table(fabric, switch(fabric, "spine1"), "ipv4"))
    switch(fabric).originate("203.0.113.0/24", wanted=False)
    fabric.changed()
    assert "203.0.113.0/24" not in dict(views.bgp_table(fabric, switch(fabric, "spine1"), "ipv4"))


def test_a_wrong_line_that_a_fault_types_is_told(fabric: Fabric) -> None:
    with pytest.raises(Invalid, match="leaf1 does not take `prioritty`"):
        switch(fabric).typed("prioritty")
