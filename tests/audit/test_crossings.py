"""Plugs in each other's places: each mistake is one finding, and says the fewest plugs to move."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.world import Fault, audited, dark, far_of, link_at, moved, session_down, setting, swapped, told, two_plane
from netaudit.audit.causes.blocks import Block, blocks
from netaudit.audit.causes.crossings import Crossing, crossings
from netaudit.audit.findings import AuditResult, Finding
from netaudit.state import ABSENT, Failures, Link, LinkEnd, LldpNeighbor, Store

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
HOSTS = ("1/1", "1/2", "2/1", "2/2")


def only(result: AuditResult) -> Finding:
    assert len(result.findings) == 1, [(f.rule, f.title) for f in result.findings]
    return result.findings[0]


def permuted(device: str, places: Mapping[str, str]) -> Fault:
    """The plugs of a device elsewhere: that of the value is at the key."""
    return moved({f"{device}:{here}": f"{device}:{planned}" for here, planned in places.items()})


def turned(ports: tuple[str, ...], by: int) -> dict[str, str]:
    return {port: ports[(number - by) % len(ports)] for number, port in enumerate(ports)}


def test_a_block_of_ports_that_went_round_by_one_is_one_finding_with_as_many_moves_as_plugs() -> None:
    finding = only(audited(permuted(LEAF, turned(HOSTS, 1))))
    assert finding.rule == "CAB-02"
    assert finding.title == f"4 cables of {LEAF} went round by 1 port, from 1/1 on"
    assert finding.instruction.count("→") == 4


def test_a_block_that_went_round_by_two_is_one_finding_although_it_is_two_swaps() -> None:
    finding = only(audited(permuted(SPINE, turned(("1", "2", "3", "4"), 2))))
    assert finding.title == f"4 cables of {SPINE} went round by 2 ports, from 1 on"
    assert len(finding.objects) == 4


def test_two_swaps_side_by_side_stay_two_findings() -> None:
    result = audited(permuted(LEAF, {"1/1": "1/2", "1/2": "1/1", "2/1": "2/2", "2/2": "2/1"}))
    assert [f.instruction for f in result.findings] == [
        f"swap the plugs at {LEAF}:1/1 and {LEAF}:1/2",
        f"swap the plugs at {LEAF}:2/1 and {LEAF}:2/2",
    ]


PLUGS = {
    "uplinks of both tiers": [str(k.b) for k in two_plane().links if k.kind == "leaf-spine" and k.b.device[:1] == "a"],
    "hosts of all leaves": [str(k.b) for k in two_plane().links if k.kind == "host-leaf"],
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", PLUGS)
def test_any_plugs_in_each_others_places_are_told_with_one_move_for_each_wrong_cable(kind: str, seed: int) -> None:
    chance = Random(seed)
    chosen = chance.sample(PLUGS[kind], 5)
    shuffled = chance.sample(chosen, 5)
    places = {here: planned for here, planned in zip(chosen, shuffled, strict=True) if here != planned}
    result = audited(moved(places))
    assert {f.rule for f in result.findings} == {"CAB-02"}
    assert sum(f.instruction.count("→") or 2 for f in result.findings) == len(places)


# Breakouts, by their ends alone: spine ports `cage/lane`, each to a leaf of its own


def found_in(order: Mapping[str, str]) -> list[Block]:
    """The blocks where the plug that belongs in the value is in the key, all on one spine with 2 cages of 4 lanes."""
    ports = [f"{cage}/{lane}" for cage in (1, 2) for lane in (1, 2, 3, 4)]
    upper = {port: LinkEnd(device="spine", port=port) for port in ports}
    lower = {port: LinkEnd(device=f"leaf{number}", port="9") for number, port in enumerate(ports)}
    links = {end: Link(a=lower[p], b=upper[p]) for p in ports for end in (lower[p], upper[p])}
    heard = {lower[planned]: upper[here] for here, planned in order.items() if here != planned}
    numbered = {"spine": {port: number for number, port in enumerate(ports)}}
    return blocks(
        crossings(links, heard),
        lambda one: next(side for side in one.sides if side[0].device == "spine"),
        lambda device: numbered.get(device, {}),
    )


LANES = ("1/1", "1/2", "1/3", "1/4")
BREAKOUTS = {
    "turned by one lane": (turned(LANES, 1), "The 4 lanes of spine:1 are in another order than planned"),
    "turned by two lanes": (turned(LANES, 2), "The 4 lanes of spine:1 are in another order than planned"),
    "the other way round": (
        dict(zip(LANES, reversed(LANES), strict=True)),
        "The 4 lanes of spine:1 are in another order than planned",
    ),
    "two modules exchanged": (
        {f"{here}/{lane}": f"{3 - here}/{lane}" for here in (1, 2) for lane in (1, 2, 3, 4)},
        "The modules at spine:1 and spine:2 are swapped, with all their lanes",
    ),
}


@pytest.mark.parametrize(("order", "words"), BREAKOUTS.values(), ids=BREAKOUTS)
def test_a_breakout_in_another_order_is_one_mistake(order: Mapping[str, str], words: str) -> None:
    (block,) = found_in(order)
    assert block.words == words
    assert len(block.moves) == len(order)


def test_lanes_of_two_modules_in_another_order_are_two_mistakes() -> None:
    order = turned(LANES, 1) | turned(("2/1", "2/2", "2/3", "2/4"), 3)
    assert len(found_in(order)) == 2


def plugged(places: Mapping[str, str], *loose: str) -> list[Fault]:
    """Plugs of a spine in other ports of it, some where nothing is planned; ports that have no plug now are dark."""
    expected, faults = two_plane(), []
    for here, planned in places.items():
        leaf = far_of(f"{SPINE}:{planned}")
        alias = expected.built.layouts["spine"].ports[here].alias
        faults.append(
            setting(leaf.device, f"lldp.neighbors.{leaf.port}", LldpNeighbor(system=SPINE, port=alias), Store.STATE)
        )
        name = expected.built.layouts["leaf"].ports[leaf.port].alias
        faults.append(
            setting(SPINE, f"lldp.neighbors.{here}", LldpNeighbor(system=leaf.device, port=name), Store.STATE)
        )
    ends = [LinkEnd(device=SPINE, port=port) for port in places.values() if port not in places]
    ends += [far_of(f"{SPINE}:{port}") for port in loose] + [
        LinkEnd(device=SPINE, port=p) for p in loose if p not in places
    ]
    return [*faults, *(dark(end) for end in dict.fromkeys(ends))]


def without_routes(result: AuditResult) -> list[tuple[str, str, str]]:
    """Findings on cables: these worlds keep the routes of the plan."""
    return [(f.rule, f.title, f.instruction) for f in result.findings if not f.rule.startswith("RIB")]


def test_a_plug_in_a_spare_port_is_one_finding_that_says_where_it_belongs() -> None:
    faults = plugged({"60": "1"})
    assert without_routes(audited(*faults)) == [
        (
            "CAB-01",
            f"The cable of {LEAF}:64 is plugged in at {SPINE}:60, which is spare",
            f"move the plug from {SPINE}:60 to {SPINE}:1",
        )
    ]


def _chain(first: int, last: int, by: int) -> dict[str, str]:
    return {str(port + by): str(port) for port in range(first, last + 1)}


PORTS = tuple(two_plane().built.layouts["spine"].ports)


def last_in_use() -> int:
    used = [end for end in two_plane().links if end.b.device == SPINE]
    return max(int(link.b.port) for link in used)


@pytest.mark.parametrize("by", [1, 2, 3])
def test_ports_moved_by_n_into_spare_ones_are_one_finding(by: int) -> None:
    end = last_in_use()
    used = [int(link.b.port) for link in two_plane().links if link.b.device == SPINE]
    count = len([port for port in used if port > end - 4])
    rows = without_routes(audited(*plugged({str(p + by): str(p) for p in used if p > end - 4})))
    assert len(rows) == 1, rows
    rule, title, instruction = rows[0]
    assert rule == "CAB-02"
    assert title.startswith(f"{count} cables of {SPINE} are plugged {by} port")
    assert instruction.count("→") == count


def test_the_last_plug_of_a_moved_block_is_in_a_port_that_is_shut_and_no_second_finding() -> None:
    end = last_in_use()
    places = {str(port + 1): str(port) for port in range(end - 3, end)}
    rows = without_routes(audited(*plugged(places, str(end))))
    assert [rule for rule, _, _ in rows] == ["CAB-02"]
    assert rows[0][2].endswith(f"will be in {SPINE}:{end + 1}, which is shut")


LOST = {
    "a stranger": (LldpNeighbor(system="printer", port="1"), "CAB-04"),
    "a switch of ours that sends its MAC address": (
        LldpNeighbor(system="a-spine2", port="02:00:00:aa:bb:01"),
        "CAB-01",
    ),
}


@pytest.mark.parametrize(("neighbor", "rule"), LOST.values(), ids=LOST)
def test_a_cable_that_leads_elsewhere_and_the_port_that_is_dark_for_it_are_one_finding(
    neighbor: LldpNeighbor, rule: str
) -> None:
    here = setting(LEAF, "lldp.neighbors.64", neighbor, Store.STATE)
    gone = Fault(failures=Failures(links=frozenset({link_at(f"{LEAF}:64")})))
    finding = only(audited(here, dark(LinkEnd(device=SPINE, port="1")), session_down(f"{LEAF}:64"), gone))
    assert (finding.rule, finding.object) == (rule, f"{LEAF}:64")
    assert finding.title.endswith(f"not to {SPINE}:1")


def test_a_stale_word_of_one_end_is_no_moved_cable() -> None:
    """The leaf says another port of the spine; both ports of the spine hear whom they should."""
    stale = setting(LEAF, "lldp.neighbors.64", LldpNeighbor(system=SPINE, port="etp2"), Store.STATE)
    assert told(audited(stale)) == [("CAB-01", f"{LEAF}:64")]


def test_silence_beside_a_swap_is_told_apart_from_it() -> None:
    """The spine's LLDP is heard, it hears nobody on one of both ports: the swap is seen from the leaf."""
    deaf = setting(SPINE, "lldp.neighbors.1", ABSENT, Store.STATE)
    finding = only(audited(swapped(f"{LEAF}:64", f"{LEAF}:63"), deaf))
    assert finding.title.endswith("are swapped")


