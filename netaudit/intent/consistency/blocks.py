"""Whether blocks have numbers and names of their own, and announce what is theirs."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit import hardware
from netaudit.diag import Diagnostic
from netaudit.intent.consistency import at
from netaudit.intent.schema import IntentModel
from netaudit.intent.text import Document

RESERVED = ("leaf", "spine", "superspine", "host", "fabric", "external")
"""Words that stand for something else in places, kinds of links and policies."""


def numbers(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Blocks with the same number, with a word for a name, or beyond their capacity."""
    first: dict[int, str] = {}
    for name, block in model.blocks.items():
        if name.lower() in RESERVED:
            yield at.error(f"a block cannot be called `{name}`", at.key(document, "blocks", name), "storage, border")
        if block.id in first:
            message = f"block `{name}` has the number {block.id}, as {first[block.id]} has"
            yield at.error(message, at.value(document, "blocks", name, "id"), "each has its own")
        first.setdefault(block.id, name)
        if block.capacity is not None and block.count > block.capacity:
            message = f"block `{name}` has {block.count} devices, and its `capacity` is for {block.capacity}"
            hint = f"capacity: {block.count}; a larger capacity moves the ports of blocks with a higher id"
            yield at.error(message, at.value(document, "blocks", name, "count"), hint)


def links(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Extra links with the same number, or with a cable that the catalogue does not have."""
    first: dict[int, int] = {}
    for number, link in enumerate(model.links):
        if link.id is not None and link.id in first:
            message = f"this link has the number {link.id}, as links.{first[link.id]} has"
            yield at.error(message, at.value(document, "links", str(number), "id"), "each has its own")
        if link.id is not None:
            first.setdefault(link.id, number)
        if link.cable.medium not in hardware.media_names():
            source = at.value(document, "links", str(number), "cable")
            yield at.unknown("kind of cable", link.cable.medium, hardware.media_names(), source)


def neighbors(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """External neighbors that bear a word for a name, or the AS number or the LLDP name of another."""
    heard: dict[str, str] = {}
    for name, external in model.external.items():
        if name.lower() in RESERVED:
            yield at.error(f"a neighbor cannot be called `{name}`", at.key(document, "external", name), "core1")
        said = external.lldp or name
        if said in heard:
            message = f"`{said}` is the LLDP name of {heard[said]} and of {name}"
            yield at.error(message, at.value(document, "external", name, "lldp"), "each has its own")
        heard.setdefault(said, name)


def catalogue(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A switch or a kind of cable that the catalogue does not have."""
    for name, block in model.blocks.items():
        if not hardware.known_switch(block.model):
            source = at.value(document, "blocks", name, "model")
            yield at.unknown("switch", block.model, hardware.switch_names(), source)
        if block.cable.medium not in hardware.media_names():
            source = at.value(document, "blocks", name, "cable")
            yield at.unknown("kind of cable", block.cable.medium, hardware.media_names(), source)


def originates(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A prefix that stands twice, or that shares addresses with a pool; the default route is of no pool."""
    for name, block in model.blocks.items():
        for number, prefix in enumerate(block.originates):
            source = at.value(document, "blocks", name, "originates", str(number))
            if prefix in block.originates[:number]:
                yield at.error(f"{prefix} stands here twice", source)
            pools = (p for p in model.addressing.pools if p.version == prefix.version and p.overlaps(prefix))
            pool = next(pools, None) if prefix.prefixlen else None
            if pool is not None:
                message = f"{prefix} and the pool {pool} have addresses in common"
                yield at.error(message, source, "what a block announces is neither a loopback nor a host")
