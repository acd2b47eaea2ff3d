"""What is rendered, against Juniper's accepted example and a grammar that is written apart from our reader."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from netaudit.platforms import junos
from netaudit.render import render
from platforms.example import devices
from platforms.junos.grammar import RULES, problems_of, rule_of, words_of

SHARED = Path(__file__).resolve().parents[4] / "shared"
EXAMPLE = SHARED / "data" / "vendor-examples" / "junos-leaf.set"
REFERENCE = SHARED / "reference" / "junos.md"

OURS_ALONE = {
    # rows of the grammar without proof → the row of UNVERIFIED that says so
    "native-vlan-id": "vlans.*.tagged",
    "ethernet-switching": "vlans.*.members",
    "irb": "vlans",
    "from protocol static": "bgp.networks",
    "shaping-rate": "qos.schedulers.*.cap_bytes_per_s",
    "rewrite-rules": "qos.ports.*.rewrite",
    "routing-instances <instance> interface": "interfaces.*.vrf",
    "static route": "bgp.discards",
}
NOT_OURS = ("dedicated-buffer", "bfd-liveness-detection", "enhanced-hash-key", "traffic-manager")
"""Statements of the example that we do not write."""


@cache
def example() -> tuple[str, ...]:
    if not EXAMPLE.exists():
        pytest.skip("the accepted example is in the project's shared folder, which is not here")
    return tuple(line for line in EXAMPLE.read_text().splitlines() if line.strip())


def test_every_rendered_statement_is_one_of_the_grammar() -> None:
    for device in devices("junos"):
        assert problems_of(render(junos.quantize(device))["junos.conf"]) == []


def test_the_grammar_takes_every_statement_of_the_accepted_example_but_those_that_we_do_not_write() -> None:
    refused = [line for line in problems_of("\n".join(example())) if not any(word in line for word in NOT_OURS)]
    assert refused == []


def test_what_the_grammar_calls_proven_by_the_example_stands_in_it() -> None:
    found = {rule_of(words) for line in example() for words in words_of(line)}
    unfounded = [
        " ".join(rule.words)
        for rule in RULES
        if rule.proof == "E" and rule not in found and rule.words[0] != "routing-instances"
    ]
    assert unfounded == []


def test_what_the_grammar_calls_proven_by_the_reference_has_its_words_there() -> None:
    if not REFERENCE.exists():
        pytest.skip("the reference is in the project's shared folder, which is not here")
    lines = REFERENCE.read_text().splitlines()
    for rule in RULES:
        if rule.proof == "R" and rule.words[0] != "routing-instances":
            fixed = [word for word in rule.words if not word.startswith(("<", "("))]
            shape = r"\b.*".join(map(re.escape, fixed))
            assert any(re.search(shape, line) for line in lines), rule


def test_what_nothing_proves_is_declared_unverified() -> None:
    for rule in RULES:
        if rule.proof == "U":
            text = " ".join(rule.words)
            leaf = next((leaf for words, leaf in OURS_ALONE.items() if words in text), None)
            assert leaf in junos.UNVERIFIED, text


@pytest.mark.parametrize(
    "line",
    [
        "set interfaces et-0/0/0 mtu 9217",
        "set interfaces et-0/0/0:8 mtu 9000",
        "set interfaces Ethernet0 mtu 9000",
        "set protocols bgp group G type outside",
        "set protocols bgp group G neighbor 10.0.0.1 peer-as 0",
        "set class-of-service drop-profiles D interpolate fill-level [ 1 100.5 ]",
        "set class-of-service congestion-notification-profile P output ieee-802.1 code-point 0110 flow-control-queue 3",
        "set chassis maximum-ecmp 100",
        "set policy-options policy-statement P term T from route-filter 10.0.0.0/8 upto",
        "set class-of-service shared-buffer egress buffer-partition lossless-headroom percent 24",
    ],
)
def test_the_grammar_refuses_what_junos_would(line: str) -> None:
    assert problems_of(line) == [line]
