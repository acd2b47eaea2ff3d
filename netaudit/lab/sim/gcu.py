"""What the Generic Config Updater refuses, and what it does to ports on the way (sonic.md 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.lab.sim import vlans
from netaudit.lab.sim.database import Config, Row, config_of, metadata, text
from netaudit.lab.sim.patch import Json, PatchRefused, patched

FLAPPING_TABLES = (
    "BUFFER_PG",
    "BUFFER_QUEUE",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "PORT_QOS_MAP",
    "QUEUE",
)
"""Rows of these are only changed with their port admin down, so an enabled port flaps."""
_UNLISTED_HWSKUS = ("DellEMC-Z9332f", "Dell-Z9864f", "NH-4010")
"""Start of HWSKU names that GCU's list lacks; their ASIC is then "unknown" (sonic.md 10.1)."""
_PROFILE_FIELDS: Mapping[str, frozenset[str]] = {
    "dynamic_th": frozenset({"replace"}),
    "xoff": frozenset({"replace"}),
    "packet_discard_action": frozenset({"add", "replace"}),
}
"""Field of an existing buffer profile → what may be done to it."""


class GcuRefused(Exception):
    """GCU refuses; the text is what the box prints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A config that GCU accepts, and the ports that flap while it is put in force."""

    config: Config
    flaps: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. Without `field` it is the row; without `key` the table."""

    op: str
    table: str
    key: str = ""
    field: str = ""


def apply_patch(config: Config, patch: Json) -> Update:
    """The config after a patch. Raises `GcuRefused`."""
    try:
        result = patched(config, patch)
    except PatchRefused as error:
        raise GcuRefused(str(error)) from error
    return replace(config, result)


def replace(config: Config, wanted: Json) -> Update:
    """The config as wanted, where GCU would go there from `config`. Raises `GcuRefused`."""
    problems: list[str] = []
    made = config_of(wanted, problems)
    if problems:
        raise GcuRefused(f"Given patch will produce invalid config. Error: Data Loading Failed: {problems[0]}")
    empty = sorted(table for table, rows in made.items() if not rows)
    if empty:
        raise GcuRefused(
            "Given patch is not valid because it will result in empty tables which is not allowed in ConfigDb. "
            f"Table{'s' if len(empty) > 1 else ''}: {', '.join(empty)}"
        )
    if why := vlans.refused(made):
        raise GcuRefused(f"Given patch will produce invalid config. Error: Data Loading Failed: {why}")
    found = tuple(changes(config, made))
    known = not text(metadata(config), "hwsku").startswith(_UNLISTED_HWSKUS)
    for change in found:
        why = _illegal(change, known)
        if why:
            raise GcuRefused(why)
    return Update(config=made, flaps=_flaps(config, made, found))


def changes(old: Config, new: Config) -> Iterator[Change]:
    """How two configs differ, each difference at its highest level."""
    for table in sorted(old.keys() | new.keys()):
        if table not in new:
            yield Change(op="remove", table=table)
        elif table not in old:
            yield Change(op="add", table=table)
        else:
            for key in sorted(old[table].keys() | new[table].keys()):
                yield from _row_changes(table, key, old[table].get(key), new[table].get(key))


def _row_changes(table: str, key: str, old: Row | None, new: Row | None) -> Iterator[Change]:
    """How one row differs."""
    if old is None:
        yield Change(op="add", table=table, key=key)
    elif new is None:
        yield Change(op="remove", table=table, key=key)
    elif old != new:
        for field in sorted(old.keys() | new.keys()):
            if old.get(field) != new.get(field):
                op = "add" if field not in old else "remove" if field not in new else "replace"
                yield Change(op=op, table=table, key=key, field=field)


def _illegal(change: Change, known_asic: bool) -> str:
    """Why a change is refused; empty where it is not."""
    if change.table == "LOOPBACK_INTERFACE" and change.op == "remove" and change.key in ("", "Loopback0"):
        return "" if change.field else "Given patch is not valid: LOOPBACK_INTERFACE|Loopback0 cannot be removed"
    if (
        change.table == "BUFFER_POOL"
        or (change.table == "BUFFER_PROFILE" and _profile_refused(change, known_asic))
        or (change.table == "PFC_WD" and _watchdog_refused(change, known_asic))
    ):
        return (
            f"Modification of {change.table} table is illegal- validating function "
            "generic_config_updater.field_operation_validators.rdma_config_update_validator returned False"
        )
    return ""


def _profile_refused(change: Change, known_asic: bool) -> bool:
    """BUFFER_PROFILE: rows come and go, the table as a whole does not, and few fields of a row may change."""
    if not change.key:
        return True
    if not change.field:
        return False
    return not known_asic or change.op not in _PROFILE_FIELDS.get(change.field, frozenset())


def _watchdog_refused(change: Change, known_asic: bool) -> bool:
    """PFC_WD: the row GLOBAL is neither made nor removed; the table may go, not come."""
    if not known_asic:
        return True
    if not change.key:
        return change.op == "add"
    if change.key != "GLOBAL":
        return False
    return change.op != "replace"


def _flaps(old: Config, new: Config, found: tuple[Change, ...]) -> frozenset[str]:
    """Enabled ports that go down and up again while the changes are made."""
    touched: set[str] = set()
    for change in found:
        if change.table in FLAPPING_TABLES:
            keys = [change.key] if change.key else [*old.get(change.table, {}), *new.get(change.table, {})]
            touched |= {key.partition("|")[0] for key in keys}
        elif change.table == "PORT" and change.field == "lanes":
            touched.add(change.key)  # create-only: the row is deleted and made again
    ports = new.get("PORT", {})
    return frozenset(name for name in touched if text(ports.get(name, {}), "admin_status") == "up")
