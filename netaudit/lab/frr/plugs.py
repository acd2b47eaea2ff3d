"""Where every cable is plugged in, and what its ends are in the kernel: moved, named, addressed and switched."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from netaudit.diag import Unusable
from netaudit.lab.frr.namespace import HOSTS, namespace, run
from netaudit.lab.frr.node import Node
from netaudit.lab.frr.outsiders import label
from netaudit.lab.sim.cabling import Cable, End
from netaudit.lab.sim.peers import Contact, Outsider
from netaudit.lab.sim.ports import link_is_up

PARKED_MTU = 9216
_UNPLUGGED_S = 2.0
"""How long a moved end is out: where an interface of the same name is back before bgpd has dealt with its loss, FRR 8.4
sends no router advertisements on the new one, and an unnumbered session never comes up."""
FIRST_INDEX = 1000
"""Above what the kernel gives to loopbacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """What an end of a cable, or a loopback, is or shall be in the kernel."""

    namespace: str
    name: str
    up: bool = False
    mtu: str = ""
    mac: str = ""
    link_local: bool = False
    addresses: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class Plug:
    """One end of a cable."""

    parked: str
    """Its name while no port of a switch is there."""
    at: End
    """Where it is plugged in now."""
    cable: Cable
    """As the plan has it."""
    far: Plug | None = None
    is_: Device = field(default_factory=lambda: Device(namespace="", name=""))

    def beside(self) -> Plug:
        """The other end of the cable."""
        if self.far is None:
            raise ValueError(f"{self.parked} has no other end")
        return self.far


@dataclass(slots=True, kw_only=True)
class Cabling:
    """All cables of the lab. Everything that moves or changes a network device goes through `settle`."""

    tag: str
    nodes: Mapping[str, Node]
    outsiders: Mapping[str, Outsider] = field(default_factory=dict)
    """Device → who speaks BGP there; it has a namespace of its own, hosts that do not share one."""
    plugs: list[Plug] = field(default_factory=list)
    loopbacks: dict[tuple[str, str], Device] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    """Parked names of ends whose cable carries nothing."""
    lock: threading.RLock = field(default_factory=threading.RLock)

    def lay(self, cables: Iterable[Cable]) -> None:
        """Make a veth pair for every cable, both ends down and without a port."""
        lines = []
        for number, cable in enumerate(cables):
            ends = [
                Plug(parked=f"cable{number}{side}", at=at, cable=cable) for side, at in (("a", cable.a), ("b", cable.b))
            ]
            ends[0].far, ends[1].far = ends[1], ends[0]
            for plug in ends:
                plug.is_ = Device(namespace=self._space(plug.at), name=plug.parked)
            lines.append(f"link add {_new(ends[0], 2 * number)} type veth peer {_new(ends[1], 2 * number + 1)}\n")
            self.plugs += ends
        run("ip", "-batch", "-", text="".join(lines))

    def cables(self) -> tuple[Cable, ...]:
        """The cables as they lie now."""
        return tuple(replace(plug.cable, a=plug.at, b=plug.beside().at) for plug in self.plugs[::2])

    def plug_at(self, end: End) -> Plug | None:
        """What is plugged in at a port."""
        return next((plug for plug in self.plugs if plug.at == end), None)

    def settle(self) -> frozenset[str]:
        """Make the kernel's devices what the switches' configurations say; the namespaces where something changed.

        Raises `Unusable` with what the kernel refuses, when all else is done.
        """
        with self.lock:
            moves = [(plug, plug.is_, wanted) for plug in self.plugs if (wanted := self._wanted(plug)) != plug.is_]
            batches = _Batches()
            for plug, now, wanted in moves:
                if (now.namespace, now.name) != (wanted.namespace, wanted.name):
                    _unplug(batches, plug.parked, now, wanted)
            for plug, now, wanted in moves:
                if (now.namespace, now.name) != (wanted.namespace, wanted.name):
                    batches.late[wanted.namespace] += [f"link set {plug.parked} name {wanted.name}"] * (
                        wanted.name != plug.parked
                    )
                    now = Device(namespace=wanted.namespace, name=wanted.name)
                batches.late[wanted.namespace] += _changed(now, wanted)
            self._settle_loopbacks(batches)
            moved = any(plug.is_.name != plug.parked for plug, now, to in moves if now.namespace != to.namespace)
            refused = batches.run(_UNPLUGGED_S if moved else 0.0)
            for plug, _, wanted in moves:
                plug.is_ = wanted
            if refused:
                raise Unusable(f"the kernel refuses {'; '.join(refused)}", "look at the rows of these ports")
            return frozenset(batches.early.keys() | batches.late.keys())

    def _settle_loopbacks(self, batches: _Batches) -> None:
        wanted = {(node.name, one.name): one for node in self.nodes.values() for one in _loopbacks(node)}
        for (switch, name), one in self.loopbacks.items():
            if (switch, name) not in wanted:
                batches.early[one.namespace].append(f"link del {name}")
        for key, one in wanted.items():
            now = self.loopbacks.get(key)
            if now is None:  # an ifb: a kernel may lack dummies (lab.md section 1)
                batches.early[one.namespace] += ["link add ifb9 type ifb", f"link set ifb9 name {one.name}"]
            batches.late[one.namespace] += _changed(now or Device(namespace=one.namespace, name=one.name), one)
        self.loopbacks = wanted

    def _space(self, end: End) -> str:
        if end.device in self.outsiders:
            return namespace(self.tag, label(end.device))
        return namespace(self.tag, end.device if end.device in self.nodes else HOSTS)

    def _wanted(self, plug: Plug) -> Device:
        """What the end shall be."""
        node = self.nodes.get(plug.at.device)
        lit = plug.parked not in self.cut and not self._dark(plug)
        if node is None:
            contacts = [one for one in self._contacts(plug.at.device) if one.port == plug.at.port]
            return Device(
                namespace=self._space(plug.at),
                name=plug.parked,
                up=lit,
                mtu=str(PARKED_MTU),
                link_local=any(one.address is None or one.address.version == 6 for one in contacts),
                addresses=frozenset(str(one.address) for one in contacts if one.address is not None),
            )
        facts = node.switch.facts()
        native = facts.native.get(plug.at.port)
        if native is None:
            return Device(namespace=node.namespace, name=plug.parked)
        row = node.switch.config["PORT"][native]
        return Device(
            namespace=node.namespace,
            name=native,
            up=lit and facts.ports[plug.at.port].enabled,
            mtu=str(row.get("mtu", "9100")),
            mac=node.switch.eeprom.mac,
            link_local=native in facts.link_local,
            addresses=frozenset(map(str, facts.addresses.get(native, ()))),
        )

    def _contacts(self, device: str) -> Iterable[Contact]:
        return self.outsiders[device].contacts if device in self.outsiders else ()

    def _dark(self, plug: Plug) -> bool:
        """Are both ends enabled, and no light comes? Speed, lanes or FEC differ, which a veth does not mind."""
        one, two = plug, plug.beside()
        specs = {}
        for end in (one.at, two.at):
            node = self.nodes.get(end.device)
            if node is None:
                return False
            spec = node.switch.facts().ports.get(end.port)
            if spec is None or not spec.enabled:
                return False
            specs[end] = spec
        return not link_is_up(Cable(a=one.at, b=two.at), specs, frozenset(self.nodes))

    def flap(self, node: Node, natives: Iterable[str]) -> None:
        """Take ports down and up again, as GCU does for what it changes on a port."""
        with self.lock:
            names = {plug.is_.name for plug in self.plugs if plug.is_.namespace == node.namespace and plug.is_.up}
            flapping = sorted(names & set(natives))
            lines = [f"link set {name} {state}" for state in ("down", "up") for name in flapping]
            if lines:
                run("ip", "-n", node.namespace, "-batch", "-", text="".join(f"{line}\n" for line in lines))

    def forget(self, plug: Plug) -> None:
        """Have the next `settle` set every attribute of an end anew, whatever somebody did to it."""
        plug.is_ = replace(plug.is_, up=not plug.is_.up, mtu="", mac="")


