"""Addresses, BGP and load balancing."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Literal

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from netaudit.intent.schema.base import Asn, Microseconds, Network, Pools, Seconds, Section

MAX_PATHS = 512
"""Upper limit of `maximum_paths`: FRR as SONiC builds it takes 514 (frr/rules, --enable-multipath)."""


LINK_POOLS = (IPv4Network("10.64.0.0/12"), IPv4Network("172.16.0.0/12"), IPv4Network("100.64.0.0/10"))
"""What is taken for links that have addresses where the intent says nothing: of RFC 1918, and of RFC 6598."""


class Addressing(Section):
    """The pools. Each is cut into slices of equal size, one a plane."""

    loopbacks: Pools = (IPv4Network("10.255.0.0/16"), IPv6Network("fd00:ff::/48"))
    """Loopbacks of the switches: one pool, or one of IPv4 and one of IPv6."""
    hosts: Pools = (IPv4Network("10.0.0.0/10"),)
    """Links to the hosts: one pool, or one of IPv4 and one of IPv6."""
    fabric: Literal["unnumbered", "numbered"] = "unnumbered"
    """Links between switches: by link-local addresses (RFC 8950), or /31."""
    numbered: Pools = (LINK_POOLS[0],)
    """Links that have addresses: one pool, or one of IPv4 and one of IPv6, then with a session for each family.
    Default: 10.64.0.0/12, or where another pool has addresses of it 172.16.0.0/12, else 100.64.0.0/10."""

    @property
    def link_pools(self) -> tuple[Network, ...]:
        """The pools of links that have addresses: as written, else the first default that meets no other pool."""
        if "numbered" in self.model_fields_set:
            return self.numbered
        taken = [pool for pool in (*self.loopbacks, *self.hosts) if pool.version == 4]
        free = (pool for pool in LINK_POOLS if not any(pool.overlaps(other) for other in taken))
        return (next(free, LINK_POOLS[0]),)

    @property
    def pools(self) -> tuple[Network, ...]:
        """All pools that are in use."""
        return (*self.loopbacks, *self.hosts, *(self.link_pools if self.fabric == "numbered" else ()))


def _paths(value: object) -> object:
    if value == "auto" or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_PATHS):
        return value
    context = {"message": f"is `auto` or a number from 1 to {MAX_PATHS}", "hint": "auto takes what the fabric needs"}
    raise PydanticCustomError("misread", "{message}", context)


Paths = Annotated[
    Literal["auto"] | int,
    PlainValidator(_paths),
    WithJsonSchema({"anyOf": [{"const": "auto"}, {"type": "integer", "minimum": 1, "maximum": MAX_PATHS}]}),
]


class Bgp(Section):
    """BGP, one session a link."""

    asn_base: Asn = 4_200_000_000
    """First AS number; the numbers of the devices follow from it. Default: the first private one of RFC 6996."""
    keepalive: Seconds = Field(default=3, json_schema_extra={"default": "3s"})
    """Interval of KEEPALIVE messages, in seconds."""
    hold: Seconds = Field(default=9, json_schema_extra={"default": "9s"})
    """Hold time, in seconds; three keepalives by RFC 4271 section 10."""
    bfd: bool = False
    """BFD on the sessions."""
    maximum_paths: Paths = "auto"
    """How many equal paths are used together."""
    allowas_in: Mapping[str, Annotated[int, Field(ge=1, le=10)]] = Field(default_factory=dict)
    """Role → how often a path that its devices receive may hold their own ASN: {spine: 1}. Default: never. Opens valley
    paths where spines share an ASN (topology.md section 6). 10 is the most that FRR takes."""


class LoadBalancing(Section):
    """How flows are spread over equal paths."""

    mode: Literal["ecmp", "dlb", "glb", "scheduled", "spray", "qp-pin"] = "ecmp"
    """ecmp: by a hash. dlb, glb: flowlets by load, of the own ports or of those ahead, too. scheduled: cells by credit.
    spray: packet by packet. qp-pin: by a hash of source ports that hosts choose, a path for each queue pair."""
    hash: tuple[Literal["five-tuple", "queue-pair"], ...] = ("five-tuple",)
    """What the hash is taken of. Where it is written, it is rendered; else the platform's own fields stay."""
    seeds: Literal["by-tier"] = "by-tier"
    """Seeds of the hash: another one in each tier, else paths polarise (load-balancing.md section 3.4)."""
    idle: Microseconds = Field(default=128, json_schema_extra={"default": "128us"})
    """A gap this long ends a flowlet, for dlb and glb. Default: that of Juniper's design for AI clusters."""
