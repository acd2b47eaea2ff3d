"""Queues, marking and the watchdog as NX-OS can hold them: one policy for all queues of a port, one PFC for the box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from netaudit.state import ABSENT, Leaf, Marking, Port, PortQos, Qos, Queue, Scheduler, Watchdog, Wred

STRICT_QUEUE = 7
"""Queue of the strict class (nxos.md section 1, source N1)."""
QUEUES = range(8)
KBYTE = 1_000
"""ecn.md reads the 150 kbytes of Cisco's guide as 150,000 bytes."""
POLL_MS = (100, 1000)
"""Interval of the watchdog; 100 is what runs where none is written (nxos.md section 2)."""
MOST_RESTORE = 100
"""Largest multiple of the interval; the range of `auto-restore multiplier`, its sister (nxos.md section 2)."""
Signature = tuple[tuple[int, str, str], ...]
"""(queue, scheduler, WRED profile) of each queue of a port."""


def canonical(policy: str, queue: int) -> str:
    """What a scheduler and a WRED profile are called, which NX-OS has inside its policies and without names."""
    return f"{policy} q{queue}"


def policy_of(name: str, queue: str) -> str:
    """The policy of such a name; empty where it is none of that queue."""
    policy, _, number = name.rpartition(" q")
    return policy if number == queue else ""


def quantize_qos(qos: Qos, ports: Mapping[str, Port]) -> Qos:
    """Maps by queue, and each queue called as its policy. A table that is not managed stays so."""
    moves = _moves(qos)
    work = _Work(qos=qos, moves=moves)
    bound = None if qos.ports is None else {k: work.port(p, _speed(ports.get(k))) for k, p in qos.ports.items()}
    poll = _poll(qos)
    marks = {name: dict(m) for name, m in (qos.dscp_to_tc or {}).items()}
    steps = _tc_to_queue(qos)
    return replace(
        qos,
        dscp_to_tc=None
        if qos.dscp_to_tc is None
        else {n: {d: moves.get(steps.get(tc, tc), tc) for d, tc in m.items()} for n, m in marks.items()},
        schedulers=None if qos.schedulers is None else work.schedulers,
        wred=None if qos.wred is None else work.wred,
        watchdog_poll_ms=poll,
        hash_fields=_hash(qos.hash_fields),
        ports=bound if bound is None else _same_everywhere(bound, poll),
    )


def _speed(port: Port | None) -> int | None:
    return port.speed_mbps if port is not None and isinstance(port.speed_mbps, int) else None


def _moves(qos: Qos) -> dict[int, int]:
    """Queue of the intent → queue of NX-OS: a lossless one goes to its priority, the strict one to 7."""
    place = {queue: queue for queue in QUEUES}

    def move(queue: int, to: int) -> None:
        there = next(q for q, now in place.items() if now == to)
        place[queue], place[there] = to, place[queue]

    lossless: set[int] = set()
    strict: set[int] = set()
    for port in {id(p): p for p in (qos.ports or {}).values()}.values():
        table = (qos.pfc_to_queue or {}).get(str(port.pfc_to_queue), {})
        for priority in port.pfc if isinstance(port.pfc, frozenset) else ():
            if (queue := table.get(priority, priority)) in QUEUES and priority in QUEUES:
                move(queue, priority)
                lossless.add(priority)
        strict |= {int(n) for n, q in (port.queues or {}).items() if n.isdigit() and _is_strict(qos, q)}
    served = [queue for queue in sorted(strict) if queue in QUEUES]
    if served and STRICT_QUEUE not in lossless and STRICT_QUEUE not in {place[queue] for queue in served}:
        move(served[-1], STRICT_QUEUE)
    return place


def _is_strict(qos: Qos, queue: Queue) -> bool:
    found = (qos.schedulers or {}).get(str(queue.scheduler))
    return found is not None and found.kind == "strict"


def _tc_to_queue(qos: Qos) -> Mapping[int, int]:
    """The map from traffic classes to queues that ports use; nothing where it is gone into the DSCP map already."""
    names = (port.tc_to_queue for port in (qos.ports or {}).values())
    return (qos.tc_to_queue or {}).get(next((n for n in names if isinstance(n, str)), ""), {})


