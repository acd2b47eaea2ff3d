"""Text of strangers is read in bounds: it ends as a table, or as a refusal with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.diag import Invalid
from netaudit.lint import read_config, read_lookup
from netaudit.lint.jsontext import Node, parse

from .tables import SOUND, config, judged

VALUES = st.recursive(
    st.text(max_size=8) | st.integers(-999, 999) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def plain(node: Node) -> object:
    if isinstance(node.value, tuple):
        return [plain(item) for item in node.value]
    return node.value if isinstance(node.value, str) else {key: plain(item) for key, item in node.table.items()}


def as_written(value: object) -> object:
    """Numbers and words as JSON spells them."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_written(item) for item in value]
    return value if isinstance(value, str) else json.dumps(value)


@given(value=VALUES, indent=st.none() | st.integers(0, 3), ascii_only=st.booleans())
def test_json_is_read_as_python_reads_it(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    read = plain(parse(text, "x"))
    assert str(read) == str(as_written(value)) or "\\u" in text


@given(text=st.text(alphabet='{}[]",:0123456789abcm\\ \n-.eEtrufalsn', max_size=60))
@settings(max_examples=400)
def test_what_python_refuses_is_refused_with_its_place(text):
    try:
        json.loads(text)
        known = True
    except (ValueError, RecursionError):
        known = False
    # a key that stands twice is refused here only
    if not known:
        with pytest.raises(Invalid) as refused:
            parse(text, "x")
        assert all(d.source is not None and d.source.line >= 1 for d in refused.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('{"a": 1,}', "x:1:9", "a comma before `}`"),
        ('{"a": 1\n "b": 2}', "x:2:2", "`,` or `}` is expected"),
        ('{"a": {"b": 1, "b": 2}}', "x:1:16", "stands twice"),
        ("[" * 50 + "]" * 50, "x:1:34", "more than 32 levels"),
        ('{"a": 01}', "x:1:7", "not JSON"),
        ('{"a": "b\n"}', "x:1:7", "not JSON"),
        ("{} {}", "x:1:4", "after the end"),
        ('{"a":', "x:1:5", "the end of the file"),
    ],
)
def test_bad_json_is_refused_at_its_place(text, place, said):
    with pytest.raises(Invalid) as refused:
        parse(text, "x")
    (diagnostic,) = refused.value.diagnostics
    assert str(diagnostic.source) == place
    assert said in diagnostic.message


@given(data=st.binary(max_size=200))
def test_any_lines_are_a_table_or_named(data):
    text = data.decode("latin-1")
    table = read_lookup(text, "x")
    judged(table)
    assert len(table.problems) <= 60


@given(at=st.integers(0, len(SOUND) - 1), put=st.sampled_from(["", "0", "9" * 20, "-1", " ", "\n", "m", "\x00", "٣"]))
def test_a_slip_in_a_table_never_ends_in_a_traceback(at, put):
    for diagnostic in judged(read_lookup(SOUND[:at] + put + SOUND[at + 1 :], "x")):
        assert diagnostic.source is not None


@given(
    value=VALUES, table=st.sampled_from(["BUFFER_PROFILE", "CABLE_LENGTH", "BUFFER_POOL", "PORT", "DEVICE_METADATA"])
)
def test_any_table_of_any_shape_is_read(value, table):
    text = config(**{"BUFFER_POOL": {}, table: value})
    judged(read_config(text, "x"))


def test_a_file_of_another_kind_stops_after_its_first_problems():
    table = read_lookup("no table\n" * 20_000, "x")
    assert not table.rows
    assert 0 < len(table.problems) <= 60


def test_a_file_without_buffers_says_nothing_of_headroom():
    assert read_config('{"PORT": {}}', "x") is None
