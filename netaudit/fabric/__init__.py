"""What is built: topology, addressing and ASNs, pure."""

from netaudit.fabric.build import build
from netaudit.fabric.model import Cabling, FabricDevice, FabricHost, FabricPort, Layout
from netaudit.fabric.topology import HOST_LEAF, LEAF_SPINE, SPARE, Fabric, host_port

__all__ = [
    "HOST_LEAF",
    "LEAF_SPINE",
    "SPARE",
    "Cabling",
    "Fabric",
    "FabricDevice",
    "FabricHost",
    "FabricPort",
    "Layout",
    "build",
    "host_port",
]
