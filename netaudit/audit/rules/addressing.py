"""Addresses."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="ADR-03",
        severity=Severity.ERROR,
        name="IPv6 link-local is not enabled on {object}",
        why="Unnumbered BGP needs it: without, the session stays Idle, or comes up and the chip gets no next hop.",
        fix="push the planned interface",
        leaves=("interfaces.*.link_local",),
    ),
    Rule(
        id="ADR-01",
        severity=Severity.ERROR,
        name="Addresses of {object} are not as planned",
        why="A wrong or doubled address takes traffic of another host or router.",
        fix="push the planned addresses",
        leaves=("interfaces",),
    ),
    Rule(
        id="ADR-04",
        severity=Severity.ERROR,
        name="The discard route that holds an aggregate is not as planned on {object}",
        why="Without it the aggregate stays in the table as invalid and is announced to nobody, without any message.",
        fix="push the planned routing configuration",
        leaves=("bgp.discards",),
    ),
)
