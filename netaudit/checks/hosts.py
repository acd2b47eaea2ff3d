"""Whether the NICs of the hosts have the ports and carry the rate that the fabric asks of them (rule 10)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit import hardware
from netaudit.checks.design import Design
from netaudit.checks.say import counted, rate
from netaudit.diag import Diagnostic
from netaudit.fabric import HOST_LEAF
from netaudit.hardware import NicModel


def nic(design: Design) -> Iterator[Diagnostic]:
    """A NIC with too few ports, without that speed, or with less than all planes together (CX-7: no 2 × 400G)."""
    card = hardware.nic(design.model.hosts.nic)
    asked = design.model.hosts.speed
    overridden = {kind.speed_mbps for kind in design.classes if kind.kind == HOST_LEAF and kind.possible} - {asked}
    for speed in sorted(overridden - set(card.port_speeds_mbps)):
        number = next(n for n, o in enumerate(design.model.overrides) if o.settings.speed == speed)
        message = f"no port of {card.title} runs at {rate(speed)}, which this sets a host port to"
        yield design.error("NIC-01", f"overrides.{number}.set.speed", message, _speeds(card))
    for rule, path, message, hint in refused(card, len(design.model.planes), asked):
        yield design.error(rule, path, message, hint)


def refused(card: NicModel, planes: int, speed_mbps: int) -> Iterator[tuple[str, str, str, str]]:
    """(rule, intent path, message, hint) of all that a NIC cannot do with one port of that speed in each plane."""
    if speed_mbps not in card.port_speeds_mbps:
        yield "NIC-01", "hosts.speed", f"no port of {card.title} runs at {rate(speed_mbps)}", _speeds(card)
        return
    if planes > card.max_ports:
        message = f"{counted(planes, 'plane')} ask as many ports of each NIC; {card.title} has {card.max_ports}"
        yield "NIC-02", "planes", message, f"at most {counted(card.max_ports, 'plane')}, or a NIC with more ports"
        return
    total = planes * speed_mbps
    asked = f"{planes} × {rate(speed_mbps)}" if planes > 1 else rate(speed_mbps)
    if total > card.total_mbps:
        message = f"{card.title} cannot carry {asked}: all its ports together carry {rate(card.total_mbps)}"
        yield "NIC-03", "hosts.speed", message, _instead(card, planes, speed_mbps)
    elif total > card.pcie_mbps:
        link = f"PCIe Gen{card.pcie_generation} x{card.pcie_lanes}"
        message = f"{asked} do not pass {link} of {card.title}: it carries {card.pcie_mbps // 1000} Gb/s"
        yield "NIC-04", "hosts.speed", message, _instead(card, planes, speed_mbps)


def _carries(card: NicModel, planes: int, speed_mbps: int) -> bool:
    able = speed_mbps in card.port_speeds_mbps and planes <= card.max_ports
    return able and planes * speed_mbps <= min(card.total_mbps, card.pcie_mbps)


def _speeds(card: NicModel) -> str:
    return f"{card.title} has {', '.join(rate(speed) for speed in card.port_speeds_mbps)}"


def _instead(card: NicModel, planes: int, speed_mbps: int) -> str:
    """A NIC that would do, and the speed at which this one would."""
    others = [name for name in hardware.nic_names() if _carries(hardware.nic(name), planes, speed_mbps)]
    most = min(card.total_mbps, card.pcie_mbps) // planes
    slower = [rate(speed) for speed in card.port_speeds_mbps if speed <= most]
    ways = [f"nic: {name}" for name in others[:1]] + [f"speed: {speed}" for speed in slower[:1]]
    return " or ".join(f"hosts: {{{way}}}" for way in ways) or "fewer planes"
