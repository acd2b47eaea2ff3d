"""`show hardware` without an intent: every model there is, or all that is known of one, with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from netaudit import hardware
from netaudit.cli.show.page import Json, Table, View, facts, page, table
from netaudit.cli.show.values import plain, speed
from netaudit.hardware import FEATURES, Cage, Hwsku, NicModel, SwitchModel
from netaudit.terminal import Symbol, counted, exact_bytes

ESTIMATE = "≈"
"""Before a figure that nobody published."""
_METHODS = {
    "formula": "SONiC's formula",
    "curve": "fitted to its table",
    "ceiling": "generic margins",
}


def catalogue_page(view: View, own: Sequence[SwitchModel] = ()) -> str:
    """The page of all models, a line each; `own` are those of an intent's own files."""
    models = (*own, *hardware.models())
    families = dict.fromkeys(model.family for model in models)
    head = ("model", "ASIC", "class", "cages", "buffer", "rows", "computed by")
    rows = tuple(_line(model) for model in sorted(models, key=lambda m: (m.family, m.asic, m.name)))
    nics = tuple((n.name, n.title, _ports(n), speed(n.total_mbps)) for n in map(hardware.nic, hardware.nic_names()))
    notes = (
        ("buffer", "all of it, and the parts it falls into: a port can use its own only"),
        ("rows", "of published headroom tables, all HWSKUs together"),
        ("computed by", "formula: SONiC's own; curve: physics, fitted to a published table; ceiling: generic margins"),
        (ESTIMATE, "nobody published it: an estimate, whose margin and reason `show hardware MODEL` has"),
        ("own models", "a file beside the intent adds them: docs/howto/hardware.md"),
    )
    counts = counted(len(models), "switch model"), counted(len(families), "ASIC family", "ASIC families")
    return page(
        view,
        (Symbol.INFO, f"{counts[0]} of {counts[1]}, {counted(len(nics), 'NIC model')}"),
        table(view, Table(head=head, rows=rows, right=frozenset({4, 5}), whole=True)),
        table(view, Table(head=("NIC", "", "ports", "together"), rows=nics, right=frozenset({3}), whole=True)),
        facts(view.style, notes, label=12),
        then="netaudit show hardware nvidia-sn5600        (one model, each figure with its source)",
    )


def _line(model: SwitchModel) -> tuple[str, ...]:
    first = model.fabric_cages[0]
    rows = sum(len(sku.pg) for sku in model.hwskus.values())
    parts = f" / {model.itms}" if model.itms > 1 else ""
    sign = ESTIMATE if {"buffer_bytes", "itms"} & set(model.estimates) else ""
    buffer = f"{sign}{_megabytes(model.buffer_bytes)}{parts}"
    cages = f"{len(model.fabric_cages)} × {speed(first.max_speed_mbps)}"
    rough = ESTIMATE if model.headroom.method != "formula" else ""
    own = f"{model.name} (yours)" if model.origin else model.name
    return (own, model.asic, model.buffer_class, cages, buffer, str(rows), f"{rough}{model.headroom.method}")


def _megabytes(count: int) -> str:
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def _ports(nic: NicModel) -> str:
    return f"{nic.max_ports} × {speed(nic.port_speeds_mbps[0])} at most"


def catalogue_data(own: Sequence[SwitchModel] = ()) -> Mapping[str, Json]:
    """The same in JSON."""
    models = (*own, *hardware.models())
    return {
        "show": "hardware",
        "switches": [_short(model) for model in models],
        "nics": [plain(hardware.nic(name)) for name in hardware.nic_names()],
        "media": [plain(hardware.medium(name)) for name in hardware.media_names()],
    }


def _short(model: SwitchModel) -> Mapping[str, Json]:
    return {
        "name": model.name,
        "title": model.title,
        "vendor": model.vendor,
        "asic": model.asic,
        "family": model.family,
        "buffer_class": model.buffer_class,
        "cages": len(model.fabric_cages),
        "cage_mbps": model.fabric_cages[0].max_speed_mbps,
        "buffer_bytes": model.buffer_bytes,
        "cell_bytes": model.cell_bytes,
        "itms": model.itms,
        "headroom_method": model.headroom.method,
        "headroom_rows": {sku.name: len(sku.pg) for sku in model.hwskus.values()},
        "estimates": dict(model.estimates),
        "barred": dict(model.barred),
        "partial": dict(model.partial),
        "origin": model.origin,
    }


