"""Exceptions: what one port or a group of devices does differently, why, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from netaudit.intent.schema.base import Day, Section, Speed, Text


class Settings(Section):
    """What an override may set: policy, never physics (FEC, lengths and cabling are not here)."""

    speed: Speed | None = None
    """Speed of a host port."""
    mtu: int | None = Field(default=None, ge=68, le=9216)
    """MTU of a port, in bytes."""
    enabled: bool | None = None
    """Whether a port is administratively up."""
    status: Literal["planned", "active", "drained"] | None = None
    """Status of the link at a port, both its ends: planned (not there yet) or drained (in maintenance)."""


class Override(Section):
    """One exception."""

    where: Text
    """Which part of the fabric: `plane=a unit=su1 role=leaf rail=3`, or `device[:cage[/sub]]`."""
    settings: Settings = Field(alias="set")
    """What is set there."""
    reason: Text = Field(min_length=1)
    """Why, for example the number of the change."""
    until: Day | None = None
    """Last day on which it holds."""

    @property
    def set(self) -> Mapping[str, int | bool]:
        """Only what is set of a port itself, by name; the status is that of its link."""
        return MappingProxyType(self.settings.model_dump(exclude_none=True, exclude={"status"}))
