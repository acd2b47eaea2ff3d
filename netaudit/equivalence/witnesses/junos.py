"""Junos by junoscfg, whose grammar is made from the schema that a switch of 24.4 gives of itself."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from netaudit.platforms import Files, junos
from netaudit.state import Device, Store
from netaudit.state.walk import differences, dotted

LIBRARY = "junoscfg"


def witness(files: Files, device: Device) -> tuple[str, tuple[str, ...]] | None:
    """What it objects to in the set lines, and what is another leaf in the blocks that it makes of them.

    `None` where it is not installed.
    """
    if find_spec("junoscfg") is None:
        return None
    library = import_module("junoscfg")
    text = files[junos.FILES[0]]
    try:
        blocks = library.convert_config(
            text, from_format=library.Format.SET, to_format=library.Format.STRUCTURED, strict=True
        )
    except (ValueError, library.FieldValidationError) as error:
        return LIBRARY, tuple(str(error).splitlines()[:20])
    read = junos.read_config({junos.FILES[0]: str(blocks)}, device.name)
    held = junos.held(Store.RUNNING, device)
    return LIBRARY, tuple(f"{dotted(d.path)} is another one in blocks" for d in differences(device, read, held))
