"""What can be broken on purpose. Each fault is a plain function of the table at the end; `heal` undoes them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim import frr_text
from netaudit.lab.sim.cabling import Cable, End, by_end
from netaudit.lab.sim.fabric import Fabric, Faults
from netaudit.lab.sim.frr_policy import canonical
from netaudit.lab.sim.frr_text import FrrText
from netaudit.lab.sim.switch import Switch

Fault = Callable[[Fabric, Sequence[str]], str]
"""Breaks something and says what, in one line."""


def _wrong(message: str, hint: str = "") -> Invalid:
    return Invalid([Diagnostic(message=message, hint=hint)])


def _closest(word: str, known: Sequence[str]) -> str:
    """A hint: the nearest names, else the first ones."""
    near = get_close_matches(word, known, n=3)
    return (
        f"did you mean {' or '.join(near)}?"
        if near
        else f"there are {', '.join(known[:8])}{' …' if len(known) > 8 else ''}"
    )


def _switch(fabric: Fabric, name: str) -> Switch:
    """The switch of that name."""
    if name not in fabric.switches:
        raise _wrong(f"{name} is no switch of this lab", _closest(name, list(fabric.switches)))
    return fabric.switches[name]


def _cables(fabric: Fabric) -> tuple[Cable, ...]:
    """The cables as they lie now."""
    return fabric.cables if fabric.faults.cables is None else fabric.faults.cables


def _end(fabric: Fabric, text: str) -> tuple[End, Cable]:
    """An end that a cable is in, written `device:cage[/sub]`, and the cable."""
    device, _, port = text.partition(":")
    _switch(fabric, device)
    ends = by_end(_cables(fabric))
    end = End(device=device, port=port)
    if end not in ends:
        known = [str(one) for one in ends if one.device == device]
        raise _wrong(f"no cable is in {text}", _closest(text, known))
    return end, ends[end]


def _swap(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The far ends of two cables are exchanged."""
    (a, first), (b, second) = (_end(fabric, text) for text in arguments)
    if first == second:
        raise _wrong(f"{a} and {b} are the two ends of one cable")
    far_a, far_b = first.far(a), second.far(b)
    moved = (_cable(fabric, a, far_b, (first, second)), _cable(fabric, b, far_a, (first, second)))
    kept = tuple(cable for cable in _cables(fabric) if cable not in (first, second))
    fabric.faults.cables = (*kept, *moved)
    fabric.faults.cut = frozenset(cable for cable in fabric.faults.cut if cable in kept)
    return f"{a} now leads to {far_b}, and {b} to {far_a}"


def _cable(fabric: Fabric, near: End, far: End, old: tuple[Cable, Cable]) -> Cable:
    """A cable between two ends; a host keeps the port id it sends."""
    if far.device in fabric.switches and near.device in fabric.switches:
        return Cable(a=near, b=far)
    host, switch = (far, near) if near.device in fabric.switches else (near, far)
    return Cable(a=host, b=switch, a_lldp_port=next(one.a_lldp_port for one in old if one.a == host))


