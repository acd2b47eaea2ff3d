"""With which of its documented variants NVIDIA's headroom formula made the table of a HWSKU (headroom.md, top and 2.2).

The vendor states no pattern beside its tables. What is named here was found by search over three settings a table, and
holds for every row of the tables named: the rule is the HWSKU's, never one row's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from netaudit.lossless.headroom import SONIC_PAUSE_QUANTA, Headroom, headroom

QUANTA_AS_400G: Mapping[int, int] = MappingProxyType({**SONIC_PAUSE_QUANTA, 800_000: 1_810})
"""800G given the time of 400G, as the table of Spectrum-6 implies (headroom.md 1.1)."""
NO_QUANTA: Mapping[int, int] = MappingProxyType({})
"""Before SONiC counted pause quanta: peer_response of asic_table.j2 at every speed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Silicon:
    """What asic_table.j2 says of a Spectrum, and what the plug-in adds for it (headroom.md 2.2)."""

    cell_bytes: int
    pipeline_kib: int = 19
    tile: bool = False
    extra_kib: int = 0
    """In the plug-in of today; a table may be older (`Variant.extra`)."""


SPECTRUM: Mapping[int, Silicon] = MappingProxyType(
    {
        1: Silicon(cell_bytes=96),
        2: Silicon(cell_bytes=144),
        3: Silicon(cell_bytes=144),
        4: Silicon(cell_bytes=192, tile=True),
        5: Silicon(cell_bytes=192, tile=True),
        6: Silicon(cell_bytes=256, pipeline_kib=42, extra_kib=18),
    }
)
"""Generation → silicon."""
MAC_PHY_KIB = Fraction("0.8")
PEER_RESPONSE_KIB = Fraction("3.8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way of making a table: the traffic assumed, and the state of the formula at that time."""

    name: str
    small_percent: int
    lossless_mtu_bytes: int
    port_mtu_bytes: int = 9216
    small_by: str = "bytes"
    """`bytes` today, `packets` by the older occupancy rule."""
    pause_quanta: Mapping[int, int] = field(default_factory=lambda: SONIC_PAUSE_QUANTA)
    extra: bool = True
    """The ASIC's own addition (18 KiB on Spectrum-6) is in it."""
    tile: bool = True
    """The way between the dies of a chip is in it."""
    allowance: bool = True
    """2,048 B are added without a shared headroom pool, where the pattern is kinder than all-small packets."""
    gearbox_ns: int = 0

    def at(self, generation: int, speed_mbps: int, length_m: float | Fraction, *, lanes: int = 4) -> Headroom:
        """Headroom of a Spectrum generation by this variant, each group with its own."""
        chip = SPECTRUM[generation]
        return headroom(
            speed_mbps=speed_mbps,
            length_m=length_m,
            port_mtu_bytes=self.port_mtu_bytes,
            lossless_mtu_bytes=self.lossless_mtu_bytes,
            small_packet_percent=self.small_percent,
            lanes=lanes,
            cell_bytes=chip.cell_bytes,
            pipeline_kib=Fraction(chip.pipeline_kib),
            mac_phy_kib=MAC_PHY_KIB,
            tile=chip.tile and self.tile,
            extra_kib=chip.extra_kib if self.extra else 0,
            gearbox_ns=self.gearbox_ns,
            shared_headroom=not self.allowance,
            peer_response_kib=PEER_RESPONSE_KIB,
            pause_quanta=self.pause_quanta,
            small_by=self.small_by,
        )


_OLDEST = "before pause quanta, older occupancy rule, all packets small"
VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "worst-case": Variant(name="current rule, all packets small", small_percent=100, lossless_mtu_bytes=1024),
        "bulk": Variant(name="current rule, half small, MTU 4096", small_percent=50, lossless_mtu_bytes=4096),
        "bulk-shared": Variant(
            name="current rule, half small, MTU 4096, shared headroom pool",
            small_percent=50,
            lossless_mtu_bytes=4096,
            allowance=False,
        ),
        "bulk-older": Variant(
            name="older occupancy rule, half small, MTU 4096, shared headroom pool",
            small_percent=50,
            lossless_mtu_bytes=4096,
            small_by="packets",
            allowance=False,
        ),
        "small-mtu-older": Variant(
            name="older occupancy rule, half small, MTU 1024, shared headroom pool",
            small_percent=50,
            lossless_mtu_bytes=1024,
            small_by="packets",
            allowance=False,
        ),
        "spectrum-6-first": Variant(
            name="current rule, half small, MTU 4096, 1,810 quanta at 800G, without the 18 KiB of today",
            small_percent=50,
            lossless_mtu_bytes=4096,
            pause_quanta=QUANTA_AS_400G,
            extra=False,
            allowance=False,
        ),
        "oldest": Variant(
            name=_OLDEST,
            small_percent=100,
            lossless_mtu_bytes=1024,
            small_by="packets",
            pause_quanta=NO_QUANTA,
            tile=False,
        ),
        "oldest-gearbox": Variant(
            name=f"{_OLDEST}, gearbox of 400 ns",
            small_percent=100,
            lossless_mtu_bytes=1024,
            small_by="packets",
            pause_quanta=NO_QUANTA,
            tile=False,
            gearbox_ns=400,
        ),
    }
)
"""Name → variant. `worst-case` and `bulk` are the two packet models of the intent; the others are in tables only."""

