"""Whether pools are disjoint, and timers and AS numbers can work."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.diag import Diagnostic
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
        found.append(("numbered", model.addressing.numbered, ("addressing", "numbered")))
    for position, (kind, network, path) in enumerate(found):
        for other_kind, other, other_path in found[:position]:
            if network.version == other.version and network.overlaps(other):
                # where one of the two is a default, the one that is written is pointed at
                where = path if path in document.marks else other_path
                shown = (f"{kind} {network}", f"{other_kind} {other}")
                message = f"{shown[0]} and {shown[1]} have addresses in common"
                yield at.error(message, at.value(document, *where), "every address has one purpose")


def numbered(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Numbered links that are to carry IPv6: their sessions run between IPv4 addresses, and so do next hops."""
    asked = model.addressing.fabric == "numbered"
    if not asked and all(link.id is None for link in model.links):
        return
    if model.addressing.numbered.version != 4:
        source = at.value(document, "addressing", "numbered")
        yield at.error(f"`numbered` is a pool of IPv4, not {model.addressing.numbered}", source, "each link is a /31")
    announced = (prefix for block in model.blocks.values() for prefix in block.originates)
    used = [*model.addressing.loopbacks, *model.addressing.hosts, *announced]
    sixth = next((prefix for prefix in used if prefix.version == 6), None)
    if asked and sixth is not None:
        message = f"{sixth} cannot be announced over numbered links, which have IPv4 next hops only"
        hint = "fabric: unnumbered carries both; or loopbacks: one pool of IPv4, and no IPv6 elsewhere"
        yield at.error(message, at.value(document, "addressing", "fabric"), hint)


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
