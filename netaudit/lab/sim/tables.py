"""Every table that gNMI can be asked for: CONFIG_DB, and what the daemons make of it in the other databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from netaudit.lab.sim import dynamic, lldp, optics, rib
from netaudit.lab.sim.database import Hash, hash_of, text
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.sessions import state_of
from netaudit.lab.sim.switch import Switch

Tables = Mapping[str, Hash]
Builder = Callable[[Fabric, Switch], Tables]

SEPARATORS: Mapping[str, str] = {
    "CONFIG_DB": "|",
    "STATE_DB": "|",
    "APPL_DB": ":",
    "COUNTERS_DB": ":",
    "ASIC_DB": ":",
    "FLEX_COUNTER_DB": ":",
    "PFC_WD_DB": ":",
}
"""Database → what stands between the parts of its keys (sonic.md 8). The last three are empty here."""
_MTU = "9100"
"""PORT.mtu where the row has none (sonic.md 4)."""
_COUNTERS = (
    "SAI_PORT_STAT_IF_IN_OCTETS",
    "SAI_PORT_STAT_IF_OUT_OCTETS",
    "SAI_PORT_STAT_IF_IN_ERRORS",
    "SAI_PORT_STAT_IF_IN_DISCARDS",
    "SAI_PORT_STAT_IF_OUT_DISCARDS",
    *(f"SAI_PORT_STAT_PFC_{priority}_{way}_PKTS" for priority in range(8) for way in ("RX", "TX")),
)
"""All zero: no packet moves here."""


def table(fabric: Fabric, switch: Switch, database: str, name: str) -> Tables:
    """The rows of a table; empty where the table is not there."""
    if database == "CONFIG_DB":
        return {key: hash_of(row) for key, row in switch.config.get(name, {}).items()}
    builder = _BUILDERS.get((database, name))
    rows = builder(fabric, switch) if builder else {}
    if database != "APPL_DB" or not fabric.faults.applied:
        return rows
    other = {
        key: fields
        for (box, table, key), fields in fabric.faults.applied.items()
        if (box, table) == (switch.name, name)
    }
    return {key: {**row, **other.get(key, {})} for key, row in rows.items()}


def _ports(fabric: Fabric, switch: Switch) -> Tables:
    """PORT_TABLE of APPL_DB, with the two pseudo keys of portsyncd."""
    up = fabric.links().far[switch.name]
    told = fabric.answering(switch.name).states
    rows: dict[str, Hash] = {
        native: {
            "admin_status": "down",
            "mtu": _MTU,
            **hash_of(row),
            "oper_status": told.get(native, "up" if native in up else "down"),
            "flap_count": str(switch.flaps[native]),
        }
        for native, row in switch.config.get("PORT", {}).items()
    }
    if rows:
        rows["PortConfigDone"] = {"count": str(len(rows))}
        rows["PortInitDone"] = {"lanes": "0"}
    return rows


def _port_states(fabric: Fabric, switch: Switch) -> Tables:
    """PORT_TABLE of STATE_DB."""
    up = fabric.links().far[switch.name]
    return {
        native: {
            "state": "ok",
            "admin_status": text(row, "admin_status", "down"),
            "netdev_oper_status": "up" if native in up else "down",
            "mtu": text(row, "mtu", _MTU),
            "host_tx_ready": "true" if text(row, "admin_status") == "up" else "false",
        }
        for native, row in switch.config.get("PORT", {}).items()
    }


def _followed(name: str) -> Builder:
    """A table of APPL_DB that repeats one of CONFIG_DB, keys joined with `:`."""

    def build(_: Fabric, switch: Switch) -> Tables:
        return {key.replace("|", ":"): hash_of(row) for key, row in switch.config.get(name, {}).items()}

    return build


def _pools(fabric: Fabric, switch: Switch) -> Tables:
    """BUFFER_POOL_TABLE, with sizes where the switch computes them."""
    if switch.computes:
        return dynamic.pool_table(switch.config, switch.headroom)
    return _followed("BUFFER_POOL")(fabric, switch)


def _profiles(fabric: Fabric, switch: Switch) -> Tables:
    """BUFFER_PROFILE_TABLE, with headroom where the switch computes it."""
    if switch.computes:
        return dynamic.profile_table(switch.config, switch.headroom)
    return _followed("BUFFER_PROFILE")(fabric, switch)


def _queues(fabric: Fabric, switch: Switch) -> Tables:
    """BUFFER_QUEUE_TABLE."""
    if switch.computes:
        return dynamic.queue_table(switch.config)
    return _followed("BUFFER_QUEUE")(fabric, switch)


def _groups(_: Fabric, switch: Switch) -> Tables:
    """BUFFER_PG_TABLE; in the traditional model nobody computes what "NULL" asks for."""
    if switch.computes:
        return dynamic.group_table(switch.config, switch.headroom)
    rows = switch.config.get("BUFFER_PG", {})
    return {key.replace("|", ":"): hash_of(row) for key, row in rows.items() if text(row, "profile") != "NULL"}


def _eeprom(_: Fabric, switch: Switch) -> Tables:
    """EEPROM_INFO: the ONIE TLVs that pmon writes."""
    named = (("0x21", "Product Name", switch.eeprom.hwsku), ("0x22", "Part Number", switch.eeprom.platform))
    burned = (("0x23", "Serial Number", switch.eeprom.serial), ("0x24", "Base MAC Address", switch.eeprom.mac))
    rows: dict[str, Hash] = {
        code: {"Name": name, "Len": str(len(value)), "Value": value} for code, name, value in (*named, *burned)
    }
    rows["State"] = {"Initialized": "1"}
    return rows


def _sessions(fabric: Fabric, switch: Switch) -> Tables:
    """NEIGH_STATE_TABLE, which bgpmon fills."""
    routing = fabric.routing()
    router = routing.routers.get(switch.name)
    if router is None:
        return {}
    return {
        key: {
            "peerType": "i-BGP" if peer.remote == "internal" else "e-BGP",
            "state": state_of(router, peer, routing.routers, (switch.name, key) in routing.sessions),
        }
        for key, peer in router.speaker.peers.items()
    }


def _counters(_: Fabric, switch: Switch) -> Tables:
    """COUNTERS by the port's native name; by alias for the wildcard."""
    zero = dict.fromkeys(_COUNTERS, "0")
    return dict.fromkeys(switch.config.get("PORT", {}), zero)


