"""The sweep of all single failures, and the proof that no deadlock can be, as multiples of one plane.

    python bench/whatif.py [SWITCHES ...]       default: 200 1000

Processor seconds. The floor, in the same run, is what the sweep must at least do once: build the graph and work out the
tables of one plane.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.scale import intent
from netaudit.deadlock import prove
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.state import Failures
from netaudit.whatif import KINDS, Outcome, Study, graph
from netaudit.whatif.flow import flows

T = TypeVar("T")
SIZES = (200, 1000)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds and result."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def main(sizes: tuple[int, ...]) -> int:
    """Print one line a size."""
    print(f"{'switches':>8}{'links':>9}{'failures':>10}{'floor':>9}{'sweep':>18}{'deadlock':>18}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bench.yml"
            file.write_text(intent(size))
            expected = Expected(build(load(file)))
        build_s, wired = timed(partial(graph, expected))
        plane_s, _ = timed(partial(flows, wired, wired.planes[0], Failures()))
        floor_s = build_s + plane_s
        sweep_s, outcomes = timed(partial(_sweep, Study(wired)))
        proof_s, proof = timed(partial(prove, wired))
        assert proof.cycle is None
        failures = sum(outcome.event.count for outcome in outcomes)
        print(
            f"{len(wired.doors):>8,}{len(wired.links):>9,}{failures:>10,}{floor_s:>8.2f}s"
            f"{sweep_s:>9.2f}s {sweep_s / floor_s:>6.1f}x{proof_s:>9.2f}s {proof_s / floor_s:>6.1f}x",
            flush=True,
        )
    return 0


def _sweep(study: Study) -> list[Outcome]:
    return list(study.sweep(KINDS))


if __name__ == "__main__":
    sys.exit(main(tuple(int(word) for word in sys.argv[1:]) or SIZES))
