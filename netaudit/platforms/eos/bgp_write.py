"""BGP and its policies as the template prints them. Nothing is decided there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

from netaudit.platforms.eos.bgp_read import DEFAULT, FAMILIES
from netaudit.platforms.eos.policies_read import ALL_ASNS
from netaudit.platforms.eos.ports import native_names
from netaudit.state import Bgp, BgpNeighbor, BgpVrf, Device, Policy

FILTER = "EXTERNAL"
"""The peer filter that accepts every ASN but our own."""
Speaker = Bgp | BgpVrf


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A peer group: what neighbors have in common. Groups are of the whole speaker, those of its VRFs among them."""

    name: str
    unnumbered: bool
    requires_policy: bool
    loops: int | None
    policies: tuple[tuple[str, str], ...]
    """(name, `in` or `out`)."""
    families: frozenset[str]

    @property
    def bare(self) -> tuple[tuple[str, str], ...]:
        """The policies where there is no address family that they could stand in."""
        return () if self.families else self.policies


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """`router bgp`, or a VRF in it."""

    vrf: str
    lines: tuple[str, ...]
    ranges: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()
    unnumbered: tuple[str, ...] = ()
    networks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Address family → what is originated in it."""


def context(device: Device) -> Mapping[str, object]:
    """What `eos.cfg.j2` prints of BGP."""
    bgp = device.bgp or Bgp()
    policies = sorted((bgp.policies or {}).items())
    speakers = _speakers(bgp)
    groups, member = _groups(bgp, speakers, native_names(device))
    parts = [_part(vrf, speaker, bgp, member, native_names(device)) for vrf, speaker in speakers.items()]
    return {
        "prefix_lists": {word: list(_lists(policies, word)) for word in ("ip", "ipv6")},
        "route_maps": [(name, list(_entries(name, policy))) for name, policy in policies],
        "discards": [f"{_word(prefix)} route {prefix} Null0" for prefix in _sorted(bgp.discards)],
        "peer_filters": [(_filter(asn, bgp), asn) for asn in sorted(_filtered(bgp, speakers, parts))],
        "bgp": {
            "asn": bgp.asn,
            "groups": groups,
            "default": parts[0],
            "vrfs": parts[1:],
            "families": [f for f in FAMILIES if parts[0].networks[f] or any(f in g.families for g in groups)],
        }
        if parts
        else None,
        "all_asns": f"{ALL_ASNS[0]}-{ALL_ASNS[1]}",
        "families": FAMILIES,
    }


def _speakers(bgp: Bgp) -> Mapping[str, Speaker]:
    """VRF → its speaker; none where the number is not ours to say."""
    if not isinstance(bgp.asn, int):
        return {}
    return {DEFAULT: bgp, **dict(sorted((bgp.vrfs or {}).items()))}


def _sorted(prefixes: object) -> list[str]:
    known = prefixes if isinstance(prefixes, frozenset) else frozenset()
    return sorted(known, key=lambda p: (ip_network(p).version, ip_network(p)))


def _word(prefix: str) -> str:
    return "ip" if ip_network(prefix).version == 4 else "ipv6"


Lines = list[str]


def _lists(policies: list[tuple[str, Policy]], word: str) -> Iterator[tuple[str, Lines]]:
    """(name, its lines) of the prefix lists of a family."""
    for name, policy in policies:
        permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
        rules = sorted(
            (rule for rule in permits if _word(rule.prefix) == word), key=lambda r: (ip_network(r.prefix), r.up_to)
        )
        if rules:
            yield (
                list_name(name, word),
                [
                    f"seq {10 * number} permit {rule.prefix}{_longer(rule.prefix, rule.up_to)}"
                    for number, rule in enumerate(rules, start=1)
                ],
            )


def _longer(prefix: str, up_to: int) -> str:
    return f" le {up_to}" if up_to > ip_network(prefix).prefixlen else ""


def list_name(policy: str, word: str) -> str:
    """The prefix list of a policy: its own name, and for IPv6 one that no IPv4 list has."""
    return policy if word == "ip" else f"{policy}-V6"


def _entries(name: str, policy: Policy) -> Iterator[str]:
    """`match …` for each family that a policy has rules of."""
    permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
    for word in sorted({_word(rule.prefix) for rule in permits}):
        yield f"match {word} address prefix-list {list_name(name, word)}"


def _groups(
    bgp: Bgp, speakers: Mapping[str, Speaker], names: Mapping[str, str]
) -> tuple[list[Group], Mapping[str, str]]:
    """The peer groups, and neighbor → its group. One group for each set of equal settings."""
    groups: dict[tuple[object, ...], Group] = {}
    member: dict[str, str] = {}
    taken: dict[str, int] = {}
    for key, neighbor in (bgp.neighbors or {}).items():
        speaker = speakers.get(neighbor.vrf if isinstance(neighbor.vrf, str) else DEFAULT)
        if speaker is None:
            continue
        settings = _settings(neighbor, speaker, unnumbered=is_interface(key))
        if settings not in groups:
            policies, families, loops, requires, unnumbered = settings
            base = _group_name(neighbor)
            taken[base] = taken.get(base, 0) + 1
            groups[settings] = Group(
                name=base if taken[base] == 1 else f"{base}-{taken[base]}",
                unnumbered=unnumbered,
                requires_policy=requires,
                loops=loops,
                policies=policies,
                families=families,
            )
        member[key] = groups[settings].name
    return list(groups.values()), member


def is_interface(key: str) -> bool:
    """Is a session known by its port?"""
    try:
        ip_address(key)
    except ValueError:
        return True
    return False


def _group_name(neighbor: BgpNeighbor) -> str:
    policy = neighbor.import_policy if isinstance(neighbor.import_policy, str) else ""
    return policy.removesuffix("-IN") or "PEERS"


Settings = tuple[tuple[tuple[str, str], ...], frozenset[str], int | None, bool, bool]


def _settings(neighbor: BgpNeighbor, speaker: Speaker, *, unnumbered: bool) -> Settings:
    policies = ((neighbor.import_policy, "in"), (neighbor.export_policy, "out"))
    loops = [count for count in (neighbor.allowas_in or {}).values() if isinstance(count, int)]
    return (
        tuple((name, way) for name, way in policies if isinstance(name, str)),
        neighbor.families if isinstance(neighbor.families, frozenset) else frozenset(),
        max(loops) if loops else None,
        speaker.requires_policy is True,
        unnumbered,
    )


def _part(vrf: str, speaker: Speaker, bgp: Bgp, member: Mapping[str, str], names: Mapping[str, str]) -> Part:
    mine = [
        (key, neighbor)
        for key, neighbor in (bgp.neighbors or {}).items()
        if key in member and (neighbor.vrf if isinstance(neighbor.vrf, str) else DEFAULT) == vrf
    ]
    numbered = [(key, n) for key, n in mine if not is_interface(key)]
    heard = [(key, n) for key, n in numbered if n.remote == "external"]
    return Part(
        vrf=vrf,
        lines=tuple(_speaker_lines(vrf, speaker, bgp)),
        ranges=tuple(
            f"bgp listen range {key}/{ip_address(key).max_prefixlen} peer-group {member[key]}"
            f" peer-filter {_filter(_asn(speaker, bgp), bgp)}"
            for key, _ in heard
        ),
        numbered=tuple(
            line
            for key, n in numbered
            if n.remote != "external"
            for line in _dialled(key, n, member[key], speaker, bgp)
        ),
        unnumbered=tuple(
            f"neighbor interface {names.get(key, key)} peer-group {member[key]}{_whom(n, speaker, bgp)}"
            for key, n in mine
            if is_interface(key)
        ),
        networks={
            family: tuple(p for p in _sorted(speaker.networks) if ip_network(p).version == int(family[-1]))
            for family in FAMILIES
        },
    )


def _speaker_lines(vrf: str, speaker: Speaker, bgp: Bgp) -> Iterator[str]:
    if vrf != DEFAULT and isinstance(speaker.asn, int) and speaker.asn != bgp.asn:
        yield f"local-as {speaker.asn}"
    if isinstance(speaker.router_id, str):
        yield f"router-id {speaker.router_id}"
    if vrf == DEFAULT:
        yield "no bgp default ipv4-unicast"
    if speaker.multipath_relax is False:
        yield "no bgp bestpath as-path multipath-relax"
    if isinstance(speaker.keepalive_s, int) and isinstance(speaker.hold_s, int):
        yield f"timers bgp {speaker.keepalive_s} {speaker.hold_s}"
    if isinstance(speaker.maximum_paths, int):
        yield f"maximum-paths {speaker.maximum_paths} ecmp {speaker.maximum_paths}"


def _asn(speaker: Speaker, bgp: Bgp) -> object:
    return speaker.asn if isinstance(speaker.asn, int) else bgp.asn


def _filter(asn: object, bgp: Bgp) -> str:
    return FILTER if asn == bgp.asn else f"{FILTER}-{asn}"


def _filtered(bgp: Bgp, speakers: Mapping[str, Speaker], parts: list[Part]) -> set[int]:
    """The own ASNs that a filter has to keep out."""
    used = [
        speakers[part.vrf] for part in parts if any("peer-filter" in line for line in (*part.ranges, *part.unnumbered))
    ]
    return {asn for speaker in used if isinstance(asn := _asn(speaker, bgp), int)}


def _whom(neighbor: BgpNeighbor, speaker: Speaker, bgp: Bgp) -> str:
    """What stands behind a neighbor of its ASN."""
    if neighbor.remote == "external":
        return f" peer-filter {_filter(_asn(speaker, bgp), bgp)}"
    if neighbor.remote == "internal":
        return f" remote-as {_asn(speaker, bgp)}"
    return f" remote-as {neighbor.remote}" if isinstance(neighbor.remote, str) else ""


def _dialled(key: str, neighbor: BgpNeighbor, group: str, speaker: Speaker, bgp: Bgp) -> Iterator[str]:
    yield f"neighbor {key} peer group {group}"
    whom = _whom(neighbor, speaker, bgp)
    if whom:
        yield f"neighbor {key}{whom}"
