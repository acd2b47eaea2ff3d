"""Who speaks BGP with the switches of a lab and is none: `peers.csv`, from external neighbors and hosts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Final

from netaudit.fabric import HOST_LEAF, Fabric, FabricDevice, is_fabric_link
from netaudit.fabric.addressing import host_link

COLUMNS: Final = ("name", "end", "asn", "address", "neighbor", "prefixes")
NEWS: Final = {4: "198.51.100.0/24", 6: "2001:db8::/32"}
"""What a neighbor announces of which the intent says nothing: for documentation only (RFC 5737, RFC 3849)."""
_PRIVATE: Final = range(65534, 64511, -1)
"""ASNs of 16 bits for private use (RFC 6996), the last one first."""

Row = tuple[str, str, int, str, str, str]


def peers_text(fabric: Fabric) -> str:
    """peers.csv: a session a line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_external(fabric))
    writer.writerows(_hosts(fabric))
    return text.getvalue()


def system_name(fabric: Fabric, external: str) -> str:
    """The name by which LLDP, and so the cable plan of a lab, know an external neighbor."""
    return fabric.intent.model.external[external].lldp or external


def _external(fabric: Fabric) -> Iterator[Row]:
    """The sessions of external neighbors: unnumbered, or from address to address."""
    for name, extra in fabric.extra.items():
        device, laid = fabric.devices[name], fabric.ports(name)
        for key in extra:
            port = laid[key]
            if port.peer is None or not is_fabric_link(port.kind) or not fabric.is_external(port.peer.device):
                continue
            neighbor = fabric.intent.model.external[port.peer.device]
            announced = " ".join(map(str, NEWS.values() if neighbor.prefixes is None else neighbor.prefixes))
            end = f"{system_name(fabric, port.peer.device)}:{port.peer.port}"
            for ours, theirs in fabric.addresses(device, port) or (("", ""),):
                yield port.peer.device, end, neighbor.asn, theirs, ours.partition("/")[0], announced


def _hosts(fabric: Fabric) -> Iterator[Row]:
    """Where hosts speak BGP: one session a port and family; announced is the address of the port alone."""
    if fabric.intent.model.hosts.attach != "bgp":
        return
    asn = _host_asn(fabric)
    number = {key: at for at, key in enumerate(fabric.layouts["leaf"].downlinks, start=1)}
    for link in fabric.links():
        if link.kind == HOST_LEAF:
            leaf = fabric.devices[link.b.device]
            for row in _sessions(leaf, number[link.b.port]):
                yield link.a.device, str(link.a), asn, *row


def _sessions(leaf: FabricDevice, number: int) -> Iterator[tuple[str, str, str]]:
    """(its address, that of the leaf, what it announces) for each session of a leaf's host port of that number."""
    for block in map(ip_network, leaf.blocks):
        ours, theirs = host_link(block, number)
        address = theirs.partition("/")[0]
        yield theirs, ours.partition("/")[0], f"{address}/{block.max_prefixlen}"


def _host_asn(fabric: Fabric) -> int:
    """One that nobody else has: what it is, the operator of a host decides, and the intent does not say."""
    taken = {device.asn for device in fabric.devices.values()}
    taken |= {neighbor.asn for neighbor in fabric.intent.model.external.values()}
    return next(number for number in _PRIVATE if number not in taken)
