"""What the tests of `show` share: the example fabric as a user names it, and small fabrics for single questions."""

from __future__ import annotations

import contextlib
from pathlib import Path

from netaudit.cli.show.page import View
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from tests.intent.example import read, small

REPOSITORY = Path(__file__).resolve().parents[2]
NAMED = "intent/two-plane.yml"
VIEW = View(named=NAMED)
FULL = View(named=NAMED, everything=True)


def example() -> Expected:
    """The example fabric, read from the repository's folder so that its files have the names a user would see."""
    with contextlib.chdir(REPOSITORY):
        return Expected(build(load(Path(NAMED))))


def fabric(folder: Path, *, devices: str | None = None, **changes: str) -> Expected:
    """A small fabric, some keys of its intent changed, with a devices.csv if there is one."""
    if devices is not None:
        return Expected(build(read(folder, small(**changes, devices="devices.csv"), devices=devices)))
    return Expected(build(read(folder, small(**changes))))
