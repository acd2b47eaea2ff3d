"""`lint-tables`: vendors' headroom tables, held against themselves and physics."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from netaudit.cli.common import Output, end, following, out, outputs, style, verdict, write_file
from netaudit.diag import Diagnostic, Invalid, Severity, Source
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.hardware import SwitchModel
    from netaudit.lint import Row, Table

MAX_BYTES: Final = 16 * 2**20
"""Size of a file: config_db.json of 512 ports has 1 MB. Judgement."""
MAX_FILES: Final = 20_000
"""Files of a folder that are looked at: sonic-buildimage/device has some 6,000."""
LOOKUP: Final = "pg_profile_lookup.ini"
FINDINGS, INCOMPLETE, BAD_INPUT = 2, 3, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """One file: what was found, or why it could not be read."""

    file: str
    table: Table | None
    chip: str
    found: tuple[Diagnostic, ...]


def lint_tables(
    path: Annotated[
        Path, typer.Argument(metavar="DIR|FILE", help="pg_profile_lookup.ini, buffers.json, config_db.json, a folder.")
    ],
    model: Annotated[
        str | None, typer.Option("--model", envvar="NETAUDIT_MODEL", help="The switch model, where no name tells it.")
    ] = None,
    fail_on: Annotated[
        str, typer.Option("--fail-on", envvar="NETAUDIT_FAIL_ON", help="Exit with 2 from: error, warning.")
    ] = "error",
    output: Output = "text",
) -> None:
    """Rows of headroom tables that contradict physics or themselves: pg_profile_lookup.ini, buffers.json, config_db."""
    from netaudit.cli.report import PAPERS

    wanted = outputs(output, ("text", "json", *PAPERS))
    if fail_on not in ("error", "warning"):
        raise typer.BadParameter(
            f"`{fail_on}` is no severity to fail on; known: error, warning", param_hint="--fail-on"
        )
    chosen = _model(model)
    known = tuple(lint_path(path, chosen))
    code = _code(known, fail_on, single=not path.is_dir())
    for name, file in wanted.items():
        data = _shown(known, name, (str(path), model), code).encode()
        if file is None:
            out(data.decode())
        else:
            write_file(file, data)
    end(code)


def _model(name: str | None) -> SwitchModel | None:
    if name is None:
        return None
    from netaudit import hardware

    if name not in hardware.switch_names():
        raise typer.BadParameter(
            f"`{name[:60]}` is no model of the catalogue; `netaudit show hardware` lists them", param_hint="--model"
        )
    return hardware.switch(name)


def lint_path(path: Path, model: SwitchModel | None) -> Iterator[Linted]:
    """Every table of a folder, or the one file. Raises `Invalid` where there is nothing to look at."""
    if path.is_dir():
        found = [linted for file in _files(path) if (linted := _one(file, model, named=False)) is not None]
        if not found:
            message = f"no headroom table in {path}: no {LOOKUP}, and no JSON with BUFFER_PROFILE or CABLE_LENGTH"
            raise Invalid([Diagnostic(message=message, hint="templates (.j2) are read once they are rendered")])
        yield from found
        return
    one = _one(path, model, named=True)
    if one is None:
        message = f"{path} says nothing about headroom: no BUFFER_PROFILE, BUFFER_POOL or CABLE_LENGTH in it"
        raise Invalid([Diagnostic(message=message, hint="a rendered buffers.json, or the whole config_db.json")])
    yield one


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder that may hold a table, in order, each once however many links lead to it."""
    seen: set[tuple[int, int]] = set()
    count = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name != LOOKUP and not name.endswith(".json"):
                continue
            file = Path(root, name)
            count += 1
            if count > MAX_FILES:
                message = f"more than {MAX_FILES:,} files in {folder}"
                raise Invalid([Diagnostic(message=message, hint="name a folder below it")])
            try:
                status = file.stat()
            except OSError:
                yield file
                continue
            key = (status.st_dev, status.st_ino)
            if key not in seen:
                seen.add(key)
                yield file


def _one(file: Path, model: SwitchModel | None, *, named: bool) -> Linted | None:
    """The findings of a file; `None` where it is of another kind."""
    from netaudit.lint import lint, silicon

    try:
        table = _read(file, named=named)
    except Invalid as error:
        return Linted(file=str(file), table=None, chip="", found=error.diagnostics)
    if table is None:
        return None
    chip = silicon(table.hwsku, model, tuple(row.xoff_bytes for row in table.rows))
    return Linted(file=str(file), table=table, chip=chip.asic, found=lint(table, chip))


def _read(file: Path, *, named: bool) -> Table | None:
    from dataclasses import replace

    from netaudit.lint import read_config, read_lookup

    text = _text(file)
    hwsku = _hwsku(file)
    template = re.search(r"\{[%{#]", text)
    if template is not None and (named or file.name == LOOKUP):
        line = text.count("\n", 0, template.start()) + 1
        source = Source(file=str(file), line=line, column=template.start() - text.rfind("\n", 0, template.start()))
        raise Invalid(
            [_bad("a template, not what it makes", source, "render it (sonic-cfggen -t) and lint the result")]
        )
    if not text.lstrip().startswith(("{", "[")):
        if file.suffix == ".json" and not named:
            return None
        return read_lookup(text, str(file), hwsku)
    if not named and "BUFFER_P" not in text and "CABLE_LENGTH" not in text:
        return None
    table = read_config(text, str(file), hwsku)
    if table is None or table.rows:
        return table
    beside = file.with_name(LOOKUP)
    # the rows are judged with their own file; here they say which lengths have one
    rows = read_lookup(_text(beside), str(beside)).rows if beside.is_file() else _catalogued(table.hwsku)
    return replace(table, beside=rows)


