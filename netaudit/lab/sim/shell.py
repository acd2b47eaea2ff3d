"""The commands of the box's shell that the simulator knows. There is no shell: no pipes, no variables, no globs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from netaudit.lab.sim import sonic_cli, unix, vtysh
from netaudit.lab.sim.database import config_text
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.frr_show import Completed
from netaudit.lab.sim.switch import Switch, restart_routing

_RELOAD: Final = frozenset({"frr-reload.py", "/usr/lib/frr/frr-reload.py"})

Command = Callable[[Fabric, Switch, Sequence[str]], Completed]


def run(fabric: Fabric, switch: Switch, line: str) -> Completed:
    """What a command line prints, and how it ends."""
    words = unix.words_of(line)
    if isinstance(words, Completed):
        return words
    name = words[0] if words else ""
    command, on_files = _COMMANDS.get(name), unix.COMMANDS.get(name)
    if command is not None:
        return unix.carried_out(name, lambda: command(fabric, switch, words[1:]))
    if on_files is not None:
        return unix.carried_out(name, lambda: on_files(switch.folder, words[1:]))
    return Completed(code=127, err=f"-bash: {name}: command not found\n")


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
    return Completed(out=f"{switch.hostname()}\n")


_COMMANDS: Final[Mapping[str, Command]] = {
    "config": sonic_cli.config,
    "docker": _docker,
    "frr-reload.py": vtysh.frr_reload,
    "/usr/lib/frr/frr-reload.py": vtysh.frr_reload,
    "hostname": _hostname,
    "show": _show,
    "systemctl": _systemctl,
    "vtysh": vtysh.vtysh,
}
