"""`--require` and `--fail`: what can be said, and what is answered to what cannot."""

from __future__ import annotations

import pytest
from audit.world import two_plane

from netaudit.diag import Invalid
from netaudit.whatif import KINDS, Study, graph, named, requirement

STUDY = Study(graph(two_plane()))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("any single switch: capacity >= 0.85", ("switch", "", "capacity", ">=", 0.85)),
        ("any single spines:capacity>=85%", ("spine", "", "capacity", ">=", 0.85)),
        ("any two spines: paths > 8", ("spine", "spine", "paths", ">", 8.0)),
        ("any two leaf and links: cut == 0", ("leaf", "link", "cut", "==", 0.0)),
        ("  any  single  leaf-spine : apart <= 3 ", ("leaf-spine", "", "apart", "<=", 3.0)),
    ],
)
def test_a_requirement_is_read(text: str, read: tuple[object, ...]) -> None:
    found = requirement(text, STUDY.words)

    assert (found.one, found.other, found.metric, found.sign, found.value) == read


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("every switch has to live", 1, "this is no requirement", "for example"),
        ("any single spin: capacity >= 0.85", 12, "nothing that fails is called `spin`", "did you mean `spine`?"),
        ("any single spine: capacit >= 0.85", 19, "`capacit` is not measured", "did you mean `capacity`?"),
        ("any single spine: capacity >= 85", 31, "capacity is a share, at most 1", "0.85 or 85 %"),
        ("any single spine: paths >= 85%", 28, "`paths` is a number", "without %"),
        ("any single spine and leaf: cut == 0", 22, "`single` is one failure", "any two … and …"),
    ],
)
def test_what_is_no_requirement_is_shown_with_its_place(text: str, column: int, message: str, hint: str) -> None:
    with pytest.raises(Invalid) as caught:
        requirement(text, STUDY.words)

    (problem,) = caught.value.diagnostics
    assert problem.source is not None
    assert (problem.source.file, problem.source.column) == ("--require", column)
    assert message in problem.message
    assert hint in problem.hint


def test_a_requirement_holds_for_every_failure_it_speaks_of_or_names_those_it_does_not() -> None:
    outcomes = list(STUDY.sweep(KINDS))
    strict, mild = (requirement(f"any single switch: capacity >= {n}", STUDY.words) for n in (0.85, 0.5))

    assert {o.event.what for o in outcomes if strict.concerns(o) and not strict.holds(o)} == {"leaf"}
    assert all(mild.holds(o) for o in outcomes if mild.concerns(o))


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("a-spine1", ({"a-spine1"}, 0, 0)),
        ("a-su1-r1-leaf:64", (set(), 1, 0)),
        ("a-su1-r1-leaf:1", (set(), 0, 2)),
        ("a-su1-r1-leaf:1/1", (set(), 0, 1)),
        ("plane=a role=spine", ({"a-spine1", "a-spine2"}, 0, 0)),
    ],
)
def test_a_failure_is_named_by_switch_cage_port_or_part(name: str, what: tuple[set[str], int, int]) -> None:
    event = named(STUDY.graph, (name,))

    assert (set(event.devices), len(event.links), len(event.nics)) == what


def test_all_names_that_are_none_are_told_at_once() -> None:
    with pytest.raises(Invalid) as caught:
        named(STUDY.graph, ("a-spine9", "a-spine1:60", "plane=z"))

    assert [d.message.partition(" is ")[0] for d in caught.value.diagnostics] == [
        "`a-spine9`",
        "`a-spine1:60`",
        "`plane=z`",
    ]
