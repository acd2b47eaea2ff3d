"""Faults of configuration, of stores and of LLDP: what each changes on the box, and that healing leaves no trace."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from lab.sim.conftest import Lab
from netaudit.diag import Invalid
from netaudit.lab.sim import faults
from netaudit.lab.sim.database import Config, merged
from netaudit.lab.sim.faults import FAULTS, listed
from netaudit.lab.sim.lldp import neighbors
from netaudit.lab.sim.tables import table

UP, LOW = "leaf1:8", "leaf1:1/1"
UP_NATIVE, LOW_NATIVE = "Ethernet56", "Ethernet0"
LOSSLESS = "pg_lossless_800000_40m_profile"

QOS: Config = {
    "DSCP_TO_TC_MAP": {"ROCE": {"26": "3", "48": "6"}},
    "TC_TO_QUEUE_MAP": {"ROCE": {"3": "3"}},
    "TC_TO_PRIORITY_GROUP_MAP": {"ROCE": {"3": "3"}},
    "WRED_PROFILE": {"ROCE": {"ecn": "ecn_all", "green_min_threshold": "1", "green_max_threshold": "2"}},
    "SCHEDULER": {"ROCE": {"type": "DWRR", "weight": "60"}},
    "QUEUE": {f"{UP_NATIVE}|3": {"scheduler": "ROCE", "wred_profile": "ROCE"}, f"{UP_NATIVE}|0": {"scheduler": "ROCE"}},
    "PORT_QOS_MAP": {UP_NATIVE: {"dscp_to_tc_map": "ROCE"}},
    "PFC_WD": {UP_NATIVE: {"action": "drop", "detection_time": "200"}},
    "BUFFER_PROFILE": {LOSSLESS: {"pool": "ingress_lossless_pool", "xoff": "300000", "size": "1"}},
    "BUFFER_PG": {f"{UP_NATIVE}|3": {"profile": LOSSLESS}},
}

CHANGES = {
    f"mtu {UP} 9100": ("PORT", UP_NATIVE, "mtu", "9100"),
    f"fec {UP} none": ("PORT", UP_NATIVE, "fec", "none"),
    f"speed {UP} 400000": ("PORT", UP_NATIVE, "speed", "400000"),
    f"shut {UP}": ("PORT", UP_NATIVE, "admin_status", "down"),
    "enable leaf1:1/2": ("PORT", "Ethernet4", "admin_status", "up"),
    f"lanes {UP} leaf1:7": ("PORT", UP_NATIVE, "lanes", "48,49,50,51,52,53,54,55"),
    f"pfc {UP}": ("PORT_QOS_MAP", UP_NATIVE, "pfc_enable", None),
    "dscp leaf1 26 0": ("DSCP_TO_TC_MAP", "ROCE", "26", "0"),
    "dscp-stock leaf1": ("PORT_QOS_MAP", UP_NATIVE, "dscp_to_tc_map", "AZURE"),
    "tc leaf1 3 4": ("TC_TO_QUEUE_MAP", "ROCE", "3", "4"),
    "tc-group leaf1 3 0": ("TC_TO_PRIORITY_GROUP_MAP", "ROCE", "3", "0"),
    "ecn leaf1 ROCE 5 6": ("WRED_PROFILE", "ROCE", "red_max_threshold", "6"),
    "ecn-off leaf1 ROCE": ("WRED_PROFILE", "ROCE", "ecn", "ecn_none"),
    f"ecn-unbound {UP}": ("QUEUE", f"{UP_NATIVE}|3", "wred_profile", None),
    "weight leaf1 ROCE 20": ("SCHEDULER", "ROCE", "weight", "20"),
    f"watchdog-time {UP} 50": ("PFC_WD", UP_NATIVE, "detection_time", "50"),
    "watchdog-poll leaf1 1000": ("PFC_WD", "GLOBAL", "POLL_INTERVAL", "1000"),
    f"cable-length {UP} 5m": ("CABLE_LENGTH", "AZURE", UP_NATIVE, "5m"),
    f"headroom leaf1 {LOSSLESS} 7": ("BUFFER_PROFILE", LOSSLESS, "xoff", "7"),
    f"profile {UP} ingress_lossy_profile": ("BUFFER_PG", f"{UP_NATIVE}|3", "profile", "ingress_lossy_profile"),
}

GONE = {
    f"watchdog {UP}": ("PFC_WD", UP_NATIVE),
    "watchdog-stop leaf1": ("PFC_WD", UP_NATIVE),
    f"no-headroom {UP}": ("BUFFER_PG", f"{UP_NATIVE}|3"),
    f"address {LOW} 10.0.9.0/31": ("INTERFACE", f"{LOW_NATIVE}|10.0.1.0/31"),
    "address leaf1:Loopback0 10.255.0.9/32": ("LOOPBACK_INTERFACE", "Loopback0|10.255.0.1/32"),
}


@pytest.fixture
def rich(lab: Lab) -> Lab:
    """The small lab with a whole class chain on its first leaf."""
    leaf = lab.switch("leaf1")
    leaf.take(merged(leaf.config, QOS))
    lab.fabric.changed()
    return lab


def broken(lab: Lab, fault: str) -> str:
    kind, *arguments = fault.split()
    return faults.make(lab.fabric, kind, arguments)


@pytest.mark.parametrize("fault", CHANGES)
def test_a_fault_changes_one_field_of_what_runs_and_heal_puts_it_back(rich: Lab, fault: str) -> None:
    rows, key, field, value = CHANGES[fault]
    leaf = rich.switch("leaf1")
    before = leaf.config
    assert before[rows][key].get(field) != value
    broken(rich, fault)
    assert leaf.config[rows][key].get(field) == value
    faults.heal(rich.fabric)
    assert leaf.config == before


@pytest.mark.parametrize("fault", GONE)
def test_a_fault_takes_a_row_out_and_heal_puts_it_back(rich: Lab, fault: str) -> None:
    rows, key = GONE[fault]
    leaf = rich.switch("leaf1")
    before = leaf.config
    assert key in before[rows]
    broken(rich, fault)
    assert key not in leaf.config.get(rows, {})
    faults.heal(rich.fabric)
    assert leaf.config == before


def test_several_faults_of_one_switch_are_healed_at_once(rich: Lab) -> None:
    before = rich.switch("leaf1").config
    for fault in (f"mtu {UP} 9100", f"pfc {UP}", f"no-headroom {UP}", "weight leaf1 ROCE 20", "ecmp leaf1 2"):
        broken(rich, fault)
    assert faults.heal(rich.fabric) == "5 faults healed"
    assert rich.switch("leaf1").config == before


def test_what_somebody_configured_meanwhile_is_left_as_it_is(rich: Lab) -> None:
    broken(rich, f"mtu {UP} 9100")
    rich.patch("leaf1", ("replace", f"/PORT/{UP_NATIVE}/mtu", "9000"))
    faults.heal(rich.fabric)
    assert rich.switch("leaf1").config["PORT"][UP_NATIVE]["mtu"] == "9000"


@pytest.mark.parametrize(
    ("fault", "is_up"),
    [
        (f"fec {UP} none", False),
        (f"fec {LOW} none", True),
        (f"speed {UP} 400000", False),
        (f"shut {UP}", False),
        (f"lanes {UP} leaf1:7", False),
        (f"mtu {UP} 9100", True),
    ],
)
def test_a_link_is_up_where_both_ends_agree(rich: Lab, fault: str, is_up: bool) -> None:
    broken(rich, fault)
    native = UP_NATIVE if UP in fault else LOW_NATIVE
    assert (native in rich.fabric.links().far["leaf1"]) is is_up
    assert "Ethernet48" in rich.fabric.links().far["leaf1"], "whose lanes are claimed keeps them"


def test_headroom_follows_the_length_that_is_configured(rich: Lab) -> None:
    """Of a length that the box's table has; a row for another is a miss, which is silent."""
    leaf = rich.switch("leaf1")
    before = set(leaf.config["BUFFER_PROFILE"])
    broken(rich, f"cable-length {UP} 5m")
    made = set(leaf.config["BUFFER_PROFILE"]) - before
    bound = leaf.config["BUFFER_PG"][f"{UP_NATIVE}|3"]["profile"]
    known = ("800000", "5m") in leaf.lookup
    assert (made, bound) == (({bound}, "pg_lossless_800000_5m_profile") if known else (set(), LOSSLESS))


