"""The shell of a box: `nv …`, `vtysh -c …`, lldpctl, and commands on files. There is no shell: no pipes, no globs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from netaudit.lab.sim import files, frr_show, unix
from netaudit.lab.sim.cli_server import Ran
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.frr_show import Completed
from netaudit.lab.sim.nos.nvue import document, revisions, shows
from netaudit.lab.sim.nos.nvue.box import Nvue
from netaudit.lab.sim.nos.nvue.check import placed
from netaudit.lab.sim.nos.nvue.document import Tree
from netaudit.lab.sim.nos.nvue.facts import part
from netaudit.lab.sim.nos.nvue.revisions import Refusal

_OPTIONS: Final = {"-o": "output", "--output": "output", "--rev": "rev", "-r": "rev", "-m": "message"}
"""Options with a value."""
_VIEWS: Final = ("applied", "pending", "startup", "operational")


class NvueCli:
    """One login."""

    def __init__(self, fabric: Fabric, box: Nvue, kept: dict[str, Tree]) -> None:
        self._fabric, self._box, self._kept = fabric, box, kept

    def prompt(self) -> str:
        """As bash prints it on a box whose management is in a VRF of its own."""
        return f"admin@{self._box.hostname()}:mgmt:~$ "

    def run(self, line: str) -> Ran:
        """What a command line prints, and how it ends; after `||` stands what is run where the first has failed."""
        first, _, other = line.partition(" || ")
        done = self._run(first)
        return self._run(other) if other and done.code else done

    def _run(self, line: str) -> Ran:
        words = unix.words_of(line)
        if isinstance(words, Completed):
            return _ran(words)
        if not words:
            return Ran()
        if words[0] in ("exit", "logout"):
            return Ran(ends=True)
        own, on_files = self._commands().get(words[0]), unix.COMMANDS.get(words[0])
        if own is not None:
            return _ran(unix.carried_out(words[0], lambda: own(words[1:])))
        if on_files is not None:
            return _ran(unix.carried_out(words[0], lambda: on_files(self._box.folder, words[1:])))
        return Ran(code=127, err=f"-bash: {words[0]}: command not found\n")

    def _commands(self) -> Mapping[str, Callable[[Sequence[str]], Completed]]:
        return {
            "nv": self._nv,
            "vtysh": self._vtysh,
            "lldpctl": self._lldpctl,
            "hostname": lambda _: Completed(out=f"{self._box.hostname()}\n"),
            "echo": lambda words: Completed(out=" ".join(words) + "\n"),
        }

    def _vtysh(self, arguments: Sequence[str]) -> Completed:
        """`vtysh -c COMMAND`: the answers of FRR; nothing is configured here, NVUE writes its configuration."""
        if len(arguments) != 2 or arguments[0] != "-c":
            return Completed(code=1, err="vtysh: only -c COMMAND is simulated\n")
        command = " ".join(arguments[1].split())
        if command.startswith(frr_show.OF_BGPD) and self._box.name in self._fabric.faults.stopped:
            return Completed(code=1, err=frr_show.NO_DAEMON)
        answers = frr_show.answers(self._fabric, self._box, command)
        if not answers:
            return Completed(code=1, out=f"% Unknown command: {command}\n")
        return Completed(out="".join(json.dumps(one, indent=2) + "\n" for one in answers))

    def _lldpctl(self, arguments: Sequence[str]) -> Completed:
        """`lldpctl -f json0`."""
        if list(arguments) != ["-f", "json0"]:
            return Completed(code=1, err="lldpctl: only -f json0 is simulated\n")
        return Completed(out=json.dumps(shows.lldpctl(self._fabric, self._box), indent=2) + "\n")

    def _nv(self, arguments: Sequence[str]) -> Completed:
        """`nv set`, `unset`, `show`, `config`."""
        words, options, flags = _parsed(arguments)
        try:
            match words:
                case ["set", *rest] if rest:
                    return Completed(out=self._set(rest))
                case ["unset", *rest] if rest:
                    return Completed(out=self._unset(rest))
                case ["show", *rest]:
                    return self._show(rest, options, flags)
                case ["config", verb, *rest]:
                    return self._config(verb, rest, options, flags)
        except Refusal as error:
            return Completed(code=1, err=f"Error: {error}\n")
        return Completed(code=1, err=f"Error: Invalid Command: {' '.join(['nv', *words])}\n")

    def _set(self, words: Sequence[str]) -> str:
        try:
            path, leaf = placed(words, self._box.modern)
        except ValueError as error:
            raise Refusal(f"Invalid Command: set {' '.join(words)}: {error}") from error
        return revisions.edit(self._box, document.merged(revisions.edited(self._box), document.at(path, leaf)))

    def _unset(self, words: Sequence[str]) -> str:
        gone = document.at(words, None)
        return revisions.edit(self._box, document.without(revisions.edited(self._box), gone))

    def _show(self, words: Sequence[str], options: Mapping[str, str], flags: frozenset[str]) -> Completed:
        """Live state, or with `--applied` and its like a part of a configuration."""
        view = next((one for one in _VIEWS if f"--{one}" in flags), options.get("rev", "operational"))
        if view == "operational":
            found = shows.operational(self._fabric, self._box, words)
            found = part(document.masked(self._box.applied), *words) if found is None else found
        else:
            found = part(document.masked(revisions.named(self._box, view, self._kept)), *words)
        return Completed(out=_formatted(found, options.get("output", "json")))

    def _config(self, verb: str, rest: Sequence[str], options: Mapping[str, str], flags: frozenset[str]) -> Completed:
        box = self._box
        match verb, list(rest):
            case "show", [] if "--expand" in flags and not box.ranges:
                raise Refusal("unrecognized arguments: --expand")
            case "show", []:
                tree = revisions.named(box, options.get("rev", "applied"), self._kept)
                return Completed(out=self._text(tree, options.get("output", "yaml"), "--expand" in flags))
            case "diff", names if len(names) <= 2:
                return Completed(out=self._diff(names, options.get("output", "yaml")))
            case (("patch" | "replace"), [name]):
                text = files.read_bytes(box.folder, name).decode("utf-8", errors="replace")
                return Completed(out=revisions.patch(box, text) if verb == "patch" else revisions.replace(box, text))
            case "apply", names if len(names) <= 1:
                return Completed(out=self._apply(names, flags, options))
            case "save", []:
                box.save()
                return Completed(out="saved\n")
            case "detach", []:
                if box.pending is not None:
                    revisions.remember(box, box.pending, self._kept)
                box.pending = None
                return Completed()
            case "history", []:
                rows = "".join(f"{number:<8}  admin  CLI\n" for number in self._kept)
                return Completed(out=f"Rev_Id    User   Type\n--------  -----  ----\n{rows}")
        raise Refusal(f"Invalid Command: config {' '.join([verb, *rest])}")

    def _text(self, tree: Tree, output: str, expand: bool) -> str:
        tree = document.masked(tree)
        if output == "commands":
            return "".join(f"{line}\n" for line in document.commands(tree))
        shown = tree if expand or not self._box.ranges else document.collapsed(tree)
        if output == "json":
            return json.dumps([{"header": self._box.header}, {"set": shown}], indent=2) + "\n"
        return self._box.text(tree, expand=expand)

    def _diff(self, names: Sequence[str], output: str) -> str:
        old, new = [*names, *("applied", "pending")[len(names) :]][:2]
        more, gone = document.difference(
            revisions.named(self._box, old, self._kept), revisions.named(self._box, new, self._kept)
        )
        more, gone = document.masked(more), document.masked(gone)
        if output == "commands":
            lines = (*document.commands(gone, "unset"), *document.commands(more))
            return "".join(f"{line}\n" for line in lines)
        entries = [(verb, tree) for verb, tree in (("unset", gone), ("set", more)) if tree]
        if output == "json":
            return json.dumps([{verb: tree} for verb, tree in entries], indent=2) + "\n"
        return document.written(entries) if entries else ""

    def _apply(self, names: Sequence[str], flags: frozenset[str], options: Mapping[str, str]) -> str:
        if "--confirm-status" in flags:
            left = revisions.left_s(self._box)
            return "No pending config apply confirm\n" if left is None else f"{left:.0f} seconds left\n"
        if "--confirm-yes" in flags or "--confirm-no" in flags:
            kept = "--confirm-yes" in flags
            done = revisions.confirm(self._box) if kept else revisions.end_trial(self._fabric, self._box)
            if not done:
                raise Refusal("There is no config apply to confirm")
            return "confirmed\n" if kept else "rolled back\n"
        if "--assume-no" in flags:
            return "aborted\n"
        confirm_s = None
        if "--confirm" in flags:
            given = options.get("confirm", "")
            confirm_s = revisions.seconds(given) if given else revisions.DEFAULT_CONFIRM_S
        tree = revisions.named(self._box, names[0], self._kept) if names else None
        return revisions.apply(self._fabric, self._box, tree, confirm_s, self._kept)


def _ran(done: Completed) -> Ran:
    return Ran(out=done.out, err=done.err, code=done.code)


def _parsed(arguments: Sequence[str]) -> tuple[list[str], dict[str, str], frozenset[str]]:
    """Words, options with values and flags, wherever they stand; `--confirm` may have a time after it."""
    words: list[str] = []
    options: dict[str, str] = {}
    flags: set[str] = set()
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        name, equals, given = word.partition("=")
        if name in _OPTIONS and (equals or waiting):
            options[_OPTIONS[name]] = given if equals else waiting.pop(0)
        elif name == "--confirm":
            flags.add(name)
            if equals or (waiting and re.fullmatch(r"\d+[smh]?", waiting[0])):
                options["confirm"] = given if equals else waiting.pop(0)
        elif word.startswith("-") and word not in ("-",):
            flags.add(word)
        else:
            words.append(word)
    return words, options, frozenset(flags)


def _formatted(data: object, output: str) -> str:
    if output == "yaml" and isinstance(data, Mapping):
        return document.written([("set", data)]) if data else "{}\n"
    return json.dumps(data, indent=2) + "\n"
