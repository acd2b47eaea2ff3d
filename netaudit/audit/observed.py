"""What `audit` is given of each device: the observed state per store, and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from netaudit.state import Device, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that was asked and not usefully answered."""

    store: Store
    asked: str
    """`gNMI CONFIG_DB PORT`, or the command."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One device as it was seen."""

    device: str
    stores: Mapping[Store, Device] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    doubts: tuple[tuple[str, str], ...] = ()
    """(port, what it tells that nobody can believe)."""
    failure: str = ""
    """Why nothing at all was read; empty if something was."""
    read_at: datetime | None = None
    address: str = ""
