"""What `include:` brings: parts of an intent that stand in other files, and the other fabrics of the workspace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from netaudit.diag import Diagnostic, Invalid
from netaudit.intent.text import At, Data, Document, Mark, parse, read_text

MAX_FILES = 100
"""Judgement: ten times the fabrics of the largest site known, so that a slip costs no minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Included:
    """An intent with its parts, in one document."""

    document: Document
    fabrics: tuple[Path, ...]
    """Files among them that are fabrics of their own: they share the workspace, and are not merged."""
    problems: tuple[Diagnostic, ...]


def included(document: Document, folder: Path) -> Included:
    """The document with the files it includes, named from `folder`.

    A file without `fabric:` is a part: what it says holds where the including file, or a later part, says nothing.
    """
    asked = document.data.get("include") if isinstance(document.data, Mapping) else None
    names = asked if isinstance(asked, tuple) else ()
    parts: list[Document] = []
    fabrics: list[Path] = []
    problems: list[Diagnostic] = []
    for number, name in enumerate(names):
        if not isinstance(name, str):
            continue  # the schema says what is wrong with it
        source = document.content("include", str(number))
        if number >= MAX_FILES or name in names[:number]:
            message = f"more than {MAX_FILES} files" if number >= MAX_FILES else f"`{name}` is included twice"
            problems.append(Diagnostic(message=message, source=source))
            continue
        if _is(folder / name, Path(document.file)):
            message = f"a file cannot include itself: {_chain(document.file, name)}"
            problems.append(Diagnostic(message=message, source=source, hint="take this name out"))
            continue
        try:
            part = _part(folder / name, str(folder / name), document.file)
        except Invalid as error:
            if any(d.message.startswith("there is no file") for d in error.diagnostics):
                problems.append(Diagnostic(message=f"there is no file `{name}`", source=source))
            else:
                problems.extend(error.diagnostics)
            continue
        if "fabric" in part.data:  # type: ignore[operator]  # `_part` returns mappings only
            fabrics.append(folder / name)
        else:
            parts.append(part)
    return Included(document=_merged(document, parts), fabrics=tuple(fabrics), problems=tuple(problems))


def _is(path: Path, other: Path) -> bool:
    """Are both one file, whatever it is called? A name that the system cannot look up is none."""
    try:
        return path.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links; a name with NUL
        return False


def _chain(*files: str) -> str:
    """Who includes whom, from the intent on: `fabric.yml → base.yml → base.yml`."""
    return " → ".join(Path(file).name for file in files)


def _part(path: Path, file: str, by: str) -> Document:
    """A file that is a mapping and includes nothing itself; `by`: the intent. Raises `Invalid`."""
    part = parse(read_text(path, file), file)
    if not isinstance(part.data, Mapping):
        source = part.marks[()].value if () in part.marks else None
        raise Invalid([Diagnostic(message=f"`{file}` is no mapping of keys to values", source=source)])
    if "include" in part.data and "fabric" not in part.data:
        mark = part.marks[("include",)]
        hint = "name all files in the intent itself"
        message = f"an included part includes nothing: {_chain(by, file, *_named(part.data['include']))}"
        raise Invalid([Diagnostic(message=message, source=mark.key, hint=hint)])
    return part


def _named(asked: Data) -> tuple[str, ...]:
    """The first name that a part includes, to show where it leads."""
    first = asked[0] if isinstance(asked, tuple) and asked else asked
    return (first,) if isinstance(first, str) and first else ()


def _merged(document: Document, parts: list[Document]) -> Document:
    """One document of all; each path keeps the place in the file that has the last word."""
    if not parts:
        return document
    data: Data = {}
    marks: dict[At, Mark] = {}
    problems: dict[At, Diagnostic] = {}
    for layer in (*parts, document):
        said = frozenset(_leaves(layer.data, ()))
        gone = [path for path in marks if any(path[:length] in said for length in range(len(path) + 1))]
        for old in gone:
            del marks[old]
            problems.pop(old, None)
        data = _over(data, layer.data)
        marks |= layer.marks
        problems |= layer.problems
    others = {part.file: part.lines for part in parts}
    return replace(document, data=data, marks=marks, problems=problems, others=others)


def _over(below: Data, above: Data) -> Data:
    """Mappings merge key by key; anything else replaces what was there."""
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    return {**below, **{key: _over(below[key], value) if key in below else value for key, value in above.items()}}


def _leaves(data: Data, at: At) -> Iterator[At]:
    """The paths of all that is no mapping, or an empty one: what replaces as a whole."""
    if isinstance(data, Mapping) and data:
        for key, value in data.items():
            yield from _leaves(value, (*at, key))
    else:
        yield at