MADE_WITH: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        hwsku: (generation, variant)
        for generation, variant, hwskus in (
            (1, "oldest", "ACS-MSN2010 ACS-MSN2100 ACS-MSN2410 ACS-MSN2700 ACS-MSN2740"),
            (2, "oldest", "ACS-MSN3420 ACS-MSN3700 ACS-MSN3700C"),
            (2, "oldest-gearbox", "ACS-MSN3800"),
            (3, "oldest", "ACS-MSN4410 ACS-MSN4600 ACS-MSN4600C ACS-MSN4700 ACS-SN4280 ACS-SN4800"),
            (3, "small-mtu-older", "Mellanox-SN4700-C128 Mellanox-SN4700-A96C8V8 Mellanox-SN4700-O28"),
            (3, "small-mtu-older", "Mellanox-SN4700-O8V48 Mellanox-SN4700-V48C32"),
            (3, "small-mtu-older", "Mellanox-SN4600C-C64 Mellanox-SN4600C-D100C12S2"),
            (3, "small-mtu-older", "Mellanox-SN4600C-D112C8 Mellanox-SN4600C-D48C40"),
            (4, "worst-case", "ACS-SN5400 ACS-SN5600 Mellanox-SN5600-O128"),
            (4, "bulk-older", "Mellanox-SN5600-V256"),
            (4, "bulk-shared", "Mellanox-SN5600-C256S1"),
            (5, "bulk-shared", "Mellanox-SN5640-C448O16 Mellanox-SN5640-C508O1X2 Mellanox-SN5640-C512S2"),
            (5, "bulk-shared", "Mellanox-SN5640-C512X2 Mellanox-SN5640-O128X2"),
            (6, "spectrum-6-first", "ACS-SN6600 ACS-SN6600_LD ACS-SN6810_LD"),
            (6, "spectrum-6-first", "Mellanox-SN6600_LD-P128C2 Mellanox-SN6600_LD-P64O128C2"),
        )
        for hwsku in hwskus.split()
    }
)
"""HWSKU → (Spectrum generation, variant) of its table. Rows it does not give are named with their contradiction in
tests/lossless/vectors.json, or are the 2 km rows of Spectrum-3 (half of what the formula gives) and two of ACS-MSN3800.
Of other tables no variant gives all rows (headroom.md, top)."""


def spectrum_of(asic: str) -> int | None:
    """The generation of `Spectrum-4`, however spelled; `None` for another ASIC."""
    plain = "".join(asic.lower().replace("-", "").split())
    number = plain.removeprefix("nvidia").removeprefix("spectrum")
    return int(number) if number != plain and number.isdecimal() and int(number) in SPECTRUM else None
