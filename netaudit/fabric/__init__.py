"""What is built: topology, addressing and ASNs, pure."""

from netaudit.fabric.build import build
from netaudit.fabric.model import Cabling, FabricDevice, FabricHost, FabricPort, Layout
from netaudit.fabric.roles import BLOCK_TIER
from netaudit.fabric.topology import (
    ACTIVE,
    DRAINED,
    HOST_LEAF,
    LEAF_SPINE,
    PLANNED,
    RETIRED,
    SPARE,
    Fabric,
    extra_of,
    host_port,
    is_fabric_link,
)
from netaudit.fabric.workspace import fabrics, workspace

__all__ = [
    "ACTIVE",
    "BLOCK_TIER",
    "DRAINED",
    "HOST_LEAF",
    "LEAF_SPINE",
    "PLANNED",
    "RETIRED",
    "SPARE",
    "Cabling",
    "Fabric",
    "FabricDevice",
    "FabricHost",
    "FabricPort",
    "Layout",
    "build",
    "extra_of",
    "fabrics",
    "host_port",
    "is_fabric_link",
    "workspace",
]
