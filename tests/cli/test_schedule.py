from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from netaudit.cli.run import run
from netaudit.cli.schedule import MARK, Job, When, cron_line, parse_when, units

REPOSITORY = Path(__file__).resolve().parents[2]
INTENT = REPOSITORY / "intent" / "two-plane.yml"
NAME = "netaudit-audit-two-plane"
MONDAY = When(days=("Mon",), hour=6, minute=0)


def install(folder: Path, *more: str) -> int:
    return run(["schedule", "install", str(INTENT), "--dir", str(folder), *more])


def read(file: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the case of a name matters
    parser.read_string(file.read_text())
    return parser


def test_service_and_timer_are_written_and_the_next_command_starts_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("✔ the audit of")
    assert out.splitlines()[-1] == (
        f"Next: systemctl --user daemon-reload && systemctl --user enable --now {NAME}.timer"
    )
    timer = read(tmp_path / f"{NAME}.timer")["Timer"]
    assert dict(timer) == {"OnCalendar": "Mon 06:00", "RandomizedDelaySec": "10min", "Persistent": "true"}
    service = read(tmp_path / f"{NAME}.service")["Service"]
    assert service["Type"] == "oneshot"
    assert service["WorkingDirectory"] == str(Path.cwd())
    assert shlex.split(service["ExecStart"])[-2:] == ["audit", str(INTENT)]
    assert Path(shlex.split(service["ExecStart"])[0]).is_absolute()
    assert service["NoNewPrivileges"] == "yes"


def test_a_service_of_the_machine_may_write_its_folder_only(tmp_path: Path) -> None:
    assert install(tmp_path, "--system") == 0
    service = read(tmp_path / f"{NAME}.service")["Service"]
    assert (service["ProtectSystem"], service["ProtectHome"]) == ("strict", "read-only")
    assert service["ReadWritePaths"] == str(Path.cwd())
    assert service["CapabilityBoundingSet"] == ""


def test_installing_again_with_another_time_replaces_what_is_ours(tmp_path: Path) -> None:
    assert install(tmp_path) == 0
    assert install(tmp_path, "--at", "daily 18:30") == 0
    assert read(tmp_path / f"{NAME}.timer")["Timer"]["OnCalendar"] == "*-*-* 18:30"
    assert sorted(f.name for f in tmp_path.iterdir()) == [f"{NAME}.service", f"{NAME}.timer"]


@pytest.mark.parametrize("name", [f"{NAME}.service", f"{NAME}.timer"])
@pytest.mark.parametrize("content", ["", "[Unit]\n", f"{MARK}0000\n[Unit]\n", "\udcff"])
def test_a_file_of_somebody_else_is_left_alone_and_nothing_else_is_written(
    tmp_path: Path, name: str, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(content, errors="surrogateescape")
    assert install(tmp_path) == 1
    assert "not overwritten" in capsys.readouterr().err
    assert [f.name for f in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(errors="surrogateescape") == content


def test_a_unit_that_was_changed_by_hand_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert install(tmp_path) == 0
    file = tmp_path / f"{NAME}.timer"
    file.write_text(file.read_text().replace("Mon 06:00", "Tue 06:00"))
    assert install(tmp_path) == 1
    assert "was changed by hand" in capsys.readouterr().err
    assert "Tue 06:00" in file.read_text()


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.timer").symlink_to(tmp_path / "elsewhere")
    assert install(tmp_path) == 1
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("text", "calendar", "cron"),
    [
        ("Mon 06:00", "Mon 06:00", "0 6 * * 1"),
        ("Sun 23:59", "Sun 23:59", "59 23 * * 7"),
        ("Thu,Mon 18:05", "Mon,Thu 18:05", "5 18 * * 1,4"),
        ("daily 00:00", "*-*-* 00:00", "0 0 * * *"),
        ("12:30", "*-*-* 12:30", "30 12 * * *"),
    ],
)
def test_a_time_is_the_same_for_systemd_and_cron(text: str, calendar: str, cron: str) -> None:
    when = parse_when(text)
    assert (when.calendar, when.cron) == (calendar, cron)


@pytest.mark.parametrize(
    "text", ["", "Mon", "24:00", "Mon 6:00", "Foo 06:00", "Mon 06:60", "mon 06:00", "Mon 06:00 UTC"]
)
def test_what_is_no_time_is_a_usage_error(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert install(tmp_path, "--at", text) == 4
    assert "Mon 06:00" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("options", ["--where 'a", "--report a\x1b.html"])
def test_options_that_no_unit_can_hold_are_refused(tmp_path: Path, options: str) -> None:
    assert install(tmp_path, "--options", options) == 4


def test_an_intent_that_cannot_be_read_gets_no_timer(tmp_path: Path) -> None:
    assert run(["schedule", "install", str(tmp_path / "none.yml"), "--dir", str(tmp_path)]) == 4
    assert [*tmp_path.iterdir()] == []


def test_print_writes_nothing_and_shows_units_and_cron(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schedule", "print", str(INTENT), "--options", "--fail-on new"]) == 0
    out = capsys.readouterr().out
    assert f"# {NAME}.service" in out
    assert out.splitlines()[-1].startswith("0 6 * * 1 cd ")
    assert out.splitlines()[-1].endswith(f"audit {INTENT} --fail-on new")
    assert [*tmp_path.iterdir()] == []


ODD = ("/opt/100 %/netaudit", "audit", "a b\"c\\d$HOME'e.yml", "", "--where", "plane=a unit=su1")


def test_odd_words_reach_the_program_as_they_are(tmp_path: Path) -> None:
    """The cron line is run by a shell; the unit is read back by the rules of systemd.service(5)."""
    echo = (sys.executable, "-c", "import sys; print(sys.argv[1:])", *ODD[2:])
    job = Job(name="n", command=echo, folder=tmp_path, when=MONDAY, system=True)
    line = cron_line(job).removeprefix("0 6 * * 1 ").replace(r"\%", "%")
    shown = subprocess.run(
        ["/bin/sh", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == str([*ODD[2:]])
    text = units(Job(name="n", command=ODD, folder=tmp_path, when=MONDAY, system=True))["n.service"]
    (start,) = (row for row in text.splitlines() if row.startswith("ExecStart="))
    words = shlex.split(start.removeprefix("ExecStart="))
    assert tuple(word.replace("$$", "$").replace("%%", "%") for word in words) == ODD


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not on this machine")
    assert install(tmp_path, "--system", "--options", "--where 'plane=a unit=su1' --report '100 %.html'") == 0
    files = [str(tmp_path / f"{NAME}.{kind}") for kind in ("service", "timer")]
    done = subprocess.run(
        [program, "verify", *files], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
