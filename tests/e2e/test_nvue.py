"""Fabrics with Cumulus Linux over real SSH and gNMI: pushed, audited clean, broken; each fault is named once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import paramiko
import pytest

from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.gnmi import GnmiClient
from netaudit.collect.read import collect
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.lab.factory.nvue import factory_files
from netaudit.labdir import write_lab
from netaudit.platforms import Answers, Miss
from netaudit.platforms.nvue.answers_live import oc_oper
from netaudit.platforms.nvue.ask import QUERIES
from netaudit.push.device import Times, change_one
from netaudit.push.preview import preview
from netaudit.push.result import Outcome, PushResult, Word
from netaudit.push.run import start_run

pytestmark = pytest.mark.lab

SMALL = """schema: 1
fabric: {name}
planes: [a]
rails: 2
units: {{su1: {{hosts: 2}}, su2: {{hosts: 2}}}}
hosts: {{nic: cx8, speed: 400G}}
leaf: {{model: nvidia-sn5600, platform: {leaf}}}
spine: {{model: nvidia-sn5600, platform: {spine}, count: 4, links: 1, speed: 800G}}
cables: {{host-leaf: 3m dac, leaf-spine: 40m dr8}}
"""
HASH = "$6$lab$simulated.hash.of.no.password"
STARTUP = "etc/nvue.d/startup.yaml"


@dataclass(frozen=True)
class Lab:
    """A running lab and the fabric that it is to be."""

    folder: Path
    intent: Path
    expected: Expected
    targets: dict[str, Target]

    def audit(self) -> AuditResult:
        return pipeline.audit(self.expected, str(self.intent), pipeline.observe(self.expected, self.targets))

    def broken(self, words: str) -> AuditResult:
        """The audit of a broken fabric, which is healed afterwards."""
        kind, *arguments = words.split()
        control.break_(self.folder, kind, arguments)
        try:
            return self.audit()
        finally:
            control.heal(self.folder)

    def run(self, name: str, *lines: str) -> str:
        """What the shell of a box prints for lines that all work."""
        target, printed = self.targets[name], ""
        client = paramiko.SSHClient()
        client.load_host_keys(str(self.folder / "access/known_hosts"))
        password = (self.folder / "access/password").read_text()
        client.connect("127.0.0.1", target.ssh_port, "admin", password, look_for_keys=False, allow_agent=False)
        with client:
            for line in lines:
                _, out, err = client.exec_command(line)
                printed += out.read().decode()
                assert out.channel.recv_exit_status() == 0, (line, err.read())
        return printed

    def box(self, name: str) -> Path:
        """The file system of a box."""
        return self.folder / "devices" / name


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


@pytest.fixture(
    scope="module", params=[("nvue", "nvue"), ("sonic", "nvue"), ("nvue", "sonic")], ids=["nvue", "spines", "leaves"]
)
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    leaf, spine = request.param
    made = started(tmp_path_factory.mktemp("nvue"), f"{leaf}-{spine}", leaf, spine)
    try:
        result = pushed(made)
        assert (result.exit_code, result.stopped) == (0, "")
        yield made
    finally:
        control.down(made.folder)


@pytest.fixture
def ours(lab: Lab) -> str:
    """A switch with Cumulus Linux."""
    return next(name for name, device in lab.expected.built.devices.items() if device.platform == "nvue")


def test_the_second_plan_is_empty(lab: Lab) -> None:
    plan = pipeline.plan(lab.expected, lab.targets)
    assert [(d.name, d.diff) for d in plan.changes] == []
    assert plan.blocked == ()


def test_a_fabric_as_intended_has_no_finding(lab: Lab) -> None:
    result = lab.audit()
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)
    assert result.route_tables == len(lab.expected.devices) == 8


def test_the_account_of_the_box_is_as_it_was(lab: Lab, ours: str) -> None:
    assert HASH in (lab.box(ours) / STARTUP).read_text()
    assert HASH not in lab.run(ours, "nv config show")
    assert not list((lab.box(ours) / "tmp").iterdir())


# what is broken → rules found (each once), exit code, an object of the first finding
FAULTS = {
    "swap a-su1-r1-leaf:64 a-su1-r2-leaf:64": (["CAB-02"], 2, "a-su1-r1-leaf:64 – a-spine1:1"),
    "link a-spine1:2": (["INT-01"], 2, "a-su1-r2-leaf:64 – a-spine1:2"),
    "link a-su2-r1-leaf:1/1": (["INT-01"], 2, "su2-h1:r1/a – a-su2-r1-leaf:1/1"),
    "session a-spine2:3": (["BGP-01"], 2, ""),
    "asn a-spine1 4200999999": (["BGP-02"], 2, "a-spine1"),
    "asn a-su1-r1-leaf 65001": (["BGP-02"], 2, "a-su1-r1-leaf"),
    "withdraw a-su1-r1-leaf 10.255.0.1/32": (["RIB-01"], 2, "10.255.0.1/32"),
    "announce a-spine1 203.0.113.0/24": (["RIB-01"], 2, "203.0.113.0/24"),
    "lldp a-su1-r1-leaf": (["MGT-09"], 2, "a-su1-r1-leaf"),
    "lldp-port a-su1-r1-leaf:64": (["CAB-03"], 2, "a-spine1:1"),
    "lie a-su1-r1-leaf:64": (["INT-01"], 2, "a-su1-r1-leaf:64 – a-spine1:1"),
    "port-id a-spine1 mac": ([], 0, ""),
    "unreachable a-spine2": ([], 3, ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_is_named_once(lab: Lab, fault: str) -> None:
    rules, code, what = FAULTS[fault]
    result = lab.broken(fault)
    assert [f.rule for f in result.findings] == rules, [(f.title, f.objects) for f in result.findings]
    assert result.exit_code() == code
    assert {one.device for one in result.not_audited} == ({fault.split()[1]} if code == 3 else set())
    if what:
        assert what in result.findings[0].objects


# what somebody types into a box → the rule, whatever the role of the box
TYPED = {
    "nv set qos mapping default-global dscp 26 switch-priority 0": "QOS-02",
    "nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 4": "QOS-03",
    "nv set qos congestion-control ECN-800G traffic-class 3 max-threshold 9607936": "ECN-03",
    "nv set qos congestion-control ECN-800G traffic-class 3 ecn disable": "ECN-07",
    "nv set qos egress-scheduler ETS-800G traffic-class 3 bw-percent 20": "ETS-01",
    "nv unset interface {uplink} qos pfc-watchdog": "WD-01",
    "nv set qos pfc-watchdog robustness 9": "WD-02",
    "nv set interface {uplink} link mtu 9000": "INT-04",
    "nv set interface {uplink} link fec off": "INT-03",
    "nv set qos pfc PFC-3-40M tx disable ; nv set qos pfc PFC-3-40M rx disable": "PFC-01",
    "nv unset interface {uplink} qos pfc profile": "HDR-09",
    "nv set vrf default router bgp address-family ipv4-unicast multipaths ebgp 1": "BGP-07",
    "nv set vrf default router bgp path-selection multipath aspath-ignore disabled": "BGP-07",
    "nv set interface lo ipv4 address 10.255.250.1/32": "ADR-01",
}


@pytest.mark.parametrize("line", TYPED)
def test_a_wrong_value_typed_into_the_box_is_one_finding(lab: Lab, ours: str, line: str) -> None:
    text = line.format(uplink="swp64" if ours.endswith("leaf") else "swp1")
    result = lab.broken(f"typed {ours} {text}")
    assert [f.rule for f in result.findings] == [TYPED[line]], [(f.title, f.objects) for f in result.findings]


def test_what_is_saved_and_does_not_run_is_one_finding(lab: Lab, ours: str) -> None:
    before = (lab.box(ours) / STARTUP).read_bytes()
    (lab.box(ours) / STARTUP).write_bytes(before.replace(b"mtu: 9216", b"mtu: 9000"))
    try:
        result = lab.audit()
    finally:
        (lab.box(ours) / STARTUP).write_bytes(before)
    assert [f.rule for f in result.findings] == ["MGT-03"], [(f.title, f.objects) for f in result.findings]


def test_gnmi_is_asked_once_the_box_has_it(lab: Lab, ours: str) -> None:
    lab.run(
        ours,
        "nv set system gnmi-server state enabled",
        "nv set system gnmi-server listening-address 203.0.113.11",
        "nv config apply -y",
    )
    told = streamed(lab, ours)
    assert {one.miss for one in told.values()} == {None}
    assert oc_oper(told["oc-interfaces"].text)
    assert lab.audit().findings == ()
    assert pipeline.plan(lab.expected, lab.targets).changes == ()
    control.break_(lab.folder, "no-sync", [ours])
    try:
        assert {one.miss for one in streamed(lab, ours).values()} == {Miss.FAILED}
    finally:
        control.heal(lab.folder)


def streamed(lab: Lab, name: str) -> Answers:
    """What gNMI alone tells of a box."""
    queries = tuple(query for query in QUERIES if query.transport == "gnmi")
    with GnmiClient(lab.targets[name], 3.0) as client:
        return collect(queries, client, None, 3.0)


def test_edits_that_nobody_applied_are_put_aside_and_a_wrong_value_is_pushed_back(lab: Lab, ours: str) -> None:
    lab.run(ours, "nv set qos pfc-watchdog robustness 9", "nv config apply -y", "nv set system hostname pending")
    result = pushed(lab)
    assert (result.exit_code, tuple(result.done)) == (0, (ours,))
    assert lab.audit().findings == ()
    assert "hostname: pending" not in lab.run(ours, "nv config show -r pending", "nv config show")


@pytest.mark.parametrize("version", ["5.14.0", "5.15.0"])
def test_a_box_of_another_release_is_pushed_in_its_own_words(tmp_path: Path, version: str) -> None:
    intent = tmp_path / "old.yml"
    text = (
        SMALL.format(name="old", leaf="nvue", spine="sonic")
        .replace("count: 4", "count: 1")
        .replace("su2: {hosts: 2}", "")
    )
    intent.write_text(f'{text}versions: {{nvue: "{version}"}}\n', encoding="utf-8")
    expected = pipeline.load_fabric(intent)
    write_lab(expected.built, tmp_path / "lab")
    for number, (name, device) in enumerate(expected.built.devices.items(), start=1):
        if device.platform == "nvue":
            mac = f"02:00:00:00:01:{number:02x}"
            files = factory_files(device.model, "", hostname=name, serial=f"S{number}", mac=mac, version=version)
            for path, content in files.items():
                (tmp_path / "lab/devices" / name / path).write_text(content)
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(tmp_path / "lab")))
    made = Lab(tmp_path / "lab", intent, expected, targets)
    try:
        assert pushed(made).exit_code == 0
        result = made.audit()
        words = "enable: 'on'" if version == "5.14.0" else "state: enabled"
        assert words in made.run("a-su1-r1-leaf", "nv config show")
    finally:
        control.down(tmp_path / "lab")
    assert [f.title for f in result.findings] == []
    assert result.not_audited == ()


def changed(lab: Lab, name: str, old: str, new: str) -> Outcome:
    """What comes of a push of a switch as intended, but for a part of its file."""
    wanted = pipeline.wanted(lab.expected, name)
    assert old in wanted.files["nvue.yaml"]
    files = {"nvue.yaml": wanted.files["nvue.yaml"].replace(old, new, 1)}
    entry = preview(replace(wanted, files=files), lab.targets[name])
    with start_run(lab.folder / "other-runs") as run:
        return change_one(entry, lab.targets[name], run, Times(answer_s=10, settle_s=2))


@pytest.mark.parametrize(
    ("old", "new", "word", "reason"),
    [
        ("mtu: 9216", "mtu: 9999", Word.UNTOUCHED, "'9999' is not a number from 552 to 9216"),
        ("memory-percent: 50", "memory-percent: 60", Word.UNDONE, "the pools have 110 percent of the memory"),
    ],
)
def test_what_the_switch_refuses_leaves_it_as_it_was(
    lab: Lab, ours: str, old: str, new: str, word: Word, reason: str
) -> None:
    before, file = lab.run(ours, "nv config show"), (lab.box(ours) / STARTUP).read_bytes()
    outcome = changed(lab, ours, old, new)
    assert (outcome.word, reason in outcome.reason) == (word, True), outcome
    assert lab.run(ours, "nv config show", "nv config diff") == before
    assert (lab.box(ours) / STARTUP).read_bytes() == file
    assert not list((lab.box(ours) / "tmp").iterdir())
