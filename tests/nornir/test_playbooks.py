"""The Nornir scripts do what they say on a simulated fabric: push it as it came, then find it as intended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from netaudit import pipeline
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLE = REPOSITORY / "intent" / "two-plane.yml"
ENTRY_POINTS = """[nornir.plugins.inventory]
NetauditIntent = netaudit.nornir.inventory:NetauditIntent
[nornir.plugins.connections]
netaudit_gnmi = netaudit.nornir.connections:GnmiConnection
netaudit_ssh = netaudit.nornir.connections:SshConnection
"""


@dataclass
class Scripts:
    """Runs a playbook against the lab, as in an environment where netaudit is installed."""

    folder: Path
    targets: Path

    def run(self, name: str, answer: str = "") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": f"{REPOSITORY}{os.pathsep}{self.folder / 'site'}"}
        command = [sys.executable, str(REPOSITORY / "playbooks" / name), str(EXAMPLE), str(self.targets)]
        return subprocess.run(
            command, input=answer, env=environment, cwd=self.folder, capture_output=True, text=True, timeout=300
        )


@pytest.fixture
def scripts(tmp_path: Path) -> Iterator[Scripts]:
    installed = tmp_path / "site" / "netaudit-0.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: netaudit\nVersion: 0\n")
    (installed / "entry_points.txt").write_text(ENTRY_POINTS)
    lab = tmp_path / "lab"
    write_lab(pipeline.load_fabric(EXAMPLE).built, lab)
    try:
        yield Scripts(tmp_path, control.up(lab))
    finally:
        control.down(lab)


def test_the_scripts_push_a_factory_fabric_and_then_find_it_as_intended(scripts: Scripts) -> None:
    declined = scripts.run("push.py", "no\n")
    assert (declined.returncode, declined.stderr) == (0, "")
    assert declined.stdout.startswith("▲ this plan: 20 devices change; ")
    pushed = scripts.run("push.py", "yes\n")
    assert (pushed.returncode, pushed.stderr) == (0, "")
    assert "✔ push complete: 20 of 20 devices verified, nothing undone, nothing unknown" in pushed.stdout
    audited = scripts.run("weekly_audit.py")
    assert (audited.returncode, audited.stderr) == (0, "")
    assert audited.stdout.startswith("✔ two-plane is as intended: 20 of 20 switches audited, 0 findings")
