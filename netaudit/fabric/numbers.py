"""The numbers and prefixes of each switch: by its place, or as devices.csv pins them; and pools that are too small."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from ipaddress import ip_network

from netaudit.fabric import addressing
from netaudit.fabric.model import FabricDevice
from netaudit.fabric.problems import Problems
from netaudit.fabric.roles import BLOCK_LOOPBACKS, Role, Spot, pattern_name, roles, spots
from netaudit.fabric.topology import BLOCK_LINKS, spine_link, uplinks_room
from netaudit.hardware import SwitchModel
from netaudit.intent import DeviceRow, Intent, numbering, tiers
from netaudit.intent.schema import IntentModel
from netaudit.state import Place


def pools(intent: Intent, models: Mapping[str, SwitchModel], problems: Problems) -> None:
    """Each pool holds all that the capacity is for, so that growth inside it never meets the end of one."""
    model, planes = intent.model, len(intent.model.planes)
    leaves, spines = model.unit_capacity * model.unit_leaves, tiers.spine_capacity(model)
    superspines = model.superspine.room if model.superspine is not None else 0
    blocks = [block.id * BLOCK_LOOPBACKS + block.room for block in model.blocks.values()]
    highest = max(leaves, spines, superspines, *blocks)
    for number, pool in enumerate(model.addressing.loopbacks):
        need = addressing.loopbacks_need(planes, highest, pool.max_prefixlen)
        if pool.prefixlen > need:
            also = f", and of blocks up to id {max(b.id for b in model.blocks.values())}" if blocks else ""
            what = f"{pool} has no room for {planes} planes of {leaves} leaves and {spines} spines{also}"
            hint = f"a pool of /{need} or shorter: a quarter of a plane's slice is for its leaves, one for its spines"
            problems.add(f"addressing.loopbacks.{number}", what, hint if need >= 0 else "a smaller capacity")
    _numbered(intent, models, problems)
    for number, pool in enumerate(model.addressing.hosts):
        need = addressing.blocks_need(planes, leaves, model.leaf_capacity, pool.max_prefixlen, model.hosts.attach)
        if pool.prefixlen > need:
            block = addressing.block_length(model.leaf_capacity, pool.max_prefixlen, model.hosts.attach)
            what = f"{pool} has no room for {planes} planes of {leaves} leaves with a /{block} each"
            hint = f"a pool of /{need} or shorter" if need >= 0 else "a smaller capacity"
            problems.add(f"addressing.hosts.{number}", what, hint)


def _numbered(intent: Intent, models: Mapping[str, SwitchModel], problems: Problems) -> None:
    """The pool of numbered links holds those of the capacity, and every block has room for its own."""
    model, planes = intent.model, len(intent.model.planes)
    lower, upper = 0, max((link.id for link in model.links if link.id is not None), default=-1)
    if numbering.reason(model, (row.version for row in intent.devices if row.version)):
        lower = _lower(model, models["leaf"]) if "leaf" in models else 0
        for name, block in model.blocks.items():
            count = block.room * tiers.above(model, name) * block.links
            if count >= BLOCK_LINKS:
                message = f"block `{name}` has {count:,} links in a plane; numbered links have {BLOCK_LINKS:,} each id"
                problems.add(f"blocks.{name}.links", message, "addressing: {fabric: unnumbered}")
            upper = max(upper, block.id * BLOCK_LINKS + count)
    for number, is_upper in ((lower, False), (upper, True)):
        if number < 0 or (number == 0 and not is_upper):
            continue
        for pool in model.addressing.link_pools:
            if text := _too_small(partial(addressing.numbered_link, pool, 0, planes, number, upper=is_upper)):
                problems.add("addressing.numbered", text, "a shorter prefix")
                return


def _lower(model: IntentModel, leaf: SwitchModel) -> int:
    """Numbers of the lower half that are taken: above leaves from its beginning, above spines from its end."""
    spines = spine_link(model, tiers.spine_capacity(model) + 1, 0) if model.superspine is not None else 0
    return model.unit_capacity * model.unit_leaves * uplinks_room(leaf) + spines


def devices(intent: Intent, models: Mapping[str, SwitchModel], problems: Problems) -> Iterator[FabricDevice]:
    """Every switch, retired ones too, and the rows of devices.csv that are of none."""
    rows = _rows(intent, problems)
    known = roles(intent.model)
    used: set[str] = set()
    for spot in spots(intent.model):
        role = known[spot.place.role]
        pattern = pattern_name(role, spot.place)
        row = rows.get(str(spot.place)) or rows.get(pattern)
        if row is not None:
            used.update((str(spot.place), pattern))
        yield _device(intent, spot, role, models[role.name], row, problems)
    places = [str(spot.place) for spot in spots(intent.model)]
    for key, row in rows.items():
        if key not in used:
            near = get_close_matches(key, places, 1)
            hint = f"did you mean `{near[0]}`?" if near else "a place is plane/unit/r<rail> or plane/spine/<number>"
            problems.add("devices", f"`{key}` is no device of this fabric", hint, row.source)


def _rows(intent: Intent, problems: Problems) -> dict[str, DeviceRow]:
    """Rows of devices.csv by place, or by the pattern's name where they have no place."""
    rows: dict[str, DeviceRow] = {}
    for row in intent.devices:
        key = row.place or row.name or ""
        if key in rows:
            message = f"two rows for `{key}`, the other is line {rows[key].source.line}"
            problems.add("devices", message, source=row.source)
        rows[key] = row
    return rows


