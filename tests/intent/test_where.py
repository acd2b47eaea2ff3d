from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.diag import Invalid, Source
from netaudit.intent.where import Where, parse, plain_cage
from netaudit.state import Place

LEAF = Place(role="leaf", tier=0, plane="a", unit="su1", rail=3)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("plane=a unit=su1 role=leaf rail=3", Where(plane="a", unit="su1", role="leaf", rail=3)),
        ("  platform=sonic  role=spine ", Where(platform="sonic", role="spine")),
        ("a-spine1", Where(device="a-spine1")),
        ("a-su1-r3-leaf:12", Where(device="a-su1-r3-leaf", cage=12)),
        ("a-su1-r3-leaf:12/1", Where(device="a-su1-r3-leaf", cage=12, sub=1)),
    ],
)
def test_the_grammar(text, meant):
    assert parse(text) == meant


@pytest.mark.parametrize(
    "text",
    ["", " ", "=", "plane=", "plane=a,b", "plan=a", "plane=a plane=b", "plane=a b", "rail=0", "rail=x", "a b", "a:0",
     "a:1/0", "a:", ":1", "a:1/2/3", "a:b", "-a", "a:1 b"],
)  # fmt: skip
def test_what_is_not_in_the_grammar_is_refused_with_its_place(text):
    with pytest.raises(Invalid) as caught:
        parse(text, Source(file="f", line=3, column=10, width=len(text)))
    source = caught.value.diagnostics[0].source
    assert source.line == 3
    assert 10 <= source.column <= 10 + len(text)


@pytest.mark.parametrize(
    ("port", "cage"),
    [("etp12", "12"), ("etp12a", "12/1"), ("swp12", "12"), ("swp12s1", "12/2"), ("Ethernet1/12/2", "12/2"),
     ("Ethernet12/2", "12/2"), ("et-0/0/11", "12"), ("et-0/0/11:1", "12/2"), ("Ethernet88", None)],
)  # fmt: skip
def test_port_names_that_show_their_cage_are_translated(port, cage):
    assert plain_cage(port) == cage


def test_a_port_name_is_refused_with_the_translation_of_its_model():
    with pytest.raises(Invalid) as caught:
        parse(
            "leaf1:Ethernet88", None, lambda device, port: "12/1" if (device, port) == ("leaf1", "Ethernet88") else None
        )
    assert "write `leaf1:12/1`" in caught.value.diagnostics[0].hint


@pytest.mark.parametrize(
    ("text", "covered"),
    [("plane=a", True), ("plane=b", False), ("rail=3 role=leaf", True), ("rail=4", False), ("platform=sonic", True),
     ("platform=eos", False), ("a-su1-r3-leaf", True), ("a-su1-r3-leaf:5", True), ("a-su1-r4-leaf", False)],
)  # fmt: skip
def test_a_part_covers_its_devices(text, covered):
    assert parse(text).covers("a-su1-r3-leaf", LEAF, "sonic") is covered


@pytest.mark.parametrize(
    ("text", "port", "covered"),
    [("leaf1", "3", True), ("leaf1:3", "3", True), ("leaf1:3", "3/2", True), ("leaf1:3/1", "3/2", False),
     ("leaf1:3/1", "3/1", True), ("leaf1:3", "33", False), ("role=leaf", "9/1", True)],
)  # fmt: skip
def test_a_cage_covers_its_sub_ports(text, port, covered):
    assert parse(text).covers_port(port) is covered


@given(st.text(max_size=30))
def test_whatever_is_understood_is_written_as_it_was_meant(text):
    try:
        meant = parse(text)
    except Invalid as error:
        assert error.diagnostics  # noqa: PT017 - both outcomes are right
    else:
        assert parse(str(meant)) == meant
