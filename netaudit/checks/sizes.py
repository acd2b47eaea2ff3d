"""Whether a packet of each size fits into what carries it, on every port (INT-04)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.checks.design import Design
from netaudit.diag import Diagnostic
from netaudit.intent.where import parse

ROCE_IPV4_BYTES, ROCE_IPV6_BYTES = 60, 80
"""Around a RoCEv2 payload: IP 20 (40), UDP 8, BTH 12, RETH 16, ICRC 4 (audit-rules.md, INT-04)."""
ETHERNET_BYTES = 22
"""Header 14, one tag 4, FCS 4: beside the IP packet, where a MTU counts the frame (IEEE 802.3, 802.1Q)."""
VLAN_MTU_BYTES = 9100
"""Of a SONiC VLAN whose row does not say it, and so of its router interface (sonic-swss, vlanmgr.cpp)."""
ROCE_SIZES = (4096, 2048, 1024, 512, 256)
"""Path MTUs of RDMA."""


def mtu(design: Design) -> Iterator[Diagnostic]:
    """A RoCE packet larger than the hosts' MTU, and a frame of theirs larger than the ports'."""
    sizes = design.model.mtu
    version = 6 if any(pool.version == 6 for pool in design.model.addressing.hosts) else 4
    around = ROCE_IPV6_BYTES if version == 6 else ROCE_IPV4_BYTES
    if sizes.roce + around > sizes.host:
        smaller = next((size for size in ROCE_SIZES if size + around <= sizes.host), None)
        message = f"RoCE packets of {sizes.roce} + {around} B do not pass host MTU {sizes.host}"
        ways = [f"mtu: {{host: {sizes.roce + around}}} at least"] + ([f"roce: {smaller}"] if smaller else [])
        path = "mtu.roce" if design.intent.given("mtu.roce") else "mtu.host"
        yield design.error("INT-04", path, message, f"{' or '.join(ways)} (IPv{version}, UDP, BTH, RETH, ICRC)")
    if design.model.hosts.attach == "vlan" and sizes.host > VLAN_MTU_BYTES:
        message = f"host MTU {sizes.host} does not pass the interface of a VLAN, whose MTU is {VLAN_MTU_BYTES}"
        path = "mtu.host" if design.intent.given("mtu.host") else "hosts.attach"
        yield design.error("INT-04", path, message, f"mtu: {{host: {VLAN_MTU_BYTES}}} at most, or attach: routed")
    if sizes.host + ETHERNET_BYTES > sizes.port:
        message = f"host MTU {sizes.host} leaves {sizes.port - sizes.host} B of port MTU {sizes.port} for the frame"
        hint = f"mtu: {{port: {sizes.host + ETHERNET_BYTES}}} at least, for a platform whose MTU counts the frame"
        path = "mtu.port" if design.intent.given("mtu.port") else "mtu.host"
        yield design.warning("INT-04", path, message, hint)


def overridden(design: Design) -> Iterator[Diagnostic]:
    """An override that makes a port smaller than the packets of the hosts, or the two ends of a cable differ."""
    for number, override in enumerate(design.model.overrides):
        size = override.settings.mtu
        if size is None:
            continue
        path = f"overrides.{number}.set.mtu"
        if size < design.model.mtu.host:
            message = f"port MTU {size} drops packets of the hosts, which are up to {design.model.mtu.host} B"
            yield design.error(
                "INT-04", path, message, f"{design.model.mtu.host + ETHERNET_BYTES} at least, or no override"
            )
        elif size != design.model.mtu.port and (ends := _one_sided(design, number)):
            message = f"{ends} has MTU {design.model.mtu.port} while its other end gets {size}"
            hint = "both ends of a cable: a second override for the other end, or a `where` that meets both"
            yield design.error("INT-04", path, message, hint)


def _one_sided(design: Design, number: int) -> str:
    """A far end between switches that no override of the MTU meets; empty if there is none."""
    wheres = [
        parse(o.where) for o in design.model.overrides if o.settings.mtu == design.model.overrides[number].settings.mtu
    ]
    mine = parse(design.model.overrides[number].where)
    devices = design.fabric.devices
    for device in devices.values():
        if not mine.covers(device.name, device.place, device.platform):
            continue
        for key, port in design.fabric.ports(device.name).items():
            if port.peer is None or port.peer.device not in devices or not mine.covers_port(key):
                continue
            far = devices[port.peer.device]
            met = (w.covers(far.name, far.place, far.platform) and w.covers_port(port.peer.port) for w in wheres)
            if not any(met):
                return str(port.peer)
    return ""
