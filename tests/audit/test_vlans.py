"""What is wrong with the VLAN of the hosts is one finding at its place, and what merely stands beside it another."""

from __future__ import annotations

from functools import cache

import pytest
from expect.test_attached_by_vlan import LEAF, TEXT
from fabric.made import fabric

from audit.world import Fault, appearing, audited, setting, told, two_plane, vanished
from netaudit.expect import Expected
from netaudit.state import Interface, Store, Vlan

CONFIGURED = (Store.RUNNING, Store.SAVED)
MEMBERS, GATEWAY = "vlans.1000.members", "interfaces.Vlan1000.addresses"
STRANGER = Vlan(members=frozenset({"2"}), tagged=frozenset())
ITS_INTERFACE = Interface(vrf="default", addresses=frozenset({"192.0.2.1/24"}), link_local=False)


@cache
def expected() -> Expected:
    return Expected(fabric(TEXT))


def members(*ports: str) -> Fault:
    return setting(LEAF, MEMBERS, frozenset(ports), *CONFIGURED)


ONE = {
    "a host port is not in it": ((members("1/1"),), ("ADR-07", f"{LEAF}:Vlan1000")),
    "a port too many is in it": ((members("1/1", "1/2", "2"),), ("ADR-07", f"{LEAF}:Vlan1000")),
    "a host port sends tags": (
        (members("1/1"), setting(LEAF, "vlans.1000.tagged", frozenset({"1/2"}), *CONFIGURED)),
        ("ADR-07", f"{LEAF}:Vlan1000"),
    ),
    "another port sends tags": (
        (setting(LEAF, "vlans.1000.tagged", frozenset({"2"}), *CONFIGURED),),
        ("ADR-07", f"{LEAF}:Vlan1000"),
    ),
    "another gateway of the same network": (
        (setting(LEAF, GATEWAY, frozenset({"10.0.0.14/29", "fd00:aa::5/126"}), *CONFIGURED),),
        ("ADR-01", f"{LEAF}:Vlan1000"),
    ),
    "no gateway in one family": (
        (setting(LEAF, GATEWAY, frozenset({"10.0.0.9/29"}), *CONFIGURED),),
        ("ADR-01", f"{LEAF}:Vlan1000"),
    ),
    "no interface": ((vanished(LEAF, "interfaces.Vlan1000", *CONFIGURED),), ("ADR-01", f"{LEAF}:Vlan1000")),
    "no VLAN": (
        (vanished(LEAF, "vlans.1000", *CONFIGURED), vanished(LEAF, "interfaces.Vlan1000", *CONFIGURED)),
        ("ADR-08", f"{LEAF}:Vlan1000"),
    ),
    "no row of the VLAN, and those of its ports are left": (
        (
            vanished(LEAF, "vlans.1000", *CONFIGURED),
            appearing(LEAF, "vlans.1000 (members only)", STRANGER, *CONFIGURED),
        ),
        ("ADR-08", f"{LEAF}:Vlan1000"),
    ),
    "rows of ports in no VLAN": (
        (appearing(LEAF, "vlans.42 (members only)", STRANGER, *CONFIGURED),),
        ("ADR-08", f"{LEAF}:Vlan42 (members only)"),
    ),
    "one VLAN too many, with an interface": (
        (
            appearing(LEAF, "vlans.42", STRANGER, *CONFIGURED),
            appearing(LEAF, "interfaces.Vlan42", ITS_INTERFACE, *CONFIGURED),
        ),
        ("ADR-08", f"{LEAF}:Vlan42"),
    ),
    "a port in two VLANs at once": (
        (appearing(LEAF, "vlans.42", Vlan(members=frozenset({"1/1"}), tagged=frozenset()), *CONFIGURED),),
        ("ADR-08", f"{LEAF}:Vlan42"),
    ),
    "one VLAN too many on a spine": (
        (appearing("a-spine1", "vlans.42", STRANGER, *CONFIGURED),),
        ("ADR-08", "a-spine1:Vlan42"),
    ),
    "what a reboot brings back is another": (
        (setting(LEAF, MEMBERS, frozenset(), Store.SAVED),),
        ("MGT-03", LEAF),
    ),
}


@pytest.mark.parametrize("name", ONE)
def test_it_is_one_finding_at_its_place(name: str) -> None:
    faults, finding = ONE[name]
    assert told(audited(*faults, expected=expected())) == [finding]


def test_an_interface_beside_a_sound_vlan_is_not_swallowed() -> None:
    faults = (members("1/1"), setting(LEAF, GATEWAY, frozenset({"10.0.0.14/29"}), *CONFIGURED))
    assert told(audited(*faults, expected=expected())) == [
        ("ADR-01", f"{LEAF}:Vlan1000"),
        ("ADR-07", f"{LEAF}:Vlan1000"),
    ]


def test_two_strange_vlans_are_two_findings() -> None:
    faults = (appearing(LEAF, f"vlans.{n}", STRANGER, *CONFIGURED) for n in ("42", "43"))
    found = audited(*faults, expected=expected())
    assert told(found) == [("ADR-08", f"{LEAF}:Vlan42"), ("ADR-08", f"{LEAF}:Vlan43")]


def test_a_stray_vlan_is_found_where_no_host_is_in_one() -> None:
    leaf = "a-su1-r1-leaf"
    assert told(audited(appearing(leaf, "vlans.42", STRANGER, *CONFIGURED), expected=two_plane())) == [
        ("ADR-08", f"{leaf}:Vlan42")
    ]


def test_a_finding_says_which_ports_were_expected_and_seen_and_where_that_comes_from() -> None:
    (finding,) = audited(members("1/1"), expected=expected()).findings
    assert finding.title == f"Ports of {LEAF}:Vlan1000 are not as planned"
    assert "expected 1/1, 1/2, observed 1/1." in finding.effect
    (comparison,) = finding.comparisons
    assert comparison.derivation == "hosts.attach"
    assert comparison.queries == ("gNMI CONFIG_DB VLAN_MEMBER", "/etc/sonic/config_db.json VLAN_MEMBER")


def test_vlans_that_were_not_seen_are_not_audited() -> None:
    result = audited(setting(LEAF, "vlans", None, Store.RUNNING), expected=expected())
    assert told(result) == []
    assert [(n.device, n.what) for n in result.not_audited] == [(LEAF, "running vlans")]
    assert result.exit_code() == 3
