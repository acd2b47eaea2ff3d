"""What SONiC's own YANG models object to in a config_db.json, by libyang.

The models are SONiC's (sonic-buildimage, src/sonic-yang-models), in a folder of the user's; the wheel oopt-gnpy-libyang
brings libyang. How CONFIG_DB maps to YANG data is SONiC's convention (sonic.md 0 and 9): `TABLE` is a container in its
module's container, a row is an entry of one of the table's lists, `a|b` are its keys.
"""

from __future__ import annotations

import functools
import importlib
import json
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

# Leaf-lists of the YANG that CONFIG_DB holds as one string, and what separates its parts (sonic.md 0).
JOINED = {
    "PORT.adv_speeds": ",",
    "PORT.adv_interface_types": ",",
    "BUFFER_PORT_INGRESS_PROFILE_LIST.profile_list": ",",
    "BUFFER_PORT_EGRESS_PROFILE_LIST.profile_list": ",",
    "BGP_ALLOWED_PREFIXES.prefixes_v4": ",",
    "BGP_ALLOWED_PREFIXES.prefixes_v6": ",",
    "MIRROR_SESSION.src_ip": ",",
    "NTP.src_intf": ";",
}

Tree = dict[str, object]  # as json.dumps takes it


@dataclass(frozen=True, slots=True)
class Statement:
    """One YANG statement: `leaf mtu { … }`."""

    keyword: str
    argument: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one container or one entry of a list may hold."""

    keys: tuple[str, ...] = ()
    single: frozenset[str]
    several: frozenset[str]
    lists: Mapping[str, Row]
    containers: Mapping[str, Row]


def translated(config_db: Mapping[str, object], tables: Mapping[str, tuple[str, Row]]) -> tuple[Tree, list[str]]:
    """Return the YANG instance as JSON data, and what could not be put into it."""
    instance: dict[str, dict[str, Tree]] = {}
    objections: list[str] = []
    for table, rows in config_db.items():
        if table not in tables:
            continue
        module, model = tables[table]
        if not isinstance(rows, Mapping):
            objections.append(f"{table}: a table is an object of rows")
            continue
        body: Tree = {}
        for key, fields in rows.items():
            objections += [f"{table}|{key}: {what}" for what in _put_row(body, table, model, str(key), fields)]
        instance.setdefault(f"{module}:{module}", {})[table] = body
    return dict(instance), objections


def _put_row(body: Tree, table: str, model: Row, key: str, fields: object) -> list[str]:
    """Add one row of a table to `body`; returns objections."""
    if key in model.containers:
        body[key], objections = _members(table, model.containers[key], fields)
        return objections
    if key in model.single | model.several:
        member, objections = _members(table, model, {key: fields})
        body.update(member)
        return objections
    parts = [part.strip() for part in key.split("|")]
    tried = [(name, row.keys, *_members(table, row, fields)) for name, row in model.lists.items()]
    fitting = [attempt for attempt in tried if len(attempt[1]) == len(parts)]
    if not fitting:
        return [f"a key of this table is {' or '.join('|'.join(keys) for _, keys, _, _ in tried) or 'another'}"]
    # Lists with as many keys differ in their fields; SONiC too takes the one that fits.
    name, keys, members, objections = min(fitting, key=lambda attempt: len(attempt[3]))
    entries = body.setdefault(name, [])
    assert isinstance(entries, list), "a list of a table holds entries"
    entries.append({**members, **dict(zip(keys, parts, strict=True))})
    return objections


def _members(table: str, row: Row, fields: object) -> tuple[Tree, list[str]]:
    if not isinstance(fields, Mapping):
        return {}, ["a row is an object of fields"]
    if row.lists:  # a map, `{"3": "4"}`: an inner list with one key and one value
        name, inner = next(iter(row.lists.items()))
        (value,) = inner.single - set(inner.keys)
        return {name: [{inner.keys[0]: str(k), value: str(v)} for k, v in fields.items()]}, []
    members: Tree = {}
    objections: list[str] = []
    for name, value in fields.items():
        joint = JOINED.get(f"{table}.{name}")
        parts = value.split(joint) if joint and isinstance(value, str) else value
        if name == "NULL":  # Redis' way to keep an empty row
            continue
        if name in row.keys:
            objections.append(f"field {name} repeats a key")
        elif name in row.containers:
            members[name], more = _members(table, row.containers[name], value)
            objections += more
        elif name in row.several and isinstance(parts, list):
            members[name] = [str(part).strip() for part in parts if part != ""]
        elif name in row.single and not isinstance(value, list | dict):
            members[name] = str(value)
        else:
            kind = "a list" if name in row.several else "one value" if name in row.single else ""
            objections.append(f"field {name} is {kind}" if kind else f"unknown field {name}")
    return members, objections


class Complaint(Protocol):
    """The part of libyang's ErrorInfo that is told."""

    level: object
    message: str
    data_path: str | None
    schema_path: str | None


