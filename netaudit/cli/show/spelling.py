"""What the operating system of a device makes of a leaf: holds it as asked, as another value, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from netaudit import platforms
from netaudit.cli.show.values import said
from netaudit.state import Device
from netaudit.state.walk import Path, matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How a NOS holds one leaf; empty texts where it holds it as it is asked for."""

    nos: str
    none: str = ""
    """Why it has no setting for the leaf."""
    other: str = ""
    """What it holds in place of what is asked for, or under which name, and why."""
    doubt: str = ""
    """What of its spelling no source proves."""


def why_none(nos: str, path: Path) -> str:
    """Why a NOS has no setting for a leaf, in its own package's words; empty where it has one."""
    platform = platforms.platform(nos)
    if reason := _first(platform.UNSUPPORTED, path):
        return f"{nos} has no place for it: {reason}"
    if reason := _first(platform.IMPLIED, path):
        return f"on {nos} it is no setting of its own: {reason}"
    return ""


def why_gone(nos: str, path: Path) -> str:
    """The same of a leaf of which a device has not even the object: also why that has another shape there."""
    reason = _first(platforms.platform(nos).ROUNDED, path)
    return why_none(nos, path) or (f"not on {nos}: {reason}" if reason else "")


def reason(nos: str, path: Path) -> str:
    """Why a NOS holds a leaf otherwise than asked, or not; empty where its package says nothing of it."""
    platform = platforms.platform(nos)
    return _first(platform.UNSUPPORTED, path) or _first(platform.IMPLIED, path) or _first(platform.ROUNDED, path)


def spelling(asked: Device, path: Path, value: object, wanted: object, *, there: bool) -> Spelling:
    """How the NOS of a device holds a leaf.

    `value` is what it holds, `wanted` what is asked for before the NOS rounds it, `there` whether that has such a leaf.
    """
    platform, nos = platforms.platform(asked.platform), asked.platform
    if value is None:
        return Spelling(nos=nos, none=why_none(nos, path))
    reason = _first(platform.ROUNDED, path)
    other = ""
    if reason and not there:
        other = reason
    elif reason and wanted != value and wanted is not None:
        other = f"{said(path[-1], wanted)} is asked for, {said(path[-1], value)} is what it holds: {reason}"
    return Spelling(nos=nos, other=other, doubt=_first(platform.UNVERIFIED, path))


def _first(table: Mapping[str, str], path: Path) -> str:
    """The reason of the pattern that says most of the path."""
    found = [pattern for pattern in table if matches(pattern, path)]
    return table[max(found, key=lambda pattern: pattern.count("."))] if found else ""
