"""Each thing that a headroom table can get wrong is named once, at its figure, and a sound table is left alone."""

from __future__ import annotations

import pytest

from netaudit.lossless.variants import VARIANTS

from .tables import SOUND, TH5, config, found, of_config, rules


def lines(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


def test_a_sound_table_has_no_finding():
    assert rules(found(SOUND, TH5)) == []


@pytest.mark.parametrize(
    ("table", "expected", "said"),
    [
        (
            lines("100000 5m 18796 0 160274 0 3556", "100000 40m 18796 0 147066 0 3556"),
            ["error TAB-01 2:20"],
            "100G at 40 m has 147,066 B, 13,208 B less than 5 m, though 35 m more cable hold 4,288 B more",
        ),
        (
            lines("400000 300m 9216 0 300000 0", "400000 2000m 9216 0 600000 0"),
            ["error TAB-01 2:21", "error TAB-06 2:21"],
            "400G at 2,000 m has 300,000 B more than 300 m, though 1,700 m more cable hold 833,000 B more",
        ),
        (
            lines("800000 5m 0 0 612140 0", "800000 40m 0 0 612140 0", "800000 300m 0 0 612140 0"),
            ["error TAB-02 3:17"],
            "800G: one value, 612,140 B, for 5, 40, 300 m, though the longest holds 289,100 B more",
        ),
        (
            lines("40000 5m 75776 19456 57344 0"),
            ["error TAB-03 1:10"],
            "40G at 5 m: size 75,776 B is 1,024 B less than xon + xoff, 76,800 B",
        ),
        (
            lines("100000 40m 19456 19456 4000 0"),
            ["error TAB-06 1:24"],
            "100G at 40 m: xoff 4,000 B is less than the cable holds there and back, 4,900 B",
        ),
        (
            lines("25000 5m 18796 0 91440 0 3556", "50000 5m 18796 0 91440 0 3556"),
            ["warning TAB-07 1:18"],
            "25G has the rows of 50G at 5 m: 91,440 B",
        ),
        (
            lines("800 40m 18796 0 835406 0 3556"),
            ["error TAB-09 1:1"],
            "no Ethernet runs at 800 Mb/s: no port finds this row",
        ),
        (
            lines("800000 40m 74 0 816 0 14"),
            ["error TAB-09 1:17"],
            "800G at 40 m: xoff 816 B holds no frame",
        ),
        (
            lines("800000 4000000m 18796 0 835406 0 3556"),
            ["error TAB-09 1:8"],
            "4,000,000 m: the longest published row has 120 km",
        ),
        (
            lines("800000 40m 18796 0 835406 0 3556", "800000 40m 18796 0 835405 0 3556"),
            ["error TAB-10 2:1"],
            "800G at 40 m stands in line 1 already, with 835,406 B",
        ),
        (
            lines("100000 5m 18796 0 147066 0 3556", "200000 5m 18796 0 120000 0 3556"),
            ["warning TAB-11 2:19"],
            "200G at 5 m has 120,000 B, less than 100G with 147,066 B",
        ),
        (
            lines("100000 40 18796 0 147066 0 3556"),
            ["error TAB-13 1:8"],
            "`40` is no cable: the switch would not find this row",
        ),
        (
            lines("100000 40m 18796 0"),
            ["error TAB-13 1:1"],
            "a row has 7 columns, the last may be missing; this line has 4",
        ),
    ],
)
def test_a_contradiction_is_named_at_its_figure(table, expected, said):
    diagnostics = tuple(d for d in found(table) if d.rule != "TAB-08")
    assert rules(diagnostics) == expected
    assert diagnostics[0].message == said
    assert diagnostics[0].hint


def swapped(old: str, new: str) -> str:
    assert old in SOUND
    return SOUND.replace(old, new)


def test_with_its_asic_known_a_row_below_bulk_is_an_error_and_one_below_the_worst_case_a_warning():
    low = found(swapped("1621536", "508000"), TH5)
    assert [(str(d.severity), d.rule) for d in low if d.rule == "TAB-06"] == [("error", "TAB-06")]
    between = found(swapped("1621536", "1270000"), TH5)
    assert [(str(d.severity), d.rule) for d in between if d.rule != "TAB-08"] == [("warning", "TAB-06")]
    assert "22% less than the 1,621,536 B that Tomahawk 5 needs" in between[0].message + between[-1].message


def test_headroom_far_above_the_worst_case_is_a_note():
    notes = [d for d in found(swapped("1621536", "2540000"), TH5) if d.rule == "TAB-06"]
    assert [str(d.severity) for d in notes] == ["info"]
    assert "more than 1.5 times the worst case of Tomahawk 5: 800G at 300 m" in notes[0].message


def test_no_whole_number_of_cells_is_named_with_the_next_one():
    (named,) = [d for d in found(swapped("835406", "835500"), TH5) if d.rule == "TAB-05"]
    assert "835,500 B is 94 B beyond a multiple of 254 B" in named.message
    assert named.hint == "835,660 B is the next whole number of cells"


def test_the_cell_of_an_unknown_asic_is_taken_from_the_rows():
    (named,) = [d for d in found(swapped("835406", "835500")) if d.rule == "TAB-05"]
    assert "as most rows are multiples of 254 B" in named.message


def test_cells_of_another_asic_are_a_copy_from_there():
    (named,) = [d for d in found(swapped("147066", str(208 * 707)), TH5) if d.rule == "TAB-07"]
    assert "copied from a table of Tomahawk" in named.message


def test_a_row_that_leaves_the_formula_of_its_table_is_named_with_what_is_missing():
    made = [(speed, length) for speed in (100_000, 200_000, 400_000, 800_000) for length in (5, 40, 300)]
    rows = {key: VARIANTS["worst-case"].at(4, *key).xoff_bytes for key in made}
    rows[400_000, 300] //= 2
    text = lines(*(f"{s} {m}m {x + 48_128} 38912 {x} 0" for (s, m), x in rows.items()))
    (named,) = [d for d in found(text, "ACS-SN5600") if d.rule == "TAB-12"]
    assert str(named.severity) == "error"
    assert named.message.endswith("less than the formula that 11 of 12 rows follow to the byte: it is half")


def test_xon_below_two_frames_is_one_note_a_table():
    notes = [d for d in found(SOUND) if d.rule == "TAB-08"]
    assert [(str(d.severity), d.source.line) for d in notes if d.source] == [("info", 2)]
    assert "8 of 8 rows let the sender go on 3,556 B below the threshold" in notes[0].message


POOL = {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "100000000"}}


