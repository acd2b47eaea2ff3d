from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.diag import Invalid
from netaudit.intent.text import MAX_BYTES, parse, read_text

SCALARS = [
    ("true", True),
    ("False", False),
    ("null", None),
    ("~", None),
    ("", None),
    ("12", 12),
    ("-3", -3),
    ("0", 0),
    ("1.50", 1.5),
    ("1e3", 1000.0),
    ("text", "text"),
    ('"12"', "12"),
    ("'no'", "no"),
    ("0x1f", "0x1f"),
    ("1_000", "1_000"),
    (".inf", ".inf"),
    ("2027-01-31", "2027-01-31"),
    ("400G", "400G"),
    ("y", "y"),
    ("fd00:ff::/48", "fd00:ff::/48"),
]


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_scalars_follow_yaml_1_2(text, value):
    document = parse(f"key: {text}\n", "f.yml")
    found = document.data["key"]
    assert (found, type(found)) == (value, type(value))
    assert not document.problems


@pytest.mark.parametrize("text", ["no", "Yes", "ON", "off", "0123", "-07", "1:30", "12:30:45"])
def test_what_yaml_1_1_reads_otherwise_must_be_quoted(text):
    assert [d.message.count(f"`{text}`") for d in parse(f"key: {text}\n", "f.yml").problems.values()] == [1]
    assert parse(f'key: "{text}"\n', "f.yml").data == {"key": text}


@pytest.mark.parametrize("text", ["no", "0123"])
def test_traps_are_found_in_keys_and_lists_too(text):
    assert len(parse(f"{text}: 1\nlist: [{text}]\n", "f.yml").problems) == 2


def test_each_path_knows_its_place():
    document = parse("a:\n  b: [1, two]\n  'c d': 3\n", "f.yml")
    places = {at: (m.value.line, m.value.column, m.value.width) for at, m in document.marks.items()}
    assert places == {
        (): (1, 1, 2),
        ("a",): (2, 3, 11),
        ("a", "b"): (2, 6, 8),
        ("a", "b", "0"): (2, 7, 1),
        ("a", "b", "1"): (2, 10, 3),
        ("a", "c d"): (3, 10, 1),
    }
    assert document.marks[("a", "c d")].key.width == 5
    assert document.written(document.marks[("a", "b", "1")].value) == "two"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_byte_order_mark_and_line_ends_shift_no_place(tmp_path, start, end):
    file = tmp_path / "f.yml"
    file.write_bytes(f"{start}a: 1{end}b: {{c: 22}}{end}".encode())
    document = parse(read_text(file, "f.yml"), "f.yml")
    assert document.data == {"a": 1, "b": {"c": 22}}
    source = document.marks[("b", "c")].value
    assert (source.line, source.column, source.width) == (2, 8, 2)
    assert document.lines[:2] == ("a: 1", "b: {c: 22}")


def test_anchors_and_merge_keys_work_and_the_nearer_key_wins():
    text = "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz: {<<: [*x, *y], a: 5, d: *x}\n"
    assert parse(text, "f.yml").data["z"] == {"a": 5, "b": 2, "c": 4, "d": {"a": 1, "b": 2}}


def test_a_merged_value_is_located_where_it_is_written_and_its_key_where_it_is_merged():
    document = parse("x: &x {a: 1}\ny: {<<: *x}\n", "f.yml")
    mark = document.marks[("y", "a")]
    assert (mark.value.line, mark.value.column) == (1, 11)
    assert (mark.key.line, mark.key.column) == (2, 9)


def test_a_quoted_merge_key_is_a_key():
    assert parse('x: {"<<": 1}\n', "f.yml").data == {"x": {"<<": 1}}


def test_every_duplicate_key_is_told():
    document = parse("a: 1\na: 2\nb: {c: 1, c: 2, c: 3}\n", "f.yml")
    assert sorted((d.source.line, d.source.column) for d in document.problems.values()) == [(2, 1), (3, 11), (3, 17)]
    assert document.data == {"a": 1, "b": {"c": 1}}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xff\xfea\x00", "UTF-8"),
        (b"a: \xe9\n", "UTF-8"),
        (b"x" * (MAX_BYTES + 1), "larger than 8 MiB"),
    ],
)
def test_bytes_that_are_no_intent_are_refused(tmp_path, raw, said):
    (tmp_path / "f.yml").write_bytes(raw)
    with pytest.raises(Invalid) as caught:
        read_text(tmp_path / "f.yml", "f.yml")
    assert said in caught.value.diagnostics[0].message


def test_the_place_of_a_wrong_byte_is_told(tmp_path):
    (tmp_path / "f.yml").write_bytes(b"a: 1\nbc\xe9\n")
    with pytest.raises(Invalid) as caught:
        read_text(tmp_path / "f.yml", "f.yml")
    assert str(caught.value.diagnostics[0].source) == "f.yml:2:3"


@pytest.mark.parametrize("escape", ["\\ud800", "\\0", "\\e[31m", "\\x7f"])
def test_no_escape_brings_in_what_yaml_itself_forbids(escape):
    with pytest.raises(Invalid) as caught:
        parse(f'a: 1\nb: "x{escape}"\n', "f.yml")
    assert (caught.value.diagnostics[0].source.line, caught.value.diagnostics[0].source.column) == (2, 4)


@pytest.mark.parametrize("name", ["", "missing.yml", "nul\0.yml", "x" * 300])
def test_a_file_that_cannot_be_read_is_a_problem_with_a_name(tmp_path, name):
    with pytest.raises(Invalid) as caught:
        read_text(tmp_path / name, name)
    assert f"`{name}`" in caught.value.diagnostics[0].message


@given(st.text(max_size=60))
def test_any_text_is_a_document_or_a_problem_with_a_place(text):
    try:
        document = parse(text, "f.yml")
    except Invalid as error:
        sources = [d.source for d in error.diagnostics]
    else:
        sources = [mark.value for mark in document.marks.values()]
    assert all(source.file == "f.yml" and source.line >= 1 and source.column >= 1 for source in sources)


@given(st.text(alphabet="[]{}:,-&*<!'\"|>?%@# \n\tab0\\", max_size=40))
def test_any_punctuation_is_a_document_or_a_problem_with_a_place(text):
    try:
        parse(text, "f.yml")
    except Invalid as error:
        assert all(d.source.line <= text.count("\n") + 1 for d in error.diagnostics)  # noqa: PT017 - both are right
