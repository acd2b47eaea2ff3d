"""What a vendor's published table says of its ASIC: the fixed delay at each speed, for the physics of `ceiling`.

Every curve is the formula of headroom.md 1 with the cell of the ASIC, the wire bytes its maker counts a cell for, and
one fixed delay a speed. The delays were solved from the named table: of all rows of a speed at once, so that a table of
n lengths checks each delay n - 1 times (tests/lossless/vectors.json has every row and what remains of its error).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from netaudit.lossless.ceiling import GAP_BYTES, SMALLEST_PACKET_BYTES, Ceiling, ceiling
from netaudit.lossless.derivation import require

ALL_SMALL = SMALLEST_PACKET_BYTES + GAP_BYTES
"""One cell for each 84 B on the wire: the true worst case."""
JERICHO_WIRE = Fraction("3080.21")
"""Buffers of 4 KiB hold 1.3298 B for a byte on the wire: the slope of both deep tables over 2 to 120 km."""
_BUILD = "sonic-buildimage 086b03bd device"


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A table of one vendor for one ASIC, as physics."""

    name: str
    asic: str
    cell_bytes: int
    step_bytes: int
    """What the rows are multiples of: the cell, except where the table counts in halves of it."""
    wire_bytes_per_cell: Fraction
    """Of `step_bytes`. 84 is all-small packets, more are longer ones."""
    port_mtu_bytes: int
    lossless_mtu_bytes: int
    fixed_ns: Mapping[int, Fraction]
    """Speed in Mb/s → reaction, interfaces and pipeline."""
    counted_as: Mapping[int, int]
    """Speed → the faster one whose rows the table has for it too."""
    least_length_m: int
    """Shorter cables have the row of this length."""
    source: str

    def speed_of(self, speed_mbps: int) -> int | None:
        """The speed whose delay is used; `None` where the table has none that is as fast."""
        known = self.counted_as.get(speed_mbps, speed_mbps)
        return known if known in self.fixed_ns else None

    @property
    def all_small(self) -> bool:
        """The maker assumed smallest packets alone, so that other packets can be put in their place."""
        return self.wire_bytes_per_cell == ALL_SMALL

    def at(
        self,
        speed_mbps: int,
        length_m: float | Fraction,
        *,
        packet_bytes: int | None = None,
        mtu_bytes: int | None = None,
    ) -> Ceiling:
        """Headroom at a speed and length. `packet_bytes` asks for other packets than the maker's, where `all_small`.

        `mtu_bytes` stands in for the maker's frames, here and at the peer.

        Raises ValueError for a speed that the table does not have (`speed_of`) and for packets of another curve.
        """
        require(packet_bytes is None or self.all_small, f"{self.name} does not say what packets it assumes")
        known = self.speed_of(speed_mbps)
        require(known is not None, f"{self.name} has no delay for {speed_mbps} Mb/s")
        speed = known or speed_mbps
        return ceiling(
            speed_mbps=speed,
            length_m=max(Fraction(length_m), Fraction(self.least_length_m)),
            port_mtu_bytes=mtu_bytes or self.port_mtu_bytes,
            lossless_mtu_bytes=mtu_bytes or self.lossless_mtu_bytes,
            cell_bytes=self.step_bytes if packet_bytes is None else self.cell_bytes,
            packet_bytes=packet_bytes or SMALLEST_PACKET_BYTES,
            fixed_ns=self.fixed_ns[speed],
            fixed_source=f"at {speed // 1000}G, fit of {self.source}",
            wire_bytes_per_cell=self.wire_bytes_per_cell if packet_bytes is None else None,
        )


def _curve(
    name: str,
    asic: str,
    cell_bytes: int,
    wire_bytes_per_cell: Fraction | int,
    fixed_ns: Mapping[int, str],
    source: str,
    *,
    counted_as: Mapping[int, int] = MappingProxyType({}),
    step_bytes: int = 0,
    mtu_bytes: int = 9216,
    least_length_m: int = 0,
) -> Curve:
    """A row of the table below: speeds in Gb/s."""
    return Curve(
        name=name,
        asic=asic,
        cell_bytes=cell_bytes,
        step_bytes=step_bytes or cell_bytes,
        wire_bytes_per_cell=Fraction(wire_bytes_per_cell),
        port_mtu_bytes=mtu_bytes,
        lossless_mtu_bytes=mtu_bytes,
        fixed_ns=MappingProxyType({speed * 1000: Fraction(ns) for speed, ns in fixed_ns.items()}),
        counted_as=MappingProxyType({speed * 1000: other * 1000 for speed, other in counted_as.items()}),
        least_length_m=least_length_m,
        source=f"{_BUILD}/{source}/pg_profile_lookup.ini",
    )


CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        curve.name: curve
        for curve in (
            _curve(
                "TH4 Dell",
                "Tomahawk 4",
                254,
                ALL_SMALL,
                {25: "990.6", 50: "1332.0", 100: "1627.0", 200: "1915.6", 400: "1972.6"},
                "dell/x86_64-dell_z9664f-r0/DellEMC-Z9664f-O64",
                counted_as={10: 25, 40: 50},
            ),
            _curve(
                "TH5 Dell",
                "Tomahawk 5",
                254,
                ALL_SMALL,
                {25: "2680.6", 50: "2135.0", 100: "2104.2", 200: "2115.6", 400: "2116.3", 800: "2145.6"},
                "dell/x86_64-dell_z9864f-r0/Dell-Z9864f-O64",
                counted_as={10: 25, 40: 50},
            ),
            _curve(
                "TH6 Nexthop",
                "Tomahawk 6",
                420,
                ALL_SMALL,
                {50: "1881.3", 100: "1988.2", 200: "2085.0", 400: "2142.3", 800: "2243.9"},
                "nexthop/x86_64-nexthop_4210-r0021/NH-4210-F-O256/BALANCED",
                counted_as={10: 50, 25: 50, 40: 50},
            ),
            _curve(
                "TH6 Nokia",
                "Tomahawk 6",
                420,
                280,
                {100: "4648.1", 200: "5927.8", 400: "5649.7", 800: "5019.3"},
                "nokia/x86_64-nokia_ixr7220_h6_128-r0/Nokia-IXR7220-H6-O256",
            ),
            _curve(
                "TH6 Nokia below 100G",
                "Tomahawk 6",
                420,
                Fraction("99.8"),
                {10: "7312.3", 25: "5038.9", 40: "3998.2", 50: "4522.4"},
                "nokia/x86_64-nokia_ixr7220_h6_128-r0/Nokia-IXR7220-H6-O256",
                mtu_bytes=1518,
            ),
            _curve(
                "Teralynx-10",
                "Teralynx 10",
                256,
                128,
                {25: "4508.5", 50: "3048.1", 100: "2799.1", 200: "2577.4", 400: "2458.9", 800: "2400.9"},
                "marvell/x86_64-marvell_d64p512t-r0/d64p512t_128x400G-2x10G",
                step_bytes=128,
                mtu_bytes=1518,
                counted_as={10: 25},
            ),
            _curve(
                "Jericho2C+ Nokia",
                "Jericho2C+",
                4096,
                JERICHO_WIRE,
                {40: "1618.2", 100: "1230.9", 400: "1138.8"},
                "nokia/x86_64-nokia_ixr7250e_36x400g-r0/Nokia-IXR7250E-36x100G/1",
            ),
            _curve(
                "Qumran3D Arista",
                "Qumran3D",
                4096,
                JERICHO_WIRE,
                {40: "745.3", 100: "894.0", 400: "1114.1", 800: "1144.5"},
                "arista/x86_64-arista_7280r4_32qf_32df/Arista-7280R4-32QF-32DF-64O",
                least_length_m=2000,
            ),
        )
    }
)
"""Name → curve. Worst errors over their rows stand in tests/lossless/bounds.json."""

WORST_CASE_OF: Mapping[str, str] = MappingProxyType(
    {
        "tomahawk4": "TH4 Dell",
        "tomahawk5": "TH5 Dell",
        "tomahawk6": "TH6 Nexthop",
        "jericho2c+": "Jericho2C+ Nokia",
        "qumran3d": "Qumran3D Arista",
    }
)
"""ASIC → the curve that stands for it: on the chip the one whose makers assumed the smallest packets, since Nokia's and
Marvell's count longer ones (headroom.md 2.5) and are no worst case. Every other ASIC has the ceiling."""

OWN_TABLES: tuple[tuple[str, int, str], ...] = (
    ("Nokia-IXR7220-H6-", 100_000, "TH6 Nokia"),
    ("Nokia-IXR7220-H6-", 0, "TH6 Nokia below 100G"),
    ("d64p512t", 0, "Teralynx-10"),
)
"""(beginning of a HWSKU, least Mb/s, curve) where a vendor's table follows another curve than its ASIC's."""


def curve_of(asic: str) -> Curve | None:
    """The curve of an ASIC by whatever spelling (`Tomahawk 5`, `tomahawk-5`); `None` where the ceiling must do."""
    name = WORST_CASE_OF.get("".join(asic.lower().replace("-", "").replace("_", "").split()).removeprefix("broadcom"))
    return None if name is None else CURVES[name]


def table_curve(hwsku: str, asic: str, speed_mbps: int) -> Curve | None:
    """The curve that the table of a HWSKU follows at a speed; `None` where none is known."""
    for beginning, least_mbps, name in OWN_TABLES:
        if hwsku.startswith(beginning) and speed_mbps >= least_mbps:
            return CURVES[name]
    return curve_of(asic)
