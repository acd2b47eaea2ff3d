"""Every rendering is NX-OS as nxos.md has it, by a grammar of its own; and the grammar knows what is not."""

from __future__ import annotations

import pytest

from netaudit.platforms import nxos
from netaudit.platforms.nxos.meaning import paths
from netaudit.platforms.nxos.text import parse
from netaudit.render import render
from platforms.example import devices

from .fabrics import NAMES, fabric, roles, switches
from .grammar import dangling, faults


@pytest.mark.parametrize("name", NAMES)
def test_what_is_rendered_of_an_example_is_nxos(name: str) -> None:
    for device in switches(fabric(name, (*roles(name), "blocks"))):
        text = render(device)["nxos.cfg"]
        assert list(faults(text)) == [], device.name
        assert list(dangling(text)) == [], device.name
        assert nxos.problems({"nxos.cfg": text}) == (), device.name


def test_the_devices_of_the_contract_are_nxos_where_they_need_no_link_local_addresses() -> None:
    for device in devices("nxos")[:2]:
        text = render(nxos.quantize(device))["nxos.cfg"]
        assert list(faults(text)) == []


BROKEN = {
    "a comment behind a command": "hostname leaf1 ! the first",
    "an interface without module": "interface Ethernet5",
    "an MTU that is too large": "interface Ethernet1/5\n  mtu 9217",
    "a share above all": "policy-map type queuing X\n  class type queuing c-out-8q-q3\n"
    "    bandwidth remaining percent 101",
    "thresholds the wrong way round": "policy-map type queuing X\n  class type queuing c-out-8q-q3\n    "
    "random-detect minimum-threshold 9 kbytes maximum-threshold 3 kbytes drop-probability 7 weight 0 ecn",
    "a line of one mode in another": "router bgp 65001\n  mtu 9216",
    "an indentation that opens nothing": "feature bgp\n  router-id 10.0.0.1",
    "a prefix with bits beyond it": "ip prefix-list X seq 5 permit 10.0.0.1/24",
    "le that is no longer": "ip prefix-list X seq 5 permit 10.0.0.0/24 le 24",
    "a class before its feature": "class-map type qos match-any X\n  match dscp 26\nfeature bgp",
    "two speeds": "interface Ethernet1/5\n  speed 100000\n  speed 400000",
    "a DSCP of seven bits": "class-map type qos match-any X\n  match dscp 64",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_is_no_nxos_is_told(text: str) -> None:
    assert list(faults(text)) != []


def test_a_name_that_nothing_defines_is_told() -> None:
    assert list(dangling("interface Ethernet1/1\n  service-policy type qos input X\n")) == ["no policy X"]


def test_a_parser_of_others_sees_each_line_below_the_same_lines() -> None:
    """netutils, which comes with NAPALM, cuts NX-OS by its own rules: banners, indentation, parents."""
    parser = pytest.importorskip("netutils.config.parser").NXOSConfigParser
    for device in switches(fabric("three-profiles", ("leaf", "spine", "blocks"))):
        text = render(device)["nxos.cfg"]
        theirs = [(*(p.strip() for p in line.parents), line.config_line.strip()) for line in parser(text).config_lines]
        assert theirs == list(paths(parse(text)))
