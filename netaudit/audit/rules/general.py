"""The box itself."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="MGT-08",
        severity=Severity.ERROR,
        name="{object} is not the box that the intent names",
        why="Another serial, MAC or name: the answers may be those of another switch.",
        fix="correct devices.csv, or the cabling of the management network",
        leaves=("system.serial", "system.mac", "system.hostname"),
    ),
    Rule(
        id="MGT-07",
        severity=Severity.WARNING,
        name="Type or hardware profile of {object} is not as planned",
        why="Both choose hash seed, headroom table and buffer template.",
        fix="push the planned configuration; the hardware profile is set at installation",
        leaves=("system.tier", "system.hwsku", "system.hardware"),
    ),
    Rule(
        id="MGT-09",
        severity=Severity.ERROR,
        name="LLDP is not running on {object}",
        why="Nobody can tell how its cables run.",
        fix="push the planned configuration",
        leaves=("lldp.enabled",),
    ),
    Rule(
        id="RAW-01",
        severity=Severity.ERROR,
        name="Rows of a raw snippet are missing or otherwise on {object}",
        why="The intent promises them to their owner (`raw`); somebody took them out, or changed them by hand.",
        fix="push the planned configuration, or take the snippet out of the intent",
        leaves=("raw",),
    ),
)
