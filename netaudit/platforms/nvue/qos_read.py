"""Classes, queues, PFC, ECN and the watchdog, read; with RoCE on, what it sets by itself where nothing else is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.platforms.nvue.buffers import is_roce, read_pfc
from netaudit.platforms.nvue.interfaces import numbers
from netaudit.platforms.nvue.names import position
from netaudit.platforms.nvue.profiles import DEFAULT
from netaudit.platforms.nvue.qos import HASH, KBPS, POLL_MS
from netaudit.platforms.nvue.tree import Tree, below, get, number, on, text
from netaudit.state import (
    ABSENT,
    Absent,
    Leaf,
    Marking,
    PortQos,
    Qos,
    Queue,
    Scheduler,
    Trimming,
    Watchdog,
    Wred,
)

_ROBUSTNESS: Final = 3
_TRIM_BYTES: Final = 256
"""The smallest size, which is what trimming begins with (models 5.14 to 5.18)."""
_ROCE_QUEUES: Final = {priority: priority if priority in (3, 6) else 0 for priority in range(8)}
_ROCE_SERVED: Final[Tree] = {
    "0": {"mode": "dwrr", "bw-percent": "50"},
    "3": {"mode": "dwrr", "bw-percent": "50"},
    "6": {"mode": "strict"},
}
_ROCE_MARKED: Final[Tree] = {
    queue: {"ecn": "enable", "min-threshold": "150000", "max-threshold": "1500000", "probability": "100"}
    for queue in ("0", "3")
}
"""What `qos roce mode lossless` programs (nvue.md section 2)."""


def read_qos(tree: Tree) -> Qos:
    """The QoS of a device."""
    bound = {key: below(tree, "interface", name, "qos") for name, key in _ports(tree)}
    ports = {key: here for key, here in bound.items() if _says_something(here, tree)}
    queues = _queue_map(tree)
    return Qos(
        dscp_to_tc=dict(_dscp_maps(tree)),
        tc_to_queue={DEFAULT: queues} if queues else {},
        schedulers=dict(_schedulers(tree, ports)),
        wred=dict(_marking(tree, ports)),
        watchdog_poll_ms=_poll(tree),
        trimming=_trimming(tree, queues),
        hash_fields=_hash_fields(tree),
        ports={key: _port(here, tree) for key, here in ports.items()},
    )


def _ports(tree: Tree) -> Iterator[tuple[str, str]]:
    for name in below(tree, "interface"):
        key = position(name)
        if key is not None and below(tree, "interface", name, "qos"):
            yield name, key


def _says_something(here: Tree, tree: Tree) -> bool:
    """Is there more than a cable length? That is a matter of buffers."""
    said = below(tree, "qos", "pfc", text(here, "pfc", "profile") or "")
    return any(word != "pfc" for word in here) or any(word in said for word in ("switch-priority", "tx", "rx"))


def _dscp_maps(tree: Tree) -> Iterator[tuple[str, Mapping[int, int]]]:
    """Every map; in default-global a DSCP that is not listed has the class of its three upper bits (nvue.md 2)."""
    maps = below(tree, "qos", "mapping")
    for name in dict.fromkeys((*maps, *((DEFAULT,) if is_roce(tree) else ()))):
        found: dict[int, int] = {}
        trust = text(maps, name, "trust")
        if trust in ("l2", "port"):
            yield name, {}  # the DSCP of a packet counts for nothing
            continue
        if name == DEFAULT and (trust in ("l3", "both") or (trust is None and is_roce(tree))):
            found = {dscp: dscp // 8 for dscp in range(64)}
        for word in below(maps, name, "dscp"):
            priority = number(maps, name, "dscp", word, "switch-priority")
            if priority is not None:
                found.update(dict.fromkeys(map(int, numbers(word)), priority))
        yield name, found


def _queue_map(tree: Tree) -> Mapping[int, int]:
    said = below(tree, "qos", "egress-queue-mapping", DEFAULT, "switch-priority")
    found = dict(_ROCE_QUEUES) if is_roce(tree) else {n: n for n in range(8)} if said else {}
    for word in said:
        queue = number(said, word, "traffic-class")
        if queue is not None:
            found.update(dict.fromkeys(map(int, numbers(word)), queue))
    return found


def _classes(tree: Tree, kind: str, profile: str) -> Mapping[str, Tree]:
    """Queue → what a profile says of it, with RoCE's own words below those of default-global."""
    said = below(tree, "qos", kind, profile, "traffic-class")
    found: dict[str, Tree] = {}
    if profile == DEFAULT and is_roce(tree):
        roce = _ROCE_SERVED if kind == "egress-scheduler" else _ROCE_MARKED
        found = {queue: dict(below(roce, queue)) for queue in roce}
    for word in said:
        for queue in numbers(word):
            found[queue] = {**found.get(queue, {}), **below(said, word)}
    return found


def _scheduler_of(here: Tree) -> tuple[str, str]:
    """(scheduler profile, shaper profile) of a port."""
    return text(here, "egress-scheduler", "profile") or DEFAULT, text(here, "egress-shaper", "profile") or ""


