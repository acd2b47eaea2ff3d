"""Whether a switch that computes headroom made more of it than expected, or less: which says how bad it is."""

from __future__ import annotations

from collections.abc import Sequence

from netaudit.audit.compare import Merged
from netaudit.state import Store
from netaudit.state.walk import matches

_BYTES = ("size_bytes", "xon_bytes", "xoff_bytes")

TITLES = {
    "less": "The switch computed less headroom than planned for {object}",
    "more": "The switch computed more headroom than planned for {object}",
}
WHYS = {
    "less": "It is told to compute as intended; less xoff than needed drops lossless packets.",
    "more": "It is told to compute as intended; nothing is dropped for want of headroom, and bursts have less buffer.",
}
INSTRUCTION = "compare its release with the formula in `netaudit show headroom`: the switch goes by another one"


def computed(members: Sequence[Merged]) -> str:
    """`less` or `more` for the bytes of one profile that no configuration holds; empty for anything else.

    Less of anything is less: what one term has too much does not make up for another.
    """
    pairs = [(m.expected, m.observed.get(Store.APPLIED)) for m in members if _is_computed(m)]
    sizes = [(wanted, found) for wanted, found in pairs if isinstance(wanted, int) and isinstance(found, int)]
    if not sizes or len(sizes) != len(members):
        return ""
    return "less" if any(found < wanted for wanted, found in sizes) else "more"


def _is_computed(merged: Merged) -> bool:
    """Is it a number of a profile that APPL_DB alone has?"""
    path = merged.path
    in_one = set(merged.observed) == {Store.APPLIED} and Store.RUNNING not in merged.right
    return in_one and matches("buffers.profiles.*", path) and path[-1] in _BYTES
