from __future__ import annotations

import io
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from netaudit.terminal import (
    Role,
    Style,
    columns,
    counted,
    cut,
    duration,
    exact_bytes,
    fold,
    fold_text,
    moment,
    moments,
    pad,
    rough_bytes,
    safe,
    seen_width,
    share,
    spread,
    stamp,
    style_of,
    to_ascii,
    wrapped,
)


class Screen(io.StringIO):
    """A terminal of this encoding, or a pipe."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = True) -> None:
        super().__init__()
        self._encoding, self._terminal = encoding, terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("screen", "environ", "colour"),
    [
        (Screen(), {"TERM": "xterm-256color"}, True),
        (Screen(), {}, True),
        (Screen(), {"NO_COLOR": ""}, True),  # no-color.org: only when it is not empty
        (Screen(), {"NO_COLOR": "1"}, False),
        (Screen(), {"TERM": "dumb"}, False),
        (Screen(terminal=False), {"TERM": "xterm-256color"}, False),
    ],
)
def test_colour_needs_a_terminal_and_no_refusal(screen: Screen, environ: dict[str, str], colour: bool) -> None:
    assert style_of(screen, environ).colour is colour


@pytest.mark.parametrize(
    ("encoding", "environ", "unicode"),
    [
        ("utf-8", {}, True),
        ("UTF8", {}, True),
        ("utf_8", {"NETAUDIT_ASCII": "0"}, True),
        ("utf-8", {"NETAUDIT_ASCII": "1"}, False),
        ("ascii", {}, False),
        ("iso-8859-1", {}, False),
        ("ANSI_X3.4-1968", {}, False),
    ],
)
def test_symbols_need_utf_8_and_no_refusal(encoding: str, environ: dict[str, str], unicode: bool) -> None:
    assert style_of(Screen(encoding), environ).unicode is unicode


@pytest.mark.parametrize(("columns_said", "width"), [("60", 60), ("250", 100), ("0", 100), ("wide", 100)])
def test_a_terminal_is_used_up_to_100_columns(columns_said: str, width: int) -> None:
    assert style_of(Screen(), {"COLUMNS": columns_said}).width == width


def test_a_pipe_gets_100_columns_whatever_the_window() -> None:
    assert style_of(Screen(terminal=False), {"COLUMNS": "40"}).width == 100


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("naïve 日本", "naïve 日本"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\u202eb", r"a\u202eb"),
        ("\u2066x\u2069", r"\u2066x\u2069"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("two\nlines\r\t", r"two\nlines\r\t"),
        ("\x7f\x80\x9b31m", r"\x7f\x80\x9b31m"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("\ue000", r"\ue000"),
        ("", ""),
    ],
)
def test_what_hides_is_spelled_out(text: str, seen: str) -> None:
    assert safe(text) == seen


def test_no_character_of_unicode_gets_through_that_controls_a_terminal() -> None:
    shown = set(safe("".join(map(chr, range(0x110000)))))
    # str.isprintable also refuses the blanks beside the ASCII one (category Zs); they move nothing.
    assert {unicodedata.category(c) for c in shown if not c.isprintable()} == {"Zs"}
    "".join(shown).encode()


def test_device_text_cannot_colour_an_ascii_terminal_either() -> None:
    assert Style(unicode=False).show("\x1b[1m✔ é\u202e") == r"\x1b[1mok \xe9\u202e"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("✔ ✖ ▲ ● ◌ ▸ ↶", "ok x ! i w > u"),
        ("≠ → ← │ × ÷ – …", "!= -> <- | x / - ..."),
        ("1 cause · 2 infos", "1 cause; 2 infos"),
        ("  · a-su3-r4-leaf", "  . a-su3-r4-leaf"),
        ("gate      ·", "gate      ."),
        ("日", r"\u65e5"),
    ],
)
def test_without_utf_8_every_sign_has_a_second_form(text: str, plain: str) -> None:
    assert to_ascii(text) == plain


def test_paint_changes_nothing_but_the_colour() -> None:
    assert Style().paint("x", Role.BAD) == "x"
    assert Style(colour=True).paint("x", Role.BAD) == "\x1b[1;31mx\x1b[0m"
    assert Style(colour=True).paint("", Role.BAD) == ""


def leaves(*rails: int, unit: int = 3) -> list[str]:
    return [f"a-su{unit}-r{rail}-leaf" for rail in rails]


@pytest.mark.parametrize(
    ("names", "folded"),
    [
        (leaves(*range(1, 9)), "a-su3-r1..r8-leaf"),
        (leaves(1, 2, 3, 4, 6, 7, 8), "a-su3-r1..r4,r6..r8-leaf"),
        (leaves(1, 2, 4), "a-su3-r1,r2,r4-leaf"),
        ([*leaves(8, 6, 7), "a-spine9"], "a-su3-r6..r8-leaf, a-spine9"),
        (["a-spine1", "a-spine2"], "a-spine1, a-spine2"),
        ([f"{p}-spine{n}" for p in "ab" for n in range(1, 17)], "a-spine1..16, b-spine1..16"),
        ([n for u in (1, 2, 3) for n in leaves(1, 2, 3, unit=u)], "a-su1..su3-r1..r3-leaf"),
        (
            [n for u in (1, 2, 3) for n in leaves(*range(1, u + 3), unit=u)],
            "a-su1-r1..r3-leaf, a-su2-r1..r4-leaf, a-su3-r1..r5-leaf",
        ),
        ([f"a-su3-r5-leaf:{cage}" for cage in range(33, 65)], "a-su3-r5-leaf:33–64"),
        ([f"x:{c}/{s}" for c in (1, 2, 3) for s in (1, 2)], "x:1–3/1, x:1–3/2"),
        (["b:9/1", "b:9/2", "c:9/1", "c:9/2"], "b:9/1, b:9/2, c:9/1, c:9/2"),
        (["rack01", "rack02", "rack03"], "rack01, rack02, rack03"),
        (["same", "same"], "same"),
        (["10.0.0.8/29", "core"], "10.0.0.8/29, core"),
        ([], ""),
    ],
)
def test_names_that_differ_in_one_number_fold(names: list[str], folded: str) -> None:
    assert fold_text(names) == folded


def test_the_report_folds_with_its_own_mark() -> None:
    assert fold(leaves(*range(1, 9)), "…") == ("a-su3-r1…r8-leaf",)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (8.1, "8.1 s"),
        (9.99, "10 s"),
        (41, "41 s"),
        (59.7, "1 min 00 s"),
        (252, "4 min 12 s"),
        (1082, "18 min 02 s"),
        (3599.6, "1 h 00 min"),
        (11100, "3 h 05 min"),
        (66 * 3600, "2 d 18 h"),
        (86399, "1 d 0 h"),
    ],
)
def test_a_duration_reads_as_a_person_says_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (18, 100, "18 %"),
        (0, 7, "0 %"),
        (7, 7, "100 %"),
        (1, 1000, "< 1 %"),
        (999, 1000, "> 99 %"),
        (0, 0, "–"),
        (6, 5, "120 %"),
    ],
)
def test_a_share_is_never_rounded_to_all_or_nothing(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text


def test_bytes_of_a_device_are_exact_and_sums_are_not() -> None:
    assert exact_bytes(408576) == "408,576 B"
    assert [rough_bytes(n) for n in (0, 999, 1500, 28_600_000, 207_400_000, 5e12)] == [
        "0 B",
        "999 B",
        "1.5 kB",
        "28.6 MB",
        "207.4 MB",
        "5.0 TB",
    ]


def test_counts_agree_in_number() -> None:
    assert [counted(1, "cause"), counted(1204, "drop"), counted(2, "leaf", "leaves")] == [
        "1 cause",
        "1,204 drops",
        "2 leaves",
    ]


def test_a_moment_names_its_zone_and_a_log_is_in_utc() -> None:
    when = datetime(2026, 11, 23, 6, 0, tzinfo=timezone(timedelta(hours=9), "JST"))
    assert moment(when, when.tzinfo or UTC) == "2026-11-23 06:00 JST"
    assert moment(when) == "2026-11-22 21:00 UTC"
    assert stamp(when) == "2026-11-22T21:00:00Z"


def test_a_time_of_the_site_has_utc_beside_it_where_the_two_differ() -> None:
    when = datetime(2026, 11, 22, 21, 0, tzinfo=UTC)
    assert moments(when, ZoneInfo("Asia/Tokyo")) == "2026-11-23 06:00 JST (2026-11-22 21:00 UTC)"
    assert moments(when, ZoneInfo("UTC")) == moments(when) == "2026-11-22 21:00 UTC"
    last = datetime(9999, 12, 31, 23, 0, tzinfo=UTC)
    assert moments(last, ZoneInfo("Asia/Tokyo")) == "9999-12-31 23:00 UTC"


def test_width_is_what_is_seen() -> None:
    assert seen_width(Style(colour=True).paint("red", Role.BAD)) == 3
    assert seen_width("日本") == 4
    assert seen_width("e\u0301") == 1
    assert pad("日", 4) + "|" == "日  |"


def test_right_text_goes_to_the_edge_or_to_a_line_of_its_own() -> None:
    assert spread("left", "right", 12) == ("left   right",)
    assert spread("left", "right", 10) == ("left", "     right")
    assert spread("left", "", 2) == ("left",)


def test_wrapping_never_breaks_a_word() -> None:
    assert wrapped("aa bbbbbbbbbbbb cc", 8, "- ") == ("- aa", "  bbbbbbbbbbbb", "  cc")
    assert wrapped("", 8, "- ") == ("- ",)


def test_columns_align_and_numbers_end_at_one_edge() -> None:
    rows = [("leaf", "64", "x"), ("host link", "4,096", "")]
    assert columns(rows, right=frozenset({1})) == ("  leaf          64  x", "  host link  4,096")


def test_a_narrow_terminal_drops_the_last_column_and_says_so() -> None:
    rows = [("name", "value", "a very long remark that does not fit")]
    assert columns(rows, width=40) == ("  name  value", "  last column dropped: -o json has all")
    assert columns(rows, width=60) == ("  name  value  a very long remark that does not fit",)


def test_a_cut_list_says_how_many_are_left() -> None:
    assert cut(["x"] * 10) == ("x",) * 10
    assert cut(["x"] * 256)[10:] == ("  … 246 more: --all",)
