"""Statements of the site's own: a configuration group holds them, so that they are known from all others."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from netaudit.platforms.junos import text
from netaudit.platforms.junos.owned import area_of

SUFFIXES: Final = (".set", ".conf")
"""Files whose statements go to junos.conf."""
GROUP: Final = "netaudit-raw"
"""The configuration group that holds them. What is in it is in force as if it stood outside, and can be taken back as a
whole; a statement of a device that stands outside is somebody else's."""


def group_lines(raw: str) -> list[str]:
    """What follows `set groups netaudit-raw` of each statement."""
    return [text.spelled(entry.words) for entry in text.entries(raw) if entry.verb == "set"] if raw.strip() else []


def raw_lines(raw: str) -> frozenset[str]:
    """The statements that a device must have, as set lines; what is secret in them is not shown, and not compared."""
    try:
        return frozenset(f"set {text.shown(entry.words)}" for entry in text.entries(raw) if entry.verb == "set")
    except text.NotJunos:
        return frozenset(line.strip() for line in raw.splitlines() if line.strip())


def raw_problems(raw: str, owns: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """(line, what is wrong, hint) for each line that is ours, or that is no statement."""
    for number, written in enumerate(raw.splitlines(), start=1):
        line = written.strip()
        if not line or line.startswith(("#", "/*")):
            continue
        wrong = _wrong(line, owns)
        if wrong is not None:
            yield number, *wrong


def _wrong(line: str, owns: Collection[str]) -> tuple[str, str] | None:
    if not line.startswith("set ") or not line.isprintable():
        return f"{line[:60]!r} is no set line", "one statement a line, from the top: set system services …"
    try:
        found = text.entries(line)
    except text.NotJunos as problem:
        return str(problem), "one statement a line, from the top: set system services …"
    for entry in found:
        if entry.words[0] in ("groups", "apply-groups"):
            return f"`{line[:60]}`: statements of the site's own stand in a group themselves", "write the statements"
        area = area_of(entry.words)
        if area is not None and (area in owns or "all" in owns or area == "bgp"):
            return (
                f"`{line[:60]}` touches the area {area}, which is ours",
                f"what is of {area} comes from the intent alone",
            )
    return None
