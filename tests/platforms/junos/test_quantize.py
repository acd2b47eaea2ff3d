"""What Junos and the switch make of an expected state: rounded once, and every change declared."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.platforms import junos
from netaudit.platforms.junos.chips import CHIPS, UNKNOWN, chip
from netaudit.render import render
from netaudit.state import ABSENT, Device, Store, Watchdog, Wred
from netaudit.state.qos import Marking
from netaudit.state.walk import differences, dotted, matches, with_leaf
from platforms.example import devices


def leaf() -> Device:
    return devices("junos")[0]


def test_every_leaf_that_changes_is_declared() -> None:
    declared = (*junos.UNSUPPORTED, *junos.IMPLIED, *junos.ROUNDED)
    for device in devices("junos"):
        changed = [d.path for d in differences(device, junos.quantize(device))]
        assert [dotted(path) for path in changed if not any(matches(p, path) for p in declared)] == []


def test_rounding_twice_is_rounding_once() -> None:
    for device in devices("junos"):
        assert junos.quantize(junos.quantize(device)) == junos.quantize(device)


@settings(max_examples=25)
@given(
    asic=st.sampled_from(["", "Tomahawk 3", "Tomahawk 4", "Tomahawk 5", "Trident 4", "Spectrum-4"]),
    low=st.integers(1, 200_000_000),
    wide=st.integers(0, 200_000_000),
    mtu=st.integers(64, 20_000),
    paths=st.integers(1, 1000),
    poll=st.integers(1, 70_000),
    detect=st.integers(1, 5_000),
    restore=st.integers(1, 100_000),
    alpha=st.fractions(min_value=Fraction(1, 1000), max_value=1000),
    headroom=st.integers(0, 200_000_000),
)
def test_rounding_is_stable_for_any_numbers_and_any_chip_and_gives_what_is_read_back(
    asic: str,
    low: int,
    wide: int,
    mtu: int,
    paths: int,
    poll: int,
    detect: int,
    restore: int,
    alpha: Fraction,
    headroom: int,
) -> None:
    device = replace(leaf(), asic=asic)
    assert device.qos is not None
    assert device.buffers is not None
    marking = Marking(kmin_bytes=low, kmax_bytes=low + wide, pmax_percent=100)
    wred = {name: replace(one, colours={"green": marking}) for name, one in (device.qos.wred or {}).items()}
    dog = Watchdog(detect_ms=detect, restore_ms=restore, action="drop")
    ports = {key: replace(port, watchdog=dog) for key, port in (device.qos.ports or {}).items()}
    profiles = {n: replace(p, alpha=alpha) if p.xoff_bytes else p for n, p in (device.buffers.profiles or {}).items()}
    pools = device.buffers.pools or {}
    pools = {**pools, "ingress_lossless_pool": replace(pools["ingress_lossless_pool"], shared_headroom_bytes=headroom)}
    device = replace(
        device,
        qos=replace(device.qos, wred=wred, watchdog_poll_ms=poll, ports=ports),
        buffers=replace(device.buffers, profiles=profiles, pools=pools),
    )
    device = with_leaf(with_leaf(device, ("ports", "64", "mtu_bytes"), mtu), ("bgp", "maximum_paths"), paths)
    held = junos.quantize(device)
    assert junos.quantize(held) == held
    read = junos.read_config(render(held), held.name)
    assert list(differences(held, read, junos.held(Store.RUNNING, held))) == []
    assert junos.problems(render(held)) == ()


@pytest.mark.parametrize(
    ("asic", "name"),
    [("Tomahawk 3", "QFX5220"), ("Tomahawk4", "QFX5230"), ("Tomahawk 5", "QFX5240"), ("Trident 4", "QFX5130")],
)
def test_a_percentage_is_one_of_the_buffer_of_the_switch_with_the_chip(asic: str, name: str) -> None:
    assert chip(asic) is CHIPS[name]
    device = replace(leaf(), asic=asic)
    text = render(junos.quantize(device))["junos.conf"]
    assert f"drop-profiles ROCE-400G-{name} " in text
    other = "QFX5240" if name != "QFX5240" else "QFX5230"
    assert other not in text


def test_a_chip_that_no_switch_of_juniper_has_counts_as_that_of_the_largest() -> None:
    assert chip("Spectrum-4") is chip("") is UNKNOWN is CHIPS["QFX5240"]


def test_bytes_and_percents_lead_to_each_other() -> None:
    for held in CHIPS.values():
        assert all(held.fill_hundredths(held.fill_bytes(level)) == level for level in range(1, 10_001))
        assert all(round(held.partition_percent(held.partition_bytes(p))) == p for p in range(101))


def test_the_mtu_of_a_port_counts_the_header_and_ends_at_9216() -> None:
    """Field case A07: the neutral value is that of IP."""
    device = with_leaf(leaf(), ("ports", "64", "mtu_bytes"), 9100)
    assert (junos.quantize(device).ports or {})["64"].mtu_bytes == 9100
    assert "set interfaces et-0/0/63 mtu 9114\n" in render(junos.quantize(device))["junos.conf"]
    assert (junos.quantize(leaf()).ports or {})["64"].mtu_bytes == 9202


def test_the_partitions_add_up_and_give_headroom_what_it_needs() -> None:
    text = render(junos.quantize(leaf()))["junos.conf"]
    for line in ("lossless percent 66", "lossless-headroom percent 24", "lossy percent 10"):
        assert f"set class-of-service shared-buffer ingress buffer-partition {line}\n" in text
    assert leaf().buffers is not None
    much = with_leaf(leaf(), ("buffers", "pools", "ingress_lossless_pool", "shared_headroom_bytes"), 30_000_000)
    text = render(junos.quantize(much))["junos.conf"]
    assert "ingress buffer-partition lossless percent 55\n" in text
    assert "ingress buffer-partition lossless-headroom percent 35\n" in text


def test_a_switch_without_a_lossless_class_has_neither_partitions_nor_pfc() -> None:
    device = leaf()
    assert device.qos is not None
    ports = {
        k: replace(p, pfc=frozenset(), watched=frozenset(), watchdog=ABSENT)
        for k, p in (device.qos.ports or {}).items()
    }
    device = replace(device, qos=replace(device.qos, ports=ports))
    text = render(junos.quantize(device))["junos.conf"]
    assert "shared-buffer" not in text
    assert "no-loss" not in text
    assert "pfc-watchdog" not in text


def test_a_watchdog_detects_in_whole_polls_and_does_what_junos_can() -> None:
    device = with_leaf(
        leaf(), ("qos", "ports", "64", "watchdog"), Watchdog(detect_ms=350, restore_ms=90_000, action="alert")
    )
    held = junos.quantize(device)
    assert held.qos is not None
    assert (held.qos.ports or {})["64"].watchdog == Watchdog(detect_ms=400, restore_ms=65_535, action="drop")


def test_before_23_4r2_there_is_no_watchdog() -> None:
    old, new = (junos.quantize(replace(leaf(), version=version)) for version in ("23.4R1-EVO", "23.4R2-EVO"))
    assert old.qos is not None
    assert new.qos is not None
    assert all(port.watchdog is None for port in (old.qos.ports or {}).values())
    assert all(isinstance(port.watchdog, Watchdog) for port in (new.qos.ports or {}).values())


def test_before_20_3r1_no_statement_refuses_what_no_policy_speaks_of() -> None:
    for version, wanted in (("20.2R3", None), ("20.3R1", True), ("", True)):
        held = junos.quantize(replace(devices("junos")[2], version=version))
        assert held.bgp is not None
        assert held.bgp.requires_policy is wanted
        assert (held.bgp.vrfs or {})["storage"].requires_policy is wanted
        assert ("no-policy" in render(held)["junos.conf"]) is (wanted is True)


def test_a_drop_profile_that_nothing_uses_says_nothing_of_ecn() -> None:
    device = leaf()
    assert device.qos is not None
    unused = Wred(ecn=True, colours=(device.qos.wred or {})["ROCE-400G"].colours)
    held = junos.quantize(replace(device, qos=replace(device.qos, wred={**(device.qos.wred or {}), "SPARE": unused})))
    assert held.qos is not None
    assert (held.qos.wred or {})["SPARE"].ecn is None


def test_a_session_with_an_address_has_the_number_of_the_model() -> None:
    held = junos.quantize(devices("junos")[2])
    assert held.bgp is not None
    assert (held.bgp.neighbors or {})["10.9.0.1"].remote == "external"
    before = devices("junos")[2]
    assert before.bgp is not None
    known = replace((before.bgp.neighbors or {})["10.9.0.1"], far_asn=65_010)
    held = junos.quantize(with_leaf(before, ("bgp", "neighbors", "10.9.0.1"), known))
    assert held.bgp is not None
    assert (held.bgp.neighbors or {})["10.9.0.1"].remote == "65010"
    assert "neighbor 10.9.0.1 peer-as 65010\n" in render(held)["junos.conf"]


def test_a_scheduler_holds_its_drop_profile_so_another_profile_is_another_scheduler() -> None:
    device = leaf()
    before = junos.quantize(device)
    after = junos.quantize(with_leaf(device, ("qos", "ports", "1/1", "queues", "3", "wred"), "ROCE-800G"))
    assert before.qos is not None
    assert after.qos is not None
    assert (before.qos.ports or {})["1/1"].queues is not None
    old, new = (((one.qos.ports or {})["1/1"].queues or {})["3"] for one in (before, after) if one.qos)
    assert (old.scheduler, old.wred) == ("ROCE-400G", "ROCE-400G")
    assert (new.scheduler, new.wred) == ("ROCE-800G", "ROCE-800G")
    assert set(before.qos.schedulers or {}) >= {"ROCE-400G", "ROCE-800G"}
    assert "ROCE" not in (before.qos.schedulers or {})
    read = junos.read_config(render(after), after.name)
    assert list(differences(after, read, junos.held(Store.RUNNING, after))) == []
