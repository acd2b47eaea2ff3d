"""Which device, and which port of it, a `DEVICE[:PORT]` on the command line means."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches

from netaudit.diag import Diagnostic, Invalid
from netaudit.expect import Expected
from netaudit.fabric import FabricPort
from netaudit.intent.where import parse
from netaudit.terminal import fold

FEW, SOME = 4, 8
"""Ports, and groups of devices, that an error lists before it stops. Judgement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A switch of the fabric, or one port of it."""

    device: str
    port: str | None = None

    def __str__(self) -> str:
        return f"{self.device}:{self.port}" if self.port else self.device


def target(expected: Expected, text: str) -> Target:
    """What `text` means. Raises `Invalid`: no such device (did you mean), no such port (which there are), a port name
    of the device's own (what it is here)."""
    name, _, port = text.strip().partition(":")
    if name not in expected.built.devices:
        raise Invalid([_no_device(expected, name)])
    if not port:
        return Target(device=name)
    where = parse(f"{name}:{port}", translate=lambda device, own: cage_of(expected, device, own))
    laid = expected.built.ports(name)
    key = where.port or ""
    if key not in laid:
        raise Invalid([_no_port(name, key, laid.values())])
    return Target(device=name, port=key)


def whole_device(expected: Expected, text: str) -> str:
    """The name of a device where a port means nothing. Raises `Invalid` as `target` does, and for a port."""
    found = target(expected, text)
    if found.port is not None:
        message = f"`{text}` is a port, and this is known of devices only"
        raise Invalid([Diagnostic(message=message, hint=f"write {found.device}")])
    return found.device


def cage_of(expected: Expected, device: str, own: str) -> str | None:
    """`cage[/sub]` of a port by the name that the device, or its LLDP, has for it."""
    return expected.built.port_of(device, own)


def _no_device(expected: Expected, name: str) -> Diagnostic:
    if name in expected.built.hosts:
        ends = [str(link.b) for link in expected.links if link.a.device == name]
        hint = f"its switch ports: {', '.join(ends[:FEW])}" + (", …" if len(ends) > FEW else "")
        return Diagnostic(message=f"`{name}` is a host; what it should be is not known here", hint=hint)
    if not name or "=" in name:
        hint = f"for example {next(iter(expected.built.devices))}"
        return Diagnostic(message="one device is meant here, by its name", hint=hint)
    near = get_close_matches(name, [*expected.built.devices, *expected.built.hosts], 1)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(_some(expected))}"
    return Diagnostic(message=f"there is no device `{name}` in {expected.fabric}", hint=hint)


def _some(expected: Expected) -> tuple[str, ...]:
    names = fold(expected.built.devices)
    return names if len(names) <= SOME else (*names[:SOME], "…")


def _no_port(device: str, key: str, laid: Collection[FabricPort]) -> Diagnostic:
    cage = int(key.partition("/")[0])
    parts = [port.key for port in laid if port.cage == cage]
    if not parts:
        hint = f"its cages are 1 to {max(port.cage for port in laid)}"
    elif len(parts) == 1:
        hint = f"cage {cage} is one port: {device}:{parts[0]}"
    else:
        hint = f"cage {cage} is split into {' and '.join((', '.join(parts[:-1]), parts[-1]))}: {device}:{parts[0]}"
    return Diagnostic(message=f"there is no port {key} on {device}", hint=hint)
