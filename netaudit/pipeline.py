"""The stages composed: what a command line or a playbook calls. Each returns a value; nothing is printed here."""

from __future__ import annotations

import hashlib
import shlex
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from netaudit import __version__, platforms
from netaudit.audit.audit import conclude
from netaudit.audit.compare import DeviceAudit, compare
from netaudit.audit.findings import AuditResult, Comparison, DeviceVerdict, Finding
from netaudit.audit.observed import Observation, Problem
from netaudit.collect.doctor import Examination, examine
from netaudit.collect.read import TIMEOUT_S, collect_device, silence
from netaudit.collect.snapshot import Recorder, Snapshot
from netaudit.collect.targets import Target, check_secrets, load_targets, site_targets
from netaudit.expect import Expected
from netaudit.expect.headroom import is_dynamic
from netaudit.gate import session_gate
from netaudit.intent import Intent
from netaudit.nornir.hosts import HostError, each_host
from netaudit.pipeline_load import load_fabric as load_fabric  # one name for what composes the stages
from netaudit.pipeline_load import select as select
from netaudit.platforms import Answer, Answers, Files, Miss, Query
from netaudit.push.apply import Means, Undo, push
from netaudit.push.plan import DevicePlan, Plan, Status, Wanted, make_plan, unread
from netaudit.push.preview import preview
from netaudit.push.result import PushResult
from netaudit.push.run import Event
from netaudit.render import render

OnDone = Callable[[str, str], None]
"""(device, `read` or why not): progress."""


def targets(expected: Expected, names: Collection[str], file: Path | None) -> Mapping[str, Target]:
    """How each device is reached: a targets file, else the intent's management. Raises `Invalid`, `Unusable`."""
    chosen = {name: expected.built.devices[name].platform for name in names}
    if file is not None:
        found = load_targets(file, chosen)
    else:
        management = expected.built.intent.model.management
        dns = management.dns
        addresses = {
            name: expected.built.devices[name].management or (dns.format(name=name) if dns else "") for name in names
        }
        credentials = management.credentials
        found = site_targets(addresses, chosen, user=credentials.user, password=credentials.password)
    check_secrets(found.values())
    return found


def render_all(expected: Expected, names: Iterable[str]) -> Iterator[tuple[str, Files]]:
    """(device, its files), device by device."""
    for name in names:
        yield name, render(expected.device(name))


def wanted(expected: Expected, name: str) -> Wanted:
    """What a push brings a device to."""
    device = expected.built.devices[name]
    return Wanted(
        name=name,
        platform=device.platform,
        place=device.place,
        files=render(expected.device(name)),
        owns=_areas(expected),
        serial=device.row.serial if device.row is not None and device.row.serial else "",
    )


def _areas(expected: Expected) -> tuple[str, ...]:
    owns = tuple(expected.built.intent.model.owns)
    return ("ports", "addressing", "bgp", "qos", "buffers", "lldp") if "all" in owns else owns


def plan(expected: Expected, reached: Mapping[str, Target], on_done: OnDone | None = None) -> Plan:
    """What a push would change on each device; reads them all, writes nothing."""
    shall = {name: wanted(expected, name) for name in reached}
    made = plan_files(expected.fabric, shall, reached, intent_sha256(expected.built.intent), on_done)
    return replace(made, devices=tuple(_excused(expected, device) for device in made.devices))


def _excused(expected: Expected, device: DevicePlan) -> DevicePlan:
    """A device that need not answer, and does not, has nothing to change; another one as it is."""
    reason = expected.excuse(device.name)
    return replace(device, status=Status.NONE, reason=reason) if device.status is Status.UNREAD and reason else device


def intent_sha256(intent: Intent) -> str:
    """SHA-256 of the intent as it was read: what an approval binds to."""
    text = intent.model.model_dump_json(by_alias=True)
    rows = repr(
        [
            intent.devices,
            sorted((sorted(k), v.length_m) for k, v in intent.cables.items()),
            sorted(intent.host_names.items()),
            sorted(intent.host_status.items()),
            intent.raw,
        ]
    )
    return hashlib.sha256((text + rows).encode()).hexdigest()


