"""Profiles that a port takes for all of its queues at once: which ones a device needs, and what they are called.

NVUE binds a port to one egress-scheduler, one egress-shaper and one congestion-control profile. So what serves queue 3
of a port is called `PROFILE/3`, and ports whose queues are served alike share a profile.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from netaudit.state import Qos

DEFAULT: Final = "default-global"
"""The profile of every port that has no other (nvue.md section 3)."""
SCHEDULERS: Final = "ETS"
MARKING: Final = "ECN"
Served: TypeAlias = tuple[tuple[str, str], ...]
"""(queue, name of what serves it) of each queue that something serves, by queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """Port → profile, and profile → what serves each of its queues, by the names the device has for it now."""

    of_port: Mapping[str, str]
    content: Mapping[str, Served]


def scheduler_profiles(qos: Qos) -> Profiles:
    """The scheduler profiles of a device."""
    return _profiles({port: _served(qos, port, "scheduler") for port in qos.ports or {}}, SCHEDULERS)


def marking_profiles(qos: Qos) -> Profiles:
    """The congestion-control profiles of a device."""
    return _profiles({port: _served(qos, port, "wred") for port in qos.ports or {}}, MARKING)


def _served(qos: Qos, port: str, what: str) -> Served:
    queues = (qos.ports or {})[port].queues or {}
    named = ((queue, getattr(served, what)) for queue, served in queues.items())
    return tuple(sorted((queue, name) for queue, name in named if isinstance(name, str)))


def _profiles(served: Mapping[str, Served], kind: str) -> Profiles:
    """Served alike is one profile. Names that are PROFILE/queue already stay; of two such the one of more ports."""
    counts = Counter(content for content in served.values() if content)
    names: dict[Served, str] = {}
    for content in sorted(counts, key=lambda c: (not stem(c), -counts[c], c)):
        wanted = stem(content) or f"{kind}{_speeds(content)}"
        name, number = wanted, 2
        while name in names.values():
            name, number = f"{wanted}-{number}", number + 1
        names[content] = name
    return Profiles(
        of_port={port: names[content] for port, content in served.items() if content},
        content={name: content for content, name in sorted(names.items(), key=lambda item: item[1])},
    )


def stem(content: Served) -> str:
    """The profile whose queues these are already, by their names; empty where they are not of one."""
    stems = {name.removesuffix(f"/{queue}") if name.endswith(f"/{queue}") else "" for queue, name in content}
    return stems.pop() if len(stems) == 1 else ""


def _speeds(content: Served) -> str:
    """`-400G` of names that say a speed; what differs by nothing else is told apart by it."""
    found = (re.search(r"-(\d+G)(?![A-Za-z0-9])", name) for _, name in content)
    speeds = dict.fromkeys(match[1] for match in found if match)
    return "".join(f"-{speed}" for speed in speeds)
