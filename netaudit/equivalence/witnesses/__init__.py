"""Parsers that were not written here, one module a NOS: `witness(files, device)` → (who, what is wrong), or `None`.

`None` where the library is not installed: none of them is needed to run netaudit, and the proof is self-checked then.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from netaudit.platforms import Files
    from netaudit.state import Device


def witness(nos: str, files: Files, device: Device) -> tuple[str, tuple[str, ...]]:
    """Who else read the files of a device, and what is wrong with them; nobody where none is there, or installed."""
    if find_spec(f"{__name__}.{nos}") is None:
        return "", ()
    told: tuple[str, tuple[str, ...]] | None = import_module(f"{__name__}.{nos}").witness(files, device)
    return told if told is not None else ("", ())
