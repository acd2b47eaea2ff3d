"""The buffer tables: pools, profiles, priority groups, queues, profile lists and CABLE_LENGTH."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from netaudit.platforms.sonic.dynamic import (
    NULL,
    is_computed,
    makes_shared_headroom,
    names_of,
    read_computing,
    without_zeros,
    write_computing,
)
from netaudit.platforms.sonic.tables import (
    Row,
    Seen,
    Tables,
    Unreadable,
    alpha,
    each,
    exponent,
    fields,
    number,
    port_rows,
    reference,
    seen,
    singles,
    text,
)
from netaudit.state import ABSENT, Buffers, Device, Leaf, Pool, PortBuffers, Profile

CABLES = "AZURE"
"""Name of the one CABLE_LENGTH row; buffermgrd takes any, SONiC's own tools write this one."""


def write_buffers(device: Device) -> Tables:
    """All buffer tables of the device; `buffer_model` is written with DEVICE_METADATA."""
    buffers = device.buffers
    if buffers is None:
        return {}
    tables: Tables = {
        "BUFFER_POOL": {name: _write_pool(name, p, buffers) for name, p in (buffers.pools or {}).items()},
        "BUFFER_PROFILE": {
            name: _write_profile(p) for name, p in (buffers.profiles or {}).items() if not is_computed(buffers, name)
        },
        "BUFFER_PG": {},
        "BUFFER_QUEUE": {},
        "BUFFER_PORT_INGRESS_PROFILE_LIST": {},
        "BUFFER_PORT_EGRESS_PROFILE_LIST": {},
        "CABLE_LENGTH": {},
        **write_computing(buffers.computing),
    }
    lengths: Row = {}
    for key, port in (buffers.ports or {}).items():
        state = (device.ports or {}).get(key)
        name = state.native if state is not None and isinstance(state.native, str) else key
        if isinstance(port.cable_length_m, int):
            lengths[name] = f"{port.cable_length_m}m"
        for group, profile in (port.groups or {}).items():
            bound = NULL if is_computed(buffers, profile) else profile
            tables["BUFFER_PG"][f"{name}|{group}"] = {"profile": bound}
        for queue, profile in (port.queues or {}).items():
            tables["BUFFER_QUEUE"][f"{name}|{queue}"] = {"profile": profile}
        for table, names in (("INGRESS", port.ingress), ("EGRESS", port.egress)):
            if isinstance(names, tuple):
                tables[f"BUFFER_PORT_{table}_PROFILE_LIST"][name] = {"profile_list": ",".join(names)}
    if lengths:
        tables["CABLE_LENGTH"][CABLES] = lengths
    return tables


def _write_pool(name: str, pool: Pool, buffers: Buffers) -> Row:
    mode = ("dynamic" if pool.dynamic else "static") if isinstance(pool.dynamic, bool) else None
    xoff = None if makes_shared_headroom(name, buffers) else pool.shared_headroom_bytes
    return fields({"type": pool.direction, "mode": mode, "size": pool.size_bytes, "xoff": xoff})


def _write_profile(profile: Profile) -> Row:
    return fields(
        {
            "pool": profile.pool,
            "size": profile.size_bytes,
            "dynamic_th": exponent(profile.alpha) if isinstance(profile.alpha, Fraction) else None,
            "static_th": profile.limit_bytes,
            "xon": profile.xon_bytes,
            "xoff": profile.xoff_bytes,
            "xon_offset": profile.xon_offset_bytes,
            "packet_discard_action": profile.discard,
        }
    )


def read_buffers(tables: Seen, keys: Mapping[str, str]) -> Buffers:
    """All buffers of CONFIG_DB; a table that was not seen leaves its part `None`."""
    pools = seen(tables, "BUFFER_POOL")
    profiles = seen(tables, "BUFFER_PROFILE")
    metadata = seen(tables, "DEVICE_METADATA")
    return Buffers(
        model=None if metadata is None else _model(metadata.get("localhost", {})),
        pools=None if pools is None else each("BUFFER_POOL", pools, _read_pool),
        computing=read_computing(tables),
        profiles=None if profiles is None else each("BUFFER_PROFILE", profiles, _read_profile),
        ports=_read_ports(tables, keys),
    )


def _model(row: Row) -> str:
    """An unset `buffer_model` is the traditional one."""
    value = text(row, "buffer_model")
    return value if isinstance(value, str) else "traditional"


def _read_pool(row: Row) -> Pool:
    mode = text(row, "mode")
    return Pool(
        direction=text(row, "type"),
        size_bytes=number(row, "size"),
        shared_headroom_bytes=number(row, "xoff"),
        dynamic=mode == "dynamic" if isinstance(mode, str) else ABSENT,
    )


def _read_profile(row: Row) -> Profile:
    threshold = number(row, "dynamic_th")
    return Profile(
        pool=reference(row, "pool"),
        size_bytes=number(row, "size"),
        alpha=alpha(threshold) if isinstance(threshold, int) else ABSENT,
        limit_bytes=number(row, "static_th"),
        xon_bytes=number(row, "xon"),
        xoff_bytes=number(row, "xoff"),
        xon_offset_bytes=number(row, "xon_offset"),
        discard=_discard(row),
    )


