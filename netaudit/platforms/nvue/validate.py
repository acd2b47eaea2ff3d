"""What would not work in a file, beyond what NVIDIA's models see: sums, references, keys (nvue.md, word traps)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.platforms import Files
from netaudit.platforms.nvue.config import FILE, nodes, read_config
from netaudit.platforms.nvue.interfaces import numbers
from netaudit.platforms.nvue.names import FIXED_VRFS, position, vrf_problem
from netaudit.platforms.nvue.ranges import expanded
from netaudit.platforms.nvue.text import Unreadable
from netaudit.platforms.nvue.tree import Tree, below, get, number, of, text
from netaudit.platforms.nvue.words import NEW_WORDS, OLDEST, modern, release

_RANGES = (
    ("qos", "mapping", "dscp", 63),
    ("qos", "egress-queue-mapping", "switch-priority", 7),
    ("qos", "egress-scheduler", "traffic-class", 7),
    ("qos", "egress-shaper", "traffic-class", 7),
    ("qos", "congestion-control", "traffic-class", 7),
    ("qos", "pfc", "switch-priority", 7),
)
"""Keys that are numbers, with the largest; NVIDIA's models take any text (vendor-gnmi-and-drivers.md A)."""
_PROFILES = ("mapping", "remark", "egress-scheduler", "egress-shaper", "congestion-control", "pfc")


def problems(files: Files) -> tuple[str, ...]:
    """Each as one line; empty if nothing is wrong."""
    try:
        read_config(files, "")
        header, node = nodes(files[FILE])
        written = expanded(of(node))
        return tuple(_found(text(of(header), "version") or "", written, modern(written)))
    except (Unreadable, ValueError) as error:
        return (f"{FILE}: {error}",)


def _found(version: str, written: Tree, tree: Tree) -> Iterator[str]:
    yield from _words(version, written)
    yield from _keys(tree)
    yield from _sums(tree)
    yield from _thresholds(tree)
    yield from _references(tree)
    yield from _cages(tree)
    for vrf in below(tree, "vrf"):
        if vrf not in FIXED_VRFS and (problem := vrf_problem(vrf)):
            yield f"vrf {vrf}: {problem}"


def _words(version: str, written: Tree) -> Iterator[str]:
    """Words of one side of 5.15 under a header of the other are refused as a whole (nvue.md section 1)."""
    held = release(version)
    if held < OLDEST:
        yield f"header version: {version}: before {OLDEST[0]}.{OLDEST[1]} NVUE has no PFC watchdog"
    old = "enable" in below(written, "qos", "roce") or "enable" in below(written, "router", "bgp")
    new = "state" in below(written, "qos", "roce") or "state" in below(written, "router", "bgp")
    if (old and held >= NEW_WORDS) or (new and held < NEW_WORDS):
        right, wrong = ("state", "enable") if old else ("enable", "state")
        yield f"header version: {version} takes {right} in place of {wrong}"


def _keys(tree: Tree) -> Iterator[str]:
    for top, kind, word, last in _RANGES:
        for profile in below(tree, top, kind):
            for key in below(tree, top, kind, profile, word):
                if any(int(n) > last for n in numbers(key)):
                    yield f"{top} {kind} {profile} {word} {key}: 0 to {last}"


def _sums(tree: Tree) -> Iterator[str]:
    for profile in below(tree, "qos", "egress-scheduler"):
        classes = below(tree, "qos", "egress-scheduler", profile, "traffic-class")
        total = sum((number(classes, key, "bw-percent") or 0) * len(numbers(key)) for key in classes)
        if total > 100:
            yield f"qos egress-scheduler {profile}: bw-percent sums to {total}, and 100 is all there is"
    pools = below(tree, "qos", "traffic-pool")
    total = sum(number(pools, name, "memory-percent") or 0 for name in pools)
    if total > 100:
        yield f"qos traffic-pool: memory-percent sums to {total}, and 100 is all there is"


def _thresholds(tree: Tree) -> Iterator[str]:
    for profile in below(tree, "qos", "congestion-control"):
        for key, said in below(tree, "qos", "congestion-control", profile, "traffic-class").items():
            low, high = number(said, "min-threshold"), number(said, "max-threshold")
            if low is not None and high is not None and low > high:
                yield f"qos congestion-control {profile} traffic-class {key}: min-threshold {low} above max {high}"


def _references(tree: Tree) -> Iterator[str]:
    """Profiles, route maps, prefix lists, VRFs and peer groups that are named and not there."""
    for name in below(tree, "interface"):
        for kind in _PROFILES:
            profile = text(tree, "interface", name, "qos", kind, "profile")
            if profile is not None and profile not in below(tree, "qos", kind):
                yield f"interface {name} qos {kind} profile {profile}: there is no such profile"
        vrf = text(tree, "interface", name, "vrf")
        if vrf is not None and vrf not in below(tree, "vrf") and vrf not in FIXED_VRFS:
            yield f"interface {name} vrf {vrf}: there is no such VRF"
    policy = below(tree, "router", "policy")
    for name in below(policy, "route-map"):
        for rule in below(policy, "route-map", name, "rule").values():
            used = text(rule, "match", "ip-prefix-list")
            if used is not None and used not in below(policy, "prefix-list"):
                yield f"router policy route-map {name}: there is no prefix-list {used}"
    for vrf in below(tree, "vrf"):
        speaker = below(tree, "vrf", vrf, "router", "bgp")
        for neighbor in below(speaker, "neighbor"):
            entry = below(speaker, "neighbor", neighbor)
            for family in below(entry, "address-family"):
                for direction in below(entry, "address-family", family, "policy"):
                    used = text(entry, "address-family", family, "policy", direction, "route-map")
                    if used is not None and used not in below(policy, "route-map"):
                        yield f"vrf {vrf} router bgp neighbor {neighbor}: there is no route-map {used}"
            group = text(entry, "peer-group")
            if group is not None and group not in below(speaker, "peer-group"):
                yield f"vrf {vrf} router bgp neighbor {neighbor}: there is no peer-group {group}"


def _cages(tree: Tree) -> Iterator[str]:
    """Sub-ports and the breakout of their cage must agree."""
    interfaces = below(tree, "interface")
    for name in interfaces:
        key = position(name)
        if key is None or "/" not in key:
            continue
        cage, _, sub = key.partition("/")
        mode = next(iter(below(interfaces, f"swp{cage}", "link", "breakout")), "")
        parts = mode.partition("x")[0]
        if get(interfaces, name, "link") is None:
            continue
        if not parts.isdigit() or int(parts) < int(sub):
            yield f"interface {name}: swp{cage} is {f'split {mode}' if mode else 'not split'}"
