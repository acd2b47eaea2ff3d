"""What a platform offers where its NOS has nothing of its own there: taken up by name, so that a new one is short."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from netaudit.platforms import Query
from netaudit.state import BlindSpot, Device

RAW_SUFFIXES: tuple[str, ...] = ()
RAW_TABLES: tuple[str, ...] = ()
LENGTH_QUERIES: tuple[str, ...] = ()
BLIND_COMPUTING: tuple[BlindSpot, ...] = ()


def full_name(name: str) -> str:
    """A port name as it is: the NOS shortens none."""
    return name


def vrf_problem(name: str) -> str:
    """A VRF may have any name."""
    return ""


def lossless_profile(speed_mbps: int, length_m: int) -> str:
    """A name by speed and length, where the NOS leaves names to whoever configures it."""
    return f"HEADROOM-{speed_mbps // 1000}G-{length_m}M"


def computed_profile(speed_mbps: int, length_m: int, mtu_bytes: int, lanes: int, box: str) -> str:
    """The same: the switch computes none under a name of its own."""
    return lossless_profile(speed_mbps, length_m)


def merged(priorities: frozenset[int]) -> tuple[str, ...]:
    """Each priority group by itself."""
    return tuple(str(priority) for priority in sorted(priorities))


def raw_lines(text: str) -> frozenset[str]:
    """No line: text of the site's own has no place in the files."""
    return frozenset()


def raw_problems(text: str, owns: Collection[str]) -> Iterable[tuple[int, str, str]]:
    """Nothing: a file that no suffix stands for is refused before its lines are looked at."""
    return ()


def raw_table_problem(path: tuple[str, ...], owns: Collection[str]) -> tuple[str, str] | None:
    """Nothing, for the same reason."""
    return None


def raw_queries(device: Device) -> tuple[Query, ...]:
    """Nothing is asked beside what every device is asked."""
    return ()
