"""What BGP of a configuration of Junos is, in FRR's words: its speakers, their peers, and what passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_address
from typing import Final

from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, Peer, Speaker
from netaudit.lab.sim.nos.junos import policy
from netaudit.lab.sim.nos.junos.instances import (
    FAMILY_OF,
    autonomous_system,
    instances,
    interface_of,
    number_of,
    owned,
)
from netaudit.lab.sim.nos.junos.policy import Own
from netaudit.lab.sim.nos.junos.tree import Tree

DEFAULT_HOLD_S: Final = 90
"""RFC 4271 section 10, which Junos keeps to (field/real/junos: holdtime 90); a keepalive is a third of it."""
DEFAULT_ECMP: Final = 16
"""Next hops of a route unless `chassis maximum-ecmp` says otherwise; the least that it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """One group of peers, with all that counts for them."""

    root: Tree
    instance: Tree
    """The routing instance; the whole configuration where it is the default one."""
    bgp: Tree
    name: str
    tree: Tree
    own: tuple[Own, ...]
    """Routes that the instance has by itself."""
    position: Mapping[str, str]

    @property
    def levels(self) -> tuple[Tree, ...]:
        """Where a setting of all peers may stand, the innermost first."""
        return self.tree, self.bgp

    @property
    def external(self) -> bool:
        """Its peers are of other ASs."""
        return self.tree.value("type") != "internal"


def speakers_of(
    root: Tree,
    position: Mapping[str, str],
    addresses: Mapping[str, Sequence[IPv4Interface | IPv6Interface]],
    bound: Mapping[str, str],
) -> Iterator[tuple[str, Speaker]]:
    """(VRF, its speaker); the default one has the empty name."""
    for vrf, tree in (("", root), *instances(root)):
        bgp = tree.get("protocols", "bgp")
        asn = autonomous_system(tree) or autonomous_system(root)
        if bgp is None or asn is None or ("disable",) in bgp.children:
            continue
        own = [one for one, _ in owned(tree)]
        own += [
            Own(prefix=str(address.network), protocol="direct")
            for interface, found in addresses.items()
            if bound.get(interface, "") == vrf
            for address in found
        ]
        groups = tuple(
            _Group(root=root, instance=tree, bgp=bgp, name=name, tree=group, own=tuple(own), position=position)
            for name, group in bgp.entries("group")
            if ("disable",) not in group.children
        )
        yield vrf, _speaker(root, tree, bgp, asn, groups)


def _speaker(root: Tree, tree: Tree, bgp: Tree, asn: int, groups: Sequence[_Group]) -> Speaker:
    hold_s = next((int(text) for one in groups if (text := _of(one.levels, "hold-time"))), DEFAULT_HOLD_S)
    many = any(_says(one.levels, "multipath") for one in groups)
    most = int(root.value("chassis", "maximum-ecmp") or DEFAULT_ECMP) if many else 1
    return Speaker(
        asn=asn,
        router_id=tree.value("routing-options", "router-id"),
        relax=any(_says(one.levels, "multipath", "multiple-as") for one in groups),
        requires_policy=_is_strict(bgp),
        import_check=True,
        keepalive_s=hold_s // 3,
        hold_s=hold_s,
        peers={peer.key: peer for one in groups for peer in _peers(one)},
        networks={
            family: tuple(dict.fromkeys(prefix for one in groups for prefix in _told(one, family)))
            for family in FAMILIES
        },
        redistribute=dict.fromkeys(FAMILIES, ()),
        maximum_paths=dict.fromkeys(FAMILIES, most),
    )


def _told(group: _Group, family: str) -> Iterator[str]:
    """The prefixes of its own that any peer of a group is told."""
    for levels in (group.levels, *((one, *group.levels) for _, one in group.tree.entries("neighbor"))):
        yield from policy.told(policy.chain(group.root, _policies(levels, "export")), group.own, family)


def _says(levels: Sequence[Tree], *words: str) -> bool:
    """Does one of the levels have a statement?"""
    return any(level.get(*words) is not None for level in levels)


def _of(levels: Sequence[Tree], *words: str) -> str:
    """A value, as the innermost level that has it says."""
    return next((value for level in levels if (value := level.value(*words))), "")


