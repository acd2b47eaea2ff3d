"""Whether a switch model of the site's own hangs together, and the model it makes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netaudit import hardware
from netaudit.diag import Diagnostic
from netaudit.hardware import PgRow, PgTable, SwitchModel, SwitchRow
from netaudit.hardware.rows import CageRun, HeadroomRow, HwskuRow, PoolRow
from netaudit.intent.consistency import at
from netaudit.intent.schema.hardware import OwnCages, OwnHwsku, OwnSwitch
from netaudit.intent.text import At, Document

MAX_CAGES = 1_024
"""Judgement: eight times the cages of the largest box known."""
_PLACE = re.compile(r"\{([^{}]*)\}")
_ESTIMATES = {"cell": "cell_bytes", "buffer": "buffer_bytes", "parts": "itms"}
"""Key of the file → field of the model."""


def problems(switch: OwnSwitch, document: Document, path: At) -> Iterator[Diagnostic]:
    """What the schema alone does not see, each at its place."""
    taken: dict[int, int] = {}
    lanes: dict[int, int] = {}
    for number, run in enumerate(switch.cages):
        here = (*path, "cages", str(number))
        first, last = _span(run)
        if last < first or first < 1:
            yield at.error(f"`{run.cages}` counts down, or from 0", at.value(document, *here, "cages"), "1-64")
            continue
        if last > MAX_CAGES:
            message = f"cage {last}: no box has more than {MAX_CAGES}"
            yield at.error(message, at.value(document, *here, "cages"))
            continue
        yield from _run(run, document, here)
        for cage in range(first, last + 1):
            if cage in taken:
                message = f"cage {cage} is in entry {taken[cage] + 1} already"
                yield at.error(message, at.value(document, *here, "cages"))
                break
            taken[cage] = number
        for lane in _lanes(run):
            if lanes.setdefault(lane, number) != number:
                message = f"lane {lane} is in entry {lanes[lane] + 1} already"
                yield at.error(message, at.value(document, *here, "first_lane"))
                break
    if all(run.service for run in switch.cages):
        yield at.error(
            "every cage is for management", at.key(document, *path, "cages"), "service: false for the others"
        )
    for name, sku in switch.hwskus.items():
        yield from _table(sku, document, (*path, "hwskus", name))


def _span(run: OwnCages) -> tuple[int, int]:
    first, _, last = run.cages.partition("-")
    return int(first), int(last or first)


def _lanes(run: OwnCages) -> Iterator[int]:
    first, last = _span(run)
    step = run.lane_step or run.lanes
    for cage in range(last - first + 1):
        start = run.first_lane + cage * step
        yield from range(start, start + run.lanes)


def _run(run: OwnCages, document: Document, here: At) -> Iterator[Diagnostic]:
    if run.lane_step is not None and run.lane_step < run.lanes:
        message = f"cages of {run.lanes} lanes overlap with `lane_step: {run.lane_step}`"
        yield at.error(message, at.value(document, *here, "lane_step"), f"{run.lanes} at least")
    seen: set[str] = set()
    for number, mode in enumerate(run.modes):
        source = at.value(document, *here, "modes", str(number))
        parts, speeds = _mode(mode)
        head = mode.partition("[")[0]
        if run.lanes % parts:
            yield at.error(f"{run.lanes} lanes cannot be divided by {parts}", source, "the ports of a mode are alike")
        if parts * speeds[0] > run.lanes * 200_000:
            yield at.error(f"`{head}` asks more than 200G of a lane", source, "no box has faster lanes")
        if head in seen:
            yield at.error(f"`{head}` is listed twice", source)
        seen.add(head)
    if not any(_mode(mode)[0] == 1 and run.speed in _mode(mode)[1] for mode in run.modes):
        speed = f"{run.speed // 1000}G"
        message = f"no mode is the undivided cage at {speed}"
        yield at.error(message, at.key(document, *here, "modes"), f"1x{speed} first")
    for key, known in (("alias", ("cage",)), ("sub_alias", ("cage", "letter", "sub", "lane"))):
        text = getattr(run, key) or ""
        strange = [word for word in _PLACE.findall(text) if word not in known]
        if strange or text.count("{") != len(_PLACE.findall(text)) or text.count("}") != len(_PLACE.findall(text)):
            hint = "known: " + ", ".join(f"{{{word}}}" for word in known)
            yield at.error(f"`{key}` has a placeholder that is none", at.value(document, *here, key), hint)


def _mode(mode: str) -> tuple[int, list[int]]:
    """(ports, their speeds in Mb/s, fastest first)."""
    head, _, slower = mode.partition("[")
    parts, _, speed = head.partition("x")
    words = [speed, *filter(None, slower.rstrip("]").split(","))]
    return int(parts), [int(word.removesuffix("G")) * 1000 for word in words]


def _table(sku: OwnHwsku, document: Document, here: At) -> Iterator[Diagnostic]:
    rows: dict[tuple[int, int], int] = {}
    for number, row in enumerate(sku.headroom):
        first = rows.setdefault((row.speed, row.length), number)
        if first != number:
            message = f"{row.speed // 1000}G at {row.length} m is row {first + 1} already"
            yield at.error(message, at.key(document, *here, "headroom", str(number)))


def made(name: str, switch: OwnSwitch, origin: str) -> SwitchModel:
    """The model. Figures that follow from the ASIC alone are those of a catalogue model with the same one."""
    kin = hardware.kin(switch.asic)
    tables: dict[str, PgTable] = {}
    row: SwitchRow = {
        "title": switch.title,
        "vendor": switch.vendor,
        "asic": switch.asic if kin is None else kin.asic,
        "cell_bytes": switch.cell,
        "buffer_bytes": switch.buffer,
        "buffer_class": switch.kind,
        "itms": switch.parts,
        "cages": [_cages(run) for run in switch.cages],
        "headroom": _headroom(kin),
        "default_hwsku": next(iter(switch.hwskus)),
        "hwskus": {sku: _hwsku(sku, body, switch, tables) for sku, body in switch.hwskus.items()},
        "breakout_modes": {mode.partition("[")[0]: mode for run in switch.cages for mode in run.modes},
        "estimates": {_ESTIMATES[key]: int(value) for key, value in switch.estimates.items()},
        "sources": _sources(switch, kin),
    }
    if kin is not None:
        row["limits"] = {
            field: value for field in kin.limits.__slots__ if (value := getattr(kin.limits, field)) is not None
        }
        row["features"] = {word: list(speeds) for word, speeds in kin.features.items()}
    return hardware.own_switch(name, row, tables, origin)


def _sources(switch: OwnSwitch, kin: SwitchModel | None) -> dict[str, str]:
    own = dict.fromkeys(("cages", "cell_bytes", "buffer_bytes", "buffer_class", "itms"), switch.source)
    if kin is None:
        return own | {"headroom.method": f"the catalogue has no {switch.asic}: generic margins (headroom.md 2.5)"}
    of_chip = ("headroom.", "limits.", "features.")
    return own | {key: f"as {kin.name}: {text}" for key, text in kin.sources.items() if key.startswith(of_chip)}


def _cages(run: OwnCages) -> CageRun:
    first, last = _span(run)
    modes = sorted((_mode(mode) for mode in run.modes), key=lambda mode: (-mode[1][0], -mode[0]))
    made: CageRun = {
        "first": first,
        "last": last,
        "first_lane": run.first_lane,
        "lane_step": run.lane_step or run.lanes,
        "lanes": run.lanes,
        "max_speed_mbps": run.speed,
        "alias": run.alias,
        "service": run.service,
        "breakouts": {f"{parts}x{speeds[0] // 1000}G": speeds for parts, speeds in modes},
    }
    if run.sub_alias is not None:
        made["sub_alias"] = run.sub_alias
    return made


def _headroom(kin: SwitchModel | None) -> HeadroomRow:
    if kin is None:
        return {"method": "ceiling"}
    data = kin.headroom
    return {
        "method": data.method,
        "pipeline_kib": str(data.pipeline_kib),
        "mac_phy_kib": str(data.mac_phy_kib),
        "peer_response_kib": str(data.peer_response_kib),
        "gearbox_ns": 0,  # that of a board, not of the chip
        "extra_kib": data.extra_kib,
        "tile": data.tile,
        "port_reserved_cells": data.port_reserved_cells,
        "port_shared_cells": data.port_shared_cells,
        "fixed_ns": data.fixed_ns,
    }


def _hwsku(name: str, body: OwnHwsku, switch: OwnSwitch, tables: dict[str, PgTable]) -> HwskuRow:
    tables[name] = {
        (row.speed, row.length): PgRow(
            size_bytes=row.size, xon_bytes=row.xon, xoff_bytes=row.xoff, threshold=row.threshold, xon_offset_bytes=None
        )
        for row in body.headroom
    }
    pools: dict[str, list[PoolRow]] = {
        template: [
            {
                "name": pool.name,
                "direction": pool.direction,
                "mode": pool.mode,
                "size_bytes": pool.size,
                "shared_headroom_bytes": pool.shared_headroom,
            }
            for pool in listed
        ]
        for template, listed in body.pools.items()
    }
    undivided = []
    for run in switch.cages:
        first, last = _span(run)
        mode = next(m.partition("[")[0] for m in run.modes if m.startswith("1x"))
        undivided.append({"first": first, "last": last, "mode": mode})
    sources = dict.fromkeys(("pg", "pools", "breakout_modes", "factory_modes", "factory_cable_m"), switch.source)
    return {
        "platform": body.platform,
        "pg": name,
        "pools": pools,
        "factory_modes": undivided,  # type: ignore[typeddict-item]  # of the right keys, which mypy cannot tell
        "factory_cable_m": 5,
        "sources": sources,
    }
