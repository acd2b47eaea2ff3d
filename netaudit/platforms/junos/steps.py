"""How a Junos switch is taken from one configuration to another, and back: calls of NAPALM's driver as data.

Lines are merged into the candidate and committed with a confirmation to come: a switch that cuts itself off goes back
by itself. The driver's own rollback is not used: it goes to the commit before, whoever made that one.

All users of a switch share one candidate, and a commit takes all that is in it. So nothing is committed, not even to
confirm, but behind a load of ours: that locks the candidate, which Junos refuses while somebody has changes in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from netaudit.platforms import Files, Impact, Step, Steps
from netaudit.platforms.junos.candidate import FILE, changes

REVERT_S: Final = 600
"""Junos's own default of `commit confirmed`; the driver takes whole minutes only (vendor-gnmi-and-drivers.md C)."""
LOAD_S, COMMIT_S = 120.0, 300.0
WAITING: Final = r"0\s.*commit confirmed, rollback in"
"""How `show system commit` begins while the newest commit is not confirmed: ours would confirm it (field case A22)."""
NOT_FREE: Final = rf"{WAITING}|error: permission denied|unknown command\.|\^"
"""The same, or that we may not look."""

_FLAPS: Final = (
    ("interfaces", "*", "speed"),
    ("interfaces", "*", "number-of-sub-ports"),
    ("interfaces", "*", "disable"),
    ("interfaces", "*", "mtu"),
    ("interfaces", "*", "ether-options"),
    ("class-of-service", "congestion-notification-profile"),
    ("class-of-service", "interfaces", "*", "congestion-notification-profile"),
    ("class-of-service", "forwarding-classes"),
)
"""A changed PFC setting blocks its ports until it is done (junos.md section 3); a changed link goes down and up."""
_DRAINS: Final = (("class-of-service", "shared-buffer"), ("class-of-service", "dedicated-buffer"))
"""Buffers are dealt out anew, to all ports at once; that this is silent no source says, so it is not taken for it."""
_RESETS: Final = (
    ("routing-options", "router-id"),
    ("routing-options", "autonomous-system"),
    ("routing-instances",),
    ("protocols", "bgp"),
)
"""What makes BGP start sessions anew; what is taken from a logical interface does so, too."""
_UNIT: Final = ("interfaces", "*", "unit")


def steps(running: Files, candidate: Files, run: str) -> Steps:
    """The way there and back. Empty `apply` if both mean the same."""
    there = changes(running, candidate)
    if not there:
        return Steps()
    back = changes(candidate, running)
    # from any state between both: what would be deleted is set first, so that it is there to be deleted
    from_anywhere = (*(line for line in there if line.startswith("set ")), *back)
    return Steps(
        prepare=(
            Step(name="look for a commit that waits", command="show system commit | no-more", refusal=NOT_FREE),
            _load("load", there),
        ),
        apply=(_commit("commit", REVERT_S),),
        save=(_load("lock", _unchanged(candidate)), _commit("confirm")),
        undo=(_load("load the old", from_anywhere), _commit("commit the old")),
        impact=impact(there),
    )


def _load(name: str, lines: Iterable[str]) -> Step:
    content = "".join(f"{line}\n" for line in lines)
    return Step(name=name, driver="load_merge_candidate", content=content, timeout_s=LOAD_S, needed=True)


def _commit(name: str, revert_s: int = 0) -> Step:
    return Step(name=name, driver="commit_config", revert_s=revert_s, timeout_s=COMMIT_S)


def _unchanged(candidate: Files) -> tuple[str, ...]:
    """A line that changes nothing, as the switch has it already: one of those that a fabric is of, if there is one."""
    lines = [line for line in candidate[FILE].splitlines() if line.startswith("set ")]
    ours = (line for line in lines if line.startswith(("set interfaces ", "set routing-options ", "set protocols ")))
    return tuple(ours)[:1] or tuple(lines[-1:])


def impact(lines: Iterable[str]) -> Impact:
    """What changed lines do to traffic, the worst of them."""
    found = Impact.NONE
    for line in lines:
        verb, *rest = line.split()
        words = tuple(rest)
        if any(_begins(words, pattern) for pattern in _DRAINS):
            return Impact.DRAIN
        if any(_begins(words, pattern) for pattern in _FLAPS):
            found = Impact.FLAP
        elif found is Impact.NONE and (
            any(_begins(words, pattern) for pattern in _RESETS) or (verb == "delete" and _begins(words, _UNIT))
        ):
            found = Impact.RESET
    return found


def _begins(words: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Does a line lie below a pattern, or does it delete all of it?"""
    return bool(words) and all(want in ("*", word) for want, word in zip(pattern, words, strict=False))
