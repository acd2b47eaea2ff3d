"""What SONiC's own daemons make of CONFIG_DB and of the kernel: rows of the other databases, and the host name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.lab.frr.node import Node, read_database, write_database
from netaudit.lab.frr.redis import Redis
from netaudit.lab.sim import tables
from netaudit.lab.sim.database import Config, metadata, text

FOLLOWED: Final = (
    "PORT_TABLE",
    "BUFFER_POOL_TABLE",
    "BUFFER_PROFILE_TABLE",
    "BUFFER_PG_TABLE",
    "BUFFER_QUEUE_TABLE",
    "BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE",
    "BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE",
)
"""Tables of APPL_DB that repeat what CONFIG_DB says; all others tell of the living switch."""
_LIVE_FIELDS: Final = ("oper_status",)


def follow(node: Node, redis: Redis) -> None:
    """Do what the daemons do that watch CONFIG_DB: buffermgrd, the orchagents, hostcfgd."""
    found = read_database(redis)
    node.switch.take(found)
    write_database(redis, found, node.switch.config)
    _apply(node, redis)
    name = node.switch.hostname()
    if name != node.named:
        node.run("hostname", name)
        node.named = name


def _apply(node: Node, redis: Redis) -> None:
    """APPL_DB and STATE_DB, as far as they follow from CONFIG_DB: rows that are to be other than at the last time."""
    fabric = node.fabric
    for name in FOLLOWED:
        rows = {key: dict(row) for key, row in tables.table(fabric, node.switch, "APPL_DB", name).items()}
        for row in rows.values():
            for live in _LIVE_FIELDS:
                row.pop(live, None)
        before = node.applied.get(name, {})
        gone = {f"{name}:{key}": None for key in before.keys() - rows.keys()}
        new = {f"{name}:{key}": row for key, row in rows.items() if before.get(key) != row}
        if gone or new:
            redis.write("APPL_DB", {**gone, **new})
        node.applied[name] = rows


def write_states(redis: Redis, operational: Mapping[str, str], config: Config) -> None:
    """`oper_status` of every port, in APPL_DB and STATE_DB, as portsyncd hears it from the kernel."""
    commands: list[tuple[str, ...]] = [("SELECT", "0")]
    ports = config.get("PORT", {})
    for native in ports:
        commands.append(("HSET", f"PORT_TABLE:{native}", "oper_status", operational.get(native, "down")))
    commands.append(("SELECT", "6"))
    for native, row in ports.items():
        admin = text(row, "admin_status", "down")
        state = ("state", "ok", "netdev_oper_status", operational.get(native, "down"), "admin_status", admin)
        commands.append(("HSET", f"PORT_TABLE|{native}", *state, "mtu", text(row, "mtu", "9100")))
    redis.ask(commands)


def operational(node: Node) -> Mapping[str, str]:
    """Port → up or down, from the switch's own /sys."""
    found = {}
    for path in (node.root / "sys/class/net").iterdir():
        if path.name.startswith("Ethernet"):
            try:
                state = (path / "operstate").read_text().strip()
            except OSError:  # it went away between the two
                continue
            found[path.name] = "up" if state == "up" else "down"
    return found


def eeprom(node: Node) -> Mapping[str, Mapping[str, str]]:
    """STATE_DB rows that pmon writes."""
    rows = tables.table(node.fabric, node.switch, "STATE_DB", "EEPROM_INFO")
    return {f"EEPROM_INFO|{key}": row for key, row in rows.items()}


def unified(node: Node) -> bool:
    """Does FRR start with our frr.conf? Only in this mode (sonic.md 6)."""
    return text(metadata(node.switch.config), "docker_routing_config_mode") == "split-unified"
