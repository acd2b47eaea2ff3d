"""What a server of a device is to the lab: opened on a port of the loopback, closed, and opened again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import asyncssh

from netaudit.lab.sim.access import Access


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """What a server lets clients in by, and shows them."""

    access: Access
    host_key: asyncssh.SSHKey


class Opened(Protocol):
    """A server that listens."""

    @property
    def port(self) -> int:
        """Where."""

    async def close(self) -> None:
        """Stop listening, and cut what is open."""


Door: TypeAlias = Callable[[Keys, int], Awaitable[Opened]]
"""Opens a server on a port, 0 asking for a free one."""
