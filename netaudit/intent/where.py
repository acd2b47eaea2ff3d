"""Which part of a fabric is meant: the one grammar of `where`, in the intent, in waivers and on the command line.

`plane=a unit=su1 role=leaf rail=3` chooses devices; `device[:cage[/sub]]` names one, or one of its ports.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from netaudit import platforms
from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.state import Place

KEYS = ("plane", "unit", "role", "rail", "platform")
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", re.ASCII)
_PORT = re.compile(r"([1-9]\d{0,3})(?:/([1-9]\d?))?", re.ASCII)
_PLAIN_PORT_NAMES = (
    re.compile(r"(?:etp|Ethernet|Eth|swp)(?P<cage>\d+)(?P<letter>[a-h])", re.ASCII | re.IGNORECASE),
    re.compile(r"swp(?P<cage>\d+)(?:s(?P<sub0>\d))?", re.ASCII),
    re.compile(r"etp(?P<cage>\d+)", re.ASCII),
    re.compile(r"(?:Ethernet|Eth|Et)1/(?P<cage>\d+)/(?P<sub>\d)", re.ASCII | re.IGNORECASE),
    re.compile(r"(?:Ethernet|Eth|Et)(?P<cage>\d+)/(?P<sub>\d)", re.ASCII | re.IGNORECASE),
    re.compile(r"(?:et|xe|ge)-0/0/(?P<cage0>\d+)(?::(?P<sub0>\d))?", re.ASCII),
)
"""Port names whose cage can be told without the model: SONiC's aliases, NVUE, NX-OS, EOS, Junos (counts from 0)."""
_PORT_NAME = re.compile(r"(?:Ethernet|Eth|Et|etp|swp|et-|xe-|ge-)\S*", re.ASCII | re.IGNORECASE)

Translate = Callable[[str, str], str | None]
"""(device, port name of its NOS) → `cage[/sub]`, or `None` if the model does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A part of the fabric. A field that is `None` excludes nothing."""

    plane: str | None = None
    unit: str | None = None
    role: str | None = None
    rail: int | None = None
    platform: str | None = None
    device: str | None = None
    cage: int | None = None
    sub: int | None = None

    @property
    def port(self) -> str | None:
        """The port as `cage[/sub]`; `None` if whole devices are meant."""
        if self.cage is None:
            return None
        return f"{self.cage}/{self.sub}" if self.sub is not None else str(self.cage)

    def covers(self, name: str, place: Place, platform: str) -> bool:
        """Whether the device of that name, place and platform is in this part, or has a port that is."""
        wanted = (self.device, self.plane, self.unit, self.role, self.rail, self.platform)
        found = (name, place.plane, place.unit, place.role, place.rail, platform)
        return all(want is None or want == have for want, have in zip(wanted, found, strict=True))

    def covers_port(self, port: str) -> bool:
        """Whether a port (`cage[/sub]`) of a covered device is meant; a cage means all its sub-ports."""
        return self.cage is None or port == self.port or (self.sub is None and port.split("/")[0] == str(self.cage))

    def __str__(self) -> str:
        if self.device is not None:
            return f"{self.device}:{self.port}" if self.port else self.device
        pairs = ((key, getattr(self, key)) for key in KEYS)
        return " ".join(f"{key}={value}" for key, value in pairs if value is not None)


def parse(text: str, source: Source | None = None, translate: Translate | None = None) -> Where:
    """The part of the fabric that `text` means. `source` is where its first character stands.

    Raises `Invalid`, with a hint that names the cage where a vendor's port name was written.
    """
    if "=" in text:
        return _selection(text, source)
    device, colon, port = text.strip().partition(":")
    lead = len(text) - len(text.lstrip())
    if not _NAME.fullmatch(device):
        message = f"`{text}` is not a part of a fabric" if text.strip() else "this says no part of a fabric"
        raise _wrong(message, source, 0, len(text), 'for example "plane=a role=leaf" or a-su1-r3-leaf:12/1')
    if not colon:
        return Where(device=device)
    found = _PORT.fullmatch(port)
    if not found:
        raise _wrong_port(device, port, source, lead + len(device) + 1, translate)
    return Where(device=device, cage=int(found[1]), sub=int(found[2]) if found[2] else None)


