"""The command line: the only place that prints, prompts or exits."""

from __future__ import annotations

import signal
import sys

__all__ = ["main"]


def main() -> None:
    """The `netaudit` program. Ctrl-C is an answer of its own from the first import to the last byte."""
    try:
        from netaudit.cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what was to be said is said: nothing is left to interrupt
    sys.exit(code)
