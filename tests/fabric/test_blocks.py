"""Blocks hang below the spines, count down from the last cages, and have numbers of their own (DESIGN.md rule 2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intent.example import problems as of_intent
from intent.example import small

from fabric.made import fabric, problems
from netaudit.fabric import Fabric
from netaudit.state import LinkEnd

BLOCK = (
    "{{id: {id}, model: nvidia-sn5600, platform: sonic, count: {count}, links: {links}, speed: {speed}, "
    "cable: 40m {medium}, capacity: {room}, originates: [{originates}]}}"
)


def block(number: int, count: int, links: int, *, room: int = 0, speed: str = "400G", originates: str = "") -> str:
    medium = "dr4" if speed == "400G" else "dr8"
    room = room or count
    return BLOCK.format(
        id=number, count=count, links=links, room=room, speed=speed, medium=medium, originates=originates
    )


def two(storage: str, border: str, **changes: str) -> str:
    return small(blocks=f"{{storage: {storage}, border: {border}}}", **changes)


def ends(built: Fabric, name: str, kind: str) -> list[tuple[str, str]]:
    return [(key, str(port.peer)) for key, port in built.ports(name).items() if port.kind == kind]


def test_the_lower_id_takes_the_last_cages_of_a_spine_and_slow_links_are_packed() -> None:
    built = fabric(two(block(1, 2, 2), block(2, 2, 1, room=3)))
    assert ends(built, "a-spine1", "storage-spine") == [
        ("63/1", "a-storage2:64/1"),
        ("63/2", "a-storage2:64/2"),
        ("64/1", "a-storage1:64/1"),
        ("64/2", "a-storage1:64/2"),
    ]
    assert ends(built, "a-spine2", "border-spine") == [("62/1", "a-border2:64/1"), ("62/2", "a-border1:64/1")]
    assert ends(built, "a-storage1", "storage-spine")[:2] == [("63/1", "a-spine2:64/1"), ("63/2", "a-spine2:64/2")]


def test_both_ends_of_every_cable_of_a_block_agree_and_planes_stay_apart() -> None:
    built = fabric(two(block(1, 2, 2), block(4, 1, 3, speed="800G")))
    found = [link for link in built.links() if link.kind.endswith("-spine") and link.kind != "leaf-spine"]
    assert len(found) == 2 * 2 * (2 * 2 + 1 * 3)  # planes, spines, devices times links
    for link in found:
        assert built.ports(link.b.device)[link.b.port].peer == link.a
        assert built.ports(link.a.device)[link.a.port].peer == link.b
        assert built.devices[link.a.device].place.plane == built.devices[link.b.device].place.plane


def test_asns_and_loopbacks_of_a_block_follow_from_its_id() -> None:
    """asn_base + plane × 1,000,000 + 3 × 100,000 + id × 100 + number; the fourth quarter of the slice, id × 64 + n."""
    built = fabric(two(block(1, 2, 1), block(7, 1, 1)))
    numbers = {name: (d.asn, d.loopbacks[0], str(d.place)) for name, d in built.devices.items() if d.place.tier == 3}
    assert numbers == {
        "a-storage1": (4_200_300_101, "10.255.96.65/32", "a/storage/1"),
        "a-storage2": (4_200_300_102, "10.255.96.66/32", "a/storage/2"),
        "a-border1": (4_200_300_701, "10.255.97.193/32", "a/border/1"),
        "b-storage1": (4_201_300_101, "10.255.224.65/32", "b/storage/1"),
        "b-storage2": (4_201_300_102, "10.255.224.66/32", "b/storage/2"),
        "b-border1": (4_201_300_701, "10.255.225.193/32", "b/border/1"),
    }


def test_devices_csv_names_and_pins_a_device_of_a_block_by_its_place_or_name() -> None:
    rows = "place,name,asn,status\na/border/1,edge-tyo-1,64700,\n,b-border1,64701,drained\n"
    built = fabric(two(block(1, 1, 1), block(2, 1, 1), devices="devices.csv"), devices=rows)
    assert built.devices["edge-tyo-1"].asn == 64700
    assert (built.devices["b-border1"].asn, built.devices["b-border1"].place.status) == (64701, "drained")
    assert built.ports("a-spine1")["63/2"].peer == LinkEnd(device="edge-tyo-1", port="64/2")


@given(
    counts=st.tuples(st.integers(1, 2), st.integers(1, 3)),
    more=st.tuples(st.integers(0, 2), st.integers(0, 2)),
    links=st.tuples(st.integers(1, 3), st.integers(1, 2)),
)
@settings(max_examples=20)
def test_growth_inside_the_capacity_of_blocks_moves_nothing(
    counts: tuple[int, int], more: tuple[int, int], links: tuple[int, int]
) -> None:
    rooms = tuple(count + extra for count, extra in zip(counts, more, strict=True))

    def facts(sizes: tuple[int, ...]) -> dict[str, object]:
        blocks = [block(n + 1, sizes[n], links[n], room=rooms[n]) for n in (0, 1)]
        built = fabric(two(*blocks))
        found: dict[str, object] = {name: (d.asn, d.loopbacks, d.router_id) for name, d in built.devices.items()}
        return found | {str(link.a): (str(link.b), link.kind) for link in built.links()}

    before, after = facts(counts), facts(rooms)
    assert {key: after.get(key) for key in before} == before


def test_a_block_that_no_longer_fits_beside_the_leaves_is_told_at_its_links() -> None:
    """SAKURAONE's likely wiring: 16 leaves × 4 links use all 64 ports of a spine (topology.md section 1)."""
    text = small(
        planes="[a]",
        rails="8",
        units="{su1: {hosts: 1}, su2: {hosts: 1}}",
        spine="{model: nvidia-sn5600, platform: sonic, count: 8, links: 4, speed: 800G}",
        blocks=f"{{storage: {block(1, 2, 2)}}}",
    )
    assert [(d.message, d.hint) for d in problems(text)] == [
        (
            "spine: 4 storage-spine ports at 400G need more cages than nvidia-sn5600 has left",
            "a spine needs 64 leaf-spine at 800G, 4 storage-spine at 400G; smaller capacity, or a larger model",
        )
    ]


