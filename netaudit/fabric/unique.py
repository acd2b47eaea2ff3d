"""Whether two devices share what must be each one's own: names, loopbacks, AS numbers, prefixes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_interface
from itertools import pairwise

from netaudit.fabric.model import FabricDevice, FabricHost
from netaudit.fabric.problems import Problems
from netaudit.intent.quantity import ASN_RESERVED


def names(devices: Iterable[FabricDevice], hosts: Mapping[str, FabricHost], problems: Problems) -> None:
    """No name is that of two switches, or of a switch and a host."""
    found: dict[str, FabricDevice] = {}
    for device in devices:
        if device.name in found:
            _same_name(found[device.name], device, problems)
        found[device.name] = device
    for name in sorted(hosts.keys() & found.keys()):
        row = found[name].row
        source = row.cell("name") if row and row.name else None
        problems.add("hosts.names", f"`{name}` is the name of a host and of a switch", "names must differ", source)


def _same_name(one: FabricDevice, other: FabricDevice, problems: Problems) -> None:
    row = next((d.row for d in (other, one) if d.row is not None and d.row.name), None)
    message = f"`{one.name}` is the name of both {one.place} and {other.place}"
    problems.add("names", message, "names must differ", row.cell("name") if row else None)


def numbers(devices: Iterable[FabricDevice], problems: Problems) -> None:
    """No loopback twice; no ASN reserved, none twice but what spines, or superspines, of a plane share (RFC 7938)."""
    loopbacks: dict[str, FabricDevice] = {}
    asns: dict[int, FabricDevice] = {}
    for device in devices:
        for loopback in device.loopbacks:
            other = loopbacks.setdefault(loopback, device)
            if other is not device:
                message = f"{loopback} is the loopback of {other.name} and {device.name}"
                _pinned_twice(problems, "loopback", "addressing.loopbacks", message, (device, other))
        if device.asn in ASN_RESERVED and device.asn not in asns:
            message = f"{device.name} would have ASN {device.asn}, which nobody may have: {ASN_RESERVED[device.asn]}"
            problems.add("bgp.asn_base", message, "another asn_base, or an `asn` of its own in devices.csv")
        other = asns.setdefault(device.asn, device)
        shared = _share(other, device)
        if other is not device and not shared:
            message = f"ASN {device.asn} is that of {other.name} and {device.name}"
            _pinned_twice(problems, "asn", "bgp.asn_base", message, (device, other))


def _share(one: FabricDevice, other: FabricDevice) -> bool:
    """May two switches have one ASN? Superspines of a plane, and its spines but for those of different pods."""
    if one.place.role != other.place.role or one.place.plane != other.place.plane:
        return False
    return one.place.role == "superspine" or (one.place.role == "spine" and one.group == other.group)


def prefixes(devices: Iterable[FabricDevice], problems: Problems) -> None:
    """No block overlaps another, none holds a loopback: the pools cannot, pins of devices.csv can."""
    taken = sorted(
        (
            (ip_interface(text).network, device, column)
            for device in devices
            for column, texts in (("block", device.blocks), ("loopback", device.loopbacks))
            for text in texts
        ),
        key=lambda item: (item[0].version, int(item[0].network_address), item[0].prefixlen, item[1].name),
    )
    for (one, device, column), (two, other, what) in pairwise(taken):
        if "block" in (column, what) and one.version == two.version and one.overlaps(two):
            message = f"the {what} {two} of {other.name} lies in the {column} {one} of {device.name}"
            hint = "a pinned prefix keeps clear of all others"
            pins = ((d.row, c) for d, c in ((other, what), (device, column)))
            cell = next((row.cell(c) for row, c in pins if row is not None and getattr(row, c)), None)
            problems.add("addressing.hosts", message, hint, cell)


def _pinned_twice(
    problems: Problems, column: str, path: str, message: str, devices: tuple[FabricDevice, FabricDevice]
) -> None:
    """What two devices share is told at the cell of devices.csv that pins it."""
    row = next((d.row for d in devices if d.row is not None and getattr(d.row, column)), None)
    hint = f"another {column} in this line, or none: the pattern gives each device its own" if row else ""
    problems.add(path, message, hint, row.cell(column) if row else None)
