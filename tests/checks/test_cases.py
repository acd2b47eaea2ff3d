"""What the checks find in small intents, each with one fault or just beside it: the cases are data, cases/*.yml."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

from netaudit.checks import RULES, check
from netaudit.diag import Diagnostic
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import Intent
from tests.intent.example import read, small

CASES = [
    pytest.param(case, id=f"{file.stem}-{case['case']}".replace(" ", "-"))
    for file in sorted((Path(__file__).parent / "cases").glob("*.yml"))
    for case in yaml.safe_load(file.read_text("utf-8"))
]
TODAY = date(2026, 11, 29)
ELSEWHERE = {"EQV-01", "EQV-02", "HDR-03", "LB-02", "NIC-04", "PLT-02", "PLT-06", "PLT-07"}
"""Rules that no small intent can break today: test_checks.py and test_chain.py beside this file break them."""


def found(
    folder: Path, changes: dict[str, str], tables: dict[str, str], files: dict[str, str] | None = None
) -> list[str]:
    """Every diagnostic of a changed small intent: severity, rule, the marked text, the message, the hint."""
    for name, text in (files or {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    intent = read(folder, small(**changes), **tables)
    return [_told(intent, diagnostic) for diagnostic in check(Expected(build(intent)), TODAY).diagnostics]


def _told(intent: Intent, diagnostic: Diagnostic) -> str:
    source = diagnostic.source
    assert source is not None, "a diagnostic without a place cannot be fixed by its reader"
    marked = intent.text(source)[source.column - 1 : source.column - 1 + source.width]
    return f"{diagnostic.severity} {diagnostic.rule} at `{marked}`: {diagnostic.message} -> {diagnostic.hint}"


@cache
def unchanged() -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        return tuple(found(Path(folder), {}, {}))


@pytest.mark.parametrize("case", CASES)
def test_a_design_is_told_what_is_wrong_with_it_and_nothing_else(case: dict[str, Any], tmp_path: Path) -> None:
    lines = found(tmp_path, case["intent"], case.get("tables", {}), case.get("files"))
    assert [line for line in lines if line not in unchanged()] == case["found"]


def test_the_small_fabric_itself_is_told_no_more_than_how_its_lengths_are_rounded() -> None:
    assert [line.split(":")[0] for line in unchanged()] == ["info HDR-14 at `3m dac`"]


def test_each_rule_bites_in_a_case_and_each_case_names_a_rule() -> None:
    told = {line.split()[1] for case in CASES for line in case.values[0]["found"]}  # type: ignore[index]
    assert told | ELSEWHERE == set(RULES)
