"""What the NICs of the hosts must be set to, so that both ends of the class chain agree: for the server team."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_interface, ip_network

from netaudit import hardware
from netaudit.expect.classes import PRIORITIES, Class, classes, lossless_priorities
from netaudit.expect.overrides import settings_for
from netaudit.export.graph import Json
from netaudit.fabric import HOST_LEAF, Fabric, FabricDevice, FabricPort, host_port
from netaudit.fabric.addressing import host_ends, plane_slice
from netaudit.state import LinkEnd

ECT0 = 2
"""ECN-capable transport, in the low two bits of the traffic class (RFC 3168): without it a switch drops, not marks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting of a NIC: what it is called here, its value, and why it has that value."""

    name: str
    value: Json
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NicPort:
    """One port of a NIC, and how it is attached."""

    host: str
    rail: int
    plane: str
    port: str
    """As the host shall name it by LLDP: `nic1p1`."""
    leaf: str
    leaf_port: str
    speed_mbps: int
    addresses: tuple[str, ...]
    gateways: tuple[str, ...]
    prefixes: tuple[str, ...]
    """What of the plane is reached through it."""
    cable_length_m: float
    status: str

    def row(self) -> Mapping[str, Json]:
        """Column → value."""
        return {
            "host": self.host,
            "rail": self.rail,
            "plane": self.plane,
            "port": self.port,
            "leaf": self.leaf,
            "leaf_port": self.leaf_port,
            "speed_mbps": self.speed_mbps,
            "addresses": list(self.addresses),
            "gateways": list(self.gateways),
            "prefixes": list(self.prefixes),
            "cable_length_m": self.cable_length_m,
            "status": self.status,
        }


def traffic_class(dscp: int, *, ecn: bool) -> int:
    """The byte that applications set: DSCP × 4, and ECT(0) where the class is marked; 106 for DSCP 26 (QOS-05)."""
    return dscp << 2 | (ECT0 if ecn else 0)


def rdma_classes(fabric: Fabric) -> tuple[Class, ...]:
    """The classes that RDMA is sent in: lossless, or marked or trimmed in place of that; not what is strict."""
    return tuple(
        c
        for c in classes(fabric.intent)
        if c.body.dscp and not c.body.strict and (c.body.lossless or c.body.ecn is not None or c.body.trim is not None)
    )


def settings(fabric: Fabric) -> tuple[Setting, ...]:
    """What every NIC port of the fabric is set to."""
    return (*_marking(fabric), *_pausing(fabric), *_congestion(fabric), *_sizes(fabric), *_order(fabric))


def _marking(fabric: Fabric) -> Iterator[Setting]:
    yield Setting(
        name="trust", value="dscp", why="switches look at DSCP, and packets have no VLAN tag to look at (QOS-01)"
    )
    for kind in rdma_classes(fabric):
        dscp, priority = kind.body.dscp[0], kind.queue if kind.priority is None else kind.priority
        others = f", one of {', '.join(map(str, kind.body.dscp))}" if len(kind.body.dscp) > 1 else ""
        name = f"rdma.{kind.name}"
        why = f"traffic.{kind.name}.dscp{others}: class {kind.queue} on every switch (QOS-02)"
        yield Setting(name=f"{name}.dscp", value=dscp, why=why)
        tos = traffic_class(dscp, ecn=kind.body.ecn is not None)
        capable = f" + {ECT0}, ECN-capable" if kind.body.ecn is not None else ""
        why = f"{dscp} × 4{capable}: NCCL_IB_TC, and the ToS of others"
        yield Setting(name=f"{name}.nccl_ib_tc", value=tos, why=why)
        yield Setting(
            name=f"{name}.priority", value=priority, why="the priority that DSCP is mapped to in the NIC, too"
        )


def _pausing(fabric: Fabric) -> Iterator[Setting]:
    kept = lossless_priorities(fabric.intent)
    value: list[Json] = [int(priority in kept) for priority in PRIORITIES]
    yield Setting(
        name="pfc", value=value, why="priorities 0 to 7: those of the lossless classes and no others (PFC-01)"
    )
    yield Setting(name="global_pause", value=False, why="it would pause every class at once (PFC-03)")
    yield Setting(name="dcbx_willing", value=False, why="nothing that is heard may change these settings (PFC-06)")


def _congestion(fabric: Fabric) -> Iterator[Setting]:
    cc = fabric.intent.model.hosts.cc
    yield Setting(name="congestion_control", value=cc, why="hosts.cc")
    for kind in rdma_classes(fabric):
        on = cc == "dcqcn" and kind.body.ecn is not None
        why = "CNPs are sent for marked packets (np) and slow the sender down (rp)" if on else "the class is not marked"
        if cc != "dcqcn":
            why = f"hosts.cc is {cc}: senders do not look at marks"
        yield Setting(name=f"rdma.{kind.name}.ecn_np", value=on, why=why)
        yield Setting(name=f"rdma.{kind.name}.ecn_rp", value=on, why=why)
    carrier = next((c for c in classes(fabric.intent) if "cnp" in c.body.carries), None)
    if cc == "dcqcn" and carrier is not None and carrier.body.dscp:
        why = f"traffic.{carrier.name}: CNPs have a queue of their own on every switch (QOS-04)"
        yield Setting(name="cnp.dscp", value=carrier.body.dscp[0], why=why)
        yield Setting(name="cnp.priority", value=carrier.queue, why=why)


def _sizes(fabric: Fabric) -> Iterator[Setting]:
    mtu = fabric.intent.model.mtu
    yield Setting(name="mtu.ip", value=mtu.host, why=f"mtu.host; ports of the switches have {mtu.port} (INT-04)")
    yield Setting(name="mtu.rdma", value=mtu.roce, why="mtu.roce: with its headers it fits into the IP MTU (INT-04)")


def _order(fabric: Fabric) -> Iterator[Setting]:
    mode = fabric.intent.model.load_balancing.mode
    if mode == "spray":
        yield Setting(name="out_of_order", value=True, why="load_balancing.mode: packets arrive by many paths (LB-05)")
    if mode == "qp-pin":
        why = "load_balancing.mode: a UDP source port for each queue pair, by the map that is measured (LB-07)"
        yield Setting(name="source_port_per_qp", value=True, why=why)


def ports(fabric: Fabric, names: Collection[str]) -> Iterator[NicPort]:
    """Every NIC port that is attached to one of these switches; linear in them."""
    wanted = frozenset(names)
    for device in fabric.devices.values():
        if device.name in wanted:
            number = {key: n for n, key in enumerate(fabric.layouts["leaf"].downlinks, start=1)}
            for key, port in fabric.ports(device.name).items():
                if port.kind == HOST_LEAF and port.peer is not None:
                    yield _port(fabric, device, port, port.peer, number[key])


def _port(fabric: Fabric, device: FabricDevice, port: FabricPort, peer: LinkEnd, number: int) -> NicPort:
    model = fabric.intent.model
    pairs = [host_ends(ip_network(block), number, model.hosts.attach) for block in device.blocks]
    plane = model.planes.index(device.place.plane)
    length = fabric.cabling(LinkEnd(device=device.name, port=port.key), peer, port.kind).length_m
    return NicPort(
        host=peer.device,
        rail=device.place.rail,
        plane=device.place.plane,
        port=host_port(peer, model.planes),
        leaf=device.name,
        leaf_port=port.key,
        speed_mbps=settings_for(fabric, device, port).speed_mbps(port.speed_mbps),
        addresses=tuple(theirs for _, theirs in pairs),
        gateways=tuple(str(ip_interface(ours).ip) for ours, _ in pairs),
        prefixes=tuple(str(plane_slice(pool, plane, len(model.planes))) for pool in model.addressing.hosts),
        cable_length_m=length,
        status=port.status,
    )


def nics(fabric: Fabric, names: Collection[str]) -> Mapping[str, Json]:
    """All of it as data."""
    hosts = fabric.intent.model.hosts
    card = hardware.nic(hosts.nic)
    return {
        "fabric": fabric.name,
        "nic": {"model": hosts.nic, "title": card.title, "attach": hosts.attach},
        "settings": {s.name: s.value for s in settings(fabric)},
        "why": {s.name: s.why for s in settings(fabric)},
        "ports": [port.row() for port in ports(fabric, names)],
    }


def nics_markdown(fabric: Fabric, names: Collection[str]) -> str:
    """All of it to read, and to check off."""
    hosts = fabric.intent.model.hosts
    lines = [
        f"# NICs of {fabric.name}",
        "",
        f"Every port of every {hardware.nic(hosts.nic).title} is set so; the switches are, too. "
        "netaudit does not reach the hosts: please check these.",
        "",
        "| setting | value | why |",
        "|---|---|---|",
        *(f"| {s.name} | {_shown(s.value)} | {s.why} |" for s in settings(fabric)),
        "",
        "The cable length is what a NIC computes its own headroom from; set it where the NIC asks for it.",
        "A packet leaves by the port whose address it has: a rule for each address, arp_ignore 1 and arp_announce 2.",
        "",
        "| host | port | plane | leaf | speed | address | gateway | plane prefix | cable |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_port_line(port) for port in ports(fabric, names)),
    ]
    return "\n".join(lines) + "\n"


def _shown(value: Json) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _port_line(port: NicPort) -> str:
    cells = (
        port.host + (f" ({port.status})" if port.status != "active" else ""),
        port.port,
        port.plane,
        f"{port.leaf}:{port.leaf_port}",
        f"{port.speed_mbps // 1000}G",
        " ".join(port.addresses),
        " ".join(port.gateways),
        " ".join(port.prefixes),
        f"{port.cable_length_m:g} m",
    )
    return f"| {' | '.join(cells)} |"
