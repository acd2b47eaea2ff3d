"""Recorded answers of real switches read without trouble; their facts were counted by hand or are TRUTH.md's.

They are reference data beside the repository: without it these tests are skipped. The readers of what has no capture
(`show ip route json` of an unnumbered fabric, LLDP_ENTRY_TABLE, EEPROM_INFO) rest on sonic.md and lab.md alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from netaudit.platforms import sonic
from netaudit.platforms.sonic.names import positions
from netaudit.platforms.sonic.routing import read_routes, read_sessions
from netaudit.platforms.sonic.state import read_oper, read_port_table
from netaudit.platforms.sonic.tables import Unreadable, rows
from netaudit.state import ABSENT, Bgp


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    return shared / "field" / "real"


def sessions(file: Path) -> Bgp:
    return read_sessions(json.loads(file.read_text(encoding="utf-8")), {})


SUMMARIES: Mapping[str, tuple[int, Mapping[str, int]]] = {
    "sonic_ipv4_bgp_summary.json": (65100, {"Active": 16, "Established": 8}),
    "sonic_ipv6_bgp_summary.json": (65100, {"Active": 15, "Connect": 1, "Established": 8}),
    "sonic_vtysh_show_ipv6_summary.json": (64601, {"Established": 4}),
    "topotest_features_r1_bgp_summary.json": (65000, {"Established": 2}),
    "topotest_features_r1_bgp_shutdown_summary.json": (65000, {"Idle (Admin)": 2}),
}


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_recorded_summary_gives_its_sessions(real: Path, name: str) -> None:
    bgp = sessions(real / "frr" / name)
    asn, states = SUMMARIES[name]
    assert bgp.asn == asn
    assert Counter(n.session for n in (bgp.neighbors or {}).values()) == states


def test_a_session_that_never_came_up_has_the_asn_that_is_configured(real: Path) -> None:
    neighbors = sessions(real / "frr" / "sonic_ipv4_bgp_summary.json").neighbors or {}
    assert (neighbors["10.0.0.33"].session, neighbors["10.0.0.33"].remote_asn) == ("Active", 64001)


def routes(file: Path) -> Mapping[str, frozenset[tuple[int, ...]]]:
    found = read_routes(json.loads(file.read_text(encoding="utf-8")), {}, {})
    return {prefix: route.as_paths for (_, prefix), route in found.items()}


def test_dotted_as_paths_are_whole(real: Path) -> None:
    """1.4 is 65540: a word that is dropped would make the path look shorter."""
    assert routes(real / "frr" / "topotest_asdot_r1_show_bgp_ipv4.json") == {
        "172.31.1.0/24": {(65540,)},
        "172.31.2.0/24": {(65540,)},
        "172.31.3.0/24": {(65538, 65540)},
    }


def test_only_paths_that_are_used_make_a_route(real: Path) -> None:
    """An own prefix without `valid` is inaccessible and announced to nobody (topology.md section 4)."""
    found = routes(real / "frr" / "topotest_features_r1_show_bgp.json")
    assert found["0.0.0.0/0"] == {(65100,)}
    assert "192.168.0.0/24" not in found


def test_a_table_of_many_views_is_read_whole(real: Path) -> None:
    assert len(routes(real / "frr" / "topotest_multiview_view_1_bgp_table.json")) == 31


def test_a_recorded_port_table_gives_speed_and_link_state(real: Path) -> None:
    """A dump of the database is flat: `PORT_TABLE:Ethernet0`; gNMI gives the rows alone."""
    dump = json.loads((real / "gnmi" / "sonic_port_table.json").read_text(encoding="utf-8"))
    table = rows("PORT_TABLE", {key.partition(":")[2]: row for key, row in dump.items()})
    ports, oper = read_port_table(table, {}), read_oper(table, {})
    assert ports is not None
    assert oper is not None
    port = ports["Ethernet0"]
    assert (port.speed_mbps, port.mtu_bytes, port.fec, port.enabled) == (100_000, 9100, "rs", True)
    assert oper["Ethernet0"].oper_up is True


NESTED: Mapping[str, tuple[int, int, int]] = {
    "config_db_counterpoll.json": (32, 28, 32),
    "config_qos.json": (0, 0, 32),
    "vs_voq_t2_config_db.json": (32, 3, 32),
    "gcu_dpb_4_splits_full_config.json": (4, 0, 0),
}


@pytest.mark.parametrize("name", NESTED)
def test_a_recorded_configuration_reads_whole(real: Path, name: str) -> None:
    """(ports, ports with QoS, ports with buffers)"""
    device = sonic.read_config({"config_db.json": (real / "sonic" / name).read_text(encoding="utf-8")}, "x")
    assert device.qos is not None
    assert device.buffers is not None
    counted = (len(device.ports or {}), len(device.qos.ports or {}), len(device.buffers.ports or {}))
    assert counted == NESTED[name]


def test_a_flat_dump_is_no_config_db_json(real: Path) -> None:
    with pytest.raises(Unreadable, match="is not an object"):
        sonic.read_config(
            {"config_db.json": (real / "sonic" / "config_db_msn4700_t1_v3_0_3.json").read_text(encoding="utf-8")}, "x"
        )


def test_a_box_without_a_speaker_has_no_asn() -> None:
    text = '{"DEVICE_METADATA": {"localhost": {"bgp_asn": "None"}}}'
    system = sonic.read_config({"config_db.json": text}, "x").system
    assert system is not None
    assert system.asn is ABSENT


def test_every_configuration_of_the_reference_data_keeps_all_its_ports(shared: Path) -> None:
    """Vendor files of five years, of which one reader must lose nothing."""
    for file in sorted((shared / "data" / "sonic-real").glob("*.json")):
        text = file.read_text(encoding="utf-8")
        device = sonic.read_config({"config_db.json": text}, "x")
        assert len(device.ports or {}) == len(json.loads(text).get("PORT", {})), file.name


def test_sub_ports_of_a_recorded_breakout_stand_in_lane_order() -> None:
    table = {f"Ethernet{n}": {"index": "1", "lanes": str(65 + n)} for n in (3, 1, 0, 2)}
    assert positions({n: dict(row) for n, row in table.items()}) == {
        "Ethernet0": "1/1",
        "Ethernet1": "1/2",
        "Ethernet2": "1/3",
        "Ethernet3": "1/4",
    }
