"""From the expected state to SONiC's files, and from there to what one device shall hold beside what is not ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_interface

from netaudit.platforms import Answers, Files
from netaudit.platforms.sonic import frr_write
from netaudit.platforms.sonic.buffers import write_buffers
from netaudit.platforms.sonic.frr import read_frr
from netaudit.platforms.sonic.names import positions
from netaudit.platforms.sonic.ports import write_interfaces, write_ports
from netaudit.platforms.sonic.qos import MAPS, write_qos
from netaudit.platforms.sonic.raw_tables import merged, write_raw
from netaudit.platforms.sonic.state import read_serial
from netaudit.platforms.sonic.system import ROUTING_TABLES, write_system
from netaudit.platforms.sonic.tables import Row, Table, Tables, Unreadable, dump, natural, parse_database, singles
from netaudit.platforms.sonic.vlans import write_vlans
from netaudit.platforms.sonic.vrf import beside_ours, write_vrfs
from netaudit.state import Device

OWNS: Mapping[str, tuple[str, ...]] = {
    "ports": ("PORT", "BREAKOUT_CFG"),
    "addressing": ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN", "VLAN_INTERFACE", "VLAN_MEMBER", "VRF"),
    "bgp": ROUTING_TABLES,
    "qos": (
        *MAPS.values(),
        "PORT_QOS_MAP",
        "SCHEDULER",
        "QUEUE",
        "WRED_PROFILE",
        "PFC_WD",
        "SWITCH_TRIMMING",
        "SWITCH_HASH",
    ),
    "buffers": (
        "BUFFER_POOL",
        "BUFFER_PROFILE",
        "BUFFER_PG",
        "BUFFER_QUEUE",
        "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
        "CABLE_LENGTH",
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
        "LOSSLESS_TRAFFIC_PATTERN",
    ),
    "lldp": ("LLDP", "LLDP_PORT"),
}
"""Area → tables that are ours as a whole (DESIGN.md section 3, «SONiC, owns»), but for what `beside_ours` keeps."""

METADATA = {"bgp": ("bgp_asn", "docker_routing_config_mode", "type"), "buffers": ("buffer_model",)}
"""Area → fields of DEVICE_METADATA that are ours; the others are read and never changed."""

WHERE_SAID = ("SWITCH_HASH",)
"""Tables that are ours only where the intent says something of them: else the platform's own defaults in them stay."""

_COLOURS = ("green", "yellow", "red")
_PROFILE = {"profile"}
_LIST = {"profile_list"}

MODELLED: Mapping[str, frozenset[str] | set[str]] = {
    "PORT": {
        *("alias", "index", "lanes", "speed", "fec", "mtu", "admin_status", "autoneg", "description", "subport"),
        "pfc_asym",
    },
    "BREAKOUT_CFG": {"brkout_mode"},
    "INTERFACE": {"ipv6_use_link_local_only", "vrf_name"},
    "LOOPBACK_INTERFACE": {"vrf_name"},
    "VLAN": {"vlanid", "members"},
    "VLAN_INTERFACE": {"ipv6_use_link_local_only", "vrf_name"},
    "VLAN_MEMBER": {"tagging_mode"},
    "VRF": set(),
    "LLDP": {"enabled", "mode"},
    "PORT_QOS_MAP": {
        *(f"{field}_map" for field in (*MAPS, "tc_to_dscp")),
        *("pfc_enable", "pfcwd_sw_enable", "scheduler"),
    },
    "SCHEDULER": {"type", "weight", "meter_type", "cir", "pir"},
    "QUEUE": {"scheduler", "wred_profile"},
    "WRED_PROFILE": {
        "ecn",
        *(f"wred_{colour}_enable" for colour in _COLOURS),
        *(f"{c}_{field}" for c in _COLOURS for field in ("min_threshold", "max_threshold", "drop_probability")),
    },
    "SWITCH_TRIMMING": {"size", "dscp_value", "queue_index", "tc_value"},
    "SWITCH_HASH": {"ecmp_hash"},
    "PFC_WD": {"action", "detection_time", "restoration_time", "POLL_INTERVAL"},
    "BUFFER_POOL": {"type", "mode", "size", "xoff"},
    "BUFFER_PROFILE": {"pool", "size", "dynamic_th", "static_th", "xon", "xoff", "xon_offset", "packet_discard_action"},
    "BUFFER_PG": _PROFILE,
    "BUFFER_QUEUE": _PROFILE,
    "BUFFER_PORT_INGRESS_PROFILE_LIST": _LIST,
    "BUFFER_PORT_EGRESS_PROFILE_LIST": _LIST,
}
"""Fields a leaf stands for, of each table whose rows have fields: others stay in a row that is ours. The rows of the
other tables are maps, of which every entry is ours."""


