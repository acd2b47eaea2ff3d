"""What buffermgrd does in the traditional model: it writes lossless rows into CONFIG_DB by itself (sonic.md 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.lab.sim.database import Config, Row, copy_of, metadata, text

LOSSLESS_POOL = "ingress_lossless_pool"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadroomRow:
    """One line of pg_profile_lookup.ini, as text: buffermgrd copies, it does not compute."""

    size: str
    xon: str
    xoff: str
    threshold: str
    xon_offset: str = ""


Lookup = Mapping[tuple[str, str], HeadroomRow]
"""(speed, cable) → numbers, both matched as text."""


def read_lookup(ini: str) -> Lookup:
    """The table of a pg_profile_lookup.ini: `speed cable size xon xoff threshold [xon_offset]`."""
    rows = {}
    for line in ini.splitlines():
        words = line.split()
        if line.lstrip().startswith("#") or len(words) < 6:
            continue
        speed, cable, size, xon, xoff, threshold, *rest = words
        offset = rest[0] if rest else ""
        rows[speed, cable] = HeadroomRow(size=size, xon=xon, xoff=xoff, threshold=threshold, xon_offset=offset)
    return rows


def merged_ids(priorities: str) -> tuple[str, ...]:
    """`3,4` → `3-4`; runs that do not touch stay apart: `2,3,6` → `2-3`, `6`."""
    numbers = sorted({int(word) for word in priorities.split(",") if word.strip().isdecimal()})
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return tuple(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def is_mellanox(config: Config) -> bool:
    """Whether the daemon's NVIDIA branch applies: there an admin-down port loses its lossless row."""
    box = metadata(config)
    platform, hwsku = text(box, "platform"), text(box, "hwsku")
    return any(word in platform for word in ("nvidia", "mlnx", "mellanox")) or hwsku.startswith(
        ("ACS-SN", "ACS-MSN", "Mellanox")
    )


def after_buffermgrd(config: Config, lookup: Lookup) -> Config:
    """CONFIG_DB when buffermgrd has seen it; the same object where it changes nothing.

    A miss in the table is silent, as on the box: the port then has no headroom.
    """
    if text(metadata(config), "buffer_model", "traditional") == "dynamic":
        return config
    changes = list(_changes(config, lookup))
    if not changes:
        return config
    made = copy_of(config)
    for table, key, row in changes:
        if row is None:
            del made[table][key]
        else:
            made.setdefault(table, {})[key] = row
    return {table: rows for table, rows in made.items() if rows}


def _changes(config: Config, lookup: Lookup) -> Iterator[tuple[str, str, Row | None]]:
    """Rows to write, or with `None` to delete."""
    mode = text(config.get("BUFFER_POOL", {}).get(LOSSLESS_POOL, {}), "mode")
    if not mode:
        return  # the daemon waits for the pool
    cables = next(iter(config.get("CABLE_LENGTH", {}).values()), {})
    groups = config.get("BUFFER_PG", {})
    drops_idle = is_mellanox(config)
    for native, port in config.get("PORT", {}).items():
        priorities = text(config.get("PORT_QOS_MAP", {}).get(native, {}), "pfc_enable")
        keys = [f"{native}|{ids}" for ids in merged_ids(priorities)]
        if drops_idle and text(port, "admin_status", "down") != "up":
            for key in keys:
                if text(groups.get(key, {}), "profile").startswith("pg_lossless_"):
                    yield "BUFFER_PG", key, None
            continue
        speed, cable = text(port, "speed"), text(cables, native)
        numbers = lookup.get((speed, cable))
        if numbers is None or cable == "0m" or not keys:
            continue
        profile = f"pg_lossless_{speed}_{cable}_profile"
        if profile not in config.get("BUFFER_PROFILE", {}):
            yield "BUFFER_PROFILE", profile, _profile_row(numbers, mode)
        for key in keys:
            if text(groups.get(key, {}), "profile") != profile:
                yield "BUFFER_PG", key, {"profile": profile}


def _profile_row(numbers: HeadroomRow, mode: str) -> Row:
    """The row of BUFFER_PROFILE for a line of the table; the threshold is of the pool's kind."""
    row: Row = {
        "pool": LOSSLESS_POOL,
        "xon": numbers.xon,
        "xoff": numbers.xoff,
        "size": numbers.size,
        f"{mode}_th": numbers.threshold,
    }
    if numbers.xon_offset:
        row["xon_offset"] = numbers.xon_offset
    return row
