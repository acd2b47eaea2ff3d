"""Which findings are accepted, by whom and until when: `waivers.yml` beside the intent, read strictly and added to."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from netaudit.diag import Diagnostic, Invalid, Source, Unusable
from netaudit.intent.text import At, Data, Document, parse, read_text
from netaudit.whole import write_whole

NAME: Final = "waivers.yml"
_NEEDED: Final = ("rule", "device", "owner", "reason", "until")
_KEYS: Final = ("rule", "device", "object", "owner", "reason", "until")
_EXAMPLE: Final = '- {rule: MGT-05, device: a-spine1, owner: netops, reason: CHG-4711, until: "2026-12-31"}'
_HEAD: Final = "# Findings that are accepted, until when, by whom and why. Added to by `netaudit waive`.\n"
_PLAIN: Final = re.compile(r"[A-Z]{3}-\d{2}|[a-z]-[a-z0-9-]+[a-z0-9](:\d+(/\d+)?)?", re.ASCII)
"""What needs no quotes in YAML, whatever a reader takes for numbers, times or words: ids of rules, names of devices."""
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverRow:
    """One entry of the file, as it is written."""

    rule: str
    device: str
    object: str
    owner: str
    reason: str
    until: date
    source: Source
    """The entry; where `device` and `rule` stand for messages about them."""
    device_source: Source
    rule_source: Source


def waivers_file(intent: Path) -> Path:
    """Where the waivers of an intent stand; `intent` is its file."""
    return intent.parent / NAME


def load_waivers(file: Path) -> tuple[WaiverRow, ...]:
    """The entries in the order of the file, none where there is no file. Raises `Invalid` with all problems."""
    if not file.exists() and not file.is_symlink():
        return ()
    return _rows(read_text(file, str(file)), str(file))


def has_other_fabrics(intent: Path) -> bool:
    """Whether the folder of an intent holds others: then a waiver may be for a device of one of them."""
    files = (file for file in intent.parent.glob("*.y*ml") if file.name not in (intent.name, NAME))
    return any(_has_fabric(file) for file in files)


def _has_fabric(file: Path) -> bool:
    try:
        return any(line.startswith("fabric:") for line in read_text(file, str(file)).splitlines())
    except Invalid:
        return False


def _rows(text: str, file: str) -> tuple[WaiverRow, ...]:
    """The entries of a list, which may stand below the key `waivers`."""
    document = parse(text, file)
    found = list(document.problems.values())
    data: Data = document.data
    at: At = ()
    if isinstance(data, Mapping) and "waivers" in data:
        found += [_unknown(document, (), key, ("waivers",)) for key in data if key != "waivers"]
        data, at = data["waivers"], ("waivers",)
    rows: list[WaiverRow] = []
    if data is not None and not isinstance(data, tuple):
        found.append(_at(document, at, "waivers are a list, each entry with `- `", _EXAMPLE))
    for number, entry in enumerate(data if isinstance(data, tuple) else ()):
        made = _row(document, (*at, str(number)), entry)
        if isinstance(made, WaiverRow):
            rows.append(made)
        else:
            found += made
    if found:
        raise Invalid(found)
    return tuple(rows)


def _row(document: Document, at: At, entry: Data) -> WaiverRow | list[Diagnostic]:
    if not isinstance(entry, Mapping):
        return [_at(document, at, "a waiver is a mapping of keys to values", _EXAMPLE)]
    strange = [key for key in entry if key not in _KEYS]
    problems = [_unknown(document, at, key, _KEYS) for key in strange]
    meant = {close for key in strange for close in get_close_matches(key, _KEYS, n=1)}
    for key in _NEEDED:
        if key not in entry and key not in meant:
            problems.append(_at(document, at, f"this waiver has no `{key}`", f"for example {_EXAMPLE}"))
    texts: dict[str, str] = {}
    for key in _KEYS:
        if key in entry:
            value = entry[key]
            if isinstance(value, str) and value.strip():
                texts[key] = value.strip()
            else:
                problems.append(_at(document, (*at, key), f"`{key}` is a text that says something", "quote it"))
    until = _day(texts["until"]) if "until" in texts else None
    if "until" in texts and until is None:
        hint = "for example 2026-12-31: the last day it holds"
        problems.append(_at(document, (*at, "until"), f"`{texts['until']}` is not a day", hint))
    if problems or until is None:
        return problems
    return WaiverRow(
        rule=texts["rule"],
        device=texts["device"],
        object=texts.get("object", ""),
        owner=texts["owner"],
        reason=texts["reason"],
        until=until,
        source=_place(document, at),
        device_source=document.content(*at, "device") or _place(document, at),
        rule_source=document.content(*at, "rule") or _place(document, at),
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def _unknown(document: Document, at: At, key: str, known: tuple[str, ...]) -> Diagnostic:
    close = get_close_matches(key, known, n=1)
    hint = f"did you mean `{close[0]}`?" if close else f"keys: {', '.join(known)}"
    mark = document.marks.get((*at, key))
    source = mark.key if mark and mark.key else _place(document, at)
    return Diagnostic(message=f"unknown key `{key}`", source=source, hint=hint)


def _at(document: Document, at: At, message: str, hint: str) -> Diagnostic:
    return Diagnostic(message=message, source=_place(document, at), hint=hint)


def _place(document: Document, at: At) -> Source:
    mark = document.marks.get(at)
    return mark.best if mark else Source(file=document.file, line=1)


def add_waiver(file: Path, *, rule: str, device: str, place: str, owner: str, reason: str, until: date) -> WaiverRow:
    """Put one entry at the end of the file, whole or not at all; what stands there stays.

    Raises `Invalid` where the file cannot be read, or has an entry for the same that holds as long.
    """
    given = {"rule": rule, "device": device, "object": place, "owner": owner, "reason": reason}
    with _locked(file):
        text = read_text(file, str(file)) if file.exists() else _HEAD
        for row in _rows(text, str(file)):
            if (row.rule, row.device, row.object) == (rule, device, place) and row.until >= until:
                message = f"{rule} on {device} is waived already, until {row.until.isoformat()}"
                raise Invalid([Diagnostic(message=message, source=row.source)])
        longer = _with_entry(text, {**{k: v for k, v in given.items() if v}, "until": until.isoformat()})
        try:
            added = _rows(longer, str(file))[-1]
        except Invalid as error:
            first = error.diagnostics[0]
            hint = f"an entry cannot be put at its end; write the list as lines of  {_EXAMPLE}"
            raise Invalid([Diagnostic(message=first.message, source=first.source, hint=hint)]) from None
        write_whole(file, longer.encode(), lasting=True)
    return added


def _with_entry(text: str, entry: Mapping[str, str]) -> str:
    """The text with one more entry; where the list is indented, so is the entry."""
    body = text if not text or text.endswith("\n") else text + "\n"
    dashes = re.findall(r"^( *)- ", body, re.MULTILINE)
    indent = dashes[0] if dashes else ""
    lines = [f"{key}: {_quoted(key, value)}" for key, value in entry.items()]
    return body + f"{indent}- " + f"\n{indent}  ".join(lines) + "\n"


def _quoted(key: str, value: str) -> str:
    if _PLAIN.fullmatch(value) or key == "until":
        return value
    text = json.dumps(value, ensure_ascii=False)  # a JSON text is a double-quoted YAML one (YAML 1.2, 1.3)
    return re.sub("[\x7f\x85\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)  # ends of lines to YAML 1.1


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Nobody else of netaudit adds to a file of that folder meanwhile."""
    try:
        handle = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise Unusable(f"{file} cannot be written: {error.strerror}", "name an intent that exists") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