def context(device: Device) -> Mapping[str, object]:
    """What the templates print: every table of `config_db.json`, and the pieces of `frr.conf`."""
    return {"database": dump(database(device)).rstrip("\n"), **frr_write.context(device)}


def database(device: Device) -> Tables:
    """The tables of one device, without what belongs to nobody."""
    tables: Tables = {}
    for part in (
        write_system(device),
        write_ports(device),
        write_vrfs(device),
        write_interfaces(device),
        write_vlans(device),
        write_qos(device),
        write_buffers(device),
    ):
        tables.update({name: table for name, table in part.items() if table})
    return merged(tables, write_raw(device.raw)) if device.raw else tables


AREAS_OF_TABLES = frozenset(table for tables in OWNS.values() for table in tables)
"""Tables that are of some area, whoever owns it: rows of the site's own stand in others only."""


def _with_raw(tables: Tables, ours: Tables) -> Tables:
    """The tables with our rendering's rows of the site's own: what is of no area can only be that."""
    known = {*BOX, *(field for fields_ in METADATA.values() for field in fields_)}
    box = ours.get("DEVICE_METADATA", {}).get("localhost", {})
    raw = {name: table for name, table in ours.items() if name not in AREAS_OF_TABLES and name != "DEVICE_METADATA"}
    beside = {field: value for field, value in box.items() if field not in known}
    return merged(tables, {**raw, **({"DEVICE_METADATA": {"localhost": beside}} if beside else {})})


BOX = ("hostname", "hwsku", "platform", "mac")
"""Fields of the box itself, which are rendered and never pushed."""


def owned_tables(ours: Tables, areas: Iterable[str]) -> frozenset[str]:
    """The tables of the areas; of those that are ours where the intent says something only the ones that it fills."""
    return frozenset(t for area in areas for t in OWNS.get(area, ()) if t in ours or t not in WHERE_SAID)


def candidate(rendered: Files, running: Files, owns: Iterable[str]) -> Files:
    """What the device shall hold: our tables where the area is owned, the running ones elsewhere, untouched."""
    areas = tuple(owns)
    ours = parse_database(rendered["config_db.json"])
    theirs = parse_database(running["config_db.json"])
    owned = owned_tables(ours, areas)
    tables: Tables = {name: table for name, table in theirs.items() if name not in owned}
    for name in owned & ours.keys():
        held = theirs.get(name, {})
        spelled = as_spelled(ours[name], held) if name in ADDRESSED else ours[name]
        if name in RANGED:
            spelled = as_grouped(spelled, held)
        tables[name] = {key: _row(name, row, held.get(key, {})) for key, row in spelled.items()}
    for name, rows in beside_ours(ours, theirs).items() if "addressing" in areas else ():
        tables[name] = {**rows, **tables.get(name, {})}
    metadata = dict(theirs.get("DEVICE_METADATA", {}).get("localhost", {}))
    wanted = ours.get("DEVICE_METADATA", {}).get("localhost", {})
    for field in (field for area in areas for field in METADATA.get(area, ())):
        metadata.pop(field, None)
        if field in wanted:
            metadata[field] = wanted[field]
    tables["DEVICE_METADATA"] = {**theirs.get("DEVICE_METADATA", {}), "localhost": metadata}
    tables = _with_raw(tables, ours)
    text = rendered["frr.conf"] if "bgp" in areas else running["frr.conf"]
    return {"config_db.json": dump(tables), "frr.conf": text}


ADDRESSED = ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE")
"""Tables with an address in the key."""


def as_spelled(ours: Table, theirs: Table) -> Table:
    """Our rows under the device's own keys where those mean the same: to GCU `FC00::1` and `fc00::1` are two rows."""
    known = {_meant(key): key for key in theirs}
    return {key if key in theirs else known.get(_meant(key), key): row for key, row in ours.items()}


RANGED = ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE")
"""Tables whose keys hold queues or priority groups, one or several."""


def as_grouped(ours: Table, theirs: Table) -> Table:
    """Our rows, and for a port where the device's say the same, the device's: `0-2` and `0`, `1`, `2` are equal."""
    own, held = _by_number(ours), _by_number(theirs)
    same = {port for port, rows in own.items() if rows == held.get(port)}
    kept = {key: row for key, row in theirs.items() if key.partition("|")[0] in same}
    return {**{key: row for key, row in ours.items() if key.partition("|")[0] not in same}, **kept}


