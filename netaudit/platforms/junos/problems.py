"""What would not work although each statement is Junos: names that nobody defines, parts that do not add up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from netaudit.platforms import Files
from netaudit.platforms.junos import text
from netaudit.platforms.junos.cos_interfaces import cos_interfaces
from netaudit.platforms.junos.inherit import effective
from netaudit.platforms.junos.names import port_of
from netaudit.platforms.junos.quantize import MOST_MTU_BYTES
from netaudit.platforms.junos.read_config import FILE
from netaudit.platforms.junos.text import Tree, below, has, number, value

MOST_LOSSLESS: Final = 6
MOST_CLASSES: Final = 16
MOST_QUEUE: Final = 7
MOST_LETTERS: Final = 64
_NAMED: Final = (("schedulers",), ("scheduler-maps",), ("drop-profiles",), ("congestion-notification-profile",))
"""At most 6 queues without loss (junos.md section 1); 16 classes (J2, junos-conf-class-of-service.yang)."""


def problems(files: Files) -> tuple[str, ...]:
    """One sentence for each; empty if nothing."""
    try:
        root = text.tree(effective(text.entries(files.get(FILE, ""))))
    except text.NotJunos as problem:
        return (str(problem),)
    cos = below(root, "class-of-service")
    return tuple(
        dict.fromkeys(
            (
                *_partitions(below(cos, "shared-buffer")),
                *_classes(cos),
                *_schedulers(cos),
                *_pfc(root, cos),
                *_names(root, cos),
                *_lengths(cos),
                *_ports(root),
                *_policies(root),
                *_lldp(below(root, "protocols", "lldp")),
            )
        )
    )


def _partitions(shared: Tree) -> Iterator[str]:
    """The uniform buffer model (junos.md section 2): YANG does not check it."""
    sizes = {
        (direction, name): number(row, "percent") or 0
        for direction in ("ingress", "egress")
        for name, row in below(shared, direction, "buffer-partition").items()
    }
    legal = {("ingress", n) for n in ("lossless", "lossless-headroom", "lossy")}
    legal |= {("egress", n) for n in ("lossless", "lossy")}
    for direction, name in sorted(sizes.keys() - legal):
        yield f"there is no {direction} partition `{name}` on a QFX5130 to QFX5240"
    whole = sum(size for (direction, _), size in sizes.items() if direction == "ingress")
    if sizes and whole != 100:
        yield f"the ingress partitions add up to {whole} %, not to 100 %"
    for name in ("lossless", "lossy"):
        if sizes and sizes.get(("ingress", name)) != sizes.get(("egress", name)):
            yield f"the {name} partition has {sizes.get(('ingress', name))} % at ingress, and another part at egress"


def _classes(cos: Tree) -> Iterator[str]:
    classes = below(cos, "forwarding-classes", "class")
    lossless = [name for name, row in classes.items() if has(row, "no-loss")]
    if len(lossless) > MOST_LOSSLESS:
        yield f"{len(lossless)} classes without loss, and a switch has {MOST_LOSSLESS}"
    if len(classes) > MOST_CLASSES:
        yield f"{len(classes)} forwarding classes, and a switch has {MOST_CLASSES}"
    for name, row in classes.items():
        queue = number(row, "queue-num")
        if queue is None or queue > MOST_QUEUE:
            yield f"the forwarding class {name} is on no queue from 0 to {MOST_QUEUE}"
        if len(below(row, "pfc-priority")) > 1:
            yield f"the forwarding class {name} has two PFC priorities"
    priorities = [value(classes[name], "pfc-priority") for name in lossless]
    if len(set(priorities)) < len(priorities):
        yield "two forwarding classes have one PFC priority"


def _schedulers(cos: Tree) -> Iterator[str]:
    for name, row in below(cos, "scheduler-maps").items():
        used = [value(entry, "scheduler") or "" for entry in below(row, "forwarding-class").values()]
        whole = sum(number(cos, "schedulers", scheduler, "transmit-rate", "percent") or 0 for scheduler in used)
        if whole > 100:
            yield f"the schedulers of {name} take {whole} % of the port"
        for scheduler in used:
            if not below(cos, "schedulers", scheduler):
                yield f"{name} uses the scheduler {scheduler}, which is not defined"
    for name, row in below(cos, "schedulers").items():
        for priority in below(row, "drop-profile-map", "loss-priority").values():
            for protocol in below(priority, "protocol").values():
                profile = value(protocol, "drop-profile")
                if profile is not None and not below(cos, "drop-profiles", profile):
                    yield f"the scheduler {name} uses the drop profile {profile}, which is not defined"
    for name, row in below(cos, "drop-profiles").items():
        levels = [float(level) for level in below(row, "interpolate", "fill-level") if _is_level(level)]
        if levels != sorted(set(levels)) or any(level > 100 for level in levels):
            yield f"the fill levels of the drop profile {name} do not rise from 0 to 100"


def _is_level(word: str) -> bool:
    return word.replace(".", "", 1).isdecimal()


def _pfc(root: Tree, cos: Tree) -> Iterator[str]:
    ports = frozenset(port_of(name) for name in below(root, "interfaces"))
    profiles = below(cos, "congestion-notification-profile")
    used = {bound.profile for bound in cos_interfaces(cos, ports).values() if bound.profile is not None}
    dogs = []
    for name, row in profiles.items():
        if has(row, "input", "dscp") and has(row, "input", "ieee-802.1"):
            yield f"{name} has both DSCP and 802.1p at its input"
        if has(row, "pfc-watchdog"):
            if not has(row, "output"):
                yield f"{name} has a watchdog and no output, which it is for"
            if name in used:
                dog = below(row, "pfc-watchdog")
                dogs.append((value(dog, "recovery") or "200", value(dog, "watchdog-action") or "drop"))
    if len(set(dogs)) > 1:
        yield "the PFC watchdogs of the ports differ in recovery or action, which are one setting for the switch"


def _names(root: Tree, cos: Tree) -> Iterator[str]:
    """What ports use and nobody defines."""
    ports = frozenset(port_of(name) for name in below(root, "interfaces"))
    for port, bound in cos_interfaces(cos, ports).items():
        for name, place in (
            (bound.profile, ("congestion-notification-profile",)),
            (bound.scheduler_map, ("scheduler-maps",)),
            (bound.classifier, ("classifiers", "dscp")),
            (bound.rewrite, ("rewrite-rules", "dscp")),
        ):
            if name not in (None, "default") and name not in below(cos, *place):
                yield f"{port} uses the {place[0]} {name}, which is not defined"


def _lengths(cos: Tree) -> Iterator[str]:
    """Names of class of service have 64 characters at most (J2, junos-conf-class-of-service.yang)."""
    for place in (*_NAMED, ("classifiers", "dscp"), ("forwarding-classes", "class")):
        for name in below(cos, *place):
            if len(name) > MOST_LETTERS:
                yield f"`{name[:20]}…` of {place[0]} has {len(name)} letters, and {MOST_LETTERS} letters are the most"


def _ports(root: Tree) -> Iterator[str]:
    for name, row in below(root, "interfaces").items():
        mtu = number(row, "mtu")
        if name.startswith(("et-", "xe-", "ge-")) and mtu is not None and mtu > MOST_MTU_BYTES:
            yield f"{name} has an MTU of {mtu} bytes, and {MOST_MTU_BYTES} is the most"


def _policies(root: Tree) -> Iterator[str]:
    options = below(root, "policy-options")
    nodes = (root, *below(root, "routing-instances").values())
    for group in (g for node in nodes for g in below(node, "protocols", "bgp", "group").values()):
        for level in (group, *below(group, "neighbor").values()):
            for way in ("import", "export"):
                for chain in below(level, way):
                    for name in chain.split():
                        if name not in ("(", ")", "&&", "||") and not has(
                            options, "policy-statement", name.lstrip("!")
                        ):
                            yield f"BGP uses the policy {name}, which is not defined"
            listed = value(level, "peer-as-list")
            if listed is not None and not has(options, "as-list", listed):
                yield f"BGP uses the AS list {listed}, which is not defined"
            if value(group, "type") == "internal" and any(
                has(dynamic, "peer-auto-discovery") for dynamic in below(group, "dynamic-neighbor").values()
            ):
                yield "neighbors that are found at a port are external ones only (J2, junos-conf-protocols.yang)"
    for name in below(root, "routing-options", "forwarding-table", "export"):
        if not has(options, "policy-statement", name):
            yield f"the forwarding table uses the policy {name}, which is not defined"


def _lldp(lldp: Tree) -> Iterator[str]:
    if has(lldp, "interface") and value(lldp, "port-id-subtype") != "interface-name":
        yield "LLDP sends an index in place of the interface's name: port-id-subtype is not interface-name"
