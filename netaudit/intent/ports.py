"""Which cage a vendor's port name stands for on the switches of an intent."""

from __future__ import annotations

import re
from collections.abc import Mapping

from netaudit import hardware
from netaudit.hardware import Cage, SwitchModel, packed_mode
from netaudit.intent.partial import Partial
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.layout import Block, Leaf, Spine, Superspine
from netaudit.intent.where import Translate

_NEEDS = frozenset(
    {"planes", "units", "names.leaf", "names.spine", "leaf.model", "leaf.platform", "hosts.speed", "spine.model"}
    | {"spine.platform", "spine.speed", "leaf.rails", "names.superspine", "superspine", "blocks"}
)
"""Sections that tell which model a device has; while one of them cannot be read, nothing is translated."""
_SONIC_NAME = re.compile(r"Ethernet(\d{1,6})", re.ASCII)


def translator(read: Partial) -> Translate:
    """(device, port name) → `cage[/sub]`, by the model that a device of that name has; `None` where none is known."""

    model = read.model
    numbered: dict[str, Mapping[int, tuple[int, int, Cage]]] = {}

    def translate(device: str, port: str) -> str | None:
        if not read.has(_NEEDS):
            return None
        role = role_of(device, model)
        section = _section(model, role or "")
        found = _SONIC_NAME.fullmatch(port)
        if section is None or (section.platform or model.spine.platform) != "sonic" or not found:
            return None
        try:
            switch = hardware.switch(section.model)
        except KeyError:
            return None
        lanes = numbered.get(section.model) or numbered.setdefault(section.model, _lanes(switch))
        if int(found[1]) not in lanes:
            return None
        at, offset, cage = lanes[int(found[1])]
        mine = model.hosts if isinstance(section, Leaf) else section
        parts = _parts(cage, mine.speed)
        hosts = max(unit.hosts for unit in model.units.values()) * model.leaf.rails
        if role == "leaf" and at >= -(-hosts // parts):  # behind the host ports: uplinks
            parts = _parts(cage, model.spine.speed)
        sub, rest = divmod(offset * parts, len(cage.lanes))
        if rest:
            return None
        return f"{cage.number}/{sub + 1}" if parts > 1 else str(cage.number)

    return translate


def _section(model: IntentModel, role: str) -> Leaf | Spine | Superspine | Block | None:
    """What the intent says of a role."""
    known = {"leaf": model.leaf, "spine": model.spine, "superspine": model.superspine}
    return known[role] if role in known else model.blocks.get(role)


def _lanes(switch: SwitchModel) -> Mapping[int, tuple[int, int, Cage]]:
    """Number of a lane for the NOS → (which of the fabric's cages it is in, which lane of that, the cage)."""
    firsts = [(at, switch.index_of(cage), cage) for at, cage in enumerate(switch.fabric_cages)]
    return {first + lane: (at, lane, cage) for at, first, cage in firsts for lane in range(len(cage.lanes))}


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
