"""`netaudit show hardware`: the catalogue, one model of it, and the models of an intent's own files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from netaudit import hardware
from netaudit.cli.show import app
from netaudit.cli.show import hardware_catalogue as pages
from netaudit.cli.show.page import View
from netaudit.diag import Invalid
from netaudit.terminal import Style
from tests.hardware.test_own_models import INTENT, NIC, SWITCH

FULL = View(named="", everything=True)


def show(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["hardware", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "models.yml").write_text(SWITCH + NIC, encoding="utf-8")
    (tmp_path / "fabric.yml").write_text(INTENT, encoding="utf-8")
    return str(tmp_path / "fabric.yml")


def test_the_catalogue_lists_every_model_once() -> None:
    lines = show().splitlines()
    assert lines[0].startswith(f"● {len(hardware.switch_names())} switch models of 6 ASIC families")
    for name in (*hardware.switch_names(), *hardware.nic_names()):
        assert len([line for line in lines if line.split()[:1] == [name]]) == 1, name


def test_an_estimate_is_marked_in_the_list_and_a_published_figure_is_not() -> None:
    lines = {line.split()[0]: line for line in show().splitlines() if line.startswith("  ") and line.split()}
    assert "≈264.6 MB" in lines["nexthop-4210"]
    assert "≈curve" in lines["nexthop-4210"]
    assert "173.3 MB / 2" in lines["dell-z9864f"]
    assert "≈" not in lines["nvidia-sn5600"]


@pytest.mark.parametrize("name", hardware.switch_names())
def test_the_page_of_a_model_has_every_source_and_stays_in_a_hundred_columns(name: str) -> None:
    page = pages.model_page(hardware.switch(name), FULL)
    lines = page.splitlines()
    # a path is one word, which no folding shortens
    assert [line for line in lines[1:] if len(line) > 100 and len(line.split()) > 2] == []
    model = hardware.switch(name)
    for field in model.sources:
        assert any(line.strip().startswith(field) for line in lines), field
    for margin in model.estimates.values():
        assert f"estimate ±{margin} %" in page
    assert pages.model_page(model, View(named="", style=Style(unicode=False), everything=True)).isascii()


def test_the_list_stays_in_a_hundred_columns_and_is_ascii_where_it_must_be() -> None:
    assert [line for line in pages.catalogue_page(FULL).splitlines() if len(line) > 100] == []
    assert pages.catalogue_page(View(named="", style=Style(unicode=False))).isascii()


def test_one_model_and_one_nic_by_name() -> None:
    assert show("nvidia-sn5600").startswith("● nvidia-sn5600: NVIDIA SN5600, Spectrum-4, shallow")
    assert json.loads(show("nvidia-sn5600", "-o", "json"))["hwskus"][0]["rule"]["exact_rows"] == 24
    assert show("cx7").startswith("● cx7: NVIDIA ConnectX-7")


def test_json_says_what_is_estimated() -> None:
    listed = json.loads(show("-o", "json"))
    assert [row["name"] for row in listed["switches"]] == list(hardware.switch_names())
    assert {row["name"]: row["estimates"] for row in listed["switches"]}["nexthop-4210"]["buffer_bytes"] == 6
    one = json.loads(show("dell-z9864f", "-o", "json"))
    assert (one["itms"], one["itm_bytes"], one["limits"]["dlb_groups"]) == (2, 86_634_320, 128)
    assert one["hwskus"][0]["rows"][0]["dedicated"] is False
    assert json.loads(show("cx8", "-o", "json"))["pcie_mbps"] == 968_000


def test_own_models_stand_beside_those_of_the_catalogue(own: str) -> None:
    page = show(own)
    assert page.startswith("● small is built of acme-9064, nvidia-sn5600;")
    assert "buffer_bytes ±10 %: nobody published them" in page
    assert "Acme N1: 2 ports" in page
    assert show(own, "acme-9064").startswith("● acme-9064: ")
    assert show(own, "acme-nic").startswith("● acme-nic: Acme N1")
    assert json.loads(show(own, "acme-9064", "-o", "json"))["origin"].endswith("models.yml")


def test_a_misspelt_model_gets_the_nearest_one() -> None:
    with pytest.raises(Invalid) as caught:
        show("nvidia-sn56000")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == "there is neither a file nor a model `nvidia-sn56000`"
    assert "did you mean `nvidia-sn5600`?" in diagnostic.hint


def test_a_file_of_a_models_name_is_read_as_an_intent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cx7").write_text("fabric: [", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Invalid):
        show("cx7")
