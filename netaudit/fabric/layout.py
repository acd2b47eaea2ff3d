"""Which port is for what: downlinks up from the first cage, uplinks down from the last (DESIGN.md, rule 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netaudit.fabric.model import FabricPort, Layout
from netaudit.hardware import Cage, SwitchModel, packed_mode
from netaudit.platforms import Platform


class DoesNotFit(ValueError):
    """The ports asked for are not on this model: too many of a kind, or too fast for any cage."""

    def __init__(self, message: str, kind: str, *, too_fast: bool = False) -> None:
        self.kind = kind
        self.too_fast = too_fast
        super().__init__(message)


def layout(
    model: SwitchModel,
    platform: Platform,
    down: Iterable[tuple[str, int, int]],
    up: Iterable[tuple[str, int, int]],
) -> Layout:
    """Deal out the ports of a model. `down` and `up` are groups of (kind, count, speed in Mb/s).

    Whole cages are dealt out; what is left of a group's last cage is spare. Raises `DoesNotFit` when cages run out or
    a cage cannot run at the speed.
    """
    cages = list(model.fabric_cages)
    dealt: dict[str, FabricPort] = {}
    modes: dict[int, list[FabricPort]] = {}
    downlinks: list[str] = []
    uplinks: list[str] = []
    kinds: dict[str, list[str]] = {}
    for groups, keys, order in ((down, downlinks, cages), (up, uplinks, cages[::-1])):
        free = iter([c for c in order if c.number not in modes])
        for kind, count, speed_mbps in groups:
            for port in _deal(model, platform, free, kind, count, speed_mbps, falling=order is not cages):
                modes.setdefault(port.cage, _cage(model, platform, model.cage(port.cage), "spare", speed_mbps))
                dealt[port.key] = port
                keys.append(port.key)
                kinds.setdefault(kind, []).append(port.key)
    ports: dict[str, FabricPort] = {}
    for cage in model.cages:
        for port in modes.get(cage.number) or _cage(model, platform, cage, "spare", cage.max_speed_mbps):
            ports[port.key] = dealt.get(port.key, port)
    of_kind = {kind: tuple(keys) for kind, keys in kinds.items()}
    return Layout(ports=ports, downlinks=tuple(downlinks), uplinks=tuple(uplinks), groups=of_kind)


def _deal(
    model: SwitchModel,
    platform: Platform,
    free: Iterator[Cage],
    kind: str,
    count: int,
    speed_mbps: int,
    *,
    falling: bool,
) -> list[FabricPort]:
    """`count` ports from whole cages, in cage order; in falling order the sub-ports fall too (64/2, 64/1, 63/2)."""
    taken: list[FabricPort] = []
    while len(taken) < count:
        cage = next(free, None)
        if cage is None:
            speed = f"{speed_mbps // 1000}G"
            raise DoesNotFit(f"{count} {kind} ports at {speed} need more cages than {model.name} has left", kind)
        ports = _cage(model, platform, cage, kind, speed_mbps)
        taken += ports[::-1] if falling else ports
    return taken[:count]


def _cage(model: SwitchModel, platform: Platform, cage: Cage, kind: str, speed_mbps: int) -> list[FabricPort]:
    """The ports of one cage at a speed. Raises `DoesNotFit`."""
    mode = packed_mode(cage, speed_mbps)  # slower links are packed (DESIGN.md section 3, «Indices»)
    if mode is None:
        fastest = f"{cage.max_speed_mbps // 1000}G"
        message = f"no cage of {model.name} runs at {speed_mbps // 1000}G (the fastest is {fastest})"
        raise DoesNotFit(message, kind, too_fast=True)
    return cage_ports(model, platform, cage, mode, speed_mbps, kind)


def _native(model: SwitchModel, platform: Platform, cage: Cage, key: str, lanes: int) -> str:
    """The NOS's name of a port, which follows from where the model says that its cage starts."""
    return platform.port_name(key, lanes, len(cage.lanes), model.index_of(cage))


def cage_ports(
    model: SwitchModel, platform: Platform, cage: Cage, mode: str, speed_mbps: int, kind: str = "spare"
) -> list[FabricPort]:
    """The ports of one cage in a mode."""
    return [
        FabricPort(
            key=(key := f"{cage.number}/{part.number}" if part.number else str(cage.number)),
            cage=cage.number,
            sub=part.number,
            lanes=part.lanes,
            speed_mbps=speed_mbps,
            native=_native(model, platform, cage, key, len(part.lanes)),
            # where it is no setting of its own, LLDP tells the name
            alias="" if "ports.*.alias" in platform.IMPLIED else part.alias,
            mode=mode,
            kind=kind,
        )
        for part in cage.split(mode)
    ]
