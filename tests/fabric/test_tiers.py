"""Pods, superspines, rail-only spines and trays: the wiring rules hold, and growth inside a capacity moves nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intent.example import small
from tall import Tall, tall

from fabric.made import fabric, problems
from fabric.test_wiring import facts
from netaudit.fabric import HOST_LEAF, LEAF_SPINE, SPINE_SUPERSPINE, Fabric, FabricDevice
from netaudit.state import LinkEnd

FEW = settings(max_examples=40, deadline=None)
POD = "{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G, per: pod}"
TOP = "{model: nvidia-sn5600, wiring: grouped, count: 4, links: 1, speed: 800G}"
CABLES = "{host-leaf: 3m dac, leaf-spine: 40m dr8, spine-superspine: 90m dr8}"


def role(found: Fabric, name: str) -> list[FabricDevice]:
    return [device for device in found.devices.values() if device.place.role == name]


def pairs(found: Fabric, kind: str) -> Counter[tuple[str, str]]:
    return Counter((link.a.device, link.b.device) for link in found.links() if link.kind == kind)


@given(tall())
@FEW
def test_both_ends_of_every_cable_agree_and_the_lower_one_comes_first(shape: Tall) -> None:
    found = fabric(shape.text())
    ports = {name: found.ports(name) for name in found.devices}
    ends = []
    for link in found.links():
        ends += [link.a, link.b]
        assert link.kind == HOST_LEAF or found.height(link.a.device) < found.height(link.b.device)
        for end, far in ((link.a, link.b), (link.b, link.a)):
            if end.device in ports:
                assert (ports[end.device][end.port].peer, ports[end.device][end.port].kind) == (far, link.kind)
    assert len(ends) == len(set(ends))
    cabled = sum(port.peer is not None for table in ports.values() for port in table.values())
    assert cabled == sum(end.device in ports for end in ends)


@given(tall())
@FEW
def test_a_nic_port_is_on_the_leaf_of_its_plane_unit_and_rail_on_a_port_that_the_host_gives(shape: Tall) -> None:
    """W1 and W2; of a tray the ports of each rail stand together, with room for all hosts of a unit."""
    found = fabric(shape.text())
    of_host: dict[str, list[LinkEnd]] = defaultdict(list)
    at: dict[tuple[int, int], set[str]] = defaultdict(set)
    for link in found.links():
        if link.kind == HOST_LEAF:
            place, host = found.devices[link.b.device].place, found.hosts[link.a.device]
            rail, _, plane = link.a.port.partition("/")
            nth = int(rail[1:]) - place.rail
            assert (plane, host.unit) == (place.plane, place.unit)
            assert 0 <= nth < shape.tray
            of_host[host.name].append(link.b)
            at[nth, host.index].add(link.b.port)
    assert set(of_host) == set(found.hosts)
    for ends in of_host.values():
        assert len(ends) == shape.rails * shape.planes
        assert set(Counter(end.device for end in ends).values()) == {shape.tray}
    assert all(len(ports) == 1 for ports in at.values()), "f(h) is the same for all leaves"
    assert len({next(iter(ports)) for ports in at.values()}) == len(at)


@given(tall())
@FEW
def test_each_leaf_meets_all_spines_of_its_plane_rail_or_pod_and_no_other(shape: Tall) -> None:
    """W3 and W4: no leaf-leaf, no spine-spine, planes are disjoint."""
    found = fabric(shape.text())

    def meets(leaf: FabricDevice, spine: FabricDevice) -> bool:
        group = (spine.place.number - 1) // shape.spines + 1
        own = {"plane": 1, "rail": leaf.place.rail, "pod": shape.pod(int(leaf.place.unit[2:]))}[shape.per]
        return leaf.place.plane == spine.place.plane and group == own

    wanted = {
        (leaf.name, spine.name): shape.links
        for leaf in role(found, "leaf")
        for spine in role(found, "spine")
        if meets(leaf, spine)
    }
    assert pairs(found, LEAF_SPINE) == wanted
    assert all(count == shape.spines for count in Counter(leaf for leaf, _ in wanted).values())


@given(tall(kinds=("pod",)))
@FEW
def test_grouped_a_spine_meets_the_superspines_of_its_number_in_the_pod_and_full_all_of_its_plane(shape: Tall) -> None:
    found = fabric(shape.text())
    room = shape.group_capacity

    def meets(spine: FabricDevice, top: FabricDevice) -> bool:
        nth, group = (spine.place.number - 1) % shape.spines, (top.place.number - 1) // room
        return spine.place.plane == top.place.plane and (shape.wiring == "full" or nth == group)

    tops = role(found, "superspine")
    wanted = {(s.name, t.name): shape.top_links for s in role(found, "spine") for t in tops if meets(s, t)}
    assert pairs(found, SPINE_SUPERSPINE) == wanted
    assert len(tops) == shape.superspines * shape.planes


@given(tall())
@FEW
def test_every_device_of_a_block_meets_all_that_it_hangs_below_in_its_plane(shape: Tall) -> None:
    found = fabric(shape.text())
    for name, to, count, links in shape.blocks:
        assert pairs(found, f"{name}-{to}") == {
            (one.name, other.name): links
            for one in role(found, name)
            for other in role(found, to)
            if one.place.plane == other.place.plane
        }
        assert len(role(found, name)) == count * shape.planes


@given(tall())
@FEW
def test_links_up_stand_on_the_same_ports_everywhere_and_those_of_a_pair_side_by_side(shape: Tall) -> None:
    """W5."""
    found = fabric(shape.text())
    for kind, links in ((LEAF_SPINE, shape.links), (SPINE_SUPERSPINE, shape.top_links)):
        up: dict[str, list[int]] = defaultdict(list)
        both: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        for link in found.links():
            if link.kind == kind:
                up[link.a.device].append(int(link.a.port))
                both[link.a.device, link.b.device].append((int(link.a.port), int(link.b.port)))
        assert len({tuple(sorted(ports)) for ports in up.values()}) <= 1
        for ends in both.values():
            assert len(ends) == links
            for (one, far_one), (two, far_two) in pairwise(sorted(ends, reverse=True)):
                assert (one - two, far_two - far_one) == (1, 1)


@given(tall())
@FEW
def test_no_two_things_share_an_address_or_an_as_number_that_they_may_not_share(shape: Tall) -> None:
    found = fabric(shape.text())
    loopbacks = [text for device in found.devices.values() for text in device.loopbacks]
    assert len(loopbacks) == len(set(loopbacks))
    users: dict[int, set[tuple[object, ...]]] = defaultdict(set)
    for device in found.devices.values():
        place = device.place
        alone = place.role not in ("spine", "superspine")
        group = (place.number - 1) // shape.spines if place.role == "spine" and shape.per != "plane" else 0
        users[device.asn].add((place.plane, place.role, device.name if alone else group))
    assert all(len(found) == 1 for found in users.values())
    assert len(users) == len(set().union(*users.values()))


@given(tall())
@FEW
def test_numbered_links_have_each_a_pair_of_their_own_and_the_lower_end_the_even_address(shape: Tall) -> None:
    found = fabric(replace(shape, numbered=True).text())
    taken: set[str] = set()
    for link in found.links():
        if link.kind == HOST_LEAF:
            continue
        low, high = found.devices[link.a.device], found.devices[link.b.device]
        (one,) = found.addresses(low, found.ports(low.name)[link.a.port])
        (other,) = found.addresses(high, found.ports(high.name)[link.b.port])
        assert other == (one[1], one[0])
        assert int(one[0].split("/")[0].rpartition(".")[2]) % 2 == 0
        assert not taken & set(one)
        taken |= set(one)


def more_units(shape: Tall, draw: Callable[..., object]) -> Tall:
    free = sorted(set(range(1, shape.unit_capacity + 1)) - set(shape.units))
    added = draw(st.sets(st.sampled_from(free)) if free else st.just(set()))
    assert isinstance(added, set)
    return replace(shape, units={**dict.fromkeys(added, shape.host_capacity), **shape.units})


@given(tall(), st.data())
@FEW
def test_growth_inside_the_capacity_moves_nothing(shape: Tall, data: st.DataObject) -> None:
    """Units in old pods and in new ones, hosts, superspines: what was there is as it was."""
    grown = more_units(shape, data.draw)
    grown = replace(
        grown,
        units={number: data.draw(st.integers(hosts, shape.host_capacity)) for number, hosts in grown.units.items()},
        group=data.draw(st.integers(shape.group, shape.group_capacity)),
    )
    before, after = facts(fabric(shape.text())), facts(fabric(grown.text()))
    assert {key: after.get(key) for key in before} == before


THREE: Mapping[str, tuple[str, int, tuple[str, ...]]] = {
    # 2 planes of 2 rails, pods of 2 units: ASN = base + plane × 1,000,000 + tier × 100,000 + n. A /16 in two slices is
    # two /17, a quarter of which is 8,192 addresses = 32 × 256
    "a-su3-r2-leaf": ("a/su3/r2", 4200000005, ("10.255.0.6/32", "fd00:ff::6/128")),
    "a-spine4": ("a/spine/4", 4200100002, ("10.255.32.4/32", "fd00:ff:0:2000::4/128")),
    "b-spine1": ("b/spine/1", 4201100001, ("10.255.160.1/32", "fd00:ff:0:a000::1/128")),
    "a-ss4": ("a/superspine/4", 4200200000, ("10.255.64.4/32", "fd00:ff:0:4000::4/128")),
}
PORTS: Mapping[str, str] = {
    # su3 is the first of pod 2: its leaves have places 0 and 1 on the spines of that pod, 3 and 4
    "a-su3-r1-leaf:64": "a-spine3:1",
    "a-su3-r2-leaf:63": "a-spine4:2",
    "a-su4-r1-leaf:64": "a-spine3:3",
    # spine 1 of each pod meets superspines 1 and 2, pod p on their port p; spine 2 meets 3 and 4
    "a-spine1:64": "a-ss1:1",
    "a-spine1:63": "a-ss2:1",
    "a-spine3:64": "a-ss1:2",
    "a-spine4:64": "a-ss3:2",
    "b-spine2:63": "b-ss4:1",
}


@pytest.fixture(scope="module")
def three() -> Fabric:
    units = "{su1: {hosts: 2, pod: 1}, su2: {hosts: 2, pod: 1}, su3: {hosts: 2, pod: 2}, su4: {hosts: 2, pod: 2}}"
    return fabric(small(units=units, spine=POD, superspine=TOP, cables=CABLES))


@pytest.mark.parametrize(("name", "wanted"), THREE.items(), ids=THREE)
def test_numbers_of_a_device_in_three_tiers(three: Fabric, name: str, wanted: tuple[str, int, tuple[str, ...]]) -> None:
    device = three.devices[name]
    assert (str(device.place), device.asn, device.loopbacks) == wanted


@pytest.mark.parametrize(("end", "far"), PORTS.items(), ids=PORTS)
def test_cables_in_three_tiers(three: Fabric, end: str, far: str) -> None:
    name, _, port = end.partition(":")
    assert str(three.ports(name)[port].peer) == far


def test_a_tray_serves_several_rails_and_has_the_first_of_them_in_its_name() -> None:
    found = fabric(small(planes="[a]", rails="8", leaf="{model: nvidia-sn5600, platform: sonic, rails: 4}"))
    assert [d.name for d in role(found, "leaf")] == ["a-su1-r1-leaf", "a-su1-r5-leaf"]
    ports = found.ports("a-su1-r5-leaf")
    # room for 2 hosts each: rail 5 on ports 1 and 2, rail 6 on 3 and 4, two a cage
    assert [str(ports[key].peer) for key in ("1/1", "1/2", "2/1", "4/2")] == [
        "su1-h1:r5/a", "su1-h2:r5/a", "su1-h1:r6/a", "su1-h2:r8/a",
    ]  # fmt: skip
    assert found.devices["a-su1-r5-leaf"].asn == 4200000001
    assert found.devices["a-su1-r5-leaf"].blocks == ("10.0.0.16/28",)  # 8 links are 16 addresses


def test_rail_only_spines_count_through_the_rails_and_have_the_rail_for_an_as_number() -> None:
    rail = "{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G, per: rail}"
    found = fabric(small(planes="[a]", units="{su1: {hosts: 2}, su2: {hosts: 2}}", spine=rail))
    assert {d.name: d.asn for d in role(found, "spine")} == {
        "a-spine1": 4200100001, "a-spine2": 4200100001, "a-spine3": 4200100002, "a-spine4": 4200100002,
    }  # fmt: skip
    assert str(found.ports("a-spine3")["2"].peer) == "a-su2-r2-leaf:64"
    assert found.ports("a-spine3")["3"].peer is None


def test_pods_whose_places_are_not_said_get_as_few_as_do() -> None:
    """su1 and su3 in pod 1, su2 and su4 in pod 2: with two places both of a pod would have the same."""
    units = "{su1: {hosts: 2, pod: 1}, su2: {hosts: 2, pod: 2}, su3: {hosts: 2, pod: 1}, su4: {hosts: 2, pod: 2}}"
    found = fabric(small(planes="[a]", units=units, spine=POD, superspine=TOP, cables=CABLES))
    assert str(found.ports("a-spine1")["1"].peer) == "a-su1-r1-leaf:64"
    assert str(found.ports("a-spine1")["5"].peer) == "a-su3-r1-leaf:64"
    assert str(found.ports("a-spine3")["3"].peer) == "a-su2-r1-leaf:64"


def test_a_spine_that_cannot_have_ports_for_every_unit_asks_how_many_a_pod_has() -> None:
    units = "{su1: {hosts: 2, pod: 1}, su40: {hosts: 2, pod: 2}}"
    text = small(units=units, capacity="{units: 40}", spine=POD, superspine=TOP, cables=CABLES)
    assert [d.hint for d in problems(text)] == [
        "a spine needs 80 leaf-spine at 800G, 2 spine-superspine at 800G; `capacity: {pod_units: …}` says how many "
        "units a pod has"
    ]
    assert problems(text.replace("{units: 40}", "{units: 40, pod_units: 8}")) == ()


def test_superspines_of_a_plane_must_not_all_be_retired() -> None:
    text = small(
        units="{su1: {hosts: 2, pod: 1}}", spine=POD, superspine=TOP, cables=CABLES, devices="devices.csv", planes="[a]"
    )
    rows = "place,status\n" + "".join(f"a/superspine/{n},retired\n" for n in range(1, 5))
    assert [d.message for d in problems(text, devices=rows)] == ["every superspine of plane a is retired"]


def test_two_pods_may_not_share_the_as_number_of_their_spines() -> None:
    """A leaf of one would take paths through the other for a loop: [pod super pod' leaf] holds it twice."""
    units = "{su1: {hosts: 2, pod: 1}, su2: {hosts: 2, pod: 2}}"
    text = small(units=units, spine=POD, superspine=TOP, cables=CABLES, devices="devices.csv", planes="[a]")
    rows = "place,asn\n" + "".join(f"a/spine/{n},65001\n" for n in range(1, 5))
    assert {d.message for d in problems(text, devices=rows)} == {
        "ASN 65001 is that of a-spine1 and a-spine3", "ASN 65001 is that of a-spine1 and a-spine4",
    }  # fmt: skip
