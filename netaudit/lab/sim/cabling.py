"""What LABDIR says of the lab: its switches and its cables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.lab.sim import nos


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class End:
    """One end of a cable. Of a switch, `port` is its front panel position, `cage[/sub]`."""

    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """A cable; where one end is no switch of the lab, that end is `a`."""

    a: End
    b: End
    a_lldp_port: str = ""
    """Port id that a host at `a` sends; empty: the host is silent."""
    assembly_m: str = ""
    """Length that both plugs of a cable with fixed ends tell; empty: the plugs can be separated, and tell none."""

    def far(self, near: End) -> End:
        """The other end."""
        return self.b if near == self.a else self.a


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """The lab as its files describe it."""

    fabric: str
    platforms: Mapping[str, str]
    """Device → its kind, a module of `lab.sim.nos`."""
    cables: tuple[Cable, ...]

    @property
    def devices(self) -> tuple[str, ...]:
        """The names of the devices, in the order of lab.json."""
        return tuple(self.platforms)


def read_lab(labdir: Path) -> Lab:
    """The lab of a folder. Raises `Invalid` with every problem of `lab.json` and `cables.csv`."""
    problems: list[Diagnostic] = []
    fabric, platforms = _read_devices(labdir / "lab.json", problems)
    cables = tuple(_read_cables(labdir / "cables.csv", frozenset(platforms), problems))
    if problems:
        raise Invalid(problems)
    return Lab(fabric=fabric, platforms=platforms, cables=cables)


def _text_of(path: Path, problems: list[Diagnostic]) -> str:
    """What a file holds; empty, with a problem noted, where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        problems.append(Diagnostic(message=f"{path} cannot be read: {error}"))
        return ""


def _read_devices(path: Path, problems: list[Diagnostic]) -> tuple[str, Mapping[str, str]]:
    """Name of the fabric; switch → its kind."""
    text = _text_of(path, problems)
    try:
        data = json.loads(text or "{}")
        fabric = str(data["fabric"])
        platforms = {str(name): str(device["platform"]) for name, device in data["devices"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        problems.append(
            Diagnostic(
                message=f"{path} is no lab: {error!r}",
                hint='{"fabric": NAME, "devices": {NAME: {"platform": "sonic"}}}',
            )
        )
        return "", {}
    known = nos.names()
    problems += [
        Diagnostic(message=f"{path}: {name} is {platform}, which the simulator does not know", hint=", ".join(known))
        for name, platform in platforms.items()
        if platform not in known
    ]
    return fabric, platforms


def _read_cables(path: Path, devices: frozenset[str], problems: list[Diagnostic]) -> Iterable[Cable]:
    """Every cable of the file; what is wrong is noted with its line."""
    rows = csv.DictReader(io.StringIO(_text_of(path, problems)))
    missing = {"a", "b"} - set(rows.fieldnames or ())
    if missing:
        problems.append(Diagnostic(message=f"{path} lacks the columns {', '.join(sorted(missing))}"))
        return
    taken: dict[End, int] = {}
    for row in rows:
        where = Source(file=str(path), line=rows.line_num)
        ends = [end_of_text(row.get(column) or "") for column in ("a", "b")]
        a, b = ends[0], ends[1]
        if a is None or b is None:
            problems.append(Diagnostic(message="an end is not device:port", source=where))
            continue
        if a.device not in devices and b.device not in devices:
            problems.append(Diagnostic(message=f"neither {a} nor {b} is a switch of lab.json", source=where))
            continue
        for end in (a, b):
            if end in taken:
                problems.append(Diagnostic(message=f"{end} is taken by line {taken[end]}", source=where))
            taken[end] = rows.line_num
        if b.device not in devices:
            a, b = b, a
        said, assembly_m = row.get("a_lldp_port") or "", row.get("assembly_m") or ""
        yield Cable(a=a, b=b, a_lldp_port=said, assembly_m=assembly_m)


def end_of_text(text: str) -> End | None:
    """`device:port` as an end."""
    device, colon, port = text.strip().partition(":")
    return End(device=device, port=port) if device and colon and port else None


def by_end(cables: Iterable[Cable]) -> Mapping[End, Cable]:
    """End → the cable in it."""
    return {end: cable for cable in cables for end in (cable.a, cable.b)}
