"""One fabric of five NOSes over their own doors: pushed from the factory, audited clean, broken; each fault once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from netaudit import pipeline, platforms
from netaudit.audit.findings import AuditResult
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab
from netaudit.nornir.hosts import each_host
from netaudit.platforms.getters import GETTERS, read_getters
from netaudit.push.apply import Means, push
from netaudit.push.driver import _OPENERS
from netaudit.state import ABSENT, Store

pytestmark = pytest.mark.lab

INTENT = Path(__file__).resolve().parents[2] / "intent" / "five-nos.yml"
NVUE, EOS, JUNOS, NXOS, SONIC = "m-row1-r1-leaf", "m-spine1", "m-storage1", "m-backup1", "m-archive1"


class Fabric:
    """The running lab, and what it is to be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "lab"
        self.expected: Expected = pipeline.load_fabric(INTENT)
        write_lab(self.expected.built, self.folder)
        file = control.up(self.folder)
        self.targets = dict(pipeline.targets(self.expected, tuple(self.expected.devices), file))

    def planned(self) -> dict[str, str]:
        """Device → what a plan says of it."""
        self.plan = pipeline.plan(self.expected, self.targets)
        return {plan.name: f"{plan.status}{plan.reason and ': '}{plan.reason}" for plan in self.plan.devices}

    def audit(self) -> AuditResult:
        return pipeline.audit(self.expected, str(INTENT), pipeline.observe(self.expected, self.targets))

    def broken(self, *words: str) -> list[str]:
        """The rules of the findings while something is broken."""
        control.break_(self.folder, words[0], words[1:])
        try:
            return [finding.rule for finding in self.audit().findings]
        finally:
            control.heal(self.folder)


@pytest.fixture(scope="module")
def fabric(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fabric]:
    """The fabric as a push left it."""
    made = Fabric(tmp_path_factory.mktemp("five"))
    try:
        assert set(made.planned().values()) == {"change"}
        means = Means(targets=made.targets, each_host=each_host)
        result = push(made.plan, means, runs=made.folder / "runs")
        assert {str(outcome.word) for outcome in result.outcomes.values()} == {"done"}, result.outcomes
        yield made
    finally:
        control.down(made.folder)


def test_all_five_are_in_it(fabric: Fabric) -> None:
    assert {d.platform for d in fabric.expected.built.devices.values()} == set(platforms.names())


def test_what_was_pushed_is_what_was_planned_and_the_fabric_is_as_intended(fabric: Fabric) -> None:
    assert set(fabric.planned().values()) == {"none"}
    result = fabric.audit()
    assert result.findings == ()
    assert result.exit_code() == 0


@pytest.mark.parametrize("name", [NVUE, EOS, JUNOS, NXOS, SONIC])
def test_another_as_number_is_one_finding_at_the_switch_that_has_it(fabric: Fabric, name: str) -> None:
    assert fabric.broken("asn", name, "65000") == ["BGP-02"]


@pytest.mark.parametrize("end", [f"{NVUE}:64", f"{JUNOS}:64/1", f"{NXOS}:64/1", f"{SONIC}:64/1"])
def test_a_dead_cable_between_two_noses_is_one_finding(fabric: Fabric, end: str) -> None:
    assert fabric.broken("link", end) == ["INT-01"]


def test_cables_that_are_swapped_between_noses_are_one_finding(fabric: Fabric) -> None:
    assert fabric.broken("swap", f"{JUNOS}:64/1", f"{NXOS}:64/1") == ["CAB-02"]


@pytest.mark.parametrize("name", [EOS, JUNOS, NXOS])
@pytest.mark.filterwarnings("ignore")  # what NAPALM's libraries warn of is theirs
def test_napalms_getters_tell_the_same_live_state_as_our_own_queries(fabric: Fabric, name: str) -> None:
    target = fabric.targets[name]
    found = {seen.device: seen for seen in pipeline.observe(fabric.expected, {name: target})}
    ours = found[name].stores[Store.STATE]
    native = {str(port.native): key for key, port in (fabric.expected.device(name).ports or {}).items()}
    full_name = platforms.platform(target.platform).full_name
    with closing(_OPENERS[DRIVERS.get(name, target.platform)](target, 60.0, BytesIO())) as driver:
        told = {getter: getattr(driver, f"get_{getter}")() for getter in GETTERS}
    theirs = read_getters(told, name, target.platform, lambda port: native.get(full_name(port)))
    assert (theirs.ports or {}).keys() == (ours.ports or {}).keys()
    assert {k: p.oper_up for k, p in (theirs.ports or {}).items()} == {
        k: p.oper_up for k, p in (ours.ports or {}).items()
    }
    assert theirs.lldp is not None
    assert ours.lldp is not None
    heard = {k: n for k, n in (ours.lldp.neighbors or {}).items() if n is not ABSENT}
    assert heard
    assert {k: n for k, n in (theirs.lldp.neighbors or {}).items() if n is not ABSENT} == heard
    assert theirs.bgp is not None
    assert ours.bgp is not None
    sessions = {k: (n.session, n.remote_asn) for k, n in (ours.bgp.neighbors or {}).items()}
    assert sessions
    assert {k: (n.session, n.remote_asn) for k, n in (theirs.bgp.neighbors or {}).items()} == sessions


DRIVERS = {NXOS: "nxos_ssh"}
"""Where the driver is not called as the platform is: NX-OS by SSH, as the lab's ports want it."""


@pytest.mark.parametrize("name", [NVUE, EOS, JUNOS, NXOS])
def test_a_switch_that_does_not_answer_is_not_audited_and_no_finding(fabric: Fabric, name: str) -> None:
    control.break_(fabric.folder, "unreachable", (name,))
    try:
        result = fabric.audit()
    finally:
        control.heal(fabric.folder)
    assert result.findings == ()
    assert result.exit_code() == 3
