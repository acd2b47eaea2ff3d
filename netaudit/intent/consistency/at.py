"""Where the intent says something, and diagnostics made there."""

from __future__ import annotations

from difflib import get_close_matches

from netaudit.diag import Diagnostic, Severity, Source
from netaudit.intent.text import Document


def value(document: Document, *at: str) -> Source | None:
    """Where the value of a path stands, or the nearest ancestor that is written."""
    nearest = document.nearest(at)
    if nearest is None:
        return None
    found, mark = nearest
    return mark.value if found == at else mark.best


def key(document: Document, *at: str) -> Source | None:
    """Where the key of a path stands, or the nearest ancestor that is written."""
    nearest = document.nearest(at)
    if nearest is None:
        return None
    found, mark = nearest
    return (mark.key or mark.value) if found == at else mark.best


def error(message: str, source: Source | None, hint: str = "") -> Diagnostic:
    """An error of the intent."""
    return Diagnostic(message=message, source=source, hint=hint)


def warning(message: str, source: Source | None, hint: str = "") -> Diagnostic:
    """Something that can be built but is unlikely to be meant."""
    return Diagnostic(message=message, source=source, hint=hint, severity=Severity.WARNING)


def unknown(what: str, name: str, known: tuple[str, ...], source: Source | None) -> Diagnostic:
    """A name that no catalogue has, with the nearest that one has."""
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(known)}"
    return error(f"there is no {what} `{name}` in the catalogue", source, hint)
