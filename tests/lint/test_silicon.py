"""The ASIC of a HWSKU by its name is the one of the catalogue."""

from __future__ import annotations

import pytest

from netaudit import hardware
from netaudit.lint import silicon

PAIRS = [(hwsku, model) for model in hardware.models() for hwsku in model.hwskus]


@pytest.mark.parametrize(("hwsku", "model"), PAIRS, ids=[hwsku for hwsku, _ in PAIRS])
def test_a_name_gives_the_asic_of_the_catalogue_or_none(hwsku, model):
    found = silicon(hwsku, None, ())
    assert found.asic in ("", model.asic)
    if found.asic and not model.asic.startswith("Spectrum"):
        assert found.cell_bytes in (model.cell_bytes, 4096)


def test_most_names_of_the_catalogue_are_known():
    known = [hwsku for hwsku, _ in PAIRS if silicon(hwsku, None, ()).asic]
    assert len(known) * 10 >= len(PAIRS) * 8


def test_what_the_user_says_comes_before_the_name():
    model = hardware.switch("nvidia-sn5600")
    assert silicon("Dell-Z9864f-O64", model, ()).asic == "Spectrum-4"
