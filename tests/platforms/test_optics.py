"""What a plug says of its cable, and what of that can be believed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from netaudit.platforms import Answer, Miss
from netaudit.platforms.sonic import read
from netaudit.platforms.sonic.optics import read_length
from netaudit.state import ABSENT, Store
from platforms.answers_sonic import answers
from platforms.example import LEAF, in_stores

ASSEMBLY = "Length Cable Assembly(m)"


@pytest.mark.parametrize(
    ("told", "length_m"), [("3.0", 3.0), ("3", 3.0), ("0.5", 0.5), (" 30 ", 30.0), ("6300", 6300.0)]
)
def test_a_cable_with_fixed_ends_tells_its_length(told: str, length_m: float) -> None:
    assert read_length({"cable_type": ASSEMBLY, "cable_length": told}) == (length_m, "")
    assert read_length({"cable_type": "LengthCable(UnitsOfm)", "cable_length": told}) == (length_m, "")


@pytest.mark.parametrize(
    "row",
    [
        {"cable_type": ASSEMBLY, "cable_length": "0.0"},
        {"cable_type": ASSEMBLY, "cable_length": "0"},
        {"cable_type": ASSEMBLY, "cable_length": "N/A"},
        {"cable_type": ASSEMBLY},
        {"cable_length": "3"},
        {"cable_type": "Unknown", "cable_length": "3"},
        {"cable_type": "Length OM3(2m)", "cable_length": "50"},
        {"cable_type": "Length(km)", "cable_length": "10"},
        {},
    ],
)
def test_a_plug_that_does_not_know_its_cable_tells_none_and_the_reach_of_an_optic_is_no_length(
    row: dict[str, str | list[str]],
) -> None:
    assert read_length(row) == (ABSENT, "")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("-3", "less than none"),
        ("255", "any length above 254 m"),
        ("255.0", "any length above 254 m"),
        ("65535", "6,300 m is the most"),
        ("6300.1", "6,300 m is the most"),
        ("abc", "no number"),
        ("nan", "no number"),
        ("inf", "no number"),
        ("1e9", "no number"),
        ("٣", "no number"),
        ("9" * 400, "no number"),
    ],
)
def test_what_nobody_can_believe_is_no_length_and_has_its_reason(told: str, why: str) -> None:
    length, reason = read_length({"cable_type": ASSEMBLY, "cable_length": told})
    assert length is ABSENT
    assert why in reason


def _read_with(table: object) -> tuple[dict[str, object], tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    given = {**answers(in_stores(LEAF)), "TRANSCEIVER_INFO": table if isinstance(table, Answer) else _text(table)}
    reading = read(given, LEAF)
    ports = reading.stores[Store.STATE].ports or {}
    return {key: port.cable_m for key, port in ports.items()}, reading.problems, reading.doubts


def _text(table: object) -> Answer:
    return Answer(text=table if isinstance(table, str) else json.dumps(table))


def test_ports_have_what_their_own_plug_tells_and_a_doubt_names_its_port() -> None:
    rows = {
        "Ethernet0": {"cable_type": ASSEMBLY, "cable_length": "2.5"},
        "Ethernet4": {"cable_type": ASSEMBLY, "cable_length": 65535},
    }
    lengths, problems, doubts = _read_with(rows)
    assert (lengths["1/1"], lengths["1/2"], lengths["64"]) == (2.5, ABSENT, ABSENT)
    assert problems == ()
    assert [port for port, _ in doubts] == ["1/2"]


def test_a_switch_without_the_table_has_plugs_that_tell_nothing() -> None:
    lengths, problems, doubts = _read_with(Answer(miss=Miss.ABSENT))
    assert set(lengths.values()) == {ABSENT}
    assert (problems, doubts) == ((), ())


@pytest.mark.parametrize("text", ["", "[]", '{"Ethernet0": 3}', '{"Ethernet0": {"cable_length": "3"'])
def test_a_table_that_cannot_be_read_is_a_problem_and_not_silence(text: str) -> None:
    lengths, problems, _ = _read_with(text)
    assert set(lengths.values()) == {None}
    assert [query for query, _ in problems] == ["TRANSCEIVER_INFO"]


def test_no_answer_is_a_problem() -> None:
    _, problems, _ = _read_with(replace(Answer(miss=Miss.FAILED), reason="timed out"))
    assert problems == (("TRANSCEIVER_INFO", "timed out"),)
