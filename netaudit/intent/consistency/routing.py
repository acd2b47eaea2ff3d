"""Whether pools are disjoint, and timers and AS numbers can work."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.diag import Diagnostic, Source
from netaudit.intent import numbering
from netaudit.intent.consistency import at
from netaudit.intent.quantity import ASN_MAX
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.base import Network
from netaudit.intent.text import Document

HOLD_MIN_S = 3
"""RFC 4271 section 4.2: zero, or at least three seconds."""
HOLD_MAX_S = 65_535
"""RFC 4271 section 4.2: two octets."""
LAST_OF_PLANE = 399_999
"""Highest number within a plane's million: tier 3, n 99,999 (DESIGN.md, ASNs)."""


def pools(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Pools that share addresses, and a pool for numbered links that is no IPv4."""
    found: list[tuple[str, Network, tuple[str, ...]]] = []
    for kind, networks in (("loopbacks", model.addressing.loopbacks), ("hosts", model.addressing.hosts)):
        for number, network in enumerate(networks):
            path: tuple[str, ...] = ("addressing", kind, str(number))
            found.append((kind, network, path if path in document.marks else path[:2]))
    if ("addressing", "numbered") in document.marks or model.addressing.fabric == "numbered":
        found += (("numbered", network, ("addressing", "numbered")) for network in model.addressing.link_pools)
    yield from _shared(found, document)


def forced_pool(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """The same of the pool of numbered links, where nobody asks for it and a NOS needs it."""
    if ("addressing", "numbered") in document.marks or model.addressing.fabric == "numbered":
        return
    if numbering.reason(model):
        (pool,) = model.addressing.link_pools  # where nobody writes one, the default
        mine = ("numbered", pool, ("addressing", "numbered"))
        for kind, networks in (("loopbacks", model.addressing.loopbacks), ("hosts", model.addressing.hosts)):
            for network in networks:
                yield from _shared([(kind, network, ("addressing", kind)), mine], document)


def _shared(found: list[tuple[str, Network, tuple[str, ...]]], document: Document) -> Iterator[Diagnostic]:
    for position, (kind, network, path) in enumerate(found):
        for other_kind, other, other_path in found[:position]:
            if network.version == other.version and network.overlaps(other):
                # where one of the two is a default, the one that is written is pointed at
                where = path if path in document.marks else other_path
                shown = (f"{kind} {network}", f"{other_kind} {other}")
                message = f"{shown[0]} and {shown[1]} have addresses in common"
                yield at.error(message, at.value(document, *where), "every address has one purpose")


def numbered(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Numbered links that are to carry a family of which their pool has no addresses: next hops are of its family."""
    asked, why = model.addressing.fabric == "numbered", numbering.reason(model)
    if not why and all(link.id is None for link in model.links):
        return
    announced = (prefix for block in model.blocks.values() for prefix in block.originates)
    used = [*model.addressing.loopbacks, *model.addressing.hosts, *announced]
    pools_of = {pool.version for pool in model.addressing.link_pools}
    missing = next((prefix for prefix in used if prefix.version not in pools_of), None)
    if missing is None or not why:
        return
    hint = f"numbered: [{', '.join(map(_quoted, _with(model.addressing.link_pools, missing.version)))}] carries both"
    if asked or not pools_of & {prefix.version for prefix in used}:
        message = f"{missing} cannot be announced over numbered links, which have IPv{min(pools_of)} next hops only"
        at_fabric = at.value(document, "addressing", "fabric") if asked else _of_platform(model, document)
        yield at.error(message, at_fabric, f"{hint}; fabric: unnumbered does, too" if asked else f"{hint}; {why}")
    else:
        message = f"{missing} is not announced over links that have addresses, {why}"
        yield at.warning(message, _of_platform(model, document), hint)


EXAMPLES = {4: "10.64.0.0/12", 6: "fd00:64::/48"}
"""A pool of each family that no default has."""


def _with(known: tuple[Network, ...], version: int) -> tuple[str, ...]:
    """The pools, with one of another family."""
    texts = {pool.version: str(pool) for pool in known} | {version: EXAMPLES[version]}
    return tuple(texts[key] for key in sorted(texts))


def _quoted(pool: str) -> str:
    return f'"{pool}"' if ":" in pool else pool


def _of_platform(model: IntentModel, document: Document) -> Source | None:
    """Where the first NOS stands that needs addresses."""
    sections: dict[tuple[str, ...], str] = {("leaf",): model.leaf.platform, ("spine",): model.spine.platform}
    sections |= {("blocks", name): block.platform for name, block in model.blocks.items()}
    named = (path for path, name in sections.items() if numbering.forced(name, model.versions.get(name, "")))
    return at.value(document, *next(named, ("superspine",)), "platform")


def timers(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """A hold time that a lost message or the protocol does not bear."""
    hold, keepalive = model.bgp.hold, model.bgp.keepalive
    source = at.value(document, "bgp", "hold" if ("bgp", "hold") in document.marks else "keepalive")
    if not HOLD_MIN_S <= hold <= HOLD_MAX_S:
        yield at.error(f"`hold` is {HOLD_MIN_S}s to {HOLD_MAX_S}s, not {hold}s", source, "RFC 4271 section 4.2")
    elif hold < keepalive:
        message = f"hold {hold}s is shorter than keepalive {keepalive}s: every session would fail"
        yield at.error(message, source, f"three keepalives: hold: {3 * keepalive}s")
    elif hold < 3 * keepalive:
        message = f"hold {hold}s is less than three keepalives of {keepalive}s: one lost message may end a session"
        yield at.warning(message, source, f"RFC 4271 section 10: hold: {3 * keepalive}s")


def allowed_loops(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Roles that this fabric does not have."""
    known = ("leaf", "spine", *(("superspine",) if model.superspine is not None else ()), *model.blocks)
    for role in model.bgp.allowas_in:
        if role not in known:
            source = at.key(document, "bgp", "allowas_in", role)
            yield at.error(f"this fabric has no role `{role}`", source, f"roles: {', '.join(known)}")


def asns(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """AS numbers that run out of 32 bits."""
    last = model.bgp.asn_base + (len(model.planes) - 1) * 1_000_000 + LAST_OF_PLANE
    if last > ASN_MAX:
        message = f"`asn_base` leaves no room: {len(model.planes)} planes need numbers up to {last}"
        hint = f"at most {model.bgp.asn_base - (last - ASN_MAX)}"
        yield at.error(message, at.value(document, "bgp", "asn_base"), hint)
