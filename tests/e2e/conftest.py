"""A whole lab of the two-plane example, pushed once and shared by the tests of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab

REPOSITORY = Path(__file__).resolve().parents[2]
INTENT = REPOSITORY / "intent" / "two-plane.yml"
FOREIGN_DEVICE = "a-su1-r2-leaf"

FOREIGN_TABLES = {
    "NTP_SERVER": {"198.51.100.1": {"iburst": "on"}},
    "SYSLOG_SERVER": {"198.51.100.2": {}},
    "TACPLUS_SERVER": {"198.51.100.3": {"priority": "1"}},
    "SITE_OWN_TABLE": {"a key|with a bar": {"a field": "ünïcode, and a / slash"}},
}


@dataclass(frozen=True)
class Lab:
    """A running lab and the fabric that it is to be."""

    folder: Path
    expected: Expected
    targets: dict[str, Target]
    first_push: object

    def audit(self) -> AuditResult:
        """The audit of the fabric as it is now."""
        return pipeline.audit(self.expected, str(INTENT), pipeline.observe(self.expected, self.targets))

    def box(self, name: str) -> Path:
        """The file system of a switch."""
        return self.folder / "devices" / name


def put_foreign_things(folder: Path) -> None:
    """Tables, keys and fields of another owner on one switch, as if they had been there first."""
    file = folder / "devices" / FOREIGN_DEVICE / "etc/sonic/config_db.json"
    database = json.loads(file.read_text())
    database.update(FOREIGN_TABLES)
    database["DEVICE_METADATA"]["localhost"]["timezone"] = "Asia/Tokyo"
    database["PORT"]["Ethernet504"]["tpid"] = "0x8100"
    file.write_text(json.dumps(database))


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("two-plane")
    expected = pipeline.load_fabric(INTENT)
    write_lab(expected.built, folder)
    put_foreign_things(folder)
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder)))
    try:
        plan = pipeline.plan(expected, targets)
        result = pipeline.carry_out(plan, targets, folder / "runs")
        yield Lab(folder, expected, targets, result)
    finally:
        control.down(folder)
