"""Whether each raw snippet meets a device."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.checks.design import Design
from netaudit.checks.overrides import near
from netaudit.diag import Diagnostic
from netaudit.expect.raw import meets
from netaudit.intent.where import parse


def places(design: Design) -> Iterator[Diagnostic]:
    """RAW-01: a snippet that meets no device (rule 5)."""
    for number, entry in enumerate(design.model.raw):
        if not any(meets(entry, device) for device in design.fabric.devices.values()):
            hint = near(design, parse(entry.where))
            yield design.error("RAW-01", f"raw.{number}.where", f"`{entry.where}` meets no device of this fabric", hint)
