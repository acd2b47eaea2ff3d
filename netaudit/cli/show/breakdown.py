"""How a headroom formula adds up, step by step, for one port or for two lengths side by side."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from netaudit import lossless
from netaudit.cli.show.page import Json
from netaudit.cli.show.values import plain
from netaudit.lossless import SONIC_PAUSE_QUANTA, Term
from netaudit.lossless.ceiling import CEILING_PAUSE_QUANTA, QUANTUM_BYTES
from netaudit.lossless.derivation import round_up
from netaudit.lossless.headroom import KIB

SUMS = ("xoff", "xon", "size")


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """The terms of one computation, sorted by what is done with them."""

    delay: tuple[Term, ...]
    """Bytes that arrive until the peer has stopped."""
    fill: Term
    """Bytes of cell that a byte of them takes."""
    begun: Term
    extras: tuple[Term, ...]
    xoff: Term
    xon: Term
    size: Term
    step_bytes: int
    """What xoff is rounded up to."""
    quanta: bool
    """SONiC's pause quanta stand in it: IEEE's may be more."""

    @property
    def arriving(self) -> Fraction:
        """The delay terms together, in bytes."""
        return sum((Fraction(term.value) for term in self.delay), Fraction(0))

    @property
    def filled(self) -> Fraction:
        """The same in bytes of cells."""
        return self.arriving * Fraction(self.fill.value)

    @property
    def xoff_bytes(self) -> int:
        """What comes out."""
        return int(self.xoff.value)

    def with_delay(self, more_bytes: int) -> int:
        """xoff, if so many bytes more arrived."""
        filled = (self.arriving + more_bytes) * Fraction(self.fill.value)
        return round_up(filled + Fraction(self.begun.value), self.step_bytes) + sum(
            int(term.value) for term in self.extras
        )


def breakdown(result: lossless.Headroom) -> Breakdown:
    """The terms of `lossless.headroom`, whose order is: delay, cells, frame begun, extras, sums."""
    at = next(i for i, term in enumerate(result.terms) if term.unit == "x")
    sums = {term.name: term for term in result.terms if term.name in SUMS}
    return Breakdown(
        delay=result.terms[:at],
        fill=result.terms[at],
        begun=result.terms[at + 1],
        extras=tuple(term for term in result.terms[at + 2 :] if term.name not in SUMS),
        xoff=sums["xoff"],
        xon=sums["xon"],
        size=sums["size"],
        step_bytes=result.step_bytes,
        quanta=any("pause quanta" in term.source and "sonic" in term.source for term in result.terms[:at]),
    )


def rows(columns: tuple[Breakdown, ...]) -> tuple[tuple[str, ...], ...]:
    """(step, bytes of each column, where it comes from), the sums between the terms, rounding last."""
    first = columns[0]
    found = [
        (term.name, *(_bytes(c.delay[i].value) for c in columns), term.source) for i, term in enumerate(first.delay)
    ]
    found.append(("sum", *(_bytes(c.arriving) for c in columns), ""))
    fill = f"× {float(first.fill.value):g}, cells filled"
    found.append((fill, *(_bytes(c.filled) for c in columns), first.fill.source))
    begun = tuple(_bytes(c.filled + Fraction(c.begun.value)) for c in columns)
    found.append((f"+ {first.begun.name}", *begun, f"{_bytes(first.begun.value)} B, {first.begun.source}"))
    for i, term in enumerate(first.extras):
        if all(len(c.extras) > i for c in columns):
            sums = tuple(
                _bytes(c.filled + sum(Fraction(t.value) for t in (c.begun, *c.extras[: i + 1]))) for c in columns
            )
            found.append((f"+ {term.name}", *sums, f"{_bytes(term.value)} B, {term.source}"))
    step = "1 KiB" if first.step_bytes == KIB else f"cells of {first.step_bytes:,} B"
    found.append((f"xoff, rounded up to {step}", *(_bytes(c.xoff_bytes) for c in columns), ""))
    return tuple(found)


def _bytes(value: Fraction | int | float) -> str:
    return f"{round(value):,}"


def ieee_xoff(parts: Breakdown, speed_mbps: int) -> tuple[int, int, int] | None:
    """(SONiC's pause quanta, IEEE's ceiling, xoff with that) where SONiC counts fewer than IEEE allows a peer."""
    used, allowed = SONIC_PAUSE_QUANTA.get(speed_mbps), CEILING_PAUSE_QUANTA.get(speed_mbps)
    if not parts.quanta or used is None or allowed is None or allowed <= used:
        return None
    return used, allowed, parts.with_delay((allowed - used) * QUANTUM_BYTES)


def data(parts: Breakdown | None) -> Json:
    """Every term in JSON; bytes as floats, since only sums are whole."""
    if parts is None:
        return None
    terms = (*parts.delay, parts.fill, parts.begun, *parts.extras)
    return {
        "terms": [term_data(term) for term in terms],
        "xoff_bytes": parts.xoff_bytes,
        "xon_bytes": plain(parts.xon.value),
        "size_bytes": plain(parts.size.value),
    }


def term_data(term: Term) -> Json:
    """One term of any derivation."""
    value = float(term.value) if isinstance(term.value, Fraction) else term.value
    return {"name": term.name, "value": value, "unit": term.unit, "source": term.source}
