"""What NAPALM's getters say of a device, as the state that an audit compares, for sites that collect by NAPALM.

Only what is live: links, LLDP neighbors, sessions with the ASN of the peer, serial number and name. No getter tells
which paths of a BGP table are used together, so there are no routes. A getter that was not run is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from typing import Final, TypeAlias

from netaudit.platforms.openconfig import asn
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Device, Lldp, LldpNeighbor, Port, System
from netaudit.state.leaf import Absent, Leaf

Getters: TypeAlias = Mapping[str, object]
"""Of `GETTERS` → what `get_…` gave, as nornir_napalm's task `napalm_get` returns it."""
GETTERS: Final = ("facts", "interfaces", "lldp_neighbors_detail", "bgp_neighbors")
_GLOBAL: Final = "global"
"""What NAPALM calls the default VRF."""


def read_getters(getters: Getters, name: str, platform: str, key_of: Callable[[str], str | None]) -> Device:
    """The live state. `key_of`: a port as the device calls it → `cage[/sub]`, `None` if it is no port of the model."""
    facts = _table(getters.get("facts"))
    return Device(
        name=name,
        platform=platform,
        version=str(facts.get("os_version", "")),
        system=System(serial=_text(facts, "serial_number"), hostname=_text(facts, "hostname")) if facts else None,
        ports=_ports(getters, key_of),
        lldp=_lldp(getters, key_of),
        bgp=_bgp(getters, key_of),
    )


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _text(row: Mapping[str, object], field: str) -> Leaf[str]:
    """A text that is there; NAPALM has an empty one, or `-1`, where it found none."""
    value = row.get(field)
    return value if isinstance(value, str) and value not in ("", "-1") else None


def _ports(getters: Getters, key_of: Callable[[str], str | None]) -> Mapping[str, Port] | None:
    found = getters.get("interfaces")
    if not isinstance(found, Mapping):
        return None
    rows = ((key_of(str(native)), native, _table(row)) for native, row in found.items())
    return {key: Port(native=str(native), oper_up=_flag(row.get("is_up"))) for key, native, row in rows if key}


def _flag(value: object) -> Leaf[bool]:
    return value if isinstance(value, bool) else None


def _lldp(getters: Getters, key_of: Callable[[str], str | None]) -> Lldp | None:
    found = getters.get("lldp_neighbors_detail")
    if not isinstance(found, Mapping):
        return None
    neighbors: dict[str, LldpNeighbor | Absent] = {}
    for native in _table(getters.get("interfaces")):  # those that hear nobody stand in no row
        if key := key_of(str(native)):
            neighbors[key] = ABSENT
    for native, rows in found.items():
        heard = next(iter(rows), None) if isinstance(rows, list) else None
        if (key := key_of(str(native))) and isinstance(heard, Mapping):
            neighbors[key] = LldpNeighbor(system=_text(heard, "remote_system_name"), port=_port_id(heard))
    return Lldp(neighbors=neighbors)


def _port_id(heard: Mapping[str, object]) -> Leaf[str]:
    """The port id; the description where the id is a MAC address or a number (field cases A14, A15)."""
    said, described = _text(heard, "remote_port"), _text(heard, "remote_port_description")
    plain = said.strip('"') if isinstance(said, str) else ""
    nameless = re.fullmatch(r"\d+|(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}|(?:[0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}", plain)
    return described if nameless and isinstance(described, str) else plain or None


def _bgp(getters: Getters, key_of: Callable[[str], str | None]) -> Bgp | None:
    found = getters.get("bgp_neighbors")
    if not isinstance(found, Mapping):
        return None
    return Bgp(neighbors=dict(_sessions(found, key_of)))


def _sessions(found: Mapping[str, object], key_of: Callable[[str], str | None]) -> Iterator[tuple[str, BgpNeighbor]]:
    """(port of an unnumbered session, else address; session). NAPALM tells up or not, and no other state."""
    for vrf, of in found.items():
        for spelled, one in _table(_table(of).get("peers")).items():
            row = _table(one)
            up = row.get("is_up") is True
            remote = asn(row.get("remote_as")) if up else None
            yield (
                _session_key(str(spelled), key_of),
                BgpNeighbor(
                    vrf="default" if vrf == _GLOBAL else str(vrf),
                    session="Established" if up else "down",
                    remote_asn=remote,
                ),
            )


def _session_key(spelled: str, key_of: Callable[[str], str | None]) -> str:
    """`fe80::1%Et1/1` and `Ethernet1/1` are their ports, an address is its canonical text."""
    address, _, zone = spelled.partition("%")
    if zone:
        return key_of(zone) or spelled
    try:
        return str(ip_address(address))
    except ValueError:
        return key_of(spelled) or spelled
