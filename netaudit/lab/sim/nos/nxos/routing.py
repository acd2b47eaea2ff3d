"""What a configuration of NX-OS means for routing, in the words that the lab's engine has for every NOS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network
from typing import Final

from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, FrrConfig, Peer, Speaker, Static
from netaudit.lab.sim.frr_policy import Clause, Policy, PrefixRule
from netaudit.lab.sim.nos.nxos.config import Tree

_TIMERS: Final = (60, 180)
_MAXIMUM_PATHS: Final = 1
"""NX-OS uses one path of eBGP until it is told otherwise (nxos.md section 2: 1 to 512)."""
_ALLOWAS_IN: Final = 3
"""`allowas-in` without a number."""


def interpret(tree: Tree) -> FrrConfig:
    """What a configuration means. NX-OS has no RFC 8212: a session without policies carries everything."""
    maps = _route_maps(tree)
    speakers: dict[str, Speaker] = {}
    for head, lines in tree.items():
        if head.startswith("router bgp "):
            asn = _asn(head.split()[2])
            templates = {at.split()[2]: below for at, below in lines.items() if at.startswith("template peer ")}
            speakers[""] = _speaker(lines, asn, templates, maps)
            for at, below in lines.items():
                if at.startswith("vrf "):
                    inherited = {one: sub for one, sub in lines.items() if one.startswith("bestpath")}
                    speakers[at.split()[1]] = _speaker({**inherited, **below}, asn, templates, maps)
    contexts = ((head.split()[2], below) for head, below in tree.items() if head.startswith("vrf context "))
    statics = [*_statics(tree, ""), *(one for vrf, below in contexts for one in _statics(below, vrf))]
    return FrrConfig(speakers=speakers, statics=tuple(one for one in statics if one.vrf != "management"))


def _asn(word: str) -> int:
    high, dot, low = word.partition(".")
    return (int(high) << 16) + int(low) if dot else int(high)


def _statics(lines: Tree, vrf: str) -> Iterator[Static]:
    for line in lines:
        words = line.split()
        if words[:2] not in (["ip", "route"], ["ipv6", "route"]):
            continue
        prefix, via = str(ip_network(words[2], strict=False)), words[3]
        if via == "Null0":
            yield Static(prefix=prefix, vrf=vrf)
        elif via.startswith("Ethernet"):
            gateway = words[4] if len(words) > 4 and words[4][0] in "0123456789abcdef" else ""
            yield Static(prefix=prefix, gateway=gateway, interface=via, vrf=vrf)
        else:
            yield Static(prefix=prefix, gateway=via, vrf=vrf)


def _speaker(lines: Tree, asn: int, templates: Mapping[str, Tree], maps: Mapping[str, Policy]) -> Speaker:
    families = {family: lines.get(f"address-family {family} unicast", {}) for family in FAMILIES}
    timers = _rest(lines, "timers bgp ").split()
    return Speaker(
        asn=asn,
        router_id=_rest(lines, "router-id "),
        relax="bestpath as-path multipath-relax" in lines,
        requires_policy=False,
        import_check=True,
        keepalive_s=int(timers[0]) if timers else _TIMERS[0],
        hold_s=int(timers[1]) if timers else _TIMERS[1],
        peers={
            key: peer
            for head, below in lines.items()
            if head.startswith("neighbor ")
            for key, peer in _peer(head.split()[1], below, templates, maps)
        },
        networks={
            family: tuple(str(ip_network(one.split()[1], strict=False)) for one in own if one.startswith("network "))
            for family, own in families.items()
        },
        redistribute={family: tuple(_redistributed(own, maps)) for family, own in families.items()},
        maximum_paths={
            family: int(next((o.split()[1] for o in own if o.startswith("maximum-paths ") and "ibgp" not in o), "1"))
            for family, own in families.items()
        },
    )


def _redistributed(own: Tree, maps: Mapping[str, Policy]) -> Iterator[tuple[str, Policy | None]]:
    for line in own:
        words = line.split()
        if words[0] == "redistribute":
            yield {"direct": "connected"}.get(words[1], words[1]), maps.get(words[3], ())


def _peer(
    name: str, own: Tree, templates: Mapping[str, Tree], maps: Mapping[str, Policy]
) -> Iterator[tuple[str, Peer]]:
    """A neighbor with what its template gives it; its own lines win."""
    template = _rest(own, "inherit peer ")
    shared = templates.get(template, {})
    over_interface = name.startswith("Ethernet")
    key = name if over_interface else str(ip_address(name))
    remote = _rest(own, "remote-as ") or _rest(shared, "remote-as ")
    yield (
        key,
        Peer(
            key=key,
            over_interface=over_interface,
            remote=remote if remote in ("", "external", "internal") else str(_asn(remote)),
            group=template,
            shutdown="shutdown" in own or "shutdown" in shared,
            description=_rest(own, "description ") or _rest(shared, "description "),
            families={family: _family(family, own, shared, maps) for family in FAMILIES},
        ),
    )


def _family(family: str, own: Tree, shared: Tree, maps: Mapping[str, Policy]) -> FamilyPeer:
    head = f"address-family {family} unicast"
    lines = {**shared.get(head, {}), **own.get(head, {})}
    named = {line.split()[2]: line.split()[1] for line in lines if line.startswith("route-map ")}
    allowed = [line.split() for line in lines if line.startswith("allowas-in")]
    return FamilyPeer(
        active=head in own or head in shared,
        policy_in=maps.get(named["in"], ()) if "in" in named else None,
        policy_out=maps.get(named["out"], ()) if "out" in named else None,
        allowas_in=int(allowed[-1][1]) if allowed and len(allowed[-1]) > 1 else _ALLOWAS_IN if allowed else 0,
    )


def _rest(lines: Tree, start: str) -> str:
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def _route_maps(tree: Tree) -> Mapping[str, Policy]:
    """Name → policy. Prefix lists of one `match` line are alternatives; a list that is not defined permits nothing."""
    lists = _prefix_lists(tree)
    found: dict[str, list[tuple[int, Clause]]] = {}
    for head, lines in tree.items():
        if head.startswith("route-map "):
            _, name, action, number = head.split()
            matches = [line.split() for line in lines if line.startswith("match ip")]
            clause = Clause(
                action == "permit",
                tuple(tuple(rule for one in words[4:] for rule in lists.get((words[1], one), ())) for words in matches),
            )
            found.setdefault(name, []).append((int(number), clause))
    return {name: tuple(clause for _, clause in sorted(rows, key=lambda row: row[0])) for name, rows in found.items()}


def _prefix_lists(tree: Tree) -> Mapping[tuple[str, str], tuple[PrefixRule, ...]]:
    found: dict[tuple[str, str], list[tuple[int, PrefixRule]]] = {}
    for head in tree:
        words = head.split()
        if words[0] in ("ip", "ipv6") and words[1] == "prefix-list":
            found.setdefault((words[0], words[2]), []).append((int(words[4]), _rule(words)))
    return {key: tuple(rule for _, rule in sorted(rows, key=lambda row: row[0])) for key, rows in found.items()}


def _rule(words: list[str]) -> PrefixRule:
    """`ip prefix-list NAME seq 5 permit 10.0.0.0/8 ge 16 le 32`; `eq` is both."""
    net = ip_network(words[6], strict=False)
    bounds = dict(zip(words[7::2], map(int, words[8::2]), strict=False))
    exact = bounds.get("eq")
    longest = net.max_prefixlen if "ge" in bounds else net.prefixlen
    return PrefixRule(
        words[5] == "permit",
        net.version,
        int(net.network_address),
        net.prefixlen,
        exact or bounds.get("ge", net.prefixlen),
        exact or bounds.get("le", longest),
    )
