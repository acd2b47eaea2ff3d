"""What NX-OS says of its BGP sessions (`summary`, JSON or words) and of its BGP tables (words)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from netaudit.platforms.nxos.answers_text import Unreadable, address, asn, parsed, peer, prefix, refusal, rows, word
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Leaf

DEFAULT = "default"
ESTABLISHED = "Established"
NOT_RUNNING = "process currently not running"
"""What NX-OS says to a command for a process that is configured and has died."""


class Session(NamedTuple):
    """One line of a summary: a neighbor in one address family."""

    vrf: str
    family: str
    neighbor: str
    asn: int
    state: str
    received: int | None


@dataclass(frozen=True, slots=True)
class Summary:
    """All lines, and the speaker's own number in each VRF."""

    own: Mapping[str, int]
    sessions: tuple[Session, ...]


def read_summary(text: str) -> Summary:
    """`show bgp vrf all all summary`, with `| json` or without. Raises `Unreadable`."""
    if refused := refusal(text):
        raise Unreadable(refused)
    return _json_summary(text) if text.lstrip().startswith("{") or not text.strip() else _text_summary(text)


def _json_summary(text: str) -> Summary:
    own: dict[str, int] = {}
    sessions: list[Session] = []
    for vrf in rows(parsed(text), "vrf"):
        name = word(vrf, "vrf-name-out") or DEFAULT
        if word(vrf, "vrf-local-as"):
            own[name] = asn(word(vrf, "vrf-local-as"))
        for af in rows(vrf, "af"):
            for saf in rows(af, "saf"):
                family = word(saf, "af-name")
                sessions += (_json_session(name, family, row) for row in rows(saf, "neighbor"))
    return Summary(own, tuple(sessions))


def _json_session(vrf: str, family: str, row: Mapping[str, object]) -> Session:
    received = word(row, "prefixreceived")
    return Session(
        vrf=vrf,
        family=family,
        neighbor=peer(word(row, "neighborid")),
        asn=asn(word(row, "neighboras")),
        state=word(row, "state") or "unknown",
        received=int(received) if received.isdecimal() else None,
    )


_HEADING = re.compile(r"BGP summary information for VRF (\S{1,64}), address family (.{1,40})", re.ASCII)
_OWN = re.compile(r"BGP router identifier \S+, local AS number ([\d.]{1,11})", re.ASCII)
_ROW = re.compile(r"(\d)\s+([\d.]{1,11})((?:\s+\d+){5})\s+(\S+)\s+(\S.*)", re.ASCII)
"""Version, AS, five counters, how long, and the state or how many prefixes; what stands behind the neighbor."""


def _text_summary(text: str) -> Summary:
    own: dict[str, int] = {}
    sessions: list[Session] = []
    vrf, family, waiting, known = DEFAULT, "", "", False
    for line in text.splitlines():
        if found := _HEADING.match(line):
            vrf, family, waiting, known = found[1], found[2].strip(), "", True
        elif found := _OWN.match(line):
            own[vrf] = asn(found[1])
        elif line.startswith("Neighbor ") or not line.strip():
            waiting = ""
        else:
            first, _, rest = line.strip().partition(" ")
            if waiting and (found := _ROW.fullmatch(line.strip())):
                sessions.append(_text_session(vrf, family, waiting, found))  # a long name stands on a line of its own
                waiting = ""
            elif found := _ROW.fullmatch(rest.strip()):
                sessions.append(_text_session(vrf, family, first, found))
            else:
                waiting = first if not rest else ""
    if not known:
        raise Unreadable("no BGP summary: no line tells a VRF and an address family")
    return Summary(own, tuple(sessions))


def _text_session(vrf: str, family: str, neighbor: str, row: re.Match[str]) -> Session:
    last = row[5].strip()
    received = int(last) if last.isdecimal() else None
    state = last if received is None else ESTABLISHED
    return Session(vrf, family, peer(neighbor), asn(row[2]), state, received)


def read_sessions(text: str) -> Bgp:
    """Sessions by neighbor. One counts as Established if it is so in every family that it is in.

    The ASN is that of the default VRF. Of a session that is down the table shows the number that is configured, which
    nobody has heard from the peer.
    """
    summary = read_summary(text)
    neighbors: dict[str, BgpNeighbor] = {}
    for one in summary.sessions:
        before = neighbors.get(one.neighbor)
        if before is None or before.session == ESTABLISHED:
            up = one.state == ESTABLISHED
            neighbors[one.neighbor] = BgpNeighbor(session=one.state, remote_asn=one.asn if up else None)
    own: Leaf[int] = summary.own.get(DEFAULT, ABSENT)
    return Bgp(asn=own, neighbors=neighbors)


