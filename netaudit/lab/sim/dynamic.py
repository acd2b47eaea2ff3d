"""What buffermgrd does in the dynamic model: it computes headroom, binds it in APPL_DB and sizes the pools.

CONFIG_DB stays as it is (sonic.md section 3). The arithmetic is that of NVIDIA's three plug-ins of sonic-swss, commit
e6b0c5b5, as headroom.md 2.2 and 4.2 work them out: buffer_headroom_mellanox.lua, buffer_check_headroom_mellanox.lua,
buffer_pool_mellanox.lua. Lua's numbers are doubles, and so are Python's floats: it is written in the same order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from netaudit.lab.sim.buffers import LOSSLESS_POOL
from netaudit.lab.sim.database import Config, Hash, Row, hash_of, metadata, text

_MODEL = re.compile(r"sn(\d)(\d{3})")
_QUANTA = {
    **{800_000: 905, 400_000: 905, 200_000: 453, 100_000: 394, 50_000: 147},
    **{40_000: 118, 25_000: 80, 10_000: 67, 1_000: 2, 100: 1},
}
"""Speed in Mb/s → pause quanta (headroom.md 1.1)."""
_DEFAULT_MTU = "9100"
_LIGHT_M_PER_S, _SMALLEST, _KIB = 198_000_000, 64, 1024
_PRIVATE, _MIRROR, _MANAGEMENT, _SHARED = 10 * _KIB, 10 * _KIB, 256 * _KIB, 655_360
_DESCRIPTORS = 32 * _KIB * _KIB
"""What Spectrum-6 keeps for modified packets, in place of mirroring (buffer_pool_mellanox.lua)."""
_ZERO_POOL = "ingress_zero_pool"
_ZEROS: Mapping[str, Hash] = {
    "ingress_lossy_pg_zero_profile": {"pool": _ZERO_POOL, "size": "0", "static_th": "0"},
    "egress_lossless_zero_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "-8"},
    "egress_lossy_zero_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "-8"},
}
"""What ports that are down are bound to, so that they keep no buffer (sonic-swss tests, SetUpReclaimingBuffer)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asic:
    """One row of ASIC_TABLE, which the box makes of asic_table.j2 (headroom.md 2.2)."""

    generation: int
    cell: int
    pipeline_kib: int = 19
    port_max_cells: int = 8_192

    @property
    def tile(self) -> bool:
        """Whether packets travel between dies: Spectrum-4 and -5."""
        return self.generation in (4, 5)


_ASICS: Mapping[int, Asic] = {
    1: Asic(generation=1, cell=96),
    2: Asic(generation=2, cell=144),
    3: Asic(generation=3, cell=144),
    4: Asic(generation=4, cell=192),
    5: Asic(generation=5, cell=192, port_max_cells=6_144),
    6: Asic(generation=6, cell=256, pipeline_kib=42, port_max_cells=6_144),
}
_MAC_PHY_KIB, _PEER_KIB, _PORT_RESERVED_CELLS = 0.8, 3.8, 20
_SPECTRUM_5 = re.compile(r"sn56[14]0")
"""Spectrum-5 among the models that begin with 5."""


def asic(config: Config) -> Asic | None:
    """The ASIC of the box by its platform string; `None` where the daemon has no plug-in for it."""
    box = text(metadata(config), "platform") or text(metadata(config), "hwsku")
    found = _MODEL.search(box.lower())
    if found is None:
        return None
    generation = {"2": 1, "3": 2, "4": 3, "5": 5 if _SPECTRUM_5.search(box.lower()) else 4, "6": 6}.get(found[1])
    return _ASICS[generation] if generation else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """APPL_DB as the daemon filled it."""

    groups: Mapping[str, str] = field(default_factory=dict)
    """`Ethernet0:3` → profile, of groups that were left to the daemon."""
    profiles: Mapping[str, Hash] = field(default_factory=dict)
    """What it computed."""
    pools: Mapping[str, Hash] = field(default_factory=dict)
    """Pool → its size, and that of the shared headroom pool."""
    ratio: int = 0
    """The over-subscription that it was computed with."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Port → why it does not get what was computed for it; it keeps what it had."""


