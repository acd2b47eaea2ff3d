"""Class of service of Junos as state: forwarding classes, classifiers, schedulers, drop profiles, PFC and watchdogs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from netaudit.platforms.junos.chips import unmarked
from netaudit.platforms.junos.cos_interfaces import Bound, cos_interfaces
from netaudit.platforms.junos.names import port_of
from netaudit.platforms.junos.quantize_qos import DEFAULT_POLL_MS, LAYER_3, LAYER_4, PFC_MAP
from netaudit.platforms.junos.read_buffers import held_by
from netaudit.platforms.junos.text import Tree, below, has, number, value
from netaudit.state import ABSENT, Leaf, Marking, PortQos, Qos, Queue, Scheduler, Watchdog, Wred

DEFAULT_CLASSES: Final[Mapping[str, int]] = {"best-effort": 0, "fcoe": 3, "no-loss": 4, "network-control": 7}
"""Forwarding classes that a QFX has by itself (junos.md section 1)."""
DEFAULT_LOSSLESS: Final[Mapping[str, int]] = {"fcoe": 3, "no-loss": 4}
DEFAULT_POLLS: Final = 2
DEFAULT_RECOVERY_MS: Final = 200
"""A bare `pfc-watchdog`: 100 ms, 2 intervals, 200 ms, drop (junos.md section 2)."""
BEST_EFFORT: Final = 0
"""Queue of the code points that a classifier does not list (junos.md section 1)."""
_ALIASES: Final[Mapping[str, int]] = {
    "be": 0,
    "ef": 46,
    "nc1": 48,
    "nc2": 56,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{c}{d}": 8 * c + 2 * d for c in range(1, 5) for d in range(1, 4)},
}
"""Names of code points that Junos knows by itself (RFC 2474, 2597, 3246)."""


def read_qos(root: Tree, ports: frozenset[str]) -> Qos:
    """The whole of it, with every port that something is bound to."""
    cos = below(root, "class-of-service")
    queues = _queues(cos)
    paused = _paused(cos, queues)
    classifiers = {
        name: _classifier(row, queues, _aliases(cos)) for name, row in below(cos, "classifiers", "dscp").items()
    }
    bound = cos_interfaces(cos, ports)
    profiles = below(cos, "congestion-notification-profile")
    used = {b.profile for b in bound.values() if b.profile is not None}
    polls = [_poll(profiles[name]) for name in sorted(used & profiles.keys()) if has(profiles[name], "pfc-watchdog")]
    found = {}
    for name, names in bound.items():
        port = _port(names, cos, queues, classifiers, paused)
        if port is not None:
            found[port_of(name)] = port
    return Qos(
        dscp_to_tc=classifiers,
        pfc_to_queue={PFC_MAP: paused} if paused else {},
        schedulers=dict(_schedulers(cos)),
        wred=dict(_wred(cos)),
        watchdog_poll_ms=polls[0] if polls else ABSENT,
        hash_fields=_hash_fields(below(root, "forwarding-options", "hash-key", "family", "inet")),
        ports=found,
    )


def _queues(cos: Tree) -> Mapping[str, int]:
    """Forwarding class → queue. A class that is configured on a queue takes the place of the one there by default."""
    own = {
        name: queue
        for name, row in below(cos, "forwarding-classes", "class").items()
        if (queue := number(row, "queue-num")) is not None
    }
    for told, row in below(cos, "forwarding-classes", "queue").items():
        if told.isdigit() and row:
            own[next(iter(row))] = int(told)
    taken = set(own.values())
    return {**{name: queue for name, queue in DEFAULT_CLASSES.items() if queue not in taken}, **own}


def _paused(cos: Tree, queues: Mapping[str, int]) -> Mapping[int, int]:
    """PFC priority → queue, of the classes without loss."""
    found = {}
    for name, row in below(cos, "forwarding-classes", "class").items():
        if has(row, "no-loss") and name in queues:
            priority = number(row, "pfc-priority")
            found[queues[name] if priority is None else priority] = queues[name]
    return dict(sorted(found.items()))


def _aliases(cos: Tree) -> Mapping[str, int]:
    own = below(cos, "code-point-aliases", "dscp")
    return {
        **_ALIASES,
        **{name: int(bits, 2) for name, row in own.items() for bits in row if re.fullmatch("[01]+", bits)},
    }


def _classifier(row: Tree, queues: Mapping[str, int], aliases: Mapping[str, int]) -> Mapping[int, int]:
    """DSCP → queue, of all 64; what is not listed is best effort, unless another classifier is built upon."""
    found = {} if has(row, "import") else dict.fromkeys(range(64), BEST_EFFORT)
    for name, settings in below(row, "forwarding-class").items():
        for priority in below(settings, "loss-priority").values():
            for point in below(priority, "code-points"):
                dscp = int(point, 2) if re.fullmatch("[01]{1,16}", point) else aliases.get(point)
                if dscp is not None:
                    found[dscp] = queues.get(name, BEST_EFFORT)
    return dict(sorted(found.items()))


def _schedulers(cos: Tree) -> Iterator[tuple[str, Scheduler]]:
    for name, row in below(cos, "schedulers").items():
        if set(row) & {"priority", "transmit-rate", "shaping-rate"}:
            yield (
                name,
                Scheduler(
                    kind="strict" if value(row, "priority") in ("strict-high", "strict") else "dwrr",
                    weight=_or_absent(number(row, "transmit-rate", "percent")),
                    cap_bytes_per_s=_rate(value(row, "shaping-rate")),
                ),
            )


def _or_absent(found: int | None) -> Leaf[int]:
    return ABSENT if found is None else found


def _rate(word: str | None) -> Leaf[int]:
    """Bytes per second of `8g`."""
    found = re.fullmatch(r"(\d{1,15})([kmg]?)", word or "")
    if found is None:
        return ABSENT
    return int(found.group(1)) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[found.group(2)] // 8


def _profile_of(scheduler: Tree) -> str | None:
    """The drop profile of a scheduler for packets of loss priority low, as our classifier makes all."""
    rows = below(scheduler, "drop-profile-map", "loss-priority")
    for priority in ("any", "low"):
        for protocol in ("any", "tcp", "non-tcp"):
            found = value(rows, priority, "protocol", protocol, "drop-profile")
            if found is not None:
                return found
    return None


def _wred(cos: Tree) -> Iterator[tuple[str, Wred]]:
    held = held_by(cos)
    marking: dict[str, list[bool]] = {}
    for row in below(cos, "schedulers").values():
        profile = _profile_of(row)
        if profile is not None:
            marking.setdefault(profile, []).append(has(row, "explicit-congestion-notification"))
    for native, row in below(cos, "drop-profiles").items():
        levels, chances = _points(row)
        low = levels[0] if levels else None
        high = levels[-1] if len(levels) > 1 else None
        name, named = unmarked(native)
        scale = named or held
        yield (
            name,
            Wred(
                ecn=all(marking[native]) if native in marking else None,
                colours={
                    "green": Marking(
                        kmin_bytes=_or_absent(None if low is None else scale.fill_bytes(low)),
                        kmax_bytes=_or_absent(None if high is None else scale.fill_bytes(high)),
                        pmax_percent=_or_absent(chances[-1] if chances else None),
                    )
                },
            ),
        )


def _points(row: Tree) -> tuple[list[int], list[int]]:
    """Fill levels in hundredths of a percent, and drop probabilities in percent."""
    interpolated = below(row, "interpolate")
    if interpolated:
        return _hundredths(below(interpolated, "fill-level")), [
            int(one) for one in below(interpolated, "drop-probability") if re.fullmatch(r"\d{1,3}", one)
        ]
    steps = below(row, "fill-level")
    chances = [number(step, "drop-probability") for step in steps.values()]
    return _hundredths(steps), [chance for chance in chances if chance is not None]


def _hundredths(levels: Iterable[str]) -> list[int]:
    found = []
    for level in levels:
        if re.fullmatch(r"\d{1,3}(\.\d{1,9})?", level):
            whole, _, part = level.partition(".")
            found.append(int(whole) * 100 + int((part + "00")[:2]))
    return found


def _poll(profile: Tree) -> int:
    found = number(profile, "pfc-watchdog", "poll-interval")
    return DEFAULT_POLL_MS if found is None else found


def _hash_fields(family: Tree) -> Leaf[frozenset[str]]:
    """ABSENT where nothing is said: the chip's own fields."""
    if not family:
        return ABSENT
    return (LAYER_3 if has(family, "layer-3") else frozenset()) | (LAYER_4 if has(family, "layer-4") else frozenset())


