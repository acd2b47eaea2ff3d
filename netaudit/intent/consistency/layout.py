"""Whether planes, units, names and models fit each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netaudit import hardware, platforms
from netaudit.diag import Diagnostic
from netaudit.intent.consistency import at, growth
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.layout import Cable
from netaudit.intent.text import Document

MAX_LEAVES = 100_000
"""Leaves of a plane: DESIGN.md's ASN plan has 100,000 numbers for a tier."""


def planes(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A plane that stands twice."""
    for number, name in enumerate(model.planes):
        if name in model.planes[:number]:
            yield at.error(f"plane `{name}` stands here twice", at.value(document, "planes", str(number)))


def units(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Units without a number or with the same one, and units beyond the capacity."""
    first: dict[int, str] = {}
    for name, unit in model.units.items():
        where = at.value(document, "units", name, "id") if unit.id else at.key(document, "units", name)
        if unit.id == 0:
            hint = f"{name}: {{id: 1, …}}, or a name that ends in a number, as su1"
            yield at.error(f"unit `{name}` has no number", where, hint)
            continue
        if unit.id in first:
            yield at.error(
                f"unit `{name}` has the number {unit.id}, as {first[unit.id]} has", where, "each has its own"
            )
        first.setdefault(unit.id, name)
        if model.capacity.units is not None and unit.id > model.capacity.units:
            message = f"unit `{name}` has the number {unit.id}, and `capacity` is for units 1 to {model.capacity.units}"
            hint = f"capacity: {{units: {unit.id}}}; a larger capacity renumbers and re-cables"
            yield at.error(message, where, f"{hint}{growth.units_moved(model, unit.id)}")
        if model.capacity.hosts is not None and unit.hosts > model.capacity.hosts:
            message = f"unit `{name}` has {unit.hosts} hosts, and `capacity` is for {model.capacity.hosts}"
            hint = f"capacity: {{hosts: {unit.hosts}}}; a larger capacity renumbers and re-cables"
            hint += growth.hosts_moved(model, unit.hosts)
            yield at.error(message, at.value(document, "units", name, "hosts"), hint)


def size(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """More leaves in a plane than there are AS numbers for."""
    leaves = model.unit_capacity * model.unit_leaves
    if leaves > MAX_LEAVES:
        message = f"{leaves:,} leaves in a plane; AS numbers are laid out for {MAX_LEAVES:,}"
        given = next((path for path in (("capacity", "units"), ("units",)) if path in document.marks), ("rails",))
        hint = f"unit ids × leaves of a unit ({model.unit_leaves}) must stay below"
        yield at.error(message, at.value(document, *given), hint)


def leaf_names(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A pattern that gives two leaves the same name."""
    yield from _names(model, document, "leaf", model.names.leaf, frozenset({"plane", "unit", "rail"}))


def spine_names(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A pattern that gives two spines the same name."""
    yield from _names(model, document, "spine", model.names.spine, frozenset({"plane", "n"}))


def superspine_names(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A pattern that gives two superspines the same name."""
    yield from _names(model, document, "superspine", model.names.superspine, frozenset({"plane", "n"}))


def block_names(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A pattern that gives two devices of blocks the same name."""
    yield from _names(model, document, "block", model.names.block, frozenset({"plane", "block", "n"}))


def _names(
    model: IntentModel, document: Document, kind: str, pattern: str, needed: frozenset[str]
) -> Iterator[Diagnostic]:
    used = frozenset(re.findall(r"\{([a-z]+)\}", pattern))
    source = at.value(document, "names", kind)
    known = ", ".join(f"{{{name}}}" for name in sorted(needed))
    for name in sorted(used - needed):
        yield at.error(f"a {kind} has no `{{{name}}}`", source, f"it has {known}")
    single = {"plane": len(model.planes) == 1, "rail": model.rails == model.leaf.rails}
    for name in sorted(needed - used):
        if not single.get(name):
            yield at.error(f"every {kind} needs its own name, so the pattern needs `{{{name}}}`", source)


def nic(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A NIC that the catalogue does not have."""
    if not hardware.known_nic(model.hosts.nic):
        yield at.unknown("NIC", model.hosts.nic, hardware.nic_names(), at.value(document, "hosts", "nic"))


def leaf_model(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A leaf that the catalogue does not have."""
    if not hardware.known_switch(model.leaf.model):
        yield at.unknown("switch", model.leaf.model, hardware.switch_names(), at.value(document, "leaf", "model"))


def spine_model(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A spine that the catalogue does not have."""
    if not hardware.known_switch(model.spine.model):
        yield at.unknown("switch", model.spine.model, hardware.switch_names(), at.value(document, "spine", "model"))


def host_leaf_medium(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A kind of cable that the catalogue does not have."""
    yield from _medium(model.cables.host_leaf, "host-leaf", document)


def leaf_spine_medium(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A kind of cable that the catalogue does not have."""
    yield from _medium(model.cables.leaf_spine, "leaf-spine", document)


def _medium(cable: Cable, name: str, document: Document) -> Iterator[Diagnostic]:
    if cable.medium not in hardware.media_names():
        source = at.value(document, "cables", name)
        yield at.unknown("kind of cable", cable.medium, hardware.media_names(), source)


def vlan(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A VLAN number where nothing is attached by a VLAN."""
    if ("hosts", "vlan") in document.marks and model.hosts.attach != "vlan":
        message = f"`vlan: {model.hosts.vlan}` has no effect: hosts are attached by `{model.hosts.attach}`"
        yield at.error(message, at.key(document, "hosts", "vlan"), "attach: vlan; or take the number out")


def versions(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A version of a platform that does not exist, and a text that is no version of any."""
    for name, version in model.versions.items():
        if name not in platforms.names():
            yield at.unknown("platform", name, platforms.names(), at.key(document, "versions", name))
        elif name != "sonic" and not any(character.isdecimal() for character in version):
            # an image of SONiC is called as its builder likes, `master` too
            hint = "as the NOS says it itself: 202411, 4.34.1F, 10.5(3), 24.4R1-EVO or 5.17 are versions of five"
            yield at.error(f"`{version}` is no version of {name}", at.value(document, "versions", name), hint)


def management(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A DNS name that is the same for all devices."""
    if model.management.dns is not None and "{name}" not in model.management.dns:
        message = "`dns` is the same for every device"
        yield at.error(message, at.value(document, "management", "dns"), 'with {name} in it: "{name}.oob.example.net"')
