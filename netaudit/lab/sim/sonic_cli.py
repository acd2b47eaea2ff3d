"""SONiC's `config` commands: what they do to the databases, what they print and how they exit (sonic.md 10)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from netaudit.diag import Invalid
from netaudit.lab.sim import files, gcu, vlans
from netaudit.lab.sim.database import config_text, copy_of, merged, read_config
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.files import NoSuchFile
from netaudit.lab.sim.frr_show import Completed
from netaudit.lab.sim.gcu import GcuRefused, Update
from netaudit.lab.sim.switch import CONFIG_FILE, Switch, restart

_CHECKPOINTS: Final = "etc/sonic/checkpoints"
_SUFFIX: Final = ".cp.json"
_NAME: Final = re.compile(r"[\w.-]+")
_SAVED: Final = "/etc/sonic/config_db.json"

Command = Callable[[Fabric, Switch, Sequence[str]], Completed]


def config(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config` with its arguments."""
    command = _COMMANDS.get(arguments[0]) if arguments else None
    if command is None:
        word = arguments[0] if arguments else ""
        return _usage("config [OPTIONS] COMMAND [ARGS]...", f'No such command "{word}".')
    return command(fabric, switch, arguments[1:])


def _usage(form: str, error: str) -> Completed:
    """How click ends a command that fails: exit code 2."""
    return Completed(code=2, err=f'Usage: {form}\nTry "{form.split(" [")[0]} -h" for help.\n\nError: {error}\n')


def _failed(command: str, what: str, error: str) -> Completed:
    """How GCU's commands fail: what failed, then click's usage and error."""
    usage = _usage(f"config {command} [OPTIONS]", error)
    return Completed(code=usage.code, err=f"Failed to {what} due to: {error}\n{usage.err}")


def _one(arguments: Sequence[str], flags: frozenset[str]) -> tuple[str | None, frozenset[str]]:
    """(the one argument that is no option, the options given); `None` unless there is exactly one and all are known."""
    words = [one for one in arguments if not one.startswith("-")]
    given = frozenset(one for one in arguments if one.startswith("-"))
    return (words[0] if len(words) == 1 and given <= flags else None), given


_DRY_RUN: Final = frozenset({"-d", "--dry-run"})


