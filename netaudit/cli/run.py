"""One command line from arguments to exit code: every error becomes a message, none a traceback."""

from __future__ import annotations

import errno
import importlib
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from typing import Final

from netaudit import __version__
from netaudit.cli.help import HELP
from netaudit.diag import Invalid, Unusable
from netaudit.terminal import Role, style_of

BAD_INPUT: Final = 4
BUG: Final = 1
INTERRUPTED: Final = 130
AGAIN_S: Final = 0.02
"""Long enough to leave the callback, short enough that nobody presses twice."""
COMPLETING: Final = "_NETAUDIT_COMPLETE"
"""Set by the shell that asks for completions; the words are in variables too, and there are no arguments."""


def run(arguments: Sequence[str]) -> int:
    """Exit code of a command line (DESIGN: 0, 2, 3, 4, 1, 130)."""
    signal.signal(signal.SIGTERM, _terminate)
    sys.unraisablehook = _unraisable
    code = 0
    try:
        code = _at_once(arguments) if _needs_nothing(arguments) else _run(arguments)
        sys.stdout.flush()  # here, where it can still be said that the last bytes found no place
        return code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`| head -1`): nothing more to say, and nothing to say it to.
        _silence()
        return code
    except OSError as error:
        if error.filename is not None or error.errno not in FULL:
            raise
        _silence()
        return _unusable(Unusable(f"the output cannot be written: {error.strerror}", "look at the space where it goes"))


def _needs_nothing(arguments: Sequence[str]) -> bool:
    if os.environ.get(COMPLETING):
        return False
    return not arguments or list(arguments) in (["--help"], ["-h"], ["help"], ["--version"])


def _at_once(arguments: Sequence[str]) -> int:
    """The answers that nothing has to be imported for."""
    if list(arguments) == ["--version"]:
        sys.stdout.write(f"netaudit {__version__}\n")
        return 0
    sys.stdout.write(style_of(sys.stdout).symbol(HELP))
    return 0 if arguments else BAD_INPUT


FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What a stream that is redirected into a file can say of its disk."""


def _silence() -> None:
    """Let what is still to be printed go nowhere, so that Python does not stumble over it once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unraisable(info: sys.UnraisableHookArgs) -> None:
    """A Ctrl-C that met the interpreter inside a callback, where Python drops it, comes again a moment later."""
    if issubclass(info.exc_type, KeyboardInterrupt):
        signal.signal(signal.SIGALRM, _terminate)
        signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        return
    sys.__unraisablehook__(info)


def _terminate(number: int, frame: object) -> None:
    """SIGTERM ends as Ctrl-C does, so that what was begun is taken back."""
    raise KeyboardInterrupt


LIGHT: Final = frozenset({"lint-tables", "schema", "rules", "lab", "history", "schedule", "report", "compare"})
"""Commands that load little, and what they load themselves."""
SHOWN: Final = 100
"""Errors of an input that are printed. Judgement: more come from one cause, and hide it."""
PATH_SHOWN: Final = 200
"""Characters of a path in a message."""
OFFLINE: Final = frozenset({"init", "check", "show", "diff", "export", "waive"})
"""Commands that reach no device: the clients of gNMI and SSH would take half of their time to load."""


def _load(command: str) -> None:
    """Import what a command needs, with Ctrl-C kept for the moment after: some C modules swallow it while they load."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        importlib.import_module("netaudit.cli.app")
        if command in OFFLINE:
            importlib.import_module("netaudit.pipeline_check")
        elif command and command not in LIGHT and not command.startswith("-"):
            importlib.import_module("netaudit.pipeline")
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def _run(arguments: Sequence[str]) -> int:
    _load("" if not arguments or {"-h", "--help"} & {*arguments} else arguments[0])
    import typer  # takes longer than all the rest of `--help`

    from netaudit.cli.app import program

    command = typer.main.get_command(program(arguments[0] if arguments else ""))
    usage_error: type[Exception] = typer.BadParameter.__mro__[2]  # ClickException, of whichever click typer brings
    try:
        code = command.main(list(arguments), prog_name="netaudit", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except typer.Exit as done:
        return int(done.exit_code)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Invalid as error:
        return _invalid(error, arguments)
    except Unusable as error:
        return _unusable(error)
    except usage_error as error:
        return _usage(error)
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        # a path of the command line that the system does not take: too long, a loop of links, no permission
        named = str(error.filename)
        return _unusable(Unusable(f"{named[:PATH_SHOWN]}{'…' * (len(named) > PATH_SHOWN)}: {error.strerror}"))


def _invalid(error: Invalid, arguments: Sequence[str]) -> int:
    from netaudit.diag_text import line_of_file, render_diagnostics

    style = style_of(sys.stderr)
    count = len(error.diagnostics)
    files = len({d.source.file for d in error.diagnostics if d.source})
    where = f" in {files} files" if files > 1 else ""
    head = f"{style.symbol('✖')} {count} error{'s' if count != 1 else ''}{where}; nothing was done"
    text = render_diagnostics(error.diagnostics[:SHOWN], line_of_file)
    if count > SHOWN:
        text += f"\n… {count - SHOWN:,} more errors\n"
    again = f"Next: fix {'this' if count == 1 else 'these'}, then  netaudit {shlex.join(arguments)}"
    sys.stderr.write(f"{style.paint(head, Role.BAD)}\n\n{style.symbol(text)}\n{style.show(again)}\n")
    return BAD_INPUT


def _unusable(error: Unusable) -> int:
    style = style_of(sys.stderr)
    hint = f"\n  hint: {error.hint}" if error.hint else ""
    sys.stderr.write(f"{style.symbol('✖')} {style.symbol(error.message)}{style.symbol(hint)}\n")
    return BUG


def _usage(error: Exception) -> int:
    format_message = getattr(error, "format_message", None)
    text = str(format_message()) if callable(format_message) else str(error)
    style = style_of(sys.stderr)
    if type(error).__name__ == "NoArgsIsHelpError":  # of whichever click typer brings
        sys.stderr.write(f"{style.symbol(text)}\n")
        return BAD_INPUT
    sys.stderr.write(f"{style.symbol('✖')} {style.show(text)}\n\nNext: netaudit --help\n")
    return BAD_INPUT
