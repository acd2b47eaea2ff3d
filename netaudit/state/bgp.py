"""The BGP speaker of a device: its number, its neighbors, what it announces and what it lets through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from netaudit.state.leaf import Leaf, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class BgpNeighbor:
    """One session. Its key is the port it runs over (unnumbered) or the neighbor's address."""

    vrf: Leaf[str] = None
    """`default`, or the VRF in which the session runs."""
    remote: Leaf[str] = None
    """What the configuration demands of the peer's ASN: `external`, `internal` or the number in asplain."""
    remote_asn: Leaf[int] = None
    """The ASN the peer really has. Held by the `state` store only."""
    session: Leaf[str] = None
    """`Established`, or the state of the finite state machine it is stuck in. `state` store only."""
    import_policy: Leaf[str] = None
    export_policy: Leaf[str] = None
    families: Leaf[frozenset[str]] = None
    """Activated address families: `ipv4`, `ipv6`."""
    allowas_in: Mapping[str, Leaf[int]] | None = None
    """Address family → how often a received path may hold the own ASN; families in which it may not are left out."""
    over: str | None = field(default=None, compare=False, repr=False)
    """The port of a session whose key is an address, where it is known; what hangs on one cable is told by it."""
    far_asn: int | None = field(default=None, compare=False, repr=False)
    """The ASN that the peer has by the model, session or none: some NOSes demand a number of whom they dial."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PolicyRule:
    """A permitted prefix, with all longer ones up to length `up_to`. Whatever no rule permits is denied."""

    prefix: str
    up_to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a session lets through in one direction."""

    permits: Leaf[frozenset[PolicyRule]] = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BgpVrf:
    """The speaker within one VRF: its own tables, its own settings. Its sessions stand with all others."""

    asn: Leaf[int] = None
    router_id: Leaf[str] = None
    multipath_relax: Leaf[bool] = None
    maximum_paths: Leaf[int] = None
    keepalive_s: Leaf[int] = None
    hold_s: Leaf[int] = None
    requires_policy: Leaf[bool] = None
    networks: Leaf[frozenset[str]] = None
    """Prefixes originated in this VRF."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bgp:
    """The BGP configuration, and in the `state` store what runs."""

    asn: Leaf[int] = None
    router_id: Leaf[str] = None
    """32 bits, written as an IPv4 address."""
    multipath_relax: Leaf[bool] = None
    """Paths of equal length through different ASNs are used together."""
    maximum_paths: Leaf[int] = None
    keepalive_s: Leaf[int] = None
    hold_s: Leaf[int] = None
    requires_policy: Leaf[bool] = None
    """RFC 8212: an eBGP session without policies sends and accepts nothing."""
    networks: Leaf[frozenset[str]] = None
    """Prefixes originated here."""
    discards: Leaf[frozenset[str]] = None
    """Static routes to nowhere; each aggregate needs one, or it is not announced (ADR-04)."""
    policies: Mapping[str, Policy] | None = None
    neighbors: Mapping[str, BgpNeighbor] | None = None
    """Of all VRFs: a port is in one of them."""
    vrfs: Mapping[str, BgpVrf] | None = None
    """The speakers beside the default one, by VRF."""
    unmodelled: Leaf[frozenset[str]] = None
    """Lines of the routing configuration that no leaf stands for; where it is ours, only those of `raw`."""
    raw: str | None = field(default=None, compare=False, repr=False)
    """Text of the site's own, written as it is; not compared: a device shows its lines alone, as `unmodelled`."""
    origin: Origin | None = field(default=None, compare=False, repr=False)
