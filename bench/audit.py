"""How many devices a second an audit reads and compares, against simulated switches on this machine.

    python bench/audit.py [INTENT] [ROUNDS]

The simulator is on the same processors and takes most of them: a real fabric answers beside the reader, so that this is
the least an audit does. Reading, comparing and concluding are timed apart; memory is that of the reader.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))


def main(intent: Path, rounds: int) -> int:
    """Exit code 1 if a switch was not read."""
    from netaudit import pipeline
    from netaudit.audit.audit import conclude
    from netaudit.audit.compare import compare
    from netaudit.lab import control
    from netaudit.labdir import write_lab

    with tempfile.TemporaryDirectory(prefix="netaudit-bench-") as name:
        folder = Path(name)
        expected = pipeline.load_fabric(intent)
        write_lab(expected.built, folder)
        targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder)))
        try:
            pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs")
            print(f"{len(targets)} switches, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
            print(f"{'round':>6}{'read':>9}{'compare':>9}{'conclude':>10}{'devices/s':>11}{'findings':>10}{'MiB':>6}")
            for number in range(1, rounds + 1):
                started = time.perf_counter()
                seen = list(pipeline.observe(expected, targets))
                read = time.perf_counter()
                audits = {o.device: compare(expected, o) for o in seen}
                compared = time.perf_counter()
                result = conclude(expected, audits, datetime.now(UTC))
                done = time.perf_counter()
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                mib = peak / (2**20 if sys.platform == "darwin" else 2**10)
                print(
                    f"{number:>6}{read - started:>8.2f}s{compared - read:>8.2f}s{done - compared:>9.2f}s"
                    f"{len(seen) / (done - started):>11.1f}{len(result.findings):>10}{mib:>6.0f}",
                    flush=True,
                )
                if any(o.failure for o in seen):
                    print(next(o.failure for o in seen if o.failure))
                    return 1
        finally:
            control.down(folder)
    return 0


if __name__ == "__main__":
    sys.exit(
        main(
            Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "intent" / "two-plane.yml",
            int(sys.argv[2]) if len(sys.argv) > 2 else 3,
        )
    )
