"""The box's file system: a folder that nothing leads out of."""

from __future__ import annotations

import os
import posixpath
import tempfile
from pathlib import Path


class NoSuchFile(Exception):
    """The box has no such file, or it cannot be used; the text is what a shell tool prints after the name."""


def inside(root: Path, name: str) -> Path:
    """Where a file of the box lies; relative names start at `/home/admin`. Raises `NoSuchFile` for what leads out."""
    clean = posixpath.normpath(posixpath.join("/home/admin", name)).lstrip("/")
    path = root / clean
    if not path.resolve().is_relative_to(root.resolve()):
        raise NoSuchFile("Permission denied")
    return path


def read_bytes(root: Path, name: str) -> bytes:
    """What a file holds."""
    path = inside(root, name)
    try:
        return path.read_bytes()
    except IsADirectoryError as error:
        raise NoSuchFile("Is a directory") from error
    except OSError as error:
        raise NoSuchFile(error.strerror or "Input/output error") from error


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file or nothing: another name first, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(aside).replace(path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
