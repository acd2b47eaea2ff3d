"""A command line over SSH: commands with exit codes, and a shell with prompts that netmiko and people can use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar

import asyncssh

from netaudit.lab.sim import ssh_server
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Keys
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.ssh_server import Opened, Process

D = TypeVar("D", bound=Device)
_INTERRUPT, _END, _KILL, _SUSPEND = b"\x03", b"\x04", b"\x15", b"\x1a"
_ERASE: Final = (b"\x08", b"\x7f")
_LONGEST: Final = 1 << 20
"""Bytes of a line; more are thrown away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a line ended."""

    out: str | bytes = ""
    err: str = ""
    code: int = 0
    ends: bool = False
    """The session is over: `exit`, `quit`."""


class Cli(Protocol):
    """The command line of one login. It keeps the mode it is in from line to line."""

    def prompt(self) -> str:
        """What it prints before it reads a line: `leaf1(config)# `, or a question."""

    def run(self, line: str) -> Ran:
        """What a line does. Also of an exec request, as the first and last line of a login of its own."""


def door(
    fabric: Fabric,
    device: D,
    cli: Callable[[D], Cli],
    folder: Path | None = None,
    subsystems: Mapping[str, Callable[[D, Process], Awaitable[None]]] | None = None,
) -> Callable[[Keys, int], Awaitable[Opened]]:
    """A door: each session gets a new command line, SFTP and SCP work below `folder`, subsystems (netconf) as given."""

    async def handle(process: Process) -> None:
        answering = fabric.answers_for(device)
        subsystem = process.subsystem
        if subsystem is not None:
            serve = (subsystems or {}).get(subsystem)
            if serve is None:
                process.exit(1)
            else:
                await serve(answering, process)
            return
        if process.command is None:
            await _converse(fabric, device, cli(answering), process)
            return
        await fabric.pause(device.name)
        done = cli(answering).run(process.command)
        process.stdout.write(_bytes(done.out))
        process.stderr.write(done.err.encode())
        await process.stdout.drain()
        process.exit(done.code)

    async def opened(keys: Keys, port: int) -> Opened:
        return await ssh_server.listen(handle, folder, keys, port)

    return opened


def _bytes(out: str | bytes) -> bytes:
    return out if isinstance(out, bytes) else out.encode()


async def _converse(fabric: Fabric, device: Device, cli: Cli, process: Process) -> None:
    """A shell: what is typed is echoed, a line at a time is run."""
    line, code, after_return = b"", 0, False
    process.stdout.write(cli.prompt().encode())
    while True:
        try:
            typed = await process.stdin.read(4096)
        except (asyncssh.TerminalSizeChanged, asyncssh.BreakReceived, asyncssh.SignalReceived):
            continue
        if not typed:
            break
        for letter in (typed[at : at + 1] for at in range(len(typed))):
            if letter == b"\n" and after_return:
                after_return = False
                continue
            after_return = letter == b"\r"
            if letter in b"\r\n":
                process.stdout.write(b"\r\n")
                await fabric.pause(device.name)
                done = cli.run(line.decode(errors="replace"))
                line, code = b"", done.code
                process.stdout.write(_shown(done))
                if done.ends:
                    process.exit(code)
                    return
                process.stdout.write(cli.prompt().encode())
            elif letter == _END and not line:
                process.exit(code)
                return
            else:
                line = _edited(cli, line, letter, process)
        await process.stdout.drain()
    process.exit(code)


def _edited(cli: Cli, line: bytes, letter: bytes, process: Process) -> bytes:
    """The line after one more letter, which is echoed as a terminal would see it."""
    if letter == _INTERRUPT:
        process.stdout.write(b"^C\r\n" + cli.prompt().encode())
        return b""
    if letter in _ERASE:
        process.stdout.write(b"\b \b" if line else b"")
        return line[:-1]
    if letter == _KILL:
        process.stdout.write(b"\b \b" * len(line))
        return b""
    if letter < b" " or len(line) >= _LONGEST:  # tab and escape complete and move nothing here
        return line
    process.stdout.write(letter)
    return line + letter


def _shown(done: Ran) -> bytes:
    """The output as a terminal gets it: lines end in CR LF, and the last one ends."""
    out = _bytes(done.out) + done.err.encode()
    if out and not out.endswith(b"\n"):
        out += b"\n"
    return out.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
