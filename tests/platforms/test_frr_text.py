"""FRR's text read back: every line either stands for a leaf or is told as unmodelled; none is taken for another."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from netaudit.platforms.sonic.frr import read_frr
from netaudit.platforms.sonic.tables import Unreadable
from netaudit.render import render
from netaudit.state import ABSENT, Bgp, PolicyRule, Store
from netaudit.state.walk import with_leaf
from platforms.answers_sonic import shown_by_vtysh
from platforms.example import LEAF, in_stores

DEVICE = in_stores(LEAF)[Store.RUNNING]
TEXT = render(DEVICE)["frr.conf"]
KEYS = {str(port.native): key for key, port in (DEVICE.ports or {}).items()}


def bgp_of(text: str) -> Bgp:
    return read_frr(text, KEYS)


def beside(line: str, after: str = "router bgp 4200000000") -> str:
    """The rendered text with one more line behind another, as deep as it."""
    lines = TEXT.splitlines()
    at = next(number for number, text in enumerate(lines) if text.strip() == after)
    following = lines[at + 1]
    return "\n".join([*lines[: at + 1], following[: len(following) - len(following.lstrip())] + line, *lines[at + 1 :]])


def test_the_frame_around_a_running_configuration_says_nothing() -> None:
    assert bgp_of(shown_by_vtysh(TEXT)) == bgp_of(TEXT)


BESIDE: Mapping[str, tuple[str, str]] = {
    "redistribution": ("redistribute connected", "address-family ipv4 unicast"),
    "allowas-in for what one originated": ("neighbor FABRIC allowas-in origin", "address-family ipv4 unicast"),
    "an aggregate": ("aggregate-address 10.0.0.0/8", "address-family ipv4 unicast"),
    "a network under a route-map": ("network 10.9.0.0/24 route-map X", "address-family ipv4 unicast"),
    "a shut neighbor": ("neighbor Ethernet504 shutdown", "router bgp 4200000000"),
    "timers of one neighbor": ("neighbor FABRIC timers 1 3", "router bgp 4200000000"),
    "a confederation": ("bgp confederation identifier 65000", "router bgp 4200000000"),
    "a static route to somewhere": ("ip route 0.0.0.0/0 192.0.2.1", "ip route 10.0.0.0/28 blackhole"),
    "a prefix-list that denies": ("ip prefix-list FABRIC-IN seq 1 deny 10.0.0.0/28", "fpm address 127.0.0.1"),
    "a prefix-list with ge": ("ip prefix-list FABRIC-IN seq 7 permit 10.0.0.0/8 ge 24 le 28", "fpm address 127.0.0.1"),
    "a prefix-list that nobody uses": ("ip prefix-list OLD seq 5 permit 10.0.0.0/8", "fpm address 127.0.0.1"),
    "an entry that denies between others": ("route-map FABRIC-IN deny 15", "ip route 10.0.0.0/28 blackhole"),
    "a set in a route-map": ("set metric 10", "route-map FABRIC-IN permit 10"),
    "a second match, so that both must hold": (
        "match ipv6 address prefix-list FABRIC-IN",
        "match ip address prefix-list FABRIC-IN",
    ),
}


@pytest.mark.parametrize(("line", "after"), BESIDE.values(), ids=BESIDE)
def test_a_line_that_no_leaf_stands_for_is_told(line: str, after: str) -> None:
    found = bgp_of(beside(line, after)).unmodelled
    assert isinstance(found, frozenset)
    assert any(line in told or told.startswith("ip OLD prefix-list") for told in found), found


@pytest.mark.parametrize(("words", "times"), [("allowas-in 2", 2), ("allowas-in", 3)])
def test_how_often_the_own_asn_may_come_back_is_read_for_each_family(words: str, times: int) -> None:
    """Without a number it is three times, by FRR's manual."""
    found = bgp_of(beside(f"neighbor FABRIC {words}", "address-family ipv6 unicast"))
    assert found.unmodelled == frozenset()
    assert {str(neighbor.allowas_in) for neighbor in (found.neighbors or {}).values()} == {str({"ipv6": times})}


def test_an_entry_of_a_route_map_that_matches_nothing_lets_everything_through() -> None:
    """It permits all, which is no permit of any prefix-list: a leak that must not read as the policy planned."""
    found = bgp_of(TEXT.replace("!\nip route", "!\nroute-map FABRIC-IN permit 30\nexit\n!\nip route"))
    assert found.unmodelled == {"route-map FABRIC-IN permit 30"}


def test_entries_behind_one_that_denies_everything_are_told() -> None:
    """They are never reached, so the policy is not what they say."""
    found = bgp_of(beside("route-map FABRIC-IN deny 5", "fpm address 127.0.0.1"))
    assert isinstance(found.unmodelled, frozenset)
    assert "route-map FABRIC-IN permit 10" in found.unmodelled
    assert (found.policies or {})["FABRIC-IN"].permits == frozenset()


