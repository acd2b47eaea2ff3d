"""`init`: a folder with a fabric to start from."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import following, out, verdict, write_file
from netaudit.diag import Diagnostic, Invalid, Severity, Unusable
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.scaffold import Wish

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?", re.ASCII)
_DEFAULT_NAME = "fabric1"


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; made where it is not there.")],
    fabric: Annotated[
        str | None, typer.Option("--fabric", envvar="NETAUDIT_FABRIC", help="Its name. Default: that of the folder.")
    ] = None,
    planes: Annotated[
        int | None, typer.Option("--planes", envvar="NETAUDIT_PLANES", help="Disjoint networks: 1 or 2. Default: 2.")
    ] = None,
    rails: Annotated[
        int | None, typer.Option("--rails", envvar="NETAUDIT_RAILS", help="NICs of a host. Default: 4.")
    ] = None,
    units: Annotated[
        int | None, typer.Option("--units", envvar="NETAUDIT_UNITS", help="Groups of hosts. Default: 2.")
    ] = None,
    hosts: Annotated[
        int | None, typer.Option("--hosts", envvar="NETAUDIT_HOSTS", help="Hosts of a unit. Default: 4.")
    ] = None,
) -> None:
    """Write a commented intent that can be built, the tables beside it, its schema, and lines of .gitignore.

    Nothing is overwritten. On a terminal, what no option says is asked; elsewhere it has its default.
    """
    from netaudit.scaffold import Wish

    default = folder.resolve().name.lower()
    start = Wish(fabric=default if _NAME.fullmatch(default) else _DEFAULT_NAME)
    wish = _asked(start, {"fabric": fabric, "planes": planes, "rails": rails, "units": units, "hosts": hosts})
    if not _NAME.fullmatch(wish.fabric):
        message = f"`{wish.fabric}` is no name of a fabric"
        raise Invalid([Diagnostic(message=message, hint="lower-case letters, digits and hyphens, as tokyo-gpu1")])
    files = _files(wish)
    _refuse_overwriting(folder, files)
    devices = _tried(files, f"{wish.fabric}.yml")
    for name, text in {**files, ".gitignore": _gitignore(folder)}.items():
        write_file(folder / name, text.encode())
    said = f"{folder} holds {wish.fabric}: {counted(devices, 'device')}, {len(files)} files"
    out(verdict("✔", Role.GOOD, said))
    out("")
    for name, what in _WHAT.items():
        out(f"  {name.format(wish.fabric):<22}{what}")
    out("")
    out(following(f"netaudit check {folder / wish.fabric}.yml"))


_WHAT: Mapping[str, str] = {
    "{}.yml": "the intent: what the fabric shall be",
    "devices.csv": "serials, MACs, management addresses: fill in what is known",
    "cables.csv": "measured lengths, as they become known",
    "netaudit.schema.json": "what an editor completes and checks the intent with",
    ".gitignore": "keeps runs, plans and reports out of git",
}


def _asked(start: Wish, given: Mapping[str, str | int | None]) -> Wish:
    """What the options say; the rest by question on a terminal, by default elsewhere."""
    wish = start
    ask = sys.stdin.isatty() and sys.stderr.isatty()
    questions = {
        "fabric": "Name of the fabric", "planes": "Planes (disjoint networks: 1, 2)", "rails": "Rails (NICs of a host)",
        "units": "Units (groups of hosts)", "hosts": "Hosts of a unit",
    }  # fmt: skip
    for name, question in questions.items():
        value = given[name]
        if value is None and ask:
            value = typer.prompt(
                question, default=getattr(start, name), type=str if name == "fabric" else int, err=True
            )
        match name, value:
            case "fabric", str():
                wish = replace(wish, fabric=value)
            case "planes", int():
                wish = replace(wish, planes=value)
            case "rails", int():
                wish = replace(wish, rails=value)
            case "units", int():
                wish = replace(wish, units=value)
            case "hosts", int():
                wish = replace(wish, hosts=value)
    return wish


def _files(wish: Wish) -> Mapping[str, str]:
    from netaudit.intent import json_schema
    from netaudit.scaffold import scaffold

    return scaffold(wish, json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")


def _refuse_overwriting(folder: Path, files: Mapping[str, str]) -> None:
    """Raises `Invalid` with every file that is there already."""
    if folder.exists() and not folder.is_dir():
        message = f"`{folder}` is a file, not a folder"
        raise Invalid([Diagnostic(message=message, hint="name a folder, or one that is to be made")])
    there = [name for name in files if (folder / name).exists() or (folder / name).is_symlink()]
    if there:
        hint = "nothing is overwritten: name another folder, or move the file away"
        raise Invalid(Diagnostic(message=f"`{folder / name}` is there already", hint=hint) for name in there)


def _tried(files: Mapping[str, str], intent: str) -> int:
    """How many devices the new fabric has. What `check` refuses is never written: raises `Invalid`."""
    from netaudit.pipeline_check import check_all
    from netaudit.pipeline_load import load_fabric

    with tempfile.TemporaryDirectory(prefix="netaudit-init-") as trial:
        for name, text in files.items():
            (Path(trial) / name).write_text(text, encoding="utf-8")
        try:
            expected = load_fabric(Path(trial) / intent)
        except Invalid as error:
            raise Invalid(replace(d, source=None) for d in error.diagnostics) from None
        wrong = [d for d in check_all(expected).diagnostics if d.severity is Severity.ERROR]
    if wrong:
        raise Invalid(replace(d, source=None) for d in wrong)
    return len(expected.devices)


def _gitignore(folder: Path) -> str:
    from netaudit.scaffold import merged_gitignore

    file = folder / ".gitignore"
    try:
        return merged_gitignore(file.read_text(encoding="utf-8") if file.exists() else "")
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(
            f"{file} cannot be read: {error}", "look at the file; it gets the lines that keep runs out"
        ) from None
