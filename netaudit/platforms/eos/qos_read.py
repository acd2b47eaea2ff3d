"""QoS out of EOS's text, under the names of the normal form (`qos.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from netaudit.platforms.eos.ports import Stanza
from netaudit.platforms.eos.qos import ACTIONS, COLOUR, FIXED_TC, KBIT_BYTES, SWITCH, base_of, default_tc, row_of
from netaudit.platforms.eos.text import Line
from netaudit.state import ABSENT, Absent, Leaf, Marking, PortQos, Qos, Queue, Scheduler, Watchdog, Wred

QUEUE_WORDS = ("tx-queue", "uc-tx-queue")
DEFAULT_ACTION = "errdisable"
"""What the watchdog does where nobody says it (eos.md section 2)."""
CERTAIN_PERCENT = 100
"""How likely marking is at the upper threshold where nobody says it."""
_UNITS = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
"""Units of thresholds that are bytes; segments and times are not, on no chip that is known here."""
_ACTIONS = {theirs: ours for ours, theirs in ACTIONS.items()}


@dataclass(slots=True)
class Profile:
    """The lines of a `qos profile`, or those of a port that say the same. `None`: not said there."""

    trust: str | None = None
    policy: str | None = None
    """A policy-map that classifies what comes in, in place of the map of the switch."""
    pfc: bool | None = None
    priorities: dict[int, bool] = field(default_factory=dict)
    watchdog: bool | None = None
    action: str | None = None
    timers: tuple[int, int | None, int] | None = None
    """(timeout, polling interval, recovery) in milliseconds; no interval is `auto`."""
    shape: str | None = None
    queues: dict[str, tuple[Scheduler | None, Wred | None]] = field(default_factory=dict)
    name: str = ""
    """Of a port: the profile it is bound to."""
    rest: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class Switch:
    """What the lines outside of profiles and ports say."""

    dscp_to_tc: dict[int, int] = field(default_factory=lambda: {dscp: default_tc(dscp) for dscp in range(64)})
    tc_to_queue: dict[int, int] = field(default_factory=lambda: {tc: tc for tc in range(8)})
    poll_ms: int | None = None
    timeout_ms: int | None = None
    recovery_ms: int | None = None
    action: str | None = None
    override: str | None = None
    """The action of all watchdogs, whatever they are told themselves."""
    pfc_off: bool = False
    """PFC is off on every port, whatever is said there."""
    rewrite: bool = False
    profiles: dict[str, Profile] = field(default_factory=dict)


def milliseconds(text: str) -> int | None:
    """`0.2` → 200; `None` for what is no number of seconds."""
    whole, _, part = text.partition(".")
    if not (whole.isdecimal() and len(whole) < 7 and (part == "" or part.isdecimal()) and len(part) < 10):
        return None
    return round(Fraction(text) * 1000)


def switch_line(found: Switch, line: Line) -> bool:
    """Take one line outside of any port into account; `False` if no leaf stands for it."""
    match line.words:
        case ["qos", "map", "dscp", *dscps, "to", "traffic-class", tc] if _small(tc) and all(map(_small, dscps)):
            found.dscp_to_tc.update({int(dscp): int(tc) for dscp in dscps})
        case ["qos", "map", "traffic-class", *tcs, "to", "tx-queue", queue] if _small(queue) and all(map(_small, tcs)):
            found.tc_to_queue.update({int(tc): int(queue) for tc in tcs})
        case ["qos", "rewrite", "dscp"]:
            found.rewrite = True
        case ["qos", "profile", name]:
            found.profiles[name] = read_profile(line.below)
            return not found.profiles[name].rest
        case ["priority-flow-control", "all", "off"]:
            found.pfc_off = True
        case ["priority-flow-control", "pause", "watchdog", *rest]:
            return _watchdog_line(found, rest)
        case _:
            return False
    return True


def _small(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def _watchdog_line(found: Switch, words: list[str]) -> bool:
    match words:
        case ["default", "timeout", value] if (ms := milliseconds(value)) is not None:
            found.timeout_ms = ms
        case ["default", "recovery-time", value] if (ms := milliseconds(value)) is not None:
            found.recovery_ms = ms
        case ["default", "polling-interval", value] if (ms := milliseconds(value)) is not None:
            found.poll_ms = ms
        case ["action", action]:
            found.action = action
        case ["override", "action", action]:
            found.override = action
        case _:
            return False
    return True


def read_profile(lines: Sequence[Line]) -> Profile:
    """What lines of a profile, or of a port, say of QoS; what is not of QoS stays in `rest`."""
    found = Profile()
    for line in lines:
        if line.words[0] in QUEUE_WORDS and len(line.words) == 2:
            queue, rest = _queue(line.below)
            if queue != (None, None) or not line.below:
                found.queues[line.words[1]] = queue
            if rest:
                found.rest.append(line)
        elif not _profile_line(found, line.words):
            found.rest.append(line)
    return found


def _profile_line(found: Profile, words: list[str]) -> bool:
    match words:
        case ["qos", "trust", "dscp" | "cos" as what]:
            found.trust = what
        case ["no", "qos", "trust"]:
            found.trust = "none"
        case ["service-policy", "type", "qos", "input", name]:
            found.policy = name
        case ["service-profile", name]:
            found.name = name
        case ["shape", "rate", *rate] if rate:
            found.shape = " ".join(rate)
        case ["priority-flow-control", "on"]:
            found.pfc = True
        case ["no", "priority-flow-control"] | ["no", "priority-flow-control", "on"]:
            found.pfc = False
        case ["priority-flow-control", "priority", number, "no-drop" | "drop" as what] if _small(number):
            found.priorities[int(number)] = what == "no-drop"
        case ["priority-flow-control", "pause", "watchdog", *rest]:
            return _port_watchdog(found, rest)
        case ["no", "priority-flow-control", "pause", "watchdog"]:
            found.watchdog = False
        case _:
            return False
    return True


def _port_watchdog(found: Profile, words: list[str]) -> bool:
    match words:
        case []:
            found.watchdog = True
        case ["port", "action", action]:
            found.action = action
        case ["port", "timer", "timeout", timeout, "polling-interval", poll, "recovery-time", recovery, *forced]:
            times = (milliseconds(timeout), milliseconds(poll), milliseconds(recovery))
            if times[0] is None or times[2] is None or forced not in ([], ["forced"]):
                return False
            found.timers = (times[0], times[1], times[2])
        case _:
            return False
    return True


def _queue(lines: Sequence[Line]) -> tuple[tuple[Scheduler | None, Wred | None], list[Line]]:
    """What serves a queue, what marks in it, and lines for which there is no leaf."""
    rest: list[Line] = []
    kind: Leaf[str] = None
    weight: Leaf[int] = ABSENT
    cap: Leaf[int] = ABSENT
    wred: Wred | None = None
    served = False
    for line in lines:
        match line.words:
            case ["priority", "strict"]:
                kind, served = "strict", True
            case ["no", "priority"]:
                kind, served = "dwrr", True
            case ["bandwidth", "percent", percent] if _small(percent):
                weight, served = int(percent), True
            case ["shape", "rate", rate] | ["shape", "rate", rate, "kbps"] if rate.isdecimal() and len(rate) < 13:
                cap, served = int(rate) * KBIT_BYTES, True
            case ["random-detect", "ecn" | "drop" as what, *curve] if (marking := _curve(curve)) is not None:
                wred = Wred(ecn=what == "ecn", colours={COLOUR: marking})
            case ["random-detect", "ecn", "count"]:
                pass  # a counter, of which nothing depends
            case _:
                rest.append(line)
    # a queue of which nothing is said is served before all lower ones
    scheduler = Scheduler(kind=kind or "strict", weight=weight, cap_bytes_per_s=cap) if served else None
    return (scheduler, wred), rest


def _curve(words: list[str]) -> Marking | None:
    numbers: dict[str, int] = {}
    at = 0
    while at < len(words):
        name = words[at]
        value = words[at + 1] if at + 1 < len(words) else ""
        if not value.isdecimal() or len(value) > 12:
            return None
        numbers[name], at = int(value), at + 2
        if name.endswith("-threshold"):
            unit = _UNITS.get(words[at]) if at < len(words) else None
            if unit is None:
                return None
            numbers[name], at = numbers[name] * unit, at + 1
    if not {"minimum-threshold", "maximum-threshold"} <= numbers.keys():
        return None
    chance = numbers.get("max-mark-probability", numbers.get("drop-probability", CERTAIN_PERCENT))
    return Marking(
        kmin_bytes=numbers["minimum-threshold"],
        kmax_bytes=numbers["maximum-threshold"],
        pmax_percent=chance,
    )


def read_qos(switch: Switch, stanzas: Sequence[Stanza], keys: Mapping[str, str]) -> Qos:
    """All of it; takes the lines that are QoS's out of the rest of each stanza."""
    ports: dict[str, PortQos] = {}
    tables = _Tables()
    polls = {switch.poll_ms} if switch.poll_ms is not None else set()
    for name, profile in switch.profiles.items():
        tables.add(name, profile)
    for stanza in stanzas:
        if stanza.name not in keys:
            continue
        own = read_profile(stanza.rest)
        said = len(own.rest) < len(stanza.rest)
        stanza.rest = own.rest
        if not said:
            continue
        profile = switch.profiles.get(own.name, Profile())
        timers = own.timers or profile.timers
        if timers is not None and timers[1] is not None:
            polls.add(timers[1])
        ports[keys[stanza.name]] = _port(switch, tables, own, profile, routed=stanza.routed)
    return Qos(
        dscp_to_tc={SWITCH: switch.dscp_to_tc},
        tc_to_queue={SWITCH: {**switch.tc_to_queue, FIXED_TC: switch.tc_to_queue.get(FIXED_TC, FIXED_TC)}},
        schedulers=tables.schedulers,
        wred=tables.wred,
        # the slowest of all, where ports differ: that is the one which may come too late
        watchdog_poll_ms=max(polls) if polls else ABSENT,
        trimming=ABSENT,
        ports=ports,
    )


