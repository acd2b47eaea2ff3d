"""What NVIDIA's models let through and a switch would not take, or not do what was meant."""

from __future__ import annotations

import pytest

from netaudit.platforms import nvue
from netaudit.render import render
from platforms.nvue.fabrics import RELEASES, examples

LEAF = render(examples("5.17")[0])["nvue.yaml"]
WRONG = {
    "a DSCP of 64": ("            '63':\n", "            '64':\n", "dscp 64: 0 to 63"),
    "shares above 100": ("bw-percent: 40", "bw-percent: 41", "bw-percent sums to 101"),
    "pools above 100": ("memory-percent: 50", "memory-percent: 51", "memory-percent sums to 101"),
    "thresholds the wrong way": ("min-threshold: 433152", "min-threshold: 1800000", "min-threshold 1800000 above max"),
    "a profile that is not there": (
        "profile: ETS-400G\n          egress-shaper",
        "profile: X\n          egress-shaper",
        "there is no such profile",
    ),
    "a route map that is not there": ("route-map: FABRIC-IN\n", "route-map: OTHER\n", "there is no route-map OTHER"),
    "a list that is not there": (
        "ip-prefix-list: FABRIC-IN-V4",
        "ip-prefix-list: OTHER",
        "there is no prefix-list OTHER",
    ),
    "a sub-port of a whole cage": (
        "          breakout:\n            2x: {}\n",
        "          mtu: 9216\n",
        "swp1 is not split",
    ),
    "a VRF that is not there": (
        "        ipv6:\n          state: enabled\n",
        "        vrf: red\n",
        "there is no such VRF",
    ),
    "old words under a new header": (
        "      roce:\n        mode: lossless\n        state: enabled",
        "      roce:\n        enable: 'on'",
        "takes state in place of enable",
    ),
    "new words under an old header": ("Cumulus Linux 5.17.0", "Cumulus Linux 5.14.0", "takes enable in place of state"),
    "a version without a watchdog": ("Cumulus Linux 5.17.0", "Cumulus Linux 5.4.0", "has no PFC watchdog"),
}


@pytest.mark.parametrize(("right", "wrong", "said"), WRONG.values(), ids=WRONG)
def test_it_is_seen(right: str, wrong: str, said: str) -> None:
    assert right in LEAF
    found = nvue.problems({"nvue.yaml": LEAF.replace(right, wrong, 1)})
    assert any(said in problem for problem in found), found


@pytest.mark.parametrize("release", RELEASES)
def test_our_own_renderings_have_none(release: str) -> None:
    for device in (*examples(release)[:2], examples(release)[3 if len(examples(release)) > 3 else 0]):
        assert nvue.problems(render(device)) == ()
