"""Everything that is decided before a change: the design rules, and each platform's own look at what it would get."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from netaudit import platforms
from netaudit.checks import Checked, check
from netaudit.diag import Diagnostic, Severity
from netaudit.expect import Expected
from netaudit.expect.raw import meets
from netaudit.fabric import FabricDevice
from netaudit.render import render


def check_all(expected: Expected, *, equivalence: bool = False) -> Checked:
    """The design rules; where none refuses, the rendered files by their platform's own rules.

    `equivalence`: also one device of each kind as every NOS would have it.
    """
    checked = check(expected, datetime.now(UTC).date())
    if any(d.severity is Severity.ERROR for d in checked.diagnostics):
        return checked
    checked = replace(checked, diagnostics=(*checked.diagnostics, *_files(expected)))
    return _equivalent(expected, checked) if equivalence else checked


def _equivalent(expected: Expected, checked: Checked) -> Checked:
    from netaudit.equivalence import equivalence_data, equivalence_problems, equivalence_table, prove

    proofs = tuple(prove(expected))
    return replace(
        checked,
        diagnostics=(*equivalence_problems(proofs), *checked.diagnostics),
        tables=(*checked.tables, equivalence_table(proofs)),
        data={**checked.data, "equivalence": equivalence_data(proofs)},
    )


ALL_LOOKED_AT = 8
"""Switches of a fabric whose files are all looked at; of a larger one, one of each kind. One takes 6 ms of
CPU to render and judge, and those of a kind differ in names, numbers and addresses only."""


def _looked_at(expected: Expected) -> Iterator[str]:
    """Switches whose files are rendered for the check: all of a small fabric, else one of all that are built alike."""
    devices = expected.built.devices
    if len(devices) <= ALL_LOOKED_AT:
        yield from devices
        return
    seen: set[Hashable] = set()
    for name, device in devices.items():
        kind = _kind(expected, device)
        if kind not in seen:
            seen.add(kind)
            yield name


def _kind(expected: Expected, device: FabricDevice) -> Hashable:
    """What makes the files of a switch differ in more than names, numbers and addresses."""
    fabric, place = expected.built, device.place
    overrides = fabric.intent.model.overrides
    named = any(o.where.partition(":")[0].strip() == device.name for o in overrides)
    return (
        (place.role, place.status, place.unit, device.model.name, device.hwsku, device.platform, device.version),
        (len(device.loopbacks), len(device.blocks), len(device.originates), device.row is not None),
        tuple(meets(entry, device) for entry in fabric.intent.model.raw),
        device.name if named or device.name in fabric.extra else "",
    )


def _files(expected: Expected) -> Iterator[Diagnostic]:
    """A problem in a rendered file is ours; equal ones on several devices are one."""
    owns = expected.built.intent.model.owns
    seen: dict[str, list[str]] = {}
    for name in _looked_at(expected):
        platform = platforms.platform(expected.built.devices[name].platform)
        files = render(expected.device(name))
        # without the area the routing text is somebody else's, and what we render of it is no whole file
        whole = files if {"bgp", "all"} & {*owns} else {n: t for n, t in files.items() if n != platform.ROUTING_FILE}
        for problem in platform.problems(whole):
            seen.setdefault(problem, []).append(name)
    for problem, names in seen.items():
        where = names[0] if len(names) == 1 else f"{len(names)} devices, {names[0]} first"
        message = f"the rendered configuration would not work on {where}: {problem}"
        hint = "this is a fault of netaudit: report it"
        yield Diagnostic(message=message, severity=Severity.ERROR, rule="OWN-01", hint=hint)