def test_an_ifindex_of_the_planned_switch_is_not_verifiable_and_no_wrong_cable() -> None:
    result = audited(setting(LEAF, "lldp.neighbors.64", LldpNeighbor(system=SPINE, port="517"), Store.STATE))
    assert told(result) == []
    assert f"{LEAF}:64" in [place for one in result.unverifiable for place in one.where]


def test_an_ifindex_is_not_taken_for_the_number_of_a_cage() -> None:
    """`2` is cage 2 in the model's names; of a switch that sends SNMP's index it is any port."""
    result = audited(setting(LEAF, "lldp.neighbors.64", LldpNeighbor(system=SPINE, port="2"), Store.STATE))
    assert told(result) == []


def test_an_ifindex_of_another_switch_is_a_wrong_cable() -> None:
    result = audited(setting(LEAF, "lldp.neighbors.64", LldpNeighbor(system="a-spine2", port="517"), Store.STATE))
    assert told(result) == [("CAB-01", f"{LEAF}:64")]


# The structure itself, on any permutation

COUNT = 9
LOWER = [LinkEnd(device=f"leaf{n}", port="1") for n in range(COUNT)]
UPPER = [LinkEnd(device="spine", port=str(n)) for n in range(COUNT)]
LINKS = {end: Link(a=a, b=b) for a, b in zip(LOWER, UPPER, strict=True) for end in (a, b)}


