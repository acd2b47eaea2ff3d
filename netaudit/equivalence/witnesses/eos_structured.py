"""A device as a structured configuration of pyavd's, made without anything of our own renderer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_interface, ip_network
from typing import TypeAlias

from netaudit.equivalence.witnesses.eos_structured_qos import SAND, Data, Rows, bound, maps, mmu, profiles, seconds
from netaudit.state import ABSENT, Bgp, BgpNeighbor, BgpVrf, Device, Interface, Port

_FEC: Mapping[str, Data] = {
    "rs": {"enabled": True, "reed_solomon": True},
    "fc": {"enabled": True, "fire_code": True},
    "none": {"enabled": False},
}
FILTER, TLS = "EXTERNAL", "gnmi"


def structured(device: Device) -> Data:
    """What `validate_structured_config` takes: of areas that are not ours nothing."""
    found: Data = {
        "ethernet_interfaces": [_ethernet(device, key, port) for key, port in (device.ports or {}).items()],
        "loopback_interfaces": [
            {"name": key, **_addresses(i)} for key, i in (device.interfaces or {}).items() if key.startswith("Loopback")
        ],
        "vlan_interfaces": [
            {"name": key, **_mtu(device, key), **_addresses(i)}
            for key, i in (device.interfaces or {}).items()
            if key.startswith("Vlan")
        ],
        "vlans": [{"id": int(number)} for number in device.vlans or {}],
        "vrfs": [_vrf(device, name) for name in _words(device.vrfs)],
    }
    if device.system is not None:
        found |= {"hostname": device.system.hostname, **_gnmi()}
    if device.qos is not None:
        found |= {"qos_profiles": profiles(device, device.qos), "qos": {"map": maps(device.qos)}}
        if isinstance(device.qos.watchdog_poll_ms, int):
            found["priority_flow_control"] = {"watchdog": {"polling_interval": seconds(device.qos.watchdog_poll_ms)}}
    if device.buffers is not None and not device.asic.startswith(SAND):
        found["platform"] = {"trident": {"mmu": mmu(device.buffers)}}
    if device.bgp is not None and isinstance(device.bgp.asn, int):
        found |= {**_routing(device), **_policies(device.bgp), "router_bgp": _router(device, device.bgp)}
        if any(n.remote == "external" for n in (device.bgp.neighbors or {}).values()):
            found["peer_filters"] = [_all_but(device.bgp.asn)]
    return found


def _gnmi() -> Data:
    server = {"provider": "eos-native", "transport": {"grpc": [{"name": "default", "ssl_profile": TLS}]}}
    profile = {"name": TLS, "certificate": {"file": f"{TLS}.crt", "key": f"{TLS}.key"}}
    return {"management_api_gnmi": server, "management_security": {"ssl_profiles": [profile]}}


def _words(leaf: object) -> list[str]:
    return sorted(leaf) if isinstance(leaf, frozenset) else []


def _is_address(key: str) -> bool:
    try:
        ip_address(key)
    except ValueError:
        return False
    return True


def _bare(device: Device, vrf: str) -> bool:
    """Is there a port in a VRF over which IPv4 goes without an address?"""
    neighbors = (device.bgp.neighbors if device.bgp is not None else None) or {}
    return any(n.vrf == vrf and not _is_address(key) for key, n in neighbors.items()) or any(
        i.vrf == vrf and i.link_local is True and not i.addresses for i in (device.interfaces or {}).values()
    )


def _routing(device: Device) -> Data:
    return {
        "service_routing_protocols_model": "multi-agent",
        "ip_routing": True,
        "ip_routing_ipv6_interfaces": _bare(device, "default"),
        "ipv6_unicast_routing": True,
    }


def _vrf(device: Device, name: str) -> Data:
    speaks = device.bgp is not None and isinstance(device.bgp.asn, int)
    routed = {"ip_routing": True, "ipv6_routing": True, "ip_routing_ipv6_interfaces": _bare(device, name)}
    return {"name": name, **(routed if speaks else {})}


def _ethernet(device: Device, key: str, port: Port) -> Data:
    found: Data = {"name": port.native}
    if isinstance(port.mtu_bytes, int):
        found["mtu"] = port.mtu_bytes
    if isinstance(port.speed_mbps, int) and isinstance(port.lanes, tuple):
        found["speed"] = f"{'auto ' if port.autoneg is True else ''}{_speed(port.speed_mbps, len(port.lanes))}"
    if isinstance(port.description, str):
        found["description"] = port.description
    if port.enabled is False:
        found["shutdown"] = True
    if isinstance(port.fec, str) and port.fec in _FEC:
        found["error_correction_encoding"] = _FEC[port.fec]
    interface = (device.interfaces or {}).get(key)
    if interface is not None:
        found |= {"switchport": {"enabled": False}, **_addresses(interface)}
    for number, vlan in (device.vlans or {}).items():
        if key in _words(vlan.members):
            found["switchport"] = {"access_vlan": number}
    given = bound(device.qos).get(key) if device.qos is not None else None
    if given is not None:
        trust = "dscp" if given[1].dscp_to_tc is not ABSENT else "disabled"
        found |= {"service_profile": given[0], "qos": {"trust": trust}}
    return found


def _speed(mbps: int, lanes: int) -> str:
    """`25g`, `400g-4`, `1.6t-8`: a port of one lane below 50G has no number of lanes."""
    rate = f"{mbps / 1_000_000:g}t" if mbps >= 1_000_000 else f"{mbps // 1000}g"
    return rate if mbps < 40_000 else f"{rate}-{lanes}"


def _addresses(interface: Interface) -> Data:
    addresses = interface.addresses if isinstance(interface.addresses, frozenset) else frozenset()
    known = sorted(map(ip_interface, addresses), key=lambda a: (a.version, a.ip.packed))
    four = [str(address) for address in known if address.version == 4]
    found: Data = {"ipv6_addresses": [str(address) for address in known if address.version == 6]}
    if four:
        found |= {"ip_address": four[0], "ip_address_secondaries": four[1:]}
    if isinstance(interface.vrf, str) and interface.vrf != "default":
        found["vrf"] = interface.vrf
    if interface.link_local is True:
        found["ipv6_enable"] = True
    return found


def _mtu(device: Device, key: str) -> Data:
    """What all ports of a VLAN can send."""
    vlan = (device.vlans or {}).get(key.removeprefix("Vlan"))
    members = (*_words(vlan.members), *_words(vlan.tagged)) if vlan is not None else ()
    sizes = [p.mtu_bytes for name in members if (p := (device.ports or {}).get(name)) and isinstance(p.mtu_bytes, int)]
    return {"mtu": min(sizes)} if sizes else {}


def _policies(bgp: Bgp) -> Data:
    lists: dict[int, Rows] = {4: [], 6: []}
    maps: Rows = []
    for name, policy in sorted((bgp.policies or {}).items()):
        permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
        entries: Rows = []
        for version, word in ((4, "ip"), (6, "ipv6")):
            rules = sorted(
                ((ip_network(r.prefix), r.up_to) for r in permits if ip_network(r.prefix).version == version),
                key=lambda rule: (rule[0].network_address.packed, rule[0].prefixlen, rule[1]),
            )
            if not rules:
                continue
            called = name if version == 4 else f"{name}-V6"
            rows = [
                {"sequence": 10 * n, "action": f"permit {prefix}{f' le {up_to}' if up_to > prefix.prefixlen else ''}"}
                for n, (prefix, up_to) in enumerate(rules, start=1)
            ]
            lists[version].append({"name": called, "sequence_numbers": rows})
            match = [f"{word} address prefix-list {called}"]
            entries.append({"sequence": 10 * (len(entries) + 1), "type": "permit", "match": match})
        maps.append({"name": name, "sequence_numbers": entries or [{"sequence": 10, "type": "deny"}]})
    return {
        "prefix_lists": lists[4],
        "ipv6_prefix_lists": lists[6],
        "route_maps": maps,
        "static_routes": [{"prefix": p, "interface": "Null0"} for p in _of(_words(bgp.discards), 4)],
        "ipv6_static_routes": [{"prefix": p, "interface": "Null0"} for p in _of(_words(bgp.discards), 6)],
    }


def _of(prefixes: Iterable[str], version: int) -> list[str]:
    return [prefix for prefix in prefixes if ip_network(prefix).version == version]


def _all_but(asn: int) -> Data:
    rows = [
        {"sequence": 10, "match": f"as-range {asn} result reject"},
        {"sequence": 20, "match": "as-range 1-4294967295 result accept"},
    ]
    return {"name": FILTER, "sequence_numbers": rows}


Common: TypeAlias = tuple[bool, object, object, frozenset[str], tuple[object, ...], bool]
"""What neighbors of a peer group have in common: addresses or none, policies, families, loops, whether policies are
required."""
Groups: TypeAlias = Mapping[Common, str]


def _common(bgp: Bgp, key: str, neighbor: BgpNeighbor) -> Common:
    speaker = (bgp.vrfs or {}).get(str(neighbor.vrf)) or bgp
    families = neighbor.families if isinstance(neighbor.families, frozenset) else frozenset()
    loops = tuple((neighbor.allowas_in or {}).values())
    required = speaker.requires_policy is True
    return _is_address(key), neighbor.import_policy, neighbor.export_policy, families, loops, required


def _groups(bgp: Bgp) -> tuple[Groups, Mapping[str, str]]:
    """The peer groups, named after what they let in; and neighbor → its group."""
    groups: dict[Common, str] = {}
    member: dict[str, str] = {}
    count: dict[str, int] = {}
    for key, neighbor in (bgp.neighbors or {}).items():
        common = _common(bgp, key, neighbor)
        if common not in groups:
            policy = neighbor.import_policy if isinstance(neighbor.import_policy, str) else ""
            base = policy.removesuffix("-IN") or "PEERS"
            count[base] = count.get(base, 0) + 1
            groups[common] = base if count[base] == 1 else f"{base}-{count[base]}"
        member[key] = groups[common]
    return groups, member


def _router(device: Device, bgp: Bgp) -> Data:
    names = {key: str(port.native) for key, port in (device.ports or {}).items()}
    groups, member = _groups(bgp)
    timers = {"keepalive_time": bgp.keepalive_s, "hold_time": bgp.hold_s}
    return {
        "as": str(bgp.asn),
        **_speaker(bgp, names, member, "default", bgp),
        "bgp_defaults": ["no bgp default ipv4-unicast", *_unlike_paths(bgp)],
        **({"timers": timers} if isinstance(bgp.keepalive_s, int) else {}),
        "peer_groups": [_group(name, common) for common, name in groups.items()],
        **{
            f"address_family_{name}": part
            for name in ("ipv4", "ipv6")
            if any((part := _family(bgp, groups, name)).values())
        },
        "vrfs": [_inner(vrf, speaker, names, member, bgp) for vrf, speaker in (bgp.vrfs or {}).items()],
    }


def _unlike_paths(bgp: Bgp) -> list[str]:
    """Paths through several ASNs are used together unless it is taken away, for which the schema has no key."""
    return ["no bgp bestpath as-path multipath-relax"] if bgp.multipath_relax is False else []


def _inner(vrf: str, speaker: BgpVrf, names: Mapping[str, str], member: Mapping[str, str], bgp: Bgp) -> Data:
    networks = {version: _of(_words(speaker.networks), version) for version in (4, 6)}
    return {
        "name": vrf,
        **_speaker(speaker, names, member, vrf, bgp),
        **({"timers": f"{speaker.keepalive_s} {speaker.hold_s}"} if isinstance(speaker.keepalive_s, int) else {}),
        **{
            f"address_family_ipv{version}": {"networks": [{"prefix": prefix} for prefix in prefixes]}
            for version, prefixes in networks.items()
            if prefixes
        },
    }


def _speaker(speaker: Bgp | BgpVrf, names: Mapping[str, str], member: Mapping[str, str], vrf: str, bgp: Bgp) -> Data:
    found: dict[str, Rows] = {"neighbors": [], "neighbor_interfaces": [], "listen_ranges": []}
    for key, neighbor in (bgp.neighbors or {}).items():
        if neighbor.vrf != vrf:
            continue
        external = neighbor.remote == "external"
        whom: Data = {"peer_filter": FILTER} if external else {"remote_as": neighbor.remote}
        if not _is_address(key):
            found["neighbor_interfaces"].append({"name": names.get(key, key), "peer_group": member[key], **whom})
        elif external:
            prefix = f"{key}/{ip_address(key).max_prefixlen}"
            found["listen_ranges"].append({"prefix": prefix, "peer_group": member[key], **whom})
        else:
            found["neighbors"].append({"ip_address": key, "peer_group": member[key], **whom})
    settings: Data = {**found}
    if isinstance(speaker.router_id, str):
        settings["router_id"] = speaker.router_id
    if isinstance(speaker.maximum_paths, int):
        settings["maximum_paths"] = {"paths": speaker.maximum_paths, "ecmp": speaker.maximum_paths}
    return settings


def _group(name: str, common: Common) -> Data:
    loops, required = common[4], common[5]
    deny = {"direction_in": {"action": "deny"}, "direction_out": {"action": "deny"}}
    return {
        "name": name,
        **({"missing_policy": deny} if required else {}),
        **({"allowas_in": {"enabled": True, "times": loops[0]}} if loops else {}),
    }


def _family(bgp: Bgp, groups: Groups, family: str) -> Data:
    originates = {"next_hop": {"address_family_ipv6": {"enabled": True, "originate": True}}}
    members = [
        {
            "name": name,
            "activate": True,
            **{f"route_map_{way}": policy for way, policy in zip(("in", "out"), common[1:3], strict=True) if policy},
            **(originates if family == "ipv4" and not common[0] else {}),
        }
        for common, name in groups.items()
        if family in common[3]
    ]
    networks = _of(_words(bgp.networks), int(family[-1]))
    return {"peer_groups": members, "networks": [{"prefix": prefix} for prefix in networks]}
