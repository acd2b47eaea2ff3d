"""What statuses, blocks, external neighbors, numbers and IPv6 add to the files is what FRR and SONiC's YANG accept."""

from __future__ import annotations

import json

import pytest
from fabric.made import fabric
from oracles.frr import bgpd_problems, vtysh_problems
from oracles.sonic_yang import problems as yang_problems

from expect import (
    test_attached_by_bgp,
    test_attached_by_vlan,
    test_blocks,
    test_external,
    test_families,
    test_status,
    test_vrfs,
)
from netaudit.expect import Expected
from netaudit.render import render

FABRICS = {
    "status": (test_status.TEXT, test_status.ROWS, ("a-spine2", "a-su2-r1-leaf")),
    "blocks": (test_blocks.TEXT, "", ("a-spine1", "a-border1")),
    "vrf": (test_vrfs.TEXT, "", ("a-border1", "a-border2")),
    "external": (test_external.TEXT, "", ("a-border1",)),
    "numbered": (test_families.NUMBERED, "", ("a-su2-r1-leaf", "a-spine2")),
    "IPv6 alone": (test_families.SIXTH, "", ("a-su1-r1-leaf",)),
    "hosts that speak BGP": (test_attached_by_bgp.TEXT, "", ("a-su1-r1-leaf",)),
    "hosts in a VLAN": (test_attached_by_vlan.TEXT, "", ("a-su1-r1-leaf", "a-su2-r1-leaf", "a-spine1")),
    "hosts in a VLAN of IPv6": (test_attached_by_vlan.SIXTH, "", ("a-su1-r1-leaf",)),
}


@pytest.mark.parametrize(("text", "rows", "names"), FABRICS.values(), ids=FABRICS)
def test_frr_accepts_the_routing_configuration(text: str, rows: str, names: tuple[str, ...]) -> None:
    expected = Expected(fabric(text, devices=rows))
    for name in names:
        written = render(expected.device(name))["frr.conf"]
        assert vtysh_problems(written) == ()
        assert bgpd_problems(written) == ()


@pytest.mark.parametrize(("text", "rows", "names"), FABRICS.values(), ids=FABRICS)
def test_the_models_of_sonic_accept_the_database(text: str, rows: str, names: tuple[str, ...]) -> None:
    expected = Expected(fabric(text, devices=rows))
    for name in names:
        assert yang_problems(json.loads(render(expected.device(name))["config_db.json"])) == []
