"""Text of the site's own: merged into the tree, found again line by line, and refused where it is ours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from oracles.nvue import problems

from netaudit.platforms import nvue
from netaudit.render import render
from netaudit.state import Bgp, Device, Store
from netaudit.state.walk import differences
from platforms.nvue.fabrics import examples

TEXT = """\
# owner: netops
router:
  pim:
    state: enabled
vrf:
  default:
    router:
      static:
        10.9.0.0/16:
          address-family: ipv4-unicast
          via:
            10.0.0.1:
              type: ipv4-address
"""
LINES = frozenset(
    {
        "router pim state enabled",
        "vrf default router static 10.9.0.0/16 address-family ipv4-unicast",
        "vrf default router static 10.9.0.0/16 via 10.0.0.1 type ipv4-address",
    }
)


def with_raw(device: Device, text: str = TEXT) -> Device:
    return replace(device, bgp=replace(device.bgp or Bgp(), raw=text, unmodelled=nvue.raw_lines(text)))


def test_lines_are_said_in_the_words_of_nv_set() -> None:
    assert nvue.raw_lines(TEXT) == LINES
    assert nvue.raw_lines("- set:\n" + "".join(f"    {line}\n" for line in TEXT.splitlines())) == LINES


def test_the_contract_holds_with_it_and_each_line_that_goes_is_seen() -> None:
    for device in examples("5.17"):
        expected = with_raw(device)
        files = render(expected)
        held = nvue.HELD[Store.RUNNING]
        assert list(differences(expected, nvue.read_config(files, device.name), held)) == []
        assert problems(files["nvue.yaml"], "5.17") == []
        less = {"nvue.yaml": files["nvue.yaml"].replace("      pim:\n        state: enabled\n", "", 1)}
        found = list(differences(expected, nvue.read_config(less, device.name), held))
        assert [(d.path, d.observed) for d in found] == [(("bgp", "unmodelled"), LINES - {"router pim state enabled"})]


def test_snippets_follow_one_another() -> None:
    both = "router:\n  pim:\n    state: enabled\nrouter:\n  igmp:\n    state: enabled\n"
    assert nvue.raw_lines(both) == {"router pim state enabled", "router igmp state enabled"}
    text = render(with_raw(examples("5.17")[0], both))["nvue.yaml"]
    assert nvue.raw_lines(both) == nvue.read_config({"nvue.yaml": text}, "x").bgp.unmodelled  # type: ignore[union-attr]


def test_what_may_stand_there_is_not_refused() -> None:
    assert list(nvue.raw_problems(TEXT, ("bgp", "ports"))) == []


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("router:\n  bgp:\n    graceful-restart:\n      mode: full\n", 4, "touches the area bgp"),
        ("router:\n  policy:\n    route-map:\n      X: {}\n", 4, "touches the area bgp"),
        ("vrf:\n  default:\n    router:\n      bgp:\n        rd: 1:1\n", 5, "touches the area bgp"),
        ("interface:\n  swp1:\n    link:\n      mtu: 1500\n", 4, "would not be audited"),
        ("system:\n  ntp:\n    server: {}\n", 3, "would not be audited"),
        ("router:\n  adaptive-routing:\n    state: enabled\n", 3, "would not be audited"),
        ("router: {pim: on}\n", 1, "YAML that no NVUE writes"),
    ],
)
def test_what_is_ours_or_not_audited_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    found = list(nvue.raw_problems(text, ("bgp",)))
    assert [(number, said in message) for number, message, _ in found] == [(line, True)]
