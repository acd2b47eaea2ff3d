"""The intent as a type: every key, and every default. The file is read and located by `netaudit.intent.load`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from netaudit.intent.schema.base import Name, Section, Text, Zone
from netaudit.intent.schema.layout import (
    Block,
    Cables,
    Capacity,
    External,
    ExtraLink,
    Hosts,
    Leaf,
    Names,
    Planes,
    Spine,
    Superspine,
    Unit,
)
from netaudit.intent.schema.lossless import Buffers, Mtu, Pfc, TrafficClass, default_traffic
from netaudit.intent.schema.override import Override
from netaudit.intent.schema.raw import Raw
from netaudit.intent.schema.routing import Addressing, Bgp, LoadBalancing
from netaudit.intent.schema.site import AREAS, Area, Management


class IntentModel(Section):
    """What one lossless AI fabric shall be."""

    schema_version: Literal[1] = Field(alias="schema")
    """Version of this format."""
    fabric: Name
    """Name of the fabric."""
    include: tuple[Text, ...] = ()
    """Files beside this one: parts of it, and, where they have `fabric:`, other fabrics of the workspace."""
    planes: Planes
    """The planes, disjoint networks; NIC port 1 is in the first, 2 in the second."""
    rails: Annotated[int, Field(ge=1, le=64)]
    """NICs of a host; NIC r is on rail r."""
    units: Annotated[Mapping[Name, Unit], Field(min_length=1)]
    """Scalable units by name, or `{count: n, hosts: h}` for su1 to su n."""
    capacity: Capacity = Field(default_factory=Capacity.model_construct)
    """What ports, address blocks and ASNs are laid out for."""
    hosts: Hosts
    """The hosts and their NICs."""
    leaf: Leaf
    """The leaves: one for each plane, unit and rail, or for several rails."""
    spine: Spine
    """The spines of each plane, or of each of its rails or pods."""
    superspine: Superspine | None = None
    """The superspines of each plane, where there are pods."""
    blocks: Mapping[Name, Block] = Field(default_factory=dict)
    """Devices beside the pattern, by the name of their block: storage, border."""
    external: Mapping[Name, External] = Field(default_factory=dict)
    """Neighbors that are not ours, by name."""
    links: tuple[ExtraLink, ...] = ()
    """Links beside the pattern."""
    cables: Cables
    """Length and medium of the cables."""
    names: Names = Field(default_factory=Names.model_construct)
    """How devices are named."""
    devices: Text | None = None
    """CSV with facts and pins: `place,name,serial,mac,hwsku,management,rack,version,status,asn,loopback,block`."""
    hardware: tuple[Text, ...] = ()
    """Files with switch and NIC models of the site's own, which extend the catalogue: [hardware/acme.yml]."""
    versions: Mapping[str, Text] = Field(default_factory=dict)
    """Version of each platform, as text."""
    owns: tuple[Area, ...] = AREAS
    """The areas of a device's configuration that are ours; `all` is opt-in."""
    management: Management = Field(default_factory=Management.model_construct)
    """How devices are reached."""
    addressing: Addressing = Field(default_factory=Addressing.model_construct)
    """The pools of addresses."""
    bgp: Bgp = Field(default_factory=Bgp.model_construct)
    """BGP, one session a link."""
    traffic: Mapping[Name, TrafficClass] = Field(default_factory=default_traffic)
    """Traffic classes by name; `default` always exists."""
    pfc: Pfc = Field(default_factory=Pfc.model_construct)
    """Priority flow control."""
    buffers: Buffers = Field(default_factory=Buffers.model_construct)
    """Buffers by the class of a switch model."""
    mtu: Mtu = Field(default_factory=Mtu.model_construct)
    """Sizes of packets."""
    load_balancing: LoadBalancing = Field(default_factory=LoadBalancing.model_construct)
    """How flows are spread over equal paths."""
    timezone: Zone = "UTC"
    """Time zone in which reports show times, beside UTC, by its name at IANA."""
    raw: tuple[Raw, ...] = ()
    """Configuration text of the site's own, appended as it is."""
    overrides: tuple[Override, ...] = ()
    """Exceptions, each with its reason."""

    @property
    def unit_capacity(self) -> int:
        """The highest unit id that is laid out for."""
        return self.capacity.units or max(unit.id for unit in self.units.values())

    @property
    def host_capacity(self) -> int:
        """The hosts of a unit that are laid out for."""
        return self.capacity.hosts or max(unit.hosts for unit in self.units.values())

    @property
    def unit_leaves(self) -> int:
        """Leaves of a unit in each plane."""
        return self.rails // self.leaf.rails

    @property
    def leaf_capacity(self) -> int:
        """Host ports of a leaf that are laid out for: one for each host and rail that it serves."""
        return self.host_capacity * self.leaf.rails


__all__ = ["IntentModel"]
