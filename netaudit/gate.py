"""The gate between two waves of a push: no BGP session that was up before the wave may be down after it."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from typing import Final

from netaudit import platforms
from netaudit.collect.read import collect_device
from netaudit.collect.targets import Target
from netaudit.nornir.hosts import HostError, each_host
from netaudit.push.apply import Gate, GateLine, Judge
from netaudit.push.plan import DevicePlan, Plan
from netaudit.push.waves import Wave
from netaudit.state import Store

PATIENCE_S: Final = 60.0
"""Sessions restart with a reload; BGP's connect retry and three keepalives of 9 s fit in it."""
PAUSE_S: Final = 0.5

Sessions = Mapping[str, frozenset[str]]
"""Device → ports (or addresses) with an Established session."""


def session_gate(plan: Plan, reached: Mapping[str, Target], patience_s: float = PATIENCE_S) -> Gate:
    """A gate over the devices of each wave. One that cannot be read before a wave has nothing to keep.

    A session that the plan itself takes down, by its neighbor or its port, is not missed.
    """
    entries = {device.name: device for device in plan.devices}

    def gate(wave: Wave) -> Judge:
        chosen = {name: reached[name] for name in wave.devices if name in reached}
        before = {name: keys & _intended(entries[name]) for name, keys in established(chosen).items()}
        return lambda: _judge(chosen, before, patience_s)

    return gate


def _intended(entry: DevicePlan) -> frozenset[str]:
    """The sessions that the new configuration has, on ports that are up in it."""
    device = platforms.platform(entry.platform).read_config(entry.files, entry.name)
    neighbors = (device.bgp.neighbors if device.bgp is not None else None) or {}
    down = {key for key, port in (device.ports or {}).items() if port.enabled is not True}
    return frozenset(neighbors) - down


def _judge(chosen: Mapping[str, Target], before: Sessions, patience_s: float) -> Iterator[GateLine]:
    deadline = time.monotonic() + patience_s
    wanted = {(name, key) for name, keys in before.items() for key in keys}
    lost = wanted
    while lost:
        after = established({name: chosen[name] for name in {n for n, _ in lost}})
        lost = {(name, key) for name, key in lost if key not in after.get(name, frozenset())}
        if lost and time.monotonic() + PAUSE_S > deadline:
            break
        if lost:
            time.sleep(PAUSE_S)
    text = f"{len(wanted) - len(lost)} of {len(wanted)} sessions Established"
    if lost:
        text += f", lost: {_named(lost)}"
    yield GateLine(ok=not lost, text=text)


def _named(lost: Collection[tuple[str, str]]) -> str:
    first = [f"{name}:{key}" for name, key in sorted(lost)[:3]]
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    return ", ".join(first) + more


def established(chosen: Mapping[str, Target]) -> Sessions:
    """The sessions that are up on each device; a device that does not answer has none."""
    found: dict[str, frozenset[str]] = {}
    with closing(each_host(chosen, _of_one)) as answers:
        for name, sessions in answers:
            found[name] = frozenset() if isinstance(sessions, HostError) else sessions
    return found


def _of_one(target: Target) -> frozenset[str]:
    """Only what names ports and sessions is asked; everything else of the reading is of no interest here."""
    platform = platforms.platform(target.platform)
    queries = tuple(q for q in platform.QUERIES if q.id in platform.SESSION_QUERIES)
    state = platform.read(collect_device(queries, target), target.name).stores.get(Store.STATE)
    neighbors = state.bgp.neighbors if state is not None and state.bgp is not None else None
    return frozenset(key for key, n in (neighbors or {}).items() if n.session == "Established")
