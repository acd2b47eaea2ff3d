"""What can be broken, what each fault looks like from outside, and that healing leaves no trace."""

from __future__ import annotations

import re

import pytest

from lab.sim import example
from lab.sim.conftest import Lab
from netaudit.diag import Invalid
from netaudit.lab.sim import faults
from netaudit.lab.sim.lldp import neighbors

PEER = "10.0.2.0/29"
LEAF2_PORTS = ("Ethernet56", "Ethernet48")

EVERY_FAULT = [
    ("swap", "leaf1:8", "leaf2:6"),
    ("swap", "leaf1:1/1", "leaf2:1/1"),
    ("link", "leaf1:8"),
    ("link", "leaf1:1/1"),
    ("session", "spine1:1"),
    ("asn", "leaf2", "4200009999"),
    ("withdraw", "leaf2", PEER),
    ("withdraw", "leaf2", "fd00:ff::2/128"),
    ("announce", "leaf2", "10.66.0.0/24"),
    ("unreachable", "leaf1"),
    ("bgpd", "spine1"),
]


def seen(lab: Lab) -> list[object]:
    """All that anybody can see of the lab."""
    commands = ("show running-config", "show bgp summary json", "show bgp ipv4 unicast json", "show ipv6 route json")
    return [
        *(lab.run(name, f"vtysh -c '{command}'").out for name in lab.fabric.switches for command in commands),
        *(neighbors(lab.fabric, switch) for switch in lab.fabric.switches.values()),
        *(switch.config for switch in lab.fabric.switches.values()),
        set(lab.fabric.faults.unreachable),
    ]


def without_versions(answers: list[object]) -> list[object]:
    """Without what grows with every change and every lost session, as on the box."""
    growing = re.compile(r".*(tableVersion|connectionsDropped).*\n")
    return [growing.sub("", one) if isinstance(one, str) else one for one in answers]


@pytest.mark.parametrize("fault", EVERY_FAULT, ids=" ".join)
def test_a_fault_is_seen_and_healed_without_a_trace(lab: Lab, fault: tuple[str, ...]) -> None:
    before = without_versions(seen(lab))
    told = faults.make(lab.fabric, fault[0], fault[1:])
    assert lab.fabric.faults.told == [told]
    assert without_versions(seen(lab)) != before
    assert faults.heal(lab.fabric) == "1 fault healed"
    assert without_versions(seen(lab)) == before
    assert lab.fabric.faults.told == []


def test_all_faults_together_are_healed_by_one_word(lab: Lab) -> None:
    before = without_versions(seen(lab))
    for kind, *arguments in EVERY_FAULT[:1] + EVERY_FAULT[2:]:
        faults.make(lab.fabric, kind, arguments)
    assert faults.heal(lab.fabric) == f"{len(EVERY_FAULT) - 1} faults healed"
    assert without_versions(seen(lab)) == before
    assert faults.heal(lab.fabric) == "nothing was broken"


def test_swapped_cables_of_one_kind_are_shown_by_lldp_only(lab: Lab) -> None:
    routes = lab.hops("leaf1", PEER)
    faults.make(lab.fabric, "swap", ["leaf1:8", "leaf1:6"])
    assert set(lab.states("leaf1").values()) == {"Established"}
    assert lab.hops("leaf1", PEER) == routes
    heard = neighbors(lab.fabric, lab.switch("leaf1"))
    assert (heard["Ethernet56"]["lldp_rem_sys_name"], heard["Ethernet40"]["lldp_rem_sys_name"]) == ("spine2", "spine1")


def test_two_swapped_hosts_keep_what_they_send(lab: Lab) -> None:
    faults.make(lab.fabric, "swap", ["leaf1:1/1", "leaf2:1/1"])
    heard = neighbors(lab.fabric, lab.switch("leaf1"))["Ethernet0"]
    assert (heard["lldp_rem_sys_name"], heard["lldp_rem_port_id"]) == ("su1-h2", "nic1p1")


def test_a_swap_is_told_from_both_switches(lab: Lab) -> None:
    told = faults.make(lab.fabric, "swap", ["leaf1:8", "leaf2:6"])
    assert told == "leaf1:8 now leads to spine2:3, and leaf2:6 to spine1:1"
    assert neighbors(lab.fabric, lab.switch("spine2"))["Ethernet16"]["lldp_rem_sys_name"] == "leaf1"
    assert lab.fabric.links().up == lab.fabric.links().up


def test_a_cut_cable_takes_link_session_route_and_neighbor(lab: Lab) -> None:
    faults.make(lab.fabric, "link", ["spine1:1"])
    assert lab.states("leaf1")["Ethernet56"] == "Idle"
    assert lab.hops("leaf1", PEER) == set(example.UPLINKS) - {"Ethernet56"}
    assert lab.hops("spine1", "10.0.1.0/29") == {"Ethernet8"}
    assert "Ethernet56" not in neighbors(lab.fabric, lab.switch("leaf1"))


