"""Whether packets are trimmed only where that helps: lossy queues of chips that can, into a queue served earlier."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit import hardware
from netaudit.checks.balancing import able_switches
from netaudit.checks.design import Design
from netaudit.diag import Diagnostic
from netaudit.expect.classes import Class, classes

SMALLEST_BYTES = 64
"""The smallest frame of Ethernet (ecn.md V14)."""
SIZE_OF_ALL_BYTES = 256
"""NVUE trims to 256 to 1,024 bytes (NVIDIA's models of 5.14), SONiC to less as well."""


def trims(design: Design) -> Iterator[Diagnostic]:
    """LB-09: trimming of a lossless class, on a chip that cannot, to a size or into a class that makes no sense."""
    mine = [kind for kind in classes(design.intent) if kind.body.trim is not None]
    if not mine:
        return
    yield from _models(design, mine[0])
    for kind in mine:
        yield from _one(design, kind)
    first = mine[0].body.trim
    for kind in mine[1:]:
        if kind.body.trim != first:
            message = f"`{kind.name}` and `{mine[0].name}` trim differently, and a switch has one setting for all"
            yield design.error("LB-09", f"traffic.{kind.name}.trim", message, f"the size and dscp of `{mine[0].name}`")
    title = hardware.nic(design.model.hosts.nic).title
    message = f"whether {title} asks again at once for what was trimmed stands in no source of the catalogue"
    yield design.info(
        "LB-09", f"traffic.{mine[0].name}.trim", message, "ask its maker; else a timeout repairs the loss"
    )


def _models(design: Design, kind: Class) -> Iterator[Diagnostic]:
    for name, model in {load.model.name: load.model for load in design.loads}.items():
        if not model.can("trimming"):
            message = f"{name} ({model.asic}) is not known to trim packets"
            hint = f"no trim{able_switches(model, ('trimming',))}"
            yield design.error("LB-09", f"traffic.{kind.name}.trim", message, hint)


def _one(design: Design, kind: Class) -> Iterator[Diagnostic]:
    trim, path = kind.body.trim, f"traffic.{kind.name}.trim"
    assert trim is not None
    if kind.body.lossless:
        message = f"`{kind.name}` is lossless: PFC keeps the packets that trimming would cut"
        yield design.error("LB-09", path, message, "lossless: false, or no trim (ecn.md V14)")
    if not SMALLEST_BYTES <= trim.size < design.model.mtu.roce:
        full = design.model.mtu.roce
        message = f"trimmed to {trim.size} B, which is not {SMALLEST_BYTES} B to less than a packet of {full} B"
        at = f"{path}.size" if design.intent.given(f"{path}.size") else path
        sonic = any(device.platform == "sonic" for device in design.fabric.devices.values())
        hint = (
            "size: 128B is SONiC's default" if sonic else f"size: {SIZE_OF_ALL_BYTES}B is taken by every NOS that trims"
        )
        yield design.error("LB-09", at, message, hint)
    target = next((c for c in classes(design.intent) if trim.dscp in c.body.dscp), None)
    if target is None:
        message = f"no class has DSCP {trim.dscp}: what is left of a packet would wait in `default`"
        hint = f"trimmed: {{dscp: [{trim.dscp}], queue: 7, strict: true, cap: 10%}}"
        yield design.error("LB-09", f"{path}.dscp", message, hint)
    elif target.body.lossless or target.body.trim is not None or not target.body.strict:
        why = "is lossless" if target.body.lossless else "trims itself" if target.body.trim else "is not strict"
        message = f"what is left of packets of `{kind.name}` goes to `{target.name}`, which {why}: it comes too late"
        yield design.error("LB-09", f"{path}.dscp", message, "the DSCP of a strict class without lossless and trim")
