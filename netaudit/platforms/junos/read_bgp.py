"""BGP of Junos as state: speakers, sessions, policies, what is announced, and what no leaf stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Final

from netaudit.platforms.junos import text
from netaudit.platforms.junos.modelled import is_modelled
from netaudit.platforms.junos.names import RESERVED, port_of
from netaudit.platforms.junos.owned import area_of
from netaudit.platforms.junos.raw import GROUP
from netaudit.platforms.junos.read_policy import Policies, read_policies
from netaudit.platforms.junos.text import Tree, Words, below, has, number, value
from netaudit.platforms.junos.write_bgp import ALL_ASNS, DEFAULT, originate
from netaudit.state import ABSENT, Bgp, BgpNeighbor, BgpVrf, Leaf

DEFAULT_HOLD_S: Final = 90
DEFAULT_PATHS: Final = 16
"""Width of `multipath` where `chassis maximum-ecmp` says nothing (Juniper, «maximum-ecmp»)."""


def read_bgp(statements: Iterable[Words], root: Tree) -> Bgp:
    """The speaker of the default routing instance, with the sessions and policies of all."""
    policies = read_policies(root)
    neighbors: dict[str, BgpNeighbor] = {}
    vrfs: dict[str, BgpVrf] = {}
    default = _speaker(root, root, DEFAULT, policies)
    neighbors.update(_neighbors(root, root, DEFAULT, policies))
    for name, instance in below(root, "routing-instances").items():
        if name in RESERVED:
            continue
        if has(instance, "routing-options", "autonomous-system"):
            vrfs[name] = _vrf(_speaker(root, instance, name, policies))
        neighbors.update(_neighbors(root, instance, name, policies))
    return Bgp(
        asn=default.asn,
        router_id=default.router_id,
        multipath_relax=default.relax,
        maximum_paths=_paths(root, default, policies),
        hold_s=default.hold_s,
        requires_policy=default.requires_policy,
        networks=default.networks,
        discards=frozenset(_discards(root)),
        policies=policies.known,
        neighbors=neighbors,
        vrfs=vrfs,
        unmodelled=frozenset(_unmodelled(statements, policies)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Speaker:
    asn: Leaf[int] = ABSENT
    router_id: Leaf[str] = ABSENT
    relax: bool = False
    multipath: bool = False
    hold_s: Leaf[int] = ABSENT
    requires_policy: bool = False
    networks: frozenset[str] = field(default_factory=frozenset)


def _vrf(speaker: _Speaker) -> BgpVrf:
    return BgpVrf(
        asn=speaker.asn,
        router_id=speaker.router_id,
        multipath_relax=speaker.relax,
        hold_s=speaker.hold_s,
        requires_policy=speaker.requires_policy,
        networks=speaker.networks,
    )


def _speaker(root: Tree, node: Tree, vrf: str, policies: Policies) -> _Speaker:
    bgp = below(node, "protocols", "bgp")
    groups = below(bgp, "group").values()
    multipath = has(bgp, "multipath") or (bool(groups) and all(has(group, "multipath") for group in groups))
    relax = has(bgp, "multipath", "multiple-as") or (
        bool(groups) and all(has(group, "multipath", "multiple-as") for group in groups)
    )
    return _Speaker(
        asn=_asn(value(node, "routing-options", "autonomous-system")),
        router_id=value(node, "routing-options", "router-id") or ABSENT,
        relax=relax,
        multipath=multipath,
        hold_s=_hold(bgp),
        requires_policy=all(
            value(bgp, "defaults", "ebgp", "no-policy", way) in ("reject", "reject-always")
            for way in ("receive", "advertise")
        ),
        networks=policies.originated.get(originate(vrf), frozenset()),
    )


def _hold(bgp: Tree) -> int:
    """The hold time of all sessions; where groups differ, that of the first."""
    own = number(bgp, "hold-time")
    said = {number(group, "hold-time") for group in below(bgp, "group").values()}
    if len(said) == 1 and None not in said:
        return next(time for time in said if time is not None)
    if len(said) > 1:
        return next(time for time in sorted(time for time in said if time is not None) if time != own)
    return DEFAULT_HOLD_S if own is None else own


def _asn(word: str | None) -> Leaf[int]:
    """`65001`, or `64512.10` (field case A12)."""
    if word is None:
        return ABSENT
    found = re.fullmatch(r"(?:(\d{1,5})\.)?(\d{1,10})", word)
    if found is None:
        return ABSENT
    high, low = int(found.group(1) or 0), int(found.group(2))
    return high * 65536 + low if high == 0 or (high < 65536 and low < 65536) else ABSENT


def _paths(root: Tree, speaker: _Speaker, policies: Policies) -> Leaf[int]:
    """How many equal paths are used: one, unless BGP keeps several and the chip is given all of them."""
    exported = below(root, "routing-options", "forwarding-table", "export")
    width = number(root, "chassis", "maximum-ecmp")
    if not speaker.multipath or not any(name in policies.balancing for name in exported):
        return ABSENT if width is None else 1
    return DEFAULT_PATHS if width is None else width


def _neighbors(root: Tree, node: Tree, vrf: str, policies: Policies) -> Iterator[tuple[str, BgpNeighbor]]:
    bgp = below(node, "protocols", "bgp")
    for group in below(bgp, "group").values():
        levels = (group, bgp)
        for dynamic in below(group, "dynamic-neighbor").values():
            discovery = below(dynamic, "peer-auto-discovery")
            remote = _listed(root, levels)
            for interface in below(discovery, "interface"):
                yield port_of(interface.removesuffix(".0")), _neighbor(levels, vrf, remote, policies)
            for prefix in below(dynamic, "allow"):
                yield _address(prefix.partition("/")[0]), _neighbor(levels, vrf, remote, policies)
        for prefix in below(group, "allow"):
            yield _address(prefix.partition("/")[0]), _neighbor(levels, vrf, _listed(root, levels), policies)
        for address, settings in below(group, "neighbor").items():
            here = (settings, *levels)
            yield _address(address), _neighbor(here, vrf, _remote(here), policies)


def _address(word: str) -> str:
    try:
        return str(ip_address(word))
    except ValueError:
        return word


def _first(levels: Iterable[Tree], *path: str) -> str | None:
    """A setting where it is said last: of the neighbor, of its group, or of all."""
    return next((found for level in levels if (found := value(level, *path)) is not None), None)


def _remote(levels: tuple[Tree, ...]) -> str:
    number_ = _asn(_first(levels, "peer-as"))
    if isinstance(number_, int):
        return str(number_)
    return "internal" if _first(levels, "type") == "internal" else "external"


def _listed(root: Tree, levels: tuple[Tree, ...]) -> str:
    """Of neighbors that are found or let in: what the list of AS numbers says."""
    if _first(levels, "type") == "internal":
        return "internal"
    name = _first(levels, "peer-as-list")
    members = [*below(root, "policy-options", "as-list", name, "members")] if name is not None else []
    if len(members) == 1 and members[0] != ALL_ASNS and isinstance(_asn(members[0]), int):
        return str(_asn(members[0]))
    return "external" if members == [ALL_ASNS] or not members else " ".join(members)


def _neighbor(levels: tuple[Tree, ...], vrf: str, remote: str, policies: Policies) -> BgpNeighbor:
    families, allowed = set(), {}
    for name, family in (("ipv4", "inet"), ("ipv6", "inet6")):
        level = next((one for one in levels if has(one, "family", family, "unicast")), None)
        if level is not None:
            families.add(name)
            loops = number(level, "family", family, "unicast", "loops")
            if loops is not None and loops > 1:
                allowed[name] = loops - 1
    if not families and not any(has(level, "family") for level in levels):
        families = {"ipv4"}  # what Junos takes where nothing is said
    return BgpNeighbor(
        vrf=vrf,
        remote=remote,
        import_policy=_chain(levels, "import") or ABSENT,
        export_policy=_exported(_chain(levels, "export"), vrf, policies),
        families=frozenset(families),
        allowas_in=dict[str, Leaf[int]](allowed),
    )


def _chain(levels: tuple[Tree, ...], way: str) -> str:
    """The policies of one direction, in order, as one text."""
    return next((" ".join(below(level, way)) for level in levels if has(level, way)), "")


def _exported(chain: str, vrf: str, policies: Policies) -> Leaf[str]:
    """The policy behind that for what the device originates; where there is such a one, its lack is said."""
    own = originate(vrf)
    if not chain or chain == own:
        return ABSENT
    found = re.fullmatch(rf"\( {re.escape(own)} && (\S+) \)", chain)
    if found:
        return found.group(1)
    return f"{chain} alone" if own in policies.originated else chain


def _discards(root: Tree) -> Iterator[str]:
    options = below(root, "routing-options")
    for node in (options, below(options, "rib", "inet6.0"), below(options, "rib", "inet.0")):
        for prefix, settings in below(node, "static", "route").items():
            if has(settings, "discard"):
                try:
                    yield str(ip_network(prefix))
                except ValueError:
                    yield prefix


def _unmodelled(statements: Iterable[Words], policies: Policies) -> Iterator[str]:
    """Statements of routing that no leaf stands for, and those of the site's own group."""
    for words in statements:
        if words[:2] == ("groups", GROUP):
            yield f"set {text.shown(words[2:])}"
        elif words[0] != "groups" and area_of(words) == "bgp":
            policy = words[2] if words[:2] == ("policy-options", "policy-statement") and len(words) > 2 else None
            if policy in policies.foreign if policy is not None else not is_modelled(words):
                yield f"set {text.shown(words)}"
