"""`show headroom DEVICE:PORT`: how much headroom the port gets, why so much, and what physics would ask for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit import lossless, platforms
from netaudit.cli.show import cables
from netaudit.cli.show.breakdown import Breakdown, breakdown, ieee_xoff, rows
from netaudit.cli.show.breakdown import data as breakdown_data
from netaudit.cli.show.cables import Cable, cable_of
from netaudit.cli.show.fields import leads_somewhere
from netaudit.cli.show.headroom_held import OnDevice, on_device
from netaudit.cli.show.headroom_use import Use, use_data, use_of, use_rows
from netaudit.cli.show.page import Json, Table, View, facts, notes, page, table
from netaudit.cli.show.values import metres, speed
from netaudit.expect import Expected
from netaudit.expect.classes import lossless_priorities
from netaudit.expect.headroom import (
    BULK_MTU_BYTES,
    BULK_SMALL_PERCENT,
    WORST_CASE_MTU_BYTES,
    WORST_CASE_SMALL_PERCENT,
    Headroom,
    NoHeadroom,
    formula,
    groups,
    policy,
    port_headroom,
)
from netaudit.expect.pools import headroom_bytes, shared_headroom
from netaudit.fabric import FabricDevice
from netaudit.hardware import PgRow
from netaudit.intent.schema.lossless import BufferProfile
from netaudit.terminal import Symbol, exact_bytes, rough_bytes, share


@dataclass(frozen=True, slots=True, kw_only=True)
class PortHeadroom:
    """All that explains the headroom of one port with a cable."""

    device: FabricDevice
    port: str
    speed_mbps: int
    cable: Cable
    measurable: str
    """The table of measured cables, where there is one."""
    priorities: tuple[int, ...]
    policy: BufferProfile
    policy_path: str
    given: Headroom | NoHeadroom
    row_m: int | None
    """The nearest row of the HWSKU's table that covers the cable."""
    row: PgRow | None
    at_row: Breakdown | None
    """The formula for the length of that row."""
    real: Breakdown
    """The formula for the real length."""
    result: lossless.Headroom
    """The same, with the method it was found by."""
    use: Use | None
    """What it costs; `None` where the port gets nothing."""
    held: OnDevice | None
    """What the device itself is told of it; `None` where the port gets nothing."""
    total_bytes: int
    """Headroom of the whole switch: what the groups keep, and the pool they share."""

    @property
    def published(self) -> bool:
        """The row of the table is what the port gets."""
        return self.policy.headroom == "published"

    @property
    def where(self) -> str:
        """`a-su1-r1-leaf:64`."""
        return f"{self.device.name}:{self.port}"

    @property
    def fit(self) -> lossless.Fit:
        """How much of the chip's memory all headroom of the switch takes."""
        buffer_bytes = self.device.model.buffer_bytes
        return lossless.fit(headroom_bytes=self.total_bytes, buffer_bytes=buffer_bytes, phi=self.policy.phi / 100)


def port_facts(expected: Expected, name: str, port: str) -> PortHeadroom | None:
    """The facts of a port; `None` for a spare one, which has no headroom and costs nothing."""
    fabric = expected.built
    device, laid = fabric.devices[name], fabric.ports(name)
    wire = cable_of(fabric, name, laid[port])
    speeds = {key: cables.speed_mbps(fabric, name, p) for key, p in laid.items()}
    speed_mbps = speeds[port]
    given = port_headroom(fabric, device, laid[port], speed_mbps)
    if wire is None or given is None:
        return None
    chosen = policy(fabric, device.model, device.place.role)
    lanes, mtu = len(laid[port].lanes), fabric.intent.model.mtu.port
    bulk = chosen.packets == "bulk"
    hwsku = device.model.hwskus[device.hwsku]
    row_m = hwsku.row_length_m(speed_mbps, wire.length_m)
    all_groups = tuple(h for _, h in groups(fabric, device, laid, speeds))
    shared = shared_headroom(fabric, device, all_groups)
    own = isinstance(given, NoHeadroom) or given.dedicated  # SONiC adds its allowance where groups have their own
    # a switch that computes goes by whole metres
    length_m = math.ceil(wire.length_m) if chosen.headroom == "dynamic" else wire.length_m
    result = formula(device.model, speed_mbps, length_m, lanes, mtu, bulk=bulk, allowance=own)
    priorities = tuple(sorted(lossless_priorities(fabric.intent)))
    at_row = None
    if row_m is not None:
        at_row = breakdown(formula(device.model, speed_mbps, row_m, lanes, mtu, bulk=bulk, allowance=own))
    return PortHeadroom(
        device=device,
        port=port,
        speed_mbps=speed_mbps,
        cable=wire,
        measurable=fabric.intent.model.cables.measured or "",
        priorities=priorities,
        policy=chosen,
        policy_path=f"buffers.{'deep' if device.model.buffer_class == 'deep' else 'shallow'}",
        given=given,
        row_m=row_m,
        row=hwsku.pg[speed_mbps, row_m] if row_m is not None else None,
        at_row=at_row,
        real=breakdown(result),
        result=result,
        use=None
        if isinstance(given, NoHeadroom)
        else use_of(
            device,
            given,
            result,
            speed_mbps=speed_mbps,
            lanes=lanes,
            classes=len(priorities),
            shared_bytes=shared,
            all_xoff_bytes=len(priorities) * sum(h.xoff_bytes for h in all_groups if not h.dedicated),
        ),
        held=on_device(expected, name, port, given.xoff_bytes) if isinstance(given, Headroom) and priorities else None,
        total_bytes=headroom_bytes(fabric, all_groups) + (shared or 0),
    )


