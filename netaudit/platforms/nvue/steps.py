"""How a switch with Cumulus Linux is taken from one configuration to another, and back (nvue.md sections 1 and 7).

`nv config patch` edits a revision and validates it; `nv config apply --confirm` puts it in force and goes back by
itself after ten minutes unless it is confirmed (docs.nvidia.com, NVUE Reference, Config Commands). Nothing is replaced
as a whole: see `patch`. What is unset goes in a file of its own before what is set, since releases before 5.16 take
either for an object, and not both, in one patch (NVUE-CLI of CumulusNetworks/docs, "Replace and Patch").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from netaudit.platforms import Files, Impact, Step, Steps
from netaudit.platforms.nvue.ask import STARTUP
from netaudit.platforms.nvue.config import FILE, nodes
from netaudit.platforms.nvue.patch import difference, secrets, written
from netaudit.platforms.nvue.ranges import expanded
from netaudit.platforms.nvue.tree import Tree, leaves, of

CONFIRM: Final = "nv config apply --confirm -y"
"""Ten minutes, which is longer than reading back takes; a time after it is spelled otherwise in older releases."""
APPLY_TIMEOUT_S, EDIT_TIMEOUT_S = 300.0, 120.0
REFUSAL: Final = r"Error: |Invalid |Warning: .*failed"
"""How a line of `nv` begins that says no; its exit code says so too, which is not relied on (field case A21)."""

_RELOADS: Final = re.compile(r"(router|interface \S+ router) adaptive-routing |interface \S+ link breakout")
"""Toggling adaptive routing reloads switchd, with loss of traffic (nvue.md section 4); so does a cage that is split."""
_FLAPS: Final = re.compile(
    r"interface \S+ (link (?!mtu)|type|vrf|bridge)|qos (roce|traffic-pool|advance-buffer-config)"
)
"""Changes that take a link down and up, or the buffers under it."""
_RESETS: Final = re.compile(
    r"router (bgp|bfd) |vrf \S+ router bgp (?!address-family \S+ network)|interface \S+ (ipv4|ipv6|ip) "
)
"""Changes by which BGP sessions begin again; one of BFD restarts FRR (nvue.md section 3)."""


def steps(running: Files, candidate: Files, run: str) -> Steps:
    """The way there and back. Empty `apply` if both mean the same.

    Raises `ValueError` where a secret would be lost that nobody here knows, and so cannot be put back.
    """
    old, new = _tree(running[FILE]), _tree(candidate[FILE])
    gone, more = difference(old, new)
    if not gone and not more:
        return Steps()
    back_gone, back_more = difference(new, old)
    if lost := secrets(back_more):
        raise ValueError(
            f"{lost[0]}: a secret that a push would remove and cannot put back; unset it on the switch first"
        )
    upload = f"/tmp/netaudit-{run}"  # on the switch; SFTP writes it new, mode 0600
    kept = f"{STARTUP}.netaudit-{run}"
    return Steps(
        prepare=(
            Step(name="keep startup.yaml", command=f"sudo cp {STARTUP} {kept}"),
            _either("put edits of others aside", "nv config detach", EDIT_TIMEOUT_S),
            *_edited("patch", upload, gone, more),
        ),
        apply=(_nv("apply, to be confirmed", CONFIRM, APPLY_TIMEOUT_S),),
        save=(
            _nv("confirm", "nv config apply --confirm-yes", APPLY_TIMEOUT_S),
            _nv("save", "nv config save", EDIT_TIMEOUT_S),
        ),
        undo=_undo(upload, kept, back_gone, back_more),
        clean=(
            _either("drop what was edited", "nv config detach", EDIT_TIMEOUT_S),
            Step(
                name="remove files", command=f"sudo rm -f {' '.join((*_files(upload), *_files(f'{upload}-old'), kept))}"
            ),
        ),
        impact=_impact((*_changes(gone), *_changes(more))),
    )


def _tree(text: str) -> Tree:
    """The tree of a text, in its own words."""
    return expanded(of(nodes(text)[1]))


def _files(upload: str) -> tuple[str, str]:
    return f"{upload}-unset.yaml", f"{upload}-set.yaml"


def _edited(name: str, upload: str, gone: Tree, more: Tree) -> Iterator[Step]:
    """Upload and patch; NVUE validates what comes of it, and nothing is in force yet."""
    for verb, tree, path in zip(("unset", "set"), (gone, more), _files(upload), strict=True):
        if tree:
            yield Step(name=f"upload {name}, {verb}", path=path, content=written(verb, tree))
            yield _nv(f"{name}, {verb}", f"nv config patch {path}", EDIT_TIMEOUT_S)


def _undo(upload: str, kept: str, gone: Tree, more: Tree) -> tuple[Step, ...]:
    """Back from any state: at once where the apply still waits, by a patch the other way, and saved as it was saved."""
    return (
        _either("go back", "nv config apply --confirm-no", APPLY_TIMEOUT_S),
        _either("drop what was edited", "nv config detach", EDIT_TIMEOUT_S),
        *_edited("patch back", f"{upload}-old", gone, more),
        _either("apply what was", "nv config apply -y", APPLY_TIMEOUT_S),
        Step(name="restore startup.yaml", command=f"sudo cp {kept} {STARTUP}"),
    )


def _nv(name: str, command: str, timeout_s: float) -> Step:
    """A step of NVUE's that has to work."""
    return Step(name=name, command=command, timeout_s=timeout_s, refusal=REFUSAL)


def _either(name: str, command: str, timeout_s: float) -> Step:
    """A step that may have nothing to do: what is read back decides."""
    return Step(name=name, command=command, timeout_s=timeout_s, ok=frozenset({0, 1}))


def _changes(tree: Tree) -> Iterable[str]:
    return (" ".join(path) + " " for path, _ in leaves(tree))


def _impact(changes: Iterable[str]) -> Impact:
    """The worst that one of the changes does."""
    worst = Impact.NONE
    for change in changes:
        if _RELOADS.match(change):
            return Impact.DRAIN
        if _FLAPS.match(change):
            worst = Impact.FLAP
        elif _RESETS.match(change) and worst is Impact.NONE:
            worst = Impact.RESET
    return worst
