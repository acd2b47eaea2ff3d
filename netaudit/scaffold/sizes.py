"""How many spines and links a first fabric needs, so that no leaf has more traffic down than up, and all ports fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from netaudit.diag import Diagnostic, Invalid

CAGES: Final = 64
"""800G cages of the SN5600 (NVIDIA SN5000 datasheet), the model that is written down."""
CAGE_MBPS: Final = 800_000
NIC_MBPS: Final = {1: 400_000, 2: 400_000}
"""Planes → speed of a NIC port in each: a ConnectX-8 has two of 400 Gbit/s; one plane is begun with one of them."""
MOST_LINKS: Final = 4
"""Links of a leaf to one spine, at most: more save spines and make each of them a larger loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The numbers of an intent that follow from those that were asked for."""

    nic_mbps: int
    unit_capacity: int
    host_capacity: int
    spines: int
    """Of each plane."""
    links: int
    """Between a leaf and a spine."""


def sizes(*, planes: int, rails: int, units: int, hosts: int) -> Sizes:
    """The sizes of a fabric with so many hosts in each unit. Raises `Invalid` with all that is wrong."""
    wrong = [
        Diagnostic(message=f"{name} is at least 1, not {value}")
        for name, value in (("rails", rails), ("units", units), ("hosts", hosts))
        if value < 1
    ]
    if planes not in NIC_MBPS:
        hint = "a NIC has one port in each; more take another NIC, and an intent written by hand"
        wrong.append(Diagnostic(message=f"planes is {' or '.join(map(str, NIC_MBPS))}, not {planes}", hint=hint))
    if wrong:
        raise Invalid(wrong)
    nic = NIC_MBPS[planes]
    most_hosts = CAGES * CAGE_MBPS // nic // 2
    if hosts > most_hosts:
        hint = f"half of the {CAGES} cages go to hosts: more units of at most {most_hosts} hosts"
        wrong.append(Diagnostic(message=f"{hosts} hosts a unit do not fit on a leaf", hint=hint))
    if units * rails > CAGES:
        hint = f"a spine has {CAGES} cages: fewer units or rails, or an intent of three tiers"
        wrong.append(Diagnostic(message=f"{units} units of {rails} leaves do not fit on a spine", hint=hint))
    if wrong:
        raise Invalid(wrong)
    host_capacity = min(most_hosts, _power_of_two(hosts))
    unit_capacity = min(2 * units, CAGES // rails)
    uplinks = max(2, -(-host_capacity * nic // CAGE_MBPS))
    links = MOST_LINKS
    while links > 1 and (unit_capacity * rails * links > CAGES or uplinks < 2 * links):
        links //= 2
    return Sizes(
        nic_mbps=nic,
        unit_capacity=unit_capacity,
        host_capacity=host_capacity,
        spines=-(-uplinks // links),
        links=links,
    )


def _power_of_two(value: int) -> int:
    """The least power of two that is not below: address blocks come in these sizes."""
    return 1 << (value - 1).bit_length()
