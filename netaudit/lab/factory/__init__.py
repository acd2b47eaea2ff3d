"""What a box of each NOS ships with: each module of this folder is a NOS, and nothing lists them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from netaudit.diag import Diagnostic, Invalid
from netaudit.hardware import SwitchModel


class Factory(Protocol):
    """What each module of this folder offers at its top; its name is the platform."""

    def factory_files(
        self, model: SwitchModel, hwsku: str, *, hostname: str, serial: str, mac: str
    ) -> Mapping[str, str]:
        """Path → text of what the box ships with, `eeprom.json` among them. Raises `Invalid` for a wrong HWSKU."""


def names() -> tuple[str, ...]:
    """The platforms that there are boxes of."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def factory_files(
    platform: str, model: SwitchModel, hwsku: str, *, hostname: str, serial: str, mac: str
) -> Mapping[str, str]:
    """Path → text of what a box with a NOS ships with. Raises `Invalid` where there is no such box."""
    if platform not in names():
        raise Invalid(
            [Diagnostic(message=f"the lab has no boxes with {platform}", hint=f"it has {', '.join(names())}")]
        )
    factory = cast(Factory, import_module(f"{__name__}.{platform}"))
    return factory.factory_files(model, hwsku, hostname=hostname, serial=serial, mac=mac)
