"""BGP in Junos's words: groups of equal sessions, policies, and where routes of our own come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network

from netaudit.platforms.junos.leaves import known
from netaudit.platforms.junos.names import logical
from netaudit.platforms.junos.quantize import is_address
from netaudit.state import Bgp, BgpNeighbor, BgpVrf, Device, Leaf, Policy

Row = Mapping[str, object]
DEFAULT = "default"
ORIGINATE = "ORIGINATE"
"""Policy that lets through what BGP has learned and what is our own; that of a VRF has its name behind it."""
ANY_AS = "AS-ANY"
"""List of all AS numbers: any neighbor that is external."""
ALL_ASNS = "1-4294967295"
PER_PACKET = "PFE-LB"
"""Policy by which all equal paths go to the chip, named as in Juniper's design (junos.md section 1)."""
_FAMILIES = {"ipv4": "inet", "ipv6": "inet6"}


def bgp_context(device: Device, native: Mapping[str, str]) -> Mapping[str, object]:
    """The speakers, and the policies that all of them share."""
    bgp = device.bgp or Bgp()
    speakers = list(_speakers(bgp, native))
    return {
        "maximum_ecmp": known(bgp.maximum_paths),
        "per_packet": PER_PACKET if device.bgp is not None else None,
        "policies": [_policy(name, policy) for name, policy in sorted((bgp.policies or {}).items())],
        "as_lists": sorted({row for speaker in speakers for row in speaker["as_lists"]}),  # type: ignore[attr-defined]
        "speakers": speakers,
        "discards": [(prefix, ip_network(prefix).version == 6) for prefix in in_order(bgp.discards)],
    }


def in_order(prefixes: Leaf[frozenset[str]]) -> list[str]:
    """Prefixes by family and number."""
    return sorted(known(prefixes) or (), key=lambda prefix: _place(prefix, 0))


def _policy(name: str, policy: Policy) -> Row:
    rules = sorted(known(policy.permits) or (), key=lambda rule: _place(rule.prefix, rule.up_to))
    return {"name": name, "terms": list(_terms(("V4", "V6"), [(rule.prefix, rule.up_to) for rule in rules]))}


def _place(prefix: str, up_to: int) -> tuple[int, bytes, int, int]:
    network = ip_network(prefix)
    return network.version, network.network_address.packed, network.prefixlen, up_to


def _terms(names: tuple[str, str], rules: list[tuple[str, int]]) -> Iterator[Row]:
    """A term for each family: the prefixes of one may not stand beside those of the other."""
    for version, name in zip((4, 6), names, strict=True):
        filters = [
            (prefix, f"/{ip_network(prefix).prefixlen}-/{up_to}")
            for prefix, up_to in rules
            if ip_network(prefix).version == version
        ]
        if filters:
            yield {"name": name, "filters": filters}


def originate(vrf: str) -> str:
    """Name of the policy for what a speaker originates."""
    return ORIGINATE if vrf == DEFAULT else f"{ORIGINATE}-{vrf}"


def _speakers(bgp: Bgp, native: Mapping[str, str]) -> Iterator[Row]:
    """The speaker of each VRF, the default one first."""
    found: dict[str, Bgp | BgpVrf] = {DEFAULT: bgp, **dict(sorted((bgp.vrfs or {}).items()))}
    members: dict[str, dict[str, BgpNeighbor]] = {}
    for key, neighbor in (bgp.neighbors or {}).items():
        members.setdefault(neighbor.vrf if isinstance(neighbor.vrf, str) else DEFAULT, {})[key] = neighbor
    for vrf, speaker in found.items():
        if isinstance(speaker.asn, int):
            yield _speaker(vrf, speaker, members.get(vrf, {}), native)


def _speaker(
    vrf: str, bgp: Bgp | BgpVrf, neighbors: Mapping[str, BgpNeighbor], native: Mapping[str, str]
) -> Mapping[str, object]:
    groups = list(_groups(vrf, neighbors, native))
    own = [(prefix, ip_network(prefix).prefixlen) for prefix in in_order(bgp.networks)]
    return {
        "vrf": vrf,
        "at": "" if vrf == DEFAULT else f"routing-instances {vrf} ",
        "asn": bgp.asn,
        "router_id": known(bgp.router_id),
        "hold_s": known(bgp.hold_s),
        "multiple_as": bgp.multipath_relax is True,
        "multipath": isinstance(bgp, Bgp) and isinstance(bgp.maximum_paths, int),
        "requires_policy": bgp.requires_policy is True,
        "originate": originate(vrf),
        "own": list(_terms(("OWN-V4", "OWN-V6"), own)),
        "groups": groups,
        "as_lists": [(row["as_list"], row["members"]) for row in groups if row["as_list"]],
    }