def _discard(row: Row) -> Leaf[str]:
    """To drop is what a switch does without being told."""
    value = text(row, "packet_discard_action")
    return ABSENT if value == "drop" else value


def _read_ports(tables: Seen, keys: Mapping[str, str]) -> Mapping[str, PortBuffers] | None:
    groups, queues = _by_port(seen(tables, "BUFFER_PG")), _by_port(seen(tables, "BUFFER_QUEUE"))
    groups = None if groups is None else _computed(groups, tables)
    groups = None if groups is None else {name: _in_runs(found) for name, found in groups.items()}
    ingress = _one_port_a_row(seen(tables, "BUFFER_PORT_INGRESS_PROFILE_LIST"))
    egress = _one_port_a_row(seen(tables, "BUFFER_PORT_EGRESS_PROFILE_LIST"))
    cables = seen(tables, "CABLE_LENGTH")
    lengths = None if cables is None else {n: v for row in cables.values() for n, v in row.items()}
    parts = (groups, queues, ingress, egress, lengths)
    if all(part is None for part in parts):
        return None
    names = dict.fromkeys(name for part in parts for name in part or {})
    return {
        keys.get(name, name): PortBuffers(
            cable_length_m=None if lengths is None else _length(name, lengths.get(name)),
            groups=None if groups is None else groups.get(name, {}),
            queues=None if queues is None else queues.get(name, {}),
            ingress=_list(ingress, name),
            egress=_list(egress, name),
        )
        for name in names
    }


def _by_port(table: Mapping[str, Row] | None) -> dict[str, dict[str, str]] | None:
    if table is None:
        return None
    result: dict[str, dict[str, str]] = {}
    for name, numbers_, row in port_rows(table):
        profile = reference(row, "profile")
        bound = dict.fromkeys(singles(numbers_), profile if isinstance(profile, str) else "")
        result.setdefault(name, {}).update(bound)
    return result


def _computed(groups: dict[str, dict[str, str]], tables: Seen) -> dict[str, dict[str, str]] | None:
    """The groups by the profile that the switch computes for them; `None` where it was not seen what that follows from.

    Where it computes none, `NULL` stays: the group has no headroom.
    """
    if not any(profile == NULL for found in groups.values() for profile in found.values()):
        return groups
    names = names_of(tables)
    if names is None:
        return None
    return {
        port: {key: names.get(port, NULL) if profile == NULL else profile for key, profile in found.items()}
        for port, found in groups.items()
    }


def _in_runs(groups: Mapping[str, str]) -> dict[str, str]:
    """Priority groups by the keys that `merged` gives: `3` and `4` of one profile are `3-4`, however they were written.

    What shares the profile of group 0, where everything lossy is, stays one by one.
    """
    together = [key for key, profile in groups.items() if key.isdigit() and profile != groups.get("0")]
    result = {key: profile for key, profile in groups.items() if key not in together}
    for profile in dict.fromkeys(groups[key] for key in together):
        numbers_ = frozenset(int(key) for key in together if groups[key] == profile)
        result.update(dict.fromkeys(merged(numbers_), profile))
    return result


def _one_port_a_row(table: Mapping[str, Row] | None) -> Mapping[str, Row] | None:
    return None if table is None else {port: row for port, _, row in port_rows(table)}


def _length(name: str, value: object) -> Leaf[int]:
    if value is None:
        return ABSENT
    words = str(value).strip()
    if not (words.endswith("m") and words[:-1].isascii() and words[:-1].isdigit() and len(words) < 9):
        raise Unreadable(f"CABLE_LENGTH|{name} is {words[:40]!r}, not a length")
    return int(words[:-1])


def _list(table: Mapping[str, Row] | None, name: str) -> Leaf[tuple[str, ...]]:
    if table is None:
        return None
    value = reference(table.get(name, {}), "profile_list")
    return tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else ABSENT


def read_applied(tables: Seen, keys: Mapping[str, str]) -> Buffers:
    """Buffers as orchagent is told them: APPL_DB's tables, whose keys join with `:` and whose ports have no lists."""
    renamed: dict[str, Mapping[str, Row] | None] = {}
    for name in ("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE"):
        table = tables.get(f"{name}_TABLE")
        renamed[name] = None if table is None else {key.replace(":", "|"): row for key, row in table.items()}
    return read_buffers(without_zeros(renamed), keys)


def lossless_profile(speed_mbps: int, length_m: int) -> str:
    """The name buffermgrd gives (and looks for): `pg_lossless_800000_40m_profile` (sonic.md section 3)."""
    return f"pg_lossless_{speed_mbps}_{length_m}m_profile"


def merged(priorities: frozenset[int]) -> tuple[str, ...]:
    """Keys of the priority groups as buffermgrd merges them, a row for each run: {3, 4} → `3-4`; {3, 5} → `3`, `5`."""
    runs: list[list[int]] = []
    for priority in sorted(priorities):
        if runs and priority == runs[-1][1] + 1:
            runs[-1][1] = priority
        else:
            runs.append([priority, priority])
    return tuple(str(first) if first == last else f"{first}-{last}" for first, last in runs)
