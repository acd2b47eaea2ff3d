"""How an error of the schema reads to an operator: which key, where in the file, what is wrong, what to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from netaudit.diag import Diagnostic, Source
from netaudit.intent.partial import section_of
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.words import words
from netaudit.intent.text import At, Data, Document

_KINDS: Mapping[str, tuple[str, str]] = {
    "int_type": ("a whole number", ""),
    "int_from_float": ("a whole number", ""),
    "bool_type": ("true or false", ""),
    "string_type": ("text", ""),
    "tuple_type": ("a list", "in brackets: [a, b]"),
    "mapping_type": ("a mapping of keys to values", ""),
    "dict_type": ("a mapping of keys to values", ""),
    "model_type": ("a mapping of keys to values", ""),
    "model_attributes_type": ("a mapping of keys to values", ""),
}
"""pydantic's type of an error → what the field takes, and how that is written."""


MAX_ERRORS = 1_000
"""Errors of the schema that are described: each is compared with every key there is, for a hint."""


def described(
    errors: list[ErrorDetails], document: Document, root: type[BaseModel] = IntentModel
) -> Iterator[tuple[At, Diagnostic]]:
    """Each error of the schema with its path. `root`: the model of the whole file.

    A missing key is left out where a misspelt one stands in its place.
    """
    found = [(_at(error, document.data), error) for error in errors[:MAX_ERRORS]]
    meant = {
        (*at[:-1], near)
        for at, error in found
        if error["type"] == "extra_forbidden"
        for near in [_near(at, root)]
        if near
    }
    for at, error in found:
        if error["type"] == "missing" and at in meant:
            continue
        if error["type"] == "too_short" and any(other[: len(at)] == at != other for other, _ in found):
            continue  # pydantic counts only the entries that it could read
        yield at, _diagnostic(at, error, document, root)
    if more := errors[MAX_ERRORS:]:
        at = _at(more[0], document.data)
        yield at, replace(_diagnostic(at, more[0], document, root), hint=f"{len(more) - 1:,} more errors are not shown")


def known_keys(at: At, root: type[BaseModel] = IntentModel) -> Mapping[str, str]:
    """Key → description of what the schema knows in the mapping at a path; empty where any key is free."""
    model = _model_at(at, root)
    if model is None:
        return {}
    told = words(model)
    return {field.alias or name: told.get(name, "") for name, field in model.model_fields.items()}


def _at(error: ErrorDetails, data: Data) -> At:
    """The path of an error: pydantic's location less the names of alternatives, which are not in the file."""
    at: At = ()
    parts = [str(part) for part in error["loc"] if part != "[key]"]
    for number, part in enumerate(parts):
        if isinstance(data, Mapping) and part in data:
            data = data[part]
        elif isinstance(data, tuple) and part.isdigit() and int(part) < len(data):
            data = data[int(part)]
        elif number + 1 < len(parts) or error["type"] != "missing":
            continue
        at = (*at, part)
    return at


def _diagnostic(at: At, error: ErrorDetails, document: Document, root: type[BaseModel]) -> Diagnostic:
    kind = error["type"]
    if kind == "missing":
        return _missing(at, document, root)
    nearest = document.nearest(at)
    mark = nearest[1] if nearest else None
    if kind == "extra_forbidden":
        source = (mark.key or mark.value) if mark else Source(file=document.file, line=1)
        return Diagnostic(message=f"unknown key `{at[-1]}`", source=source, hint=_unknown_hint(at, root))
    key = error["loc"][-1] == "[key]"
    source = (mark.key if key and mark.key else mark.value) if mark else Source(file=document.file, line=1)
    message, hint = _worded(error, document.written(source), at, root)
    return Diagnostic(message=f"`{_label(at)}` {message}", source=source, hint=hint)


def _label(at: At) -> str:
    """The last key of a path, with the number of the item (from 1) where it is a list's."""
    names = [part for part in at if not part.isdigit()]
    last = names[-1] if names else "the intent"
    return f"{last}[{int(at[-1]) + 1}]" if at and at[-1].isdigit() and names else last


def _missing(at: At, document: Document, root: type[BaseModel]) -> Diagnostic:
    nearest = document.nearest(at[:-1])
    source = nearest[1].best if nearest else Source(file=document.file, line=1)
    owner = f"`{_label(at[:-1])}`" if at[:-1] else "the intent"
    description = known_keys(at[:-1], root).get(at[-1], "")
    return Diagnostic(
        message=f"{owner} needs `{at[-1]}`", source=source, hint=f"{at[-1]}: {_one_sentence(description)}"
    )


