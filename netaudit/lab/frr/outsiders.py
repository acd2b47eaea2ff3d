"""Who speaks BGP with the switches and is none of them: each a namespace with FRR that announces what is its own."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from ipaddress import ip_address

from netaudit.lab.sim.peers import Contact, Outsider


def label(device: str) -> str:
    """What the namespace of an outsider is called behind the lab's tag, and its host."""
    return f"peer.{re.sub(r'[^A-Za-z0-9.-]', '-', device)[:50]}"


def configuration(one: Outsider, interfaces: Mapping[str, str]) -> str:
    """frr.conf of an outsider; `interfaces`: its port → the network device there. It passes on nothing it hears."""
    return "".join(f"{line}\n" for line in _lines(one, interfaces))


def _lines(one: Outsider, interfaces: Mapping[str, str]) -> Iterator[str]:
    yield "frr defaults datacenter"
    yield "bgp as-path access-list OWN permit ^$"
    yield f"router bgp {one.asn}"
    yield f" bgp router-id {_router_id(one)}"
    yield " no bgp ebgp-requires-policy"
    yield " no bgp default ipv4-unicast"
    yield " no bgp network import-check"
    yield " bgp bestpath as-path multipath-relax"
    for contact in one.contacts:
        key = _key(contact, interfaces)
        yield f" neighbor {key} {'remote-as' if contact.neighbor else 'interface remote-as'} external"
    for family in ("ipv4", "ipv6"):
        yield f" address-family {family} unicast"
        for prefix in one.own(family):
            yield f"  network {prefix}"
        for contact in one.contacts:
            if not contact.neighbor or ip_address(contact.neighbor).version == int(family[-1]):
                key = _key(contact, interfaces)
                yield f"  neighbor {key} activate"
                yield f"  neighbor {key} filter-list OWN out"
        yield " exit-address-family"


def _key(contact: Contact, interfaces: Mapping[str, str]) -> str:
    return contact.neighbor or interfaces[contact.port]


def _router_id(one: Outsider) -> str:
    """Any IPv4 address of its own, else 32 bits made of its name (RFC 6286)."""
    own = (str(c.address.ip) for c in one.contacts if c.address is not None and c.address.version == 4)
    return next(own, str(ip_address(zlib.crc32(one.device.encode()) or 1)))
