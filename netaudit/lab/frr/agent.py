"""SONiC's own commands in a switch: what they print is the simulator's, what they change is real."""

from __future__ import annotations

import json
import posixpath
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from netaudit.lab.frr.daemons_sonic import follow, unified
from netaudit.lab.frr.node import Node, read_database, write_database
from netaudit.lab.sim import shell
from netaudit.lab.sim.frr_show import Completed
from netaudit.lab.sim.switch import restart_routing

_FILE_COMMANDS: Final = ("apply-patch", "replace", "reload", "load")
"""Those of `config` that take a file."""


def answer(
    node: Node, line: bytes, settle: Callable[[Node], None], flap: Callable[[Node, Sequence[str]], None]
) -> bytes:
    """The answer to one request of a command on PATH, as a line of JSON."""
    try:
        request = json.loads(line)
        words = [str(word) for word in request["words"]]
        folder = str(request["folder"])
    except (ValueError, TypeError, KeyError) as error:
        return _encoded(Completed(code=1, err=f"not a request: {error!r}\n"))
    with node.lock:
        return _encoded(_carry_out(node, _absolute(words, folder), settle, flap))


def _encoded(done: Completed) -> bytes:
    out = done.out if isinstance(done.out, str) else done.out.decode("utf-8", "replace")
    return json.dumps({"code": done.code, "out": out, "err": done.err}).encode() + b"\n"


def _absolute(words: Sequence[str], folder: str) -> Sequence[str]:
    """With the file that `config` is given named in full: the simulator knows no working directory."""
    if words[:1] != ["config"] or len(words) < 3 or words[1] not in _FILE_COMMANDS:
        return words
    return [*words[:2], *(word if word.startswith("-") else posixpath.join(folder, word) for word in words[2:])]


def _carry_out(
    node: Node, words: Sequence[str], settle: Callable[[Node], None], flap: Callable[[Node, Sequence[str]], None]
) -> Completed:
    """Run the command on what the databases hold now, and make real what it changes."""
    if words[0] == "systemctl":
        return _systemctl(node, words[1:])
    with node.redis() as redis:
        before = read_database(redis)
        node.switch.config = before
        flaps = dict(node.switch.flaps)
        done = shell.run(node.fabric, node.switch, shlex.join(words))
        write_database(redis, before, node.switch.config)
        if done.code == 0 and node.switch.config is not before:
            follow(node, redis)
            settle(node)
            flap(node, [name for name, count in node.switch.flaps.items() if count != flaps.get(name, 0)])
    if done.code == 0 and list(words[:2]) == ["config", "reload"]:
        restart_frr(node)
    return done


def _systemctl(node: Node, words: Sequence[str]) -> Completed:
    if list(words) not in (["restart", "bgp"], ["restart", "bgp.service"]):
        return Completed(code=1, err="systemctl: only `restart bgp` is there\n")
    restart_routing(node.switch)  # appends the two fpm lines where they are missing
    restart_frr(node)
    return Completed()


def restart_frr(node: Node) -> None:
    """Stop FRR and start it from its files, as the bgp container does."""
    node.run("lab-frr", "restart", "unified" if unified(node) else "none")


def status(nodes: Mapping[str, Node]) -> Mapping[str, Sequence[str]]:
    """Switch → daemons that run."""
    return {name: running(node) for name, node in nodes.items()}


def running(node: Node) -> Sequence[str]:
    """Which of FRR's daemons have a process."""
    return [daemon for daemon in ("zebra", "staticd", "bgpd", "bfdd") if (node.root / f"run/frr/{daemon}.vty").exists()]