class _Tables:
    """What serves queues and marks in them, by the names of the normal form."""

    def __init__(self) -> None:
        self.schedulers: dict[str, Scheduler] = {}
        self.wred: dict[str, Wred] = {}
        self.names: dict[str, dict[str, tuple[str, bool]]] = {}
        """Profile → queue → (name of its rows, whether it marks)."""

    def add(self, profile: str, lines: Profile) -> None:
        """A profile. One whose queue is served otherwise than that of its base has rows of its own."""
        base = base_of(profile)
        for number, (scheduler, wred) in lines.queues.items():
            row = row_of(base, number)
            known = next((n for n in self.names.values() if n.get(number, ("",))[0] == row), None)
            if known is not None and (self.schedulers.get(row), self.wred.get(row)) != (scheduler, wred):
                row = row_of(profile, number)
            if scheduler is not None:
                self.schedulers[row] = scheduler
            if wred is not None:
                self.wred[row] = wred
            self.names.setdefault(profile, {})[number] = (row, wred is not None)


def _port(switch: Switch, tables: _Tables, own: Profile, profile: Profile, *, routed: bool) -> PortQos:
    trust = own.trust or profile.trust or ("dscp" if routed else "cos")
    pfc = own.pfc if own.pfc is not None else profile.pfc
    priorities = {**profile.priorities, **own.priorities}
    watched = own.watchdog if own.watchdog is not None else profile.watchdog
    names = tables.names.get(own.name, {})
    policy = own.policy or profile.policy
    return PortQos(
        dscp_to_tc=f"policy-map {policy}" if policy else SWITCH if trust == "dscp" else ABSENT,
        rewrite="traffic-class" if switch.rewrite else ABSENT,
        shaper=own.shape or profile.shape or ABSENT,
        pfc=frozenset(p for p, lossless in priorities.items() if lossless)
        if pfc and not switch.pfc_off
        else frozenset(),
        queues={number: Queue(scheduler=row, wred=row if marks else ABSENT) for number, (row, marks) in names.items()},
        watchdog=_watchdog(switch, own, profile) if watched else ABSENT,
    )


def _watchdog(switch: Switch, own: Profile, profile: Profile) -> Watchdog:
    timers = own.timers or profile.timers
    action = switch.override or own.action or profile.action or switch.action or DEFAULT_ACTION
    return Watchdog(
        detect_ms=_known(timers[0] if timers else switch.timeout_ms),
        restore_ms=_known(timers[2] if timers else switch.recovery_ms),
        action=_ACTIONS.get(action, action),
    )


def _known(value: int | None) -> int | Absent:
    return ABSENT if value is None else value
