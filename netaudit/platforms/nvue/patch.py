"""What is set and unset to come from one configuration to another, as the two files that `nv config patch` takes.

Only differences are written. A configuration as NVUE shows it has a star for each secret, so that a file with all of it
would lock the accounts it names; what is equal in both is never in a patch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.platforms.nvue.tree import Tree, Value, leaves, same

MASK: Final = "*"
_SECRET: Final = re.compile(r"password|secret|passphrase|key|community")
_BARE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*(?: [A-Za-z0-9_.-]+)*")
"""What YAML reads as text without quotes, whichever version reads it, but for the words below."""
_WORDS: Final = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"))
"""Words that one YAML or another takes for a flag or for nothing."""


def difference(old: Tree, new: Tree) -> tuple[Tree, Tree]:
    """(what is unset, what is set) to come from one tree to the other; an empty mapping stands for a whole branch."""
    gone: Tree = {}
    more: Tree = {}
    for key in (*old, *(key for key in new if key not in old)):
        if key not in new:
            gone[key] = {}
        elif key not in old:
            more[key] = new[key]
        else:
            _differ(key, old[key], new[key], gone, more)
    return gone, more


def _differ(key: str, before: Value, after: Value, gone: Tree, more: Tree) -> None:
    """What differs below a key that both have."""
    if same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        inner_gone, inner_more = difference(before, after)
        if inner_gone:
            gone[key] = inner_gone
        if inner_more:
            more[key] = inner_more
        return
    if isinstance(before, dict) and before:
        gone[key] = {}  # a branch where a value shall be
    more[key] = after


def secrets(tree: Tree) -> tuple[str, ...]:
    """The paths of secrets that a tree knows as a star alone: whoever sets them makes a star of them."""
    return tuple(" ".join(path) for path, value in leaves(tree) if value == MASK and _SECRET.search(path[-1]))


def written(verb: str, tree: Tree) -> str:
    """The file: a YAML list with one entry."""
    return "\n".join((f"- {verb}:", *_lines(tree, 4, verb == "unset"), ""))


def _lines(tree: Tree, indent: int, unset: bool) -> Iterator[str]:
    for key, value in tree.items():
        head = f"{' ' * indent}{_spelled(key)}:"
        if isinstance(value, Mapping):
            if value:
                yield head
                yield from _lines(value, indent + 2, unset)
            else:
                yield head if unset else f"{head} {{}}"
        else:
            yield f"{head} {value if isinstance(value, int) else _value(str(value))}"


def _spelled(text: str) -> str:
    """A text that stays one, quoted where it might be taken for something else."""
    return text if _BARE.fullmatch(text) and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=True)


def _value(text: str) -> str:
    """A whole number as it is, which the schema wants as a number; all else as text."""
    return text if re.fullmatch(r"0|[1-9]\d{0,17}", text, re.ASCII) else _spelled(text)
