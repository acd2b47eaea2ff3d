"""BGP tables: found in pass two, so no leaf is named here."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="RIB-01",
        severity=Severity.ERROR,
        name="The set of prefixes is not as planned at {object}",
        why="A missing prefix is a black hole, an extra one a leak.",
        fix="push the planned routing configuration of the originating device",
    ),
    Rule(
        id="RIB-02",
        severity=Severity.ERROR,
        name="Next hops are not as planned at {object}",
        why="A narrower set overloads the links that are left; a wider one may pass through a valley.",
        fix="look at the sessions and the forwarding table of the device",
    ),
    Rule(
        id="RIB-03",
        severity=Severity.ERROR,
        name="AS paths are not as planned at {object}",
        why="A longer path goes through a valley, where PFC can lock up.",
        fix="look at the ASNs and policies on the path",
    ),
)
