"""The expected state of an intent, and the part of it that is meant: what commands need that reach no device.

Apart from `pipeline`, because that brings SSH, gNMI and Nornir, which take longer to import than a small check to run.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.expect import Expected
from netaudit.fabric import fabrics, workspace
from netaudit.intent.where import parse


def load_fabric(path: Path) -> Expected:
    """The expected state of the fabric an intent describes. Raises `Invalid` with all problems of a stage."""
    return Expected(workspace(path, datetime.now(UTC).date()))


def load_fabrics(path: Path) -> tuple[Expected, ...]:
    """The expected state of every fabric of a workspace: of a folder, or of a file and those it includes.

    Raises `Invalid` with all problems of all of them, and with what they share.
    """
    return tuple(Expected(fabric) for fabric in fabrics(path, datetime.now(UTC).date()))


def select(expected: Expected, where: str | None) -> tuple[str, ...]:
    """The devices a `--where` means, all without one. Raises `Invalid` where it means none."""
    names = tuple(expected.devices)
    if not where:
        return names
    chosen = parse(where, Source(file="--where", line=1), expected.built.port_of)
    devices = expected.built.devices
    found = tuple(n for n in names if chosen.covers(n, devices[n].place, devices[n].platform))
    if not found:
        hint = "plane=a unit=su1 role=leaf rail=3, or the name of a device"
        raise Invalid([Diagnostic(message=f"`{where}` matches no device of {expected.fabric}", hint=hint)])
    return found
