"""What a push may change of a running text: owned stanzas and lines, and not one byte of anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.platforms import eos
from netaudit.platforms.eos.areas import OWNS, area_of
from netaudit.platforms.eos.text import parse, paths
from netaudit.render import render
from platforms.example import devices

EXAMPLE = Path(__file__).resolve().parents[4] / "shared" / "data" / "vendor-examples" / "eos-leaf.cfg"
AREAS = tuple(OWNS)
CONFIG = "eos.cfg"

RUNNING = """\
! Command: show running-config
! device: leaf1 (DCS-7060X6-64PE, EOS-4.34.1F)
!
no aaa root
!
username admin privilege 15 role network-admin secret sha512 $6$salt$digest
!
hostname leaf1
!
vlan 30
   name old
!
vrf instance MGMT
!
vrf instance lab
!
management api gnmi
   transport grpc default
      ssl profile gnmi
      vrf MGMT
   provider eos-native
!
interface Ethernet1/1
   description somebody
   load-interval 5
   mtu 1500
   speed 400g-4
   no switchport
   ip address 192.0.2.1/31
   storm-control broadcast level 1
   !
   uc-tx-queue 3
      random-detect ecn count
!
interface Ethernet1/3
   description an old part of the cage
   no switchport
!
interface Management1
   vrf MGMT
   ip address 203.0.113.11/24
!
ip routing
no ip routing vrf MGMT
!
ip route vrf MGMT 0.0.0.0/0 203.0.113.1
!
ip prefix-list OLD
   seq 10 permit 0.0.0.0/0
!
router bgp 65001
   neighbor 192.0.2.0 remote-as 65002
   redistribute connected
!
banner login
interface Ethernet9/9
   no switchport
