"""Failures of all kinds at once in a larger fabric: each is one finding and carries its own routes."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from audit.large import Large
from audit.world import NOON
from netaudit.audit.audit import conclude
from netaudit.audit.compare import compare
from tests.intent.example import small


@cache
def large() -> Large:
    """Two planes of 12 leaves and 4 spines."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "fabric.yml"
        spine = "{model: nvidia-sn5600, platform: sonic, count: 4, links: 1, speed: 800G}"
        file.write_text(small(rails="2", units="{count: 6, hosts: 2}", spine=spine))
        return Large.load(file)


def test_one_dead_link_is_one_finding_that_carries_its_routes_on_all_devices() -> None:
    fabric = large()
    audits = {o.device: compare(fabric.expected, o) for o in fabric.observations(fabric.one())}
    (finding,) = conclude(fabric.expected, audits, NOON).findings
    assert finding.rule == "INT-01"
    # the leaf has one of 4 hops less for 11 leaves × 3, and none by that spine for its 2 loopbacks; 11 leaves and the
    # spine have one hop less, or no route, for the 3 prefixes of the leaf
    assert [c.text for c in finding.consequences] == [
        "1 BGP session",
        f"{11 * 3 + 2 + 11 * 3 + 3} routes on 13 devices",
    ]


def test_ten_failures_at_once_are_ten_findings() -> None:
    fabric = large()
    audits = {o.device: compare(fabric.expected, o) for o in fabric.observations(fabric.ten())}
    result = conclude(fabric.expected, audits, NOON)
    told = Counter(finding.rule for finding in result.findings)
    assert told == {"INT-01": 4, "BGP-02": 2, "CAB-02": 2, "RIB-01": 2}, [f.title for f in result.findings]
    assert all(f.consequences for f in result.findings if f.rule != "CAB-02")
    assert {one.device for one in result.not_audited} == {"a-su1-r1-leaf", "a-spine1"} or len(result.not_audited) == 2


def test_what_is_kept_of_routes_is_what_differs() -> None:
    fabric = large()
    audits = {o.device: compare(fabric.expected, o) for o in fabric.observations(fabric.one())}
    kept = {name: len(audit.routes.otherwise) for name, audit in audits.items() if audit.routes is not None}
    assert sum(count > 0 for count in kept.values()) == 13
    assert sum(kept.values()) == 11 * 3 + 2 + 11 * 3 + 3
