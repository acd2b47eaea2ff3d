"""Fabrics that cannot lock up, those that only a policy keeps from it, and forwarding by hand that does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from audit.world import two_plane
from fabric.made import fabric
from hypothesis import given, settings
from intent.example import small
from strategies import Shape, shapes

from netaudit.deadlock import Proof, circle_of_two, prove
from netaudit.deadlock.cycle import shortest_cycle
from netaudit.deadlock.paths import waits
from netaudit.expect import Expected
from netaudit.state import LinkEnd
from netaudit.whatif import graph
from netaudit.whatif.graph import Door

PINS = "place,asn\n" + "".join(f"a/spine/{n},{4_200_900_000 + n}\n" for n in (1, 2))


def proved(*, guarded: bool = True, pins: str = "", **keys: str) -> Proof:
    """The proof of a small fabric: one plane, two units of two rails, two spines, one link each."""
    whole = {
        "planes": "[a]",
        "rails": "2",
        "units": "{su1: {hosts: 2}, su2: {hosts: 2}}",
        "spine": "{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G}",
        "addressing": "{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}",
        **keys,
    }
    return prove(graph(Expected(fabric(small(**whole), **({"devices": pins} if pins else {})))), guarded=guarded)


@settings(max_examples=15, deadline=None)
@given(shape=shapes())
def test_no_fabric_of_the_pattern_can_lock_up_even_without_any_policy(shape: Shape) -> None:
    wired = graph(Expected(fabric(shape.text())))

    for guarded in (True, False):
        proof = prove(wired, guarded=guarded)
        assert (proof.cycle, proof.valley) == (None, None)


def test_the_proof_says_how_much_it_covers() -> None:
    proof = prove(graph(two_plane()))

    # 64 cables between leaves and spines, 16 leaves, 4 spines; a host's cable is no way from switch to switch
    assert proof.events == 64 + 16 + 4
    assert proof.prefixes == 16


def test_spines_with_a_number_each_are_kept_from_valleys_by_the_leaves_policies_alone() -> None:
    assert proved(pins=PINS, devices="devices.csv").valley is None
    bare = proved(guarded=False, pins=PINS, devices="devices.csv")

    assert bare.valley is not None
    assert bare.valley.event is not None
    middle = bare.valley.hops[0][2]
    assert "leaf" in middle
    assert {bare.valley.hops[0][0], bare.valley.hops[1][2]} == {"a-spine1", "a-spine2"}


def test_two_lost_cables_close_the_circle_that_the_policies_keep_open() -> None:
    text = {
        "planes": "[a]",
        "rails": "2",
        "units": "{su1: {hosts: 2}, su2: {hosts: 2}}",
        "spine": "{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G}",
    }
    pinned = circle_of_two(graph(Expected(fabric(small(**text, devices="devices.csv"), devices=PINS))), guarded=False)
    shared = circle_of_two(graph(Expected(fabric(small(**text)))), guarded=False)

    assert shared is None
    assert pinned is not None
    assert pinned.event is not None
    assert len(pinned.event.links) == 2
    # each switch sends to the one that sends next
    assert [hop[2] for hop in pinned.hops] == [hop[0] for hop in (*pinned.hops[1:], pinned.hops[0])]
    assert len(pinned.hops) == 4


def test_spines_of_a_pod_with_a_number_each_make_real_valleys_and_two_lost_cables_a_real_circle() -> None:
    text = {
        "planes": "[a]",
        "rails": "2",
        "units": "{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 2}}",
        "spine": "{model: nvidia-sn5600, platform: sonic, per: pod, count: 2, links: 1, speed: 800G}",
        "superspine": "{model: nvidia-sn5600, wiring: full, count: 2, links: 1, speed: 800G}",
        "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr8, spine-superspine: 40m dr8}",
        "addressing": "{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}",
    }
    pins = "place,asn\n" + "".join(f"a/spine/{n},{4_200_900_000 + n}\n" for n in range(1, 5))
    pinned = graph(Expected(fabric(small(**text, devices="devices.csv"), devices=pins)))
    circle = circle_of_two(pinned, guarded=True)

    assert prove(pinned).valley is not None
    assert circle is not None
    assert {"spine", "superspine"} == {pinned.fabric.devices[sender].place.role for sender, *_ in circle.hops}
    assert circle_of_two(graph(Expected(fabric(small(**text)))), guarded=True) is None


TOLD = """
from deadlock.test_proof import PINS, proved
units = "{su1: {hosts: 2}, su2: {hosts: 2}, su3: {hosts: 2}}"
print(proved(guarded=False, pins=PINS, devices="devices.csv", units=units).valley)
"""


def test_what_is_shown_does_not_depend_on_the_order_of_sets() -> None:
    root = Path(__file__).resolve().parents[2]
    told = {
        subprocess.run(
            [sys.executable, "-c", TOLD],
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{root}:{root / 'tests'}"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }

    assert len(told) == 1


# ── forwarding by hand ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class ByHand:
    """As much of a graph as `waits` looks at: switches a, b, c, …, a port named after where it leads."""

    doors: Mapping[str, Mapping[str, Door]]


def by_hand(*cables: str) -> ByHand:
    """`ab` is a cable between a and b; the port of each is the name of the other."""
    doors: dict[str, dict[str, Door]] = {}
    for a, b in cables:
        for here, there in ((a, b), (b, a)):
            doors.setdefault(here, {})[there] = Door(LinkEnd(device=there, port=here), 800_000, "by hand")
    return ByHand(doors)


def circle(graph_: ByHand, *routes: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The circle of what several tables (switch → next ones) make wait."""
    edges: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for table in routes:
        hops = {name: frozenset(far) for name, far in table.items()}
        for held, wanted in waits(graph_, hops, hops):  # type: ignore[arg-type]
            edges.setdefault(held, set()).add(wanted)
    return shortest_cycle(edges)


LEAVES_AND_SPINES = by_hand("1s", "2s", "3s", "1t", "2t", "3t")


def test_up_and_down_only_is_no_circle() -> None:
    up_down = [{"1": "st", "2": "st", "3": "st", "s": leaf, "t": leaf} for leaf in "123"]

    assert circle(LEAVES_AND_SPINES, *({k: v for k, v in t.items() if k != t["s"]} for t in up_down)) == ()


def test_two_valleys_are_a_circle() -> None:
    # spine s has lost leaf 2 and goes by leaf 3 and spine t; spine t has lost leaf 3 and goes by leaf 2 and spine s
    to_2 = {"1": "s", "s": "3", "3": "t", "t": "2"}
    to_3 = {"1": "t", "t": "2", "2": "s", "s": "3"}

    found = circle(LEAVES_AND_SPINES, to_2, to_3)

    assert set(found) == {("s", "3"), ("3", "t"), ("t", "2"), ("2", "s")}


def test_one_valley_is_none() -> None:
    assert circle(LEAVES_AND_SPINES, {"1": "s", "s": "3", "3": "t", "t": "2"}, {"1": "t", "t": "3", "2": "t"}) == ()


@pytest.mark.parametrize("size", [3, 4, 6])
def test_a_ring_that_goes_round_one_way_is_a_circle(size: int) -> None:
    names = "abcdef"[:size]
    ring = by_hand(*(f"{names[n]}{names[(n + 1) % size]}" for n in range(size)))
    # to each switch two cables clockwise
    tables = [{names[(n - 2) % size]: names[(n - 1) % size], names[(n - 1) % size]: names[n]} for n in range(size)]

    assert len(circle(ring, *tables)) == size
