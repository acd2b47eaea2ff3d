"""The package offers everything that a platform has to: mypy checks the module against the Protocol."""

from __future__ import annotations

from netaudit.platforms import Platform, eos, platform

PLATFORM: Platform = eos


def test_the_platform_of_that_name_is_this_package() -> None:
    assert platform("eos").NAME == eos.NAME
    assert (PLATFORM.NAME, PLATFORM.FILES, PLATFORM.NAPALM, PLATFORM.GNMI_PORT) == ("eos", ("eos.cfg",), "eos", 6030)


def test_every_reason_is_a_sentence_without_its_end() -> None:
    for table in (eos.UNSUPPORTED, eos.IMPLIED, eos.ROUNDED, eos.UNVERIFIED):
        for leaf, reason in table.items():
            assert len(reason.split()) > 3, leaf
            assert not reason.endswith("."), leaf
            assert reason.isprintable(), leaf


def test_what_is_refused_says_what_to_write_instead() -> None:
    assert {row.path for row in eos.REFUSED} == {
        *("bgp.bfd", "load_balancing.mode", "load_balancing.hash"),
        "pfc.watchdog.action",
    }
    assert all(row.hint and row.message for row in eos.REFUSED)


def test_headroom_is_computed_and_named_until_the_largest_is_taken() -> None:
    assert eos.lossless_profile(400_000, 40) == "headroom-400G-40m"
    assert eos.computed_profile(400_000, 40, 9216, 4, "") == "headroom-400G-40m"
    assert eos.merged(frozenset({4, 3})) == ("3", "4")


def test_there_are_no_tables_to_merge_rows_into() -> None:
    assert eos.raw_table_problem(("X",), ()) is not None
    assert list(eos.RAW_TABLES) == []
