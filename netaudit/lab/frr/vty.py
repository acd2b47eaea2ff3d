"""FRR's daemons asked directly, by the socket that vtysh uses: under a millisecond where vtysh needs thirty."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any, Final

from netaudit.diag import Unusable

_END: Final = b"\0\0\0"
"""After every answer: three zeros, and one byte of return code (lib/vty.c, vtysh_flush)."""
_TIMEOUT_S: Final = 30.0


def ask(pid: int, daemon: str, command: str) -> str:
    """What a daemon of a switch answers. `pid` is a process in the switch. Raises `Unusable` where it does not."""
    path = Path(f"/proc/{pid}/root/run/frr/{daemon}.vty")
    try:
        with socket.socket(socket.AF_UNIX) as vty:
            vty.settimeout(_TIMEOUT_S)
            vty.connect(str(path))
            _command(vty, "enable")
            return _command(vty, command)
    except (OSError, EOFError) as error:
        raise Unusable(f"{daemon} at {path} does not answer `{command}`: {error}", "netaudit lab status") from error


def ask_json(pid: int, daemon: str, command: str) -> Any:  # FRR's own JSON
    """The same, read as JSON."""
    answer = ask(pid, daemon, command)
    try:
        return json.loads(answer or "{}")
    except ValueError as error:
        raise Unusable(f"{daemon} answers `{command}` with no JSON: {answer[:80]!r}", "netaudit lab status") from error


def _command(vty: socket.socket, command: str) -> str:
    vty.sendall(command.encode() + b"\0")
    answer = bytearray()
    while answer[-4:-1] != _END:
        part = vty.recv(1 << 20)
        if not part:
            raise EOFError("it hung up")
        answer += part
    return answer[:-4].decode("utf-8", "replace")