def _link(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A cable is cut."""
    end, cable = _end(fabric, arguments[0])
    fabric.faults.cut |= {cable}
    return f"the cable between {end} and {cable.far(end)} is cut"


def _session(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The BGP session over a port stays down; its link stays up."""
    end, cable = _end(fabric, arguments[0])
    fabric.faults.blocked |= {end}
    return f"no BGP session comes up between {end} and {cable.far(end)}"


def _head(switch: Switch) -> str:
    """The head of the router bgp block."""
    head = next((at[0] for at in switch.frr if at and at[0].startswith("router bgp ")), "")
    if not head:
        raise _wrong(f"{switch.name} runs no BGP", "push its configuration first")
    return head


def _run(fabric: Fabric, switch: Switch, config: FrrText) -> None:
    """Change what FRR runs, and remember what it ran before the first fault."""
    before, _ = fabric.faults.frr.get(switch.name, (switch.frr, switch.frr))
    fabric.faults.frr[switch.name] = (before, config)
    switch.frr = config


def _asn(fabric: Fabric, arguments: Sequence[str]) -> str:
    """FRR runs under another ASN; its file stays as it is."""
    switch = _switch(fabric, arguments[0])
    if not arguments[1].isdecimal() or not 1 <= int(arguments[1]) < 2**32:
        raise _wrong(f"{arguments[1]} is no ASN", "1 to 4294967295")
    head = _head(switch)
    _run(fabric, switch, frr_text.replaced_head(switch.frr, head, f"router bgp {arguments[1]}"))
    return f"{switch.name} runs as AS {arguments[1]} instead of {head.split()[2]}"


def _prefix(text: str) -> tuple[str, str]:
    """(prefix, family) of an argument."""
    try:
        prefix = canonical(text)
    except ValueError as error:
        raise _wrong(f"{text} is no prefix: {error}", "10.0.0.0/25, fd00::/64") from error
    return prefix, "ipv6" if ":" in prefix else "ipv4"


def _withdraw(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A prefix is no longer originated; its discard route stays."""
    switch, (prefix, family) = _switch(fabric, arguments[0]), _prefix(arguments[1])
    block = (_head(switch), f"address-family {family} unicast")
    lines = switch.frr.get(block, ())
    kept = tuple(line for line in lines if not (line.startswith("network ") and canonical(line.split()[1]) == prefix))
    if kept == lines:
        own = [line.split()[1] for line in lines if line.startswith("network ")]
        raise _wrong(f"{switch.name} does not originate {prefix}", _closest(prefix, own))
    _run(fabric, switch, {**switch.frr, block: kept})
    return f"{switch.name} no longer originates {prefix}"


def _announce(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A prefix is originated that should not be; the policies stay as they are."""
    switch, (prefix, family) = _switch(fabric, arguments[0]), _prefix(arguments[1])
    kind = "ipv6" if family == "ipv6" else "ip"
    text = f"{kind} route {prefix} blackhole\n{_head(switch)}\n address-family {family} unicast\n  network {prefix}\n"
    config, _ = frr_text.load(text, into=switch.frr)
    _run(fabric, switch, config)
    return f"{switch.name} originates {prefix}"


def _unreachable(fabric: Fabric, arguments: Sequence[str]) -> str:
    """Neither gNMI nor SSH of a switch answers; it forwards on."""
    switch = _switch(fabric, arguments[0])
    fabric.faults.unreachable.add(switch.name)
    return f"{switch.name} answers neither gNMI nor SSH"


FAULTS: Final[Mapping[str, tuple[tuple[str, ...], Fault]]] = {
    "swap": (("A", "B"), _swap),
    "link": (("A",), _link),
    "session": (("A",), _session),
    "asn": (("DEVICE", "N"), _asn),
    "withdraw": (("DEVICE", "PREFIX"), _withdraw),
    "announce": (("DEVICE", "PREFIX"), _announce),
    "unreachable": (("DEVICE",), _unreachable),
}
"""Kind → (its arguments, what it does). A and B are ends, `device:cage[/sub]`."""


def make(fabric: Fabric, kind: str, arguments: Sequence[str]) -> str:
    """Break something and say what. Raises `Invalid` for a wrong kind, name or number of arguments."""
    if kind not in FAULTS:
        raise _wrong(f"{kind} is nothing that can be broken", _closest(kind, list(FAULTS)))
    wanted, fault = FAULTS[kind]
    if len(arguments) != len(wanted):
        raise _wrong(
            f"{kind} wants {len(wanted)} argument(s), not {len(arguments)}", f"break {kind} {' '.join(wanted)}"
        )
    fabric.routing()  # what is up now is remembered by its peers
    told = fault(fabric, arguments)
    fabric.faults.told.append(told)
    fabric.changed()
    return told


def heal(fabric: Fabric) -> str:
    """Undo every fault; FRR runs again what it ran before, unless somebody changed it since."""
    faults = fabric.faults
    for name, (before, after) in faults.frr.items():
        if fabric.switches[name].frr == after:
            fabric.switches[name].frr = before
    fabric.faults = Faults()
    fabric.changed()
    count = len(faults.told)
    return f"{count} fault{'' if count == 1 else 's'} healed" if count else "nothing was broken"
