"""Junos configuration text in both of its forms, with what is deactivated, commented or inherited from groups."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.platforms import junos
from netaudit.platforms.junos import text
from netaudit.platforms.junos.inherit import effective
from netaudit.render import render
from netaudit.state import Store
from netaudit.state.walk import differences
from platforms.example import devices
from platforms.junos.curly import curly

CASES: dict[str, tuple[str, set[str]]] = {
    "a set line": ("set system host-name leaf1", {"system host-name leaf1"}),
    "a word in quotes": (
        'set interfaces et-0/0/0 description "to \\"spine 1\\""',
        {'interfaces et-0/0/0 description "to \\"spine 1\\""'},
    ),
    "a list": (
        "set policy-options as-list A members [ 65001 65002-65004 ]",
        {"policy-options as-list A members 65001", "policy-options as-list A members 65002-65004"},
    ),
    "an expression of policies": (
        "set protocols bgp group G export (ONE   && TWO)",
        {"protocols bgp group G export ( ONE && TWO )"},
    ),
    "comments": (
        "# by hand\n/* two\nlines */\nset system host-name leaf1 # not that one\n\n",
        {"system host-name leaf1"},
    ),
    "a terminal around it": ("{master:0}[edit]\nset system host-name leaf1\n{master:0}", {"system host-name leaf1"}),
    "what is deactivated": (
        "set system host-name leaf1\nset protocols lldp interface all\nset protocols lldp interface et-0/0/1\n"
        "deactivate protocols lldp interface all\n",
        {"system host-name leaf1", "protocols lldp interface et-0/0/1"},
    ),
    "blocks": (
        "## Last commit: 2026-11-30 by root\nversion 24.4R1;\nsystem {\n    host-name leaf1;\n    services {\n"
        "        netconf {\n            ssh;\n        }\n    }\n}\n",
        {"version 24.4R1", "system host-name leaf1", "system services netconf ssh"},
    ),
    "a list in blocks": (
        "policy-options {\n    as-list A {\n        members [ 65001 65002 ];\n    }\n}\n",
        {"policy-options as-list A members 65001", "policy-options as-list A members 65002"},
    ),
    "inactive blocks": (
        "protocols {\n    inactive: lldp {\n        interface all;\n    }\n    bgp {\n        inactive: hold-time 30;\n"
        "        multipath;\n    }\n}\n",
        {"protocols bgp multipath"},
    ),
    "comments and marks in blocks": (
        "system {\n    /* ours */\n    protect: host-name leaf1; ## SECRET-DATA\n}\n",
        {"system host-name leaf1"},
    ),
    "one line a class": (
        "class-of-service {\n  forwarding-classes {\n    class NO-LOSS queue-num 4 no-loss pfc-priority 3;\n  }\n}\n",
        {
            "class-of-service forwarding-classes class NO-LOSS queue-num 4",
            "class-of-service forwarding-classes class NO-LOSS no-loss",
            "class-of-service forwarding-classes class NO-LOSS pfc-priority 3",
        },
    ),
    "a word before each value": (
        "class-of-service {\n  classifiers {\n    dscp A {\n      forwarding-class B {\n"
        "        loss-priority low code-points 000001 code-points 000010;\n      }\n    }\n  }\n}\n",
        {
            f"class-of-service classifiers dscp A forwarding-class B loss-priority low code-points {point}"
            for point in ("000001", "000010")
        },
    ),
    "a group": (
        "set groups MTU interfaces <et-*> mtu 9216\nset apply-groups MTU\n"
        "set interfaces et-0/0/0 speed 400g\nset interfaces lo0 unit 0\n",
        {
            "groups MTU interfaces <et-*> mtu 9216",
            "interfaces et-0/0/0 mtu 9216",
            "interfaces et-0/0/0 speed 400g",
            "interfaces lo0 unit 0",
        },
    ),
    "a group further down": (
        "set groups HOLD protocols bgp hold-time 9\nset protocols bgp apply-groups HOLD\nset protocols bgp multipath\n",
        {"groups HOLD protocols bgp hold-time 9", "protocols bgp hold-time 9", "protocols bgp multipath"},
    ),
    "a range of interfaces": (
        'set interfaces interface-range UP member "et-0/0/[0-1,7]"\n'
        "set interfaces interface-range UP mtu 9216\n"
        "set interfaces interface-range UP member-range et-0/0/20 to et-0/0/21\nset interfaces et-0/0/1 mtu 9000\n",
        {
            *(f"interfaces et-0/0/{port} mtu 9216" for port in (0, 1, 7, 20, 21)),
            "interfaces et-0/0/1 mtu 9000",
        },
    ),
    "a group that nobody applies": (
        "set groups MTU interfaces <et-*> mtu 9216\nset interfaces et-0/0/0 speed 400g\n",
        {"groups MTU interfaces <et-*> mtu 9216", "interfaces et-0/0/0 speed 400g"},
    ),
    "nothing": ("", set()),
}


@pytest.mark.parametrize(("written", "statements"), CASES.values(), ids=CASES)
def test_a_text_says_its_statements(written: str, statements: set[str]) -> None:
    assert {text.spelled(words) for words in effective(text.entries(written))} == statements


def test_what_a_device_says_itself_goes_before_what_it_inherits() -> None:
    written = "set groups MTU interfaces <et-*> mtu 9000\nset apply-groups MTU\nset interfaces et-0/0/0 mtu 9216\n"
    ports = junos.read_config({"junos.conf": written}, "leaf1").ports
    assert ports is not None
    assert ports["1"].mtu_bytes == 9202


@pytest.mark.parametrize(
    "written",
    [
        "set",
        "no statement",
        "interfaces {",
        "interfaces { mtu 9216; }}",
        "} interfaces;",
        'set system host-name "leaf1',
        "set a [ b [ c ] ]",
        "set a [ b",
        "set a ] b",
        "set a ( b",
        "set a { b",
        "system { host-name leaf1 }",
        "{ host-name leaf1; }",
        "{" * 200,
    ],
)
def test_text_that_is_no_configuration_is_refused_with_its_line(written: str) -> None:
    with pytest.raises(ValueError, match=r"line|configuration"):
        junos.read_config({"junos.conf": written}, "leaf1")


def test_what_is_refused_is_not_repeated_for_it_may_be_a_secret() -> None:
    with pytest.raises(text.NotJunos) as caught:
        junos.read_config({"junos.conf": "set system host-name leaf1\nroot-authentication $9$secret\n"}, "leaf1")
    assert "secret" not in str(caught.value)


PIECES = st.sampled_from(
    [
        *(
            "set ",
            "deactivate ",
            "\n",
            " ",
            "{",
            "}",
            ";",
            "[",
            "]",
            "(",
            ")",
            '"',
            "\\",
            "#",
            "/*",
            "*/",
            "inactive: ",
        ),
        *("interfaces", "et-0/0/0", "et-*", "unit", "0", "family", "inet", "address", "10.0.0.1/31", "mtu", "9216"),
        *(
            "class-of-service",
            "drop-profiles",
            "interpolate",
            "fill-level",
            "schedulers",
            "forwarding-classes",
            "class",
        ),
        *("queue-num", "classifiers", "dscp", "code-points", "011010", "shared-buffer", "ingress", "buffer-partition"),
        *("protocols", "bgp", "group", "neighbor", "peer-as", "65001", "policy-options", "policy-statement", "term"),
        *("from", "route-filter", "prefix-length-range", "/8-/24", "then", "accept", "routing-instances", "vlans"),
        *("groups", "apply-groups", "<*>", "static", "route", "discard", "lossless", "percent", "999999999999999"),
    ]
)
HOSTILE = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=60).map(" ".join),
    st.lists(PIECES, max_size=60).map("".join),
    st.lists(st.lists(PIECES, max_size=9).map(lambda words: "set " + " ".join(words)), max_size=12).map("\n".join),
)


@given(HOSTILE)
def test_hostile_text_is_read_or_refused_and_nothing_else(written: str) -> None:
    files, ours = (
        {"junos.conf": written},
        {"junos.conf": "set system host-name leaf1\nset protocols lldp interface all\n"},
    )
    for reads in (
        lambda: junos.read_config(files, "leaf1"),
        lambda: junos.candidate(ours, files, ["all"]),
        lambda: junos.kept(files, ours, ["lldp"]),
        lambda: junos.diff(files, ours),
        lambda: junos.equal(files, ours),
    ):
        with suppress(ValueError):
            reads()
    junos.problems(files)
    junos.raw_lines(written)
    list(junos.raw_problems(written, ["bgp"]))


def test_a_configuration_in_blocks_says_the_same_as_one_in_set_lines() -> None:
    for device in devices("junos"):
        held = junos.quantize(device)
        lines = render(held)["junos.conf"]
        read = junos.read_config({"junos.conf": curly(lines)}, device.name)
        assert list(differences(held, read, junos.HELD[Store.RUNNING])) == []
        assert junos.equal({"junos.conf": lines}, {"junos.conf": curly(lines)})
