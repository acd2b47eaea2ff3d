"""`show explain`: one value from the line of the intent to the line on the device, whichever value it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from netaudit.cli.show import fields
from netaudit.cli.show.explain import Explained, explain, explain_data, explained, overview
from netaudit.cli.show.explain_text import explain_page, overview_page
from netaudit.cli.show.page import dump
from netaudit.cli.show.target import Target, target
from netaudit.diag import Invalid
from netaudit.expect import Expected
from netaudit.render import render
from netaudit.state import ABSENT, Store
from netaudit.state.walk import Path as LeafPath
from netaudit.state.walk import dotted
from tests.cli.showing import FULL, VIEW, example, fabric
from tests.conftest import Golden

EXAMPLE = example()


def page(expected: Expected, where: str, field: str) -> str:
    return explain_page(explain(expected, target(expected, where), field), VIEW)


def told(expected: Expected, where: str, field: str) -> Explained:
    return explain(expected, target(expected, where), field)


def refused(expected: Expected, where: str, field: str) -> tuple[str, str]:
    with pytest.raises(Invalid) as error:
        explain(expected, target(expected, where), field)
    (only,) = error.value.diagnostics
    return only.message, only.hint


@pytest.mark.parametrize(
    ("where", "field"),
    [
        ("a-su1-r1-leaf:1/1", "mtu"),
        ("a-su1-r1-leaf:64", "speed"),
        ("a-su1-r1-leaf:64", "cable.length"),
        ("a-su1-r1-leaf:64", "xoff"),
        ("a-su1-r1-leaf:64", "kmin"),
        ("a-su1-r1-leaf:64", "session"),
        ("a-su1-r1-leaf:1/1", "autoneg"),
        ("b-su2-r4-leaf", "asn"),
        ("b-spine2", "loopback"),
        ("a-su1-r1-leaf", "hwsku"),
        ("a-su1-r1-leaf", "hold"),
    ],
)
def test_a_value_is_shown_from_the_intent_to_the_device(where: str, field: str, golden: Golden) -> None:
    name = f"{where}-{field}".replace(":", "_").replace("/", "-")
    golden(f"show/explain/{name}.txt", page(EXAMPLE, where, field))


def test_the_json_has_all_that_the_page_has(golden: Golden) -> None:
    golden("show/explain/mtu.json", dump(explain_data(told(EXAMPLE, "a-su1-r1-leaf:1/1", "mtu"))))


def test_without_a_field_the_fields_are_listed(golden: Golden) -> None:
    at = target(EXAMPLE, "a-su1-r1-leaf:64")
    golden("show/explain/overview.txt", overview_page(EXAMPLE, at, FULL))
    listed = overview(EXAMPLE, at)["fields"]
    assert isinstance(listed, dict)
    assert listed["ports.64.mtu_bytes"] == 9216


# ── every leaf ────────────────────────────────────────────────────────────────────────────────────────────────────


def of_each_kind(name: str) -> Iterator[Target]:
    """The device itself, and one port of each kind and speed: the others differ in their numbers only."""
    yield Target(device=name)
    kinds: dict[tuple[str, int], str] = {}
    for key, port in EXAMPLE.built.ports(name).items():
        kinds.setdefault((port.kind, port.speed_mbps), key)
    yield from (Target(device=name, port=key) for key in kinds.values())


@pytest.mark.parametrize("name", ["a-su1-r1-leaf", "a-spine1"])
def test_every_leaf_is_explained_down_to_the_line_that_holds_it(name: str) -> None:
    device = EXAMPLE.device(name)
    files = render(device)
    unwritten: dict[str, str] = {}
    for at in of_each_kind(name):
        for path in fields.here(device, at):
            found = explained(EXAMPLE, device, at, path, dotted(path), files)
            assert explain_page(found, VIEW).splitlines()[-1].startswith("Next: ")
            assert f'"path": "{dotted(path)}"' in dump(explain_data(found))
            if not found.rendered.lines and is_configured(found):
                unwritten[dotted(path)] = found.rendered.reason
            assert all(line.text in files[line.file].replace("\n", " ") or line.place for line in found.rendered.lines)
    allowed = {path for path, value in values(device, unwritten) if value in (None, ABSENT, frozenset(), False, {})}
    defaults = {path for path, why in unwritten.items() if why.startswith("what the platform does")}
    assert set(unwritten) - allowed - defaults == set()
    assert {path.rpartition(".")[2] for path in defaults - allowed} == {"vrf", "keepalive_s", "hold_s"}


def is_configured(found: Explained) -> bool:
    return any(asked.store is Store.RUNNING for asked in found.asked)


def values(device: object, paths: dict[str, str]) -> Iterator[tuple[str, object]]:
    for path in paths:
        node = device
        for part in split(path):
            node = fields.step(node, part)[0]
        yield path, node


def split(path: str) -> LeafPath:
    return tuple(path.split("."))


def test_every_leaf_that_a_store_holds_names_its_query_and_its_rule() -> None:
    device = EXAMPLE.device("a-su1-r1-leaf")
    files = render(device)
    for at in of_each_kind("a-su1-r1-leaf"):
        for path in fields.here(device, at):
            found = explained(EXAMPLE, device, at, path, dotted(path), files)
            assert found.asked, dotted(path)
            assert all(asked.query for asked in found.asked), dotted(path)
            assert found.rule is not None


def test_every_word_means_a_leaf_of_a_cabled_port_or_of_a_device() -> None:
    uplink = target(EXAMPLE, "a-su1-r1-leaf:64")
    for word in (*fields.PORT_WORDS, *fields.DEVICE_WORDS):
        if word != "address":  # an unnumbered link has none
            assert explain(EXAMPLE, uplink, word).value is not None, word
    assert told(EXAMPLE, "a-su1-r1-leaf:1/1", "address").said == "10.0.0.0/31"


def test_a_leaf_is_found_by_its_path_its_name_and_the_path_of_the_intent() -> None:
    for field in ("ports.64.mtu_bytes", "mtu_bytes", "mtu.port", "mtu"):
        assert told(EXAMPLE, "a-su1-r1-leaf:64", field).path == ("ports", "64", "mtu_bytes")
    assert told(EXAMPLE, "a-su1-r1-leaf", "qos.wred.ROCE-400G.ecn").value is True


# ── the levels ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_override_wins_and_says_why_and_until_when(tmp_path: Path) -> None:
    where = "a-su1-r1-leaf:1/1"
    change = f'[{{where: "{where}", set: {{speed: 200G}}, reason: CHG-1, until: 2027-01-31}}]'
    found = told(fabric(tmp_path, overrides=change), where, "speed")
    assert found.said == "200G"
    assert [(level.name, level.value) for level in found.levels if level.value] == [
        ("fabric", "400G"),
        ("override", "200G"),
    ]
    assert found.winner is not None
    assert found.winner.note == "CHG-1, until 2027-01-31"
    shown = explain_page(found, VIEW)
    assert shown.startswith(f"● speed is 200G on {where}, set by an override (CHG-1, until 2027-01-31)")
    assert shown.endswith("Next: nothing to do. Without the override it is 400G.\n")


def test_of_two_overrides_the_later_wins_and_both_are_listed(tmp_path: Path) -> None:
    both = '[{where: "role=leaf", set: {mtu: 9000}, reason: one}, {where: "rail=1", set: {mtu: 4200}, reason: two}]'
    found = told(fabric(tmp_path, overrides=both), "a-su1-r1-leaf:64", "mtu")
    assert [(level.value, level.wins) for level in found.levels if level.name == "override"] == [
        ("9000", False),
        ("4200", True),
    ]
    assert found.value == 4200


def test_the_speed_of_a_link_follows_an_override_of_its_far_end(tmp_path: Path) -> None:
    change = '[{where: "a-spine1:1", set: {speed: 400G}, reason: CHG-2}]'
    found = told(fabric(tmp_path, overrides=change), "a-su1-r1-leaf:64", "speed")
    assert found.winner is not None
    assert found.winner.name == "override"
    assert found.far is not None
    assert (found.far.name, found.far.text) == ("a-spine1:1", "400G there too")


def test_an_end_that_differs_from_the_other_says_so(tmp_path: Path) -> None:
    change = '[{where: "a-spine1:1", set: {mtu: 4200}, reason: CHG-2}]'
    found = told(fabric(tmp_path, overrides=change), "a-su1-r1-leaf:64", "mtu")
    assert found.far is not None
    assert (found.said, found.far.text) == ("9,216 B", "4,200 B there")


def test_a_pin_of_devices_csv_stands_above_the_pattern(tmp_path: Path) -> None:
    rows = "place,name,asn,loopback\na/su1/r1,leaf-one,65010,10.9.9.9\n"
    pinned = fabric(tmp_path, devices=rows)
    asn = told(pinned, "leaf-one", "asn")
    assert asn.winner is not None
    assert (asn.winner.name, asn.winner.value) == ("devices.csv", "65010")
    assert asn.winner.where.endswith("devices.csv:2:19, asn")
    assert [level.value for level in asn.levels if level.name == "default"] == ["4200000000"]
    assert asn.derivation is None
    assert told(pinned, "leaf-one", "loopback").winner == told(pinned, "leaf-one", "router.id").winner


def test_what_nobody_says_is_not_managed_and_nothing_wins(tmp_path: Path) -> None:
    found = told(fabric(tmp_path), "a-su1-r1-leaf", "serial")
    assert found.winner is None
    assert found.rendered.lines == ()
    assert page(fabric(tmp_path), "a-su1-r1-leaf", "serial").startswith("● serial is not managed on a-su1-r1-leaf")


def test_a_default_of_the_schema_is_named_as_such(tmp_path: Path) -> None:
    shown = page(fabric(tmp_path), "a-su1-r1-leaf", "hold")
    assert shown.startswith("● hold is 9 s on a-su1-r1-leaf, a default (schema, bgp.hold)")


# ── what cannot be explained ──────────────────────────────────────────────────────────────────────────────────────


def test_an_unknown_field_gets_the_nearest_one() -> None:
    message, hint = refused(EXAMPLE, "a-su1-r1-leaf:64", "mtuu")
    assert message == "a-su1-r1-leaf:64 has no field `mtuu`"
    assert hint == "did you mean `mtu`?"


@pytest.mark.parametrize("field", ["mtu", "fec", "queues", "kmin"])
def test_a_field_of_ports_asks_for_a_port(field: str) -> None:
    message, hint = refused(EXAMPLE, "a-su1-r1-leaf", field)
    assert message == f"`{field}` is of a port, and `a-su1-r1-leaf` names none"
    assert hint == f"for example a-su1-r1-leaf:1/1 {field}"


def test_a_field_that_means_several_leaves_lists_them() -> None:
    message, hint = refused(EXAMPLE, "a-su1-r1-leaf:64", "scheduler")
    assert message == "`scheduler` means 3 fields of a-su1-r1-leaf:64"
    assert hint.startswith("take one of: qos.ports.64.queues.0.scheduler, ")


def test_two_lossless_classes_have_two_thresholds_to_choose_from(tmp_path: Path) -> None:
    two = (
        "{roce: {dscp: [26], priority: 3, lossless: true, share: 30%, ecn: auto},"
        " storage: {dscp: [30], priority: 4, lossless: true, share: 30%, ecn: auto}, default: {share: 40%}}"
    )
    message, hint = refused(fabric(tmp_path, traffic=two), "a-su1-r1-leaf:64", "kmin")
    assert message == "`kmin` means 2 fields of a-su1-r1-leaf:64"
    assert "qos.wred.STORAGE-800G.colours.green.kmin_bytes" in hint


def test_a_spare_port_has_no_headroom_to_explain() -> None:
    assert refused(EXAMPLE, "a-su1-r1-leaf:10", "xoff") == (
        "a-su1-r1-leaf:10 has no `xoff`",
        "a spare port has none",
    )


def test_a_field_of_an_area_that_is_not_ours_says_so(tmp_path: Path) -> None:
    foreign = fabric(tmp_path, owns="[ports, bgp]")
    _, hint = refused(foreign, "a-su1-r1-leaf:64", "pfc")
    assert hint == "its area is not in `owns`: it is left as the device has it"
