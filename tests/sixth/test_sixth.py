"""A sixth NOS is new files and nothing else: a copy of the product with the files of this folder laid over it.

VOS is a NOS that nobody sells. No line of the product is edited: it is rendered, proven, pushed, audited and broken.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE, REPOSITORY = Path(__file__).parent, Path(__file__).resolve().parents[2]
LAID_OVER = ("netaudit", "templates", "docs")
COPIED = ("netaudit", "templates", "intent")
MARK = "pyproject.toml"
INTENT = "intent/two-plane.yml"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product with six NOSes; its example has VOS leaves under SONiC spines."""
    folder = tmp_path_factory.mktemp("six")
    for name in COPIED:
        shutil.copytree(REPOSITORY / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / MARK, folder)
    for name in LAID_OVER:
        there = {path.relative_to(folder) for path in (folder / name).rglob("*") if path.is_file()}
        ours = {path.relative_to(HERE) for path in (HERE / name).rglob("*") if path.is_file()}
        assert not there & ours, "new files only"
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(HERE / name, folder / name, dirs_exist_ok=True, ignore=ignore)
    text = (folder / INTENT).read_text()
    changed = re.sub(r"^(leaf: .*platform: )sonic", r"\1vos", text, flags=re.M)
    assert changed != text
    (folder / INTENT).write_text(changed)
    return folder


def netaudit(tree: Path, *words: str, code: tuple[int, ...] = (0,)) -> str:
    """What a command prints; on another exit code than those both outputs are shown."""
    program = "import sys; from netaudit.cli import main; raise SystemExit(main())"
    environment = {**os.environ, "PYTHONPATH": str(tree), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=tree,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode in code, f"{' '.join(words)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def lab(tree: Path) -> Iterator[Path]:
    """A running lab of it."""
    netaudit(tree, "lab", "up", INTENT, "--sim", "--dir", "lab")
    try:
        yield tree / "lab"
    finally:
        netaudit(tree, "lab", "down", "--dir", "lab")


def test_the_intent_takes_the_word_and_the_rest_knows_it(tree: Path) -> None:
    assert "vos" in json.loads(netaudit(tree, "schema"))["$defs"]["Leaf"]["properties"]["platform"]["enum"]
    assert "20 devices" in netaudit(tree, "check", INTENT)
    told = netaudit(tree, "show", "platform", INTENT)
    assert "vos.conf" in told
    assert "VOS drops what finds no room" in told


def test_it_means_what_the_others_mean(tree: Path) -> None:
    told = netaudit(tree, "check", INTENT, "--equivalence", "-o", "json", code=(0, 2))
    found = json.loads(told)["equivalence"]
    ours = [row for row in found if row["platform"] == "vos"]
    assert len(ours) == 2
    assert all(row["faults"] == [] and row["witness"] is None for row in ours)


def test_it_is_pushed_audited_broken_and_taken_back(tree: Path, lab: Path) -> None:
    targets = ("--targets", str(lab / "targets.json"))
    netaudit(tree, "plan", INTENT, "-o", "plan.json", *targets)
    netaudit(tree, "push", "plan.json", "--yes", *targets)
    again = netaudit(tree, "plan", INTENT, "-o", "again.json", *targets)
    assert "nothing to" in again.lower() or "0 of" in again, again
    netaudit(tree, "audit", INTENT, *targets)
    netaudit(tree, "lab", "break", "asn", "a-su1-r1-leaf", "65000", "--dir", "lab")
    told = json.loads(netaudit(tree, "audit", INTENT, *targets, "--settle", "0s", "-o", "json", code=(2,)))
    assert [finding["rule"] for finding in told["findings"]] == ["BGP-02"]
    netaudit(tree, "lab", "heal", "--dir", "lab")
    netaudit(tree, "audit", INTENT, *targets)
