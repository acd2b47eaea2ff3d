"""What a configuration of NVUE says: in the words of any release, and with what RoCE sets by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from netaudit.platforms import nvue
from netaudit.render import render
from netaudit.state import ABSENT, Device, PolicyRule, Store, Watchdog
from netaudit.state.walk import differences
from platforms.example import devices
from platforms.nvue.fabrics import INTENTS, RELEASES, VARIANTS, examples, held, of_intent

HELD = nvue.HELD[Store.RUNNING]


def read(text: str) -> Device:
    return nvue.read_config({"nvue.yaml": text}, "leaf1")


def tree(text: str) -> Device:
    """The state of a tree below `set`."""
    body = "\n".join(f"    {line}" for line in text.strip("\n").splitlines())
    return read(f"- header:\n    model: SN5600\n    version: Cumulus Linux 5.17.0\n- set:\n{body}\n")


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_is_read_back_as_it_was_written(release: str) -> None:
    for device in examples(release):
        found = nvue.read_config(render(device), device.name)
        assert list(differences(device, found, HELD)) == []
        assert found.version == f"Cumulus Linux {release}.0"


@pytest.mark.parametrize("roles", ["all", "leaf", "others"])
@pytest.mark.parametrize("intent", INTENTS)
def test_every_switch_of_every_example_intent_is_read_back(intent: str, roles: str) -> None:
    found = list(of_intent(intent, roles))
    assert found
    for device in found:
        files = render(device)
        assert list(differences(device, nvue.read_config(files, device.name), HELD)) == []
        assert nvue.problems(files) == ()


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "numbered links"])
def test_every_variant_is_read_back(variant: str) -> None:
    for device in of_intent("two-plane", variant=variant):
        files = render(device)
        assert list(differences(device, nvue.read_config(files, device.name), HELD)) == []
        assert nvue.problems(files) == ()


def test_both_sides_of_the_break_at_5_15_say_the_same() -> None:
    for device in devices("nvue"):
        old, new = (held(device, release) for release in ("5.14", "5.15"))
        texts = [render(one)["nvue.yaml"] for one in (old, new)]
        assert texts[0] != texts[1]
        assert list(differences(old, read(texts[1]), HELD)) == []
        assert nvue.equal({"nvue.yaml": texts[0]}, {"nvue.yaml": texts[1]})


def test_the_header_is_that_of_the_intended_version_and_of_the_newest_without_one() -> None:
    for version, header in (("5.16.1", "Cumulus Linux 5.16.1"), ("5.14", "Cumulus Linux 5.14.0"), ("", "5.17.0")):
        assert header in render(held(devices("nvue")[0], version))["nvue.yaml"]


def test_the_vendors_example_is_read_with_what_roce_sets_by_itself(shared: Path) -> None:
    device = read((shared / "data" / "vendor-examples" / "nvue-5.17-leaf.yaml").read_text())
    assert device.qos is not None
    assert device.qos.ports is not None
    assert device.buffers is not None
    assert device.bgp is not None
    port = device.qos.ports["1"]
    assert port.pfc == {3}
    assert port.watchdog == Watchdog(detect_ms=300, restore_ms=100)
    assert [device.qos.dscp_to_tc["default-global"][dscp] for dscp in (0, 26, 48)] == [0, 3, 6]  # type: ignore[index]
    assert device.qos.tc_to_queue == {"default-global": {n: n if n in (3, 6) else 0 for n in range(8)}}
    kinds = {name: row.kind for name, row in (device.qos.schedulers or {}).items()}
    assert kinds == {"default-global/0": "dwrr", "default-global/3": "dwrr", "default-global/6": "strict"}
    assert {q: s.wred for q, s in (port.queues or {}).items()} == {
        "0": "default-global/0",
        "3": "default-global/3",
        "6": ABSENT,
    }
    assert {name: pool.size_bytes for name, pool in (device.buffers.pools or {}).items()} == {
        "default-lossy": 158_229_504 * 40 // 100,
        "roce-lossless": 158_229_504 * 60 // 100,
    }
    assert (device.bgp.asn, device.bgp.maximum_paths, device.bgp.multipath_relax) == (65101, 64, True)
    assert {key: n.remote for key, n in (device.bgp.neighbors or {}).items()} == dict.fromkeys("5678", "external")
    assert device.interfaces is not None
    assert device.interfaces["5"].link_local is True
    assert "vrf default router bgp peer-group underlay bfd profile FABRIC" in device.bgp.unmodelled  # type: ignore[operator]


@pytest.mark.parametrize("state", ["state: enable", "state: enabled", ""])
def test_a_watchdog_is_on_however_it_is_spelled(state: str) -> None:
    device = tree(
        f"interface:\n  swp1:\n    qos:\n      pfc-watchdog: {{}}\n        {state}".replace(
            " {}", "" if state else " {}"
        )
    )
    assert device.qos is not None
    assert (device.qos.ports or {})["1"].watchdog == Watchdog(detect_ms=300, restore_ms=100)


@pytest.mark.parametrize("state", ["disable", "disabled"])
def test_a_watchdog_is_off_however_it_is_spelled(state: str) -> None:
    device = tree(f"interface:\n  swp1:\n    qos:\n      pfc-watchdog:\n        state: {state}")
    assert device.qos is not None
    assert (device.qos.ports or {})["1"].watchdog is ABSENT


def test_ranges_and_lists_in_keys_are_all_the_numbers_they_stand_for() -> None:
    device = tree(
        """
