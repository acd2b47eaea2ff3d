"""Where hosts stand, for what places jobs: Slurm's topology.conf, labels of Kubernetes nodes, rails for NCCL."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from netaudit.export.graph import Json
from netaudit.fabric import HOST_LEAF, RETIRED, Fabric, FabricHost, end_addresses, host_port

LABEL = "network.topology.nvidia.com"
"""Keys that NVIDIA's Topograph gives to nodes, and that schedulers read: …/leaf, …/spine, …/core."""
NOTE = "NIC r of a host is on the leaf of rail r: a host has several leaves, so that its unit stands for all of them"


def slurm(fabric: Fabric) -> str:
    """`topology.conf` for the plugin topology/tree: a unit is a switch of the lowest level, a pod one above it."""
    model = fabric.intent.model
    lines = [f"# {fabric.name}: {NOTE}", "# TopologyPlugin=topology/tree"]
    upper: dict[str, list[str]] = {}
    for unit, hosts in _units(fabric).items():
        lines.append(f"SwitchName={unit} Nodes={','.join(host.name for host in hosts)}")
        pod = model.units[unit].pod if model.spine.per == "pod" else None
        upper.setdefault(f"pod{pod}" if pod is not None else "", []).append(unit)
    lines += [f"SwitchName={pod} Switches={','.join(units)}" for pod, units in upper.items() if pod]
    top = [pod for pod in upper if pod] or [unit for units in upper.values() for unit in units]
    lines.append(f"SwitchName={fabric.name} Switches={','.join(top)}")
    return "\n".join(lines) + "\n"


def kubernetes(fabric: Fabric) -> str:
    """A shell command for each node: the labels that say which unit, pod and fabric it is in."""
    lines = [f"# {fabric.name}: {NOTE}"]
    for host, labels in _labels(fabric):
        pairs = " ".join(f"{key}={value}" for key, value in labels.items())
        lines.append(f"kubectl label node {host} --overwrite {pairs}")
    return "\n".join(lines) + "\n"


def labels(fabric: Fabric) -> Mapping[str, Json]:
    """Node → its labels."""
    return {host: dict(found) for host, found in _labels(fabric)}


def rails(fabric: Fabric) -> tuple[Mapping[str, str], ...]:
    """A row for each NIC port: its rail and plane, what it is called, and the leaf and addresses at both ends."""
    found = []
    for name, device in fabric.devices.items():
        for key, port in fabric.ports(name).items():
            if port.kind != HOST_LEAF or port.peer is None:
                continue
            host = fabric.hosts[port.peer.device]
            rail, _, plane = port.peer.port.partition("/")
            names = fabric.intent.host_ports.get((host.unit, host.index), {})
            ours, theirs = end_addresses(fabric, device, port)
            found.append(
                {
                    "host": host.name,
                    "unit": host.unit,
                    "rail": rail.removeprefix("r"),
                    "plane": plane,
                    "nic_port": host_port(port.peer, tuple(fabric.intent.model.planes)),
                    "interface": names.get(port.peer.port, ""),
                    "leaf": name,
                    "leaf_port": key,
                    "address": " ".join(theirs),
                    "leaf_address": " ".join(ours),
                    "group": str(device.group),
                }
            )
    place = {name: number for number, name in enumerate(fabric.hosts)}
    return tuple(sorted(found, key=lambda row: (place[row["host"]], int(row["rail"]), row["nic_port"])))


def rails_csv(rows: Sequence[Mapping[str, str]]) -> str:
    """The rows as CSV; `interface` is the name that hosts.csv has for the port."""
    text = io.StringIO()
    columns = ("host", "unit", "rail", "plane", "nic_port", "interface", "leaf", "leaf_port", "address", "leaf_address")
    writer = csv.DictWriter(text, (*columns, "group"), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def nccl(fabric: Fabric) -> str:
    """`nccl.conf`: what follows from how rails are wired, and the order of the NICs.

    The names of RDMA devices (mlx5_0) are the host's affair and in no intent: the line for NCCL_IB_HCA tells the order.
    """
    model = fabric.intent.model
    apart = model.spine.per == "rail"
    rails_ = ", ".join(f"r{rail}" for rail in range(1, model.rails + 1))
    lines = [
        f"# {fabric.name}: {model.rails} rails ({rails_}), planes {', '.join(model.planes)}",
        "# NCCL_IB_HCA: name the RDMA devices of a host in the order of their rails, the same on every host, as",
        f"# NCCL_IB_HCA==<device of r1>:1,…,<device of r{model.rails}>:1",
        "# `netaudit export … rails` has the leaf, port and address of each.",
    ]
    if apart:
        lines += [
            "# rails have no way to each other through the network: a ring stays on one NIC,",
            "NCCL_CROSS_NIC=0",
            "# and what is for another rail crosses NVLink in the sending server first (PXN).",
            "NCCL_PXN_DISABLE=0",
            "NCCL_P2P_PXN_LEVEL=2",
        ]
    else:
        lines += ["# rails meet at the spines: crossing them works and costs a way up and down.", "NCCL_CROSS_NIC=0"]
    return "\n".join(lines) + "\n"


def _units(fabric: Fabric) -> Mapping[str, list[FabricHost]]:
    found: dict[str, list[FabricHost]] = {}
    for host in fabric.hosts.values():
        if fabric.intent.model.units[host.unit].status != RETIRED:
            found.setdefault(host.unit, []).append(host)
    return found


def _labels(fabric: Fabric) -> Iterator[tuple[str, Mapping[str, str]]]:
    model = fabric.intent.model
    for unit, hosts in _units(fabric).items():
        pod = model.units[unit].pod
        above = {f"{LABEL}/spine": f"pod{pod}", f"{LABEL}/core": fabric.name} if model.spine.per == "pod" else {}
        found = {f"{LABEL}/leaf": unit, **(above or {f"{LABEL}/spine": fabric.name})}
        yield from ((host.name, found) for host in hosts)
