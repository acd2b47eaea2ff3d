"""Whether each raw snippet meets a device, and none says what another one denies."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.checks.design import Design
from netaudit.checks.overrides import near
from netaudit.diag import Diagnostic
from netaudit.expect.raw import meets, raw_fields
from netaudit.intent.where import parse


def places(design: Design) -> Iterator[Diagnostic]:
    """RAW-01: a snippet that meets no device (rule 5)."""
    for number, entry in enumerate(design.model.raw):
        if not any(meets(entry, device) for device in design.fabric.devices.values()):
            hint = near(design, parse(entry.where))
            yield design.error("RAW-01", f"raw.{number}.where", f"`{entry.where}` meets no device of this fabric", hint)


def disagreements(design: Design) -> Iterator[Diagnostic]:
    """RAW-02: two snippets that give one field of one device two values; each pair of them once."""
    told: set[tuple[int, int]] = set()
    for device in design.fabric.devices.values():
        said: dict[tuple[str, str, str], tuple[str, int]] = {}
        for table, key, field, value, number in raw_fields(design.fabric, device):
            before, first = said.setdefault((table, key, field), (value, number))
            if before != value and (first, number) not in told:
                told.add((first, number))
                files = [design.model.raw[n].file for n in (first, number)]
                text = f"{table}|{key} {field} of {device.name} is {before!r} in {files[0]} and {value!r} in {files[1]}"
                yield design.error("RAW-02", f"raw.{number}.file", text, "one of the two has to give way")
