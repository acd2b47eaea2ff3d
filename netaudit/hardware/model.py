"""Which questions a model answers: how a cage splits into ports, what a NIC carries, how far a cable reaches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from netaudit.hardware.figures import Figure, Limits
from netaudit.hardware.tables import HeadroomData, Hwsku

PAM4_LANE_MBPS = 50_000
"""From 50G a lane on, Ethernet signals with PAM4, which needs RS(544,514) FEC (IEEE 802.3bs, 802.3cd) [mem]."""
_FAMILY = re.compile(r"Silicon One|[A-Za-z]+")
"""The name of a chip without its generation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subport:
    """One port of a cage. `number` is the 1-based `/sub` of `cage/sub`, 0 where the cage is one port."""

    number: int
    lanes: tuple[int, ...]
    alias: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """One front-panel cage."""

    number: int
    """As printed on the front panel."""
    lanes: tuple[int, ...]
    """SerDes lanes as the NOS counts them, in the order of the sub-ports."""
    max_speed_mbps: int
    breakouts: Mapping[str, tuple[int, ...]]
    """Mode (`1x800G`, `2x400G`) → the speeds each of its ports can run at, fastest first."""
    alias: str
    """Name of the undivided port; empty where none is published."""
    service: bool = False
    """A cage beside the fabric ports (10/25G, for management); the port pattern of a fabric never uses it."""
    sub_alias: str = "{alias}{letter}"
    """Name of a port of a divided cage, of {alias}, {cage}, {letter} (a, b, …), {sub} (1, 2, …) and {lane} (1-based
    first lane of the port in the cage). Empty where none is published."""
    native_index: int | None = None
    """Number that the NOS counts the first lane as, where it is not (cage - 1) x lanes of a cage."""
    itm: int | None = None
    """Part of the buffer, from 0, that its ports use. `None`: there is one part, or the wiring is not published."""

    def split(self, mode: str) -> tuple[Subport, ...]:
        """The ports of this cage in a mode, first lane first. Raises KeyError for a mode the cage does not know."""
        if mode not in self.breakouts:
            raise KeyError(mode)
        count = int(mode.partition("x")[0])
        if count == 1:
            return (Subport(number=0, lanes=self.lanes, alias=self.alias),)
        width = len(self.lanes) // count
        return tuple(
            Subport(number=n + 1, lanes=self.lanes[n * width : (n + 1) * width], alias=self._sub_alias(n, width))
            for n in range(count)
        )

    def _sub_alias(self, n: int, width: int) -> str:
        letter = chr(ord("a") + n)
        return self.sub_alias.format(alias=self.alias, cage=self.number, letter=letter, sub=n + 1, lane=n * width + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchModel:
    """One switch of the catalogue."""

    name: str
    vendor: str
    asic: str
    cages: tuple[Cage, ...]
    cell_bytes: int
    buffer_bytes: int
    """Packet buffer that pools and headroom share."""
    buffer_class: str
    """`shallow` (on the chip) or `deep` (HBM, VOQ)."""
    itms: int
    """Parts the buffer falls into; a port uses its own part only. 1: one buffer for all ports."""
    headroom: HeadroomData
    default_hwsku: str
    hwskus: Mapping[str, Hwsku]
    sources: Mapping[str, str]
    """Field → where its figure comes from."""
    title: str = ""
    """As its maker calls it."""
    limits: Limits = field(default_factory=Limits)
    features: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Word of `FEATURES` → the speeds in Mb/s it works at; none: at every speed."""
    estimates: Mapping[str, int] = field(default_factory=dict)
    """Field → margin in percent of a figure that nobody published (`figure`)."""
    barred: Mapping[str, str] = field(default_factory=dict)
    """Platform → why what this version renders for the model there would be wrong, though its figures are known."""
    partial: Mapping[str, str] = field(default_factory=dict)
    """Platform → what this version leaves out of the configuration there: good for a design, not to be pushed."""
    origin: str = ""
    """The user's file that it comes from; empty for one of the catalogue."""

    @property
    def fabric_cages(self) -> tuple[Cage, ...]:
        """The cages a fabric is built of, in front-panel order: all but the service cages."""
        return tuple(cage for cage in self.cages if not cage.service)

    def cage(self, number: int) -> Cage:
        """The cage with this front-panel number. Raises KeyError."""
        for cage in self.cages:
            if cage.number == number:
                return cage
        raise KeyError(number)

    def index_of(self, cage: Cage) -> int:
        """The number that a NOS which names ports after lanes counts the first lane of a cage as."""
        if cage.native_index is not None:
            return cage.native_index
        return (cage.number - 1) * len(self.fabric_cages[0].lanes)

    @property
    def family(self) -> str:
        """The line of chips: `Spectrum`, `Tomahawk`, `Jericho`, …"""
        found = _FAMILY.match(self.asic)
        return found.group(0) if found else self.asic

    @property
    def itm_bytes(self) -> int:
        """The buffer that a port can use: its own part's."""
        return self.buffer_bytes // self.itms

    def itm_of(self, cage: int) -> int | None:
        """The part of the buffer that a cage uses; `None` where several are there and the wiring is not published.

        Then nobody can tell which ports share a part, and the honest bound is the fullest way to deal them out.
        """
        return 0 if self.itms == 1 else self.cage(cage).itm

    def figure(self, field: str) -> Figure:
        """A number with its source and, for an estimate, its margin: `buffer_bytes`, `headroom.fixed_ns`,
        `limits.ecmp_width`. Raises KeyError for a field that is no number of this model."""
        head, _, rest = field.partition(".")
        holder: object = {"headroom": self.headroom, "limits": self.limits}.get(head) if rest else self
        value = getattr(holder, rest or head, None)
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise KeyError(field)
        return Figure(value=value, source=self.sources.get(field, ""), margin_percent=self.estimates.get(field))

    def can(self, feature: str, speed_mbps: int | None = None) -> bool:
        """Whether the chip is known to do this (`FEATURES`), at a speed if one is given."""
        speeds = self.features.get(feature)
        return speeds is not None and (not speeds or speed_mbps is None or speed_mbps in speeds)

    def port_headroom_cap_bytes(self, lanes: int) -> int:
        """What a port may take of a shared headroom pool: xon + xoff - size, summed over its priority groups.

        SONiC refuses a profile beyond it (buffer_check_headroom_mellanox.lua, headroom.md 4.2). Where no cap of a port
        is published, its part of the buffer is one.
        """
        if self.headroom.port_shared_cells == 0:
            return self.itm_bytes
        reserved = self.headroom.port_reserved_cells * (2 if lanes == 8 else 1)
        return (self.headroom.port_shared_cells + reserved) * self.cell_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class NicModel:
    """One network adapter of the hosts. Rates are per direction."""

    name: str
    title: str
    max_ports: int
    port_speeds_mbps: tuple[int, ...]
    """What one port can run at, fastest first."""
    total_mbps: int
    """What all its ports carry together."""
    pcie_generation: int
    pcie_lanes: int
    pcie_mbps: int
    """What its PCIe link carries after line coding, before packet overhead."""
    sources: Mapping[str, str]
    out_of_order: bool | None = None
    """Whether it takes RDMA packets out of order, as spraying delivers them; `None`: not published."""
    origin: str = ""
    """The user's file that it comes from; empty for one of the catalogue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """One kind of cable or optic."""

    name: str
    title: str
    kind: str
    """`copper` or `optical`."""
    by_lane: bool
    """`reaches_m` counts by the rate of a lane (cables with both ends fixed), not by the speed of the link.

    Optics translate the lanes of the cage into their own."""
    reaches_m: Mapping[int, int]
    """Rate in Mb/s → greatest length. A rate that is missing does not exist in this medium."""
    source: str

    def reach_m(self, speed_mbps: int, lanes: int) -> int | None:
        """How long a link of this speed over so many lanes of the cage may be; `None` where there is no such link."""
        if not self.by_lane:
            return self.reaches_m.get(speed_mbps)
        lane_mbps = Fraction(speed_mbps, lanes)
        return next((reach for rate, reach in sorted(self.reaches_m.items()) if rate >= lane_mbps), None)


def packed_mode(cage: Cage, speed_mbps: int) -> str | None:
    """The mode that gives a cage most ports whose fastest speed this is; else the first that knows the speed at all."""
    exact = [mode for mode, speeds in cage.breakouts.items() if speeds[0] == speed_mbps]
    able = [mode for mode, speeds in cage.breakouts.items() if speed_mbps in speeds]
    return max(exact, key=lambda mode: int(mode.partition("x")[0]), default=next(iter(able), None))


def breakout_for(cage: Cage, speed_mbps: int, count: int) -> str | None:
    """The mode that gives a cage `count` ports of this speed; `None` where it has none.

    Modes with more ports than asked for are not used: the rest would be ports nobody asked for.
    """
    for mode, speeds in cage.breakouts.items():
        if int(mode.partition("x")[0]) == count and speed_mbps in speeds:
            return mode
    return None


def required_fec(speed_mbps: int, lanes: int) -> str | None:
    """`rs` where the signalling cannot work without it (PAM4: 50G a lane and more), else `None`: the choice is free."""
    return "rs" if Fraction(speed_mbps, lanes) >= PAM4_LANE_MBPS else None
