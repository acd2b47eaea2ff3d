"""`netaudit lint-tables`: exit codes, forms and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netaudit.cli.run import run

from .tables import SOUND, TH5

BROKEN = SOUND.replace("1621536", "735406")


@pytest.fixture
def table(tmp_path):
    def write(text: str, folder: str = TH5, name: str = "pg_profile_lookup.ini") -> Path:
        file = tmp_path / folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    return write


def test_a_sound_table_ends_with_0(table, capsys):
    assert run(["lint-tables", str(table(SOUND))]) == 0
    told = capsys.readouterr().out
    assert "1 table, 8 rows: 0 errors, 0 warnings" in told
    assert "8 rows, Dell-Z9864f-O64, Tomahawk 5" in told


def test_a_broken_one_ends_with_2_and_shows_the_row(table, capsys):
    file = table(BROKEN)
    assert run(["lint-tables", str(file)]) == 2
    told = capsys.readouterr().out
    assert f"{file}:9:21: error: TAB-01 800G at 300 m has 735,406 B, 100,000 B less than 40 m" in told
    assert "800000 300m 18796 0 735406" in told


def test_a_folder_is_read_whole_and_every_file_once(table, tmp_path, capsys):
    file = table(SOUND)
    (tmp_path / "Other").mkdir()
    (tmp_path / "Other" / "pg_profile_lookup.ini").symlink_to(file)
    table('{"PORT": {}}', "x", "other.json")
    assert run(["lint-tables", str(tmp_path), "-o", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [t["hwsku"] for t in answer["tables"]] == [TH5]


def test_one_file_that_cannot_be_read_is_bad_input_and_among_others_incomplete(table, tmp_path, capsys):
    bad = table('{"BUFFER_PROFILE": {', "bad", "buffers.json")
    assert run(["lint-tables", str(bad)]) == 4
    table(BROKEN)
    assert run(["lint-tables", str(tmp_path)]) == 3
    assert "1 file not read" in capsys.readouterr().out


def test_warnings_count_only_if_they_shall(table):
    file = table(SOUND.replace("835406", "835660"), TH5)
    slipped = table(SOUND.replace("835406", "835407"), "x")
    assert run(["lint-tables", str(file), "--fail-on", "warning"]) == 0
    assert run(["lint-tables", str(slipped)]) == 0
    assert run(["lint-tables", str(slipped), "--fail-on", "warning"]) == 2


def test_a_model_names_the_asic_where_no_name_does(table, capsys):
    file = table(SOUND, "x")
    assert run(["lint-tables", str(file), "--model", "nvidia-sn5600"]) == 0
    assert "beyond a multiple of 1024 B (--model nvidia-sn5600)" in capsys.readouterr().out
    assert run(["lint-tables", str(file), "--model", "nobody"]) == 4
    assert "no model of the catalogue" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("json", '"rule": "TAB-01"'),
        ("junit", "TAB-01"),
        ("sarif", '"ruleId": "TAB-01"'),
        ("github", "::error file="),
        ("markdown", "TAB-01"),
    ],
)
def test_every_form_of_check_is_there(table, capsys, form, said):
    assert run(["lint-tables", str(table(BROKEN)), "-o", form]) == 2
    assert said in capsys.readouterr().out


def test_a_configuration_is_held_against_the_table_beside_it(table, capsys):
    table(SOUND)
    text = {
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "41m"}},
        "PORT": {"Ethernet0": {"speed": "800000"}},
        "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "size": "1"}},
    }
    file = table(json.dumps(text, indent=1), TH5, "buffers.json")
    assert run(["lint-tables", str(file)]) == 2
    assert "800G at 41 m, in use on Ethernet0, has no row" in capsys.readouterr().out


def test_a_configuration_without_rows_is_held_against_the_catalogue(table, capsys):
    text = {
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "41m"}},
        "PORT": {"Ethernet0": {"speed": "800000"}},
        "DEVICE_METADATA": {"localhost": {"hwsku": "ACS-SN5600"}},
    }
    assert run(["lint-tables", str(table(json.dumps(text), "x", "config_db.json"))]) == 2
    assert "300 m is the next row" in capsys.readouterr().out


def test_what_holds_no_table_is_said(tmp_path, capsys):
    assert run(["lint-tables", str(tmp_path)]) == 4
    assert "no headroom table in" in capsys.readouterr().err
    (tmp_path / "x.json").write_text('{"PORT": {}}')
    assert run(["lint-tables", str(tmp_path / "x.json")]) == 4
    assert run(["lint-tables", str(tmp_path / "nothing")]) == 4


def test_bytes_that_are_no_text_are_refused_with_their_place(tmp_path, capsys):
    file = tmp_path / "pg_profile_lookup.ini"
    file.write_bytes(SOUND.encode() + b"800000 \xff")
    assert run(["lint-tables", str(file)]) == 4
    assert f"{file}:10:8: error: TAB-13 no UTF-8: byte 0xff" in capsys.readouterr().out


def test_a_file_of_windows_is_read_alike(table):
    assert run(["lint-tables", str(table("\ufeff" + SOUND.replace("\n", "\r\n")))]) == 0


def test_a_template_is_refused_with_what_to_do(table, capsys):
    file = table('{%- set default_cable = "5m" %}\n{"BUFFER_POOL": {}}', "x", "buffers.json.j2")
    assert run(["lint-tables", str(file)]) == 4
    assert "a template, not what it makes" in capsys.readouterr().out