def _apply_patch(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config apply-patch [-d] FILE`."""
    name, given = _one(arguments, _DRY_RUN | {"-v", "--verbose"})
    if name is None:
        return _usage("config apply-patch [OPTIONS] PATCH_FILE_PATH", 'Missing argument "PATCH_FILE_PATH".')
    try:
        update = gcu.apply_patch(switch.config, _json_file(switch, name))
    except (GcuRefused, NoSuchFile, ValueError) as error:
        return _failed("apply-patch", "apply patch", str(error))
    return _take(fabric, switch, update, given, "Patch applied successfully.")


def _replace(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config replace [-d] FILE`."""
    name, given = _one(arguments, _DRY_RUN | {"-v", "--verbose"})
    if name is None:
        return _usage("config replace [OPTIONS] TARGET_FILE_PATH", 'Missing argument "TARGET_FILE_PATH".')
    try:
        update = gcu.replace(switch.config, _json_file(switch, name))
    except (GcuRefused, NoSuchFile, ValueError) as error:
        return _failed("replace", "replace config", str(error))
    return _take(fabric, switch, update, given, "Config replaced successfully.")


def _json_file(switch: Switch, name: str) -> object:
    """A file of the box as JSON."""
    return json.loads(files.read_bytes(switch.folder, name).decode("utf-8"))


def _take(fabric: Fabric, switch: Switch, update: Update, given: frozenset[str], success: str) -> Completed:
    """Put an update in force, unless it is a dry run."""
    if given & _DRY_RUN:
        return Completed(out=f"** DRY RUN EXECUTION **\n{success}\n")
    take(fabric, switch, update)
    return Completed(out=f"{success}\n")


def take(fabric: Fabric, switch: Switch, update: Update) -> None:
    """Put what GCU accepted in force."""
    switch.flaps.update(update.flaps)
    switch.take(update.config)
    fabric.changed()


def _checkpoint(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config checkpoint NAME`; an older one of that name is overwritten."""
    name, _ = _one(arguments, frozenset({"-v", "--verbose"}))
    if name is None or not _NAME.fullmatch(name):
        return _usage("config checkpoint [OPTIONS] CHECKPOINT_NAME", 'Missing argument "CHECKPOINT_NAME".')
    files.write_bytes(switch.folder / _CHECKPOINTS / f"{name}{_SUFFIX}", config_text(switch.config).encode())
    return Completed(out="Checkpoint created successfully.\n")


def _checkpoint_text(switch: Switch, name: str | None) -> str | None:
    """What a checkpoint holds."""
    path = switch.folder / _CHECKPOINTS / f"{name}{_SUFFIX}"
    return path.read_text(encoding="utf-8") if name and _NAME.fullmatch(name) and path.is_file() else None


def _rollback(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config rollback NAME`: a replace, with all that GCU refuses."""
    name, given = _one(arguments, _DRY_RUN | {"-v", "--verbose"})
    text = _checkpoint_text(switch, name)
    if text is None:
        return _failed("rollback", "rollback config", f"Checkpoint '{name}' does not exist")
    try:
        update = gcu.replace(switch.config, json.loads(text))
    except (GcuRefused, ValueError) as error:
        return _failed("rollback", "rollback config", str(error))
    return _take(fabric, switch, update, given, "Config rolled back successfully.")


def _delete_checkpoint(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config delete-checkpoint NAME`."""
    name, _ = _one(arguments, frozenset({"-v", "--verbose"}))
    if _checkpoint_text(switch, name) is None:
        return _failed("delete-checkpoint", "delete config checkpoint", f"Checkpoint '{name}' does not exist")
    (switch.folder / _CHECKPOINTS / f"{name}{_SUFFIX}").unlink()
    return Completed(out="Checkpoint deleted successfully.\n")


def _list_checkpoints(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config list-checkpoints`."""
    names = sorted(path.name.removesuffix(_SUFFIX) for path in (switch.folder / _CHECKPOINTS).glob(f"*{_SUFFIX}"))
    return Completed(out=json.dumps(names, indent=4) + "\n")


def _reload(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config reload -y [-f] [FILE]`: the file takes the place of all that runs, and the services start anew."""
    given = {one for one in arguments if one.startswith("-")}
    name, *extra = [one for one in arguments if not one.startswith("-")] or [_SAVED]
    if extra or not given <= {"-y", "-f", "-n"}:
        return _usage("config reload [OPTIONS] [FILENAME]", "Got unexpected extra argument")
    if "-y" not in given:
        return Completed(
            code=1, err=f"Clear current config and reload config in config_db from {name}? [y/N]: Aborted!\n"
        )
    try:
        wanted = read_config(files.read_bytes(switch.folder, name).decode("utf-8"), name)
    except (NoSuchFile, Invalid, UnicodeDecodeError) as error:
        return Completed(code=1, err=f"{error}\nAborted!\n")
    if why := vlans.refused(wanted):
        return Completed(code=1, err=f"{name} fails YANG validation! Error: {why}\nAborted!\n")
    restart(switch, wanted)
    fabric.forget_peers(switch.name)
    fabric.changed()
    return Completed(
        out="Acquired lock on /etc/sonic/reload.lock\nStopping SONiC target ...\n"
        f"Running command: /usr/local/bin/sonic-cfggen -j /etc/sonic/init_cfg.json -j {name} --write-to-db\n"
        "Restarting SONiC target ...\nReleased lock on /etc/sonic/reload.lock\n"
    )


def _load(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config load -y [FILE]`: merged in at once; nothing is checked, nothing is deleted."""
    words = [one for one in arguments if not one.startswith("-")] or [_SAVED]
    if "-y" not in arguments:
        return Completed(code=1, err=f"Load config in file(s) {words[0]} ? [y/N]: Aborted!\n")
    try:
        more = read_config(files.read_bytes(switch.folder, words[0]).decode("utf-8"), words[0])
    except NoSuchFile:
        return Completed(out=f"The config_db file {words[0]} doesn't exist\n")
    except (Invalid, UnicodeDecodeError) as error:
        return Completed(code=1, err=f"{error}\n")
    switch.take(merged(switch.config, more))
    fabric.changed()
    return Completed(out=f"Running command: /usr/local/bin/sonic-cfggen -j {words[0]} --write-to-db\n")


def save(switch: Switch) -> None:
    """CONFIG_DB → the file that the next boot reads."""
    files.write_bytes(switch.folder / CONFIG_FILE, config_text(copy_of(switch.config)).encode())


def _save(fabric: Fabric, switch: Switch, arguments: Sequence[str]) -> Completed:
    """`config save -y`."""
    if "-y" not in arguments:
        return Completed(code=1, err="Existing files will be overwritten, continue? [y/N]: Aborted!\n")
    save(switch)
    return Completed(out=f"Running command: /usr/local/bin/sonic-cfggen -d --print-data > {_SAVED}\n")


_COMMANDS: Final[Mapping[str, Command]] = {
    "apply-patch": _apply_patch,
    "replace": _replace,
    "checkpoint": _checkpoint,
    "rollback": _rollback,
    "delete-checkpoint": _delete_checkpoint,
    "list-checkpoints": _list_checkpoints,
    "reload": _reload,
    "load": _load,
    "save": _save,
}
