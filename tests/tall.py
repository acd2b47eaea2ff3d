"""Hypothesis strategy of fabrics of every shape: pods, rail-only spines, trays, blocks, 1 to 8 planes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

HOSTS = {1: "800G", 2: "400G", 3: "200G", 4: "200G", 5: "100G", 6: "100G", 7: "100G", 8: "100G"}
"""Planes → speed of a port of an 800G NIC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tall:
    """What an intent says of a fabric that fits on the SN5600."""

    planes: int
    rails: int
    tray: int
    """Rails of a leaf."""
    per: str
    wiring: str
    """Empty: no superspines."""
    units: Mapping[int, int]
    """Id → hosts."""
    unit_capacity: int
    pod_units: int
    pods: int
    host_capacity: int
    spines: int
    links: int
    group: int
    """Superspines of a group, or in all where wiring is full."""
    group_capacity: int
    top_links: int
    blocks: tuple[tuple[str, str, int, int], ...]
    """(name, what it hangs below, devices, links)."""
    numbered: bool = False

    @property
    def superspines(self) -> int:
        """In all, of a plane."""
        return self.group * self.spines if self.wiring == "grouped" else self.group if self.wiring else 0

    def pod(self, unit: int) -> int:
        """The pod of a unit."""
        return (unit - 1) // self.pod_units + 1

    def text(self) -> str:
        """The intent."""
        units = ", ".join(
            f"su{n}: {{hosts: {hosts}{f', pod: {self.pod(n)}' if self.per == 'pod' else ''}}}"
            for n, hosts in self.units.items()
        )
        pods = f", pods: {self.pods}, pod_units: {self.pod_units}" if self.per == "pod" else ""
        lines = [
            "schema: 1",
            "fabric: drawn",
            f"planes: [{', '.join('abcdefgh'[: self.planes])}]",
            f"rails: {self.rails}",
            f"units: {{{units}}}",
            f"capacity: {{units: {self.unit_capacity}, hosts: {self.host_capacity}{pods}}}",
            f"hosts: {{nic: cx8, speed: {HOSTS[self.planes]}}}",
            f"leaf: {{model: nvidia-sn5600, platform: sonic, rails: {self.tray}}}",
            "spine: {model: nvidia-sn5600, platform: sonic, speed: 800G, "
            f"count: {self.spines}, links: {self.links}, per: {self.per}}}",
        ]
        cables = "host-leaf: 3m dac, leaf-spine: 40m dr8"
        if self.wiring:
            room = self.group_capacity * (self.spines if self.wiring == "grouped" else 1)
            lines.append(
                f"superspine: {{model: nvidia-sn5600, wiring: {self.wiring}, count: {self.superspines}, "
                f"capacity: {room}, links: {self.top_links}, speed: 800G}}"
            )
            cables += ", spine-superspine: 90m dr8"
        lines.append(f"cables: {{{cables}}}")
        if self.blocks:
            bodies = (
                f"{name}: {{id: {number}, model: nvidia-sn5600, platform: sonic, count: {count}, to: {to}, "
                f"links: {links}, speed: 400G, cable: 9m dr4, originates: [192.0.{number}.0/24]}}"
                for number, (name, to, count, links) in enumerate(self.blocks, start=1)
            )
            lines.append(f"blocks: {{{', '.join(bodies)}}}")
        if self.numbered:
            lines.append("addressing: {loopbacks: 10.255.0.0/16, fabric: numbered}")
        return "\n".join((*lines, ""))


@st.composite
def tall(draw: st.DrawFn, *, kinds: tuple[str, ...] = ("plane", "rail", "pod", "pod")) -> Tall:
    """Fabrics of one to eight planes, whose spines are counted in the plane, in a rail or in a pod."""
    per = draw(st.sampled_from(kinds))
    rails = draw(st.sampled_from([1, 2, 4, 8]))
    tray = 1 if per == "rail" else draw(st.sampled_from([n for n in (1, 2, 4) if rails % n == 0]))
    pod_units = draw(st.integers(1, 2))
    pods = draw(st.integers(1, 3)) if per == "pod" else 1
    wiring = draw(st.sampled_from(["grouped", "full"])) if per == "pod" and (pods > 1 or draw(st.booleans())) else ""
    unit_capacity = pod_units * pods if per == "pod" else draw(st.integers(1, 3))
    ids = draw(st.sets(st.integers(1, unit_capacity), min_size=1, max_size=4))
    host_capacity = draw(st.integers(1, 8))
    links = draw(st.sampled_from([1, 1, 2]))
    group_capacity = draw(st.integers(1, 3))
    hanging = ["spine", "superspine"] if wiring else ["spine"]
    blocks = tuple(
        (name, draw(st.sampled_from(hanging)), draw(st.integers(1, 2)), draw(st.integers(1, 2)))
        for name in ("storage", "border")[: draw(st.integers(0, 2))]
    )
    return Tall(
        planes=draw(st.sampled_from([1, 2, 4, 8])),
        rails=rails,
        tray=tray,
        per=per,
        wiring=wiring,
        units={number: draw(st.integers(1, host_capacity)) for number in sorted(ids)},
        unit_capacity=unit_capacity,
        pod_units=pod_units,
        pods=pods,
        host_capacity=host_capacity,
        spines=draw(st.integers(1, 3)),
        links=links,
        group=draw(st.integers(1, group_capacity)),
        group_capacity=group_capacity,
        top_links=draw(st.sampled_from([1, 1, 2])),
        blocks=blocks,
    )
