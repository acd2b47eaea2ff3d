"""Models of the site's own: switches and NICs that the catalogue lacks, in a file beside the intent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from netaudit.intent.schema.base import Name, Percent, Section, Size, Speed, Text, matching, pattern_schema, reading

MODE = r"[1-8]x\d{1,4}G(\[\d{1,4}G(,\d{1,4}G)*\])?"
SPAN = r"\d{1,3}(-\d{1,3})?"

Mode = Annotated[
    str, reading(matching(MODE, "a way to divide a cage", '2x400G, or "2x400G[200G]"')), pattern_schema(MODE, "2x400G")
]
"""Number of ports and their speed, slower ones in brackets; spelled as the box's platform.json has it."""
Span = Annotated[
    str, reading(matching(SPAN, "a cage or a row of cages", '1-64, or "65" in quotes')), pattern_schema(SPAN, "1-64")
]
Pattern = Annotated[Text, Field(max_length=64)]


class OwnCages(Section):
    """A row of cages that are alike."""

    cages: Span
    """Their numbers on the front panel: 1-64, or 65."""
    lanes: Annotated[int, Field(ge=1, le=16)]
    """SerDes lanes of a cage."""
    first_lane: Annotated[int, Field(ge=0, le=10_000)]
    """The first lane of the first cage, as the NOS counts; those of the other cages follow."""
    lane_step: Annotated[int, Field(ge=1, le=64)] | None = None
    """Lanes from one cage to the next, where it is not their number."""
    speed: Speed
    """What an undivided cage runs at."""
    modes: Annotated[tuple[Mode, ...], Field(min_length=1, max_length=16)]
    """How a cage can be divided, undivided first: [1x800G, 2x400G]."""
    alias: Pattern = ""
    """Name of an undivided port, of {cage}; empty where nobody published one: then it is neither set nor audited."""
    sub_alias: Pattern | None = None
    """Name of a port of a divided cage, of {cage}, {letter}, {sub} and {lane}."""
    service: bool = False
    """A cage beside the fabric's, for management."""


class OwnRow(Section):
    """A row of a headroom table, as pg_profile_lookup.ini has it."""

    speed: Speed
    """Of the port."""
    length: Annotated[int, Field(ge=0, le=200_000)]
    """Of the cable, in whole metres: the table is looked up by exactly that."""
    size: Size
    """Reserved for a priority group."""
    xon: Size
    """Fill level at which the sender may go on."""
    xoff: Size
    """What may still arrive after it was told to stop."""
    threshold: Annotated[int, Field(ge=-8, le=7)] = 0
    """`dynamic_th`: alpha is 2 to this power."""


class OwnPool(Section):
    """A buffer pool."""

    name: Annotated[Text, Field(min_length=1, max_length=64)]
    """As the NOS has it: ingress_lossless_pool."""
    direction: Literal["ingress", "egress", "both"]
    """Which way."""
    mode: Literal["dynamic", "static"] = "dynamic"
    """Divided by alpha, or by fixed limits."""
    size: Size
    """Of the pool."""
    shared_headroom: Size | None = None
    """Of the pool's headroom that all groups share, where they do."""


class OwnHwsku(Section):
    """A hardware profile of SONiC."""

    platform: Annotated[Text, Field(min_length=1, max_length=128)]
    """SONiC's name of the box: x86_64-acme_9064-r0."""
    headroom: Annotated[tuple[OwnRow, ...], Field(max_length=1_000)] = ()
    """Its published headroom table; none: headroom is computed."""
    pools: Annotated[Mapping[Literal["t0", "t1", "t2", "lt2", "ft2"], tuple[OwnPool, ...]], Field(max_length=5)] = (
        Field(default_factory=dict)
    )
    """Its pools by buffer template: t0 leaf, t1 spine."""


class OwnSwitch(Section):
    """A switch model. What depends on the ASIC alone is taken from a model of the catalogue with the same one."""

    title: Text = ""
    """As its maker calls it."""
    vendor: Text
    """Its maker."""
    asic: Annotated[Text, Field(min_length=1, max_length=64)]
    """Its chip: `Tomahawk 5`, `Spectrum-4`; one that the catalogue lacks gets the generic headroom ceiling."""
    kind: Literal["shallow", "deep"] = Field(default="shallow", alias="class")
    """Buffer on the chip, or HBM."""
    cell: Size
    """Cell of its buffer."""
    buffer: Size
    """Packet buffer that pools and headroom share."""
    parts: Annotated[int, Field(ge=1, le=16)] = 1
    """Parts the buffer falls into; a port can use its own only."""
    cages: Annotated[tuple[OwnCages, ...], Field(min_length=1, max_length=64)]
    """Its front panel."""
    hwskus: Annotated[Mapping[str, OwnHwsku], Field(min_length=1, max_length=64)]
    """Its hardware profiles by name; the first is the default."""
    estimates: Mapping[Literal["cell", "buffer", "parts"], Percent] = Field(default_factory=dict)
    """Figures that nobody published, and how far they may be off: {buffer: 10%}. Reports say so."""
    source: Annotated[Text, Field(min_length=1)]
    """Where the figures are from."""


class OwnNic(Section):
    """A network adapter."""

    title: Text
    """As its maker calls it."""
    ports: Annotated[int, Field(ge=1, le=8)]
    """How many at most."""
    speeds: Annotated[tuple[Speed, ...], Field(min_length=1, max_length=16)]
    """What one port can run at."""
    together: Speed
    """What all its ports carry, each way."""
    pcie: Annotated[int, Field(ge=3, le=7)]
    """PCIe generation."""
    pcie_lanes: Annotated[int, Field(ge=1, le=32)] = 16
    """Its width."""
    out_of_order: bool | None = None
    """Whether it takes RDMA packets out of order; left out where it is not known."""
    source: Annotated[Text, Field(min_length=1)]
    """Where the figures are from."""


class OwnModels(Section):
    """A file of models."""

    switches: Annotated[Mapping[Name, OwnSwitch], Field(max_length=100)] = Field(default_factory=dict)
    """Switch models by the name that `leaf.model` has."""
    nics: Annotated[Mapping[Name, OwnNic], Field(max_length=100)] = Field(default_factory=dict)
    """NIC models by the name that `hosts.nic` has."""
