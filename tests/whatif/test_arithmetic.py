"""What is left, row by row of topology.md section 7, and against the plain arithmetic of every cable and every leaf."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from fabric.made import fabric
from hypothesis import given, settings
from hypothesis import strategies as st
from intent.example import small
from tall import Tall, tall

from netaudit.expect import Expected
from netaudit.expect.rib import Tables
from netaudit.fabric import HOST_LEAF
from netaudit.state import Failures
from netaudit.whatif import KINDS, Event, Graph, Outcome, Study, graph, named
from netaudit.whatif.events import of_links, of_plane, of_switch, str_of


def study(
    planes: str = "[a]", hosts: int = 8, spines: int = 4, links: int = 2, speed: str = "800G", nic: str = "400G"
) -> Study:
    """Two units of two rails."""
    text = small(
        planes=planes,
        rails="2",
        units=f"{{su1: {{hosts: {hosts}}}, su2: {{hosts: {hosts}}}}}",
        hosts=f"{{nic: cx8, speed: {nic}}}",
        spine=f"{{model: nvidia-sn5600, platform: sonic, count: {spines}, links: {links}, speed: {speed}}}",
        addressing="{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}",
    )
    return Study(graph(Expected(fabric(text))))


def swept(what: Study) -> Mapping[tuple[str, str], Outcome]:
    """(kind, what of it) → outcome, of a fabric in which all of a kind are alike."""
    return {(o.event.kind, o.event.what): o for o in what.sweep(KINDS)}


# 50 × 400G over 8 × 4 × 800G: o = 0.78125, the wiring of topology.md section 1 (SAKURAONE).
SAKURA = {"hosts": 50, "spines": 8, "links": 4}
OVER = 50 * 400 / (8 * 4 * 800)


@pytest.mark.parametrize(
    ("given_", "event", "left"),
    [
        pytest.param({"planes": "[a]"}, ("plane", "plane"), 0, id="the only plane lost"),
        pytest.param({"planes": "[a, b]"}, ("plane", "plane"), 1 / 2, id="one of two planes lost"),
        pytest.param(SAKURA, ("switch", "spine"), 1.0, id="one of eight spines, o = 0.78: no loss"),
        pytest.param({"hosts": 32, "links": 4}, ("switch", "spine"), 3 / 4, id="one of four spines, o = 1"),
        pytest.param({"hosts": 48, "links": 4}, ("switch", "spine"), 3 / 4 / 1.5, id="one of four spines, o = 1.5"),
        pytest.param({"planes": "[a]"}, ("switch", "leaf"), 0, id="a leaf of the only plane"),
        pytest.param({"planes": "[a, b]"}, ("switch", "leaf"), 1 / 2, id="a leaf of one of two planes"),
        pytest.param(SAKURA, ("link", "leaf-spine"), 3 / 4 / OVER, id="one of four parallel links, towards the leaf"),
        pytest.param({"planes": "[a, b]"}, ("link", HOST_LEAF), 1 / 2, id="a host link of one of two planes"),
        pytest.param({"planes": "[a]"}, ("link", HOST_LEAF), 0, id="the only link of a NIC"),
    ],
)
def test_a_single_failure_leaves_what_topology_md_section_7_says(
    given_: Mapping[str, object], event: tuple[str, str], left: float
) -> None:
    outcome = swept(study(**given_))[event]  # type: ignore[arg-type]

    assert outcome.capacity == pytest.approx(min(1.0, left), abs=1e-9)


def test_two_of_eight_spines_leave_96_percent_at_o_078() -> None:
    outcome = next(o for o in study(**SAKURA).pairs("spine", "spine"))

    assert outcome.capacity == pytest.approx(0.75 / OVER, abs=1e-9)
    assert outcome.event.count == 8 * 7 // 2


def test_a_spine_that_is_the_only_way_cuts_every_leaf_off() -> None:
    outcome = swept(study(spines=1, links=4))["switch", "spine"]

    assert (outcome.capacity, outcome.paths, outcome.apart) == (0, 0, 4 * 3)


def test_one_module_of_a_spine_carries_two_cables_and_both_are_lost() -> None:
    found = study(planes="[a, b]", hosts=8, spines=4, links=2, speed="400G")
    modules = [o for o in found.sweep(("module",)) if o.event.what == "leaf-spine"]

    assert {len(o.event.links) for o in modules} == {2}
    assert all(len({link.a.device for link in o.event.links}) == 1 for o in modules)


def test_what_is_named_together_fails_together() -> None:
    found = study(planes="[a, b]")

    outcome = found.outcome(named(found.graph, ("plane=a", "b-su1-r1-leaf:1/1")))

    assert outcome.cut_count == 1
    assert outcome.cut == ("su1-h1:r1",)
    assert outcome.capacity == 0


# ── against every cable and every leaf, without classes ──────────────────────────────────────────────────────────────


def plain(graph_: Graph, event: Event) -> float:
    """The worst pair of host ports by adding up every path of every leaf in every plane."""
    planes = graph_.planes
    share: dict[tuple[str, str, str], float] = {}
    designed = Tables(graph_.expected.wide, Failures())
    meant = {
        (source, target)
        for target in graph_.sent_mbps
        for source in designed.toward(graph_.fabric.devices[target].blocks[0]).keys() & graph_.sent_mbps.keys()
        if source != target
    }
    for plane in planes:
        failures = Failures(links=event.links, devices=event.devices)
        tables = Tables(graph_.expected.wide, failures)
        leaves = [n for n in graph_.sent_mbps if graph_.plane(n) == plane and n not in event.devices]
        used: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
        for source in leaves:
            total = sum(graph_.sent_mbps[target] for target in leaves if (source, target) in meant)
            for target in leaves:
                if (source, target) in meant:
                    rate = graph_.sent_mbps[source] * graph_.sent_mbps[target] / total
                    used[source, target] = walk(graph_, tables, source, target, rate)
        load: dict[tuple[str, str], float] = {}
        for cables in used.values():
            for cable, mbps in cables.items():
                load[cable] = load.get(cable, 0.0) + mbps
        for (source, target), cables in used.items():
            here, there = place(graph_, source), place(graph_, target)
            narrow = [min(1.0, graph_.doors[d][p].speed_mbps / load[d, p]) for d, p in cables]
            share[plane, here, there] = min(narrow, default=0.0)
    places = sorted({place(graph_, leaf) for leaf in graph_.sent_mbps})
    talk = {(place(graph_, source), place(graph_, target)) for source, target in meant}
    pairs = [sum(share.get((p, one, other), 0.0) for p in planes) / len(planes) for one, other in talk]
    # a leaf that nobody talks to still carries what its own hosts send each other
    alone = [here for here in places if all(here != one for one, _ in talk)]
    dead = {(graph_.plane(name), place(graph_, name)) for name in event.devices & graph_.sent_mbps.keys()}
    pairs += [sum((plane, here) not in dead for plane in planes) / len(planes) for here in alone]
    for nic in event.nics:
        spot = place_of_nic(graph_, nic.device, nic.port)
        lost = {n.port.partition("/")[2] for n in event.nics if n.device == nic.device and same_nic(n.port, nic.port)}
        left = [plane for plane in planes if plane not in lost]
        others = [other for one, other in talk if one == spot]
        pairs += [sum(share.get((plane, spot, other), 0.0) for plane in left) / len(planes) for other in others]
        pairs += [] if others else [len(left) / len(planes)]  # nobody to talk to but those on its own leaf
    return min(pairs, default=1.0)


def walk(graph_: Graph, tables: Tables, source: str, target: str, rate: float) -> dict[tuple[str, str], float]:
    """Cables that a flow takes and how much of it; empty where there is no route."""
    table = tables.toward(graph_.fabric.devices[target].blocks[0])
    if source not in table:
        return {}
    taken: dict[tuple[str, str], float] = {}
    held = [(source, rate)]
    while held:
        device, mbps = held.pop()
        hops = table[device].hops
        for port in hops:
            taken[device, port] = taken.get((device, port), 0.0) + mbps / len(hops)
            held.append((graph_.doors[device][port].peer.device, mbps / len(hops)))
    return taken


def place(graph_: Graph, leaf: str) -> str:
    where = graph_.fabric.devices[leaf].place
    return f"{where.unit}/{where.rail}"


def place_of_nic(graph_: Graph, host: str, port: str) -> str:
    rail = int(port.partition("/")[0].removeprefix("r"))
    leaf_rails = graph_.fabric.intent.model.leaf.rails
    return f"{graph_.fabric.hosts[host].unit}/{rail - (rail - 1) % leaf_rails}"


def same_nic(one: str, other: str) -> bool:
    return one.partition("/")[0] == other.partition("/")[0]


def every(graph_: Graph) -> list[Event]:
    """Each single failure on its own."""
    links = [of_links(graph_, "link", str_of(link), (link,)) for link in graph_.cables]
    modules = [of_links(graph_, "module", str(cage), cables) for cage, cables in graph_.modules()]
    planes = [of_plane(graph_, plane) for plane in graph_.planes]
    return [*links, *modules, *(of_switch(graph_, name) for name in graph_.doors), *planes]


@st.composite
def little(draw: st.DrawFn) -> Graph:
    """A fabric of few switches: the plain way adds up every pair over every cable."""
    units = ", ".join(f"su{n}: {{hosts: {draw(st.integers(1, 3))}}}" for n in range(1, draw(st.integers(1, 2)) + 1))
    spine = f"count: {draw(st.integers(1, 3))}, links: {draw(st.integers(1, 2))}, speed: 400G"
    text = small(
        planes=draw(st.sampled_from(["[a]", "[a, b]"])),
        rails=str(draw(st.integers(1, 2))),
        units=f"{{{units}}}",
        spine=f"{{model: nvidia-sn5600, platform: sonic, {spine}}}",
        addressing="{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}",
    )
    return graph(Expected(fabric(text)))


# Two pods of two units, one rail of 8 hosts with 400G: 3.2 Tbit/s a leaf, and as much in its links up (o = 1).
POD_UNITS = "{su1: {hosts: 8, pod: 1}, su2: {hosts: 8, pod: 1}, su3: {hosts: 8, pod: 2}, su4: {hosts: 8, pod: 2}}"


def pods(wiring: str, count: int, links: int, spines: int = 2) -> Mapping[tuple[str, str], Outcome]:
    """What each single failure leaves; `spines` of each pod have 3.2/spines Tbit/s to each leaf, or more."""
    text = small(
        planes="[a]",
        rails="1",
        units=POD_UNITS,
        spine=f"{{model: nvidia-sn5600, platform: sonic, per: pod, count: {spines}, links: 2, speed: 800G}}",
        superspine=f"{{model: nvidia-sn5600, wiring: {wiring}, count: {count}, links: {links}, speed: 800G}}",
        cables="{host-leaf: 3m dac, leaf-spine: 40m dr8, spine-superspine: 40m dr8}",
        addressing="{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}",
    )
    return swept(Study(graph(Expected(fabric(text)))))


def crossing(spines: int, up_links: int) -> float:
    """Oversubscription of a spine upwards: of each leaf's traffic, two of three other leaves are in the other pod."""
    return 2 * 3200 * 2 / 3 / spines / (up_links * 800)


