"""A fabric with EOS switches in it, as it is to be and as it runs; shared by the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e import nxos_fabric
from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab
from netaudit.push.result import PushResult

MODEL = "arista-7060x6-64pe"
LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
STARTUP = "mnt/flash/startup-config"


def write(folder: Path, leaf: str, spine: str) -> Path:
    """An intent of one plane, four leaves, two spines."""
    return nxos_fabric.write(folder, leaf, spine, MODEL if (leaf, spine) == ("eos", "eos") else "nvidia-sn5600")


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
        return self.boxes / "devices" / name / STARTUP

    def arista(self) -> list[str]:
        return [name for name in self.expected.devices if self.startup(name).is_file()]


@contextmanager
def running(folder: Path, leaf: str, spine: str) -> Iterator[Lab]:
    """The lab of such a fabric, pushed once."""
    intent = write(folder, leaf, spine)
    expected = pipeline.load_fabric(intent)
    write_lab(expected.built, folder / "lab")
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder / "lab")))
    try:
        result = pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs")
        yield Lab(folder, intent, expected, targets, result)
    finally:
        control.down(folder / "lab")
