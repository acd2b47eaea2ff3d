"""How a change becomes the configuration of a box: edited, compared, applied, confirmed, gone back, saved."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nvue import document
from netaudit.lab.sim.nos.nvue.box import Nvue, Trial
from netaudit.lab.sim.nos.nvue.document import Tree
from netaudit.lab.sim.nos.nvue.facts import part, value

_CONFIRM_S: Final = 600.0
"""How long `--confirm` without a time waits (docs.nvidia.com, NVUE Reference, Config Commands)."""
_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "": 60.0}
_TIME: Final = re.compile(r"(\d{1,6})([smh]?)")
_PORT: Final = re.compile(r"swp(\d+)(?:s(\d+))?")
_KEPT: Final = 100
"""NVUE_MAX_REVISIONS (NVUE-CLI, "Maximum Revisions Limit")."""


class Refusal(Exception):
    """What NVUE says of a command that it does not carry out."""


def edited(box: Nvue) -> Tree:
    """The configuration that is edited; it begins as what is applied."""
    return box.applied if box.pending is None else box.pending


def edit(box: Nvue, tree: Tree) -> str:
    """Take a tree as the pending one. Raises `Refusal` with all that the release does not take."""
    try:
        box.checked(tree)
    except ValueError as error:
        raise Refusal(str(error)) from error
    if box.pending is None:
        box.revision += 1
        box.pending = tree
        return f"created [rev_id: {box.revision}]\n"
    box.pending = tree
    return ""


def patch(box: Nvue, text: str) -> str:
    """`nv config patch FILE`: what it sets is put in, what it unsets is taken out."""
    _, more, gone = _read(box, text)
    return edit(box, document.merged(document.without(edited(box), gone), more))


def replace(box: Nvue, text: str) -> str:
    """`nv config replace FILE`: the file and nothing else."""
    _, more, _ = _read(box, text)
    return edit(box, more)


def _read(box: Nvue, text: str) -> tuple[Tree | None, Tree, Tree]:
    try:
        return document.read(text, box.modern)
    except ValueError as error:
        raise Refusal(str(error)) from error


def named(box: Nvue, name: str, revisions: Mapping[str, Tree]) -> Tree:
    """A revision by its name or number."""
    if name == "applied":
        return box.applied
    if name == "pending":
        return edited(box)
    if name == "empty":
        return {}
    if name == "startup":
        try:
            return box.startup()
        except (OSError, ValueError) as error:
            raise Refusal(f"startup cannot be read: {error}") from error
    if name in revisions:
        return revisions[name]
    raise Refusal(f"Revision {name} does not exist")


def apply(fabric: Fabric, box: Nvue, tree: Tree | None, confirm_s: float | None, revisions: dict[str, Tree]) -> str:
    """`nv config apply`: put the pending configuration, or one that was before, in force."""
    if box.trial is not None:
        raise Refusal("Another config apply waits for its confirmation")
    if tree is None and box.pending is None:
        return "There is no pending configuration to apply\n"
    new = edited(box) if tree is None else tree
    wrong = list(contradictions(box, new))
    if wrong:
        raise Refusal("\n".join(f"config apply failed: {one}" for one in wrong[:20]))
    before = box.applied
    box.applied, box.pending = new, None
    remember(box, new, revisions)
    fabric.changed()
    if confirm_s is not None:
        _begin_trial(fabric, box, before, confirm_s)
    elif box.saves:
        box.save()
    return f"applied [rev_id: {box.revision}]\n"


def remember(box: Nvue, tree: Tree, revisions: dict[str, Tree]) -> None:
    """Keep a revision under its number; the oldest goes."""
    revisions[str(box.revision)] = tree
    while len(revisions) > _KEPT:
        del revisions[next(iter(revisions))]


def seconds(text: str) -> float:
    """The time of `--confirm`: a number of minutes, or one with s, m, h."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise Refusal(f"'{text}' is no time: 60s, 10m, 1h")
    return int(found[1]) * _UNITS[found[2]]


DEFAULT_CONFIRM_S = _CONFIRM_S


def _begin_trial(fabric: Fabric, box: Nvue, before: Tree, confirm_s: float) -> None:
    loop = asyncio.get_running_loop()
    trial = Trial(before=before, until=loop.time() + confirm_s)
    trial.cancel = loop.call_later(confirm_s, end_trial, fabric, box)
    box.trial = trial


def end_trial(fabric: Fabric, box: Nvue) -> bool:
    """Go back to what was before; whether anything was on trial."""
    trial = box.trial
    if trial is None:
        return False
    if trial.cancel is not None:
        trial.cancel.cancel()
    box.trial, box.applied = None, trial.before
    fabric.changed()
    return True


def confirm(box: Nvue) -> bool:
    """Keep what is on trial, and save it where applies save; whether anything was."""
    trial = box.trial
    if trial is None:
        return False
    if trial.cancel is not None:
        trial.cancel.cancel()
    box.trial = None
    if box.saves:
        box.save()
    return True


def left_s(box: Nvue) -> float | None:
    """How long a trial still waits; `None` where there is none."""
    return None if box.trial is None else box.trial.until - asyncio.get_running_loop().time()


def contradictions(box: Nvue, tree: Tree) -> Iterator[str]:
    """What no single value is wrong with: shares beyond the whole, ports that the box does not have."""
    shares = sum(int(value(row, "memory-percent", default="0")) for row in part(tree, "qos", "traffic-pool").values())
    if shares > 100:
        yield f"qos.traffic-pool: the pools have {shares} percent of the memory"
    for name, row in part(tree, "qos", "egress-scheduler").items():
        weights = sum(int(value(one, "bw-percent", default="0")) for one in part(row, "traffic-class").values())
        if weights > 100:
            yield f"qos.egress-scheduler.{name}: the traffic classes have {weights} percent of the bandwidth"
    rows = part(tree, "interface")
    for name in rows:
        found = _PORT.fullmatch(name)
        if found is None:
            continue
        number, sub = found.groups()
        modes = [m for m in part(rows.get(f"swp{number}"), "link", "breakout") if m.removesuffix("x").isdecimal()]
        if number not in box.cages:
            yield f"interface {name}: the switch has no such port"
        elif sub is not None and (not modes or int(sub) >= int(modes[0].removesuffix("x"))):
            yield f"interface {name}: swp{number} is not split so"
