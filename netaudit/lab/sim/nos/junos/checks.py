"""What a commit refuses although every line of it was taken: references that lead nowhere, musts of the YANG models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netaudit.lab.sim.nos.junos import policy
from netaudit.lab.sim.nos.junos.instances import autonomous_system, children_entries, instances
from netaudit.lab.sim.nos.junos.schema import Refusal
from netaudit.lab.sim.nos.junos.tree import Tree

_STOCK_CLASSES = (
    "best-effort",
    "network-control",
    "no-loss",
    "fcoe",
    "mcast",
    "expedited-forwarding",
    "assured-forwarding",
)
_STOCK_CLASSIFIERS = ("default", "dscp-default")


def problems(root: Tree) -> tuple[Refusal, ...]:
    """Everything that stops a commit."""
    return (*_policies(root), *_bgp(root), *_qos(root))


def _policies(root: Tree) -> Iterator[Refusal]:
    known = {name for name, _ in (root.get("policy-options") or Tree()).entries("policy-statement")}
    for name, where in policy.references(root).items():
        if name not in known:
            yield Refusal(f"Policy error: Policy {name} referenced but not defined", name, where)


def _bgp(root: Tree) -> Iterator[Refusal]:
    for vrf, tree in (("", root), *instances(root)):
        bgp = tree.get("protocols", "bgp")
        if bgp is None:
            continue
        where = f"routing-instances {vrf} protocols bgp" if vrf else "protocols bgp"
        if autonomous_system(tree) is None and autonomous_system(root) is None:
            yield Refusal("Error in neighbor: must define local autonomous-system when enabling BGP", "bgp", where)
        for name, group in bgp.entries("group"):
            at = f"{where} group {name}"
            for address, neighbor in group.entries("neighbor"):
                external = group.value("type") != "internal"
                if external and not any(one.value("peer-as") for one in (neighbor, group, bgp)):
                    said = "peer AS number must be configured for an external peer"
                    yield Refusal(f"Error in neighbor {address} of group {name}: {said}", address, at)
            for as_list in group.values("peer-as-list"):
                if root.get("policy-options", "as-list", as_list) is None:
                    yield Refusal(f"as-list {as_list} referenced but not defined", as_list, at)


def _qos(root: Tree) -> Iterator[Refusal]:
    cos = root.get("class-of-service")
    if cos is None:
        return
    classes = {name for name, _ in (cos.get("forwarding-classes") or Tree()).entries("class")} | set(_STOCK_CLASSES)
    for name, one in children_entries(cos, "congestion-notification-profile"):
        if one.get("pfc-watchdog") is not None and one.get("output") is None:
            said = "pfc-watchdog configurations mandate output config"
            yield Refusal(said, name, f"class-of-service congestion-notification-profile {name}")
    for name, one in children_entries(cos, "scheduler-maps"):
        for fc, entry in one.entries("forwarding-class"):
            yield from _known(fc, classes, "forwarding-class", f"class-of-service scheduler-maps {name}")
            schedulers = [scheduler for scheduler, _ in children_entries(cos, "schedulers")]
            yield from _known(
                entry.value("scheduler"), schedulers, "scheduler", f"class-of-service scheduler-maps {name}"
            )
    for name, one in (cos.get("classifiers") or Tree()).entries("dscp"):
        for fc, _ in one.entries("forwarding-class"):
            yield from _known(fc, classes, "forwarding-class", f"class-of-service classifiers dscp {name}")
    for name, one in children_entries(cos, "interfaces"):
        yield from _bound(cos, name, one)


def _bound(cos: Tree, name: str, one: Tree) -> Iterator[Refusal]:
    """What is bound to an interface must be there."""
    where = f"class-of-service interfaces {name}"
    profiles = [profile for profile, _ in children_entries(cos, "congestion-notification-profile")]
    maps = [scheduler_map for scheduler_map, _ in children_entries(cos, "scheduler-maps")]
    yield from _known(one.value("congestion-notification-profile"), profiles, "congestion-notification-profile", where)
    yield from _known(one.value("scheduler-map"), maps, "scheduler-map", where)
    known = [classifier for classifier, _ in (cos.get("classifiers") or Tree()).entries("dscp")]
    for holder in (one, *(unit for _, unit in one.entries("unit"))):
        used = holder.value("classifiers", "dscp")
        yield from _known(used, [*known, *_STOCK_CLASSIFIERS], "classifier", where)


def _known(name: str, known: Sequence[str] | set[str], what: str, where: str) -> Iterator[Refusal]:
    if name and name not in known:
        yield Refusal(f"{what} {name} is not defined", name, where)
