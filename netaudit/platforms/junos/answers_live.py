"""What Junos says of its links, neighbors and sessions, as state types. Names are the box's own until `port_of`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address
from typing import Final, TypeAlias

from netaudit.platforms.junos.answers_tree import Node, Unreadable, elements, only, word
from netaudit.state import ABSENT, Absent, Bgp, BgpNeighbor, Leaf, LldpNeighbor, Port

PortOf: TypeAlias = Callable[[str], str]
"""`et-0/0/4:1` → `5/2`; a name that is no port stays."""

MASTER: Final = "master"
"""What Junos calls the default routing instance."""
DEFAULT: Final = "default"
NETWORK_PORT: Final = re.compile(r"(et|xe|ge|mge|fe)-\d+/\d+/\d+(:\d+)?", re.ASCII)
"""Ports of the front panel; the others of `show interfaces terse` are the chip's own (pfe-0/0/0, lo0, re0:mgmt-0)."""
_MAC: Final = re.compile(r"[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}|([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}", re.ASCII)
_NAME: Final = re.compile(r"(et|xe|ge|mge|fe|Ethernet|Eth|swp|etp)-?\d+([/s:]\d+)*[a-z]?", re.ASCII)
"""Port names of the five NOSes, as a neighbor may send one in its description."""


def physical(name: str) -> str:
    """`et-0/0/4.0` → `et-0/0/4`: a logical interface is its port."""
    return name.partition(".")[0]


def read_oper(text: str, port_of: PortOf) -> Mapping[str, Port]:
    """Which links are up, of `show interfaces terse`."""
    up, down = Port(oper_up=True), Port(oper_up=False)
    ports: dict[str, Port] = {}
    for node in only(text, "interface-information"):
        for row in elements(node, "physical-interface"):
            name = word(row, "name")
            if NETWORK_PORT.fullmatch(name):
                ports[port_of(name)] = up if word(row, "oper-status") == "up" else down
    return ports


def read_neighbors(text: str, port_of: PortOf) -> Mapping[str, LldpNeighbor]:
    """Who is heard at each port, of `show lldp neighbors` and `show lldp neighbors detail`."""
    heard: dict[str, LldpNeighbor] = {}
    for node in only(text, "lldp-neighbors-information"):
        for row in elements(node, "lldp-neighbor-information"):
            # `detail` has the port's number in lldp-local-port-id, the short form its name
            local = physical(word(row, "lldp-local-interface") or word(row, "lldp-local-port-id"))
            if NETWORK_PORT.fullmatch(local):
                system = word(row, "lldp-remote-system-name").strip('"')
                heard[port_of(local)] = LldpNeighbor(system=system or ABSENT, port=_far_port(row) or ABSENT)
    return heard


def _far_port(row: Node) -> str:
    return far_port(*(word(row, f"lldp-remote-port-{part}").strip('"') for part in ("id", "description")))


def far_port(sent: str, described: str) -> str:
    """The port a neighbor names. One that sends a number or a MAC address may have the name in its description."""
    if not sent:
        return described
    return described if (sent.isdigit() or _MAC.fullmatch(sent)) and _NAME.fullmatch(described) else sent


def with_silence(heard: Mapping[str, LldpNeighbor], ports: Mapping[str, Port]) -> Mapping[str, LldpNeighbor | Absent]:
    """The neighbors of all ports: one that hears nobody is `ABSENT`."""
    silent: dict[str, LldpNeighbor | Absent] = dict.fromkeys(ports, ABSENT)
    return {**silent, **heard}


def read_sessions(text: str, port_of: PortOf) -> Bgp:
    """Sessions of `show bgp neighbor` (or `summary`, which has no local AS). The ASN is the default instance's.

    A peer that was discovered at an interface goes by that port, every other one by its address.
    """
    neighbors: dict[str, BgpNeighbor] = {}
    own: Leaf[int] = None
    for node in only(text, "bgp-information"):
        for peer in elements(node, "bgp-peer"):
            key = _peer_key(peer, port_of)
            instance = word(peer, "peer-cfg-rti") or MASTER
            if instance == MASTER and own is None and word(peer, "local-as"):
                own = asn(word(peer, "local-as"))
            remote = word(peer, "peer-as")
            # 0 until an OPEN told it: nobody knows the number, which is not a wrong one
            neighbors[key] = BgpNeighbor(
                session=word(peer, "peer-state") or ABSENT,
                remote_asn=(asn(remote) or None) if remote else ABSENT,
            )
    return Bgp(asn=own, neighbors=neighbors)


def _peer_key(peer: Node, port_of: PortOf) -> str:
    """`10.0.0.21+52872` → `10.0.0.21`; `fe80::1%et-0/0/4.0+179` → the port."""
    address, _, zone = word(peer, "peer-address").partition("+")[0].partition("%")
    try:
        parsed = ip_address(address)
    except ValueError:
        raise Unreadable(f"bgp-peer has the address {address[:60]!r}") from None
    if isinstance(parsed, IPv6Address) and parsed.is_link_local:
        interface = physical(zone or word(peer, "local-interface-name"))
        return port_of(interface) if interface else str(parsed)
    return str(parsed)


def asn(text: str) -> int:
    """asplain or asdot. Raises `Unreadable` for what is no number of 32 bits."""
    high, dot, low = text.partition(".")
    parts = (high, low) if dot else (high,)
    if not all(part.isascii() and part.isdigit() and len(part) <= 10 for part in parts):
        raise Unreadable(f"ASN is {text[:40]!r}, not a number")
    number = (int(high) << 16) + int(low) if dot else int(high)
    if number >= 2**32 or (dot and int(low) >= 2**16):
        raise Unreadable(f"ASN is {text[:40]!r}, not a number of 32 bits")
    return number


def read_version(text: str) -> str:
    """The release that runs, of `show version`: `24.4R1-EVO`."""
    for node in only(text, "software-information"):
        told = word(node, "junos-version")
        packages = (word(one, "comment") for one in elements(node, "package-information"))
        bracketed = (match[1] for comment in packages if (match := re.search(r"\[(\S+)\]", comment)))
        if told or (told := next(bracketed, "")):
            return told
    return ""


def read_serial(text: str) -> Leaf[str]:
    """The serial number of the chassis, of `show chassis hardware`; a box that tells none may be any."""
    for node in only(text, "chassis-inventory"):
        for chassis in elements(node, "chassis"):
            modules = (word(m, "serial-number") for m in elements(chassis, "chassis-module") if _is_chassis(m))
            if serial := word(chassis, "serial-number") or next(filter(None, modules), ""):
                return serial
    raise Unreadable("the switch tells no serial number")


def _is_chassis(module: Node) -> bool:
    return word(module, "name") in ("Backplane", "Midplane")


_CONFIRMED: Final = re.compile(r"commit confirmed, rollback in (\d+)\s?min", re.ASCII)
"""What Junos writes beside a commit that waits for its confirmation (NAPALM's driver reads the same words)."""


def read_pending(text: str) -> str:
    """What the newest commit waits for, of `show system commit`; empty where it is confirmed."""
    for node in only(text, "commit-information"):
        for commit in elements(node, "commit-history"):
            if word(commit, "sequence-number") == "0":
                waits = _CONFIRMED.search(word(commit, "comment"))
                return " ".join(filter(None, (waits[0], word(commit, "log")))) if waits else ""
    return ""
