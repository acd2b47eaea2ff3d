"""`show explain`: one leaf from the line of the intent to the line on the device, the query and the audit rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.audit.rules import Rule, for_path
from netaudit.cli.show import derive, fields
from netaudit.cli.show.derive import Derivation
from netaudit.cli.show.levels import Level, levels
from netaudit.cli.show.lines import Line, Rendered, rendered
from netaudit.cli.show.page import Json
from netaudit.cli.show.spelling import Spelling, spelling
from netaudit.cli.show.target import Target
from netaudit.cli.show.values import plain, said
from netaudit.diag import Source
from netaudit.expect import Expected
from netaudit.fabric import FabricPort
from netaudit.platforms import Files
from netaudit.state import BlindSpot, Device, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Path, below, dotted, matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked to read the leaf from one store."""

    store: Store
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The far end of the port's cable, and what the same leaf is there."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A line of the intent that decides, or that a formula starts from."""

    source: Source
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """All that is known of one leaf."""

    at: Target
    field: str
    """As it was asked for."""
    path: Path
    value: object
    levels: tuple[Level, ...]
    formula: str
    spelling: Spelling
    intent: tuple[Written, ...]
    rendered: Rendered
    asked: tuple[Asked, ...]
    blind: tuple[BlindSpot, ...]
    rule: Rule | None
    far: End | None
    derivation: Derivation | None

    @property
    def said(self) -> str:
        """The value as a person reads it."""
        return said(self.path[-1], self.value)

    @property
    def problem(self) -> str:
        """What the audit says where the leaf is not as expected; empty for one that no store holds."""
        return self.rule.name.format(object=self.at) if self.rule else ""

    @property
    def winner(self) -> Level | None:
        """The level that decides."""
        return next((level for level in self.levels if level.wins), None)


def explain(expected: Expected, at: Target, field: str) -> Explained:
    """Everything about the leaf that `field` means. Raises `Invalid` where it means none, or several."""
    device = expected.device(at.device)
    return explained(expected, device, at, fields.leaf(device, at, field), field)


def explained(
    expected: Expected, device: Device, at: Target, path: Path, field: str, files: Files | None = None
) -> Explained:
    """Everything about one leaf of a device; `files` are its rendered ones, if they are at hand."""
    value = fields.value(device, path)
    origin = fields.origin(device, path)
    port = at.port or _port_of(device, path)
    laid = expected.built.ports(at.device)[port] if port else None
    asked = tuple(_asked(expected, at.device, path))
    configured = _holds(expected.held(at.device, Store.RUNNING), path)
    before = expected.intended(at.device)
    wanted, there = fields.value(before, path), fields.exists(before, path)
    spelled = spelling(device, path, value, wanted, there=there)
    unwritten = Rendered(reason=spelled.none or "not configuration: the device only shows it")
    steps = derive.derivation(expected, device, Target(device=at.device, port=port), path)
    found = levels(expected, device, at, path, steps.formula if steps else "")
    return Explained(
        at=at,
        field=field,
        path=path,
        value=value,
        levels=found,
        formula=(steps.formula if steps else "") or (origin.removeprefix("=") if origin.startswith("=") else ""),
        intent=tuple(_intent(expected, device, at, path, found)),
        spelling=spelled,
        rendered=rendered(device, path, value, files) if configured and not spelled.none else unwritten,
        asked=asked,
        blind=tuple(spot for spot in expected.blind_spots(at.device) if matches(spot.what, path)),
        rule=for_path(path) if asked else None,
        far=_far(expected, device, laid, path) if laid else None,
        derivation=steps,
    )


def _port_of(device: Device, path: Path) -> str | None:
    return next((part for part in path[1:] if part in (device.ports or {})), None) if len(path) > 2 else None


def _holds(held: Held, path: Path) -> bool:
    for part in path:
        held = below(held, part)
    return held is not False


def _asked(expected: Expected, name: str, path: Path) -> Iterator[Asked]:
    """Store by store, where the platform says that the store holds the leaf."""
    for store in Store:
        if _holds(expected.held(name, store), path):
            yield Asked(store=store, query=expected.asked(name, store, path))


def _intent(expected: Expected, device: Device, at: Target, path: Path, found: tuple[Level, ...]) -> Iterator[Written]:
    """The line of the winner; of a formula the lines it starts from."""
    winner = next((level for level in found if level.wins), None)
    intent = expected.built.intent
    if winner is not None and winner.source is not None:
        yield Written(source=winner.source, text=intent.text(winner.source), why=winner.name)
        return
    for source, why in derive.stated(expected, device, at, path):
        yield Written(source=source, text=intent.text(source), why=why)


def _far(expected: Expected, device: Device, laid: FabricPort, path: Path) -> End | None:
    peer = laid.peer
    if peer is None:
        return None
    if peer.device in expected.outside:
        return End(name=str(peer), text="which is not read: an external neighbor")
    if peer.device not in expected.built.devices:
        rail, _, plane = peer.port.partition("/")
        nic = f"NIC {rail[1:]} port {expected.built.intent.model.planes.index(plane) + 1}"
        return End(name=f"{peer.device} {nic}", text="which is not read: hosts have no collector (declared blind spot)")
    if laid.key not in path:
        return End(name=str(peer), text="")
    there = tuple(peer.port if part == laid.key else part for part in path)
    value = fields.value(expected.device(peer.device), there)
    same = value == fields.value(device, path)
    return End(name=str(peer), text=f"{said(path[-1], value)} there{' too' if same else ''}")


def overview(expected: Expected, at: Target) -> Mapping[str, Json]:
    """Every field of a port, or of a device beside its ports, with its value."""
    device = expected.device(at.device)
    values = {dotted(path): plain(fields.value(device, path)) for path in fields.here(device, at)}
    return {"show": "explain", "device": at.device, "port": at.port, "fields": values}


def explain_data(found: Explained) -> Mapping[str, Json]:
    """The same in JSON."""
    return {
        "show": "explain",
        "device": found.at.device,
        "port": found.at.port,
        "field": found.field,
        "path": dotted(found.path),
        "value": plain(found.value),
        "text": found.said,
        "levels": [_level_data(level) for level in found.levels],
        "formula": found.formula or None,
        "platform": {
            "name": found.spelling.nos,
            "no_setting": found.spelling.none or None,
            "holds": found.spelling.other or None,
            "unverified": found.spelling.doubt or None,
        },
        "intent": [{"source": str(line.source), "line": line.text, "why": line.why} for line in found.intent],
        "rendered": [_line_data(line) for line in found.rendered.lines],
        "not_rendered": found.rendered.reason or None,
        "read_by": {str(asked.store): asked.query for asked in found.asked},
        "blind_spots": [{"what": spot.what, "where": spot.where, "reason": spot.reason} for spot in found.blind],
        "rule": {"id": found.rule.id, "name": found.problem} if found.rule else None,
        "far_end": {"name": found.far.name, "value": found.far.text} if found.far else None,
        "derivation": found.derivation.data if found.derivation else None,
    }


def _level_data(level: Level) -> Json:
    return {
        "level": level.name,
        "value": level.value or None,
        "where": level.where or None,
        "note": level.note or None,
        "wins": level.wins,
    }


def _line_data(line: Line) -> Json:
    return {"file": line.file, "place": line.place, "text": line.text}