def plain_cage(port: str) -> str | None:
    """`cage[/sub]` of a vendor's port name that shows it (`etp12a`, `et-0/0/11`, `swp12s0`); else `None`."""
    for pattern in _PLAIN_PORT_NAMES:
        if found := pattern.fullmatch(port):
            parts = found.groupdict()
            cage = int(parts["cage"]) if parts.get("cage") else int(parts["cage0"]) + 1
            if parts.get("letter"):
                return f"{cage}/{ord(parts['letter'].lower()) - ord('a') + 1}"
            if parts.get("sub0"):
                return f"{cage}/{int(parts['sub0']) + 1}"
            return f"{cage}/{parts['sub']}" if parts.get("sub") else str(cage)
    return None


def _selection(text: str, source: Source | None) -> Where:
    chosen: dict[str, str] = {}
    for found in re.finditer(r"\S+", text):
        key, equals, value = found[0].partition("=")
        if not equals:
            hint = "several conditions are separated by spaces, each is key=value"
            raise _wrong(f"`{found[0]}` is not key=value", source, found.start(), len(found[0]), hint)
        if key not in KEYS:
            close = get_close_matches(key, KEYS, n=1)
            hint = f"did you mean `{close[0]}`?" if close else f"keys: {', '.join(KEYS)}"
            raise _wrong(f"`{key}` is not a key of `where`", source, found.start(), max(1, len(key)), hint)
        if key in chosen:
            raise _wrong(f"`{key}` stands here twice", source, found.start(), len(found[0]), "one value for each key")
        if not _NAME.fullmatch(value) or (key == "rail" and not re.fullmatch(r"[1-9]\d{0,3}", value, re.ASCII)):
            expected = "a number from 1" if key == "rail" else "a name"
            raise _wrong(f"`{key}` is {expected}, not `{value}`", source, found.start(), len(found[0]), "")
        if key == "platform" and value not in platforms.names():
            close = get_close_matches(value, platforms.names(), n=1)
            hint = f"did you mean `{close[0]}`?" if close else f"there are {', '.join(platforms.names())}"
            where = found.start() + len(key) + 1
            raise _wrong(f"there is no platform `{value}`", source, where, len(value), hint)
        chosen[key] = value
    return Where(
        plane=chosen.get("plane"),
        unit=chosen.get("unit"),
        role=chosen.get("role"),
        rail=int(chosen["rail"]) if "rail" in chosen else None,
        platform=chosen.get("platform"),
    )


def _wrong_port(device: str, port: str, source: Source | None, offset: int, translate: Translate | None) -> Invalid:
    if not _PORT_NAME.fullmatch(port):
        hint = f"cages are front-panel numbers from 1: {device}:12, or {device}:12/1 for a part of a split cage"
        return _wrong(f"`{port}` is not a port", source, offset, max(1, len(port)), hint)
    by_model = translate(device, port) if translate else None
    right = by_model or plain_cage(port)
    if right is None:
        hint = f"cages are front-panel numbers: {device}:12, or {device}:12/1 for a part of a split cage"
    else:
        cage, _, sub = right.partition("/")
        part = f", sub-port {sub}" if sub else ""
        model = "on this model " if by_model else ""
        hint = f"{model}{port} is cage {cage}{part}: write `{device}:{right}`"
    return _wrong(f"`{port}` is a device's port name, not a cage", source, offset, len(port), hint)


def _wrong(message: str, source: Source | None, offset: int, width: int, hint: str) -> Invalid:
    place = source and Source(file=source.file, line=source.line, column=source.column + offset, width=max(1, width))
    return Invalid([Diagnostic(message=message, source=place, hint=hint)])
