"""Audit a fabric with Nornir: `python playbooks/weekly_audit.py INTENT [TARGETS]`.

Nornir collects from every switch at a time; the report names every switch, those that gave no answer too. Exit code:
0 as intended, 2 findings, 3 something was not audited.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nornir import InitNornir

from netaudit import pipeline, pipeline_watch
from netaudit.audit.report import text
from netaudit.diag import Severity
from netaudit.nornir.hosts import HostError
from netaudit.nornir.tasks import netaudit_collect
from netaudit.platforms import names, platform
from netaudit.terminal import style_of

HISTORY = Path(".netaudit/history.sqlite")
"""Where `netaudit history` looks too."""


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
    result = pipeline_watch.judged(
        pipeline.audit(expected, intent, seen),
        pipeline_watch.load_all_waivers(expected),
        history=HISTORY,
        intent_sha=pipeline.intent_sha256(expected.built.intent),
        fail_on=Severity.ERROR,
    )
    print(text.render(result, style_of()), end="")
    return result.exit_code()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