@dataclass(slots=True)
class _Work:
    """What is gathered while ports are gone through: their policies, and equal ports once."""

    qos: Qos
    moves: Mapping[int, int]
    schedulers: dict[str, Scheduler] = field(default_factory=dict)
    wred: dict[str, Wred] = field(default_factory=dict)
    _policies: dict[Signature, str] = field(default_factory=dict)
    _made: dict[tuple[int, str], PortQos] = field(default_factory=dict)

    def port(self, port: PortQos, speed_mbps: int | None) -> PortQos:
        """The port with its queues called as its policy, which is made where it is a new one."""
        if port.queues is None:
            return self._plain(port, "")
        signature: Signature = tuple(
            sorted((self.moves.get(int(n), int(n)), _name(q.scheduler), _name(q.wred)) for n, q in port.queues.items())
        )
        policy = self._policies.get(signature)
        if policy is None:
            policy = self._policies[signature] = self._new(signature, speed_mbps)
            self._fill(policy, signature)
        return self._plain(port, policy)

    def _plain(self, port: PortQos, policy: str) -> PortQos:
        key = (id(port), policy)
        if key not in self._made:
            queues = port.queues and {
                str(self.moves.get(int(n), int(n))): _queue(q, policy, self.moves.get(int(n), int(n)))
                for n, q in port.queues.items()
            }
            ordered = queues and {n: queues[n] for n in sorted(queues, key=int)}
            rewrite = ABSENT if isinstance(port.rewrite, str) else port.rewrite
            self._made[key] = replace(port, queues=ordered, rewrite=rewrite)
        return self._made[key]

    def _new(self, signature: Signature, speed_mbps: int | None) -> str:
        """The name of a policy: the one that its queues are called after already, else one by the speed."""
        said = {policy_of(n, str(queue)) for queue, *names in signature for n in names if n}
        if len(said) == 1 and (own := said.pop()) and own not in self._policies.values():
            return own
        base = "EGRESS" if speed_mbps is None else f"EGRESS-{speed_mbps // 1000}G"
        names = (base, *(f"{base}-{number}" for number in range(2, len(self._policies) + 3)))
        return next(name for name in names if name not in self._policies.values())

    def _fill(self, policy: str, signature: Signature) -> None:
        known = self.qos.schedulers or {}
        shares = _percents({q: known[s].weight for q, s, _ in signature if s in known and known[s].kind != "strict"})
        for queue, scheduler, wred in signature:
            name = canonical(policy, queue)
            if scheduler in known:
                found = known[scheduler]
                weight = ABSENT if found.kind == "strict" else shares.get(queue, found.weight)
                self.schedulers[name] = replace(found, weight=weight)
            if wred in (self.qos.wred or {}):
                self.wred[name] = _whole((self.qos.wred or {})[wred])


def _name(leaf: Leaf[str]) -> str:
    return leaf if isinstance(leaf, str) else ""


def _queue(queue: Queue, policy: str, number: int) -> Queue:
    name = canonical(policy, number)
    return replace(
        queue,
        scheduler=name if isinstance(queue.scheduler, str) else queue.scheduler,
        wred=name if isinstance(queue.wred, str) else queue.wred,
    )


