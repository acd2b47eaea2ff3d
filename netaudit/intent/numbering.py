"""Whether links between switches have addresses: because the intent says so, or because a NOS cannot do without."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from netaudit import platforms
from netaudit.intent.schema import IntentModel


@cache
def forced(platform: str, version: str) -> str:
    """Why links need addresses with this NOS at one end, its name first; empty if they do not (DESIGN.md, rule 9)."""
    reason = platforms.platform(platform).unnumbered(version)
    return f"{platform}: {reason}" if reason else ""


def reason(model: IntentModel, versions: Iterable[str] = ()) -> str:
    """Why some links of the pattern are numbered; empty where none is. `versions`: those of single devices."""
    if model.addressing.fabric == "numbered":
        return "addressing.fabric is numbered"
    sections = (model.leaf, model.spine, *((model.superspine,) if model.superspine else ()), *model.blocks.values())
    used = dict.fromkeys(section.platform or model.spine.platform for section in sections)
    said = ((name, version) for name in used for version in dict.fromkeys((model.versions.get(name, ""), *versions)))
    return next(filter(None, (forced(*one) for one in said)), "")