def _port(
    names: Bound,
    cos: Tree,
    queues: Mapping[str, int],
    classifiers: Mapping[str, Mapping[int, int]],
    paused: Mapping[int, int],
) -> PortQos | None:
    """What is bound to a port; `None` where that is at most the length of a cable."""
    profile = below(cos, "congestion-notification-profile", names.profile) if names.profile is not None else {}
    output = _output(profile)
    served = below(cos, "scheduler-maps", names.scheduler_map) if names.scheduler_map is not None else {}
    says = {*below(profile, "input")} - {"cable-length"} or output or has(profile, "pfc-watchdog")
    if not (says or served or names.classifier or names.rewrite or names.shaping_rate or names.scheduler_map):
        return None
    classified = classifiers.get(names.classifier or "", {})
    same = all(paused.get(priority, priority) == queue for priority, queue in output.items())
    return PortQos(
        dscp_to_tc=names.classifier or ABSENT,
        pfc_to_queue=(PFC_MAP if same else names.profile) if output else ABSENT,
        rewrite=names.rewrite or ABSENT,
        shaper=names.shaping_rate or ABSENT,
        pfc=_priorities(profile, {**output, **{p: q for p, q in paused.items() if p in output}}, classified),
        queues={
            str(queues[name]) if name in queues else name.removeprefix("Q"): _queue(cos, value(row, "scheduler"))
            for name, row in below(served, "forwarding-class").items()
        },
        watchdog=_watchdog(profile),
    )


