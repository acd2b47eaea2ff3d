"""The page of all commands: arguments, options, variables and defaults, from the command line itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import typer

from netaudit.cli.app import app
from netaudit.docs.markdown import code, escaped, page, plain, sentence, table


class Parameter(Protocol):
    """What is read of an argument or option; every version of Typer has it."""

    name: str
    param_type_name: str
    opts: Sequence[str]
    secondary_opts: Sequence[str]
    envvar: str | None
    default: object
    required: bool
    metavar: str | None
    nargs: int
    help: str | None


class Command(Protocol):
    """What is read of a command."""

    help: str | None
    params: Sequence[Parameter]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One command as it is typed: `lab up`."""

    words: str
    command: Command

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """What stands without a name, in order."""
        return tuple(p for p in self.command.params if p.param_type_name == "argument")

    @property
    def options(self) -> tuple[Parameter, ...]:
        """What has a name."""
        return tuple(p for p in self.command.params if p.param_type_name == "option" and p.name != "help")


def lines() -> tuple[Line, ...]:
    """Every command, those of a group by their full words."""
    return tuple(_lines(typer.main.get_command(app), ""))


def _lines(command: object, words: str) -> Iterator[Line]:
    inside = getattr(command, "commands", None)
    if isinstance(inside, Mapping):
        for name, child in inside.items():
            yield from _lines(child, f"{words} {name}".strip())
    else:
        yield Line(words=words, command=cast(Command, command))


def commands_page() -> str:
    """Every command with its arguments and options."""
    return page(
        "# Commands",
        "`netaudit --help` shows them grouped, `netaudit COMMAND --help` one of them. Data goes to stdout, progress "
        "and logs to stderr. Every option is a variable, too; the option wins. `NO_COLOR` takes the colours away, "
        "`NETAUDIT_ASCII=1` the symbols. What they exit with stands in [exit-codes.md](exit-codes.md).",
        *(block for line in lines() for block in _entry(line)),
    )


def _entry(line: Line) -> Iterator[str]:
    yield f"## netaudit {line.words}"
    yield escaped(sentence(plain(line.command.help or "")))
    yield f"```\n{_usage(line)}\n```"
    rows = [*(_argument(p) for p in line.arguments), *(_option(p) for p in line.options)]
    if rows:
        yield table(("argument, option", "variable", "default", "what"), rows)


def _usage(line: Line) -> str:
    words = [f"netaudit {line.words}", *(["[OPTIONS]"] if line.options else [])]
    for argument in line.arguments:
        name = _name(argument) + ("…" if argument.nargs < 0 else "")
        words.append(name if argument.required else f"[{name}]")
    return " ".join(words)


def _name(argument: Parameter) -> str:
    """Without the brackets that some versions of Typer put around what may be left out."""
    name = argument.metavar or argument.name.upper().replace("_", "-").rstrip("-")
    return name.removeprefix("[").removesuffix("]") if name.startswith("[") else name


def _argument(argument: Parameter) -> tuple[str, ...]:
    default = "required" if argument.required else _default(argument.default)
    return code(_name(argument)), code(argument.envvar or ""), default, argument.help or ""


def _option(option: Parameter) -> tuple[str, ...]:
    names = ", ".join(map(code, (*option.opts, *option.secondary_opts)))
    default = "required" if option.required else _default(option.default)
    return names, code(option.envvar or ""), default, option.help or ""


def _default(value: object) -> str:
    if value is None or value is False or value == "":
        return "–"
    return "on" if value is True else code(str(value))