def test_a_blocked_session_leaves_the_link_alone(lab: Lab) -> None:
    faults.make(lab.fabric, "session", ["leaf1:8"])
    assert (lab.states("leaf1")["Ethernet56"], lab.states("spine1")["Ethernet0"]) == ("Active", "Active")
    assert "Ethernet56" in neighbors(lab.fabric, lab.switch("leaf1"))
    assert len(lab.hops("leaf1", PEER)) == 3


def test_another_asn_is_established_and_shows_in_the_paths(lab: Lab) -> None:
    faults.make(lab.fabric, "asn", ["leaf2", "4200009999"])
    assert set(lab.states("leaf2").values()) == {"Established"}
    assert set(lab.paths("leaf1", PEER)) == {"4200100000 4200009999"}
    assert lab.show("spine1", "show bgp summary json")["ipv4Unicast"]["peers"]["Ethernet16"]["remoteAs"] == 4200009999
    file = lab.labdir / "devices/leaf2/etc/sonic/frr/frr.conf"
    assert "router bgp 4200000001" in file.read_text(encoding="utf-8")


def test_an_asn_that_is_the_peers_takes_the_sessions_down(lab: Lab) -> None:
    faults.make(lab.fabric, "asn", ["leaf2", "4200100000"])
    assert set(lab.states("leaf2").values()) == {"Idle"}


def test_a_withdrawn_prefix_keeps_its_discard_route(lab: Lab) -> None:
    faults.make(lab.fabric, "withdraw", ["leaf2", PEER])
    assert lab.paths("leaf1", PEER) == []
    assert lab.show("leaf2", "show ip route json")[PEER][0]["protocol"] == "static"


@pytest.mark.parametrize(("prefix", "heard"), [("10.66.0.0/24", True), ("192.0.2.0/24", False), ("fd00:66::/64", True)])
def test_an_announced_prefix_goes_as_far_as_the_policies_let_it(lab: Lab, prefix: str, heard: bool) -> None:
    faults.make(lab.fabric, "announce", ["leaf2", prefix])
    assert bool(lab.hops("leaf1", prefix)) is heard
    assert lab.paths("leaf2", prefix) == [""]


def test_what_somebody_repaired_meanwhile_is_left_as_it_is(lab: Lab) -> None:
    faults.make(lab.fabric, "asn", ["leaf2", "4200009999"])
    repaired = example.frr_conf("leaf2").replace("maximum-paths 64", "maximum-paths 2")
    lab.reload_frr("leaf2", repaired)
    faults.heal(lab.fabric)
    assert "maximum-paths 2" in str(lab.run("leaf2", "vtysh -c 'show running-config'").out)


@pytest.mark.parametrize(
    ("fault", "message", "hint"),
    [
        (("swp", "a", "b"), "swp is nothing that can be broken", "did you mean swap?"),
        (("zzz",), "zzz is nothing that can be broken", "there are swap, link, session, asn, withdraw, announce"),
        (("swap", "leaf1:8"), "swap wants 2 argument(s), not 1", "break swap A B"),
        (("link", "leaf9:8"), "leaf9 is no switch of this lab", "did you mean leaf2 or leaf1?"),
        (("link", "leaf1:2"), "no cable is in leaf1:2", "did you mean leaf1:8 or leaf1:7 or leaf1:6?"),
        (("link", "leaf1"), "no cable is in leaf1", ""),
        (("link", "su1-h1:r1/a"), "su1-h1 is no switch of this lab", ""),
        (("swap", "leaf1:8", "spine1:1"), "leaf1:8 and spine1:1 are the two ends of one cable", ""),
        (("asn", "leaf1", "4294967296"), "4294967296 is no ASN", "1 to 4294967295"),
        (("asn", "leaf1", "x"), "x is no ASN", ""),
        (("withdraw", "leaf1", "10.0.9.0/29"), "leaf1 does not originate 10.0.9.0/29", "did you mean 10.0.1.0/29"),
        (("withdraw", "leaf1", "10.0.1"), "10.0.1 is no prefix", ""),
        (("unreachable", "leaf"), "leaf is no switch of this lab", "did you mean leaf"),
    ],
)  # fmt: skip
def test_a_wrong_word_says_what_there_is(lab: Lab, fault: tuple[str, ...], message: str, hint: str) -> None:
    with pytest.raises(Invalid) as refused:
        faults.make(lab.fabric, fault[0], fault[1:])
    problem = refused.value.diagnostics[0]
    assert problem.message.startswith(message)
    assert hint in problem.hint
    assert lab.fabric.faults.told == []


def test_a_switch_without_bgp_cannot_be_given_another_asn(lab: Lab) -> None:
    lab.run("leaf1", "vtysh -c 'configure terminal' -c 'no router bgp 4200000000'")
    with pytest.raises(Invalid, match="leaf1 runs no BGP"):
        faults.make(lab.fabric, "asn", ["leaf1", "1"])
