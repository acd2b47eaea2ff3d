"""What an audit's second pass costs in a large fabric: one dead link, then ten failures of all kinds at once.

    python bench/causes.py [SWITCHES]           default: 1536

Printed are processor seconds of `conclude` for a healthy fabric, one failure and ten, their ratio to listing the
planned routes of each switch once (the floor: nothing that looks at every table is faster), the peak of memory,
and the findings. Exit code 1 if a failure is not exactly one finding.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests")]

from audit.large import Large  # noqa: E402  (a fabric as its switches show it, one switch at a time)

from bench.scale import intent  # noqa: E402
from netaudit.audit.audit import conclude  # noqa: E402
from netaudit.audit.compare import DeviceAudit, compare  # noqa: E402
from netaudit.state import Failures  # noqa: E402


def main(switches: int) -> int:
    """Healthy, one dead link, ten failures; each in the same process, the fabric compared once."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.yml"
        file.write_text(intent(switches))
        large = Large.load(file)
    expected = large.expected
    started = time.process_time()
    routes = sum(len(expected.routes(name, Failures())) for name in expected.devices)
    first = time.process_time() - started
    started = time.process_time()
    routes = sum(len(expected.routes(name, Failures())) for name in expected.devices)
    floor = time.process_time() - started
    print(f"{len(expected.devices):,} switches, {len(expected.links):,} links, {routes:,} routes")
    print(f"routes worked out {first:.2f}s, printed again (the floor) {floor:.2f}s, {_mib():.0f} MiB")
    started = time.process_time()
    healthy = {o.device: compare(expected, o) for o in large.observations(())}
    print(f"compare {time.process_time() - started:.2f}s with making what is compared, {_mib():.0f} MiB", flush=True)
    bad = False
    for title, faults in (("healthy", ()), ("one dead link", large.one()), ("ten failures", large.ten())):
        audits = _audits(large, healthy, faults)
        started = time.process_time()
        result = conclude(expected, audits, large.noon)
        took = time.process_time() - started
        print(f"\n{title}: conclude {took:.2f}s, {took / floor:.1f} × the floor, {_mib():.0f} MiB")
        for finding in result.findings:
            print(f"  {finding.rule} {finding.title}  [{', '.join(c.text for c in finding.consequences)}]")
        bad |= len(result.findings) != len(faults)
    return int(bad)


def _audits(large: Large, healthy: Mapping[str, DeviceAudit], faults: tuple[object, ...]) -> Mapping[str, DeviceAudit]:
    return {**healthy, **dict(_compared(large, faults))} if faults else healthy


def _compared(large: Large, faults: tuple[object, ...]) -> Iterator[tuple[str, DeviceAudit]]:
    for observation in large.observations(faults, only_touched=True):  # type: ignore[arg-type]
        yield observation.device, compare(large.expected, observation)


def _mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1536))
