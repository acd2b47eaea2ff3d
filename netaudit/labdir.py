"""What the folder of a lab holds for a fabric: files its boxes ship with, cables, neighbors. No configuration."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from netaudit import hardware
from netaudit.diag import Unusable
from netaudit.fabric import HOST_LEAF, Fabric, FabricDevice, host_port
from netaudit.lab.factory import factory_files
from netaudit.labdir_peers import peers_text, system_name
from netaudit.whole import write_whole


def lab_files(fabric: Fabric) -> Iterator[tuple[str, str]]:
    """(path below the lab's folder, text) of every file. Nothing here comes from the expected state."""
    names = {"fabric": fabric.name, "devices": {name: {"platform": d.platform} for name, d in fabric.devices.items()}}
    yield "lab.json", json.dumps(names, indent=1) + "\n"
    yield "cables.csv", _cables(fabric)
    yield "peers.csv", peers_text(fabric)
    for number, device in enumerate(fabric.devices.values(), start=1):
        for path, text in _box(device, number).items():
            yield f"devices/{device.name}/{path}", text


def _box(device: FabricDevice, number: int) -> Mapping[str, str]:
    """A box as it came, named as it was racked; where devices.csv gives no serial or MAC, a lab one."""
    row = device.row
    mac = row.mac if row is not None and row.mac else f"02:00:00:00:{number >> 8:02x}:{number & 255:02x}"
    serial = row.serial if row is not None and row.serial else f"LAB{number:05d}"
    return factory_files(device.platform, device.model, device.hwsku, hostname=device.name, serial=serial, mac=mac)


def _cables(fabric: Fabric) -> str:
    """The cable plan: two ends a line, what a host says of its port by LLDP, and what plugs know of a length."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("a", "b", "a_lldp_port", "assembly_m"))
    for link in fabric.links():
        told = _told(link.length_m, link.medium)
        if fabric.is_external(link.b.device):  # it is to the lab what a host is: somebody who sends LLDP
            writer.writerow((f"{system_name(fabric, link.b.device)}:{link.b.port}", str(link.a), link.b.port, told))
            continue
        said = host_port(link.a, fabric.intent.model.planes) if link.kind == HOST_LEAF else ""
        writer.writerow((str(link.a), str(link.b), said, told))
    return text.getvalue()


def _told(length_m: float, medium: str) -> str:
    """What the plugs of a cable with fixed ends tell, in tenths of metres as CMIS does; empty for all others."""
    return f"{max(length_m, 0.1):.1f}" if hardware.medium(medium).by_lane else ""


def write_lab(fabric: Fabric, folder: Path) -> None:
    """Write the folder. A folder that holds something else is refused, not overwritten. Raises `Unusable`."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "lab.json").is_file():
        raise Unusable(f"{folder} holds other files", "name an empty folder: netaudit lab up --dir FOLDER")
    for path, text in lab_files(fabric):
        write_whole(folder / path, text.encode())