def test_what_is_applied_differs_and_what_runs_does_not(rich: Lab) -> None:
    leaf = rich.switch("leaf1")
    broken(rich, f"unapplied {UP} mtu 1500")
    broken(rich, f"unapplied-headroom {UP} ingress_lossy_profile")
    assert table(rich.fabric, leaf, "APPL_DB", "PORT_TABLE")[UP_NATIVE]["mtu"] == "1500"
    assert table(rich.fabric, leaf, "CONFIG_DB", "PORT")[UP_NATIVE]["mtu"] == "9216"
    group = table(rich.fabric, leaf, "APPL_DB", "BUFFER_PG_TABLE")[f"{UP_NATIVE}:3"]
    assert group["profile"] == "ingress_lossy_profile"
    faults.heal(rich.fabric)
    assert table(rich.fabric, leaf, "APPL_DB", "PORT_TABLE")[UP_NATIVE]["mtu"] == "9216"


def test_the_hardware_keeps_fewer_next_hops_and_the_routing_table_keeps_all(rich: Lab) -> None:
    leaf = rich.switch("leaf1")
    before = table(rich.fabric, leaf, "APPL_DB", "ROUTE_TABLE")
    prefix = next(p for p, row in before.items() if row["protocol"] == "bgp" and "," in row["ifname"])
    shown = rich.show("leaf1", "show ip route json")
    broken(rich, f"stuck-route leaf1 {prefix}")
    stuck = table(rich.fabric, leaf, "APPL_DB", "ROUTE_TABLE")
    assert stuck[prefix]["ifname"] == before[prefix]["ifname"].split(",")[0]
    assert {**stuck, prefix: before[prefix]} == before
    assert rich.show("leaf1", "show ip route json") == shown
    faults.heal(rich.fabric)
    assert table(rich.fabric, leaf, "APPL_DB", "ROUTE_TABLE") == before


