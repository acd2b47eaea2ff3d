"""What buffermgrd computes in the dynamic model, held to published rows and to what the product expects of it."""

from __future__ import annotations

import pytest

from netaudit import hardware
from netaudit.expect.headroom import formula
from netaudit.lab.sim.dynamic import Applied, after_dynamic, asic, group_table, headroom, pool_table, profile_table
from netaudit.lab.sim.dynamic import queue_table as queues_of

SN5600 = {"platform": "x86_64-nvidia_sn5600-r0", "buffer_model": "dynamic"}
Box = dict[str, dict[str, dict[str, str]]]


def box(cable: str = "40m", mtu: str = "4096", small: str = "50", status: str = "up", **parameter: str) -> Box:
    lanes = ",".join(map(str, range(8)))
    return {
        "DEVICE_METADATA": {"localhost": dict(SN5600)},
        "PORT": {"Ethernet0": {"lanes": lanes, "speed": "800000", "mtu": "9216", "admin_status": status}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": cable}},
        "LOSSLESS_TRAFFIC_PATTERN": {"AZURE": {"mtu": mtu, "small_packet_percentage": small}},
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": {"default_dynamic_th": "0"} | parameter},
        "BUFFER_POOL": {
            "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic"},
            "egress_lossless_pool": {"type": "egress", "mode": "dynamic", "size": "158229504"},
        },
        "BUFFER_PG": {"Ethernet0|3-4": {"profile": "NULL"}, "Ethernet0|0": {"profile": "ingress_lossy_profile"}},
        "BUFFER_QUEUE": {
            "Ethernet0|3": {"profile": "egress_lossless_profile"},
            "Ethernet0|0": {"profile": "q_lossy_profile"},
        },
    }


NAME = "pg_lossless_800000_40m_mtu9216_profile"


@pytest.mark.parametrize(
    ("speed", "lanes", "metres", "small", "packet", "xoff"),
    # ACS-SN5600 and Mellanox-SN5640-C512X2, as headroom.md section 3 has them; the latter with a shared pool
    [
        (800_000, 8, 5, 100, 1024, 257_024),
        (800_000, 8, 300, 100, 1024, 1_150_976),
        (400_000, 4, 40, 100, 1024, 283_648),
        (25_000, 1, 300, 100, 1024, 76_800),
        (400_000, 4, 5, 50, 4096, 86_016),
        (100_000, 1, 1000, 50, 4096, 177_152),
    ],
)
def test_published_rows_are_met_to_the_byte(
    speed: int, lanes: int, metres: int, small: int, packet: int, xoff: int
) -> None:
    chip = asic({"DEVICE_METADATA": {"localhost": dict(SN5600)}})
    assert chip is not None
    found = headroom(
        chip, speed=speed, metres=metres, port_mtu=9216, packet=packet, small=small, lanes=lanes, shared=True
    )
    assert found[1] == xoff


SPECTRUM = [model for model in hardware.models() if model.headroom.method == "formula"]


@pytest.mark.parametrize("model", SPECTRUM, ids=lambda model: model.name)
def test_the_switch_and_the_product_compute_the_same_bytes(model: hardware.SwitchModel) -> None:
    """Two hands wrote the formula down, one in doubles as Lua has them and one in fractions."""
    platform = model.hwskus[model.default_hwsku].platform
    chip = asic({"DEVICE_METADATA": {"localhost": {"platform": platform}}})
    assert chip is not None
    assert chip.cell == model.cell_bytes
    wrong = []
    for speed in (10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000):
        for lanes in (1, 4, 8):
            for metres in (1, 2, 3, 5, 7, 15, 30, 40, 41, 100, 300, 999, 2000):
                for bulk in (False, True):
                    for shared in (False, True):
                        seen = headroom(
                            chip,
                            speed=speed,
                            metres=metres,
                            port_mtu=9216,
                            packet=4096 if bulk else 1024,
                            small=50 if bulk else 100,
                            lanes=lanes,
                            shared=shared,
                            gearbox_ns=model.headroom.gearbox_ns,
                        )
                        want = formula(model, speed, metres, lanes, 9216, bulk=bulk, allowance=not shared)
                        if seen != (want.xon_bytes, want.xoff_bytes, want.size_bytes):
                            wrong.append((speed, lanes, metres, bulk, shared, seen, want))
    assert wrong == []
    assert chip.port_max_cells == model.headroom.port_shared_cells


