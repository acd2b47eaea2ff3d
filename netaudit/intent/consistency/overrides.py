"""Whether overrides and raw snippets name a part of a fabric; each is looked at, even where others are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.diag import Diagnostic, Invalid
from netaudit.intent import where
from netaudit.intent.consistency import at
from netaudit.intent.text import Data, Document
from netaudit.intent.where import Translate


def places(document: Document, translate: Translate) -> Iterator[Diagnostic]:
    """A `where` that does not follow its grammar."""
    for number, override in _overrides(document):
        text = override.get("where")
        if isinstance(text, str):
            try:
                where.parse(text, document.content("overrides", number, "where"), translate)
            except Invalid as error:
                yield from error.diagnostics
    for number, snippet in _entries(document, "raw"):
        text = snippet.get("where")
        source = document.content("raw", number, "where")
        if isinstance(text, str):
            try:
                if (port := where.parse(text, source, translate).port) is not None:
                    yield at.error(
                        f"a snippet is for whole devices, not for port {port}", source, "write the device alone"
                    )
            except Invalid as error:
                yield from error.diagnostics


def settings(document: Document) -> Iterator[Diagnostic]:
    """An override that sets nothing."""
    for number, override in _overrides(document):
        if override.get("set") == {}:
            source = at.key(document, "overrides", number, "set")
            yield at.error("this override sets nothing", source, "for example set: {speed: 200G}")


def _overrides(document: Document) -> Iterator[tuple[str, Mapping[str, Data]]]:
    return _entries(document, "overrides")


def _entries(document: Document, key: str) -> Iterator[tuple[str, Mapping[str, Data]]]:
    items = document.data.get(key) if isinstance(document.data, Mapping) else None
    for number, item in enumerate(items if isinstance(items, tuple) else ()):
        if isinstance(item, Mapping):
            yield str(number), item
