"""The command line of Junos: operational mode, configuration mode, pipes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from netaudit.lab.sim import files
from netaudit.lab.sim.cli_server import Ran
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.junos import operations, reply, text
from netaudit.lab.sim.nos.junos.box import CONFIRM_MINUTES, JunosBox, Login
from netaudit.lab.sim.nos.junos.printed import printed
from netaudit.lab.sim.nos.junos.schema import Refusal
from netaudit.lab.sim.nos.junos.tree import Tree, set_words, words_of

_CHANGES: Final = ("set", "delete", "activate", "deactivate", "insert")
_SETTINGS: Final = {
    "screen-length": "Screen length set to {}",
    "screen-width": "Screen width set to {}",
    "complete-on-space": "Disabling complete-on-space",
}


class JunosCli:
    """One login."""

    def __init__(self, fabric: Fabric, box: JunosBox, user: str = "admin") -> None:
        self._fabric = fabric
        self._box = box
        self._login = Login(user=user, client="cli")
        self._editing = False
        self._at: list[str] = []
        """The hierarchy level of configuration mode."""
        self._asks = False
        """It waits for yes or no, whether to leave with changes that are not committed."""

    def prompt(self) -> str:
        """What stands before the next line."""
        if self._asks:
            return "Exit with uncommitted changes? [yes,no] (yes) "
        name = f"{self._login.user}@{self._box.hostname()}"
        if not self._editing:
            return f"{name}> "
        return f"\r\n[edit{''.join(' ' + word for word in self._at)}]\r\n{name}# "

    def run(self, line: str) -> Ran:
        """What a line does."""
        if self._asks:
            self._asks = False
            return Ran() if line.strip().lower().startswith("n") else self._left()
        try:
            return self._ran(line.strip())
        except Refusal as error:
            return Ran(out=_refused(error))

    def _ran(self, line: str) -> Ran:
        command, *pipes = _piped(line)
        words = command.split()
        if not words:
            return Ran()
        if words[0] in ("exit", "quit") and not self._editing:
            return Ran(ends=True)
        if self._editing:
            return self._configuring(command, words, pipes)
        if words[0] in ("configure", "edit"):
            return self._configure(words[1:])
        return Ran(out=self._shown(words, pipes))

    # ── operational mode ──

    def _shown(self, words: list[str], pipes: Sequence[str]) -> str:
        """The output of a command that only looks."""
        if words[:2] == ["set", "cli"] and len(words) > 2:
            return _SETTINGS.get(words[2], "").format(*words[3:4]) + "\n"
        if words[:2] == ["show", "configuration"]:
            return _filtered(self._configuration(self._box.active, words[2:], pipes), pipes)
        if words[:3] == ["show", "system", "rollback"]:
            return _filtered(self._rollback(words[3:], pipes), pipes)
        found = operations.command(self._fabric, self._box, words)
        if "display json" in pipes:
            return _filtered(reply.as_json(found), pipes)
        if "display xml" in pipes:
            junos = 'xmlns:junos="http://xml.juniper.net/junos/24.4R1/junos"'
            return _filtered(f"<rpc-reply {junos}>\n{reply.xml(found)}\n</rpc-reply>\n", pipes)
        return _filtered(printed(found), pipes)

    def _configuration(self, tree: Tree, path: Sequence[str], pipes: Sequence[str]) -> str:
        """A configuration, or what of it stands below a path, as braces, set lines or XML."""
        found = tree.get(*path) if path else tree
        if found is None:
            return ""
        if "display set" in pipes:
            return _lines(text.set_lines(found, " ".join(map(text.quoted, path))))
        if "display xml" in pipes:
            return f"<rpc-reply>\n{_lines(text.elements(found))}</rpc-reply>\n"
        return _lines(text.braces(found))

    def _rollback(self, words: Sequence[str], pipes: Sequence[str]) -> str:
        number = words[0] if words else "0"
        if not number.isdigit() or int(number) >= len(self._box.commits):
            raise Refusal(f"rollback {number}: no such configuration")
        return self._configuration(self._box.commits[int(number)].tree, [], pipes)

    # ── configuration mode ──

    def _configure(self, words: Sequence[str]) -> Ran:
        how = words[0] if words else ""
        said = "Entering configuration mode\n"
        if how == "exclusive":
            self._box.lock(self._login)
            said = "warning: uncommitted changes will be discarded on exit\n" + said
        elif how == "private":
            self._login.own = self._box.active.copy()
            said = "warning: uncommitted changes will be discarded on exit\n" + said
        elif how:
            raise Refusal("syntax error", how)
        elif self._box.is_modified():
            said += "The configuration has been changed but not committed\n"
        self._editing, self._at = True, []
        return Ran(out=said)

    def _configuring(self, command: str, words: list[str], pipes: Sequence[str]) -> Ran:
        verb, rest = words[0], words[1:]
        if verb in _CHANGES:
            return self._change(command)
        if verb == "commit":
            return self._commit(command)
        if verb == "run":
            return Ran(out=self._shown(rest, pipes))
        if verb == "show":
            return Ran(out=self._show(rest, pipes))
        if verb == "rollback":
            self._box.check_access(self._login)
            self._box.back_to(self._login, int(rest[0]) if rest and rest[0].isdigit() else 0)
            return Ran(out="load complete\n")
        if verb == "load" and len(rest) >= 2:
            return self._load(rest)
        if verb in ("edit", "up", "top"):
            return self._move(verb, rest, pipes)
        if verb in ("exit", "quit"):
            if self._at and not rest:
                self._at = []
                return Ran()
            return self._leave()
        raise Refusal("unknown command.", verb)

    def _change(self, command: str) -> Ran:
        self._box.check_access(self._login)
        verb, *rest = words_of(command)
        tree = self._box.edited(self._login).copy()
        set_words(tree, [verb, *self._at, *rest])
        self._box.put_candidate(self._login, tree)
        return Ran()

    def _move(self, verb: str, rest: list[str], pipes: Sequence[str]) -> Ran:
        if verb == "edit":
            self._at = [*self._at, *rest]
        elif verb == "up":
            self._at = self._at[:-1]
        else:
            before, self._at = self._at, []
            if rest:  # `top show …`
                done = self._configuring(" ".join(rest), rest, pipes)
                self._at = before
                return done
        return Ran()

    def _show(self, rest: Sequence[str], pipes: Sequence[str]) -> str:
        mine = self._box.edited(self._login)
        compared = next((pipe for pipe in pipes if pipe.startswith("compare")), "")
        if compared:
            number = int(found[1]) if (found := re.search(r"rollback (\d+)", compared)) else 0
            before = self._box.active if number == 0 else self._box.commits[number].tree
            return _filtered(_lines(text.compared(before, mine)), pipes)
        return _filtered(self._configuration(mine, [*self._at, *rest], pipes), pipes)

    def _commit(self, command: str) -> Ran:
        words = words_of(command)[1:]
        log = words[words.index("comment") + 1] if "comment" in words[:-1] else ""
        if "check" in words:
            found = self._box.problems(self._login)
            return Ran(out=_stopped(found[0]) if found else "configuration check succeeds\n")
        minutes = 0
        if "confirmed" in words:
            after = words[words.index("confirmed") + 1 :]
            minutes = int(after[0]) if after and after[0].isdigit() else CONFIRM_MINUTES
        try:
            self._box.commit(self._login, log, minutes)
        except Refusal as error:
            return Ran(out=_stopped(error))
        said = (
            f"commit confirmed will be automatically rolled back in {minutes} minutes unless confirmed\n"
            if minutes
            else ""
        )
        out = f"{said}commit complete\n"
        if "and-quit" in words:
            self._end()
            out += "Exiting configuration mode\n"
        elif minutes:
            out += f"\n# commit confirmed will be rolled back in {minutes} minutes\n"
        return Ran(out=out)

    def _load(self, words: Sequence[str]) -> Ran:
        """`load set|merge|override FILE`, a file that was uploaded."""
        self._box.check_access(self._login)
        how, name = words[0], words[1]
        try:
            given = files.read_bytes(self._box.folder, name).decode(errors="replace")
        except files.NoSuchFile as error:
            raise Refusal(f"could not open file: {name}: {error}") from None
        tree = Tree() if how in ("override", "update") else self._box.edited(self._login).copy()
        refused = text.load_set(tree, given) if how == "set" else text.load_braces(tree, given)
        self._box.put_candidate(self._login, tree)
        said = "".join(_refused(error) for error in refused)
        return Ran(out=f"{said}load complete{f' ({len(refused)} errors)' if refused else ''}\n")

    def _leave(self) -> Ran:
        if not text.same(self._box.edited(self._login), self._box.active):
            self._asks = True
            return Ran(out="The configuration has been changed but not committed\n")
        return self._left()

    def _left(self) -> Ran:
        self._end()
        return Ran(out="Exiting configuration mode\n")

    def _end(self) -> None:
        self._editing, self._at, self._login.own = False, [], None
        self._box.unlock(self._login)


def _piped(line: str) -> list[str]:
    """A command and its pipes; a `|` within quotes is none."""
    parts = re.findall(r'(?:"(?:\\.|[^"\\])*"|[^|"]|")+', line)
    return [part.strip() for part in parts] or [""]


def _filtered(out: str, pipes: Sequence[str]) -> str:
    """An output after `match`, `except`, `count`, `last` and the rest, in their order. Raises `Refusal`."""
    for pipe in pipes:
        verb, _, pattern = pipe.partition(" ")
        pattern = pattern.strip().strip('"')
        if verb in ("match", "except"):
            lines = [line for line in out.splitlines() if bool(re.search(pattern, line, re.I)) == (verb == "match")]
            out = _lines(lines)
        elif verb == "count":
            out = f"Count: {len(out.splitlines())} lines\n"
        elif verb == "last":
            out = _lines(out.splitlines()[-(int(pattern) if pattern.isdigit() else 10) :])
        elif verb not in ("no-more", "display", "compare", "trim", "hold"):
            raise Refusal("syntax error", verb)
    return out


def _lines(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _refused(error: Refusal) -> str:
    """How the CLI says no: a mark below the word, and the words."""
    if error.message in ("unknown command.", "syntax error"):
        expecting = "" if error.message.endswith(".") else f", expecting <command>: {error.element}"
        return f"                ^\n{error.message}{expecting}\n"
    if error.message == "statement not found":
        return "warning: statement not found\n"
    return f"error: {error.message}\n"


def _stopped(error: Refusal) -> str:
    """How a commit says no."""
    level = f"[edit {error.level}]\n" if error.level else ""
    return f"{level}  '{error.element}'\n    {error.message}\nerror: configuration check-out failed\n"
