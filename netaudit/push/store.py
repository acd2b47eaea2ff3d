"""JSON files of a push: written whole or not at all, readable by their owner only, read back with clear errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.whole import write_whole

Json: TypeAlias = Mapping[str, object]
SIZE_LIMIT_BYTES: Final = 2 * 1024 * 1024 * 1024
"""A first load of 2,000 devices at 1 MB of rendered text each."""


def write_json(file: Path, data: Json) -> None:
    """Write the object, mode 0600. Raises Unusable where that fails; then nothing is changed."""
    content = (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
    write_whole(file, content, private=True, lasting=True)


def read_json(file: Path, what: str, hint: str) -> Json:
    """The object that a file holds. Raises Invalid saying that the file is not `what`."""
    try:
        if file.stat().st_size > SIZE_LIMIT_BYTES:
            raise invalid(file, f"not {what}: larger than {SIZE_LIMIT_BYTES:,} bytes", hint)
        data = json.loads(file.read_text(encoding="utf-8", errors="surrogatepass"))
    except OSError as error:
        raise invalid(file, f"cannot be read: {error.strerror}", hint) from None
    except json.JSONDecodeError as error:
        raise invalid(file, f"not {what}: {error.msg}", hint, error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise invalid(file, f"not {what}: no JSON text", hint) from None
    if not isinstance(data, dict):
        raise invalid(file, f"not {what}: no JSON object", hint)
    return data


def invalid(file: Path, message: str, hint: str, line: int = 1, column: int = 1) -> Invalid:
    """One problem of a file, ready to raise."""
    source = Source(file=str(file), line=line, column=column)
    return Invalid([Diagnostic(message=message, source=source, hint=hint)])


def text(value: object) -> str:
    """The value, if it is text; else TypeError."""
    if isinstance(value, str):
        return value
    raise TypeError(f"{_short(value)} is no text")


def whole_number(value: object) -> int:
    """The value, if it is a whole number; else TypeError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise TypeError(f"{_short(value)} is no whole number")


def object_of(value: object) -> Json:
    """The value, if it is an object; else TypeError."""
    if isinstance(value, dict):
        return value
    raise TypeError(f"{_short(value)} is no object")


def list_of(value: object) -> list[object]:
    """The value, if it is a list; else TypeError."""
    if isinstance(value, list):
        return value
    raise TypeError(f"{_short(value)} is no list")


def only(data: Json, keys: tuple[str, ...]) -> None:
    """Raise ValueError for a key that is none of `keys`."""
    unknown = [key for key in data if key not in keys]
    if unknown:
        raise ValueError(f"unknown key {_short(unknown[0])}")


def _short(value: object) -> str:
    return repr(value)[:40]