def _port_oids(_: Fabric, switch: Switch) -> Tables:
    """COUNTERS_PORT_NAME_MAP: one hash, without a key of its own."""
    natives = switch.config.get("PORT", {})
    return {"": {native: f"oid:0x1{number:015x}" for number, native in enumerate(natives, start=1)}}


_BUILDERS: Mapping[tuple[str, str], Builder] = {
    ("APPL_DB", "PORT_TABLE"): _ports,
    ("APPL_DB", "LLDP_ENTRY_TABLE"): lldp.neighbors,
    ("APPL_DB", "ROUTE_TABLE"): rib.route_table,
    ("APPL_DB", "BUFFER_POOL_TABLE"): _pools,
    ("APPL_DB", "BUFFER_PROFILE_TABLE"): _profiles,
    ("APPL_DB", "BUFFER_PG_TABLE"): _groups,
    ("APPL_DB", "BUFFER_QUEUE_TABLE"): _queues,
    ("APPL_DB", "BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE"): _followed("BUFFER_PORT_INGRESS_PROFILE_LIST"),
    ("APPL_DB", "BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE"): _followed("BUFFER_PORT_EGRESS_PROFILE_LIST"),
    ("STATE_DB", "PORT_TABLE"): _port_states,
    ("STATE_DB", "EEPROM_INFO"): _eeprom,
    ("STATE_DB", "TRANSCEIVER_INFO"): optics.transceivers,
    ("STATE_DB", "NEIGH_STATE_TABLE"): _sessions,
    ("COUNTERS_DB", "COUNTERS"): _counters,
    ("COUNTERS_DB", "COUNTERS_PORT_NAME_MAP"): _port_oids,
}
"""(database, table) → how its rows come about."""