def kind(key: str, neighbor: BgpNeighbor) -> str:
    """`auto`: found at a port. `allow`: an address that may be anybody's. `static`: an address with its number."""
    if not is_address(key):
        return "auto"
    return "allow" if neighbor.remote == "external" else "static"


def _groups(vrf: str, neighbors: Mapping[str, BgpNeighbor], native: Mapping[str, str]) -> Iterator[Row]:
    """One group for each set of equal settings, named after them, so that growth renames none."""
    groups: dict[tuple[object, ...], dict[str, BgpNeighbor]] = {}
    for key, neighbor in neighbors.items():
        groups.setdefault(_settings(key, neighbor), {})[key] = neighbor
    taken: set[str] = set()
    for settings in sorted(groups, key=repr):
        members = groups[settings]
        key, neighbor = next(iter(members.items()))
        name = base = _name(kind(key, neighbor), neighbor)
        number = 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name)
        yield _group(vrf, name, members, native)


def _settings(key: str, neighbor: BgpNeighbor) -> tuple[object, ...]:
    how = kind(key, neighbor)
    return (
        how,
        "internal" if neighbor.remote == "internal" else "external",
        neighbor.remote if how != "static" else "",
        neighbor.import_policy,
        neighbor.export_policy,
        tuple(sorted(known(neighbor.families) or ())),
        tuple(sorted((family, str(n)) for family, n in (neighbor.allowas_in or {}).items())),
        ip_address(key).version if is_address(key) else 0,
    )


def _name(how: str, neighbor: BgpNeighbor) -> str:
    """After its policies: `FABRIC`, `BORDER-V4`, `HOST-V6-ANY`."""
    incoming, outgoing = neighbor.import_policy, neighbor.export_policy
    base = incoming.removesuffix("-IN") if isinstance(incoming, str) else ""
    base = base or (outgoing.removesuffix("-OUT") if isinstance(outgoing, str) else "") or "PEERS"
    active = known(neighbor.families) or frozenset()
    parts = [base]
    if len(active) == 1:
        parts.append("V4" if "ipv4" in active else "V6")
    if neighbor.remote == "internal":
        parts.append("INTERNAL")
    elif how == "auto" and neighbor.remote != "external":
        parts.append(f"AS{neighbor.remote}")
    if how == "allow":
        parts.append("ANY")
    return "-".join(parts)


def _group(vrf: str, name: str, members: Mapping[str, BgpNeighbor], native: Mapping[str, str]) -> Row:
    key, one = next(iter(members.items()))
    how = kind(key, one)
    over_v6 = how == "auto" or ip_address(key).version == 6
    internal = one.remote == "internal"
    listed = how in ("auto", "allow") and isinstance(one.remote, str) and not internal
    return {
        "name": name,
        "type": "internal" if internal else "external" if isinstance(one.remote, str) else None,
        "families": [_family(family, one, over_v6) for family in sorted(known(one.families) or ())],
        "import": known(one.import_policy),
        "export": _export(originate(vrf), known(one.export_policy)),
        "as_list": (ANY_AS if one.remote == "external" else f"AS-{one.remote}") if listed else None,
        "members": ALL_ASNS if one.remote == "external" else one.remote,
        "discovered": [logical(native.get(member, member)) for member in members] if how == "auto" else [],
        "allowed": [f"{m}/{ip_address(m).max_prefixlen}" for m in members] if how == "allow" else [],
        "static": [
            (m, n.remote if isinstance(n.remote, str) and n.remote.isdigit() else None) for m, n in members.items()
        ]
        if how == "static"
        else [],
    }


def _export(own: str, policy: str | None) -> str:
    return own if policy is None else f"( {own} && {policy} )"


def _family(family: str, neighbor: BgpNeighbor, over_v6: bool) -> Row:
    times = known((neighbor.allowas_in or {}).get(family))
    return {
        "name": _FAMILIES[family],
        # IPv4 routes with next hops of IPv6 (RFC 8950)
        "extended": family == "ipv4" and over_v6,
        "loops": times + 1 if isinstance(times, int) else None,
    }
