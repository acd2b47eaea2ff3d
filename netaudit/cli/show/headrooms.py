"""`show headroom` without a port: the headroom of every kind of port, and whether it fits each kind of switch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from netaudit import lossless
from netaudit.cli.show.cables import cable_of, speed_mbps
from netaudit.cli.show.headroom import given_data
from netaudit.cli.show.headroom_held import OnDevice, on_device
from netaudit.cli.show.page import Json, Table, View, facts, notes, page, table
from netaudit.cli.show.values import metres, speed
from netaudit.expect import Expected
from netaudit.expect.classes import lossless_priorities
from netaudit.expect.headroom import Headroom, NoHeadroom, formula, policy, port_headroom
from netaudit.expect.pools import headroom_bytes, shared_headroom
from netaudit.fabric import FabricDevice
from netaudit.terminal import Symbol, counted, exact_bytes, fold_text, rough_bytes, share


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Ports that get the same headroom, or none for the same reason."""

    role: str
    speed_mbps: int
    given: Headroom | NoHeadroom
    ports: tuple[str, ...]
    """`device:port`, in the order of the fabric."""
    longest_m: float
    shortest_m: float
    needed_bytes: int
    """xoff by the formula for the longest of the cables."""
    held: OnDevice | None
    """What the first of the devices is told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The headroom of one switch."""

    device: FabricDevice
    total_bytes: int
    phi: Fraction
    """Part of the buffer that it may take, as the intent says."""

    @property
    def fit(self) -> lossless.Fit:
        """Against the buffer of its chip."""
        buffer_bytes = self.device.model.buffer_bytes
        return lossless.fit(headroom_bytes=self.total_bytes, buffer_bytes=buffer_bytes, phi=self.phi)


def kinds(expected: Expected, names: tuple[str, ...]) -> tuple[tuple[Kind, ...], tuple[Load, ...]]:
    """The kinds of ports of these devices, and the fullest device of each role."""
    fabric = expected.built
    found: dict[tuple[str, int, object], list[tuple[str, float, Headroom | NoHeadroom, int]]] = {}
    fullest: dict[str, Load] = {}
    for name in names:
        device = fabric.devices[name]
        profiles: list[Headroom] = []
        for key, port in fabric.ports(name).items():
            rate = speed_mbps(fabric, name, port)
            given, wire = port_headroom(fabric, device, port, rate), cable_of(fabric, name, port)
            if given is None or wire is None:
                continue
            same = given.profile if isinstance(given, Headroom) else given.reason
            lanes = len(port.lanes)
            found.setdefault((device.place.role, rate, same), []).append((f"{name}:{key}", wire.length_m, given, lanes))
            profiles += [given] if isinstance(given, Headroom) else []
        shared = shared_headroom(fabric, device, profiles) or 0
        phi = policy(fabric, device.model, device.place.role).phi / 100
        load = Load(device=device, total_bytes=headroom_bytes(fabric, profiles) + shared, phi=phi)
        role = device.place.role
        if role not in fullest or load.fit.share > fullest[role].fit.share:
            fullest[role] = load
    rows = (_kind(expected, role, rate, members) for (role, rate, _), members in found.items())
    return tuple(rows), tuple(fullest.values())


def _kind(
    expected: Expected, role: str, rate: int, members: list[tuple[str, float, Headroom | NoHeadroom, int]]
) -> Kind:
    device = expected.built.devices[members[0][0].partition(":")[0]]
    longest = max(members, key=lambda member: member[1])
    bulk = policy(expected.built, device.model, device.place.role).packets == "bulk"
    own = isinstance(longest[2], NoHeadroom) or longest[2].dedicated
    mtu = expected.built.intent.model.mtu.port
    need = formula(device.model, rate, longest[1], longest[3], mtu, bulk=bulk, allowance=own)
    return Kind(
        role=role,
        speed_mbps=rate,
        given=longest[2],
        ports=tuple(member[0] for member in members),
        longest_m=longest[1],
        shortest_m=min(member[1] for member in members),
        needed_bytes=need.xoff_bytes,
        held=_held(expected, longest[0], longest[2]),
    )


def _held(expected: Expected, end: str, given: Headroom | NoHeadroom) -> OnDevice | None:
    name, _, port = end.partition(":")
    if isinstance(given, NoHeadroom) or not lossless_priorities(expected.built.intent):
        return None
    return on_device(expected, name, port, given.xoff_bytes)


