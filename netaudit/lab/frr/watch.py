"""What happens by itself in a running lab: databases and links are watched, daemons act, hosts send LLDP."""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import socket
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from netaudit.diag import Invalid, Unusable
from netaudit.lab.frr import lldp, scripts
from netaudit.lab.frr.daemons_sonic import follow, operational, write_states
from netaudit.lab.frr.namespace import NAMED
from netaudit.lab.frr.node import Node
from netaudit.lab.frr.redis import DATABASES
from netaudit.lab.frr.running import Running

_QUIET_S: Final = 0.1
"""How long a switch's database must be quiet before its daemons act: a push writes hundreds of rows."""
_LLDP_S: Final = 0.5
"""How often lldpmgrd looks whether lldpd has heard of a port."""
_RTMGRP_LINK: Final = 1
"""rtnetlink(7): tell of links that come, go, rise and fall."""


def begin(running: Running) -> None:
    """Watch all switches, and have hosts and lldpmgrd at work, until the process ends."""
    for node in running.nodes.values():
        _watch_database(running, node)
        _watch_links(running, node)
    aside(_hosts_speak, running)
    aside(_manage_lldp, running)


def aside(work: Callable[..., None], *arguments: object) -> None:
    """Work in a thread that does not keep the lab from ending."""
    threading.Thread(target=work, args=arguments, daemon=True).start()


def _watch_database(running: Running, node: Node) -> None:
    """Hear of every change of CONFIG_DB, whoever makes it."""
    redis = node.redis()
    redis.ask([("PSUBSCRIBE", f"__keyspace@{DATABASES['CONFIG_DB']}__:*")])
    running.held.append(redis)

    def changed() -> None:
        if redis.drain():
            running.due[node.name] = time.monotonic() + _QUIET_S
        else:
            running.selector.unregister(redis)

    running.selector.register(redis, selectors.EVENT_READ, changed)


def _watch_links(running: Running, node: Node) -> None:
    """Hear of links from the switch's kernel."""
    listener = _inside(node.namespace, lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE))
    listener.bind((0, _RTMGRP_LINK))
    listener.setblocking(False)
    running.held.append(listener)
    running.relinked.add(node.name)

    def told() -> None:
        with contextlib.suppress(OSError):  # ENOBUFS: more was told than fits, and that something changed is enough
            while listener.recv(65536):
                pass
        running.relinked.add(node.name)

    running.selector.register(listener, selectors.EVENT_READ, told)


def _inside(space: str, make: Callable[[], socket.socket]) -> socket.socket:
    """A socket of another network namespace, made by a thread that goes there and ends."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_made_inside, space, make).result()


def _made_inside(space: str, make: Callable[[], socket.socket]) -> socket.socket:
    _enter(space)
    return make()


def _enter(space: str) -> None:
    """Take the thread that calls into a network namespace (setns(2); os.setns is of Python 3.12)."""
    with (NAMED / space).open() as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), 0):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(NAMED / space))


def loop(running: Running) -> None:
    """Wait for anything to happen, until the lab is to end."""
    while True:
        wait_s = 1.0 if running.due or running.relinked else None
        if running.due:
            wait_s = max(0.0, min(running.due.values()) - time.monotonic())
        elif running.relinked:
            wait_s = _QUIET_S
        for key, _ in running.selector.select(wait_s):
            key.data()
        now = time.monotonic()
        for name in [name for name, at in running.due.items() if at <= now]:
            del running.due[name]
            aside(_guarded, _follow, running, running.nodes[name])
        if running.relinked:
            relinked, running.relinked = running.relinked, set()
            running.unmanaged |= relinked
            for name in relinked:
                aside(_guarded, _tell_states, running.nodes[name])


def _guarded(work: Callable[..., None], *arguments: object) -> None:
    """Work that nobody waits for: what goes wrong is logged."""
    try:
        work(*arguments)
    except (Unusable, Invalid, OSError, ValueError, LookupError) as error:
        sys.stderr.write(f"{error!r}\n")
        sys.stderr.flush()


def _follow(running: Running, node: Node) -> None:
    """CONFIG_DB changed: the daemons act."""
    with node.lock, node.redis() as redis:
        follow(node, redis)
        running.cabling.settle()
    _tell_states(node)
    running.unmanaged.add(node.name)


def _tell_states(node: Node) -> None:
    with node.redis() as redis:
        write_states(redis, operational(node), node.switch.config)


def _hosts_speak(running: Running) -> None:
    """Send LLDP for every host and neighbor of others, for ever."""
    said = {str(cable.a): (cable.a.device, cable.a_lldp_port) for cable in running.lab.cables if cable.a_lldp_port}
    speaking = [plug for plug in running.cabling.plugs if str(plug.at) in said]
    senders = {space: _inside(space, lldp.sender) for space in {plug.is_.namespace for plug in speaking}}
    while True:
        for number, plug in enumerate(speaking):
            mac = b"\x02\x01" + number.to_bytes(4, "big")
            frame = lldp.frame(mac, *said[str(plug.at)], scripts.LLDP_S * 4)
            with contextlib.suppress(OSError):  # the cable is cut
                senders[plug.is_.namespace].sendto(frame, (plug.is_.name, lldp.ETHERTYPE))
        time.sleep(scripts.LLDP_S)


def _manage_lldp(running: Running) -> None:
    """lldpmgrd of every switch, for ever."""
    while True:
        for name in tuple(running.unmanaged):
            _guarded(_manage, running, name)
        time.sleep(_LLDP_S)


def _manage(running: Running, name: str) -> None:
    running.unmanaged.discard(name)
    if not lldp.manage(running.nodes[name]):
        running.unmanaged.add(name)