def _stem(profile: str, shaper: str, tree: Tree) -> str:
    """What the schedulers of a port are called after; ours have one name for both profiles, and ports have both."""
    if shaper == profile or (not shaper and profile not in below(tree, "qos", "egress-shaper")):
        return profile
    return f"{profile}+{shaper or 'none'}"


def _schedulers(tree: Tree, ports: Mapping[str, Tree]) -> Iterator[tuple[str, Scheduler]]:
    for profile, shaper in dict.fromkeys(_scheduler_of(here) for here in ports.values()):
        rates = {
            queue: number(tree, "qos", "egress-shaper", shaper, "traffic-class", word, "max-rate")
            for word in below(tree, "qos", "egress-shaper", shaper, "traffic-class")
            for queue in numbers(word)
        }
        classes = _classes(tree, "egress-scheduler", profile)
        for queue in sorted({*classes, *rates}):
            said, rate = classes.get(queue, {}), rates.get(queue)
            if not said and rate is None:
                continue  # a queue that a profile names and says nothing of
            kind, weight = text(said, "mode"), number(said, "bw-percent")
            yield (
                f"{_stem(profile, shaper, tree)}/{queue}",
                Scheduler(
                    kind=ABSENT if kind is None else kind,
                    weight=ABSENT if weight is None else weight,
                    cap_bytes_per_s=ABSENT if rate is None else rate * KBPS,
                ),
            )


def _marking(tree: Tree, ports: Mapping[str, Tree]) -> Iterator[tuple[str, Wred]]:
    for profile in dict.fromkeys(_marking_of(here) for here in ports.values()):
        for queue, said in sorted(_classes(tree, "congestion-control", profile).items()):
            if not said:
                continue
            thresholds = Marking(
                kmin_bytes=_or_absent(number(said, "min-threshold")),
                kmax_bytes=_or_absent(number(said, "max-threshold")),
                pmax_percent=_or_absent(number(said, "probability")),
            )
            said_so = any(word in said for word in ("min-threshold", "max-threshold", "probability"))
            yield (
                f"{profile}/{queue}",
                Wred(
                    ecn=on(said, "ecn") is True and on(said, "red") is not True,
                    colours={"green": thresholds} if said_so else {},
                ),
            )


def _marking_of(here: Tree) -> str:
    return text(here, "congestion-control", "profile") or DEFAULT


def _or_absent(value: int | None) -> int | Absent:
    return ABSENT if value is None else value


def _port(here: Tree, tree: Tree) -> PortQos:
    profile, shaper = _scheduler_of(here)
    served = _classes(tree, "egress-scheduler", profile)
    marked = _classes(tree, "congestion-control", _marking_of(here))
    whole = get(tree, "qos", "egress-shaper", shaper, "port-max-rate") if shaper else None
    rewrite = text(here, "remark", "profile")
    return PortQos(
        dscp_to_tc=text(here, "mapping", "profile") or DEFAULT,
        rewrite=ABSENT if rewrite is None else rewrite,
        shaper=ABSENT if whole is None else shaper,
        pfc=read_pfc(tree, text(here, "pfc", "profile"))[0],
        queues={
            queue: Queue(
                scheduler=f"{_stem(profile, shaper, tree)}/{queue}" if queue in served else ABSENT,
                wred=f"{_marking_of(here)}/{queue}" if queue in marked else ABSENT,
            )
            for queue in sorted({*served, *marked})
        },
        watchdog=_watchdog(here, tree),
    )


def _watchdog(here: Tree, tree: Tree) -> Leaf[Watchdog]:
    """It acts after so many polling intervals, and restores after one without a pause frame (nvue.md section 3)."""
    if "pfc-watchdog" not in here or on(here, "pfc-watchdog", "state") is False:
        return ABSENT
    poll = _poll(tree)
    rounds = number(tree, "qos", "pfc-watchdog", "robustness")
    return Watchdog(detect_ms=poll * (_ROBUSTNESS if rounds is None else rounds), restore_ms=poll)


def _poll(tree: Tree) -> int:
    said = number(tree, "qos", "pfc-watchdog", "polling-interval")
    return POLL_MS if said is None else said


def _hash_fields(tree: Tree) -> Leaf[frozenset[str]]:
    """The five fields are hashed unless one is switched off, the others where they are switched on."""
    said = below(tree, "system", "forwarding", "ecmp-hash")
    if not said:
        return ABSENT
    ours = {word: field for field, word in HASH.items()}
    default = {field for word, field in ours.items() if on(said, word) is not False}
    return frozenset(default | {word for word in said if word not in ours and on(said, word) is True})


def _trimming(tree: Tree, queues: Mapping[int, int]) -> Leaf[Trimming]:
    said = below(tree, "system", "forwarding", "packet-trim")
    if on(said, "state") is not True:
        return ABSENT
    size, priority = number(said, "size"), number(said, "switch-priority")
    dscp = text(said, "remark", "dscp")
    return Trimming(
        size_bytes=_TRIM_BYTES if size is None else size,
        dscp=int(dscp) if dscp is not None and dscp.isdigit() else ABSENT,
        queue=ABSENT if priority is None else queues.get(priority, priority),
    )