def _new(plug: Plug, number: int) -> str:
    """How a new end is told to `ip`. lldpd takes a device of the same name and index for the one that was there before,
    and a moved one keeps its index: so no two ends of a lab have the same."""
    return f"name {plug.parked} index {FIRST_INDEX + number} netns {plug.is_.namespace}"


def _loopbacks(node: Node) -> Iterator[Device]:
    for name, found in node.switch.facts().addresses.items():
        if name.startswith("Loopback"):
            addresses = frozenset(map(str, found))
            yield Device(namespace=node.namespace, name=name, up=True, mtu="65536", addresses=addresses)


class _Batches:
    """Lines for `ip`, by namespace: first all that frees names and moves devices, then what they become."""

    def __init__(self) -> None:
        self.early: dict[str, list[str]] = defaultdict(list)
        self.late: dict[str, list[str]] = defaultdict(list)

    def run(self, pause_s: float) -> Sequence[str]:
        """Have the kernel do it; what it refuses. The other lines of a batch are carried out all the same."""
        refused = []
        for batch in (self.early, self.late):
            if batch is self.late:
                time.sleep(pause_s)
            for space, lines in batch.items():
                if lines:
                    try:
                        run("ip", "-force", "-n", space, "-batch", "-", text="".join(f"{line}\n" for line in lines))
                    except Unusable as error:
                        refused.append(f"{space}: {error.message}")
        return refused


def _unplug(batches: _Batches, parked: str, now: Device, wanted: Device) -> None:
    """Down, under its neutral name, and where it moves to another switch, over there."""
    lines = batches.early[now.namespace]
    if now.name != parked:
        lines += [f"link set {now.name} down", f"addr flush dev {now.name}", f"link set {now.name} addrgenmode none"]
        lines.append(f"link set {now.name} name {parked}")
    elif now.up:
        lines.append(f"link set {parked} down")
    if now.namespace != wanted.namespace:
        lines.append(f"link set {parked} netns {wanted.namespace}")


def _changed(now: Device, wanted: Device) -> Iterator[str]:
    """The commands that make a device what it shall be."""
    name = wanted.name
    if now.link_local != wanted.link_local:
        if now.up:
            yield f"link set {name} down"
            now = replace(now, up=False)
        if not wanted.link_local:
            yield f"-6 addr flush dev {name} scope link"
        yield f"link set {name} addrgenmode {'eui64' if wanted.link_local else 'none'}"
    if wanted.mac and now.mac != wanted.mac:
        yield f"link set {name} address {wanted.mac}"
    if wanted.mtu and now.mtu != wanted.mtu:
        yield f"link set {name} mtu {wanted.mtu}"
    for address in sorted(now.addresses - wanted.addresses):
        yield f"addr del {address} dev {name}"
    for address in sorted(wanted.addresses - now.addresses):
        yield f"addr replace {address} dev {name}{' nodad' if ':' in address else ''}"
    if now.up != wanted.up:
        yield f"link set {name} {'up' if wanted.up else 'down'}"
