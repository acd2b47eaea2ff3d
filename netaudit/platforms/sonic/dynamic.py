"""What a switch that computes headroom by itself is told, what it calls the result, and which store shows what of it.

In the dynamic buffer model CONFIG_DB has no lossless profile: priority groups are bound to `NULL`, and what the daemon
computes stands in APPL_DB alone (sonic.md section 3). The state has the name of the computed profile in both stores:
the configuration says it by `NULL`, speed, MTU, lanes and cable length of the port.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeVar

from netaudit.platforms import Query
from netaudit.platforms.sonic.tables import Row, Seen, Tables, alpha, each, exponent, fields, number, seen, text
from netaudit.state import ABSENT, BlindSpot, Buffers, Computing, Device, Leaf, Store
from netaudit.state.expectation import Held

T = TypeVar("T")

NULL = "NULL"
"""The profile of a group for which the switch computes one."""
PATTERN, PARAMETER = "LOSSLESS_TRAFFIC_PATTERN", "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
ROW = "AZURE"
"""Name of the one row of each; the daemon takes any, SONiC's own templates write this one."""
_NAME = re.compile(r"pg_lossless_\d+_\d+m(_mtu\d+)?(_th-?\d)?(_8lane)?_profile", re.ASCII)
_BOX = re.compile(r"sn(\d{4})", re.ASCII | re.IGNORECASE)
DEFAULT_MTU = 9100
"""MTU of a port that says none; a name says any other (sonic-swss cfgmgr/buffermgrdyn.cpp, getDynamicProfileName)."""
_WIDEST_MBPS = {4: 400_000, 5: 800_000}
"""First digit of NVIDIA's model number → the speed that has 8 lanes on every port; at others a name says `_8lane`."""
SHARING_POOL = "ingress_lossless_pool"
"""The pool whose `xoff` is the shared headroom (sonic-swss cfgmgr/buffer_pool_mellanox.lua)."""
_ZERO = ("_zero_profile", "_zero_pool")
"""Ends of the names of what the switch binds to ports that are down (buffermgrdyn.cpp, loadZeroPoolAndProfiles)."""


