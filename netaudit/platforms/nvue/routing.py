"""BGP: the speakers of all VRFs, their neighbors, what they announce and discard; written and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network

from netaudit.platforms.nvue.names import DEFAULT, native, native_ports, position
from netaudit.platforms.nvue.policies import FAMILIES, read_policies, write_policies
from netaudit.platforms.nvue.raw import merge
from netaudit.platforms.nvue.tree import Tree, below, leaves, line, number, on, put, switch, text
from netaudit.state import ABSENT, Bgp, BgpNeighbor, BgpVrf, Device, Leaf

_UNICAST: Mapping[str, str] = {family: f"{family}-unicast" for family in FAMILIES}


def write_bgp(device: Device, tree: Tree) -> None:
    """`router bgp`, `router policy`, and `router` of every VRF with a speaker; at the end the site's own text."""
    bgp = device.bgp
    if bgp is None:
        return
    if isinstance(bgp.asn, int):
        put(tree, ("router", "bgp"), {"state": switch(True), "autonomous-system": bgp.asn})
    if isinstance(bgp.router_id, str):
        put(tree, ("router", "bgp", "router-id"), bgp.router_id)
    write_policies(bgp.policies or {}, tree)
    neighbors = bgp.neighbors or {}
    if isinstance(bgp.asn, int):
        _write_speaker(DEFAULT, bgp, neighbors, tree)
    for vrf, speaker in (bgp.vrfs or {}).items():
        _write_speaker(vrf, speaker, neighbors, tree)
        if isinstance(speaker.asn, int):
            put(tree, ("vrf", vrf, "router", "bgp", "autonomous-system"), speaker.asn)
        if isinstance(speaker.router_id, str):
            put(tree, ("vrf", vrf, "router", "bgp", "router-id"), speaker.router_id)
    ports = native_ports(device)
    for key, neighbor in neighbors.items():
        _write_neighbor(native(key, ports), neighbor, tree)
    for prefix in _sorted(bgp.discards):
        family = _UNICAST[_family(prefix)]
        route: Tree = {"address-family": family, "via": {"blackhole": {"type": "blackhole"}}}
        put(tree, ("vrf", DEFAULT, "router", "static", prefix), route)
    if bgp.raw:
        merge(bgp.raw, tree)


def _write_speaker(vrf: str, speaker: Bgp | BgpVrf, neighbors: Mapping[str, BgpNeighbor], tree: Tree) -> None:
    at = ("vrf", vrf, "router", "bgp")
    put(tree, (*at, "state"), switch(True))
    if isinstance(speaker.multipath_relax, bool):
        put(tree, (*at, "path-selection", "multipath", "aspath-ignore"), switch(speaker.multipath_relax))
    for word, seconds in (("keepalive", speaker.keepalive_s), ("hold", speaker.hold_s)):
        if isinstance(seconds, int):
            put(tree, (*at, "timers", word), seconds)
    networks = _sorted(speaker.networks)
    active = {_family(prefix) for prefix in networks}
    for neighbor in neighbors.values():
        if neighbor.vrf == vrf and isinstance(neighbor.families, frozenset):
            active |= neighbor.families
    paths = speaker.maximum_paths
    for family in FAMILIES:
        if family not in active and not (family == "ipv4" and isinstance(paths, int)):
            continue
        put(tree, (*at, "address-family", _UNICAST[family], "state"), switch(True))
        if isinstance(paths, int):
            put(tree, (*at, "address-family", _UNICAST[family], "multipaths", "ebgp"), paths)
    for prefix in networks:
        put(tree, (*at, "address-family", _UNICAST[_family(prefix)], "network", prefix), {})


def _write_neighbor(name: str, neighbor: BgpNeighbor, tree: Tree) -> None:
    numbered = _is_address(name)
    at = ("vrf", neighbor.vrf if isinstance(neighbor.vrf, str) else DEFAULT, "router", "bgp", "neighbor", name)
    put(tree, (*at, "type"), "numbered" if numbered else "unnumbered")
    if isinstance(neighbor.remote, str):
        put(tree, (*at, "remote-as"), int(neighbor.remote) if neighbor.remote.isdigit() else neighbor.remote)
    if not numbered:
        put(tree, (*at, "capabilities", "extended-nexthop"), switch(True))
    if not isinstance(neighbor.families, frozenset):
        return
    for family in FAMILIES:
        unicast = (*at, "address-family", _UNICAST[family])
        put(tree, (*unicast, "state"), switch(family in neighbor.families))
        if family not in neighbor.families:
            continue
        for direction, policy in (("inbound", neighbor.import_policy), ("outbound", neighbor.export_policy)):
            if isinstance(policy, str):
                put(tree, (*unicast, "policy", direction, "route-map"), policy)
        times = (neighbor.allowas_in or {}).get(family)
        if isinstance(times, int):
            put(tree, (*unicast, "aspath", "allow-my-asn"), {"state": switch(True), "occurrences": times})


