"""Class of service in Junos's words: forwarding classes, classifiers, schedulers, PFC profiles and partitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from netaudit.platforms.junos.chips import Chip, chip, marked
from netaudit.platforms.junos.leaves import known
from netaudit.platforms.junos.quantize_buffers import ALPHAS, LOSSLESS, POOLS, step
from netaudit.platforms.junos.quantize_qos import DEFAULT_POLL_MS, PFC_MAP
from netaudit.state import Buffers, Device, Pool, PortBuffers, PortQos, Qos, Scheduler, Watchdog, Wred

Row = Mapping[str, object]


def qos_context(device: Device, native: Mapping[str, str]) -> Mapping[str, object]:
    """Everything of `class-of-service`."""
    qos, held = device.qos or Qos(), chip(device.asic)
    lengths = {key: _length(port) for key, port in ((device.buffers or Buffers()).ports or {}).items()}
    profiles = _pfc_profiles(qos, lengths, held)
    maps = _scheduler_maps(device, qos)
    return {
        "classes": list(_classes(qos)),
        "host_class": _host_class(qos),
        "classifiers": [_classifier(name, row) for name, row in sorted((qos.dscp_to_tc or {}).items())],
        "drop_profiles": [_drop_profile(name, wred, held) for name, wred in sorted((qos.wred or {}).items())],
        "partitions": list(_partitions(device.buffers or Buffers(), held)),
        "pfc_profiles": sorted(profiles.values(), key=lambda row: str(row["name"])),
        "schedulers": list(_schedulers(qos, held)),
        "scheduler_maps": sorted(maps.values(), key=lambda row: str(row["name"])),
        "bound": [
            _bound(native.get(key, key), (qos.ports or {}).get(key, PortQos()), lengths.get(key), profiles, maps)
            for key in _bound_ports(qos, lengths)
        ],
    }


def _length(port: PortBuffers) -> int | None:
    return port.cable_length_m if isinstance(port.cable_length_m, int) else None


def _bound_ports(qos: Qos, lengths: Mapping[str, int | None]) -> list[str]:
    ports = qos.ports or {}
    return [*ports, *(key for key, length in lengths.items() if key not in ports and length is not None)]


def queue_class(queue: object) -> str:
    """The forwarding class of a queue: its name is free on Junos, and says the number here."""
    return f"Q{queue}"


def bits(number: int, width: int) -> str:
    """A code point as Junos writes it: 26 → `011010`."""
    return format(number, f"0{width}b")


def _paused(qos: Qos) -> Mapping[int, int]:
    """PFC priority → the queue that it pauses, of the whole switch."""
    return (qos.pfc_to_queue or {}).get(PFC_MAP, {})


def _classes(qos: Qos) -> Iterator[Row]:
    """Every queue that something leads to. One without `no-loss` is lossy, also 3 and 4, which by default are not."""
    priority = {queue: number for number, queue in sorted(_paused(qos).items(), reverse=True)}
    used: set[object] = {queue for row in (qos.dscp_to_tc or {}).values() for queue in row.values()}
    used |= set(priority)
    used |= {int(q) if q.isdigit() else q for port in (qos.ports or {}).values() for q in port.queues or {}}
    for queue in sorted(used, key=lambda q: (not isinstance(q, int), q if isinstance(q, int) else 0, str(q))):
        yield {
            "name": queue_class(queue),
            "queue": queue if isinstance(queue, int) else None,
            "priority": priority.get(queue) if isinstance(queue, int) else None,
        }


def _host_class(qos: Qos) -> str | None:
    """Where the packets go that the switch itself sends, BGP's above all: the strict queue.

    Else they go to Junos's own network-control class, which no scheduler map of ours gives a share.
    """
    strict = {name for name, scheduler in (qos.schedulers or {}).items() if scheduler.kind == "strict"}
    for port in (qos.ports or {}).values():
        for queue, serving in (port.queues or {}).items():
            if serving.scheduler in strict and queue.isdigit():
                return queue_class(queue)
    return None


def _classifier(name: str, row: Mapping[int, int]) -> Row:
    queues: dict[int, list[str]] = {}
    for dscp, queue in sorted(row.items()):
        queues.setdefault(queue, []).append(bits(dscp, 6))
    return {"name": name, "classes": [(queue_class(queue), points) for queue, points in sorted(queues.items())]}


def _drop_profile(name: str, wred: Wred, held: Chip) -> Row:
    marking = (wred.colours or {}).get("green")
    low = known(marking.kmin_bytes) if marking else None
    high = known(marking.kmax_bytes) if marking else None
    most = known(marking.pmax_percent) if marking else None
    levels = [percent(held.fill_hundredths(size)) for size in (low, high) if size is not None]
    return {
        "name": marked(name, held),
        "levels": levels,
        "chances": [*["0"][: len(levels) - 1], *([str(most)] if most is not None else [])],
    }


def percent(hundredths: int) -> str:
    """150 hundredths of a percent → `1.5`."""
    whole, part = divmod(hundredths, 100)
    return f"{whole}.{part:02d}".rstrip("0") if part else str(whole)


def _partitions(buffers: Buffers, held: Chip) -> Iterator[Row]:
    threshold = _threshold(buffers)
    names = {name: key for key, name in POOLS.items()}
    for name, pool in (buffers.pools or {}).items():
        direction, partition = names.get(name, ("", name))
        direction = pool.direction if isinstance(pool.direction, str) else direction
        lossless = (direction, partition) == ("ingress", "lossless")
        yield {
            "direction": direction,
            "name": partition,
            "percent": _percent(pool, held),
            "threshold": threshold if lossless else None,
            "headroom": round(held.partition_percent(pool.shared_headroom_bytes))
            if isinstance(pool.shared_headroom_bytes, int)
            else None,
        }


def _percent(pool: Pool, held: Chip) -> int | None:
    return round(held.partition_percent(pool.size_bytes)) if isinstance(pool.size_bytes, int) else None


def _threshold(buffers: Buffers) -> int | None:
    profile = (buffers.profiles or {}).get(LOSSLESS)
    alpha = profile.alpha if profile is not None else None
    return ALPHAS.index(step(alpha)) if isinstance(alpha, Fraction) else None


def _schedulers(qos: Qos, held: Chip) -> Iterator[Row]:
    """Every scheduler, with the drop profile of the queues that use it."""
    bound = {
        queue.scheduler: queue.wred
        for port in (qos.ports or {}).values()
        for queue in (port.queues or {}).values()
        if isinstance(queue.scheduler, str) and isinstance(queue.wred, str)
    }
    for name in sorted({*(qos.schedulers or {}), *map(str, bound)}):
        scheduler = (qos.schedulers or {}).get(name, Scheduler())
        profile = bound.get(name)
        wred = (qos.wred or {}).get(profile) if isinstance(profile, str) else None
        yield {
            "name": name,
            "weight": known(scheduler.weight),
            "priority": {"strict": "strict-high", "dwrr": "low"}.get(str(scheduler.kind)),
            "cap": rate(scheduler.cap_bytes_per_s) if isinstance(scheduler.cap_bytes_per_s, int) else None,
            "drop_profile": marked(profile, held) if isinstance(profile, str) else None,
            "ecn": wred is not None and wred.ecn is True,
        }


def rate(bytes_per_s: int) -> str:
    """Bits per second as Junos writes them: `20g`, or the number where it is not round."""
    bits_per_s = bytes_per_s * 8
    for unit, letter in ((10**9, "g"), (10**6, "m"), (10**3, "k")):
        if bits_per_s % unit == 0 and bits_per_s:
            return f"{bits_per_s // unit}{letter}"
    return str(bits_per_s)


def _scheduler_maps(device: Device, qos: Qos) -> dict[object, dict[str, object]]:
    """One scheduler map for each set of queues, named after the speed of the ports that have it."""
    found: dict[object, dict[str, object]] = {}
    taken: set[str] = set()
    for key, port in (qos.ports or {}).items():
        contents = _queues(port)
        if not contents or contents in found:
            continue
        held = (device.ports or {}).get(key)
        speed = held.speed_mbps if held is not None else None
        base = f"PORT-{speed // 1000}G" if isinstance(speed, int) else "PORT"
        found[contents] = {"name": _free(base, taken), "classes": contents}
    return found


def _free(base: str, taken: set[str]) -> str:
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    taken.add(name)
    return name


def _queues(port: PortQos) -> tuple[tuple[str, str], ...]:
    return tuple(
        (queue_class(queue), serving.scheduler)
        for queue, serving in (port.queues or {}).items()
        if isinstance(serving.scheduler, str)
    )


def _pfc_profiles(qos: Qos, lengths: Mapping[str, int | None], held: Chip) -> dict[object, dict[str, object]]:
    """One congestion notification profile for each set of PFC settings; its name says the priorities and the length."""
    found: dict[object, dict[str, object]] = {}
    taken: set[str] = set()
    for key in _bound_ports(qos, lengths):
        port = (qos.ports or {}).get(key, PortQos())
        settings = _pfc_settings(port, lengths.get(key))
        if settings is None or settings in found:
            continue
        priorities, length = known(port.pfc) or frozenset(), lengths.get(key)
        base = "-".join(("PFC", *map(str, sorted(priorities)), *([f"{length}M"] if length is not None else [])))
        found[settings] = {"name": _free(marked(base, held), taken), **_pfc_row(qos, port, length)}
    return found


def _pfc_settings(port: PortQos, length: int | None) -> object:
    """What makes two profiles different; `None` where a port needs none."""
    watched = port.watchdog if isinstance(port.watchdog, Watchdog) else None
    if not port.pfc and length is None and watched is None:
        return None
    dog = (watched.detect_ms, watched.restore_ms, watched.action) if watched else None
    mapped = port.pfc_to_queue if isinstance(port.pfc_to_queue, str) else ""
    return port.pfc, length, dog, mapped, str(port.dscp_to_tc)


def _pfc_row(qos: Qos, port: PortQos, length: int | None) -> Row:
    priorities = sorted(known(port.pfc) or ())
    queues = {priority: _paused(qos).get(priority, priority) for priority in priorities}
    classified = (qos.dscp_to_tc or {}).get(str(port.dscp_to_tc), {})
    return {
        "watchdog": _watchdog(port.watchdog, qos) if isinstance(port.watchdog, Watchdog) else None,
        "length": length,
        "points": [bits(dscp, 6) for dscp, queue in sorted(classified.items()) if queue in queues.values()],
        "output": [(bits(priority, 3), queue) for priority, queue in queues.items()]
        if isinstance(port.pfc_to_queue, str)
        else [],
    }


def _watchdog(watchdog: Watchdog, qos: Qos) -> Row:
    poll = known(qos.watchdog_poll_ms)
    detect = known(watchdog.detect_ms)
    return {
        "poll": poll,
        "detection": max(1, detect // (poll or DEFAULT_POLL_MS)) if detect is not None else None,
        "recovery": known(watchdog.restore_ms),
        "action": known(watchdog.action),
    }


def _bound(
    name: str,
    port: PortQos,
    length: int | None,
    profiles: Mapping[object, Mapping[str, object]],
    maps: Mapping[object, Mapping[str, object]],
) -> Row:
    """What a port uses, by name."""
    profile = profiles.get(_pfc_settings(port, length))
    queues = maps.get(_queues(port))
    return {
        "name": name,
        "profile": profile["name"] if profile else None,
        "scheduler_map": queues["name"] if queues else None,
        "classifier": known(port.dscp_to_tc),
        "rewrite": known(port.rewrite),
    }
