"""What each port uses of class of service: names of interfaces, and patterns that stand for many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from netaudit.platforms.junos.inherit import expand
from netaudit.platforms.junos.names import port_name
from netaudit.platforms.junos.text import Tree, below, value


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The names that one interface is bound to; `None`: nothing says it."""

    profile: str | None = None
    scheduler_map: str | None = None
    classifier: str | None = None
    rewrite: str | None = None
    shaping_rate: str | None = None


def cos_interfaces(cos: Tree, ports: Iterable[str]) -> dict[str, Bound]:
    """Interface → what it uses. A name of its own goes before a pattern, and a pattern before one with less words."""
    names = [_native(key) for key in ports]
    found: dict[str, Bound] = {}
    interfaces = below(cos, "interfaces")
    for pattern in sorted(interfaces, key=lambda name: ("*" not in name and "[" not in name, len(name))):
        bound = _bound(interfaces[pattern])
        for name in expand(pattern, names):
            found[name] = _over(found.get(name, Bound()), bound)
    return found


@cache
def _native(key: str) -> str:
    return port_name(key, 1, 1, 0) if key[:1].isdigit() else key


def _bound(settings: Tree) -> Bound:
    units = below(settings, "unit")
    unit = {**below(units, "*"), **below(units, "0")}
    return Bound(
        profile=value(settings, "congestion-notification-profile"),
        scheduler_map=value(settings, "scheduler-map"),
        classifier=value(unit, "classifiers", "dscp") or value(settings, "classifiers", "dscp"),
        rewrite=value(unit, "rewrite-rules", "dscp") or value(settings, "rewrite-rules", "dscp"),
        shaping_rate=value(settings, "shaping-rate"),
    )


def _over(old: Bound, new: Bound) -> Bound:
    return replace(
        old,
        profile=new.profile or old.profile,
        scheduler_map=new.scheduler_map or old.scheduler_map,
        classifier=new.classifier or old.classifier,
        rewrite=new.rewrite or old.rewrite,
        shaping_rate=new.shaping_rate or old.shaping_rate,
    )
