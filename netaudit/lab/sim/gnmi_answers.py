"""What a switch answers to a gNMI request, apart from any transport (sonic.md 8)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import grpc

from netaudit import gnmi
from netaudit.lab.sim import gcu, gnmi_paths, sonic_cli
from netaudit.lab.sim.database import Config, find
from netaudit.lab.sim.fabric import Answering, Fabric
from netaudit.lab.sim.gcu import GcuRefused, Update
from netaudit.lab.sim.gnmi_paths import ORIGIN, Refused
from netaudit.lab.sim.patch import Json
from netaudit.lab.sim.switch import Switch
from netaudit.lab.sim.tables import SEPARATORS, table

_ENCODINGS: Final = (gnmi.Encoding.JSON, gnmi.Encoding.JSON_IETF, gnmi.Encoding.PROTO)
_MODELS: Final = (
    ("openconfig-acl", "OpenConfig working group", "1.0.2"),
    ("openconfig-interfaces", "OpenConfig working group", "2.0.0"),
    ("openconfig-lldp", "OpenConfig working group", "1.0.2"),
    ("openconfig-platform", "OpenConfig working group", "1.0.2"),
    ("openconfig-system", "OpenConfig working group", "1.0.2"),
    ("ietf-yang-library", "IETF NETCONF (Network Configuration) Working Group", "2016-06-21"),
    ("sonic-db", "SONiC", "0.1.0"),
)
"""What SONiC says it knows. Of these only sonic-db is served here; the others are answered UNIMPLEMENTED."""


def capabilities() -> gnmi.CapabilityResponse:
    """What the server can do."""
    return gnmi.CapabilityResponse(
        supported_models=[gnmi.ModelData(name=n, organization=o, version=v) for n, o, v in _MODELS],
        supported_encodings=list(_ENCODINGS),
        gNMI_version=gnmi.VERSION,
    )


def get(fabric: Fabric, switch: Switch, request: gnmi.GetRequest) -> gnmi.GetResponse:
    """One notification for each path. Raises `Refused`."""
    if request.type != gnmi.DataType.ALL:
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"unsupported request type: {gnmi.DataType(request.type).name}")
    check_encoding(request.encoding)
    if not request.path:
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "no path is asked for")
    return gnmi.GetResponse(notification=[notification(fabric, switch, request.prefix, path) for path in request.path])


def check_encoding(encoding: int) -> None:
    """Refuse what the server does not write."""
    if encoding not in _ENCODINGS:
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"unsupported encoding: {encoding}")


def notification(fabric: Fabric, switch: Switch, prefix: gnmi.Path, path: gnmi.Path) -> gnmi.Notification:
    """The value of one path now."""
    data = value(fabric, switch, prefix, path)
    table = (gnmi.elems(prefix) + gnmi.elems(path))[-1:]
    update = gnmi.Update(path=path, val=_typed(data, fabric.answering(switch.name), "".join(table)))
    return gnmi.Notification(timestamp=time.time_ns(), prefix=prefix, update=[update])


def _typed(data: object, answering: Answering, table: str) -> gnmi.TypedValue:
    """A field as text, all else as one JSON blob; of a table that a fault is about, what the fault makes of it."""
    if isinstance(data, str):
        return gnmi.TypedValue(string_val=data)
    blob = json.dumps(_with_ints(data) if "ints" in answering.numbers else data).encode()
    if table in answering.cut:
        blob = blob[: len(blob) // 2]
    return gnmi.TypedValue(json_ietf_val=blob.ljust(answering.padded.get(table, 0)))


def _with_ints(data: object) -> object:
    """The same data with numbers where text stands for one."""
    if isinstance(data, Mapping):
        return {key: _with_ints(value) for key, value in data.items()}
    return int(data) if isinstance(data, str) and data.isascii() and data.isdecimal() else data


def value(fabric: Fabric, switch: Switch, prefix: gnmi.Path, path: gnmi.Path) -> object:
    """The data at a path of a switch. Raises `Refused`."""
    return gnmi_paths.value(prefix, path, partial(_rows, fabric, switch), lambda: switch.config)


def _rows(fabric: Fabric, switch: Switch, database: str, steps: tuple[str, ...]) -> object | None:
    """A table, a row or a field."""
    rows = table(fabric, switch, database, steps[0])
    if set(rows) == {""}:  # a hash without key: the fields are the next step
        return rows[""] if len(steps) == 1 else rows[""].get(steps[1])
    if database == "COUNTERS_DB" and steps[1:] == ("Ethernet*",):
        ports = switch.config.get("PORT", {})
        return {str(ports[native].get("alias", native)): dict(row) for native, row in rows.items()} or None
    return find(rows, steps[1:], SEPARATORS[database])


def set_config(fabric: Fabric, switch: Switch, request: gnmi.SetRequest) -> gnmi.SetResponse:
    """All of a Set, or nothing; GCU decides, and a success is saved. Raises `Refused`."""
    update = _set_update(switch.config, request)
    if update is not None:
        sonic_cli.take(fabric, switch, update)
        sonic_cli.save(switch)
    done = [(path, gnmi.Operation.DELETE) for path in request.delete]
    done += [(one.path, gnmi.Operation.REPLACE) for one in request.replace]
    done += [(one.path, gnmi.Operation.UPDATE) for one in request.update]
    return gnmi.SetResponse(
        prefix=request.prefix,
        response=[gnmi.UpdateResult(path=path, op=op) for path, op in done],
        timestamp=time.time_ns(),
    )


def _set_update(config: Config, request: gnmi.SetRequest) -> Update | None:
    """What a Set changes; `None` for delete and update of the whole, which the box accepts and never applies."""
    deletes = [_config_steps(request.prefix, path) for path in request.delete]
    replaces = [(_config_steps(request.prefix, one.path), _json(one.val)) for one in request.replace]
    updates = [(_config_steps(request.prefix, one.path), _json(one.val)) for one in request.update]
    try:
        if () in deletes:
            return None
        if len(replaces) == 1 and replaces[0][0] == () and not deletes and not updates:
            return gcu.replace(config, replaces[0][1])
        if any(steps == () for steps, _ in (*replaces, *updates)):
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "the whole CONFIG_DB goes alone, by replace")
        return gcu.apply_patch(config, list(_operations(deletes, [*replaces, *updates])))
    except GcuRefused as error:
        raise Refused(grpc.StatusCode.ABORTED, f"GCU: {error}") from error


def _operations(deletes: list[tuple[str, ...]], puts: list[tuple[tuple[str, ...], Json]]) -> Iterator[Json]:
    """The JSON patch of a Set. The server does not escape a `/` in a key, so such keys fail, as on the box."""
    for steps in deletes:
        yield {"op": "remove", "path": "/" + "/".join(steps)}
    for steps, data in puts:
        yield {"op": "add", "path": "/" + "/".join(steps), "value": data}


def _config_steps(prefix: gnmi.Path, path: gnmi.Path) -> tuple[str, ...]:
    """The steps below CONFIG_DB of a path that may be written. Raises `Refused` for the others."""
    if (path.origin or prefix.origin) != ORIGIN:
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"Set wants the origin {ORIGIN}")
    steps = (*gnmi.elems(prefix), *gnmi.elems(path))
    if steps[:2] != ("CONFIG_DB", "localhost"):
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "only /CONFIG_DB/localhost can be written")
    return steps[2:]


def _json(val: gnmi.TypedValue) -> Json:
    """The data of a value."""
    kind = val.WhichOneof("value")
    if kind == "string_val":
        return val.string_val
    try:
        if kind == "json_ietf_val":
            return json.loads(val.json_ietf_val)
        if kind == "json_val":
            return json.loads(val.json_val)
    except ValueError as error:
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"the value is no JSON: {error}") from error
    raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"a value of kind {kind} is not understood")
