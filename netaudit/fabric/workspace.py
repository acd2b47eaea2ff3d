"""The fabrics that stand side by side in a workspace, and what they may not share (DESIGN.md rule 12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from ipaddress import ip_interface
from pathlib import Path

from netaudit.diag import Diagnostic, Invalid
from netaudit.fabric.addressing import Network
from netaudit.fabric.build import build
from netaudit.fabric.topology import Fabric
from netaudit.intent import fabric_files, load


def workspace(path: Path, today: date | None = None) -> Fabric:
    """The fabric of an intent, with the others of its workspace looked at. Raises `Invalid` with all problems."""
    fabric = build(load(path), today)
    others = [build(load(file), today) for file in fabric.intent.workspace]
    found = tuple(shared((fabric, *others)))
    if found:
        raise Invalid(found)
    return fabric


def fabrics(path: Path, today: date | None = None) -> tuple[Fabric, ...]:
    """Every fabric of a workspace: of a folder each file with `fabric:`, of a file itself and those it includes.

    Raises `Invalid` with all problems of all of them, and with what they share.
    """
    waiting = list(fabric_files(path)) or [path]  # an empty folder is refused by `load`, saying why
    found: dict[Path, Fabric] = {}
    problems: list[Diagnostic] = []
    for file in waiting:
        try:
            found[file.resolve()] = fabric = build(load(file), today)
        except Invalid as error:
            problems.extend(error.diagnostics)
            continue
        known = {other.resolve() for other in waiting}
        waiting.extend(other for other in fabric.intent.workspace if other.resolve() not in known)
    problems.extend(shared(tuple(found.values())))
    if problems:
        raise Invalid(problems)
    return tuple(found.values())


def shared(fabrics: Sequence[Fabric]) -> Iterator[Diagnostic]:
    """What two fabrics share: one diagnostic for each pair of them and kind of thing, with the first of each."""
    for position, one in enumerate(fabrics):
        for other in fabrics[:position]:
            yield from _both(other, one)


def _both(one: Fabric, other: Fabric) -> Iterator[Diagnostic]:
    if one.name == other.name:
        yield _problem(one, other, "fabric", f"`{one.name}` is the name of two fabrics", "each has its own")
    names = sorted((one.devices.keys() | one.hosts.keys()) & (other.devices.keys() | other.hosts.keys()))
    if names:
        text = f"{_first(names)} in both {one.name} and {other.name}"
        yield _problem(one, other, "names", text, "names: {leaf: …} with the fabric in them, or `name` in devices.csv")
    asns = sorted({d.asn for d in one.devices.values()} & {d.asn for d in other.devices.values()})
    if asns:
        text = f"ASN {_first([str(asn) for asn in asns])} in both {one.name} and {other.name}"
        yield _problem(one, other, "bgp.asn_base", text, "another asn_base for one of them")
    twice = next(_overlaps(_prefixes(one), _prefixes(other)), None)
    if twice is not None:
        text = f"{twice[0]} of {one.name} and {twice[1]} of {other.name} have addresses in common"
        yield _problem(one, other, "addressing", text, "other pools for one of them")


def _problem(one: Fabric, other: Fabric, path: str, message: str, hint: str) -> Diagnostic:
    """Told where the fabric that was asked for could change it, else where it begins."""
    source = one.intent.source(path) or one.intent.source("fabric")
    return Diagnostic(message=f"{message} ({other.intent.file})", source=source, hint=hint)


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return f"{names[0]}{more}"


def _prefixes(fabric: Fabric) -> Mapping[Network, str]:
    """Every loopback and host block."""
    texts = (text for d in fabric.devices.values() for text in (*d.loopbacks, *d.blocks))
    return {ip_interface(text).network: text for text in texts}


def _overlaps(one: Mapping[Network, str], other: Mapping[Network, str]) -> Iterator[tuple[str, str]]:
    """Pairs that share addresses: two networks do where one is the other's, or holds it."""
    for here, there in ((one, other), (other, one)):
        for network, text in here.items():
            for length in sorted({n.prefixlen for n in there if n.version == network.version}):
                cover = network.supernet(new_prefix=length) if length <= network.prefixlen else None
                if cover in there:
                    assert cover is not None
                    yield (text, there[cover]) if here is one else (there[cover], text)