def test_an_unsaved_switch_has_another_file_and_gets_it_back(lab: Lab) -> None:
    path: Path = lab.labdir / "devices/leaf1/etc/sonic/config_db.json"
    before = path.read_bytes()
    broken(lab, "unsaved leaf1")
    saved = json.loads(path.read_bytes())
    assert saved["PORT"][UP_NATIVE]["mtu"] == "9100"
    assert "PFC_WD" not in saved
    assert lab.switch("leaf1").config["PORT"][UP_NATIVE]["mtu"] == "9216"
    faults.heal(lab.fabric)
    assert path.read_bytes() == before


def test_a_file_that_was_saved_meanwhile_is_left_as_it_is(lab: Lab) -> None:
    path: Path = lab.labdir / "devices/leaf1/etc/sonic/config_db.json"
    broken(lab, "unsaved leaf1")
    lab.run("leaf1", "sudo config save -y")
    faults.heal(lab.fabric)
    assert json.loads(path.read_bytes())["PORT"][UP_NATIVE]["mtu"] == "9216"


def heard(lab: Lab, name: str) -> Mapping[str, str]:
    """Native name → port id that is heard there."""
    return {native: row["lldp_rem_port_id"] for native, row in neighbors(lab.fabric, lab.switch(name)).items()}


def test_a_silent_switch_is_not_heard_and_hears_nobody(lab: Lab) -> None:
    broken(lab, "lldp leaf1")
    assert heard(lab, "leaf1") == {}
    assert {"Ethernet0", "Ethernet8"}.isdisjoint(heard(lab, "spine1"))
    assert heard(lab, "leaf2") != {}


def test_a_silent_port_still_hears(lab: Lab) -> None:
    broken(lab, f"lldp-port {UP}")
    assert UP_NATIVE in heard(lab, "leaf1")
    assert "Ethernet0" not in heard(lab, "spine1")


@pytest.mark.parametrize(
    ("kind", "sent"),
    [("alias", "etp8"), ("name", UP_NATIVE), ("mac", "02:00:00:00:00:01"), ("mac-only", "02:00:00:00:00:01")],
)
def test_a_port_is_named_as_the_fault_says(lab: Lab, kind: str, sent: str) -> None:
    broken(lab, f"port-id leaf1 {kind}")
    assert heard(lab, "spine1")["Ethernet0"] == sent


@pytest.mark.parametrize(("way", "there"), [("in", "out"), ("out", "in")])
def test_a_missing_policy_leaves_sessions_established_without_routes(lab: Lab, way: str, there: str) -> None:
    broken(lab, f"policy leaf1 {way}")
    assert set(lab.states("leaf1").values()) <= {"Established", "(Policy)"}
    assert bool(lab.hops("leaf1", "10.0.2.0/29")) is (way == "out")
    assert bool(lab.hops("leaf2", "10.0.1.0/29")) is (way == "in")
    assert f" {there}\n" in str(lab.run("leaf1", "vtysh -c 'show running-config'").out)


