"""Which questions a model answers: how a cage splits into ports, what a NIC carries, how far a cable reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

PAM4_LANE_MBPS = 50_000
"""From 50G a lane on, Ethernet signals with PAM4, which needs RS(544,514) FEC (IEEE 802.3bs, 802.3cd) [mem]."""


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
    """Name of the undivided port."""
    service: bool = False
    """A cage beside the fabric ports (10/25G, for management); the port pattern of a fabric never uses it."""

    def split(self, mode: str) -> tuple[Subport, ...]:
        """The ports of this cage in a mode, first lane first. Raises KeyError for a mode the cage does not know."""
        if mode not in self.breakouts:
            raise KeyError(mode)
        count = int(mode.partition("x")[0])
        if count == 1:
            return (Subport(number=0, lanes=self.lanes, alias=self.alias),)
        width = len(self.lanes) // count
        return tuple(
            Subport(number=n + 1, lanes=self.lanes[n * width : (n + 1) * width], alias=self.alias + chr(ord("a") + n))
            for n in range(count)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadroomData:
    """The ASIC's figures in SONiC's headroom formula (headroom.md 2.2), and the limit a port's headroom meets."""

    pipeline_kib: Fraction
    mac_phy_kib: Fraction
    peer_response_kib: Fraction
    """Used only for speeds the quanta table lacks."""
    gearbox_ns: int
    extra_kib: int
    """Added to xoff: 18 on Spectrum-6, else 0."""
    tile: bool
    """Traffic crosses dies on the chip, which delays XOFF: Spectrum-4 and -5."""
    port_reserved_cells: int
    port_shared_cells: int
    """A port may hold so many cells of headroom, reserved and shared together; the reserved ones double on 8 lanes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PgRow:
    """One row of a HWSKU's `pg_profile_lookup.ini`, as published."""

    size_bytes: int
    xon_bytes: int
    xoff_bytes: int
    threshold: int
    """`dynamic_th`: alpha is 2 to this power."""
    xon_offset_bytes: int | None

    @property
    def dedicated(self) -> bool:
        """Each priority group carries its own headroom: the table leaves no room for a shared headroom pool.

        One published row (40G at 5 m of ACS-SN5600) is 1,024 B smaller than xon + xoff and still dedicated, so
        anything well above xon counts.
        """
        return self.size_bytes > self.xon_bytes and self.size_bytes + 1024 >= self.xon_bytes + self.xoff_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolTemplate:
    """One buffer pool as the HWSKU's template renders it."""

    name: str
    direction: str
    mode: str
    size_bytes: int
    shared_headroom_bytes: int | None
    """The pool's `xoff`: size of the shared headroom pool; `None` where headroom is dedicated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hwsku:
    """One hardware profile of SONiC for a switch model: it selects the tables below."""

    name: str
    platform: str
    """SONiC's platform string."""
    pg: Mapping[tuple[int, int], PgRow]
    """(speed in Mb/s, cable in m) → row of the lookup table. SONiC matches both exactly; a miss is no headroom."""
    pools: Mapping[str, tuple[PoolTemplate, ...]]
    """Buffer template (`t0` leaf, `t1` spine) → its pools."""
    breakout_modes: Mapping[str, str]
    """Mode → its spelling in `platform.json`, which `BREAKOUT_CFG` repeats."""
    factory_modes: Mapping[int, str]
    """Cage → the mode it ships in."""
    factory_cable_m: int
    """Cable length the template writes for every port."""
    sources: Mapping[str, str]

    def lengths_m(self, speed_mbps: int) -> tuple[int, ...]:
        """The cable lengths the lookup table knows for a speed, shortest first; empty where it has none."""
        return tuple(sorted(length for speed, length in self.pg if speed == speed_mbps))

    def row_length_m(self, speed_mbps: int, length_m: float) -> int | None:
        """The shortest length of the table that covers a cable; `None` where the cable is longer than every row."""
        return next((row for row in self.lengths_m(speed_mbps) if row >= length_m), None)


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

    def port_headroom_cap_bytes(self, lanes: int) -> int:
        """What a port may take of a shared headroom pool: xon + xoff - size, summed over its priority groups.

        SONiC refuses a profile beyond it (buffer_check_headroom_mellanox.lua, headroom.md 4.2).
        """
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
