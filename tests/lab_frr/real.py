"""Fabrics on real FRR for a test: up, converged, and what their tables hold in the words of the model."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from netaudit.expect import Expected
from netaudit.lab.frr import daemons, limits, namespace
from netaudit.lab.frr.daemons import Switch
from netaudit.lab.frr.routes import route_table
from netaudit.lab.frr.vty import ask_json
from netaudit.labdir_frr import configs, native_names, wiring
from netaudit.state import Failures, Link, LinkEnd, Route

CONVERGED_S = 90.0
STEP_S = 0.5
PREFIX = "eq-"

Table = Mapping[str, Route]
"""Prefix → route, by `cage[/sub]`."""


@dataclass(frozen=True, slots=True)
class Real:
    """A running fabric."""

    expected: Expected
    tag: str
    switches: Mapping[str, Switch]

    def table(self, name: str) -> Table:
        """What BGP holds, next hops as zebra says that they are in the kernel."""
        ports = {native: key for key, native in native_names(self.expected, name).items()}
        pid = self.switches[name].pid
        found: dict[str, Route] = {}
        for family, word in (("ipv4", "ip"), ("ipv6", "ipv6")):
            zebra = ask_json(pid, "zebra", f"show {word} route bgp json")
            for prefix, paths in ask_json(pid, "bgpd", f"show bgp {family} unicast json").get("routes", {}).items():
                used = [path for path in paths if path.get("bestpath") or path.get("multipath")]
                if used:
                    found[prefix] = Route(
                        hops=frozenset(ports[hop] for hop in _hops(zebra.get(prefix, []))),
                        as_paths=frozenset(tuple(map(int, path["path"].split())) for path in used),
                    )
        return found

    def kernel(self, name: str) -> Mapping[str, frozenset[str]]:
        """Prefix → ports that the kernel itself forwards by: zebra's word is not taken for it."""
        ports = {native: key for key, native in native_names(self.expected, name).items()}
        rows = route_table(namespace.namespace(self.tag, name))
        return {
            prefix: frozenset(ports[hop] for hop in row["ifname"].split(","))
            for prefix, row in rows.items()
            if row["protocol"] == "bgp"
        }

    def differences(self, failures: Failures) -> Sequence[str]:
        """Every prefix of every switch whose route is not the expected one."""
        found: list[str] = []
        for name in self.switches:
            if name not in failures.devices:
                found += self._of_switch(name, failures)
        return found

    def _of_switch(self, name: str, failures: Failures) -> Iterator[str]:
        expected = {prefix: route for (_, prefix), route in self.expected.routes(name, failures).items()}
        real, kernel = self.table(name), self.kernel(name)
        for prefix in sorted(expected.keys() | real.keys()):
            mine, theirs = expected.get(prefix), real.get(prefix)
            if mine is not None and theirs is not None and not mine.hops and not theirs.hops:
                continue  # its own
            if mine != theirs and not (
                theirs is not None and self.expected.allows(name, ("default", prefix), theirs, failures)
            ):
                yield f"{name} {prefix}: expected {_told(mine)}, FRR has {_told(theirs)}"
            elif theirs is not None and kernel.get(prefix) != theirs.hops:
                yield f"{name} {prefix}: FRR has {_told(theirs)}, the kernel {sorted(kernel.get(prefix, ()))}"
        for prefix in sorted(kernel.keys() - real.keys()):
            yield f"{name} {prefix}: the kernel has a route that BGP does not"

    def settled(self, failures: Failures) -> Sequence[str]:
        """The differences once there are none, or those that stay."""
        until = time.monotonic() + CONVERGED_S
        while (found := self.differences(failures)) and time.monotonic() < until:
            time.sleep(STEP_S)
        return found

    def cut(self, links: Sequence[Link]) -> None:
        """Take both ends of cables down."""
        self._set([end for link in links for end in (link.a, link.b)], "down")

    def mend(self, links: Sequence[Link]) -> None:
        """Bring them up again."""
        self._set([end for link in links for end in (link.a, link.b)], "up")

    def _set(self, ends: Sequence[LinkEnd], state: str) -> None:
        for end in ends:
            native = native_names(self.expected, end.device)[end.port]
            space = namespace.namespace(self.tag, end.device)
            namespace.run("ip", "-n", space, "link", "set", native, state)


def _hops(entries: Sequence[Mapping[str, object]]) -> Iterator[str]:
    for entry in entries:
        if entry.get("selected"):
            for hop in entry["nexthops"]:  # type: ignore[attr-defined]
                if hop.get("fib"):
                    yield hop["interfaceName"]


def _told(route: Route | None) -> str:
    if route is None:
        return "none"
    return f"{sorted(route.hops)} by {sorted(route.as_paths)}"


@contextmanager
def running(fabrics: Mapping[str, Expected], folder: Path) -> Iterator[Mapping[str, Real]]:
    """Fabrics up for as long as the block runs. What a test run that was killed has left is removed first."""
    folder.chmod(0o755)  # FRR drops to a user of its own before it reads
    remove_stale()
    with ExitStack() as stack:
        begun = {}
        for number, (name, expected) in enumerate(fabrics.items()):
            tag = f"{PREFIX}{os.getpid()}n{number}"
            limits.raise_limits(tag)
            stack.callback(limits.restore, tag)
            stack.callback(namespace.remove, tag)
            plan = wiring(expected)
            namespace.make(tag, plan)
            namespace.settle(tag, plan.switches)
            begun[name] = tag, daemons.launch(tag, folder / tag, tuple(configs(expected)))
        made = {}
        for name, expected in fabrics.items():
            tag, processes = begun[name]
            switches = daemons.ready(folder / tag, processes)
            for switch in switches:
                stack.callback(switch.stop)
            made[name] = Real(expected, tag, {switch.name: switch for switch in switches})
        yield made


def remove_stale() -> None:
    """Take away what runs of processes have left that are there no more."""
    tags = (
        {path.name.partition(".")[0] for path in namespace.NAMED.glob(f"{PREFIX}*")} if namespace.NAMED.is_dir() else ()
    )
    for tag in tags:
        if not (Path("/proc") / tag.removeprefix(PREFIX).partition("n")[0]).exists():
            namespace.remove(tag)
            limits.restore(tag)
