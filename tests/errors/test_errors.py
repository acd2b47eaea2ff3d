"""What an operator reads for a wrong intent: each `.yml` here has its `.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.diag import Invalid
from netaudit.diag_text import line_of_file, render_diagnostics
from netaudit.intent import load

HERE = Path(__file__).parent
WRONG = sorted(HERE.glob("*.yml"))


@pytest.mark.parametrize("file", WRONG, ids=[file.stem for file in WRONG])
def test_a_wrong_intent_reads_as_its_golden_text(file, golden):
    with pytest.raises(Invalid) as caught:
        load(file)
    text = render_diagnostics(caught.value.diagnostics, line_of_file).replace(f"{HERE}/", "").replace(str(HERE), ".")
    golden(file.with_suffix(".txt"), text)


@pytest.mark.parametrize("file", WRONG, ids=[file.stem for file in WRONG])
def test_every_error_has_a_place_in_a_file_that_was_named(file):
    with pytest.raises(Invalid) as caught:
        load(file)
    beside = {file, *HERE.glob("*.csv"), HERE / "no-such.csv", HERE}
    assert {Path(d.source.file) if d.source else None for d in caught.value.diagnostics} <= beside


def test_every_golden_text_has_its_intent():
    assert {file.stem for file in HERE.glob("*.txt")} == {file.stem for file in WRONG}
