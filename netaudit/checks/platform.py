"""What a platform cannot do, although the intent may ask for it (rule 9), and what of a device is not ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from netaudit import hardware, platforms
from netaudit.checks.design import Design
from netaudit.checks.say import counted
from netaudit.diag import Diagnostic
from netaudit.hardware import SwitchModel
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.site import AREAS


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Something that a platform cannot do: where the intent asks for it, why not, and what to write."""

    platform: str
    path: str
    asked: Callable[[IntentModel], bool]
    message: str
    hint: str


REFUSED = (
    Refused(
        platform="sonic",
        path="bgp.bfd",
        asked=lambda model: model.bgp.bfd,
        message="BFD does not run on SONiC with our own frr.conf: `split-unified` starts no bfdd",
        hint="bfd: false; keepalive: 1s, hold: 3s is the fastest without (sonic.md section 6)",
    ),
    Refused(
        platform="sonic",
        path="load_balancing.mode",
        asked=lambda model: model.load_balancing.mode in ("dlb", "glb", "spray"),
        message="community SONiC has neither dynamic load balancing nor packet spraying: there is no model of ARS_*",
        hint="mode: ecmp (sonic.md section 5)",
    ),
    Refused(
        platform="sonic",
        path="load_balancing.mode",
        asked=lambda model: model.load_balancing.mode == "scheduled",
        message="a scheduled fabric is no fabric of BGP links: its boxes exchange cells, which nothing here configures",
        hint="mode: ecmp (load-balancing.md section 1)",
    ),
    Refused(
        platform="sonic",
        path="load_balancing.hash",
        asked=lambda model: "queue-pair" in model.load_balancing.hash,
        message="community SONiC cannot hash the RDMA queue pair: SWITCH_HASH has no such field",
        hint="hash: [five-tuple]; NICs put entropy into the UDP source port (sonic.md section 5)",
    ),
)
"""All of it, in the order of the intent. A new platform adds its rows here."""


def refused(design: Design) -> Iterator[Diagnostic]:
    """PLT-01: what is asked for and cannot be done; never rendered in hope."""
    for row in REFUSED:
        names = [name for name, device in design.fabric.devices.items() if device.platform == row.platform]
        if names and row.asked(design.model):
            yield design.error("PLT-01", row.path, row.message, row.hint)


def barred(design: Design) -> Iterator[Diagnostic]:
    """PLT-04: a model whose figures are known, and which this version cannot configure, or not whole."""
    seen: dict[tuple[str, str], str] = {}
    for device in design.fabric.devices.values():
        if device.platform in device.model.barred or device.platform in device.model.partial:
            seen.setdefault((device.model.name, device.platform), device.place.role)
    for (name, platform), role in seen.items():
        path = f"{role}.model" if role in ("leaf", "spine", "superspine") else f"blocks.{role}.model"
        model = hardware.switch(name)
        if platform in model.barred:
            message = f"{name} cannot be configured by this version: {model.barred[platform]}"
            yield design.error("PLT-04", path, message, "`netaudit show hardware` has the other models")
        else:
            hint = "good for a design and its headroom; what is rendered for it is not to be pushed"
            yield design.warning("PLT-04", path, f"{name} is not configured whole: {model.partial[platform]}", hint)


def estimates(design: Design) -> Iterator[Diagnostic]:
    """PLT-05: figures of a model that nobody published. One line a model."""
    seen: dict[str, tuple[str, SwitchModel]] = {}
    for device in design.fabric.devices.values():
        seen.setdefault(device.model.name, (device.place.role, device.model))
    for name, (role, model) in seen.items():
        if not model.estimates:
            continue
        path = f"{role}.model" if role in ("leaf", "spine", "superspine") else f"blocks.{role}.model"
        figures = ", ".join(f"{field} ±{margin} %" for field, margin in model.estimates.items())
        message = f"{name}: nobody published {figures}: what follows from them is an estimate"
        yield design.info("PLT-05", path, message, f"netaudit show hardware {name}  says why we take these figures")


def unsupported(design: Design) -> Iterator[Diagnostic]:
    """PLT-02: leaves that a platform has no place for; declared once, so that nobody misses them in an audit."""
    for name in sorted({device.platform for device in design.fabric.devices.values()}):
        yield from unplaced(design, name, platforms.platform(name).UNSUPPORTED)


def unplaced(design: Design, name: str, leaves: Mapping[str, str]) -> Iterator[Diagnostic]:
    """One diagnostic for each leaf of a platform's table of what it has no place for."""
    for leaf, reason in leaves.items():
        path = "leaf.platform" if design.model.leaf.platform == name else "spine.platform"
        yield design.info("PLT-02", path, f"{name} has no place for {leaf}: {reason}", "it is neither set nor audited")


def owns(design: Design) -> Iterator[Diagnostic]:
    """PLT-03: areas that are not ours: what runs there stays, whatever the intent says of it."""
    mine = design.model.owns
    left = [area for area in AREAS if area not in mine and "all" not in mine]
    if left:
        message = f"{counted(len(left), 'area')} not ours: {', '.join(left)}"
        hint = "neither rendered nor audited: what runs on the devices stays as it is"
        yield design.info("PLT-03", "owns", message, hint)