def model_page(model: SwitchModel, view: View) -> str:
    """The page of one switch model: every figure, then where it is from."""
    estimates = len(model.estimates)
    said = f"; {counted(estimates, 'figure')} of it {'is an estimate' if estimates == 1 else 'are estimates'}"
    title = model.title or model.name
    return page(
        view,
        (Symbol.INFO, f"{model.name}: {title}, {model.asic}, {model.buffer_class}{said if estimates else ''}"),
        facts(view.style, tuple(_facts(model)), label=14),
        table(view, _hwskus(model)),
        *(_headroom(view, sku) for sku in _shown(view, model)),
        facts(view.style, tuple(_sources(model)), label=22),
        then=f"netaudit show hardware {model.name} --all        (the table of every HWSKU)"
        if not view.everything
        else "netaudit show hardware",
    )


def _shown(view: View, model: SwitchModel) -> tuple[Hwsku, ...]:
    default = model.hwskus[model.default_hwsku]
    return tuple(model.hwskus.values()) if view.everything else (default,)


def _facts(model: SwitchModel) -> Iterator[tuple[str, str]]:
    for label, cages in _runs(model):
        first = cages[0]
        span = f"{first.number} to {cages[-1].number}" if len(cages) > 1 else str(first.number)
        modes = ", ".join(first.breakouts)
        kind = ", for management" if first.service else ""
        yield label, f"{span}: {counted(len(first.lanes), 'lane')}, {speed(first.max_speed_mbps)}, as {modes}{kind}"
    alias = next((c for c in model.fabric_cages if c.alias), None)
    yield "aliases", f"{alias.alias}, …" if alias else "none is published: PORT.alias is neither written nor audited"
    yield "buffer", f"{exact_bytes(model.buffer_bytes)}{_mark(model, 'buffer_bytes')}, {model.buffer_class}"
    if model.itms > 1:
        wired = "which cage uses which is not published" if model.itm_of(1) is None else "wired as published"
        yield "", f"{model.itms} parts{_mark(model, 'itms')} of {exact_bytes(model.itm_bytes)}, a port has one; {wired}"
    else:
        yield "", f"one part{_mark(model, 'itms')} for all ports"
    yield "cells", f"{exact_bytes(model.cell_bytes)}{_mark(model, 'cell_bytes')}"
    yield "headroom", method(model)
    cap = model.port_headroom_cap_bytes(len(model.fabric_cages[0].lanes))
    own = model.headroom.port_shared_cells > 0
    yield "a port takes", f"at most {exact_bytes(cap)} of shared headroom" + ("" if own else ": no cap is published")
    yield "next hops", _limits(model)
    yield "can", "; ".join(_features(model)) or "nothing is published for load balancing beyond hashing"
    for platform, reason in {**model.barred, **model.partial}.items():
        yield f"not on {platform}", reason
    yield "file", model.origin


def _runs(model: SwitchModel) -> Iterator[tuple[str, list[Cage]]]:
    """Cages that are alike and follow each other, the first with a label."""
    run: list[Cage] = []
    label = "cages"
    for cage in model.cages:
        alike = run and (cage.breakouts, len(cage.lanes), cage.service) == (
            run[0].breakouts,
            len(run[0].lanes),
            run[0].service,
        )
        if run and not alike:
            yield label, run
            run, label = [], ""
        run.append(cage)
    yield label, run


def _mark(model: SwitchModel, field: str) -> str:
    note = model.figure(field).note
    return f" ({note})" if note else ""


def method(model: SwitchModel) -> str:
    """How headroom is computed on a model, with the figures that go in."""
    data = model.headroom
    if data.method == "formula":
        delays = f"pipeline {float(data.pipeline_kib):g} KiB, MAC and PHY {float(data.mac_phy_kib):g} KiB"
        parts = [delays]
        parts += [f"gearbox {data.gearbox_ns} ns"] if data.gearbox_ns else []
        parts += ["between dies 15 B per Gb/s"] if data.tile else []
        parts += [f"{data.extra_kib} KiB more"] if data.extra_kib else []
        return f"SONiC's formula: {', '.join(parts)}"
    if data.fixed_ns is not None:
        return f"physics with {data.fixed_ns} ns{_mark(model, 'headroom.fixed_ns')} for reaction, interfaces, pipeline"
    return f"physics, {_METHODS[data.method]}: an estimate"


def _limits(model: SwitchModel) -> str:
    names = {
        "ecmp_width": "{} in a group",
        "ecmp_groups": "{} groups",
        "ecmp_members": "{} in all",
        "dlb_groups": "{} groups balance by load",
        "dlb_width": "of {} at most",
    }
    found = [
        text.format(f"{value:,}")
        for field, text in names.items()
        if (value := getattr(model.limits, field)) is not None
    ]
    return ", ".join(found) or "not published"


def _features(model: SwitchModel) -> Iterator[str]:
    for word, speeds in model.features.items():
        at = f" at {', '.join(map(speed, speeds))}" if speeds else ""
        yield f"{FEATURES.get(word, word)}{at}"


