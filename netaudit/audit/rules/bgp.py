"""BGP speakers and sessions."""

from netaudit.audit.rules.rule import Rule
from netaudit.diag import Severity

RULES = (
    Rule(
        id="BGP-01",
        severity=Severity.ERROR,
        name="The BGP session at {object} is not Established although its link is up",
        why="The link carries nothing; ECMP is narrower for every destination behind it.",
        fix="look at the session's state and last error on both ends",
        leaves=("bgp.neighbors.*.session",),
    ),
    Rule(
        id="BGP-02",
        severity=Severity.ERROR,
        name="The ASN of {object} is not as planned",
        why="Sessions demand only that ASNs differ, so a wrong one comes up; valley paths then pass.",
        fix="push the planned routing configuration",
        leaves=("bgp.asn", "system.asn", "bgp.neighbors.*.remote_asn", "bgp.vrfs.*.asn"),
    ),
    Rule(
        id="BGP-04",
        severity=Severity.ERROR,
        name="How often a path may hold the own ASN is not as planned on {object}",
        why="Where paths with the own ASN are taken, packets that went down are led up again: valleys, and deadlocks.",
        fix="push the planned routing configuration",
        leaves=("bgp.neighbors.*.allowas_in",),
    ),
    Rule(
        id="BGP-05",
        severity=Severity.ERROR,
        name="Address families or demands on the peer differ on {object}",
        why="Routes of a missing family never arrive; a fixed ASN demand kills the session when the peer's changes.",
        fix="push the planned routing configuration",
        leaves=("bgp.neighbors.*.families", "bgp.neighbors.*.remote", "bgp.neighbors.*"),
    ),
    Rule(
        id="BGP-06",
        severity=Severity.WARNING,
        name="BGP timers of {object} are not as planned",
        why="Ends agree on the smaller hold time: one wrong end decides how fast both notice a failure.",
        fix="push the planned routing configuration",
        leaves=("bgp.keepalive_s", "bgp.hold_s", "bgp.vrfs.*.keepalive_s", "bgp.vrfs.*.hold_s"),
    ),
    Rule(
        id="BGP-07",
        severity=Severity.ERROR,
        name="ECMP settings of {object} are not as planned",
        why="Too few paths, or one ASN only, makes ECMP narrower in silence: links idle while others are full.",
        fix="push the planned routing configuration",
        leaves=(
            "bgp.maximum_paths",
            "bgp.multipath_relax",
            "bgp.vrfs.*.maximum_paths",
            "bgp.vrfs.*.multipath_relax",
        ),
    ),
    Rule(
        id="BGP-11",
        severity=Severity.ERROR,
        name="Routing policy of {object} is not as planned",
        why="A missing policy sends and accepts nothing (Established, no routes); a wider one lets other planes in.",
        fix="push the planned routing configuration",
        leaves=(
            "bgp.policies",
            "bgp.requires_policy",
            "bgp.networks",
            "bgp.router_id",
            "bgp.unmodelled",
            "bgp.vrfs",
            "bgp.neighbors.*.import_policy",
            "bgp.neighbors.*.export_policy",
        ),
    ),
    Rule(
        id="BGP-12",
        severity=Severity.ERROR,
        name="Something beside our file configures routing on {object}",
        why="The NOS's own routing daemon writes its rows on top of ours, or throws our file away at the next start.",
        fix="push the planned configuration; it empties these tables and sets the routing mode",
        leaves=("system.own_routing_files", "system.routing_rows"),
    ),
)