qos:
  roce: {}
  mapping:
    default-global:
      dscp:
        10-12,46:
          switch-priority: 3
  pfc:
    TWO:
      switch-priority:
        3,5: {}
bridge:
  domain:
    br_default:
      vlan:
        10-12: {}
interface:
  swp1:
    qos:
      pfc:
        profile: TWO
"""
    )
    assert device.qos is not None
    found = (device.qos.dscp_to_tc or {})["default-global"]
    assert [found[dscp] for dscp in (9, 10, 11, 12, 46)] == [1, 3, 3, 3, 3]
    assert (device.qos.ports or {})["1"].pfc == {3, 5}
    assert set(device.vlans or {}) == {"10", "11", "12"}


def test_lossy_roce_gives_no_port_pfc() -> None:
    device = tree("qos:\n  roce:\n    mode: lossy\ninterface:\n  swp1:\n    qos:\n      pfc-watchdog: {}")
    assert device.qos is not None
    assert (device.qos.ports or {})["1"].pfc == frozenset()


def test_pfc_that_only_sends_or_only_obeys_is_no_pfc() -> None:
    text = """
qos:
  pfc:
    P:
      switch-priority:
        '3': {}
      rx: disable
interface:
  swp1:
    qos:
      pfc:
        profile: P
"""
    device = tree(text)
    assert device.qos is not None
    assert (device.qos.ports or {})["1"].pfc == frozenset()


POLICY = """
router:
  policy:
    prefix-list:
      L:
        type: ipv4
        rule:
          '10':
            action: permit
            match:
              10.0.0.0/8:
                max-prefix-len: 24
          '20':
            action: permit
            match:
              10.1.0.0/16:
                min-prefix-len: 31
                max-prefix-len: 32
    route-map:
      M:
        rule:
          '10':
            action:
              permit: {}
            match:
              type: ipv4
              ip-prefix-list: L
          '20':
            action:
              permit: {}
