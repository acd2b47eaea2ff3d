"""What a platform cannot do, although the intent may ask for it (rule 9), and what of a device is not ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized
from numbers import Number

from netaudit import hardware, platforms
from netaudit.checks.design import Design
from netaudit.checks.say import counted
from netaudit.diag import Diagnostic, Source
from netaudit.fabric import FabricDevice
from netaudit.hardware import SwitchModel
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.site import AREAS
from netaudit.platforms import Refused
from netaudit.state import ABSENT, Origin
from netaudit.state.walk import differences, dotted, matches

NOWHERE = (
    Refused(
        path="load_balancing.mode",
        values=("scheduled",),
        message="a scheduled fabric is no fabric of BGP links: its boxes exchange cells, which nothing here configures",
        hint="mode: ecmp (load-balancing.md section 1)",
    ),
)
"""What no platform does."""


def refused(design: Design) -> Iterator[Diagnostic]:
    """PLT-01: what is asked for and cannot be done; never rendered in hope."""
    for name in _platforms(design):
        for row in platforms.platform(name).REFUSED:
            if _asked(design.model, row):
                yield design.error("PLT-01", row.path, row.message, row.hint)
    for row in NOWHERE:
        if _asked(design.model, row):
            yield design.error("PLT-01", row.path, row.message, row.hint)


def _platforms(design: Design) -> tuple[str, ...]:
    """The platforms in use, those of the leaves first."""
    return tuple(dict.fromkeys(device.platform for device in design.fabric.devices.values()))


def _asked(model: IntentModel, row: Refused) -> bool:
    """Does the intent have one of the values there?"""
    found: object = model
    for name in row.path.split("."):
        found = getattr(found, name)
    said = found if isinstance(found, tuple) else (found,)
    return any(value in row.values for value in said)


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


def foreign(design: Design) -> Iterator[Diagnostic]:
    """PLT-06: a NOS on a box of a maker for whose boxes it is not known to exist."""
    seen: dict[tuple[str, str], FabricDevice] = {}
    for device in design.fabric.devices.values():
        seen.setdefault((device.model.name, device.platform), device)
    for (name, nos), device in seen.items():
        vendors = platforms.platform(nos).VENDORS
        if vendors and device.model.vendor not in vendors:
            message = f"{name} is a box of {device.model.vendor}: no source says that {nos} runs on it"
            hint = f"{nos} is for boxes of {', '.join(vendors)}; `hardware: [FILE]` describes one of your own"
            yield design.warning("PLT-06", f"{_section(device.place.role)}.platform", message, hint)


def _section(role: str) -> str:
    """Where the intent speaks of a role."""
    return role if role in ("leaf", "spine", "superspine") else f"blocks.{role}"


def unsupported(design: Design) -> Iterator[Diagnostic]:
    """PLT-02: what the intent asks of a device and its NOS has no place for; neither set nor audited."""
    for name, device in _samples(design).items():
        for leaf, reason in platforms.platform(device.platform).UNSUPPORTED.items():
            found = _origin_of(design.expected.intended(name), leaf.split("."), None)
            # some leaves one chip has a place for and another one has not
            if found is not None and _origin_of(design.expected.device(name), leaf.split("."), None) is None:
                message = f"{device.platform} has no place for {leaf}, which is set on {name}: {reason}"
                at = _line(design, device, found, leaf.rstrip(".*").rpartition(".")[2])
                yield design.warning("PLT-02", at, message, "it is neither set nor audited there")


def rounded(design: Design) -> Iterator[Diagnostic]:
    """PLT-07: a number that a NOS holds as another one, with the first place where it does."""
    told: set[tuple[str, str]] = set()
    for name, device in _samples(design).items():
        platform = platforms.platform(device.platform)
        # that alpha is a power of two where there are tables, HDR-09 says
        patterns = [p for p in platform.ROUNDED if not (platform.TABLES and p.endswith(".alpha"))]
        if not patterns:
            continue
        for change in differences(design.expected.intended(name), design.expected.device(name)):
            # the longest pattern is the one that speaks of this very leaf
            leaf = max((p for p in patterns if matches(p, change.path)), key=len, default="")
            numbers = isinstance(change.expected, Number) and isinstance(change.observed, Number)
            if not leaf or not numbers or (device.platform, leaf) in told:
                continue
            told.add((device.platform, leaf))
            at = _line(design, device, change.origin, change.field)
            nos, asked = device.platform, f"{dotted(change.path)} of {name} is {change.expected}"
            message = f"{asked}, and {nos} holds {change.observed}: {platform.ROUNDED[leaf]}"
            # hosts send packets of this size: a port that holds less drops them without a message
            short = change.field == "mtu_bytes" and design.model.mtu.host > int(str(change.observed))
            tell = design.error if short else design.info
            hint = f"mtu: {{host: {change.observed}}}" if short else "what it holds is what is audited"
            yield tell("PLT-07", at, message, hint)


def _line(design: Design, device: FabricDevice, origin: Origin | None, field: str) -> Source | None:
    """The line that asks for a value; of one that follows from a rule the line that says which NOS is there."""
    said = design.expected.source(origin, field)
    return said or design.intent.source(f"{_section(device.place.role)}.platform")


def _samples(design: Design) -> Mapping[str, FabricDevice]:
    """A device for each role and NOS: what one of them has, all have."""
    seen: dict[tuple[str, str], str] = {}
    for name, device in design.fabric.devices.items():
        seen.setdefault((device.place.role, device.platform), name)
    return {name: design.fabric.devices[name] for name in seen.values()}


def _origin_of(tree: object, parts: list[str], origin: Origin | None) -> Origin | None:
    """The origin of the first value that the pattern names; `None` where it names none."""
    if not parts:
        nothing = tree is None or tree is ABSENT or tree is False or (isinstance(tree, Sized) and not len(tree))
        return None if nothing else origin or {}
    if isinstance(tree, Mapping):
        below = tree.values() if parts[0] == "*" else [v for k, v in tree.items() if str(k) == parts[0]]
        return next((o for o in (_origin_of(v, parts[1:], origin) for v in below) if o is not None), None)
    if tree is None or tree is ABSENT or not hasattr(tree, parts[0]):
        return None
    return _origin_of(getattr(tree, parts[0]), parts[1:], getattr(tree, "origin", None) or origin)


def owns(design: Design) -> Iterator[Diagnostic]:
    """PLT-03: areas that are not ours: what runs there stays, whatever the intent says of it."""
    mine = design.model.owns
    left = [area for area in AREAS if area not in mine and "all" not in mine]
    if left:
        message = f"{counted(len(left), 'area')} not ours: {', '.join(left)}"
        hint = "neither rendered nor audited: what runs on the devices stays as it is"
        yield design.info("PLT-03", "owns", message, hint)
