"""How a SONiC switch is taken from one configuration to another, and back: commands as data (sonic.md section 10)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from netaudit.platforms import Files, Impact, Step, Steps
from netaudit.platforms.sonic.dynamic import PARAMETER, PATTERN
from netaudit.platforms.sonic.frr import read_frr
from netaudit.platforms.sonic.names import positions
from netaudit.platforms.sonic.tables import Row, Table, Tables, parse_database

QUIET_AT_MOST, FLAPPING_AT_MOST, SPEEDS_AT_MOST = 300, 60, 2
"""So many operations go as a patch: those that interrupt nothing, those that take a port down, changes of a speed. GCU
sleeps a second for each (sonic.md section 10, limit 4), and sorts speeds for minutes a port (BI #23945)."""

FLAPPING = (
    "BUFFER_PG",
    "BUFFER_QUEUE",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "PORT_QOS_MAP",
    "QUEUE",
)
"""GCU takes a port down for a change of these rows (limit 2)."""

FREE_PROFILE_FIELDS = {
    "dynamic_th": ("replace",),
    "xoff": ("replace",),
    "packet_discard_action": ("add", "replace"),
}
"""Field of an existing BUFFER_PROFILE → what GCU does to it; all others it refuses (limit 1)."""

DATABASE, FRR = "/etc/sonic/config_db.json", "/etc/sonic/frr/frr.conf"
NO_VTYSH_CONF = "% Can't open configuration file /etc/frr/vtysh.conf"
"""vtysh says so of a good file too, where its own settings file is missing (lab.md, syntax check)."""
RELOAD_TIMEOUT_S, PATCH_TIMEOUT_S, PER_OPERATION_S = 600.0, 300.0, 5.0


def steps(running: Files, candidate: Files, run: str) -> Steps:
    """The way there and back. Empty `apply` if both mean the same."""
    old, new = parse_database(running["config_db.json"]), parse_database(candidate["config_db.json"])
    keys = positions({n: dict(r) for n, r in new.get("PORT", {}).items()})
    routing = read_frr(running["frr.conf"], keys) != read_frr(candidate["frr.conf"], keys)
    operations = sorted(_operations(_filled(old), _filled(new)), key=_rank)
    if not operations and not routing:
        return Steps()
    reload = bool(operations) and (_too_many(operations) or any(map(_needs_reload, operations)))
    patch_s = PATCH_TIMEOUT_S + PER_OPERATION_S * len(operations)
    routing = routing or reload
    names = _Names(run)
    flaps = any(_flaps(operation) or _cuts_off(operation) for operation in operations)
    impact = Impact.DRAIN if reload else Impact.FLAP if flaps else Impact.NONE
    if impact is Impact.NONE and routing:
        impact = Impact.RESET
    return Steps(
        prepare=(
            *_prepare(names),
            *(_check_frr(names, candidate["frr.conf"]) if routing else ()),
            *(_try(names, reload, candidate, operations, patch_s) if operations else ()),
        ),
        apply=(
            *((_load(names, reload, patch_s),) if operations else ()),
            *(_take_frr(names) if routing else ()),
        ),
        save=(Step(name="save", command="sudo config save -y", timeout_s=PATCH_TIMEOUT_S),),
        undo=(
            *(_undo_database(names, reload, running, patch_s) if operations else ()),
            *_undo_frr(names, running, routing),
        ),
        clean=_clean(names),
        impact=impact,
    )


class _Names:
    """Where a run keeps its files on the switch."""

    def __init__(self, run: str) -> None:
        self.checkpoint = f"netaudit-{run}"
        self.upload = f"/tmp/netaudit-{run}"  # on the switch; SFTP writes it new, mode 0600
        self.database = f"{self.upload}-config_db.json"
        self.patch = f"{self.upload}.json-patch"
        self.saved_database = f"{DATABASE}.netaudit-{run}"
        self.saved_frr = f"{FRR}.netaudit-{run}"
        self.aside = f"{FRR}.netaudit"

    @staticmethod
    def inside(path: str) -> str:
        """The same file as the bgp container sees it: /etc/sonic/frr is mounted there as /etc/frr."""
        return path.replace("/etc/sonic/frr/", "/etc/frr/")


def _prepare(names: _Names) -> Iterator[Step]:
    yield Step(name="checkpoint", command=f"sudo config checkpoint {names.checkpoint}", timeout_s=PATCH_TIMEOUT_S)
    yield Step(name="keep saved config_db.json", command=f"sudo cp {DATABASE} {names.saved_database}")
    # a box that never had an frr.conf has nothing to keep
    yield Step(name="keep saved frr.conf", command=f"sudo cp {FRR} {names.saved_frr}", ok=frozenset({0, 1}))


def _check_frr(names: _Names, text: str) -> Iterator[Step]:
    yield Step(name="upload frr.conf", path=f"{names.upload}-frr.conf", content=text)
    yield Step(name="put frr.conf aside", command=f"sudo cp {names.upload}-frr.conf {names.aside}")
    yield Step(
        name="check frr.conf",
        command=f"sudo vtysh -C -f {names.inside(names.aside)}",
        error_if_stderr=True,
        harmless_stderr=(NO_VTYSH_CONF,),
    )


def _try(
    names: _Names, reload: bool, candidate: Files, operations: list[dict[str, object]], patch_s: float
) -> Iterator[Step]:
    """Upload what is loaded; a patch is tried first, which validates and sorts without writing."""
    if reload:
        yield Step(name="upload config_db.json", path=names.database, content=candidate["config_db.json"])
    else:
        yield Step(name="upload patch", path=names.patch, content=json.dumps(operations, indent=1) + "\n")
        yield Step(name="try patch", command=f"sudo config apply-patch -d {names.patch}", timeout_s=patch_s)


def _load(names: _Names, reload: bool, patch_s: float) -> Step:
    if reload:
        return Step(name="reload", command=f"sudo config reload -y -f {names.database}", timeout_s=RELOAD_TIMEOUT_S)
    return Step(name="apply patch", command=f"sudo config apply-patch {names.patch}", timeout_s=patch_s)


def _take_frr(names: _Names) -> Iterator[Step]:
    yield Step(name="move frr.conf", command=f"sudo mv {names.aside} {FRR}")
    yield _reload_frr(FRR)


def _reload_frr(path: str) -> Step:
    inside = _Names.inside(path)
    command = f"sudo docker exec bgp /usr/lib/frr/frr-reload.py --reload {inside}"
    return Step(name="reload frr", command=command, timeout_s=PATCH_TIMEOUT_S, harmless_stderr=(NO_VTYSH_CONF,))


def _undo_database(names: _Names, reload: bool, running: Files, patch_s: float) -> Iterator[Step]:
    if reload:
        path = f"{names.upload}-old.json"
        yield Step(name="upload old config_db.json", path=path, content=running["config_db.json"])
        yield Step(name="reload old", command=f"sudo config reload -y -f {path}", timeout_s=RELOAD_TIMEOUT_S)
    else:
        yield Step(name="rollback", command=f"sudo config rollback {names.checkpoint}", timeout_s=patch_s)
    yield Step(name="restore saved config_db.json", command=f"sudo cp {names.saved_database} {DATABASE}")


def _undo_frr(names: _Names, running: Files, routing: bool) -> Iterator[Step]:
    """frr-reload writes what runs into frr.conf, so the file that was saved is put back last."""
    if routing:
        yield Step(name="upload old frr.conf", path=f"{names.upload}-old-frr.conf", content=running["frr.conf"])
        yield Step(name="put old frr.conf", command=f"sudo cp {names.upload}-old-frr.conf {FRR}")
        yield _reload_frr(FRR)
        yield Step(name="restore saved frr.conf", command=f"sudo cp {names.saved_frr} {FRR}", ok=frozenset({0, 1}))


def _clean(names: _Names) -> tuple[Step, ...]:
    files = (
        f"{names.upload}-frr.conf {names.upload}-old-frr.conf {names.database} {names.upload}-old.json "
        f"{names.patch} {names.saved_database} {names.saved_frr} {names.aside}"
    )
    return (
        Step(name="remove files", command=f"sudo rm -f {files}"),
        Step(name="remove checkpoint", command=f"sudo config delete-checkpoint {names.checkpoint}"),
    )


def _filled(tables: Tables) -> Tables:
    """Without empty tables, which GCU refuses (sonic.md section 0)."""
    return {name: table for name, table in tables.items() if table}


def _pointer(*parts: str) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _operations(old: Tables, new: Tables) -> Iterator[dict[str, object]]:
    """RFC 6902 operations from `old` to `new`, by table, row and field; a table that empties goes as a whole."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if after is None:
            yield {"op": "remove", "path": _pointer(name)}
        elif before is None:
            yield {"op": "add", "path": _pointer(name), "value": after}
        else:
            yield from _row_operations(name, before, after)


_BUILT_UP = ("VRF", "VLAN", "VLAN_MEMBER", "VLAN_INTERFACE", "INTERFACE")
"""Tables of which a row may need one of a table before (sonic.md section 0), and a port is in one or the other."""


def _rank(operation: Mapping[str, object]) -> int:
    """What goes comes first, from the top down, then all else, and what comes last, from the bottom up."""
    parts = _parts(operation)
    if parts[0] not in _BUILT_UP:
        return 0
    level = _BUILT_UP.index(parts[0]) + 1
    return -level if operation["op"] == "remove" and len(parts) < 3 else level


def _row_operations(name: str, before: Table, after: Table) -> Iterator[dict[str, object]]:
    """Rows that go first, an address before the row of its interface; then the others, where that row comes first."""
    for key in sorted(before.keys() - after.keys(), reverse=True):
        yield {"op": "remove", "path": _pointer(name, key)}
    for key in sorted(after):
        one, two = before.get(key), after[key]
        if one is None:
            yield {"op": "add", "path": _pointer(name, key), "value": two}
        else:
            yield from _field_operations(name, key, one, two)


def _field_operations(name: str, key: str, one: Row, two: Row) -> Iterator[dict[str, object]]:
    for field in sorted(one.keys() | two.keys()):
        if field not in two:
            yield {"op": "remove", "path": _pointer(name, key, field)}
        elif field not in one:
            yield {"op": "add", "path": _pointer(name, key, field), "value": two[field]}
        elif one[field] != two[field]:
            yield {"op": "replace", "path": _pointer(name, key, field), "value": two[field]}


def _parts(operation: Mapping[str, object]) -> list[str]:
    return [p.replace("~1", "/").replace("~0", "~") for p in str(operation["path"]).split("/")[1:]]


def _needs_reload(operation: Mapping[str, object]) -> bool:
    """What GCU refuses (limits 1 and 3), and what a running switch takes up only at its start."""
    parts = _parts(operation)
    table, depth = parts[0], len(parts)
    if table in ("BUFFER_POOL", "BREAKOUT_CFG"):
        return True
    if table == "BUFFER_PROFILE":
        return depth == 1 or (depth == 3 and operation["op"] not in FREE_PROFILE_FIELDS.get(parts[2], ()))
    if table == "PFC_WD":
        return depth == 1 or parts[1] == "GLOBAL"
    if table == "PORT":
        return depth < 3 or parts[2] in ("lanes", "alias", "index", "subport")
    if table == "LOOPBACK_INTERFACE":
        return operation["op"] == "remove" and (depth == 1 or parts[1] == "Loopback0")
    if table == "DEVICE_METADATA":
        return depth == 3 and parts[2] in ("docker_routing_config_mode", "type", "buffer_model")
    if table in (PARAMETER, PATTERN):
        # buffermgrd keeps the profiles it has: it takes up a changed ratio alone (sonic-swss cfgmgr/buffermgrdyn.cpp)
        return parts[2:] != ["over_subscribe_ratio"]
    if table in ("SWITCH_HASH", "SWITCH_TRIMMING"):
        return False  # one row each, which SwitchOrch takes up at any time
    if depth == 3 and parts[2] == "vrf_name":
        return True  # intfmgrd skips a change of the VRF of an interface that it has; only a new one is bound
    if table == "VRF":
        return False  # rows without fields, which nothing waits for
    # a table that empties goes as a whole by patch; one that comes, or whose rows flap ports, is many changes in one
    return depth == 1 and (operation["op"] == "add" or table in FLAPPING)


def _too_many(operations: list[dict[str, object]]) -> bool:
    flapping = sum(map(_flaps, operations))
    speeds = sum(_parts(o)[0] == "PORT" and _parts(o)[-1] == "speed" for o in operations)
    return len(operations) - flapping > QUIET_AT_MOST or flapping > FLAPPING_AT_MOST or speeds > SPEEDS_AT_MOST


def _cuts_off(operation: Mapping[str, object]) -> bool:
    """Does a port leave its VLAN, or a VLAN its gateway? To its hosts that is as if the port went down."""
    return operation["op"] != "add" and _parts(operation)[0].startswith("VLAN")


def _flaps(operation: Mapping[str, object]) -> bool:
    parts = _parts(operation)
    return parts[0] in FLAPPING or (parts[0] == "PORT" and parts[-1] in ("speed", "fec", "admin_status", "autoneg"))