@pytest.mark.parametrize(
    ("wiring", "count", "links", "left"),
    [
        # grouped: the spine of the group has g - 1 of its g superspines
        pytest.param("grouped", 4, 1, 1 / 2 / crossing(2, 2), id="grouped, g = 2: (g-1)/g, oversubscribed"),
        pytest.param("grouped", 8, 1, 3 / 4 / crossing(2, 4), id="grouped, g = 4: (g-1)/g"),
        pytest.param("grouped", 4, 2, 1 / 2 / crossing(2, 4), id="grouped, g = 2, two links to each"),
        # g = 1: the spine has no way to other pods. What goes there, 2/3, takes the leaf's links to the other spine,
        # 1 of s = 2, beside half of the rest
        pytest.param("grouped", 2, 4, 1 / 2 / (2 / 3 + 1 / 3 / 2), id="grouped, g = 1: (s-1)/s of the leaf's links"),
        pytest.param("full", 2, 1, 1 / 2 / crossing(2, 2), id="full, X = 2: (X-1)/X"),
        pytest.param("full", 4, 1, 3 / 4 / crossing(2, 4), id="full, X = 4: (X-1)/X"),
        pytest.param("full", 4, 2, 3 / 4 / crossing(2, 8), id="full, X = 4, twice as wide: no loss"),
    ],
)
def test_a_superspine_lost_leaves_what_topology_md_section_7_says(
    wiring: str, count: int, links: int, left: float
) -> None:
    outcome = pods(wiring, count, links)["switch", "superspine"]

    assert outcome.capacity == pytest.approx(min(1.0, left), abs=1e-9)
    assert (outcome.apart, outcome.event.count) == (0, count)


