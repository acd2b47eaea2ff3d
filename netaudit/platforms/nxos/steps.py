"""How an NX-OS switch is taken from one configuration to another, and back: command lines over SSH.

NX-OS has no candidate: each line is in force as it is taken. NAPALM is not used for it: its `commit_config` saves
before anybody has read back what came of it, and its merge takes `ERROR: ...` for a success
(vendor-gnmi-and-drivers.md C). So a checkpoint is made, lines are typed in commands of a few lines each, every answer
is looked at, and what runs is read back before it is saved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from netaudit.platforms import Files, Impact, Step, Steps
from netaudit.platforms.nxos.changes import changes
from netaudit.platforms.nxos.config import FILE
from netaudit.platforms.nxos.meaning import equal

REFUSAL = r"ERROR: |Error: |Invalid command|Syntax error|Rollback failed|No such file"
"""How a line begins by which NX-OS says no, in words and with exit code 0 (field case A21); beside `% ...`."""
HARMLESS = ("% Deleted all L3 config",)
"""What `vrf member` says of a port, whose addresses are typed after it."""
MOST_CHARACTERS = 900
"""Of one command: no source says how long a line may be, so it stays below the 1,024 of older command lines."""
CHANGE_TIMEOUT_S, ROLLBACK_TIMEOUT_S = 120.0, 600.0
_APART = " ; "
"""What stands between several commands of one line."""
_CONFIGURE = "configure terminal"
_UNASKED = "terminal dont-ask"
"""Nobody is there to answer a question; NAPALM puts it before a checkpoint, a rollback and a deletion, too."""
_BEYOND_ROLLBACK = ("interface breakout ", "no interface breakout ", "hardware ", "no hardware ")
"""What makes and unmakes ports: no source says that a checkpoint takes it back, so it is typed backwards first."""

_DOWN = (
    "speed ",
    "no speed",
    "fec ",
    "no fec",
    "shutdown",
    "no shutdown",
    "switchport",
    "no switchport",
    "vrf member ",
)
"""Lines of a port that take it down and up, or out of the fabric."""
_QUEUES = ("policy-map type network-qos", "no policy-map type network-qos", "mtu ", "no mtu")
"""A new network-qos or MTU interrupts traffic for a moment (nxos.md section 7, unverified)."""
_SESSIONS = (
    "remote-as ",
    "router-id ",
    "neighbor ",
    "no neighbor ",
    "address-family ",
    "router bgp ",
    "no router bgp ",
)
"""Lines by which BGP sessions begin again."""


def steps(running: Files, candidate: Files, run: str) -> Steps:
    """The way there and back; empty `apply` if nothing changes. Raises `ValueError` for a line that cannot be typed."""
    lines = () if equal(running, candidate) else changes(running[FILE], candidate[FILE])
    if not lines:
        return Steps()
    name = f"netaudit_{re.sub(r'[^A-Za-z0-9_]', '_', run)}"[:80]
    saved = f"bootflash:{name}_startup"
    back = changes(candidate[FILE], running[FILE]) if _is_beyond_rollback(lines) else ()
    return Steps(
        prepare=(
            *_unless_there(name, saved),
            _step("checkpoint", f"checkpoint {name}", CHANGE_TIMEOUT_S),
            _step("keep startup-config", f"copy startup-config {saved}", CHANGE_TIMEOUT_S),
        ),
        apply=tuple(_typed("change", lines)),
        save=(_step("save", "copy running-config startup-config", ROLLBACK_TIMEOUT_S),),
        undo=(
            *_typed("change back", back),
            _step("rollback", f"rollback running-config checkpoint {name} atomic", ROLLBACK_TIMEOUT_S),
            _step("restore startup-config", f"copy {saved} startup-config", CHANGE_TIMEOUT_S),
        ),
        clean=(
            _step("remove checkpoint", f"no checkpoint {name}", CHANGE_TIMEOUT_S),
            _step("remove kept startup-config", f"delete {saved} no-prompt", CHANGE_TIMEOUT_S),
        ),
        impact=_impact(lines),
    )


def _unless_there(name: str, saved: str) -> Iterator[Step]:
    """Away with what a run of the same number left that did not come to its end; mostly there is nothing."""
    for what, command in (("checkpoint", f"no checkpoint {name}"), ("startup-config", f"delete {saved} no-prompt")):
        yield Step(
            name=f"remove a {what} of that name",
            command=f"{_UNASKED}{_APART}{command}",
            timeout_s=CHANGE_TIMEOUT_S,
            ok=frozenset({0, 1}),
            harmless_stderr=("%",),
        )


def _step(name: str, command: str, timeout_s: float) -> Step:
    if not command.startswith(_CONFIGURE):
        command = f"{_UNASKED}{_APART}{command}"
    return Step(name=name, command=command, timeout_s=timeout_s, refusal=REFUSAL, harmless_stderr=HARMLESS)


def _is_beyond_rollback(lines: Sequence[str]) -> bool:
    return any(line.startswith(_BEYOND_ROLLBACK) for line in lines)


def _typed(name: str, lines: Sequence[str]) -> Iterator[Step]:
    """The lines in as many commands as they need, each of which begins with the blocks that its first line is in."""
    batches = list(_batches(lines))
    for number, batch in enumerate(batches, start=1):
        told = f"{name} {number} of {len(batches)}" if len(batches) > 1 else name
        yield _step(told, _APART.join((_CONFIGURE, *batch)), CHANGE_TIMEOUT_S)


def _batches(lines: Sequence[str]) -> Iterator[list[str]]:
    """Runs of lines that fit in a command, cut between blocks where that can be."""
    batch: list[str] = []
    above: list[tuple[int, str]] = []
    for line in lines:
        depth, text = len(line) - len(line.lstrip()), line.strip()
        if ";" in text or not text.isprintable():
            raise ValueError(f"`{text[:60]}` cannot be typed: a semicolon ends a command of NX-OS")
        while above and above[-1][0] >= depth:
            above.pop()
        if batch and _length((*batch, text)) > MOST_CHARACTERS:
            yield batch
            batch = [head for _, head in above]
        batch.append(text)
        above.append((depth, text))
    if batch:
        yield batch


def _length(batch: Sequence[str]) -> int:
    return len(_CONFIGURE) + sum(len(_APART) + len(line) for line in batch)


def _impact(lines: Sequence[str]) -> Impact:
    """The worst that one of the lines does."""
    texts = [line.strip() for line in lines]
    if any(text.startswith((*_DOWN, *_BEYOND_ROLLBACK, *_QUEUES, "default interface ")) for text in texts):
        return Impact.FLAP
    return Impact.RESET if any(text.startswith(_SESSIONS) for text in texts) else Impact.NONE
