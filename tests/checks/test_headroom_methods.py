"""How `check` speaks of headroom that the maker's delays, or nobody's, stand behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.diag import Diagnostic, Severity
from netaudit.pipeline_check import check_all
from netaudit.pipeline_load import load_fabric

INTENT = """\
schema: 1
fabric: t
planes: [a]
rails: 1
units:
  su1: {hosts: 2}
capacity: {units: 2, hosts: 4}
hosts: {nic: cx8, speed: 400G}
leaf: {model: MODEL, platform: sonic}
spine: {model: MODEL, platform: sonic, count: 2, links: 1, speed: 800G}
cables:
  host-leaf: 5m dr4
  leaf-spine: 280m dr8
addressing:
  loopbacks: 10.255.0.0/16
  hosts: 10.64.0.0/16
"""


@pytest.fixture
def said(tmp_path):
    def check(model: str, buffers: str, rule: str) -> list[Diagnostic]:
        file: Path = tmp_path / "i.yml"
        file.write_text(f"{INTENT.replace('MODEL', model)}buffers: {{shallow: {buffers}}}\n")
        return [d for d in check_all(load_fabric(file)).diagnostics if d.rule == rule]

    return check


def test_a_published_table_that_is_the_worst_case_is_no_finding(said):
    assert not said("dell-z9864f", "{headroom: published}", "HDR-03")


def test_one_value_for_every_length_is_found_too_small(said):
    found = said("nexthop-4010", "{headroom: published}", "HDR-03")
    assert [d.severity for d in found] == [Severity.WARNING]
    assert "800G" in found[0].message
    assert "with the smallest packets" in found[0].message


def test_dynamic_is_refused_with_the_reason_of_the_switch(said):
    (other,) = said("dell-z9864f", "{headroom: dynamic}", "PLT-01")
    assert other.message == "`headroom: dynamic`: dell-z9864f cannot compute headroom; NVIDIA's switches can"
    assert said("nvidia-sn5600", "{headroom: dynamic}", "PLT-01") == []


def test_a_profile_of_ours_for_bulk_packets_is_no_row_of_a_table(said):
    found = said("dell-z9864f", "{headroom: computed, packets: bulk}", "HDR-03")
    assert [d.severity for d in found] == [Severity.WARNING] * 2
    assert all("a profile for bulk packets has" in d.message for d in found)
