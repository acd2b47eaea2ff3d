"""Tables of `raw` on simulated switches: pushed, audited, named once when they go, beside rows that others wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from netaudit import pipeline
from netaudit.cli.run import run
from netaudit.collect.snapshot import load as load_snapshot
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab
from tests.intent.example import small

LEAF = "a-su1-r1-leaf"
SNIPPET = """{"NTP_SERVER": {"192.0.2.1": {}, "192.0.2.2": {"iburst": "on"}},
 "DEVICE_METADATA": {"localhost": {"timezone": "UTC"}}}"""
TEXT = small(
    planes="[a]",
    rails="1",
    raw='[{where: "role=leaf", file: ntp.json, owner: netops, reason: CHG-812}]',
    bgp="{asn_base: 4200000000}",
)


class Site:
    """A small lab, its intent, and how its switches are reached."""

    def __init__(self, folder: Path) -> None:
        (folder / "ntp.json").write_text(SNIPPET, encoding="utf-8")
        self.intent = folder / "fabric.yml"
        self.intent.write_text(TEXT, encoding="utf-8")
        self.folder = folder / "lab"
        self.expected: Expected = pipeline.load_fabric(self.intent)
        write_lab(self.expected.built, self.folder)
        file = self.box(LEAF) / "etc/sonic/config_db.json"
        tables = json.loads(file.read_text())
        tables["NTP_SERVER"] = {"198.51.100.9": {"iburst": "off"}}
        file.write_text(json.dumps(tables))
        self.file = control.up(self.folder)
        self.targets: dict[str, Target] = dict(pipeline.targets(self.expected, tuple(self.expected.devices), self.file))

    def box(self, name: str) -> Path:
        return self.folder / "devices" / name

    def saved(self, name: str) -> dict[str, dict[str, dict[str, str]]]:
        return json.loads((self.box(name) / "etc/sonic/config_db.json").read_text())  # type: ignore[no-any-return]

    def push(self) -> None:
        plan = pipeline.plan(self.expected, self.targets)
        result = pipeline.carry_out(plan, self.targets, self.folder / "runs")
        assert result.exit_code == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("raw"))
    try:
        made.push()
        yield made
    finally:
        control.down(made.folder)


def test_rows_are_pushed_beside_those_of_others_to_the_switches_that_are_meant(site: Site) -> None:
    assert site.saved(LEAF)["NTP_SERVER"] == {
        "192.0.2.1": {},
        "192.0.2.2": {"iburst": "on"},
        "198.51.100.9": {"iburst": "off"},
    }
    assert site.saved(LEAF)["DEVICE_METADATA"]["localhost"]["timezone"] == "UTC"
    assert "NTP_SERVER" not in site.saved("a-spine1")


def test_the_audit_is_as_intended_and_lists_the_snippet(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    result = pipeline.audit(site.expected, "x", pipeline.observe(site.expected, site.targets))
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)
    (spot,) = [spot for spot in result.declared if spot.what.startswith("raw ")]
    assert (spot.what, spot.where) == ("raw ntp.json", "role=leaf")
    assert "netops, CHG-812" in spot.reason
    assert run(["check", str(site.intent)]) == 0
    assert "1 raw snippet" in capsys.readouterr().out


def test_rows_that_somebody_took_out_are_one_finding_and_come_back_by_a_patch(site: Site) -> None:
    held = site.saved(LEAF)
    less = json.loads(json.dumps(held))
    del less["NTP_SERVER"]["192.0.2.1"]
    less["NTP_SERVER"]["192.0.2.2"]["iburst"] = "off"
    write_running(site, less)
    result = pipeline.audit(site.expected, "x", pipeline.observe(site.expected, site.targets))
    assert [(f.rule, f.device) for f in result.findings] == [("RAW-01", LEAF)]
    told = [c.what for c in result.findings[0].comparisons]
    assert told == [f"{LEAF} raw.NTP_SERVER.192.0.2.1", f"{LEAF} raw.NTP_SERVER.192.0.2.2.iburst"]
    plan = pipeline.plan(site.expected, site.targets)
    assert [(d.name, str(d.impact)) for d in plan.changes] == [(LEAF, "none")]
    site.push()
    assert site.saved(LEAF)["NTP_SERVER"] == held["NTP_SERVER"]


def write_running(site: Site, tables: object) -> None:
    """Make a switch run and save other tables, as somebody with a shell does."""
    from netaudit.collect.ssh import SshClient, open_ssh

    file = site.box(LEAF) / "etc/sonic/config_db.json"
    file.write_text(json.dumps(tables))
    ssh = open_ssh(site.targets[LEAF])
    assert isinstance(ssh, SshClient)
    with ssh:
        done = ssh.run("sudo config reload -y -f", 60.0)
        assert getattr(done, "exit_code", 1) == 0, done


def test_a_snapshot_has_the_rows_and_one_from_before_them_is_not_audited_in_them(site: Site, tmp_path: Path) -> None:
    pipeline.record(site.expected, site.targets, tmp_path / "snap")
    snap = load_snapshot(tmp_path / "snap")
    result = pipeline.audit(site.expected, "x", pipeline.replay(site.expected, snap, tuple(site.expected.devices)))
    assert (result.findings, result.not_audited) == ((), ())
    other = tmp_path / "more"
    other.mkdir()
    (other / "ntp.json").write_text('{"SYSLOG_SERVER": {"192.0.2.7": {}}}')
    (other / "fabric.yml").write_text(TEXT)
    later = pipeline.load_fabric(other / "fabric.yml")
    result = pipeline.audit(later, "x", pipeline.replay(later, snap, tuple(later.devices)))
    assert [(n.device, n.what) for n in result.not_audited] == [(LEAF, "running raw")]
    assert "it was not asked" in result.not_audited[0].reason
