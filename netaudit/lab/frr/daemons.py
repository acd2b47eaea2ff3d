"""FRR alone in a switch, with a configuration from the start: what a comparison with real BGP needs, and no more."""

from __future__ import annotations

import shlex
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from netaudit.diag import Unusable
from netaudit.lab.frr.namespace import namespace
from netaudit.lab.frr.scripts import FRR, FRR_HOME, KEEP

_READY_S: Final = 90.0

_START: Final = """#!/bin/sh
# The first process of a switch: killing it ends the whole switch.
set -e
hostname {name}
mount --bind {folder}/frr /etc/frr
mount --bind {folder}/bin /usr/local/sbin
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/tmp
mount -t tmpfs tmpfs /var/log
mkdir -p /run/frr /var/log/frr
chown frr:frr /run/frr /var/log/frr
mount -t proc proc /proc
lab-frr start unified
touch {folder}/ready
exec sleep infinity
"""
_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A running switch: `pid` is its first process."""

    name: str
    pid: int
    process: subprocess.Popen[bytes]
    """The `unshare` around it, a child of ours."""

    def stop(self) -> None:
        """End all of it."""
        self.process.kill()  # --kill-child: the first process inside goes with it, and with that one all others
        self.process.wait()


def launch(tag: str, folder: Path, configs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, subprocess.Popen[bytes]]]:
    """FRR of every (switch, frr.conf) begun, and not awaited."""
    return [(name, _launch(tag, folder / name, name, conf)) for name, conf in configs]


def ready(folder: Path, begun: Sequence[tuple[str, subprocess.Popen[bytes]]]) -> tuple[Switch, ...]:
    """The switches once all have read their configuration. Raises `Unusable`."""
    until = time.monotonic() + _READY_S
    switches = []
    for name, process in begun:
        while not (folder / name / "ready").exists():
            if process.poll() is not None or time.monotonic() > until:
                said = (folder / name / "start.log").read_text(errors="replace").strip()
                raise Unusable(f"{name} does not start: {said[-300:] or 'it says nothing'}", "netaudit lab down")
            time.sleep(0.02)
        switches.append(Switch(name=name, pid=_first(process.pid), process=process))
    return tuple(switches)


def _launch(tag: str, folder: Path, name: str, conf: str) -> subprocess.Popen[bytes]:
    """The switch's own mount, host name and process namespaces, inside its network namespace."""
    for path, text, mode in (
        ("frr/frr.conf", conf, 0o644),
        ("frr/vtysh.conf", "service integrated-vtysh-config\n", 0o644),
        ("bin/lab-frr", FRR.format(frr=FRR_HOME), 0o755),
        ("bin/lab-keep", KEEP, 0o755),
        ("start.sh", _START.format(name=shlex.quote(name), folder=shlex.quote(str(folder))), 0o755),
    ):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.parent.chmod(0o755)
        file.write_text(text)
        file.chmod(mode)
    private = ("unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--propagation", "private")
    with (folder / "start.log").open("wb") as log:
        return subprocess.Popen(
            ("ip", "netns", "exec", namespace(tag, name), *private, "sh", str(folder / "start.sh")),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
            env={"PATH": _PATH, "LANG": "C.UTF-8"},
        )


def _first(parent: int) -> int:
    """The first process inside: the only child of `unshare`, into which `ip netns exec` has turned."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    if not children:
        raise Unusable(f"process {parent} has ended", "netaudit lab down")
    return int(children[0])
