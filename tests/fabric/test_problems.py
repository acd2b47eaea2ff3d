"""Why a fabric cannot be built: every reason of one run, each at its line, with what would help."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from intent.example import small

from fabric.made import fabric, problems
from netaudit.diag import Diagnostic

SPINE = "{{model: {model}, platform: sonic, count: {count}, links: {links}, speed: {speed}}}"


def spine(model: str = "nvidia-sn5600", count: int = 2, links: int = 1, speed: str = "800G") -> str:
    return SPINE.format(model=model, count=count, links=links, speed=speed)


def said(found: tuple[Diagnostic, ...]) -> list[tuple[str, str, str]]:
    """(file:line, message, hint)"""
    return [(f"{Path(d.source.file).name}:{d.source.line}" if d.source else "", d.message, d.hint) for d in found]


DOES_NOT_FIT: Mapping[str, tuple[dict[str, str], list[tuple[str, str, str]]]] = {
    "too many links": (
        {"spine": spine(count=40, links=2)},
        [
            (
                "fabric.yml:8",
                "leaf: 80 leaf-spine ports at 800G need more cages than nvidia-sn5600 has left",
                "a leaf needs 2 host-leaf at 400G, 80 leaf-spine at 800G; smaller capacity, or a larger model",
            )
        ],
    ),
    "a unit number beyond the spine": (
        {"units": "{su40: {hosts: 2}}"},
        [
            (
                "fabric.yml:5",
                "spine: 80 leaf-spine ports at 800G need more cages than nvidia-sn5600 has left",
                "a spine needs 80 leaf-spine at 800G; smaller capacity, or a larger model",
            )
        ],
    ),
    "a capacity beyond both": (
        {"capacity": "{units: 40, hosts: 200}"},
        [
            (
                "fabric.yml:10",
                "spine: 80 leaf-spine ports at 800G need more cages than nvidia-sn5600 has left",
                "a spine needs 80 leaf-spine at 800G; smaller capacity, or a larger model",
            ),
            (
                "fabric.yml:10",
                "leaf: 200 host-leaf ports at 400G need more cages than nvidia-sn5600 has left",
                "a leaf needs 200 host-leaf at 400G, 2 leaf-spine at 800G; smaller capacity, or a larger model",
            ),
        ],
    ),
    "a speed that no cage has": (
        {"spine": spine(model="nvidia-sn5400")},
        [
            (
                "fabric.yml:8",
                "spine: no cage of nvidia-sn5400 runs at 800G (the fastest is 400G)",
                "a spine needs 2 leaf-spine at 800G; a slower speed, or a faster model",
            )
        ],
    ),
    "a host speed that no cage has": (
        {"hosts": "{nic: cx8, speed: 75G}"},
        [
            (
                "fabric.yml:6",
                "leaf: no cage of nvidia-sn5600 runs at 75G (the fastest is 800G)",
                "a leaf needs 2 host-leaf at 75G, 2 leaf-spine at 800G; a slower speed, or a faster model",
            )
        ],
    ),
    "both pools too small": (
        {"addressing": "{loopbacks: [10.255.0.0/30], hosts: 10.0.0.0/29}"},
        [
            (
                "fabric.yml:10",
                "10.255.0.0/30 has no room for 2 planes of 2 leaves and 2 spines",
                "a pool of /27 or shorter: a quarter of a plane's slice is for its leaves, one for its spines",
            ),
            (
                "fabric.yml:10",
                "10.0.0.0/29 has no room for 2 planes of 2 leaves with a /30 each",
                "a pool of /28 or shorter",
            ),
        ],
    ),
    "a pool that holds what is there and not what it is laid out for": (
        {"addressing": "{hosts: 10.0.0.0/28}", "capacity": "{units: 4}"},
        [
            (
                "fabric.yml:10",
                "10.0.0.0/28 has no room for 2 planes of 8 leaves with a /30 each",
                "a pool of /26 or shorter",
            )
        ],
    ),
}


@pytest.mark.parametrize(("changes", "wanted"), DOES_NOT_FIT.values(), ids=DOES_NOT_FIT)
def test_what_does_not_fit_is_listed_whole(changes: dict[str, str], wanted: list[tuple[str, str, str]]) -> None:
    assert said(problems(small(**changes))) == wanted


BEYOND = {
    "a unit": (
        {"capacity": "{units: 4}", "units": "{su1: {hosts: 2}, su9: {hosts: 2}}"},
        "unit `su9` has the number 9",
    ),
    "hosts": ({"capacity": "{hosts: 8}", "units": "{su1: {hosts: 9}}"}, "unit `su1` has 9 hosts"),
}


@pytest.mark.parametrize(("changes", "message"), BEYOND.values(), ids=BEYOND)
def test_growth_beyond_the_capacity_is_an_error(changes: dict[str, str], message: str) -> None:
    (found,) = problems(small(**changes))
    assert found.message.startswith(message)
    assert "renumbers and re-cables" in found.hint


def test_a_misspelt_model_is_told_with_the_nearest() -> None:
    (found,) = problems(small(leaf="{model: nvidia-sn56000, platform: sonic}"))
    assert (found.message, found.hint) == (
        "there is no switch `nvidia-sn56000` in the catalogue",
        "did you mean `nvidia-sn5600`?",
    )


PINS: Mapping[str, tuple[str, str, str]] = {
    # devices.csv → where, message
    "an ASN twice": (
        "place,asn\na/su1/r1,65001\na/su1/r2,65001\n",
        "devices.csv:3",
        "ASN 65001 is that of a-su1-r1-leaf and a-su1-r2-leaf",
    ),
    "the ASN that the pattern gives another": (
        "place,asn\na/su1/r1,4200000001\n",
        "devices.csv:2",
        "ASN 4200000001 is that of a-su1-r1-leaf and a-su1-r2-leaf",
    ),
    "one ASN for spines of two planes": (
        "place,asn\na/spine/1,65001\nb/spine/2,65001\n",
        "devices.csv:3",
        "ASN 65001 is that of a-spine1 and b-spine2",
    ),
    "the loopback that the pattern gives another": (
        "place,loopback\na/su1/r1,10.255.0.2\n",
        "devices.csv:2",
        "10.255.0.2/32 is the loopback of a-su1-r1-leaf and a-su1-r2-leaf",
    ),
    "the name that the pattern gives another": (
        "place,name\na/su1/r1,a-su1-r2-leaf\n",
        "devices.csv:2",
        "`a-su1-r2-leaf` is the name of both a/su1/r1 and a/su1/r2",
    ),
    "a HWSKU of another model": (
        "place,hwsku\na/su1/r1,ACS-SN560\n",
        "devices.csv:2",
        "no HWSKU `ACS-SN560` of nvidia-sn5600 in the catalogue",
    ),
    "a place that is not there": ("place,serial\na/su1/r9,1\n", "devices.csv:2", "this fabric has no place a/su1/r9"),
    "a misspelt name": ("name,serial\na-su1-r1-lef,1\n", "devices.csv:2", "this fabric has no name a-su1-r1-lef"),
}


@pytest.mark.parametrize(("rows", "where", "message"), PINS.values(), ids=PINS)
def test_a_row_that_collides_is_an_error_at_its_line(rows: str, where: str, message: str) -> None:
    found = said(problems(small(devices="devices.csv"), devices=rows))
    assert [(at, text) for at, text, _ in found] == [(where, message)]
    assert found[0][2], "with a hint"


def test_all_reasons_are_told_in_one_run() -> None:
    rows = "place,name,asn,loopback\na/su1/r1,x,65001,10.255.0.2\na/su1/r2,a-spine1,65001,\n"
    found = problems(small(devices="devices.csv", addressing="{hosts: 10.0.0.0/30}"), devices=rows)
    assert [d.message for d in found] == [
        "10.255.0.2/32 is the loopback of x and a-spine1",
        "`a-spine1` is the name of both a/su1/r2 and a/spine/1",
        "ASN 65001 is that of x and a-spine1",
        "10.0.0.0/30 has no room for 2 planes of 2 leaves with a /30 each",
    ]


def test_a_host_may_not_have_the_name_of_a_switch() -> None:
    (found,) = problems(
        small(hosts="{nic: cx8, speed: 400G, names: hosts.csv}"), hosts="unit,index,name\nsu1,1,a-spine1\n"
    )
    assert found.message == "`a-spine1` is the name of a host and of a switch"


def test_a_filled_cell_wins_over_the_pattern() -> None:
    """A running fabric is adopted without renumbering (DESIGN.md, rule 3)."""
    rows = "place,name,asn,loopback\na/su1/r1,tor-17,64601,172.16.0.17\nb/spine/2,,,fd00:aa::1\n"
    built = fabric(small(devices="devices.csv"), devices=rows)
    leaf, other = built.devices["tor-17"], built.devices["b-spine2"]
    assert (leaf.asn, leaf.loopbacks, leaf.router_id) == (64601, ("172.16.0.17/32", "fd00:ff::1/128"), "172.16.0.17")
    assert other.loopbacks == ("10.255.160.2/32", "fd00:aa::1/128")
    assert leaf.blocks == ("10.0.0.0/30",)
    assert str(built.ports("a-spine1")["1"].peer) == "tor-17:64"


def test_names_may_be_exchanged() -> None:
    rows = "place,name\na/su1/r1,a-su1-r2-leaf\na/su1/r2,a-su1-r1-leaf\n"
    built = fabric(small(devices="devices.csv"), devices=rows)
    assert str(built.devices["a-su1-r2-leaf"].place) == "a/su1/r1"


def test_spines_of_a_plane_may_share_a_pinned_asn() -> None:
    rows = "place,asn\na/spine/1,65001\na/spine/2,65001\n"
    built = fabric(small(devices="devices.csv"), devices=rows)
    assert {d.asn for d in built.spines.values() if d.place.plane == "a"} == {65001}


def test_a_row_finds_its_device_by_place_or_by_name() -> None:
    for rows in ("place,serial\na/su1/r1,MT1\n", "name,serial\na-su1-r1-leaf,MT1\n"):
        row = fabric(small(devices="devices.csv"), devices=rows).devices["a-su1-r1-leaf"].row
        assert row is not None
        assert row.serial == "MT1"
