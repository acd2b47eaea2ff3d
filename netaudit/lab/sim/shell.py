"""The commands of the box's shell that the simulator knows. There is no shell: no pipes, no variables, no globs."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from netaudit.lab.sim import files, sonic_cli, vtysh
from netaudit.lab.sim.database import config_text
from netaudit.lab.sim.fabric import Fabric, hostname
from netaudit.lab.sim.files import NoSuchFile
from netaudit.lab.sim.switch import Switch, restart_routing
from netaudit.lab.sim.vtysh import Completed

_META: Final = re.compile(r"[;|&><`$\n]")
_QUOTED: Final = re.compile(r"'[^']*'")
_RELOAD: Final = frozenset({"frr-reload.py", "/usr/lib/frr/frr-reload.py"})

Command = Callable[[Fabric, Switch, Sequence[str]], Completed]


def run(fabric: Fabric, switch: Switch, line: str) -> Completed:
    """What a command line prints, and how it ends."""
    if _META.search(_QUOTED.sub("", line)):
        return Completed(code=2, err="-bash: the simulator has no shell: ; | & > < ` $ are refused\n")
    try:
        words = shlex.split(line)
    except ValueError as error:
        return Completed(code=2, err=f"-bash: syntax error: {error}\n")
    while words and words[0] in ("sudo", "-n"):
        words = words[1:]
    name = words[0].removeprefix("/usr/local/bin/").removeprefix("/usr/bin/") if words else ""
    command = _COMMANDS.get(name)
    if command is None:
        return Completed(code=127, err=f"-bash: {name}: command not found\n")
    try:
        return command(fabric, switch, words[1:])
    except NoSuchFile as error:
        return Completed(code=1, err=f"{name}: {error}\n")
    except OSError as error:
        return Completed(code=1, err=f"{name}: {error.strerror}\n")


def _plain(arguments: Sequence[str], options: str = "") -> tuple[str, ...]:
    """The arguments that are no options; `options` may be given, others are an error of usage."""
    words = tuple(one for one in arguments if not one.startswith("-"))
    unknown = [one for one in arguments if one.startswith("-") and not set(one[1:]) <= set(options)]
    if unknown:
        raise NoSuchFile(f"invalid option -- '{unknown[0]}'")
    return words


def _cat(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`cat FILE...`"""
    out, err = b"", ""
    for name in _plain(arguments):
        try:
            out += files.read_bytes(switch.folder, name)
        except NoSuchFile as error:
            err += f"cat: {name}: {error}\n"
    return Completed(code=1 if err else 0, out=out, err=err)


def _copy(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`cp A B`; B may be a folder."""
    return _transfer(switch, arguments, "cp")


def _move(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`mv A B`."""
    return _transfer(switch, arguments, "mv")


def _transfer(switch: Switch, arguments: Sequence[str], command: str) -> Completed:
    """Copy or move one file."""
    words = _plain(arguments, "fpa")
    if len(words) != 2:
        return Completed(code=1, err=f"{command}: two files are wanted\n")
    try:
        content = files.read_bytes(switch.folder, words[0])
    except NoSuchFile as error:
        return Completed(code=1, err=f"{command}: cannot stat '{words[0]}': {error}\n")
    target = files.inside(switch.folder, words[1])
    source = files.inside(switch.folder, words[0])
    target = target / source.name if target.is_dir() else target
    if not target.parent.is_dir():
        return Completed(code=1, err=f"{command}: cannot create '{words[1]}': No such file or directory\n")
    if command == "mv":
        source.replace(target)
    else:
        files.write_bytes(target, content)
    return Completed()


def _remove(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`rm [-f] FILE...`; folders need `-r`."""
    err = ""
    for name in _plain(arguments, "rf"):
        path = files.inside(switch.folder, name)
        if path.is_dir() and path != switch.folder and any("r" in one for one in arguments if one.startswith("-")):
            shutil.rmtree(path)
        elif path.is_dir():
            err += f"rm: cannot remove '{name}': Is a directory\n"
        elif path.exists():
            path.unlink()
        elif not any("f" in one for one in arguments if one.startswith("-")):
            err += f"rm: cannot remove '{name}': No such file or directory\n"
    return Completed(code=1 if err else 0, err=err)


def _mkdir(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`mkdir -p DIR...`"""
    for name in _plain(arguments, "p"):
        files.inside(switch.folder, name).mkdir(parents=True, exist_ok=True)
    return Completed()


def _test(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`test -e FILE`, also -f and -d."""
    if len(arguments) != 2 or arguments[0] not in ("-e", "-f", "-d"):
        return Completed(code=2, err="test: only -e, -f and -d are simulated\n")
    path = files.inside(switch.folder, arguments[1])
    there = {"-e": path.exists(), "-f": path.is_file(), "-d": path.is_dir()}[arguments[0]]
    return Completed(code=0 if there else 1)


def _sha256sum(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`sha256sum FILE...`"""
    out, err = "", ""
    for name in _plain(arguments):
        try:
            out += f"{hashlib.sha256(files.read_bytes(switch.folder, name)).hexdigest()}  {name}\n"
        except NoSuchFile as error:
            err += f"sha256sum: {name}: {error}\n"
    return Completed(code=1 if err else 0, out=out, err=err)


def _show(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`show version`, and `show runningconfiguration all` as CONFIG_DB."""
    if list(arguments) == ["version"]:
        return Completed(
            out="\nSONiC Software Version: SONiC.202411.1-simulated\nSONiC OS Version: 12\nDistribution: Debian 12.8\n"
            f"Platform: {switch.eeprom.platform}\nHwSKU: {switch.eeprom.hwsku}\nSerial Number: {switch.eeprom.serial}\n"
        )
    if list(arguments) == ["runningconfiguration", "all"]:
        return Completed(out=config_text(switch.config))
    return Completed(code=2, err=f'Error: No such command "{" ".join(arguments)}".\n')


def _docker(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`docker exec bgp COMMAND`, for vtysh and frr-reload.py."""
    words = [one for one in arguments if one not in ("-i", "-t", "-it")]
    if words[:2] != ["exec", "bgp"] or len(words) < 3:
        return Completed(code=1, err="docker: only `docker exec bgp COMMAND` is simulated\n")
    if words[2] in _RELOAD:
        return vtysh.frr_reload(fabric, switch, words[3:])
    if words[2] == "vtysh":
        return vtysh.vtysh(fabric, switch, words[3:])
    return Completed(code=127, err=f"OCI runtime exec failed: exec: {words[2]!r}: executable file not found in $PATH\n")


def _systemctl(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`systemctl restart bgp`: routing starts anew from its files."""
    if list(arguments) not in (["restart", "bgp"], ["restart", "bgp.service"]):
        return Completed(code=1, err="systemctl: only `restart bgp` is simulated\n")
    restart_routing(switch)
    fabric.forget_peers(switch.name)
    fabric.changed()
    return Completed()


def _hostname(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`hostname`."""
    return Completed(out=f"{hostname(switch)}\n")


_COMMANDS: Final[Mapping[str, Command]] = {
    "cat": _cat,
    "config": sonic_cli.config,
    "cp": _copy,
    "docker": _docker,
    "frr-reload.py": vtysh.frr_reload,
    "/usr/lib/frr/frr-reload.py": vtysh.frr_reload,
    "hostname": _hostname,
    "mkdir": _mkdir,
    "mv": _move,
    "rm": _remove,
    "sha256sum": _sha256sum,
    "show": _show,
    "systemctl": _systemctl,
    "test": _test,
    "vtysh": vtysh.vtysh,
}
