"""The normal form: the same again when made twice, and every change of a leaf is declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netaudit.platforms import nxos
from netaudit.render import render
from netaudit.state import ABSENT, Device, Port, PortBuffers, Store
from netaudit.state.walk import Path, differences, dotted, leaves, matches, with_leaf
from platforms.example import devices
from platforms.nudge import other

from .fabrics import fabric

DECLARED = (*nxos.UNSUPPORTED, *nxos.IMPLIED, *nxos.ROUNDED)
EXAMPLES = devices("nxos")


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_leaf_that_changes_is_declared(number: int) -> None:
    device = EXAMPLES[number]
    before, after = dict(leaves(device)), dict(leaves(nxos.quantize(device)))
    changed = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    undeclared = [dotted(path) for path in changed if not any(matches(p, path) for p in DECLARED)]
    assert undeclared == []


NAMED = [
    [(path, value) for path, value in leaves(d) if path[0] not in ("name", "platform", "place") and value != {}]
    for d in EXAMPLES
]
"""The leaves of each example."""


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_no_leaf_stays_that_has_no_place(number: int) -> None:
    unset = (*nxos.UNSUPPORTED, *nxos.IMPLIED)
    stays = [
        dotted(path) for path, _ in leaves(nxos.quantize(EXAMPLES[number])) if any(matches(p, path) for p in unset)
    ]
    assert stays == []


@st.composite
def changes(draw: st.DrawFn) -> tuple[int, tuple[tuple[int, str], ...]]:
    """Which example, which of its leaves, and what each becomes: unset, absent or another value."""
    number = draw(st.integers(0, len(EXAMPLES) - 1))
    leaf = st.tuples(st.integers(0, len(NAMED[number]) - 1), st.sampled_from(("unset", "absent", "other")))
    return number, tuple(draw(st.lists(leaf, max_size=4, unique_by=lambda one: one[0])))


def _other(path: Path, value: object) -> object:
    try:
        return other(path, value)
    except LookupError:
        return None


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=changes())
def test_the_normal_form_is_the_same_when_made_twice_and_can_be_written(
    drawn: tuple[int, tuple[tuple[int, str], ...]],
) -> None:
    number, changed = drawn
    device = EXAMPLES[number]
    for leaf, how in changed:
        path, value = NAMED[number][leaf]
        device = with_leaf(device, path, {"unset": None, "absent": ABSENT, "other": _other(path, value)}[how])
    quantized = nxos.quantize(device)
    assert nxos.quantize(quantized) == quantized
    nxos.read_config(render(quantized), device.name)


@pytest.mark.parametrize("role", ["leaf", "spine"])
def test_the_expected_state_is_a_normal_form(role: str) -> None:
    expected = fabric("two-plane", ("leaf", "spine"))
    device = expected.device("a-su1-r1-leaf" if role == "leaf" else "a-spine1")
    assert nxos.quantize(device) == device


def _port(**leaves_: object) -> Port:
    device = Device(name="x", platform="nxos", ports={"1/1": replace(Port(), **leaves_)})  # type: ignore[arg-type]
    return (nxos.quantize(device).ports or {})["1/1"]


FEC = {
    "400G over four lanes": (400_000, (0, 1, 2, 3), "auto"),
    "100G over four lanes": (100_000, (0, 1, 2, 3), "rs"),
    "100G over one lane": (100_000, (0,), "auto"),
    "25G": (25_000, (0,), "rs"),
    "400G without lanes": (400_000, None, "auto"),
}


@pytest.mark.parametrize(("speed", "lanes", "fec"), FEC.values(), ids=FEC)
def test_at_pam4_speeds_the_code_is_left_to_the_module(speed: int, lanes: tuple[int, ...] | None, fec: str) -> None:
    assert _port(speed_mbps=speed, lanes=lanes, fec="rs").fec == fec


@pytest.mark.parametrize(("asked", "done"), [(9216, 9216), (9412, 9216), (1500, 1500), (68, 576)])
def test_an_mtu_is_one_that_nxos_has(asked: int, done: int) -> None:
    assert _port(mtu_bytes=asked).mtu_bytes == done


@pytest.mark.parametrize(
    ("mode", "spelled"),
    [("2x400G[200G,100G]", "400g-2x"), ("4x200G", "200g-4x"), ("400g-2x", "400g-2x"), ("odd", None)],
)
def test_a_breakout_is_spelled_as_nxos_has_it(mode: str, spelled: str | None) -> None:
    assert _port(breakout=mode).breakout == spelled


def test_a_cage_whose_mode_nobody_publishes_is_split_as_its_ports_say() -> None:
    """Boxes that SONiC does not run on have no modes in the catalogue."""
    ports = {f"5/{n}": Port(speed_mbps=speed) for n, speed in enumerate((400_000, 200_000), start=1)}
    made = nxos.quantize(Device(name="x", platform="nxos", ports={**ports, "6": Port(speed_mbps=800_000)})).ports or {}
    assert [port.breakout for port in made.values()] == ["400g-2x", None, ABSENT]


def test_headroom_that_was_to_be_lent_is_kept_by_each_class() -> None:
    """SONiC's shared headroom pool leaves a profile its XON alone; NX-OS has no such pool."""
    leaf = EXAMPLES[0]
    assert leaf.buffers is not None
    name, profile = next((n, p) for n, p in (leaf.buffers.profiles or {}).items() if isinstance(p.xoff_bytes, int))
    lent = replace(profile, size_bytes=profile.xon_bytes)
    changed = replace(leaf, buffers=replace(leaf.buffers, profiles={**(leaf.buffers.profiles or {}), name: lent}))
    made = nxos.quantize(changed).buffers
    assert made is not None
    found = (made.profiles or {})[name]
    assert isinstance(profile.xon_bytes, int)
    assert isinstance(profile.xoff_bytes, int)
    assert found.size_bytes == profile.xon_bytes + profile.xoff_bytes


