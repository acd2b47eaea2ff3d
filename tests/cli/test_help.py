"""Help and completion: every command says how it is used, and the shell completes what is typed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from netaudit.cli.examples import EXAMPLES
from netaudit.cli.help import HELP
from netaudit.cli.run import run
from netaudit.docs.commands import Line, lines

PROGRAM = "import sys; from netaudit.cli import main; main()"
LINES = {line.words: line for line in lines()}


def command_of(words: list[str]) -> Line | None:
    return LINES.get(" ".join(words[:2])) or LINES.get(words[0])


@pytest.mark.parametrize("words", sorted(LINES))
def test_every_command_has_a_sentence_and_an_example(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words.split(), "--help"]) == 0
    told = capsys.readouterr().out
    assert "Example" in told, f"no example of `{words}` in cli/examples.py"
    assert (LINES[words].command.help or "").strip()


@pytest.mark.parametrize(
    "typed", [command for found in EXAMPLES.values() for command, _ in found], ids=lambda text: text[9:60]
)
def test_every_example_can_be_typed(typed: str) -> None:
    """Its command and its options exist."""
    for part in typed.split(" | ")[0].split(" > ")[:1]:
        words = shlex.split(part)
        assert words[0] == "netaudit"
        line = command_of(words[1:])
        assert line is not None, typed
        known = {name for option in line.options for name in (*option.opts, *option.secondary_opts)}
        assert {word.split("=")[0] for word in words if word.startswith("-")} <= known
        at_least = sum(1 for argument in line.arguments if argument.required)
        assert len(words) > len(line.words.split()) + at_least


def test_every_command_is_in_the_short_help() -> None:
    missing = {words.split()[0] for words in LINES} - {word.strip(",") for word in HELP.split()}
    assert not missing


def completed(shell: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What the program answers a shell that asks for completions: no argument, all in variables."""
    environment = {**os.environ, "_NETAUDIT_COMPLETE": f"complete_{shell}", **variables}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.DEVNULL,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_bash_completes_a_command() -> None:
    done = completed("bash", COMP_WORDS="netaudit ch", COMP_CWORD="1")
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["check"], "")


def test_bash_completes_an_option_of_a_command_in_a_group() -> None:
    done = completed("bash", COMP_WORDS="netaudit show headroom --ou", COMP_CWORD="3")
    assert done.stdout.split() == ["--output"]


def test_zsh_completes_commands_with_what_they_do() -> None:
    done = completed("zsh", _TYPER_COMPLETE_ARGS="netaudit ex")
    assert done.stdout.startswith("_arguments")
    assert '"export":' in done.stdout


def test_zsh_completes_files_where_an_intent_is_due() -> None:
    assert completed("zsh", _TYPER_COMPLETE_ARGS="netaudit check int").stdout.strip() == "_files"


def test_fish_completes_options_with_their_help() -> None:
    done = completed("fish", _TYPER_COMPLETE_ARGS="netaudit diff --det", _TYPER_COMPLETE_FISH_ACTION="get-args")
    assert done.stdout.startswith("--detailed-exitcode\t")


@pytest.mark.parametrize(("shell", "word"), [("bash", "complete -o default"), ("zsh", "compdef"), ("fish", "complete")])
def test_the_script_for_a_shell_asks_this_program(shell: str, word: str) -> None:
    environment = {**os.environ, "_NETAUDIT_COMPLETE": f"source_{shell}"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.DEVNULL,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert word in done.stdout
    assert f"_NETAUDIT_COMPLETE=complete_{shell}" in done.stdout


def test_a_completion_imports_none_of_the_core() -> None:
    """A key is pressed and somebody waits: the readers, gNMI, SSH and Nornir stay out."""
    program = (
        "import sys; from netaudit.cli.run import run\n"
        "try: run([])\n"
        "except SystemExit: pass\n"
        "heavy = ('netaudit.intent', 'netaudit.pipeline', 'grpc', 'paramiko', 'nornir', 'jinja2', 'rich')\n"
        "print(sorted(m for m in heavy if m in sys.modules), file=sys.stderr)"
    )
    environment = {
        **os.environ, "_NETAUDIT_COMPLETE": "complete_bash", "COMP_WORDS": "netaudit ch", "COMP_CWORD": "1"
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr.strip() == "[]"


def test_check_imports_nothing_that_reaches_a_device() -> None:
    program = (
        "import sys; from netaudit.cli.run import run; run(['check', sys.argv[1]])\n"
        "heavy = ('grpc', 'paramiko', 'nornir', 'asyncssh', 'rich')\n"
        "print(sorted(m for m in heavy if m in sys.modules), file=sys.stderr)"
    )
    intent = str(Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml")
    done = subprocess.run(
        [sys.executable, "-c", program, intent],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr.strip() == "[]"
