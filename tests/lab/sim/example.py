"""A lab by hand: two leaves, two spines, two links between each pair, a host on each leaf. All of it is files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

CAGES = 8
LANES = 8
LEAVES = ("leaf1", "leaf2")
SPINES = ("spine1", "spine2")
ASNS = {"leaf1": 4200000000, "leaf2": 4200000001, "spine1": 4200100000, "spine2": 4200100000}
LOOPBACKS = {"leaf1": 1, "leaf2": 2, "spine1": 11, "spine2": 12}
UPLINKS = ("Ethernet56", "Ethernet48", "Ethernet40", "Ethernet32")
"""Cages 8, 7, 6, 5: two links to spine1, then two to spine2."""
DOWNLINKS = {"leaf1": ("Ethernet0", "Ethernet8"), "leaf2": ("Ethernet16", "Ethernet24")}
"""Ports of each spine that lead to a leaf."""
PG_LOOKUP = """# speed cable size xon xoff threshold
800000 5m 305152 38912 257024 0
800000 40m 410624 38912 362496 0
400000 5m 250880 19456 231424 0
"""
LOSSLESS_POOL = {"type": "ingress", "mode": "dynamic", "size": "52161690"}


def cables() -> str:
    """cables.csv."""
    lines = ["a,b,a_lldp_port", "su1-h1:r1/a,leaf1:1/1,nic1p1", "su1-h2:r1/a,leaf2:1/1,nic1p1"]
    for leaf in LEAVES:
        for number, uplink in enumerate(UPLINKS):
            spine_port = DOWNLINKS[leaf][number % 2]
            lines.append(f"{leaf}:{_cage(uplink)},{SPINES[number // 2]}:{_cage(spine_port)},")
    return "\n".join(lines) + "\n"


def _cage(native: str) -> int:
    return int(native.removeprefix("Ethernet")) // LANES + 1


def port_rows(name: str) -> dict[str, dict[str, str]]:
    """PORT: every cage a port of 800G; cage 1 of a leaf is split in two of 400G."""
    rows = {}
    for cage in range(1, CAGES + 1):
        lanes = range((cage - 1) * LANES, cage * LANES)
        parts = 2 if cage == 1 and name in LEAVES else 1
        for part in range(parts):
            own = lanes[part * LANES // parts : (part + 1) * LANES // parts]
            rows[f"Ethernet{own[0]}"] = {
                "lanes": ",".join(map(str, own)),
                "alias": f"etp{cage}" + ("ab"[part] if parts == 2 else ""),
                "index": str(cage),
                "speed": "400000" if parts == 2 else "800000",
                "admin_status": "up" if _used(name, cage, part) else "down",
                "fec": "rs",
                "mtu": "9216",
                **({"subport": str(part + 1)} if parts == 2 else {}),
            }
    return rows


def _used(name: str, cage: int, part: int) -> bool:
    return cage <= 4 if name in SPINES else cage >= 5 or (cage == 1 and part == 0)


def fabric_ports(name: str) -> tuple[str, ...]:
    """Ports with a BGP session."""
    return UPLINKS if name in LEAVES else (*DOWNLINKS["leaf1"], *DOWNLINKS["leaf2"])


def config(name: str) -> dict[str, dict[str, dict[str, str]]]:
    """CONFIG_DB of a switch as netaudit would have left it."""
    ports = port_rows(name)
    number = LOOPBACKS[name]
    interfaces: dict[str, dict[str, str]] = {
        port: {"ipv6_use_link_local_only": "enable"} for port in fabric_ports(name)
    }
    if name in LEAVES:
        interfaces |= {"Ethernet0": {}, f"Ethernet0|10.0.{number}.0/31": {}}
    return {
        "DEVICE_METADATA": {
            "localhost": {
                "hostname": name,
                "hwsku": "ACS-SN5600",
                "platform": "x86_64-nvidia_sn5600-r0",
                "mac": f"02:00:00:00:00:{number:02x}",
                "type": "ToRRouter" if name in LEAVES else "LeafRouter",
                "docker_routing_config_mode": "split-unified",
                "bgp_asn": str(ASNS[name]),
            }
        },
        "PORT": ports,
        "INTERFACE": interfaces,
        "LOOPBACK_INTERFACE": {
            "Loopback0": {},
            f"Loopback0|10.255.0.{number}/32": {},
            f"Loopback0|fd00:ff::{number}/128": {},
        },
        "CABLE_LENGTH": {"AZURE": {port: "5m" if port in ("Ethernet0", "Ethernet4") else "40m" for port in ports}},
        "BUFFER_POOL": {"ingress_lossless_pool": dict(LOSSLESS_POOL)},
        "BUFFER_PROFILE": {"ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"}},
        "PORT_QOS_MAP": {port: {"pfc_enable": "3"} for port in (*fabric_ports(name), "Ethernet0")},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}},
        "MGMT_INTERFACE": {"eth0|192.0.2.9/24": {"gwaddr": "192.0.2.1", "forced_mgmt_routes": ["198.51.100.0/24"]}},
    }


def frr_conf(name: str, *, asn: int | None = None) -> str:
    """frr.conf of a switch."""
    number = LOOPBACKS[name]
    leaf = name in LEAVES
    own4 = [f"10.255.0.{number}/32", *([f"10.0.{number}.0/29"] if leaf else [])]
    own6 = [f"fd00:ff::{number}/128"]
    lines = ["frr defaults datacenter", "no fpm use-next-hop-groups", "fpm address 127.0.0.1", "!"]
    if leaf:
        lines.append(f"ip route 10.0.{number}.0/29 blackhole")
    lines += ["ip prefix-list ALL4 seq 5 permit 10.0.0.0/8 le 32", "ipv6 prefix-list ALL6 seq 5 permit fd00::/8 le 128"]
    lines += ["!", f"router bgp {asn or ASNS[name]}", f" bgp router-id 10.255.0.{number}"]
    lines += [" no bgp default ipv4-unicast", " bgp ebgp-requires-policy", " bgp bestpath as-path multipath-relax"]
    lines += [" neighbor FABRIC peer-group", " neighbor FABRIC remote-as external"]
    lines += [f" neighbor {port} interface peer-group FABRIC" for port in fabric_ports(name)]
    for family, own, way in (("ipv4", own4, "IN4"), ("ipv6", own6, "IN6")):
        lines += [" !", f" address-family {family} unicast", *(f"  network {prefix}" for prefix in own)]
        lines += ["  neighbor FABRIC activate", f"  neighbor FABRIC route-map {way} in"]
        lines += [f"  neighbor FABRIC route-map {way} out", "  maximum-paths 64", " exit-address-family"]
    lines += ["exit", "!"]
    lines += ["route-map IN4 permit 10", " match ip address prefix-list ALL4", "exit", "!"]
    lines += ["route-map IN6 permit 10", " match ipv6 address prefix-list ALL6", "exit", "!", "end"]
    return "\n".join(lines) + "\n"


def files() -> Iterator[tuple[str, str]]:
    """(path in LABDIR, text) of the whole lab."""
    names = (*LEAVES, *SPINES)
    yield "lab.json", json.dumps({"fabric": "small", "devices": {name: {"platform": "sonic"} for name in names}})
    yield "cables.csv", cables()
    for name in names:
        box = f"devices/{name}"
        eeprom = {"serial": f"MT{name}", "mac": f"02:00:00:00:00:{LOOPBACKS[name]:02x}"}
        yield f"{box}/eeprom.json", json.dumps({**eeprom, "platform": "x86_64-nvidia_sn5600-r0", "hwsku": "ACS-SN5600"})
        yield f"{box}/etc/sonic/config_db.json", json.dumps(config(name))
        yield f"{box}/etc/sonic/frr/frr.conf", frr_conf(name)
        yield f"{box}/hwsku/port_config.ini", port_config()
        yield f"{box}/hwsku/pg_profile_lookup.ini", PG_LOOKUP


def port_config() -> str:
    """port_config.ini of the box before any breakout."""
    head = "# name lanes alias index\n"
    rows = []
    for cage in range(CAGES):
        first = cage * LANES
        lanes = ",".join(str(first + lane) for lane in range(LANES))
        rows.append(f"Ethernet{first} {lanes} etp{cage + 1} {cage + 1}\n")
    return head + "".join(rows)


def write(labdir: Path, changed: Mapping[str, str] | None = None) -> Path:
    """The lab as files; `changed` replaces some by path, an empty text leaves the file out."""
    for path, text in {**dict(files()), **(changed or {})}.items():
        if text:
            (labdir / path).parent.mkdir(parents=True, exist_ok=True)
            (labdir / path).write_text(text, encoding="utf-8")
    return labdir
