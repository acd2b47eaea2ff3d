"""What writers and readers of Junos have in common about leaves."""

from __future__ import annotations

from typing import TypeVar

from netaudit.state import Absent

T = TypeVar("T")


def known(value: T | Absent | None) -> T | None:
    """The value, where there is one."""
    return None if isinstance(value, Absent) else value
