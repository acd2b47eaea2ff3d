"""Real faults: cables, daemons, addresses, texts and rows of a running switch. `heal` takes them back."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from netaudit.diag import Diagnostic, Invalid, Unusable
from netaudit.lab.frr import agent
from netaudit.lab.frr.node import Node
from netaudit.lab.frr.plugs import Cabling, Plug
from netaudit.lab.frr.redis import DATABASES
from netaudit.lab.sim.cabling import End
from netaudit.lab.sim.faults.tools import closest

Undo = Callable[[], None]


@dataclass(slots=True, kw_only=True)
class Broken:
    """What the faults of a lab act on, and what they have done so far."""

    nodes: Mapping[str, Node]
    cabling: Cabling
    told: list[str] = field(default_factory=list)
    undo: list[Undo] = field(default_factory=list)


Fault = Callable[[Broken, Sequence[str]], str]


def _wrong(message: str, hint: str = "") -> Invalid:
    return Invalid([Diagnostic(message=message, hint=hint)])


def _node(lab: Broken, name: str) -> Node:
    if name not in lab.nodes:
        raise _wrong(f"{name} is no switch of this lab", closest(name, list(lab.nodes)))
    return lab.nodes[name]


def _plug(lab: Broken, text: str) -> Plug:
    """What is plugged in at a port, written `device:cage[/sub]`."""
    device, _, port = text.partition(":")
    _node(lab, device)
    found = lab.cabling.plug_at(End(device=device, port=port))
    if found is None:
        known = [str(plug.at) for plug in lab.cabling.plugs if plug.at.device == device]
        raise _wrong(f"no cable is in {text}", closest(text, known))
    return found


def _native(lab: Broken, text: str) -> tuple[Node, str]:
    """A port that has a network device: its switch, and its name there."""
    plug = _plug(lab, text)
    if plug.is_.name == plug.parked:
        raise _wrong(f"{text} is no port as the switch is configured now", "push its configuration first")
    return lab.nodes[plug.at.device], plug.is_.name


def link(lab: Broken, arguments: Sequence[str]) -> str:
    """A cable is cut: both ends go down."""
    plug = _plug(lab, arguments[0])
    ends = {plug.parked, plug.beside().parked}
    lab.cabling.cut |= ends
    lab.cabling.settle()

    def mend() -> None:
        lab.cabling.cut -= ends
        lab.cabling.settle()

    lab.undo.append(mend)
    return f"the cable between {plug.at} and {plug.beside().at} is cut"


def swap(lab: Broken, arguments: Sequence[str]) -> str:
    """Two plugs change places; the links come up again, in the wrong ports."""
    one, two = _plug(lab, arguments[0]), _plug(lab, arguments[1])
    if one in (two, two.beside()):
        raise _wrong("two ends of one cable cannot change places", "name ports of two cables")
    _exchange(lab.cabling, one, two)
    lab.undo.append(lambda: _exchange(lab.cabling, one, two))
    return f"the cables in {arguments[0]} and {arguments[1]} have changed places"


def _exchange(cabling: Cabling, one: Plug, two: Plug) -> None:
    with cabling.lock:
        one.at, two.at = two.at, one.at
        cabling.settle()


def asn(lab: Broken, arguments: Sequence[str]) -> str:
    """FRR runs with another ASN; its configuration file stays."""
    node = _node(lab, arguments[0])
    number = _number(arguments[1], 1, 4294967294, "ASN")
    before = node.vtysh("show running-config")
    found = re.search(r"^router bgp (\d+)$", before, re.MULTILINE)
    if found is None:
        raise _wrong(f"{node.name} runs no BGP", "push its configuration first")
    _run_instead(node, found[1], before.replace(f"router bgp {found[1]}\n", f"router bgp {number}\n"))
    lab.undo.append(lambda: _run_instead(node, str(number), before))
    return f"{node.name} runs with ASN {number} instead of {found[1]}"


def _run_instead(node: Node, asn_now: str, text: str) -> None:
    """Take BGP out and load another whole text; nothing is saved."""
    aside = node.switch.folder / "tmp/netaudit-lab.conf"
    aside.write_text(text)
    node.vtysh("configure terminal", f"no router bgp {asn_now}", check=False)
    node.run("vtysh", "-f", "/tmp/netaudit-lab.conf", check=False)
    aside.unlink()


def bgpd(lab: Broken, arguments: Sequence[str]) -> str:
    """bgpd of a switch has died; nobody starts it again."""
    node = _node(lab, arguments[0])
    node.run("sh", "-c", "kill -9 $(cat /run/frr/bgpd.pid); rm -f /run/frr/bgpd.*")

    def start() -> None:
        agent.restart_frr(node)

    lab.undo.append(start)
    return f"bgpd of {node.name} has died"


def static(lab: Broken, arguments: Sequence[str]) -> str:
    """A static discard route too many, in what FRR runs."""
    node = _node(lab, arguments[0])
    try:
        prefix = ipaddress.ip_network(arguments[1])
    except ValueError as error:
        raise _wrong(f"{arguments[1]} is no prefix: {error}", "for example 203.0.113.0/24") from error
    words = f"{'ip' if prefix.version == 4 else 'ipv6'} route {prefix} blackhole"
    node.vtysh("configure terminal", words)
    lab.undo.append(lambda: _forget(node.vtysh("configure terminal", f"no {words}", check=False)))
    return f"{node.name} has a static route to {prefix}"


def mtu(lab: Broken, arguments: Sequence[str]) -> str:
    """A port has another MTU; the link stays up, and BGP on it too."""
    node, native = _native(lab, arguments[0])
    value = _number(arguments[1], 68, 65535, "MTU")
    return redis(lab, (node.name, "CONFIG_DB", f"PORT|{native}", "mtu", str(value)))


def redis(lab: Broken, arguments: Sequence[str]) -> str:
    """A field of a row has another value, in CONFIG_DB (the daemons follow) or another database."""
    node, database, key, name, value = _node(lab, arguments[0]), *arguments[1:]
    if database not in DATABASES:
        raise _wrong(f"{database} is no database", closest(database, list(DATABASES)))
    with node.redis() as connection:
        before = connection.rows(database, key).get(key)
        if before is None:
            table = re.split(r"[|:]", key)[0]
            raise _wrong(
                f"{node.name} has no {key} in {database}", closest(key, list(connection.rows(database, f"{table}*")))
            )
        connection.write(database, {key: {**before, name: value}})

    def back() -> None:
        with node.redis() as again:
            if again.rows(database, key).get(key) == {**before, name: value}:  # else somebody has changed it since
                again.write(database, {key: before})

    lab.undo.append(back)
    return f"{node.name}: {database} {key} {name} is {value} instead of {before.get(name, 'absent')}"


def lldp(lab: Broken, arguments: Sequence[str]) -> str:
    """Lldpd of a switch stops: it sends nothing and hears nobody."""
    node = _node(lab, arguments[0])
    _pause_lldp(node, "pause")
    lab.undo.append(lambda: _pause_lldp(node, "resume"))
    return f"lldpd of {node.name} is paused"


def _pause_lldp(node: Node, word: str) -> None:
    node.run("lldpcli", "-u", "/run/lldpd.socket", word)


def withdraw(lab: Broken, arguments: Sequence[str]) -> str:
    """A prefix is no longer announced."""
    return _network(lab, arguments, "no ")


def announce(lab: Broken, arguments: Sequence[str]) -> str:
    """A prefix too many is announced, policy permitting."""
    return _network(lab, arguments, "")


def _network(lab: Broken, arguments: Sequence[str], negation: str) -> str:
    node = _node(lab, arguments[0])
    try:
        prefix = ipaddress.ip_network(arguments[1])
    except ValueError as error:
        raise _wrong(f"{arguments[1]} is no prefix: {error}", "for example 203.0.113.0/24") from error
    before = node.vtysh("show running-config")
    found = re.search(r"^router bgp (\d+)$", before, re.MULTILINE)
    if found is None:
        raise _wrong(f"{node.name} runs no BGP", "push its configuration first")
    lines = ("configure terminal", f"router bgp {found[1]}", f"address-family ipv{prefix.version} unicast")
    node.vtysh(*lines, f"{negation}network {prefix}")
    other = "" if negation else "no "
    lab.undo.append(lambda: _forget(node.vtysh(*lines, f"{other}network {prefix}", check=False)))
    return f"{node.name} announces {prefix} {'no longer' if negation else 'too'}"


def _forget(_: str) -> None:
    """An answer that nobody wants."""


def _number(text: str, least: int, most: int, what: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= most:
        raise _wrong(f"{text} is no {what}", f"{least} to {most}")
    return int(text)


FAULTS: Final[Mapping[str, tuple[tuple[str, ...], Fault]]] = {
    "link": (("A",), link),
    "swap": (("A", "B"), swap),
    "asn": (("DEVICE", "N"), asn),
    "bgpd": (("DEVICE",), bgpd),
    "static": (("DEVICE", "PREFIX"), static),
    "withdraw": (("DEVICE", "PREFIX"), withdraw),
    "announce": (("DEVICE", "PREFIX"), announce),
    "mtu": (("A", "BYTES"), mtu),
    "lldp": (("DEVICE",), lldp),
    "redis": (("DEVICE", "DATABASE", "KEY", "FIELD", "VALUE"), redis),
}
"""Kind → (its arguments, what it does). A and B are ports, `device:cage[/sub]`."""


def listed() -> Iterator[tuple[str, str]]:
    """(how it is typed, what it does) of every fault."""
    for kind, (arguments, fault) in FAULTS.items():
        yield " ".join((kind, *arguments)), (fault.__doc__ or "").partition("\n")[0]


def make(lab: Broken, kind: str, arguments: Sequence[str]) -> str:
    """Break something and say what. Raises `Invalid` for a wrong kind, name or number of arguments."""
    if kind not in FAULTS:
        raise _wrong(f"{kind} is nothing that can be broken here", closest(kind, list(FAULTS)))
    wanted, fault = FAULTS[kind]
    if len(arguments) != len(wanted):
        raise _wrong(
            f"{kind} wants {len(wanted)} argument(s), not {len(arguments)}", f"break {kind} {' '.join(wanted)}"
        )
    try:
        told = fault(lab, arguments)
    except Unusable as error:  # FRR or the kernel refuses
        raise _wrong(error.message, "nothing was changed") from error
    lab.told.append(told)
    return told


def heal(lab: Broken) -> str:
    """Undo every fault, the last one first."""
    count = len(lab.told)
    while lab.undo:
        lab.undo.pop()()
    lab.told.clear()
    return f"{count} fault{'' if count == 1 else 's'} healed" if count else "nothing was broken"
