"""The files of `raw`: text of the site's own, and whether a platform can take it beside what is ours."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from netaudit import platforms
from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.intent.consistency import at
from netaudit.intent.nodes import lines
from netaudit.intent.partial import Partial
from netaudit.intent.raw_json import json_problems
from netaudit.intent.schema import IntentModel
from netaudit.intent.text import Document, read_text
from netaudit.intent.where import parse

MAX_CHARACTERS = 64 * 1024
"""Size of a snippet. Judgement: the whole frr.conf of a leaf has a few KiB."""
MAX_PROBLEMS = 20
"""Lines of one file that are told: a file of another kind has thousands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """What the files hold, in the order of the list."""

    snippets: tuple[str, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def raw_beside(folder: Path, read: Partial, document: Document) -> Raw:
    """The files that `raw` names; paths start at the folder of the file that names them."""
    if not read.has(frozenset({"raw", "owns"})):
        return Raw()
    snippets: list[str] = []
    problems: list[Diagnostic] = []
    texts: dict[str, tuple[str, ...]] = {}
    for number, entry in enumerate(read.model.raw):
        source = document.content("raw", str(number), "file") or at.value(document, "raw", str(number), "file")
        named_in = Path(source.file).parent if source and source.file in document.others else folder
        file = str(named_in / entry.file)
        meant = tuple(_platforms(read.model, entry.where))
        if not meant:
            continue
        wrong = _unfit(entry.file, read.model, source, meant)
        if wrong is None:
            try:
                texts[file] = lines(read_text(Path(file), file))
            except Invalid as error:
                problems.extend(at.error(d.message, source, d.hint) for d in error.diagnostics)
                continue
            text = "\n".join(texts[file]).removesuffix("\n")
            wrong = _no_snippet(entry.file, text, source, meant)
        if wrong is None:
            snippets.append(text)
            judged = _tables if _of_tables(entry.file, meant) else _lines
            problems.extend(judged(text, file, read.model, meant))
        else:
            problems.append(wrong)
    return Raw(snippets=tuple(snippets), problems=tuple(problems), texts=texts)


def _platforms(model: IntentModel, where: str) -> Iterator[str]:
    """The platforms of the devices that a `where` means: its words are those of their NOSes, and of no other's.

    Every platform of the fabric where that cannot be told: a device that devices.csv names, or a `where` that means no
    device, which `check` reports. None where it is no `where`.
    """
    spine = model.spine.platform
    top = model.superspine.platform if model.superspine is not None else None
    of = {
        "leaf": model.leaf.platform,
        "spine": spine,
        **({} if model.superspine is None else {"superspine": top or spine}),
    }
    of |= {name: block.platform for name, block in model.blocks.items()}
    try:
        chosen = parse(where)
    except Invalid:
        return  # its own message says what is wrong
    roles = [role for role in of if chosen.role in (None, role) and chosen.platform in (None, of[role])]
    if chosen.device is not None:
        roles = [role for role in roles if _named_so(model, role, chosen.device)]
    yield from dict.fromkeys(of[role] for role in roles or of)


def _named_so(model: IntentModel, role: str, device: str) -> bool:
    """Can a device of this role have that name, by the pattern?"""
    pattern = model.names.block.replace("{block}", role) if role in model.blocks else str(getattr(model.names, role))
    return re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(pattern)), device) is not None


def _unfit(name: str, model: IntentModel, source: Source | None, meant: Collection[str]) -> Diagnostic | None:
    """What the name tells: a file of a kind that nothing is made of, or one for a file that is not ours."""
    suffix = Path(name).suffix
    if _of_tables(name, meant):
        return None
    known = dict.fromkeys(s for p in meant for s in _suffixes(p))
    if suffix not in known:
        hint = f"its name ends in {' or '.join(known)}"
        return at.error(f"`{name}` is no file of configuration lines or tables", source, hint)
    if "bgp" not in model.owns and "all" not in model.owns:
        hint = "take it out, or add bgp to `owns`"
        return at.error(f"`{name}` would be written nowhere: the routing configuration is not ours", source, hint)
    return None


def _suffixes(name: str) -> tuple[str, ...]:
    platform = platforms.platform(name)
    return (*platform.RAW_SUFFIXES, *platform.RAW_TABLES)


def _of_tables(name: str, meant: Collection[str]) -> bool:
    """Does it hold tables, of a platform whose configuration is a database?"""
    return any(Path(name).suffix in platforms.platform(p).RAW_TABLES for p in meant)


def _tables(text: str, file: str, model: IntentModel, meant: Collection[str]) -> Iterator[Diagnostic]:
    """Each table, row and field that is ours or none at all, at its place in the snippet."""
    for name in meant:
        platform = platforms.platform(name)
        if platform.RAW_TABLES:
            judged = json_problems(text, file, lambda path, p=platform: p.raw_table_problem(path, model.owns))  # type: ignore[misc]
            yield from islice(judged, MAX_PROBLEMS)


def _no_snippet(name: str, text: str, source: Source | None, meant: Collection[str]) -> Diagnostic | None:
    if len(text) > MAX_CHARACTERS:
        return at.error(f"`{name}` has more than {MAX_CHARACTERS // 1024} KiB", source, "a snippet is a few lines")
    if not _of_tables(name, meant) and not any(platforms.platform(p).raw_lines(text) for p in meant):
        return at.error(f"`{name}` has no line of configuration in it", source)
    return None


def _lines(text: str, file: str, model: IntentModel, meant: Collection[str]) -> Iterator[Diagnostic]:
    """Each line that touches what is ours, at its place in the snippet."""
    owns = ("addressing", "ports", "bgp") if "all" in model.owns else model.owns
    rows = text.split("\n")
    for name in meant:
        for told, (number, message, hint) in enumerate(platforms.platform(name).raw_problems(text, owns)):
            if told == MAX_PROBLEMS:
                break
            row = rows[number - 1]
            column = 1 + len(row) - len(row.lstrip())
            source = Source(file=file, line=number, column=column, width=max(1, len(row.strip())))
            yield at.error(message, source, hint)
