"""What every command shares: options, output, progress. Light: nothing of netaudit's core is imported here."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from netaudit.terminal import Role, Style, style_of
from netaudit.whole import write_whole

Intent = Annotated[Path, typer.Argument(metavar="INTENT", help="The intent file.", show_default=False)]
Where = Annotated[
    str | None,
    typer.Option("--where", envvar="NETAUDIT_WHERE", help="A part of the fabric: 'plane=a unit=su1', a-su1-r3-leaf."),
]
Targets = Annotated[
    Path | None,
    typer.Option("--targets", envvar="NETAUDIT_TARGETS", help="targets.json in place of the intent's `management`."),
]
Output = Annotated[
    str,
    typer.Option("-o", "--output", envvar="NETAUDIT_OUTPUT", help="FORMAT or FORMAT=FILE, several with commas."),
]

LAB_DIR: Final = Path(".netaudit/lab")


def end(code: int) -> NoReturn:
    """Leave with an exit code."""
    raise typer.Exit(code)


def out(text: str) -> None:
    """Print data to stdout."""
    sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")


def note(text: str) -> None:
    """Print progress or a log line to stderr."""
    sys.stderr.write(text + "\n")


def style() -> Style:
    """What stdout can show."""
    return style_of(sys.stdout)


def outputs(text: str, known: tuple[str, ...]) -> Mapping[str, Path | None]:
    """`text,json=FILE` → format → file (`None`: stdout). Raises `typer.BadParameter`."""
    wanted: dict[str, Path | None] = {}
    for part in text.split(","):
        name, equals, file = part.strip().partition("=")
        if name not in known:
            raise typer.BadParameter(f"unknown format `{name}`; known: {', '.join(known)}", param_hint="-o")
        if equals and not file:
            raise typer.BadParameter(f"`{part.strip()}` names no file", param_hint="-o")
        wanted[name] = Path(file) if file else None
    if sum(file is None for file in wanted.values()) > 1:
        raise typer.BadParameter("only one format goes to stdout; give the others a file: json=FILE", param_hint="-o")
    return wanted


def write_file(file: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises `Unusable`."""
    write_whole(file, data)


class Progress:
    """Devices as they are done: one redrawn line on a terminal, one line an event elsewhere, nothing if quiet."""

    def __init__(self, doing: str, total: int) -> None:
        self._doing = doing
        self._total = total
        self._done = 0
        self._live = sys.stderr.isatty()
        self._style = style_of(sys.stderr)

    def __call__(self, device: str, said: str) -> None:
        """Count one device; what went wrong with it is named at once."""
        self._done += 1
        if said not in ("read", "change", "none"):
            self._line(f"{self._style.symbol('?')} {device}  {self._style.show(said)}")
        if self._live:
            text = f"{self._style.symbol('▸')} {self._doing}: {self._done} of {self._total}"
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def _line(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}\n" if self._live else f"{text}\n")

    def close(self) -> None:
        """Take the redrawn line away: the result stands in its place."""
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def verdict(symbol: str, role: Role, text: str) -> str:
    """A first line: its symbol, coloured, and the sentence."""
    shown = style()
    return f"{shown.paint(shown.symbol(symbol), role)} {shown.symbol(text)}"


def following(command: str) -> str:
    """A last line: one command."""
    shown = style()
    return f"Next: {shown.paint(shown.symbol(command), Role.LINK)}"
