"""Which ASIC a table is for, and what headroom that ASIC needs: how a row is held against physics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from netaudit.hardware import SwitchModel
from netaudit.lossless import Headroom
from netaudit.lossless.curves import curve_of
from netaudit.lossless.method import by_asic
from netaudit.lossless.variants import MADE_WITH, VARIANTS, spectrum_of

FRAME_BYTES = 9216
"""The port MTU that published tables were made with (headroom.md 2.2, 3)."""
LIGHT_NS_PER_M = 4.9
"""Fibre of n = 1.468 (headroom.md 1): no cable is faster, copper included."""
ROUNDING_BYTES = 4096
"""What rounding may take off the growth between two rows: the 4 KiB buffers of Jericho are the coarsest."""

CELLS: Mapping[str, int] = MappingProxyType(
    {
        "Tomahawk": 208,
        "Tomahawk 2": 208,
        "Tomahawk 3": 254,
        "Tomahawk 4": 254,
        "Tomahawk 5": 254,
        "Tomahawk 6": 420,
    }
)
"""ASIC → bytes of a cell, that its tables are multiples of (headroom.md 2.5, 4.3)."""

BY_NAME: tuple[tuple[str, str], ...] = (
    (r"(?:ACS|Mellanox)-M?SN(?:2[0-9]{3})", "Spectrum-1"),
    (r"(?:ACS|Mellanox)-M?SN(?:3[0-9]{3})", "Spectrum-2"),
    (r"(?:ACS|Mellanox)-M?SN(?:4[0-9]{3})", "Spectrum-3"),
    (r"(?:ACS|Mellanox)-M?SN(?:5640)", "Spectrum-5"),
    (r"(?:ACS|Mellanox)-M?SN(?:5[0-9]{3})", "Spectrum-4"),
    (r"(?:ACS|Mellanox)-M?SN(?:6[0-9]{3})", "Spectrum-6"),
    (r"Arista-7060-?CX|Force10-S6100|Celestica-DX010|Seastone-DX010", "Tomahawk"),
    (r"Arista-7260CX3", "Tomahawk 2"),
    (r"DellEMC-Z9332f", "Tomahawk 3"),
    (r"DellEMC-Z9664f", "Tomahawk 4"),
    (r"Dell-Z9864f|Arista-7060X6|NH-4010|Nokia-IXR7220-H5|Micas-M2-W6940|Micas-W6940|M2-W6940", "Tomahawk 5"),
    (r"NH-4210|Nokia-IXR7220-H6", "Tomahawk 6"),
    (r"Nokia-IXR7250E", "Jericho2C+"),
    (r"Arista-7280R4", "Qumran3D"),
)
"""Beginning of a HWSKU → ASIC, as sonic-buildimage's ASIC_TYPE and sonic-mgmt's variables group them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Silicon:
    """What is known of the chip behind a table."""

    asic: str
    """Empty where nothing names it."""
    cell_bytes: int | None
    """What rows are multiples of; 1,024 on Spectrum, whose formula rounds to it."""
    hwsku: str
    why: str
    """How it was found out."""

    @property
    def known(self) -> bool:
        """Its needs can be computed."""
        return spectrum_of(self.asic) is not None or bool(self.asic and self.cell_bytes)

    def need(self, speed_mbps: int, length_m: int, *, bulk: bool, shared: bool) -> Headroom | None:
        """What a row must hold; `None` where the ASIC is unknown."""
        generation = spectrum_of(self.asic)
        if generation is not None:
            variant = replace(VARIANTS["bulk" if bulk else "worst-case"], allowance=not shared)
            return variant.at(generation, speed_mbps, length_m)
        if not self.known:
            return None
        return by_asic(
            asic=self.asic,
            speed_mbps=speed_mbps,
            length_m=length_m,
            port_mtu_bytes=FRAME_BYTES,
            cell_bytes=self.cell_bytes or 1,
            bulk=bulk,
        )

    def made(self, speed_mbps: int, length_m: int) -> int | None:
        """xoff by the formula that this HWSKU's published table was made with; `None` where none is known."""
        found = MADE_WITH.get(self.hwsku)
        return None if found is None else VARIANTS[found[1]].at(found[0], speed_mbps, length_m).xoff_bytes


def silicon(hwsku: str, model: SwitchModel | None, xoffs: tuple[int, ...]) -> Silicon:
    """The chip: as the user says (`model`), as the HWSKU is known, else only the cell that most rows share."""
    if model is not None:
        return _of(model.asic, model.cell_bytes, hwsku, f"--model {model.name}")
    for pattern, asic in BY_NAME:
        if re.match(pattern, hwsku):
            return _of(asic, _cell_of(asic), hwsku, f"HWSKU {hwsku}, {asic}")
    cell = likely_cell(xoffs)
    return _of("", cell, hwsku, f"as most rows are multiples of {cell} B" if cell else "")


def _of(asic: str, cell_bytes: int | None, hwsku: str, why: str) -> Silicon:
    step = 1024 if spectrum_of(asic) is not None else cell_bytes
    return Silicon(asic=asic, cell_bytes=step, hwsku=hwsku, why=why)


def _cell_of(asic: str) -> int | None:
    curve = curve_of(asic)
    return curve.cell_bytes if curve is not None else CELLS.get(asic)


def likely_cell(xoffs: tuple[int, ...]) -> int | None:
    """The cell that three rows in four are multiples of; `None` where there is none, or too few rows to tell."""
    different = set(xoffs) - {0}
    if len(different) < 4:
        return None
    for cell in sorted(set(CELLS.values()), reverse=True):
        if sum(xoff % cell == 0 for xoff in different) * 4 >= len(different) * 3:
            return cell
    return None


def cable_bytes(speed_mbps: int, length_m: int) -> float:
    """What the cable alone holds, there and back, at the speed of light in it: less than any switch needs."""
    return 2 * length_m * LIGHT_NS_PER_M * speed_mbps / 8_000
