"""Push an intent with Nornir: `python playbooks/push.py INTENT [TARGETS]`.

Nornir reads every switch at a time and says what would change; after a yes the change goes out in waves, each device
checkpointed, read back, and taken back if it is not as planned.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nornir import InitNornir

from netaudit import pipeline
from netaudit.nornir.connections import target_of
from netaudit.nornir.hosts import each_host
from netaudit.nornir.tasks import netaudit_plan
from netaudit.push.apply import Means, push
from netaudit.push.plan import make_plan
from netaudit.push.report import plan_lines, push_lines
from netaudit.terminal import style_of


def main(intent: str, targets: str | None = None) -> int:
    expected = pipeline.load_fabric(Path(intent))
    nr = InitNornir(
        inventory={"plugin": "NetauditIntent", "options": {"intent": intent, "targets": targets}},
        runner={"plugin": "threaded", "options": {"num_workers": 20}},
        logging={"enabled": False},
    )
    wanted = {name: pipeline.wanted(expected, name) for name in nr.inventory.hosts}
    read = nr.run(netaudit_plan, wanted=wanted)
    plan = make_plan(
        expected.fabric, pipeline.intent_sha256(expected.built.intent), [r[0].result for r in read.values()]
    )
    print("\n".join(plan_lines(plan, "this plan", style_of())))
    if plan.blocked or not plan.changes:
        return plan.exit_code()
    if input("Push? [yes/no] ") != "yes":
        return 0
    reached = {name: target_of(host) for name, host in nr.inventory.hosts.items()}
    result = push(plan, Means(targets=reached, each_host=each_host), runs=Path("runs"), on_event=print)
    print("\n".join(push_lines(result, "this plan", style_of())))
    return result.exit_code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
