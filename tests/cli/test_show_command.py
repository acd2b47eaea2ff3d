"""`netaudit show …` as it is typed: arguments, formats, files, and what help costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from netaudit.cli.show import app
from netaudit.diag import Invalid
from tests.cli.showing import REPOSITORY

INTENT = str(REPOSITORY / "intent" / "two-plane.yml")
COMMANDS = ("fabric", "device", "links", "addresses", "headroom", "ecn", "platform", "hardware")
NAMING = (("rib", "a-spine1"), ("explain", "a-su1-r1-leaf:1/1", "mtu"), ("explain", "a-su1-r1-leaf"))


def show(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("arguments", [(name,) for name in COMMANDS] + list(NAMING))
def test_every_command_prints_a_page_and_its_json(arguments: tuple[str, ...]) -> None:
    name, *rest = arguments
    page = show(name, INTENT, *rest)
    assert page.startswith("● ")
    assert page.splitlines()[-1].startswith("Next: ")
    assert json.loads(show(name, INTENT, *rest, "-o", "json"))["show"] == name


@pytest.mark.parametrize("name", ["device", "links", "addresses", "headroom", "ecn"])
def test_a_device_and_a_port_narrow_the_page(name: str) -> None:
    first = {show(name, INTENT, *at).splitlines()[0] for at in ((), ("a-su1-r1-leaf",), ("a-su1-r1-leaf:64",))}
    assert len(first) == 3


def test_a_prefix_narrows_the_table() -> None:
    assert show("rib", INTENT, "a-su1-r1-leaf", "10.0.0.16/28").startswith("● a-su1-r1-leaf reaches 10.0.0.16/28 over")
    table = json.loads(show("rib", INTENT, "a-su1-r1-leaf", "10.0.0.16/28", "-o", "json"))
    assert [row["from"] for row in table["routes"]] == ["a-su1-r2-leaf"]


def test_all_shows_the_rows_that_are_cut_otherwise() -> None:
    assert "more: --all" in show("links", INTENT)
    whole = show("links", INTENT, "--all")
    assert "more: --all" not in whole
    assert "b-su2-r4-leaf:64" in whole


def test_formats_go_to_files_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "fabric.json"
    assert show("fabric", INTENT, "-o", f"text,json={file}").startswith("● two-plane: 20 devices")
    assert json.loads(file.read_text(encoding="utf-8"))["fabric"] == "two-plane"


def test_a_wrong_device_is_an_error_of_input_not_a_traceback() -> None:
    with pytest.raises(Invalid):
        CliRunner().invoke(app, ["device", INTENT, "nobody"], catch_exceptions=False)


def test_help_imports_nothing_heavy() -> None:
    heavy = "pydantic yaml jinja2 grpc nornir paramiko asyncssh google.protobuf numpy networkx"
    code = f"import sys, netaudit.cli.show; print([m for m in {heavy.split()!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
