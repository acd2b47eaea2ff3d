"""The command line of a login: exec commands, configuration mode, checkpoints, files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from netaudit.lab.sim.cli_server import Ran
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nxos.config import INVALID, Editor, Tree, load
from netaudit.lab.sim.nos.nxos.device import FLASH, WHEN, Nexus
from netaudit.lab.sim.nos.nxos.patch import patch
from netaudit.lab.sim.nos.nxos.show import Shown, shown

CHECKPOINT_HEAD: Final = "!Command: Checkpoint cmd vdc 1\n"
"""The first line of a file that `rollback` takes; a text of `show running-config` has another."""
_COPIED: Final = f"[{'#' * 40}] 100%\nCopy complete, now saving to disk (please wait)...\nCopy complete.\n"
_USAGE: Final = " 6211682304 bytes used\n110314684416 bytes free\n116526366720 bytes total\n"
_CONFIGURE: Final = re.compile(r"conf(?:igure)?(?: t(?:erminal)?)?")
_NAME: Final = r"[\w.-]{1,80}"
_HOW: Final = "( atomic| best-effort| stop-at-first-failure)?"


class NxosCli:
    """One login."""

    def __init__(self, fabric: Fabric, switch: Nexus) -> None:
        self.fabric, self.switch = fabric, switch
        self._editor: Editor | None = None

    def prompt(self) -> str:
        """`leaf1# `, `leaf1(config-if)# `."""
        word = f"({self._editor.word})" if self._editor is not None else ""
        return f"{self.switch.hostname()}{word}# "

    def run(self, line: str) -> Ran:
        """What a line does; ` ; ` stands between several. Exit codes tell nothing: it is 0 whatever is refused."""
        out = ""
        for part in line.split(" ; "):
            ran = self._one(part.strip())
            out += str(ran.out)
            if ran.ends:
                return Ran(out=out, ends=True)
        return Ran(out=out)

    def shown(self, line: str) -> Shown | None:
        """What a `show` says, in words and as data, for NX-API; `None` for another command."""
        return self._show(line.partition(" | ")[0]) if line.startswith("show ") else None

    def _one(self, line: str) -> Ran:
        command, *filters = (part.strip() for part in line.split(" | "))
        if command.startswith(("show ", "sh ")):
            return Ran(out=_filtered(self._show(command), filters))
        if self._editor is not None:
            return self._configure(command)
        if not command or command.startswith("!"):
            return Ran()
        if command in ("exit", "quit", "logout"):
            return Ran(ends=True)
        if command == "end":
            return Ran()
        if _CONFIGURE.fullmatch(command):
            self._editor = Editor(tree=self.switch.tree, cages=self.switch.cages)
            return Ran(out="Enter configuration commands, one per line. End with CNTL/Z.\n")
        for pattern, do in _COMMANDS.items():
            if found := re.fullmatch(pattern, command):
                return Ran(out=do(self, *found.groups()))
        return Ran(out=INVALID)

    def _configure(self, line: str) -> Ran:
        """A line in configuration mode: in force as soon as it is taken."""
        editor = self._editor
        if editor is None or line in ("end", "\x1a"):
            self._editor = None
            return Ran()
        if line == "exit" and len(editor.places) == 1:
            self._editor = None
            return Ran()
        if line.startswith(("copy ", "checkpoint", "terminal ", "no terminal ", "rollback ", "delete ", "dir")):
            self._editor = None
            out = self._one(line).out
            self._editor = Editor(tree=self.switch.tree, cages=self.switch.cages)
            return Ran(out=out)
        if editor.tree is not self.switch.tree:
            editor.tree = self.switch.tree  # somebody else typed meanwhile
        out = editor.run(line)
        if editor.tree is not self.switch.tree:
            self.switch.put(editor.tree)
            self.fabric.changed()
        return Ran(out=out)

    def _show(self, command: str) -> Shown:
        words = command.split()
        files = {
            "checkpoint": self._checkpoints,
            "file": self._file,
            "diff": self._difference,
        }
        special: Callable[[list[str]], str] | None = files.get(words[1])
        return Shown(special(words[2:])) if special else shown(self.fabric, self.switch, words)

    def put(self, tree: Tree) -> None:
        """Put another configuration in force as a whole."""
        self.switch.put(tree)
        self.fabric.changed()

    def path(self, name: str) -> Path:
        """Where a file of the box lies; `bootflash:x`, `bootflash:/x` and `x` are the same."""
        plain = name.removeprefix(FLASH).lstrip("/").replace("..", "").replace("/", "_")
        return self.switch.folder / FLASH / (plain or ".")

    def checkpoint_text(self) -> str:
        """What a checkpoint holds."""
        return f"{CHECKPOINT_HEAD}!Time: {WHEN}\n\n{self.switch.running()}"

    def _checkpoints(self, words: list[str]) -> str:
        found = sorted((self.switch.folder / FLASH).glob(".checkpoint-*"))
        if words and words[0] != "summary":
            path = self.path(f".checkpoint-{words[0]}")
            return path.read_text(encoding="utf-8") if path.is_file() else "ERROR: No such checkpoint\n"
        rows = "".join(
            f"{number}) {path.name.removeprefix('.checkpoint-')}:\nCreated by admin\nCreated at {WHEN}\n"
            f"Size is {path.stat().st_size:,} bytes\nDescription: None\n\n"
            for number, path in enumerate(found, start=1)
        )
        return f"User Checkpoint Summary\n{'-' * 80}\n{rows}"

    def _file(self, words: list[str]) -> str:
        path = self.path(words[0]) if words else self.path("")
        if not path.is_file():
            return "No such file or directory\n"
        if "md5sum" in words:
            return hashlib.md5(path.read_bytes()).hexdigest() + "\n"  # what the device prints
        return path.read_text(encoding="utf-8", errors="replace")

    def _difference(self, words: list[str]) -> str:
        """`show diff rollback-patch file A file B`, also `running-config` and `checkpoint X`."""
        sides: list[Tree | None] = []
        rest = words[1:]
        while rest:
            kind, rest = rest[0], rest[1:]
            if kind == "running-config":
                sides.append(self.switch.tree)
            else:
                sides.append(self.stored(kind, rest[0]) if rest else None)
                rest = rest[1:]
        if len(sides) != 2 or None in sides:
            return "ERROR: No such file or checkpoint\n"
        lines = patch(sides[0] or {}, sides[1] or {})
        body = "\n".join(lines) if lines else "Rollback Patch is Empty"
        return f"Collecting Running-Config\n#Generating Rollback Patch\n{body}\n"

    def stored(self, kind: str, name: str) -> Tree | None:
        """The configuration of a checkpoint or of a checkpoint file; `None` where it is none."""
        path = self.path(f".checkpoint-{name}" if kind == "checkpoint" else name)
        if not path.is_file():
            return None
        content = path.read_text(encoding="utf-8", errors="replace")
        if not content.startswith(CHECKPOINT_HEAD):
            return None
        tree, refused = load(content, self.switch.cages)
        return None if refused else tree


def _filtered(out: Shown, filters: list[str]) -> str:
    """What is left of an output behind its pipes."""
    for one in filters:
        if one in ("json", "json-pretty", "json native"):
            if out.data is None:
                return out.text  # a refusal, or a note that there is nothing to show
            return json.dumps(out.data) + "\n" if out.data else ""
        kind, _, word = one.partition(" ")
        if kind in ("include", "inc", "i", "grep", "exclude"):
            wanted = kind != "exclude"
            lines = (line for line in out.text.splitlines() if (word.strip('"') in line) == wanted)
            out = Shown("".join(f"{line}\n" for line in lines))
        elif kind == "count":
            out = Shown(f"{len(out.text.splitlines())}\n")
    return out.text


def _checkpoint(cli: NxosCli, name: str) -> str:
    path = cli.path(f".checkpoint-{name}")
    if path.exists():
        return "ERROR: Checkpoint name already exists\n"
    path.write_text(cli.checkpoint_text(), encoding="utf-8")
    return ".Done\n"


def _checkpoint_file(cli: NxosCli, name: str) -> str:
    cli.path(name).write_text(cli.checkpoint_text(), encoding="utf-8")
    return ".Done\n"


def _no_checkpoint(cli: NxosCli, name: str) -> str:
    path = cli.path(f".checkpoint-{name}")
    if not path.is_file():
        return "ERROR: No such checkpoint\n"
    path.unlink()
    return ""


def _rollback(cli: NxosCli, kind: str, name: str, how: str | None) -> str:
    """Everything back to a checkpoint, in force and saved nowhere."""
    begin = "Note: Applying config parallelly may fail Rollback verification\nCollecting Running-Config\n"
    tree = cli.stored(kind, name)
    if tree is None:
        return f"{begin}ERROR: {name} is not a valid checkpoint\nRollback failed.\n"
    lines = patch(cli.switch.tree, tree)
    if not lines:
        return f"{begin}#Generating Rollback Patch\nRollback Patch is Empty\n\nRollback completed successfully.\n"
    cli.put(tree)
    return (
        f"{begin}#Generating Rollback Patch\nExecuting Rollback Patch\nGenerating Running-config for verification\n"
        "Generating Patch for verification\nVerification is Successful.\n\nRollback completed successfully.\n"
    )


def _save(cli: NxosCli) -> str:
    head = f"!Command: show startup-config\n!Time: {WHEN}\n!Startup config saved at: {WHEN}\n\n"
    cli.switch.startup.write_text(head + cli.switch.running(), encoding="utf-8")
    return _COPIED


def _copy(cli: NxosCli, source: str, target: str) -> str:
    """Files, and the two configurations. What is copied onto the running one is typed line by line."""
    switch = cli.switch
    if source in ("startup-config", "start"):
        content = switch.startup.read_text(encoding="utf-8")
    elif source in ("running-config", "run"):
        content = switch.running()
    elif cli.path(source).is_file():
        content = cli.path(source).read_text(encoding="utf-8", errors="replace")
    else:
        return f"No such file or directory ({source})\n"
    if target in ("startup-config", "start"):
        switch.startup.write_text(content, encoding="utf-8")
        return _COPIED
    if target in ("running-config", "run"):
        return "".join(_typed(cli, content))
    cli.path(target).write_text(content, encoding="utf-8")
    return "Copy complete.\n"


def _typed(cli: NxosCli, content: str) -> Iterator[str]:
    inner = NxosCli(cli.fabric, cli.switch)
    inner.run("configure terminal")
    for line in content.splitlines():
        if not line.startswith("version "):
            yield str(inner.run(line).out)
    yield "Copy complete.\n"


def _delete(cli: NxosCli, name: str) -> str:
    path = cli.path(name)
    if not path.is_file():
        return "No such file or directory\n"
    path.unlink()
    return ""


def _dir(cli: NxosCli, name: str | None) -> str:
    """The files of a folder, or one."""
    path = cli.path(name or "")
    there = sorted(path.iterdir()) if path.is_dir() else [path] if path.is_file() else None
    if there is None:
        return "No such file or directory\n"
    rows = "".join(
        f"{one.stat().st_size:>12}    {WHEN[4:]}  {one.name}\n" for one in there if not one.name.startswith(".")
    )
    return f"{rows}\nUsage for bootflash://sup-local\n{_USAGE}"


def _nothing(cli: NxosCli, *words: str | None) -> str:
    """A setting of the terminal."""
    return ""


_COMMANDS: Final[Mapping[str, Callable[..., str]]] = {
    rf"checkpoint file (?:bootflash:/*)?({_NAME})": _checkpoint_file,
    rf"checkpoint (?!file)({_NAME})": _checkpoint,
    rf"no checkpoint ({_NAME})": _no_checkpoint,
    rf"rollback running-config (checkpoint|file) (?:bootflash:/*)?({_NAME}){_HOW}": _rollback,
    r"copy (?:running-config|run|r) (?:startup-config|start|s)": _save,
    r"copy (\S+) (\S+)": _copy,
    r"delete (?:no-prompt )?(\S+)(?: no-prompt)?": _delete,
    r"dir(?: (\S+))?": _dir,
    r"(?:no )?terminal (.*)": _nothing,
    r"clear (?:counters|logging).*": _nothing,
}
