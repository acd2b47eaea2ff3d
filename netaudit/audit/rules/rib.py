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
    Rule(
        id="RIB-04",
        severity=Severity.ERROR,
        name="The hardware has other next hops than the routing table at {object}",
        why="Packets follow the hardware: routing looks right, and traffic is lost or crowds the ports that are left.",
        fix="look at the log of fpmsyncd and orchagent; a restart of the session or a reload programs the route anew",
    ),
)
