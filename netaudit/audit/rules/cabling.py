"""Cables and LLDP."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="CAB-01",
        severity=Severity.ERROR,
        name="The cable at {object} ends on another device than planned",
        why="A cable on the wrong box takes its traffic to the wrong rail or plane; BGP comes up all the same.",
        fix="move the plug to the planned device",
    ),
    Rule(
        id="CAB-02",
        severity=Severity.ERROR,
        name="The cables at {object} are swapped",
        why="Sessions come up over swapped cables, so only LLDP shows it; failures then hit other links.",
        fix="swap the plugs at one end",
    ),
    Rule(
        id="CAB-03",
        severity=Severity.ERROR,
        name="Nobody is heard on {object} although the link is up",
        why="LLDP is off at the far end, or something in between swallows it: the cabling there cannot be told.",
        fix="enable LLDP at the far end",
        leaves=("lldp.neighbors.*",),
    ),
    Rule(
        id="CAB-04",
        severity=Severity.ERROR,
        name="A neighbor that the model does not have there is heard on {object}",
        why="A stray cable can join planes or tiers and breaks the valley-free wiring that keeps PFC free of deadlock.",
        fix="remove the cable, or add the link to the intent",
    ),
    Rule(
        id="CAB-07",
        severity=Severity.WARNING,
        name="The cable at {object} is not as long as its headroom assumes",
        why="Headroom for a shorter cable drops lossless packets, for a longer one it takes buffer from bursts.",
        fix="put in the cable that is planned, or let `netaudit tune` write its length into the intent; then push",
        leaves=("ports.*.cable_m",),
    ),
)
