from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from oracles import sonic_yang

# One port, one priority group, one map: the least that has each kind of row.
GOOD: dict[str, dict[str, dict[str, object]]] = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "mac": "00:11:22:33:44:55", "bgp_asn": "65001"}},
    "PORT": {"Ethernet0": {"lanes": "0,1,2,3", "speed": "400000", "alias": "etp1", "adv_speeds": "400000,200000"}},
    "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.0/31": {"NULL": "NULL"}},
    "DSCP_TO_TC_MAP": {"AZURE": {"26": "3", "48": "6"}},
    "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "pfc_enable": "3"}},
    "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "1000"}},
    "BUFFER_PROFILE": {"p": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "0"}},
    "BUFFER_PG": {"Ethernet0|3": {"profile": "p"}},
    "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m"}},
}


# Public configurations that SONiC's own sonic_yang refuses too, with the number of problems that SOURCES.md beside
# them records; the last has no number there. All other files are valid.
INVALID = {
    "clet-add-t1.json": 66,
    "dbmig_acs-msn2700-t0-version_1_0_1.json": 268,
    "fanout-7060cx.json": 3,
    "pybatfish_border01.json": 12,
    "pybatfish_leaf01.json": 19,
    "pybatfish_spine01.json": 13,
    "vlab-t2-01.json": 110,
    "vlab-t2-01_qos_new.json": 56,
    "vlab-t2-sup_qos_new.json": 18,
    "rendered_z9864f_o64_t1.json": 4,
}


def test_public_configurations_get_the_verdict_of_sonic_itself(shared: Path) -> None:
    files = sorted((shared / "data" / "sonic-real").glob("*.json"))
    counts = {file.name: len(sonic_yang.problems(json.loads(file.read_text(encoding="utf-8")))) for file in files}
    assert counts == {file.name: INVALID.get(file.name, 0) for file in files}
    assert counts.keys() > INVALID.keys()


def test_a_sound_configuration_has_no_problem() -> None:
    assert sonic_yang.problems(GOOD) == []


@pytest.mark.parametrize(
    ("table", "key", "fields", "said"),
    [
        ("PORT", "Ethernet0", {"lanes": "0", "speed": "400000", "sped": "1"}, "PORT|Ethernet0: unknown field sped"),
        ("PORT", "Ethernet0", {"lanes": "0", "speed": "fast"}, "speed"),
        ("PORT", "Ethernet0", {"lanes": "0", "speed": ["400000"]}, "PORT|Ethernet0: field speed is one value"),
        ("PORT", "Ethernet0|1", {"lanes": "0"}, "PORT|Ethernet0|1: a key of this table is name"),
        ("BUFFER_PG", "Ethernet4|3", {"profile": "p"}, "Ethernet4"),
        ("BUFFER_PG", "Ethernet0|9", {"profile": "p"}, "Invalid Buffer PG number"),
        ("BUFFER_PG", "Ethernet0|3", {"profile": "[BUFFER_PROFILE|p]"}, "[BUFFER_PROFILE|p]"),
        ("BUFFER_PROFILE", "q", {"pool": "nowhere", "size": "0"}, "nowhere"),
        ("BUFFER_PROFILE", "q", {"size": "0"}, "pool"),
        ("BUFFER_POOL", "egress", {"type": "outwards", "mode": "dynamic"}, "outwards"),
        ("DSCP_TO_TC_MAP", "AZURE", {"64": "3"}, "Invalid DSCP"),
        ("INTERFACE", "Ethernet8|10.0.0.2/31", {}, "Ethernet8"),
        ("CABLE_LENGTH", "AZURE", {"Ethernet0": "40"}, "Invalid cable length"),
        ("SNMP", "LOCATION", "here", "SNMP|LOCATION: a row is an object of fields"),
    ],
)
def test_a_fault_is_named(table: str, key: str, fields: object, said: str) -> None:
    config = GOOD | {table: {**GOOD.get(table, {}), key: fields}}
    assert any(said in problem for problem in sonic_yang.problems(config))


def test_all_faults_are_named_at_once() -> None:
    config = copy.deepcopy(GOOD)
    config["BUFFER_PG"]["Ethernet0|3"]["profile"] = "nowhere"
    config["PORT"]["Ethernet0"]["speed"] = "fast"
    config["PORT"]["Ethernet0"]["colour"] = "blue"
    text = "\n".join(sonic_yang.problems(config))
    assert all(word in text for word in ("nowhere", "fast", "colour"))


def test_a_table_without_a_model_is_named_apart() -> None:
    config = GOOD | {"FLUX_CAPACITOR": {"a": {"b": "c"}}}
    assert sonic_yang.problems(config) == []
    assert sonic_yang.unmodelled(config) == ("FLUX_CAPACITOR",)