def _policies(levels: Sequence[Tree], which: str) -> tuple[str, ...]:
    """The policies of the innermost level that names any."""
    return next((found for level in levels if (found := level.values(which))), ())


def _is_strict(bgp: Tree) -> bool:
    """RFC 8212, which Junos keeps to where it is told: nothing comes or goes where no policy is named."""
    return bgp.get("defaults", "ebgp", "no-policy", "receive", "reject") is not None


def _peers(group: _Group) -> Iterator[Peer]:
    """The peers of a group: those that are named, those that are let in, those that are discovered at an interface."""
    for address, neighbor in group.tree.entries("neighbor"):
        levels = (neighbor, *group.levels)
        remote = _of(levels, "peer-as")
        shut = ("disable",) in neighbor.children or _says((neighbor, group.tree), "shutdown")
        number = str(number_of(remote)) if remote else "" if group.external else "internal"
        yield _peer(group, str(ip_address(address)), levels, number, shut=shut)
    for _, dynamic in group.tree.entries("dynamic-neighbor"):
        for prefix in dynamic.values("allow"):
            address, _, length = prefix.partition("/")
            if length in ("32", "128"):  # a wider one lets peers in that nobody names
                yield _peer(group, str(ip_address(address)), group.levels, _remote(group))
        for logical in _discovering(group, dynamic):
            port = interface_of(logical, group.position)
            yield _peer(group, port, group.levels, _remote(group), over_interface=True)


def _discovering(group: _Group, dynamic: Tree) -> Iterator[str]:
    """The logical interfaces where peers are found: discovery is by router advertisements (junos.md section 1)."""
    discovery = dynamic.get("peer-auto-discovery")
    if discovery is not None and discovery.get("family", "inet6", "ipv6-nd") is not None:
        for logical, _ in discovery.entries("interface"):
            # those of a VRF's interfaces are sent by the default instance as well (J1 has it so)
            if _says((group.root, group.instance), "protocols", "router-advertisement", "interface", logical):
                yield logical


def _peer(
    group: _Group,
    key: str,
    levels: Sequence[Tree],
    remote: str,
    *,
    shut: bool = False,
    over_interface: bool = False,
) -> Peer:
    return Peer(
        key=key,
        over_interface=over_interface,
        remote=remote,
        group=group.name,
        shutdown=shut or _says((group.tree,), "shutdown"),
        description=_of(levels, "description"),
        families=dict(_families(group, levels, "ipv6" if over_interface or ":" in key else "ipv4")),
    )


def _remote(group: _Group) -> str:
    """What a peer's number must be that is not named: one, or any of a list, which the lab takes for any but ours."""
    lists = _policies(group.levels, "peer-as-list")
    members = [one for name in lists for one in group.root.values("policy-options", "as-list", name, "members")]
    if len(members) == 1 and members[0].isdigit():
        return members[0]
    return "internal" if not group.external else "external" if members else ""


def _families(group: _Group, levels: Sequence[Tree], native: str) -> Iterator[tuple[str, FamilyPeer]]:
    """What a peer speaks of: the families of the innermost level that has any, else that of its address."""
    holder = next((one for one in levels if any(one.get("family", name) is not None for name in FAMILY_OF)), None)
    into, out = (policy.chain(group.root, _policies(levels, which)) for which in ("import", "export"))
    for name, family in FAMILY_OF.items():
        unicast = holder.get("family", name, "unicast") if holder is not None else None
        loops = int(unicast.value("loops") or 1) if unicast is not None else 1
        yield (
            family,
            FamilyPeer(
                active=unicast is not None if holder is not None else family == native,
                policy_in=policy.imported(into, family),
                policy_out=policy.exported(out, group.own, family) if out or not _is_strict(group.bgp) else None,
                # a path is hidden where the own number is in it `loops` times or more often
                allowas_in=loops - 1,
            ),
        )


def named_neighbors(root: Tree, vrf: str) -> frozenset[str]:
    """The addresses of neighbors that the configuration names: these are shown whether they are there or not."""
    tree = dict(instances(root)).get(vrf, root) if vrf else root
    groups = (tree.get("protocols", "bgp") or Tree()).entries("group")
    return frozenset(str(ip_address(address)) for _, group in groups for address, _ in group.entries("neighbor"))
