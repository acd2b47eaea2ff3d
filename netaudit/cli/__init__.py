"""The command line: the only place that prints, prompts or exits."""

from __future__ import annotations

import sys

from netaudit.cli.run import run

__all__ = ["main"]


def main() -> None:
    """The `netaudit` program."""
    sys.exit(run(sys.argv[1:]))