def port_page(expected: Expected, name: str, port: str, view: View) -> str:
    """The page of one port."""
    found = port_facts(expected, name, port)
    if found is None:
        head = (Symbol.INFO, f"no headroom on {name}:{port}: no cable is planned there")
        return page(view, head, then=view.command("show links", name))
    blocks = (
        facts(view.style, tuple(_inputs(expected, found))),
        table(view, terms(found)),
        facts(view.style, (*_held(found), ("total", _total(found)), *(use_rows(found.use) if found.use else ()))),
        notes(view.style, tuple(_cautions(found))),
    )
    word = next((w for w in ("cable.length", "xoff") if leads_somewhere(expected.device(name), name, port, w)), "speed")
    then = view.command("show explain", found.where, word)
    return page(view, _verdict(found), *blocks, then=then)


def _verdict(found: PortHeadroom) -> tuple[Symbol, str]:
    on = f"{found.where} ({speed(found.speed_mbps)}, {metres(found.cable.length_m)})"
    if isinstance(found.given, NoHeadroom):
        return Symbol.ERROR, f"no headroom on {on}: {found.given.reason}"
    if not found.priorities:
        return Symbol.INFO, f"no class is lossless, so no headroom is used on {on}"
    which = "priorities " if len(found.priorities) > 1 else "priority "
    which += ", ".join(map(str, found.priorities))
    by = f"from the published row {found.row_m} m" if found.published else "by the formula"
    by += ", computed by the switch" if found.policy.headroom == "dynamic" else ""
    by += f"; {found.held.brief}" if found.held is not None and found.held.brief else ""
    return Symbol.INFO, f"xoff {exact_bytes(found.given.xoff_bytes)} for {which} on {on}, {by}"


def _inputs(expected: Expected, found: PortHeadroom) -> Iterator[tuple[str, str]]:
    missing = f"; no row in {found.measurable}" if found.measurable and not found.cable.measured else ""
    yield "length", _aligned(metres(found.cable.length_m), f"{found.cable.origin}{missing}")
    bulk = found.policy.packets == "bulk"
    model = found.device.model
    small = BULK_SMALL_PERCENT if bulk else WORST_CASE_SMALL_PERCENT
    mtu = BULK_MTU_BYTES if bulk else WORST_CASE_MTU_BYTES
    how = f"{small} % of the bytes in small packets, lossless MTU {mtu:,} B"
    if model.headroom.method != "formula":
        how = found.real.fill.source
    yield "packets", _aligned(found.policy.packets, f"{origin(expected, found.policy_path, 'packets')}: {how}")
    yield "delays", _aligned("generic" if found.result.generic else "known", found.result.method)
    yield "cell", _aligned(exact_bytes(model.cell_bytes), f"hardware {model.name}, {model.asic}")
    lengths = ", ".join(metres(m) for m in model.hwskus[found.device.hwsku].lengths_m(found.speed_mbps))
    rounded = "; length is rounded up to the next row" if found.published else ""
    table_of = f"rows of {found.device.hwsku} at {speed(found.speed_mbps)}: {lengths or 'none'}{rounded}"
    if not platforms.platform(found.device.platform).TABLES:
        table_of = f"{found.device.platform} has no tables of a vendor's"
    where = origin(expected, found.policy_path, "headroom")
    yield "mode", _aligned(found.policy.headroom, f"{where}; {table_of}")


def _aligned(value: str, where: str) -> str:
    return f"{value:<12}{where}"


def origin(expected: Expected, section: str, key: str) -> str:
    """`intent.yml:37:25`, or that it is a default."""
    path = f"{section}.{key}"
    intent = expected.built.intent
    return str(intent.source(path)) if intent.given(path) else "default"


def terms(found: PortHeadroom) -> Table:
    """The steps for the row's length, and beside them for the real one where it is another."""
    columns: dict[str, Breakdown] = {}
    if found.at_row is not None and found.row_m is not None:
        columns[f"bytes at {found.row_m} m"] = found.at_row
    if found.row_m != found.cable.length_m:
        columns[f"bytes at {metres(found.cable.length_m)}"] = found.real
    steps = list(rows(tuple(columns.values())))
    blank = ("",) * (len(columns) - 1)
    if found.row is not None:
        steps[-1] = (*steps[-1][:-1], _difference(found))
        steps.append((f"published row {found.row_m} m", f"{found.row.xoff_bytes:,}", *blank, _table_of(found)))
    numbers = frozenset(range(1, len(columns) + 1))
    head = ("term", *columns, "where it comes from")
    totals = frozenset(i for i, row in enumerate(steps) if row[0] == "sum" or i == len(steps) - 1)
    return Table(head=head, rows=tuple(steps), right=numbers, bold=totals, whole=True)


