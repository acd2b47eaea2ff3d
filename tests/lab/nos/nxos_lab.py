"""A lab of NX-OS by hand: two leaves, two spines, one numbered link between each pair, a host on each leaf.

The configurations are written as nxos.md section 1 has them, by nobody's templates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

CAGES = 8
LEAVES, SPINES = ("leaf1", "leaf2"), ("spine1", "spine2")
ASNS = {"leaf1": 65101, "leaf2": 65102, "spine1": 65001, "spine2": 65001}
LOOPBACKS = {"leaf1": "10.255.0.1", "leaf2": "10.255.0.2", "spine1": "10.255.0.11", "spine2": "10.255.0.12"}

HEAD = """version 10.4(3) Bios:version 05.51
hostname {name}
feature nxapi
feature scp-server
feature grpc
feature openconfig
username admin password 5 $5$secret$hash  role network-admin
vrf context management
  ip route 0.0.0.0/0 192.0.2.254
interface mgmt0
  vrf member management
  ip address 192.0.2.1/24
"""
FABRIC = """feature bgp
feature bfd
feature lldp
class-map type qos match-any ROCEv2
  match dscp 26
policy-map type qos QOS_CLASSIFICATION
  class ROCEv2
    set qos-group 3
  class class-default
    set qos-group 0
policy-map type queuing QOS_EGRESS_PORT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
system qos
  service-policy type queuing output QOS_EGRESS_PORT
ip prefix-list PL-LOOP seq 5 permit 10.255.0.0/16 eq 32
ip prefix-list PL-LOOP seq 10 permit 10.1.0.0/16 le 31
route-map RM-CONN permit 10
  match ip address prefix-list PL-LOOP
interface loopback0
  ip address {loopback}/32
"""


def _links() -> Iterator[tuple[str, int, str, int, str]]:
    """(leaf, cage, spine, cage, first three bytes of the link's addresses)."""
    for at, leaf in enumerate(LEAVES):
        for number, spine in enumerate(SPINES):
            yield leaf, 7 + number, spine, 1 + at, f"10.0.{at * 2 + number}"


def _port(number: int, address: str, description: str) -> str:
    return (
        f"interface Ethernet1/{number}\n  description {description}\n  no switchport\n  mtu 9216\n"
        f"  priority-flow-control mode on\n  service-policy type qos input QOS_CLASSIFICATION\n"
        f"  no ip redirects\n  ip address {address}/31\n  no shutdown\n"
    )


def _neighbor(address: str, asn: int) -> str:
    return f"  neighbor {address}\n    remote-as {asn}\n    address-family ipv4 unicast\n"


def configured(name: str) -> str:
    """The whole configuration of a switch that has its part in the fabric."""
    ports, neighbors = "", ""
    for leaf, up, spine, down, net in _links():
        if name == leaf:
            ports += _port(up, f"{net}.1", f"{spine} Ethernet1/{down}")
            neighbors += _neighbor(f"{net}.0", ASNS[spine])
        if name == spine:
            ports += _port(down, f"{net}.0", f"{leaf} Ethernet1/{up}")
            neighbors += _neighbor(f"{net}.1", ASNS[leaf])
    if name in LEAVES:
        ports += _port(1, f"10.1.{LEAVES.index(name)}.0", "host")
    bgp = (
        f"router bgp {ASNS[name]}\n  router-id {LOOPBACKS[name]}\n  bestpath as-path multipath-relax\n"
        f"  address-family ipv4 unicast\n    redistribute direct route-map RM-CONN\n    maximum-paths 64\n"
    )
    return HEAD.format(name=name) + FABRIC.format(loopback=LOOPBACKS[name]) + ports + bgp + neighbors


def files(bare: tuple[str, ...] = ()) -> Mapping[str, str]:
    """Path → text. `bare` switches hold nothing of the fabric."""
    made = {
        "lab.json": json.dumps(
            {"fabric": "nx", "devices": {name: {"platform": "nxos"} for name in (*LEAVES, *SPINES)}}
        ),
        "cables.csv": "a,b,a_lldp_port\nh1:r1/a,leaf1:1,nic1p1\nh2:r1/a,leaf2:1,nic1p1\n"
        + "".join(f"{leaf}:{up},{spine}:{down},\n" for leaf, up, spine, down, _ in _links()),
    }
    for number, name in enumerate((*LEAVES, *SPINES), start=1):
        box = f"devices/{name}"
        eeprom = {"serial": f"NX{number}", "mac": f"02:00:00:00:00:{number:02x}", "platform": "N9K", "hwsku": "N9K-X"}
        made[f"{box}/eeprom.json"] = json.dumps(eeprom)
        rows = [{"cage": cage, "lanes": 8, "speed_mbps": 400_000} for cage in range(1, CAGES + 1)]
        made[f"{box}/ports.json"] = json.dumps(rows)
        made[f"{box}/startup-config"] = HEAD.format(name=name) if name in bare else configured(name)
    return made


def write(labdir: Path, bare: tuple[str, ...] = ()) -> Path:
    """The files, written."""
    for path, text in files(bare).items():
        (labdir / path).parent.mkdir(parents=True, exist_ok=True)
        (labdir / path).write_text(text, encoding="utf-8")
    return labdir
