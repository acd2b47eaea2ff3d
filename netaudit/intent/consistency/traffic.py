"""Whether traffic classes, watchdog and MTU can be built together."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from netaudit.diag import Diagnostic
from netaudit.intent.consistency import at
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.lossless import EcnThresholds, TrafficClass
from netaudit.intent.text import Document

DETECT_MS, RESTORE_MS, POLL_MS = (100, 5_000), (100, 60_000), (100, 1_000)
"""Ranges of SONiC's PFC_WD table (sonic.md section 2)."""
FRAME_BYTES = 22
"""Ethernet header, VLAN tag and checksum, which the MTU of a port has to hold beside the packet (INT-04)."""
ROCE_BYTES = 80
"""IPv6, UDP, BTH, RETH and checksum beside the payload of RDMA (INT-04)."""


def classes(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """What one class lacks: a cap, a share, a priority, a queue."""
    for name, item in model.traffic.items():
        head = at.key(document, "traffic", name)
        if item.strict and item.cap is None:
            hint = "cap: 5% is usual for CNP and BGP; without one, it can starve all other classes"
            yield at.error(f"strict class `{name}` needs a cap", head, hint)
        if item.strict and item.share is not None:
            source = at.value(document, "traffic", name, "share")
            yield at.error(f"strict class `{name}` has no share", source, "it is served first, up to its cap")
        if not item.strict and item.cap is not None:
            source = at.key(document, "traffic", name, "cap")
            yield at.error(f"`cap` is for strict classes, and `{name}` is not strict", source, "strict: true, or share")
        if not item.strict and item.share is None and ("traffic", name) not in document.marks:
            hint = "it takes every packet that no other class names, and needs a share"
            yield at.error("the shares of the other classes leave nothing for `default`", head, hint)
        elif not item.strict and item.share is None:
            yield at.error(f"class `{name}` needs a share", head, "for example share: 60%, or strict: true with a cap")
        if item.lossless and item.priority is None:
            yield at.error(f"lossless class `{name}` needs a priority", head, "priority: 3; PFC pauses a priority")
        if isinstance(item.ecn, EcnThresholds) and item.ecn.kmin > item.ecn.kmax:
            source = at.value(document, "traffic", name, "ecn", "kmin")
            yield at.error("`kmin` is above `kmax`", source, "marking starts at kmin and is certain from kmax")
        if name != "default" and not item.dscp and not item.carries:
            yield at.error(f"class `{name}` is never used: it has neither dscp nor carries", head, "dscp: [26]")
        if queue_of(name, item) is None and not item.lossless:
            yield at.error(f"class `{name}` has neither queue nor priority", head, "queue: 6")
    yield from _default(model, document)


def _default(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    default = model.traffic.get("default")
    if default is None:  # it could not be read
        return
    for word, wrong in (("lossless", default.lossless), ("strict", default.strict)):
        if wrong:
            source = at.value(document, "traffic", "default", word)
            hint = "it takes every packet that no other class names"
            yield at.error(f"class `default` cannot be {word}", source, hint)


def shares(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Shares that do not sum to 100 %."""
    counted = {name: item.share for name, item in model.traffic.items() if not item.strict and item.share is not None}
    without = [name for name, item in model.traffic.items() if not item.strict and item.share is None]
    total = sum(counted.values(), Fraction(0))
    if total == 100 or without:
        return  # a class without a share is an error of its own
    last = "default" if "default" in counted else list(counted)[-1]
    parts = []
    for name, share in counted.items():
        mark = document.marks.get(("traffic", name))
        line = f" (line {mark.best.line})" if mark and name != last else ""
        parts.append(f"{name} {_percent(share)}{line}")
    fits = counted[last] + 100 - total
    remedy = f"; {_percent(fits)} would fit" if fits > 0 else ""
    hint = " + ".join(parts) + "; strict classes do not count" + remedy
    message = f"shares add up to {_percent(total)}, not 100 %"
    yield at.error(message, at.value(document, "traffic", last, "share"), hint)


def recognition(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """DSCP values and control traffic that belong to two classes."""
    dscp: dict[int, str] = {}
    carries: dict[str, str] = {}
    for name, item in model.traffic.items():
        for number, code in enumerate(item.dscp):
            if code in dscp:
                where = "twice in" if dscp[code] == name else f"in `{dscp[code]}` and in"
                source = at.value(document, "traffic", name, "dscp", str(number))
                yield at.error(f"DSCP {code} is {where} `{name}`", source, "a packet belongs to one class")
            dscp.setdefault(code, name)
        for number, word in enumerate(item.carries):
            if word in carries:
                source = at.value(document, "traffic", name, "carries", str(number))
                yield at.error(f"{word} is carried by `{carries[word]}` already", source, "one class carries it")
            carries.setdefault(word, name)


def queues(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Two classes in one queue or on one priority."""
    taken: dict[int, str] = {}
    priorities: dict[int, str] = {}
    for name, item in model.traffic.items():
        queue = queue_of(name, item)
        if queue is not None and queue in taken:
            word = "queue" if item.queue is not None else "priority"
            message = f"`{name}` is in queue {queue}, as `{taken[queue]}` is"
            free = next((n for n in range(8) if n not in taken), None)
            hint = f"queue {free} is free" if free is not None else "all eight queues are taken"
            yield at.error(message, at.value(document, "traffic", name, word), hint)
        elif item.priority is not None and item.priority in priorities:
            message = f"`{name}` has priority {item.priority}, as `{priorities[item.priority]}` has"
            hint = "PFC pauses all classes of a priority together"
            yield at.error(message, at.value(document, "traffic", name, "priority"), hint)
        if queue is not None:
            taken.setdefault(queue, name)
        if item.priority is not None:
            priorities.setdefault(item.priority, name)


def queue_of(name: str, item: TrafficClass) -> int | None:
    """The queue of a class: as given, else its priority, of `default` 0; `None` if nothing says."""
    if item.queue is not None:
        return item.queue
    return item.priority if item.priority is not None else (0 if name == "default" else None)


def watchdog(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Times beyond what the watchdog can be set to, and a poll that is too slow to detect in time."""
    dog = model.pfc.watchdog
    for word, time_ms, (low, high) in (
        ("detect", dog.detect, DETECT_MS),
        ("restore", dog.restore, RESTORE_MS),
        ("poll", dog.poll, POLL_MS),
    ):
        if time_ms is not None and not low <= time_ms <= high:
            source = at.value(document, "pfc", "watchdog", word)
            yield at.error(f"`{word}` is {low}ms to {high}ms, not {time_ms}ms", source)
    if dog.poll is not None and dog.poll > dog.detect:
        message = f"poll {dog.poll}ms is slower than detect {dog.detect}ms: no storm would be seen in time"
        yield at.error(message, at.value(document, "pfc", "watchdog", "poll"), f"at most {dog.detect}ms")
        if dog.poll > dog.restore:  # alone, it is for the checks (WD-05), which an error here keeps from being made
            message = f"restore {dog.restore}ms is shorter than poll {dog.poll}ms: a queue is looked at too rarely"
            yield at.error(message, at.value(document, "pfc", "watchdog", "restore"), f"at least {dog.poll}ms")


def mtu(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Packets that do not fit into those below them."""
    if model.mtu.host > model.mtu.port:
        message = f"host MTU {model.mtu.host} does not fit into port MTU {model.mtu.port}"
        source = at.value(document, "mtu", "host" if ("mtu", "host") in document.marks else "port")
        yield at.error(message, source, f"host: {model.mtu.port - FRAME_BYTES} at most, for the frame counts, too")
    if model.mtu.roce > model.mtu.host:
        message = f"RoCE MTU {model.mtu.roce} does not fit into host MTU {model.mtu.host}"
        source = at.value(document, "mtu", "roce" if ("mtu", "roce") in document.marks else "host")
        yield at.error(message, source, f"host: {model.mtu.roce + ROCE_BYTES} at least, or a smaller RoCE MTU")


def _percent(share: Fraction) -> str:
    return f"{float(share):.6g} %"
