"""`show ecn`: from which queue length packets are marked, per class and speed, and how the thresholds were found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.cli.show.breakdown import term_data
from netaudit.cli.show.page import Json, Table, View, facts, notes, page, table
from netaudit.cli.show.target import Target
from netaudit.cli.show.values import speed
from netaudit.expect import Expected
from netaudit.expect.classes import Class, classes
from netaudit.expect.ecn import round_trip
from netaudit.intent.schema.lossless import EcnThresholds
from netaudit.lossless import Derived, Ecn, Term
from netaudit.terminal import Symbol, counted, exact_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The thresholds of one class at one speed."""

    kind: Class
    speed_mbps: int
    found: Ecn
    rtt: Derived | None
    """The round trip behind computed thresholds; `None` for given ones."""
    origin: str
    """Where the intent asks for it."""

    @property
    def what(self) -> str:
        """`roce at 400G`."""
        return f"{self.kind.name} at {speed(self.speed_mbps)}"


def marked(expected: Expected, at: Target | None) -> tuple[Marked, ...]:
    """Every class that is marked, at every speed of a port, of a device or of the fabric."""
    intent, device = expected.built.intent, at.device if at else None
    return tuple(
        marking(expected, kind, rate, device)
        for kind in classes(intent)
        if kind.body.ecn is not None
        for rate in used_speeds(expected, at)
    )


def marking(expected: Expected, kind: Class, speed_mbps: int, device: str | None = None) -> Marked:
    """The thresholds of a class at a speed; a device with a deep buffer has its own."""
    path = f"traffic.{kind.name}.ecn"
    intent, wide = expected.built.intent, expected.wide
    box = expected.built.devices[device] if device is not None else None
    deep = box is not None and box.model.buffer_class == "deep"
    given = isinstance(kind.body.ecn, EcnThresholds)
    return Marked(
        kind=kind,
        speed_mbps=speed_mbps,
        found=wide.marking(kind, speed_mbps, box),
        rtt=None if given else round_trip(expected.built, wide.far_m(box) if box is not None and deep else 0.0),
        origin=f"{intent.source(path)}, {path}" if intent.given(path) else f"{path}, default",
    )


def used_speeds(expected: Expected, at: Target | None) -> tuple[int, ...]:
    """The speeds of the port, of the cabled ports of the device, or of the whole fabric."""
    if at is None:
        model = expected.built.intent.model
        top = (model.superspine.speed,) if model.superspine is not None else ()
        return tuple(sorted({model.hosts.speed, model.spine.speed, *top, *_overridden(expected)}))
    laid = expected.built.ports(at.device)
    state = expected.device(at.device).ports or {}
    ports = [at.port] if at.port else [key for key, port in laid.items() if port.peer is not None]
    found = {port.speed_mbps for key, port in state.items() if key in ports}
    return tuple(sorted(rate for rate in found if isinstance(rate, int)))


def _overridden(expected: Expected) -> Iterator[int]:
    for override in expected.built.intent.model.overrides:
        if "speed" in override.set:
            yield override.set["speed"]


def ecn_page(expected: Expected, at: Target | None, view: View) -> str:
    """The page: a line for each class and speed, then the steps of each."""
    found = marked(expected, at)
    place = f" on {at}" if at else f" in {expected.fabric}"
    if not found:
        return page(view, (Symbol.INFO, f"no class is marked by ECN{place}"), then=view.command("show fabric"))
    steps = [block for item in found for block in _steps(view, item)]
    first = found[0]
    head = f"{first.what} is marked from {exact_bytes(first.found.kmin_bytes)} to {exact_bytes(first.found.kmax_bytes)}"
    more = f"; {counted(len(found) - 1, 'more')}{place}".replace("mores", "more") if len(found) > 1 else place
    where = str(at) if at else next(iter(expected.built.devices))
    then = view.command("show explain", where, "kmin") if at and at.port else view.command("show device", where)
    squeezed = any(caution.code == "ecn-squeezed" for item in found for caution in item.found.warnings)
    symbol = Symbol.WARNING if squeezed else Symbol.INFO
    return page(view, (symbol, head + more), table(view, _overview(found)), *steps, then=then)


def _overview(found: tuple[Marked, ...]) -> Table:
    rows = tuple(
        (
            item.kind.name,
            speed(item.speed_mbps),
            f"{item.found.kmin_bytes:,}",
            f"{item.found.kmax_bytes:,}",
            f"{item.found.pmax_percent} %",
            item.origin,
        )
        for item in found
    )
    return Table(
        head=("class", "speed", "Kmin bytes", "Kmax bytes", "Pmax", "where it is asked for"),
        rows=rows,
        right=frozenset({1, 2, 3, 4}),
    )


def _steps(view: View, item: Marked) -> Iterator[tuple[str, ...]]:
    title = facts(view.style, ((item.what, f"queue {item.kind.queue}"),), label=len(item.what) + 2)
    warnings = tuple(f"{caution.text} ({caution.code})" for caution in item.found.warnings)
    yield (*title, *table(view, steps(item)))
    yield notes(view.style, warnings)


def steps(item: Marked) -> Table:
    """The terms of one pair of thresholds, in the order of the computation; the results stand out."""
    terms = (*(item.rtt.terms if item.rtt else ()), *item.found.terms)
    bold = frozenset(i for i, term in enumerate(terms) if term.name in ("Kmin", "Kmax", "Pmax"))
    return term_table(terms, bold)


def term_table(terms: tuple[Term, ...], bold: frozenset[int] = frozenset()) -> Table:
    """Any derivation as a table: term, value with its unit, source."""
    rows = tuple((term.name, value_of(term), term.source) for term in terms)
    return Table(head=("term", "value", "where it comes from"), rows=rows, right=frozenset({1}), bold=bold, whole=True)


def value_of(term: Term) -> str:
    """`120,359 B`, `1 x`; halves and tenths are kept where the number is small."""
    value = float(term.value)
    text = f"{value:g}" if abs(value) < 100 else f"{round(term.value):,}"
    return f"{text} {term.unit}"


def ecn_data(expected: Expected, at: Target | None) -> Mapping[str, Json]:
    """The same in JSON, with every term."""
    rows: list[Json] = [
        {
            "class": item.kind.name,
            "queue": item.kind.queue,
            "speed_mbps": item.speed_mbps,
            "kmin_bytes": item.found.kmin_bytes,
            "kmax_bytes": item.found.kmax_bytes,
            "pmax_percent": item.found.pmax_percent,
            "asked_for": item.origin,
            "rtt_terms": [term_data(term) for term in item.rtt.terms] if item.rtt else None,
            "terms": [term_data(term) for term in item.found.terms],
            "warnings": [{"code": c.code, "text": c.text} for c in item.found.warnings],
        }
        for item in marked(expected, at)
    ]
    return {"show": "ecn", "device": at.device if at else None, "port": at.port if at else None, "marking": rows}
