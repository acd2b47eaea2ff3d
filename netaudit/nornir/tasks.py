"""Nornir tasks for scripts: read a device, see what it would have to change, change it. Plain functions."""

from __future__ import annotations

from collections.abc import Mapping

from nornir.core.task import Result, Task

from netaudit.collect.failure import Failure, Unreached
from netaudit.collect.gnmi import GnmiClient
from netaudit.collect.read import TIMEOUT_S, Queries, collect, silence
from netaudit.collect.ssh import SshClient
from netaudit.nornir.connections import GNMI, SSH, target_of
from netaudit.push.device import change_one
from netaudit.push.plan import Plan, Status, Wanted
from netaudit.push.preview import preview
from netaudit.push.result import Word
from netaudit.push.run import Run


def netaudit_collect(task: Task, queries: Mapping[str, Queries], timeout_s: float = TIMEOUT_S) -> Result:
    """`result`: query id → answer, whatever failed. Failed is only a device that gave no answer at all.

    `queries`: platform → what it is asked.
    """
    wanted = tuple(queries[task.host.platform or ""])
    gnmi, ssh = _client(task, GNMI), _client(task, SSH)
    answers = collect(
        wanted,
        gnmi if isinstance(gnmi, GnmiClient | Failure) else None,
        ssh if isinstance(ssh, SshClient | Failure) else None,
        timeout_s,
    )
    reason = silence(answers)
    return Result(host=task.host, result=answers, failed=reason is not None, reason=reason)


def netaudit_plan(task: Task, wanted: Mapping[str, Wanted], timeout_s: float = TIMEOUT_S) -> Result:
    """`result`: the plan of the device, `diff` its lines. Failed where it was refused or not read."""
    plan = preview(wanted[task.host.name], target_of(task.host), timeout_s=timeout_s)
    return Result(
        host=task.host,
        result=plan,
        diff="\n".join(plan.diff),
        changed=False,
        failed=plan.status in (Status.REFUSED, Status.UNREAD),
    )


def netaudit_push(task: Task, plan: Plan, run: Run, dry_run: bool | None = None) -> Result:
    """`result`: what became of the device; a device that the plan does not change is left alone.

    One device, checked, read back, saved or taken back. Waves and gates are `netaudit.push.apply.push`'s.
    """
    entry = next((d for d in plan.changes if d.name == task.host.name), None)
    if entry is None or task.is_dry_run(dry_run):
        return Result(host=task.host, result=entry, diff="\n".join(entry.diff) if entry else "", changed=False)
    outcome = change_one(entry, target_of(task.host), run)
    done = outcome.word is Word.DONE
    return Result(host=task.host, result=outcome, diff="\n".join(entry.diff), changed=done, failed=not done)


def _client(task: Task, name: str) -> object:
    """The open client of a connection, or the Failure it ended with."""
    try:
        return task.host.get_connection(name, task.nornir.config)
    except Unreached as error:
        return error.failure
