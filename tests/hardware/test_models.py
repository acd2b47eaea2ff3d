"""Every model of the catalogue: enough of them, each whole, no number without a source, no estimate unmarked."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from netaudit import hardware, lossless
from netaudit.hardware import FEATURES, Cage, PoolTemplate, pool_roles, switch
from netaudit.lossless.headroom import SONIC_PAUSE_QUANTA

MODELS = hardware.models()
NAMES = [model.name for model in MODELS]


def test_there_are_24_models_of_six_families_shallow_and_deep():
    assert len(MODELS) >= 24
    assert {m.family for m in MODELS} >= {"Spectrum", "Tomahawk", "Jericho", "Qumran", "Teralynx", "Silicon One"}
    assert {m.asic for m in MODELS} >= {f"Spectrum-{n}" for n in range(1, 7)} | {f"Tomahawk {n}" for n in range(2, 7)}
    assert {m.buffer_class for m in MODELS} == {"shallow", "deep"}


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_an_estimate_names_a_figure_its_margin_and_its_reason(model):
    for field, margin in model.estimates.items():
        assert margin > 0
        assert model.sources[field]
        if field != "cages":
            figure = model.figure(field)
            assert figure.estimated
            assert figure.note == f"estimate ±{margin} %"
    assert model.figure("cell_bytes").source


def test_a_published_figure_says_nothing_of_a_margin():
    figure = switch("dell-z9864f").figure("buffer_bytes")
    assert (figure.value, figure.estimated, figure.note) == (173_268_640, False, "")
    assert switch("nexthop-4210").figure("buffer_bytes").note == "estimate ±6 %"
    assert switch("dell-z9864f").figure("limits.dlb_groups").value == 128
    with pytest.raises(KeyError, match="vendor"):
        switch("dell-z9864f").figure("vendor")


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_every_limit_and_feature_has_a_source(model):
    for field in model.limits.__slots__:
        if getattr(model.limits, field) is not None:
            assert model.sources[f"limits.{field}"]
    assert set(model.features) <= set(FEATURES)
    assert all(model.sources[f"features.{word}"] for word in model.features)


def test_adaptive_routing_is_known_of_spectrum_4_below_800g_only():
    model = switch("nvidia-sn5600")
    assert model.can("adaptive-routing")
    assert model.can("adaptive-routing", 400_000)
    assert not model.can("adaptive-routing", 800_000)
    assert not switch("nvidia-sn5640").can("adaptive-routing")
    assert [m.asic for m in MODELS if m.can("scheduled-fabric")] == [m.asic for m in MODELS if m.buffer_class == "deep"]


def test_only_chips_that_sonic_lists_can_trim():
    assert {m.asic for m in MODELS if m.can("trimming")} == {"Spectrum-4", "Spectrum-5", "Tomahawk 5", "Tomahawk 6"}


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_a_port_reaches_its_own_part_of_the_buffer_only(model):
    assert model.itm_bytes * model.itms <= model.buffer_bytes
    cap = model.port_headroom_cap_bytes(len(model.fabric_cages[0].lanes))
    assert 0 < cap <= model.itm_bytes
    assert model.itm_of(1) == (0 if model.itms == 1 else None)  # no wiring of cages to parts is published


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_names_of_ports_do_not_meet(model):
    firsts = [(model.index_of(cage), cage) for cage in model.cages]
    taken = [first + lane for first, cage in firsts for lane in range(len(cage.lanes))]
    assert len(taken) == len(set(taken))


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_modes_with_more_ports_come_first_among_equals(model):
    for cage in model.cages:
        order = [(-speeds[0], -int(mode.partition("x")[0])) for mode, speeds in cage.breakouts.items()]
        assert order == sorted(order)


@pytest.mark.parametrize(
    ("name", "speed_mbps", "mode"),
    [
        ("nvidia-sn5640", 400_000, "2x400G"),
        ("nvidia-sn6600-ld", 800_000, "2x800G"),
        ("arista-7060x6-64pe", 400_000, "2x400G"),
        ("nvidia-sn2700", 40_000, "1x100G"),
        ("dell-z9332f", 100_000, None),
    ],
)
def test_slower_links_are_packed(name, speed_mbps, mode):
    assert hardware.packed_mode(switch(name).cage(1), speed_mbps) == mode


@pytest.mark.parametrize("model", [m for m in MODELS if m.headroom.method == "formula"], ids=lambda m: m.name)
def test_the_settings_named_for_a_table_give_so_many_of_its_rows_to_the_byte(model):
    for sku in model.hwskus.values():
        rule = sku.rule
        if rule is None:
            continue
        quanta = {} if rule.fixed_response else {**SONIC_PAUSE_QUANTA, 800_000: rule.quanta_800g}
        exact = sum(
            lossless.headroom(
                speed_mbps=speed_mbps,
                length_m=length_m,
                port_mtu_bytes=rule.port_mtu_bytes,
                lossless_mtu_bytes=rule.lossless_mtu_bytes,
                small_packet_percent=rule.small_percent,
                lanes=4,
                cell_bytes=model.cell_bytes,
                pipeline_kib=model.headroom.pipeline_kib,
                mac_phy_kib=model.headroom.mac_phy_kib,
                tile=rule.tile,
                extra_kib=rule.extra_kib,
                gearbox_ns=rule.gearbox_ns,
                shared_headroom=True,
                pause_quanta=quanta,
                small_by=rule.small_by,
            ).xoff_bytes
            == row.xoff_bytes
            for (speed_mbps, length_m), row in sku.pg.items()
        )
        assert (exact, len(sku.pg)) == (rule.exact_rows, rule.rows)


def test_equal_settings_and_a_table_of_another_age_are_told_apart():
    rules = {name: switch("nvidia-sn5600").hwskus[name].rule for name in ("ACS-SN5600", "Mellanox-SN5600-V256")}
    assert {name: rule and (rule.small_by, rule.exact_rows, rule.rows) for name, rule in rules.items()} == {
        "ACS-SN5600": ("bytes", 24, 24),
        "Mellanox-SN5600-V256": ("packets", 24, 24),
    }
    assert switch("nvidia-sn2700").hwskus["ACS-MSN2700"].rule.fixed_response  # the oldest rule (headroom.md, top)


def test_four_pools_serve_four_kinds_and_fewer_are_shared():
    named = {
        role: pool.name
        for role, pool in pool_roles(switch("nvidia-sn5600").hwskus["ACS-SN5600"].pools_of("t0")).items()
    }
    assert named == {role: role for role in named}
    assert len(named) == 4
    one = pool_roles(switch("nexthop-4010").hwskus["NH-4010"].pools_of("t0"))
    assert {role: pool.name for role, pool in one.items()} == {
        "ingress_lossless_pool": "ingress_pool",
        "ingress_lossy_pool": "ingress_pool",
        "egress_lossless_pool": "egress_pool",
        "egress_lossy_pool": "egress_pool",
    }
    both = PoolTemplate(name="p", direction="both", mode="dynamic", size_bytes=1, shared_headroom_bytes=None)
    assert {pool.name for pool in pool_roles((both,)).values()} == {"p"}
    assert pool_roles(()) == {}


def test_a_split_cage_is_named_as_its_box_names_it():
    assert [p.alias for p in switch("nokia-ixr7220-h5-64o").cage(8).split("2x400G")] == ["Ethernet8/1", "Ethernet8/5"]
    assert [p.alias for p in switch("nexthop-4010").cage(5).split("2x400G")] == ["Port5/1", "Port5/2"]
    assert [p.alias for p in switch("nvidia-sn5640").cage(1).split("2x400G")] == ["etp1a", "etp1b"]


def test_no_alias_is_made_up_where_none_is_published():
    assert {p.alias for c in switch("cisco-8122-64eh-o").cages for p in c.split("2x400G")} == {""}


def test_a_cage_of_a_user_follows_its_own_pattern():
    cage = Cage(
        number=3, lanes=(0, 1, 2, 3), max_speed_mbps=400_000, breakouts={"2x200G": (200_000,)}, alias="p3",
        sub_alias="{cage}.{sub}.{letter}.{lane}",
    )  # fmt: skip
    assert [p.alias for p in cage.split("2x200G")] == ["3.1.a.1", "3.2.b.3"]


@pytest.mark.parametrize("name", hardware.nic_names())
def test_every_figure_of_a_nic_names_its_source(name):
    assert {"max_ports", "port_speeds_mbps", "total_mbps", "pcie_mbps", "out_of_order"} <= set(
        hardware.nic(name).sources
    )


def test_pcie_of_a_nic_follows_from_its_generation():
    of = {name: hardware.nic(name).pcie_mbps for name in ("cx6", "cx7", "cx8")}
    assert of["cx6"] == int(Fraction(16_000) * 16 * 128 / 130)
    assert of["cx7"] == int(Fraction(32_000) * 16 * 128 / 130)
    assert of["cx8"] > 800_000


PORT_TABLES = {
    "ACS-MSN2700": "nvidia-sn2700",
    "Arista-7260CX3-C64": "arista-7260cx3-64",
    "ACS-MSN4700": "nvidia-sn4700",
    "DellEMC-Z9332f-O32": "dell-z9332f",
    "DellEMC-Z9664f-O64": "dell-z9664f",
    "Arista-7060X6-64PE-O128S2": "arista-7060x6-64pe",
    "Dell-Z9864f-O64": "dell-z9864f",
    "Mellanox-SN5640-C512S2": "nvidia-sn5640",
    "Mellanox-SN6600_LD-P128C2": "nvidia-sn6600-ld",
    "NH-4010": "nexthop-4010",
    "Nokia-IXR7220-H6-P128": "nokia-ixr7220-h6-128",
    "ACS-SN5600": "nvidia-sn5600",
    "Mellanox-SN5600-O128": "nvidia-sn5600",
}


@pytest.mark.parametrize("hwsku", PORT_TABLES)
def test_names_lanes_and_aliases_are_those_of_the_port_table(shared: Path, hwsku: str):
    model = switch(PORT_TABLES[hwsku])
    with (shared / "data" / "port_config_tables.csv").open() as file:
        published = {
            row["port"]: (row["index"], row["alias"], row["lanes"])
            for row in csv.DictReader(file)
            if row["hwsku"] == hwsku
        }
    modes = model.hwskus[hwsku].factory_modes
    ours = {
        f"Ethernet{model.index_of(cage) + max(0, part.number - 1) * len(part.lanes)}": (
            str(cage.number),
            part.alias,
            ",".join(map(str, part.lanes)),
        )
        for cage in model.cages
        for part in cage.split(modes[cage.number])
    }
    assert ours == published


def test_lanes_of_the_boxes_in_the_rendered_files_are_the_catalogues(shared: Path):
    config = json.loads((shared / "data" / "sonic-real" / "rendered_nokia_h5_64o_t1.json").read_text())
    model = switch("nokia-ixr7220-h5-64o")
    assert {f"Ethernet{model.index_of(c)}": ",".join(map(str, c.lanes)) for c in model.cages} == {
        name: row["lanes"] for name, row in config["PORT"].items()
    }


def test_every_hwsku_of_the_published_tables_that_a_model_has_is_there(shared: Path):
    with (shared / "data" / "pg_profile_tables.csv").open() as file:
        published: dict[str, set[str]] = defaultdict(set)
        for row in csv.DictReader(file):
            if "/BALANCED" not in row["hwsku"]:
                published[row["platform"].partition("/")[2]].add(row["hwsku"])
    for model in MODELS:
        platforms = {sku.platform for sku in model.hwskus.values() if sku.platform}
        for platform in platforms:
            assert {sku.name for sku in model.hwskus.values()} == published[platform]
