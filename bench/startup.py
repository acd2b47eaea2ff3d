"""How long the program takes to start: whole processes, beside Python alone and the import of libraries, in one run.

    python bench/startup.py [ROUNDS]

The commands take turns, so that a machine that grows slower meanwhile is slower for all of them. Printed is the median,
and the least that the processor worked for a command: on a busy machine the rest is waiting for it. That one is printed
as a multiple, too: of Python alone, and of Python with the libraries that `check` needs, which is the floor for it.
Compare those between machines, and between versions.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PROGRAM = "import sys; from netaudit.cli import main; main()"
INTENT = "intent/two-plane.yml"
BARE, FLOOR = "python -c pass", "python, and the import of the libraries"

COMMANDS: dict[str, tuple[list[str], float | None]] = {
    BARE: (["-c", "pass"], None),
    FLOOR: (["-c", "import typer, yaml, jinja2; from pydantic import BaseModel, Field"], None),
    "netaudit --help": (["-c", PROGRAM, "--help"], 150.0),
    "netaudit check --help": (["-c", PROGRAM, "check", "--help"], None),
    f"netaudit check {INTENT}": (["-c", PROGRAM, "check", INTENT], 600.0),
    "netaudit check intent/sakura-like.yml": (["-c", PROGRAM, "check", "intent/sakura-like.yml"], None),
    "netaudit check intent/brownfield.yml": (["-c", PROGRAM, "check", "intent/brownfield.yml"], None),
    f"netaudit export {INTENT} cables": (["-c", PROGRAM, "export", INTENT, "cables"], None),
    "completion": (["-c", PROGRAM], None),
}
"""What is run → its arguments, and how many milliseconds it may take (issue 3), if that is said."""


def once_ms(name: str, arguments: list[str]) -> tuple[float, float]:
    """One run: from the start of the process to its end, and what of it the processor worked for it."""
    extra = {"_NETAUDIT_COMPLETE": "complete_bash", "COMP_WORDS": "netaudit ch", "COMP_CWORD": "1"}
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **(extra if name == "completion" else {})}
    # An installed program has its byte code; without it, what is measured is Python's compiler.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments], cwd=REPOSITORY, env=environment, capture_output=True, check=False
    )
    took_ms = (time.perf_counter() - started) * 1000
    if done.returncode != 0:
        raise SystemExit(f"{name} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took_ms, (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def main(rounds: int) -> int:
    """Exit code 1 if a median is above what it may be."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    worked: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for number in range(rounds + 1):
        for name, (arguments, _) in COMMANDS.items():
            took_ms, worked_ms = once_ms(name, arguments)
            if number:  # the first round writes byte code and fills the page cache
                times[name].append(took_ms)
                worked[name].append(worked_ms)
    bare, floor = min(worked[BARE]), min(worked[FLOOR])
    print(
        f"{rounds} rounds, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}"
    )
    print(f"{'':44}{'median':>8}{'worked':>8}{'Python alone':>16}{'with libraries':>16}   may take")
    late = False
    for name, found in times.items():
        median, limit = statistics.median(found), COMMANDS[name][1]
        late = late or (limit is not None and median > limit)
        told = f"{limit:.0f} ms{'  TOO SLOW' if median > limit else ''}" if limit is not None else ""
        least = min(worked[name])
        print(f"{name:44}{median:>6.0f}ms{least:>6.0f}ms{least / bare:>14.1f} ×{least / floor:>14.2f} ×   {told}")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 9))