def computed_profile(speed_mbps: int, length_m: int, mtu_bytes: int, lanes: int, box: str) -> str:
    """The name under which the switch keeps what it computes; `box` is its platform string or HWSKU."""
    mtu = "" if mtu_bytes == DEFAULT_MTU else f"_mtu{mtu_bytes}"
    found = _BOX.search(box)
    widest = _WIDEST_MBPS.get(int(found[1]) // 1000) if found else None
    wide = "_8lane" if lanes == 8 and widest not in (None, speed_mbps) else ""
    return f"pg_lossless_{speed_mbps}_{length_m}m{mtu}{wide}_profile"


def is_computed(buffers: Buffers | None, profile: str) -> bool:
    """Whether the switch is told to compute, and makes a profile of that name itself."""
    told = buffers is not None and isinstance(buffers.computing, Computing)
    return told and _NAME.fullmatch(profile) is not None


def makes_shared_headroom(pool: str, buffers: Buffers) -> bool:
    """Whether the switch sizes the headroom that all groups share: it is told by how much that is over-subscribed."""
    computing = buffers.computing
    told = isinstance(computing, Computing) and isinstance(computing.oversubscription, int)
    return told and pool == SHARING_POOL


def write_computing(computing: Leaf[Computing]) -> Tables:
    """What the switch is told to compute for."""
    if not isinstance(computing, Computing):
        return {}
    threshold = exponent(computing.alpha) if isinstance(computing.alpha, Fraction) else None
    return {
        PARAMETER: {ROW: fields({"default_dynamic_th": threshold, "over_subscribe_ratio": computing.oversubscription})},
        PATTERN: {
            ROW: fields(
                {"mtu": computing.lossless_mtu_bytes, "small_packet_percentage": computing.small_packet_percent}
            )
        },
    }


def read_computing(tables: Seen) -> Leaf[Computing]:
    """The same from CONFIG_DB; of several rows the daemon takes one or the other, so that they count as none."""
    pattern, parameter = seen(tables, PATTERN), seen(tables, PARAMETER)
    if pattern is None or parameter is None:
        return None
    if not pattern and not parameter:
        return ABSENT
    mtu, small = _only(each(PATTERN, pattern, _read_pattern), (ABSENT, ABSENT))
    threshold, ratio = _only(each(PARAMETER, parameter, _read_parameter), (ABSENT, ABSENT))
    return Computing(lossless_mtu_bytes=mtu, small_packet_percent=small, alpha=threshold, oversubscription=ratio)


def _read_pattern(row: Row) -> tuple[Leaf[int], Leaf[int]]:
    return number(row, "mtu"), number(row, "small_packet_percentage")


def _read_parameter(row: Row) -> tuple[Leaf[Fraction], Leaf[int]]:
    threshold = number(row, "default_dynamic_th")
    # a ratio of 0 is none
    return alpha(threshold) if isinstance(threshold, int) else ABSENT, number(row, "over_subscribe_ratio") or ABSENT


def _only(rows: Mapping[str, T], otherwise: T) -> T:
    return next(iter(rows.values())) if len(rows) == 1 else otherwise


def names_of(tables: Seen) -> Mapping[str, str] | None:
    """Port → the name of the profile that the switch computes for it as it is configured; `None` if that was not seen.

    Empty in the traditional model. A port without a length, or with 0 m, gets none.
    """
    metadata, ports, cables = (seen(tables, name) for name in ("DEVICE_METADATA", "PORT", "CABLE_LENGTH"))
    if metadata is None or ports is None or cables is None:
        return None
    box = metadata.get("localhost", {})
    if text(box, "buffer_model") != "dynamic":
        return {}
    kind = next((word for field in ("platform", "hwsku") if isinstance(word := text(box, field), str)), "")
    lengths = {port: str(value).strip() for row in cables.values() for port, value in row.items()}
    named = ((port, _name(row, lengths.get(port, ""), kind)) for port, row in ports.items())
    return {port: name for port, name in named if name}


def _name(row: Row, length: str, box: str) -> str:
    said = {f: value for f in ("speed", "mtu", "lanes") if isinstance(value := text(row, f), str)}
    speed, mtu, lanes = said.get("speed", ""), said.get("mtu", str(DEFAULT_MTU)), said.get("lanes", "")
    metres = length.removesuffix("m")
    # what is no number is told by the leaf that it is of
    if not all(word.isascii() and word.isdigit() and len(word) < 9 for word in (speed, mtu, metres)) or not int(metres):
        return ""
    return computed_profile(int(speed), int(metres), int(mtu), len(lanes.split(",")), box)


def without_zeros(tables: Seen) -> Seen:
    """APPL_DB without what the switch puts in place of everything on ports that are down: that is its own affair."""
    return {name: None if table is None else _used(table) for name, table in tables.items()}


def _used(table: Mapping[str, Row]) -> Mapping[str, Row]:
    return {
        key: row
        for key, row in table.items()
        if not key.endswith(_ZERO) and not str(row.get("profile", "")).rstrip("]").endswith(_ZERO)
    }


BLIND_COMPUTING = (
    BlindSpot(
        what="buffers.pools.*.size_bytes",
        where="sonic, applied, where the switch computes headroom",
        reason="what is left for a pool follows from the buffer that the chip reports, which is nowhere published",
    ),
    BlindSpot(
        what="buffers.ports.*",
        where="sonic, applied, ports that are down where the switch computes headroom",
        reason="the switch takes their buffers back and binds profiles of its own in place of them",
    ),
)
"""What cannot be told of a switch that computes, beside what is declared of every one."""


def computing_held(held: Mapping[Store, Held], store: Store, device: Device) -> Held:
    """Which leaves a store of a switch that computes can hold: CONFIG_DB no result, APPL_DB nothing but results."""
    base, buffers = held[store], device.buffers
    if isinstance(base, bool) or buffers is None or store is Store.STATE:
        return base
    pools: dict[str, Held] = {}
    for name, pool in (buffers.pools or {}).items():
        computed = pool.size_bytes is ABSENT
        sized = not computed if store is Store.APPLIED else True
        shared = store is Store.APPLIED or not makes_shared_headroom(name, buffers)
        pools[name] = {"direction": True, "dynamic": True, "size_bytes": sized, "shared_headroom_bytes": shared}
    if store is not Store.APPLIED:
        own: dict[str, Held] = {name: False for name in buffers.profiles or {} if is_computed(buffers, name)}
        parts: dict[str, Held] = {"profiles": {**own, "*": True}, "ports": True, "model": True, "computing": True}
    else:
        used = base.get("buffers", {})
        ports = used.get("ports", {}) if not isinstance(used, bool) else {}
        of_each = ports.get("*", False) if not isinstance(ports, bool) else ports
        down = {key: False for key in buffers.ports or {} if not _is_up(device, key)}
        parts = {"profiles": True, "ports": {**down, "*": of_each}}
    return {**base, "buffers": {**parts, "pools": {**pools, "*": True}}}


def _is_up(device: Device, port: str) -> bool:
    state = (device.ports or {}).get(port)
    return state is None or state.enabled is not False


def computing_queries(device: Device) -> Iterator[Query]:
    """The tables that only a switch which computes is asked for."""
    if device.buffers is not None and isinstance(device.buffers.computing, Computing):
        for table in (PARAMETER, PATTERN):
            yield Query(
                id=table, store=Store.RUNNING, transport="gnmi", target="CONFIG_DB", path=(table,), optional=True
            )
