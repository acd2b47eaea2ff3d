"""The simulated Junos takes, prints and compares configurations as the box does, and refuses what it refuses."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from lab.nos import junos_lab
from netaudit.lab.sim.nos.junos import checks, text
from netaudit.lab.sim.nos.junos.tree import Tree


def loaded(lines: str) -> Tree:
    tree = Tree()
    assert [(one.message, one.element) for one in text.load_set(tree, lines)] == []
    return tree


def shown(tree: Tree) -> list[str]:
    return list(text.set_lines(tree))


@pytest.fixture
def accepted(shared: Path) -> str:
    """A whole leaf whose every line the YANG models of 24.4R1-EVO accept."""
    return (shared / "data/vendor-examples/junos-leaf.set").read_text(encoding="utf-8")


def test_every_line_of_the_accepted_example_is_taken(accepted: str) -> None:
    printed = shown(loaded(accepted))
    plain = [line for line in accepted.splitlines() if "[" not in line]
    assert [line for line in plain if line not in printed] == []
    assert len(printed) == len(accepted.splitlines()) + 2  # two lists of two values: each value has a line


def test_the_accepted_example_is_the_same_in_braces_and_in_xml(accepted: str) -> None:
    tree, braces, xml = loaded(accepted), Tree(), Tree()
    assert text.load_braces(braces, "\n".join(text.braces(tree))) == []
    assert text.same(braces, tree)
    assert checks.problems(tree) == ()
    whole = "\n".join(text.elements(loaded("\n".join(line for line in shown(tree) if "route-filter" not in line))))
    refused = text.load_xml(xml, ElementTree.fromstring(whole))
    assert [(one.message, one.element) for one in refused] == []
    assert "set interfaces et-0/0/4 unit 0 family inet6" in shown(xml)


def test_a_value_replaces_the_one_before_and_a_list_grows() -> None:
    tree = loaded(
        "set interfaces et-0/0/0 mtu 9000\nset interfaces et-0/0/0 mtu 9216\n"
        "set policy-options as-list A members 1\nset policy-options as-list A members [ 2 3 ]\n"
        "set routing-options autonomous-system 65000.10 loops 2\nset routing-options autonomous-system 65001"
    )
    assert shown(tree) == [
        "set interfaces et-0/0/0 mtu 9216",
        "set policy-options as-list A members 1",
        "set policy-options as-list A members 2",
        "set policy-options as-list A members 3",
        "set routing-options autonomous-system 65001",
        "set routing-options autonomous-system loops 2",
    ]


def test_several_settings_may_stand_in_one_line() -> None:
    tree = loaded("set class-of-service forwarding-classes class NO-LOSS queue-num 4 no-loss pfc-priority 3")
    assert len(shown(tree)) == 3
    assert "    forwarding-classes {" in list(text.braces(tree))
    assert any("class NO-LOSS queue-num 4 no-loss pfc-priority 3;" in line for line in text.braces(tree))


@pytest.mark.parametrize(
    ("line", "message", "element"),
    [
        ("set interfaces et-0/0/0 prioritty 3", "syntax error", "prioritty"),
        ("set foo bar", "syntax error", "foo"),
        ("sett interfaces", "unknown command.", "sett"),
        ("set interfaces et-0/0/0 mtu 99999", "number: '99999': Value must be a number from 256 to 16000", "99999"),
        ("set interfaces et-0/0/0 mtu", "missing argument.", "mtu"),
        ("set interfaces et-0/0/0 ether-options fec fec119", "invalid value 'fec119'", "fec119"),
        ("set interfaces et-0/0/0 gigether-options fec fec91", "syntax error", "gigether-options"),
        ("set class-of-service forwarding-classes class X pfc-priority 8", "number: '8': Value must be a number", "8"),
        ("delete interfaces et-0/0/0 mtu", "statement not found", "interfaces et-0/0/0 mtu"),
        ("delete policy-options policy-statement", "missing argument.", "policy-statement"),
        ('set interfaces et-0/0/0 description "open', "syntax error, missing closing quote", '"open'),
    ],
)
def test_a_line_is_refused_in_the_words_of_the_box(line: str, message: str, element: str) -> None:
    (refused,) = text.load_set(Tree(), line)
    assert refused.message.startswith(message)
    assert refused.element == element


def test_other_lines_stay_where_one_is_refused() -> None:
    tree = Tree()
    assert len(text.load_set(tree, "set system host-name a\nset nonsense\nset system domain-name b\n")) == 1
    assert shown(tree) == ["set system host-name a", "set system domain-name b"]


def test_terms_keep_their_order_and_can_be_moved() -> None:
    lines = "".join(f"set policy-options policy-statement P term {name} then accept\n" for name in "ABC")
    tree = loaded(f"{lines}insert policy-options policy-statement P term C before term A")
    assert [line.split()[5] for line in shown(tree)] == ["C", "A", "B"]


def test_short_statements_stand_on_one_line_as_the_box_prints_them() -> None:
    braces = """policy-options {
    community C members [ 6:1 7:2 ];
    policy-statement P {
        term A {
            from policy Q;
            then reject;
        }
        then {
            load-balance per-packet;
        }
    }
}
class-of-service {
    classifiers {
        dscp D {
            forwarding-class CNP {
                loss-priority low code-points 110000;
            }
        }
    }
}"""
    tree = Tree()
    assert text.load_braces(tree, braces) == []
    assert "\n".join(text.braces(tree)) == braces


def test_a_level_that_holds_nothing_any_more_is_gone() -> None:
    tree = loaded(
        "set protocols lldp port-id-subtype interface-name\ndelete protocols lldp port-id-subtype\n"
        "set interfaces et-0/0/0 unit 0 family inet address 10.0.0.1/31\n"
        "delete interfaces et-0/0/0 unit 0 family inet address 10.0.0.1/31"
    )
    assert shown(tree) == ["set interfaces et-0/0/0 unit 0 family inet"]


def test_what_is_inactive_is_shown_and_not_in_force() -> None:
    tree = loaded("set protocols lldp interface all\ndeactivate protocols lldp")
    assert shown(tree) == ["set protocols lldp interface all", "deactivate protocols lldp"]
    assert "    inactive: lldp {" in list(text.braces(tree))
    assert tree.get("protocols", "lldp") is None
    again = Tree()
    assert text.load_braces(again, "\n".join(text.braces(tree))) == []
    assert text.same(tree, again)


def test_comments_and_marks_of_the_braces_form_are_understood() -> None:
    tree = loaded("set interfaces et-0/0/0 mtu 9000\nset interfaces et-0/0/1 mtu 9000")
    merged = """/* a comment { */
    interfaces {
        replace: et-0/0/0 { description "with } and ; inside"; }  # and another
        delete: et-0/0/1;
    }"""
    assert text.load_braces(tree, merged) == []
    assert shown(tree) == ['set interfaces et-0/0/0 description "with } and ; inside"']


def test_an_expression_of_policies_is_one_value_in_every_form() -> None:
    tree = loaded("set protocols bgp group G export ( ONE && OTHER )\nset protocols bgp group G export THIRD")
    assert shown(tree)[0] == "set protocols bgp group G export ( ONE && OTHER )"
    again = Tree()
    assert text.load_braces(again, "\n".join(text.braces(tree))) == []
    assert text.same(tree, again)


def test_a_difference_is_a_patch_by_hierarchy_levels() -> None:
    old = loaded("set interfaces et-0/0/0 mtu 9000\nset interfaces et-0/0/1 mtu 9000\nset system host-name a")
    new = loaded(
        "set interfaces et-0/0/0 mtu 9216\nset system host-name a\nset interfaces et-0/0/2 unit 0 family inet6"
    )
    assert "\n".join(text.compared(old, new)) == (
        "[edit interfaces]\n-   et-0/0/1 {\n-       mtu 9000;\n-   }\n"
        "+   et-0/0/2 {\n+       unit 0 {\n+           family inet6;\n+       }\n+   }\n"
        "[edit interfaces et-0/0/0]\n-   mtu 9000;\n+   mtu 9216;"
    )
    assert list(text.compared(old, old)) == []


GOOD = junos_lab.configuration("leaf1")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("set protocols bgp group FABRIC import GONE", "Policy GONE referenced but not defined"),
        ("set protocols bgp group X neighbor 10.0.0.1", "peer AS number must be configured for an external peer"),
        ("set protocols bgp group FABRIC peer-as-list GONE", "as-list GONE referenced but not defined"),
        ("delete routing-options autonomous-system", "must define local autonomous-system"),
        (
            "set class-of-service congestion-notification-profile C pfc-watchdog",
            "pfc-watchdog configurations mandate output config",
        ),
        ("set class-of-service interfaces et-0/0/0 scheduler-map GONE", "scheduler-map GONE is not defined"),
        ("set class-of-service scheduler-maps M forwarding-class GONE scheduler S", "GONE is not defined"),
    ],
)
def test_a_commit_is_refused_where_a_reference_leads_nowhere(more: str, said: str) -> None:
    assert checks.problems(loaded(GOOD)) == ()
    assert any(said in one.message for one in checks.problems(loaded(f"{GOOD}{more}\n")))
