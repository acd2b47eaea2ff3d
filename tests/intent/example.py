"""The example fabric, and small intents made of it for single questions."""

from __future__ import annotations

from pathlib import Path

from netaudit.diag import Diagnostic, Invalid
from netaudit.intent import Intent, load

EXAMPLE = Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml"
SMALL = {
    "schema": "1",
    "fabric": "small",
    "planes": "[a, b]",
    "rails": "2",
    "units": "{su1: {hosts: 2}}",
    "hosts": "{nic: cx8, speed: 400G}",
    "leaf": "{model: nvidia-sn5600, platform: sonic}",
    "spine": "{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G}",
    "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr8}",
}


def small(**changes: str) -> str:
    """The text of a small intent, some of its keys changed or added."""
    return "".join(f"{key}: {value}\n" for key, value in (SMALL | changes).items())


def read(folder: Path, text: str | bytes, **tables: str) -> Intent:
    """Load an intent of that text, with CSVs beside it (`devices` is devices.csv)."""
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text(rows, encoding="utf-8")
    file = folder / "fabric.yml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(file)


def problems(folder: Path, text: str | bytes, **tables: str) -> tuple[Diagnostic, ...]:
    """What is wrong with that intent; empty if nothing is."""
    try:
        read(folder, text, **tables)
    except Invalid as error:
        return error.diagnostics
    return ()
