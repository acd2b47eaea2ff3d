"""What a failure changes of how one class of prefixes is spread: worked out where it happens, not all over the fabric.

A link that dies takes next hops from the devices at its ends. Only where that changes the best path of one that passes
it on do others hear of it; then the class is spread anew. What is stable is so in one way only (a best path is the
shortest, and among equal ones the least), so that both ways come to the same tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from netaudit.state import Route

AsPath = tuple[int, ...]
Select = Callable[[str, Mapping[str, AsPath]], tuple[AsPath, Route] | None]
"""(device, best path of each) → its best path and its route, as things are now."""


def respread(
    designed: Mapping[str, Route], touched: Set[str], dead: Set[str], send: Set[str], origins: Set[str], select: Select
) -> Mapping[str, Route] | None:
    """The tables of a class as they are now; `None` where it has to be spread anew.

    `designed`: before; the same object comes back where nothing changes. `touched`: devices of which a session or an
    ASN beside it is otherwise; `dead` is a part of them; `send`, `origins`: who passes it on, and who has it.
    """
    if origins & touched:
        return None
    changed: dict[str, Route | None] = {}
    best = _Best(designed, dead)
    for name in touched:
        before = designed.get(name)
        found = None if name in dead else select(name, best)
        after = found[1] if found is not None else None
        if after == before:
            continue
        if name in send and name not in dead and (found[0] if found is not None else None) != best.get(name):
            return None
        changed[name] = after
    if not changed:
        return designed
    return {name: route for name, route in {**designed, **changed}.items() if route is not None}


class _Best(dict[str, AsPath]):
    """Device → its best path by the tables, of those that are asked for."""

    def __init__(self, designed: Mapping[str, Route], dead: Set[str]) -> None:
        super().__init__()
        self._designed, self._dead = designed, dead

    def __contains__(self, name: object) -> bool:
        return name in self._designed and name not in self._dead

    def __missing__(self, name: str) -> AsPath:
        self[name] = path = min(self._designed[name].as_paths)
        return path

    def get(self, name: str, default: AsPath | None = None) -> AsPath | None:  # type: ignore[override]
        """Of a device without a route there is none."""
        return self[name] if self.__contains__(name) else default
