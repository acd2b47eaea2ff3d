"""What a gNMI path of SONiC stands for: a database and steps in it, whoever holds the database (sonic.md 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import grpc

from netaudit import gnmi
from netaudit.lab.sim.tables import SEPARATORS

ORIGIN: Final = "sonic-db"
Steps: TypeAlias = tuple[str, ...]
ConfigRows: TypeAlias = Mapping[str, Mapping[str, Mapping[str, object]]]
"""CONFIG_DB as table → row → field, lists as lists."""
_EMPTY: Final = {"NULL": "NULL"}
"""What Redis holds for a row without fields."""


class Refused(Exception):
    """A gRPC status with its message."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


def value(
    prefix: gnmi.Path,
    path: gnmi.Path,
    read: Callable[[str, Steps], object | None],
    config: Callable[[], ConfigRows],
) -> object:
    """The data at a path, named by target or by the origin sonic-db. Raises `Refused`.

    `read`: what a database holds at steps, lists as Redis keeps them; `config`: CONFIG_DB whole.
    """
    steps = (*gnmi.elems(prefix), *gnmi.elems(path))
    if (path.origin or prefix.origin) == ORIGIN:
        found = _native(steps, read, config)
    else:
        found = _by_target(prefix.target or path.target, steps, read)
    if found is None:
        raise Refused(grpc.StatusCode.NOT_FOUND, f"No valid entry found on /{'/'.join(steps)}")
    return found


def _by_target(target: str, steps: Steps, read: Callable[[str, Steps], object | None]) -> object | None:
    """Form A: the target is the database."""
    database = target.removesuffix("/localhost")
    if database in ("", "OC-YANG"):
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, "OpenConfig paths are not there")
    if database not in SEPARATORS:
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"Invalid target {target}")
    if not steps:
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "a whole database cannot be asked for by target")
    return read(database, steps)


def _native(
    steps: Steps, read: Callable[[str, Steps], object | None], config: Callable[[], ConfigRows]
) -> object | None:
    """Form B: /DATABASE/localhost/TABLE/…; here lists are lists, and CONFIG_DB can be had whole."""
    if len(steps) < 2 or steps[0] not in SEPARATORS or steps[1] != "localhost":
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "a native path is /DATABASE/localhost/TABLE/...")
    if steps[0] != "CONFIG_DB":
        return read(steps[0], steps[2:]) if len(steps) > 2 else None
    tables = config()
    if len(steps) == 2:
        return tables
    rows = tables.get(steps[2], {})
    if len(steps) == 3:
        return {key: row or _EMPTY for key, row in rows.items()} or None
    row = rows.get("|".join(steps[3:]))
    if row is not None:
        return row or _EMPTY
    row = rows.get("|".join(steps[3:-1]))
    return None if row is None else row.get(steps[-1])
