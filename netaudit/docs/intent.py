"""The page of the intent: every key with its type, unit, default and meaning, from the JSON Schema of the intent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from netaudit.docs.markdown import code, codes, page, plain, sentence, table
from netaudit.intent import json_schema
from netaudit.intent.later import LATER, Later

Schema: TypeAlias = Mapping[str, object]
_EMPTY: Schema = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of the intent."""

    path: tuple[str, ...]
    """`<name>` stands for a name of the user's own, `[]` for each item of a list."""
    type: str
    default: str
    what: str


def intent_page() -> str:
    """Every key, a table for each section of the file."""
    sections: dict[str, list[Key]] = {}
    for key in keys():
        sections.setdefault(key.path[0], []).append(key)
    single = [found[0] for found in sections.values() if len(found) == 1]
    rows = (_row(key) for key in single)
    return page(
        "# The intent, key by key",
        "`netaudit schema` prints the same as JSON Schema; with `# yaml-language-server: $schema=FILE` in the first "
        "line an editor completes and checks. A quantity has its unit in the text (`400G`, `3s`, `9KiB`): a bare "
        "number is an error. A key that is unknown or given twice is an error. *Default* is what holds without the "
        "key; `–` is nothing, or what the last column says.",
        "## Single keys",
        table(_HEAD, rows),
        *(block for name, found in sections.items() if len(found) > 1 for block in _section(name, found)),
        "## What this version refuses",
        "These belong to the format, and nothing is built from them yet. `netaudit check` names the line.",
        table(("key", "what works"), _refused()),
    )


_AS_PRINTED: Mapping[str, str] = {
    "traffic": " Without it: `roce`, `control` and `default` as [the example](../../intent/two-plane.yml) has them."
}
"""Defaults that are too long for a cell."""
_HEAD = ("key", "type", "default", "what")


def _section(name: str, found: list[Key]) -> Iterator[str]:
    head, *rest = found
    yield f"## {name}"
    yield sentence(head.what) + (" Required." if head.default == "required" else "") + _AS_PRINTED.get(name, "")
    yield table(_HEAD, map(_row, rest))


def _row(key: Key) -> tuple[str, ...]:
    return code(_dotted(key.path)), key.type, key.default, sentence(key.what)


def _dotted(path: Sequence[str]) -> str:
    return ".".join("<name>" if part == "*" else part for part in path).replace(".[]", "[]")


def keys() -> Iterator[Key]:
    """Every key, those below it after it, in the order of the schema."""
    yield from _below(json_schema(), (), json_schema())


def _below(schema: Schema, path: tuple[str, ...], whole: Schema) -> Iterator[Key]:
    required = cast("Sequence[str]", schema.get("required", ()))
    for name, found in cast("Mapping[str, Schema]", schema.get("properties", {})).items():
        body, inside = _resolved(found, whole)
        at = (*path, name)
        default = "required" if name in required else _default(body)
        yield Key(path=at, type=_type(body), default=default, what=_what(body, at))
        if inside:
            yield from _below(inside, at, whole)
        yield from _members(body, at, whole)


def _members(body: Schema, at: tuple[str, ...], whole: Schema) -> Iterator[Key]:
    """The keys of a mapping's values, of a list's items, and of a section that is one of several forms."""
    for form in (body, *_forms(body)):
        for named in cast("Mapping[str, Schema]", form.get("patternProperties", {})).values():
            yield from _below(_resolved(named, whole)[1], (*at, "<name>"), whole)
        if "items" in form:
            yield from _below(_resolved(cast("Schema", form["items"]), whole)[1], (*at, "[]"), whole)
        if "$ref" in form and form is not body:
            yield from _below(_resolved(form, whole)[1], at, whole)


def _forms(schema: Schema) -> tuple[Schema, ...]:
    found = cast("Sequence[Schema]", schema.get("anyOf", schema.get("oneOf", ())))
    return tuple(form for form in found if form.get("type") != "null")


def _resolved(schema: Schema, whole: Schema) -> tuple[Schema, Schema]:
    """(the schema, the section it refers to or `{}`); what it says itself wins over the section's own words."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    section = cast("Mapping[str, Schema]", whole["$defs"]).get(name, _EMPTY)
    return {**{k: v for k, v in section.items() if k == "description"}, **schema}, section


def _default(schema: Schema) -> str:
    value = schema.get("default")
    return "–" if value is None else code(json.dumps(value, ensure_ascii=False).strip('"'))


def _type(schema: Schema) -> str:
    """The allowed words, the range, or an example of the text."""
    forms = _forms(schema)
    examples = cast("Sequence[object]", schema.get("examples", ()))
    if "enum" in schema:
        return codes(_word(v) for v in cast("Sequence[object]", schema["enum"]) if v is not None)
    if "const" in schema:
        return code(_word(schema["const"]))
    if examples:
        shown = (json.dumps(e) if isinstance(e, list) else _word(e) for e in examples)
        return f"such as {codes(shown)}"
    if forms:
        return " or ".join(dict.fromkeys(t for t in map(_type, forms) if t))
    if "$ref" in schema:
        return "section"
    if schema.get("format") == "date":
        return "date, year-month-day"
    return _simple(schema)


def _simple(schema: Schema) -> str:
    kind = schema.get("type")
    if kind == "integer":
        low, high = schema.get("minimum"), schema.get("maximum")
        bounds = f" {low} to {high}" if high is not None else f" from {low}" if low is not None else ""
        return f"number{bounds}"
    if kind == "array":
        inside = _type(cast("Schema", schema.get("items", _EMPTY)))
        return f"list: {inside}" if inside not in ("", "section") else "list"
    words = {"boolean": "`true`, `false`", "string": "text", "object": "mapping"}
    return words.get(str(kind), "")


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _what(schema: Schema, at: tuple[str, ...]) -> str:
    text = plain(str(schema.get("description", "")))
    later = next((row for row in LATER if _same(row, at)), None)
    if later is None:
        return text
    only = codes(map(_word, later.allowed))
    return f"{sentence(text)} This version: {f'{only} only' if only else 'not yet'}"


def _same(later: Later, at: tuple[str, ...]) -> bool:
    path = tuple("<name>" if part == "*" and at[0] == "units" else part for part in later.path)
    return path in (at, (*at, "*"))


def _refused() -> Iterator[tuple[str, str]]:
    for row in LATER:
        path = row.path[:-1] if row.path[-1] == "*" else row.path
        yield code(_dotted(path)), codes(map(_word, row.allowed)) or "–"