def _cycles(order: list[int]) -> int:
    left, count = {n for n, m in enumerate(order) if n != m}, 0
    while left:
        at, count = left.pop(), count + 1
        while (at := order[at]) in left:
            left.remove(at)
    return count


@given(st.permutations(range(COUNT)), st.booleans())
def test_moves_are_as_few_as_wrong_cables_and_set_all_right(order: list[int], both: bool) -> None:
    heard = {LOWER[n]: UPPER[m] for n, m in enumerate(order) if n != m}
    heard |= {there: end for end, there in heard.items()} if both else {}
    found = crossings(LINKS, heard)
    assert len(found) == _cycles(order)
    assert all(one.ring for one in found)
    plugs = {UPPER[m]: LOWER[n] for n, m in enumerate(order)}
    for one in found:
        side = next(side for side in one.sides if side[0] in UPPER)
        moves = one.moves(side)
        assert len(moves) == len(one.links)
        hand = plugs.pop(moves[0].home)  # the first place is taken: its plug is pulled
        for move in moves:
            assert move.home not in plugs
            plugs[move.home] = hand if move is moves[-1] else plugs.pop(move.here)
    assert plugs == dict(zip(UPPER, LOWER, strict=True))


@given(st.integers(1, COUNT - 1), st.integers(1, 3))
def test_a_chain_is_set_right_plug_by_plug_without_pulling_one(count: int, by: int) -> None:
    heard = {LOWER[n]: LinkEnd(device="spine", port=str(n + by)) for n in range(COUNT - count, COUNT)}
    found: list[Crossing] = crossings(LINKS, heard)
    taken = set(heard.values())
    for one in found:
        assert not one.ring
        for move in one.moves(next(side for side in one.sides if side[0].device == "spine")):
            assert move.home not in taken
            taken.remove(move.here)
            taken.add(move.home)
    assert len(taken) == count
    assert {end.port for end in taken} == {str(n) for n in range(COUNT - count, COUNT)}