def _device(
    intent: Intent, spot: Spot, role: Role, model: SwitchModel, row: DeviceRow | None, problems: Problems
) -> FabricDevice:
    place = spot.place
    loopbacks = _loopbacks(intent, spot, row)
    hwsku = (row.hwsku if row and row.hwsku else None) or model.default_hwsku
    if hwsku not in model.hwskus:
        source = row.cell("hwsku") if row else None
        message = f"no HWSKU `{hwsku}` of {model.name} in the catalogue"
        known = f"known: {', '.join(filter(None, model.hwskus)) or 'none'}"
        other = (
            "" if role.platform == "sonic" else f"; it is a word of SONiC's, leave the cell empty for {role.platform}"
        )
        problems.add("devices", message, known + other, source)
    asn = addressing.asn(intent.model.bgp.asn_base, spot.plane, place.tier, spot.asn)
    block = intent.model.blocks.get(place.role)
    return FabricDevice(
        name=(row.name if row and row.name else None) or pattern_name(role, place),
        place=replace(place, status=_status(intent, place, row)),
        index=spot.index,
        model=model,
        hwsku=hwsku,
        platform=role.platform,
        version=(row.version if row and row.version else None) or intent.model.versions.get(role.platform, ""),
        asn=row.asn if row is not None and row.asn is not None else asn,
        router_id=addressing.router_id(loopbacks, spot.plane, place.tier, spot.loopback),
        loopbacks=loopbacks,
        blocks=_blocks(intent, spot, row, problems),
        originates=tuple(str(prefix) for prefix in block.originates) if block else (),
        group=spot.group,
        slot=spot.slot,
        row=row,
    )


def _status(intent: Intent, place: Place, row: DeviceRow | None) -> str:
    """What devices.csv says, else the unit."""
    if row is not None and row.status is not None:
        return row.status
    return intent.model.units[place.unit].status if place.unit else "active"


def _loopbacks(intent: Intent, spot: Spot, row: DeviceRow | None) -> tuple[str, ...]:
    planes, tier = len(intent.model.planes), spot.place.tier
    texts = [
        text
        for pool in intent.model.addressing.loopbacks
        if (text := _fitting(partial(addressing.loopback, pool, spot.plane, planes, tier, spot.loopback)))
    ]
    if row is not None and row.loopback:
        pinned = row.loopback.partition("/")[0]
        version = 6 if ":" in pinned else 4
        texts = [t for t in texts if (6 if ":" in t else 4) != version]
        texts.insert(0 if version == 4 else len(texts), f"{pinned}/{32 if version == 4 else 128}")
    return tuple(texts)


def _blocks(intent: Intent, spot: Spot, row: DeviceRow | None, problems: Problems) -> tuple[str, ...]:
    pinned = ip_network(row.block) if row is not None and row.block else None
    if spot.place.role != "leaf":
        if row is not None and pinned is not None:
            message = f"{spot.place} has no hosts, so it has no block"
            problems.add("devices", message, "only leaves announce hosts", row.cell("block"))
        return ()
    planes, hosts, own = len(intent.model.planes), intent.model.leaf_capacity, intent.model.addressing.hosts
    attach = intent.model.hosts.attach
    found = (
        _fitting(partial(addressing.leaf_block, pool, spot.plane, planes, spot.index, hosts, attach))
        for pool in own
        if pinned is None or pool.version != pinned.version
    )
    blocks = [block for block in found if block]
    if row is not None and pinned is not None:
        need = addressing.block_length(hosts, pinned.max_prefixlen, attach)
        if pinned.prefixlen > need:
            message = f"{pinned} does not hold the {hosts} hosts that `capacity` is for"
            problems.add("devices", message, f"a block of /{need} or shorter", row.cell("block"))
        elif pinned.version not in {pool.version for pool in own}:
            message = f"{pinned} is an IPv{pinned.version} block, and hosts have no such pool"
            problems.add("devices", message, f"a block of {' or '.join(map(str, own))}", row.cell("block"))
        blocks.insert(0 if pinned.version == 4 else len(blocks), str(pinned))
    return tuple(blocks)


def _too_small(compute: Callable[[], object]) -> str:
    """What the pool says if it is too small; empty if it is not."""
    try:
        compute()
    except addressing.TooSmall as error:
        return str(error)
    return ""


def _fitting(compute: Callable[[], object]) -> str:
    """The text; empty where the pool is too small, which `pools` has said."""
    try:
        return str(compute())
    except addressing.TooSmall:
        return ""
