"""The kernel's limits that all labs of a machine need raised, and put back when the last one is gone."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from netaudit.diag import Unusable

STATE: Final = Path("/run/netaudit-lab")
"""Where labs keep what concerns the machine; gone with the next boot, as the limits are."""
NEIGHBORS: Final[Mapping[str, int]] = {
    f"/proc/sys/net/{family}/neigh/default/gc_thresh{number}": value
    for family in ("ipv4", "ipv6")
    for number, value in ((3, 65536), (2, 32768), (1, 16384))
}
"""One limit for all namespaces together: with 1,024 a fabric of 512 links never converges (lab.md section 1, TRAP)."""
_BEFORE: Final = "limits.json"


def raise_limits(tag: str) -> None:
    """Raise what is too low, remembering what it was; `tag` needs it until `restore`. Raises `Unusable`."""
    with _state() as state:
        before = state.setdefault("before", {})
        try:
            for path, wanted in NEIGHBORS.items():
                now = int(Path(path).read_text())
                if now < wanted:
                    before.setdefault(path, now)
                    Path(path).write_text(f"{wanted}\n")
        except OSError as error:
            raise Unusable(f"the limit of neighbors cannot be raised: {error}", by_hand()) from error
        state["tags"] = sorted({*state.get("tags", ()), tag})


def restore(tag: str) -> None:
    """The lab is gone; with the last one the limits are as they were."""
    if not (STATE / _BEFORE).is_file():
        return
    with _state() as state:
        state["tags"] = [one for one in state.get("tags", ()) if one != tag]
        if not state["tags"]:
            for path, value in reversed(list(state.pop("before", {}).items())):
                if Path(path).read_text().strip() == str(NEIGHBORS.get(path)):  # else somebody has set it since
                    Path(path).write_text(f"{value}\n")


def by_hand() -> str:
    """How to raise the limits where netaudit may not."""
    words = (f"{path.removeprefix('/proc/sys/').replace('/', '.')}={value}" for path, value in NEIGHBORS.items())
    return f"sysctl -w {' '.join(words)}"


@contextmanager
def _state() -> Iterator[dict[str, Any]]:  # JSON of our own
    """What is remembered of all labs, locked; written back at the end, removed where nothing is left to remember."""
    STATE.mkdir(mode=0o700, exist_ok=True)
    with (STATE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = STATE / _BEFORE
        try:
            state = json.loads(file.read_text()) if file.is_file() else {}
        except ValueError:
            state = {}
        yield state
        if state.get("tags"):
            file.write_text(json.dumps(state))
        else:
            file.unlink(missing_ok=True)
