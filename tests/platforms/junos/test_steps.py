"""The way of a Junos switch to another configuration and back: lines merged, a commit that waits, a confirmation."""

from __future__ import annotations

import re

import pytest

from netaudit.lab.sim.nos.junos import text as simulated
from netaudit.lab.sim.nos.junos.tree import Tree
from netaudit.platforms import Impact, Step, junos
from netaudit.platforms.junos.steps import NOT_FREE, impact
from netaudit.render import render
from platforms.example import devices

OLD = """set system host-name leaf1
set interfaces et-0/0/0 mtu 9000
set interfaces et-0/0/1 mtu 9000
set protocols lldp interface all
"""
NEW = """set system host-name leaf1
set interfaces et-0/0/0 mtu 9216
set protocols lldp interface all
set protocols lldp port-id-subtype interface-name
"""


def files(text: str) -> dict[str, str]:
    return {"junos.conf": text}


def lines(step: Step) -> list[str]:
    return step.content.splitlines()


def test_nothing_is_done_where_both_mean_the_same() -> None:
    shuffled = "".join(sorted(OLD.splitlines(keepends=True), reverse=True))
    for other in (OLD, shuffled):
        steps = junos.steps(files(OLD), files(other), "run")
        assert (steps.prepare, steps.apply, steps.save, steps.undo, steps.impact) == ((), (), (), (), Impact.NONE)


def test_lines_are_merged_committed_for_ten_minutes_and_confirmed_in_the_end() -> None:
    steps = junos.steps(files(OLD), files(NEW), "run")
    assert [(step.driver, step.revert_s) for step in (*steps.prepare, *steps.apply, *steps.save)] == [
        ("", 0),
        ("load_merge_candidate", 0),
        ("commit_config", 600),  # a multiple of 60 (vendor-gnmi-and-drivers.md section C)
        ("load_merge_candidate", 0),
        ("commit_config", 0),
    ]
    assert lines(steps.prepare[1]) == [
        "delete interfaces et-0/0/1",
        "set interfaces et-0/0/0 mtu 9216",
        "set protocols lldp port-id-subtype interface-name",
    ]


def test_nothing_is_committed_but_behind_a_load_which_locks_the_candidate() -> None:
    """Junos commits what anybody has typed; NAPALM locks when it loads, and no later (napalm/junos/junos.py)."""
    steps = junos.steps(files(OLD), files(NEW), "run")
    ways = ((*steps.prepare, *steps.apply), steps.save, steps.undo)
    for way in ways:
        at = [step.driver for step in way].index("commit_config")
        assert way[at - 1].driver == "load_merge_candidate"
        assert way[at - 1].needed
        assert way[at - 1].content
    (nothing,) = lines(steps.save[0])
    assert nothing in NEW.splitlines()
    assert nothing.startswith("set interfaces ")


def after(text: str, content: list[str]) -> Tree:
    """A configuration after lines, each of which must be taken."""
    tree = Tree()
    assert simulated.load_set(tree, text) == []
    assert simulated.load_set(tree, "\n".join(content)) == []
    return tree


@pytest.mark.parametrize("half_done", [OLD, NEW])
def test_the_way_back_needs_no_memory_of_the_box_and_works_from_either_end(half_done: str) -> None:
    load, commit = junos.steps(files(OLD), files(NEW), "run").undo
    assert sorted(simulated.set_lines(after(half_done, lines(load)))) == sorted(OLD.splitlines())
    assert (commit.driver, commit.revert_s) == ("commit_config", 0)


def example() -> tuple[str, str]:
    """The rendered leaf of the example, and the same for another fabric: nearly all of it differs."""
    text = render(junos.quantize(devices("junos")[0]))["junos.conf"]
    other = text.replace("FABRIC", "OTHER").replace("42", "43").replace("et-0/0/6", "et-0/0/5").replace("ROCE", "NCCL")
    return text, other


@pytest.mark.parametrize("start", ["old", "new"])
def test_a_whole_leaf_finds_back_from_either_end(start: str) -> None:
    old, new = example()
    load, _ = junos.steps(files(old), files(new), "run").undo
    tree = after(old if start == "old" else new, lines(load))
    assert junos.equal(files(old), files("\n".join(simulated.set_lines(tree))))


def test_a_commit_that_waits_is_looked_for_before_anything_else() -> None:
    first = junos.steps(files(OLD), files(NEW), "run").prepare[0]
    assert (first.command.split()[:3], first.refusal) == (["show", "system", "commit"], NOT_FREE)
    waiting = "0   2026-11-30 02:00:00 UTC by admin via netconf commit confirmed, rollback in 10mins"
    assert re.match(NOT_FREE, waiting)
    assert not re.match(NOT_FREE, "0   2026-11-30 02:00:00 UTC by admin via netconf")
    assert not re.match(NOT_FREE, waiting.replace("0  ", "10 ", 1))
    assert re.match(NOT_FREE, "error: permission denied: commit")


@pytest.mark.parametrize(
    ("line", "does"),
    [
        ("set system host-name x", Impact.NONE),
        ("set interfaces et-0/0/0 description x", Impact.NONE),
        ("set class-of-service schedulers S transmit-rate percent 5", Impact.NONE),
        ("set interfaces et-0/0/0 unit 0 family inet6", Impact.NONE),
        ("delete interfaces et-0/0/0 unit 0 family inet6", Impact.RESET),
        ("set protocols bgp group G peer-as 65001", Impact.RESET),
        ("delete protocols", Impact.RESET),
        ("set interfaces et-0/0/0 speed 100g", Impact.FLAP),
        ("delete interfaces et-0/0/0", Impact.FLAP),
        # junos.md section 3: a change of PFC blocks the port until it is done
        ("set class-of-service congestion-notification-profile C input dscp code-point 011010 pfc", Impact.FLAP),
        ("set class-of-service interfaces et-0/0/0 congestion-notification-profile C", Impact.FLAP),
        ("set class-of-service interfaces et-0/0/0 scheduler-map M", Impact.NONE),
        ("set class-of-service forwarding-classes class X no-loss", Impact.FLAP),
        ("set class-of-service shared-buffer ingress buffer-partition lossy percent 10", Impact.DRAIN),
    ],
)
def test_a_line_is_known_by_what_it_does_to_traffic(line: str, does: Impact) -> None:
    assert impact([line]) is does


def test_the_worst_line_counts() -> None:
    calm, reset, flap = "set system host-name x", "delete protocols bgp", "set interfaces et-0/0/0 mtu 1"
    assert impact([calm, reset]) is impact([reset, calm]) is Impact.RESET
    assert impact([flap, reset]) is impact([reset, flap]) is Impact.FLAP
    assert impact([]) is Impact.NONE


def test_the_order_in_which_a_switch_shows_the_conditions_of_a_term_is_no_change() -> None:
    term = "set policy-options policy-statement P term"
    ours = [f"{term} A from protocol direct", f"{term} A from route-filter 10.0.0.0/8 exact", f"{term} A then accept"]
    rest = [f"{term} REST then reject"]
    told = files("\n".join((ours[2], *reversed(ours[:2]), *rest)))
    assert junos.equal(files("\n".join((*ours, *rest))), told)
    assert junos.steps(files("\n".join((*ours, *rest))), told, "run").apply == ()
    other = files("\n".join((*rest, *ours)))
    assert not junos.equal(told, other)
    assert junos.steps(told, other, "run").apply
