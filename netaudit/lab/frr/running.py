"""The lab while it runs: everything that its threads share, and what it is worth saying of it."""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import asyncssh
import grpc

from netaudit.diag import Unusable
from netaudit.lab.frr import agent
from netaudit.lab.frr.daemons_sonic import operational
from netaudit.lab.frr.faults import Broken
from netaudit.lab.frr.node import Node
from netaudit.lab.frr.plugs import Cabling
from netaudit.lab.frr.redis import Redis
from netaudit.lab.frr.vty import ask_json
from netaudit.lab.sim.access import Access
from netaudit.lab.sim.cabling import Lab


@dataclass(slots=True, kw_only=True)
class Running:
    """The lab while it runs."""

    lab: Lab
    labdir: Path
    nodes: Mapping[str, Node]
    cabling: Cabling
    broken: Broken
    access: Access
    key: asyncssh.SSHKey
    pool: ThreadPoolExecutor
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    ssh_ports: dict[str, int] = field(default_factory=dict)
    gnmi_ports: dict[str, int] = field(default_factory=dict)
    servers: list[grpc.Server] = field(default_factory=list)
    sessions: list[subprocess.Popen[bytes]] = field(default_factory=list)
    due: dict[str, float] = field(default_factory=dict)
    """Switch → when its daemons act on what changed in its database."""
    relinked: set[str] = field(default_factory=set)
    """Switches whose kernel told of a link."""
    unmanaged: set[str] = field(default_factory=set)
    """Switches whose lldpd may have to be told something."""
    held: list[socket.socket | Redis] = field(default_factory=list)
    """What is closed at the end."""


def status(running: Running) -> Mapping[str, object]:
    """The lab in numbers."""
    ends = [plug for plug in running.cabling.plugs if plug.at.device in running.nodes]
    up = {name: operational(node) for name, node in running.nodes.items()}
    sessions = list(_sessions(running.nodes))
    dead = [f"{name} ({daemon})" for name, node in running.nodes.items() for daemon in _stopped(node)]
    return {
        "fabric": running.lab.fabric,
        "kind": "real FRR",
        "pid": os.getpid(),
        "devices": list(running.nodes),
        "cables": len(running.lab.cables),
        "ports_up": sum(up[plug.at.device].get(plug.is_.name) == "up" for plug in ends),
        "sessions": sum(state == "Established" for state in sessions) // 2,
        "not_established": sum(state != "Established" for state in sessions),
        "daemons_down": dead,
        "neighbors": [f"{one.name} AS {one.asn}" for one in running.cabling.outsiders.values()],
        "faults": list(running.broken.told),
    }


def _stopped(node: Node) -> Sequence[str]:
    if not node.alive():
        return ["the switch"]
    return [one for one in ("zebra", "staticd", "bgpd", "bfdd") if one not in agent.running(node)]


def _sessions(nodes: Mapping[str, Node]) -> Iterator[str]:
    """State of every session of every switch, both ends."""
    for node in nodes.values():
        try:
            told = ask_json(node.pid, "bgpd", "show bgp neighbors json")
        except Unusable:
            continue  # it does not run, which is told
        for peer in told.values():
            if isinstance(peer, dict) and "bgpState" in peer:
                yield str(peer["bgpState"])
