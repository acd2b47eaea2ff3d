"""Which addresses and numbers a device gets, from its place alone (DESIGN.md section 3, «Addresses» and «ASNs»)."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

PLANE_STEP = 1_000_000
TIER_STEP = 100_000
QUARTERS = {0: 0, 1: 1, 2: 2, 3: 3}
"""Tier → quarter of a plane's loopback slice; blocks are tier 3."""


class TooSmall(ValueError):
    """A pool does not hold what the capacity demands; the text says what would."""


def asn(base: int, plane: int, tier: int, number: int) -> int:
    """`base + plane × 1,000,000 + tier × 100,000 + number`; plane counts from 0."""
    return base + plane * PLANE_STEP + tier * TIER_STEP + number


def plane_slice(pool: Network, plane: int, planes: int) -> Network:
    """The part of a pool that is a plane's own: the next power of two of `planes` equal slices."""
    bits = (planes - 1).bit_length()
    if pool.prefixlen + bits > pool.max_prefixlen:
        raise TooSmall(f"{pool} cannot be cut into {planes} slices")
    return _part(pool, pool.prefixlen + bits, plane)


def _part(pool: Network, prefixlen: int, number: int) -> Network:
    """The `number`-th subnet of that length; computed, since listing subnets of a /10 is not."""
    base = int(pool.network_address) + (number << (pool.max_prefixlen - prefixlen))
    cls = IPv4Network if pool.version == 4 else IPv6Network
    return cls((base, prefixlen))


def block_length(hosts: int, max_prefixlen: int, attach: str = "routed") -> int:
    """Prefix length of the smallest power of two that holds so many /31s: 4 → /29, 8 → /28, 64 → /25.

    One subnet for all of them (`vlan`) has a gateway, the address of the network and, in IPv4, that of broadcast too.
    """
    beside = 3 if max_prefixlen == 32 else 2
    addresses = max(2 * hosts, hosts + beside) if attach == "vlan" else 2 * hosts
    return max_prefixlen - (addresses - 1).bit_length()


def leaf_block(pool: Network, plane: int, planes: int, leaf: int, hosts: int, attach: str = "routed") -> Network:
    """The host prefix of the leaf with that index. Raises `TooSmall` when the slice has no room for it."""
    part = plane_slice(pool, plane, planes)
    length = block_length(hosts, pool.max_prefixlen, attach)
    if length < part.prefixlen or leaf >= 1 << (length - part.prefixlen):
        raise TooSmall(f"{pool}: the slice {part} of a plane has no /{length} number {leaf + 1}")
    return _part(part, length, leaf)


def host_link(block: Network, host: int) -> tuple[str, str]:
    """`address/31` (v6: `/127`) of the leaf and of host number `host` (from 1); the even one is the leaf's."""
    base = int(block.network_address) + 2 * (host - 1)
    kind = type(block.network_address)
    length = block.max_prefixlen - 1
    return f"{kind(base)}/{length}", f"{kind(base + 1)}/{length}"


def gateway(block: Network) -> str:
    """`address/length` of the leaf in the one subnet of its hosts: the first address that is not the network's."""
    return in_subnet(block, 0)


def in_subnet(block: Network, host: int) -> str:
    """`address/length` of host number `host` (from 1) in that subnet: it follows the gateway, which is number 0."""
    address = type(block.network_address)(int(block.network_address) + 1 + host)
    return f"{address}/{block.prefixlen}"


def host_ends(block: Network, host: int, attach: str) -> tuple[str, str]:
    """`address/length` of the leaf and of host number `host` (from 1), as hosts are attached."""
    return (gateway(block), in_subnet(block, host)) if attach == "vlan" else host_link(block, host)


def numbered_link(pool: Network, plane: int, planes: int, number: int, *, upper: bool) -> tuple[str, str]:
    """`address/31` (v6: `/127`) of both ends of a link between switches; the even one is the lower end's.

    The lower half of a plane's slice is for leaves and spines, the upper for blocks and extra links. Raises `TooSmall`.
    """
    part = plane_slice(pool, plane, planes)
    half = half_of_links(pool, planes)
    if number >= half:
        raise TooSmall(f"{pool}: half of the slice {part} has no link number {number}")
    base = int(part.network_address) + 2 * (half * upper + number)
    kind, length = type(part.network_address), pool.max_prefixlen - 1
    return f"{kind(base)}/{length}", f"{kind(base + 1)}/{length}"


def half_of_links(pool: Network, planes: int) -> int:
    """How many /31s are in half of a plane's slice."""
    return 1 << max(0, pool.max_prefixlen - plane_slice(pool, 0, planes).prefixlen - 2)


def loopback(pool: Network, plane: int, planes: int, tier: int, number: int) -> str:
    """`address/32` or `/128`: the tier's quarter of the plane's slice, plus `number` (from 1)."""
    part = plane_slice(pool, plane, planes)
    room = 1 << max(0, pool.max_prefixlen - part.prefixlen - 2)
    if number >= room:
        raise TooSmall(f"{pool}: a quarter of the slice {part} has room for {room - 1} loopbacks, not {number}")
    address = int(part.network_address) + QUARTERS[tier] * room + number
    return f"{type(part.network_address)(address)}/{pool.max_prefixlen}"


def router_id(loopbacks: tuple[str, ...], plane: int, tier: int, number: int) -> str:
    """The v4 loopback, or 32 bits made of the device's place where there is none (IPv6-only)."""
    for text in loopbacks:
        address = ip_address(text.split("/")[0])
        if address.version == 4:
            return str(address)
    return str(ip_address((plane + 1) << 24 | tier << 20 | number))


def loopbacks_need(planes: int, highest: int, max_prefixlen: int) -> int:
    """Longest prefix of a pool that holds loopback number `highest` in each quarter of each plane's slice."""
    return max_prefixlen - (planes - 1).bit_length() - 2 - highest.bit_length()


def blocks_need(planes: int, leaves: int, hosts: int, max_prefixlen: int, attach: str = "routed") -> int:
    """Longest prefix of a pool that holds a host block for each leaf of each plane."""
    return block_length(hosts, max_prefixlen, attach) - (planes - 1).bit_length() - (leaves - 1).bit_length()
