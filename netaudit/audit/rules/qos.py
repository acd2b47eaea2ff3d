"""The class chain, PFC, ECN, ETS and the watchdog."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="PFC-01",
        severity=Severity.ERROR,
        name="PFC is not on exactly the planned priorities at {object}",
        why="One-sided PFC drops: the sender is never paused, or pauses a class that nobody protects.",
        fix="push the planned QoS",
        leaves=("qos.ports.*.pfc",),
    ),
    Rule(
        id="WD-01",
        severity=Severity.ERROR,
        name="The PFC watchdog does not watch {object}",
        why="One storming NIC then stops the whole lossless class, fabric-wide.",
        fix="push the planned QoS",
        leaves=("qos.ports.*.watched",),
    ),
    Rule(
        id="WD-02",
        severity=Severity.WARNING,
        name="Times or action of the PFC watchdog at {object} are not as planned",
        why="Too slow, a storm spreads first; too fast, honest pauses are dropped.",
        fix="push the planned QoS",
        leaves=("qos.ports.*.watchdog", "qos.watchdog_poll_ms"),
    ),
    Rule(
        id="QOS-02",
        severity=Severity.ERROR,
        name="A DSCP is mapped to another traffic class than planned on {object}",
        why="RoCE lands in a lossy class, or other traffic in the lossless one.",
        fix="push the planned QoS",
        leaves=("qos.dscp_to_tc", "qos.ports.*.dscp_to_tc", "qos.switch_dscp_to_tc"),
    ),
    Rule(
        id="QOS-03",
        severity=Severity.ERROR,
        name="Traffic class, queue, priority group and PFC priority do not agree on {object}",
        why="The queue that is paused is not the one the traffic is in.",
        fix="push the planned QoS",
        leaves=(
            "qos.tc_to_queue",
            "qos.tc_to_pg",
            "qos.pfc_to_queue",
            "qos.pfc_to_pg",
            "qos.ports.*.tc_to_queue",
            "qos.ports.*.tc_to_pg",
            "qos.ports.*.pfc_to_queue",
            "qos.ports.*.pfc_to_pg",
        ),
    ),
    Rule(
        id="ECN-07",
        severity=Severity.ERROR,
        name="ECN is not on the planned queues at {object}",
        why="Without marks senders do not slow down, and PFC becomes the only brake.",
        fix="push the planned QoS",
        leaves=("qos.wred.*.ecn", "qos.ports.*.queues.*.wred"),
    ),
    Rule(
        id="ECN-03",
        severity=Severity.ERROR,
        name="ECN thresholds of {object} are not as planned",
        why="Marking must act before PFC: a threshold too high lets PFC fire first, too low costs throughput.",
        fix="push the planned QoS",
        leaves=("qos.wred",),
    ),
    Rule(
        id="ETS-01",
        severity=Severity.ERROR,
        name="Scheduling of {object} is not as planned",
        why="A class gets another share than planned; CNPs wait behind the congestion they report.",
        fix="push the planned QoS",
        leaves=("qos.schedulers", "qos.ports.*.queues"),
    ),
    Rule(
        id="QOS-01",
        severity=Severity.ERROR,
        name="QoS is not bound as planned at {object}",
        why="A port without its maps trusts nothing: all RoCE is best effort.",
        fix="push the planned QoS",
        leaves=("qos",),
    ),
)
