"""The catalogue and the table of variants tell the same of a HWSKU: each was found on its own."""

from __future__ import annotations

import pytest

from netaudit import hardware
from netaudit.hardware import Hwsku
from netaudit.lossless.curves import curve_of
from netaudit.lossless.variants import MADE_WITH, VARIANTS, spectrum_of

BOTH = {
    hwsku.name: (model.asic, hwsku)
    for model in hardware.models()
    for hwsku in model.hwskus.values()
    if hwsku.name in MADE_WITH and hwsku.rule is not None
}


def test_there_are_hwskus_to_compare():
    assert len(BOTH) >= 10


@pytest.mark.parametrize("name", BOTH)
def test_a_variant_gives_as_many_rows_as_the_catalogue_says(name):
    asic, hwsku = BOTH[name]
    assert spectrum_of(asic) == MADE_WITH[name][0]
    assert exact(hwsku) == hwsku.rule.exact_rows


def exact(hwsku: Hwsku) -> int:
    generation, variant = MADE_WITH[hwsku.name]
    return sum(VARIANTS[variant].at(generation, *key).xoff_bytes == row.xoff_bytes for key, row in hwsku.pg.items())


def test_every_chip_of_the_catalogue_has_a_method_that_fits_its_name():
    for model in hardware.models():
        if model.headroom.method == "formula":
            assert spectrum_of(model.asic) is not None, model.name
        else:
            assert spectrum_of(model.asic) is None, model.name
            assert model.headroom.method != "curve" or curve_of(model.asic) or model.headroom.fixed_ns, model.name
