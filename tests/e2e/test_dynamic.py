"""Headroom that the switches compute, on a lab of real gRPC and SSH: pushed, audited, refused, and back to a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from netaudit import pipeline
from netaudit.collect.ssh import Completed, SshClient, open_ssh
from netaudit.collect.targets import Target
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab
from netaudit.pipeline_check import check_all

pytestmark = pytest.mark.lab

TEXT = """\
schema: 1
fabric: dyn
planes: [a]
rails: 1
units: {su1: {hosts: 2}}
hosts: {nic: cx8, speed: 400G}
leaf: {model: nvidia-sn5600, platform: sonic}
spine: {model: nvidia-sn5600, platform: sonic, count: 1, links: 1, speed: 800G}
cables: {host-leaf: 3m dac, leaf-spine: 40m dr8}
devices: devices.csv
buffers: {shallow: {headroom: dynamic}}
"""
DEVICES = """\
place,name,serial,mac,hwsku,management
a/su1/r1,a-su1-r1-leaf,S1,02:00:00:00:01:01,ACS-SN5600,198.51.100.11
a/spine/1,a-spine1,S2,02:00:00:00:01:02,ACS-SN5600,198.51.100.12
"""
LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
UPLINK = "pg_lossless_800000_40m_mtu9216_profile"


class Site:
    """A lab in place of a site, and the intents that are put into force there in turn."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "devices.csv").write_text(DEVICES)
        first = self.load(TEXT)
        write_lab(first.built, folder / "lab")
        endpoints = control.up(folder / "lab")
        self.targets: dict[str, Target] = dict(pipeline.targets(first, tuple(first.devices), endpoints))

    def load(self, text: str) -> Expected:
        file = self.folder / "fabric.yml"
        file.write_text(text)
        return pipeline.load_fabric(file)

    def push(self, text: str) -> None:
        """Push until nothing differs, on the switches and in an audit."""
        expected = self.load(text)
        plan = pipeline.plan(expected, self.targets)
        assert plan.exit_code() == 0
        assert pipeline.carry_out(plan, self.targets, self.folder / "runs").exit_code == 0
        assert pipeline.plan(expected, self.targets).changes == ()
        assert self.found(text) == []

    def found(self, text: str) -> list[tuple[str, str, Severity]]:
        """(rule, place, severity) of what an audit says against an intent."""
        expected = self.load(text)
        result = pipeline.audit(expected, "fabric.yml", pipeline.observe(expected, self.targets))
        assert result.not_audited == ()
        return sorted((f.rule, f.object, f.severity) for f in result.findings)

    def change(self, name: str, table: str, key: str, **fields: str) -> None:
        """Set fields of a row of CONFIG_DB behind netaudit's back, as `config load` merges them, and save."""
        file = self.folder / "lab" / "devices" / name / "tmp" / "change.json"
        file.write_text(json.dumps({table: {key: fields}}))
        self.run(name, "sudo config load -y /tmp/change.json")
        self.run(name, "sudo config save -y")

    def run(self, name: str, command: str) -> None:
        client = open_ssh(self.targets[name])
        assert isinstance(client, SshClient)
        with client:
            done = client.run(command, 60.0)
            assert isinstance(done, Completed)
            assert done.exit_code == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("dynamic"))
    try:
        yield made
    finally:
        control.down(made.folder / "lab")


def test_a_fabric_goes_from_tables_to_computed_headroom_and_back(site: Site) -> None:
    for mode in ("published", "dynamic", "computed", "dynamic", "published"):
        site.push(TEXT.replace("headroom: dynamic", f"headroom: {mode}"))


def test_packets_alpha_and_sharing_are_pushed_and_what_the_switch_makes_of_them_is_as_expected(site: Site) -> None:
    for more in ("packets: bulk", "packets: bulk, shared_headroom: 2", "alpha: 1/4", "shared_headroom: 4, alpha: 2"):
        site.push(TEXT.replace("headroom: dynamic", f"headroom: dynamic, {more}"))


def test_a_pattern_that_somebody_changed_is_one_finding_with_all_that_was_computed_from_it(site: Site) -> None:
    site.push(TEXT)
    site.change(LEAF, "LOSSLESS_TRAFFIC_PATTERN", "AZURE", mtu="4096", small_packet_percentage="50")
    found = site.found(TEXT)
    assert {(rule, severity) for rule, _, severity in found} == {("HDR-03", Severity.ERROR)}
    assert [place for _, place, _ in found] == [
        f"{LEAF} buffers.computing.lossless_mtu_bytes",
        f"{LEAF} buffers.computing.small_packet_percent",
    ]
    site.push(TEXT)


def test_a_wrong_mtu_or_length_takes_the_computed_headroom_of_its_port_along(site: Site) -> None:
    site.push(TEXT)
    site.change(LEAF, "PORT", "Ethernet504", mtu="9100")
    assert [rule for rule, _, _ in site.found(TEXT)] == ["INT-04"]
    site.push(TEXT)
    site.change(LEAF, "CABLE_LENGTH", "AZURE", Ethernet504="5m")
    assert site.found(TEXT) == [("HDR-01", f"{LEAF}:64", Severity.ERROR)]
    site.push(TEXT)


def test_a_group_that_is_bound_to_a_profile_by_hand_is_found(site: Site) -> None:
    site.push(TEXT)
    site.change(LEAF, "BUFFER_PG", "Ethernet504|3", profile="ingress_lossy_profile")
    assert site.found(TEXT) == [("HDR-02", f"{LEAF}:64", Severity.ERROR)]
    site.push(TEXT)


def test_ports_that_are_down_are_no_finding_whatever_the_switch_binds_to_them(site: Site) -> None:
    text = f'{TEXT}overrides: [{{where: "{LEAF}:1/2", set: {{enabled: false}}, reason: CHG-1, until: 2099-01-01}}]\n'
    site.push(text)
    site.push(TEXT)


def test_a_port_beyond_its_cap_keeps_what_it_had_and_the_check_refuses_it_before(site: Site) -> None:
    near = TEXT.replace("headroom: dynamic", "headroom: dynamic, shared_headroom: 2")
    far = near.replace("leaf-spine: 40m dr8", "leaf-spine: 450m dr8")
    assert any(d.rule == "HDR-07" for d in check_all(site.load(far)).diagnostics)
    site.push(near)
    site.change(LEAF, "CABLE_LENGTH", "AZURE", Ethernet504="450m")
    found = site.found(far)
    assert ("HDR-02", f"{LEAF}:64", Severity.ERROR) in found
    site.push(near)
