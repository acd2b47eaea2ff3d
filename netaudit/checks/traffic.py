"""Whether the traffic classes protect what they carry: CNPs, lossless shares, and the watchdog behind PFC."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from netaudit.checks.design import Design
from netaudit.checks.say import percent
from netaudit.diag import Diagnostic
from netaudit.expect.classes import classes, lossless_priorities
from netaudit.expect.qos import POLL_AT_MOST_MS

LOSSLESS_SHARE = Fraction(1, 2)
MOST_LOSSLESS = 2
"""On switches whose buffer is on the chip; both ecn.md section 6, V10."""


def notifications(design: Design) -> Iterator[Diagnostic]:
    """ECN-09: CNPs that wait behind the congestion they report, are paused, or are marked themselves (ecn.md V9)."""
    marked = [c for c in classes(design.intent) if c.body.ecn is not None]
    carrier = next((c for c in classes(design.intent) if "cnp" in c.body.carries), None)
    if not marked or design.model.hosts.cc != "dcqcn":
        return
    if carrier is None:
        message = "no class carries CNPs: they share a queue with the congestion that they report"
        hint = "control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp]}"
        yield design.error("ECN-09", "traffic", message, hint)
        return
    path = f"traffic.{carrier.name}"
    if carrier.body.lossless:
        message = f"`{carrier.name}` carries CNPs and can be paused: senders would not hear of the congestion"
        yield design.error("ECN-09", path, message, "carries: [cnp] belongs to a class without lossless")
    elif carrier.body.ecn is not None:
        message = f"`{carrier.name}` carries CNPs and is marked itself"
        yield design.error("ECN-09", f"{path}.ecn", message, f"{carrier.name}: {{ecn: none}}")
    elif not carrier.body.strict:
        message = f"`{carrier.name}` carries CNPs and is not strict: they wait their turn"
        yield design.error("ECN-09", path, message, "strict: true with cap: 5%, and no share")


def shares(design: Design) -> Iterator[Diagnostic]:
    """ETS-03: lossless classes with less than half of a link, and more of them than a shallow buffer bears."""
    kept = [c for c in classes(design.intent) if c.priority is not None]
    if not kept and any(c.body.trim is not None for c in classes(design.intent)):
        return  # lossy on purpose: what finds no room is trimmed (audit-rules.md, PFC-02)
    if not kept:
        message = "no class is lossless: RoCE may be dropped wherever queues build"
        yield design.warning(
            "PFC-04", "traffic", message, "roce: {dscp: [26], priority: 3, lossless: true, share: 60%}"
        )
        return
    total = sum((c.body.share or Fraction(0) for c in kept if not c.body.strict), Fraction(0)) / 100
    if total < LOSSLESS_SHARE and not any(c.body.strict for c in kept):
        names = " and ".join(f"`{c.name}`" for c in kept)
        get = "gets" if len(kept) == 1 else "get"
        message = f"{names} {get} {percent(total)} of a full link: paused while other traffic flows"
        yield design.error("ETS-03", f"traffic.{kept[0].name}.share", message, "half of the link or more (ecn.md V10)")
    caps = sum((c.body.cap or Fraction(0) for c in classes(design.intent) if c.body.strict), Fraction(0)) / 100
    left = total * (1 - caps)
    if total >= LOSSLESS_SHARE > left and caps < 1 and not any(c.body.strict for c in kept):
        message = f"strict classes may take {percent(caps)} of a link, which leaves {percent(left)} to what is lossless"
        yield design.warning(
            "ETS-03", f"traffic.{kept[0].name}.share", message, "a larger share, or smaller caps: half of the link"
        )
    strict = next((c for c in kept if c.body.strict), None)
    if strict is not None:
        message = f"lossless class `{strict.name}` is strict: it starves the others up to its cap"
        yield design.error("ETS-02", f"traffic.{strict.name}.strict", message, "a share in place of strict and cap")
    shallow = any(load.model.buffer_class == "shallow" for load in design.loads)
    if len(kept) > MOST_LOSSLESS and shallow:
        message = (
            f"{len(kept)} lossless classes on switches whose buffer is on the chip; {MOST_LOSSLESS} are usual at most"
        )
        yield design.error("PFC-04", "traffic", message, "each costs headroom on every port: netaudit show headroom")


def watchdog(design: Design) -> Iterator[Diagnostic]:
    """WD-05: a watchdog that looks less often than it must act, or that does not act (sonic.md section 2)."""
    if not lossless_priorities(design.intent):
        return
    dog = design.model.pfc.watchdog
    poll = dog.poll or min(dog.detect, POLL_AT_MOST_MS)
    for word, time_ms in (("detect", dog.detect), ("restore", dog.restore)):
        if time_ms < poll:
            sonic = any(device.platform == "sonic" for device in design.fabric.devices.values())
            then = "SONiC refuses it" if sonic else "it cannot act sooner than it looks"
            message = f"{word} {time_ms}ms is shorter than poll {poll}ms: {then}"
            yield design.error("WD-05", f"pfc.watchdog.{word}", message, f"poll: {time_ms}ms, or {word}: {poll}ms")
    if dog.action == "alert":
        message = "`action: alert` reports a PFC storm and does not end it"
        yield design.warning("WD-03", "pfc.watchdog.action", message, "drop ends it: one storming NIC stops the fabric")
