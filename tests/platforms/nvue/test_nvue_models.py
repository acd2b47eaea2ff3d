"""Every NVIDIA switch of the catalogue, without an HWSKU that anybody told."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracles.nvue import problems

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms import nvue
from netaudit.render import render
from netaudit.state import Store
from netaudit.state.walk import differences

INTENT = """\
schema: 1
fabric: models
planes: [a]
rails: 2
units: {{su1: {{hosts: 4}}}}
capacity: {{units: 2, hosts: 8}}
hosts: {{nic: cx7, speed: {host}}}
leaf: {{model: {model}, platform: nvue}}
spine: {{model: {model}, platform: nvue, count: 2, links: 1, speed: {speed}}}
cables: {{host-leaf: 3m dac, leaf-spine: 30m {medium}}}
"""
FABRICS = (
    ("nvidia-sn2700", "100G", "100G", "sr4"),
    ("nvidia-sn3700", "100G", "200G", "sr4"),
    ("nvidia-sn3800", "100G", "100G", "sr4"),
    ("nvidia-sn4600c", "100G", "100G", "sr4"),
    ("nvidia-sn4700", "200G", "400G", "dr4"),
    ("nvidia-sn5400", "400G", "400G", "dr4"),
    ("nvidia-sn5600", "200G", "400G", "dr4"),
    ("nvidia-sn6600-ld", "400G", "800G", "dr8"),
)


@pytest.mark.parametrize(("model", "host", "speed", "medium"), FABRICS, ids=[f"{row[0]}-{row[1]}" for row in FABRICS])
def test_it_is_rendered_and_read_back(model: str, host: str, speed: str, medium: str, tmp_path: Path) -> None:
    file = tmp_path / "models.yml"
    file.write_text(INTENT.format(model=model, host=host, speed=speed, medium=medium))
    expected = Expected(build(load(file)))
    names = tuple(expected.devices)
    for name in (names[0], names[-1]):
        device = expected.device(name)
        assert device.system is not None
        assert device.system.hwsku is None
        files = render(device)
        assert list(differences(device, nvue.read_config(files, name), nvue.HELD[Store.RUNNING])) == []
        assert nvue.problems(files) == ()
        assert problems(files["nvue.yaml"], "5.17") == []
        assert device.buffers is not None
        sizes = [pool.size_bytes for pool in (device.buffers.pools or {}).values()]
        assert len(sizes) == 2
        assert all(isinstance(size, int) for size in sizes)


def test_a_device_of_the_same_model_says_the_same_in_its_own_header(tmp_path: Path) -> None:
    file = tmp_path / "models.yml"
    file.write_text(INTENT.format(model="nvidia-sn4700", host="200G", speed="400G", medium="dr4"))
    expected = Expected(build(load(file)))
    device = expected.device(next(iter(expected.devices)))
    text = render(device)["nvue.yaml"]
    assert text.startswith("# pools are percents of the memory of Spectrum-3\n")
    theirs = text.partition("\n")[2].replace("- header:\n", "- header:\n    model: SN4700\n", 1)
    found = nvue.read_config({"nvue.yaml": theirs}, device.name)
    assert list(differences(device, found, nvue.HELD[Store.RUNNING])) == []
