"""Audit a fabric with Nornir: `python playbooks/weekly_audit.py INTENT [TARGETS]`.

Nornir collects from every switch at a time; the report names every switch, those that gave no answer too. Exit code:
0 as intended, 2 findings, 3 something was not audited.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nornir import InitNornir

from netaudit import pipeline
from netaudit.audit.report import text
from netaudit.nornir.hosts import HostError
from netaudit.nornir.tasks import netaudit_collect
from netaudit.platforms import names, platform
from netaudit.terminal import style_of


def main(intent: str, targets: str | None = None) -> int:
    expected = pipeline.load_fabric(Path(intent))
    nr = InitNornir(
        inventory={"plugin": "NetauditIntent", "options": {"intent": intent, "targets": targets}},
        runner={"plugin": "threaded", "options": {"num_workers": 20}},
        logging={"enabled": False},
    )
    with nr:
        read = nr.run(netaudit_collect, queries={name: platform(name).QUERIES for name in names()})
    given = {name: HostError(reason=str(r[0].exception)) if r[0].exception else r[0].result for name, r in read.items()}
    seen = [pipeline.observation(name, nr.inventory.hosts[name].platform, answers) for name, answers in given.items()]
    result = pipeline.audit(expected, intent, seen)
    print(text.render(result, style_of()), end="")
    return result.exit_code()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