def test_fewer_paths_are_fewer_hops(lab: Lab) -> None:
    assert len(lab.hops("leaf1", "10.0.2.0/29")) == 4
    broken(lab, "ecmp leaf1 2")
    assert len(lab.hops("leaf1", "10.0.2.0/29")) == 2
    faults.heal(lab.fabric)
    assert len(lab.hops("leaf1", "10.0.2.0/29")) == 4


def test_paths_through_one_as_are_used_together_without_relaxation(lab: Lab) -> None:
    broken(lab, "relax leaf1")
    assert "multipath-relax" not in str(lab.run("leaf1", "vtysh -c 'show running-config'").out)


def test_a_lie_is_what_is_told_and_not_what_is(lab: Lab) -> None:
    broken(lab, f"lie {UP}")
    leaf = lab.switch("leaf1")
    assert table(lab.fabric, leaf, "APPL_DB", "PORT_TABLE")[UP_NATIVE]["oper_status"] == "down"
    assert UP_NATIVE in lab.fabric.links().far["leaf1"]


def test_every_fault_is_listed_with_its_arguments_and_what_it_does() -> None:
    lines = dict(listed())
    assert [typed.split()[0] for typed in lines] == list(FAULTS)
    assert all(text.endswith((".", ")")) and text[0].isupper() for text in lines.values())


@pytest.mark.parametrize(
    ("fault", "message", "hint"),
    [
        ("mtu leaf1:8 0", "0 is no MTU", "68 to 9216"),
        ("mtu leaf1:99 9000", "leaf1 has no port 99", "did you mean leaf1:"),
        ("mtu leaf1 9000", "leaf1 has no port (none given)", ""),
        ("fec leaf1:8 rs544", "rs544 is no FEC", "rs, fc, none"),
        ("speed leaf1:8 fast", "fast is no speed", "400000"),
        ("lanes leaf1:8 leaf2:8", "leaf1:8 and leaf2:8 are not two ports of one switch", ""),
        ("lanes leaf1:8 leaf1:8", "leaf1:8 and leaf1:8 are not two ports of one switch", ""),
        ("address leaf1:8 10.0.0", "10.0.0 is no address", "10.0.0.1/31"),
        ("address leaf1:Loopback9 10.0.0.1/32", "leaf1 has no LOOPBACK_INTERFACE|Loopback9", "Loopback0"),
        ("policy leaf1 both", "both is no direction", "in, out"),
        ("ecmp leaf1 0", "0 is no number of paths", "1 to"),
        ("port-id leaf1 ip", "ip is no kind of port id", "alias"),
        ("unapplied leaf1:8 lanes 1", "lanes is no field", "mtu"),
        ("unapplied-headroom leaf1:8 none", "leaf1 has no buffer profile none", ""),
        ("stuck-route leaf1 203.0.113.0/24", "leaf1 learned no 203.0.113.0/24", "10.0.2.0/29"),
        ("stuck-route leaf1 nowhere", "nowhere is no prefix", "10.0.0.0/25"),
        ("dscp leaf1 64 0", "64 is no DSCP", "0 to 63"),
        ("dscp spine1 26 0", "spine1 has no DSCP_TO_TC_MAP", "push its configuration first"),
        ("weight leaf1 ROCE 0", "0 is no weight", "1 to 100"),
        ("weight leaf1 NONE 5", "leaf1 has no SCHEDULER|NONE", "ROCE"),
        ("cable-length leaf1:8 5ft", "5ft is no cable length", "40m"),
        ("watchdog-stop spine1", "no PFC watchdog runs on spine1", ""),
        ("no-headroom leaf1:1/2", "leaf1:1/2 has no lossless priority group", ""),
        ("large leaf1 PORT 0", "0 is no number of MiB", "1 to 256"),
        ("numbers leaf1 floats", "floats is no form", "ints, strings"),
        ("impostor leaf1 leaf1", "leaf1 is itself", ""),
    ],
)  # fmt: skip
def test_a_wrong_word_says_what_there_is_and_breaks_nothing(rich: Lab, fault: str, message: str, hint: str) -> None:
    before = rich.switch("leaf1").config
    with pytest.raises(Invalid) as refused:
        broken(rich, fault)
    problem = refused.value.diagnostics[0]
    assert problem.message.startswith(message)
    assert hint in problem.hint
    assert (rich.switch("leaf1").config, rich.fabric.faults.told) == (before, [])
