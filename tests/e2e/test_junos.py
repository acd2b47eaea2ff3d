"""Fabrics with Junos over real NETCONF, SSH and gNMI: pushed, audited clean, broken; each fault is named once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from napalm import get_network_driver

from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab
from netaudit.platforms import Step, junos
from netaudit.push.device import Ready, Times, change, change_one, get_ready, take_back
from netaudit.push.driver import Driver
from netaudit.push.preview import preview
from netaudit.push.result import Outcome, PushResult, Word
from netaudit.push.run import start_run
from netaudit.push.session import Session

pytestmark = pytest.mark.lab

SMALL = """schema: 1
fabric: {name}
planes: [a]
rails: 2
units: {{su1: {{hosts: 2}}, su2: {{hosts: 2}}}}
hosts: {{nic: cx8, speed: 400G}}
leaf: {{model: nvidia-sn5600, platform: {leaf}}}
spine: {{model: nvidia-sn5600, platform: {spine}, count: 2, links: 2, speed: 800G}}
cables: {{host-leaf: 3m dac, leaf-spine: 40m dr8}}
"""


@dataclass(frozen=True)
class Lab:
    """A running lab and the fabric that it is to be."""

    folder: Path
    intent: Path
    expected: Expected
    targets: dict[str, Target]

    def audit(self) -> AuditResult:
        return pipeline.audit(self.expected, str(self.intent), pipeline.observe(self.expected, self.targets))

    def broken(self, *words: str) -> AuditResult:
        """The audit of a broken fabric, which is healed afterwards."""
        control.break_(self.folder, words[0], words[1:])
        try:
            return self.audit()
        finally:
            control.heal(self.folder)


def started(folder: Path, name: str, leaf: str, spine: str) -> Lab:
    """A lab as it was racked."""
    intent = folder / f"{name}.yml"
    intent.write_text(SMALL.format(name=name, leaf=leaf, spine=spine), encoding="utf-8")
    expected = pipeline.load_fabric(intent)
    write_lab(expected.built, folder / "lab")
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder / "lab")))
    return Lab(folder / "lab", intent, expected, targets)


def pushed(lab: Lab) -> PushResult:
    return pipeline.carry_out(pipeline.plan(lab.expected, lab.targets), lab.targets, lab.folder / "runs")


MIXED = ("sonic", "junos")
once = pytest.mark.parametrize("lab", [MIXED], indirect=True, ids=["mixed"])
"""For what one kind of fabric tells as well as another."""


@pytest.fixture(scope="module", params=[("junos", "junos"), MIXED], ids=["junos", "mixed"])
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    leaf, spine = request.param
    made = started(tmp_path_factory.mktemp("junos"), f"{leaf}-{spine}", leaf, spine)
    try:
        result = pushed(made)
        assert (result.exit_code, result.stopped) == (0, "")
        yield made
    finally:
        control.down(made.folder)


def test_the_second_plan_is_empty(lab: Lab) -> None:
    plan = pipeline.plan(lab.expected, lab.targets)
    assert [(d.name, d.diff) for d in plan.changes] == []
    assert plan.blocked == ()


def test_a_fabric_as_intended_has_no_finding(lab: Lab) -> None:
    result = lab.audit()
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)
    assert result.route_tables == len(lab.expected.devices) == 6


# what is broken → rules found (each once), exit code, the object of the first finding
FAULTS = {
    "swap of two uplinks": (
        ["swap", "a-su1-r1-leaf:64", "a-su1-r2-leaf:64"], ["CAB-02"], 2, "a-su1-r1-leaf:64 – a-spine1:1"),
    "link cut": (["link", "a-spine1:2"], ["INT-01"], 2, "a-su1-r1-leaf:63 – a-spine1:2"),
    "host link cut": (["link", "a-su2-r1-leaf:1/1"], ["INT-01"], 2, "su2-h1:r1/a – a-su2-r1-leaf:1/1"),
    "session stuck": (["session", "a-spine2:3"], ["BGP-01"], 2, "a-su1-r2-leaf:62 – a-spine2:3"),
    "wrong ASN of a spine": (["asn", "a-spine1", "4200999999"], ["BGP-02"], 2, "a-spine1"),
    "loopback of a spine withdrawn": (["withdraw", "a-spine1", "10.255.64.1/32"], ["RIB-01"], 2, "10.255.64.1/32"),
    "extra prefix that policies stop": (["announce", "a-spine1", "203.0.113.0/24"], ["RIB-01"], 2, "203.0.113.0/24"),
    "a DSCP in the wrong queue": (
        [
            "typed",
            "a-spine1",
            "delete class-of-service classifiers dscp ROCE forwarding-class Q3 loss-priority low code-points 011010",
            ";",
            "set class-of-service classifiers dscp ROCE forwarding-class Q6 loss-priority low code-points 011010",
        ],
        ["QOS-02"],
        2,
        "",
    ),
    "spine unreachable": (["unreachable", "a-spine2"], [], 3, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_alone_is_named_once(lab: Lab, name: str) -> None:
    words, rules, code, what = FAULTS[name]
    result = lab.broken(*words)
    assert [f.rule for f in result.findings] == rules, [(f.title, f.objects) for f in result.findings]
    assert result.exit_code() == code
    if what:
        assert what in result.findings[0].objects


SPINE = "a-spine1"


def changed(lab: Lab, lines: str) -> Outcome:
    """What comes of a push of the spine as intended, and some lines more."""
    wanted = pipeline.wanted(lab.expected, SPINE)
    entry = preview(replace(wanted, files={"junos.conf": wanted.files["junos.conf"] + lines}), lab.targets[SPINE])
    with start_run(lab.folder / "other-runs") as run:
        return change_one(entry, lab.targets[SPINE], run, Times(answer_s=10, settle_s=2))


def called(lab: Lab, *steps: Step) -> Driver:
    """A NAPALM driver of the spine after some calls, still open."""
    driver = Driver(lab.targets[SPINE], "junos")
    for step in steps:
        done = driver.call(step)
        assert getattr(done, "exit_code", done) == 0, done
    return driver


def merged(lines: str) -> Step:
    return Step(name="load", driver="load_merge_candidate", content=lines)


COMMIT = Step(name="commit", driver="commit_config")
MTU = "interfaces et-0/0/0 mtu"


def running(lab: Lab) -> str:
    return (lab.folder / "devices" / SPINE / "config/juniper.conf").read_text()


@once
def test_a_refused_line_leaves_the_switch_untouched(lab: Lab) -> None:
    before = running(lab)
    outcome = changed(lab, "set protocols bgp prioritty-flow-control on\n")
    assert (outcome.word, "syntax error" in outcome.reason, "prioritty" in outcome.reason) == (
        Word.UNTOUCHED,
        True,
        True,
    ), outcome
    assert running(lab) == before


@once
def test_a_refused_commit_is_taken_back_and_tells_what_is_wrong(lab: Lab) -> None:
    before = running(lab)
    outcome = changed(lab, "set protocols bgp group FABRIC import NOBODY-HAS-IT\n")
    assert (outcome.word, "NOBODY-HAS-IT referenced but not defined" in outcome.reason) == (Word.UNDONE, True), outcome
    assert running(lab) == before
    assert lab.audit().exit_code() == 0


@once
def test_somebody_who_edits_is_not_run_over(lab: Lab) -> None:
    driver = called(lab, merged(f"set {MTU} 4000\n"))
    try:
        outcome = changed(lab, f"set {MTU} 5000\n")
    finally:
        driver.close()
    assert (outcome.word, "configuration database locked by" in outcome.reason) == (Word.UNTOUCHED, True), outcome


@once
def test_what_somebody_else_is_typing_is_not_committed_by_taking_back(lab: Lab) -> None:
    """All logins of a switch share one candidate, and a commit takes all that is in it."""
    target, wanted = lab.targets[SPINE], pipeline.wanted(lab.expected, SPINE)
    text = wanted.files["junos.conf"].replace(f"set {MTU} 9216\n", f"set {MTU} 5000\n")
    entry = preview(replace(wanted, files={"junos.conf": text}), target)
    password = "" if target.password is None else target.password.reveal()
    options = {"port": target.netconf_port, "lock_disable": True}
    other = get_network_driver("junos")(target.address, "admin", password, 10, options)
    other.open()
    times = Times(answer_s=10, settle_s=1)
    with start_run(lab.folder / "other-runs") as run, Session(target, 10) as session:
        ready = get_ready(entry, junos, session, run)
        assert isinstance(ready, Ready), ready
        assert change(ready, session, run, times).word is Word.DONE
        other.load_merge_candidate(config="set system domain-name half.typed.example\n")
        outcome = take_back(ready, "the gate failed", session, run, times)
        other.discard_config()
        other.close()
        assert (outcome.word, "configuration database modified" in outcome.reason) == (Word.UNKNOWN, True), outcome
        assert "half.typed" not in running(lab)
        assert take_back(ready, "once more", session, run, times).word is Word.UNDONE
    assert lab.audit().exit_code() == 0


@once
def test_a_commit_of_somebody_that_waits_is_not_confirmed_by_us(lab: Lab) -> None:
    called(lab, merged("set system domain-name waits.example\n"), replace(COMMIT, revert_s=600)).close()
    try:
        outcome = changed(lab, f"set {MTU} 5000\n")
        assert (outcome.word, "rollback in 10mins" in outcome.reason) == (Word.UNTOUCHED, True), outcome
    finally:
        called(lab, merged("delete system domain-name\n"), COMMIT).close()


@once
def test_what_only_runs_until_a_commit_goes_back_is_one_finding(lab: Lab) -> None:
    """Running is as intended, and what stays is not: the commit that made it right was never confirmed."""
    called(lab, merged(f"set {MTU} 5000\n"), COMMIT, merged(f"set {MTU} 9216\n"), replace(COMMIT, revert_s=600)).close()
    try:
        result = lab.audit()
    finally:
        called(lab, Step(name="confirm", driver="confirm_commit")).close()
    assert [(f.rule, f.objects) for f in result.findings] == [("MGT-03", ("a-spine1:1",))], result.findings
    assert lab.audit().exit_code() == 0


@once
def test_gnmi_that_does_not_answer_costs_no_leaf(lab: Lab) -> None:
    targets = {name: replace(target, gnmi_port=1) for name, target in lab.targets.items() if target.platform == "junos"}
    result = pipeline.audit(
        lab.expected, str(lab.intent), pipeline.observe(lab.expected, targets), scope=tuple(targets)
    )
    assert (result.findings, result.not_audited) == ((), ())
