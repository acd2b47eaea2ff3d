"""Which cage a vendor's port name stands for on the switches of an intent."""

from __future__ import annotations

import re

from netaudit import hardware
from netaudit.intent.partial import Partial
from netaudit.intent.schema import IntentModel
from netaudit.intent.where import Translate

_NEEDS = frozenset(
    {"planes", "units", "names.leaf", "names.spine", "leaf.model", "leaf.platform", "hosts.speed", "spine.model"}
    | {"spine.platform", "spine.speed", "blocks"}
)
"""Sections that tell which model a device has; while one of them cannot be read, nothing is translated."""
_SONIC_NAME = re.compile(r"Ethernet(\d{1,6})", re.ASCII)


def translator(read: Partial) -> Translate:
    """(device, port name) → `cage[/sub]`, by the model that a device of that name has; `None` where none is known."""

    model = read.model

    def translate(device: str, port: str) -> str | None:
        if not read.has(_NEEDS):
            return None
        role = role_of(device, model)
        section = model.leaf if role == "leaf" else model.spine if role == "spine" else model.blocks.get(role or "")
        found = _SONIC_NAME.fullmatch(port)
        if section is None or section.platform != "sonic" or not found or section.model not in hardware.switch_names():
            return None
        switch = hardware.switch(section.model)
        lanes = len(switch.fabric_cages[0].lanes)
        cage, offset = divmod(int(found[1]), lanes)
        if cage >= len(switch.fabric_cages):
            return None
        speed = switch.fabric_cages[cage].max_speed_mbps
        mine = model.hosts if role == "leaf" else model.blocks.get(role or "", model.spine)
        parts = max(1, speed // mine.speed)
        hosts = max(unit.hosts for unit in model.units.values())
        if role == "leaf" and cage >= -(-hosts // parts):  # behind the host ports: uplinks
            parts = max(1, speed // model.spine.speed)
        sub, rest = divmod(offset * parts, lanes)
        if rest:
            return None
        return f"{cage + 1}/{sub + 1}" if parts > 1 else str(cage + 1)

    return translate


def role_of(device: str, model: IntentModel) -> str | None:
    """`leaf`, `spine` or the name of a block, by the patterns of names."""
    parts = {
        "plane": "|".join(re.escape(name) for name in model.planes),
        "unit": "|".join(re.escape(name) for name in model.units),
        "rail": r"\d+",
        "n": r"\d+",
        "block": r"[A-Za-z0-9-]+",
    }
    blocks = ((name, model.names.block.replace("{block}", name)) for name in model.blocks)
    for role, pattern in (("leaf", model.names.leaf), ("spine", model.names.spine), *blocks):
        pieces = re.split(r"\{([a-z]+)\}", pattern)
        text = "".join(f"(?:{parts[piece]})" if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))
        if re.fullmatch(text, device):
            return role
    return None
