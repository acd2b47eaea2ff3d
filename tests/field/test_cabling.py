"""Field cases A13 to A15: exchanged rails, port ids that are MAC addresses, and one port under many names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from audit.world import setting, swapped, two_plane

from field.site import LEAF, OTHER_LEAF, SPINE, audited, put, rules, told_by
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.platforms import sonic
from netaudit.platforms.sonic.state import read_lldp_neighbors
from netaudit.render import render
from netaudit.state import ABSENT, LldpNeighbor, Store
from tests.intent.example import read, small

# Case A13, two rails exchanged


@cache
def four_rails() -> Expected:
    """One plane, four rails; the third host has a name and port ids of its own."""
    rows = "unit,index,name,ports\nsu1,3,gpu-003,r1/a=eth_r0 r2/a=eth_r1 r3/a=eth_r2 r4/a=eth_r3\n"
    text = small(planes="[a]", rails="4", units="{su1: {hosts: 4}}", hosts="{nic: cx8, speed: 400G, names: hosts.csv}")
    with TemporaryDirectory() as folder:
        return Expected(build(read(Path(folder), text, hosts=rows)))


def hears(at: str, /, **heard: str) -> Callable[[Any], object]:
    fields = {"system": "lldp_rem_sys_name", "port": "lldp_rem_port_id", "subtype": "lldp_rem_port_id_subtype"}
    return put(at, **{fields.get(k, f"lldp_rem_{k}"): v for k, v in heard.items()})


PORT = "Ethernet8"  # host 3 of the unit on each of its leaves: cage 2, first half


def test_two_exchanged_rails_of_a_host_are_one_finding_that_says_what_to_move() -> None:
    leaf, other = "a-su1-r3-leaf", "a-su1-r4-leaf"
    result = audited(
        {
            leaf: {"LLDP_ENTRY_TABLE": hears(PORT, system="gpu-003", port="eth_r3")},
            other: {"LLDP_ENTRY_TABLE": hears(PORT, system="gpu-003", port="eth_r2")},
        },
        expected=four_rails(),
    )
    assert [f.rule for f in result.findings] == ["CAB-02"]
    finding = result.findings[0]
    assert finding.severity is Severity.ERROR
    assert set(finding.devices) == {leaf, other}
    assert "gpu-003:r3/a" in finding.title
    assert "gpu-003:r4/a" in finding.title
    assert finding.instruction == f"swap the plugs at {leaf}:2/1 and {other}:2/1"


def test_one_rail_in_anothers_place_and_the_other_nowhere_is_a_wrong_cable_and_a_missing_one() -> None:
    leaf, other = "a-su1-r3-leaf", "a-su1-r4-leaf"
    dark = {"PORT_TABLE": put(PORT, oper_status="down"), "LLDP_ENTRY_TABLE": put(**{PORT: None})}
    result = audited(
        {leaf: {"LLDP_ENTRY_TABLE": hears(PORT, system="gpu-003", port="eth_r3")}, other: dark},
        expected=four_rails(),
    )
    assert rules(result) == [("CAB-02", f"{leaf}:2/1"), ("INT-01", f"{other}:2/1")]
    wrong, missing = sorted(result.findings, key=lambda f: f.rule)
    assert wrong.title == f"{leaf}:2/1 is plugged in at gpu-003:r4/a, the place of another cable"
    assert missing.title.startswith(f"{other}:2/1 has no cable: gpu-003:r4/a")
    assert {f.severity for f in result.findings} == {Severity.ERROR}


def test_a_variant_exchanged_hosts_on_one_rail_are_told_by_their_names() -> None:
    """Nothing but the system names differ: `gpu-003` and the host beside it have each other's plugs."""
    leaf = "a-su1-r1-leaf"
    result = audited(
        {
            leaf: {
                "LLDP_ENTRY_TABLE": lambda tree: {
                    **tree,
                    PORT: {**tree[PORT], "lldp_rem_sys_name": "su1-h4", "lldp_rem_port_id": "nic1p1"},
                    "Ethernet12": {**tree[PORT], "lldp_rem_sys_name": "gpu-003", "lldp_rem_port_id": "eth_r0"},
                }
            }
        },
        expected=four_rails(),
    )
    assert [f.rule for f in result.findings] == ["CAB-02"]
    assert result.findings[0].instruction == f"swap the plugs at {leaf}:2/1 and {leaf}:2/2"


# Case A14, the port id is a MAC address


MAC = "02:00:00:aa:bb:01"


def alias_of(device: str, port: str) -> str:
    return str(two_plane().built.layouts[two_plane().devices[device].role].ports[port].alias)


@pytest.mark.parametrize("subtype", ["3", "mac", "macAddress", ""])
@pytest.mark.parametrize("described", ["Ethernet0", "alias"])
def test_a_mac_address_with_the_port_in_its_description_is_that_port(subtype: str, described: str) -> None:
    name = alias_of(SPINE, "1") if described == "alias" else described
    change = hears("Ethernet504", system=SPINE, port=MAC, subtype=subtype, port_desc=name)
    result = audited({LEAF: {"LLDP_ENTRY_TABLE": change}})
    assert (rules(result), result.not_audited) == ([], ())


@pytest.mark.parametrize("name", ["Ethernet0", "alias"])
def test_the_alias_and_the_name_of_a_port_are_one_port_whatever_it_is_described_as(name: str) -> None:
    told = alias_of(SPINE, "1") if name == "alias" else name
    change = hears("Ethernet504", system=SPINE, port=told, subtype="7", port_desc="to a leaf 3")
    assert rules(audited({LEAF: {"LLDP_ENTRY_TABLE": change}})) == []