def after_dynamic(config: Config, before: Applied) -> Applied:
    """What stands in APPL_DB once the daemon has seen a configuration; `before`: what stood there.

    A profile of the same name is used as it is, whatever it would be computed from now: only another over-subscription
    makes the daemon compute again (sonic-swss cfgmgr/buffermgrdyn.cpp, handleDefaultLossLessBufferParam).
    """
    chip = asic(config)
    if chip is None:
        return Applied()
    groups: dict[str, str] = {}
    profiles: dict[str, Hash] = {}
    refused: dict[str, str] = {}
    left: dict[str, list[str]] = {}
    for key, row in config.get("BUFFER_PG", {}).items():
        if text(row, "profile") == "NULL":
            left.setdefault(key.partition("|")[0], []).append(key.replace("|", ":"))
    for port, keys in left.items():
        made = _computed(config, chip, port)
        if made is None:
            continue
        name, profile = made
        if before.ratio == _ratio(config):
            profile = before.profiles.get(name, profile)
        count = sum(map(_members, keys))
        why = _refused(config, chip, port, profile, count)
        if not why:
            profiles[name] = profile
            groups.update(dict.fromkeys(keys, name))
            continue
        refused[port] = why
        for key in keys:
            if old := before.groups.get(key):
                groups[key] = old
                profiles.setdefault(old, before.profiles[old])
    applied = Applied(groups=groups, profiles=profiles, refused=refused, ratio=_ratio(config))
    return replace(applied, pools=dict(_pools(config, chip, applied)))


def _only(config: Config, table: str) -> Row:
    return next(iter(config.get(table, {}).values()), {})


