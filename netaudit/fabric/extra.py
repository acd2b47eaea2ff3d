"""Links beside the pattern: which ports they take, and why one cannot be built as it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from netaudit import platforms
from netaudit.diag import Invalid
from netaudit.fabric.kinds import DEFAULT_VRF, extra_kind
from netaudit.fabric.layout import cage_ports
from netaudit.fabric.model import FabricDevice, FabricHost, FabricPort, Layout
from netaudit.fabric.problems import Problems
from netaudit.hardware import Cage
from netaudit.intent import Intent, numbering
from netaudit.intent.schema.layout import ExtraLink
from netaudit.intent.where import parse
from netaudit.state import LinkEnd

Extra = Mapping[str, Mapping[str, FabricPort]]
"""Device → the ports of the cages that extra links take there, by their keys."""


@dataclass(slots=True)
class _Work:
    """What is known while the links are read, one after the other."""

    intent: Intent
    devices: Mapping[str, FabricDevice]
    layouts: Mapping[str, Layout]
    problems: Problems
    ports: dict[str, dict[str, FabricPort]] = field(default_factory=dict)
    ends: dict[LinkEnd, int] = field(default_factory=dict)

    def wrong(self, number: int, key: str, message: str, hint: str = "") -> None:
        """Note a problem at a key of one link."""
        source = self.intent.document.content("links", str(number), key)
        self.problems.add(f"links.{number}.{key}", message, hint, source)


def extra_ports(
    intent: Intent,
    devices: Mapping[str, FabricDevice],
    hosts: Mapping[str, FabricHost],
    layouts: Mapping[str, Layout],
    problems: Problems,
) -> Extra:
    """The ports of all links beside the pattern, retired ones left out."""
    asns = {device.asn: device.name for device in devices.values()}
    for name, external in intent.model.external.items():
        if name in devices or name in hosts or name in intent.model.blocks:
            message = f"`{name}` is the name of something of ours"
            problems.add(f"external.{name}", message, "names must differ")
        if external.asn in asns:
            message = f"ASN {external.asn} is that of {asns[external.asn]}, which is ours"
            problems.add(f"external.{name}.asn", message, "what it announces would be taken for a loop")
    work = _Work(intent, devices, layouts, problems)
    for number, link in enumerate(intent.model.links):
        if link.status != "retired":
            _link(work, number, link)
    return work.ports


def _link(work: _Work, number: int, link: ExtraLink) -> None:
    ends = {key: _end(work, number, key, text) for key, text in (("a", link.a), ("b", link.b))}
    a, b = ends["a"], ends["b"]
    if a is None or b is None:
        return
    for key, end in (("a", a), ("b", b)):
        if end in work.ends:
            work.wrong(number, key, f"{end} is already an end of links.{work.ends[end]}", "a port has one cable")
            return
    work.ends |= {a: number, b: number}
    ours = [end for end in (a, b) if end.device in work.devices]
    if not ours:
        work.wrong(number, "a", "neither end of this link is a switch of ours", "an external neighbor has its links")
        return
    refused = _refused(work, a, b)
    if refused:
        work.wrong(number, "b", refused, "planes are disjoint networks, and a cable has two ends")
        return
    nameless = _vrf_problem(work, link, ours)
    if nameless:
        work.wrong(number, "vrf", nameless, "a short name of its own, for example storage")
        return
    forced = _forced(work, ours) if link.id is None else ""
    if forced:
        work.wrong(number, "a", f"this link needs addresses, {forced}", f"id: {number}, its number among the links")
        return
    for end in ours:
        _take(work, number, link, end, b if end == a else a)


def _forced(work: _Work, ours: list[LinkEnd]) -> str:
    """Why a link of these switches has to be numbered; empty if it need not."""
    devices = (work.devices[end.device] for end in ours)
    return next(filter(None, (numbering.forced(d.platform, d.version) for d in devices)), "")


def _vrf_problem(work: _Work, link: ExtraLink, ours: list[LinkEnd]) -> str:
    """Why a switch at one of the ends cannot have the VRF of a link; empty if all can."""
    if link.vrf == DEFAULT_VRF:
        return ""
    said = (platforms.platform(work.devices[end.device].platform).vrf_problem(link.vrf) for end in ours)
    return next(filter(None, said), "")


def _end(work: _Work, number: int, key: str, text: str) -> LinkEnd | None:
    """An end as `device:port`; of an external neighbor the port is what its LLDP says."""
    name, colon, port = text.partition(":")
    if name in work.intent.model.external:
        if not (colon and port.strip()):
            work.wrong(number, key, f"`{text}` names no port", f"as its LLDP says, for example {name}:et-0/0/1")
            return None
        return LinkEnd(device=name, port=port.strip())
    if name.strip() not in work.devices:
        known = ", ".join(work.intent.model.external) or "none"
        message = f"{name.strip() or text} is no switch of ours, and no external neighbor"
        work.wrong(number, key, message, f"external: {known}")
        return None
    try:
        found = parse(text, work.intent.document.content("links", str(number), key))
    except Invalid as error:
        work.problems.found.extend(error.diagnostics)
        return None
    if found.device is None or found.port is None:
        work.wrong(number, key, f"`{text}` is not a port", "device:cage[/sub], as a-border1:1")
        return None
    return LinkEnd(device=found.device, port=found.port)


def _refused(work: _Work, a: LinkEnd, b: LinkEnd) -> str:
    """Why two switches of ours may not be joined; empty if they may."""
    one, two = work.devices.get(a.device), work.devices.get(b.device)
    if one is None or two is None:
        return ""
    if one.place.plane != two.place.plane:
        return f"{one.name} is in plane {one.place.plane}, {two.name} in plane {two.place.plane}"
    return "" if one is not two else f"both ends are on {one.name}"


def _take(work: _Work, number: int, link: ExtraLink, end: LinkEnd, far: LinkEnd) -> None:
    device = work.devices[end.device]
    key = "a" if link.a.partition(":")[0] == end.device else "b"
    layout = work.layouts.get(device.place.role)
    cage_number, _, sub = end.port.partition("/")
    cage = next((c for c in device.model.cages if c.number == int(cage_number)), None)
    if layout is None:
        return
    if cage is None:
        work.wrong(number, key, f"{device.model.name} has no cage {cage_number}", f"1 to {len(device.model.cages)}")
        return
    used = next((p for p in layout.ports.values() if p.cage == cage.number and p.kind != "spare"), None)
    if used is not None:
        free = ", ".join(list(dict.fromkeys(str(p.cage) for p in layout.ports.values() if p.kind == "spare"))[:3])
        hint = f"spare cages: {free}, …" if free else "no cage is spare"
        work.wrong(number, key, f"{end} is kept for {used.kind}", hint)
        return
    mode = _mode(cage, link.speed, int(sub or 0))
    taken = {p.cage: p.mode for p in work.ports.get(device.name, {}).values()}
    if mode is None or taken.get(cage.number, mode) != mode:
        other = f", and cage {cage.number} is split as {taken[cage.number]}" if cage.number in taken else ""
        speed = f"{link.speed // 1000}G"
        work.wrong(number, key, f"{device.model.name} has no port {end.port} at {speed}{other}", _modes(cage))
        return
    table = work.ports.setdefault(device.name, {})
    for port in cage_ports(device.model, platforms.platform(device.platform), cage, mode, link.speed):
        table.setdefault(port.key, port)
    table[end.port] = replace(
        table[end.port], kind=extra_kind(number), speed_mbps=link.speed, peer=far, status=link.status
    )


def _mode(cage: Cage, speed_mbps: int, sub: int) -> str | None:
    """The mode that has this port at the speed; where several have, the one whose fastest speed it is."""
    able = [m for m, speeds in cage.breakouts.items() if speed_mbps in speeds and _has(m, sub)]
    exact = [m for m in able if cage.breakouts[m][0] == speed_mbps]
    return next(iter(exact or able), None)


def _has(mode: str, sub: int) -> bool:
    count = int(mode.partition("x")[0])
    return sub == 0 if count == 1 else 1 <= sub <= count


def _modes(cage: Cage) -> str:
    return "its modes: " + ", ".join(cage.breakouts)
