"""What a switch would not take, or take and do nothing with."""

from __future__ import annotations

import pytest

from netaudit.platforms import nxos
from netaudit.render import render

from .fabrics import fabric

WHOLE = render(fabric("two-plane", ("leaf", "spine")).device("a-su1-r1-leaf"))["nxos.cfg"]
BROKEN = {
    "a policy that is not defined": ("policy-map type queuing EGRESS-800G\n", "", "no policy-map `EGRESS-800G`"),
    "a class that is not defined": (
        "class-map type qos match-any ROCE-Q3",
        "class-map type qos match-any X",
        "no class-map",
    ),
    "a route-map that is not defined": ("route-map FABRIC-OUT permit 10\n", "", "so everything passes"),
    "a list that is not defined": (
        "prefix-list FABRIC-OUT seq",
        "prefix-list OTHER seq",
        "no ip prefix-list `FABRIC-OUT`",
    ),
    "shares that are not whole": ("remaining percent 60", "remaining percent 50", "sums to 90, not to 100"),
    "PFC of another priority": ("pause pfc-cos 3", "pause pfc-cos 4", "PFC does not protect what is in it"),
    "an MTU that is too large": ("\n  mtu 9216", "\n  mtu 9412", "576 to 9216 are possible"),
    "too many paths": ("maximum-paths 64", "maximum-paths 600", "1 to 512 are possible"),
    "a prefix that nothing holds": ("ip route 10.0.0.0/28 Null0\n", "", "so it is not announced"),
    "a name that is too long": ("FABRIC-IN permit 10", f"{'X' * 70} permit 10", "NX-OS has room for 63"),
    "a description that is too long": ("description to", f"description {'x' * 260}", "254 at most"),
}


def test_a_rendering_has_none() -> None:
    assert nxos.problems({"nxos.cfg": WHOLE}) == ()


@pytest.mark.parametrize(("old", "new", "said"), BROKEN.values(), ids=BROKEN)
def test_what_would_not_work_is_told(old: str, new: str, said: str) -> None:
    assert old in WHOLE
    text = WHOLE.replace(old, new) if "list" in old else WHOLE.replace(old, new, 1)
    assert any(said in problem for problem in nxos.problems({"nxos.cfg": text})), nxos.problems({"nxos.cfg": text})


def test_two_interfaces_with_overlapping_addresses_are_told() -> None:
    text = WHOLE.replace("ip address 10.0.0.2/31", "ip address 10.0.0.0/30", 1)
    assert any("overlaps" in problem for problem in nxos.problems({"nxos.cfg": text}))


def test_text_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no number"):
        nxos.problems({"nxos.cfg": "interface Ethernet1/5\n  mtu big\nrouter bgp 1\n  timers bgp a b\n"})
