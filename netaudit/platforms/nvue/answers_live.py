"""What Cumulus Linux says of the box, its links, its neighbors and its sessions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from typing import Final, NamedTuple

from netaudit.platforms import openconfig
from netaudit.platforms.nvue.answers_json import Unreadable, parsed, part, rows, table, word
from netaudit.platforms.nvue.names import position
from netaudit.platforms.openconfig import asn
from netaudit.state import ABSENT, Absent, Bgp, BgpNeighbor, Leaf, LldpNeighbor, Port

DEFAULT: Final = "default"
_MAC: Final = re.compile(r"[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}|([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z-]{1,30}\d{1,4}(?:[/:s]\d{1,4}){0,3}[a-z]?", re.ASCII)
"""A port by name: swp1s0, Ethernet1/1, et-0/0/0:1, etp1a, nic1p1 is none of a switch but fits as well."""
_OF_SPEAKER: Final = ("vrfId", "vrfName")
"""Keys beside the neighbors of a VRF in `show bgp vrf all neighbors json`."""


class Heard(NamedTuple):
    """One neighbor as received, by the name of the port here."""

    local: str
    system: str
    port: str
    description: str = ""


def read_serial(text: str) -> Leaf[str]:
    """The serial number, of `nv show platform -o json`; `ABSENT` where the box tells none."""
    return word(table(parsed(text), "nv show platform").get("serial-number")) or ABSENT


def read_oper(text: str) -> Mapping[str, Port]:
    """Which links are up, of `nv show interface -o json`. A link is under `link`, its state a word."""
    found: dict[str, Port] = {}
    for name, row in table(parsed(text), "nv show interface").items():
        key, state = position(str(name)), word(part(row, "link").get("oper-status"))
        if key is not None and state:
            found[key] = Port(oper_up=state == "up")
    if not found:
        raise Unreadable("no front panel port in the answer")
    return found


def oc_oper(text: str) -> Mapping[str, Port] | None:
    """The same of gNMI; `None` where it says nothing that can be used."""
    told = openconfig.interfaces(text).items
    found = {key: port.oper_up for name, port in told.items() if (key := position(name)) is not None}
    return {key: Port(oper_up=up) for key, up in found.items() if up is not None} or None


def read_lldp(text: str) -> Mapping[str, LldpNeighbor | Absent]:
    """Neighbors by port, of `lldpctl -f json0`. Raises `Unreadable`."""
    return by_port(read_neighbors(text))


def read_neighbors(text: str) -> tuple[Heard, ...]:
    """All neighbors, of `lldpctl -f json0`, where every value stands in a list. Raises `Unreadable`."""
    lldp = rows(table(parsed(text), "lldpctl").get("lldp"))
    if not lldp:
        raise Unreadable("lldpctl: no list of interfaces")
    return tuple(_heard(row) for one in lldp for row in rows(one.get("interface")))


def _heard(row: Mapping[str, object]) -> Heard:
    chassis, port = _first(row.get("chassis")), _first(row.get("port"))
    return Heard(
        local=word(row.get("name")),
        system=_value(chassis, "name") or _value(chassis, "id"),
        port=_value(port, "id"),
        description=_value(port, "descr"),
    )


def _first(value: object) -> Mapping[str, object]:
    return next(iter(rows(value)), {})


def _value(of: Mapping[str, object], name: str) -> str:
    return word(_first(of.get(name)).get("value"))


def oc_lldp(text: str) -> Mapping[str, LldpNeighbor | Absent] | None:
    """The same of gNMI. That no port hears anybody is not believed: the command says it again, or not."""
    heard = by_port(
        Heard(local=local, system=one.system or one.chassis_id, port=one.port_id, description=one.port_description)
        for local, neighbors in openconfig.lldp(text).items.items()
        for one in neighbors
    )
    return heard or None


def by_port(neighbors: Iterable[Heard]) -> Mapping[str, LldpNeighbor | Absent]:
    """Neighbors of front panel ports; the management port has one too, and is not ours."""
    return {
        key: LldpNeighbor(system=one.system, port=_port(one))
        for one in neighbors
        if (key := position(one.local)) is not None
    }


def _port(one: Heard) -> str:
    """The port a neighbor names. One that sends its MAC address may describe the port by name (field case A14)."""
    return one.description if _MAC.fullmatch(one.port) and _NAME.fullmatch(one.description) else one.port


def read_sessions(text: str) -> Bgp:
    """Sessions of all VRFs, of `show bgp vrf all neighbors json`; the own ASN is that of the default one."""
    own: Leaf[int] = ABSENT
    neighbors: dict[str, BgpNeighbor] = {}
    for vrf, name, row in _peers(table(parsed(text), "show bgp neighbors")):
        local = _asn(row.get("localAs"), f"local AS of {name}")
        if vrf == DEFAULT and isinstance(local, int):
            own = local
        # FRR says 0 until an OPEN told it: nobody knows the number, which is not a wrong one
        remote = None if row.get("remoteAs") in (0, "0") else _asn(row.get("remoteAs"), f"AS of {name}")
        neighbors[_key(name)] = BgpNeighbor(
            session=word(row.get("bgpState")) or ABSENT,
            remote_asn=remote,
        )
    return Bgp(asn=own, neighbors=neighbors)


def _key(name: str) -> str:
    """A neighbor as the state knows it: the position of its port, or its address in canonical text (field case A16)."""
    try:
        return position(name) or str(ip_address(name))
    except ValueError:
        return name


def _peers(data: Mapping[str, object]) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """(VRF, name of the neighbor, what is said of it). An answer for one VRF alone has no VRF around it."""
    single = any(key in data for key in _OF_SPEAKER) or any("bgpState" in part(row) for row in data.values())
    for vrf, found in ((DEFAULT, data),) if single else data.items():
        for name, row in table(found, f"VRF {vrf}").items():
            if name not in _OF_SPEAKER and isinstance(row, Mapping):
                yield str(vrf), str(name), row


def _asn(value: object, what: str) -> Leaf[int]:
    """A number, or text in any of its spellings (field case A12). Raises `Unreadable`."""
    if value is None:
        return ABSENT
    found = asn(value)
    if found is None:
        raise Unreadable(f"{what} is {str(value)[:40]!r}, not a number of 32 bits")
    return found
