"""What every test may use: golden files, the shared reference data, and a run that names what it skipped."""

from __future__ import annotations

import difflib
import fnmatch
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest

TESTS = Path(__file__).resolve().parent
REPOSITORY = TESTS.parent
ALLOWED_SKIPS = TESTS / "allowed_skips.txt"
DIFF_LINES = 80  # what still fits beside the rest of a failure on one screen or two


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """Compares a text with a file under tests/golden/; `pytest --update` writes the file instead."""

    folder: Path
    update: bool

    def __call__(self, name: str | Path, text: str) -> None:
        """Fail with a diff where `text` is not what the file says; an absolute `name` is taken as it is."""
        __tracebackhide__ = True
        file = self.folder / name
        if self.update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
            return
        if not file.is_file():
            pytest.fail(f"no golden file {_shown(file)}: write it with `pytest --update` and review it", pytrace=False)
        with file.open(encoding="utf-8", newline="") as stream:  # read_text would turn CRLF into LF
            wanted = stream.read()
        if text != wanted:
            pytest.fail(_difference(file, wanted, text), pytrace=False)


def _shown(file: Path) -> str:
    return str(file.relative_to(REPOSITORY)) if file.is_relative_to(REPOSITORY) else str(file)


def _difference(file: Path, wanted: str, text: str) -> str:
    lines = list(
        difflib.unified_diff(
            [_visible(line) for line in wanted.splitlines(keepends=True)],
            [_visible(line) for line in text.splitlines(keepends=True)],
            _shown(file),
            "this run",
            lineterm="",
        )
    )
    more = [f"… and {len(lines) - DIFF_LINES} more lines"] if len(lines) > DIFF_LINES else []
    head = f"{_shown(file)} differs; if the new text is right: `pytest --update`, then review the diff"
    return "\n".join([head, *lines[:DIFF_LINES], *more])


def _visible(line: str) -> str:
    """The line without its end, but with what a terminal hides: trailing blanks, CR, a missing newline."""
    body = line.removesuffix("\n")
    shown = body.replace("\r", "␍")
    stripped = shown.rstrip(" \t")
    shown = stripped + shown[len(stripped) :].replace(" ", "·").replace("\t", "→")
    return shown if line.endswith("\n") else shown + " (no newline at the end)"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the golden files instead of comparing with them")


def pytest_configure() -> None:
    # Hypothesis' own profile for CI draws the same examples each time. Elsewhere only its time limit goes: a test
    # that fails because the machine is busy tells nothing.
    hypothesis.settings.register_profile("netaudit", deadline=None)
    hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "netaudit")


@pytest.fixture(scope="session")
def golden(request: pytest.FixtureRequest) -> Golden:
    """`golden("stage/name.txt", text)` compares with tests/golden/stage/name.txt."""
    return Golden(folder=TESTS / "golden", update=bool(request.config.getoption("--update")))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference data beside the repository; the product never needs it."""
    folder = REPOSITORY.parent / "shared"
    if not folder.is_dir():
        pytest.skip("shared reference data is not here")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _everything_temporary_is_pytests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Temporary files, and what a user's home would hold, go below pytest's own folder, in child processes too."""
    own = tmp_path_factory.mktemp("own")
    places = {"TMPDIR": own / "tmp", "HOME": own / "home"}
    places |= {f"XDG_{what}_HOME": own / what.lower() for what in ("CACHE", "CONFIG", "DATA", "STATE")}
    with pytest.MonkeyPatch.context() as patch:
        # A user's own NETAUDIT_* and colour settings would change what the tests see.
        for name in [name for name in os.environ if name.startswith("NETAUDIT_")]:
            patch.delenv(name)
        for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS"):
            patch.delenv(name, raising=False)
        for name, place in places.items():
            place.mkdir()
            patch.setenv(name, str(place))
        patch.setattr(tempfile, "tempdir", str(places["TMPDIR"]))
        yield


def skip_counts(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> Mapping[str, int]:
    """Return how many tests were skipped for each reason, the most frequent first."""
    reasons: Counter[str] = Counter()
    for report in reports:
        said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[" ".join(said.removeprefix("Skipped: ").split())] += 1
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))


def unexpected_skips(reasons: Iterable[str], allowed: str) -> tuple[str, ...]:
    """Return the reasons that no line of `allowed` matches; a line is a shell pattern, `#` starts a comment."""
    patterns = [line.strip() for line in allowed.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return tuple(r for r in reasons if not any(fnmatch.fnmatchcase(r, pattern) for pattern in patterns))


def _skips_of_run(config: pytest.Config) -> tuple[Mapping[str, int], tuple[str, ...]]:
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    counts = skip_counts(terminal.stats.get("skipped", ())) if terminal else {}
    if not os.environ.get("CI"):
        return counts, ()
    allowed = ALLOWED_SKIPS.read_text(encoding="utf-8") if ALLOWED_SKIPS.is_file() else ""
    return counts, unexpected_skips(counts, allowed)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    # xdist's workers report to the controller, which alone sees every skip.
    if hasattr(session.config, "workerinput"):
        return
    _, refused = _skips_of_run(session.config)
    if refused and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _on_real_switches(terminal: pytest.TerminalReporter) -> str:
    """How the tests on real FRR went, or empty where none was chosen: one line that CI's log is to show."""
    ended = {
        word: sum("lab_frr/" in report.nodeid for report in terminal.stats.get(word, ()))
        for word in ("passed", "failed", "error", "skipped")
    }
    return "real FRR: " + ", ".join(f"{count} {word}" for word, count in ended.items()) if any(ended.values()) else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if told := _on_real_switches(terminalreporter):
        terminalreporter.write_line(told)
    counts, refused = _skips_of_run(config)
    for reason, count in counts.items():
        terminalreporter.write_line(f"skipped: {reason}, {count}", yellow=True)
    for reason in refused:
        terminalreporter.write_line(
            f"error: CI is set and tests were skipped: {reason}\n"
            f"  hint: install what is missing, or allow the reason by a line in {_shown(ALLOWED_SKIPS)}",
            red=True,
        )
