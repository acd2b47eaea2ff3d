"""The lab's NX-OS, with a grammar and an editor of its own, takes what is rendered and every command of a change."""

from __future__ import annotations

import pytest

from netaudit.lab.sim.nos.nxos.config import Cage, Editor, load, refuses, text
from netaudit.platforms import nxos
from netaudit.render import render
from netaudit.state import Device

from .fabrics import NAMES, attached, fabric, roles, switches

CAGES = {number: Cage(lanes=8, speed_mbps=800_000) for number in range(1, 129)}


def typed(device: Device) -> tuple[list[str], bool]:
    """(commands that the box refuses on its way from the factory, whether it then has what was asked for)."""
    factory, refused = load("hostname factory\n", CAGES)
    assert refused == ()
    running = {"nxos.cfg": "\n".join(text(factory)) + "\n"}
    wanted = nxos.candidate(render(device), running, ["all"])
    editor = Editor(tree=factory, cages=CAGES)
    answers = {line: editor.run(line.strip()) for line in nxos.changes(running["nxos.cfg"], wanted["nxos.cfg"])}
    then = {"nxos.cfg": "\n".join(text(editor.tree)) + "\n"}
    return [line for line, answer in answers.items() if refuses(answer)], nxos.equal(then, wanted)


@pytest.mark.parametrize("name", NAMES)
def test_a_box_takes_every_line_of_a_rendering(name: str) -> None:
    for device in switches(fabric(name, (*roles(name), "blocks"))):
        _, refused = load(render(device)["nxos.cfg"], CAGES)
        assert refused == (), device.name


@pytest.mark.parametrize("name", NAMES)
def test_a_box_that_is_new_is_led_to_what_it_shall_hold(name: str) -> None:
    for device in switches(fabric(name, (*roles(name), "blocks"))):
        assert typed(device) == ([], True), device.name


@pytest.mark.parametrize("attach", ["vlan", "bgp"])
def test_hosts_are_attached_in_each_way_on_a_box(attach: str) -> None:
    for device in switches(attached(attach, v6=True)):
        assert typed(device) == ([], True), device.name
