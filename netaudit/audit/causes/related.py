"""Differences that follow from another one of the same device: they are one thing to do with it, and no second one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netaudit.audit.compare import Merged
from netaudit.state import ABSENT, Store
from netaudit.state.walk import Kind, Path, matches

NAMED = (
    "qos.dscp_to_tc.*",
    "qos.tc_to_queue.*",
    "qos.tc_to_pg.*",
    "qos.pfc_to_queue.*",
    "qos.pfc_to_pg.*",
    "qos.schedulers.*",
    "qos.wred.*",
    "buffers.profiles.*",
    "bgp.policies.*",
)
"""Objects that others use by their name."""

_HEADROOM = "buffers.ports.*.groups"
FOLLOWS: Mapping[str, str] = {
    "ports.*.speed_mbps": _HEADROOM,
    "ports.*.enabled": _HEADROOM,
    "buffers.ports.*.cable_length_m": _HEADROOM,
    "qos.ports.*.pfc": _HEADROOM,
    "qos.ports.*.watched": "qos.ports.*.watchdog",
}
"""Leaf of a port → leaves of the same port that a box changes with it (sonic.md section 3)."""
_COMPUTED_BY = ("ports.*.mtu_bytes", "ports.*.lanes", "ports.*.autoneg")
"""Leaves of a port that headroom which a switch computes goes by, beside those above."""
_COMPUTED_FROM = ("buffers.model", "buffers.computing")
"""Leaves of the device that all headroom follows from which a switch computes."""
_RESULTS = ("buffers.computing", "buffers.profiles", "buffers.pools", _HEADROOM)
_QUEUES = "qos.ports.*.queues"
"""What serves the queues of a port: on some NOSes one profile, whose name stands before that of the queue."""
_WHOLE_TABLE = 3
"""So many rows of one table that are missing are one thing: what brings them in was taken away."""
_OF_ALL_PORTS = (
    ("qos.ports.*.dscp_to_tc", ("qos", "switch_dscp_to_tc")),
    ("qos.ports.*.watchdog", ("qos", "watchdog_poll_ms")),
)
"""Leaf of a port → the leaf of the device that says the same for all ports."""


class Related:
    """The open differences of a device, to be asked what follows from one of them."""

    def __init__(self, merged: Mapping[Path, Merged], *, computes: bool = False) -> None:
        """`computes`: the device makes headroom profiles itself."""
        self._open = merged
        self._computes = computes
        self._by_port: dict[str, list[Path]] = {}
        self._extra: dict[str, list[Path]] = {}
        for path, one in merged.items():
            port = port_of(path)
            if port:
                self._by_port.setdefault(port, []).append(path)
            if one.kind is Kind.EXTRA and len(path) == 3 and is_named(path):
                self._extra.setdefault(path[2], []).append(path)

    def followers(self, leaders: Iterable[Merged]) -> tuple[Path, ...]:
        """Paths of all open differences that follow from these, and from those in turn."""
        found: dict[Path, None] = {}
        waiting = list(leaders)
        while waiting:
            leader = waiting.pop()
            for path in self._after(leader):
                if path in self._open and path not in found and path != leader.path:
                    found[path] = None
                    waiting.append(self._open[path])
        return tuple(found)

    def _after(self, leader: Merged) -> Iterator[Path]:
        """Paths that follow from one difference at once."""
        for pattern, following in FOLLOWS.items():
            if matches(pattern, leader.path):
                yield from (path for path in self._by_port.get(port_of(leader.path), ()) if matches(following, path))
        for pattern, path in _OF_ALL_PORTS:
            same = self._open.get(path)
            if same is not None and matches(pattern, leader.path):
                told = set(map(str, same.observed.values()))
                if told <= {*map(str, leader.observed.values()), str(ABSENT)}:
                    yield path
        yield from self._of_vlan(leader)
        yield from self._of_profile(leader)
        yield from self._of_table(leader)
        yield from self._of_computing(leader)
        for name in _names(leader):
            yield from (path for path in self._extra.get(name, ()) if path[0] == leader.path[0])

    def _of_computing(self, leader: Merged) -> Iterator[Path]:
        """What a switch computes otherwise since it is told otherwise, or since a port is not as planned."""
        if any(matches(pattern, leader.path) for pattern in _COMPUTED_FROM):
            told = len(leader.path) > 2  # one of its numbers: no profile goes or comes
            yield from (
                path
                for path, one in self._open.items()
                if any(matches(pattern, path) for pattern in _RESULTS)
                and (not told or (path[1] != "computing" and set(one.observed) == {Store.APPLIED}))
            )
        if not self._computes:
            return
        of_port = self._by_port.get(port_of(leader.path), ())
        if any(matches(pattern, leader.path) for pattern in _COMPUTED_BY):
            yield from (path for path in of_port if matches(_HEADROOM, path))
        if matches("ports.*.enabled", leader.path):
            yield from (path for path in of_port if matches("buffers.ports.*.queues", path))
        if matches(_HEADROOM, leader.path):
            missing = self._open.get(("buffers", "profiles", str(leader.expected)))
            if missing is not None and set(missing.observed) == {Store.APPLIED} and missing.kind is Kind.MISSING:
                yield missing.path  # the switch keeps no profile that nothing uses
            yield from (path for path in self._open if matches("buffers.pools.*.shared_headroom_bytes", path))

    def _of_profile(self, leader: Merged) -> Iterator[Path]:
        """Of a port that another profile serves all other queues: it is bound once, for all of them."""
        path = leader.path
        if matches(f"{_QUEUES}.*.scheduler", path) and _is_another_profile(leader):
            of_port = self._by_port.get(port_of(path), ())
            # the first of them tells it; those behind it follow, so that never two follow each other
            yield from (other for other in of_port if matches(_QUEUES, other) and other > path)

    def _of_table(self, leader: Merged) -> Iterator[Path]:
        """Of the first named object that is missing all others of its table, where that is more than a few."""
        path = leader.path
        if leader.kind is Kind.MISSING and len(path) == 3 and is_named(path):
            gone = sorted(
                p for p, m in self._open.items() if m.kind is Kind.MISSING and len(p) == 3 and p[:2] == path[:2]
            )
            yield from gone[1:] if len(gone) >= _WHOLE_TABLE and path == gone[0] else ()

    def _of_vlan(self, leader: Merged) -> Iterator[Path]:
        """Of a whole VLAN its interface, whose row cannot be without it; of ports that lost it those that now tag."""
        path = leader.path
        if path[0] != "vlans":
            return
        if len(path) == 2:
            yield from self._by_port.get(f"Vlan{path[1]}", ())
            # what a reader calls rows of a VLAN that is not there
            yield from (other for other in self._open if other[0] == "vlans" and other[1].startswith(f"{path[1]} "))
        elif path[2] == "members":
            yield (*path[:2], "tagged")


def is_named(path: Path) -> bool:
    """Is it an object that others use by its name, or a leaf of one?"""
    return any(matches(named, path) for named in NAMED)


def port_of(path: Path) -> str:
    """The port that a leaf is of; empty for a leaf of the device."""
    at = next((place for place, name in enumerate(path[:-1]) if name in ("ports", "interfaces", "neighbors")), None)
    return "" if at is None else path[at + 1]


def _is_another_profile(leader: Merged) -> bool:
    """Is it `P/3` that became `Q/3`, the same queue in another profile?"""
    profile, apart, queue = str(leader.expected).rpartition("/")
    told = [str(value).rpartition("/") for value in leader.observed.values()]
    return bool(apart) and all(sep and other != profile and same == queue for other, sep, same in told)


def _names(leader: Merged) -> Iterator[str]:
    """Names that a wrong value uses."""
    for value in leader.observed.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from (str(part) for part in value)