def row(size: int = 303_104, xoff: int = 283_648) -> dict[str, str]:
    return {"pool": "ingress_lossless_pool", "size": str(size), "xon": "19456", "xoff": str(xoff), "dynamic_th": "0"}


def running(length: str, **more: object) -> str:
    profile = more.pop("profile", row())
    return config(
        BUFFER_POOL=POOL,
        BUFFER_PROFILE={"pg_lossless_400000_40m_profile": profile},
        CABLE_LENGTH={"AZURE": {"Ethernet0": length, "Ethernet8": "40m", "Ethernet16": "0m"}},
        PORT={
            "Ethernet0": {"speed": "400000", "admin_status": more.pop("admin", "up")},
            "Ethernet8": {"speed": "400000"},
            "Ethernet16": {"speed": "400000"},
        },
        DEVICE_METADATA={"localhost": {"hwsku": "ACS-SN5600", **more}},
    )


def test_a_length_in_use_without_a_profile_is_an_error_at_the_length():
    (named,) = [d for d in of_config(running("41m")) if d.rule == "TAB-04"]
    assert named.message == (
        "400G at 41 m, in use on Ethernet0, has no row: no lossless profile, so lossless packets drop"
    )
    assert running("41m").splitlines()[named.source.line - 1].strip() == '"Ethernet0": "41m",'


@pytest.mark.parametrize("text", [running("40m"), running("41m", admin="down"), running("41m", buffer_model="dynamic")])
def test_a_length_with_a_profile_a_port_that_is_down_and_a_switch_that_computes_are_no_finding(text):
    assert rules(of_config(text)) == []


def test_a_pool_without_xoff_makes_size_below_xon_and_xoff_an_error_at_the_size():
    (named,) = [d for d in of_config(running("40m", profile=row(size=19_456))) if d.rule == "TAB-03"]
    assert named.message == "400G at 40 m: size 19,456 B is 283,648 B less than xon + xoff, 303,104 B"


def test_a_shared_pool_carries_what_a_size_lacks():
    text = running("40m", profile=row(size=19_456)).replace('"mode": "dynamic"', '"mode": "dynamic", "xoff": "9000000"')
    assert "TAB-03" not in [d.rule for d in of_config(text)]


@pytest.mark.parametrize(("speed", "length", "severity"), [("800000", "40m", "error"), ("400000", "5m", "warning")])
def test_a_group_with_the_profile_of_another_speed_or_length_is_named_where_it_is_bound(speed, length, severity):
    text = config(
        BUFFER_PG={f"Ethernet{n}|3-4": {"profile": "pg_lossless_400000_40m_profile"} for n in (0, 8)},
        BUFFER_POOL=POOL,
        CABLE_LENGTH={"AZURE": {"Ethernet0": length, "Ethernet8": "40m"}},
        PORT={"Ethernet0": {"speed": speed}, "Ethernet8": {"speed": "400000"}},
    )
    (named,) = of_config(text)
    assert (str(named.severity), named.rule) == (severity, "TAB-14")
    assert "has the profile of 400G at 40 m" in named.message
    assert named.source is not None
    assert "pg_lossless" in text.splitlines()[named.source.line - 1]


def test_tables_as_redis_has_them_are_read_alike():
    flat = config(**{"BUFFER_POOL|p": POOL["ingress_lossless_pool"], "BUFFER_PROFILE|pg_lossless_40000_5m_profile": {
        "pool": "p", "size": "75776", "xon": "19456", "xoff": "57344", "dynamic_th": "0"}})  # fmt: skip
    assert [d.rule for d in of_config(flat)] == ["TAB-03"]
