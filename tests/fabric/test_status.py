"""What is planned stands in the fabric and is dark, what is drained stays wired, what is retired leaves its number."""

from __future__ import annotations

from pathlib import Path

from intent.example import small

from fabric.made import fabric, problems
from netaudit.state import LinkEnd

UNITS = "{su1: {hosts: 2}, su2: {hosts: 2, status: STATUS}, su3: {hosts: 2}}"


def with_unit(status: str, **changes: str) -> str:
    return small(units=UNITS.replace("STATUS", status), **changes)


def test_a_retired_unit_is_not_built_and_moves_nothing() -> None:
    gone, there = fabric(with_unit("retired")), fabric(with_unit("active"))
    assert {n for n in there.devices if "-su2-" in n} == there.devices.keys() - gone.devices.keys()
    assert not any(host.unit == "su2" for host in gone.hosts.values())
    for name, device in gone.devices.items():
        assert device == there.devices[name]
        kept = {key: port.peer for key, port in there.ports(name).items() if "su2" not in str(port.peer)}
        assert {key: gone.ports(name)[key].peer for key in kept} == kept
    spare = [key for key, port in there.ports("a-spine1").items() if "su2" in str(port.peer)]
    assert spare == ["3", "4"]
    assert {gone.ports("a-spine1")[key].kind for key in spare} == {"spare"}


def test_a_retired_spine_leaves_the_uplinks_of_every_leaf_spare() -> None:
    built = fabric(small(devices="devices.csv"), devices="place,status\na/spine/1,retired\n")
    assert "a-spine1" not in built.devices
    ports = built.ports("a-su1-r1-leaf")
    assert (ports["64"].kind, ports["64"].peer) == ("spare", None)
    assert ports["63"].peer == LinkEnd(device="a-spine2", port="1")
    assert all("a-spine1" not in (link.a.device, link.b.device) for link in built.links())


def test_the_numbers_of_what_is_retired_stay_taken() -> None:
    rows = "place,status,asn,loopback\na/su1/r2,retired,,\na/su1/r1,,4200000001,10.255.64.1\n"
    found = problems(small(devices="devices.csv"), devices=rows)
    assert [d.message for d in found] == ["ASN 4200000001 is that of a-su1-r1-leaf and a-su1-r2-leaf"]
    assert found[0].source is not None
    assert (Path(found[0].source.file).name, found[0].source.line) == ("devices.csv", 3)


def test_devices_csv_has_the_last_word_on_the_status() -> None:
    rows = "place,status\na/su2/r1,active\na/su1/r1,drained\n"
    built = fabric(with_unit("planned", devices="devices.csv"), devices=rows)
    status = {name: device.place.status for name, device in built.devices.items()}
    assert status["a-su2-r1-leaf"] == "active"
    assert status["a-su2-r2-leaf"] == status["b-su2-r1-leaf"] == "planned"
    assert status["a-su1-r1-leaf"] == "drained"
    assert status["a-spine1"] == "active"


def test_a_link_is_planned_or_drained_as_soon_as_one_end_is() -> None:
    built = fabric(with_unit("planned", devices="devices.csv"), devices="place,status\na/spine/2,drained\n")
    ports = {name: built.ports(name) for name in ("a-spine1", "a-spine2", "a-su1-r1-leaf", "a-su2-r1-leaf")}
    assert {port.status for port in ports["a-su2-r1-leaf"].values() if port.peer} == {"planned"}
    assert [ports["a-spine1"][key].status for key in "13"] == ["active", "planned"]
    assert [ports["a-spine2"][key].status for key in "13"] == ["drained", "planned"]
    assert [ports["a-su1-r1-leaf"][key].status for key in ("64", "63", "1/1")] == ["active", "drained", "active"]


def test_a_plane_without_a_leaf_or_a_spine_is_none() -> None:
    found = problems(small(units="{su1: {hosts: 2, status: retired}}", planes="[a]"))
    assert [d.message for d in found] == ["every leaf of plane a is retired"]
    rows = "place,status\nb/spine/1,retired\nb/spine/2,retired\n"
    assert [d.message for d in problems(small(devices="devices.csv"), devices=rows)] == [
        "every spine of plane b is retired"
    ]
