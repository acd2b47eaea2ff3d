"""A lab of EOS by hand: two leaves, two spines; one link of each pair is unnumbered, the other numbered; a host a leaf.

The configurations are written as eos.md section 5 has them, by nobody's templates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

CAGES = 8
LEAVES, SPINES = ("leaf1", "leaf2"), ("spine1", "spine2")
ASNS = {"leaf1": 65101, "leaf2": 65102, "spine1": 65001, "spine2": 65001}
LOOPBACKS = {"leaf1": "192.0.2.11", "leaf2": "192.0.2.12", "spine1": "192.0.2.1", "spine2": "192.0.2.2"}

HEAD = """hostname {name}
no aaa root
username admin privilege 15 role network-admin secret sha512 $6$secret$hash
vrf instance MGMT
management api http-commands
   no shutdown
management api gnmi
   transport grpc default
      ssl profile gnmi
      port 6030
management security
   ssl profile gnmi
      certificate leaf1.crt key leaf1.key
interface Management1
   vrf MGMT
   ip address 203.0.113.11/24
no ip routing vrf MGMT
"""
FABRIC = """service routing protocols model multi-agent
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      no priority
      bandwidth percent 50
      random-detect ecn minimum-threshold 150 kbytes maximum-threshold 1500 kbytes max-mark-probability 10 weight 0
   uc-tx-queue 6
      priority strict
interface Loopback0
   ip address {loopback}/32
ip routing ipv6 interfaces
ip prefix-list PL-CONN
   seq 10 permit 192.0.2.0/24 eq 32
   seq 20 permit 10.1.0.0/16 eq 31
ipv6 unicast-routing
qos map dscp 26 to traffic-class 3
qos map dscp 48 49 to traffic-class 6
route-map RM-CONN-2-BGP permit 10
   match ip address prefix-list PL-CONN
"""


def _links() -> Iterator[tuple[str, int, str, int, str]]:
    """(leaf, cage, spine, cage, first three bytes of the link's addresses; empty: unnumbered)."""
    for at, leaf in enumerate(LEAVES):
        for number, spine in enumerate(SPINES):
            yield leaf, 7 + number, spine, 1 + at, f"10.0.{at * 2 + number}" if number else ""


def _port(number: int, address: str, description: str) -> str:
    return (
        f"interface Ethernet{number}/1\n   description {description}\n   mtu 9214\n   speed 400g-4\n"
        f"   error-correction encoding reed-solomon\n   no switchport\n"
        f"   {f'ip address {address}/31' if address else 'ipv6 enable'}\n   service-profile ROCE\n"
    )


def configured(name: str) -> str:
    """The whole configuration of a switch that has its part in the fabric."""
    ports, neighbors = "", ""
    for leaf, up, spine, down, net in _links():
        if name not in (leaf, spine):
            continue
        port, far = (up, spine) if name == leaf else (down, leaf)
        mine, theirs = ("1", "0") if name == leaf else ("0", "1")
        ports += _port(port, f"{net}.{mine}" if net else "", far)
        if net:
            neighbors += f"   neighbor {net}.{theirs} peer group FABRIC\n"
            neighbors += f"   neighbor {net}.{theirs} remote-as {ASNS[far]}\n"
        else:
            neighbors += f"   neighbor interface Ethernet{port}/1 peer-group FABRIC remote-as {ASNS[far]}\n"
    if name in LEAVES:
        ports += _port(1, f"10.1.{LEAVES.index(name)}.0", "host")
    bgp = (
        f"router bgp {ASNS[name]}\n   router-id {LOOPBACKS[name]}\n   no bgp default ipv4-unicast\n"
        f"   maximum-paths 64 ecmp 64\n   neighbor FABRIC peer group\n   neighbor FABRIC send-community\n{neighbors}"
        "   redistribute connected route-map RM-CONN-2-BGP\n   address-family ipv4\n      neighbor FABRIC activate\n"
        "      neighbor FABRIC next-hop address-family ipv6 originate\n"
    )
    return HEAD.format(name=name) + FABRIC.format(loopback=LOOPBACKS[name]) + ports + bgp + "end\n"


def files(bare: tuple[str, ...] = ()) -> Mapping[str, str]:
    """Path → text. `bare` switches hold nothing of the fabric."""
    made = {
        "lab.json": json.dumps({"fabric": "e", "devices": {name: {"platform": "eos"} for name in (*LEAVES, *SPINES)}}),
        "cables.csv": "a,b,a_lldp_port\nh1:r1/a,leaf1:1,nic1p1\nh2:r1/a,leaf2:1,nic1p1\n"
        + "".join(f"{leaf}:{up},{spine}:{down},\n" for leaf, up, spine, down, _ in _links()),
    }
    for number, name in enumerate((*LEAVES, *SPINES), start=1):
        box = f"devices/{name}"
        eeprom = {"serial": f"EO{number}", "mac": f"02:00:00:00:00:{number:02x}", "platform": "DCS-X", "hwsku": "X"}
        made[f"{box}/eeprom.json"] = json.dumps(eeprom)
        made[f"{box}/ports.json"] = json.dumps({c: {"lanes": 8, "speed_mbps": 400_000} for c in range(1, CAGES + 1)})
        bare_text = HEAD.format(name=name) + "end\n"
        made[f"{box}/mnt/flash/startup-config"] = bare_text if name in bare else configured(name)
    return made


def write(labdir: Path, bare: tuple[str, ...] = ()) -> Path:
    """The files, written."""
    for path, text in files(bare).items():
        (labdir / path).parent.mkdir(parents=True, exist_ok=True)
        (labdir / path).write_text(text, encoding="utf-8")
    return labdir
