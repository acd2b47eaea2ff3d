"""Which step of reaching a device fails, over each transport it is asked by."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from netaudit.collect.failure import Failure, ReachStep
from netaudit.collect.gnmi import GnmiClient
from netaudit.collect.read import TIMEOUT_S, collect
from netaudit.collect.ssh import SshClient, open_ssh
from netaudit.collect.targets import Target
from netaudit.platforms import Miss, Query


class Verdict(StrEnum):
    """What became of a step (design/terminal.md, doctor)."""

    OK = "ok"
    FAIL = "FAIL"
    NOT_REACHED = "–"


STEPS: Mapping[str, tuple[ReachStep, ...]] = {
    "gnmi": (ReachStep.DNS, ReachStep.TCP, ReachStep.TLS, ReachStep.AUTH, ReachStep.PATH),
    "ssh": (ReachStep.DNS, ReachStep.TCP, ReachStep.HOST_KEY, ReachStep.AUTH, ReachStep.PATH),
}
"""Transport → its steps, in the order in which they happen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """One device over one transport."""

    name: str
    transport: str
    verdicts: Mapping[ReachStep, Verdict]
    failure: Failure | None
    """Of the step that fails; None if every step is ok, or if it is `path`."""
    paths: Mapping[str, str]
    """Query as a report names it → why it gave no usable answer."""
    needed: bool = True
    """Whether it tells anything that another transport does not tell as well."""
    took_s: float

    @property
    def ok(self) -> bool:
        """Every step and every path."""
        return all(verdict is Verdict.OK for verdict in self.verdicts.values())


def examine(queries: Iterable[Query], target: Target, timeout_s: float = TIMEOUT_S) -> tuple[Examination, ...]:
    """How far each transport that the queries need gets, down to every single path."""
    wanted = tuple(queries)
    needed = [transport for transport in STEPS if any(q.transport == transport for q in wanted)]
    return tuple(_examine(t, [q for q in wanted if q.transport == t], target, timeout_s) for t in needed)


def _examine(transport: str, queries: Sequence[Query], target: Target, timeout_s: float) -> Examination:
    started = time.monotonic()
    failed = _over_gnmi(queries, target, timeout_s) if transport == "gnmi" else _over_ssh(queries, target, timeout_s)
    failure = failed if isinstance(failed, Failure) else None
    paths = {} if isinstance(failed, Failure) else failed
    at = failure.step if failure else ReachStep.PATH if paths else None
    return Examination(
        name=target.name,
        transport=transport,
        verdicts=_verdicts(STEPS[transport], at),
        failure=failure,
        paths=paths,
        needed=any(not query.instead for query in queries),
        took_s=time.monotonic() - started,
    )


def _over_gnmi(queries: Sequence[Query], target: Target, timeout_s: float) -> Failure | Mapping[str, str]:
    with GnmiClient(target, timeout_s) as client:
        said = client.capabilities()
        return said if isinstance(said, Failure) else _paths(queries, client, None, timeout_s)


def _over_ssh(queries: Sequence[Query], target: Target, timeout_s: float) -> Failure | Mapping[str, str]:
    client = open_ssh(target)
    if isinstance(client, Failure):
        return client
    with client:
        return _paths(queries, None, client, timeout_s)


def _paths(
    queries: Sequence[Query], gnmi: GnmiClient | None, ssh: SshClient | None, timeout_s: float
) -> Mapping[str, str]:
    answers = collect(queries, gnmi, ssh, timeout_s)
    said = "gNMI " if ssh is None else "SSH "  # the row says so already
    return {q.label: answers[q.id].reason.removeprefix(said) for q in queries if answers[q.id].miss is Miss.FAILED}


def _verdicts(steps: Sequence[ReachStep], failed: ReachStep | None) -> Mapping[ReachStep, Verdict]:
    if failed is None:
        return dict.fromkeys(steps, Verdict.OK)
    at = steps.index(failed)
    return {
        step: Verdict.OK if i < at else Verdict.FAIL if i == at else Verdict.NOT_REACHED for i, step in enumerate(steps)
    }
