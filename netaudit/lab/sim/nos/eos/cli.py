"""The command line of a login: exec commands, configuration mode, configuration sessions, files on the flash."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from netaudit.lab.sim.cli_server import Ran
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.eos.config import Editor, Tree, clean, load
from netaudit.lab.sim.nos.eos.device import FLASH, MOST_SESSIONS, Eos, Session
from netaudit.lab.sim.nos.eos.show import shown

_NAME: Final = r"[\w.-]{1,80}"
_CONFIGURE: Final = re.compile(r"conf(?:igure)?(?: t(?:erminal)?)?")
_FILE: Final = rf"(?:flash:/?)({_NAME})"


class Refused(Exception):
    """What the CLI complains of, without the `%` that it puts before it."""


class EosCli:
    """One login. It starts as SSH does for a user of privilege 15: at `#`."""

    def __init__(self, fabric: Fabric, switch: Eos, *, enabled: bool = True) -> None:
        self.fabric, self.switch = fabric, switch
        self._enabled = enabled
        self._editor: Editor | None = None
        self._session = ""
        """The configuration session that is edited; empty: what is typed is in force at once."""

    def prompt(self) -> str:
        """`leaf1#`, `leaf1(config-if)#`, `leaf1(config-s-napalm)#`."""
        if self._editor is None:
            return f"{self.switch.hostname()}{'#' if self._enabled else '>'}"
        word = self._editor.word
        if self._session:
            word = word.replace("config", f"config-s-{self._session[:6]}", 1)
        return f"{self.switch.hostname()}({word})#"

    def run(self, line: str) -> Ran:
        """What a line does; an exec request may have several. The first that is refused ends it, with code 1."""
        out = ""
        for part in line.split("\n"):
            if part.strip() == "exit" and self._editor is None:
                return Ran(out=out, ends=True)
            try:
                out += self.execute(part)[0]
            except Refused as refused:
                return Ran(out=f"{out}% {refused}\n", code=1)
        return Ran(out=out)

    def execute(self, line: str, *, as_data: bool = False) -> tuple[str, Mapping[str, object] | None]:
        """(words, data) of one line. Raises `Refused`."""
        command, *filters = (part.strip() for part in line.split(" | "))
        if command.startswith("show "):
            return self._show(command, filters, as_data)
        if self._editor is not None:
            return self._configure(command), {}
        if not command or command.startswith("!"):
            return "", {}
        if command in ("enable", "disable"):
            self._enabled = command == "enable"
            return "", {}
        for pattern, do in _COMMANDS.items():
            if found := re.fullmatch(pattern, command):
                if not self._enabled and not pattern.startswith("terminal"):
                    raise Refused("Invalid input (privileged mode required)")
                return do(self, *found.groups()), {}
        raise Refused(f"Invalid input (at token 0: '{command.split()[0]}')")

    def _show(self, command: str, filters: list[str], as_data: bool) -> tuple[str, Mapping[str, object] | None]:
        found = shown(self.fabric, self.switch, command)
        if found is None:
            raise Refused(f"Invalid input (at token {min(1, len(command.split()) - 1)}: '{command.split()[-1]}')")
        if not self._enabled and "-config" in command:
            raise Refused("Invalid input (privileged mode required)")
        if found.complaint:
            raise Refused(found.complaint)
        if filters == ["json"]:
            if found.data is None:
                raise Refused("This is an unconverted command")
            return json.dumps(found.data, indent=4) + "\n", found.data
        return found.words, found.data

    def _configure(self, line: str) -> str:
        """A line in configuration mode: in force as soon as it is taken, unless it is of a session."""
        editor = self._editor
        if editor is None or line in ("end", "\x1a") or (line == "exit" and len(editor.places) == 1):
            self._editor, self._session = None, ""
            return ""
        if self._session and line in ("commit", "abort"):
            name, self._editor, self._session = self._session, None, ""
            return self._ended(name, line)
        if self._session and line == "rollback clean-config":
            editor.tree, editor.places = clean(self.switch.cages), editor.places[:1]
        elif complaint := editor.run(line):
            raise Refused(complaint)
        if self._session:
            self.switch.sessions[self._session].tree = editor.tree
        else:
            self._put(editor.tree)
        return ""

    def _put(self, tree: Tree) -> None:
        if tree is not self.switch.tree:
            self.switch.tree = tree
            self.fabric.changed()

    def _enter(self, name: str = "") -> str:
        """`configure session NAME`, or `configure` alone."""
        switch = self.switch
        if name and name not in switch.sessions:
            if sum(one.state == "pending" for one in switch.sessions.values()) >= MOST_SESSIONS:
                raise Refused("Maximum number of pending sessions has been reached. Please commit or abort one")
            switch.sessions[name] = Session(tree=switch.tree)
        if name and switch.sessions[name].state != "pending":
            raise Refused(f"Cannot enter session {name}: it is {switch.sessions[name].state}")
        tree = switch.sessions[name].tree if name else switch.tree
        self._editor, self._session = Editor(tree=tree, cages=switch.cages), name
        return ""

    def _ended(self, name: str, how: str) -> str:
        timer = re.fullmatch(r"commit timer (\d+):(\d+):(\d+)", how)
        if how == "abort":
            complaint = self.switch.abort(name, self.fabric.changed)
        else:
            units = zip(timer.groups(), (3600, 60, 1), strict=True) if timer else ()
            seconds = sum(int(number) * unit for number, unit in units) if timer else None
            complaint = self.switch.commit(name, seconds, self.fabric.changed)
        if complaint:
            raise Refused(complaint)
        return ""

    def _flash(self, name: str) -> Path:
        return self.switch.folder / FLASH / name

    def _write(self) -> str:
        self.switch.startup.write_text(self.switch.running(), encoding="utf-8")
        return "Copy completed successfully.\n"

    def _copy(self, source: str, target: str) -> str:
        """`copy running-config flash:x` and all of its kind."""
        if source == "running-config" and target == "startup-config":
            return self._write()
        path, origin = (
            self.switch.startup if one == "startup-config" else self._flash(one.partition(":")[2].lstrip("/"))
            for one in (target, source)
        )
        if source == "running-config":
            path.write_text(self.switch.running(), encoding="utf-8")
            return "Copy completed successfully.\n"
        if not origin.is_file():
            raise Refused(f"Error copying {source} to {target} (No such file or directory)")
        shutil.copyfile(origin, path)
        return "Copy completed successfully.\n"

    def _replace(self, name: str) -> str:
        """`configure replace flash:x`."""
        path = self._flash(name)
        if not path.is_file():
            raise Refused(f"Error: flash:{name} (No such file or directory)")
        tree, complaints = load(path.read_text(encoding="utf-8"), self.switch.cages)
        if complaints:
            raise Refused(complaints[0])
        self._put(tree)
        return ""

    def _delete(self, name: str) -> str:
        path = self._flash(name)
        if not path.is_file():
            raise Refused(f"Error deleting flash:/{name} (No such file or directory)")
        path.unlink()
        return ""

    def _dir(self) -> str:
        files = sorted(self._flash(".").iterdir())
        return "Directory of flash:/\n\n" + "".join(f"       -rw-  {f.stat().st_size:>10}  {f.name}\n" for f in files)


_SOURCE: Final = rf"(running-config|startup-config|flash:/?{_NAME})"
_COMMANDS: Final[Mapping[str, Callable[..., str]]] = {
    r"terminal width \d+": lambda cli: "Width set to 511 columns.\n",
    r"terminal length \d+": lambda cli: "Pagination disabled.\n",
    _CONFIGURE.pattern: EosCli._enter,
    rf"configure session ({_NAME})": EosCli._enter,
    rf"configure session ({_NAME}) (commit timer \d\d:\d\d:\d\d|commit|abort)": EosCli._ended,
    rf"configure replace {_FILE}": EosCli._replace,
    r"write(?: memory)?|wr(?: mem)?": EosCli._write,
    rf"copy {_SOURCE} {_SOURCE}": EosCli._copy,
    rf"delete {_FILE}": EosCli._delete,
    r"dir(?: flash:/?)?": EosCli._dir,
}