def test_a_superspine_that_is_the_only_one_parts_the_pods() -> None:
    outcome = pods("full", 1, 4)["switch", "superspine"]

    # four leaves, each with two in the other pod
    assert (outcome.capacity, outcome.apart) == (0, 4 * 2)


def rail_only() -> Study:
    """Two rails, whose leaves meet at spines of their own: o = 1."""
    text = small(
        planes="[a]",
        rails="2",
        units="{su1: {hosts: 8}, su2: {hosts: 8}, su3: {hosts: 8}}",
        spine="{model: nvidia-sn5600, platform: sonic, per: rail, count: 2, links: 2, speed: 800G}",
        addressing="{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}",
    )
    return Study(graph(Expected(fabric(text))))


def test_rails_that_are_not_meant_to_reach_each_other_are_no_loss() -> None:
    found = swept(rail_only())

    assert all(outcome.apart == 0 for outcome in found.values())
    assert found["switch", "spine"].capacity == pytest.approx(1 / 2, abs=1e-9)
    assert found["link", "leaf-spine"].capacity == pytest.approx(1 / 2, abs=1e-9)


def test_a_rail_that_loses_a_spine_leaves_the_other_rail_alone() -> None:
    outcome = swept(rail_only())["switch", "spine"]

    assert outcome.rails == {("a", 1): pytest.approx(1 / 2), ("a", 2): 1.0}


