"""What the error of a unit beyond the capacity says would move is what moves in the fabric that it proposes."""

from __future__ import annotations

import re

import pytest
from intent.example import small

from fabric.made import fabric, problems
from netaudit.fabric import Fabric

UNITS = "{su1: {hosts: 4}, su2: {hosts: 4}, su3: {hosts: 2}}"
PODS = {
    "spine": "{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G, per: pod}",
    "superspine": "{model: nvidia-sn5600, count: 4, links: 1, speed: 800G}",
    "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr8, spine-superspine: 40m dr8}",
}


def hint(**changes: str) -> str:
    found = [d.hint or "" for d in problems(small(**changes)) if "`capacity` is for" in d.message]
    assert len(found) == 1
    return found[0]


def moved(old: Fabric, new: Fabric) -> set[str]:
    """The leaves that both have, with another block, ASN, loopback or far end."""
    return {
        name
        for name, device in old.devices.items()
        if device.place.role == "leaf"
        and (
            device.asn != new.devices[name].asn
            or device.loopbacks != new.devices[name].loopbacks
            or _begins(device.blocks) != _begins(new.devices[name].blocks)
            or _cables(old, name) != _cables(new, name)
        )
    }


def _begins(blocks: tuple[str, ...]) -> list[str]:
    return [block.split("/")[0] for block in blocks]


def _cables(built: Fabric, name: str) -> set[tuple[str, str]]:
    return {(key, str(port.peer)) for key, port in built.ports(name).items() if port.peer is not None}


def told(text: str) -> int:
    """How many leaves the hint says would move."""
    if "moves nothing that is there" in text:
        return 0
    counts = re.findall(r"([\d,]+) lea(?:f|ves) \(a/", text)
    assert counts, text
    return max(map(int, counts))


@pytest.mark.parametrize(("room", "wanted", "rails"), [(4, 5, 1), (8, 9, 1), (5, 7, 1), (4, 5, 2), (5, 7, 2)])
def test_more_hosts_than_the_capacity(room: int, wanted: int, rails: int) -> None:
    leaf = f"{{model: nvidia-sn5600, platform: sonic, rails: {rails}}}"
    grown = UNITS.replace("su3: {hosts: 2}", f"su3: {{hosts: {wanted}}}")
    said = hint(units=grown, capacity=f"{{units: 4, hosts: {room}}}", leaf=leaf)
    old = fabric(small(units=UNITS, capacity=f"{{units: 4, hosts: {room}}}", leaf=leaf))
    new = fabric(small(units=UNITS, capacity=f"{{units: 4, hosts: {wanted}}}", leaf=leaf))
    assert told(said) == len(moved(old, new)), said


def test_a_unit_more_than_the_capacity_moves_nothing_with_spines_by_plane() -> None:
    said = hint(units=UNITS, capacity="{units: 2, hosts: 4}")
    two = UNITS.replace(", su3: {hosts: 2}", "")
    old, new = (fabric(small(units=two, capacity=f"{{units: {n}, hosts: 4}}")) for n in (2, 3))
    assert told(said) == len(moved(old, new)) == 0


def test_a_unit_more_moves_what_a_pod_lays_out_by_the_capacity() -> None:
    three = "{su1: {hosts: 4, pod: 1}, su2: {hosts: 4, pod: 1}, su3: {hosts: 2, pod: 2}}"
    four = three.replace("}}", "}, su5: {hosts: 2, pod: 2}}")
    said = hint(units=four, capacity="{units: 4, hosts: 4, pods: 2}", **PODS)
    old, new = (fabric(small(units=three, capacity=f"{{units: {n}, hosts: 4, pods: 2}}", **PODS)) for n in (4, 5))
    assert told(said) == len(moved(old, new)) > 0, said
