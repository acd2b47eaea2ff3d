"""`tune`: what it refuses before any switch is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from intent.example import small

from netaudit.cli.run import run

EXAMPLE = str(Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml")


def test_a_folder_of_several_fabrics_has_to_be_told_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.yml").write_text(small())
    apart = {"fabric": "other", "planes": "[c, d]", "units": "{su8: {hosts: 2}}", "bgp": "{asn_base: 4210000000}"}
    pools = {"addressing": "{loopbacks: 10.254.0.0/16, hosts: 10.64.0.0/10, numbered: 10.128.0.0/12}"}
    (tmp_path / "two.yml").write_text(small(**apart, **pools))
    assert run(["tune", str(tmp_path)]) == 4
    assert "a patch is for one intent" in capsys.readouterr().err


def test_what_is_no_snapshot_is_refused_with_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tune", EXAMPLE, str(tmp_path / "nowhere")]) == 4
    assert "is no snapshot" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["xml", "text,patch", ""])
def test_formats_that_there_are_not_are_refused(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tune", EXAMPLE, "-o", form]) == 4
    assert "-o" in capsys.readouterr().err


def test_a_switch_that_nobody_can_reach_leaves_everything_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "snap").mkdir()
    meta = '{"format": 1, "fabric": "two-plane", "taken": "2026-11-30T00:00:00+00:00", "version": "0", "devices": []}'
    (tmp_path / "snap" / "snapshot.json").write_text(meta)
    assert run(["tune", EXAMPLE, str(tmp_path / "snap"), "--write"]) == 3
    said = capsys.readouterr().out
    assert "no switch was read: nothing is known of any cable" in said
    assert "a-spine1" in said
    assert said.count("it is not in the snapshot") == 1, "one reason of 20 switches"
