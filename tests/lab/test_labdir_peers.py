"""peers.csv: who beside the switches speaks BGP in a lab, as the intent says it."""

from __future__ import annotations

import csv
import io

from fabric.made import fabric
from intent.example import small

from netaudit.fabric import Fabric
from netaudit.lab.sim.peers import COLUMNS
from netaudit.labdir import lab_files
from netaudit.labdir_peers import peers_text

BLOCK = "{border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 1, links: 1, speed: 400G, cable: 40m dr4}}"
EXTERNAL = small(
    blocks=BLOCK,
    external="{core1: {asn: 64512, lldp: core1.example.net, prefixes: [10.160.0.0/16]}, core2: {asn: 65534}}",
    links='[{a: "a-border1:1", b: "core1:et-0/0/1", speed: 400G, cable: 15m dr4}, '
    '{id: 7, a: "core2:xe-1", b: "a-border1:2/2", speed: 400G, cable: 15m dr4}, '
    '{a: "a-border1:3", b: "b-border1:x", speed: 400G, cable: 15m dr4, status: retired}]',
)
HOSTS = small(
    hosts="{nic: cx8, speed: 400G, attach: bgp}",
    addressing='{loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: [10.0.0.0/10, "fd00:aa::/40"]}',
)


def rows(built: Fabric) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(peers_text(built))))


def test_the_columns_are_those_that_the_simulator_reads() -> None:
    assert tuple(csv.DictReader(io.StringIO(peers_text(fabric(small())))).fieldnames or ()) == COLUMNS
    assert "peers.csv" in dict(lab_files(fabric(small())))


def test_a_neighbor_has_its_port_its_asn_and_the_addresses_of_a_numbered_link() -> None:
    first, second = rows(fabric(EXTERNAL))
    assert first == {
        "name": "core1",
        "end": "core1.example.net:et-0/0/1",
        "asn": "64512",
        "address": "",
        "neighbor": "",
        "prefixes": "10.160.0.0/16",
    }
    assert (second["name"], second["end"], second["address"], second["neighbor"]) == (
        "core2",
        "core2:xe-1",
        "10.68.0.15/31",
        "10.68.0.14",
    )


def test_of_whom_the_intent_says_nothing_a_prefix_for_documentation_is_announced() -> None:
    assert rows(fabric(EXTERNAL))[1]["prefixes"] == "198.51.100.0/24 2001:db8::/32"
    silent = EXTERNAL.replace("asn: 65534", "asn: 65534, prefixes: []")
    assert rows(fabric(silent))[1]["prefixes"] == ""


def test_a_host_announces_the_address_of_each_port_in_each_family_as_an_asn_of_nobody_else() -> None:
    found = rows(fabric(HOSTS))
    assert len(found) == 2 * 2 * 2 * 2  # hosts, rails, planes, families
    assert {row["asn"] for row in found} == {"65534"}
    first = [row for row in found if row["end"] == "su1-h1:r1/a"]
    assert [(row["address"], row["neighbor"], row["prefixes"]) for row in first] == [
        ("10.0.0.1/31", "10.0.0.0", "10.0.0.1/32"),
        ("fd00:aa::1/127", "fd00:aa::", "fd00:aa::1/128"),
    ]
    taken = EXTERNAL + "".join(line + "\n" for line in HOSTS.splitlines() if line.startswith("addressing"))
    both = taken.replace("speed: 400G}\nleaf", "speed: 400G, attach: bgp}\nleaf")
    assert {row["asn"] for row in rows(fabric(both)) if row["end"].startswith("su1-")} == {"65533"}


def test_hosts_that_are_routed_say_nothing() -> None:
    assert rows(fabric(small())) == []
