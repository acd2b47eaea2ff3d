"""What a person reads of a plan and of a push, as golden texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netaudit.platforms import Impact
from netaudit.push.plan import DevicePlan, Status, make_plan
from netaudit.push.report import folded, plan_lines, push_lines
from netaudit.push.result import Outcome, PushResult, Word
from netaudit.push.waves import waves
from netaudit.terminal import Style
from push.box import leaf, spine

STYLE = Style()
BUFFERS = (
    *(f"BUFFER_PG|Ethernet{port}|3 profile  pg_40m → pg_300m" for port in range(256, 512, 8)),
    *(f"CABLE_LENGTH|AZURE Ethernet{port}  40m → 300m" for port in range(256, 512, 8)),
)


def device(name: str, rail: int, diff: tuple[str, ...], impact: Impact) -> DevicePlan:
    place = leaf("a", "su3", rail) if rail else spine("a", 9)
    return DevicePlan(
        name=name,
        platform="sonic",
        place=place,
        status=Status.CHANGE,
        files={},
        candidate_sha256=name,
        diff=diff,
        impact=impact,
    )


LEAVES = [device(f"a-su3-r{r}-leaf", r, BUFFERS, Impact.DRAIN) for r in (1, 2, 3, 4, 6, 7, 8)]
REFUSED = replace(
    LEAVES[0],
    name="a-su3-r5-leaf",
    status=Status.REFUSED,
    reason="serial FX0077 on the device, FX0057 in the inventory: is this the right box?",
)
UNREAD = replace(
    LEAVES[0], name="a-su4-r1-leaf", status=Status.UNREAD, reason="gNMI TCP: 198.51.100.7:8080 gave no answer in 10 s"
)
SPINES = [
    device("a-spine8", 0, ("frr.conf + router bgp 4200100008", "frr.conf + network fd00:ff::8/128"), Impact.RESET),
    device("a-spine9", 0, ("frr.conf + router bgp 4200100009", "frr.conf + network fd00:ff::9/128"), Impact.RESET),
]
LONG = device("a-su1-r1-leaf", 1, tuple(f"LLDP_PORT|{'x' * n} enabled  – → true" for n in range(1, 15)), Impact.NONE)
PLAN = make_plan("tokyo-gpu1", "", [*LEAVES, REFUSED, UNREAD, *SPINES, LONG])
PLANS = {
    "mixed": (PLAN, False),
    "full": (PLAN, True),
    "nothing": (make_plan("f", "", [replace(LEAVES[0], status=Status.NONE)]), False),
    "only unread": (make_plan("f", "", [UNREAD]), False),
    "hostile": (make_plan("f", "", [device("a\x1b[31m", 1, ("x\x1b]0;y\x07  a → \u202eb",), Impact.NONE)]), False),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_reads_like_this(golden, name: str) -> None:
    plan, full = PLANS[name]
    lines = plan_lines(plan, "plan.json", STYLE, full=full)
    golden(f"push/plan-{name.replace(' ', '-')}.txt", "".join(f"{line}\n" for line in lines))


NAMES = [d.name for d in PLAN.changes]


def result(words: dict[Word, tuple[list[str], str]], **rest: object) -> PushResult:
    outcomes = {n: Outcome(word=w, reason=reason) for w, (names, reason) in words.items() for n in names}
    return PushResult(
        run="2026-11-23-01",
        outcomes=outcomes,
        waves=waves(PLAN.changes),
        took_s=1082.0,
        log="runs/2026-11-23-01.log",
        **rest,
    )


GATE = "wave 3: gate: drops on priority 3: 17 on a-su3-r3-leaf:41 in 60 s, allowed 0"
LOST = "load: path: no answer in 600 s; undoing failed: TCP: 198.51.100.57:22 gave no answer in 10 s"
RESULTS = {
    "done": result({Word.DONE: (NAMES, "")}),
    "undone": result({Word.UNDONE: (NAMES[:5], GATE), Word.UNTOUCHED: (NAMES[5:], "")}, stopped=GATE, stopped_in=3),
    "stopped": result(
        {
            Word.DONE: (NAMES[:2], ""),
            Word.UNDONE: (NAMES[2:3], "save: exit code 1: disk full"),
            Word.UNTOUCHED: (NAMES[3:], ""),
        },
        stopped=f"wave 3: {NAMES[2]}: save: exit code 1: disk full",
        stopped_in=3,
    ),
    "unknown": result(
        {Word.UNDONE: (NAMES[:4], GATE), Word.UNKNOWN: (NAMES[4:5], LOST), Word.UNTOUCHED: (NAMES[5:], "")},
        stopped=GATE,
        stopped_in=3,
    ),
    "stale": result(
        {Word.UNTOUCHED: (NAMES[:1], "its running configuration was changed after the plan was made")}
        | {Word.UNTOUCHED: (NAMES, "its running configuration was changed after the plan was made")},
        stopped="the plan no longer fits 10 devices, nothing was touched",
        stale=True,
    ),
    "interrupted": result(
        {Word.DONE: (NAMES[:2], ""), Word.UNTOUCHED: (NAMES[2:], "")}, stopped="interrupted", interrupted=True
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_push_reads_like_this(golden, name: str) -> None:
    lines = push_lines(RESULTS[name], "plan.json", STYLE)
    golden(f"push/push-{name}.txt", "".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("name", RESULTS)
def test_the_four_words_add_up_to_the_devices_of_the_plan(name: str) -> None:
    one = RESULTS[name]
    assert sum(map(len, (one.done, one.undone, one.untouched, one.unknown))) == len(one.outcomes)


def test_exit_codes() -> None:
    codes = {name: one.exit_code for name, one in RESULTS.items()}
    assert codes == {"done": 0, "undone": 2, "stopped": 2, "unknown": 3, "stale": 4, "interrupted": 130}


def test_nothing_of_a_device_can_move_the_cursor_or_turn_the_text() -> None:
    shown = "\n".join(plan_lines(*PLANS["hostile"][:1], "plan.json", STYLE))
    assert not set(shown) & {"\x1b", "\x07", "\u202e"}


def test_without_unicode_everything_is_ascii() -> None:
    assert "\n".join(plan_lines(PLAN, "plan.json", Style(unicode=False))).isascii()
    assert "\n".join(push_lines(RESULTS["unknown"], "plan.json", Style(unicode=False))).isascii()


def test_rows_that_say_the_same_are_folded_and_others_are_not() -> None:
    lines = ("A|1 x  1 → 2", "A|9 x  1 → 3", "A|2 x  1 → 2", "B|1  removed", "frr.conf + a 1", "frr.conf + a 2")
    assert folded(lines) == ("A|1..2 x (2)  1 → 2", "A|9 x  1 → 3", "B|1  removed", "frr.conf + a 1", "frr.conf + a 2")
