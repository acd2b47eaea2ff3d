"""What the answers of a SONiC switch say: one `Device` for each store."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from netaudit.platforms import Answer, Answers, Files, Miss, Reading
from netaudit.platforms.sonic.ask import ALWAYS, APPLIED, IDS, OFTEN
from netaudit.platforms.sonic.buffers import read_applied, read_buffers
from netaudit.platforms.sonic.dynamic import PARAMETER, PATTERN
from netaudit.platforms.sonic.frr import read_frr
from netaudit.platforms.sonic.names import positions
from netaudit.platforms.sonic.optics import TABLE as OPTICS
from netaudit.platforms.sonic.optics import read_lengths
from netaudit.platforms.sonic.ports import read_interfaces, read_ports
from netaudit.platforms.sonic.qos import read_qos
from netaudit.platforms.sonic.raw_tables import raw_rows
from netaudit.platforms.sonic.routing import merge_families, read_applied_routes, read_routes, read_sessions
from netaudit.platforms.sonic.state import PSEUDO, read_lldp_neighbors, read_oper, read_port_table, read_serial
from netaudit.platforms.sonic.system import read_lldp, read_system
from netaudit.platforms.sonic.tables import Row, Tables, Unreadable, bounded, once, parse_database, rows
from netaudit.platforms.sonic.vlans import read_vlans
from netaudit.platforms.sonic.vrf import read_vrfs
from netaudit.platforms.sonic.write import AREAS_OF_TABLES
from netaudit.state import (
    ABSENT,
    Bgp,
    BgpNeighbor,
    Buffers,
    Device,
    Leaf,
    Lldp,
    Port,
    Qos,
    Route,
    RouteKey,
    Store,
    System,
)

T = TypeVar("T")

NO_BGPD = "bgpd is not running"
"""What vtysh says, with exit code 1, to a command for bgpd where that has died (seen with FRR 8.4.4)."""


@dataclass(slots=True)
class _Reader:
    """Answers, and the problems met while reading them."""

    answers: Answers
    problems: list[tuple[str, str]] = field(default_factory=list)
    doubts: tuple[tuple[str, str], ...] = ()

    def told(self) -> tuple[tuple[str, str], ...]:
        """The problems, each once."""
        return tuple(dict.fromkeys(self.problems))

    def answer(self, query: str) -> Answer:
        return self.answers.get(query, Answer(miss=Miss.FAILED, reason="not asked"))

    def table(self, query: str) -> Mapping[str, Row] | None:
        """A table from gNMI: `{}` where the device has none, `None` with a problem noted where it cannot be used."""
        answer = self.answer(query)
        if answer.miss is Miss.ABSENT:
            return {}
        return self.attempt(query, lambda: rows(query, _json(answer, once)))

    def attempt(self, query: str, read: Callable[[], T]) -> T | None:
        """The result of `read`, or `None` with the problem noted: device text never raises further."""
        answer = self.answer(query)
        if answer.miss is Miss.FAILED:
            self.problems.append((query, answer.reason or "no answer"))
            return None
        try:
            return read()
        except (Unreadable, ValueError, RecursionError) as error:
            self.problems.append((query, str(error)[:300]))
            return None

    def part(self, query: str, read: Callable[[], T]) -> T | None:
        """Like `attempt`, for what is read from tables that were seen: only the text can be at fault.

        An error that begins with a table's name (`SCHEDULER|ROCE weight is …`) is that table's.
        """
        try:
            return read()
        except (Unreadable, ValueError) as error:
            table = str(error).partition("|")[0]
            self.problems.append((table if table in self.answers else query, str(error)[:300]))
            return None


def _json(answer: Answer, objects: Callable[[list[tuple[str, object]]], object] | None = None) -> object:
    """The JSON of an answer. `objects`: what makes an object of its pairs, where the last of two is not good enough."""
    try:
        # a number with a dot stays text: as a float, AS 65000.10 would become 65000.1
        return json.loads(bounded(answer.text), object_pairs_hook=objects, parse_float=str)
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON, perhaps cut off: {error}") from None


def _jsons(answer: Answer) -> list[object]:
    """All JSON values of an answer: before FRR 10.1, zebra prints one after the other, one a VRF (FRR #15632)."""
    decoder, text, at = json.JSONDecoder(parse_float=str), bounded(answer.text).strip(), 0
    found: list[object] = []
    try:
        while not found or at < len(text):
            value, at = decoder.raw_decode(text, at)
            found.append(value)
            while text[at : at + 1].isspace():
                at += 1
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON, perhaps cut off: {error}") from None
    return found


def read(answers: Answers, name: str) -> Reading:
    """The observed state of one switch, per store. What cannot be used becomes a problem, never an absent value."""
    reader = _Reader(answers)
    tables = {table: reader.table(table) for table in (*ALWAYS, *OFTEN)} | dict(_beside(reader))
    keys = _keys(reader, tables["PORT"])
    if keys is None:
        # without any list of ports, all that hangs on one would look as if it were not there
        return Reading(stores={store: Device(name=name, platform="sonic") for store in Store}, problems=reader.told())
    frr = _running_frr(reader, keys)
    state = _state(reader, name, keys)
    stores = {
        Store.RUNNING: _configured(reader, name, tables, frr, keys),
        Store.SAVED: _saved(reader, name, keys),
        Store.APPLIED: _applied(reader, name, keys, state.routes or {}),
        Store.STATE: state,
    }
    return Reading(stores=stores, problems=reader.told(), doubts=reader.doubts)


def _is_dead(reader: _Reader) -> bool:
    """Does vtysh say that bgpd does not run? It says so of every command of bgpd, and leaves its part of others out."""
    answer = reader.answer("summary")
    return answer.miss is Miss.FAILED and NO_BGPD in answer.reason


def _running_frr(reader: _Reader, keys: Mapping[str, str]) -> Bgp | None:
    """The routing configuration in force. Without bgpd nobody shows its part: that is not seen, and not absent."""
    if _is_dead(reader):
        reader.problems.append(("frr", reader.answer("summary").reason))
        return None
    return reader.attempt("frr", lambda: read_frr(reader.answer("frr").text, keys))


def _sessions(reader: _Reader, keys: Mapping[str, str]) -> Bgp | None:
    """What bgpd says of its sessions. Where it does not run, each session that its file has is down."""
    told = reader.attempt("summary", lambda: read_sessions(_json(reader.answer("summary")), keys))
    if not _is_dead(reader):
        return told
    saved = reader.attempt("saved-frr", lambda: read_frr(reader.answer("saved-frr").text, keys))
    if saved is None or not saved.neighbors:
        return None
    return Bgp(neighbors=dict.fromkeys(saved.neighbors, BgpNeighbor(session=NO_BGPD)))


def _keys(reader: _Reader, ports: Mapping[str, Row] | None) -> Mapping[str, str] | None:
    """Native port name → `cage[/sub]`: from what runs, else from what is applied, else from what is saved."""
    found = ports if ports is not None else reader.table("PORT_TABLE")
    if found is None:
        database = reader.attempt("saved", lambda: parse_database(reader.answer("saved").text))
        found = database.get("PORT") if database else None
    return None if found is None else positions({n: dict(r) for n, r in found.items() if n not in PSEUDO})


def _configured(
    reader: _Reader, name: str, tables: Mapping[str, Mapping[str, Row] | None], frr: Bgp | None, keys: Mapping[str, str]
) -> Device:
    return Device(
        name=name,
        platform="sonic",
        system=reader.part("DEVICE_METADATA", lambda: read_system(tables)),
        ports=reader.part("PORT", lambda: read_ports(tables, keys)),
        vrfs=reader.part("VRF", lambda: read_vrfs(tables)),
        interfaces=reader.part("INTERFACE", lambda: read_interfaces(tables, keys)),
        vlans=read_vlans(tables, keys),
        bgp=frr,
        qos=reader.part("PORT_QOS_MAP", lambda: read_qos(tables, keys)) or Qos(),
        buffers=reader.part("BUFFER_PROFILE", lambda: read_buffers(tables, keys)) or Buffers(),
        lldp=reader.part("LLDP", lambda: read_lldp(tables)) or Lldp(),
        raw=raw_rows(tables, AREAS_OF_TABLES),
    )


def _beside(reader: _Reader) -> Mapping[str, Mapping[str, Row] | None]:
    """Tables that only some switches are asked for: the intent has rows of them, or they compute headroom."""
    return {table: reader.table(table) for table in reader.answers if table not in IDS}


def read_config(files: Files, name: str) -> Device:
    """The state that `config_db.json` and `frr.conf` describe. Raises `Unreadable`."""
    database = parse_database(files.get("config_db.json", "{}"))
    tables = complete(database)
    keys = positions({n: dict(r) for n, r in (tables["PORT"] or {}).items()})
    return Device(
        name=name,
        platform="sonic",
        system=read_system(tables),
        ports=read_ports(tables, keys),
        vrfs=read_vrfs(tables),
        interfaces=read_interfaces(tables, keys),
        vlans=read_vlans(tables, keys),
        bgp=read_frr(files["frr.conf"], keys) if "frr.conf" in files else None,
        qos=read_qos(tables, keys),
        buffers=read_buffers(tables, keys),
        lldp=read_lldp(tables),
        raw=raw_rows(tables, AREAS_OF_TABLES),
    )


def complete(database: Tables) -> dict[str, Mapping[str, Row] | None]:
    """A whole database: a table that is not in it is absent, not unseen."""
    empty: Mapping[str, Row] = {}
    return {**dict.fromkeys((*ALWAYS, *OFTEN, PARAMETER, PATTERN), empty), **database}


def _saved(reader: _Reader, name: str, running_keys: Mapping[str, str]) -> Device:
    device = Device(name=name, platform="sonic", qos=Qos(), buffers=Buffers(), lldp=Lldp())
    keys = running_keys
    database = reader.attempt("saved", lambda: read_config({"config_db.json": reader.answer("saved").text}, name))
    if database is not None:
        device, keys = database, {str(p.native): key for key, p in (database.ports or {}).items()}
    # a file that is not there brings nothing back, which is what an empty one does
    bgp = reader.attempt("saved-frr", lambda: read_frr(reader.answer("saved-frr").text, keys))
    return replace(device, bgp=bgp)


def _applied(reader: _Reader, name: str, keys: Mapping[str, str], known: Mapping[RouteKey, Route]) -> Device:
    tables = {table: reader.table(table) for table in APPLIED}
    return Device(
        name=name,
        platform="sonic",
        ports=reader.part("PORT_TABLE", lambda: read_port_table(tables["PORT_TABLE"], keys)),
        buffers=reader.part("BUFFER_PG_TABLE", lambda: read_applied(tables, keys)) or Buffers(),
        routes=_applied_routes(reader, keys, known),
    )


def _applied_routes(
    reader: _Reader, keys: Mapping[str, str], known: Mapping[RouteKey, Route]
) -> Mapping[RouteKey, Route] | None:
    """Routes as handed to the hardware; `known` are those of BGP."""
    table = reader.table("ROUTE_TABLE")
    if table is None:
        return None
    if not table and any(route.hops for route in known.values()):
        # where routes go to orchagent past Redis (zmq), the table is empty and says nothing of the hardware
        reader.problems.append(("ROUTE_TABLE", "the switch has no row in it, and routes of BGP"))
        return None
    return reader.part("ROUTE_TABLE", lambda: read_applied_routes(table, keys, known))


def _state(reader: _Reader, name: str, keys: Mapping[str, str]) -> Device:
    ports = reader.table("PORT_TABLE")
    neighbors = reader.table("LLDP_ENTRY_TABLE")
    routes = [_routes(reader, version, keys) for version in ("4", "6")]
    return Device(
        name=name,
        platform="sonic",
        system=System(serial=_serial(reader)),
        ports=_with_lengths(reader, reader.part("PORT_TABLE", lambda: read_oper(ports, keys)), keys),
        bgp=_sessions(reader, keys),
        lldp=Lldp(neighbors=reader.part("LLDP_ENTRY_TABLE", lambda: read_lldp_neighbors(neighbors, keys, ports))),
        routes=merge_families(routes),
    )


def _with_lengths(
    reader: _Reader, ports: Mapping[str, Port] | None, keys: Mapping[str, str]
) -> Mapping[str, Port] | None:
    """The ports with what their plugs say of the cable; equal ones are one object."""
    lengths, reader.doubts = read_lengths(reader.table(OPTICS), keys)
    if ports is None:
        return None
    alike: dict[tuple[Leaf[bool], Leaf[float]], Port] = {}
    made: dict[str, Port] = {}
    for key, port in ports.items():
        cable_m = None if lengths is None else lengths.get(key, ABSENT)
        if (found := alike.get((port.oper_up, cable_m))) is None:
            found = alike[port.oper_up, cable_m] = replace(port, cable_m=cable_m)
        made[key] = found
    return made


def _routes(reader: _Reader, version: str, keys: Mapping[str, str]) -> Mapping[RouteKey, Route] | None:
    rib = reader.attempt(f"route{version}", lambda: _jsons(reader.answer(f"route{version}")))
    bgp = reader.attempt(f"bgp{version}", lambda: _json(reader.answer(f"bgp{version}")))
    if rib is None or bgp is None:
        return None
    return reader.attempt(f"bgp{version}", lambda: read_routes(bgp, rib, keys))


def _serial(reader: _Reader) -> Leaf[str]:
    """A switch that tells no serial number may be any: that is not seen, and not another box."""
    answer = reader.answer("EEPROM_INFO")
    if answer.miss is Miss.ABSENT:
        reader.problems.append(("EEPROM_INFO", "the switch tells no serial number"))
        return None
    return reader.attempt("EEPROM_INFO", lambda: read_serial(_json(answer)))
