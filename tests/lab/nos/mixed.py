"""The example lab with a spine more that is a toy: its files, cabled to cage 4 of each leaf, numbered."""

from __future__ import annotations

import json
from pathlib import Path

from lab.sim import example

TOY = "toy1"
ASN = 4200200000
LOOPBACK = "10.255.0.21/32"
PORTS = {"leaf1": ("Ethernet24", "4"), "leaf2": ("Ethernet24", "4")}
"""Leaf → its port to the toy: native name, cage."""


def write(labdir: Path) -> Path:
    """The files."""
    changed = {"lab.json": _lab(), "cables.csv": example.cables()}
    for number, (leaf, (native, cage)) in enumerate(PORTS.items(), start=1):
        changed["cables.csv"] += f"{leaf}:{cage},{TOY}:{number},\n"
        config = example.config(leaf)
        config["PORT"][native]["admin_status"] = "up"
        config["INTERFACE"] |= {native: {}, f"{native}|10.9.{number}.0/31": {}}
        changed[f"devices/{leaf}/etc/sonic/config_db.json"] = json.dumps(config)
        peer = f" neighbor 10.9.{number}.1 remote-as {ASN}\n"
        family = (
            f"  neighbor 10.9.{number}.1 activate\n  neighbor 10.9.{number}.1 route-map IN4 in\n"
            f"  neighbor 10.9.{number}.1 route-map IN4 out\n"
        )
        text = example.frr_conf(leaf).replace(" neighbor FABRIC peer-group\n", " neighbor FABRIC peer-group\n" + peer)
        head = " address-family ipv4 unicast\n"
        changed[f"devices/{leaf}/etc/sonic/frr/frr.conf"] = text.replace(head, head + family)
    box = f"devices/{TOY}"
    changed[f"{box}/eeprom.json"] = json.dumps(
        {"serial": "TOY1", "mac": "02:00:00:00:00:15", "platform": "toy", "hwsku": "toy"}
    )
    lines = [f"hostname {TOY}", "port 1 800000", "port 2 800000", f"address lo {LOOPBACK}", f"bgp {ASN}"]
    for number, leaf in enumerate(PORTS, start=1):
        lines += [f"address port{number} 10.9.{number}.1/31", f"neighbor 10.9.{number}.0 {example.ASNS[leaf]}"]
    changed[f"{box}/toy.conf"] = "\n".join((*lines, f"network {LOOPBACK}"))
    return example.write(labdir, changed)


def _lab() -> str:
    lab = json.loads(dict(example.files())["lab.json"])
    lab["devices"][TOY] = {"platform": "toy"}
    return json.dumps(lab)
