"""`netaudit init`: what it writes can be built, and nothing that was there is lost."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from yaml import safe_load

from netaudit.cli.run import run
from netaudit.diag import Invalid
from netaudit.intent import load
from netaudit.pipeline_load import load_fabric
from netaudit.scaffold import GITIGNORE, Wish, merged_gitignore, scaffold, sizes

PROGRAM = "import sys; from netaudit.cli import main; main()"


def test_what_it_writes_passes_check_and_the_schema_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tokyo-gpu1"
    assert run(["init", str(folder)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"✔ {folder} holds tokyo-gpu1: 20 devices, 4 files"
    assert told[-1] == f"Next: netaudit check {folder}/tokyo-gpu1.yml"
    assert {f.name for f in folder.iterdir()} == {
        "tokyo-gpu1.yml", "devices.csv", "cables.csv", "netaudit.schema.json", ".gitignore"
    }  # fmt: skip
    assert run(["check", str(folder / "tokyo-gpu1.yml")]) == 0
    assert "0 errors, 0 warnings" in capsys.readouterr().out
    schema = json.loads((folder / "netaudit.schema.json").read_text())
    Draft202012Validator(schema).validate(safe_load((folder / "tokyo-gpu1.yml").read_text()))


@pytest.mark.parametrize(
    ("planes", "rails", "units", "hosts"),
    [(1, 1, 1, 1), (2, 8, 4, 32), (1, 8, 8, 64), (2, 1, 64, 3), (1, 64, 1, 5), (2, 4, 16, 33)],
)
def test_any_size_that_is_accepted_can_be_built(
    planes: int, rails: int, units: int, hosts: int, tmp_path: Path
) -> None:
    wish = Wish(fabric="f", planes=planes, rails=rails, units=units, hosts=hosts)
    for name, text in scaffold(wish, "{}").items():
        (tmp_path / name).write_text(text)
    expected = load_fabric(tmp_path / "f.yml")
    assert len(expected.built.hosts) == units * hosts
    assert all(row.place for row in expected.built.intent.devices)
    size = sizes(planes=planes, rails=rails, units=units, hosts=hosts)
    assert size.spines * size.links * 800_000 >= hosts * size.nic_mbps, "a leaf has more traffic down than up"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--planes", "3"], "planes is 1 or 2, not 3"),
        (["--hosts", "0", "--rails", "0"], "2 errors"),
        (["--hosts", "65"], "65 hosts a unit do not fit on a leaf"),
        (["--units", "17"], "17 units of 4 leaves do not fit on a spine"),
        (["--fabric", "../elsewhere"], "no name of a fabric"),
    ],
)
def test_what_cannot_be_built_is_refused_and_leaves_nothing(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", str(tmp_path / "new"), *arguments]) == 4
    assert told in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "devices.csv").write_text("mine\n")
    (tmp_path / "cables.csv").symlink_to(tmp_path / "nowhere")
    assert run(["init", str(tmp_path), "--fabric", "f"]) == 4
    told = capsys.readouterr().err
    assert "devices.csv` is there already" in told
    assert "cables.csv` is there already" in told
    assert (tmp_path / "devices.csv").read_text() == "mine\n"
    assert sorted(f.name for f in tmp_path.iterdir()) == ["cables.csv", "devices.csv"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("mine\n")
    assert run(["init", str(tmp_path / "x")]) == 4
    assert "is a file, not a folder" in capsys.readouterr().err


def test_gitignore_gets_the_missing_lines_and_keeps_its_own(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.swp\n/runs/")
    assert run(["init", str(tmp_path), "--fabric", "f"]) == 0
    rows = (tmp_path / ".gitignore").read_text().splitlines()
    assert rows[:2] == ["*.swp", "/runs/"]
    assert {*GITIGNORE} <= {*rows}
    assert rows.count("/runs/") == 1
    assert merged_gitignore("\n".join(rows)) == "\n".join(rows), "a second time adds nothing"


def test_without_a_terminal_it_asks_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "init", str(tmp_path / "f1")],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""
    assert load(tmp_path / "f1").model.fabric == "f1"


def test_on_a_terminal_it_asks_what_no_option_says(tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "init", str(tmp_path / "f2"), "--planes", "1"],
        stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, text=True,
    )  # fmt: skip
    os.close(terminal)
    os.write(controller, b"osaka\n2\n\n3\n")  # name, rails, units (default), hosts; planes are given
    told, _ = process.communicate(timeout=60)
    os.close(controller)
    assert process.returncode == 0
    model = load(tmp_path / "f2" / "osaka.yml").model
    assert (model.planes, model.rails, len(model.units), model.units["su1"].hosts) == (("a",), 2, 2, 3)
    assert "osaka" in told


def test_sizes_say_all_that_is_wrong_at_once() -> None:
    with pytest.raises(Invalid) as caught:
        sizes(planes=1, rails=8, units=9, hosts=100)
    assert len(caught.value.diagnostics) == 2
