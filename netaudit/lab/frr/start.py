"""Every switch of a lab started: namespaces, cables, daemons, databases; and all of it taken away again."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from netaudit.diag import Diagnostic, Invalid, Unusable
from netaudit.lab.frr import daemons, limits, namespace
from netaudit.lab.frr.daemons_sonic import eeprom, follow, unified
from netaudit.lab.frr.namespace import HOSTS
from netaudit.lab.frr.node import Node, write_database
from netaudit.lab.frr.outsiders import configuration, label
from netaudit.lab.frr.plugs import Cabling
from netaudit.lab.sim.cabling import Lab
from netaudit.lab.sim.peers import Outsider
from netaudit.lab.sim.switch import Switch, boot

PREFIX: Final = "netaudit-"
"""Every namespace of a lab is called so, and eight digits that stand for its folder: what a crash leaves is found."""
_READY_S: Final = 60.0
_AT_ONCE: Final = 16
"""Switches that start at the same time: most of it is waiting for their processes."""
PEERS: Final = "peers"
"""Folder of what outsiders run with."""


def tag_of(labdir: Path) -> str:
    """The start of the names of everything that the lab of a folder makes."""
    return f"{PREFIX}{hashlib.sha256(os.fsencode(labdir.resolve())).hexdigest()[:8]}"


def remove(labdir: Path) -> int:
    """Take away whatever a lab of this folder has left, running or crashed; how many namespaces there were."""
    tag = tag_of(labdir)
    count = namespace.remove(tag)
    limits.restore(tag)
    control_path(labdir).unlink(missing_ok=True)
    return count


def control_path(labdir: Path) -> Path:
    """The control socket: in a folder of root's alone, and short enough for any folder of a lab."""
    return limits.STATE / f"{tag_of(labdir)}.sock"


def boot_switches(lab: Lab, labdir: Path) -> Mapping[str, Switch]:
    """The files of every switch read, and the folders that are mounted made. Raises `Invalid`."""
    switches = {}
    foreign = [name for name, platform in lab.platforms.items() if platform != "sonic"]
    if foreign:
        raise Invalid([Diagnostic(message=f"{name} is not SONiC, as all of a lab of real FRR is") for name in foreign])
    for name in lab.devices:
        folder = labdir / "devices" / name
        switches[name] = boot(name, folder)
        (folder / "tmp").chmod(0o1777)
        vtysh = folder / "etc/sonic/frr/vtysh.conf"
        vtysh.write_text("service integrated-vtysh-config\n")
        for path in (folder / "etc/sonic", folder / "etc/sonic/frr", folder / "home/admin"):
            path.chmod(0o755)
        vtysh.chmod(0o644)
    return switches


def start(
    lab: Lab, labdir: Path, switches: Mapping[str, Switch], outsiders: Mapping[str, Outsider]
) -> tuple[Mapping[str, Node], Cabling]:
    """Everything up: daemons of every switch, its databases filled, every cable in its port. Raises `Unusable`."""
    tag = tag_of(labdir)
    names = [*switches, HOSTS, *map(label, outsiders)]
    namespace.run("ip", "-batch", "-", text="".join(f"netns add {namespace.namespace(tag, name)}\n" for name in names))
    processes = {name: _launch(labdir, tag, name) for name in switches}
    nodes: dict[str, Node] = {}
    cabling = Cabling(tag=tag, nodes=nodes, outsiders=outsiders)
    deadline = time.monotonic() + _READY_S
    for name, process in processes.items():
        nodes[name] = Node(
            name=name,
            namespace=namespace.namespace(tag, name),
            switch=switches[name],
            process=process,
            pid=_first(process, name, labdir, deadline),
        )
    cabling.lay(lab.cables)
    for node in nodes.values():
        _await_ready(node, labdir, deadline)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(_fill, nodes.values()))
    cabling.settle()
    _start_outsiders(cabling, labdir)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(_ready, nodes.values()))
    return nodes, cabling


def _start_outsiders(cabling: Cabling, labdir: Path) -> None:
    """FRR of everybody else who speaks BGP."""
    shutil.rmtree(labdir / PEERS, ignore_errors=True)
    if cabling.outsiders:
        (labdir / PEERS).mkdir()
    configs = []
    for device, one in cabling.outsiders.items():
        ports = {plug.at.port: plug.parked for plug in cabling.plugs if plug.at.device == device}
        space = namespace.namespace(cabling.tag, label(device))
        namespace.run("ip", "netns", "exec", space, "sysctl", "-q", "-w", *namespace.SYSCTLS)
        namespace.run("ip", "-n", space, "link", "set", "lo", "up")
        configs.append((label(device), configuration(one, ports)))
    daemons.ready(labdir / PEERS, daemons.launch(cabling.tag, labdir / PEERS, configs))


def _launch(labdir: Path, tag: str, name: str) -> subprocess.Popen[bytes]:
    """The first process of a switch, in namespaces of its own."""
    private = ("unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--propagation", "private")
    script = labdir / "common/etc/start.sh"
    with (labdir / "devices" / name / "start.log").open("wb") as log:
        return subprocess.Popen(
            ("ip", "netns", "exec", namespace.namespace(tag, name), *private, "sh", str(script), str(labdir), name),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
        )


def _first(process: subprocess.Popen[bytes], name: str, labdir: Path, deadline: float) -> int:
    """The first process inside: the only child of `unshare`, into which `ip netns exec` has turned."""
    while True:
        _check(process, name, labdir, deadline)
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        except OSError:
            children = []
        if children:
            return int(children[0])
        time.sleep(0.01)


def _await_ready(node: Node, labdir: Path, deadline: float) -> None:
    while not (node.root / "run/ready").exists():
        _check(node.process, node.name, labdir, deadline)
        time.sleep(0.02)


def _check(process: subprocess.Popen[bytes], name: str, labdir: Path, deadline: float) -> None:
    """Raise `Unusable` where a switch ended or takes too long."""
    if process.poll() is not None or time.monotonic() > deadline:
        log = labdir / "devices" / name / "start.log"
        said = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        raise Unusable(f"{name} does not start: {said[-1] if said else 'it says nothing'}", f"all of it: {log}")


def _fill(node: Node) -> None:
    """Its databases as they are after a boot."""
    with node.redis() as redis:
        write_database(redis, {}, node.switch.config)
        redis.write("STATE_DB", eeprom(node))


def _ready(node: Node) -> None:
    """What depends on its ports being there."""
    with node.redis() as redis:
        follow(node, redis)
    node.run("lab-frr", "start", "unified" if unified(node) else "none")


def stop(nodes: Iterable[Node]) -> None:
    """End all switches at once."""
    for node in nodes:
        node.process.kill()  # --kill-child: the first process inside goes with it, and with that one all others
    for node in nodes:
        node.process.wait()
