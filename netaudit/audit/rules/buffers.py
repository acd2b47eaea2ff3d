"""Headroom, pools and profiles."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="HDR-01",
        severity=Severity.ERROR,
        name="The cable length that headroom is based on is not the planned one at {object}",
        why="Headroom for a shorter cable than the real one drops lossless packets when PFC fires.",
        fix="push the planned buffers",
        leaves=("buffers.ports.*.cable_length_m",),
    ),
    Rule(
        id="HDR-02",
        severity=Severity.ERROR,
        name="The lossless priority group of {object} has not the planned headroom profile",
        why="Without headroom the port drops lossless packets as soon as it pauses the sender.",
        fix="push the planned buffers",
        leaves=("buffers.ports.*.groups",),
    ),
    Rule(
        id="HDR-03",
        severity=Severity.ERROR,
        name="Headroom or another value of a buffer profile is not as planned on {object}",
        why="Less xoff than needed drops lossless packets; more wastes shared buffer.",
        fix="push the planned buffers",
        leaves=("buffers.profiles", "buffers.computing"),
    ),
    Rule(
        id="HDR-05",
        severity=Severity.ERROR,
        name="Buffer pools of {object} are not as planned",
        why="Pools and headroom together must fit the chip, or the chip refuses one in silence.",
        fix="push the planned buffers",
        leaves=("buffers.pools", "buffers.model"),
    ),
    Rule(
        id="HDR-09",
        severity=Severity.WARNING,
        name="Queues or port limits of {object} use another buffer profile than planned",
        why="A lossless queue bounded at egress drops what PFC was to save.",
        fix="push the planned buffers",
        leaves=("buffers",),
    ),
)