class Path(NamedTuple):
    """One path of a prefix."""

    best: bool
    together: bool
    """Used beside the best one."""
    kind: str
    """`e` external, `i` internal, `l` local, `r` redistributed, `a` aggregate, …"""
    hop: str
    as_path: tuple[int, ...]


_TABLE = re.compile(r"BGP routing table information for VRF (\S{1,64}), address family (IPv[46]) Unicast", re.ASCII)
_CODE = re.compile(r"(?P<status>[sxSdh* ])(?P<best>[> |&])(?P<kind>[iecrlaI ])", re.ASCII)
"""The three characters in front of a prefix."""
_SETS = re.compile(r"\{[^{}]*\}|\([^()]*\)", re.ASCII)
"""An AS set, or a part of a path inside a confederation: neither is a number of the path."""
_OWN_WEIGHT, _LEARNED_WEIGHT = "32768", "0"


def read_table(text: str) -> Mapping[tuple[str, str], tuple[Path, ...]]:
    """(VRF, prefix) → its valid paths, of `show bgp vrf all ipv4 unicast` in words. Raises `Unreadable`."""
    if refused := refusal(text):
        raise Unreadable(refused)
    found: dict[tuple[str, str], list[Path]] = {}
    vrf, current, columns, body, known = DEFAULT, "", None, False, False
    lines = iter(text.splitlines())
    for line in lines:
        if heading := _TABLE.match(line):
            vrf, current, body, known = heading[1], "", False, True
        elif line.split()[:3] == ["Network", "Next", "Hop"]:
            columns, body, known = _columns(line), True, True
        elif body and line.strip() and (code := _CODE.match(line)):
            rest, shown = line[3:], line
            first = rest.split(" ", 1)[0]
            if "/" in first:
                current, rest = prefix(first), rest[len(first) :]
            if not rest.strip():  # the prefix is wider than its column: the path follows on the next line
                rest = shown = next(lines, "")
            if not current:
                raise Unreadable(f"a path without a prefix: {line[:60]!r}")
            path = _path(code, rest, shown, columns)
            if code["status"] == "*":
                found.setdefault((vrf, current), []).append(path)
    if not known and text.strip():
        raise Unreadable("no BGP table: no line tells its columns")
    return {key: tuple(paths) for key, paths in found.items()}


def _columns(heading: str) -> tuple[int, int] | None:
    """Where next hops begin, and where weights end; `None` where blanks were squeezed out of the text."""
    wide = "   " in heading.strip() and "Weight" in heading
    return (heading.index("Next"), heading.index("Weight") + len("Weight")) if wide else None


def _path(code: re.Match[str], rest: str, line: str, columns: tuple[int, int] | None) -> Path:
    hop, _, numbers = rest.strip().partition(" ")
    if not _is_hop(hop):
        raise Unreadable(f"{hop[:40]!r} is no next hop")
    words = _under_weight(line, columns, hop)
    if words is None:
        words = _behind_weight(numbers.split(), _LEARNED_WEIGHT if code["kind"] in "eic" else _OWN_WEIGHT)
    best = code["best"]
    return Path(best == ">", best == "|", code["kind"], hop, _as_path(words))


@lru_cache(maxsize=1 << 12)
def _is_hop(text: str) -> bool:
    return address(text) is not None


@lru_cache(maxsize=1 << 16)
def _as_path(words: str) -> tuple[int, ...]:
    """The numbers of a path; what stands in sets, and the letter of its origin, are none. Many paths are alike."""
    return tuple(asn(one) for one in _SETS.sub(" ", words).split() if one[0].isdecimal())


def _under_weight(line: str, columns: tuple[int, int] | None, hop: str) -> str | None:
    """What stands behind the column of weights; `None` where wide values have moved the columns."""
    if columns is None:
        return None
    begin, end = columns
    there = line[begin : begin + len(hop)] == hop and line[end - 1 : end].isdecimal() and line[end : end + 1] == " "
    return line[end:] if there else None


def _behind_weight(words: list[str], weight: str) -> str:
    """The AS path and origin behind metric, preference and weight, of which the first two may be missing.

    Weights are 0 of what is learned, which is no ASN, and 32768 of what the switch announces itself.
    """
    at = max((i for i, one in enumerate(words[:3]) if one == weight), default=-1)
    if at < 0:
        raise Unreadable(f"no weight in {' '.join(words)[:60]!r}")
    return " ".join(words[at + 1 :])


def used(paths: tuple[Path, ...]) -> Iterator[Path]:
    """The best path, and those that are used with it."""
    return (path for path in paths if path.best or path.together)
