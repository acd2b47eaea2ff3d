"""What headroom and pools of a switch follow from: the ASIC's figures, and the tables of each hardware profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadroomData:
    """The ASIC's figures in SONiC's headroom formula (headroom.md 2.2), and the limit a port's headroom meets.

    Only where `method` is `formula`: on other ASICs the figures of the formula are 0 and mean nothing.
    """

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
    """A port may hold so many cells of headroom, reserved and shared together; the reserved ones double on 8 lanes.

    Both 0: no cap of a port is published."""
    method: str = "formula"
    """How headroom is computed where no table is asked: `formula` (SONiC's, NVIDIA), `curve` (physics with the fixed
    delay that this ASIC's published tables show) or `ceiling` (physics with generic margins: an estimate)."""
    fixed_ns: int | None = None
    """Reaction, interfaces and pipeline together, fitted to a published table of this ASIC (headroom.md 2.5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRule:
    """The settings of SONiC's formula that give a published table, found by search (headroom.md, top and 2.2)."""

    small_percent: int
    lossless_mtu_bytes: int
    port_mtu_bytes: int
    small_by: str
    """What `small_percent` counts: `bytes` (rule of today) or `packets` (older rule, cells not rounded up)."""
    fixed_response: bool
    """The peer reacts within 3.8 KiB at every speed: the oldest rule, before pause quanta."""
    quanta_800g: int
    """Pause quanta at 800G: 905, or 1,810."""
    tile: bool
    extra_kib: int
    gearbox_ns: int
    exact_rows: int
    rows: int
    """How many rows of the table these settings give to the byte, and how many there are."""


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
    rule: TableRule | None = None
    """What the table was made with; `None` where it is no table of SONiC's formula, or none that was found."""

    def pools_of(self, topology: str) -> tuple[PoolTemplate, ...]:
        """The pools of a template (`t0`, `t1`); those of another one where it is not published, else none."""
        return self.pools.get(topology) or next(iter(self.pools.values()), ())

    def lengths_m(self, speed_mbps: int) -> tuple[int, ...]:
        """The cable lengths the lookup table knows for a speed, shortest first; empty where it has none."""
        return tuple(sorted(length for speed, length in self.pg if speed == speed_mbps))

    def row_length_m(self, speed_mbps: int, length_m: float) -> int | None:
        """The shortest length of the table that covers a cable; `None` where the cable is longer than every row."""
        return next((row for row in self.lengths_m(speed_mbps) if row >= length_m), None)


def pool_roles(pools: tuple[PoolTemplate, ...]) -> Mapping[str, PoolTemplate]:
    """What each kind of traffic uses of a template's pools: `ingress_lossless_pool`, `ingress_lossy_pool`, … → pool.

    NVIDIA's templates have all four by these names. Others have fewer (`ingress_pool`, `lossy_pool`, one for both
    directions), which the kinds then share; empty for a template without pools.
    """
    ways = {
        "ingress": [p for p in pools if p.direction in ("ingress", "both")],
        "egress": [p for p in pools if p.direction in ("egress", "both")],
    }
    found: dict[str, PoolTemplate] = {}
    for way, all_of in ways.items():
        usable = all_of or list(pools)
        lossless = next((p for p in usable if "lossless" in p.name), next(iter(usable), None))
        lossy = next((p for p in usable if "lossy" in p.name), lossless)
        if lossless is not None and lossy is not None:
            found |= {f"{way}_lossless_pool": lossless, f"{way}_lossy_pool": lossy}
    return found
