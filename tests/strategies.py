"""Hypothesis strategies shared by the tests: leaves of the example's devices, and intents of fabrics of any shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.world import two_plane
from hypothesis import strategies as st

from netaudit.state import Device
from netaudit.state.walk import Path, leaves

DEVICES = tuple(two_plane().devices)


@st.composite
def devices_with_leaf(draw: st.DrawFn) -> tuple[Device, Path, object]:
    """A device of the example, one of its leaves that are compared, and the leaf's value; an empty table is none."""
    device = two_plane().device(draw(st.sampled_from(DEVICES)))
    named = [(path, value) for path, value in leaves(device) if path[0] not in ("name", "platform") and value != {}]
    path, value = draw(st.sampled_from(named))
    return device, path, value


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A two-tier fabric that fits on the SN5600: what a small intent says of it."""

    planes: tuple[str, ...]
    rails: int
    units: Mapping[str, int]
    """Name → hosts."""
    spines: int
    links: int
    unit_capacity: int
    host_capacity: int

    def text(self) -> str:
        """The intent. Keys stand in the order of DESIGN.md section 3."""
        units = ", ".join(f"{name}: {{hosts: {hosts}}}" for name, hosts in self.units.items())
        return "\n".join(
            (
                "schema: 1",
                "fabric: drawn",
                f"planes: [{', '.join(self.planes)}]",
                f"rails: {self.rails}",
                f"units: {{{units}}}",
                f"capacity: {{units: {self.unit_capacity}, hosts: {self.host_capacity}}}",
                f"hosts: {{nic: cx8, speed: {'400G' if len(self.planes) <= 2 else '200G'}}}",
                "leaf: {model: nvidia-sn5600, platform: sonic}",
                "spine: {model: nvidia-sn5600, platform: sonic, speed: 800G, "
                f"count: {self.spines}, links: {self.links}}}",
                "cables: {host-leaf: 3m dac, leaf-spine: 40m dr8}",
                "",
            )
        )


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Fabrics of one to four planes that fit: at most 64 ports on a spine, 64 cages on a leaf."""
    planes = ("a", "b", "c", "d")[: draw(st.sampled_from([1, 2, 4]))]
    rails = draw(st.integers(1, 4))
    links = draw(st.sampled_from([1, 2, 4]))
    unit_capacity = draw(st.integers(1, min(6, 64 // (rails * links))))
    host_capacity = draw(st.integers(1, 16))
    spines = draw(st.integers(1, 32 // links // 2))
    ids = draw(st.sets(st.integers(1, unit_capacity), min_size=1, max_size=3))
    units = {f"su{number}": draw(st.integers(1, host_capacity)) for number in sorted(ids)}
    return Shape(
        planes=planes,
        rails=rails,
        units=units,
        spines=spines,
        links=links,
        unit_capacity=unit_capacity,
        host_capacity=host_capacity,
    )
