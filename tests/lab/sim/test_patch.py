"""RFC 6902, with the examples of its appendix A."""

from __future__ import annotations

import pytest

from netaudit.lab.sim.patch import PatchRefused, patched, pointer, tokens

GOOD = {
    "A.1 add a member": ({"foo": "bar"}, [{"op": "add", "path": "/baz", "value": "qux"}], {"baz": "qux", "foo": "bar"}),
    "A.2 add an element": ({"f": ["a", "c"]}, [{"op": "add", "path": "/f/1", "value": "b"}], {"f": ["a", "b", "c"]}),
    "A.3 remove a member": ({"baz": 1, "foo": 2}, [{"op": "remove", "path": "/baz"}], {"foo": 2}),
    "A.4 remove an element": ({"foo": [1, 2, 3]}, [{"op": "remove", "path": "/foo/1"}], {"foo": [1, 3]}),
    "A.5 replace": ({"baz": 1}, [{"op": "replace", "path": "/baz", "value": 2}], {"baz": 2}),
    "replace an element": ({"foo": [1, 2]}, [{"op": "replace", "path": "/foo/1", "value": 3}], {"foo": [1, 3]}),
    "A.6 move": ({"a": {"x": 1}, "b": {}}, [{"op": "move", "from": "/a/x", "path": "/b/y"}], {"a": {}, "b": {"y": 1}}),
    "A.7 move an element": ({"f": [1, 2, 3]}, [{"op": "move", "from": "/f/0", "path": "/f/2"}], {"f": [2, 3, 1]}),
    "A.8 test": ({"baz": "qux"}, [{"op": "test", "path": "/baz", "value": "qux"}], {"baz": "qux"}),
    "A.10 add an object": ({"foo": 1}, [{"op": "add", "path": "/c", "value": {"g": {}}}], {"foo": 1, "c": {"g": {}}}),
    "A.14 escaped": ({"/": 9, "~1": 10}, [{"op": "test", "path": "/~01", "value": 10}], {"/": 9, "~1": 10}),
    "A.16 add at the end": ({"foo": [1]}, [{"op": "add", "path": "/foo/-", "value": [2]}], {"foo": [1, [2]]}),
    "copy": ({"a": [1]}, [{"op": "copy", "from": "/a", "path": "/b"}, {"op": "add", "path": "/b/-", "value": 2}],
             {"a": [1], "b": [1, 2]}),
    "the whole": ({"a": 1}, [{"op": "replace", "path": "", "value": {"b": 2}}], {"b": 2}),
    "an empty key": ({}, [{"op": "add", "path": "/", "value": 1}], {"": 1}),
}  # fmt: skip
BAD = {
    "A.9 a failing test": ({"baz": "qux"}, [{"op": "test", "path": "/baz", "value": "bar"}]),
    "A.12 no parent": ({"foo": "bar"}, [{"op": "add", "path": "/baz/bat", "value": "qux"}]),
    "A.13 no such operation": ({}, [{"op": "merge", "path": "/a", "value": 1}]),
    "no operation": ({}, [{"path": "/a", "value": 1}]),
    "no value": ({}, [{"op": "add", "path": "/a"}]),
    "no path": ({}, [{"op": "remove"}]),
    "a path without slash": ({"a": 1}, [{"op": "remove", "path": "a"}]),
    "nothing to remove": ({}, [{"op": "remove", "path": "/a"}]),
    "nothing to replace": ({}, [{"op": "replace", "path": "/a", "value": 1}]),
    "beyond the end": ({"a": [1]}, [{"op": "add", "path": "/a/2", "value": 1}]),
    "an index with a zero": ({"a": [1, 2]}, [{"op": "remove", "path": "/a/01"}]),
    "an index that is none": ({"a": [1]}, [{"op": "remove", "path": "/a/x"}]),
    "remove the end": ({"a": [1]}, [{"op": "remove", "path": "/a/-"}]),
    "a child of text": ({"a": "x"}, [{"op": "add", "path": "/a/b", "value": 1}]),
    "into its own child": ({"a": {"b": 1}}, [{"op": "move", "from": "/a", "path": "/a/b"}]),
    "no list": ({}, {"op": "add", "path": "/a", "value": 1}),
    "no object": ({}, ["add"]),
}


@pytest.mark.parametrize("case", GOOD)
def test_a_patch_gives_what_the_rfc_says(case: str) -> None:
    document, patch, wanted = GOOD[case]
    assert patched(document, patch) == wanted


@pytest.mark.parametrize("case", BAD)
def test_a_patch_that_does_not_fit_is_refused(case: str) -> None:
    document, patch = BAD[case]
    with pytest.raises(PatchRefused):
        patched(document, patch)


def test_all_or_nothing() -> None:
    document = {"a": {"b": [1]}}
    with pytest.raises(PatchRefused):
        patched(document, [{"op": "add", "path": "/a/b/-", "value": 2}, {"op": "remove", "path": "/c"}])
    assert document == {"a": {"b": [1]}}


@pytest.mark.parametrize("steps", [("a",), ("a/b", "c~d"), ("~1",), ("",), ()])
def test_a_pointer_gives_its_steps_back(steps: tuple[str, ...]) -> None:
    assert tokens(pointer(*steps)) == steps
