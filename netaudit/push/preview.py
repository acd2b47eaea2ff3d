"""What each device would have to change: its running files are read, nothing is written."""

from __future__ import annotations

from collections.abc import Callable

from netaudit.collect.read import TIMEOUT_S
from netaudit.collect.targets import Target
from netaudit.platforms import Platform
from netaudit.platforms import platform as platform_of
from netaudit.push.plan import DevicePlan, Running, Wanted, device_plan, unread
from netaudit.push.session import Session


def preview(
    wanted: Wanted,
    target: Target,
    platforms: Callable[[str], Platform] = platform_of,
    timeout_s: float = TIMEOUT_S,
) -> DevicePlan:
    """The plan of one device. A device that cannot be read is `UNREAD`, one that must not be touched `REFUSED`."""
    platform = platforms(wanted.platform)
    with Session(target, timeout_s) as session:
        running = session.running(platform)
    return device_plan(wanted, running, platform) if isinstance(running, Running) else unread(wanted, running)
