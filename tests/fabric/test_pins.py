"""A running fabric keeps its names, numbers and prefixes; what is pinned twice is told at its cell."""

from __future__ import annotations

from pathlib import Path

import pytest
from intent.example import small

from fabric.made import fabric, problems

TEXT = small(devices="devices.csv")


def at(rows: str) -> list[tuple[int, int, str]]:
    """(line, column, message) of what is wrong with a devices.csv."""
    found = problems(TEXT, devices=rows)
    assert {Path(d.source.file).name for d in found if d.source} <= {"devices.csv"}
    return [(d.source.line, d.source.column, d.message) for d in found if d.source]


def test_a_pinned_block_takes_the_place_of_the_pattern() -> None:
    built = fabric(TEXT, devices="place,block\na/su1/r2,192.168.40.0/27\n")
    assert built.devices["a-su1-r2-leaf"].blocks == ("192.168.40.0/27",)
    assert built.devices["a-su1-r1-leaf"].blocks == ("10.0.0.0/30",)


COLLISIONS = {
    "two blocks that overlap": (
        "place,block\na/su1/r1,192.168.40.0/27\na/su1/r2,192.168.40.16/28\n",
        [(3, 10, "the block 192.168.40.16/28 of a-su1-r2-leaf lies in the block 192.168.40.0/27 of a-su1-r1-leaf")],
    ),
    "a pinned block over one of the pattern": (
        "place,block\na/su1/r1,10.32.0.0/24\n",
        [
            (2, 10, "the block 10.32.0.0/30 of b-su1-r1-leaf lies in the block 10.32.0.0/24 of a-su1-r1-leaf"),
        ],
    ),
    "a loopback inside a block": (
        "place,loopback\na/spine/1,10.0.0.1\n",
        [(2, 11, "the loopback 10.0.0.1/32 of a-spine1 lies in the block 10.0.0.0/30 of a-su1-r1-leaf")],
    ),
    "a block too small": (
        "place,block\na/su1/r1,192.168.40.0/31\n",
        [(2, 10, "192.168.40.0/31 does not hold the 2 hosts that `capacity` is for")],
    ),
    "a block of a family that hosts do not have": (
        "place,block\na/su1/r1,2001:db8::/64\n",
        [(2, 10, "2001:db8::/64 is an IPv6 block, and hosts have no such pool")],
    ),
    "a block of a spine": (
        "place,block\na/spine/1,192.168.40.0/27\n",
        [(2, 11, "a/spine/1 has no hosts, so it has no block")],
    ),
}


@pytest.mark.parametrize(("rows", "said"), COLLISIONS.values(), ids=COLLISIONS)
def test_a_pin_that_collides_is_told_at_its_cell(rows: str, said: list[tuple[int, int, str]]) -> None:
    found = at(rows)
    assert found[: len(said)] == said


def test_a_block_with_bits_behind_its_length_is_no_network() -> None:
    found = problems(TEXT, devices="place,block\na/su1/r1,192.168.40.1/27\n")
    assert [(d.message, d.hint) for d in found] == [
        ("`block` is one network, not `192.168.40.1/27`", "for example 10.20.4.0/25, no bits set behind its length")
    ]


@pytest.mark.parametrize(("base", "asn"), [(23_456, 23_456), (65_535, 65_535)])
def test_no_computed_asn_is_a_reserved_one(base: int, asn: int) -> None:
    """The pattern counts over the reserved numbers of 16 bits where a base lies below them (RFC 6793, RFC 7300)."""
    text = small(bgp=f"{{asn_base: {base - 1}}}")
    (found,) = (d for d in problems(text) if "nobody may have" in d.message)
    assert f"a-su1-r2-leaf would have ASN {asn}" in found.message
    assert found.source is not None
    assert "asn_base" in text.splitlines()[found.source.line - 1]
