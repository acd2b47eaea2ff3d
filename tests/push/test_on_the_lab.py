"""SONiC pushed to on simulated switches: real gRPC, real SSH, the platform's own steps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from lab.sim.example import LEAVES, SPINES, config, frr_conf, write

from netaudit.collect.read import collect_device, silence
from netaudit.collect.targets import Target, load_targets
from netaudit.lab import control
from netaudit.nornir.hosts import each_host
from netaudit.platforms import Impact, Miss, platform
from netaudit.push.apply import Means, push
from netaudit.push.device import Times
from netaudit.push.plan import Plan, Status, Wanted, make_plan
from netaudit.push.preview import preview
from netaudit.push.result import PushResult, Word
from netaudit.push.run import load_run
from push.box import leaf, spine

pytestmark = pytest.mark.lab

SONIC = platform("sonic")
NAMES = (*LEAVES, *SPINES)
PLACES = {"leaf1": leaf("a", "su1", 1), "leaf2": leaf("a", "su1", 2), "spine1": spine("a", 1), "spine2": spine("a", 2)}
OWNS = ("ports", "addressing", "bgp", "qos", "lldp")  # buffers are the switch's own in this lab
Database = dict[str, dict[str, dict[str, str]]]
Change = Callable[[str, Database, str], str]
"""(device, its CONFIG_DB, its frr.conf) → the new frr.conf; the database is changed in place."""


@dataclass
class Lab:
    folder: Path
    targets: Mapping[str, Target]

    def plan(self, change: Change) -> Plan:
        return self.plan_of([self.wanted(name, change) for name in NAMES])

    def plan_of(self, wanted: list[Wanted]) -> Plan:
        return make_plan("small", "", [preview(w, self.targets[w.name], timeout_s=10) for w in wanted])

    @staticmethod
    def wanted(name: str, change: Change) -> Wanted:
        database = config(name)
        routing = change(name, database, frr_conf(name))
        files = {"config_db.json": json.dumps(database), "frr.conf": routing}
        return Wanted(name=name, platform="sonic", place=PLACES[name], files=files, owns=OWNS, serial=f"MT{name}")

    def push(self, plan: Plan) -> PushResult:
        means = Means(targets=self.targets, each_host=each_host, times=Times(answer_s=10, settle_s=3))
        return push(plan, means, runs=self.folder / "runs")

    def saved(self, name: str) -> Database:
        text = (self.folder / "lab" / "devices" / name / "etc" / "sonic" / "config_db.json").read_text()
        found: Database = json.loads(text)
        return found

    def left(self, name: str) -> list[str]:
        box = self.folder / "lab" / "devices" / name
        return [str(f.relative_to(box)) for f in box.rglob("*netaudit*")]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    folder = tmp_path / "lab"
    folder.mkdir()
    targets = load_targets(control.up(write(folder)), dict.fromkeys(NAMES, "sonic"))
    try:
        yield Lab(tmp_path, targets)
    finally:
        control.down(folder)


def nothing(name: str, database: Database, routing: str) -> str:
    return routing


def described(name: str, database: Database, routing: str) -> str:
    """Small enough for a patch."""
    database["PORT"]["Ethernet56"]["description"] = "to the spine"
    return routing


def polled(name: str, database: Database, routing: str) -> str:
    """What GCU refuses, so that it goes by reload; and a line of FRR."""
    database["PFC_WD"]["GLOBAL"]["POLL_INTERVAL"] = "100"
    database["PFC_WD"]["Ethernet56"] = {"action": "drop", "detection_time": "200", "restoration_time": "400"}
    return routing.replace("maximum-paths 64", "maximum-paths 32")


def misspelled(name: str, database: Database, routing: str) -> str:
    described(name, database, routing)
    return routing.replace("router bgp", "rooter bgp") if name == "leaf2" else routing


def test_everything_sonic_asks_is_answered(lab: Lab) -> None:
    for name, answers in each_host(lab.targets, lambda target: collect_device(SONIC.QUERIES, target, 10)):
        assert silence(answers) is None, name
        assert [a.reason for a in answers.values() if a.miss is Miss.FAILED] == []


def test_a_switch_as_it_should_be_has_nothing_to_change(lab: Lab) -> None:
    plan = lab.plan(nothing)
    assert {d.status for d in plan.devices} == {Status.NONE}, [d.diff for d in plan.changes]


def test_a_small_change_goes_by_patch_is_read_back_saved_and_leaves_nothing_on_the_box(lab: Lab) -> None:
    plan = lab.plan(described)
    assert {d.impact for d in plan.changes} == {Impact.NONE}
    assert "apply patch" in plan.changes[0].steps
    result = lab.push(plan)
    assert {o.word for o in result.outcomes.values()} == {Word.DONE}
    for name in NAMES:
        assert lab.saved(name)["PORT"]["Ethernet56"]["description"] == "to the spine"
        assert lab.left(name) == []
    assert lab.plan(described).changes == ()


def test_a_change_that_cannot_be_patched_goes_by_reload_and_comes_back_by_rollback(lab: Lab) -> None:
    plan = lab.plan(polled)
    assert {d.impact for d in plan.changes} == {Impact.DRAIN}
    result = lab.push(plan)
    assert result.exit_code == 0, result
    past = load_run(lab.folder / "runs", result.run)
    back = lab.push(lab.plan_of([past.wanted(name) for name in past.to_take_back]))
    assert back.exit_code == 0, back
    assert len(back.done) == len(NAMES)
    assert lab.plan(nothing).changes == ()


def test_frr_text_that_does_not_parse_is_refused_by_the_box_before_anything_is_touched(lab: Lab) -> None:
    result = lab.push(lab.plan(misspelled))
    assert result.exit_code == 2
    assert list(result.untouched) == ["leaf2"]
    assert "check frr.conf: exit code 2: line " in result.untouched["leaf2"]
    assert "description" not in lab.saved("leaf2")["PORT"]["Ethernet56"]
    assert lab.left("leaf2") == []


def test_the_wrong_box_is_refused(lab: Lab) -> None:
    swapped = dict(lab.targets, leaf1=lab.targets["leaf2"])
    plan = preview(lab.wanted("leaf1", described), swapped["leaf1"], timeout_s=10)
    assert plan.status is Status.REFUSED
    assert plan.reason == "serial MTleaf2 on the device, MTleaf1 in the inventory: is this the right box?"


def test_an_unreachable_switch_is_unread_and_the_plan_incomplete(lab: Lab) -> None:
    control.break_(lab.folder / "lab", "unreachable", ["spine1"])
    plan = lab.plan(described)
    assert plan.exit_code() == 3
    assert [(d.name, d.status) for d in plan.blocked] == [("spine1", Status.UNREAD)]
    assert "gNMI TCP: " in plan.blocked[0].reason
    assert "SSH TCP: " in plan.blocked[0].reason


def test_a_switch_lost_after_the_plan_stops_the_push_before_anything_is_touched(lab: Lab) -> None:
    plan = lab.plan(described)
    control.break_(lab.folder / "lab", "unreachable", ["spine1"])
    result = lab.push(plan)
    assert {o.word for o in result.outcomes.values()} == {Word.UNTOUCHED}
    assert result.exit_code == 2
    assert result.stopped == "the plan cannot be checked on 1 device, nothing was touched"