def carry_out(
    approved: Plan,
    reached: Mapping[str, Target],
    runs: Path,
    *,
    undo: str = "wave",
    on_event: Callable[[Event], None] | None = None,
) -> PushResult:
    """Push a plan, wave by wave, with Nornir as the runner."""
    means = Means(targets=reached, each_host=each_host)
    return push(approved, means, runs=runs, gate=session_gate(approved, reached), undo=Undo(undo), on_event=on_event)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One device to be read."""

    target: Target
    timeout_s: float
    beside: tuple[Query, ...] = ()
    """What is asked of this device alone."""


def _collect(asked: _Asked) -> Answers:
    queries = (*platforms.platform(asked.target.platform).QUERIES, *asked.beside)
    return collect_device(queries, asked.target, asked.timeout_s)


def beside(expected: Expected, name: str) -> tuple[Query, ...]:
    """What is asked of a device alone, beside what is asked of every one: the site's own rows, what it computes for."""
    if not expected.built.intent.model.raw and not is_dynamic(expected.built, expected.built.devices[name]):
        return ()
    return platforms.platform(expected.built.devices[name].platform).raw_queries(expected.device(name))


def answers(
    expected: Expected, reached: Mapping[str, Target], timeout_s: float = TIMEOUT_S, on_done: OnDone | None = None
) -> Iterator[tuple[str, Answers | HostError]]:
    """(device, its answers) as they come in; every device gives a pair."""
    items = {name: _Asked(target, timeout_s, beside(expected, name)) for name, target in reached.items()}
    with closing(each_host(items, _collect)) as found:
        for name, answer in found:
            if on_done:
                on_done(name, str(answer) if isinstance(answer, HostError) else silence(answer) or "read")
            yield name, answer


def observation(
    name: str,
    platform_name: str,
    given: Answers | HostError,
    address: str = "",
    at: datetime | None = None,
    also: tuple[Query, ...] = (),
) -> Observation:
    """A device's answers as its platform reads them. Whatever is wrong with them is data."""
    failure = str(given) if isinstance(given, HostError) else silence(given)
    if failure or isinstance(given, HostError):
        return Observation(device=name, failure=failure or "no answer", address=address)
    platform = platforms.platform(platform_name)
    unasked = Answer(miss=Miss.FAILED, reason="it was not asked when the snapshot was taken")
    reading = platform.read({**{q.id: unasked for q in also}, **given}, name)
    queries = {q.id: q for q in (*platform.QUERIES, *also)}
    problems = tuple(
        Problem(store=queries[i].store, asked=queries[i].label, reason=why)
        for i, why in reading.problems
        if i in queries
    )
    return Observation(
        device=name,
        stores=reading.stores,
        problems=problems,
        doubts=reading.doubts,
        read_at=at or datetime.now(UTC),
        address=address,
    )


def observe(
    expected: Expected, reached: Mapping[str, Target], timeout_s: float = TIMEOUT_S, on_done: OnDone | None = None
) -> Iterator[Observation]:
    """Every device as it is now, as they come in."""
    for name, given in answers(expected, reached, timeout_s, on_done):
        also = beside(expected, name)
        yield observation(name, expected.built.devices[name].platform, given, reached[name].address, also=also)


def replay(expected: Expected, snapshot: Snapshot, names: Iterable[str]) -> Iterator[Observation]:
    """Every device as it was when a snapshot was taken."""
    for name in names:
        recorded = snapshot.look(name)
        if isinstance(recorded, str):
            yield Observation(device=name, failure=recorded)
            continue
        also = beside(expected, name)
        given = recorded.answers
        yield observation(name, expected.built.devices[name].platform, given, at=snapshot.taken, also=also)


def record(
    expected: Expected, reached: Mapping[str, Target], folder: Path, on_done: OnDone | None = None
) -> tuple[Snapshot, dict[str, str]]:
    """A snapshot of every device, and why those are missing that gave no answer."""
    recorder = Recorder(folder, fabric=expected.fabric, version=__version__, taken=datetime.now(UTC))
    missing: dict[str, str] = {}
    for name, given in answers(expected, reached, on_done=on_done):
        reason = str(given) if isinstance(given, HostError) else silence(given)
        if reason:
            missing[name] = reason
        if not isinstance(given, HostError):
            recorder.add(name, expected.built.devices[name].platform, given)
    return recorder.finish(), missing


