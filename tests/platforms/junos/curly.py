"""`show configuration` of set lines, printed apart from our reader: blocks, and lists where a word has several."""

from __future__ import annotations

from platforms.junos.grammar import words_of

Block = dict[str, "Block"]


def curly(lines: str) -> str:
    """The configuration in blocks. A word with one line below it stands on that line, as Junos prints values."""
    root: Block = {}
    for line in lines.splitlines():
        for words in words_of(line):
            node = root
            for word in words:
                node = node.setdefault(word, {})
    return "## Last changed: 2026-11-30 02:00:00 UTC\n" + "".join(_lines(root, 0))


def _lines(node: Block, depth: int) -> list[str]:
    indent = "    " * depth
    found: list[str] = []
    for word, below in node.items():
        if not below:
            found.append(f"{indent}{_word(word)};\n")
        elif len(below) == 1 and not next(iter(below.values())):
            found.append(f"{indent}{_word(word)} {_word(next(iter(below)))};\n")
        elif (
            len(below) > 1 and not any(below.values()) and word in ("code-points", "members", "fill-level", "interface")
        ):
            found.append(f"{indent}{_word(word)} [ {' '.join(map(_word, below))} ];\n")
        else:
            found += [f"{indent}{_word(word)} {{\n", *_lines(below, depth + 1), f"{indent}}}\n"]
    return found


def _word(word: str) -> str:
    if word.startswith("( ") or not set(word) & set(' "[]{}();#&\\'):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
