"""Who speaks BGP with the switches and is none of them: external neighbors, and hosts with a session.

They announce what `peers.csv` says of them and pass on nothing that they hear: no transit, whatever their links join.
"""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface, ip_network
from pathlib import Path
from typing import Final

from netaudit.diag import Diagnostic, Source
from netaudit.lab.sim.cabling import Cable, End, end_of_text
from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, Peer, Speaker
from netaudit.lab.sim.frr_grammar import MAXIMUM_PATHS
from netaudit.lab.sim.frr_policy import Clause, Policy, PrefixRule
from netaudit.lab.sim.sessions import Router

COLUMNS: Final = ("name", "end", "asn", "address", "neighbor", "prefixes")
PEERS_FILE: Final = "peers.csv"
HIGHEST_ASN: Final = 2**32 - 1
_KEEPALIVE_S, _HOLD_S = 3, 9
"""FRR's timers of the datacenter profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """One session that a speaker keeps up, at one of its ports."""

    port: str
    address: IPv4Interface | IPv6Interface | None = None
    """Its own; `None` where the session runs over the port's link-local address."""
    neighbor: str = ""
    """The switch's address; empty likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outsider:
    """A BGP speaker beside the switches."""

    name: str
    """As faults call it."""
    device: str
    """As cables.csv and its own LLDP call it."""
    asn: int
    contacts: tuple[Contact, ...]
    prefixes: tuple[str, ...]
    """What it announces, over every session."""

    @property
    def mac(self) -> str:
        """A MAC address for its link-local one: locally administered (IEEE 802), made of its name."""
        return "06:00:" + zlib.crc32(self.device.encode()).to_bytes(4, "big").hex(":")

    def own(self, family: str) -> tuple[str, ...]:
        """What it announces in one address family."""
        return tuple(prefix for prefix in self.prefixes if (":" in prefix) == (family == "ipv6"))


def read_peers(path: Path, cables: tuple[Cable, ...], problems: list[Diagnostic]) -> Mapping[str, Outsider]:
    """Device → speaker; none where there is no file. What is wrong is noted with its line."""
    if not path.is_file():
        return {}
    try:
        rows = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
        missing = set(COLUMNS) - set(rows.fieldnames or ())
    except (OSError, UnicodeError, csv.Error) as error:
        problems.append(Diagnostic(message=f"{path} cannot be read: {error}"))
        return {}
    if missing:
        problems.append(Diagnostic(message=f"{path} lacks the columns {', '.join(sorted(missing))}"))
        return {}
    free = {cable.a for cable in cables}
    found: dict[str, Outsider] = {}
    for row in rows:
        where = Source(file=str(path), line=rows.line_num)
        try:
            one = _outsider({key: row.get(key) or "" for key in COLUMNS}, free)
            found[one.device] = _joined(found.get(one.device, one), one)
        except ValueError as error:
            problems.append(Diagnostic(message=str(error), source=where))
    return found


def _outsider(row: Mapping[str, str], free: set[End]) -> Outsider:
    """One line: a session of a speaker. Raises `ValueError` with what is wrong."""
    end = end_of_text(row["end"])
    if end is None or end not in free:
        raise ValueError(f"`{row['end']}` is no end of cables.csv that is not a switch's")
    if not (row["asn"].isascii() and row["asn"].isdecimal() and 1 <= int(row["asn"]) <= HIGHEST_ASN):
        raise ValueError(f"`{row['asn']}` is no ASN")
    if bool(row["address"]) != bool(row["neighbor"]):
        raise ValueError("a session has two addresses, or none where it is unnumbered")
    return Outsider(
        name=row["name"] or end.device,
        device=end.device,
        asn=int(row["asn"]),
        contacts=(
            Contact(
                port=end.port,
                address=ip_interface(row["address"]) if row["address"] else None,
                neighbor=str(ip_address(row["neighbor"])) if row["neighbor"] else "",
            ),
        ),
        prefixes=tuple(str(ip_network(prefix)) for prefix in row["prefixes"].split()),
    )


def _joined(one: Outsider, other: Outsider) -> Outsider:
    """Two lines of one speaker. Raises `ValueError` where they contradict each other."""
    if one is other:
        return one
    if (one.name, one.asn) != (other.name, other.asn):
        raise ValueError(f"{one.device} is {one.name}, AS {one.asn} further up, and {other.name}, AS {other.asn} here")
    return Outsider(
        name=one.name,
        device=one.device,
        asn=one.asn,
        contacts=(*one.contacts, *other.contacts),
        prefixes=tuple(dict.fromkeys((*one.prefixes, *other.prefixes))),
    )


def outside_router(one: Outsider, neighbors: Mapping[str, tuple[str, str]]) -> Router:
    """A speaker as sessions see it; `neighbors`: its port whose link is up → (switch, its port) at the other end."""
    addresses: dict[str, list[IPv4Interface | IPv6Interface]] = {}
    for contact in one.contacts:
        if contact.address is not None:
            addresses.setdefault(contact.port, []).append(contact.address)
    return Router(
        name=one.device,
        speaker=_speaker(one),
        router_id=_router_id(one),
        neighbors=neighbors,
        up=frozenset(neighbors),
        link_local=frozenset(contact.port for contact in one.contacts if contact.address is None),
        addresses={port: tuple(found) for port, found in addresses.items()},
        blocked=frozenset(),
    )


def _router_id(one: Outsider) -> str:
    """Any IPv4 address of its own, else 32 bits made of its name (RFC 6286)."""
    own = (str(c.address.ip) for c in one.contacts if c.address is not None and c.address.version == 4)
    return next(own, str(ip_address(zlib.crc32(one.device.encode()) or 1)))


def _speaker(one: Outsider) -> Speaker:
    """Its configuration: it takes all that it is told, and tells nothing but what is its own."""
    families = {
        family: FamilyPeer(active=True, policy_in=None, policy_out=_exactly(one.own(family)), allowas_in=0)
        for family in FAMILIES
    }
    keys = [(contact.neighbor or contact.port, contact.address is None) for contact in one.contacts]
    return Speaker(
        asn=one.asn,
        router_id="",
        relax=True,
        requires_policy=False,
        import_check=False,
        keepalive_s=_KEEPALIVE_S,
        hold_s=_HOLD_S,
        peers={
            key: Peer(
                key=key,
                over_interface=over_interface,
                remote="external",
                group="",
                shutdown=False,
                description="",
                families=families,
            )
            for key, over_interface in keys
        },
        networks={family: one.own(family) for family in FAMILIES},
        redistribute=dict.fromkeys(FAMILIES, ()),
        maximum_paths=dict.fromkeys(FAMILIES, MAXIMUM_PATHS),
    )


def _exactly(prefixes: tuple[str, ...]) -> Policy:
    """A policy that lets through these prefixes and no other."""
    return (Clause(True, (tuple(_rules(prefixes)),)),)


def _rules(prefixes: tuple[str, ...]) -> Iterator[PrefixRule]:
    for network in map(ip_network, prefixes):
        length = network.prefixlen
        yield PrefixRule(True, network.version, int(network.network_address), length, length, length)