def _output(profile: Tree) -> Mapping[int, int]:
    """PFC priority → the queue that a received pause stops."""
    found = {}
    for bits, row in below(profile, "output", "ieee-802.1", "code-point").items():
        queue = number(row, "flow-control-queue")
        if re.fullmatch("[01]{1,8}", bits) and queue is not None:
            found[int(bits, 2)] = queue
    return found


def _priorities(profile: Tree, queues: Mapping[int, int], classified: Mapping[int, int]) -> frozenset[int]:
    """Of the priorities that a pause is obeyed for, those with PFC both ways: each DSCP of their queue asks for one."""
    asking = {bits for bits, row in below(profile, "input", "dscp", "code-point").items() if has(row, "pfc")}
    told = {bits for bits, row in below(profile, "input", "ieee-802.1", "code-point").items() if has(row, "pfc")}
    return frozenset(
        priority
        for priority, queue in queues.items()
        if format(priority, "03b") in told
        or all(format(dscp, "06b") in asking for dscp, led_to in classified.items() if led_to == queue)
    )


def _queue(cos: Tree, scheduler: str | None) -> Queue:
    profile = _profile_of(below(cos, "schedulers", scheduler)) if scheduler is not None else None
    return Queue(scheduler=scheduler or ABSENT, wred=unmarked(profile)[0] if profile is not None else ABSENT)


def _watchdog(profile: Tree) -> Leaf[Watchdog]:
    if not has(profile, "pfc-watchdog"):
        return ABSENT
    settings = below(profile, "pfc-watchdog")
    polls = number(settings, "detection")
    recovery = number(settings, "recovery")
    return Watchdog(
        detect_ms=_poll(profile) * (DEFAULT_POLLS if polls is None else polls),
        restore_ms=DEFAULT_RECOVERY_MS if recovery is None else recovery,
        action=value(settings, "watchdog-action") or "drop",
    )
