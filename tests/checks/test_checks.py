"""Checks as a whole: what a good fabric is told, what a full buffer is told, and rules that no model breaks today."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from netaudit import hardware, platforms
from netaudit.checks import Checked, budget, check, headroom, hosts, platform, remedies, room
from netaudit.checks.design import Design, design
from netaudit.checks.say import counted, folded, megabytes, metres, percent, rate
from netaudit.checks.survey import Held, Load, PortClass
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.expect.headroom import Headroom, formula
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.pipeline_check import _looked_at
from netaudit.platforms import Refused, sonic
from netaudit.state import ABSENT
from netaudit.state.walk import leaves, matches
from tests.intent.example import EXAMPLE, read, small

TODAY = date(2026, 11, 29)
FULL = {
    "rails": "8",
    "units": "{su1: {hosts: 4}, su2: {hosts: 4}, su3: {hosts: 4}, su4: {hosts: 4}}",
    "spine": "{model: nvidia-sn5600, platform: sonic, count: 2, links: 2, speed: 800G}",
    "cables": "{host-leaf: 3m dac, leaf-spine: 300m dr8}",
    "traffic": "{roce: {dscp: [26], priority: 3, lossless: true, share: 40%, ecn: auto},"
    " kv: {dscp: [27], priority: 4, lossless: true, share: 40%, ecn: auto},"
    " control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp]}, default: {share: 20%}}",
}
"""64 links of 800G over 300 m on each spine, two lossless classes."""


def given(folder: Path, **changes: str) -> Design:
    return design(Expected(build(read(folder, small(**changes)))), TODAY)


def example() -> Checked:
    return check(Expected(build(load(EXAMPLE))), TODAY)


def test_the_example_is_refused_nothing_and_warned_only_of_parallel_links() -> None:
    told = [(str(d.severity), d.rule) for d in example().diagnostics]
    assert told == [
        ("warning", "RIB-08"),
        ("info", "HDR-14"),
        ("info", "CAB-07"),
        ("info", "ECN-03"),
        ("info", "HDR-06"),
        ("info", "HDR-14"),
    ]


def test_the_summary_says_what_the_example_is() -> None:
    assert dict(example().facts) == {
        "fabric": "2 planes, 4 rails, 2 units, 8 hosts; 16 leaves, 4 spines; capacity used 2 of 4 units",
        # 16 links of 800G at 40 m on a spine, 410,624 B each: 6,569,984 B of 158,229,504 B
        "lossless": "priority 3, DSCP 26; headroom fits on 20 of 20 devices, fullest: spines, 6.6 MB, "
        "4 % of at most 30 %",
        # 16 leaves with 2 spines × 2 links; a prefix of another leaf has all 4 uplinks as next hops
        "bgp": "64 sessions; every prefix has 4 next hops between leaves; no valley path",
        # 64 cables between leaves and spines, 16 leaves, 4 spines
        "deadlock": "none: no buffers wait in a circle, as designed and with each of 84 single failures; "
        "loops while BGP converges not covered",
        "declared": "5 blind spots",
    }


def test_overrides_are_declared_with_the_day_on_which_the_first_ends(tmp_path: Path) -> None:
    one = '[{where: "a-su1-r1-leaf:1/1", set: {speed: 200G}, reason: CHG-1, until: 2027-01-31}'
    two = ', {where: "a-su1-r1-leaf:1/2", set: {speed: 200G}, reason: CHG-2, until: 2026-12-24}'
    fabric = Expected(build(read(tmp_path, small(overrides=one + "]"))))
    assert check(fabric).facts["declared"] == "5 blind spots, 1 override (ends 2027-01-31)"
    fabric = Expected(build(read(tmp_path, small(overrides=one + two + "]"))))
    assert check(fabric).facts["declared"] == "5 blind spots, 2 overrides (the first ends 2026-12-24)"


def test_a_fabric_without_lossless_class_says_so(tmp_path: Path) -> None:
    traffic = "{roce: {dscp: [26], queue: 3, share: 60%}, default: {share: 40%}}"
    facts = check(Expected(build(read(tmp_path, small(traffic=traffic))))).facts
    assert facts["lossless"] == "no lossless class: nothing is paused, everything may be dropped"


def test_a_single_leaf_has_no_paths_to_speak_of(tmp_path: Path) -> None:
    facts = check(Expected(build(read(tmp_path, small(rails="1"))))).facts
    assert facts["bgp"] == "4 sessions"


def test_devices_without_headroom_do_not_count_as_fitting(tmp_path: Path) -> None:
    cables = "{host-leaf: 3m dac, leaf-spine: 400m dr8}"
    facts = check(Expected(build(read(tmp_path, small(cables=cables))))).facts
    assert facts["lossless"] == "priority 3, DSCP 26; headroom on 0 of 8 devices"


def test_without_a_date_nothing_is_said_of_ends(tmp_path: Path) -> None:
    override = '[{where: "a-su1-r1-leaf:1/1", set: {speed: 200G}, reason: CHG-1, until: 2020-01-01}]'
    fabric = Expected(build(read(tmp_path, small(overrides=override))))
    assert "OVR-04" not in {d.rule for d in check(fabric).diagnostics}
    assert "OVR-04" in {d.rule for d in check(fabric, TODAY).diagnostics}


def test_errors_come_before_warnings_and_these_before_the_rest(tmp_path: Path) -> None:
    checked = check(Expected(build(read(tmp_path, small(**FULL)))), TODAY)
    order = [list(Severity).index(d.severity) for d in checked.diagnostics]
    assert order == sorted(order)
    assert checked.count(Severity.ERROR) == 1


def test_a_full_buffer_shows_what_costs_most_and_what_each_change_gives(tmp_path: Path) -> None:
    (table,) = check(Expected(build(read(tmp_path, small(**FULL)))), TODAY).tables
    assert table == (
        "on a-spine1..2, b-spine1..2: buffer 158.2 MB",
        "headroom published; each group has its own; phi 30 %",
        "",
        "what costs most                                       per class and port      64 ports × 2",
        "cable, 300 m at 800G                                           908,288 B          116.3 MB",
        "frames, response and pipeline, without the cable               289,792 B           37.1 MB",
        "together                                                     1,198,080 B          153.4 MB",
        "other ports                                                                         0.0 MB",
        "reserved beside headroom                                                            5.8 MB",
        "",
        "what would make it fit (each alone)                       needed   of buffer   price",
        "1  leaf-spine at most 40 m                               58.3 MB        37 %   move racks or re-cable",
        "2  headroom: computed, packets: bulk                     64.9 MB        41 %   small frames may drop",
        "3  1 lossless class                                      82.4 MB        52 %   one class may drop",
        "4  no lossless class, ECN alone                           5.8 MB         4 %   "
        "what finds no room is dropped and sent again",
    )


@pytest.mark.parametrize(
    "change",
    [
        {"cables": "{host-leaf: 3m dac, leaf-spine: 40m dr8}"},
        {"buffers": "{shallow: {headroom: computed, packets: bulk}}"},
        {
            "traffic": FULL["traffic"]
            .replace("priority: 4, lossless: true", "queue: 4")
            .replace("ecn: auto}, c", "}, c")
        },
    ],
    ids=["shorter", "bulk", "one-class"],
)
def test_each_change_that_is_offered_does_make_it_fit(change: dict[str, str], tmp_path: Path) -> None:
    checked = check(Expected(build(read(tmp_path, small(**(FULL | change))))), TODAY)
    assert checked.tables == ()
    assert "HDR-05" not in {d.rule for d in checked.diagnostics if d.severity is Severity.ERROR}


def test_the_length_that_is_offered_is_the_longest_that_fits(tmp_path: Path) -> None:
    full = FULL | {"buffers": "{shallow: {headroom: computed}}"}
    found = given(tmp_path, **full)
    offer = next(r for r in remedies.remedies(found, budget.budgets(found)[0]) if "at most" in r.change)
    longest = int(offer.change.split()[-2])
    for length_m, fits in ((longest, True), (longest + 1, False)):
        cables = f"{{host-leaf: 3m dac, leaf-spine: {length_m}m dr8}}"
        tried = given(tmp_path, **(full | {"cables": cables}))
        assert budget.budgets(tried)[0].fits is fits


def test_parts_of_a_buffer_that_are_filled_alike_are_judged_as_one_and_it_is_said(tmp_path: Path) -> None:
    found = given(tmp_path, **FULL)
    halves = tuple(replace(load, model=replace(load.model, itms=2), cages=wired(load, {})) for load in found.loads)
    (told,) = room.fit(replace(found, loads=halves))
    assert "(101 %), each of its 2 parts alike; 64 × leaf-spine" in told.message


def wired(load: Load, parts: dict[int, int]) -> dict[Held, int]:
    """The cages of a load, so many of them in each part of the buffer; of none it is known where the map is empty."""
    if not parts:
        return {(None, inside): n for (_, inside), n in load.cages.items()}
    left, result = dict(parts), {}
    for (_, inside), count in load.cages.items():
        for part, room_left in left.items():
            taken = min(count, room_left)
            left[part], count = room_left - taken, count - taken
            if taken:
                result[part, inside] = taken
    return result


@pytest.mark.parametrize(
    ("parts", "severity", "words"),
    [
        # 64 × 1,198,080 B of 86,634,320 B in each half: half of the ports are 44 %, three quarters 66 %
        ({0: 32, 1: 32}, "warning", "(44 %): above 30 % little is left for bursts"),
        ({0: 48, 1: 16}, "warning", "(66 %): above 30 %"),
        # and all of them 89 %, with the reserves of the half 92 %
        ({0: 64}, "warning", "(89 %)"),
    ],
)
def test_a_part_of_the_buffer_is_judged_by_the_ports_that_use_it(
    parts: dict[int, int], severity: str, words: str, tmp_path: Path
) -> None:
    one = FULL | {"traffic": "{roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto},"
                             " control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp]},"
                             " default: {share: 40%}}"}  # fmt: skip
    found = given(tmp_path, **one)
    spines = [
        replace(load, model=replace(load.model, itms=2, buffer_bytes=173_268_640), cages=wired(load, parts))
        for load in found.loads
        if load.role == "spine"
    ]
    (told,) = room.fit(replace(found, loads=tuple(spines)))
    assert (str(told.severity), told.rule) == (severity, "HDR-05")
    assert words in told.message
    assert "86.6 MB in one of the 2 parts of the buffer" in told.message


@pytest.mark.parametrize(("ports", "crowded"), [(32, True), (20, False)])
def test_what_fits_the_chip_and_perhaps_no_part_of_it_is_told(ports: int, crowded: bool, tmp_path: Path) -> None:
    found = given(tmp_path, **FULL)
    # 32 ports × 2 classes × 1,198,080 B are 76.7 MB, and 32 of 64 cages may all use a half of 75 MB; 20 need 47.9 MB
    spine = next(load for load in found.loads if load.role == "spine")
    ((_, inside),) = spine.cages
    half = replace(
        spine,
        model=replace(spine.model, itms=2, buffer_bytes=150_000_000),
        ports=dict.fromkeys(spine.ports, ports),
        cages={(None, inside): ports},
    )
    (told,) = room.fit(replace(found, loads=(half,)))
    assert told.severity is Severity.WARNING
    assert ("if the dearest cages use the same" in told.message) is crowded
    assert ("(51 %), and 102 % of one of 2 parts" in told.message) is crowded
    assert ("taken as one although it is in 2 parts" in told.message) is not crowded


def test_where_no_single_change_is_enough_the_hint_says_so(tmp_path: Path) -> None:
    found = given(tmp_path, **FULL)
    # below the 5.8 MB that a spine of 64 ports keeps beside headroom, and no deep buffer has 64 ports of 800G
    tiny = tuple(replace(load, model=replace(load.model, buffer_bytes=4_000_000)) for load in found.loads)
    hints = {told.hint for told in room.fit(replace(found, loads=tiny))}
    assert "no single change of the intent is enough: fewer lossless ports a switch, or deeper buffers" in hints


def changed(found: Design, change: Callable[[Headroom], Headroom]) -> Design:
    """The design with other numbers in each lossless profile."""

    def other(kind: PortClass) -> PortClass:
        assert isinstance(kind.headroom, Headroom)
        return replace(kind, headroom=change(kind.headroom))

    return replace(found, classes={other(kind): members for kind, members in found.classes.items()})


@pytest.mark.parametrize(
    ("missing", "severity", "words"),
    [
        # the row 5 m at 400G has 231,424 B; 3 m need 228,352 B with the smallest packets
        (3_072, None, ""),
        (3_073, "warning", "has 228,351 B of headroom, 1 B less than 3 m need with the smallest packets"),
        (200_000, "error", "less than 3 m need even with large packets"),
    ],
)
def test_a_published_row_is_held_to_the_formula(missing: int, severity: str | None, words: str, tmp_path: Path) -> None:
    found = changed(given(tmp_path), lambda h: replace(h, xoff_bytes=h.xoff_bytes - missing))
    told = [d for d in headroom.published(found) if d.message.startswith("host-leaf at 400G")]
    assert [str(d.severity) for d in told] == ([severity] if severity else [])
    assert all(words in d.message and d.rule == "HDR-03" for d in told)


@pytest.mark.parametrize(
    ("length_m", "classes", "allowed"),
    # headroom.md 4.2: 800G on Spectrum-4 with small packets takes 440 m with one lossless class, 180 m with two
    [(440, 1, True), (460, 1, False), (180, 2, True), (200, 2, False)],
)
def test_a_port_takes_no_more_of_the_shared_headroom_than_sonic_lets_it(
    length_m: int, classes: int, allowed: bool
) -> None:
    model = hardware.switch("nvidia-sn5600")
    computed = formula(model, 800_000, length_m, 8, 9216, bulk=False)
    shared = Headroom(
        profile="x",
        cable_length_m=length_m,
        real_length_m=length_m,
        size_bytes=computed.xon_bytes,
        xon_bytes=computed.xon_bytes,
        xoff_bytes=computed.xoff_bytes,
        xon_offset_bytes=None,
        alpha=Fraction(1),
        source="",
        terms=(),
        dedicated=False,
    )
    assert (headroom.over_cap(model, 8, shared, classes) is None) is allowed
    assert headroom.over_cap(model, 8, replace(shared, dedicated=True), 8) is None


def test_a_port_beyond_the_cap_is_told_where_its_length_is_written(tmp_path: Path) -> None:
    found = given(tmp_path, cables="{host-leaf: 3m dac, leaf-spine: 40m dr8}")
    assert list(headroom.caps(found)) == []
    beyond = changed(found, lambda h: replace(h, dedicated=False, size_bytes=h.xon_bytes, xoff_bytes=1_600_000))
    told = list(headroom.caps(beyond))
    assert {d.rule for d in told} == {"HDR-07"}
    assert (
        "take 1,600,000 B of the shared headroom pool, and nvidia-sn5600 lets it take 1,580,544 B" in told[-1].message
    )
    assert all(d.source is not None and d.source.line == 9 for d in told)


def test_a_nic_in_a_slower_slot_is_refused_what_its_slot_does_not_carry() -> None:
    # a ConnectX-8 in a Gen5 x16 slot: 504,123 Mb/s (hardware data, NIC cx7)
    card = replace(hardware.nic("cx8"), pcie_generation=5, pcie_mbps=504_123)
    ((rule, path, message, hint),) = hosts.refused(card, 2, 400_000)
    assert (rule, path) == ("NIC-04", "hosts.speed")
    assert message == "2 × 400G do not pass PCIe Gen5 x16 of NVIDIA ConnectX-8: it carries 504 Gb/s"
    assert hint == "hosts: {nic: cx8} or hosts: {speed: 200G}"
    assert list(hosts.refused(card, 2, 200_000)) == []


ASKED: tuple[tuple[str, dict[str, object]], ...] = (
    ("bgp", {"bfd": True}),
    ("load_balancing", {"mode": "dlb"}),
    ("load_balancing", {"hash": ("five-tuple", "queue-pair")}),
    ("load_balancing", {"mode": "scheduled"}),
)
"""For each row the section and what it asks for. The loader refuses some until `later.py` lets them through."""


@pytest.mark.parametrize(("row", "asked"), list(zip((*sonic.REFUSED, *platform.NOWHERE), ASKED, strict=True)))
def test_what_sonic_cannot_do_is_refused_with_what_to_write_instead(
    row: Refused, asked: tuple[str, dict[str, object]], tmp_path: Path
) -> None:
    found = given(tmp_path)
    assert list(platform.refused(found)) == []
    section, values = asked
    model = found.model.model_copy(update={section: getattr(found.model, section).model_copy(update=values)})
    asking = replace(found.fabric, intent=replace(found.intent, model=model))
    (told,) = platform.refused(replace(found, expected=Expected(asking)))
    assert (told.rule, told.severity, told.message, told.hint) == ("PLT-01", Severity.ERROR, row.message, row.hint)


@pytest.mark.parametrize("nos", platforms.names())
def test_what_a_nos_has_no_place_for_is_a_warning_with_the_line_that_asks_for_it(tmp_path: Path, nos: str) -> None:
    """Only where it is asked for: a leaf that is not set, or must not be there, is missed by nobody. Nor is one for
    which the chip at hand has a place, where others have none."""
    found = with_nos(given(tmp_path), nos)
    told = list(platform.unsupported(found))
    gaps = platforms.platform(nos).UNSUPPORTED
    wanted = (leaf for name in found.fabric.devices for leaf in leaves(found.expected.intended(name)))
    set_ = [path for path, value in wanted if is_set(value)]
    device = found.expected.device
    held = [path for name in found.fabric.devices for path, value in leaves(device(name)) if is_set(value)]
    asked_for = {pattern for pattern in gaps if any(matches(pattern, path) for path in set_)}
    asked_for -= {pattern for pattern in asked_for if any(matches(pattern, path) for path in held)}
    assert {d.message.split(" has no place for ")[1].split(",")[0] for d in told} == asked_for
    assert all((d.rule, d.severity) == ("PLT-02", Severity.WARNING) for d in told)


def is_set(value: object) -> bool:
    return value not in (None, ABSENT, False) and value != {} and value != frozenset() and value != ()


def with_nos(found: Design, nos: str) -> Design:
    """The same fabric with that NOS on every switch."""
    model = found.model
    update = {name: getattr(model, name).model_copy(update={"platform": nos}) for name in ("leaf", "spine")}
    return design(Expected(build(replace(found.intent, model=model.model_copy(update=update)))))


def test_equal_devices_are_counted_once_whatever_the_size_of_the_fabric(tmp_path: Path) -> None:
    found = given(tmp_path, units="{su1: {hosts: 8}, su2: {hosts: 8}}")
    # leaves are alike and spines are alike; a class for each end of the two kinds of cables, less the hosts' own
    assert [(load.role, len(load.devices)) for load in found.loads] == [("leaf", 8), ("spine", 4)]
    assert sorted((kind.role, kind.kind, m.count) for kind, m in found.classes.items()) == [
        ("leaf", "host-leaf", 64),
        ("leaf", "leaf-spine", 16),
        ("spine", "leaf-spine", 16),
    ]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a-spine1"], "a-spine1"),
        ([f"a-spine{n}" for n in range(1, 17)] + [f"b-spine{n}" for n in range(1, 17)], "a-spine1..16, b-spine1..16"),
        ([f"a-su3-r{n}-leaf" for n in range(1, 9)], "a-su3-r1..r8-leaf"),
        (["a-su1-r1-leaf", "a-su1-r2-leaf", "a-su2-r1-leaf", "a-su2-r2-leaf"], "a-su1-r1..r2-leaf, a-su2-r1..r2-leaf"),
        (["leaf1", "leaf3", "leaf4"], "leaf1, leaf3..4"),
        (["tokyo", "osaka", "kyoto", "nara", "kobe", "sapporo"], "tokyo, osaka, kyoto, nara and 2 more"),
        (["1", "2"], "1..2"),
        (["a", "a1", "a1-2"], "a, a1, a1-2"),
        ([], ""),
    ],
)
def test_names_that_count_up_are_folded(names: list[str], text: str) -> None:
    assert folded(names) == text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (rate(400_000), "400G"),
        (rate(2_500), "2500M"),
        (metres(3.0), "3 m"),
        (metres(31.5), "31.5 m"),
        (metres(2_000), "2,000 m"),
        (metres(40_000), "40,000 m"),
        (megabytes(158_229_504), "158.2 MB"),
        (megabytes(26_000_000_000), "26,000 MB"),
        (percent(Fraction(0)), "0 %"),
        (percent(Fraction(1, 1000)), "below 1 %"),
        (percent(Fraction(1, 3)), "33 %"),
        (counted(1, "unit"), "1 unit"),
        (counted(2_048, "session"), "2,048 sessions"),
    ],
)
def test_numbers_read_as_the_design_says(said: str, text: str) -> None:
    assert said == text


@pytest.mark.parametrize("size", [1, 2])
def test_work_grows_with_ports_and_not_faster(size: int, tmp_path: Path) -> None:
    """The classes of a fabric do not grow with it: what is said twice is the same."""
    units = {n: f"su{n}: {{hosts: 4}}" for n in range(1, 4 * size + 1)}
    found: Any = given(tmp_path, units="{" + ", ".join(units.values()) + "}")
    assert len(found.classes) == 3
    assert sum(len(load.devices) for load in found.loads) == 4 * (4 * size + 1)


def test_of_a_large_fabric_the_files_of_one_switch_of_each_kind_are_looked_at(tmp_path: Path) -> None:
    snippet = tmp_path / "line.cfg"
    snippet.write_text("ip nht resolve-via-default\n", encoding="utf-8")
    raw = f'[{{where: "a-su1-r2-leaf", file: {snippet.name}, owner: noc, reason: CHG-1}}]'
    text = small(units="{su1: {hosts: 2}, su2: {hosts: 2}}", raw=raw, rails="2")
    looked_at = set(_looked_at(Expected(build(read(tmp_path, text)))))

    # a leaf of each unit, the one with a line of its own, a spine: planes and rails differ in numbers only
    assert looked_at == {"a-su1-r1-leaf", "a-su1-r2-leaf", "a-su2-r1-leaf", "a-spine1"}


def test_a_nos_on_a_box_of_another_maker_is_a_warning_once_a_model(tmp_path: Path) -> None:
    found = list(platform.foreign(with_nos(given(tmp_path), "junos")))
    assert [(d.rule, d.severity) for d in found] == [("PLT-06", Severity.WARNING)]
    assert found[0].message == "nvidia-sn5600 is a box of NVIDIA: no source says that junos runs on it"
    assert list(platform.foreign(given(tmp_path))) == []


def test_a_number_that_a_nos_holds_as_another_one_is_told_with_the_reason(tmp_path: Path) -> None:
    told = [d for d in platform.rounded(with_nos(given(tmp_path), "junos")) if ".mtu_bytes" in d.message]
    assert [(d.rule, d.severity) for d in told] == [("PLT-07", Severity.INFO)]
    assert " is 9216, and junos holds 9202: " in told[0].message
    assert list(platform.rounded(given(tmp_path))) == []
