"""A client of the Redis of a switch: many commands in one go over its UNIX socket, answers as text."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Final, TypeAlias

from netaudit.diag import Unusable

DATABASES: Final[Mapping[str, int]] = {
    "APPL_DB": 0,
    "ASIC_DB": 1,
    "COUNTERS_DB": 2,
    "CONFIG_DB": 4,
    "PFC_WD_DB": 5,
    "FLEX_COUNTER_DB": 5,
    "STATE_DB": 6,
}
"""Name → number, as SONiC's database_config.json has them."""
_TIMEOUT_S: Final = 10.0

Answer: TypeAlias = "str | int | list[Answer] | None"
Rows: TypeAlias = dict[str, dict[str, str]]
"""Key → fields of a hash."""


class Redis:
    """One connection; use it in a `with`. Raises `Unusable` where the server is gone or refuses a command."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_TIMEOUT_S)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise Unusable(f"Redis at {path} does not answer: {error}", "netaudit lab down, then up") from error
        self._answers: IO[bytes] = self._socket.makefile("rb")

    def __enter__(self) -> Redis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._answers.close()
        self._socket.close()

    def fileno(self) -> int:
        """The socket, to wait on."""
        return self._socket.fileno()

    def drain(self) -> int:
        """Read whatever the server sent without being asked, and forget it; 0 where the server is gone."""
        return len(self._socket.recv(65536))

    def ask(self, commands: Iterable[Sequence[str]]) -> list[Answer]:
        """The answers to commands, in their order."""
        wanted = [_encoded(command) for command in commands]
        try:
            self._socket.sendall(b"".join(wanted))
            return [self._answer() for _ in wanted]
        except (OSError, EOFError) as error:
            raise Unusable(f"Redis went away: {error}", "netaudit lab down, then up") from error

    def rows(self, database: str, pattern: str) -> Rows:
        """Key → hash of every key that fits a pattern; keys that are no hash are left out."""
        keys = self.ask((("SELECT", str(DATABASES[database])), ("KEYS", pattern)))[1]
        names = sorted(str(key) for key in keys) if isinstance(keys, list) else []
        kinds = self.ask(("TYPE", name) for name in names)
        hashes = [name for name, kind in zip(names, kinds, strict=True) if kind == "hash"]
        found = self.ask(("HGETALL", name) for name in hashes)
        return {name: _pairs(fields) for name, fields in zip(hashes, found, strict=True)}

    def write(self, database: str, rows: Mapping[str, Mapping[str, str] | None]) -> None:
        """Put whole hashes in place of what is there, or with `None` delete them."""
        commands: list[Sequence[str]] = [("SELECT", str(DATABASES[database])), ("MULTI",)]
        for key, fields in rows.items():
            commands.append(("DEL", key))
            if fields:
                commands.append(("HSET", key, *(word for pair in fields.items() for word in pair)))
        self.ask((*commands, ("EXEC",)))

    def _answer(self) -> Answer:
        line = self._answers.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError("the connection ended")
        kind, rest = line[:1], line[1:-2].decode("utf-8", "replace")
        if kind == b"+":
            return rest
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == "-1" else self._answers.read(int(rest) + 2)[:-2].decode("utf-8", "replace")
        if kind == b"*":
            return None if rest == "-1" else [self._answer() for _ in range(int(rest))]
        raise Unusable(f"Redis refuses: {rest}", "netaudit lab down, then up")


def _encoded(command: Sequence[str]) -> bytes:
    words = [word.encode() for word in command]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


def _pairs(fields: Answer) -> dict[str, str]:
    words = [str(word) for word in fields] if isinstance(fields, list) else []
    return dict(zip(words[::2], words[1::2], strict=True))
