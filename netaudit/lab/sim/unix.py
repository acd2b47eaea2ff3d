"""Commands on files that every box with a Linux shell has, and how a command line is cut into words."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from netaudit.lab.sim import files
from netaudit.lab.sim.files import NoSuchFile
from netaudit.lab.sim.frr_show import Completed

_META: Final = re.compile(r"[;|&><`$\n]")
_QUOTED: Final = re.compile(r"'[^']*'")

Command = Callable[[Path, Sequence[str]], Completed]


def words_of(line: str) -> list[str] | Completed:
    """The words of a command line without `sudo` and the path of the command; how it ends where it is refused."""
    if _META.search(_QUOTED.sub("", line)):
        return Completed(code=2, err="-bash: the simulator has no shell: ; | & > < ` $ are refused\n")
    try:
        words = shlex.split(line)
    except ValueError as error:
        return Completed(code=2, err=f"-bash: syntax error: {error}\n")
    while words and words[0] in ("sudo", "-n"):
        words = words[1:]
    return [words[0].removeprefix("/usr/local/bin/").removeprefix("/usr/bin/"), *words[1:]] if words else []


def carried_out(name: str, run: Callable[[], Completed]) -> Completed:
    """How a command ends that may meet files that are not there."""
    try:
        return run()
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


def _cat(folder: Path, arguments: Sequence[str]) -> Completed:
    """`cat FILE...`"""
    out, err = b"", ""
    for name in _plain(arguments):
        try:
            out += files.read_bytes(folder, name)
        except NoSuchFile as error:
            err += f"cat: {name}: {error}\n"
    return Completed(code=1 if err else 0, out=out, err=err)


def _copy(folder: Path, arguments: Sequence[str]) -> Completed:
    """`cp A B`; B may be a folder."""
    return _transfer(folder, arguments, "cp")


def _move(folder: Path, arguments: Sequence[str]) -> Completed:
    """`mv A B`."""
    return _transfer(folder, arguments, "mv")


def _transfer(folder: Path, arguments: Sequence[str], command: str) -> Completed:
    """Copy or move one file."""
    words = _plain(arguments, "fpa")
    if len(words) != 2:
        return Completed(code=1, err=f"{command}: two files are wanted\n")
    try:
        content = files.read_bytes(folder, words[0])
    except NoSuchFile as error:
        return Completed(code=1, err=f"{command}: cannot stat '{words[0]}': {error}\n")
    target = files.inside(folder, words[1])
    source = files.inside(folder, words[0])
    target = target / source.name if target.is_dir() else target
    if not target.parent.is_dir():
        return Completed(code=1, err=f"{command}: cannot create '{words[1]}': No such file or directory\n")
    if command == "mv":
        source.replace(target)
    else:
        files.write_bytes(target, content)
    return Completed()


def _remove(folder: Path, arguments: Sequence[str]) -> Completed:
    """`rm [-f] FILE...`; folders need `-r`."""
    err = ""
    for name in _plain(arguments, "rf"):
        path = files.inside(folder, name)
        if path.is_dir() and path != folder and any("r" in one for one in arguments if one.startswith("-")):
            shutil.rmtree(path)
        elif path.is_dir():
            err += f"rm: cannot remove '{name}': Is a directory\n"
        elif path.exists():
            path.unlink()
        elif not any("f" in one for one in arguments if one.startswith("-")):
            err += f"rm: cannot remove '{name}': No such file or directory\n"
    return Completed(code=1 if err else 0, err=err)


def _mkdir(folder: Path, arguments: Sequence[str]) -> Completed:
    """`mkdir -p DIR...`"""
    for name in _plain(arguments, "p"):
        files.inside(folder, name).mkdir(parents=True, exist_ok=True)
    return Completed()


def _test(folder: Path, arguments: Sequence[str]) -> Completed:
    """`test -e FILE`, also -f and -d."""
    if len(arguments) != 2 or arguments[0] not in ("-e", "-f", "-d"):
        return Completed(code=2, err="test: only -e, -f and -d are simulated\n")
    path = files.inside(folder, arguments[1])
    there = {"-e": path.exists(), "-f": path.is_file(), "-d": path.is_dir()}[arguments[0]]
    return Completed(code=0 if there else 1)


def _sha256sum(folder: Path, arguments: Sequence[str]) -> Completed:
    """`sha256sum FILE...`"""
    out, err = "", ""
    for name in _plain(arguments):
        try:
            out += f"{hashlib.sha256(files.read_bytes(folder, name)).hexdigest()}  {name}\n"
        except NoSuchFile as error:
            err += f"sha256sum: {name}: {error}\n"
    return Completed(code=1 if err else 0, out=out, err=err)


_SUBSTITUTE: Final = re.compile(r"s/((?:[^/\\]|\\.)+)/((?:[^/\\]|\\.)*)/")


def _sed(folder: Path, arguments: Sequence[str]) -> Completed:
    """`sed -E s/PATTERN/REPLACEMENT/ FILE`: the first match of each line is replaced."""
    words = _plain(arguments, "E")
    found = _SUBSTITUTE.fullmatch(words[0]) if words else None
    if found is None or len(words) != 2 or "-E" not in arguments:
        return Completed(code=1, err="sed: only -E s/PATTERN/REPLACEMENT/ FILE is simulated\n")
    try:
        text = files.read_bytes(folder, words[1]).decode(errors="replace")
    except NoSuchFile as error:
        return Completed(code=2, err=f"sed: can't read {words[1]}: {error}\n")
    lines = text.splitlines(keepends=True)
    return Completed(out="".join(re.sub(found[1], found[2], line, count=1) for line in lines))


COMMANDS: Final[Mapping[str, Command]] = {
    "cat": _cat,
    "cp": _copy,
    "mkdir": _mkdir,
    "mv": _move,
    "rm": _remove,
    "sed": _sed,
    "sha256sum": _sha256sum,
    "test": _test,
}
"""Name → command, on the files below a folder."""
