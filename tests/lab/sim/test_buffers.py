"""What buffermgrd writes into CONFIG_DB by itself."""

from __future__ import annotations

import pytest

from netaudit.lab.sim.buffers import after_buffermgrd, merged_ids, read_lookup

LOOKUP = read_lookup(
    """
# speed cable size    xon  xoff    threshold  xon_offset
  800000 5m   305152 38912 257024  0
  800000 40m  410624 38912 362496  0          2288
  800000 0m   1 2 3 0
"""
)


def box(
    pfc: str = "3,4", cable: str = "5m", status: str = "up", **metadata: str
) -> dict[str, dict[str, dict[str, str]]]:
    return {
        "DEVICE_METADATA": {"localhost": metadata},
        "PORT": {"Ethernet0": {"speed": "800000", "admin_status": status}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": cable}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": pfc}},
        "BUFFER_POOL": {"ingress_lossless_pool": {"mode": "dynamic", "type": "ingress"}},
    }


def test_a_hit_gives_a_profile_and_one_row_for_the_merged_priorities() -> None:
    after = after_buffermgrd(box(), LOOKUP)
    assert after["BUFFER_PG"] == {"Ethernet0|3-4": {"profile": "pg_lossless_800000_5m_profile"}}
    assert after["BUFFER_PROFILE"]["pg_lossless_800000_5m_profile"] == {
        "pool": "ingress_lossless_pool",
        "xon": "38912",
        "xoff": "257024",
        "size": "305152",
        "dynamic_th": "0",
    }


def test_an_offset_in_the_table_is_written() -> None:
    after = after_buffermgrd(box(cable="40m"), LOOKUP)
    assert after["BUFFER_PROFILE"]["pg_lossless_800000_40m_profile"]["xon_offset"] == "2288"


@pytest.mark.parametrize("cable", ["37m", "0m", "40", "040m"])
def test_a_miss_is_silent_and_leaves_the_port_without_headroom(cable: str) -> None:
    before = box(cable=cable)
    assert after_buffermgrd(before, LOOKUP) is before


def test_a_profile_of_that_name_is_used_as_it_is() -> None:
    ours = {"pool": "ingress_lossless_pool", "size": "7", "xoff": "7", "dynamic_th": "1"}
    before = {**box(), "BUFFER_PROFILE": {"pg_lossless_800000_5m_profile": ours}}
    assert after_buffermgrd(before, LOOKUP)["BUFFER_PROFILE"] == before["BUFFER_PROFILE"]


def test_a_row_of_another_profile_is_taken_over_and_one_with_another_key_stays_beside_it() -> None:
    before = {**box(), "BUFFER_PG": {"Ethernet0|3-4": {"profile": "mine"}, "Ethernet0|3": {"profile": "mine"}}}
    after = after_buffermgrd(before, LOOKUP)
    assert after["BUFFER_PG"] == {
        "Ethernet0|3-4": {"profile": "pg_lossless_800000_5m_profile"},
        "Ethernet0|3": {"profile": "mine"},
    }


@pytest.mark.parametrize(("platform", "kept"), [("x86_64-nvidia_sn5600-r0", False), ("x86_64-arista_7060x6", True)])
def test_only_nvidia_takes_the_row_of_a_port_that_is_down(platform: str, kept: bool) -> None:
    up = after_buffermgrd(box(platform=platform), LOOKUP)
    down = {**up, "PORT": box(status="down")["PORT"]}
    assert ("Ethernet0|3-4" in after_buffermgrd(down, LOOKUP).get("BUFFER_PG", {})) is kept


@pytest.mark.parametrize(
    "before",
    [box(buffer_model="dynamic"), box(pfc=""), {**box(), "BUFFER_POOL": {}}, {**box(), "CABLE_LENGTH": {}}],
    ids=["dynamic model", "no PFC", "no pool yet", "no cable length"],
)
def test_nothing_is_written_where_something_is_missing(before: dict[str, dict[str, dict[str, str]]]) -> None:
    assert after_buffermgrd(before, LOOKUP) is before


def test_seeing_its_own_rows_it_changes_nothing() -> None:
    after = after_buffermgrd(box(), LOOKUP)
    assert after_buffermgrd(after, LOOKUP) is after


@pytest.mark.parametrize(
    ("pfc", "ids"), [("3", ("3",)), ("4,3", ("3-4",)), ("2,3,6", ("2-3", "6")), ("", ()), ("0,1,2,3,4,5,6,7", ("0-7",))]
)
def test_priorities_that_touch_are_merged(pfc: str, ids: tuple[str, ...]) -> None:
    assert merged_ids(pfc) == ids
