"""Times of the site beside UTC: in what a person reads, never in what a machine reads."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

from netaudit.audit import kept
from netaudit.audit.findings import AuditResult
from netaudit.audit.report import html, text
from netaudit.audit.report import json as as_json
from netaudit.terminal import Style

from .changed import CHANGED

AT = datetime(2026, 11, 22, 21, 0, tzinfo=UTC)
READ = tuple(replace(d, read_at=AT) if d.read_at else d for d in CHANGED.devices)
PLAIN = replace(CHANGED, started_at=AT, finished_at=AT, devices=READ)
TOKYO = replace(PLAIN, timezone="Asia/Tokyo")
HERE = "2026-11-23 06:00 JST (2026-11-22 21:00 UTC)"


def words(result: AuditResult) -> str:
    return " ".join(text.render(result, Style()).split())


def test_the_text_says_since_when_in_the_time_of_the_site() -> None:
    assert "since 2026-11-16 15:00 JST (2026-11-16 06:00 UTC)" in words(TOKYO)
    assert "since 2026-11-16 06:00 UTC" in words(PLAIN)


def test_the_page_has_the_day_of_the_site_and_utc_beside_it() -> None:
    page = html.render(TOKYO)
    assert f"Mon {HERE}" in page
    assert f"read {HERE}" in page
    assert "first seen 2026-11-02 15:00 JST (2026-11-02 06:00 UTC)" in page
    assert "Sun 2026-11-22 21:00 UTC" in html.render(PLAIN)


def test_machines_read_utc() -> None:
    assert as_json.render(TOKYO) == as_json.render(PLAIN)
    assert json.loads(as_json.render(TOKYO))["started_at"] == "2026-11-22T21:00:00Z"


def test_a_kept_audit_keeps_the_zone() -> None:
    assert kept.load(kept.dump(TOKYO), "x.json")[0] == TOKYO


def test_a_zone_that_this_machine_does_not_know_leaves_utc() -> None:
    for name in ("Mars/Olympus", "../../etc/passwd", "Asia", "\0", "x" * 5_000):
        odd = replace(PLAIN, timezone=name)
        assert odd.zone is None
        assert re.search(r"Sun 2026-11-22 21:00 UTC", html.render(odd))
