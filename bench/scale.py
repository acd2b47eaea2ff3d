"""How time and memory grow with the fabric: check, render and routes, each size in a process of its own.

    python bench/scale.py [SWITCHES ...]        default: 50 100 200 400 800 1500

Seconds are those of the processor, whatever else the machine does. Printed a switch, as well: linear growth is a column
that stays (a spine has more links in a larger plane: compare sizes of more than one plane).
"""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
SIZES = (50, 100, 200, 400, 800, 1500)
PLANES, LEAVES, MOST_SPINES = 8, 128, 60
"""A spine of 64 cages has 128 ports of 400G, and a leaf as many for hosts and spines."""


def intent(switches: int) -> str:
    """A fabric with about so many switches: planes of at most 128 leaves, as many as a spine has ports."""
    planes = min(PLANES, max(1, math.ceil(switches / (LEAVES + MOST_SPINES))))
    rest = switches / planes
    spines = max(2, min(MOST_SPINES, round(rest / 3)))
    leaves = min(LEAVES, max(1, round(rest - spines)))
    names = ", ".join("abcdefgh"[:planes])
    units = "\n".join(f"  su{n}: {{hosts: 8}}" for n in range(1, leaves + 1))
    return f"""\
schema: 1
fabric: bench
planes: [{names}]
rails: 1
units:
{units}
hosts: {{nic: cx8, speed: 400G}}
leaf: {{model: nvidia-sn5600, platform: sonic}}
spine: {{model: nvidia-sn5600, platform: sonic, count: {spines}, links: 1, speed: 400G}}
cables: {{host-leaf: 3m dac, leaf-spine: 40m dr8}}
"""


def measure(switches: int) -> dict[str, float]:
    """Processor seconds of each stage, and the peak of memory; in this process."""
    from netaudit.checks import check
    from netaudit.expect import Expected
    from netaudit.fabric import build
    from netaudit.intent import load
    from netaudit.render import render
    from netaudit.state import Failures

    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.yml"
        file.write_text(intent(switches))
        started = time.process_time()
        expected = Expected(build(load(file)))
        seconds["load"] = time.process_time() - started
    started = time.process_time()
    check(expected, None)
    seconds["check"] = time.process_time() - started
    started = time.process_time()
    for name in expected.devices:
        render(expected.device(name))
    seconds["render"] = time.process_time() - started
    started = time.process_time()
    routes = sum(len(expected.routes(name, Failures())) for name in expected.devices)
    seconds["routes"] = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return {"switches": len(expected.devices), "links": len(expected.links), "routes_": routes, **seconds, "MiB": peak}


def main(sizes: tuple[int, ...]) -> int:
    """Print one line a size."""
    stages = ("load", "check", "render", "routes")
    print(f"{'switches':>8}{'links':>8}{'routes':>9}{'MiB':>6}   " + "".join(f"{stage:>18}" for stage in stages))
    for size in sizes:
        program = "import json, sys; from bench.scale import measure; print(json.dumps(measure(int(sys.argv[1]))))"
        done = subprocess.run(
            [sys.executable, "-c", program, str(size)],
            cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            print(f"{size:>8}  failed: {done.stderr.strip()[-300:]}")
            return 1
        row = json.loads(done.stdout)
        each = "".join(f"{row[s]:>8.2f}s {row[s] / row['switches'] * 1000:>6.2f}ms" for s in stages)
        print(f"{row['switches']:>8,}{row['links']:>8,}{row['routes_']:>9,}{row['MiB']:>6.0f}   {each}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(tuple(int(word) for word in sys.argv[1:]) or SIZES))