def _one_sentence(text: str) -> str:
    first = re.split(r"(?<=[a-z)`])\.\s", text.replace("\n", " "), maxsplit=1)[0].rstrip(".")
    return first if first[1:2].isupper() else first[:1].lower() + first[1:]


def _near(at: At, root: type[BaseModel]) -> str | None:
    known = known_keys(at[:-1], root)
    close = get_close_matches(at[-1].replace("_", "-"), [key.replace("_", "-") for key in known], n=1)
    return next((key for key in known if close and key.replace("_", "-") == close[0]), None)


def _unknown_hint(at: At, root: type[BaseModel]) -> str:
    if near := _near(at, root):
        return f"did you mean `{near}`?"
    places = [".".join(path) for path in _homes(root, at[-1], ()) if path != at[:-1]]
    if places:
        return f"it is a key of {' and '.join(f'`{place}`' if place else 'the top level' for place in places[:3])}"
    return "keys here: " + ", ".join(known_keys(at[:-1], root))


def _worded(error: ErrorDetails, written: str, at: At, root: type[BaseModel]) -> tuple[str, str]:
    """(message, hint) of an error whose value stands in the file as `written`."""
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    if kind == "misread":
        hint = str(context["hint"])
        message = _as_written(str(context["message"]), value, written)
        if not hint and isinstance(value, float):
            return message, f'write "{written}"'
        return message, _as_written(hint, value, written)
    if kind == "needs_text":
        return _needs_text(value, written)
    if kind == "literal_error":
        return _literal(str(context["expected"]), written)
    if kind in _KINDS:
        return _wrong_kind(kind, value, written, at, root)
    limit = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}.get(kind)
    if limit:
        return f"is {limit[0]} {context[limit[1]]}, not {value}", ""
    if kind in ("too_short", "string_too_short"):
        return "must not be empty", ""
    if kind == "too_long":
        return f"has {context['actual_length']} entries; at most {context['max_length']} are possible", ""
    return error["msg"][:1].lower() + error["msg"][1:], ""


def _as_written(text: str, value: object, written: str) -> str:
    """A number as it stands in the file, where Python would write it otherwise (`0.50`, `1e3`)."""
    return text.replace(str(value), written) if isinstance(value, float) and written else text


def _needs_text(value: object, written: str) -> tuple[str, str]:
    match value:
        case None:
            return "is text, and nothing is written here", ""
        case bool():
            return f"is text; unquoted, `{written}` is a switch", f'write "{written}"'
        case int() | float():
            return f"is text; unquoted, `{written}` is a number", f'write "{written}"'
        case _:
            return f"is text, not {'a mapping' if isinstance(value, Mapping) else 'a list'}", ""


def _literal(expected: str, written: str) -> tuple[str, str]:
    words = [text or number for text, number in re.findall(r"'([^']*)'|(\d+)", expected)]
    close = get_close_matches(written.strip("\"'"), words, n=1)
    listed = ", ".join(words[:-1]) + f" or {words[-1]}" if len(words) > 1 else words[0]
    return f"is {listed}, not `{written.strip(chr(34))}`", f"did you mean `{close[0]}`?" if close else ""


def _wrong_kind(kind: str, value: object, written: str, at: At, root: type[BaseModel]) -> tuple[str, str]:
    wanted, hint = _KINDS[kind]
    bare = written.strip("\"'")
    if kind.startswith("int") and isinstance(value, str) and re.fullmatch(r"\d+", bare):
        return f"is {wanted}, not text", f"without quotes: {bare}"
    if wanted.startswith("a mapping") and known_keys(at, root):
        hint = f"for example {{{next(iter(known_keys(at, root)))}: …}}"
    if value is None:
        return f"is {wanted}, and nothing is written here", hint
    if isinstance(value, (Mapping, tuple)):
        return f"is {wanted}, not {'a mapping' if isinstance(value, Mapping) else 'a list'}", hint
    return f"is {wanted}, not `{bare}`", hint


def _model_at(at: At, root: type[BaseModel]) -> type[BaseModel] | None:
    """The model of the mapping at a path, `None` where it has free keys."""
    model: type[BaseModel] | None = root
    free = False
    for part in at:
        if free:  # a name that the user chose, or an index
            free = False
            continue
        if model is None:
            return None
        field = next((f for name, f in model.model_fields.items() if (f.alias or name) == part), None)
        if field is None:
            return None
        model, free = section_of(field.annotation)
    return None if free else model


def _homes(model: type[BaseModel], key: str, at: At) -> Iterator[At]:
    """The paths of mappings that know a key."""
    for name, field in model.model_fields.items():
        if (field.alias or name) == key:
            yield at
        inner, free = section_of(field.annotation)
        if inner is not None:
            yield from _homes(inner, key, (*at, field.alias or name, *(("*",) if free else ())))
