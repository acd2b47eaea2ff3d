"""What is built: planes, rails, units, models, cables and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from netaudit import platforms
from netaudit.intent import quantity
from netaudit.intent.schema.base import Asn, Name, NamePattern, Pool, Section, Speed, Text

Count = Annotated[int, Field(ge=1)]
Status = Literal["planned", "active", "drained", "retired"]
if TYPE_CHECKING:
    Platform: TypeAlias = str
else:
    Platform = Literal[platforms.names()]  # every package of netaudit/platforms is one


def _without_default(schema: JsonDict) -> None:
    """Take out a default that stands for `computed`, and that an editor must not offer."""
    schema.pop("default", None)


class Unit(Section):
    """A scalable unit: a group of hosts with one leaf for each plane and rail."""

    id: int = Field(default=0, ge=1, json_schema_extra=_without_default)
    """Its number, which places its ports, addresses and ASNs. Default: the digits at the end of its name."""
    hosts: Count
    """How many hosts it has."""
    status: Status = "active"
    """planned, active, drained or retired."""
    pod: int | None = Field(default=None, ge=1)
    """The pod it belongs to, where spines are counted `per: pod`."""


class Capacity(Section):
    """What ports, address blocks and ASNs are laid out for; growth inside it renumbers nothing."""

    units: int | None = Field(default=None, ge=1)
    """Highest unit id. Default: the highest declared."""
    hosts: int | None = Field(default=None, ge=1)
    """Hosts of a unit. Default: those of the largest declared."""
    pods: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Highest pod, in a fabric of three tiers. Default: the highest declared."""
    pod_units: int | None = Field(default=None, ge=1)
    """Units of a pod: unit u has place (u − 1) mod this among the ports of its pod's spines. Default: `units` through
    `pods` where both are written, `units` where that is, else as few as give all units of a pod places of their own."""


class Hosts(Section):
    """The hosts and their NICs; a host has one NIC a rail, and each NIC one port a plane."""

    nic: Text
    """NIC model of the catalogue: cx7, cx8, bf3."""
    speed: Speed
    """Speed of a NIC port."""
    attach: Literal["routed", "bgp", "vlan"] = "routed"
    """How a host port is attached: by a /31, of which it has the odd address; by that and a BGP session; or all ports
    of a leaf in one VLAN: the first address of the leaf's block is the gateway, and host n has the n-th after it."""
    vlan: Annotated[int, Field(ge=2, le=4094)] = 1000
    """Number of the VLAN, where hosts are attached by one. 1000 is what SONiC's own configurations of a ToR have."""
    names: Text | None = None
    """CSV with `unit,index,name,ports,status`, of which a table has what it needs. Default: a host is `{unit}-h{n}`."""
    cc: Literal["dcqcn", "rtt", "none"] = "dcqcn"
    """Congestion control of the NICs: by ECN marks, by round-trip time, or none."""


class Leaf(Section):
    """The leaves: one for each plane, unit and rail, or for each plane, unit and `rails` rails."""

    model: Text
    """Switch model of the catalogue."""
    platform: Platform
    """Network operating system."""
    rails: Count = 1
    """How many rails one leaf serves: leaf i of a unit those from (i − 1) × rails + 1 on. Its place and its name have
    the first of them: with 4, the leaves of su1 are a/su1/r1 and a/su1/r5."""


class Spine(Section):
    """The spines of each plane, or of each of its rails or pods."""

    model: Text
    """Switch model of the catalogue."""
    platform: Platform
    """Network operating system."""
    count: Annotated[int, Field(ge=1, le=512)]
    """Spines in each `per`; 512, for no leaf has more ports (64 cages of 8 lanes)."""
    links: Count
    """Parallel links between a leaf and a spine."""
    speed: Speed
    """Speed of a leaf-spine link."""
    per: Literal["plane", "rail", "pod"] = "plane"
    """What `count` is counted in. plane: every leaf of a plane meets them all. rail: rail-only spines, which meet the
    leaves of one rail. pod: those of one pod. Numbers count through: spine n of pod p is (p − 1) × count + n."""


class Superspine(Section):
    """The third tier: what joins the pods of a plane."""

    model: Text
    """Switch model of the catalogue."""
    platform: Platform | None = None
    """Network operating system. Default: that of the spines."""
    wiring: Literal["grouped", "full"] = "grouped"
    """grouped: spine i of every pod meets the superspines of group i only. full: every spine meets every superspine."""
    count: Annotated[int, Field(ge=1, le=16_384)]
    """Superspines of a plane; grouped: a multiple of `spine.count`, as many for each group. 16,384 are a quarter of the
    square of 256 ports, as a plane without oversubscription has of such boxes (topology.md section 3)."""
    capacity: Annotated[int, Field(ge=1, le=16_384)] | None = None
    """Superspines of a plane that ports and numbers are kept for. Default: `count`."""
    links: Count
    """Parallel links between a spine and a superspine."""
    speed: Speed
    """Speed of such a link."""

    @property
    def room(self) -> int:
        """Superspines of a plane that are laid out for."""
        return self.capacity or self.count


