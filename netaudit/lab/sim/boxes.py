"""The servers of every device: started together, stopped and started again where a fault says so."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from netaudit.lab.sim.doors import Door, Keys, Opened
from netaudit.lab.sim.fabric import Fabric


@dataclass(slots=True, kw_only=True)
class Box:
    """The servers of one device, and the ports that are theirs for the life of the lab."""

    doors: Mapping[str, Door]
    ports: dict[str, int] = field(default_factory=dict)
    """Name of the door → its port, once it was open."""
    opened: dict[str, Opened] = field(default_factory=dict)
    """The doors that are open."""
    reserved: list[socket.socket] = field(default_factory=list)
    """Bound to the ports while nothing listens on them, so that nobody else takes them."""


async def start(box: Box, keys: Keys) -> None:
    """Listen, on the same ports as before where there was a before."""
    for one in box.reserved:
        one.close()
    box.reserved.clear()
    for name, door in box.doors.items():
        box.opened[name] = await door(keys, box.ports.get(name, 0))
        box.ports[name] = box.opened[name].port


async def stop(box: Box) -> None:
    """Stop listening, and cut what is open."""
    while box.opened:
        _, opened = box.opened.popitem()
        await opened.close()


def reserve(box: Box) -> None:
    """Keep the ports of a stopped box: bound, not listening, so that a client is refused."""
    for port in box.ports.values():
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(("127.0.0.1", port))
        box.reserved.append(one)


async def follow(fabric: Fabric, boxes: Mapping[str, Box], keys: Keys) -> None:
    """Stop the boxes that the faults make unreachable, start those that are no longer."""
    for name, box in boxes.items():
        if name in fabric.faults.unreachable and box.opened:
            await stop(box)
            reserve(box)
        elif name not in fabric.faults.unreachable and not box.opened:
            await start(box, keys)


async def stop_all(boxes: Mapping[str, Box]) -> None:
    """Stop every box at once."""
    await asyncio.gather(*(stop(box) for box in boxes.values()))
    for box in boxes.values():
        for one in box.reserved:
            one.close()
