"""`show headroom` on switches of other makers: the method is named, and what the headroom costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netaudit.cli.run import run

INTENT = """\
schema: 1
fabric: t
planes: [a]
rails: 1
units:
  su1: {hosts: 2}
capacity: {units: 2, hosts: 4}
hosts: {nic: cx8, speed: 400G}
leaf: {model: MODEL, platform: sonic}
spine: {model: MODEL, platform: sonic, count: 2, links: 1, speed: 800G}
cables:
  host-leaf: 5m dr4
  leaf-spine: 280m dr8
addressing:
  loopbacks: 10.255.0.0/16
  hosts: 10.64.0.0/16
"""


@pytest.fixture
def shown(tmp_path, capsys):
    def show(model: str, *more: str, policy: str = "") -> tuple[int, str]:
        file: Path = tmp_path / "i.yml"
        file.write_text(INTENT.replace("MODEL", model) + policy)
        code = run(["show", "headroom", str(file), "a-spine1:1", *more])
        return code, capsys.readouterr().out

    return show


def test_tomahawk_5_says_its_delays_where_they_are_from_and_what_the_port_takes(shown):
    code, page = shown("dell-z9864f")
    assert code == 0
    text = " ".join(page.split())
    assert "delays known physics with the delays of the table of TH5 Dell" in text
    assert "2145.6 ns at 800G, fit of sonic-buildimage 086b03bd" in text
    assert "cells 6,384 of 254 B · F 3.024" in text
    assert "one of 2 parts of the buffer" in text
    assert "nearest row 300 m: 1,621,536 B published, the same" in text
    assert "pause quanta" not in text


def test_the_json_has_every_number(shown):
    _, page = shown("dell-z9864f", "-o", "json", policy="buffers: {shallow: {headroom: computed}}\n")
    found = json.loads(page)
    assert found["generic"] is False
    assert found["headroom"]["xoff_bytes"] == 1_561_084
    assert found["use"]["cells"] * 254 == 1_561_084
    assert found["use"]["factor"] == pytest.approx(254 / 84)
    assert found["use"]["nearest_published_row"]["length_m"] == 300
    assert found["use"]["nearest_published_row"]["delta_bytes"] == 1_561_084 - 1_621_536
    assert found["use"]["dedicated"] is True
    assert found["use"]["port_headroom_bytes"] == found["headroom"]["size_bytes"]


def test_bulk_packets_are_named_with_their_size(shown):
    _, page = shown("dell-z9864f", policy="buffers: {shallow: {headroom: computed, packets: bulk}}\n")
    assert "packets of 4158 B (+ 20 B on the wire) in cells of 254 B" in " ".join(page.split())


def test_an_asic_without_data_is_called_generic_wherever_its_number_stands(shown):
    _, page = shown("cisco-8122-64eh-o", policy="buffers: {shallow: {headroom: computed}}\n")
    text = " ".join(page.split())
    assert "delays generic generic ceiling, as no delay of Silicon One G200 at this speed is published" in text
    assert "nothing is published of the delays of Silicon One G200 at this speed: the formula is generic" in text
    assert "nearest row none is published for this speed" in text
