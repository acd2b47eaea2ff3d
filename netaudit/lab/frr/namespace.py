"""Switches as namespaces and cables as veth pairs: what the kernel is told, and how all of it is taken away again.

Everything a lab makes carries its tag in its name, so that what a crash leaves behind can be found and removed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from netaudit.diag import Unusable

HOSTS = "hosts"
"""The namespace that all far ends of cables to hosts and to neighbors of others are in."""
NAMED = Path("/run/netns")
"""Where `ip netns` keeps them (ip-netns(8))."""
_GONE_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a cable: a switch (or `hosts`) and the name of its interface there."""

    switch: str
    interface: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """What an interface of a switch is given."""

    addresses: tuple[str, ...] = ()
    mtu_bytes: int = 9216
    up: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Switches with their interfaces, and the cables between them."""

    switches: Mapping[str, Mapping[str, Interface]] = field(default_factory=dict)
    """Switch → interface → what it is given; `Loopback0` among them."""
    cables: tuple[tuple[End, End], ...] = ()


def namespace(tag: str, switch: str) -> str:
    """Name of the namespace of a switch."""
    return f"{tag}.{switch}"


def make(tag: str, wiring: Wiring) -> None:
    """Make namespaces, cables and addresses, links last up. Raises `Unusable`; `remove` takes back what was made."""
    names = [*wiring.switches, HOSTS]
    run("ip", "-batch", "-", text="".join(f"netns add {namespace(tag, name)}\n" for name in names))
    run("ip", "-batch", "-", text="".join(_cable(tag, a, b) for a, b in wiring.cables))
    for name, interfaces in wiring.switches.items():
        inside(tag, name, "ip", "-batch", "-", text="".join(_commands(interfaces)))
    hosts = [end.interface for pair in wiring.cables for end in pair if end.switch == HOSTS]
    inside(tag, HOSTS, "ip", "-batch", "-", text="".join(f"link set {name} up mtu 9216\n" for name in hosts))


def _cable(tag: str, a: End, b: End) -> str:
    one, other = namespace(tag, a.switch), namespace(tag, b.switch)
    return f"link add {a.interface} netns {one} type veth peer name {b.interface} netns {other}\n"


def _commands(interfaces: Mapping[str, Interface]) -> Iterable[str]:
    """The batch that configures a switch. `Loopback0` is an ifb: this kernel may lack dummies (lab.md section 1)."""
    yield "link set lo up\n"
    for name, interface in interfaces.items():
        if name.startswith("Loopback"):
            yield f"link add ifb0 type ifb\nlink set ifb0 name {name}\n"
        for address in interface.addresses:
            yield f"addr add {address} dev {name}{' nodad' if ':' in address else ''}\n"
        yield f"link set {name} mtu {interface.mtu_bytes} {'up' if interface.up else 'down'}\n"


SYSCTLS: Sequence[str] = (
    "net.ipv4.ip_forward=1",
    "net.ipv6.conf.all.forwarding=1",
    "net.ipv4.fib_multipath_hash_policy=1",
    "net.ipv6.fib_multipath_hash_policy=1",
    "net.ipv4.conf.all.rp_filter=0",
    "net.ipv4.conf.default.rp_filter=0",
    "net.ipv6.conf.all.accept_dad=0",
    "net.ipv6.conf.default.accept_dad=0",
    "net.ipv6.conf.all.accept_ra=0",
    "net.ipv6.conf.default.accept_ra=0",
    "net.ipv6.conf.all.keep_addr_on_down=1",
    "net.ipv6.conf.default.keep_addr_on_down=1",
)
"""As SONiC's kernel forwards, and keeps addresses (lab.md section 2); set before links come up."""


def settle(tag: str, switches: Iterable[str]) -> None:
    """Set the sysctls of forwarding in each switch."""
    for name in switches:
        inside(tag, name, "sysctl", "-q", "-w", *SYSCTLS)


def present(tag: str) -> tuple[str, ...]:
    """Namespaces that are there with this tag."""
    if not NAMED.is_dir():
        return ()
    return tuple(sorted(path.name for path in NAMED.iterdir() if path.name.startswith(f"{tag}.")))


def remove(tag: str) -> int:
    """Stop every process in the lab's namespaces and delete them; how many there were. Safe to call at any time."""
    names = present(tag)
    until = time.monotonic() + _GONE_S
    while pids := _inhabitants(names):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > until:
            raise Unusable(f"processes {', '.join(map(str, pids))} of the lab do not end", "look at them with ps")
        time.sleep(0.02)
    try:
        if names:
            run("ip", "-force", "-batch", "-", text="".join(f"netns delete {name}\n" for name in names))
    except Unusable:
        if set(names) & set(present(tag)):  # else somebody else has deleted them meanwhile: a lab that ends
            raise
    return len(names)


def _inhabitants(names: Iterable[str]) -> list[int]:
    """Every process in one of these network namespaces: one look at /proc for all of them."""
    spaces = set()
    for name in names:
        with contextlib.suppress(OSError):
            spaces.add((NAMED / name).stat().st_ino)
    if not spaces:
        return []
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal() and _space(path) in spaces]


def _space(process: Path) -> int:
    try:
        return (process / "ns/net").stat().st_ino
    except OSError:  # it has ended
        return 0


def inside(tag: str, switch: str, *command: str, text: str = "") -> str:
    """Run a command in the namespace of a switch. Raises `Unusable` with what it said."""
    return run("ip", "netns", "exec", namespace(tag, switch), *command, text=text)


def run(*command: str, text: str = "") -> str:
    """Run a command and return what it printed. Raises `Unusable` with the command and what it said."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Unusable(f"`{' '.join(command[:6])}` failed: {said[0] if said else done.returncode}", "netaudit lab down")
    return done.stdout
