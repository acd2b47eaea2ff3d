"""The command line: the only place that prints, prompts or exits."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> None:
    """The `netaudit` program. Ctrl-C is an answer of its own from the first import to the last byte."""
    # A command builds trees of values that all live until it ends: looking for garbage among them every 700 new objects
    # finds none, and took a tenth of the time of `check`.
    gc.set_threshold(100_000, 20, 20)
    # Pydantic would look through every installed package for plugins; the intent uses none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    try:
        from netaudit.cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what was to be said is said: nothing is left to interrupt
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process. Of a command that reached no device without taking its trees of values apart one by one.

    That took a tenth of the time of `check`. Such a command has no thread, no connection and no exit handler.
    """
    if "netaudit.pipeline_check" in sys.modules and "netaudit.pipeline" not in sys.modules:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            sys.exit(code)  # Python says what became of the stream
        os._exit(code)
    sys.exit(code)
