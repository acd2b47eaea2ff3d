"""Where the ports of a switch sit on its front panel, and which links are up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from netaudit.lab.sim.cabling import Cable, End
from netaudit.lab.sim.database import Config, Row, text


@dataclass(frozen=True, slots=True, kw_only=True)
class PortSpec:
    """What a port row asks of its link. Two ends come up together only where these agree."""

    native: str
    enabled: bool
    speed: str
    lanes: int
    fec: str = ""


def read_port_config(ini: str) -> Mapping[str, Row]:
    """Native name → row of a port_config.ini; the head line names the columns."""
    rows: dict[str, Row] = {}
    columns: list[str] = []
    for line in ini.splitlines():
        words = line.replace("#", " ").split()
        if line.lstrip().startswith("#") and "name" in words:
            columns = words
        elif words and not line.lstrip().startswith("#"):
            row: Row = dict(zip(columns or ["name", "lanes", "alias", "index", "speed"], words, strict=False))
            rows[text(row, "name")] = row
    return rows


def positions(config: Config, ini: Mapping[str, Row]) -> Mapping[str, str]:
    """Front panel position `cage[/sub]` → native name, of every row of PORT that has a cage.

    A row alone on its cage is the cage, unless its `subport` says which part of it. Rows that share a cage are its
    parts by `subport`, or in the order of their first lanes.
    """
    cages: dict[str, list[str]] = {}
    rows = config.get("PORT", {})
    for native, row in rows.items():
        index = text(row, "index") or text(ini.get(native, {}), "index")
        if index and text(row, "role", "Ext") == "Ext":
            cages.setdefault(index, []).append(native)
    found: dict[str, str] = {}
    for cage, natives in cages.items():
        for order, native in enumerate(sorted(natives, key=lambda name: _first_lane(rows[name])), start=1):
            subport = text(rows[native], "subport", "0")
            part = int(subport) if subport.isdecimal() else 0
            found[cage if len(natives) == 1 and not part else f"{cage}/{part or order}"] = native
    return found


def _first_lane(row: Row) -> int:
    """Number of the first lane; ports without lanes come first."""
    first = text(row, "lanes").split(",")[0].strip()
    return int(first) if first.isdecimal() else -1


FEC = ("rs", "fc", "none")
"""FEC that must be the same at both ends; `auto` and no word at all follow the far end."""


def robbed(rows: Mapping[str, Row]) -> frozenset[str]:
    """Ports that claim a lane of another one: orchagent makes the port that it comes to first, and not the next."""
    owners: dict[str, str] = {}
    return frozenset(
        native for native, row in rows.items() for lane in _lanes(row) if owners.setdefault(lane, native) != native
    )


def _lanes(row: Row) -> list[str]:
    return [lane.strip() for lane in text(row, "lanes").split(",") if lane.strip()]


def port_spec(native: str, row: Row) -> PortSpec:
    """What a row of PORT asks for; admin_status is down unless it says up (sonic.md 1)."""
    return PortSpec(
        native=native,
        enabled=text(row, "admin_status", "down") == "up",
        speed=text(row, "speed"),
        lanes=len(_lanes(row)),
        fec=text(row, "fec"),
    )


def link_is_up(cable: Cable, ports: Mapping[End, PortSpec], switches: frozenset[str]) -> bool:
    """Whether a cable that is whole carries light both ways. A host follows whatever its switch does."""
    near, far = ports.get(cable.b), ports.get(cable.a)
    if near is None or not near.enabled:
        return False
    if cable.a.device not in switches:
        return True
    if far is None or not far.enabled or (far.speed, far.lanes) != (near.speed, near.lanes):
        return False
    return far.fec == near.fec or not {far.fec, near.fec} <= set(FEC)


def links_up(
    cables: Iterable[Cable], cut: frozenset[Cable], ports: Mapping[End, PortSpec], switches: frozenset[str]
) -> frozenset[Cable]:
    """The cables that carry traffic."""
    return frozenset(cable for cable in cables if cable not in cut and link_is_up(cable, ports, switches))