def test_a_policy_that_permits_nothing_is_written_and_read_back() -> None:
    device = with_leaf(DEVICE, ("bgp", "policies", "FABRIC-IN", "permits"), frozenset())
    found = bgp_of(render(device)["frr.conf"])
    assert (found.policies or {})["FABRIC-IN"].permits == frozenset()
    assert found.unmodelled == frozenset()


def test_lines_of_another_vrf_are_not_those_of_ours() -> None:
    found = bgp_of(TEXT + "router bgp 4200000000 vrf storage\n network 10.9.0.0/24\nexit\n")
    assert isinstance(found.unmodelled, frozenset)
    assert "router bgp 4200000000 vrf storage" in found.unmodelled
    assert found.networks == bgp_of(TEXT).networks


TIMERS = {
    "the profile's own": ("datacenter", "", (3, 9)),
    "of another profile": ("traditional", "", (60, 180)),
    "as written": ("datacenter", " timers bgp 10 30\n", (10, 30)),
}


@pytest.mark.parametrize(("profile", "line", "wanted"), TIMERS.values(), ids=TIMERS)
def test_timers_are_those_in_force(profile: str, line: str, wanted: tuple[int, int]) -> None:
    """FRR prints no line that is equal to its profile's default (lab.md section 2)."""
    text = TEXT.replace("datacenter", profile).replace(" bgp router-id", f"{line} bgp router-id")
    assert (bgp_of(text).keepalive_s, bgp_of(text).hold_s) == wanted


def test_a_policy_is_required_by_default_in_all_profiles_but_datacenter() -> None:
    silent = TEXT.replace(" bgp ebgp-requires-policy\n", "")
    assert bgp_of(silent).requires_policy is False
    assert bgp_of(silent.replace("datacenter", "traditional")).requires_policy is True
    assert bgp_of(TEXT.replace(" bgp ebgp", " no bgp ebgp")).requires_policy is False


def test_a_family_without_maximum_paths_is_not_the_other_ones_number() -> None:
    first, second = TEXT.index("  maximum-paths"), TEXT.rindex("  maximum-paths")
    assert first != second
    assert bgp_of(TEXT).maximum_paths == 64
    assert bgp_of(TEXT[:second] + TEXT[second:].replace("  maximum-paths 64\n", "")).maximum_paths is ABSENT
    assert bgp_of(TEXT[:first] + TEXT[first:].replace("maximum-paths 64", "maximum-paths 8", 1)).maximum_paths == 8


def test_settings_of_a_neighbor_win_over_those_of_its_group() -> None:
    text = beside("neighbor Ethernet504 route-map OTHER out", "address-family ipv4 unicast")
    neighbors = bgp_of(text).neighbors or {}
    assert (neighbors["64"].export_policy, neighbors["63"].export_policy) == ("OTHER", "FABRIC-OUT")


def test_a_policy_that_differs_between_families_is_told() -> None:
    second = TEXT.rindex("route-map FABRIC-IN in")
    found = bgp_of(TEXT[:second] + "route-map OTHER in" + TEXT[second + len("route-map FABRIC-IN in") :])
    assert found.unmodelled == {"neighbor FABRIC route-map OTHER in"}


SPELLINGS = {
    "an address with host bits": ("10.0.0.0/28", "10.0.0.5/28"),
    "IPv6 in full": ("fd00:ff::1/128", "FD00:00FF:0000:0000:0000:0000:0000:0001/128"),
    "Null0": ("blackhole", "Null0"),
    "blanks": (" neighbor FABRIC peer-group", "  neighbor  FABRIC   peer-group  "),
    "DOS line ends": ("\n", "\r\n"),
}


@pytest.mark.parametrize(("ours", "theirs"), SPELLINGS.values(), ids=SPELLINGS)
def test_what_means_the_same_reads_the_same(ours: str, theirs: str) -> None:
    assert bgp_of(TEXT.replace(ours, theirs)) == bgp_of(TEXT)


def test_an_asn_may_be_dotted() -> None:
    assert bgp_of(TEXT.replace("router bgp 4200000000", "router bgp 64086.59904")).asn == 4200000000


@pytest.mark.parametrize(
    "line", ["router bgp many", "ip route 10.0.0.0/33 blackhole", "ip prefix-list X seq 5 permit x"]
)
def test_a_line_with_no_number_where_one_must_be_is_unreadable(line: str) -> None:
    with pytest.raises(Unreadable):
        bgp_of(TEXT + line + "\n")


def test_no_text_at_all_is_no_speaker() -> None:
    found = bgp_of("")
    assert (found.asn, found.neighbors, found.networks) == (ABSENT, {}, frozenset())


def test_permits_of_both_families_are_one_policy() -> None:
    policies = bgp_of(TEXT).policies or {}
    assert policies["FABRIC-OUT"].permits == {
        PolicyRule(prefix="10.0.0.0/28", up_to=28),
        PolicyRule(prefix="10.255.0.1/32", up_to=32),
        PolicyRule(prefix="fd00:ff::1/128", up_to=128),
    }
