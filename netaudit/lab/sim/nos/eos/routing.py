"""What a configuration of EOS means for routing, in the words that the lab's engine has for every NOS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network
from typing import Final

from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, FrrConfig, Peer, Speaker, Static
from netaudit.lab.sim.frr_policy import Clause, Policy, PrefixRule
from netaudit.lab.sim.nos.eos.config import Tree

_TIMERS: Final = (60, 180)
_MAXIMUM_PATHS: Final = 1
"""EOS uses one path until it is told otherwise."""
_ALLOWAS_IN: Final = 3
"""`allowas-in` without a number."""
_ROUTE: Final = re.compile(r"(?:ip|ipv6) route (?:vrf (\S+) )?(\S+/\d+) (\S+)(?: (\d+\.\S+|\S*:\S*))?.*")
_MANAGEMENT: Final = "interface Management"


def interpret(tree: Tree) -> FrrConfig:
    """What a configuration means."""
    maps = _route_maps(tree)
    speakers: dict[str, Speaker] = {}
    for head, lines in tree.items():
        if head.startswith("router bgp "):
            own = asn(head.split()[2])
            speakers[""] = _speaker(lines, lines, own, maps)
            for at, below in lines.items():
                if at.startswith("vrf "):
                    number = _rest(below, "local-as ")
                    speakers[at.split()[1]] = _speaker(lines, below, asn(number) if number else own, maps)
    outside = management_vrfs(tree)
    return FrrConfig(speakers=speakers, statics=tuple(one for one in _statics(tree) if one.vrf not in outside))


def management_vrfs(tree: Tree) -> frozenset[str]:
    """VRFs of the management ports, which carry nothing of the fabric."""
    return frozenset(
        line.removeprefix("vrf ")
        for head, lines in tree.items()
        if head.startswith(_MANAGEMENT)
        for line in lines
        if line.startswith("vrf ")
    )


def asn(word: str) -> int:
    """asplain or asdot."""
    high, dot, low = word.partition(".")
    return (int(high) << 16) + int(low) if dot else int(high)


def _statics(tree: Tree) -> Iterator[Static]:
    for line in tree:
        found = _ROUTE.fullmatch(line)
        if not found:
            continue
        vrf, prefix, via, gateway = found[1] or "", str(ip_network(found[2], strict=False)), found[3], found[4] or ""
        if via == "Null0":
            yield Static(prefix=prefix, vrf=vrf)
        elif via.startswith("Ethernet"):
            yield Static(prefix=prefix, gateway=gateway, interface=via, vrf=vrf)
        else:
            yield Static(prefix=prefix, gateway=via, vrf=vrf)


def _speaker(top: Tree, lines: Tree, number: int, maps: Mapping[str, Policy]) -> Speaker:
    """The speaker of a VRF; `top` is the block of `router bgp`, in which peer groups stand."""
    families = {family: {**top.get(f"address-family {family}", {}), **_family(lines, family)} for family in FAMILIES}
    timers = (_rest(lines, "timers bgp ") or _rest(top, "timers bgp ")).split()
    paths = _rest(lines, "maximum-paths ").split()
    missing = [line for line in (*top, *lines) if " missing-policy " in f" {line}" and " action deny" in line]
    return Speaker(
        asn=number,
        router_id=_rest(lines, "router-id "),
        relax="no bgp bestpath as-path multipath-relax" not in lines,
        requires_policy=bool(missing),
        import_check=True,
        keepalive_s=int(timers[0]) if timers else _TIMERS[0],
        hold_s=int(timers[1]) if timers else _TIMERS[1],
        peers={peer.key: peer for peer in _peers(top, lines, number, families, maps)},
        networks={
            family: tuple(
                str(ip_network(one.split()[1], strict=False))
                for one in (*lines, *_family(lines, family))
                if one.startswith("network ") and (":" in one.split()[1]) == (family == "ipv6")
            )
            for family in FAMILIES
        },
        redistribute={family: tuple(_redistributed(lines, family, maps)) for family in FAMILIES},
        maximum_paths=dict.fromkeys(FAMILIES, int(paths[-1]) if paths else _MAXIMUM_PATHS),
    )


def _family(lines: Tree, family: str) -> Tree:
    return lines.get(f"address-family {family}", {})


def _redistributed(lines: Tree, family: str, maps: Mapping[str, Policy]) -> Iterator[tuple[str, Policy | None]]:
    """`redistribute` of the speaker is for IPv4 and IPv6 alike."""
    for line in (*lines, *_family(lines, family)):
        words = line.split()
        if words[0] == "redistribute":
            yield words[1], maps.get(words[3], ()) if len(words) > 3 else None


def _peers(
    top: Tree, lines: Tree, own: int, families: Mapping[str, Tree], maps: Mapping[str, Policy]
) -> Iterator[Peer]:
    """Every neighbor of a speaker: those with an address, those over a port, and those who may call."""
    for line in lines:
        words = line.split()
        if line.startswith("neighbor interface "):
            yield _peer(words[2], words[4], _whom(words[5:], own, top), top, lines, families, maps)
        elif line.startswith("bgp listen range "):
            net = ip_network(words[3], strict=False)
            if net.num_addresses == 1:
                key = str(net.network_address)
                yield _peer(key, words[5], _whom(words[6:], own, top), top, lines, families, maps)
    for key in dict.fromkeys(line.split()[1] for line in lines if line.startswith("neighbor ")):
        if is_address(key):
            group = _rest(lines, f"neighbor {key} peer group ")
            remote = _rest(lines, f"neighbor {key} remote-as ") or _rest(top, f"neighbor {group} remote-as ")
            yield _peer(key, group, str(asn(remote)) if remote else "", top, lines, families, maps)


def is_address(key: str) -> bool:
    """Is a neighbor named by its address, and no group?"""
    try:
        ip_address(key)
    except ValueError:
        return False
    return True


def _whom(words: list[str], own: int, top: Tree) -> str:
    """Whose ASN a neighbor without an address may have: `remote-as N`, or what a peer filter accepts."""
    return str(asn(words[1])) if words[0] == "remote-as" else "external"


def _peer(
    key: str,
    group: str,
    remote: str,
    top: Tree,
    lines: Tree,
    families: Mapping[str, Tree],
    maps: Mapping[str, Policy],
) -> Peer:
    address = str(ip_address(key)) if is_address(key) else key
    both = {**top, **lines}
    own = [line.removeprefix(f"neighbor {name} ") for name in (group, key) for line in both if _of(line, name)]
    return Peer(
        key=address,
        over_interface=not is_address(key),
        remote=remote,
        group=group,
        shutdown="shutdown" in own,
        description=next((one.removeprefix("description ") for one in reversed(own) if one[:12] == "description "), ""),
        families={f: _family_peer(f, (group, key), own, families[f], maps, top) for f in FAMILIES},
    )


def _of(line: str, name: str) -> bool:
    return bool(name) and line.startswith(f"neighbor {name} ")


def _family_peer(
    family: str, names: tuple[str, str], own: list[str], lines: Tree, maps: Mapping[str, Policy], top: Tree
) -> FamilyPeer:
    inside = [line.removeprefix(f"neighbor {name} ") for name in names for line in lines if _of(line, name)]
    off = any(f"no neighbor {name} activate" in lines for name in names)
    by_default = family == "ipv4" and "no bgp default ipv4-unicast" not in top
    named = {line.split()[2]: line.split()[1] for line in (*own, *inside) if line.startswith("route-map ")}
    allowed = [line.split() for line in own if line.startswith("allowas-in")]
    return FamilyPeer(
        active="activate" in inside or (by_default and not off),
        policy_in=maps.get(named["in"], ()) if "in" in named else None,
        policy_out=maps.get(named["out"], ()) if "out" in named else None,
        allowas_in=int(allowed[-1][1]) if allowed and len(allowed[-1]) > 1 else _ALLOWAS_IN if allowed else 0,
    )


def _rest(lines: Tree, start: str) -> str:
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def _route_maps(tree: Tree) -> Mapping[str, Policy]:
    """Name → policy. A list that is not defined permits nothing.

    An entry with a match for IPv4 and one for IPv6 asks of each prefix what there is to ask of its family.
    """
    lists = {("ip" if h.startswith("ip ") else "ipv6", h.split()[2]): _rules(b) for h, b in tree.items() if _is_list(h)}
    found: dict[str, list[tuple[int, Clause]]] = {}
    for head, lines in tree.items():
        if head.startswith("route-map "):
            _, name, action, number = head.split()
            wanted = [line.split() for line in lines if line.startswith("match ip")]
            rules = tuple(rule for words in wanted for rule in lists.get((words[1], words[4]), ()))
            clause = Clause(action == "permit", (rules,) if wanted else ())
            found.setdefault(name, []).append((int(number), clause))
    return {name: tuple(clause for _, clause in sorted(rows, key=lambda row: row[0])) for name, rows in found.items()}


def _is_list(head: str) -> bool:
    return head.startswith(("ip prefix-list ", "ipv6 prefix-list "))


def _rules(lines: Tree) -> tuple[PrefixRule, ...]:
    return tuple(_rule(words) for words in sorted((line.split() for line in lines), key=lambda words: int(words[1])))


def _rule(words: list[str]) -> PrefixRule:
    """`seq 10 permit 10.0.0.0/8 ge 16 le 32`; `eq` is both."""
    net = ip_network(words[3], strict=False)
    bounds = dict(zip(words[4::2], map(int, words[5::2]), strict=False))
    exact = bounds.get("eq")
    longest = net.max_prefixlen if "ge" in bounds else net.prefixlen
    return PrefixRule(
        words[2] == "permit",
        net.version,
        int(net.network_address),
        net.prefixlen,
        exact or bounds.get("ge", net.prefixlen),
        exact or bounds.get("le", longest),
    )
