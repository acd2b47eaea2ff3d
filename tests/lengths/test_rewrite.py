"""The change of the files: what nobody asked to change stays byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from intent.example import read, small

from lengths.test_decide import COMPUTED, LEAF, SPINE, seen
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.lengths import Edit, Uneditable, decide, edits, patch
from netaudit.lengths.rewrite import naming_file, table_file

MEASURED = "{host-leaf: 3m dac, leaf-spine: 40m dr8, measured: cables.csv}"
PLUGS = {LEAF: seen({"1/1": 2.5, "64": 60.0})}


def changed(folder: Path, text: str | bytes, csv: str | None = None, plugs: object = None) -> tuple[Edit, ...]:
    """The edits that follow from those plugs."""
    if csv is not None:
        (folder / "cables.csv").write_bytes(csv.encode())
    intent = read(folder, text)
    expected = Expected(build(intent))
    file = table_file(intent) or naming_file(intent)
    texts = {file: Path(file).read_bytes().decode()}
    return edits(intent, decide(expected, PLUGS).changes, texts)


def written(made: tuple[Edit, ...]) -> None:
    for edit in made:
        Path(edit.file).write_bytes(edit.after.encode())


def nothing_left(folder: Path) -> bool:
    return decide(Expected(build(load(folder / "fabric.yml"))), PLUGS).changes == ()


def test_a_row_that_is_there_gets_its_cell_and_a_new_cable_a_row_at_the_end(tmp_path: Path) -> None:
    csv = (
        "# measured by the contractor, 2026-10\n"
        "length , a,b\n"
        "\n"
        f'  34 m , {LEAF}:64 ,"{SPINE}:1"\n'
        "# the other one\n"
        "38m,a-su1-r2-leaf:64,a-spine1:2\n"
    )
    (edit,) = changed(tmp_path, small(cables=MEASURED, **COMPUTED), csv)
    assert edit.after == csv.replace("  34 m ,", "  60m ,") + f"2.5m,su1-h1:r1/a,{LEAF}:1/1\n"
    written((edit,))
    assert nothing_left(tmp_path)


@pytest.mark.parametrize(
    "csv",
    [
        "a,b,length\r\na-su1-r2-leaf:64,a-spine1:2,38m\r\n",
        "\ufeffa,b,length\r\na-su1-r2-leaf:64,a-spine1:2,38m",
        "a,b,length\na-su1-r2-leaf:64,a-spine1:2,38m",
        '"length","b","a"\n38m,a-spine1:2,a-su1-r2-leaf:64\n',
        "a,b,length",
    ],
)
def test_line_ends_byte_order_mark_and_columns_stay(tmp_path: Path, csv: str) -> None:
    (edit,) = changed(tmp_path, small(cables=MEASURED, **COMPUTED), csv)
    assert edit.after.startswith(csv)
    assert ("\r\n" in edit.after) is ("\r\n" in csv)
    assert edit.after.replace("\r\n", "").count("\r") == 0
    written((edit,))
    assert nothing_left(tmp_path)


@pytest.mark.parametrize(
    ("cables", "after"),
    [
        ("{host-leaf: 3m dac, leaf-spine: 40m dr8}", "{host-leaf: 3m dac, leaf-spine: 40m dr8, measured: cables.csv}"),
        (
            '{"leaf-spine": "40m dr8", host-leaf: 3m dac}  # classes',
            '{"leaf-spine": "40m dr8", measured: cables.csv, host-leaf: 3m dac}  # classes',
        ),
        (
            "\n  leaf-spine: 40m dr8   # to the spines\n  host-leaf: 3m dac",
            "\n  leaf-spine: 40m dr8   # to the spines\n  measured: cables.csv\n  host-leaf: 3m dac",
        ),
        (
            "\n    'leaf-spine': 40m dr8\n    host-leaf: 3m dac",
            "\n    'leaf-spine': 40m dr8\n    measured: cables.csv\n    host-leaf: 3m dac",
        ),
    ],
)
def test_an_intent_without_a_table_gets_one_and_names_it(tmp_path: Path, cables: str, after: str) -> None:
    text = small(cables=cables, **COMPUTED)
    table, intent = changed(tmp_path, text)
    assert (table.file, table.before) == (str(tmp_path / "cables.csv"), None)
    assert table.after == f"a,b,length\nsu1-h1:r1/a,{LEAF}:1/1,2.5m\n{LEAF}:64,{SPINE}:1,60m\n"
    assert intent.after == text.replace(cables, after)
    written((table, intent))
    assert nothing_left(tmp_path)


def test_a_file_of_that_name_that_is_not_ours_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "cables.csv").write_text("something else\n")
    table, _ = changed(tmp_path, small(**COMPUTED))
    assert table.file == str(tmp_path / "small-cables.csv")
    (tmp_path / "small-cables.csv").write_text("something else, too\n")
    with pytest.raises(Uneditable, match="is there, and the intent does not name it"):
        changed(tmp_path, small(**COMPUTED))


def test_the_table_of_an_included_file_is_found_beside_it(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "wires.yml").write_text(f"cables: {MEASURED}\n")
    (tmp_path / "part" / "cables.csv").write_text("a,b,length\n")
    text = "include: [part/wires.yml]\n" + small(**COMPUTED).replace(
        "cables: {host-leaf: 3m dac, leaf-spine: 40m dr8}\n", ""
    )
    (edit,) = changed(tmp_path, text)
    assert edit.file == str(tmp_path / "part" / "cables.csv")
    written((edit,))
    assert nothing_left(tmp_path)


def test_an_anchor_and_an_alias_stay_as_they_are(tmp_path: Path) -> None:
    cables = "{host-leaf: 3m dac, leaf-spine: &far 40m dr8}"
    made = changed(tmp_path, small(cables=cables, **COMPUTED))
    assert "leaf-spine: &far 40m dr8, measured: cables.csv}" in made[1].after
    written(made)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize(
    "cables",
    [
        "{host-leaf: &one 30m aoc, leaf-spine: *one}",
        "{host-leaf: 3m dac,\n  leaf-spine:\n    40m dr8\n  }",
        "\n  host-leaf: 3m dac\n  leaf-spine:\n    40m dr8",
    ],
)
def test_classes_in_unusual_spelling_are_edited_rightly_or_left_to_a_person(tmp_path: Path, cables: str) -> None:
    text = small(cables=cables, **COMPUTED)
    try:
        made = changed(tmp_path, text)
    except Uneditable:
        assert (tmp_path / "fabric.yml").read_text() == text
        return
    written(made)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize("csv", ["a,b,length\n", "a,b,length", "# only a comment\na,b,length\r\n"])
def test_the_patch_is_one_that_patch_takes(tmp_path: Path, csv: str) -> None:
    made = changed(tmp_path, small(cables=MEASURED, **COMPUTED), csv)
    done = subprocess.run(
        ["patch", "-p0", "--binary", str(tmp_path / "cables.csv")],
        input=patch(made).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "cables.csv").read_bytes() == made[0].after.encode()


def test_without_a_change_there_is_no_edit_and_no_patch(tmp_path: Path) -> None:
    intent = read(tmp_path, small())
    assert edits(intent, (), {}) == ()
    assert patch(()) == ""
