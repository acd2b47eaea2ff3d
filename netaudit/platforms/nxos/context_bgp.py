"""The block `router bgp` as the template prints it."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address, ip_network

from netaudit.platforms.nxos.config_bgp import DEFAULT_TIMERS
from netaudit.platforms.nxos.names import native
from netaudit.platforms.nxos.policies import map_name
from netaudit.state import Bgp, BgpNeighbor, BgpVrf, Device, Leaf

VERSIONS = {"ipv4": 4, "ipv6": 6}
DEFAULT = "default"
_IN_VRF = " in VRF "


def speakers(device: Device) -> Mapping[str, object] | None:
    """The speaker of the default VRF, with those of the others in `vrfs`; `None` where there is none."""
    bgp = device.bgp
    if bgp is None or not isinstance(bgp.asn, int):
        return None
    return {
        "asn": bgp.asn,
        **_speaker(bgp, DEFAULT, bgp),
        "vrfs": [
            {"name": name, "local_as": vrf.asn if vrf.asn != bgp.asn and isinstance(vrf.asn, int) else None}
            | _speaker(vrf, name, bgp)
            for name, vrf in sorted((bgp.vrfs or {}).items())
        ],
    }


def _speaker(speaker: Bgp | BgpVrf, vrf: str, bgp: Bgp) -> dict[str, object]:
    neighbors = {
        k: n for k, n in (bgp.neighbors or {}).items() if (n.vrf if isinstance(n.vrf, str) else DEFAULT) == vrf
    }
    active = {f for n in neighbors.values() if isinstance(n.families, frozenset) for f in n.families}
    return {
        "router_id": speaker.router_id if isinstance(speaker.router_id, str) else "",
        "relax": speaker.multipath_relax is True,
        "timers": _timers(speaker),
        "families": list(_families(speaker, active)),
        "neighbors": [_neighbor(key, neighbors[key]) for key in sorted(neighbors, key=_order)],
    }


def _timers(speaker: Bgp | BgpVrf) -> tuple[int, int] | None:
    pair = (_or(speaker.keepalive_s, DEFAULT_TIMERS[0]), _or(speaker.hold_s, DEFAULT_TIMERS[1]))
    return None if pair == DEFAULT_TIMERS else pair


def _or(leaf: Leaf[int], default: int) -> int:
    return leaf if isinstance(leaf, int) else default


def _families(speaker: Bgp | BgpVrf, active: set[str]) -> list[Mapping[str, object]]:
    """A family is there where a session or a prefix has it; one must be, or no path limit could be told."""
    networks = speaker.networks if isinstance(speaker.networks, frozenset) else frozenset()
    limit = speaker.maximum_paths if isinstance(speaker.maximum_paths, int) else None
    found: list[Mapping[str, object]] = []
    used = [f for f, v in VERSIONS.items() if f in active or any(ip_network(p).version == v for p in networks)]
    for name in used or (["ipv4"] if limit is not None else []):
        own = sorted(n for n in map(ip_network, networks) if n.version == VERSIONS[name])
        found.append({"name": name, "networks": [str(n) for n in own], "maximum_paths": limit})
    return found


def _order(key: str) -> tuple[int, object]:
    """Addresses by number, then ports."""
    word = key.partition(_IN_VRF)[0]
    try:
        address = ip_address(word)
    except ValueError:
        return 2, tuple(int(p) if p.isdigit() else 0 for p in word.split("/"))
    return address.version // 6, int(address)


def _neighbor(key: str, neighbor: BgpNeighbor) -> Mapping[str, object]:
    families = neighbor.families if isinstance(neighbor.families, frozenset) else frozenset()
    loops = neighbor.allowas_in or {}
    return {
        "name": _peer(key.partition(_IN_VRF)[0]),
        "remote": neighbor.remote if isinstance(neighbor.remote, str) else "",
        "beyond": neighbor.remote != "internal",
        "families": [
            {
                "name": name,
                "loops": loops[name] if isinstance(loops.get(name), int) else None,
                "incoming": _map(neighbor.import_policy, name),
                "outgoing": _map(neighbor.export_policy, name),
            }
            for name in sorted(families)
            if name in VERSIONS
        ],
    }


def _peer(key: str) -> str:
    try:
        return str(ip_address(key))
    except ValueError:
        return native(key)


def _map(policy: Leaf[str], family: str) -> str:
    return map_name(policy, VERSIONS[family]) if isinstance(policy, str) else ""