def audit(
    expected: Expected,
    named: str,
    observations: Iterable[Observation],
    *,
    scope: Collection[str] | None = None,
    again: Callable[[Collection[str]], Iterable[Observation]] | None = None,
    settle_s: float = 0.0,
    wait: Callable[[float], None] = time.sleep,
) -> AuditResult:
    """The audit of a fabric. `named` is the intent as the user wrote it.

    Before findings are reported, the devices behind them are read once more after `settle_s` (`again`); what is gone
    then was a change under way, and is listed as such.
    """
    started = datetime.now(UTC)
    audits: dict[str, DeviceAudit] = {o.device: compare(expected, o) for o in observations}
    result = conclude(expected, audits, started, scope)
    changed: tuple[str, ...] = ()
    if again is not None and settle_s > 0 and result.findings:
        wait(settle_s)
        concerned = {d for f in result.findings for d in _concerned(f) if d in audits}
        audits.update((o.device, compare(expected, o)) for o in again(concerned))
        before, result = result, conclude(expected, audits, started, scope)
        left = {f.fingerprint for f in result.findings}
        changed = tuple(f"{f.rule} {f.title}" for f in before.findings if f.fingerprint not in left)
    return _dressed(expected, named, replace(result, changed_during=changed, settle_s=settle_s))


def _concerned(finding: Finding) -> Iterator[str]:
    """Every device whose answers a finding rests on."""
    yield from finding.devices
    for consequence in finding.consequences:
        yield from consequence.devices


def _dressed(expected: Expected, named: str, result: AuditResult) -> AuditResult:
    """With what audit cannot know: the intent's name and lines, models, and what each port is for."""
    quoted = shlex.quote(named)
    return replace(
        result,
        intent=named,
        finished_at=datetime.now(UTC),
        version=__version__,
        timezone=expected.built.intent.model.timezone,
        findings=tuple(_finding(expected, quoted, f) for f in result.findings),
        devices=tuple(_device(expected, d) for d in result.devices),
    )


def _finding(expected: Expected, quoted: str, finding: Finding) -> Finding:
    comparisons = tuple(_with_text(expected, c) for c in finding.comparisons)
    return replace(finding, fix=finding.fix.replace("INTENT", quoted), comparisons=comparisons)


def _with_text(expected: Expected, comparison: Comparison) -> Comparison:
    if comparison.source is None:
        return comparison
    return replace(comparison, source_text=expected.built.intent.text(comparison.source))


def _device(expected: Expected, verdict: DeviceVerdict) -> DeviceVerdict:
    device = expected.built.devices[verdict.name]
    laid = expected.built.ports(verdict.name)
    ports = tuple((key, str(port.peer) if port.peer else "spare") for key, port in laid.items())
    return replace(verdict, model=f"{device.model.name}, {device.platform}", ports=ports)


def plan_files(
    fabric: str,
    shall: Mapping[str, Wanted],
    reached: Mapping[str, Target],
    intent_sha: str = "",
    on_done: OnDone | None = None,
) -> Plan:
    """A plan that brings devices to given files: those of the intent, or of a rollback."""
    items = {name: (files, reached[name]) for name, files in shall.items()}
    found: dict[str, DevicePlan] = {}
    with closing(each_host(items, lambda item: preview(item[0], item[1]))) as given:
        for name, answer in given:
            found[name] = unread(shall[name], str(answer)) if isinstance(answer, HostError) else answer
            if on_done:
                on_done(name, found[name].reason or str(found[name].status))
    return make_plan(fabric, intent_sha, [found[name] for name in shall])


def examine_all(
    reached: Mapping[str, Target], on_done: OnDone | None = None
) -> dict[str, tuple[Examination, ...] | str]:
    """How far each device can be reached, or why it could not even be tried."""
    found: dict[str, tuple[Examination, ...] | str] = {}
    with closing(each_host(reached, lambda t: examine(platforms.platform(t.platform).QUERIES, t))) as given:
        for name, answer in given:
            found[name] = str(answer) if isinstance(answer, HostError) else answer
            if on_done:
                on_done(name, "read")
    return {name: found[name] for name in reached}
