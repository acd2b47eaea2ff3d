"""What NX-OS would not take of a configuration, or take and do nothing with: names that nothing defines, and ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_interface
from itertools import pairwise

from netaudit.platforms import Files
from netaudit.platforms.nxos.config import FILE
from netaudit.platforms.nxos.config_bgp import read_bgp
from netaudit.platforms.nxos.config_ports import read_interfaces
from netaudit.platforms.nxos.config_qos import no_drop, system_of
from netaudit.platforms.nxos.text import Line, named, number, parse
from netaudit.state import Bgp, Interface

LONGEST: Mapping[str, int] = {
    "route-map ": 63,
    "ip prefix-list ": 63,
    "ipv6 prefix-list ": 63,
    "policy-map type qos ": 40,
    "policy-map type queuing ": 40,
    "policy-map type network-qos ": 40,
    "class-map type qos match-any ": 40,
    "vrf context ": 32,
}
"""Beginning of a line → characters that the name after it may have (Cisco's command references; batfish for lists)."""
LONGEST_DESCRIPTION = 254
RANGES: Mapping[str, tuple[int, int]] = {
    "mtu ": (576, 9216),
    "maximum-paths ": (1, 512),
    "allowas-in ": (1, 10),
    "set qos-group ": (0, 7),
    "bandwidth remaining percent ": (0, 100),
    "priority level ": (1, 8),
}
"""Beginning of a line → its range (nxos.md section 2)."""


def problems(files: Files) -> tuple[str, ...]:
    """One sentence for each; empty where nothing is wrong that can be seen in the text."""
    lines = parse(files[FILE])
    return tuple(
        dict.fromkeys(
            (*_names(lines), *_ranges(lines, ""), *_bound(lines), *_shares(lines), *_origins(lines), *_overlaps(lines))
        )
    )


def _names(lines: Sequence[Line]) -> Iterator[str]:
    for begin, longest in LONGEST.items():
        for rest, line in named(lines, begin):
            name = rest.split(" ")[0]
            if len(name) > longest:
                yield f"`{line.text[:120]}`: a name of {len(name)} characters, and NX-OS has room for {longest}"
    for line in lines:
        description = line.first("description ")
        if description is not None and len(description) > LONGEST_DESCRIPTION:
            yield f"`{line.text}`: a description of {len(description)} characters, {LONGEST_DESCRIPTION} at most"


def _ranges(lines: Sequence[Line], above: str) -> Iterator[str]:
    for line in lines:
        for begin, (low, high) in RANGES.items():
            word = line.text.removeprefix(begin)
            if (
                line.text.startswith(begin)
                and word.isascii()
                and word.isdigit()
                and not low <= number(word, begin) <= high
            ):
                yield f"`{above}{line.text}`: {low} to {high} are possible"
        yield from _ranges(line.below, f"{line.text} > ")


def _defined(lines: Sequence[Line], *beginnings: str) -> frozenset[str]:
    return frozenset(rest.split(" ")[0] for begin in beginnings for rest, _ in named(lines, begin))


def _bound(lines: Sequence[Line]) -> Iterator[str]:
    """Names that are bound and not defined: NX-OS refuses a policy, and lets a route-map let everything through."""
    kinds = {kind: _defined(lines, f"policy-map type {kind} ") for kind in ("qos", "queuing", "network-qos")}
    for line in lines:
        for rest in line.find("service-policy type "):
            words = rest.split(" ")
            if words[-1] not in kinds.get(words[0], frozenset((words[-1],))) and not words[-1].startswith("default-"):
                yield f"`{line.text}`: no policy-map `{words[-1]}` of type {words[0]} is defined"
    for _, line in named(lines, "policy-map type qos "):
        for name in line.find("class "):
            if name not in _classes(lines) | {"class-default"}:
                yield f"`{line.text}`: no class-map `{name}` is defined"
    maps = _defined(lines, "route-map ")
    for told, name in _route_maps(lines):
        if name not in maps:
            yield f"`{told}`: no route-map `{name}` is defined, so everything passes"
    for word in ("ip", "ipv6"):
        lists = _defined(lines, f"{word} prefix-list ")
        for _, line in named(lines, "route-map "):
            for rest in line.find(f"match {word} address prefix-list "):
                yield from (
                    f"`{line.text}`: no {word} prefix-list `{n}` is defined" for n in rest.split(" ") if n not in lists
                )


def _classes(lines: Sequence[Line]) -> frozenset[str]:
    return frozenset(line.text.rpartition(" ")[2] for _, line in named(lines, "class-map "))


def _route_maps(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """(the line, the name) of each route-map that a session has."""

    def below(line: Line, above: str) -> Iterator[tuple[str, str]]:
        for inner in line.below:
            words = inner.words
            if words[0] == "route-map" and len(words) == 3:
                yield f"{above} > {inner.text}", words[1]
            yield from below(inner, f"{line.text} > {inner.text}")

    for _, line in named(lines, "router bgp "):
        yield from below(line, line.text)


def _shares(lines: Sequence[Line]) -> Iterator[str]:
    """Shares that are not whole, PFC that protects nothing, and a second network-qos policy."""
    for name, line in named(lines, "policy-map type queuing "):
        told = [
            w for below in line.below for w in below.find("bandwidth remaining percent ") if w.isascii() and w.isdigit()
        ]
        if told and (total := sum(map(int, told))) != 100:
            yield f"policy-map `{name}`: `bandwidth remaining percent` sums to {total}, not to 100"
    system = system_of(lines)
    lossless = no_drop(lines, system)
    ports = [line for _, line in named(lines, "interface ") if line.has("priority-flow-control mode on")]
    if ports and not lossless:
        yield "`priority-flow-control mode on`, and no class of the network-qos in force pauses: PFC protects nothing"
    for policy, line in named(lines, "policy-map type network-qos "):
        for name, below in named(line.below, "class type network-qos "):
            cos = below.first("pause pfc-cos ")
            if cos and name.rpartition("nq")[2] not in (cos, "-default"):
                yield f"policy-map `{policy}`: class {name} pauses CoS {cos}, so PFC does not protect what is in it"


def _origins(lines: Sequence[Line]) -> Iterator[str]:
    """Prefixes that `network` names and no route holds are not announced."""
    bgp: Bgp = read_bgp(lines)
    interfaces: Mapping[str, Interface] = read_interfaces(lines)
    held = bgp.discards if isinstance(bgp.discards, frozenset) else frozenset()
    own = {a for i in interfaces.values() if isinstance(i.addresses, frozenset) for a in i.addresses}
    for prefix in sorted(bgp.networks) if isinstance(bgp.networks, frozenset) else ():
        if prefix not in held and not any(_is_of(prefix, address) for address in own):
            yield f"`network {prefix}`: neither an interface nor a route to Null0 holds it, so it is not announced"


def _overlaps(lines: Sequence[Line]) -> Iterator[str]:
    """NX-OS takes no address of a network that another interface of the VRF is in."""
    known: list[tuple[str, str, IPv4Network | IPv6Network]] = []
    for name, interface in read_interfaces(lines).items():
        for address in sorted(interface.addresses) if isinstance(interface.addresses, frozenset) else ():
            known.append((name, str(interface.vrf), ip_interface(address).network))
    known.sort(key=lambda one: (one[1], one[2].version, one[2]))
    for (one, vrf, net), (other, other_vrf, next_net) in pairwise(known):
        if one != other and vrf == other_vrf and net.version == next_net.version and next_net.subnet_of(net):  # type: ignore[arg-type]
            yield f"{next_net} of {other} overlaps with {net} of {one}"


def _is_of(prefix: str, address: str) -> bool:
    return str(ip_interface(address).network) == prefix
