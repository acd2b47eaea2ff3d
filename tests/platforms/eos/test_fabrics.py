"""Fabrics of other boxes, speeds, classes and hosts than those of the examples: rendered, read back, seen by pyavd."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.equivalence.witnesses.eos import witness
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms import eos
from netaudit.render import render
from netaudit.state import Store
from netaudit.state.walk import differences

V4 = "{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10, fabric: numbered, numbered: 10.64.0.0/12}"
V6 = '{loopbacks: ["fd00:ff::/48"], hosts: "fd00:1::/56"}'
BOTH = '{loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: [10.0.0.0/10, "fd00:1::/56"]}'
ONE = "roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}, default: {share: 40%}"
TWO = (
    "roce: {dscp: [24, 25, 26], priority: 3, lossless: true, share: 50%, ecn: auto}, default: {share: 30%}, "
    "kv: {dscp: [34], priority: 4, lossless: true, share: 20%, ecn: auto}, "
    "control: {dscp: [46, 48], queue: 7, strict: true, cap: 2%, carries: [cnp]}"
)
NONE = "default: {share: 100%}"
FABRICS = {
    "halves and IPv6 alone": ("arista-7060x6-64pe", "arista-7060x6-64pe-b", "400G", "800G", "routed", V6, ONE),
    "quarters and a gateway": ("arista-7060x6-64pe", "arista-7060x6-64pe", "200G", "800G", "vlan", BOTH, TWO),
    "25G in cages of four lanes": ("arista-7260cx3-64", "arista-7060cx-32s", "25G", "100G", "bgp", V4, ONE),
    "50G and no lossless class": ("arista-7260cx3-64", "arista-7260cx3-64", "50G", "100G", "bgp", BOTH, NONE),
    "deep boxes": ("arista-7280r4-32qf-32df", "arista-7280r4-32qf-32df", "400G", "400G", "routed", V4, TWO),
    "a box of another maker": ("nexthop-4210", "dell-z9664f", "400G", "400G", "vlan", V4, TWO),
}


@pytest.mark.parametrize("name", FABRICS)
def test_whatever_a_fabric_is_made_of_its_text_is_arista_s_and_says_what_is_expected(name: str, tmp_path: Path) -> None:
    leaf, spine, hosts, links, attach, addressing, traffic = FABRICS[name]
    intent = tmp_path / "fabric.yml"
    intent.write_text(
        "schema: 1\nfabric: drawn\nplanes: [a]\nrails: 2\nunits: {su1: {hosts: 4}}\ncapacity: {units: 2, hosts: 8}\n"
        f"hosts: {{nic: cx8, speed: {hosts}, attach: {attach}}}\n"
        f"leaf: {{model: {leaf}, platform: eos}}\n"
        f"spine: {{model: {spine}, platform: eos, count: 2, links: 1, speed: {links}}}\n"
        "cables: {host-leaf: 3m dac, leaf-spine: 40m dr8}\n"
        f"addressing: {addressing}\ntraffic: {{{traffic}}}\n"
    )
    expected = Expected(build(load(intent)))
    for device in map(expected.device, expected.built.devices):
        text = render(device)
        held = eos.held(Store.RUNNING, device)
        assert eos.quantize(device) == device
        assert list(differences(device, eos.read_config(text, device.name), held)) == [], device.name
        assert eos.problems(text) == (), device.name
        assert witness(text, device) in (None, ("pyavd", ())), device.name
