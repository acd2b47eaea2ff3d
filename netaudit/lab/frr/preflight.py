"""What this machine lacks for a lab of real FRR: all of it at once, each with what to do."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from netaudit.diag import Unusable
from netaudit.lab.frr.scripts import FRR_HOME

_PACKAGES: Final = (
    ("iproute2", ("ip",)),
    ("util-linux", ("unshare", "nsenter", "mount")),
    ("procps", ("sysctl",)),
    ("frr", ("vtysh", "zebra", "bgpd", "staticd", "bfdd", "modules/dplane_fpm_nl.so")),
    ("frr-pythontools", ("frr-reload.py",)),
    ("lldpd", ("lldpd", "lldpcli")),
    ("redis-server", ("redis-server",)),
    ("openssh-server", ("/usr/sbin/sshd",)),
)
"""Debian package → what of it is used."""
_FRR_LIBRARIES: Final = ("/usr/lib/x86_64-linux-gnu/frr", "/usr/lib/aarch64-linux-gnu/frr", "/usr/lib/frr")
"""Where Debian, for either kind of machine, and others put FRR's modules."""
KIB_A_SWITCH: Final = 45 * 1024
"""Memory of a switch at 32 sessions: 37 MB FRR, 2.7 redis, 1.4 lldpd, 1.2 sshd (lab.md section 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What a machine has."""

    linux: bool
    root: bool
    missing: tuple[str, ...] = ()
    """Debian packages of which something is not there."""
    available_kib: int | None = None
    """Memory; `None`: nobody says."""


def check(switches: int) -> None:
    """Raise `Unusable` that names everything that is missing here."""
    found = list(problems(machine(), switches))
    if found:
        raise Unusable(
            f"a lab of real FRR cannot run here: {'; '.join(what for what, _ in found)}",
            "; ".join(dict.fromkeys(hint for _, hint in found)),
        )


def machine() -> Machine:
    """This machine."""
    return Machine(
        linux=sys.platform == "linux",
        root=os.geteuid() == 0,
        missing=missing_packages(),
        available_kib=_available_kib(),
    )


def problems(here: Machine, switches: int) -> Iterator[tuple[str, str]]:
    """(what is missing, what to do) for a lab of so many switches."""
    if not here.linux:
        yield "it needs Linux", "netaudit lab up --sim runs anywhere"
        return
    if not here.root:
        yield "it needs root, for network namespaces", "run it with sudo, or take --sim"
    if here.missing:
        hint = f"apt install --no-install-recommends {' '.join(here.missing)}"
        yield f"not installed: {', '.join(here.missing)}", hint
    needed = switches * KIB_A_SWITCH
    if here.available_kib is not None and here.available_kib < needed:
        size = f"{needed // 1024:,} MB of memory, and {here.available_kib // 1024:,} MB are free"
        yield f"{switches} switches need {size}", "take a smaller intent, or --sim"


def missing_packages() -> tuple[str, ...]:
    """Debian packages of which something is not there."""
    return tuple(package for package, programs in _PACKAGES if not all(map(_there, programs)))


def _there(program: str) -> bool:
    if program.startswith("modules/"):
        return any((Path(folder) / program).exists() for folder in _FRR_LIBRARIES)
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    return shutil.which(program, path=path) is not None or (FRR_HOME / program).exists()


def _available_kib() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")), None)
