"""The routes of a device as read, kept as what differs from the plan: a whole fabric of them takes no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from netaudit.state import ABSENT, Absent, Route, RouteKey

Planned = Callable[[], Mapping[RouteKey, Route]]


class SeenRoutes(Mapping[RouteKey, Route]):
    """Reads like a table. Making the whole of it asks the model again, so ask for `otherwise` where that is enough."""

    __slots__ = ("_planned", "otherwise")

    def __init__(self, planned: Planned, seen: Mapping[RouteKey, Route]) -> None:
        """`planned`: makes the routes of the plan."""
        self._planned = planned
        wanted = planned()
        self.otherwise: Mapping[RouteKey, Route | Absent] = {
            **{key: route for key, route in seen.items() if wanted.get(key) != route},
            **{key: ABSENT for key in wanted if key not in seen},
        }
        """Key → the route there is in place of the planned one; `ABSENT` for none."""

    def whole(self) -> Mapping[RouteKey, Route]:
        """Every route; those as planned are the objects of the model."""
        table: dict[RouteKey, Route | Absent] = {**self._planned(), **self.otherwise}
        return {key: route for key, route in table.items() if isinstance(route, Route)}

    def __getitem__(self, key: RouteKey) -> Route:
        route = self.otherwise[key] if key in self.otherwise else self._planned()[key]
        if not isinstance(route, Route):
            raise KeyError(key)
        return route

    def __iter__(self) -> Iterator[RouteKey]:
        return iter(self.whole())

    def __len__(self) -> int:
        return len(self.whole())

    def items(self):  # type: ignore[no-untyped-def]
        """At once, not route by route."""
        return self.whole().items()
