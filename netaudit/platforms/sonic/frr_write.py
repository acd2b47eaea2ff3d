"""FRR's configuration text: what the template prints of a device. Nothing is decided there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from netaudit.platforms.sonic.frr import PROFILE_TIMERS
from netaudit.platforms.sonic.vrf import native_vrf
from netaudit.state import ABSENT, Absent, Bgp, BgpNeighbor, BgpVrf, Device, Leaf, Policy

Groups = Mapping[str, BgpNeighbor]
"""Peer-group → the settings that its members share."""
DEFAULT = "default"


def context(device: Device) -> Mapping[str, object]:
    """What `frr.conf.j2` prints. `None` leaves are left out of the text."""
    bgp = device.bgp or Bgp()
    names = {key: p.native if isinstance(p.native, str) else key for key, p in (device.ports or {}).items()}
    return {
        "prefix_lists": [
            line for name, policy in sorted((bgp.policies or {}).items()) for line in _lists(name, policy)
        ],
        "route_maps": [(name, families(p)) for name, p in sorted((bgp.policies or {}).items())],
        "discards": [(_word(p), p) for p in _sorted(bgp.discards)],
        "speakers": list(_speakers(bgp, names)),
        "raw": (bgp.raw or "").splitlines(),
    }


def _speakers(bgp: Bgp, names: Mapping[str, str]) -> Iterator[Mapping[str, object]]:
    """Each `router bgp` block: that of the default VRF, then those of the others."""
    speakers: dict[str, Bgp | BgpVrf] = {DEFAULT: bgp, **dict(sorted((bgp.vrfs or {}).items()))}
    members: dict[str, dict[str, BgpNeighbor]] = {}
    for key, neighbor in (bgp.neighbors or {}).items():
        members.setdefault(neighbor.vrf if isinstance(neighbor.vrf, str) else DEFAULT, {})[key] = neighbor
    for vrf, speaker in speakers.items():
        if isinstance(speaker.asn, int):
            yield _speaker(vrf, speaker, members.get(vrf, {}), names)


def _speaker(
    vrf: str, bgp: Bgp | BgpVrf, neighbors: Mapping[str, BgpNeighbor], names: Mapping[str, str]
) -> Mapping[str, object]:
    groups = _groups(neighbors)
    return {
        "asn": bgp.asn,
        "vrf": None if vrf == DEFAULT else native_vrf(vrf),
        "router_id": _known(bgp.router_id),
        "requires_policy": bgp.requires_policy is True,
        "multipath_relax": bgp.multipath_relax is True,
        "timers": _timers(bgp),
        "groups": [(name, _known(group.remote)) for name, group in groups.items()],
        "neighbors": [(names.get(key, key), _group_of(n, groups), key in names) for key, n in neighbors.items()],
        "families": [_family(f, bgp, groups) for f in ("ipv4", "ipv6")],
    }


def _known(value: object) -> object:
    return None if value is ABSENT else value


def _sorted(prefixes: frozenset[str] | Absent | None) -> list[str]:
    known = prefixes if isinstance(prefixes, frozenset) else frozenset()
    return sorted(known, key=lambda p: (ip_network(p).version, ip_network(p)))


def _word(prefix: str) -> str:
    return "ip" if ip_network(prefix).version == 4 else "ipv6"


def _lists(name: str, policy: Policy) -> list[str]:
    lines = []
    permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
    for version in (4, 6):
        rules = [r for r in permits if ip_network(r.prefix).version == version]
        for number, rule in enumerate(sorted(rules, key=lambda r: (ip_network(r.prefix), r.up_to)), start=1):
            longer = f" le {rule.up_to}" if rule.up_to > ip_network(rule.prefix).prefixlen else ""
            lines.append(f"{_word(rule.prefix)} prefix-list {name} seq {5 * number} permit {rule.prefix}{longer}")
    return lines


def families(policy: Policy) -> list[str]:
    """`ip` and `ipv6`, as far as a policy has rules of them."""
    permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
    return sorted({_word(rule.prefix) for rule in permits})


def _timers(bgp: Bgp | BgpVrf) -> tuple[int, int] | None:
    """The timers, unless the profile has the same: FRR would not show the line and a reload re-adds it for ever."""
    if not isinstance(bgp.keepalive_s, int) or not isinstance(bgp.hold_s, int):
        return None
    pair = (bgp.keepalive_s, bgp.hold_s)
    return None if pair == PROFILE_TIMERS["datacenter"] else pair


def _groups(neighbors: Mapping[str, BgpNeighbor]) -> Groups:
    """One peer-group for each set of equal neighbor settings, so that the text stays short.

    Each VRF has groups of its own, which may have the names of others.
    """
    groups: dict[str, BgpNeighbor] = {}
    for neighbor in neighbors.values():
        if not any(_same(neighbor, g) for g in groups.values()):
            groups["FABRIC" if not groups else f"FABRIC{len(groups) + 1}"] = neighbor
    return groups


def _same(one: BgpNeighbor, other: BgpNeighbor) -> bool:
    return (one.remote, one.import_policy, one.export_policy, one.families, one.allowas_in or {}) == (
        other.remote,
        other.import_policy,
        other.export_policy,
        other.families,
        other.allowas_in or {},
    )


def _group_of(neighbor: BgpNeighbor, groups: Groups) -> str:
    return next(name for name, group in groups.items() if _same(neighbor, group))


def _family(name: str, bgp: Bgp | BgpVrf, groups: Groups) -> Mapping[str, object]:
    version = 4 if name == "ipv4" else 6
    active = {g: n for g, n in groups.items() if isinstance(n.families, frozenset) and name in n.families}
    networks: Leaf[frozenset[str]] = bgp.networks
    return {
        "name": name,
        "networks": [p for p in _sorted(networks) if ip_network(p).version == version],
        "groups": [
            (g, _known(n.import_policy), _known(n.export_policy), _known((n.allowas_in or {}).get(name)))
            for g, n in active.items()
        ],
        "maximum_paths": _known(bgp.maximum_paths) if active else None,
    }