class Context(Protocol):
    """The part of libyang's Context that is used; the wheel has no types."""

    def clean_all_errors(self) -> None:
        """Forget what was wrong before."""

    def errors(self) -> Sequence[Complaint]:
        """What was wrong since."""

    def parse_data(self, data: str, form: object, parse: object, validate: object) -> object:
        """The data as a tree; raises libyang's error where it is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The loaded models and what each table may hold."""

    tables: Mapping[str, tuple[str, Row]]
    context: Context

    def problems(self, config_db: Mapping[str, object]) -> list[str]:
        """Return every objection, `TABLE|row: text` or `/yang/path: text`."""
        instance, objections = translated(config_db, self.tables)
        return objections + self.objections(instance)

    def objections(self, instance: Tree) -> list[str]:
        """Return libyang's objections to an instance, all of them."""
        ly = importlib.import_module("oopt_gnpy_libyang")
        parse = ly.ParseOptions.Strict | ly.ParseOptions.NoState | ly.ParseOptions.JsonStringDataTypes
        validate = ly.ValidationOptions.NoState | ly.ValidationOptions.MultiError
        self.context.clean_all_errors()
        try:
            self.context.parse_data(json.dumps(instance), ly.DataFormat.JSON, parse, validate)
        except ly.Error as refused:
            errors = [e for e in self.context.errors() if e.level == ly.LogLevel.Error]
            said = [f"{e.data_path or e.schema_path or '?'}: {' '.join(e.message.split())}" for e in errors]
            return said or [str(refused)]
        return []


@functools.cache
def models(folder: Path) -> Models | str:
    """The models of a folder; or why nobody can judge with them here."""
    if not folder.is_dir():
        return f"{folder} is no folder of YANG models"
    if sys.platform != "linux" or platform.machine() != "x86_64" or sys.version_info >= (3, 14):
        return "oopt-gnpy-libyang has no wheel for this platform"
    try:
        ly = importlib.import_module("oopt_gnpy_libyang")
    except ImportError:
        return "oopt-gnpy-libyang is not installed"
    modules = {file.stem: _statements(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.yang"))}
    ly.set_log_level(ly.LogLevel.Error)
    ly.set_log_options(ly.LogOptions.Store)
    context = ly.Context(str(folder), ly.ContextOptions.NoYangLibrary)
    for name in modules:
        context.load_module(name)
    return Models(tables=dict(_tables(modules)), context=context)


def _tables(modules: Mapping[str, Statement]) -> Iterator[tuple[str, tuple[str, Row]]]:
    for name, module in modules.items():
        for top in _children(module, "container"):
            if top.argument == name:
                for table in _children(top, "container"):
                    yield table.argument, (name, _row(table, module, modules))


def _row(statement: Statement, module: Statement, modules: Mapping[str, Statement]) -> Row:
    inside = tuple(_flat(statement, module, modules))
    key = next((part.argument.split() for part, _ in inside if part.keyword == "key"), [])
    return Row(
        keys=tuple(key),
        single=frozenset(part.argument for part, _ in inside if part.keyword == "leaf"),
        several=frozenset(part.argument for part, _ in inside if part.keyword == "leaf-list"),
        lists={part.argument: _row(part, home, modules) for part, home in inside if part.keyword == "list"},
        containers={part.argument: _row(part, home, modules) for part, home in inside if part.keyword == "container"},
    )


def _flat(
    statement: Statement, module: Statement, modules: Mapping[str, Statement]
) -> Iterator[tuple[Statement, Statement]]:
    """Yield the statements inside, with the module each stands in; choices and groupings are opened."""
    for part in statement.body:
        if part.keyword in ("choice", "case"):
            yield from _flat(part, module, modules)
        elif part.keyword == "uses":
            prefix, _, name = part.argument.rpartition(":")
            imports = {_children(i, "prefix")[0].argument: i.argument for i in _children(module, "import")}
            home = modules[imports[prefix]] if prefix in imports else module
            yield from _flat(next(g for g in _children(home, "grouping") if g.argument == name), home, modules)
        else:
            yield part, module


def _children(statement: Statement, keyword: str) -> list[Statement]:
    return [part for part in statement.body if part.keyword == keyword]


_COMMENT_OR_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\])*)"|\'([^\']*)\'|([{};])|((?:(?!//|/\*)[^\s{};"\'])+)', re.DOTALL
)


def _statements(text: str) -> Statement:
    """Return the module of a YANG file (RFC 7950 6.3: keyword, argument, then `;` or a body in braces)."""
    opened: list[tuple[str, str, list[Statement]]] = [("", "", [])]
    words: list[str] = []
    for found in _COMMENT_OR_TOKEN.finditer(text):
        double, single, mark, word = found.groups()
        if mark is None:
            token = next((part for part in (double, single, word) if part is not None), None)
            if token is not None:
                words.append(token)
            continue
        # "a" + "b" is one argument (RFC 7950 6.1.3).
        head = (words[0], "".join(w for w in words[1:] if w != "+")) if words else ("", "")
        words = []
        if mark == "{":
            opened.append((*head, []))
        elif mark == ";":
            opened[-1][2].append(Statement(*head, ()))
        else:
            keyword, argument, body = opened.pop()
            opened[-1][2].append(Statement(keyword, argument, tuple(body)))
    return opened[0][2][0]
