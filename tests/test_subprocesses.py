"""No program that a test starts can wait for somebody at the terminal of whoever runs the tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
STARTS = frozenset(f"subprocess.{name}" for name in ("run", "Popen", "call", "check_call", "check_output"))
FILES = sorted(str(file.relative_to(HERE)) for file in HERE.rglob("*.py"))


def without_stdin(text: str) -> Iterator[int]:
    """Lines of calls that start a program and leave it the terminal to ask at."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) not in STARTS:
            continue
        if not {"stdin", "input"} & {keyword.arg for keyword in node.keywords}:
            yield node.lineno


@pytest.mark.parametrize("file", [file for file in FILES if "subprocess" in (HERE / file).read_text(encoding="utf-8")])
def test_every_program_is_told_what_it_reads(file: str) -> None:
    """`push` and `init` ask where stdin is a terminal: with `pytest -s` a test would wait for an answer for ever."""
    assert list(without_stdin((HERE / file).read_text(encoding="utf-8"))) == []


def test_a_program_that_could_ask_is_seen() -> None:
    text = "subprocess.run(['a'])\nsubprocess.run(['a'], input='y')\nsubprocess.Popen(['a'], stdin=subprocess.DEVNULL)"
    assert list(without_stdin(text)) == [1]
