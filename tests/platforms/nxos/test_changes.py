"""The commands that lead from one configuration to another: a switch takes each of them, and then has the other one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netaudit.platforms import nxos
from netaudit.platforms.nxos.changes import negated
from netaudit.render import render
from netaudit.state import ABSENT, Device, Interface, Policy, PolicyRule
from platforms.example import devices

from .cli import Refused, Switch
from .fabrics import NAMES, fabric, roles, switches

AREAS = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")
LEAF, SPINE, VARIED = (nxos.quantize(device) for device in devices("nxos"))


def text_of(device: Device) -> str:
    return render(device)["nxos.cfg"]


def led(before: str, after: str) -> None:
    """Types the commands and holds the switch against what was asked for."""
    switch = Switch.of(before)
    switch.type(nxos.changes(before, after))
    wanted = Switch.of(after).lines()
    assert switch.lines() == wanted, (sorted(switch.lines() - wanted), sorted(wanted - switch.lines()))
    assert nxos.changes(after, after) == ()


def test_a_switch_without_anything_gets_everything() -> None:
    for device in (LEAF, SPINE, VARIED):
        led("", text_of(device))


def test_a_switch_gives_everything_back() -> None:
    for device in (LEAF, SPINE, VARIED):
        led(text_of(device), "hostname x\nfeature grpc\nfeature openconfig\n".replace("x", device.name))


def test_one_role_becomes_another() -> None:
    led(text_of(LEAF), text_of(SPINE))
    led(text_of(SPINE), text_of(LEAF))
    led(text_of(LEAF), text_of(VARIED))
    led(text_of(VARIED), text_of(LEAF))


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_reached_from_an_empty_switch(name: str) -> None:
    for device in switches(fabric(name, (*roles(name), "blocks"))):
        led("hostname factory\n", text_of(device))


def _with(device: Device, **more: object) -> Device:
    return replace(device, **more)  # type: ignore[arg-type]  # fields of Device by their names


def _moved() -> Device:
    """The address of one port on another one."""
    assert LEAF.interfaces is not None
    one, two = LEAF.interfaces["1/1"], LEAF.interfaces["1/2"]
    return _with(LEAF, interfaces={**LEAF.interfaces, "1/1": two, "1/2": one})


def _drained() -> Device:
    assert LEAF.bgp is not None
    policies = {**(LEAF.bgp.policies or {}), "FABRIC-OUT": Policy(permits=frozenset())}
    return _with(LEAF, bgp=replace(LEAF.bgp, policies=policies))


def _renumbered() -> Device:
    assert LEAF.bgp is not None
    return _with(LEAF, bgp=replace(LEAF.bgp, asn=65001))


def _other_rule() -> Device:
    assert LEAF.bgp is not None
    permits = frozenset({PolicyRule(prefix="10.99.0.0/16", up_to=24)})
    return _with(
        LEAF, bgp=replace(LEAF.bgp, policies={**(LEAF.bgp.policies or {}), "FABRIC-OUT": Policy(permits=permits)})
    )


def _whole_cage() -> Device:
    """A cage that was split is one port, with no address."""
    assert LEAF.ports is not None
    assert LEAF.interfaces is not None
    assert LEAF.qos is not None
    assert LEAF.buffers is not None
    ports = {k: p for k, p in LEAF.ports.items() if not k.startswith("3/")}
    ports["3"] = replace(LEAF.ports["3/1"], native="Ethernet1/3", breakout=ABSENT, speed_mbps=800_000)
    return _with(LEAF, ports=ports)


def _in_a_vrf() -> Device:
    assert LEAF.interfaces is not None
    return _with(
        LEAF,
        vrfs=frozenset({"red"}),
        interfaces={**LEAF.interfaces, "1/1": replace(LEAF.interfaces["1/1"], vrf="red")},
    )


def _switched() -> Device:
    assert LEAF.interfaces is not None
    return _with(LEAF, interfaces={k: i for k, i in LEAF.interfaces.items() if k != "1/1"})


def _more_addresses() -> Device:
    assert LEAF.interfaces is not None
    addresses = frozenset({"192.0.2.1/31", "192.0.2.3/31", "2001:db8::1/127"})
    one = Interface(vrf="default", addresses=addresses, link_local=False)
    return _with(LEAF, interfaces={**LEAF.interfaces, "1/1": one})


CHANGES: dict[str, Callable[[], Device]] = {
    "addresses that change places": _moved,
    "a policy that lets nothing through": _drained,
    "another AS number": _renumbered,
    "another rule in the place of one": _other_rule,
    "a cage that is one port again": _whole_cage,
    "a port in a VRF": _in_a_vrf,
    "a port without layer 3": _switched,
    "several addresses": _more_addresses,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_led_to_and_back(change: Callable[[], Device]) -> None:
    led(text_of(LEAF), text_of(change()))
    led(text_of(change()), text_of(LEAF))


def test_one_leaf_that_changes_is_one_command() -> None:
    assert LEAF.ports is not None
    port = replace(LEAF.ports["61"], mtu_bytes=4200)
    after = text_of(_with(LEAF, ports={**LEAF.ports, "61": port}))
    assert nxos.changes(text_of(LEAF), after) == ("interface Ethernet1/61", "  mtu 4200")


def test_an_entry_is_taken_out_only_while_another_refuses_everything() -> None:
    """A route-map over an empty list may let everything through: no source says that it does not."""
    commands = nxos.changes(text_of(LEAF), text_of(_other_rule()))
    first = next(n for n, c in enumerate(commands) if c.startswith("no ip prefix-list FABRIC-OUT"))
    assert commands[first - 1] == "ip prefix-list FABRIC-OUT seq 4294967294 deny 0.0.0.0/0 le 32"
    assert commands[first + 2] == "no ip prefix-list FABRIC-OUT seq 4294967294 deny 0.0.0.0/0 le 32"


def test_definitions_come_before_their_users_and_go_after_them() -> None:
    commands = nxos.changes(text_of(LEAF), text_of(_switched()))
    assert commands.index("  switchport") < len(commands)
    there = nxos.changes("", text_of(LEAF))
    order = ["class-map", "policy-map", "system qos", "route-map", "interface Ethernet", "router bgp"]
    places = [next(n for n, c in enumerate(there) if c.startswith(word)) for word in ("feature", *order)]
    places[4] = next(n for n, c in enumerate(there) if c.startswith("route-map"))
    assert sorted(p for n, p in enumerate(places) if n != 3) == [p for n, p in enumerate(places) if n != 3]


def test_the_vendors_example_is_led_to_ours(shared: Path) -> None:
    running = {"nxos.cfg": (shared / "data" / "vendor-examples" / "nxos-leaf.cfg").read_text(encoding="utf-8")}
    wanted = nxos.candidate(render(LEAF), running, AREAS)
    led(running["nxos.cfg"], wanted["nxos.cfg"])


def test_the_command_line_of_the_test_refuses_what_a_switch_does() -> None:
    switch = Switch.of(
        "policy-map type qos X\ninterface Ethernet1/1\n  no switchport\n  service-policy type qos input X\n"
    )
    for commands in (
        ("no policy-map type qos X",),
        ("interface Ethernet1/1", "  service-policy type qos input Y"),
        ("interface Ethernet1/1", "  no mtu 9216"),
        ("interface Ethernet1/2", "  ip address 10.0.0.1/31"),
    ):
        with pytest.raises(Refused):
            switch.type(commands)


@pytest.mark.parametrize(
    ("line", "without"),
    [("mtu 9216", "no mtu 9216"), ("no shutdown", "shutdown"), ("description to a", "no description")],
)
def test_a_line_is_taken_away(line: str, without: str) -> None:
    assert negated(line) == without


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(left=st.frozensets(st.integers(0, 400), max_size=30), right=st.frozensets(st.integers(0, 400), max_size=30))
def test_between_any_two_sets_of_ports_and_sessions_there_is_a_way(left: frozenset[int], right: frozenset[int]) -> None:
    def some(without: frozenset[int]) -> str:
        device = VARIED
        assert device.interfaces is not None
        assert device.bgp is not None
        interfaces = {k: i for n, (k, i) in enumerate(device.interfaces.items()) if n not in without}
        neighbors = {
            k: v for n, (k, v) in enumerate((device.bgp.neighbors or {}).items(), start=100) if n not in without
        }
        permits = {
            name: Policy(
                permits=frozenset(
                    r
                    for n, r in enumerate(sorted(p.permits if isinstance(p.permits, frozenset) else ()), start=200)
                    if n not in without
                )
            )
            for name, p in (device.bgp.policies or {}).items()
        }
        return text_of(
            replace(device, interfaces=interfaces, bgp=replace(device.bgp, neighbors=neighbors, policies=permits))
        )

    led(some(left), some(right))
