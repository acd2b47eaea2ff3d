"""Our text against that of pyavd, Arista's own renderer: the same stanzas with the same lines, in whatever order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from netaudit.equivalence.witnesses.eos import lines_of, witness
from netaudit.equivalence.witnesses.eos_structured import structured
from netaudit.platforms import eos
from netaudit.render import render
from netaudit.state import Device
from platforms.eos.fabrics import NAMES, ROLES, fabric, hosts
from platforms.example import devices

pyavd = pytest.importorskip("pyavd", reason="pyavd, Arista's renderer, is not installed")
EXAMPLES = ("a leaf", "a spine", "a leaf with a VRF and a VLAN")


def one_of_each(name: str) -> Iterator[Device]:
    """A switch of each role and status of an example, EOS everywhere."""
    expected = fabric(name, *ROLES)
    seen: set[object] = set()
    for key, device in expected.built.devices.items():
        kind = (device.place.role, device.place.status)
        if kind not in seen:
            seen.add(kind)
            yield expected.device(key)


@pytest.mark.parametrize("number", range(3), ids=EXAMPLES)
def test_our_text_has_the_lines_of_aristas_renderer(number: int) -> None:
    device = eos.quantize(devices("eos")[number])
    assert witness(render(device), device) == ("pyavd", ())


@pytest.mark.parametrize("name", NAMES)
def test_so_it_has_for_every_kind_of_switch_of_every_example(name: str) -> None:
    for device in one_of_each(name):
        assert witness(render(device), device) == ("pyavd", ()), device.name


@pytest.mark.parametrize("links", ["unnumbered", "numbered"])
@pytest.mark.parametrize("attach", ["routed", "bgp", "vlan"])
def test_so_it_has_for_hosts_of_each_kind_behind_links_of_each_kind(attach: str, links: str) -> None:
    for name in ("a-su1-r1-leaf", "a-spine1"):
        device = hosts(attach, links).device(name)
        assert witness(render(device), device) == ("pyavd", ()), name


@pytest.mark.parametrize("number", range(3), ids=EXAMPLES)
def test_aristas_text_is_read_as_the_device_that_it_was_rendered_from(number: int) -> None:
    device = eos.quantize(devices("eos")[number])
    checked = pyavd.validate_structured_config(structured(device))
    assert eos.equal({"eos.cfg": str(pyavd.get_device_config(checked.validated_data))}, render(device))


def test_a_line_that_only_one_of_both_has_is_told() -> None:
    device = eos.quantize(devices("eos")[1])
    text = render(device)["eos.cfg"].replace("   mtu 9214\n", "   mtu 9000\n", 1)
    found = witness({"eos.cfg": text}, device)
    assert found is not None
    assert found[1] == (
        "only we write: interface Ethernet1/1 / mtu 9000",
        "only pyavd writes: interface Ethernet1/1 / mtu 9214",
    )


def test_what_the_schema_refuses_is_told() -> None:
    device = eos.quantize(devices("eos")[1])
    assert device.bgp is not None
    wrong = device.__class__(
        name="x", platform="eos", bgp=device.bgp.__class__(asn=1, router_id="1.1.1.1", maximum_paths=4096)
    )
    found = witness({"eos.cfg": ""}, wrong)
    assert found is not None
    assert any("maximum_paths" in line for line in found[1])


def test_lines_are_told_apart_by_what_they_stand_below() -> None:
    assert lines_of("a\n   b\n!\nc\n   b\n      d\n") == {
        ("a",): 1,
        ("a", "b"): 1,
        ("c",): 1,
        ("c", "b"): 1,
        ("c", "b", "d"): 1,
    }
