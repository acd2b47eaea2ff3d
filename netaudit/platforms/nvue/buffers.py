"""Buffers, as far as NVUE has them to set: PFC profiles with their cable length, pools in percent, one alpha."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from netaudit.platforms.nvue.interfaces import numbers
from netaudit.platforms.nvue.names import native, native_ports, position
from netaudit.platforms.nvue.tree import Tree, below, number, on, put, text
from netaudit.state import ABSENT, Buffers, Device, Leaf, Pool, PortBuffers, PortQos, Profile

LOSSLESS, LOSSY = "roce-lossless", "default-lossy"
"""The pair of pools that `qos roce mode lossless` has (nvue.md section 3)."""
BUFFER: Final = "ingress-lossless-buffer"
TRIM: Final = "packet-trim"
"""What binds a queue whose packets are trimmed."""
ALPHAS: Final[Mapping[Fraction, str]] = {
    **{Fraction(1, 2**n): f"alpha_1_{2**n}" for n in range(7, 0, -1)},
    **{Fraction(2**n): f"alpha_{2**n}" for n in range(7) if n != 7},
}
"""Words of `shared-alpha` (models 5.4 to 5.18); alpha_0 and alpha_infinity are no share."""
_MEMORY: Final = (
    (re.compile(r"SN2\d|Spectrum-1"), 13_945_824),
    (re.compile(r"SN3\d|Spectrum-2"), 34_287_552),
    (re.compile(r"SN4\d|Spectrum-3"), 60_817_392),
    (re.compile(r"SN564\d|Spectrum-5"), 136_209_408),
    (re.compile(r"SN5\d|Spectrum-4"), 158_229_504),
    (re.compile(r"SN6\d|Spectrum-6"), 226_492_416),
)
"""Model or chip → bytes of its shared memory, those of the hardware catalogue (headroom.md section 4)."""


def memory_bytes(model: str) -> int | None:
    """The memory that pools are percents of; None for a model, or a chip, that is not known."""
    return next((size for pattern, size in _MEMORY if pattern.match(model)), None)


def model_of(hwsku: str) -> str:
    """`ACS-MSN4700`, `Mellanox-SN5600-O128`, `SN5600` → the model; other text stays."""
    found = re.search(r"SN\d{4}[A-Z]?(?:_LD)?", hwsku)
    return found[0] if found else hwsku


def pfc_bindings(device: Device) -> Iterator[tuple[str, str, Tree]]:
    """(port, PFC profile, what is in it) of every port with priorities or a cable length.

    A port without PFC is said to have none: RoCE's default-global would give it priority 3.
    """
    classes = device.qos.ports if device.qos is not None and device.qos.ports else {}
    lengths = device.buffers.ports if device.buffers is not None and device.buffers.ports else {}
    for key in dict.fromkeys((*classes, *lengths)):
        port, length = classes.get(key), lengths.get(key)
        metres = length.cable_length_m if length is not None else None
        priorities = _priorities(port)
        if priorities is None and not isinstance(metres, int):
            continue
        name = "PFC"
        content: Tree = {}
        if priorities is not None:
            name += "".join(f"-{p}" for p in sorted(priorities)) or "-NONE"
            content |= {"tx": "enable" if priorities else "disable", "rx": "enable" if priorities else "disable"}
            if priorities:
                content["switch-priority"] = {str(p): {} for p in sorted(priorities)}
        if isinstance(metres, int):
            name += f"-{metres}M"
            content["cable-length"] = metres
        yield key, name, content


def _priorities(port: PortQos | None) -> frozenset[int] | None:
    return port.pfc if port is not None and isinstance(port.pfc, frozenset) else None


def write_buffers(device: Device, tree: Tree) -> None:
    """Pools, alpha, and which queues trim; cable lengths stand in the PFC profiles."""
    buffers = device.buffers
    if buffers is None:
        return
    total = memory_of(device)
    for name, pool in (buffers.pools or {}).items():
        if isinstance(pool.size_bytes, int) and total:
            put(tree, ("qos", "traffic-pool", name, "memory-percent"), percent(pool.size_bytes, total))
        else:
            put(tree, ("qos", "traffic-pool", name), {})
    for profile in (buffers.profiles or {}).values():
        if isinstance(profile.alpha, Fraction):
            at = ("qos", "advance-buffer-config", "default-global", BUFFER, "shared-alpha")
            put(tree, at, ALPHAS[nearest(profile.alpha)])
    ports = native_ports(device)
    for key, port in (buffers.ports or {}).items():
        for queue in sorted(port.queues or {}):
            name = native(key, ports)
            put(tree, ("interface", name, "packet-trim", "egress-eligibility", "traffic-class", queue), {})


def memory_of(device: Device) -> int | None:
    """The memory of an expected device: by its model where one is told, else by its chip."""
    hwsku = device.system.hwsku if device.system is not None else None
    return (memory_bytes(model_of(hwsku)) if isinstance(hwsku, str) else None) or memory_bytes(device.asic)


def percent(size_bytes: int, total: int) -> int:
    """Whole percents, 1 to 100."""
    return min(100, max(1, (size_bytes * 100 + total // 2) // total))


def of_percent(share: int, total: int) -> int:
    """The bytes that a percentage stands for; `percent` leads back to it."""
    return total * share // 100


def nearest(alpha: Fraction) -> Fraction:
    """The largest alpha that is no more, or the smallest there is."""
    return max((known for known in ALPHAS if known <= alpha), default=min(ALPHAS))


def read_buffers(tree: Tree, model: str) -> Buffers:
    """Pools, the alpha of lossless buffers, cable lengths and trimming queues of ports."""
    qos = below(tree, "qos")
    total = memory_bytes(model)
    alpha = text(qos, "advance-buffer-config", "default-global", BUFFER, "shared-alpha")
    return Buffers(
        pools={
            name: _read_pool(below(qos, "traffic-pool", name), total)
            for name in below(qos, "traffic-pool")
            if name != LOSSLESS or is_roce(tree)  # without lossless RoCE it is a name that nobody uses
        },
        profiles={BUFFER: Profile(alpha=_read_alpha(alpha))} if alpha is not None else {},
        ports=dict(_read_ports(tree)),
    )


def _read_pool(pool: Tree, total: int | None) -> Pool:
    share = number(pool, "memory-percent")
    if share is None:
        return Pool(size_bytes=ABSENT, shared_headroom_bytes=ABSENT)
    return Pool(size_bytes=of_percent(share, total) if total else None, shared_headroom_bytes=ABSENT)


def _read_alpha(word: str) -> Leaf[Fraction]:
    found = next((alpha for alpha, spelled in ALPHAS.items() if spelled == word), None)
    return found if found is not None else {"alpha_0": Fraction(0), "alpha_infinity": Fraction(1 << 32)}.get(word)


def _read_ports(tree: Tree) -> Iterator[tuple[str, PortBuffers]]:
    for name in below(tree, "interface"):
        key = position(name)
        if key is None:
            continue
        entry = below(tree, "interface", name)
        _, metres = read_pfc(tree, text(entry, "qos", "pfc", "profile"))
        trims = [q for word in below(entry, TRIM, "egress-eligibility", "traffic-class") for q in numbers(word)]
        bound = below(entry, "qos", "pfc")
        if (bound and metres is not None) or trims:
            yield (
                key,
                PortBuffers(
                    cable_length_m=ABSENT if metres is None else metres, queues=dict.fromkeys(sorted(trims), TRIM)
                ),
            )


def read_pfc(tree: Tree, profile: str | None) -> tuple[frozenset[int], int | None]:
    """(priorities with PFC, cable length) of a profile, of default-global where a port has none."""
    name = profile or "default-global"
    said = below(tree, "qos", "pfc", name)
    listed = [int(p) for word in below(said, "switch-priority") for p in numbers(word)]
    if not listed and name == "default-global" and is_roce(tree):
        listed = [3]  # nvue.md section 2
    works = on(said, "tx") is not False and on(said, "rx") is not False
    return frozenset(listed) if works else frozenset(), number(said, "cable-length")


def is_roce(tree: Tree) -> bool:
    """Is lossless RoCE on? It is what `qos roce` alone means."""
    roce = below(tree, "qos", "roce")
    lossless = (text(roce, "mode") or "lossless").startswith("lossless")
    return "roce" in below(tree, "qos") and on(roce, "state") is not False and lossless
