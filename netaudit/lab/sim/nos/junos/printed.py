"""Answers as the tables that people read; of those without a table of their own, names and values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from netaudit.lab.sim.nos.junos.reply import Element


def printed(element: Element) -> str:
    """The text of an answer."""
    return "".join(line + "\n" for line in _TABLES.get(element.name, _listed)(element))


def _word(element: Element, *path: str) -> str:
    for name in path:
        found = next((one for one in element.below if one.name == name), None)
        if found is None:
            return ""
        element = found
    return element.text or ""


def _all(element: Element, name: str) -> Iterator[Element]:
    return (one for one in element.below if one.name == name)


def _version(element: Element) -> Iterator[str]:
    yield f"Hostname: {_word(element, 'host-name')}"
    yield f"Model: {_word(element, 'product-model')}"
    yield f"Junos: {_word(element, 'junos-version')}"


def _commits(element: Element) -> Iterator[str]:
    for one in _all(element, "commit-history"):
        by = f"by {_word(one, 'user')} via {_word(one, 'client')}"
        head = f"{_word(one, 'sequence-number'):<4}{_word(one, 'date-time')} {by}"
        yield " ".join(filter(None, (head, _word(one, "comment"))))
        if log := _word(one, "log"):
            yield f"    {log}"


def _interfaces(element: Element) -> Iterator[str]:
    yield f"{'Interface':<24}{'Admin':<6}{'Link':<5}{'Proto':<9}Local"
    for one in _all(element, "physical-interface"):
        yield f"{_word(one, 'name'):<24}{_word(one, 'admin-status'):<6}{_word(one, 'oper-status')}"
        for unit in _all(one, "logical-interface"):
            yield f"{_word(unit, 'name'):<24}{_word(one, 'admin-status'):<6}{_word(one, 'oper-status')}"


def _neighbors(element: Element) -> Iterator[str]:
    yield f"{'Local Interface':<19}{'Parent Interface':<20}{'Chassis Id':<20}{'Port info':<19}System Name"
    for one in _all(element, "lldp-neighbor-information"):
        local = _word(one, "lldp-local-interface") or _word(one, "lldp-local-port-id")
        far = f"{_word(one, 'lldp-remote-chassis-id'):<20}{_word(one, 'lldp-remote-port-id'):<19}"
        yield f"{local:<19}{'-':<20}{far}{_word(one, 'lldp-remote-system-name')}"


def _peers(element: Element) -> Iterator[str]:
    down = _word(element, "down-peer-count")
    if down:
        yield f"Groups: {_word(element, 'group-count')} Peers: {_word(element, 'peer-count')} Down peers: {down}"
    yield f"{'Peer':<25}{'AS':<12}State"
    for one in _all(element, "bgp-peer"):
        yield f"{_word(one, 'peer-address'):<25}{_word(one, 'peer-as'):<12}{_word(one, 'peer-state')}"


def _routes(element: Element) -> Iterator[str]:
    for table in _all(element, "route-table"):
        yield f"{_word(table, 'table-name')}: {_word(table, 'destination-count')} destinations"
        for row in _all(table, "rt"):
            for entry in _all(row, "rt-entry"):
                mark = _word(entry, "active-tag") or " "
                source = f"[{_word(entry, 'protocol-name')}/{_word(entry, 'preference')}]"
                yield f"{_word(row, 'rt-destination'):<19}{mark}{source}"
                if path := _word(entry, "as-path"):
                    yield f"                      AS path: {path}"
                for hop in _all(entry, "nh"):
                    yield f"                    > to {_word(hop, 'to')} via {_word(hop, 'via')}"


def _listed(element: Element, depth: int = 0) -> Iterator[str]:
    """Names and values, one below the other."""
    for one in element.below:
        if one.below:
            yield f"{'  ' * depth}{one.name}:"
            yield from _listed(one, depth + 1)
        else:
            yield f"{'  ' * depth}{one.name}: {one.text or ''}".rstrip()


_TABLES: Final[Mapping[str, Callable[[Element], Iterator[str]]]] = {
    "software-information": _version,
    "commit-information": _commits,
    "interface-information": _interfaces,
    "lldp-neighbors-information": _neighbors,
    "bgp-information": _peers,
    "route-information": _routes,
}