def kinds_page(expected: Expected, names: tuple[str, ...], view: View) -> str:
    """The page of a device, or of the whole fabric."""
    rows, loads = kinds(expected, names)
    where = names[0] if len(names) == 1 else expected.fabric
    without = [kind for kind in rows if isinstance(kind.given, NoHeadroom)]
    many = [load for load in loads if not load.fit.fits]
    fullest = max(loads, key=lambda load: load.fit.share, default=None)
    if not rows or fullest is None:
        return page(view, (Symbol.INFO, f"no cable, so no headroom on {where}"), then=view.command("show fabric"))
    if without:
        count = sum(len(kind.ports) for kind in without)
        head = (Symbol.ERROR, f"no headroom on {counted(count, 'port')} of {where}: lossless packets would drop")
    else:
        part = f"fullest {fullest.device.name}, {rough_bytes(fullest.total_bytes)}, {_share(fullest)} of the buffer"
        says, symbol = "fits on", Symbol.INFO
        if any(load.fit.share >= 1 for load in loads):
            says, symbol = "does not fit on", Symbol.ERROR
        elif many:
            says, symbol = "leaves little for bursts on", Symbol.WARNING
        head = (symbol, f"headroom {says} {where}: {part}")
    names_of = (
        ("role", "speed", "length", "ports", "xoff bytes", "formula", "from") if len(names) > 1 else _HEAD_OF_DEVICE
    )
    shown = Table(head=names_of, rows=tuple(_row(kind, len(names) == 1) for kind in rows), right=frozenset({3, 4, 5}))
    if len(names) == 1:
        shown = Table(head=names_of, rows=shown.rows, right=frozenset({2, 3, 4}))
    blocks = (
        table(view, shown),
        facts(view.style, (*_loads(loads), *_on_devices(rows))),
        notes(view.style, tuple(_short(rows)), Symbol.WARNING),
    )
    return page(view, head, *blocks, then=view.command("show headroom", rows[-1].ports[-1]))


_HEAD_OF_DEVICE = ("ports", "speed", "length", "xoff bytes", "formula", "from")


def _row(kind: Kind, of_device: bool) -> tuple[str, ...]:
    given = kind.given
    xoff = f"{given.xoff_bytes:,}" if isinstance(given, Headroom) else "–"
    source = given.source.partition(" for ")[0] if isinstance(given, Headroom) else given.reason
    length = metres(kind.longest_m)
    if kind.shortest_m != kind.longest_m:
        length = f"{kind.shortest_m:g} to {length}"
    if of_device:
        ports = fold_text([f":{name.partition(':')[2]}" for name in kind.ports])
        return (ports, speed(kind.speed_mbps), length, xoff, f"{kind.needed_bytes:,}", source)
    count = f"{len(kind.ports):,}"
    return (kind.role, speed(kind.speed_mbps), length, count, xoff, f"{kind.needed_bytes:,}", source)


def _share(load: Load) -> str:
    return share(load.total_bytes, load.device.model.buffer_bytes)


def _loads(loads: tuple[Load, ...]) -> Iterator[tuple[str, str]]:
    for load in loads:
        buffer = rough_bytes(load.device.model.buffer_bytes)
        limit = share(float(load.fit.limit), 1)
        text = f"{rough_bytes(load.total_bytes)} of {buffer} ({_share(load)}, at most {limit}) on {load.device.name}"
        yield f"fullest {load.device.place.role}", text
    yield "formula", "xoff that the formula of the ASIC asks for at the longest of these cables"


def _on_devices(rows: tuple[Kind, ...]) -> Iterator[tuple[str, str]]:
    """NOS by NOS what its switches are told, where that is not just these bytes."""
    told: dict[str, list[str]] = {}
    for kind in rows:
        if kind.held is not None and kind.held.why:
            said = told.setdefault(kind.held.nos, [])
            said += [kind.held.all_text] if kind.held.all_text not in said else []
        if kind.held is not None and kind.held.no_alpha:
            said = told.setdefault(kind.held.nos, [])
            said += [f"alpha is not set: {kind.held.no_alpha}"] if not any(s.startswith("alpha") for s in said) else []
    for nos, said in told.items():
        for number, text in enumerate(said):
            yield "" if number else f"on {nos}", text


def _short(rows: tuple[Kind, ...]) -> Iterator[str]:
    for kind in rows:
        where = fold_text(kind.ports[:3])
        if isinstance(kind.given, NoHeadroom):
            yield f"{where}: {kind.given.reason}; {kind.given.hint}"
        elif kind.given.xoff_bytes < kind.needed_bytes:
            less = exact_bytes(kind.needed_bytes - kind.given.xoff_bytes)
            yield f"{where}: {less} less than the formula asks for at {metres(kind.longest_m)}"


def kinds_data(expected: Expected, names: tuple[str, ...]) -> Mapping[str, Json]:
    """The same in JSON."""
    rows, loads = kinds(expected, names)
    return {
        "show": "headroom",
        "device": names[0] if len(names) == 1 else None,
        "kinds": [
            {
                "role": kind.role,
                "speed_mbps": kind.speed_mbps,
                "ports": list(kind.ports),
                "shortest_m": kind.shortest_m,
                "longest_m": kind.longest_m,
                "needed_xoff_bytes": kind.needed_bytes,
                "headroom": given_data(kind.given),
                "held": None if kind.held is None else kind.held.data,
            }
            for kind in rows
        ],
        "fullest": [
            {
                "role": load.device.place.role,
                "device": load.device.name,
                "headroom_bytes": load.total_bytes,
                "buffer_bytes": load.device.model.buffer_bytes,
                "fits": load.fit.fits,
            }
            for load in loads
        ],
    }
