"""Run cases of one area: `python -m tests.fuzz.run AREA COUNT [FIRST]`; case N is always the same.

A process of its own, so that memory is that of the cases, and a hang ends with the stack of where it hung.
"""

from __future__ import annotations

import faulthandler
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

from netaudit.diag import Invalid, Unusable
from tests.fuzz.areas import AREAS
from tests.fuzz.memory import peak_mib

CASE_LIMIT_S = 60.0
"""A case takes a hundredth of this at most; a hang is longer than any load makes it."""
MEMORY_LIMIT_MIB = 500
DIFFERENT = 12
"""Different failures after which it ends."""


def main(area: str, count: int, first: int) -> int:
    """Exit code 1 if a case failed."""
    failed: dict[str, str] = {}
    ends = {"taken": 0, "refused": 0}
    slowest = (0.0, 0)
    for number in range(first, first + count):
        faulthandler.dump_traceback_later(CASE_LIMIT_S, exit=True)
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="netaudit-fuzz-") as folder:
            try:
                AREAS[area](random.Random(f"{area} {number}"), Path(folder))
                ends["taken"] += 1
            except (Invalid, Unusable):
                ends["refused"] += 1
            except Exception as error:  # noqa: BLE001 - the finding itself
                last = traceback.extract_tb(error.__traceback__)[-1]
                failed.setdefault(
                    f"{type(error).__name__} {last.filename}:{last.lineno}", f"case {number}\n{_short(error)}"
                )
        faulthandler.cancel_dump_traceback_later()
        slowest = max(slowest, (time.perf_counter() - started, number))
        if len(failed) >= DIFFERENT:
            break
    peak = peak_mib()
    for what, told in failed.items():
        sys.stdout.write(f"--- {what}\n{told}\n")
    sys.stdout.write(
        f"{area}: {count} cases from {first}, {ends['taken']} taken, {ends['refused']} refused, {len(failed)} failed;"
        f" slowest {slowest[0]:.2f} s (case {slowest[1]}), peak {peak:.0f} MiB\n"
    )
    if peak > MEMORY_LIMIT_MIB:
        sys.stdout.write(f"--- more than {MEMORY_LIMIT_MIB} MiB\n")
        return 1
    return 1 if failed else 0


def _short(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)[-6:])[-1800:]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0))
