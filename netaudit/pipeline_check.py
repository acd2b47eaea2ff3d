"""Everything that is decided before a change: the design rules, and each platform's own look at what it would get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from netaudit import platforms
from netaudit.checks import Checked, check
from netaudit.diag import Diagnostic, Severity
from netaudit.expect import Expected
from netaudit.render import render


def check_all(expected: Expected) -> Checked:
    """The design rules; where none refuses, the rendered files of every device by their platform's own rules."""
    checked = check(expected, datetime.now(UTC).date())
    if any(d.severity is Severity.ERROR for d in checked.diagnostics):
        return checked
    return replace(checked, diagnostics=(*checked.diagnostics, *_files(expected)))


def _files(expected: Expected) -> Iterator[Diagnostic]:
    """A problem in a rendered file is ours; equal ones on several devices are one."""
    owns = expected.built.intent.model.owns
    seen: dict[str, list[str]] = {}
    for name in expected.devices:
        platform = platforms.platform(expected.built.devices[name].platform)
        files = render(expected.device(name))
        # without the area the routing text is somebody else's, and what we render of it is no whole file
        whole = files if {"bgp", "all"} & {*owns} else {n: t for n, t in files.items() if n != platform.ROUTING_FILE}
        for problem in platform.problems(whole):
            seen.setdefault(problem, []).append(name)
    for problem, names in seen.items():
        where = names[0] if len(names) == 1 else f"{len(names)} devices, {names[0]} first"
        message = f"the rendered configuration would not work on {where}: {problem}"
        hint = "this is a fault of netaudit: report it"
        yield Diagnostic(message=message, severity=Severity.ERROR, rule="OWN-01", hint=hint)
