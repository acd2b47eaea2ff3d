from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from netaudit.diag import Diagnostic, Severity, Source
from netaudit.diag_text import line_of_file, render_diagnostics
from netaudit.terminal import WIDTH, Style, seen_width


def _rendered(line: str, column: int, width: int, **changes: object) -> list[str]:
    source = Source(file="f.yml", line=7, column=column, width=width)
    diagnostic = Diagnostic(message="wrong", source=source, **changes)
    return render_diagnostics([diagnostic], lambda _: line).splitlines()


def test_the_form_is_place_line_caret_hint():
    assert _rendered("rail: 8", 1, 4, hint="did you mean `rails`?") == [
        "f.yml:7:1: error: wrong",
        "    7 │ rail: 8",
        "      │ ^^^^",
        "      hint: did you mean `rails`?",
    ]


def test_a_rule_stands_before_its_message():
    assert _rendered("x", 1, 1, rule="RIB-08", severity=Severity.WARNING)[0] == "f.yml:7:1: warning: RIB-08 wrong"


def test_without_a_line_there_is_no_caret():
    assert _rendered("", 1, 1) == ["f.yml:7:1: error: wrong"]
    assert render_diagnostics([Diagnostic(message="wrong")], line_of_file) == "error: wrong\n"


def test_a_terminal_without_unicode_gets_ascii_and_the_caret_stays_in_place():
    source = Source(file="f.yml", line=7, column=4, width=2)
    text = render_diagnostics([Diagnostic(message="×", source=source)], lambda _: "é… ab", Style(unicode=False))
    assert text.splitlines() == ["f.yml:7:4: error: x", r"    7 | \xe9... ab", "      |         ^^"]


def test_colour_only_repeats_what_a_word_says():
    source = Source(file="f.yml", line=7, column=1, width=2)
    diagnostic = Diagnostic(message="wrong", source=source, hint="right", severity=Severity.WARNING)
    coloured = render_diagnostics([diagnostic], lambda _: "ab", Style(colour=True))
    assert "\x1b[33mwarning\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render_diagnostics([diagnostic], lambda _: "ab")


def test_two_diagnostics_are_set_apart():
    assert (
        render_diagnostics([Diagnostic(message="a"), Diagnostic(message="b")], line_of_file) == "error: a\n\nerror: b\n"
    )


def test_the_caret_stays_under_wide_characters_and_tabs():
    assert _rendered("工事:\tx", 5, 1)[1:] == [r"    7 │ 工事:\tx", "      │ " + " " * 7 + "^"]


def test_control_and_direction_characters_are_written_out():
    rows = _rendered("a\x1b[31m\u202eb", 7, 2)
    assert rows[1:] == ["    7 │ a\\x1b[31m\\u202eb", "      │          ^^^^^^^"]


def test_secrets_are_covered_and_references_are_not():
    line = 'c: {password: "hunter2, x", token: abc, secret: env:NAME, password: keyring:x}'
    shown = _rendered(line, 1, 1)[1]
    assert "hunter2" not in shown
    assert "abc" not in shown
    assert "env:NAME" in shown
    assert "keyring:x" in shown


def test_the_line_of_a_file_is_found_by_number_whatever_its_line_ends(tmp_path):
    file = tmp_path / "f.yml"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert [line_of_file(Source(file=str(file), line=n)) for n in (0, 1, 2, 3, 9)] == ["", "one", "two", "three", ""]
    assert line_of_file(Source(file=str(tmp_path / "gone"), line=1)) == ""


@given(st.text(max_size=300), st.integers(1, 400), st.integers(1, 400))
def test_no_character_of_a_line_acts_and_the_caret_is_under_the_line(line, column, width):
    rows = _rendered(line.replace("\n", " "), column, width)
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for row in rows for char in row)
    assert len(rows) == 1 or seen_width(rows[2]) <= max(seen_width(rows[1]), 9) + 1


@given(st.text(alphabet=[chr(code) for code in range(32, 127)], max_size=300), st.integers(1, 400), st.integers(1, 400))
def test_no_excerpt_is_wider_than_the_page(line, column, width):
    assert all(len(row) <= WIDTH for row in _rendered(line, column, width))


def test_a_packed_file_has_no_line_to_show(tmp_path):
    file = tmp_path / "leaf.json.gz"
    file.write_bytes(b"\x1f\x8b\x08\x00 cut off")
    source = Source(file=str(file), line=1, column=1)
    assert line_of_file(source) == ""
    text = render_diagnostics([Diagnostic(message="cut off or damaged", source=source)], line_of_file)
    assert text.splitlines() == [f"{file}:1:1: error: cut off or damaged"]
