"""The rules as a catalogue: ids, texts, and patterns that name something."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from platforms.example import devices

from audit.world import two_plane
from netaudit.audit.rules import RULES, Rule
from netaudit.state.walk import leaves, matches

WITH_RAW = replace(devices()[0], raw={"NTP_SERVER": {"192.0.2.1": {"iburst": "on"}}})


def test_no_id_stands_for_two_rules() -> None:
    ids = [rule.id for rule in RULES]
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_is_wrong_what_it_costs_and_what_to_do(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z]{2,4}-\d\d", rule.id)
    assert rule.name.count("{object}") == 1
    assert rule.name[0].isupper() or rule.name.startswith("{object}")
    assert not rule.name.endswith(".")
    assert rule.why.endswith(".")
    assert rule.fix
    assert not rule.fix.endswith(".")


def test_every_pattern_names_a_leaf_of_the_example() -> None:
    """A pattern that matches nothing is a rule that never speaks."""
    whole = (*(two_plane().device(name) for name in ("a-su1-r1-leaf", "a-spine1")), *devices(), WITH_RAW)
    paths = [path for device in whole for path, _ in leaves(device)]
    # whole objects are named by their own path, so a pattern may also be the beginning of a leaf's
    dead = [
        f"{rule.id} {pattern}"
        for rule in RULES
        for pattern in rule.leaves
        if not any(matches(pattern, path) for path in paths)
    ]
    assert dead == []


def test_ids_are_those_of_the_catalogue_or_new_numbers_of_its_families(shared: Path) -> None:
    """reference/audit-rules.md: an id that is there means what it means there."""
    text = (shared / "reference" / "audit-rules.md").read_text(encoding="utf-8")
    families = set(re.findall(r"\b([A-Z]{2,4})-\d\d\b", text))
    unknown = {rule.id for rule in RULES if rule.id.partition("-")[0] not in families} - {"GEN-01", "RAW-01"}
    assert unknown == set()
