"""Paths with keys as text, and trees made of leaf updates and taken apart into them."""

from __future__ import annotations

import json

import gnmi_serving as serving
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit import gnmi
from netaudit.gnmi.paths import covers, parts, spelled, split
from netaudit.gnmi.tree import MAX_DEPTH, Tree, leaves, merged, select

TREE = {
    "openconfig-interfaces:interfaces": {
        "interface": [
            {"name": "Ethernet1/1", "state": {"oper-status": "UP", "mtu": 9214}},
            {"name": "Ethernet1/2", "state": {"oper-status": "DOWN", "mtu": 9214}},
        ]
    }
}


@given(st.text(min_size=1).filter(lambda t: not set(t) & set("[]")), st.dictionaries(st.sampled_from("abc"), st.text()))
def test_an_element_is_read_as_it_was_spelled(name: str, keys: dict[str, str]) -> None:
    assert parts(spelled(name, keys)) == (name, keys)


def test_a_path_goes_to_the_wire_and_back() -> None:
    text = ("interfaces", "interface[name=Ethernet1/1]", "protocol[identifier=BGP][name=*]", r"x[k=a\]b\\]")
    path = gnmi.path(*text)
    assert [dict(e.key) for e in path.elem] == [
        {},
        {"name": "Ethernet1/1"},
        {"identifier": "BGP", "name": "*"},
        {"k": "a]b\\"},
    ]
    assert gnmi.elems(gnmi.Path.FromString(path.SerializeToString())) == text


@pytest.mark.parametrize("key", ["Ethernet0|10.0.0.0/31", "Ethernet0|fc00::1/126", "[x", "a[b", "a[b]c", ""])
def test_a_key_of_a_database_stays_one_element_without_keys(key: str) -> None:
    (element,) = gnmi.path(key).elem
    assert (element.name, dict(element.key)) == (key, {})


def test_a_path_is_split_at_slashes_that_are_of_no_key() -> None:
    assert split("/interfaces/interface[name=Eth1/1]/state/") == ("interfaces", "interface[name=Eth1/1]", "state")


@pytest.mark.parametrize(
    ("wanted", "there", "yes"),
    [
        ("/interfaces/interface[name=*]/state", "/openconfig-interfaces:interfaces/interface[name=x]/state/mtu", True),
        ("/interfaces/interface/state", "/interfaces/interface[name=x]/state", True),
        ("/interfaces/interface[name=x]", "/interfaces/interface[name=y]", False),
        ("/interfaces/interface[name=x]/state", "/interfaces/interface[name=x]", False),
        ("/a/p[i=BGP][name=*]", "/a/p[i=oc:BGP][name=1]", False),
        ("/a/*/c", "/a/b/c/d", True),
        ("", "/a", True),
    ],
)
def test_a_path_covers_what_is_at_it_and_below_it(wanted: str, there: str, yes: bool) -> None:
    assert covers(split(wanted), split(there)) is yes


def test_leaves_of_a_tree_make_the_tree_again() -> None:
    assert merged(leaves(TREE)) == TREE


def test_a_list_without_known_keys_is_one_leaf() -> None:
    tree = {"x": [{"a": 1}, {"a": 2}], "y": [1, 2], "z": []}
    assert dict(leaves(tree)) == {("x",): [{"a": 1}, {"a": 2}], ("y",): [1, 2], ("z",): []}
    assert merged(leaves(tree)) == tree


def test_later_values_replace_earlier_ones_and_what_is_dropped_is_gone() -> None:
    tree = Tree()
    tree.put(("interfaces", "interface[name=a]", "state"), {"mtu": 1500, "oper-status": "UP"})
    tree.put(("interfaces", "interface[name=b]", "state", "mtu"), 1)
    tree.put(("interfaces", "interface[name=a]", "state", "mtu"), 9000)
    tree.drop(("interfaces", "interface[name=b]"))
    tree.drop(("lldp", "interface[name=b]", "x"))
    assert tree.json() == {"interfaces": {"interface": [{"name": "a", "state": {"mtu": 9000, "oper-status": "UP"}}]}}


def test_what_is_deeper_than_any_model_is_refused() -> None:
    tree = Tree()
    with pytest.raises(ValueError, match="elements"):
        tree.put(("a",) * (MAX_DEPTH + 1), 1)
    deep: object = 1
    for _ in range(MAX_DEPTH + 1):
        deep = {"a": deep}
    with pytest.raises(ValueError, match="levels"):
        tree.put((), deep)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/interfaces/interface[name=Ethernet1/2]/state/mtu", ["Ethernet1/2"]),
        ("/interfaces/interface[name=*]/state", ["Ethernet1/1", "Ethernet1/2"]),
        ("/interfaces/interface/state", ["Ethernet1/1", "Ethernet1/2"]),
        ("/*/interface[name=Ethernet1/1]", ["Ethernet1/1"]),
        ("/interfaces/interface[name=Ethernet1]/state", []),
        ("/lldp", []),
    ],
)
def test_a_path_selects_the_entries_it_names(path: str, found: list[str]) -> None:
    assert [parts(at[1])[1]["name"] for at, _ in select(TREE, split(path))] == found


def test_a_server_answers_a_get_with_an_update_for_each_entry_and_none_for_nothing() -> None:
    asked = gnmi.path("interfaces", "interface[name=*]", "state")
    answer = serving.get_notification(TREE, gnmi.path(), asked)
    assert answer is not None
    assert [json.loads(u.val.json_ietf_val)["mtu"] for u in answer.update] == [9214, 9214]
    assert gnmi.elems(answer.update[0].path)[1] == "interface[name=Ethernet1/1]"
    assert serving.get_notification(TREE, gnmi.path("lldp"), gnmi.path()) is None


def test_a_server_streams_leaves_and_then_says_that_this_was_all() -> None:
    wanted = gnmi.SubscriptionList(
        subscription=[gnmi.Subscription(path=gnmi.path("interfaces"))], encoding=gnmi.Encoding.PROTO
    )
    *data, last = serving.stream(TREE, wanted, per_message=4)
    assert last.sync_response
    updates = [update for response in data for update in response.update.update]
    assert len(data) == 2
    assert [u.val.WhichOneof("value") for u in updates] == ["string_val", "string_val", "uint_val"] * 2
