from __future__ import annotations

import pytest

from oracles import frr

GOOD = """\
frr defaults datacenter
hostname leaf1
ip route 10.0.0.0/25 blackhole
router bgp 4200000001
 bgp router-id 10.255.0.1
 neighbor FABRIC peer-group
 neighbor FABRIC remote-as external
 neighbor Ethernet0 interface peer-group FABRIC
 address-family ipv4 unicast
  network 10.255.0.1/32
  neighbor FABRIC activate
 exit-address-family
exit
"""


def test_a_sound_file_has_no_problem_of_grammar() -> None:
    assert frr.vtysh_problems(GOOD) == ()


def test_a_sound_file_has_no_problem_of_meaning() -> None:
    assert frr.bgpd_problems(GOOD) == ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (GOOD.replace("remote-as external", "remote-as externl"), "externl"),
        (GOOD + "ip route 10.0.0.0/8\n", "incomplete"),
        # Leaves the configuration by its second `exit`; vtysh ends with 0.
        (GOOD + "route-map X permitt 10\n exit\nexit\n", "permitt"),
    ],
)
def test_a_line_that_is_no_command_is_named(wrong: str, said: str) -> None:
    problems = frr.vtysh_problems(wrong)
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (GOOD.replace("neighbor FABRIC activate", "neighbor NOBODY activate"), "NOBODY activate"),
        (GOOD + "router bgp 65002\nexit\n", "router bgp 65002"),
    ],
)
def test_a_command_that_makes_no_sense_is_named(wrong: str, said: str) -> None:
    assert frr.vtysh_problems(wrong) == (), "only bgpd can see this"
    assert any(said in problem for problem in frr.bgpd_problems(wrong))
