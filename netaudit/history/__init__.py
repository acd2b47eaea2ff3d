"""What was found when: one SQLite file, an audit a row, its findings by fingerprint."""

from __future__ import annotations

from netaudit.history.change import since, standing
from netaudit.history.store import Entry, Kept, Record, audits, remember, trend

__all__ = ["Entry", "Kept", "Record", "audits", "remember", "since", "standing", "trend"]