def _hwskus(model: SwitchModel) -> Table:
    rows = tuple(_hwsku(model, sku) for sku in model.hwskus.values())
    return Table(head=("HWSKU", "rows", "headroom", "pools of", "made with"), rows=rows, right=frozenset({1}))


def _hwsku(model: SwitchModel, sku: Hwsku) -> tuple[str, ...]:
    default = " *" if sku.name == model.default_hwsku and len(model.hwskus) > 1 else ""
    kinds = {row.dedicated for row in sku.pg.values()}
    kind = "mixed" if len(kinds) > 1 else "dedicated" if kinds == {True} else "shared" if kinds else "none"
    rule = sku.rule
    made = "–"
    if rule is not None:
        made = f"{rule.small_percent} % small by {rule.small_by}, MTU {rule.lossless_mtu_bytes}"
        made += f": {rule.exact_rows} of {rule.rows} rows exact"
    return (f"{sku.name}{default}", str(len(sku.pg)), kind, ", ".join(sku.pools) or "–", made)


def _headroom(view: View, sku: Hwsku) -> tuple[str, ...]:
    rows = tuple(
        (speed(rate), f"{length} m", f"{row.xoff_bytes:,}", f"{row.xon_bytes:,}", f"{row.size_bytes:,}")
        for (rate, length), row in sorted(sku.pg.items(), reverse=True)
    )
    head = (sku.name, "length", "xoff bytes", "xon bytes", "size bytes")
    lines = table(view, Table(head=head, rows=rows, right=frozenset({1, 2, 3, 4})))
    pools = tuple(
        (f"pools {topo}", f"{pool.name} {exact_bytes(pool.size_bytes)}, {pool.direction}, {pool.mode}" + _shared(pool))
        for topo, found in sku.pools.items()
        for pool in found
    )
    source = (("source", sku.sources.get("pg", "–")), ("", sku.sources.get("pools", "–")))
    return (*lines, *facts(view.style, (*pools, *source), label=14))


def _shared(pool: hardware.PoolTemplate) -> str:
    size = pool.shared_headroom_bytes
    return "" if size is None else f"; headroom shared by all groups {exact_bytes(size)}"


def _sources(model: SwitchModel) -> Iterator[tuple[str, str]]:
    yield "source of", ""
    for field, source in model.sources.items():
        margin = model.estimates.get(field)
        yield field, source if margin is None else f"{ESTIMATE} estimate ±{margin} %: {source}"


def model_data(model: SwitchModel) -> Mapping[str, Json]:
    """The same in JSON."""
    return {
        "show": "hardware",
        **_short(model),
        "port_headroom_cap_bytes": model.port_headroom_cap_bytes(len(model.fabric_cages[0].lanes)),
        "itm_bytes": model.itm_bytes,
        "limits": {field.name: getattr(model.limits, field.name) for field in fields(model.limits)},
        "features": {word: list(speeds) for word, speeds in model.features.items()},
        "headroom": plain(model.headroom),
        "cage_list": [plain(cage) for cage in model.cages],
        "default_hwsku": model.default_hwsku,
        "hwskus": [_hwsku_data(sku) for sku in model.hwskus.values()],
        "sources": dict(model.sources),
    }


def _hwsku_data(sku: Hwsku) -> Mapping[str, Json]:
    return {
        "name": sku.name,
        "platform": sku.platform,
        "rule": None if sku.rule is None else plain(sku.rule),
        "rows": [
            {"speed_mbps": rate, "length_m": length, "xoff_bytes": row.xoff_bytes, "xon_bytes": row.xon_bytes,
             "size_bytes": row.size_bytes, "dedicated": row.dedicated}
            for (rate, length), row in sorted(sku.pg.items())
        ],
        "pools": {topo: [plain(pool) for pool in found] for topo, found in sku.pools.items()},
        "sources": dict(sku.sources),
    }  # fmt: skip


def nic_page(nic: NicModel, view: View) -> str:
    """The page of one NIC model."""
    order = {True: "takes packets out of order", False: "needs packets in order", None: "not published"}
    rows = (
        ("ports", f"{_ports(nic)}; {', '.join(map(speed, nic.port_speeds_mbps))}"),
        ("together", speed(nic.total_mbps)),
        ("PCIe", f"{nic.pcie_generation}.0 x{nic.pcie_lanes}: {nic.pcie_mbps / 1000:g} Gb/s after line coding"),
        ("RDMA", order[nic.out_of_order]),
        ("file", nic.origin),
        *((f"source: {field}", text) for field, text in nic.sources.items()),
    )
    head = f"{nic.name}: {nic.title}"
    return page(view, (Symbol.INFO, head), facts(view.style, rows, label=26), then="netaudit show hardware")


def nic_data(nic: NicModel) -> Mapping[str, Json]:
    """The same in JSON."""
    found = plain(nic)
    return {"show": "hardware", **(found if isinstance(found, Mapping) else {})}
