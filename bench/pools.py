"""How long headroom, pools, marking and their checks take on switches of 256 ports, and whether that grows linearly.

    python bench/pools.py [PLANES ...]      default: 1 8, planes of 192 switches: 1,536 of them at 8

Seconds are those of the processor. The ratio is time for each switch, largest fabric over smallest: 1 is linear. The
exit code is 1 where it is above 1.5.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PLANES = (1, 8)
LEAVES, SPINES = 128, 64
"""Of a plane. A leaf has 128 hosts and 2 links to each spine, a spine 2 links to each leaf: 256 ports of 200G each."""
LINEAR = 1.5


def intent(planes: int) -> str:
    """The fabric with so many planes."""
    names = ", ".join("abcdefgh"[:planes])
    units = "\n".join(f"  su{n}: {{hosts: 128}}" for n in range(1, LEAVES + 1))
    return f"""\
schema: 1
fabric: bench
planes: [{names}]
rails: 1
units:
{units}
hosts: {{nic: cx8, speed: 200G}}
leaf: {{model: nvidia-sn5600, platform: sonic}}
spine: {{model: nvidia-sn5600, platform: sonic, count: {SPINES}, links: 2, speed: 200G}}
cables: {{host-leaf: 3m dac, leaf-spine: 40m dr8}}
"""


def timed(work: Callable[[], object]) -> float:
    """Processor seconds of a piece of work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def measure(planes: int) -> dict[str, float]:
    """Seconds of each stage; in this process."""
    from netaudit.checks import ecn, headroom, room
    from netaudit.checks.design import design
    from netaudit.expect import Expected
    from netaudit.expect.buffers import buffers
    from netaudit.fabric import build
    from netaudit.intent import load

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.yml"
        file.write_text(intent(planes))
        expected = Expected(build(load(file)))
    fabric, seconds = expected.built, {}
    seconds["ports"] = timed(lambda: [fabric.ports(name) for name in fabric.devices])
    seconds["survey"] = timed(lambda: design(expected))
    given = design(expected)
    rules = (headroom.rows, headroom.published, headroom.caps, room.fit, room.sharing, ecn.computed, ecn.everywhere)
    seconds["checks"] = timed(lambda: [list(rule(given)) for rule in rules])

    def pools() -> Iterable[object]:
        for device in fabric.devices.values():
            laid = fabric.ports(device.name)
            speeds = {key: port.speed_mbps for key, port in laid.items()}
            yield buffers(expected.wide, device, laid, speeds, {k for k, p in laid.items() if p.peer is not None})

    seconds["pools"] = timed(lambda: sum(1 for _ in pools()))
    ports = sum(sum(load.ports.values()) * len(load.devices) for load in given.loads)
    return {"switches": len(fabric.devices), "cabled": ports, "classes": len(given.classes), **seconds}


def main(sizes: tuple[int, ...]) -> int:
    """Print one line a size, and the ratio."""
    stages = ("ports", "survey", "checks", "pools")
    print(f"{'switches':>8}{'ports':>9}{'classes':>9}   " + "".join(f"{stage:>10}" for stage in stages))
    each: list[float] = []
    for planes in sizes:
        program = "import json, sys; from bench.pools import measure; print(json.dumps(measure(int(sys.argv[1]))))"
        done = subprocess.run(
            [sys.executable, "-c", program, str(planes)],
            cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        row = json.loads(done.stdout)
        each.append(sum(row[stage] for stage in stages) / row["switches"])
        print(f"{row['switches']:>8,}{row['cabled']:>9,}{row['classes']:>9}   "
              + "".join(f"{row[stage]:>8.2f} s" for stage in stages))  # fmt: skip
    ratio = each[-1] / each[0]
    print(f"time for each switch, largest over smallest: {ratio:.2f}")
    return int(ratio > LINEAR)


if __name__ == "__main__":
    sys.exit(main(tuple(map(int, sys.argv[1:])) or PLANES))
