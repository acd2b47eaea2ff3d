"""A command that is loaded alone is the same as in the whole program."""

from __future__ import annotations

import pytest
import typer

from netaudit.cli.app import app, program
from netaudit.cli.run import run

ALONE = sorted(command.name for command in app.registered_commands if command.name)


@pytest.mark.parametrize("name", ALONE)
def test_a_command_alone_has_the_help_it_has_among_all(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert [command.name for command in program(name).registered_commands] == [name]
    assert run([name, "--help"]) == 0
    alone = capsys.readouterr().out
    typer.main.get_command(app).main([name, "--help"], prog_name="netaudit", standalone_mode=False)
    assert alone == capsys.readouterr().out


@pytest.mark.parametrize("word", ["", "show", "lab", "schedule", "chekc", "--where"])
def test_any_other_word_gets_the_whole_program(word: str) -> None:
    assert program(word) is app