def read_bgp(tree: Tree) -> Bgp:
    """The routing configuration of all VRFs; what no leaf stands for is `unmodelled`, in the words of `nv set`."""
    router = below(tree, "router", "bgp")
    known = on(router, "state") is True and on(tree, "vrf", DEFAULT, "router", "bgp", "state") is True
    policies, odd = read_policies(tree)
    main = _read_speaker(below(tree, "vrf", DEFAULT, "router", "bgp"))
    asn, router_id = number(router, "autonomous-system"), text(router, "router-id")
    vrfs = {
        name: _read_vrf(below(tree, "vrf", name, "router", "bgp"), asn)
        for name in below(tree, "vrf")
        if name not in (DEFAULT, "mgmt") and below(tree, "vrf", name, "router", "bgp")
    }
    return Bgp(
        asn=asn if known and asn is not None else ABSENT,
        router_id=router_id if router_id is not None and router_id != "none" else ABSENT,
        multipath_relax=main.multipath_relax,
        maximum_paths=main.maximum_paths,
        keepalive_s=main.keepalive_s,
        hold_s=main.hold_s,
        networks=main.networks,
        discards=frozenset(prefix for prefix in _static(tree) if is_discard(tree, prefix)),
        policies=policies,
        neighbors=dict(_read_neighbors(tree)),
        vrfs=vrfs,
        unmodelled=odd | frozenset(_unmodelled(tree)),
    )


def _read_vrf(speaker: Tree, asn: int | None) -> BgpVrf:
    """A speaker beside the default one, whose ASN it has unless it has its own; none where it is switched off."""
    own = text(speaker, "autonomous-system")
    number_ = number(speaker, "autonomous-system") if own is not None and own.isdigit() else asn
    if on(speaker, "state") is not True:
        number_ = None
    router_id = text(speaker, "router-id")
    common = _read_speaker(speaker)
    return BgpVrf(
        asn=ABSENT if number_ is None else number_,
        router_id=ABSENT if router_id in (None, "auto") else router_id,
        multipath_relax=common.multipath_relax,
        maximum_paths=common.maximum_paths,
        keepalive_s=common.keepalive_s,
        hold_s=common.hold_s,
        networks=common.networks,
    )


def _read_speaker(speaker: Tree) -> BgpVrf:
    """What the speaker of any VRF says of itself; timers not said are 3 and 9 s (datacenter defaults of FRR)."""
    families = below(speaker, "address-family")
    paths: Leaf[int] = min(_odd(_widths(speaker)) or _widths(speaker), default=None) or ABSENT
    timers = {word: text(speaker, "timers", word) for word in ("keepalive", "hold")}
    return BgpVrf(
        multipath_relax=on(speaker, "path-selection", "multipath", "aspath-ignore") is True,
        maximum_paths=paths,
        keepalive_s=3 if timers["keepalive"] is None else _seconds(timers["keepalive"]),
        hold_s=9 if timers["hold"] is None else _seconds(timers["hold"]),
        networks=frozenset(
            str(ip_network(prefix)) for name in _UNICAST.values() for prefix in below(families, name, "network")
        ),
    )


def _widths(speaker: Tree) -> list[int]:
    """maximum-paths of each family that says one."""
    said = (number(speaker, "address-family", name, "multipaths", "ebgp") for name in _UNICAST.values())
    return [width for width in said if width is not None]


def _odd(widths: list[int]) -> list[int]:
    """Of two widths that differ the one that no design has, which is what somebody changed: none is below 64, and each
    is a power of two (topology.md section 3). Empty where both could be."""
    odd = [width for width in widths if width < 64 or width & (width - 1)]
    return odd if len(odd) < len(widths) else []


def _seconds(word: str) -> int:
    return 0 if word == "none" else int(word)


def _read_neighbors(tree: Tree) -> Iterator[tuple[str, BgpNeighbor]]:
    for vrf in below(tree, "vrf"):
        speaker = below(tree, "vrf", vrf, "router", "bgp")
        for name in below(speaker, "neighbor"):
            entry = inherited(speaker, name)
            families = frozenset(f for f in FAMILIES if _active(entry, f) and _active(speaker, f))
            remote = text(entry, "remote-as")
            first = [_UNICAST[family] for family in FAMILIES if family in families]
            yield (
                name if text(entry, "type") == "numbered" and position(name) else neighbor_key(name),
                BgpNeighbor(
                    vrf=vrf,
                    remote=ABSENT if remote is None else remote,
                    import_policy=_policy(entry, first, "inbound"),
                    export_policy=_policy(entry, first, "outbound"),
                    families=families,
                    allowas_in=dict(_allowed(entry, families)),
                ),
            )