WRONG = {
    "one id twice": (two(block(1, 1, 1), block(1, 1, 1)), ["block `border` has the number 1, as storage has"]),
    "beyond its capacity": (
        two(block(1, 3, 1, room=2), block(2, 1, 1)),
        ["block `storage` has 3 devices, and its `capacity` is for 2"],
    ),
    "a name that means something else": (
        small(blocks=f"{{Leaf: {block(1, 1, 1)}}}"),
        ["a block cannot be called `Leaf`"],
    ),
    "a prefix of a pool": (
        two(block(1, 1, 1, originates="10.0.4.0/24"), block(2, 1, 1)),
        ["10.0.4.0/24 and the pool 10.0.0.0/10 have addresses in common"],
    ),
    "a prefix twice": (
        two(block(1, 1, 1, originates="192.0.2.0/24, 192.0.2.0/24"), block(2, 1, 1)),
        ["192.0.2.0/24 stands here twice"],
    ),
    "a model and a medium that nobody sells": (
        two(block(1, 1, 1).replace("nvidia-sn5600", "nvidia-sn5601").replace("dr4", "dr5"), block(2, 1, 1)),
        ["there is no switch `nvidia-sn5601` in the catalogue", "there is no kind of cable `dr5` in the catalogue"],
    ),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_block_that_cannot_be_is_told(tmp_path: Path, text: str, said: list[str]) -> None:
    assert [d.message for d in of_intent(tmp_path, text)] == said


def test_a_pool_without_room_for_the_loopbacks_of_a_high_id_is_too_small() -> None:
    text = two(block(1, 1, 1), block(200, 1, 1))
    assert [d.message for d in problems(text)] == [
        "10.255.0.0/16 has no room for 2 planes of 2 leaves and 2 spines, and of blocks up to id 200"
    ]
