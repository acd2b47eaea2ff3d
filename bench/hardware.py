"""How long the catalogue takes to read, and that a fabric reads only the models it is built of.

    python bench/hardware.py [ROUNDS]

Each row is a new process; printed is the median of what the processor worked for it beyond importing the package.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
TIMED = """
import time
import netaudit.hardware as hardware
before = time.process_time()
{work}
print((time.process_time() - before) * 1000)
"""
ROWS = {
    "names": "hardware.switch_names(), hardware.nic_names(), hardware.media_names()",
    "one model": "hardware.switch('nvidia-sn5600')",
    "the largest model": "hardware.switch('nvidia-sn4700')",
    "all models": "hardware.models()",
}
READ = """
from pathlib import Path
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.hardware import catalogue
Expected(build(load(Path('intent/two-plane.yml'))))
print(catalogue._switch.cache_info().currsize)
"""


def once(program: str) -> float:
    """What a new process prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    return float(done.stdout)


def main(rounds: int) -> int:
    """Exit code 1 if the example reads more models than it is built of."""
    for name, work in ROWS.items():
        times = [once(TIMED.format(work=work)) for _ in range(rounds)]
        print(f"{name:<20} {statistics.median(times):8.1f} ms")
    read = int(once(READ))
    print(f"models that two-plane reads: {read}")
    return int(read != 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 9))
