"""The catalogue against itself, against what SONiC ships, and against the rules the fabric relies on."""

from __future__ import annotations

import csv
import json
import pickle
import re
from pathlib import Path

import pytest

from netaudit.hardware import (
    breakout_for,
    media_names,
    medium,
    models,
    nic,
    nic_names,
    required_fec,
    switch,
    switch_names,
)


def rows_of(path: Path, **wanted: str) -> list[dict[str, str]]:
    with path.open() as file:
        return [row for row in csv.DictReader(file) if all(row[key] == value for key, value in wanted.items())]


def test_an_sn5600_has_64_cages_of_eight_lanes_and_one_service_cage():
    model = switch("nvidia-sn5600")
    assert [len(cage.lanes) for cage in model.fabric_cages] == [8] * 64
    assert {cage.max_speed_mbps for cage in model.fabric_cages} == {800_000}
    assert [(c.number, c.lanes, c.alias) for c in model.cages if c.service] == [(65, (512,), "etp65")]


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_no_lane_is_in_two_cages(model):
    cages = [cage for cage in model.cages if model.name != "nokia-ixr7250e-36x400g" or cage.number <= 18]
    lanes = [lane for cage in cages for lane in cage.lanes]  # its two chips have 18 cages each, and count from 0 each
    assert len(lanes) == len(set(lanes))


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_every_mode_divides_the_lanes_evenly_and_in_order(model):
    for cage in model.cages:
        for mode in cage.breakouts:
            ports = cage.split(mode)
            assert tuple(lane for port in ports for lane in port.lanes) == cage.lanes
            assert len({len(port.lanes) for port in ports}) == 1
            assert len({port.alias for port in ports}) == len(ports) or {port.alias for port in ports} == {""}


def test_sub_ports_count_from_one_and_an_undivided_cage_has_none():
    cage = switch("nvidia-sn5600").cage(12)
    assert [(p.number, p.lanes, p.alias) for p in cage.split("2x400G")] == [
        (1, (88, 89, 90, 91), "etp12a"),
        (2, (92, 93, 94, 95), "etp12b"),
    ]
    assert [(p.number, p.alias) for p in cage.split("1x800G")] == [(0, "etp12")]


def test_a_mode_the_cage_does_not_know_is_refused():
    with pytest.raises(KeyError, match="8x100G"):
        switch("nvidia-sn5600").cage(1).split("8x100G")


@pytest.mark.parametrize(
    ("speed_mbps", "count", "mode"),
    [
        (800_000, 1, "1x800G"),
        (400_000, 1, "1x800G"),
        (400_000, 2, "2x400G"),
        (200_000, 2, "2x400G"),
        (200_000, 4, "4x200G"),
        (800_000, 2, None),
        (100_000, 8, None),
    ],
)
def test_the_mode_is_found_by_speed_and_number_of_ports(speed_mbps, count, mode):
    assert breakout_for(switch("nvidia-sn5600").cage(1), speed_mbps, count) == mode


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_platform_json_spells_every_mode_with_the_speeds_of_the_cage(model):
    for sku in model.hwskus.values():
        for cage in model.cages if sku.breakout_modes else ():
            for mode, speeds in cage.breakouts.items():
                # Dell writes the number of lanes behind it: 2x400G(8)
                head, _, rest = re.sub(r"\(\d\)", "", sku.breakout_modes[mode]).rstrip("]").partition("[")
                spelled = [head.partition("x")[2], *filter(None, rest.split(","))]
                assert head == mode
                assert [int(word.removesuffix("G")) * 1000 for word in spelled] == list(speeds)


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_every_cage_ships_in_a_mode_it_knows(model):
    for sku in model.hwskus.values():
        assert set(sku.factory_modes) == {cage.number for cage in model.cages}
        assert all(sku.factory_modes[cage.number] in cage.breakouts for cage in model.cages)


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_every_figure_names_its_source(model):
    figures = {"cages", "cell_bytes", "buffer_bytes", "buffer_class", "itms"}
    headroom = {f"headroom.{name}" for name in model.headroom.__dataclass_fields__ if getattr(model.headroom, name)}
    assert figures | headroom <= set(model.sources)
    for sku in (sku for name, sku in model.hwskus.items() if name):  # the nameless one has no figures
        assert {"pg", "pools", "breakout_modes", "factory_modes", "factory_cable_m"} <= set(sku.sources)


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_the_default_hwsku_is_one_of_the_models(model):
    assert model.default_hwsku in model.hwskus


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_a_model_survives_the_way_into_another_process(model):
    assert pickle.loads(pickle.dumps(model)) == model


def test_an_unknown_name_is_a_key_error_beside_the_known_names():
    with pytest.raises(KeyError, match="nvidia-sn5601"):
        switch("nvidia-sn5601")
    with pytest.raises(KeyError, match="cx9"):
        nic("cx9")
    with pytest.raises(KeyError, match="dr5"):
        medium("dr5")
    assert "nvidia-sn5600" in switch_names()
    assert {"cx7", "cx8", "bf3"} <= set(nic_names())


def test_a_cable_is_rounded_up_to_the_next_row_and_never_down():
    sku = switch("nvidia-sn5600").hwskus["ACS-SN5600"]
    assert sku.lengths_m(800_000) == (5, 40, 300)
    assert [sku.row_length_m(800_000, length) for length in (3, 5, 5.1, 40, 41, 300, 301)] == [
        5,
        5,
        40,
        40,
        300,
        300,
        None,
    ]
    assert sku.row_length_m(1_600_000, 5) is None


