"""What vtysh and frr-reload.py answer, and what they change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from netaudit.lab.sim import files, frr_show, frr_text
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.files import NoSuchFile
from netaudit.lab.sim.frr_show import NO_DAEMON, OF_BGPD, Completed
from netaudit.lab.sim.switch import FRR_FILE, Switch

_VERSION: Final = "10.0.1-sonic"
_CONTAINER_FILES: Final = {"/etc/frr/": "/etc/sonic/frr/", "/etc/sonic/": "/etc/sonic/"}
"""Folder in the bgp container → the folder of the box that is mounted there. It sees no other file of the box."""


def vtysh(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`vtysh` with its arguments."""
    if len(arguments) == 3 and arguments[:2] == ["-C", "-f"]:
        return _check(switch, arguments[2])
    if len(arguments) == 2 and arguments[0] == "-f":
        return _load(fabric, switch, arguments[1])
    if arguments and len(arguments) % 2 == 0 and set(arguments[::2]) == {"-c"}:
        return _commands(fabric, switch, arguments[1::2])
    return Completed(code=1, err="vtysh: only -c COMMAND, -f FILE and -C -f FILE are simulated\n")


def _text_in_container(switch: Switch, name: str) -> str:
    """The text of a file as the bgp container sees it."""
    for seen, real in _CONTAINER_FILES.items():
        if name.startswith(seen):
            return files.read_bytes(switch.folder, real + name.removeprefix(seen)).decode("utf-8", errors="replace")
    raise NoSuchFile("No such file or directory")


def _check(switch: Switch, name: str) -> Completed:
    """Syntax only: a line that is well formed and makes no sense passes, as on the box."""
    try:
        text = _text_in_container(switch, name)
    except NoSuchFile as error:
        return Completed(code=1, err=f"Can't open configuration file {name} due to '{error}'.\n")
    _, problems = frr_text.load(text)
    unknown = [problem for problem in problems if not problem.semantic]
    return Completed(code=2 if unknown else 0, err="".join(f"{problem}\n" for problem in unknown))


def _load(fabric: Fabric, switch: Switch, name: str) -> Completed:
    """Add a file's lines to the running configuration; the good lines of a bad file too (lab.md 2)."""
    try:
        text = _text_in_container(switch, name)
    except NoSuchFile as error:
        return Completed(code=1, err=f"Can't open configuration file {name} due to '{error}'.\n")
    switch.frr, problems = frr_text.load(text, into=switch.frr)
    fabric.changed()
    code = 0 if not problems else 13 if problems[-1].semantic else 2
    return Completed(code=code, err="".join(f"{problem}\n" for problem in problems))


def _commands(fabric: Fabric, switch: Switch, commands: Sequence[str]) -> Completed:
    """The output of commands in a row; the first that is refused ends them."""
    printed = ""
    for at, command in enumerate(commands):
        words = " ".join(command.split())
        if words in ("configure terminal", "configure", "conf t"):
            return _configure(fabric, switch, commands[at + 1 :], printed)
        if words.startswith(OF_BGPD) and switch.name in fabric.faults.stopped:
            return Completed(code=1, out=printed, err=NO_DAEMON)
        answer = _show(fabric, switch, words)
        if answer is None:
            return Completed(code=1, out=f"{printed}% Unknown command: {words}\n")
        printed += answer
    return Completed(out=printed)


def _configure(fabric: Fabric, switch: Switch, lines: Sequence[str], printed: str) -> Completed:
    """Take lines into the running configuration."""
    switch.frr, problems = frr_text.load("\n".join(lines), into=switch.frr)
    fabric.changed()
    if problems:
        return Completed(code=1, out=f"{printed}% {problems[0].message}: {problems[0].text}\n")
    return Completed(out=printed)


def _show(fabric: Fabric, switch: Switch, command: str) -> str | None:
    """The answer to one command; `None` for an unknown one."""
    if command in ("show running-config", "write terminal"):
        head = "Building configuration...\n\nCurrent configuration:\n!\n"
        dead = switch.name in fabric.faults.stopped
        shown = {at: lines for at, lines in switch.frr.items() if not (dead and at and at[0].startswith("router bgp "))}
        return f"{head}frr version {_VERSION}\n{_running_text(switch, shown)}end\n"
    if command in ("write", "write memory", "write file", "copy running-config startup-config"):
        save(switch)
        return "Building Configuration...\nIntegrated configuration saved to /etc/frr/frr.conf\n[OK]\n"
    if command == "show version":
        return f"FRRouting {_VERSION} ({switch.hostname()}) on Linux.\n"
    answers = frr_show.answers(fabric, switch, command)
    texts = "strings" in fabric.answering(switch.name).numbers
    told = [frr_show.with_texts(answer) if texts else answer for answer in answers]
    return "".join(json.dumps(answer, indent=2) + "\n" for answer in told) or None


def _running_text(switch: Switch, shown: frr_text.FrrText) -> str:
    """The running configuration, with the host name that zebra takes from the box where none is written."""
    text = frr_text.printed(shown)
    if any(line.startswith("hostname ") for line in switch.frr[()]):
        return text
    head, _, rest = text.partition("\n")
    return f"{head}\nhostname {switch.hostname()}\n{rest}"


def save(switch: Switch) -> None:
    """Write the running configuration to frr.conf, as `write` does."""
    content = f"frr version {_VERSION}\n{_running_text(switch, switch.frr)}"
    files.write_bytes(switch.folder / FRR_FILE, content.encode())


def frr_reload(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`frr-reload.py --test FILE` and `--reload FILE`: make the running configuration equal to a file.

    A syntax error: rc 1, nothing done. Lines that FRR refuses: rc 1 on a reload, the others are in force (lab.md 2).
    """
    modes = [one for one in arguments if one in ("--test", "--reload")]
    names = [one for one in arguments if not one.startswith("-")]
    if len(modes) != 1 or len(names) != 1:
        return Completed(code=2, err="frr-reload.py: error: --test or --reload, and one file\n")
    try:
        text = _text_in_container(switch, names[0])
    except NoSuchFile as error:
        return Completed(code=1, err=f"Filename {names[0]} does not exist: {error}\n")
    wanted, problems = frr_text.load(text)
    syntax = [problem for problem in problems if not problem.semantic]
    if syntax:
        return Completed(code=1, err="".join(f"{problem}\n" for problem in syntax))
    if modes == ["--test"]:
        return Completed(out=_test_text(frr_text.printed(switch.frr), frr_text.printed(wanted)))
    switch.frr = wanted
    fabric.changed()
    if names[0] != "/etc/frr/frr.conf":
        save(switch)
    return Completed(code=1 if problems else 0, err="".join(f"{problem}\n" for problem in problems))


def _test_text(running: str, wanted: str) -> str:
    """What a reload would take out and put in."""
    old, new = running.splitlines(), wanted.splitlines()
    gone: list[str] = []
    come: list[str] = []
    for _, a, b, c, d in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if old[a:b] != new[c:d]:
            gone += old[a:b]
            come += new[c:d]
    return "\n".join(["Lines To Delete", "===============", *gone, "", "Lines To Add", "============", *come, ""])
