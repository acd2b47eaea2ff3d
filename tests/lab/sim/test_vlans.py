"""VLANs on a simulated switch: what its schema refuses, and how one is broken and healed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

import pytest

from lab.sim import example
from lab.sim.conftest import Lab
from netaudit.diag import Invalid
from netaudit.lab.sim import faults, vlans
from netaudit.lab.sim.gcu import GcuRefused, apply_patch

Boot = Callable[..., Lab]
Rows = dict[str, dict[str, dict[str, object]]]
GOOD: Rows = {
    "PORT": {"Ethernet0": {"admin_status": "up"}, "Ethernet4": {"admin_status": "up"}},
    "INTERFACE": {"Ethernet4": {}},
    "VLAN": {"Vlan10": {"vlanid": "10"}, "Vlan20": {"vlanid": "20"}},
    "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}, "Vlan20|Ethernet0": {"tagging_mode": "tagged"}},
    "VLAN_INTERFACE": {"Vlan10": {}, "Vlan10|10.0.1.1/29": {}},
}

REFUSED = {
    "a VLAN that has members": ("remove", "/VLAN/Vlan10", None, "points to no VLAN"),
    "a member of no VLAN": ("add", "/VLAN_MEMBER/Vlan30|Ethernet0", {"tagging_mode": "tagged"}, "points to no VLAN"),
    "a member that is no port": ("add", "/VLAN_MEMBER/Vlan10|Ethernet9", {"tagging_mode": "tagged"}, "to no port"),
    "a router interface": (
        "add", "/VLAN_MEMBER/Vlan10|Ethernet4", {"tagging_mode": "untagged"}, "Port is a router interface."),
    "a member that becomes a router interface": ("add", "/INTERFACE/Ethernet0", {}, "Port is a router interface."),
    "a second VLAN without tags": (
        "replace", "/VLAN_MEMBER/Vlan20|Ethernet0/tagging_mode", "untagged", "untagged in at most one VLAN"),
    "a member without a mode": ("add", "/VLAN_MEMBER/Vlan20|Ethernet0", {}, "mandatory"),
    "a mode that is none": ("replace", "/VLAN_MEMBER/Vlan20|Ethernet0/tagging_mode", "both", "mandatory"),
    "a number unlike the name": ("replace", "/VLAN/Vlan10/vlanid", "11", "must correspond"),
    "a number that no VLAN has": ("add", "/VLAN/Vlan4095", {"vlanid": "4095"}, "pattern"),
    "a name that is none": ("add", "/VLAN/Vlan010", {"vlanid": "010"}, "pattern"),
    "members in the row": ("add", "/VLAN/Vlan10/members", ["Ethernet0"], "is unknown"),
    "an interface of no VLAN": ("add", "/VLAN_INTERFACE/Vlan30", {}, "points to no VLAN"),
    "an address without its interface": ("remove", "/VLAN_INTERFACE/Vlan10", None, "Try adding Vlan<vlanid>"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_gcu_refuses_what_the_model_of_vlans_does(name: str) -> None:
    op, path, value, why = REFUSED[name]
    with pytest.raises(GcuRefused, match=why) as refused:
        apply_patch(copy.deepcopy(GOOD), [{"op": op, "path": path, "value": value}])  # type: ignore[arg-type]
    assert str(refused.value).startswith("Given patch will produce invalid config. Error: Data Loading Failed: ")


def test_gcu_takes_what_is_sound() -> None:
    assert vlans.refused(GOOD) == ""  # type: ignore[arg-type]
    taken = apply_patch(
        copy.deepcopy(GOOD),  # type: ignore[arg-type]
        [
            {"op": "remove", "path": "/INTERFACE"},
            {"op": "add", "path": "/VLAN_MEMBER/Vlan10|Ethernet4", "value": {"tagging_mode": "untagged"}},
        ],
    )
    assert "Vlan10|Ethernet4" in taken.config["VLAN_MEMBER"]


@pytest.fixture
def lab_in_vlan(boot: Boot) -> Lab:
    config = example.config("leaf1")
    del config["INTERFACE"]["Ethernet0"], config["INTERFACE"]["Ethernet0|10.0.1.0/31"]
    config |= {
        "VLAN": {"Vlan10": {"vlanid": "10"}},
        "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}},
        "VLAN_INTERFACE": {"Vlan10": {}, "Vlan10|10.0.1.1/29": {}},
    }
    return boot({"devices/leaf1/etc/sonic/config_db.json": json.dumps(config)})


FAULTS = {
    "vlan leaf1 42": "leaf1 has Vlan42, which nobody planned",
    "vlan-gone leaf1 10": "Vlan10 is gone on leaf1",
    "vlan-member leaf1:1/1 10 none": "leaf1:1/1 is not in Vlan10",
    "vlan-member leaf1:1/1 10 tagged": "leaf1:1/1 is tagged in Vlan10",
    "vlan-member leaf1:1/1 42 untagged": "leaf1:1/1 is untagged in Vlan42",
    "address leaf1:Vlan10 10.0.1.3/29": "leaf1:Vlan10 has the address 10.0.1.3/29",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_seen_and_healed(lab_in_vlan: Lab, fault: str) -> None:
    lab, (kind, *words) = lab_in_vlan, fault.split()
    before = lab.switch("leaf1").config
    assert faults.make(lab.fabric, kind, words) == FAULTS[fault]
    assert lab.switch("leaf1").config != before
    faults.heal(lab.fabric)
    assert lab.switch("leaf1").config == before


def test_a_vlan_that_is_gone_leaves_no_row_behind_and_the_block_is_discarded(lab_in_vlan: Lab) -> None:
    faults.make(lab_in_vlan.fabric, "vlan-gone", ["leaf1", "10"])
    assert not any(table.startswith("VLAN") for table in lab_in_vlan.switch("leaf1").config)
    assert lab_in_vlan.show("leaf1", "show ip route json")["10.0.1.0/29"][0]["protocol"] == "static"


WRONG = {
    "vlan leaf1 1": "1 is no VLAN number",
    "vlan leaf1 10": "leaf1 has Vlan10 already",
    "vlan-gone leaf1 42": "leaf1 has no VLAN|Vlan42",
    "vlan-member leaf1:1/1 42 none": "leaf1 has no VLAN_MEMBER|Vlan42|Ethernet0",
    "vlan-member leaf1:1/1 10 both": "both is no way to be in a VLAN",
    "address leaf1:Vlan42 10.0.1.3/29": "leaf1 has no VLAN_INTERFACE|Vlan42",
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_fault_that_cannot_be_made_is_refused(lab_in_vlan: Lab, fault: str) -> None:
    before = lab_in_vlan.switch("leaf1").config
    with pytest.raises(Invalid) as refused:
        faults.make(lab_in_vlan.fabric, fault.split()[0], fault.split()[1:])
    assert refused.value.diagnostics[0].message == WRONG[fault]
    assert lab_in_vlan.switch("leaf1").config == before


def test_a_reload_of_what_the_model_refuses_is_refused_and_changes_nothing(lab_in_vlan: Lab) -> None:
    before = lab_in_vlan.switch("leaf1").config
    bad = {**before, "INTERFACE": {**before["INTERFACE"], "Ethernet0": {}}}
    done = lab_in_vlan.run("leaf1", f"sudo config reload -y -f {lab_in_vlan.put('leaf1', '/tmp/bad.json', bad)}")
    assert (done.code, "Port is a router interface." in done.err) == (1, True)
    assert lab_in_vlan.switch("leaf1").config is before