"""


def test_what_a_policy_of_ours_cannot_say_is_a_line_that_nobody_models() -> None:
    device = tree(POLICY)
    assert device.bgp is not None
    assert (device.bgp.policies or {})["M"].permits == {PolicyRule(prefix="10.0.0.0/8", up_to=24)}
    assert device.bgp.unmodelled == {
        "router policy prefix-list L rule 20 permit 10.1.0.0/16 from 31",
        "router policy route-map M rule 20",
    }


def test_a_foreign_line_of_routing_is_unmodelled_and_management_is_left_alone() -> None:
    device = tree(
        "router:\n  ospf:\n    state: enabled\nvrf:\n  mgmt:\n    router:\n      static:\n        0.0.0.0/0:\n"
        "          via:\n            192.0.2.1: {}\n  default:\n    router:\n      static:\n        10.9.0.0/16:\n"
        "          via:\n            10.0.0.1:\n              type: ipv4-address"
    )
    assert device.bgp is not None
    assert device.bgp.unmodelled == {
        "router ospf state enabled",
        "vrf default router static 10.9.0.0/16 via 10.0.0.1 type ipv4-address",
    }


def test_a_neighbor_takes_what_its_peer_group_says_and_it_does_not() -> None:
    device = tree(
        """
vrf:
  default:
    router:
      bgp:
        address-family:
          ipv6-unicast:
            state: enabled
        peer-group:
          G:
            remote-as: external
            address-family:
              ipv6-unicast:
                state: enabled
                policy:
                  inbound:
                    route-map: IN
              ipv4-unicast:
                policy:
                  inbound:
                    route-map: IN
        neighbor:
          swp1:
            peer-group: G
            type: unnumbered
          FE80::1:
            peer-group: G
            remote-as: 65002
"""
    )
    assert device.bgp is not None
    found = device.bgp.neighbors or {}
    assert (found["1"].remote, found["1"].import_policy, found["1"].families) == ("external", "IN", {"ipv4", "ipv6"})
    assert found["fe80::1"].remote == "65002"


def test_addresses_are_compared_in_one_spelling() -> None:
    device = tree(
        "interface:\n  swp1:\n    ipv6:\n      address:\n        FC00:0:0:0::1/126: {}\n  lo:\n    type: loopback"
    )
    assert device.interfaces is not None
    assert device.interfaces["1"].addresses == {"fc00::1/126"}
    assert device.interfaces["Loopback0"].addresses == frozenset()


def test_a_cage_that_is_split_is_no_port_and_one_that_is_not_is() -> None:
    device = tree(
        "interface:\n  swp1:\n    type: swp\n    link:\n      breakout:\n        2x: {}\n"
        "  swp1s0:\n    type: swp\n  swp1s1:\n    type: swp\n  swp2:\n    type: swp\n  eth0:\n    type: eth"
    )
    assert device.ports is not None
    assert {key: port.breakout for key, port in device.ports.items()} == {"1/1": "2x", "1/2": None, "2": "1x"}


def test_a_drained_switch_announces_nothing_in_so_many_words() -> None:
    device = examples()[0]
    assert device.bgp is not None
    nothing = {name: replace(policy, permits=frozenset()) for name, policy in (device.bgp.policies or {}).items()}
    drained = replace(device, bgp=replace(device.bgp, policies=nothing))
    text = render(drained)["nvue.yaml"]
    assert "deny: {}" in text
    assert list(differences(drained, read(text), HELD)) == []


@pytest.mark.parametrize(
    ("four", "six", "told", "beside"),
    [(64, 64, 64, 0), (1, 64, 1, 0), (64, 641, 641, 0), (64, 128, 64, 2), (32, 32, 32, 0), (16, 32, 16, 2)],
)
def test_of_two_widths_the_one_that_somebody_changed_is_told(four: int, six: int, told: int, beside: int) -> None:
    family = "          {0}-unicast:\n            state: enabled\n            multipaths:\n              ebgp: {1}\n"
    body = family.format("ipv4", four) + family.format("ipv6", six)
    device = tree(f"vrf:\n  default:\n    router:\n      bgp:\n        address-family:\n{body}")
    assert device.bgp is not None
    assert device.bgp.maximum_paths == told
    assert isinstance(device.bgp.unmodelled, frozenset)
    assert len(device.bgp.unmodelled) == beside
