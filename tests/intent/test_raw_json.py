"""Tables of `raw`: what is read, and everything that is refused, at its place in the snippet."""

from __future__ import annotations

from pathlib import Path

import pytest

from .example import problems, read, small

ENTRY = '[{where: "role=spine", file: x.json, owner: netops, reason: CHG-812}]'
GOOD = """{"NTP_SERVER": {"192.0.2.1": {}, "192.0.2.2": {"iburst": "on", "tags": ["a", "b"]}},
 "DEVICE_METADATA": {"localhost": {"timezone": "UTC"}}}"""


def told(folder: Path, text: str, **keys: str) -> list[tuple[str, int, int, str]]:
    """(file, line, column, message) of each problem of a snippet."""
    (folder / "x.json").write_text(text, encoding="utf-8")
    found = problems(folder, small(**{"raw": ENTRY, **keys}))
    assert all(d.hint for d in found)
    return [(Path(d.source.file).name, d.source.line, d.source.column, d.message) for d in found if d.source]


def test_tables_are_kept_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(GOOD)
    assert read(tmp_path, small(raw=ENTRY)).raw == (GOOD,)


WRONG = {
    "cut off": ('{"NTP_SERVER": {"a": {}', 1, 24, "this is no JSON"),
    "a comma too many": ('{"NTP_SERVER":\n {"a": {},}}', 2, 11, "this is no JSON"),
    "a comment": ('{"NTP_SERVER": {"a": {}}} // mine', 1, 27, "this is no JSON"),
    "not a number": ('{"NTP_SERVER": {"a": {"b": NaN}}}', 1, 1, "NaN is no value"),
    "a list": ('["NTP_SERVER"]', 1, 1, "no object of tables"),
    "nothing": ("{}", 1, 1, "there is no table in it"),
    "a table of nothing": ('{"NTP_SERVER": {}}', 1, 2, "`NTP_SERVER` has no row"),
    "a row that is text": ('{"NTP_SERVER": {"a": "b"}}', 1, 17, "`a` is no object of fields"),
    "a table that is a list": ('{"NTP_SERVER": ["a"]}', 1, 2, "`NTP_SERVER` is no object of rows"),
    "a number": ('{"NTP_SERVER": {"a": {"b": 3}}}', 1, 23, "`b` is not text"),
    "a switch": ('{"NTP_SERVER": {"a": {"b": true}}}', 1, 23, "`b` is not text"),
    "a field of fields": ('{"NTP_SERVER": {"a": {"b": {"c": "d"}}}}', 1, 23, "`b` is neither text nor a list of texts"),
    "a control character": ('{"NTP_SERVER": {"a": {"b": "\\u001b[2J"}}}', 1, 23, "`b` is neither text"),
    "half a character": ('{"NTP_SERVER": {"a": {"b": "\\ud800"}}}', 1, 23, "`b` is neither text"),
    "a name in small letters": ('{"ntp_server": {"a": {}}}', 1, 2, "`ntp_server` is no table of CONFIG_DB"),
    "a row twice": ('{"NTP_SERVER": {"a": {"b": "1"},\n "a": {}}}', 2, 2, "`a` stands here a second time"),
    "a table twice": ('{"NTP": {"a": {}},\n\n"NTP": {"b": {}}}', 3, 1, "`NTP` stands here a second time"),
    "a field twice, escaped": ('{"NTP": {"a": {"b": "1", "\\u0062": "2"}}}', 1, 26, "`b` stands here a second time"),
    "brackets": ('{"A": ' * 9 + "1" + "}" * 9, 1, 49, "more than 8 brackets"),
    "a tower": ("[" * 30_000, 1, 9, "more than 8 brackets"),
    "a table of ours": ('{"PORT": {"Ethernet0": {"mtu": "1500"}}}', 1, 2, "touches the area ports, which is ours"),
    "another of ours": ('{"NTP": {"a": {}},\n  "VLAN": {"Vlan9": {}}}', 2, 3, "the area addressing, which is ours"),
    "a field of ours": ('{"DEVICE_METADATA": {"localhost": {"bgp_asn": "1"}}}', 1, 36, "area bgp, which is ours"),
    "a field of the box": ('{"DEVICE_METADATA": {"localhost": {"mac": "x"}}}', 1, 36, "`mac` is of the switch"),
    "another box": ('{"DEVICE_METADATA": {"other": {"x": "y"}}}', 1, 22, "has no row `other`"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_tables_is_told_at_its_place(
    tmp_path: Path, text: str, line: int, column: int, said: str
) -> None:
    found = told(tmp_path, text)
    assert [(file, at, col) for file, at, col, _ in found][:1] == [("x.json", line, column)]
    assert said in found[0][3]


def test_all_problems_of_a_snippet_are_told_at_once_and_not_without_end(tmp_path: Path) -> None:
    rows = ", ".join(f'"r{n}": {{"f": {n}}}' for n in range(300))
    assert len(told(tmp_path, f'{{"NTP_SERVER": {{{rows}}}}}')) == 20


def test_tables_of_an_area_that_is_not_ours_are_refused_too_with_what_can_be_done(tmp_path: Path) -> None:
    found = told(tmp_path, '{"LLDP": {"GLOBAL": {"enabled": "true"}}}', owns="[ports, addressing, bgp, qos, buffers]")
    assert [message for *_, message in found] == ["the table LLDP is of the area lldp, which `owns` leaves to others"]


def test_a_large_snippet_is_refused_where_it_is_named(tmp_path: Path) -> None:
    (file, line, _, message), *more = told(tmp_path, '{"NTP_SERVER": {"a": {"b": "' + "x" * 70_000 + '"}}}')
    assert (file, line, more) == ("fabric.yml", 10, [])
    assert "more than 64 KiB" in message


def test_tables_need_no_area(tmp_path: Path) -> None:
    assert told(tmp_path, GOOD, owns="[qos]") == []
