"""Links beside the pattern: they take spare cages, split as they need them, and join nothing that must stay apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from intent.example import problems as of_intent
from intent.example import small

from fabric.made import fabric, problems
from netaudit.state import LinkEnd

BLOCKS = "{border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G, cable: 40m dr4}}"
EXTERNAL = "{core1: {asn: 64512}, core2: {asn: 64513, lldp: core2.example.net}}"


def with_links(*links: str, **changes: str) -> str:
    return small(**{"blocks": BLOCKS, "external": EXTERNAL, "links": f"[{', '.join(links)}]"} | changes)


def link(a: str, b: str, *, speed: str = "400G", cable: str = "15m dr4", more: str = "") -> str:
    return f'{{a: "{a}", b: "{b}", speed: {speed}, cable: {cable}{more}}}'


def test_an_extra_link_takes_a_spare_port_and_leaves_the_rest_of_its_cage_spare() -> None:
    built = fabric(with_links(link("a-border1:1", "core1:et-0/0/1"), link("core2:xe-1", "a-border1:2/2")))
    ports = built.ports("a-border1")
    assert (ports["1"].peer, ports["1"].mode) == (LinkEnd(device="core1", port="et-0/0/1"), "1x800G")
    assert (ports["2/2"].peer, ports["2/2"].mode) == (LinkEnd(device="core2", port="xe-1"), "2x400G")
    assert (ports["2/1"].kind, ports["2/1"].peer, "2" in ports) == ("spare", None, False)
    assert [str(found.b) for found in built.links() if found.kind.startswith("links.")] == [
        "core1:et-0/0/1",
        "core2:xe-1",
    ]
    assert list(built.ports("a-border2")) == list(built.layouts["border"].ports)


def test_a_link_between_two_devices_of_a_block_is_told_once() -> None:
    built = fabric(with_links(link("a-border2:5", "a-border1:6", speed="800G", cable="3m dac")))
    found = [(str(x.a), str(x.b), x.length_m, x.medium) for x in built.links() if x.kind == "links.0"]
    assert found == [("a-border1:6", "a-border2:5", 3.0, "dac")]
    assert built.ports("a-border1")["6"].peer == LinkEnd(device="a-border2", port="5")


def test_a_numbered_link_has_the_two_addresses_of_its_id_in_the_upper_half_of_the_slice() -> None:
    """Two planes halve 10.64.0.0/12: plane b has 10.72.0.0/13, its upper half begins at 10.76.0.0."""
    first, other = link("core1:x", "b-border1:1", more=", id: 0"), link("b-border2:1", "core1:y", more=", id: 9")
    built = fabric(with_links(first, other))
    found = {name: built.addresses(built.devices[name], built.ports(name)["1"]) for name in ("b-border1", "b-border2")}
    assert found == {
        "b-border1": (("10.76.0.0/31", "10.76.0.1/31"),),
        "b-border2": (("10.76.0.18/31", "10.76.0.19/31"),),
    }


def test_a_retired_link_leaves_its_port_spare() -> None:
    built = fabric(with_links(link("a-border1:1", "core1:x", more=", status: retired")))
    assert built.ports("a-border1")["1"].kind == "spare"
    assert not any(found.kind.startswith("links.") for found in built.links())


WRONG = {
    "no end of ours": (link("core1:x", "core2:y"), "neither end of this link is a switch of ours"),
    "a stranger": (link("a-border1:1", "core9:x"), "core9 is no switch of ours, and no external neighbor"),
    "no port": (link("a-border1:1", "core1"), "`core1` names no port"),
    "a whole switch": (link("a-border1", "core1:x"), "`a-border1` is not a port"),
    "a port that is taken": (link("a-border1:64/2", "core1:x"), "a-border1:64/2 is kept for border-spine"),
    "a cage that is not there": (link("a-border1:99", "core1:x"), "nvidia-sn5600 has no cage 99"),
    "a speed that the port does not have": (
        link("a-border1:1/2", "core1:x", speed="800G", cable="15m dr8"),
        "nvidia-sn5600 has no port 1/2 at 800G",
    ),
    "planes joined": (
        link("a-border1:1", "b-border1:1"),
        "a-border1 is in plane a, b-border1 in plane b",
    ),
    "leaves of two planes joined": (
        link("a-su1-r1-leaf:30", "b-su1-r1-leaf:30", speed="800G", cable="3m dac"),
        "a-su1-r1-leaf is in plane a, b-su1-r1-leaf in plane b",
    ),
    "a switch joined with itself": (link("a-border1:1", "a-border1:2"), "both ends are on a-border1"),
    "a vendor's name": (link("a-border1:etp1a", "core1:x"), "`etp1a` is a device's port name, not a cage"),
}


@pytest.mark.parametrize(("one", "said"), WRONG.values(), ids=WRONG)
def test_a_link_that_cannot_be_is_told_where_it_stands(one: str, said: str) -> None:
    (found,) = problems(with_links(one))
    assert found.message == said
    assert found.source is not None
    assert found.source.column > 1


def test_two_links_cannot_share_a_port_or_want_a_cage_split_in_two_ways() -> None:
    twice = with_links(link("a-border1:1", "core1:x"), link("a-border1:1", "core1:y"))
    assert [d.message for d in problems(twice)] == ["a-border1:1 is already an end of links.0"]
    split = with_links(link("a-border1:1/1", "core1:x"), link("a-border1:1/3", "core1:y", speed="200G"))
    assert [d.message for d in problems(split)] == [
        "nvidia-sn5600 has no port 1/3 at 200G, and cage 1 is split as 2x400G"
    ]


def test_a_neighbor_with_a_name_or_an_asn_of_ours_is_refused() -> None:
    text = with_links(external="{a-spine1: {asn: 64512}, core1: {asn: 4200000000}}")
    assert [d.message for d in problems(text)] == [
        "`a-spine1` is the name of something of ours",
        "ASN 4200000000 is that of a-su1-r1-leaf, which is ours",
    ]


def test_numbers_and_lldp_names_are_each_ones_own(tmp_path: Path) -> None:
    text = with_links(
        link("a-border1:1", "core1:x", more=", id: 3"),
        link("a-border1:2", "core1:y", more=", id: 3", cable="15m dr9"),
        external="{core1: {asn: 64512}, core2: {asn: 64513, lldp: core1}}",
    )
    assert sorted(d.message for d in of_intent(tmp_path, text)) == [
        "`core1` is the LLDP name of core1 and of core2",
        "there is no kind of cable `dr9` in the catalogue",
        "this link has the number 3, as links.0 has",
    ]


JOINED = (("a-su1-r1-leaf:30", "a-su1-r2-leaf:30"), ("a-spine1:30", "a-spine2:30"), ("a-spine1:31", "a-border1:2"))


@pytest.mark.parametrize("ends", JOINED, ids=str)
def test_any_two_switches_of_a_plane_may_be_joined(ends: tuple[str, str]) -> None:
    """What is wrong with it a rule says, once there is a fabric: BGP-03."""
    built = fabric(with_links(link(*ends, speed="800G", cable="3m dac")))
    found = [link for link in built.links() if link.kind == "links.0"]
    assert [{str(one.a), str(one.b)} for one in found] == [set(ends)]
    for end in ends:
        name, _, port = end.partition(":")
        assert str(built.ports(name)[port].peer) in ends
