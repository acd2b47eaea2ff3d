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
        id="ADR-07",
        severity=Severity.ERROR,
        name="Ports of {object} are not as planned",
        why="A host whose port is not in its VLAN, or sends tags, reaches no gateway; one too many shares its network.",
        fix="push the planned VLAN",
        leaves=("vlans.*.members", "vlans.*.tagged"),
    ),
    Rule(
        id="ADR-08",
        severity=Severity.ERROR,
        name="{object} is not as planned",
        why="Without its VLAN every host of a leaf is cut off; one that nobody planned may join what is apart.",
        fix="push the planned VLANs",
        leaves=("vlans",),
    ),
    Rule(
        id="ADR-09",
        severity=Severity.ERROR,
        name="The VRF of {object} is not as planned",
        why="Traffic and routes of one VRF end up in another, or nowhere: sessions in it do not come up.",
        fix="push the planned VRFs and interfaces",
        leaves=("vrfs", "interfaces.*.vrf", "bgp.neighbors.*.vrf"),
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
