"""`show ip route vrf all | json`, as a real capture has it: eBGP routes tell a next hop and no port."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_network

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nxos.device import Nexus
from netaudit.lab.sim.rib import Entry, entries

Row = dict[str, object]


def routes(fabric: Fabric, switch: Nexus, family: str) -> tuple[str, Mapping[str, object]]:
    """Words and data of all VRFs."""
    text, found = "", []
    for vrf in ("", *sorted(switch.facts().vrfs)):
        kind = "IPv6" if family == "ipv6" else "IP"
        text += f'{kind} Route Table for VRF "{vrf or "default"}"\n\n'
        rows: list[Row] = []
        for prefix, routes in entries(fabric, switch, family, vrf).items():
            if prefix != "fe80::/64":
                rows.append(_prefix(switch, prefix, routes))
                text += f"{prefix}, ubest/mbest: {rows[-1]['ucast-nhops']}/0\n"
        table = {"TABLE_prefix": {"ROW_prefix": rows[0] if len(rows) == 1 else rows}} if rows else {}
        found.append({"vrf-name-out": vrf or "default", "TABLE_addrf": {"ROW_addrf": {"addrf": family, **table}}})
    return text, {"TABLE_vrf": {"ROW_vrf": found[0] if len(found) == 1 else found}}


def _prefix(switch: Nexus, prefix: str, routes: tuple[Entry, ...]) -> Row:
    best = routes[0]
    paths = _paths(switch, prefix, best)
    return {
        "ipprefix": prefix,
        "ucast-nhops": len(paths),
        "mcast-nhops": 0,
        "attached": "true" if best.protocol == "connected" else "false",
        "TABLE_path": {"ROW_path": paths[0] if len(paths) == 1 else paths},
    }


def _paths(switch: Nexus, prefix: str, entry: Entry) -> list[Row]:
    common: Row = {"uptime": "PT1M", "metric": 0, "ubest": "true"}
    if entry.protocol in ("connected", "local"):
        name = _short(entry.hops[0].interface)
        own = _own_address(switch, entry.hops[0].interface, prefix)
        client = "direct" if entry.protocol == "connected" else "local"
        return [{"ipnexthop": own, "ifname": name, "pref": 0, "clientname": client, **common}]
    if entry.protocol == "static":
        if not entry.hops:
            return [{"ifname": "Null0", "pref": 1, "clientname": "static", **common}]
        return [{"ipnexthop": one.address, "pref": 1, "clientname": "static", **common} for one in entry.hops]
    asn = next((head.split()[2] for head in switch.tree if head.startswith("router bgp ")), "0")
    kind = {"pref": 20, "clientname": f"bgp-{asn}", "type": "external", "tag": 0}
    return [
        {"ipnexthop": f"{one.address}%default", "ifname": _short(one.interface), **kind, **common}
        if one.address.startswith("fe80:")
        else {"ipnexthop": one.address, **kind, **common}
        for one in entry.hops
    ]


def _own_address(switch: Nexus, interface: str, prefix: str) -> str:
    net = ip_network(prefix, strict=False)
    found = (str(one.ip) for one in switch.facts().addresses.get(interface, ()) if one.ip in net)
    return next(found, str(net.network_address))


def _short(name: str) -> str:
    return name.replace("Ethernet", "Eth").replace("loopback", "Lo")
