"""How long cables really are: which source counts, what the intent would say then, and what it does to headroom."""

from netaudit.lengths.decide import Change, Decision, Doubt, decide
from netaudit.lengths.effect import Effect, effects
from netaudit.lengths.rewrite import Edit, Uneditable, edits, patch
from netaudit.lengths.seen import Seen, seen_of

__all__ = [
    "Change",
    "Decision",
    "Doubt",
    "Edit",
    "Effect",
    "Seen",
    "Uneditable",
    "decide",
    "edits",
    "effects",
    "patch",
    "seen_of",
]
