"""QoS as EOS has it: maps of the whole switch, and a profile for all that one port has (eos.md section 1).

EOS gives names to profiles only. In the normal form what serves queue 3 is called `NETAUDIT-400G/3`, after the profile
it stands in; profiles that differ in PFC or in the watchdog only (`NETAUDIT-400G-v2`) have their queues in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from netaudit.platforms.eos.asics import queue_word
from netaudit.state import ABSENT, Device, Marking, PortQos, Qos, Scheduler, Watchdog, Wred

SWITCH: Final = "switch"
"""The name of a map of which there is one, and which has none on the device."""
BASE: Final = "NETAUDIT"
COLOUR: Final = "green"
"""One curve marks every packet; it stands under the first of our colours."""
_VARIANT = re.compile(r"-v\d+$")
KBIT_BYTES: Final = 125
"""`shape rate` counts in kbps; 125 bytes a second are one."""


def default_tc(dscp: int) -> int:
    """The class of a DSCP that no map names: 0-7 → 1, 8-15 → 0, from 16 on its first three bits (eos.md section 2)."""
    return {0: 1, 1: 0}.get(dscp // 8, dscp // 8)


FIXED_TC: Final = 7
"""Traffic class 7 is queue 7 and cannot be mapped (eos.md section 2)."""
ACTIONS: Final = {"drop": "drop", "alert": "notify-only"}
"""Our word → that of the watchdog of a port."""


def row_of(profile: str, queue: str) -> str:
    """The name of what serves a queue in a profile."""
    return f"{profile}/{queue}"


def base_of(profile: str) -> str:
    """The profile that a variant has its queues from."""
    return _VARIANT.sub("", profile)


def seconds(milliseconds: int) -> str:
    """`0.2` for 200 ms: no zeros at the end."""
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")


def map_lines(qos: Qos) -> Iterator[str]:
    """The maps of the switch: each class with the DSCPs that are in it, and the queue of each class."""
    classes: dict[int, list[int]] = {}
    for dscp, tc in sorted((qos.dscp_to_tc or {}).get(SWITCH, {}).items()):
        classes.setdefault(tc, []).append(dscp)
    for tc, dscps in sorted(classes.items()):
        yield f"qos map dscp {' '.join(map(str, dscps))} to traffic-class {tc}"
    for tc, queue in sorted((qos.tc_to_queue or {}).get(SWITCH, {}).items()):
        if (tc, queue) != (FIXED_TC, FIXED_TC):
            yield f"qos map traffic-class {tc} to tx-queue {queue}"


def watchdog_lines(qos: Qos) -> Iterator[str]:
    """How often the watchdog of the switch looks."""
    if isinstance(qos.watchdog_poll_ms, int):
        yield f"priority-flow-control pause watchdog default polling-interval {seconds(qos.watchdog_poll_ms)}"


def port_lines(port: PortQos, profile: str) -> Iterator[str]:
    """What binds a port to its profile."""
    if profile:
        yield f"service-profile {profile}"
    if port.dscp_to_tc is ABSENT:
        yield "no qos trust"
    elif port.dscp_to_tc is not None:
        yield "qos trust dscp"


Profile = tuple[str, PortQos]
"""(name, a port that has it)."""


def profiles(device: Device) -> tuple[Mapping[str, Profile], Mapping[str, str]]:
    """Profile → a port that has it, and port → profile.

    Ports whose queues are served alike have profiles of one base; among these a difference in PFC or in the watchdog
    makes a variant, numbered in the order of the ports.
    """
    ports = (device.qos.ports if device.qos is not None else None) or {}
    variants: dict[str, list[tuple[object, str]]] = {}
    found: dict[str, Profile] = {}
    bound: dict[str, str] = {}
    for key, port in ports.items():
        base = _base(port, device, key)
        same = (port.pfc, port.watchdog, port.dscp_to_tc, tuple(port.queues or ()))
        known = variants.setdefault(base, [])
        name = next((name for what, name in known if what == same), None)
        if name is None:
            name = base if not known else f"{base}-v{len(known) + 1}"
            known.append((same, name))
            found[name] = (name, port)
        bound[key] = name
    for base in _bases(device.qos or Qos()):
        found.setdefault(base, (base, PortQos()))
    return found, bound


def _bases(qos: Qos) -> Iterator[str]:
    """The profiles of what serves queues, those among them that no port is bound to."""
    for row in (*(qos.schedulers or {}), *(qos.wred or {})):
        base = row.rpartition("/")[0]
        if base:
            yield base


def _base(port: PortQos, device: Device, key: str) -> str:
    names = [q.scheduler for q in (port.queues or {}).values() if isinstance(q.scheduler, str)]
    return names[0].rpartition("/")[0] if names else base_name(device, key)


def base_name(device: Device, key: str) -> str:
    """`NETAUDIT-400G`, after the speed of a port."""
    port = (device.ports or {}).get(key)
    speed = port.speed_mbps if port is not None else None
    return f"{BASE}-{speed // 1000}G" if isinstance(speed, int) else BASE


Block = tuple[str, list[str]]
"""(the line that opens it, the lines in it)."""


def profile_block(device: Device, profile: Profile) -> tuple[list[str], list[Block]]:
    """The lines of a profile, and its queues."""
    name, port = profile
    return list(_profile_lines(device.qos or Qos(), port)), list(_queues(device, base_of(name), port))


def _profile_lines(qos: Qos, port: PortQos) -> Iterator[str]:
    if port.dscp_to_tc is ABSENT:
        yield "no qos trust"
    elif port.dscp_to_tc is not None:
        yield "qos trust dscp"
    if isinstance(port.pfc, frozenset) and port.pfc:
        yield "priority-flow-control on"
        yield from (f"priority-flow-control priority {priority} no-drop" for priority in sorted(port.pfc))
    if isinstance(port.watchdog, Watchdog):
        yield from _watchdog(qos, port.watchdog)


def _watchdog(qos: Qos, dog: Watchdog) -> Iterator[str]:
    yield "priority-flow-control pause watchdog"
    if isinstance(dog.action, str):
        yield f"priority-flow-control pause watchdog port action {ACTIONS.get(dog.action, dog.action)}"
    if isinstance(dog.detect_ms, int) and isinstance(dog.restore_ms, int):
        poll = seconds(qos.watchdog_poll_ms) if isinstance(qos.watchdog_poll_ms, int) else "auto"
        timers = f"timeout {seconds(dog.detect_ms)} polling-interval {poll} recovery-time {seconds(dog.restore_ms)}"
        yield f"priority-flow-control pause watchdog port timer {timers}"


def _queues(device: Device, base: str, port: PortQos) -> Iterator[Block]:
    qos = device.qos or Qos()
    others = {name.rpartition("/")[2] for name in (*(qos.schedulers or {}), *(qos.wred or {})) if _of(name, base)}
    for number in sorted({*(port.queues or {}), *others}):
        row = row_of(base, number)
        lines = [*_scheduler(qos, row), *_wred(qos, row)]
        yield f"{queue_word(device.asic)} {number}", lines


def _of(row: str, base: str) -> bool:
    return row.rpartition("/")[0] == base


def _scheduler(qos: Qos, row: str) -> Iterator[str]:
    scheduler = (qos.schedulers or {}).get(row, Scheduler())
    if isinstance(scheduler.kind, str):
        yield "priority strict" if scheduler.kind == "strict" else "no priority"
    if isinstance(scheduler.weight, int):
        yield f"bandwidth percent {scheduler.weight}"
    if isinstance(scheduler.cap_bytes_per_s, int):
        yield f"shape rate {Fraction(scheduler.cap_bytes_per_s, KBIT_BYTES)} kbps"


def _wred(qos: Qos, row: str) -> Iterator[str]:
    wred = (qos.wred or {}).get(row, Wred())
    curve = (wred.colours or {}).get(COLOUR, Marking())
    if not isinstance(curve.kmin_bytes, int) or not isinstance(curve.kmax_bytes, int):
        return
    what, chance = ("ecn", "max-mark-probability") if wred.ecn is True else ("drop", "drop-probability")
    line = f"random-detect {what} minimum-threshold {curve.kmin_bytes} bytes maximum-threshold {curve.kmax_bytes} bytes"
    if isinstance(curve.pmax_percent, int):
        line += f" {chance} {curve.pmax_percent}"
    yield f"{line} weight 0"
