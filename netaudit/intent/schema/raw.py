"""Configuration text of the site's own, beside what netaudit writes."""

from __future__ import annotations

from pydantic import Field

from netaudit.intent.schema.base import Section, Text


class Raw(Section):
    """One snippet: lines as the device's `show running-config` prints them, or tables of its database."""

    where: Text
    """Which devices get it: `platform=sonic role=spine`, or a device."""
    file: Text
    """Lines for frr.conf (`.cfg`, `.conf`) or tables for config_db.json (`.json`); each is audited for presence."""
    owner: Text = Field(min_length=1)
    """Who answers for it."""
    reason: Text = Field(min_length=1)
    """Why, for example the number of the change."""
