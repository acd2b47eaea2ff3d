"""The small lab, booted in this process, and what tests ask of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab.sim import example
from lab.sim.client import TIMEOUT_S, Client
from netaudit.lab import control
from netaudit.lab.sim import shell
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.frr_show import Completed
from netaudit.lab.sim.serve import boot_fabric
from netaudit.lab.sim.switch import Switch

Json = dict[str, "object"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A booted lab without any transport."""

    fabric: Fabric
    labdir: Path

    def switch(self, name: str) -> Switch:
        return self.fabric.switches[name]

    def run(self, name: str, command: str) -> Completed:
        return shell.run(self.fabric, self.switch(name), command)

    def show(self, name: str, command: str) -> Json:
        done = self.run(name, f"vtysh -c '{command}'")
        assert done.code == 0, done
        return dict(json.loads(done.out))

    def put(self, name: str, file: str, content: object) -> str:
        """Write a file of the box, JSON unless it is text; its path."""
        text = content if isinstance(content, str) else json.dumps(content)
        (self.labdir / "devices" / name / file.lstrip("/")).write_text(text, encoding="utf-8")
        return file

    def patch(self, name: str, *operations: tuple[str, str] | tuple[str, str, object]) -> Completed:
        """`config apply-patch` with (op, path[, value]) each."""
        patch = [dict(zip(("op", "path", "value"), one, strict=False)) for one in operations]
        return self.run(name, f"sudo config apply-patch {self.put(name, '/tmp/patch.json', patch)}")

    def reload_frr(self, name: str, text: str) -> Completed:
        self.put(name, "/etc/sonic/frr/frr.conf", text)
        return self.run(name, "docker exec bgp /usr/lib/frr/frr-reload.py --reload /etc/frr/frr.conf")

    def hops(self, name: str, prefix: str) -> set[str]:
        """Ports that the BGP route to a prefix leaves through."""
        family = "ipv6" if ":" in prefix else "ip"
        routes = self.show(name, f"show {family} route json").get(prefix, [])
        return {hop["interfaceName"] for route in routes if route["protocol"] == "bgp" for hop in route["nexthops"]}

    def paths(self, name: str, prefix: str) -> list[str]:
        """AS paths of the BGP table for a prefix, of valid paths."""
        family = "ipv6" if ":" in prefix else "ipv4"
        routes = self.show(name, f"show bgp {family} unicast json")["routes"]
        return [path["path"] for path in routes.get(prefix, []) if path.get("valid")]

    def states(self, name: str) -> dict[str, str]:
        """Port → state of its session."""
        peers = self.show(name, "show bgp summary json")["ipv4Unicast"]["peers"]
        return {key: peer["state"] for key, peer in peers.items()}


@pytest.fixture
def boot(tmp_path: Path) -> Callable[..., Lab]:
    """Boots the example lab; files given by path take the place of its own, None leaves one out."""

    def boot(changed: dict[str, str] | None = None) -> Lab:
        labdir = example.write(tmp_path / "lab", changed)
        return Lab(fabric=boot_fabric(labdir), labdir=labdir)

    return boot


@pytest.fixture
def lab(boot: Callable[..., Lab]) -> Lab:
    return boot()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    labdir = example.write(tmp_path_factory.mktemp("lab"))
    targets = control.up(labdir, TIMEOUT_S)
    try:
        yield Client(labdir=labdir, targets=json.loads(targets.read_text(encoding="utf-8")))
    finally:
        control.down(labdir)
