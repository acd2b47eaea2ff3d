"""What FRR's running configuration means: the BGP speaker, its peers, its static routes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from netaudit.lab.sim.frr_grammar import MAXIMUM_PATHS
from netaudit.lab.sim.frr_policy import Policy, canonical, route_maps
from netaudit.lab.sim.frr_text import FrrText, hides_defaults

FAMILIES: Final = ("ipv4", "ipv6")
_ALLOWAS_IN: Final = 3
"""How often `allowas-in` without a number lets the own ASN stand in a path (FRR's default)."""
_STATIC: Final = re.compile(r"(ip|ipv6) route (\S+) (\S+)(?: (Ethernet\S+|Loopback\S+|Vlan\S+))?(?: \d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyPeer:
    """A neighbor within one address family."""

    active: bool
    policy_in: Policy | None
    """`None`: no route-map is named."""
    policy_out: Policy | None
    allowas_in: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One neighbor, with what its peer-group gives it. The key is an interface or an address."""

    key: str
    over_interface: bool
    remote: str
    """`external`, `internal`, an ASN, or empty."""
    group: str
    shutdown: bool
    description: str
    families: Mapping[str, FamilyPeer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """The BGP speaker of one VRF."""

    asn: int
    router_id: str
    relax: bool
    requires_policy: bool
    import_check: bool
    keepalive_s: int
    hold_s: int
    peers: Mapping[str, Peer]
    networks: Mapping[str, tuple[str, ...]]
    redistribute: Mapping[str, tuple[tuple[str, Policy | None], ...]]
    """Family → (`connected` or `static`, its route-map)."""
    maximum_paths: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Static:
    """A static route; without gateway and interface it discards."""

    prefix: str
    gateway: str = ""
    interface: str = ""
    vrf: str = ""
    """Empty: the default one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrrConfig:
    """All that the simulator acts on."""

    speakers: Mapping[str, Speaker] = field(default_factory=dict)
    """VRF → its speaker; the default VRF has the empty name."""
    statics: tuple[Static, ...] = ()
    addresses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Interface → addresses that FRR itself puts there."""

    @property
    def speaker(self) -> Speaker | None:
        """The speaker of the default VRF."""
        return self.speakers.get("")


def interpret(config: FrrText) -> FrrConfig:
    """What a configuration means."""
    heads = [at for at in config if len(at) == 1 and at[0].startswith("router bgp ")]
    vrfs = {at: at[0].split()[1] for at in config if len(at) == 1 and at[0].startswith("vrf ")}
    return FrrConfig(
        speakers={"".join(head[0].split()[4:]): _speaker(config, head) for head in heads},
        statics=(
            *_statics(config.get((), ())),
            *(replace(static, vrf=vrf) for at, vrf in vrfs.items() for static in _statics(config[at])),
        ),
        addresses={
            at[0].split()[1]: tuple(line.split()[2] for line in lines if re.match(r"(ip|ipv6) address ", line))
            for at, lines in config.items()
            if at and at[0].startswith("interface ")
        },
    )


def _statics(lines: tuple[str, ...]) -> Iterator[Static]:
    """The static routes among the outermost lines."""
    for line in lines:
        found = _STATIC.fullmatch(line)
        if not found:
            continue
        prefix, via, interface = canonical(found[2]), found[3], found[4] or ""
        if via in ("blackhole", "reject"):
            yield Static(prefix=prefix)
        elif via[0].isdigit() or ":" in via:
            yield Static(prefix=prefix, gateway=via, interface=interface)
        else:
            yield Static(prefix=prefix, interface=via)


def _speaker(config: FrrText, head: tuple[str, ...]) -> Speaker:
    """The speaker that a `router bgp` block describes."""
    lines = config[head]
    datacenter = hides_defaults(config)
    maps = route_maps(config)
    families = {family: config.get((*head, f"address-family {family} unicast"), ()) for family in FAMILIES}
    timers = _last(lines, "timers bgp ") or ("3 9" if datacenter else "60 180")
    return Speaker(
        asn=int(head[0].split()[2]),
        router_id=_last(lines, "bgp router-id "),
        relax="bgp bestpath as-path multipath-relax" in lines,
        requires_policy="bgp ebgp-requires-policy" in lines
        or (not datacenter and "no bgp ebgp-requires-policy" not in lines),
        import_check="no bgp network import-check" not in lines,
        keepalive_s=int(timers.split()[0]),
        hold_s=int(timers.split()[1]),
        peers={peer.key: peer for peer in _peers(lines, families, maps)},
        networks={
            family: tuple(canonical(line.split()[1]) for line in own if line.startswith("network "))
            for family, own in families.items()
        },
        redistribute={family: tuple(_redistributed(own, maps)) for family, own in families.items()},
        maximum_paths={
            family: int(_last(own, "maximum-paths ") or MAXIMUM_PATHS)
            for family, own in ((f, tuple(x for x in o if " ibgp " not in x)) for f, o in families.items())
        },
    )


def _last(lines: tuple[str, ...], start: str) -> str:
    """The rest of the last line that starts so; empty where none does."""
    return next((line.removeprefix(start) for line in reversed(lines) if line.startswith(start)), "")


def _redistributed(lines: tuple[str, ...], maps: Mapping[str, Policy]) -> Iterator[tuple[str, Policy | None]]:
    """What a family takes over from other protocols."""
    for line in lines:
        words = line.split()
        if words[0] == "redistribute":
            yield words[1], maps.get(words[3], ()) if len(words) > 3 else None


def _peers(
    lines: tuple[str, ...], families: Mapping[str, tuple[str, ...]], maps: Mapping[str, Policy]
) -> Iterator[Peer]:
    """Every neighbor that is no peer-group."""
    groups = {line.split()[1] for line in lines if re.fullmatch(r"neighbor \S+ peer-group", line)}
    for key in dict.fromkeys(line.split()[1] for line in lines if line.startswith("neighbor ")):
        if key in groups:
            continue
        own = tuple(line.removeprefix(f"neighbor {key} ") for line in lines if line.startswith(f"neighbor {key} "))
        group = next((found[1] for line in own if (found := re.search(r"peer-group (\S+)", line))), "")
        shared = tuple(
            line.removeprefix(f"neighbor {group} ") for line in lines if line.startswith(f"neighbor {group} ")
        )
        both = (*shared, *own)
        remote = next((found[1] for line in reversed(both) if (found := re.search(r"remote-as (\S+)", line))), "")
        yield Peer(
            key=key,
            over_interface=any(line.startswith("interface") for line in own),
            remote=remote,
            group=group,
            shutdown="shutdown" in both,
            description=_last(both, "description "),
            families={
                family: _family_peer(family, key, group, of, maps, "no bgp default ipv4-unicast" not in lines)
                for family, of in families.items()
            },
        )


def _family_peer(
    family: str, key: str, group: str, lines: tuple[str, ...], maps: Mapping[str, Policy], ipv4_by_default: bool
) -> FamilyPeer:
    """A neighbor within one family; its own lines win over those of its group."""
    own = [line.removeprefix(f"neighbor {name} ") for name in (group, key) for line in lines if _is_of(line, name)]
    off = any(line == f"no neighbor {name} activate" for name in (group, key) for line in lines)
    allowed = [line for line in own if line.startswith("allowas-in")]
    named = {line.split()[2]: line.split()[1] for line in own if line.startswith("route-map ")}
    return FamilyPeer(
        active="activate" in own or (family == "ipv4" and ipv4_by_default and not off),
        policy_in=maps.get(named["in"], ()) if "in" in named else None,
        policy_out=maps.get(named["out"], ()) if "out" in named else None,
        allowas_in=int([*allowed[-1].split(), str(_ALLOWAS_IN)][1]) if allowed else 0,
    )


def _is_of(line: str, name: str) -> bool:
    return bool(name) and line.startswith(f"neighbor {name} ")
