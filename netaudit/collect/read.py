"""The answers of one device to everything its platform asks; each query ends as an answer, whatever happens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Final, TypeAlias

from netaudit.collect.failure import Failure, Kind, ReachStep, one_line
from netaudit.collect.gnmi import GnmiClient
from netaudit.collect.ssh import Completed, SshClient, open_ssh
from netaudit.collect.targets import Target
from netaudit.platforms import Answer, Answers, Miss, Query

Queries: TypeAlias = Iterable[Query]
TIMEOUT_S: Final = 60.0
"""For each request. design/terminal.md: "no answer in 60 s"."""
_MOST_LATE: Final = 2
"""One command may be slow; a device that lets two in a row wait would let all of them wait."""
_BEGINNING: Final = 4096
"""Characters of an output in which its first line with words stands."""
_NO_FILE: Final = "No such file or directory"
"""What cat says in the C locale; with exit code 1 it is the answer "there is none", with 127 a missing program."""


def collect(
    queries: Queries,
    gnmi: GnmiClient | Failure | None,
    ssh: SshClient | Failure | None,
    timeout_s: float = TIMEOUT_S,
) -> Answers:
    """The answer to each query, by its id, in the order of the queries.

    A transport may be a Failure, which is then the reason of all its answers, or `None`: the device has none.
    """
    wanted = tuple(queries)
    answers = {
        **_over_gnmi([q for q in wanted if q.transport == "gnmi"], gnmi),
        **_over_ssh([q for q in wanted if q.transport == "ssh"], ssh, timeout_s),
    }
    return {q.id: answers.get(q.id) or _failed(f"there is no transport {q.transport}") for q in wanted}


def collect_device(queries: Queries, target: Target, timeout_s: float = TIMEOUT_S) -> Answers:
    """The answers of a device, over one connection for each transport that the queries need.

    Raises Unusable where a secret or the CA file is missing: that is no device's fault.
    """
    wanted = tuple(queries)
    needed = {query.transport for query in wanted}
    with ExitStack() as stack:
        gnmi = stack.enter_context(GnmiClient(target, timeout_s)) if "gnmi" in needed else None
        ssh = open_ssh(target) if "ssh" in needed else None
        if isinstance(ssh, SshClient):
            stack.enter_context(ssh)
        return collect(wanted, gnmi, ssh, timeout_s)


def silence(answers: Answers) -> str | None:
    """The reason why a device gave no answer at all; None if it gave one, be it "there is none"."""
    if any(answer.miss is not Miss.FAILED for answer in answers.values()):
        return None
    return "; ".join(dict.fromkeys(answer.reason for answer in answers.values())) or "nothing was asked"


def _over_gnmi(queries: Sequence[Query], client: GnmiClient | Failure | None) -> Mapping[str, Answer]:
    if not queries or client is None:
        return {q.id: _failed("the device has no gNMI") for q in queries}
    found = client if isinstance(client, Failure) else client.get(queries)
    if isinstance(found, Failure):
        return {q.id: _failed(f"gNMI {found}") for q in queries}
    answers = {q.id: found.get(q.id) or _failed("no answer") for q in queries}
    return {
        id_: a if a.miss is not Miss.FAILED else replace(a, reason=f"gNMI {a.reason}") for id_, a in answers.items()
    }


def _over_ssh(queries: Sequence[Query], client: SshClient | Failure | None, timeout_s: float) -> Mapping[str, Answer]:
    answers: dict[str, Answer] = {}
    late = 0
    for query in queries:
        if client is None:
            answers[query.id] = _failed("the device has no SSH")
        elif isinstance(client, Failure):
            answers[query.id] = _failed(f"SSH {client}")
        else:
            result = client.run(query.command, timeout_s, codes=not query.refusal)
            answers[query.id] = _answer(result, query)
            late = late + 1 if isinstance(result, Failure) and result.kind is Kind.TIMED_OUT else 0
            if isinstance(result, Failure) and (not client.alive or late == _MOST_LATE):
                client = result  # the reason for all that follow: what is dead or hangs is not asked again
    return answers


def _answer(result: Completed | Failure, query: Query) -> Answer:
    if isinstance(result, Failure):
        return _failed(f"SSH {result}")
    lines = (result.stdout.lstrip() or result.stderr.lstrip())[:_BEGINNING].splitlines()
    first = next((line.strip() for line in lines if re.search("[A-Za-z]", line)), "")  # NX-OS draws a caret first
    if query.absent and re.match(query.absent, first):
        return Answer(miss=Miss.ABSENT)
    if query.refusal and re.match(query.refusal, first):
        return _failed(f"SSH {ReachStep.PATH}: {one_line(first)}")
    if result.exit_code == 0:
        return Answer(text=result.stdout)
    if result.exit_code == 1 and _NO_FILE in result.stderr:
        return Answer(miss=Miss.ABSENT)
    said = one_line(result.stderr if result.stderr.strip() else result.stdout)
    return _failed(f"SSH {ReachStep.PATH}: exit code {result.exit_code}: {said}")


def _failed(reason: str) -> Answer:
    return Answer(miss=Miss.FAILED, reason=reason)
