"""What the format of the intent has and this version cannot build yet: one table, checked before the schema.

To lift a row, delete it (and, for a key that the schema lacks, give it to the schema).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.diag import Diagnostic, Source
from netaudit.intent.text import At, Data, Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """A path, `*` for any key, and the values of it that do work; none: the key itself is refused and left out."""

    path: At
    allowed: tuple[Data, ...] = ()


LATER = (Later(path=("management", "jump"), allowed=("none",)),)


def unsupported(document: Document) -> Iterator[tuple[At, Diagnostic]]:
    """Every path of the document that this version refuses, with the reason; a misspelt word is among them, too."""
    for later in LATER:
        for at, value in _matches(document.data, later.path, ()):
            if value in later.allowed:
                continue
            mark = document.marks[at]
            yield at, _refusal(later, at, value, mark.value if later.allowed else mark.key or mark.value)


def removed(document: Document) -> frozenset[At]:
    """The keys that the schema does not know: they are refused as a whole and left out before it."""
    return frozenset(at for row in LATER if not row.allowed for at, _ in _matches(document.data, row.path, ()))


def without(data: Mapping[str, Data], paths: frozenset[At], at: At = ()) -> Mapping[str, Data]:
    """The data less the given paths."""
    return {
        key: without(value, paths, (*at, key)) if isinstance(value, Mapping) else value
        for key, value in data.items()
        if (*at, key) not in paths
    }


def _refusal(later: Later, at: At, value: Data, source: Source) -> Diagnostic:
    if not later.allowed:
        hint = "the key belongs to the format, but nothing is built from it yet; take it out"
        return Diagnostic(message=f"`{at[-1]}` is not supported yet by this version", source=source, hint=hint)
    name = at[-2] if later.path[-1] == "*" else at[-1]
    shown = str(value).lower() if isinstance(value, bool) else value
    words = ", ".join(str(word).lower() if isinstance(word, bool) else str(word) for word in later.allowed)
    message = f"`{name}: {shown}` is not supported yet by this version"
    return Diagnostic(message=message, source=source, hint=f"supported: {words}")


def _matches(data: Data, path: At, at: At) -> Iterator[tuple[At, Data]]:
    if not path:
        yield at, data
    elif path[0] == "*":
        keys = data if isinstance(data, Mapping) else range(len(data)) if isinstance(data, tuple) else ()
        for key in keys:
            yield from _matches(_child(data, str(key)), path[1:], (*at, str(key)))
    elif isinstance(data, Mapping) and path[0] in data:
        yield from _matches(data[path[0]], path[1:], (*at, path[0]))


def _child(data: Data, key: str) -> Data:
    if isinstance(data, Mapping):
        return data[key]
    return data[int(key)] if isinstance(data, tuple) else None
