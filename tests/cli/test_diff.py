"""`netaudit diff`: what a change of the intent does, seen in a file, a folder or a revision of git."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from netaudit.cli.run import run
from netaudit.difference import compare
from netaudit.difference.data import diff_data, diff_markdown
from netaudit.difference.text import diff_text
from netaudit.terminal import Style
from tests.cli.showing import example, fabric

EXAMPLES = Path(__file__).resolve().parents[2] / "intent"
INTENT = str(EXAMPLES / "two-plane.yml")


def copy(folder: Path, *changes: tuple[str, str]) -> Path:
    """The example in a folder of its own, with some words exchanged; each must be there."""
    (folder / "two-plane").mkdir(parents=True)
    for name in ("devices.csv", "cables.csv"):
        shutil.copy(EXAMPLES / "two-plane" / name, folder / "two-plane" / name)
    text = Path(INTENT).read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "two-plane.yml").write_text(text)
    return folder / "two-plane.yml"


def data(old: str | Path, new: str | Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert run(["diff", str(old), str(new), "-o", "json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_equal_intents_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = copy(tmp_path, ("# A small fabric", "# The same fabric"))
    assert run(["diff", INTENT, str(other), "--detailed-exitcode"]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("nothing changes: 20 devices are the same")


def test_a_value_that_all_devices_share_is_one_diff_and_says_what_it_interrupts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = copy(tmp_path, ("hold: 9s", "hold: 12s"))
    assert run(["diff", INTENT, str(other), "--detailed-exitcode"]) == 2
    told = capsys.readouterr().out
    assert "20 devices change; BGP sessions restart on 20 devices" in told.splitlines()[0]
    assert "reset 20" in told
    assert "flap 0" in told
    assert "timers bgp 3 12" in told
    assert "diff 3" not in told, "leaves and spines: two shapes at most"
    assert told.splitlines()[-1] == f"Next: netaudit check {other}, then  netaudit plan {other} -o plan.json"


def test_without_detailed_exitcode_a_change_exits_with_0(tmp_path: Path) -> None:
    assert run(["diff", INTENT, str(copy(tmp_path, ("hold: 9s", "hold: 12s")))]) == 0


def test_growth_inside_the_capacity_adds_devices_and_renumbers_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grown = copy(tmp_path, ("  su2: {hosts: 4}\n", "  su2: {hosts: 4}\n  su3: {hosts: 4}\n"))
    found = data(INTENT, grown, capsys)
    assert len(found["added"]) == 8  # type: ignore[arg-type]
    assert found["removed"] == []
    assert found["renumbered"] == []
    assert found["cables"]["moved"] == []  # type: ignore[index]
    assert found["cables"]["removed"] == []  # type: ignore[index]
    assert set(found["flapping"]) == {"a-spine1", "a-spine2", "b-spine1", "b-spine2"}  # type: ignore[call-overload]
    back = data(grown, INTENT, capsys)
    assert back["removed"] == found["added"]


def test_another_capacity_tells_what_is_renumbered_and_which_ports_move(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.mkdir()
    large.mkdir()
    diff = compare(fabric(small), fabric(large, capacity="{units: 2, hosts: 16}"))
    assert {r.what for r in diff.renumbered} >= {"host prefix"}
    told = "\n".join(diff_text(diff, "small", "large", Style(), full=False))
    assert "renumbers" in told


def test_links_that_move_to_other_ports_are_told_as_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fewer = copy(tmp_path, ("count: 2, links: 2", "count: 2, links: 1"), ("measured: two-plane/cables.csv", ""))
    found = data(INTENT, fewer, capsys)
    assert found["cables"]["moved"], "links 3 and 4 of a leaf had another port"  # type: ignore[index]
    assert found["cables"]["removed"]  # type: ignore[index]


def test_a_new_name_is_a_new_name_and_moves_no_cable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = copy(tmp_path)
    table = other.parent / "two-plane" / "devices.csv"
    table.write_text(table.read_text().replace("a/spine/1,a-spine1,", "a/spine/1,tokyo-core,"))
    cables = other.parent / "two-plane" / "cables.csv"
    cables.write_text(cables.read_text().replace("a-spine1:", "tokyo-core:"))
    found = data(INTENT, other, capsys)
    assert found["renamed"] == {"a-spine1": "tokyo-core"}
    assert (found["added"], found["removed"]) == ([], [])
    assert found["cables"] == {"added": [], "removed": [], "moved": [], "changed": []}


def test_another_length_changes_cables_and_headroom(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = copy(tmp_path, ("leaf-spine: 40m", "leaf-spine: 60m"))
    assert run(["diff", INTENT, str(other)]) == 0
    assert "leaf-spine 40 m dr8 → 60 m dr8" in capsys.readouterr().out


def test_every_device_is_in_exactly_one_group() -> None:
    old = example()
    diff = compare(old, old)
    assert not diff
    assert diff.groups == ()


def test_markdown_folds_long_diffs_and_hides_nothing_in_html(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    diff = compare(fabric(one), fabric(other, mtu="{port: 9000, host: 8900}"))
    text = diff_markdown(diff, "HEAD<b>", "fabric.yml")
    assert text.startswith("### netaudit: ")
    assert text.count("<details") == text.count("</details>") == len(diff.groups)
    assert text.count("```") % 2 == 0
    assert json.dumps(diff_data(diff, "a", "b"))


# --- git


def git(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.net", "-c", "commit.gpgsign=false", *arguments],
        stdin=subprocess.DEVNULL,
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose one commit holds the example in site/; the file beside it has another hold time."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    file = copy(tmp_path / "repository" / "site")
    git(tmp_path / "repository", "init", "-q")
    git(tmp_path / "repository", "add", "-A")
    git(tmp_path / "repository", "commit", "-q", "-m", "the fabric")
    file.write_text(file.read_text().replace("hold: 9s", "hold: 12s"))
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path / "repository"


@pytest.mark.parametrize(
    "old", ["HEAD:site/two-plane.yml", "HEAD:./site/two-plane.yml", "HEAD", "HEAD:site", "HEAD:site/"]
)
def test_a_revision_is_compared_with_the_file_on_disk(
    old: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", old, "site/two-plane.yml", "--detailed-exitcode"]) == 2
    assert "20 devices change" in capsys.readouterr().out


def test_a_revision_is_found_from_a_folder_below(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "site")
    for old in ("HEAD", "HEAD:two-plane.yml", "HEAD:./two-plane.yml", "HEAD:site/two-plane.yml"):
        assert run(["diff", old, "two-plane.yml", "--detailed-exitcode"]) == 2, old


def test_two_revisions_are_compared(repository: Path) -> None:
    git(repository, "commit", "-q", "-a", "-m", "another hold time")
    assert run(["diff", "HEAD~1:site/two-plane.yml", "HEAD:site/two-plane.yml", "--detailed-exitcode"]) == 2
    assert run(["diff", "HEAD:site/two-plane.yml", "site/two-plane.yml", "--detailed-exitcode"]) == 0


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("no-such:site/two-plane.yml", "git knows no revision `no-such` here"),
        ("HEAD:site/nothing.yml", "there is no `site/nothing.yml` in revision `HEAD`"),
        ("HEAD:../../etc", "there is no `../../etc` in revision `HEAD`"),
        ("no-such-file.yml", "no file, folder or git revision `no-such-file.yml`"),
        ("--output=/tmp/x:site", "git knows no revision"),
        (":", "no file, folder or git revision"),
    ],
)
def test_what_is_not_there_is_said(old: str, told: str, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "--", old, "site/two-plane.yml"]) == 4
    assert told in capsys.readouterr().err


def test_a_problem_of_an_old_intent_is_named_by_its_revision(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = repository / "site" / "two-plane.yml"
    good = file.read_text()
    file.write_text(good.replace("rails:", "rail:"))
    git(repository, "commit", "-q", "-a", "-m", "broken")
    file.write_text(good)
    assert run(["diff", "HEAD", "site/two-plane.yml"]) == 4
    told = capsys.readouterr().err
    assert "HEAD:site/two-plane.yml:" in told
    assert "netaudit-diff-" not in told
