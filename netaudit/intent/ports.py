"""Which cage a vendor's port name stands for on the switches of an intent."""

from __future__ import annotations

import re
from collections.abc import Mapping

from netaudit import hardware, platforms
from netaudit.hardware import Cage, SwitchModel, packed_mode
from netaudit.intent.partial import Partial
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.layout import Block, Leaf, Spine, Superspine
from netaudit.intent.where import Translate
from netaudit.platforms import Platform

_NEEDS = frozenset(
    {"planes", "units", "names.leaf", "names.spine", "leaf.model", "leaf.platform", "hosts.speed", "spine.model"}
    | {"spine.platform", "spine.speed", "leaf.rails", "names.superspine", "superspine", "blocks"}
)
"""Sections that tell which model a device has; while one of them cannot be read, nothing is translated."""


def translator(read: Partial) -> Translate:
    """(device, port name) → `cage[/sub]`, by the model that a device of that name has; `None` where none is known."""

    model = read.model
    named: dict[tuple[str, str, str], Mapping[str, str]] = {}

    def translate(device: str, port: str) -> str | None:
        if not read.has(_NEEDS):
            return None
        role = role_of(device, model)
        section = _section(model, role or "")
        if section is None or role is None:
            return None
        nos = section.platform or model.spine.platform
        try:
            switch = hardware.switch(section.model)
            platform = platforms.platform(nos)
        except KeyError:
            return None
        key = (section.model, nos, role)
        if key not in named:
            named[key] = _names(switch, platform, role, section, model)
        return named[key].get(platform.full_name(port))

    return translate


def _names(
    switch: SwitchModel, platform: Platform, role: str, section: Leaf | Spine | Superspine | Block, model: IntentModel
) -> Mapping[str, str]:
    """The NOS's name of each port of a role → `cage[/sub]`, cages being split as the role's speeds want it."""
    found: dict[str, str] = {}
    hosts = max(unit.hosts for unit in model.units.values()) * model.leaf.rails
    for at, cage in enumerate(switch.fabric_cages):
        parts = _parts(cage, model.hosts.speed if isinstance(section, Leaf) else section.speed)
        if role == "leaf" and at >= -(-hosts // parts):  # behind the host ports: uplinks
            parts = _parts(cage, model.spine.speed)
        for sub in range(1, parts + 1):
            key = f"{cage.number}/{sub}" if parts > 1 else str(cage.number)
            lanes = len(cage.lanes) // parts
            found[platform.port_name(key, lanes, len(cage.lanes), switch.index_of(cage))] = key
    return found


def _section(model: IntentModel, role: str) -> Leaf | Spine | Superspine | Block | None:
    """What the intent says of a role."""
    known = {"leaf": model.leaf, "spine": model.spine, "superspine": model.superspine}
    return known[role] if role in known else model.blocks.get(role)


def _parts(cage: Cage, speed_mbps: int) -> int:
    """Ports that a cage is divided into at a speed."""
    mode = packed_mode(cage, speed_mbps)
    return int(mode.partition("x")[0]) if mode else 1


def role_of(device: str, model: IntentModel) -> str | None:
    """`leaf`, `spine`, `superspine` or the name of a block, by the patterns of names."""
    parts = {
        "plane": "|".join(re.escape(name) for name in model.planes),
        "unit": "|".join(re.escape(name) for name in model.units),
        "rail": r"\d+",
        "n": r"\d+",
        "block": r"[A-Za-z0-9-]+",
    }
    blocks = ((name, model.names.block.replace("{block}", name)) for name in model.blocks)
    names = model.names
    for role, pattern in (("leaf", names.leaf), ("spine", names.spine), ("superspine", names.superspine), *blocks):
        pieces = re.split(r"\{([a-z]+)\}", pattern)
        text = "".join(f"(?:{parts[piece]})" if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))
        if re.fullmatch(text, device):
            return role
    return None
