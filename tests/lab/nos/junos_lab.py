"""Two leaves and two spines with Junos by hand: files, cables, and the set lines that make a fabric of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from netaudit.hardware import switch
from netaudit.lab.factory import junos

LEAVES, SPINES = ("leaf1", "leaf2"), ("spine1", "spine2")
ASNS = {"leaf1": 65101, "leaf2": 65102, "spine1": 65001, "spine2": 65002}
LOOPBACKS = {"leaf1": "192.0.2.11", "leaf2": "192.0.2.12", "spine1": "192.0.2.1", "spine2": "192.0.2.2"}
EXPORT = "set policy-options policy-statement EXPORT term"
MODEL = "arista-7060x6-64pe"
"""Any model with cages of eight lanes: the simulator takes ports and lanes from the catalogue, and nothing else."""


def write(labdir: Path) -> Path:
    """The lab as it was racked: factory configurations, no routing."""
    names = (*LEAVES, *SPINES)
    lab = {"fabric": "juniper", "devices": {name: {"platform": "junos"} for name in names}}
    files = {"lab.json": json.dumps(lab), "cables.csv": "\n".join(cables()) + "\n"}
    model = switch(MODEL)
    for number, name in enumerate(names, start=1):
        box = junos.factory_files(
            model, model.default_hwsku, hostname=name, serial=f"JN{number:04}", mac=f"02:00:00:00:00:{number:02x}"
        )
        files |= {f"devices/{name}/{path}": text for path, text in box.items()}
    for path, text in files.items():
        (labdir / path).parent.mkdir(parents=True, exist_ok=True)
        (labdir / path).write_text(text, encoding="utf-8")
    return labdir


def cables() -> Iterator[str]:
    """Leaf port 63 goes to spine1, 64 to spine2; spine port n to leaf n; a host on cage 1."""
    yield "a,b,a_lldp_port"
    for number, leaf in enumerate(LEAVES, start=1):
        yield f"su1-h{number}:r1/a,{leaf}:1,nic1p1"
        for at, spine in enumerate(SPINES):
            yield f"{leaf}:{63 + at},{spine}:{number},"


def configuration(name: str) -> str:
    """The set lines of one box (junos.md section 5, in small)."""
    leaf = name in LEAVES
    ports = ("et-0/0/62", "et-0/0/63") if leaf else ("et-0/0/0", "et-0/0/1")
    host = f"198.51.100.{2 * LEAVES.index(name)}/31" if leaf else ""
    return "".join(line + "\n" for line in _lines(name, ports, host))


def _lines(name: str, ports: tuple[str, str], host: str) -> Iterator[str]:
    for port in ports:
        yield f"set interfaces {port} speed 800g"
        yield f"set interfaces {port} mtu 9216"
        yield f"set interfaces {port} unit 0 family inet"
        yield f"set interfaces {port} unit 0 family inet6"
        yield f"set protocols router-advertisement interface {port}.0"
        yield (f"set protocols bgp group FABRIC dynamic-neighbor PORTS peer-auto-discovery interface {port}.0")
    if host:
        yield f"set interfaces et-0/0/0 unit 0 family inet address {host}"
    yield f"set interfaces lo0 unit 0 family inet address {LOOPBACKS[name]}/32"
    members = " ".join(str(asn) for other, asn in ASNS.items() if other != name)
    yield f"set policy-options as-list OTHERS members [ {members} ]"
    yield "set policy-options policy-statement PFE-LB then load-balance per-packet"
    yield f"{EXPORT} loopback from protocol direct"
    yield f"{EXPORT} loopback from route-filter 192.0.2.0/24 prefix-length-range /32-/32"
    yield f"{EXPORT} loopback then accept"
    yield f"{EXPORT} hosts from protocol direct"
    yield f"{EXPORT} hosts from route-filter 198.51.100.0/24 orlonger"
    yield f"{EXPORT} hosts then accept"
    yield f"{EXPORT} learned from protocol bgp"
    yield f"{EXPORT} learned then accept"
    yield f"{EXPORT} rest then reject"
    yield "set chassis maximum-ecmp 64"
    yield f"set routing-options router-id {LOOPBACKS[name]}"
    yield f"set routing-options autonomous-system {ASNS[name]}"
    yield "set routing-options forwarding-table export PFE-LB"
    yield "set protocols bgp group FABRIC type external"
    yield "set protocols bgp group FABRIC family inet unicast extended-nexthop"
    yield "set protocols bgp group FABRIC export EXPORT"
    yield "set protocols bgp group FABRIC peer-as-list OTHERS"
    yield "set protocols bgp group FABRIC multipath multiple-as"
    yield "set protocols bgp group FABRIC dynamic-neighbor PORTS peer-auto-discovery family inet6 ipv6-nd"
    yield "set protocols lldp port-id-subtype interface-name"
