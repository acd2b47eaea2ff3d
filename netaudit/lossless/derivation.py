"""How a number was found: the one vocabulary of every derivation here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One figure that went into a number, in the order of the sum, with where it comes from."""

    name: str
    value: Fraction | int | float
    unit: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A number and its terms."""

    value: int
    unit: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """Something the reader of a number must know; `code` never changes its meaning."""

    code: str
    text: str


def round_up(value: Fraction | int, step: int) -> int:
    """The smallest multiple of `step` that is not below `value`."""
    return math.ceil(Fraction(value) / step) * step


def round_down(value: Fraction | int, step: int) -> int:
    """The greatest multiple of `step` that is not above `value`."""
    return math.floor(Fraction(value) / step) * step


def require(condition: bool, message: str) -> None:
    """Refuse an argument no formula is made for: a program error of the caller, not an input of the user."""
    if not condition:
        raise ValueError(message)
