"""Faults of answers: a switch does its work, and what it tells is cut off, too large, late, or another's."""

from __future__ import annotations

from collections.abc import Sequence

from netaudit.lab.sim.fabric import Answering, Fabric
from netaudit.lab.sim.faults.tools import any_port_of, closest, device_of, number_of, switch_of, wrong

_MIB = 1024 * 1024


def _answering(fabric: Fabric, device: str) -> Answering:
    """How a switch answers, to be changed."""
    return fabric.faults.answering.setdefault(device_of(fabric, device).name, Answering())


def unreachable(fabric: Fabric, arguments: Sequence[str]) -> str:
    """Neither gNMI nor SSH of a switch answers, nor any API it has; it forwards on."""
    device = device_of(fabric, arguments[0])
    fabric.faults.unreachable.add(device.name)
    return f"{device.name} answers neither gNMI nor SSH"


def cut_off(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The value of a table ends in its middle in every gNMI answer."""
    _answering(fabric, switch_of(fabric, arguments[0]).name).cut.add(arguments[1])
    return f"{arguments[0]} cuts its answers for {arguments[1]} off"


def large(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The value of a table is padded to N MiB, above gRPC's default limit of 4 MiB for whoever reads it."""
    size = number_of(arguments[2], 1, 256, "number of MiB")
    _answering(fabric, switch_of(fabric, arguments[0]).name).padded[arguments[1]] = size * _MIB
    return f"{arguments[0]} answers {size} MiB for {arguments[1]}"


def numbers(fabric: Fabric, arguments: Sequence[str]) -> str:
    """Numbers in JSON come otherwise than usual: `ints` in gNMI, where SONiC sends strings; `strings` in vtysh."""
    if arguments[1] not in ("ints", "strings"):
        raise wrong(f"{arguments[1]} is no form of numbers", "ints, strings")
    _answering(fabric, switch_of(fabric, arguments[0]).name).numbers.add(arguments[1])
    return f"{arguments[0]} sends numbers as {arguments[1]}"


def no_sync(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A Subscribe never says that all was sent (sync_response). An audit asks by Get, which has none: no finding."""
    _answering(fabric, arguments[0]).syncs = False
    return f"{arguments[0]} sends no sync_response"


def slow(fabric: Fabric, arguments: Sequence[str]) -> str:
    """Every answer comes N milliseconds late."""
    delay = number_of(arguments[1], 1, 3_600_000, "number of milliseconds")
    _answering(fabric, arguments[0]).delay_s = delay / 1000
    return f"{arguments[0]} answers {delay} ms late"


def hang(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A switch takes connections and requests, and never answers; it forwards on."""
    _answering(fabric, arguments[0]).delay_s = float("inf")
    return f"{arguments[0]} takes requests and never answers"


def lie(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A switch says that a link is down although it is up, or up although it is down."""
    device, native = any_port_of(fabric, arguments[0])
    up = native in fabric.links().far[device.name]
    _answering(fabric, device.name).states[native] = "down" if up else "up"
    return f"{device.name} says that {arguments[0]} is {'down' if up else 'up'}, which it is not"


def impostor(fabric: Fabric, arguments: Sequence[str]) -> str:
    """At the address of a switch another one answers (two have one management address)."""
    one, other = (device_of(fabric, name) for name in arguments)
    if one is other:
        raise wrong(f"{one.name} is itself", closest(one.name, [name for name in fabric.switches if name != one.name]))
    if type(one) is not type(other):
        raise wrong(f"{other.name} is of another kind than {one.name}, and cannot pass for it")
    _answering(fabric, one.name).poses_as = other.name
    return f"{other.name} answers at the address of {one.name}"
