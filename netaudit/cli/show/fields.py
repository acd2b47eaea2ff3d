"""Which leaf of a device a field means that a person typed: a word of the intent, a name of the state, or a path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from difflib import get_close_matches
from typing import cast

from netaudit.cli.show.spelling import why_gone
from netaudit.cli.show.target import Target
from netaudit.diag import Diagnostic, Invalid
from netaudit.state import ABSENT, Device, Origin
from netaudit.state.walk import Path, dotted, names

PORT_WORDS: Mapping[str, str] = {
    "mtu": "ports.{port}.mtu_bytes",
    "speed": "ports.{port}.speed_mbps",
    "up": "ports.{port}.oper_up",
    "length": "buffers.ports.{port}.cable_length_m",
    "cable": "buffers.ports.{port}.cable_length_m",
    "cable.length": "buffers.ports.{port}.cable_length_m",
    "address": "interfaces.{port}.addresses",
    "neighbor": "lldp.neighbors.{port}.system",
    "session": "bgp.neighbors.{port}.session",
    "peer.asn": "bgp.neighbors.{port}.remote_asn",
    "pfc": "qos.ports.{port}.pfc",
    "watchdog": "qos.ports.{port}.watchdog.detect_ms",
    "headroom": "buffers.profiles.{profile}.xoff_bytes",
    "xoff": "buffers.profiles.{profile}.xoff_bytes",
    "xon": "buffers.profiles.{profile}.xon_bytes",
    "size": "buffers.profiles.{profile}.size_bytes",
    "alpha": "buffers.profiles.{profile}.alpha",
    "profile": "buffers.ports.{port}.groups.{group}",
    "ecn": "qos.wred.{wred}.ecn",
    "kmin": "qos.wred.{wred}.colours.green.kmin_bytes",
    "kmax": "qos.wred.{wred}.colours.green.kmax_bytes",
    "pmax": "qos.wred.{wred}.colours.green.pmax_percent",
}
"""Word of the intent or of the field → leaf of a port. Colours are marked alike, so green stands for all three."""

DEVICE_WORDS: Mapping[str, str] = {
    "asn": "bgp.asn",
    "name": "system.hostname",
    "loopback": "interfaces.Loopback0.addresses",
    "router.id": "bgp.router_id",
    "keepalive": "bgp.keepalive_s",
    "hold": "bgp.hold_s",
    "poll": "qos.watchdog_poll_ms",
    "pool": "buffers.pools.ingress_lossless_pool.size_bytes",
    "platform": "system.hardware",
    "lldp": "lldp.enabled",
}
"""The same of a device."""

FEW = 6
"""Fields that an error lists before it stops."""


def leaf(device: Device, at: Target, field: str) -> Path:
    """The leaf that `field` means at a device or port. Raises `Invalid`: none (did you mean), or several (which)."""
    known = every(device)
    wanted = field.strip()
    for find in (_exact, _word, _intent_path, _named):
        found = tuple(dict.fromkeys(find(device, at, wanted, known)))
        if len(found) == 1:
            return found[0]
        if found:
            raise Invalid([_several(at, wanted, found)])
    raise Invalid([_unknown(device, at, wanted, known)])


def leads_somewhere(device: Device, name: str, port: str, word: str) -> bool:
    """Does a word mean one leaf of the port that has a value? Pages send on to no other."""
    try:
        path = leaf(device, Target(device=name, port=port), word)
    except Invalid:
        return False
    return value(device, path) is not None


def here(device: Device, at: Target) -> tuple[Path, ...]:
    """Every leaf of the port, or of the device beside its ports: what an overview lists."""
    return tuple(path for path in every(device) if _belongs(device, at, path))


def _exact(device: Device, at: Target, wanted: str, known: tuple[Path, ...]) -> Iterator[Path]:
    yield from (path for path in known if dotted(path) == wanted)


def _word(device: Device, at: Target, wanted: str, known: tuple[Path, ...]) -> Iterator[Path]:
    word = wanted.lower().replace("_", ".")
    pattern = PORT_WORDS.get(word) if at.port else None
    pattern = pattern or DEVICE_WORDS.get(word)
    if pattern is None:
        if word in PORT_WORDS and at.port is None:
            raise Invalid([_needs_port(device, at, wanted)])
        return
    for values in _filled(device, at, pattern.rpartition(".")[2]):
        path = tuple(part.format(**values) for part in pattern.split("."))
        if exists(device, path):
            yield path


def _filled(device: Device, at: Target, name: str) -> Iterator[Mapping[str, str]]:
    """What the braces of a word stand for at a port: its lossless group and profile, its marked queues.

    Where a NOS binds no profile to ports, those of the whole switch that say something of this name.
    """
    port = at.port or ""
    bound = (device.buffers.ports or {}).get(port) if device.buffers else None
    groups = {key: name for key, name in ((bound.groups if bound else None) or {}).items() if _has_xoff(device, name)}
    queues = (device.qos.ports or {}).get(port) if device.qos else None
    marked = [q.wred for q in ((queues.queues if queues else None) or {}).values() if isinstance(q.wred, str)]
    for group, profile in groups.items() or [("", of_all) for of_all in _whole(device, name)] or (("", ""),):
        for wred in dict.fromkeys(marked) or ("",):
            yield {"port": port, "group": group, "profile": profile, "wred": wred}


def _whole(device: Device, name: str) -> tuple[str, ...]:
    """Profiles that hold for a switch as a whole, and have a value there: no port of it has a profile of its own."""
    buffers = device.buffers
    if buffers is None or any(port.groups for port in (buffers.ports or {}).values()):
        return ()
    said = {key: getattr(profile, name, None) for key, profile in (buffers.profiles or {}).items()}
    return tuple(key for key, leaf in said.items() if leaf is not None and leaf is not ABSENT)


def _has_xoff(device: Device, profile: str) -> bool:
    found = (device.buffers.profiles or {}).get(profile) if device.buffers else None
    return found is not None and isinstance(found.xoff_bytes, int)


def _intent_path(device: Device, at: Target, wanted: str, known: tuple[Path, ...]) -> Iterator[Path]:
    """Leaves that this very path of the intent decides: `mtu.port`, `bgp.hold`."""
    if "." in wanted:
        yield from (path for path in known if _belongs(device, at, path) and origin(device, path) == wanted)


def _named(device: Device, at: Target, wanted: str, known: tuple[Path, ...]) -> Iterator[Path]:
    """Leaves whose path ends in these words, else leaves below an object whose path does."""
    words = tuple(wanted.split("."))
    mine = [path for path in known if _belongs(device, at, path)]
    if at.port and not any(_contains(path, words) for path in mine):
        mine = [path for path in known if _belongs(device, Target(device=at.device), path)]
    ends = [path for path in mine if path[-len(words) :] == words]
    yield from ends or (path for path in mine if _contains(path, words))


def _contains(path: Path, words: tuple[str, ...]) -> bool:
    return any(path[i : i + len(words)] == words for i in range(1, len(path) - len(words) + 1))


def _belongs(device: Device, at: Target, path: Path) -> bool:
    """Is the leaf of the port asked for; or, where none was, of no port?"""
    ports = device.ports or {}
    named = next((part for part in path[1:] if part in ports and path[0] != "routes"), None)
    return named == at.port if _has_ports(path) else at.port is None


def _has_ports(path: Path) -> bool:
    """Tables by port: `ports`, `interfaces` (but those of loopback and VLAN), `bgp.neighbors`, `qos.ports`, …"""
    if path[0] == "interfaces":
        return path[1] != "Loopback0" and not path[1].startswith("Vlan")
    return path[0] == "ports" or path[:2] in {
        ("bgp", "neighbors"),
        ("qos", "ports"),
        ("buffers", "ports"),
        ("lldp", "neighbors"),
    }


# ── walking one path ──────────────────────────────────────────────────────────────────────────────────────────────


def every(device: Device) -> tuple[Path, ...]:
    """Every leaf of a device, set or not managed; tables that hold nothing are leaves, too."""

    def walk(node: object, at: Path) -> Iterator[Path]:
        parts = tuple(map(str, node)) if isinstance(node, Mapping) else _fields(node)
        for part in parts:
            yield from walk(step(node, part)[0], (*at, part))
        if not parts:
            yield at

    return tuple(path for path in walk(device, ()) if len(path) > 1)


def _fields(node: object) -> tuple[str, ...]:
    """The compared fields of an object of the state; none of a value. Sets hold rules, which are values."""
    if isinstance(node, type) or not is_dataclass(node) or not hasattr(node, "origin"):
        return ()
    return names(cast(type, type(node)))


def step(node: object, part: str) -> tuple[object, bool]:
    """(what `part` names in an object or a table, whether it names anything)."""
    if isinstance(node, Mapping):
        key = next((key for key in node if str(key) == part), None)
        return (None, False) if key is None else (node[key], True)
    return (getattr(node, part), True) if part in _fields(node) else (None, False)


def value(device: Device, path: Path) -> object:
    """The value of a leaf; `None` also for one that is not there."""
    node: object = device
    for part in path:
        node, _ = step(node, part)
    return node


def exists(device: Device, path: Path) -> bool:
    """Is there such a leaf, set or not managed? A whole object or table is none."""
    node: object = device
    for part in path:
        node, there = step(node, part)
        if not there:
            return False
    return not isinstance(node, Mapping) and not _fields(node)


def origin(device: Device, path: Path) -> str:
    """Intent path of a leaf, or `=` and a formula: what the innermost object that knows says."""
    node: object = device
    found = ""
    for part in path:
        names: Origin | None = getattr(node, "origin", None)
        found = (names or {}).get(part, found)
        node, _ = step(node, part)
    return found


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _needs_port(device: Device, at: Target, wanted: str) -> Diagnostic:
    first = next(iter(device.ports or {}), "1")
    return Diagnostic(
        message=f"`{wanted}` is of a port, and `{at}` names none", hint=f"for example {at.device}:{first} {wanted}"
    )


def _several(at: Target, wanted: str, found: tuple[Path, ...]) -> Diagnostic:
    names = ", ".join(map(dotted, found[:FEW])) + (f", … {len(found) - FEW:,} more" if len(found) > FEW else "")
    return Diagnostic(message=f"`{wanted}` means {len(found):,} fields of {at}", hint=f"take one of: {names}")


def _why_none(device: Device, at: Target, pattern: str) -> str:
    wanted = tuple(part.format(port=at.port, profile="*", group="*", wred="*") for part in pattern.split("."))
    if getattr(device, wanted[0]) is None:
        return "its area is not in `owns`: it is left as the device has it"
    cabled = device.lldp is not None and at.port in (device.lldp.neighbors or {})
    if (at.port is None or cabled) and (why := why_gone(device.platform, wanted)):
        return why
    return "nothing of that kind is planned there" if at.port is None or cabled else "a spare port has none"


def _unknown(device: Device, at: Target, wanted: str, known: Iterable[Path]) -> Diagnostic:
    if at.port is None and any(_has_ports(path) and _contains(path, tuple(wanted.split("."))) for path in known):
        return _needs_port(device, at, wanted)
    mine = [path for path in known if _belongs(device, at, path)]
    words = {**DEVICE_WORDS, **(PORT_WORDS if at.port else {})}
    if pattern := words.get(wanted.lower().replace("_", ".")):
        return Diagnostic(message=f"{at} has no `{wanted}`", hint=_why_none(device, at, pattern))
    names = [*words, *dict.fromkeys(path[-1] for path in mine), *map(dotted, mine)]
    near = get_close_matches(wanted, names, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"for example {', '.join(list(words)[:FEW])}"
    return Diagnostic(message=f"{at} has no field `{wanted}`", hint=hint)
