"""What a device is: the same frozen types for the expected and the observed state. No vendor is known here.

Three rules hold for every leaf (DESIGN.md, idea 4). Expected: `None` is not managed, `ABSENT` must not be there.
Observed: `None` is not seen, `ABSENT` is looked for and not there. No leaf has a default other than `None`.
"""

from netaudit.state.bgp import Bgp, BgpNeighbor, BgpVrf, Policy, PolicyRule
from netaudit.state.buffer import Buffers, Computing, Pool, PortBuffers, Profile
from netaudit.state.device import Device, Place, Store
from netaudit.state.expectation import BlindSpot, Expectation, Failures, Link, LinkEnd
from netaudit.state.interface import Interface, Port
from netaudit.state.leaf import ABSENT, Absent, Leaf, Origin
from netaudit.state.lldp import Lldp, LldpNeighbor
from netaudit.state.qos import Marking, PortQos, Qos, Queue, Scheduler, Trimming, Watchdog, Wred
from netaudit.state.rib import Route, RouteKey, route_name
from netaudit.state.system import System
from netaudit.state.vlan import Vlan

__all__ = [
    "ABSENT",
    "Absent",
    "Bgp",
    "BgpNeighbor",
    "BgpVrf",
    "BlindSpot",
    "Buffers",
    "Computing",
    "Device",
    "Expectation",
    "Failures",
    "Interface",
    "Leaf",
    "Link",
    "LinkEnd",
    "Lldp",
    "LldpNeighbor",
    "Marking",
    "Origin",
    "Place",
    "Policy",
    "PolicyRule",
    "Pool",
    "Port",
    "PortBuffers",
    "PortQos",
    "Profile",
    "Qos",
    "Queue",
    "Route",
    "RouteKey",
    "Scheduler",
    "Store",
    "System",
    "Trimming",
    "Vlan",
    "Watchdog",
    "Wred",
    "route_name",
]
