"""Everything that is decided before a change: the design rules, and each platform's own look at what it would get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from netaudit import platforms
from netaudit.checks import Checked, check
from netaudit.diag import Diagnostic, Severity
from netaudit.expect import Expected
from netaudit.render import render


def check_all(expected: Expected) -> Checked:
    """The design rules, then the rendered files of every device by their platform's own rules."""
    checked = check(expected)
    found = (*checked.diagnostics, *_files(expected))
    return replace(checked, diagnostics=found)


def _files(expected: Expected) -> Iterator[Diagnostic]:
    """A problem in a rendered file is ours; equal ones on several devices are one."""
    seen: dict[str, list[str]] = {}
    for name in expected.devices:
        platform = platforms.platform(expected.built.devices[name].platform)
        for problem in platform.problems(render(expected.device(name))):
            seen.setdefault(problem, []).append(name)
    for problem, names in seen.items():
        where = names[0] if len(names) == 1 else f"{len(names)} devices, {names[0]} first"
        message = f"the rendered configuration would not work on {where}: {problem}"
        yield Diagnostic(
            message=message, severity=Severity.ERROR, rule="OWN-01", hint="this is a fault of netaudit: report it"
        )