def _groups(groups: Mapping[str, str]) -> Mapping[str, str] | None:
    leaf = EXAMPLES[0]
    assert leaf.buffers is not None
    ports = {**(leaf.buffers.ports or {}), "1/1": PortBuffers(groups=groups)}
    made = nxos.quantize(replace(leaf, buffers=replace(leaf.buffers, ports=ports))).buffers
    assert made is not None
    return (made.ports or {})["1/1"].groups


def test_a_port_has_one_ingress_policy_for_all_no_drop_classes() -> None:
    small, large = "HEADROOM-400G-3M", "HEADROOM-800G-34M"
    assert _groups({"0": "ingress_lossy_profile", "3-4": small}) == {"3": small, "4": small}
    assert _groups({"3": small, "4": large}) == {"3": large, "4": large}
    assert _groups({"0": "ingress_lossy_profile"}) == {}


def test_a_port_that_is_bound_to_another_headroom_is_seen_in_its_groups_alone() -> None:
    whole = nxos.quantize(EXAMPLES[0])
    assert whole.buffers is not None
    other_one = replace(
        whole,
        buffers=replace(whole.buffers, ports={**(whole.buffers.ports or {}), "1/1": (whole.buffers.ports or {})["64"]}),
    )
    read = nxos.read_config(render(other_one), whole.name)
    found = differences(whole, read, nxos.HELD[Store.RUNNING])
    assert [dotted(d.path) for d in found] == ["buffers.ports.1/1.groups.3"]


def test_lines_of_the_sites_own_are_rows_of_the_one_file() -> None:
    leaf = EXAMPLES[0]
    assert leaf.bgp is not None
    text = "ntp server 192.0.2.1\nline vty\n  exec-timeout 15\n"
    with_lines = replace(leaf, bgp=replace(leaf.bgp, raw=text, unmodelled=nxos.raw_lines(text)))
    quantized = nxos.quantize(with_lines)
    assert quantized.bgp is not None
    assert quantized.bgp.unmodelled == frozenset()
    assert list((quantized.raw or {})["nxos.cfg"] or {}) == [
        "line vty",
        "line vty > exec-timeout 15",
        "ntp server 192.0.2.1",
    ]
    read = nxos.read_config(render(quantized), leaf.name)
    found = list(differences(quantized, read, nxos.HELD[Store.RUNNING]))
    assert [dotted(d.path) for d in found if d.path[0] != "raw" or d.kind != "extra"] == []
