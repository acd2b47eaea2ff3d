"""What is built: topology, addressing and ASNs, pure."""

from netaudit.fabric.build import build
from netaudit.fabric.ends import end_addresses
from netaudit.fabric.kinds import (
    ACTIVE,
    DEFAULT_VRF,
    DRAINED,
    HOST_LEAF,
    LEAF_SPINE,
    PLANNED,
    RETIRED,
    SPARE,
    SPINE_SUPERSPINE,
    extra_of,
    is_fabric_link,
)
from netaudit.fabric.model import Cabling, FabricDevice, FabricHost, FabricPort, Layout
from netaudit.fabric.roles import BLOCK_TIER
from netaudit.fabric.topology import Fabric, host_port
from netaudit.fabric.workspace import fabrics, workspace

__all__ = [
    "ACTIVE",
    "BLOCK_TIER",
    "DEFAULT_VRF",
    "DRAINED",
    "HOST_LEAF",
    "LEAF_SPINE",
    "PLANNED",
    "RETIRED",
    "SPARE",
    "SPINE_SUPERSPINE",
    "Cabling",
    "Fabric",
    "FabricDevice",
    "FabricHost",
    "FabricPort",
    "Layout",
    "build",
    "end_addresses",
    "extra_of",
    "fabrics",
    "host_port",
    "is_fabric_link",
    "workspace",
]
