"""The example lab with leaves that run Cumulus Linux: boxes as they ship, and what somebody would type into them."""

from __future__ import annotations

import json
from pathlib import Path

from lab.sim import example
from lab.sim.example import ASNS, LEAVES, LOOPBACKS
from netaudit.hardware import switch
from netaudit.lab.factory import factory_files

MODEL = "nvidia-sn5600"
UPLINKS = (5, 6, 7, 8)


def write(labdir: Path, **changed: str) -> Path:
    """The files; `changed`: leaf → its startup.yaml."""
    lab = json.loads(dict(example.files())["lab.json"])
    files = {}
    for leaf in LEAVES:
        lab["devices"][leaf] = {"platform": "nvue"}
        for path in ("etc/sonic/config_db.json", "etc/sonic/frr/frr.conf"):
            files[f"devices/{leaf}/{path}"] = ""
        mac = f"02:00:00:00:00:{LOOPBACKS[leaf]:02x}"
        for path, text in factory_files(
            "nvue", switch(MODEL), "ACS-SN5600", hostname=leaf, serial=f"MT{leaf}", mac=mac
        ).items():
            files[f"devices/{leaf}/{path}"] = text
        if leaf in changed:
            files[f"devices/{leaf}/etc/nvue.d/startup.yaml"] = changed[leaf]
    return example.write(labdir, {**files, "lab.json": json.dumps(lab)})


def lines(leaf: str) -> str:
    """`nv set` lines of a leaf of the fabric."""
    number = LOOPBACKS[leaf]
    bgp = "nv set vrf default router bgp"
    made = [
        f"nv set interface lo ipv4 address 10.255.0.{number}/32",
        "nv set interface swp1 link breakout 2x",
        "nv set interface swp5-8 type swp",
        "nv set interface swp1s0 type swp",
        f"nv set interface swp1s0 ipv4 address 10.0.{number}.0/31",
        "nv set interface swp1s0 link speed 400G",
        "nv set interface swp5-8 link speed 800G",
        "nv set interface swp5-8 link fec rs",
        "nv set interface swp5-8 link mtu 9216",
        "nv set qos roce mode lossless",
        "nv set router bgp state enabled",
        f"nv set router bgp autonomous-system {ASNS[leaf]}",
        f"nv set router bgp router-id 10.255.0.{number}",
        "nv set router policy prefix-list ALL type ipv4",
        "nv set router policy prefix-list ALL rule 10 action permit",
        "nv set router policy prefix-list ALL rule 10 match 10.0.0.0/8 min-prefix-len 8",
        "nv set router policy prefix-list ALL rule 10 match 10.0.0.0/8 max-prefix-len 32",
        "nv set router policy route-map ALL rule 10 match type ipv4",
        "nv set router policy route-map ALL rule 10 match ip-prefix-list ALL",
        "nv set router policy route-map ALL rule 10 action permit",
        f"{bgp} state enabled",
        f"{bgp} path-selection multipath aspath-ignore enabled",
        f"{bgp} address-family ipv4-unicast network 10.255.0.{number}/32",
        f"{bgp} address-family ipv4-unicast network 10.0.{number}.0/29",
        f"nv set vrf default router static 10.0.{number}.0/29 via blackhole type blackhole",
        f"{bgp} peer-group up remote-as external",
        f"{bgp} peer-group up address-family ipv4-unicast policy inbound route-map ALL",
        f"{bgp} peer-group up address-family ipv4-unicast policy outbound route-map ALL",
    ]
    for port in UPLINKS:
        made += [f"{bgp} neighbor swp{port} type unnumbered", f"{bgp} neighbor swp{port} peer-group up"]
    return "\n".join(made) + "\n"
