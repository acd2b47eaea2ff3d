"""What every leaf has in common: the two words for `nothing`, and where a value comes from."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias, TypeVar


class Absent(Enum):
    """The type of `ABSENT`, so that `is ABSENT` narrows for mypy."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"

    def __str__(self) -> str:
        return "absent"


ABSENT: Final = Absent.ABSENT
"""Expected: must not be there. Observed: looked for and not there. `None`: not managed, not seen."""

T = TypeVar("T")

Leaf: TypeAlias = T | Absent | None
"""A value, `ABSENT`, or `None`."""

Origin: TypeAlias = Mapping[str, str]
"""Field of an object → intent path (`mtu.port`) or formula it comes from. Shared by all objects of a class, never
compared. File and line are looked up only when printed (`Expectation.source`)."""
