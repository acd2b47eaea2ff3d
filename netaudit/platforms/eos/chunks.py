"""A configuration text in pieces that can be exchanged, every byte of which is kept."""

from __future__ import annotations

from dataclasses import dataclass

GONE = "! netaudit: not here: "
"""Before a line that a rollback takes away again: it came with a push, and was not there before."""


@dataclass(slots=True)
class Chunk:
    """A top line, what is below it, and the separators behind it, as they stand in the text."""

    head: str
    """Its words, set apart by single blanks; empty for what stands before the first command."""
    lines: list[str]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.lines)


def chunks(text: str) -> list[Chunk]:
    """The pieces of a text; put together again they are the text."""
    found = [Chunk(head="", lines=[])]
    banner = False
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if not banner and stripped and line[0] not in " \t!":
            found.append(Chunk(head=" ".join(stripped.split()), lines=[line]))
            banner = stripped.startswith("banner ")
        else:
            found[-1].lines.append(line)
            banner = banner and stripped != "EOF"
    return found


@dataclass(slots=True)
class Part:
    """A line below an interface with what is below it, as it stands in the text."""

    head: str
    lines: list[str]


def parts(chunk: Chunk) -> tuple[str, list[Part], list[str]]:
    """(the line that opens it, what is below it, separators at its end)."""
    body = chunk.lines[1:]
    end = len(body)
    while end and not body[end - 1].startswith((" ", "\t")):
        end -= 1
    found: list[Part] = []
    indent = min((_indent(line) for line in body[:end] if _is_command(line)), default=0)
    for line in body[:end]:
        if _is_command(line) and _indent(line) <= indent:
            found.append(Part(head=" ".join(line.split()), lines=[line]))
        elif (found and _is_command(line)) or (found and line.strip() not in ("", "!")):
            found[-1].lines.append(line)
    return chunk.lines[0], found, body[end:]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _is_command(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("!")
