"""NX-OS in a fabric, alone and beside SONiC: push, audit clean, break, find each fault once, take back."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from e2e import nxos_fabric
from e2e.test_program import PROGRAM, environment, netaudit
from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.read import collect_device
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab
from netaudit.platforms import platform
from netaudit.platforms.nxos import answers_bgp, answers_gnmi
from netaudit.push.device import Times, change_one
from netaudit.push.preview import preview
from netaudit.push.result import PushResult, Word
from netaudit.push.run import start_run
from netaudit.state import LldpNeighbor

pytestmark = pytest.mark.lab

KINDS = (("nxos", "nxos"), ("sonic", "nxos"), ("nxos", "sonic"))
LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
HASH = "$5$NETAUDIT$simulated.hash.of.no.password"
"""What stands in every factory configuration and may stand in nothing that netaudit writes."""


@dataclass(frozen=True)
class Lab:
    """A running lab and the fabric that it is to be."""

    folder: Path
    intent: Path
    expected: Expected
    targets: dict[str, Target]
    first_push: PushResult

    @property
    def boxes(self) -> Path:
        return self.folder / "lab"

    def audit(self) -> AuditResult:
        """The audit of the fabric as it is now."""
        return pipeline.audit(self.expected, str(self.intent), pipeline.observe(self.expected, self.targets))

    def startup(self, name: str) -> Path:
        return self.boxes / "devices" / name / "startup-config"

    def nexus(self) -> list[str]:
        return [name for name in self.expected.devices if self.startup(name).is_file()]


def made(folder: Path, leaf: str, spine: str) -> Lab:
    """A lab that was pushed to once. It runs until somebody ends it."""
    intent = nxos_fabric.write(folder, leaf, spine)
    expected = pipeline.load_fabric(intent)
    boxes = folder / "lab"
    write_lab(expected.built, boxes)
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(boxes)))
    result = pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs")
    return Lab(folder, intent, expected, targets, result)


@pytest.fixture(scope="module", params=KINDS, ids=lambda kinds: f"{kinds[0]} under {kinds[1]}")
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("nxos")
    try:
        yield made(folder, *request.param)
    finally:
        control.down(folder / "lab")


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """NX-OS alone, for what need not be tried in every mixture."""
    folder = tmp_path_factory.mktemp("pure")
    try:
        yield made(folder, "nxos", "nxos")
    finally:
        control.down(folder / "lab")


def test_the_first_push_brings_every_switch_to_the_intent(lab: Lab) -> None:
    assert (lab.first_push.exit_code, set(lab.first_push.done)) == (0, set(lab.expected.devices))


def test_the_second_push_is_empty(lab: Lab) -> None:
    plan = pipeline.plan(lab.expected, lab.targets)
    assert [(d.name, d.diff) for d in plan.changes] == []
    assert plan.blocked == ()


def test_a_fabric_as_intended_has_no_finding(lab: Lab) -> None:
    result = lab.audit()
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)
    assert {d.audited for d in result.devices} == {"complete"}
    assert result.route_tables == len(lab.expected.devices)


def test_what_others_configured_is_there_as_before(lab: Lab) -> None:
    for name in lab.nexus():
        text = lab.startup(name).read_text()
        assert HASH in text
        assert "interface mgmt0\n  vrf member management\n  ip address 192.0.2.1/24\n" in text


def test_nothing_of_a_run_is_left_on_a_switch_but_what_it_was_for(lab: Lab) -> None:
    left = [str(file) for file in lab.boxes.glob("devices/*/bootflash:/*") if "netaudit" in file.name]
    left += [str(file) for file in lab.boxes.glob("devices/*/bootflash:/.checkpoint-*")]
    assert left == []


def test_no_secret_of_a_switch_is_kept(lab: Lab) -> None:
    kept = [str(f) for f in (lab.folder / "runs").rglob("*") if f.is_file() and "$5$" in f.read_text()]
    assert kept == []


def test_everything_that_is_asked_is_answered(pure: Lab) -> None:
    """By gNMI too: what it does not say is asked by command, so nobody would notice."""
    for query, answer in collect_device(platform("nxos").QUERIES, pure.targets[LEAF], 20).items():
        assert (query, answer.miss, answer.reason) == (query, None, "")


def test_links_neighbors_and_sessions_come_by_gnmi(pure: Lab) -> None:
    answers = collect_device(platform("nxos").QUERIES, pure.targets[LEAF], 20)
    said = answers_gnmi.oc_oper(answers["oc-interfaces"].text)
    assert said is not None
    assert said["64"].oper_up is True
    heard = answers_gnmi.oc_neighbors(answers["oc-lldp"].text)
    assert heard is not None
    assert heard["64"] == LldpNeighbor(system=SPINE, port="Ethernet1/1")
    bgp = answers_gnmi.oc_sessions(answers["oc-sessions"].text)
    assert bgp is not None
    assert {one.session for one in (bgp.neighbors or {}).values()} == {"Established"}
    by_command = answers_bgp.read_sessions(answers["sessions"].text)
    assert (bgp.asn, bgp.neighbors) == (by_command.asn, by_command.neighbors)


# what is broken → rules found (each once), exit code, the object of the first finding
ANYWHERE = {
    "uplink cut": (["link", f"{LEAF}:63"], ["INT-01"], 2, f"{LEAF}:63 – {SPINE}:2"),
    "host link cut": (["link", f"{LEAF}:1/2"], ["INT-01"], 2, f"su1-h2:r1/a – {LEAF}:1/2"),
    "session stuck": (["session", f"{LEAF}:62"], ["BGP-01"], 2, f"{LEAF}:62 – a-spine2:1"),
    "swap of two uplinks to one spine": (
        ["swap", f"{LEAF}:64", "a-su1-r2-leaf:64"], ["CAB-02"], 2, f"{LEAF}:64 – {SPINE}:1"),
    "swap of two uplinks of one leaf": (
        ["swap", f"{LEAF}:64", f"{LEAF}:62"], ["CAB-02"], 2, f"{LEAF}:64 – {SPINE}:1"),
    "wrong ASN of a spine": (["asn", SPINE, "65001"], ["BGP-02"], 2, SPINE),
    "wrong ASN of a leaf": (["asn", LEAF, "65001"], ["BGP-02"], 2, LEAF),
    "hosts of a leaf withdrawn": (["withdraw", LEAF, "10.0.0.0/28"], ["RIB-01"], 2, "10.0.0.0/28"),
    "extra prefix that spreads": (["announce", SPINE, "10.32.3.0/28"], ["RIB-01"], 2, "10.32.3.0/28"),
    "default route": (["announce", LEAF, "0.0.0.0/0"], ["RIB-01"], 2, "0.0.0.0/0"),
    "another cable than planned": (["optic-length", f"{LEAF}:1/1", "2"], ["CAB-07"], 0, f"su1-h1:r1/a – {LEAF}:1/1"),
    "spine unreachable": (["unreachable", SPINE], [], 3, ""),
    "leaf unreachable": (["unreachable", LEAF], [], 3, ""),
    "silent spine": (["lldp", SPINE], ["MGT-09"], 2, ""),
    "MAC address as port id, name as description": (["port-id", SPINE, "mac"], [], 0, ""),
    "MAC address as port id alone": (["port-id", SPINE, "mac-only"], [], 0, ""),
}  # fmt: skip


def broken(lab: Lab, *words: str) -> AuditResult:
    control.break_(lab.boxes, words[0], words[1:])
    try:
        return lab.audit()
    finally:
        control.heal(lab.boxes)


MIXED = ("uplink cut", "session stuck", "swap of two uplinks to one spine", "wrong ASN of a spine", "silent spine")


@pytest.mark.parametrize("name", ANYWHERE)
def test_each_fault_alone_is_named_once(pure: Lab, name: str) -> None:
    assert_named_once(pure, name)


@pytest.mark.parametrize("name", MIXED)
def test_each_fault_alone_is_named_once_whatever_is_at_the_ends(lab: Lab, name: str) -> None:
    assert_named_once(lab, name)


def assert_named_once(lab: Lab, name: str) -> None:
    words, rules, code, what = ANYWHERE[name]
    result = broken(lab, *words)
    assert [f.rule for f in result.findings] == rules, [f.title for f in result.findings]
    assert result.exit_code() == code
    if what:
        assert what in result.findings[0].objects


QUEUE = r"policy-map type queuing EGRESS-800G ; class type queuing c-out-8q-q3 ; "
# lines somebody types on an NX-OS switch → the rule that finds them
TYPED = {
    "MTU": (r"interface {port} ; mtu 1500", "INT-04"),
    "PFC off": (r"interface {port} ; priority-flow-control mode off", "PFC-01"),
    "watchdog off": (r"interface {port} ; priority-flow-control watch-dog-interval off", "WD-01"),
    "ECN thresholds": (
        QUEUE + "random-detect minimum-threshold 100 kbytes maximum-threshold 200 kbytes "
        "drop-probability 100 weight 0 ecn",
        "ECN-03",
    ),
    "drop in place of marking": (
        QUEUE + "random-detect minimum-threshold 866 kbytes maximum-threshold 2608 kbytes "
        "drop-probability 100 weight 0",
        "ECN-07",
    ),
    "share of a queue": (QUEUE + "bandwidth remaining percent 20", "ETS-01"),
    "DSCP": (r"class-map type qos match-any ROCE-Q3 ; no match dscp ; match dscp 24", "QOS-02"),
    "ECMP": (r"router bgp {asn} ; address-family ipv4 unicast ; maximum-paths 2", "BGP-07"),
}


@pytest.mark.parametrize("name", TYPED)
def test_a_line_typed_on_a_switch_is_found_once(pure: Lab, name: str) -> None:
    bgp = pure.expected.device(SPINE).bgp
    assert bgp is not None
    lines, rule = TYPED[name]
    result = broken(pure, "typed", SPINE, lines.format(port="Ethernet1/1", asn=bgp.asn))
    assert [f.rule for f in result.findings] == [rule], [f.title for f in result.findings]
    assert result.exit_code() == 2


def test_a_reload_that_would_bring_back_something_else_is_found(lab: Lab) -> None:
    file = lab.startup(lab.nexus()[0])
    good = file.read_text()
    file.write_text(good.replace("\n  mtu 9216\n", "\n  mtu 9000\n", 1))
    try:
        result = lab.audit()
    finally:
        file.write_text(good)
    assert [f.rule for f in result.findings] == ["MGT-03"], [f.title for f in result.findings]


def test_healed_is_as_intended(lab: Lab) -> None:
    assert lab.audit().exit_code() == 0


def test_a_refused_line_takes_the_switch_back_to_what_it_had(pure: Lab) -> None:
    """It is refused in words, with exit code 0, among lines that are taken (field case A21)."""
    name = pure.nexus()[0]
    target, before = pure.targets[name], pure.startup(name).read_text()
    wanted = pipeline.wanted(pure.expected, name)
    more = "interface loopback77\n  description ours for a moment\n  prioritty-flow-control on\n"
    entry = preview(replace(wanted, files={"nxos.cfg": wanted.files["nxos.cfg"] + more}), target, timeout_s=10)
    with start_run(pure.folder / "refused") as run:
        outcome = change_one(entry, target, run, Times(answer_s=10, settle_s=2))
    assert (outcome.word, "Invalid command" in outcome.reason) == (Word.UNDONE, True), outcome
    assert pure.startup(name).read_text() == before
    assert pure.audit().exit_code() == 0


def test_what_a_run_left_that_was_killed_is_in_nobodys_way(pure: Lab) -> None:
    """Runs are numbered within a day and a folder, so another one may have the number again."""
    name = pure.nexus()[0]
    flash = pure.startup(name).with_name("bootflash:")
    left = f"netaudit_{datetime.now(UTC):%Y_%m_%d}_01"
    (flash / f".checkpoint-{left}").write_text("!Command: Checkpoint cmd vdc 1\nversion 10.4(3)\n")
    (flash / f"{left}_startup").write_text("version 10.4(3)\n")
    control.break_(pure.boxes, "typed", (name, "interface Ethernet1/64 ; mtu 1500"))
    targets = {name: pure.targets[name]}
    result = pipeline.carry_out(pipeline.plan(pure.expected, targets), targets, pure.folder / "again")
    control.heal(pure.boxes)
    assert (result.exit_code, list(result.done)) == (0, [name])
    assert [file.name for file in flash.iterdir() if left in file.name] == []


def test_ctrl_c_in_a_push_leaves_every_switch_old_or_new(tmp_path: Path) -> None:
    intent, lab = nxos_fabric.write(tmp_path, "nxos", "nxos").name, tmp_path / ".netaudit/lab"
    targets = str(lab / "targets.json")
    assert netaudit(tmp_path, "lab", "up", intent).returncode == 0
    try:
        assert netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "plan.json").returncode == 0
        factory = {file.parent.name: file.read_text() for file in lab.glob("devices/*/startup-config")}
        push = subprocess.Popen(
            [*PROGRAM, "push", "plan.json", "--targets", targets, "--yes"],
            stdin=subprocess.DEVNULL,
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert push.stderr is not None
        for line in push.stderr:
            if "r2-leaf change 3 of" in line:
                break
        os.killpg(push.pid, signal.SIGINT)
        out, err = push.communicate(timeout=60)
        assert push.returncode == 130, err
        assert ("none unknown" in out, "Traceback" in err) == (True, False), (out, err)
        old = [name for name, text in factory.items() if text == (lab / f"devices/{name}/startup-config").read_text()]
        assert 0 < len(old) < len(factory)
        again = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "again.json")
        assert again.returncode == 0, again.stderr
        assert netaudit(tmp_path, "push", "again.json", "--targets", targets, "--yes").returncode == 0
        assert netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s").returncode == 0
    finally:
        netaudit(tmp_path, "lab", "down")


def test_a_rollback_brings_back_what_was_there(tmp_path: Path) -> None:
    intent, lab = nxos_fabric.write(tmp_path, "sonic", "nxos").name, tmp_path / ".netaudit/lab"
    targets = str(lab / "targets.json")
    assert netaudit(tmp_path, "lab", "up", intent).returncode == 0
    try:
        factory = (lab / "devices" / SPINE / "startup-config").read_text()
        assert netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "plan.json").returncode == 0
        assert netaudit(tmp_path, "push", "plan.json", "--targets", targets, "--yes").returncode == 0
        run = next((tmp_path / "runs").glob("*.json")).stem
        back = netaudit(tmp_path, "rollback", run, "--targets", targets)
        assert back.returncode == 0, (back.stdout, back.stderr)
        now = (lab / "devices" / SPINE / "startup-config").read_text()
        assert said(now) == said(factory)
    finally:
        netaudit(tmp_path, "lab", "down")


LEFT = ("feature bgp", "feature interface-vlan")
"""What a rollback leaves: with the feature everything goes that somebody else may have put there meanwhile."""


def said(text: str) -> list[str]:
    """The lines of a configuration that say something: a port without any is one of the factory's."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip() and not line.startswith("!")]
    return sorted(line for line in lines if not line.startswith("interface Ethernet") and line not in LEFT)
