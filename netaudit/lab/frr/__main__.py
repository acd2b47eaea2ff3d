"""`python -m netaudit.lab.frr LABDIR`: run the lab of a folder in the foreground until SIGTERM or SIGINT."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from netaudit.diag import Invalid, Unusable
from netaudit.lab.frr.serve import serve


def main(arguments: list[str]) -> int:
    """Exit code: 0 after a clean end, 1 where the lab cannot run, 4 for wrong files or usage."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m netaudit.lab.frr LABDIR\n")
        return 4
    os.umask(0o022)  # daemons read as users of their own; what is secret has its mode set
    try:
        serve(Path(arguments[0]).resolve())
    except Invalid as error:
        for one in error.diagnostics:
            sys.stderr.write(f"{one.source or 'error'}: {one.message}\n")
        return 4
    except Unusable as error:
        sys.stderr.write(f"error: {error.message} ({error.hint})\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
