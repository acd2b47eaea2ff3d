"""`show addresses`: loopbacks, host blocks and AS numbers; of a device every port, too; of the fabric the pools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_interface

from netaudit.cli.show.page import Json, Table, View, facts, page, table
from netaudit.cli.show.target import Target
from netaudit.expect import Expected
from netaudit.expect.interfaces import leaf_blocks
from netaudit.fabric import HOST_LEAF, FabricDevice, end_addresses
from netaudit.fabric.addressing import block_length, gateway, plane_slice
from netaudit.terminal import Symbol, counted, share


def addresses_page(expected: Expected, at: Target | None, view: View) -> str:
    """The page of the fabric, of a device or of a port."""
    return _device_page(expected, at, view) if at else _fabric_page(expected, view)


def _fabric_page(expected: Expected, view: View) -> str:
    devices = tuple(expected.built.devices.values())
    rows = tuple((d.name, str(d.asn), ", ".join(d.loopbacks), ", ".join(d.blocks) or "–") for d in devices)
    blocks = sum(len(d.blocks) for d in devices)
    head = f"{counted(len(devices), 'device')} of {expected.fabric}: {counted(blocks, 'host block')}, "
    head += counted(len({d.asn for d in devices}), "AS number")
    shown = Table(head=("device", "ASN", "loopbacks", "hosts"), rows=rows, right=frozenset({1}))
    first = devices[0].name
    pools = facts(view.style, tuple(_pools(expected)))
    return page(view, (Symbol.INFO, head), table(view, shown), pools, then=view.command("show addresses", first))


def _pools(expected: Expected) -> Iterator[tuple[str, str]]:
    """Each pool with its slices, and how full it is."""
    model = expected.built.intent.model
    used = {"hosts": model.unit_capacity * model.unit_leaves}
    for name, pools in (("loopbacks", model.addressing.loopbacks), ("hosts", model.addressing.hosts)):
        for number, pool in enumerate(pools):
            slices = [plane_slice(pool, i, len(model.planes)) for i in range(len(model.planes))]
            text = f"{pool}: " + ", ".join(
                f"{part} for plane {p}" for part, p in zip(slices, model.planes, strict=True)
            )
            if name in used:
                length = block_length(model.leaf_capacity, pool.max_prefixlen, model.hosts.attach)
                room = 1 << (length - slices[0].prefixlen)
                text += f"; a /{length} for each leaf, {used[name]:,} of {room:,} laid out ({share(used[name], room)})"
            yield "" if number else name, text
    kind, per = model.addressing.fabric, model.spine.per
    yield (
        "fabric",
        f"{kind}: IPv6 link-local, so that IPv4 has IPv6 next hops (RFC 8950)" if kind != "numbered" else kind,
    )
    for why, kinds in _numbered(expected).items() if kind != "numbered" else ():
        links = ", ".join(map(str, model.addressing.link_pools))
        yield "", f"but {', '.join(sorted(kinds))}: numbered from {links}; {why}"
    last = "leaf index" if per == "plane" else f"leaf index, or number of the {per} of a spine"
    yield "ASNs", f"from {model.bgp.asn_base}, + plane × 1,000,000 + tier × 100,000 + {last}; spines share one"


def _numbered(expected: Expected) -> Mapping[str, set[str]]:
    """Why links have addresses all the same → the kinds of those that have."""
    found: dict[str, set[str]] = {}
    for device in expected.built.devices.values():
        for port in expected.built.ports(device.name).values():
            if port.peer is not None and expected.built.addresses(device, port):
                why = expected.built.why_numbered(device.name, port.peer.device, port.kind)
                found.setdefault(why, set()).add(port.kind)
    return found


def _device_page(expected: Expected, at: Target, view: View) -> str:
    device = expected.built.devices[at.device]
    ports = tuple(_ports(expected, at))
    head = f"{at}: {counted(len(ports), 'port')} with addresses"
    if at.port is None:
        head = f"{at}: ASN {device.asn}, router id {device.router_id}, {counted(len(ports), 'port')} with addresses"
    shown = Table(head=("port", "address", "far end", "its address", "why"), rows=ports)
    own = facts(view.style, tuple(_own(expected, device))) if at.port is None else ()
    where = str(at) if at.port else f"{at.device}:{ports[0][0]}" if ports else at.device
    field = "address" if ports and ports[0][0] in (expected.device(at.device).interfaces or {}) else "members"
    where = at.device if field == "members" else where
    then = view.command("show explain", where, field) if ports else view.command("show links", at.device)
    return page(view, (Symbol.INFO, head), own, table(view, shown), then=then)


def _own(expected: Expected, device: FabricDevice) -> Iterator[tuple[str, str]]:
    intent = expected.built.intent
    row = device.row
    pinned = f"pinned by {row.cell('loopback')}" if row and row.loopback else f"from {_line(expected, 'loopbacks')}"
    yield "loopbacks", f"{', '.join(device.loopbacks)}   {pinned}"
    yield "router id", device.router_id
    asn = str(row.cell("asn")) if row and row.asn is not None else str(intent.source("bgp.asn_base") or "default")
    given = intent.given("bgp.asn_base") or (row is not None and row.asn is not None)
    yield "ASN", f"{device.asn}   {f'from {asn}' if given else 'from the default base, bgp.asn_base'}"
    ports = [p for p in expected.built.ports(device.name).values() if expected.built.addresses(device, p)]
    whys = {expected.built.why_numbered(device.name, p.peer.device, p.kind) for p in ports if p.peer}
    yield "numbered", "; ".join(sorted(whys))
    if device.blocks:
        count = intent.model.units[device.place.unit].hosts * intent.model.leaf.rails
        capacity = intent.model.leaf_capacity
        in_vlan = intent.model.hosts.attach == "vlan"
        what = f"{count:,} of {capacity:,} {'hosts' if in_vlan else 'links used'}; announced as one prefix"
        yield "hosts", f"{', '.join(device.blocks)}   {what}"
        if in_vlan:
            gateways = ", ".join(gateway(block) for block in leaf_blocks(device))
            yield "gateway", f"{gateways}   of Vlan{intent.model.hosts.vlan}; host 1 has the next address, and so on"


def _line(expected: Expected, pool: str) -> str:
    path = f"addressing.{pool}"
    intent = expected.built.intent
    return str(intent.source(path)) if intent.given(path) else f"the default of {path}"


def _ports(expected: Expected, at: Target) -> Iterator[tuple[str, ...]]:
    """(port, own addresses, far end, its addresses, why) of every port with a cable."""
    device = expected.built.devices[at.device]
    found = expected.device(at.device).interfaces or {}
    hosts = expected.built.intent.model.hosts
    for key, port in expected.built.ports(at.device).items():
        vlan = f"Vlan{hosts.vlan}" if port.kind == HOST_LEAF and hosts.attach == "vlan" else ""
        if port.peer is None or (vlan or key) not in found or at.port not in (None, key):
            continue
        own, far = end_addresses(expected.built, device, port)
        if not own:
            yield key, "link-local", str(port.peer), "link-local", "unnumbered, RFC 8950"
            continue
        why = "a /31 a host port"
        if port.kind != HOST_LEAF:
            reason = expected.built.why_numbered(device.name, port.peer.device, port.kind)
            why = f"numbered: {reason}" if at.port else "a numbered link"
        why = f"in {vlan}, the gateway of all hosts" if vlan else why
        yield key, ", ".join(own), str(port.peer), ", ".join(far), why


def addresses_data(expected: Expected, at: Target | None) -> Mapping[str, Json]:
    """The same in JSON."""
    devices = [expected.built.devices[at.device]] if at else list(expected.built.devices.values())
    rows: list[Json] = [
        {
            "device": device.name,
            "asn": device.asn,
            "router_id": device.router_id,
            "loopbacks": [str(ip_interface(text)) for text in device.loopbacks],
            "host_blocks": list(device.blocks),
        }
        for device in devices
    ]
    ports: list[Json] = [
        {"port": key, "address": own, "far_end": far, "far_address": theirs, "why": why}
        for key, own, far, theirs, why in (_ports(expected, at) if at else ())
    ]
    return {"show": "addresses", "devices": rows, "ports": ports}
