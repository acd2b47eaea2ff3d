"""Every example intent with EOS on each of its roles: rendered, read back, and without a word that is not explained."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from netaudit.checks import check
from netaudit.expect import Expected
from netaudit.platforms import eos
from netaudit.render import render
from netaudit.state import Device, Store
from netaudit.state.walk import differences
from platforms.eos.fabrics import NAMES, ROLES, fabric, hosts

MIXES = {"everywhere": ROLES, "spines": ("spine", "superspine"), "leaves": ("leaf",), "blocks": ("blocks",)}


def switches(expected: Expected) -> Iterator[Device]:
    """Those with EOS, three of each role, plane and status: the others of one kind are alike."""
    seen: dict[object, int] = {}
    for name, device in expected.built.devices.items():
        kind = (device.place.role, device.place.plane, device.place.status)
        seen[kind] = seen.get(kind, 0) + 1
        if device.platform == "eos" and seen[kind] <= 3:
            yield expected.device(name)


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("name", NAMES)
def test_every_switch_of_every_example_is_read_back_as_it_was_rendered(name: str, mix: str) -> None:
    for device in switches(fabric(name, *MIXES[mix])):
        text = render(device)
        held = eos.held(Store.RUNNING, device)
        assert list(differences(device, eos.read_config(text, device.name), held)) == [], device.name
        assert eos.problems(text) == (), device.name
        assert eos.quantize(device) == device


@pytest.mark.parametrize("links", ["unnumbered", "numbered"])
@pytest.mark.parametrize("attach", ["routed", "bgp", "vlan"])
def test_so_are_hosts_of_each_kind_behind_links_of_each_kind(attach: str, links: str) -> None:
    for device in switches(hosts(attach, links)):
        text = render(device)
        held = eos.held(Store.RUNNING, device)
        assert list(differences(device, eos.read_config(text, device.name), held)) == [], device.name
        assert eos.problems(text) == (), device.name


@pytest.mark.parametrize("name", NAMES)
def test_a_check_with_eos_everywhere_finds_no_error_that_sonic_does_not_have(name: str) -> None:
    """What EOS has no word for is a warning with its reason."""
    found = {(d.rule, d.message) for d in check(fabric(name, *ROLES)).diagnostics if d.severity.name == "ERROR"}
    before = {(d.rule, d.message) for d in check(fabric(name)).diagnostics if d.severity.name == "ERROR"}
    assert {rule for rule, _ in found} <= {rule for rule, _ in before}