EOF
!
ntp server 203.0.113.5
!
end
"""


def rendered() -> dict[str, str]:
    return dict(render(eos.quantize(devices("eos")[0])))


def running() -> dict[str, str]:
    return {CONFIG: RUNNING}


def foreign(text: str) -> list[tuple[str, ...]]:
    return [path for path in paths(parse(text)) if not area_of(path)]


def test_what_is_of_no_area_stays_in_its_order_and_what_is_ours_means_what_we_render() -> None:
    new = eos.candidate(rendered(), running(), AREAS)
    assert [path for path in foreign(new[CONFIG]) if path in foreign(RUNNING)] == foreign(RUNNING)
    assert "hostname leaf1\n" in new[CONFIG]
    assert "a-su1-r1-leaf" not in new[CONFIG].replace("to a-su1", "")
    device = eos.read_config(new, "x")
    ours = eos.read_config(rendered(), "x")
    assert (device.bgp, device.buffers, device.vrfs, device.vlans) == (ours.bgp, ours.buffers, ours.vrfs, ours.vlans)
    assert {key: port for key, port in (device.ports or {}).items() if key in (ours.ports or {})} == ours.ports


@pytest.mark.parametrize(
    "block",
    [
        "username admin privilege 15 role network-admin secret sha512 $6$salt$digest\n!\n",
        "hostname leaf1\n!\n",
        "vrf instance MGMT\n!\n",
        "management api gnmi\n   transport grpc default\n      ssl profile gnmi\n      vrf MGMT\n",
        "interface Management1\n   vrf MGMT\n   ip address 203.0.113.11/24\n!\n",
        "ip route vrf MGMT 0.0.0.0/0 203.0.113.1\n!\n",
        "no ip routing vrf MGMT\n",
        "banner login\ninterface Ethernet9/9\n   no switchport\nEOF\n!\n",
        "ntp server 203.0.113.5\n!\n",
        "   load-interval 5\n",
        "   storm-control broadcast level 1\n",
    ],
)
def test_what_belongs_to_others_is_there_byte_for_byte(block: str) -> None:
    assert block in eos.candidate(rendered(), running(), AREAS)[CONFIG]


@pytest.mark.parametrize(
    "line",
    ["vlan 30", "vrf instance lab", "ip prefix-list OLD", "redistribute connected", "an old part", "192.0.2.1/31"],
)
def test_what_stands_in_an_owned_area_and_is_not_ours_goes(line: str) -> None:
    assert line not in eos.candidate(rendered(), running(), AREAS)[CONFIG]


def test_the_end_stays_the_end() -> None:
    assert eos.candidate(rendered(), running(), AREAS)[CONFIG].endswith("!\nend\n")


@pytest.mark.parametrize("area", AREAS)
def test_one_area_alone_changes_nothing_of_the_others(area: str) -> None:
    new = eos.candidate(rendered(), running(), (area,))
    kept = [path for path in paths(parse(RUNNING)) if area_of(path) != area]
    assert [path for path in paths(parse(new[CONFIG])) if path in set(kept)] == kept


def test_nothing_is_owned_and_nothing_changes() -> None:
    assert eos.candidate({CONFIG: "hostname x\n"}, running(), ()) == running()


def test_a_second_candidate_is_the_first_to_the_byte() -> None:
    first = eos.candidate(rendered(), running(), AREAS)
    assert eos.candidate(rendered(), first, AREAS) == first
    assert eos.equal(first, first)
    assert eos.diff(first, first) == ()


def test_a_text_that_says_the_same_in_other_words_stays_as_it_is() -> None:
    """The switch leaves defaults out, and has an order of its own."""
    ours = rendered()
    shown = ours[CONFIG].replace("qos map traffic-class 1 to tx-queue 1\n", "").replace("   no priority\n", "")
    lines = shown.replace("      bandwidth percent 40\n", "      no priority\n      bandwidth percent 40\n")
    lines = lines.replace("      bandwidth percent 60\n", "      bandwidth percent 60\n      no priority\n")
    assert lines != ours[CONFIG]
    assert eos.candidate(ours, {CONFIG: lines}, AREAS) == {CONFIG: lines}
    assert eos.equal(ours, {CONFIG: lines})


def test_the_diff_names_each_line_with_those_it_stands_below_and_hides_secrets() -> None:
    new = eos.candidate(rendered(), running(), AREAS)
    lines = eos.diff(running(), new)
    assert "- interface Ethernet1/1 / mtu 1500" in lines
    assert "+ interface Ethernet1/1 / mtu 9214" in lines
    assert not any("digest" in line for line in lines)
    assert not any("ntp" in line or "Management" in line for line in lines)


@pytest.mark.parametrize("areas", [AREAS, ("bgp",), ("ports", "qos")], ids=str)
def test_what_is_kept_leads_back_and_holds_nothing_of_others(areas: tuple[str, ...]) -> None:
    mine = dict(rendered())
    mine[CONFIG] += (
        "logging host 192.0.2.9\nmanagement api gnmi\n"
        "   transport grpc default\n      port 6031\n   transport grpc other\n"
    )
    new = eos.candidate(mine, running(), areas)
    assert "logging host 192.0.2.9" in new[CONFIG]
    old = eos.kept(running(), mine, areas)
    assert "sha512" not in old[CONFIG]
    assert "Management1" not in old[CONFIG]
    assert eos.equal(eos.candidate(old, new, areas), running())


def test_lines_of_the_sites_own_come_to_the_stanza_that_they_are_for() -> None:
    grpc = "   transport grpc default\n      port 6031\n"
    mine = {CONFIG: f"management api gnmi\n{grpc}   transport grpc other\nlogging host 192.0.2.9\n"}
    new = eos.candidate(mine, running(), ())[CONFIG]
    assert "      vrf MGMT\n      port 6031\n   provider" in new
    assert "   provider eos-native\n   transport grpc other\n!\n" in new
    assert new.count("management api gnmi") == 1
    assert "logging host 192.0.2.9\n" in new


def test_a_line_of_the_sites_own_on_a_port_stands_beside_ours() -> None:
    mine = dict(rendered())
    mine[CONFIG] += "interface Ethernet1/5\n   load-interval 30\ninterface Ethernet1/1\n   load-interval 5\n"
    for text in (RUNNING, "hostname leaf1\n!\nend\n"):
        new = eos.candidate(mine, {CONFIG: text}, AREAS)
        device, ours = eos.read_config(new, "x"), eos.read_config(rendered(), "x")
        assert (device.ports or {})["1/1"] == (ours.ports or {})["1/1"]
        assert (device.ports or {})["1/2"] == (ours.ports or {})["1/2"]
        assert new[CONFIG].count("   load-interval 30\n") == 1
        assert new[CONFIG].count("   load-interval 5\n") == 1
        assert eos.candidate(mine, new, AREAS) == new


SERVER = "management api gnmi\n   transport grpc default\n      ssl profile gnmi\n   provider eos-native\n"


def test_a_switch_without_a_gnmi_server_is_given_one_where_it_is_ours_as_a_whole() -> None:
    bare = {CONFIG: "hostname leaf1\n!\nend\n"}
    assert SERVER in rendered()[CONFIG]
    assert SERVER in eos.candidate(rendered(), bare, AREAS)[CONFIG]
    assert "management" not in eos.candidate(rendered(), bare, AREAS[:-1])[CONFIG]
    theirs = "management api gnmi\n   transport grpc default\n      vrf MGMT\n   provider eos-native\n"
    assert "ssl profile" not in eos.candidate(rendered(), {CONFIG: f"{theirs}!\nend\n"}, AREAS)[CONFIG]


def test_a_real_leaf_is_read_and_keeps_what_is_not_ours() -> None:
    if not EXAMPLE.exists():
        pytest.skip("shared reference data is not here: no vendor examples")
    text = EXAMPLE.read_text()
    device = eos.read_config({CONFIG: text}, "leaf1")
    assert device.ports is not None
    assert device.interfaces is not None
    assert device.qos is not None
    assert device.buffers is not None
    assert sorted(device.ports) == [str(number) for number in range(1, 9)]
    assert device.interfaces["1"].addresses == frozenset({"198.51.100.0/31"})
    assert device.interfaces["5"].link_local is True
    assert device.vrfs == frozenset()
    assert (device.qos.ports or {})["1"].pfc == frozenset({3})
    assert (device.buffers.profiles or {})["ingress"].xoff_bytes == 98304
    assert device.bgp is not None
    assert sorted(device.bgp.neighbors or {}) == ["5", "6", "7", "8"]
    new = eos.candidate(rendered(), {CONFIG: text}, AREAS)[CONFIG]
    assert [path for path in foreign(new) if path in foreign(text)] == foreign(text)
    assert eos.candidate({CONFIG: text}, {CONFIG: text}, AREAS) == {CONFIG: text}
