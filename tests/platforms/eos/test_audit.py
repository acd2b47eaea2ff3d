"""A fault in the text of one switch is one finding, under the name of what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from audit.world import World, concluded, healthy

from netaudit.platforms import eos
from netaudit.render import render
from netaudit.state import Device, LldpNeighbor, Store
from platforms.example import LEAF, everywhere


@cache
def world() -> World:
    """Every switch as it should be, telling its LLDP neighbors the names that EOS has for ports."""
    return {name: as_eos_sends(stores) for name, stores in healthy(everywhere("eos")).items()}


def as_eos_sends(stores: Mapping[Store, Device]) -> Mapping[Store, Device]:
    expected = everywhere("eos")
    state = stores[Store.STATE]
    assert state.lldp is not None
    planned = expected.device(state.name).lldp
    assert planned is not None
    heard = dict(state.lldp.neighbors or {})
    for key, neighbor in (planned.neighbors or {}).items():
        if isinstance(neighbor, LldpNeighbor) and neighbor.system in expected.built.devices:
            ports = expected.device(str(neighbor.system)).ports or {}
            heard[key] = replace(neighbor, port=ports[str(neighbor.port)].native)
    return {**stores, Store.STATE: replace(state, lldp=replace(state.lldp, neighbors=heard))}


def findings(text: str) -> list[tuple[str, str]]:
    read = eos.read_config({"eos.cfg": text}, LEAF)
    seen = {**world()[LEAF], Store.RUNNING: read, Store.SAVED: read}
    result = concluded(everywhere("eos"), {**world(), LEAF: seen})
    return [(finding.rule, finding.title) for finding in result.findings]


def rendered() -> str:
    return render(everywhere("eos").device(LEAF))["eos.cfg"]


def test_a_switch_that_runs_what_was_rendered_has_no_finding() -> None:
    assert findings(rendered()) == []


PORT_PROFILE = "   service-profile NETAUDIT-400G\n"
FAULTS: Mapping[str, tuple[str, str, str]] = {
    "another MTU on a port": ("   mtu 9214", "   mtu 9000", "INT-04"),
    "an ECN threshold": ("bytes max-mark-probability 100", "bytes max-mark-probability 50", "ECN-03"),
    "PFC taken out of a profile": ("   priority-flow-control priority 3 no-drop\n", "", "PFC-01"),
    "PFC switched off on a port": (PORT_PROFILE, f"{PORT_PROFILE}   no priority-flow-control\n", "PFC-01"),
    "another profile on a port": (PORT_PROFILE, PORT_PROFILE.replace("400", "800"), "ETS-01"),
    "no profile on a port": (f"{PORT_PROFILE}   qos trust dscp\n", "", "QOS-01"),
    "a slower watchdog": ("timeout 0.2", "timeout 0.5", "WD-02"),
    "a DSCP in another class": ("qos map dscp 26 to", "qos map dscp 27 to", "QOS-02"),
    "other headroom": ("ingress headroom bytes ", "ingress headroom bytes 1", "HDR-03"),
    "a queue profile that is not applied": ("platform trident mmu queue profile NETAUDIT apply\n", "", "HDR-03"),
    "another share of a queue": ("bandwidth percent 60", "bandwidth percent 50", "ETS-01"),
    "a longer prefix let in": ("permit 10.0.0.0/11 le 28", "permit 10.0.0.0/11 le 29", "BGP-11"),
    "routes of others announced": ("   maximum-paths", "   redistribute connected\n   maximum-paths", "BGP-11"),
    "no policy in one family": ("      neighbor FABRIC route-map FABRIC-OUT out\n", "", "BGP-11"),
    "a wrong number of a peer": (
        "61/1 peer-group FABRIC remote-as 42001",
        "61/1 peer-group FABRIC remote-as 1",
        "BGP-05",
    ),
    "a VLAN of somebody's": ("hostname ", "vlan 77\n!\nhostname ", "ADR-08"),
    "DSCP rewritten": ("hostname ", "qos rewrite dscp\n!\nhostname ", "QOS-06"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_once(fault: str) -> None:
    old, new, rule = FAULTS[fault]
    assert old in rendered()
    found = findings(rendered().replace(old, new, 1))
    assert [named for named, _ in found] == [rule], found
