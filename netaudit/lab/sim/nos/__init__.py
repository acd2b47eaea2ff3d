"""The kinds of device that a lab can hold: each module or package of this folder is one, and nothing lists them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from netaudit.lab.sim.device import Device
    from netaudit.lab.sim.doors import Door
    from netaudit.lab.sim.fabric import Fabric


class Kind(Protocol):
    """What each module of this folder offers at its top; its name is the `platform` of lab.json."""

    def boot(self, name: str, folder: Path) -> Device:
        """A device as it comes up from the files of its box. Raises `Invalid` where one is missing or broken."""

    def doors(self, fabric: Fabric, device: Device) -> Mapping[str, Door]:
        """Its servers: `ssh`, `gnmi`, `https`, `netconf`; each becomes `<name>_port` in targets.json."""


def names() -> tuple[str, ...]:
    """The kinds there are."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def kind(name: str) -> Kind:
    """The kind of that name. Raises `KeyError` for another."""
    if name not in names():
        raise KeyError(name)
    return cast(Kind, import_module(f"{__name__}.{name}"))
