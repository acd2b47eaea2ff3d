"""Fabrics from intents written in a test."""

from __future__ import annotations

import tempfile
from pathlib import Path

from intent.example import read
from strategies import Shape

from netaudit.diag import Diagnostic, Invalid
from netaudit.fabric import Fabric, build


def fabric(text: str, **tables: str) -> Fabric:
    """The fabric of an intent, with CSVs beside it (`devices` is devices.csv)."""
    with tempfile.TemporaryDirectory() as folder:
        return build(read(Path(folder), text, **tables))


def drawn(shape: Shape) -> Fabric:
    """The fabric of a drawn shape."""
    return fabric(shape.text())


def problems(text: str, **tables: str) -> tuple[Diagnostic, ...]:
    """Why it cannot be built; empty if it can."""
    try:
        fabric(text, **tables)
    except Invalid as error:
        return error.diagnostics
    return ()
