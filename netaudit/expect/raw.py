"""The text of the site's own that each device gets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from netaudit.fabric import Fabric, FabricDevice
from netaudit.intent.schema.raw import Raw
from netaudit.intent.where import Where, parse
from netaudit.state import BlindSpot


def raw_text(fabric: Fabric, device: FabricDevice) -> str:
    """The snippets of one device, in the order of the list."""
    return "\n".join(text for entry, text in _snippets(fabric) if meets(entry, device))


def meets(entry: Raw, device: FabricDevice) -> bool:
    """Is the device one of those that a snippet is for?"""
    return _where(entry.where).covers(device.name, device.place, device.platform)


def raw_spots(fabric: Fabric, device: FabricDevice) -> Iterator[BlindSpot]:
    """What every report says of a device's snippets: that lines are there is audited, what they do is not."""
    for entry, _ in _snippets(fabric):
        if meets(entry, device):
            yield BlindSpot(
                what=f"raw {entry.file}",
                where=entry.where,
                reason=f"its lines are audited for presence, not for what they do; {entry.owner}, {entry.reason}",
            )


def _snippets(fabric: Fabric) -> Iterator[tuple[Raw, str]]:
    return zip(fabric.intent.model.raw, fabric.intent.raw, strict=True)


@cache
def _where(text: str) -> Where:
    return parse(text)