def _percents(weights: Mapping[int, Leaf[int]]) -> Mapping[int, int]:
    """Weights as percentages that sum to 100 (ecn.md, V10), the largest remainders rounded up; each at least 1."""
    known = {queue: weight for queue, weight in weights.items() if isinstance(weight, int) and weight > 0}
    total = sum(known.values())
    if not total or total == 100 or len(known) > 100:
        return known
    shares = {queue: max(1, weight * 100 // total) for queue, weight in known.items()}
    by_rest = sorted(known, key=lambda queue: (-(known[queue] * 100 % total), queue))
    for queue in by_rest[: max(0, 100 - sum(shares.values()))]:
        shares[queue] += 1
    while sum(shares.values()) > 100:
        shares[max(shares, key=lambda queue: (shares[queue], -queue))] -= 1
    return shares


def _whole(wred: Wred) -> Wred:
    """One marking for all colours, in whole kbytes."""
    colours = wred.colours
    if colours is None:
        return wred
    marking = colours.get("green") or next((m for m in colours.values() if m is not None), None)
    return replace(wred, colours={} if marking is None else {"green": _kbytes(marking)})


def _kbytes(marking: Marking) -> Marking:
    low, high = _rounded(marking.kmin_bytes), _rounded(marking.kmax_bytes)
    if isinstance(low, int) and isinstance(high, int):
        high = max(low, high)
    return replace(marking, kmin_bytes=low, kmax_bytes=high)


def _rounded(size: Leaf[int]) -> Leaf[int]:
    return max(1, (size + KBYTE // 2) // KBYTE) * KBYTE if isinstance(size, int) else size


def _poll(qos: Qos) -> Leaf[int]:
    """The shortest time in which a port shall find a stuck queue; where ports say nothing, the interval itself."""
    dogs = (port.watchdog for port in (qos.ports or {}).values())
    wanted = [dog.detect_ms for dog in dogs if isinstance(dog, Watchdog) and isinstance(dog.detect_ms, int)]
    poll: Leaf[int] = min(wanted) if wanted else qos.watchdog_poll_ms
    return min(max(poll, POLL_MS[0]), POLL_MS[1]) if isinstance(poll, int) else poll


def _same_everywhere(ports: Mapping[str, PortQos], poll: Leaf[int]) -> Mapping[str, PortQos]:
    """Ports with what the switch has once: its no-drop classes, and how long a queue stays shut."""
    every = {id(port): port for port in ports.values()}.values()
    lossless = frozenset[int]().union(*(port.pfc for port in every if isinstance(port.pfc, frozenset)))
    dogs = [port.watchdog for port in every if isinstance(port.watchdog, Watchdog)]
    times = [dog.restore_ms for dog in dogs if isinstance(dog.restore_ms, int)]
    restore = _multiple(max(times), poll) if times else None
    made = {id(port): _shared(port, lossless, restore) for port in every}
    return {key: made[id(port)] for key, port in ports.items()}


def _multiple(restore_ms: int, poll: Leaf[int]) -> int:
    interval = poll if isinstance(poll, int) else POLL_MS[0]
    return min(max((restore_ms + interval // 2) // interval, 1), MOST_RESTORE) * interval


def _shared(port: PortQos, lossless: frozenset[int], restore_ms: int | None) -> PortQos:
    pfc, dog = port.pfc, port.watchdog
    if isinstance(dog, Watchdog):
        action = "drop" if dog.action == "forward" else dog.action
        restore = restore_ms if isinstance(dog.restore_ms, int) and restore_ms else dog.restore_ms
        dog = replace(dog, action=action, restore_ms=restore)
    if port.watched == frozenset():
        dog = ABSENT
    return replace(port, pfc=lossless if pfc else pfc, watchdog=dog)


_ADDRESSES = frozenset({"source-ip", "destination-ip"})
_FIVE = frozenset({"source-ip", "destination-ip", "protocol", "source-port", "destination-port"})
_TO_PORT = frozenset({"destination-ip", "protocol", "destination-port"})
HASHES: Mapping[frozenset[str], str] = {
    _FIVE: "address source-destination port source-destination",
    _ADDRESSES: "address source-destination",
    _TO_PORT: "address destination port destination",
}
"""Fields → how `ip load-sharing` says them (nxos.md section 5); the first is what runs where nothing is written."""


def _hash(fields: Leaf[frozenset[str]]) -> Leaf[frozenset[str]]:
    """The nearest of what there is a word for: nothing that is asked for is left out if any has it."""
    if not isinstance(fields, frozenset) or fields in HASHES:
        return fields
    wider = [known for known in (_ADDRESSES, _TO_PORT, _FIVE) if fields & _FIVE <= known]
    return wider[0]


def singles(numbers: str) -> Iterator[str]:
    """`3-4` → `3`, `4`."""
    first, _, last = numbers.partition("-")
    if first.isdigit() and (not last or last.isdigit()):
        yield from map(str, range(int(first), int(last or first) + 1))
