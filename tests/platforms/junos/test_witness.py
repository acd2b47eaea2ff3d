"""Our configurations as junoscfg reads them: a parser that was not written here, with the schema of a real switch."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from netaudit.equivalence.witnesses.junos import witness
from netaudit.platforms import junos
from netaudit.render import render
from platforms.example import devices
from platforms.junos.fabrics import NAMES, fabric, roles, switches

pytestmark = pytest.mark.skipif(
    find_spec("junoscfg") is None, reason="junoscfg is not installed (pip install junoscfg)"
)


def test_it_takes_every_example_device_and_its_blocks_say_the_same() -> None:
    for device in devices("junos"):
        held = junos.quantize(device)
        assert witness(render(held), held) == ("junoscfg", ())


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_every_example_fabric(name: str) -> None:
    for device in switches(fabric(name, roles(name))):
        assert witness(render(device), device) == ("junoscfg", ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" mtu 9216", " mtuu 9216"),
        ("type external", "type outside"),
        ("transmit-rate percent 60", "transmit-rate percent 50"),
    ],
)
def test_it_objects_to_what_is_no_junos_or_says_something_else(old: str, new: str) -> None:
    held = junos.quantize(devices("junos")[0])
    text = render(held)["junos.conf"]
    assert old in text
    found = witness({"junos.conf": text.replace(old, new)}, held)
    assert found is not None
    assert found[1] != ()