def test_the_sn5600_tables_are_dedicated_headroom():
    skus = switch("nvidia-sn5600").hwskus
    assert all(row.dedicated for name in ("ACS-SN5600", "Mellanox-SN5600-O128") for row in skus[name].pg.values())


def test_a_shared_headroom_row_is_told_by_its_size():
    row = switch("nvidia-sn5600").hwskus["ACS-SN5600"].pg[800_000, 40]
    shared = type(row)(
        size_bytes=row.xon_bytes, xon_bytes=row.xon_bytes, xoff_bytes=row.xoff_bytes, threshold=0, xon_offset_bytes=None
    )
    assert not shared.dedicated


def test_the_port_cap_of_spectrum_4_is_the_one_sonic_checks():
    model = switch("nvidia-sn5600")  # headroom.md 4.2
    assert model.port_headroom_cap_bytes(4) == 1_576_704
    assert model.port_headroom_cap_bytes(8) == 1_580_544


def test_a_cx7_cannot_carry_two_400g_ports_and_a_cx8_can():
    assert nic("cx7").total_mbps < 2 * 400_000 <= nic("cx8").total_mbps


def test_a_cx8_has_no_800g_ethernet_port():
    assert 800_000 not in nic("cx8").port_speeds_mbps


@pytest.mark.parametrize("name", nic_names())
def test_a_nic_is_not_held_back_by_its_own_pcie_link(name):
    model = nic(name)
    assert model.total_mbps <= model.pcie_mbps
    assert max(model.port_speeds_mbps) <= model.total_mbps


@pytest.mark.parametrize(
    ("name", "speed_mbps", "lanes", "reach_m"),
    [
        ("dac", 400_000, 4, 3),
        ("dac", 100_000, 4, 5),
        ("dr8", 800_000, 8, 500),
        ("dr4", 400_000, 8, 500),
        ("dr4", 800_000, 8, None),
        ("fr8", 800_000, 8, None),
        ("sr8", 400_000, 8, 100),
    ],
)
def test_reach_depends_on_medium_and_speed(name, speed_mbps, lanes, reach_m):
    assert medium(name).reach_m(speed_mbps, lanes) == reach_m


@pytest.mark.parametrize("name", media_names())
def test_faster_never_reaches_farther(name):
    reaches = [reach for _, reach in sorted(medium(name).reaches_m.items())]
    assert reaches == sorted(reaches, reverse=True)
    assert medium(name).source


@pytest.mark.parametrize(
    ("speed_mbps", "lanes", "fec"),
    [(800_000, 8, "rs"), (400_000, 8, "rs"), (100_000, 1, "rs"), (100_000, 4, None), (25_000, 1, None)],
)
def test_pam4_needs_rs_fec(speed_mbps, lanes, fec):
    assert required_fec(speed_mbps, lanes) == fec


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_the_lookup_tables_are_the_published_ones(shared, model):
    for sku in model.hwskus.values():
        published = {
            (int(r["speed_mbps"]), int(r["cable_m"])): (
                int(r["size"]),
                int(r["xon"]),
                int(r["xoff"]),
                int(r["threshold"]),
            )
            for r in rows_of(shared / "data" / "pg_profile_tables.csv", hwsku=sku.name)
        }
        ours = {key: (row.size_bytes, row.xon_bytes, row.xoff_bytes, row.threshold) for key, row in sku.pg.items()}
        assert ours == published


@pytest.mark.parametrize("model", models(), ids=lambda m: m.name)
def test_the_pools_are_the_published_ones(shared, model):
    for sku in model.hwskus.values():
        for topo, pools in sku.pools.items():
            rows = [
                row
                for row in rows_of(shared / "data" / "buffer_pools.csv", hwsku=sku.name, topo=topo)
                if row["platform"].endswith(sku.platform) and row["size"]
            ]
            published = {
                (r["pool"], r["type"], r["mode"], int(r["size"]), r["xoff"].strip(" 0") and r["xoff"].strip())
                for r in rows
            }
            ours = {(p.name, p.direction, p.mode, p.size_bytes, str(p.shared_headroom_bytes or "")) for p in pools}
            assert ours == published


@pytest.mark.parametrize("hwsku", ["ACS-SN5600", "Mellanox-SN5600-O128"])
def test_lanes_aliases_and_indices_are_those_of_port_config(shared, hwsku):
    model = switch("nvidia-sn5600")
    published = {
        (int(r["index"]), r["alias"], tuple(int(lane) for lane in r["lanes"].split(",")))
        for r in rows_of(shared / "data" / "port_config_tables.csv", hwsku=hwsku)
    }
    modes = model.hwskus[hwsku].factory_modes
    ours = {(c.number, p.alias, p.lanes) for c in model.cages for p in c.split(modes[c.number])}
    assert ours == published


def test_names_and_platform_are_those_of_a_rendered_configuration(shared):
    config = json.loads((shared / "data" / "sonic-real" / "rendered_sn5600_acs_t1.json").read_text())
    meta = config["DEVICE_METADATA"]["localhost"]
    sku = switch("nvidia-sn5600").hwskus[meta["hwsku"]]
    assert sku.platform == meta["platform"]
    pools = {pool.name: str(pool.size_bytes) for pool in sku.pools["t1"]}
    assert pools == {name: row["size"] for name, row in config["BUFFER_POOL"].items()}
