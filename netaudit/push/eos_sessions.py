"""EOS's configuration sessions around a load: ours has a name by which it is known, and none of ours is left over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol
from uuid import uuid4

OURS: Final = "netaudit-"
"""How the names of our sessions begin; those of others are never touched (field case A22)."""


class Node(Protocol):
    """What is used of pyeapi's Node."""

    def run_commands(self, commands: list[str]) -> list[Mapping[str, object]]:
        """The JSON of each answer."""


class EosDriver(Protocol):
    """What is used of NAPALM's driver of EOS: its connection, and the session that it is at work in."""

    device: Node
    config_session: str | None


def enter_session(driver: EosDriver) -> None:
    """Have the driver load into a session of ours; those that an earlier push left pending are aborted first.

    NAPALM names a session after the microsecond, `napalm_…`, as everybody's does, and loads into none while another is
    pending. A session whose commit awaits its confirmation is not pending: it ends by itself.
    """
    if driver.config_session is not None:
        return
    told = driver.device.run_commands(["show configuration sessions"])[0].get("sessions")
    for name, row in told.items() if isinstance(told, Mapping) else ():
        if str(name).startswith(OURS) and isinstance(row, Mapping) and row.get("state") == "pending":
            driver.device.run_commands([f"configure session {name} abort"])
    driver.config_session = f"{OURS}{uuid4().hex[:8]}"
