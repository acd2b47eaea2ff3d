"""Which length of a cable counts, of all that say one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from intent.example import read, small

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.lengths import Decision, Seen, decide, effects, seen_of
from netaudit.state import Device, Lldp, LldpNeighbor, Store

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
COMPUTED = {"buffers": "{shallow: {headroom: computed}}"}


def fabric(folder: Path, cables: str = "a,b,length\n", **changes: str) -> Expected:
    named = {"cables": "{host-leaf: 3m dac, leaf-spine: 40m dr8, measured: cables.csv}"}
    return Expected(build(read(folder, small(**(COMPUTED | named | changes)), cables=cables)))


def seen(
    plugs: Mapping[str, float] | None = None,
    set_m: Mapping[str, int] | None = None,
    doubts: Mapping[str, str] | None = None,
    elsewhere: Mapping[str, str] | None = None,
) -> Seen:
    return Seen(plugs=plugs or {}, set_m=set_m or {}, doubts=doubts or {}, elsewhere=elsewhere or {})


def changes(decision: Decision) -> list[tuple[str, str, float]]:
    return [(str(c.link.a), str(c.link.b), c.length_m) for c in decision.changes]


def test_a_plug_of_another_length_is_a_change_and_one_that_agrees_is_none(tmp_path: Path) -> None:
    decision = decide(fabric(tmp_path), {LEAF: seen({"1/1": 7.0, "1/2": 3.2})})
    assert changes(decision) == [("su1-h1:r1/a", f"{LEAF}:1/1", 7.0)]
    assert decision.changes[0].told_by == f"the plug at {LEAF}:1/1"
    assert (decision.doubts, decision.told, decision.cables) == ((), 2, 4)


def test_a_cable_between_switches_is_one_change_and_of_two_close_lengths_the_longer_counts(tmp_path: Path) -> None:
    decision = decide(fabric(tmp_path), {LEAF: seen({"64": 60.0}), SPINE: seen({"1": 60.5})})
    assert changes(decision) == [(f"{LEAF}:64", f"{SPINE}:1", 60.5)]
    assert decision.changes[0].told_by == "the plugs at both ends"


def test_plugs_of_one_cable_that_disagree_are_not_taken(tmp_path: Path) -> None:
    decision = decide(fabric(tmp_path), {LEAF: seen({"64": 60.0}), SPINE: seen({"1": 90.0})})
    assert changes(decision) == []
    (doubt,) = decision.doubts
    assert doubt.where == f"{LEAF}:64 – {SPINE}:1"
    assert "60 m at a-su1-r1-leaf:64 and 90 m at a-spine1:1: one cable has one length" in doubt.reason


def test_a_plug_outranks_the_table_and_the_table_outranks_the_class(tmp_path: Path) -> None:
    measured = f"a,b,length\n{LEAF}:64,{SPINE}:1,60m\n"
    expected = fabric(tmp_path, measured)
    assert changes(decide(expected, {LEAF: seen()})) == []
    assert changes(decide(expected, {LEAF: seen({"64": 60.0})})) == []
    assert changes(decide(expected, {LEAF: seen({"64": 40.0})})) == [(f"{LEAF}:64", f"{SPINE}:1", 40.0)]


def test_what_was_refused_is_listed_with_its_port_and_reason(tmp_path: Path) -> None:
    decision = decide(fabric(tmp_path), {LEAF: seen(doubts={"1/1": "its plug tells a length of 'abc'", "30": "spare"})})
    assert [(d.where, d.reason) for d in decision.doubts] == [(f"{LEAF}:1/1", "its plug tells a length of 'abc'")]


def test_another_cable_than_planned_is_to_be_moved_and_not_measured(tmp_path: Path) -> None:
    decision = decide(fabric(tmp_path), {LEAF: seen({"64": 60.0}, elsewhere={"64": "a-spine2:1"})})
    assert changes(decision) == []
    assert "leads to a-spine2:1, not to a-spine1:1: move it first" in decision.doubts[0].reason


def test_a_setting_is_named_and_taken_only_where_it_is_asked_for(tmp_path: Path) -> None:
    expected, set_m = fabric(tmp_path), {LEAF: seen(set_m={"64": 300}), SPINE: seen(set_m={"1": 300})}
    told = decide(expected, set_m)
    assert changes(told) == []
    assert "CABLE_LENGTH is 300 m at a-su1-r1-leaf:64, 300 m at a-spine1:1" in told.doubts[0].reason
    assert "--configured takes it" in told.doubts[0].reason
    taken = decide(expected, set_m, configured=True)
    assert changes(taken) == [(f"{LEAF}:64", f"{SPINE}:1", 300.0)]


def test_a_setting_that_is_what_netaudit_would_push_says_nothing(tmp_path: Path) -> None:
    expected = fabric(tmp_path, buffers="{shallow: {headroom: published}}")
    decision = decide(expected, {LEAF: seen(set_m={"1/1": 5, "64": 40})}, configured=True)
    assert (decision.changes, decision.doubts) == ((), ()), "5 m is the row for 3 m"


def test_settings_that_disagree_are_zero_or_are_outranked_are_not_taken(tmp_path: Path) -> None:
    measured = f"a,b,length\n{LEAF}:64,{SPINE}:1,60m\n"
    disagree = {LEAF: seen(set_m={"64": 300}), SPINE: seen(set_m={"1": 5})}
    decision = decide(fabric(tmp_path), disagree, configured=True)
    assert (changes(decision), "which of them is right?" in decision.doubts[0].reason) == ([], True)
    assert changes(decide(fabric(tmp_path, measured), disagree, configured=True)) == []
    off = decide(fabric(tmp_path), {LEAF: seen(set_m={"64": 0})}, configured=True)
    assert (changes(off), "switches its headroom off" in off.doubts[0].reason) == ([], True)
    plug = {LEAF: seen({"64": 40.0}, set_m={"64": 300})}
    assert changes(decide(fabric(tmp_path), plug, configured=True)) == []


def test_a_link_to_somebody_else_is_corrected_where_it_stands(tmp_path: Path) -> None:
    expected = fabric(
        tmp_path,
        blocks="{border: {id: 1, model: nvidia-sn5600, platform: sonic, count: 1, to: spine, links: 1, speed: 800G,"
        " cable: 40m dr8}}",
        external="{core1: {asn: 64512}}",
        links='[{a: "a-border1:1", b: "core1:e1", speed: 400G, cable: 3m dac}]',
    )
    decision = decide(expected, {"a-border1": seen({"1": 2.0})})
    assert changes(decision) == []
    assert "write 2m dac at " in decision.doubts[0].reason


def test_the_bytes_of_headroom_at_both_ends_are_told(tmp_path: Path) -> None:
    expected = fabric(tmp_path)
    ((_, ports),) = effects(expected, decide(expected, {LEAF: seen({"64": 300.0})}).changes)
    assert [str(effect.end) for effect in ports] == [f"{LEAF}:64", f"{SPINE}:1"]
    # headroom.md section 3, rows 2 and 3: xoff of 800G at 40 and 300 m; xon of an 8-lane port
    assert {(e.before_bytes, e.after_bytes) for e in ports} == {(38_912 + 362_496, 38_912 + 1_150_976)}
    assert {e.made_for_m for e in ports} == {300}


def test_a_length_that_no_row_covers_says_so(tmp_path: Path) -> None:
    expected = fabric(tmp_path, buffers="{shallow: {headroom: published}}")
    ((_, ports),) = effects(expected, decide(expected, {LEAF: seen({"64": 400.0})}).changes)
    assert {e.after_bytes for e in ports} == {None}
    assert all("no row that covers 400 m" in e.refused for e in ports)


def test_lldp_tells_which_cable_is_at_a_port(tmp_path: Path) -> None:
    expected = fabric(tmp_path)

    def elsewhere(system: str, port: str) -> Mapping[str, str]:
        lldp = Lldp(neighbors={"64": LldpNeighbor(system=system, port=port)})
        stores = {Store.STATE: Device(name=LEAF, platform="sonic", lldp=lldp)}
        return seen_of(expected, LEAF, stores, ()).elsewhere

    assert elsewhere("a-spine1", "etp1") == {}
    assert elsewhere("a-spine1", "02:00:00:00:01:02") == {}
    assert elsewhere("stranger", "x") == {}
    assert elsewhere("a-spine2", "etp1") == {"64": "a-spine2:1"}
    assert elsewhere("a-spine1", "etp2") == {"64": "a-spine1:2"}
