"""What in the output of a command says no, as one line without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from netaudit.collect.failure import one_line

_COMPLAINT: Final = re.compile(r"Error: |line \d+: |% |ERROR: |error: ")
"""How click, vtysh and the CLIs of the vendors begin the line that counts."""
_SECRET: Final = re.compile(r"(?i)\b(password|passkey|secret|community|key|passphrase|authentication)\b\s+\S.*")
"""CLIs repeat a line they do not understand; what follows these words goes into no log."""
_REFUSAL: Final = re.compile(r"(line \d+: )?% \w")
"""How a CLI says no in words alone, at the beginning of a line; inside one, it is the echo of what was typed."""


def complaint(output: str) -> str:
    """The line of an output that says what is wrong: the first that begins like an error, else the last."""
    lines = [line for line in output.splitlines() if line.strip()]
    said = next((line for line in lines if _COMPLAINT.match(line)), lines[-1] if lines else "")
    return without_secrets(said) if said else ""


def without_secrets(text: str, *known: str) -> str:
    """One line of a foreign text in which nothing follows a word like `password`, and none of `known` stands."""
    for one in filter(None, known):
        text = text.replace(one, "<secret>")
    return one_line(_SECRET.sub(r"\1 <secret>", text))


def refusal(outputs: Iterable[str], harmless: tuple[str, ...] = (), pattern: str = "") -> str:
    """The first line that refuses something; empty if none does.

    A command can end well all the same, and later lines may have been taken. `pattern` is how else the CLI begins it.
    """
    own = re.compile(pattern) if pattern else None
    for text in outputs:
        for line in map(str.strip, text.splitlines()):
            if (_REFUSAL.match(line) or (own and own.match(line))) and not (harmless and line.startswith(harmless)):
                return without_secrets(line)
    return ""
