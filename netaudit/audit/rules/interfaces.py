"""Ports: state, speed, FEC, MTU."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="INT-01",
        severity=Severity.ERROR,
        name="The link at {object} is down",
        why="A lost link narrows ECMP for every destination behind it; the others carry its share.",
        fix="check plug, optic and cable at both ends",
        leaves=("ports.*.enabled", "ports.*.oper_up"),
    ),
    Rule(
        id="INT-02",
        severity=Severity.ERROR,
        name="Speed or lanes of {object} are not as planned",
        why="A port that came up slower is the slowest rail of every job that crosses it.",
        fix="push the planned speed and breakout",
        leaves=("ports.*.speed_mbps", "ports.*.lanes", "ports.*.breakout"),
    ),
    Rule(
        id="INT-03",
        severity=Severity.ERROR,
        name="FEC of {object} is not as planned",
        why="PAM4 needs RS-FEC; one end without it gives a link that is down, or up with errors.",
        fix="push the planned FEC",
        leaves=("ports.*.fec",),
    ),
    Rule(
        id="INT-04",
        severity=Severity.ERROR,
        name="MTU of {object} is not as planned",
        why="One smaller hop is a black hole for full RoCE packets: they are dropped without a message.",
        fix="push the planned MTU",
        leaves=("ports.*.mtu_bytes",),
    ),
    Rule(
        id="INT-05",
        severity=Severity.WARNING,
        name="Autonegotiation of {object} is not as planned",
        why="Optics have none; where the two ends differ, the link may stay down after the next flap.",
        fix="push the planned setting",
        leaves=("ports.*.autoneg",),
    ),
    Rule(
        id="INT-08",
        severity=Severity.WARNING,
        name="Description or alias of {object} is stale",
        why="It misleads whoever repairs a cable; the alias is also what LLDP neighbors see.",
        fix="push the planned text",
        leaves=("ports.*.description", "ports.*.alias", "ports.*.native"),
    ),
    Rule(
        id="INT-12",
        severity=Severity.INFO,
        name="The MTU of {object} is not reported",
        why="0 is no size: it is how a switch says that it does not tell, so nothing is known to be wrong.",
        fix="look at the port on the switch itself",
    ),
    Rule(
        id="INT-11",
        severity=Severity.ERROR,
        name="Port {object} is not there, or not planned",
        why="The breakout of its cage differs from the plan, so ports are missing and others too many.",
        fix="push the planned breakout",
        leaves=("ports.*",),
    ),
)
