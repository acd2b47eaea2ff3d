"""The main job against real FRR, sshd, lldpd and Redis: push, audit, break, find; and nothing is left of a lab."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from e2e.test_outside import INTENT as BORDER

from lab_frr.needs import whole_lab
from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.diag import Unusable
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.lab.frr import limits, namespace, outside, start
from netaudit.labdir import write_lab
from netaudit.labdir_frr import write_configured
from netaudit.push.result import PushResult

pytestmark = [*whole_lab, pytest.mark.lab]

REPOSITORY = Path(__file__).resolve().parents[2]
INTENT = """
schema: 1
fabric: real
planes: [a]
rails: 2
units: {su1: {hosts: 1}, su2: {hosts: 1}}
hosts: {nic: cx8, speed: 400G}
leaf: {model: nvidia-sn5600, platform: sonic}
spine: {model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G}
cables: {host-leaf: 3m dac, leaf-spine: 40m dr8}
addressing: {loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: 10.0.0.0/10}
"""
SIZES = os.environ.get("NETAUDIT_LAB_SIZES", "")
"""`all`: what takes minutes as well (make lab-test)."""
WITHIN_S = 60.0
"""How long real daemons may take until an audit sees what was done to them; on an idle machine, seconds."""
FAULTS = {
    "link": (["a-su2-r2-leaf:64"], ["INT-01"]),
    "swap": (["a-su1-r1-leaf:64", "a-su1-r2-leaf:64"], ["CAB-02"]),
    "asn": (["a-spine2", "4200999999"], ["BGP-02"]),
    "static": (["a-su1-r1-leaf", "203.0.113.0/24"], ["ADR-04"]),
    "mtu": (["a-su2-r1-leaf:64", "1500"], ["INT-04"]),
    "redis": (["a-su1-r2-leaf", "APPL_DB", "PORT_TABLE:Ethernet496", "mtu", "1500"], ["INT-04"]),
    "withdraw": (["a-spine1", "10.255.64.1/32"], ["RIB-01"]),
    "lldp": (["a-su1-r1-leaf"], ["MGT-09"]),
}
"""Kind → (where, rules of what is found)."""
TOGETHER = ("link", "swap", "asn", "static", "mtu", "redis")
EACH = FAULTS if SIZES == "all" else ()
"""One at a time takes a minute and a half: BGP waits ten seconds before it tries again, LLDP twelve to forget."""


@dataclass(frozen=True)
class Lab:
    """A running lab, pushed once."""

    folder: Path
    expected: Expected
    targets: dict[str, Target]
    first_push: PushResult

    def audit(self) -> AuditResult:
        """The audit of the fabric as it is now."""
        seen = pipeline.observe(self.expected, self.targets)
        return pipeline.audit(self.expected, "fabric.yml", seen, settle_s=0.0)

    def audit_until(self, rules: list[str]) -> AuditResult:
        """The first audit that finds these rules, each as often as it is here; or the last one."""
        until = time.monotonic() + WITHIN_S
        while True:
            result = self.audit()
            if rules_of(result) == sorted(rules) or time.monotonic() > until:
                return result
            time.sleep(1.0)


def rules_of(result: AuditResult) -> list[str]:
    return sorted(finding.rule for finding in result.findings)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    file = folder / "fabric.yml"
    file.write_text(INTENT)
    expected = pipeline.load_fabric(file)
    write_lab(expected.built, folder / "lab")
    try:
        targets = dict(pipeline.targets(expected, tuple(expected.devices), outside.up(folder / "lab")))
        plan = pipeline.plan(expected, targets)
        yield Lab(folder / "lab", expected, targets, pipeline.carry_out(plan, targets, folder / "runs"))
    finally:
        outside.down(folder / "lab")


def test_a_push_by_ssh_brings_every_switch_to_the_intent(lab: Lab) -> None:
    assert lab.first_push.stopped == ""
    assert set(lab.first_push.done) == set(lab.expected.devices)
    again = pipeline.plan(lab.expected, lab.targets)
    assert [(device.name, device.diff) for device in again.changes] == []
    assert again.blocked == ()


def test_a_fabric_as_intended_has_no_finding(lab: Lab) -> None:
    result = lab.audit_until([])
    assert ([f.title for f in result.findings], result.not_audited) == ([], ())
    assert result.route_tables == len(lab.expected.devices)
    status = control.status(lab.folder)
    assert (status["sessions"], status["not_established"], status["daemons_down"]) == (8, 0, [])


@pytest.mark.parametrize("kinds", [TOGETHER, *((kind,) for kind in EACH)], ids=" ".join)
def test_real_faults_are_found_each_once(lab: Lab, kinds: tuple[str, ...]) -> None:
    rules = sorted(rule for kind in kinds for rule in FAULTS[kind][1])
    try:
        for kind in kinds:
            control.break_(lab.folder, kind, FAULTS[kind][0])
        result = lab.audit_until(rules)
    finally:
        control.heal(lab.folder)
    assert rules_of(result) == rules, [f"{f.rule} {f.title}" for f in result.findings]


def test_a_dead_bgpd_is_found_at_its_switch(lab: Lab) -> None:
    control.break_(lab.folder, "bgpd", ["a-spine1"])
    until = time.monotonic() + WITHIN_S
    try:
        while True:
            titles = [f.title for f in lab.audit().findings]
            if titles == ["No BGP session of a-spine1 is Established although its links are up"]:
                break
            assert time.monotonic() < until, titles
            time.sleep(1.0)
        assert control.status(lab.folder)["daemons_down"] == ["a-spine1 (bgpd)"]
    finally:
        control.heal(lab.folder)


def test_healed_of_all_faults_the_fabric_is_as_intended(lab: Lab) -> None:
    assert [f.title for f in lab.audit_until([]).findings] == []
    assert control.status(lab.folder)["faults"] == []


def test_what_somebody_changes_in_redis_reaches_the_kernel(lab: Lab) -> None:
    control.break_(lab.folder, "mtu", ["a-spine2:1", "4000"])
    space = namespace.namespace(start.tag_of(lab.folder), "a-spine2")
    until = time.monotonic() + WITHIN_S
    try:
        while "mtu 4000" not in namespace.run("ip", "-n", space, "link", "show", "Ethernet0"):
            assert time.monotonic() < until
            time.sleep(0.1)
    finally:
        control.heal(lab.folder)


def test_a_value_that_the_kernel_refuses_keeps_nothing_else_from_taking_effect(lab: Lab) -> None:
    control.break_(lab.folder, "redis", ["a-spine2", "CONFIG_DB", "PORT|Ethernet0", "mtu", "99999999"])
    control.break_(lab.folder, "redis", ["a-spine2", "CONFIG_DB", "PORT|Ethernet8", "admin_status", "down"])
    space = namespace.namespace(start.tag_of(lab.folder), "a-spine2")
    until = time.monotonic() + WITHIN_S
    try:
        while "state DOWN" not in namespace.run("ip", "-n", space, "link", "show", "Ethernet8"):
            assert time.monotonic() < until
            time.sleep(0.1)
    finally:
        control.heal(lab.folder)
    assert "mtu greater than device maximum" in (lab.folder / "frr.log").read_text()


def test_of_a_lab_that_is_killed_down_leaves_nothing(lab: Lab) -> None:
    tag = start.tag_of(lab.folder)
    pid = int((lab.folder / "lab.pid").read_text().split()[0])
    os.kill(pid, signal.SIGKILL)
    assert namespace.present(tag)
    assert outside.down(lab.folder)
    assert left_of(lab.folder) == []
    assert not outside.down(lab.folder)


def begun(file: Path, folder: Path) -> subprocess.Popen[str]:
    """`lab up`, as far as its first namespace."""
    command = (sys.executable, "-c", "import sys; from netaudit.cli import main; sys.exit(main())")
    words = ("lab", "up", str(file), "--frr", "--dir", str(folder))
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    process = subprocess.Popen(
        (*command, *words), stdin=subprocess.DEVNULL, env=environment, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + WITHIN_S
    while not namespace.present(start.tag_of(folder)) and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    return process


def test_an_interrupted_start_leaves_nothing(tmp_path: Path) -> None:
    file, folder = tmp_path / "fabric.yml", tmp_path / "lab"
    file.write_text(INTENT)
    with begun(file, folder) as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(WITHIN_S) == 130, process.stderr.read() if process.stderr else ""
    assert left_of(folder) == []


def test_of_a_start_that_is_killed_down_stops_what_goes_on_starting(tmp_path: Path) -> None:
    file, folder = tmp_path / "fabric.yml", tmp_path / "lab"
    file.write_text(INTENT)
    with begun(file, folder) as process:
        process.kill()
        process.wait(WITHIN_S)
    with pytest.raises(Unusable, match="is being started or stopped"):
        outside.clear(folder)
    assert outside.down(folder)
    assert left_of(folder) == []


def left_of(folder: Path) -> list[str]:
    """Namespaces, processes, mounts, files and limits that are still of a lab."""
    tag = start.tag_of(folder)
    left = list(namespace.present(tag))
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                words = (path / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if tag in words or str(folder) in words.replace(str(folder) + "/fabric.yml", ""):
                left.append(words)
    left += [line for line in Path("/proc/mounts").read_text().splitlines() if str(folder) in line or tag in line]
    left += [name for name in ("targets.json", "lab.pid", "frr.json", "common", "access") if (folder / name).exists()]
    state = limits.STATE / "limits.json"
    return left + [tag] * (state.is_file() and tag in state.read_text())


if SIZES == "all":

    def test_external_neighbors_and_hosts_that_speak_bgp_are_as_intended(tmp_path: Path) -> None:
        file, folder = tmp_path / "fabric.yml", tmp_path / "lab"
        file.write_text(BORDER)
        expected = pipeline.load_fabric(file)
        write_lab(expected.built, folder)
        write_configured(expected, folder)
        try:
            targets = dict(pipeline.targets(expected, tuple(expected.devices), outside.up(folder)))
            until = time.monotonic() + WITHIN_S
            while control.status(folder)["not_established"] and time.monotonic() < until:
                time.sleep(1.0)
            result = pipeline.audit(expected, "fabric.yml", pipeline.observe(expected, targets), settle_s=5.0)
            told = control.status(folder)["neighbors"]
        finally:
            outside.down(folder)
        assert ([f.title for f in result.findings], result.not_audited) == ([], ())
        assert {"core1 AS 64512", "core2 AS 64513", "su1-h1 AS 65534"} <= set(told)  # type: ignore[call-overload]
