"""How a generated page is put together: paragraphs and tables as Markdown text."""

from __future__ import annotations

import re
from collections.abc import Iterable

_REFERENCE = re.compile(r"\s*\((?:[^()]*,\s*)?[a-z-]+\.md\b[^()]*\)|,\s*[a-z-]+\.md section [0-9.]+")
"""`(sonic.md section 2)`: where a number of the code has its source; those pages are no part of the documentation."""


def page(*blocks: str) -> str:
    """Blocks with a line between them; the first stands under a note that the page is made."""
    made = "<!-- Made by `python -m netaudit.docs`; change the code that it describes. -->"
    return "\n\n".join((made, *(block for block in blocks if block))) + "\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; a `|` in a cell is escaped, and a line break becomes a blank."""
    titles = tuple(head)
    lines = [_row(titles), _row("---" for _ in titles)]
    return "\n".join((*lines, *map(_row, rows)))


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(escaped(cell).split()).replace("|", "\\|") for cell in cells) + " |"


def escaped(text: str) -> str:
    """Text in which no `<name>` reads as HTML; inside of backticks nothing does."""
    parts = text.split("`")
    return "`".join(part if n % 2 else part.replace("<", "&lt;") for n, part in enumerate(parts))


def code(text: str) -> str:
    """Text in the type of a device or file; nothing for empty text."""
    return f"`{text}`" if text else ""


def codes(texts: Iterable[str]) -> str:
    """Several of them, with commas."""
    return ", ".join(map(code, texts))


def plain(text: str) -> str:
    """The first paragraph of a docstring in one line, without references to pages that are not here."""
    return _REFERENCE.sub("", " ".join(text.strip().split("\n\n")[0].split()))


def sentence(text: str) -> str:
    """The same as a sentence: a capital first, a full stop last."""
    ended = text if not text or text.endswith((".", "!", "?", ":")) else f"{text}."
    return ended[:1].upper() + ended[1:]