class Cable(Section):
    """Length and medium of a class of cables."""

    length_m: float
    """Length, in metres."""
    medium: str
    """Kind of cable or optic in the catalogue."""


def _cable(value: object) -> Cable:
    try:
        length_m, medium = quantity.cable(value)
    except quantity.Misread as error:
        context = {"message": error.message, "hint": error.hint}
        raise PydanticCustomError("misread", "{message}", context) from None
    return Cable.model_construct(length_m=length_m, medium=medium)


def _cable_text(cable: Cable) -> str:
    return f"{cable.length_m:.9g}m {cable.medium}"


CableText = Annotated[
    Cable,
    PlainValidator(_cable),
    PlainSerializer(_cable_text, when_used="json"),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^\d+(\.\d+)?\s*(cm|m|km)\s+\d?[A-Za-z][A-Za-z0-9.+-]*$",
            "examples": ["3m dac", "40m dr8"],
        }
    ),
]
"""`40m dr8`: a length and a medium."""


class Cables(Section):
    """The cables, a class each, and those that were measured."""

    host_leaf: CableText = Field(alias="host-leaf")
    """Cables between hosts and leaves: length and medium."""
    leaf_spine: CableText = Field(alias="leaf-spine")
    """Cables between leaves and spines: length and medium."""
    spine_superspine: CableText | None = Field(default=None, alias="spine-superspine")
    """Cables between spines and superspines: length and medium. Needed where there are superspines."""
    measured: Text | None = None
    """CSV with `a,b,length`: cables whose length is known better than by their class."""


class Block(Section):
    """Devices beside the pattern, below the spines or superspines: storage, a border to other networks."""

    id: Annotated[int, Field(ge=1, le=998)]
    """Its number, which places its ports, addresses and ASNs; 998, for an ASN has three digits for it."""
    model: Text
    """Switch model of the catalogue."""
    platform: Platform
    """Network operating system."""
    buffers: Literal["shallow", "deep"] | None = None
    """Which buffer policy holds. Default: that of the model's class."""
    count: Annotated[int, Field(ge=1, le=64)]
    """Devices in each plane; 64, for as many loopbacks has each id."""
    capacity: Annotated[int, Field(ge=1, le=64)] | None = None
    """Devices in each plane that ports above are kept for. Default: `count`."""
    to: Literal["spine", "superspine"] = "spine"
    """What its devices are connected to: each of them to every spine, or superspine, of its plane."""
    links: Count
    """Parallel links between a device and each of those."""
    speed: Speed
    """Speed of such a link."""
    cable: CableText
    """Length and medium of its cables."""
    originates: tuple[Pool, ...] = ()
    """Prefixes that its devices announce: storage networks, or 0.0.0.0/0 of a border."""

    @property
    def room(self) -> int:
        """Devices in each plane that are laid out for."""
        return self.capacity or self.count


class External(Section):
    """A neighbor that is not ours: modelled, and never rendered, read or pushed."""

    asn: Asn
    """Its AS number."""
    lldp: Text | None = None
    """Its system name in LLDP. Default: its name here."""
    prefixes: tuple[Pool, ...] | None = None
    """What it announces to us. Default: it may announce anything, and that is information, not drift."""


class ExtraLink(Section):
    """A link beside the pattern: of ours to an external neighbor, or between two devices of one plane."""

    id: Annotated[int, Field(ge=0, le=1023)] | None = None
    """Its number, which places its /31. Default: the link is unnumbered."""
    a: Text
    """One end: `device:cage[/sub]` of ours, or `neighbor:port` as the LLDP of an external neighbor says it."""
    b: Text
    """The other end."""
    speed: Speed
    """Its speed."""
    cable: CableText
    """Length and medium of its cable."""
    vrf: Name = "default"
    """VRF of both its interfaces and of the session over it; docs/howto/vrf.md."""
    status: Status = "active"
    """planned, active, drained or retired."""


class Names(Section):
    """How devices are named. Placeholders: {plane} {unit} {rail} {n} {block}."""

    leaf: NamePattern = "{plane}-{unit}-r{rail}-leaf"
    """Name of a leaf."""
    spine: NamePattern = "{plane}-spine{n}"
    """Name of a spine."""
    superspine: NamePattern = "{plane}-ss{n}"
    """Name of a superspine."""
    block: NamePattern = "{plane}-{block}{n}"
    """Name of a device of a block."""


Planes = Annotated[tuple[Name, ...], Field(min_length=1, max_length=8)]
"""NIC port 1 is in the first plane, 2 in the second. Eight: an 800G NIC as 8 × 100G (topology.md section 1, MRC)."""
