"""`show device`: one switch or one port of it at a glance; of a fabric, all switches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.cli.show import fields
from netaudit.cli.show.page import Json, Table, View, facts, page, table
from netaudit.cli.show.target import Target
from netaudit.cli.show.values import plain, said, speed
from netaudit.expect import Expected
from netaudit.fabric import FabricDevice
from netaudit.state import Device
from netaudit.state.walk import dotted
from netaudit.terminal import Symbol, counted, fold_text

AT_A_GLANCE = (
    "ports.{port}.native",
    "ports.{port}.alias",
    "ports.{port}.enabled",
    "ports.{port}.speed_mbps",
    "ports.{port}.fec",
    "ports.{port}.mtu_bytes",
    "ports.{port}.autoneg",
    "ports.{port}.breakout",
    "ports.{port}.lanes",
    "ports.{port}.description",
    "interfaces.{port}.addresses",
    "interfaces.{port}.link_local",
    "bgp.neighbors.{port}.remote_asn",
    "qos.ports.{port}.pfc",
    "qos.ports.{port}.watched",
    "buffers.ports.{port}.cable_length_m",
    "lldp.neighbors.{port}.system",
    "lldp.neighbors.{port}.port",
)
"""What is looked at first of a port; `show explain` has the rest."""


def device_page(expected: Expected, at: Target | None, view: View) -> str:
    """The page of the fabric's devices, of one, or of one port."""
    if at is None:
        return _all_page(expected, view)
    return _port_page(expected, at, view) if at.port else _one_page(expected, at.device, view)


def _all_page(expected: Expected, view: View) -> str:
    rows = tuple(
        (
            d.name,
            str(d.place),
            d.model.name,
            d.hwsku,
            d.platform,
            str(d.asn),
            d.row.serial if d.row and d.row.serial else "–",
        )
        for d in expected.built.devices.values()
    )
    listed = sum(1 for d in expected.built.devices.values() if d.row is not None)
    head = f"{counted(len(rows), 'device')} in {expected.fabric}, {listed:,} of them in devices.csv"
    shown = Table(
        head=("device", "place", "model", "HWSKU", "platform", "ASN", "serial"), rows=rows, right=frozenset({5})
    )
    return page(view, (Symbol.INFO, head), table(view, shown), then=view.command("show device", rows[0][0]))


def _one_page(expected: Expected, name: str, view: View) -> str:
    device = expected.built.devices[name]
    head = (
        f"{name} is a {device.place.role} at {device.place}: {device.model.name}, {device.platform}, ASN {device.asn}"
    )
    rows = tuple(_ports(expected, name))
    shown = Table(head=("ports", "for", "speed", "count"), rows=rows, right=frozenset({2, 3}))
    blocks = (facts(view.style, tuple(_identity(expected, device))), table(view, shown))
    used = next((key for key, port in expected.built.ports(name).items() if port.peer), None)
    then = view.command("show device", f"{name}:{used}" if used else name)
    return page(view, (Symbol.INFO, head), *blocks, then=then)


def _identity(expected: Expected, device: FabricDevice) -> Iterator[tuple[str, str]]:
    row = device.row
    yield "place", f"{device.place}, tier {device.place.tier}, status {device.place.status}"
    yield "from", str(row.source).rpartition(":")[0] if row else "the pattern; devices.csv has no line of it"
    own = "" if row and row.hwsku else ", the model's default; the device's own is kept"
    # a word of SONiC's: on another NOS it names the rows of the catalogue that go for the box
    other = "; a word of SONiC's, nothing of it is set here" if device.platform != "sonic" else own
    yield "HWSKU", f"{device.hwsku}{other}" if device.hwsku else ""
    yield "version", f"{device.platform} {device.version or 'not said'}"
    yield "serial", row.serial if row and row.serial else "not said: any box is taken"
    yield "MAC", row.mac if row and row.mac else "not said: the device's own is kept"
    yield "management", _management(expected, device)
    yield "rack", row.rack if row and row.rack else ""
    yield "ASN", f"{device.asn}, router id {device.router_id}"
    yield "loopbacks", ", ".join(device.loopbacks)
    yield "hosts", ", ".join(device.blocks)


def _management(expected: Expected, device: FabricDevice) -> str:
    dns = expected.built.intent.model.management.dns
    return device.management or (dns.format(name=device.name) if dns else "not said")


def _ports(expected: Expected, name: str) -> Iterator[tuple[str, ...]]:
    """A row for each kind of port at a speed."""
    state = expected.device(name).ports or {}
    groups: dict[tuple[str, str], list[str]] = {}
    for key, port in expected.built.ports(name).items():
        rate = state[key].speed_mbps
        groups.setdefault((port.kind, speed(rate) if isinstance(rate, int) else "–"), []).append(key)
    for (kind, shown), keys in groups.items():
        yield fold_text([f":{key}" for key in keys]), kind, shown, f"{len(keys):,}"


def _port_page(expected: Expected, at: Target, view: View) -> str:
    port = at.port or ""
    laid = expected.built.ports(at.device)[port]
    device = expected.device(at.device)
    far = f"cable to {laid.peer}" if laid.peer else "spare, admin down"
    state = (device.ports or {})[port]
    rate = speed(state.speed_mbps) if isinstance(state.speed_mbps, int) else "–"
    rows = tuple(_glance(device, port))
    head = (Symbol.INFO, f"{at} is a {laid.kind} port at {rate}, {far}")
    shown = Table(head=("field", "value"), rows=rows, whole=True)
    return page(view, head, table(view, shown), then=view.command("show explain", str(at), "speed"))


def _glance(device: Device, port: str) -> Iterator[tuple[str, str]]:
    for pattern in AT_A_GLANCE:
        path = tuple(part.format(port=port) for part in pattern.split("."))
        if fields.exists(device, path):
            yield dotted(path), said(path[-1], fields.value(device, path))


def device_data(expected: Expected, at: Target | None) -> Mapping[str, Json]:
    """The same in JSON; of a port every field."""
    if at is not None and at.port:
        device = expected.device(at.device)
        found = {dotted(path): plain(fields.value(device, path)) for path in fields.here(device, at)}
        return {"show": "device", "device": at.device, "port": at.port, "fields": found}
    names = [at.device] if at else list(expected.built.devices)
    return {"show": "device", "devices": [_data(expected, name) for name in names]}


def _data(expected: Expected, name: str) -> Json:
    device = expected.built.devices[name]
    row = device.row
    return {
        "name": name,
        "place": str(device.place),
        "role": device.place.role,
        "model": device.model.name,
        "hwsku": device.hwsku,
        "platform": device.platform,
        "version": device.version or None,
        "serial": row.serial if row else None,
        "mac": row.mac if row else None,
        "management": device.management,
        "asn": device.asn,
        "router_id": device.router_id,
        "loopbacks": list(device.loopbacks),
        "host_blocks": list(device.blocks),
        "ports": {
            key: {"kind": port.kind, "native": port.native, "far_end": str(port.peer) if port.peer else None}
            for key, port in expected.built.ports(name).items()
        },
    }
