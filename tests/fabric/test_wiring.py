"""The wiring rules of topology.md section 2 hold for every fabric, and growth inside the capacity moves nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_interface, ip_network
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Shape, shapes

from fabric.made import drawn
from netaudit.fabric import HOST_LEAF, LEAF_SPINE, Fabric
from netaudit.fabric.addressing import plane_slice
from netaudit.state import LinkEnd

FEW = settings(max_examples=25)


def facts(fabric: Fabric) -> Mapping[str, tuple[object, ...]]:
    """Every number and cable of a fabric, by what it is of."""
    found: dict[str, tuple[object, ...]] = {}
    for name, device in fabric.devices.items():
        found[f"device {name}"] = (device.place, device.asn, device.loopbacks, device.router_id, device.blocks)
        for key, port in fabric.ports(name).items():
            found[f"port {name}:{key}"] = (port.native, port.alias, port.lanes, port.speed_mbps, port.mode)
    for link in fabric.links():
        found[f"link {link.a}"] = (link.b, link.kind)
    return found


@given(shapes())
@FEW
def test_both_ends_of_every_cable_agree(shape: Shape) -> None:
    fabric = drawn(shape)
    ports = {name: fabric.ports(name) for name in fabric.devices}
    for link in fabric.links():
        for end, far in ((link.a, link.b), (link.b, link.a)):
            if end.device in ports:
                assert ports[end.device][end.port].peer == far
                assert ports[end.device][end.port].kind == link.kind
    cabled = sum(port.peer is not None for table in ports.values() for port in table.values())
    ends = [end for link in fabric.links() for end in (link.a, link.b)]
    assert len(ends) == len(set(ends))
    assert cabled == sum(end.device in ports for end in ends)


@given(shapes())
@FEW
def test_a_nic_port_goes_to_the_leaf_of_its_plane_unit_and_rail_on_the_same_port_everywhere(shape: Shape) -> None:
    """W1 and W2: f(h) is the same for all rails and planes, a host has rails × planes links, no two to one leaf."""
    fabric = drawn(shape)
    of_host: dict[str, list[LinkEnd]] = defaultdict(list)
    for link in fabric.links():
        if link.kind == HOST_LEAF:
            place, host = fabric.devices[link.b.device].place, fabric.hosts[link.a.device]
            assert link.a.port == f"r{place.rail}/{place.plane}"
            assert host.unit == place.unit
            of_host[host.name].append(link.b)
    assert set(of_host) == set(fabric.hosts)
    for ends in of_host.values():
        assert len(ends) == shape.rails * len(shape.planes)
        assert len({end.device for end in ends}) == len(ends)
        assert len({end.port for end in ends}) == 1


@given(shapes())
@FEW
def test_each_leaf_has_as_many_links_to_every_spine_of_its_plane_and_to_no_other(shape: Shape) -> None:
    """W3 and W4: no leaf-leaf, no spine-spine, planes are disjoint."""
    fabric = drawn(shape)
    pairs = Counter((link.a.device, link.b.device) for link in fabric.links() if link.kind == LEAF_SPINE)
    leaves = [d for d in fabric.devices.values() if d.place.role == "leaf"]
    spines = [d for d in fabric.devices.values() if d.place.role == "spine"]
    assert pairs == {
        (leaf.name, spine.name): shape.links
        for leaf in leaves
        for spine in spines
        if leaf.place.plane == spine.place.plane
    }


@given(shapes())
@FEW
def test_uplinks_stand_on_the_same_ports_of_every_leaf_side_by_side(shape: Shape) -> None:
    """W5: the k ports to one spine are neighbors, and those of one leaf on a spine are, too."""
    fabric = drawn(shape)
    uplinks: dict[str, list[tuple[int, str]]] = defaultdict(list)
    downlinks: dict[tuple[str, str], list[int]] = defaultdict(list)
    for link in fabric.links():
        if link.kind == LEAF_SPINE:
            number = fabric.devices[link.b.device].place.number
            uplinks[link.a.device].append((int(link.a.port), str(number)))
            downlinks[link.b.device, link.a.device].append(int(link.b.port))
    assert len({tuple(sorted(ports)) for ports in uplinks.values()}) == 1
    first = sorted(next(iter(uplinks.values())), reverse=True)
    assert [int(spine) for _, spine in first] == [n for n in range(1, shape.spines + 1) for _ in range(shape.links)]
    assert [cage for cage, _ in first] == list(range(64, 64 - shape.spines * shape.links, -1))
    for ports in downlinks.values():
        assert sorted(ports) == list(range(min(ports), min(ports) + shape.links))


@given(shapes())
@FEW
def test_no_two_things_share_an_address_a_number_or_a_lane(shape: Shape) -> None:
    """W4 again: no prefix, loopback or ASN belongs to two planes."""
    fabric = drawn(shape)
    loopbacks = [loopback for device in fabric.devices.values() for loopback in device.loopbacks]
    assert len(loopbacks) == len(set(loopbacks))
    blocks = sorted(ip_network(block) for device in fabric.devices.values() for block in device.blocks)
    assert not any(one.overlaps(two) for one, two in pairwise(blocks))
    assert not any(ip_interface(loopback).network.overlaps(block) for loopback in loopbacks for block in blocks[:3])
    ids = [device.router_id for device in fabric.devices.values()]
    assert len(ids) == len(set(ids))
    asns: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for device in fabric.devices.values():
        asns[device.asn].add((device.place.role, device.place.plane))
        lanes = [lane for port in fabric.ports(device.name).values() for lane in port.lanes]
        assert len(lanes) == len(set(lanes))
    assert all(len(users) == 1 for users in asns.values())
    leaves = [device.asn for device in fabric.devices.values() if device.place.role == "leaf"]
    assert len(leaves) == len(set(leaves))


@given(shapes(), st.data())
@FEW
def test_growth_inside_the_capacity_moves_nothing(shape: Shape, data: st.DataObject) -> None:
    """More units, more hosts: every port, address, number, name and cable that was there is as it was."""
    free = [n for n in range(1, shape.unit_capacity + 1) if f"su{n}" not in shape.units]
    added = {
        f"su{n}": data.draw(st.integers(1, shape.host_capacity))
        for n in data.draw(st.sets(st.sampled_from(free)) if free else st.just(set()))
    }
    more = {name: data.draw(st.integers(hosts, shape.host_capacity)) for name, hosts in shape.units.items()}
    before, after = facts(drawn(shape)), facts(drawn(replace(shape, units={**added, **more})))
    assert {key: after.get(key) for key in before} == before


@given(shapes(), st.data())
@FEW
def test_a_deleted_unit_leaves_a_hole(shape: Shape, data: st.DataObject) -> None:
    """Numbers come from names, never from position or count (DESIGN.md, rule 1)."""
    if len(shape.units) == 1:
        return
    gone = data.draw(st.sampled_from(sorted(shape.units)))
    less = replace(shape, units={name: hosts for name, hosts in shape.units.items() if name != gone})
    before, after = facts(drawn(shape)), facts(drawn(less))
    assert {key: before[key] for key in after if key in before} == after


@given(shapes())
@FEW
def test_the_order_in_which_units_stand_is_irrelevant(shape: Shape) -> None:
    turned = replace(shape, units=dict(reversed(list(shape.units.items()))))
    assert facts(drawn(turned)) == facts(drawn(shape))


@given(shapes())
@FEW
def test_everything_of_a_plane_stays_in_its_slices(shape: Shape) -> None:
    fabric = drawn(shape)
    model = fabric.intent.model
    for device in fabric.devices.values():
        number = model.planes.index(device.place.plane)
        slices = [
            plane_slice(p, number, len(model.planes)) for p in (*model.addressing.loopbacks, *model.addressing.hosts)
        ]
        for text in (*device.loopbacks, *device.blocks):
            prefix = ip_network(text)
            assert any(s.version == prefix.version and prefix.subnet_of(s) for s in slices)  # type: ignore[arg-type]