def _whole(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() else None


def _is_up(config: Config, port: str) -> bool:
    return text(config.get("PORT", {}).get(port, {}), "admin_status", "down") == "up"


def _lanes(config: Config, port: str) -> int:
    return len(text(config.get("PORT", {}).get(port, {}), "lanes").split(","))


def _ratio(config: Config) -> int:
    return _whole(text(_only(config, "DEFAULT_LOSSLESS_BUFFER_PARAMETER"), "over_subscribe_ratio")) or 0


def _static_shared(config: Config) -> int:
    return _whole(text(config.get("BUFFER_POOL", {}).get(LOSSLESS_POOL, {}), "xoff")) or 0


def _computed(config: Config, chip: Asic, port: str) -> tuple[str, Hash] | None:
    """(name, profile) for a port; `None` where it is down, has no length, or the daemon was not told what for."""
    row, traffic = config.get("PORT", {}).get(port, {}), _only(config, "LOSSLESS_TRAFFIC_PATTERN")
    cable = text(next(iter(config.get("CABLE_LENGTH", {}).values()), {}), port)
    threshold = text(_only(config, "DEFAULT_LOSSLESS_BUFFER_PARAMETER"), "default_dynamic_th")
    metres, speed, mtu = _whole(cable.removesuffix("m")), _whole(text(row, "speed")), text(row, "mtu", _DEFAULT_MTU)
    packet, small = _whole(text(traffic, "mtu")), _whole(text(traffic, "small_packet_percentage"))
    given = (metres, speed, _whole(mtu), packet, small, _whole(threshold.removeprefix("-")))
    if not _is_up(config, port) or not metres or not speed or None in given:
        return None
    lanes = _lanes(config, port)
    xon, xoff, size = headroom(
        chip,
        speed=speed,
        metres=metres,
        port_mtu=int(mtu),
        packet=packet or 0,
        small=small or 0,
        lanes=lanes,
        shared=bool(_ratio(config) or _static_shared(config)),
        gearbox_ns=400 if "sn3800" in text(metadata(config), "platform").lower() else 0,
    )
    profile = {
        "pool": LOSSLESS_POOL,
        "xon": str(xon),
        "xoff": str(xoff),
        "size": str(size),
        "dynamic_th": threshold,
    }
    return _name(config, speed, cable, mtu, lanes), profile


def _name(config: Config, speed: int, cable: str, mtu: str, lanes: int) -> str:
    """As getDynamicProfileName of buffermgrdyn.cpp makes it; the threshold is the default one and not in it."""
    name = f"pg_lossless_{speed}_{cable}" + (f"_mtu{mtu}" if mtu != _DEFAULT_MTU else "")
    found = _MODEL.search(text(metadata(config), "platform").lower())
    if found and lanes == 8 and (found[1], speed) not in (("4", 400_000), ("5", 800_000)) and found[1] in "45":
        name += "_8lane"
    return f"{name}_profile"


def headroom(
    chip: Asic,
    *,
    speed: int,
    metres: int,
    port_mtu: int,
    packet: int,
    small: int,
    lanes: int,
    shared: bool,
    gearbox_ns: int = 0,
) -> tuple[int, int, int]:
    """(xon, xoff, size) by buffer_headroom_mellanox.lua (headroom.md 2.2)."""
    quanta = _QUANTA.get(speed)
    response = quanta * 512 / 8 if quanta is not None else _PEER_KIB * _KIB
    worst = math.ceil(chip.cell / _SMALLEST if chip.cell > 2 * _SMALLEST else 2 * chip.cell / (1 + chip.cell))
    cable = 2 * metres * speed * 1_000_000_000 / _LIGHT_M_PER_S / (8 * 1000)
    gearbox = speed * gearbox_ns / (8 * _KIB)
    tile = speed / 1000 * 120 / 8 if chip.tile else 0
    extra = 18 * _KIB if chip.generation == 6 else 0
    travels = port_mtu + cable + 2 * gearbox + _MAC_PHY_KIB * _KIB + response + tile

    def xoff_for(percent: int) -> int:
        of_bytes = 100 * _SMALLEST / ((percent * _SMALLEST + (100 - percent) * packet) / 100)
        occupancy = (100 - of_bytes + of_bytes * worst) / 100
        return math.ceil((packet + travels * occupancy) / _KIB) * _KIB + extra

    xoff = xoff_for(small)
    if not shared and small != 100 and xoff + 2 * _KIB < xoff_for(100):
        xoff += 2 * _KIB
    xon = chip.pipeline_kib * _KIB * (2 if lanes == 8 else 1)
    own = xon if shared else xoff + xon + (port_mtu if lanes == 8 else 0)
    return xon, xoff, math.ceil(own / _KIB) * _KIB


def _refused(config: Config, chip: Asic, port: str, profile: Hash, count: int) -> str:
    """Why a port cannot have a profile: more of the shared headroom pool than one port may take; empty if it can.

    Without such a pool the plug-in compares with what SAI reports of the port, which is not known here: all is taken.
    """
    beyond = int(profile["xon"]) + int(profile["xoff"]) - int(profile["size"])
    reserved = _PORT_RESERVED_CELLS * (2 if _lanes(config, port) == 8 else 1)
    most = (chip.port_max_cells + reserved) * chip.cell
    shared = bool(_ratio(config) or _static_shared(config))
    if not shared or count * beyond <= most:
        return ""
    return f"Accumulative headroom on port {port}: the port SHP {count * beyond}, max SHP {most}"


def _members(key: str) -> int:
    """How many groups or queues a key holds: `Ethernet0:3-4` two."""
    first, dash, last = key.rpartition(":")[2].partition("-")
    return int(last) - int(first) + 1 if dash and first.isdigit() and last.isdigit() else 1


def _pools(config: Config, chip: Asic, applied: Applied) -> Iterator[tuple[str, Hash]]:
    """Pools that have no size of their own: a like share of what is left each (buffer_pool_mellanox.lua)."""
    pools = config.get("BUFFER_POOL", {})
    buffer = _whole(text(pools.get("egress_lossless_pool", {}), "size")) or 0
    unsized = [name for name, row in pools.items() if not text(row, "size")]
    shared = _shared(config, applied)
    up = [port for port in config.get("PORT", {}) if _is_up(config, port)]
    wide = sum(_lanes(config, port) == 8 for port in up)
    lossy, wide_lossy = chip.pipeline_kib * _KIB, (2 * chip.pipeline_kib - 1) * _KIB
    reserves = 2 * ((len(up) - wide) * lossy + wide * wide_lossy) + _MANAGEMENT
    reserves += _DESCRIPTORS if chip.generation == 6 else len(up) * _MIRROR
    own = sum(int(applied.profiles[name]["size"]) * _members(key) for key, name in applied.groups.items())
    private = len({key.partition(":")[0] for key in applied.groups}) * _PRIVATE if shared else 0
    free = max(0, buffer - reserves - own - private - shared)
    ingress = sum(text(pools[name], "type") == "ingress" for name in unsized)
    size = min(free if ingress == 1 else free / 2, buffer // chip.cell * chip.cell)
    for name in unsized:
        xoff = {"xoff": str(shared)} if shared and name == LOSSLESS_POOL else {}
        yield name, {"size": str(math.ceil(size)), **xoff}


def _shared(config: Config, applied: Applied) -> int:
    """Bytes of the shared headroom pool; 0 for none."""
    if static := _static_shared(config):
        return static
    ratio = _ratio(config)
    if not ratio:
        return 0
    beyond = 0
    for key, name in applied.groups.items():
        profile = applied.profiles[name]
        beyond += _members(key) * max(0, int(profile["xon"]) + int(profile["xoff"]) - int(profile["size"]))
    ports = len({key.partition(":")[0] for key in applied.groups})
    return math.ceil(max(0, beyond - ports * _PRIVATE) / ratio) or _SHARED


def pool_table(config: Config, applied: Applied) -> Mapping[str, Hash]:
    """BUFFER_POOL_TABLE."""
    rows = {
        name: {**hash_of(row), **applied.pools.get(name, {})} for name, row in config.get("BUFFER_POOL", {}).items()
    }
    if _idle(config):
        rows[_ZERO_POOL] = {"type": "ingress", "mode": "static", "size": "0"}
    return rows


def profile_table(config: Config, applied: Applied) -> Mapping[str, Hash]:
    """BUFFER_PROFILE_TABLE: those of CONFIG_DB, those computed, and those of ports that are down."""
    own = {name: hash_of(row) for name, row in config.get("BUFFER_PROFILE", {}).items()}
    return {**own, **applied.profiles, **(_ZEROS if _idle(config) else {})}


def group_table(config: Config, applied: Applied) -> Mapping[str, Hash]:
    """BUFFER_PG_TABLE: what is written, what is computed, and group 0 of ports that are down."""
    rows: dict[str, Hash] = {f"{port}:0": {"profile": "ingress_lossy_pg_zero_profile"} for port in _idle(config)}
    for key, row in config.get("BUFFER_PG", {}).items():
        if _is_up(config, key.partition("|")[0]) and text(row, "profile") != "NULL":
            rows[key.replace("|", ":")] = hash_of(row)
    return {**rows, **{key: {"profile": name} for key, name in applied.groups.items()}}


def queue_table(config: Config) -> Mapping[str, Hash]:
    """BUFFER_QUEUE_TABLE, where queues of ports that are down keep nothing."""
    rows: dict[str, Hash] = {}
    for key, row in config.get("BUFFER_QUEUE", {}).items():
        lossless = text(row, "profile") == "egress_lossless_profile"
        zero = {"profile": f"egress_{'lossless' if lossless else 'lossy'}_zero_profile"}
        rows[key.replace("|", ":")] = hash_of(row) if _is_up(config, key.partition("|")[0]) else zero
    return rows


def _idle(config: Config) -> list[str]:
    """Ports that are administratively down."""
    return [port for port in config.get("PORT", {}) if not _is_up(config, port)]
