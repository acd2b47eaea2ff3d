"""The trend: bars of the last audits in the HTML page, and nothing where there is none."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from audit.world import audited

from netaudit.audit.findings import Moment
from netaudit.audit.kept import dump, load
from netaudit.audit.report import html
from netaudit.audit.report.trend import HEAD, HEIGHT, trend

DAY = datetime(2026, 11, 2, 6, 0, tzinfo=UTC)


def moment(week: int, errors: int, warnings: int = 0, unknown: int = 0) -> Moment:
    at = DAY + timedelta(weeks=week)
    return Moment(at=at, errors=errors, warnings=warnings, infos=0, not_audited=unknown)


POINTS = (moment(0, 2, 9), moment(1, 0, 0), moment(2, 1, 5, 3), moment(3, 4, 7))


def svg(page: str) -> ElementTree.Element:
    found = re.search(r'<svg class="trend".*?</svg>', page, re.DOTALL)
    assert found
    return ElementTree.fromstring(found.group())


def test_every_audit_is_a_bar_as_high_as_its_share_of_the_worst() -> None:
    found = trend(POINTS, None)
    assert found is not None
    heights = [(int(b.error_height), int(b.warning_height)) for b in found.bars]
    assert max(e + w for e, w in heights) <= HEIGHT
    assert heights[1] == (0, 0)
    assert heights[3][0] == 4 * HEIGHT // 11
    for bar in found.bars:
        assert int(bar.error_y) + int(bar.error_height) == HEAD + HEIGHT
        assert int(bar.warning_y) + int(bar.warning_height) == int(bar.error_y)
    assert [b.label for b in found.bars] == ["", "", "", "4 + 7"]


def test_one_finding_beside_thousands_is_seen() -> None:
    found = trend((moment(0, 9_000), moment(1, 1)), None)
    assert found is not None
    assert [b.error_height for b in found.bars] == [str(HEIGHT), "1"]


@pytest.mark.parametrize("points", [(), POINTS[:1]])
def test_fewer_than_two_audits_have_no_trend(points: tuple[Moment, ...]) -> None:
    assert trend(points, None) is None
    page = html.render(replace(audited(), trend=points))
    assert 'id="trend"' not in page
    assert 'href="#trend"' not in page


def test_the_page_draws_the_bars_and_says_the_same_in_words_and_in_a_table() -> None:
    page = html.render(replace(audited(), trend=POINTS))
    drawn = svg(page)
    assert drawn.get("role") == "img"
    words = drawn.get("aria-label") or ""
    assert words.count("NOT AUDITED") == len(POINTS)
    assert "2026-11-16" in words
    assert [g.findtext("title") for g in drawn.iter("g")][2].endswith("errors 1, warnings 5, NOT AUDITED 3")  # type: ignore[union-attr]
    assert len([r for r in drawn.iter("rect") if r.get("class") == "u"]) == 1
    assert page.count('<tr><th scope="row">2026-11-') == len(POINTS)
    assert '<a href="#trend">Trend</a>' in page
    assert "style=" not in ElementTree.tostring(drawn, encoding="unicode"), "the page's policy forbids inline styles"


def test_a_kept_audit_has_its_trend_again() -> None:
    result = replace(audited(), trend=POINTS)
    assert load(dump(result), "x")[0].trend == POINTS