@pytest.mark.parametrize("described", ["uplink of the spine", "Ethernet of rack 3", "", "leaf03-uplink"])
def test_a_mac_address_that_says_no_port_is_not_verifiable_and_no_wrong_cable(described: str) -> None:
    change = hears("Ethernet504", system=SPINE, port=MAC, subtype="3", port_desc=described)
    result = audited({LEAF: {"LLDP_ENTRY_TABLE": change}})
    assert (rules(result), result.not_audited) == ([], ())
    assert f"{LEAF}:64" in [place for u in result.unverifiable for place in u.where]


def test_where_one_end_cannot_tell_the_other_decides() -> None:
    """The leaf hears MAC addresses on both plugs, the spine hears that they are exchanged."""
    secret = {
        port: {"lldp_rem_sys_name": SPINE, "lldp_rem_port_id": MAC, "lldp_rem_port_id_subtype": "3"}
        for port in ("Ethernet504", "Ethernet496")
    }
    result = audited({LEAF: {"LLDP_ENTRY_TABLE": lambda tree: {**tree, **secret}}}, swapped(f"{LEAF}:64", f"{LEAF}:63"))
    assert [f.rule for f in result.findings] == ["CAB-02"]


def test_a_mac_address_of_the_wrong_switch_is_a_wrong_cable_all_the_same() -> None:
    change = hears("Ethernet504", system="a-spine2", port=MAC, subtype="3", port_desc="")
    result = audited({LEAF: {"LLDP_ENTRY_TABLE": change}})
    assert [f.rule for f in result.findings] == ["CAB-01"]


def test_a_variant_a_description_of_the_wrong_port_is_told() -> None:
    """The MAC address hides nothing when the description names another port, and both ends say so."""
    both = {
        "Ethernet504": {"lldp_rem_sys_name": SPINE, "lldp_rem_port_id": MAC, "lldp_rem_port_desc": "Ethernet8"},
        "Ethernet496": {"lldp_rem_sys_name": SPINE, "lldp_rem_port_id": MAC, "lldp_rem_port_desc": "Ethernet0"},
    }
    result = audited({LEAF: {"LLDP_ENTRY_TABLE": lambda tree: {**tree, **both}}}, swapped(f"{LEAF}:64", f"{LEAF}:63"))
    assert [f.rule for f in result.findings] == ["CAB-02"]


def test_the_neighbors_of_the_case_are_these(original_json: Callable[[str], Any]) -> None:
    """Another writer names the fields of LLDP otherwise; the values are those of the case."""
    rows = original_json("A14/lldp.json")["spine01"]
    table = {
        port: {f"lldp_rem_{k.removeprefix('remote_').replace('sysname', 'sys_name').replace('descr', 'desc')}": v
               for k, v in row.items()}
        for port, row in rows.items()
    }  # fmt: skip
    heard = read_lldp_neighbors(table, {}, {})
    assert heard == {
        "Ethernet0": LldpNeighbor(system="leaf01", port="Ethernet124"),
        "Ethernet4": LldpNeighbor(system="leaf02", port="etp32"),
        "Ethernet8": LldpNeighbor(system="leaf03", port="02:00:00:aa:bb:03"),
    }


# Case A15, one interface, many names. Short and canonical names of EOS, NX-OS and Junos come with those platforms.


@pytest.mark.parametrize("system", [SPINE, f"{SPINE}.example.net", f'"{SPINE}"'])
@pytest.mark.parametrize("port", ["Ethernet0", '"Ethernet0"'])
def test_a_neighbor_is_the_same_with_its_domain_and_in_quotes(system: str, port: str) -> None:
    change = hears("Ethernet504", system=system, port=port)
    assert rules(audited({LEAF: {"LLDP_ENTRY_TABLE": change}})) == []


DIFFERENT = {
    "a longer number": "Ethernet00",
    "a sub-port": "Ethernet0.0",
    "the name of another platform": "Ethernet1/1",
    "a short name": "Eth0",
    "another case": "ethernet0",
}


@pytest.mark.parametrize("port", DIFFERENT.values(), ids=DIFFERENT)
def test_names_that_only_look_alike_stay_different(port: str) -> None:
    change = hears("Ethernet504", system=SPINE, port=port)
    assert [f.rule for f in audited({LEAF: {"LLDP_ENTRY_TABLE": change}}).findings] != []


def test_a_variant_aliases_that_only_begin_alike_stay_different() -> None:
    """`etp1` and `etp11`: a name that is compared by its beginning takes one cage for another."""
    assert alias_of(SPINE, "11").startswith(alias_of(SPINE, "1"))
    heard = LldpNeighbor(system=SPINE, port=alias_of(SPINE, "11"))
    result = audited({}, setting(LEAF, "lldp.neighbors.64", heard, Store.STATE))
    assert [f.device for f in result.findings] != []


def test_a_configuration_has_the_switchs_own_names() -> None:
    text = render(two_plane().device(LEAF))["frr.conf"]
    assert "neighbor Ethernet504 interface" in text
    assert "etp64" not in text


def test_nobody_is_heard_where_there_is_no_row() -> None:
    state = sonic.read(told_by(OTHER_LEAF), OTHER_LEAF).stores[Store.STATE]
    assert state.lldp is not None
    neighbors: Mapping[str, object] = state.lldp.neighbors or {}
    assert ABSENT in neighbors.values()
