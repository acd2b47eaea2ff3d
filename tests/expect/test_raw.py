"""Who gets text of the site's own, and where it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit.world import audited, healthy, setting
from oracles import frr

from netaudit.checks import check
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.pipeline import intent_sha256
from netaudit.render import render
from netaudit.state import Store
from tests.intent.example import read, small

TEXT = "ip nht resolve-via-default\nline vty\n exec-timeout 5 0\nexit\n"


def fabric(folder: Path, text: str = TEXT) -> Expected:
    (folder / "x.cfg").write_text(text)
    (folder / "y.conf").write_text("ip route 10.9.0.0/16 10.0.0.1\n")
    raw = (
        '[{where: "platform=sonic role=spine", file: x.cfg, owner: secops, reason: CHG-812}, '
        "{where: a-spine1, file: y.conf, owner: net, reason: CHG-900}]"
    )
    return Expected(build(read(folder, small(raw=raw))))


def lines(expected: Expected, name: str) -> object:
    bgp = expected.device(name).bgp
    return bgp.unmodelled if bgp else None


def test_devices_get_the_snippets_that_are_for_them_in_order(tmp_path: Path) -> None:
    expected = fabric(tmp_path)
    assert lines(expected, "a-su1-r1-leaf") == frozenset()
    assert lines(expected, "b-spine1") == {"ip nht resolve-via-default", "line vty", "exec-timeout 5 0"}
    assert render(expected.device("a-spine1"))["frr.conf"].endswith(f"!\n{TEXT}ip route 10.9.0.0/16 10.0.0.1\n")
    assert "nht" not in render(expected.device("a-su1-r1-leaf"))["frr.conf"]


def test_its_origin_is_the_list(tmp_path: Path) -> None:
    expected = fabric(tmp_path)
    spine, leaf = (expected.device(name).bgp for name in ("a-spine1", "a-su1-r1-leaf"))
    assert spine is not None
    assert leaf is not None
    assert expected.derivation(spine.origin, "unmodelled") == "raw"
    assert expected.derivation(leaf.origin, "unmodelled") == "owns (default)"


def test_every_check_and_report_lists_it(tmp_path: Path) -> None:
    expected = fabric(tmp_path)
    assert check(expected).facts["declared"].endswith(" blind spots, 2 raw snippets")
    spots = [(s.what, s.where) for s in expected.blind_spots("a-spine1") if s.what.startswith("raw ")]
    assert spots == [("raw x.cfg", "platform=sonic role=spine"), ("raw y.conf", "a-spine1")]
    assert not any(s.what.startswith("raw ") for s in expected.blind_spots("a-su1-r1-leaf"))


def test_an_approval_binds_to_its_text(tmp_path: Path) -> None:
    one = intent_sha256(fabric(tmp_path).built.intent)
    two = intent_sha256(fabric(tmp_path, TEXT.replace("5 0", "9 0")).built.intent)
    assert one != two


def test_what_a_healthy_device_shows_has_its_lines(tmp_path: Path) -> None:
    shown = healthy(fabric(tmp_path))["b-spine1"][Store.RUNNING].bgp
    assert shown is not None
    assert "line vty" in (shown.unmodelled or ())  # type: ignore[operator]


def test_a_line_that_is_gone_is_a_finding_at_the_list_and_its_presence_is_none(tmp_path: Path) -> None:
    expected = fabric(tmp_path)
    assert audited(expected=expected).findings == ()
    gone = frozenset({"ip nht resolve-via-default"})
    found = audited(setting("b-spine1", "bgp.unmodelled", gone, Store.RUNNING, Store.SAVED), expected=expected).findings
    assert [(f.rule, f.device) for f in found] == [("BGP-11", "b-spine1")]
    (comparison,) = found[0].comparisons
    assert "line vty" in comparison.expected
    assert comparison.source is not None
    assert comparison.source.line == 10
    assert any(s.what == "raw x.cfg" for s in audited(expected=expected).declared)


@pytest.mark.parametrize("name", ["a-spine1", "b-spine1"])
def test_frrs_own_parser_accepts_what_is_rendered(tmp_path: Path, name: str) -> None:
    assert frr.vtysh_problems(render(fabric(tmp_path).device(name))["frr.conf"]) == ()