def _by_number(table: Table) -> dict[str, dict[str, Row]]:
    """Port → queue or group → its row. Rows of several ports are left out: they are written one by one."""
    found: dict[str, dict[str, Row]] = {}
    for key, row in table.items():
        port, _, numbers = key.partition("|")
        found.setdefault(port, {}).update(dict.fromkeys(singles(numbers), row))
    return found


def _meant(key: str) -> tuple[str, str]:
    """Interface and address in the one text that `ipaddress` gives it."""
    name, _, address = key.partition("|")
    try:
        return name, str(ip_interface(address)) if address else ""
    except ValueError:
        return name, address


def _row(table: str, ours: Row, theirs: Row) -> Row:
    """Our row, and whatever field of the running one no leaf of ours stands for."""
    known = MODELLED.get(table)
    if known is None:
        return ours
    return {**{f: v for f, v in theirs.items() if f not in known}, **ours}


def running_files(answers: Answers) -> tuple[Files, str]:
    """The running configuration as `config_db.json` and `frr.conf`, and the serial number.

    Raises `Unreadable` when either is missing: a candidate made from half a configuration would delete the rest.
    """
    texts = {}
    for query in ("database", "frr"):
        answer = answers.get(query)
        if answer is None or answer.miss is not None or not answer.text.strip():
            raise Unreadable(f"{query}: {answer.reason if answer and answer.reason else 'no answer'}")
        texts[query] = answer.text
    tables = parse_database(texts["database"])
    if not tables.get("DEVICE_METADATA") or not tables.get("PORT"):
        raise Unreadable("the running configuration has no DEVICE_METADATA or no PORT: it is not whole")
    eeprom = answers.get("EEPROM_INFO")
    serial = ""
    if eeprom is not None and eeprom.miss is None:
        found = read_serial({"Value": _value(eeprom.text)})
        serial = found if isinstance(found, str) else ""
    return {"config_db.json": dump(tables), "frr.conf": _plain(texts["frr"])}, serial


def _value(text: str) -> str | None:
    row = parse_database(f'{{"EEPROM_INFO": {{"0x23": {text}}}}}')["EEPROM_INFO"]["0x23"]
    value = row.get("Value")
    return value if isinstance(value, str) else None


def _plain(text: str) -> str:
    """`show running-config` without the frame around it, so that it can be loaded again."""
    frame = ("Building configuration", "Current configuration", "end")
    return "\n".join(line.rstrip() for line in text.splitlines() if not line.startswith(frame)).strip() + "\n"


def _meaning(files: Files) -> tuple[Tables, object]:
    tables = parse_database(files["config_db.json"])
    keys = positions({n: dict(r) for n, r in tables.get("PORT", {}).items()})
    return {name: table for name, table in tables.items() if table}, read_frr(files["frr.conf"], keys)


def equal(one: Files, other: Files) -> bool:
    """Do both mean the same? Order and spelling of FRR lines do not count."""
    return _meaning(one) == _meaning(other)


def diff(running: Files, candidate: Files) -> tuple[str, ...]:
    """`TABLE|key field  old → new` for each value that changes, then the FRR lines that go and come."""
    old, new = parse_database(running["config_db.json"]), parse_database(candidate["config_db.json"])
    lines = [
        line
        for name in sorted(old.keys() | new.keys())
        for line in _table_diff(name, old.get(name, {}), new.get(name, {}))
    ]
    if _meaning(running)[1] != _meaning(candidate)[1]:
        before, after = _frr_lines(running["frr.conf"]), _frr_lines(candidate["frr.conf"])
        lines += [f"frr.conf - {line}" for line in before if line not in after]
        lines += [f"frr.conf + {line}" for line in after if line not in before]
    return tuple(lines)


def _frr_lines(text: str) -> list[str]:
    silent = ("!", "frr version", "hostname", "log ", "exit", "end", "service ", "no service ")
    return [
        " ".join(line.split()) for line in text.splitlines() if line.strip() and not line.strip().startswith(silent)
    ]


def _table_diff(name: str, old: Table, new: Table) -> Iterator[str]:
    for key in sorted(old.keys() | new.keys(), key=natural):
        before, after = old.get(key), new.get(key)
        if before is None:
            yield f"{name}|{key}  added  {_show(after)}"
        elif after is None:
            yield f"{name}|{key}  removed"
        else:
            for field in sorted(before.keys() | after.keys(), key=natural):
                if before.get(field) != after.get(field):
                    yield f"{name}|{key} {field}  {before.get(field, '–')} → {after.get(field, '–')}"


def _show(row: Row | None) -> str:
    return " ".join(f"{field}={value}" for field, value in sorted((row or {}).items(), key=lambda i: natural(i[0])))