def _difference(found: PortHeadroom) -> str:
    if found.row is None or found.at_row is None:
        return ""
    more = found.at_row.xoff_bytes - found.row.xoff_bytes
    if not more:
        return "equals the published row, difference 0 B"
    return f"{abs(more):,} B {'more' if more > 0 else 'less'} than the published row"


def _table_of(found: PortHeadroom) -> str:
    return f"pg_profile_lookup.ini of {found.device.hwsku}"


def _held(found: PortHeadroom) -> Iterator[tuple[str, str]]:
    """What the device is told, where that is not just what is asked for."""
    if found.held is not None:
        yield f"on {found.held.nos}", found.held.text
        yield "alpha", f"not set on {found.held.nos}: {found.held.no_alpha}" if found.held.no_alpha else ""


def _total(found: PortHeadroom) -> str:
    buffer = found.device.model.buffer_bytes
    whole = (
        f"device total {rough_bytes(found.total_bytes)} of {rough_bytes(buffer)} ({share(found.total_bytes, buffer)}"
    )
    whole += f", at most {float(found.fit.limit):.0%})".replace("%", " %")
    if isinstance(found.given, NoHeadroom):
        return whole
    given = found.given
    return f"xon {exact_bytes(given.xon_bytes)} · size {exact_bytes(given.size_bytes)} · alpha {given.alpha} · {whole}"


def _cautions(found: PortHeadroom) -> Iterator[str]:
    if isinstance(found.given, NoHeadroom):
        yield f"the port would drop lossless packets: {found.given.hint}"
        return
    spare = found.given.xoff_bytes - found.real.xoff_bytes
    if spare < 0:
        yield f"{-spare:,} B less than the formula asks for at {metres(found.cable.length_m)}"
    if found.result.generic:
        yield f"nothing is published of the delays of {found.device.model.asic} at this speed: the formula is generic"
    if not found.fit.fits:
        yield f"headroom takes more than {share(float(found.fit.limit), 1)} of the buffer"
    basis = found.at_row if found.published and found.at_row is not None else found.real
    slower = ieee_xoff(basis, found.speed_mbps)
    if slower is not None:
        used, allowed, xoff = slower
        rate = speed(found.speed_mbps)
        yield (
            f"{used:,} pause quanta at {rate} is what {_counts(found)}; IEEE 802.3 lets a peer take {allowed:,}: "
            f"then the need is {exact_bytes(xoff)}"
        )


def _counts(found: PortHeadroom) -> str:
    """Whose formula it is: the switch's own where SONiC runs on it."""
    return "SONiC counts" if found.device.platform == "sonic" else "the formula counts, which is SONiC's"


def port_data(expected: Expected, name: str, port: str) -> Mapping[str, Json]:
    """The same in JSON, with every term."""
    found = port_facts(expected, name, port)
    base: dict[str, Json] = {"show": "headroom", "device": name, "port": port}
    if found is None:
        return {**base, "headroom": None}
    given = found.given
    slower = ieee_xoff(found.real, found.speed_mbps)
    return {
        **base,
        "speed_mbps": found.speed_mbps,
        "length_m": found.cable.length_m,
        "length_from": found.cable.origin,
        "mode": found.policy.headroom,
        "packets": found.policy.packets,
        "cell_bytes": found.device.model.cell_bytes,
        "priorities": list(found.priorities),
        "headroom": given_data(given),
        "method": found.result.method,
        "generic": found.result.generic,
        "held": None if found.held is None else found.held.data,
        "use": None if found.use is None else use_data(found.use),
        **terms_data(found),
        "xoff_with_ieee_quanta_bytes": None if slower is None else slower[2],
        "device_total_bytes": found.total_bytes,
        "buffer_bytes": found.device.model.buffer_bytes,
        "fits": found.fit.fits,
    }


def terms_data(found: PortHeadroom) -> Mapping[str, Json]:
    """The published row, and the formula for its length and for the real one."""
    return {
        "published": None if found.row is None else {"length_m": found.row_m, "xoff_bytes": found.row.xoff_bytes},
        "formula_at_row": breakdown_data(found.at_row),
        "formula_at_length": breakdown_data(found.real),
    }


def given_data(given: Headroom | NoHeadroom) -> Json:
    """What the port gets, or why nothing."""
    if isinstance(given, NoHeadroom):
        return {"profile": None, "reason": given.reason, "hint": given.hint}
    return {
        "profile": given.profile,
        "cable_length_m": given.cable_length_m,
        "xoff_bytes": given.xoff_bytes,
        "xon_bytes": given.xon_bytes,
        "size_bytes": given.size_bytes,
        "alpha": str(given.alpha),
        "source": given.source,
    }