def inherited(speaker: Tree, name: str) -> Tree:
    """A neighbor with what its peer group says and it does not say itself."""
    entry = below(speaker, "neighbor", name)
    group = text(entry, "peer-group")
    return _laid_over(below(speaker, "peer-group", group), entry) if group else entry


def _laid_over(under: Tree, over: Tree) -> Tree:
    made: Tree = dict(under)
    for key, value in over.items():
        before = made.get(key)
        made[key] = _laid_over(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return made


def neighbor_key(name: str) -> str:
    """`swp61` → `61`; an address in canonical text; anything else as it is."""
    if _is_address(name):
        return str(ip_address(name))
    return position(name) or name


def _active(entry: Tree, family: str) -> bool:
    """IPv4 is active unless the configuration says otherwise; IPv6 is not."""
    state = on(entry, "address-family", _UNICAST[family], "state")
    return family == "ipv4" if state is None else state


def _policy(entry: Tree, families: list[str], direction: str) -> Leaf[str]:
    """The route map of all active families; both names where two differ, which no expected one can be."""
    said = [text(entry, "address-family", name, "policy", direction, "route-map") for name in families]
    found = list(dict.fromkeys(said))
    if len(found) == 1:
        return ABSENT if found[0] is None else found[0]
    return " and ".join(name or "none" for name in found) if found else ABSENT


def _allowed(entry: Tree, families: frozenset[str]) -> Iterator[tuple[str, int]]:
    for family in sorted(families):
        said = below(entry, "address-family", _UNICAST[family], "aspath", "allow-my-asn")
        if on(said, "state") is True:
            times = number(said, "occurrences")
            yield family, 3 if times is None else times  # FRR's own number where none is given


def _static(tree: Tree) -> Tree:
    return below(tree, "vrf", DEFAULT, "router", "static")


def is_discard(tree: Tree, prefix: str) -> bool:
    """Is it a static route to nowhere, and nothing else?"""
    vias = below(_static(tree), prefix, "via")
    return bool(vias) and all((text(vias, name, "type") or name) == "blackhole" for name in vias)


_SPEAKER = (
    *("state", "autonomous-system", "router-id", "path-selection.multipath.aspath-ignore"),
    *("timers.keepalive", "timers.hold", "address-family.*.state", "address-family.*.multipaths.ebgp"),
    *("address-family.*.network.*", "neighbor.*.type", "neighbor.*.remote-as", "neighbor.*.peer-group"),
    *("neighbor.*.capabilities.extended-nexthop", "neighbor.*.address-family.*.state"),
    *("neighbor.*.address-family.*.policy.*.route-map", "neighbor.*.address-family.*.aspath.allow-my-asn.*"),
    *("peer-group.*.remote-as", "peer-group.*.address-family.*.state", "peer-group.*.capabilities.extended-nexthop"),
    *("peer-group.*.address-family.*.policy.*.route-map", "peer-group.*.address-family.*.aspath.allow-my-asn.*"),
)
"""What of `vrf X router bgp` the reader understands."""


def _unmodelled(tree: Tree) -> Iterator[str]:
    """The lines of `router bgp`, of other protocols below `router`, and of `vrf X router` that are read by nobody."""
    for path, value in leaves(below(tree, "router")):
        if path[0] not in ("policy", "adaptive-routing", "bfd") and path not in _GLOBAL:
            yield line(("router", *path), value)
    for vrf in below(tree, "vrf"):
        if vrf == "mgmt":
            continue
        widths = _widths(below(tree, "vrf", vrf, "router", "bgp"))
        uneven = len(set(widths)) > 1 and not _odd(widths)
        for path, value in leaves(below(tree, "vrf", vrf, "router")):
            if path[0] == "bgp" and any(_fits(pattern, path[1:]) for pattern in _SPEAKER):
                if uneven and path[-2:] == ("multipaths", "ebgp"):
                    yield line(("vrf", vrf, "router", *path), value)  # one leaf stands for both families
                continue
            if path[0] == "static" and vrf == DEFAULT and len(path) > 1 and is_discard(tree, path[1]):
                continue
            yield line(("vrf", vrf, "router", *path), value)


_GLOBAL = (("bgp", "state"), ("bgp", "autonomous-system"), ("bgp", "router-id"))


def _fits(pattern: str, path: tuple[str, ...]) -> bool:
    """Is the path what a pattern names, or below a name without more to say?"""
    parts = pattern.split(".")
    return len(path) == len(parts) and all(part in ("*", name) for part, name in zip(parts, path, strict=True))


def _family(prefix: str) -> str:
    return f"ipv{ip_network(prefix).version}"


def _sorted(prefixes: Leaf[frozenset[str]]) -> list[str]:
    found = prefixes if isinstance(prefixes, frozenset) else frozenset()
    return sorted(found, key=lambda prefix: (ip_network(prefix).version, ip_network(prefix)))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