@settings(max_examples=15, deadline=None)
@given(wired=little())
def test_working_out_one_of_what_is_alike_misses_nothing(wired: Graph) -> None:
    found = list(Study(wired).sweep(KINDS))

    each = [round(plain(wired, event), 6) for event in every(wired)]
    assert sum(o.event.count for o in found) == len(each)
    told = sorted(round(o.capacity, 6) for o in found for _ in range(o.event.count))
    assert told == pytest.approx(sorted(each), abs=2e-6)


@settings(max_examples=10, deadline=None)
@given(drawn=tall().filter(lambda drawn: drawn.planes < 3 and len(drawn.units) * drawn.rails <= 8))
def test_nor_does_it_in_fabrics_of_pods_rails_trays_and_blocks(drawn: Tall) -> None:
    wired = graph(Expected(fabric(drawn.text())))
    found = list(Study(wired).sweep(KINDS))

    each = [round(plain(wired, event), 6) for event in every(wired)]
    assert sum(o.event.count for o in found) == len(each)
    told = sorted(round(o.capacity, 6) for o in found for _ in range(o.event.count))
    assert told == pytest.approx(sorted(each), abs=2e-6)


@settings(max_examples=15, deadline=None)
@given(wired=little())
def test_working_out_one_pair_of_what_is_alike_misses_nothing(wired: Graph) -> None:
    found = list(Study(wired).pairs("switch", "switch"))

    each = [plain(wired, one | other) for one, other in combinations([of_switch(wired, n) for n in wired.doors], 2)]
    assert sum(o.event.count for o in found) == len(each)
    told = sorted(o.capacity for o in found for _ in range(o.event.count))
    assert told == pytest.approx(sorted(each), abs=2e-6)