def test_a_group_that_is_left_to_it_gets_a_profile_in_appl_db() -> None:
    made = after_dynamic(box(), Applied())
    assert made.groups == {"Ethernet0:3-4": NAME}
    assert made.profiles[NAME] == {
        "pool": "ingress_lossless_pool",
        "xon": "38912",
        "xoff": "134144",
        "size": "182272",
        "dynamic_th": "0",
    }
    assert group_table(box(), made) == {
        "Ethernet0:0": {"profile": "ingress_lossy_profile"},
        "Ethernet0:3-4": {"profile": NAME},
    }
    assert profile_table(box(), made) == made.profiles


def test_shared_headroom_leaves_a_group_its_xon_and_is_sized_by_the_ratio() -> None:
    made = after_dynamic(box(over_subscribe_ratio="2"), Applied())
    assert (made.profiles[NAME]["size"], made.profiles[NAME]["xoff"]) == ("38912", "132096")
    assert made.pools["ingress_lossless_pool"]["xoff"] == str((2 * 132_096 - 10_240) // 2)


def test_a_profile_that_is_there_is_used_as_it_is_until_the_over_subscription_changes() -> None:
    first = after_dynamic(box(), Applied())
    later = after_dynamic(box(mtu="1024", small="100", default_dynamic_th="2"), first)
    assert later.profiles == first.profiles
    shared = after_dynamic(box(mtu="1024", small="100", over_subscribe_ratio="2"), later)
    assert shared.profiles[NAME]["xoff"] == "362496"


def test_without_over_subscription_the_pool_has_no_shared_headroom() -> None:
    pools = pool_table(box(), after_dynamic(box(), Applied()))
    assert "xoff" not in pools["ingress_lossless_pool"]
    assert 0 < int(pools["ingress_lossless_pool"]["size"]) < 158_229_504
    assert pools["egress_lossless_pool"]["size"] == "158229504"


def test_a_port_beyond_its_share_keeps_the_profile_that_it_had() -> None:
    near = after_dynamic(box(over_subscribe_ratio="2"), Applied())
    far = box(cable="654m", over_subscribe_ratio="2")
    after = after_dynamic(far, near)
    assert after.groups == near.groups
    assert after.profiles == near.profiles
    assert "max SHP 1580544" in after.refused["Ethernet0"]
    assert after_dynamic(far, Applied()).groups == {}, "at a start it has nothing to keep"
    assert after_dynamic(box(cable="653m", over_subscribe_ratio="2"), near).refused == {}
    assert after_dynamic(box(cable="2000m"), near).refused == {}, "each group has its own: no pool is shared"


@pytest.mark.parametrize("cable", ["0m", "", "far", "m"])
def test_a_port_without_a_length_gets_nothing(cable: str) -> None:
    assert after_dynamic(box(cable=cable), Applied()).groups == {}


@pytest.mark.parametrize("table", ["LOSSLESS_TRAFFIC_PATTERN", "DEFAULT_LOSSLESS_BUFFER_PARAMETER"])
def test_a_switch_that_is_not_told_what_for_computes_nothing(table: str) -> None:
    config = box()
    del config[table]
    assert after_dynamic(config, Applied()).groups == {}


def test_a_box_without_a_plug_in_computes_nothing() -> None:
    config = box()
    config["DEVICE_METADATA"]["localhost"]["platform"] = "x86_64-dellemc_z9864f-r0"
    assert after_dynamic(config, Applied()) == Applied()


def test_the_buffer_of_a_port_that_is_down_is_taken_back() -> None:
    config = box(status="down")
    made = after_dynamic(config, Applied())
    assert made.groups == {}
    assert group_table(config, made) == {"Ethernet0:0": {"profile": "ingress_lossy_pg_zero_profile"}}
    assert queues_of(config) == {
        "Ethernet0:3": {"profile": "egress_lossless_zero_profile"},
        "Ethernet0:0": {"profile": "egress_lossy_zero_profile"},
    }
    assert "ingress_zero_pool" in pool_table(config, made)
    assert "ingress_lossy_pg_zero_profile" in profile_table(config, made)
