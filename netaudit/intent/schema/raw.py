"""Configuration text of the site's own, beside what netaudit writes."""

from __future__ import annotations

from pydantic import Field

from netaudit.intent.schema.base import Section, Text


class Raw(Section):
    """One snippet: lines as the device's `show running-config` prints them."""

    where: Text
    """Which devices get it: `platform=sonic role=spine`, or a device."""
    file: Text
    """File of lines for frr.conf (`.cfg`, `.conf`); they follow ours as they are, and each is audited for presence."""
    owner: Text = Field(min_length=1)
    """Who answers for it."""
    reason: Text = Field(min_length=1)
    """Why, for example the number of the change."""
