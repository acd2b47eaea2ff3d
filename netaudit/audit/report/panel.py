"""The front panel of one switch: its cages as they sit, two rows, and what is wrong in each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from netaudit.audit.findings import DeviceVerdict, Finding
from netaudit.audit.report.summary import SEVERITIES
from netaudit.diag import Severity
from netaudit.terminal import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """One hole of the front panel with all its sub-ports."""

    name: str
    label: str
    """`12: su1-h23, su1-h24; error`."""
    state: str
    """`error`, `warning`, `info`, `good`, `spare`, or `unknown` on a switch of which nothing was seen."""
    href: str
    """The finding to read; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """All cages in their order, and one line of text that says the same."""

    cages: tuple[Cage, ...]
    caption: str


def panel(device: DeviceVerdict, findings: Sequence[tuple[str, Finding]]) -> Panel | None:
    """Return the front panel of `device`; `findings` are its causes with their addresses, worst first.

    `None` where nothing is known of its ports.
    """
    if not device.ports:
        return None
    bad = _bad(device.name, findings)
    plain = "unknown" if device.audited == "not" else "good"
    cages = tuple(
        _cage(name, list(ports), bad, plain) for name, ports in groupby(device.ports, key=lambda p: _cage_of(p[0]))
    )
    used = sum(cage.state != "spare" for cage in cages)
    wrong = sum(cage.href != "" for cage in cages)
    spare = sum(there == "spare" for _, there in device.ports)
    said = [f"{counted(len(cages), 'cage')}: {used} in use", f"{counted(spare, 'spare port')}" if spare else ""]
    said.append(f"{wrong} with findings" if wrong else "none with findings")
    said.append({"not": "none was read: NOT AUDITED", "part": "in part NOT AUDITED"}.get(device.audited, ""))
    return Panel(cages=cages, caption=", ".join(filter(None, said)))


def _cage_of(port: str) -> str:
    return port.partition("/")[0]


def _bad(device: str, findings: Sequence[tuple[str, Finding]]) -> Mapping[str, tuple[Severity, str]]:
    """Port or cage as the finding names it → the worst that is said of it, and where to read it."""
    bad: dict[str, tuple[Severity, str]] = {}
    for severity in SEVERITIES:
        for href, finding in findings:
            if finding.severity is not severity:
                continue
            for named in (*finding.objects, finding.object):
                place, colon, port = named.rpartition(":")
                if colon and place == device and re.fullmatch(r"\d+(/\d+)?", port):
                    bad.setdefault(port, (severity, href))
    return bad


def _cage(name: str, ports: Sequence[tuple[str, str]], bad: Mapping[str, tuple[Severity, str]], plain: str) -> Cage:
    found = [bad[port] for port in (name, *(port for port, _ in ports)) if port in bad]
    worst = min(found, key=lambda f: SEVERITIES.index(f[0]), default=None)
    far = dict.fromkeys(there for _, there in ports)
    spare = "" if worst is None and any(there != "spare" for there in far) else "spare"
    state = str(worst[0]) if worst else spare or plain
    said = f"{name}: {', '.join(far)}"
    return Cage(
        name=name,
        label=f"{said}; {worst[0]}" if worst else said,
        state=state,
        href=worst[1] if worst else "",
    )