@cache
def _catalogued(hwsku: str) -> tuple[Row, ...]:
    """The published table of a HWSKU of the catalogue; empty where it has none."""
    from netaudit import hardware
    from netaudit.lint import Row

    for model in hardware.models() if hwsku else ():
        if hwsku in model.hwskus:
            return tuple(
                Row(
                    speed_mbps=speed_mbps,
                    length_m=length_m,
                    size_bytes=row.size_bytes,
                    xon_bytes=row.xon_bytes,
                    xoff_bytes=row.xoff_bytes,
                    xon_offset_bytes=row.xon_offset_bytes,
                    source=Source(file=f"catalogue:{hwsku}", line=1),
                    columns={},
                )
                for (speed_mbps, length_m), row in model.hwskus[hwsku].pg.items()
            )
    return ()


def _hwsku(file: Path) -> str:
    """The folder that a HWSKU's files stand in: sonic-buildimage has profiles (`BALANCED`, `0`) below some."""
    from netaudit.lint.silicon import BY_NAME
    from netaudit.lossless.variants import MADE_WITH

    folders = file.absolute().parent.parts[::-1][:3]
    for name in folders:
        if name in MADE_WITH or any(_matches(pattern, name) for pattern, _ in BY_NAME):
            return name
    return ""


def _matches(pattern: str, name: str) -> bool:
    return re.match(pattern, name) is not None


def _text(file: Path) -> str:
    """The text of a file. Raises `Invalid` for one that cannot be read, is too long or is no UTF-8."""
    source = Source(file=str(file), line=1)
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Invalid([_bad(f"cannot be read: {reason}", source)]) from None
    if len(data) > MAX_BYTES:
        raise Invalid([_bad(f"more than {MAX_BYTES // 2**20} MiB: no table is that long", source)])
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        at = Source(file=str(file), line=line, column=column)
        raise Invalid([_bad(f"no UTF-8: byte {data[error.start]:#04x}", at, "save it as UTF-8")]) from None


def _bad(message: str, source: Source, hint: str = "") -> Diagnostic:
    return Diagnostic(message=message, source=source, hint=hint, rule="TAB-13")


def _code(known: tuple[Linted, ...], fail_on: str, *, single: bool) -> int:
    unread = any(one.table is None for one in known)
    if unread:
        return BAD_INPUT if single else INCOMPLETE
    failing = {Severity.ERROR, Severity.WARNING} if fail_on == "warning" else {Severity.ERROR}
    return FINDINGS if any(d.severity in failing for one in known for d in one.found) else 0


def _head(known: tuple[Linted, ...]) -> str:
    """The first sentence."""
    found = [d for one in known for d in one.found]
    errors, warnings = (sum(d.severity is s for d in found) for s in (Severity.ERROR, Severity.WARNING))
    rows = sum(len(one.table.rows) for one in known if one.table)
    unread = sum(one.table is None for one in known)
    not_read = f", {counted(unread, 'file')} not read" if unread else ""
    size = f"{counted(len(known), 'table')}, {counted(rows, 'row')}"
    return f"{size}: {counted(errors, 'error')}, {counted(warnings, 'warning')}{not_read}"


def _shown(known: tuple[Linted, ...], name: str, asked: tuple[str, str | None], code: int) -> str:
    if name == "text":
        return _as_text(known, asked, code)
    found = tuple(d for one in known for d in one.found)
    if name == "json":
        return _as_json(known, code)
    from netaudit import __version__
    from netaudit.audit.report.paper import of_check
    from netaudit.cli.report import paper_bytes
    from netaudit.lint import RULES

    files = [one.file for one in known]
    paper = of_check(
        version=__version__,
        fabric=asked[0],
        intent=files[0],
        verdict=_head(known),
        exit_code=code,
        diagnostics=found,
        rules=RULES,
        beside=files[1:],
    )
    return paper_bytes(paper, name).decode()


def _as_text(known: tuple[Linted, ...], asked: tuple[str, str | None], code: int) -> str:
    from netaudit.diag_text import line_of_file, render_diagnostics

    symbol, role = ("✔", Role.GOOD) if code == 0 else ("?", Role.CARE) if code == INCOMPLETE else ("✖", Role.BAD)
    found = [d for one in known for d in one.found]
    blocks = [verdict(symbol, role, _head(known))]
    if len(known) <= 20:
        blocks.append("\n".join(f"  {one.file}  {_about(one)}" for one in known))
    if found:
        blocks.append(style().symbol(render_diagnostics(found, line_of_file)).rstrip("\n"))
    again = shlex.join(("netaudit", "lint-tables", asked[0], *(("--model", asked[1]) if asked[1] else ())))
    blocks.append(following(f"fix these, then  {again}" if code else "netaudit check INTENT"))
    return "\n\n".join(blocks) + "\n"


def _about(one: Linted) -> str:
    if one.table is None:
        return "not read"
    chip = one.chip or "ASIC not known: --model names the switch"
    return f"{counted(len(one.table.rows), 'row')}, {one.table.hwsku or 'no HWSKU named'}, {chip}"


def _as_json(known: tuple[Linted, ...], code: int) -> str:
    from netaudit.cli.check_text import diagnostics_json

    found = tuple(d for one in known for d in one.found)
    base = json.loads(diagnostics_json(found, {}))
    base["lint"] = "tables"
    base["exit_code"] = code
    base["tables"] = [
        {
            "file": one.file,
            "read": one.table is not None,
            "kind": one.table.kind if one.table else None,
            "hwsku": one.table.hwsku if one.table else None,
            "asic": one.chip or None,
            "rows": len(one.table.rows) if one.table else 0,
        }
        for one in known
    ]
    return json.dumps(base, indent=1, ensure_ascii=False) + "\n"
