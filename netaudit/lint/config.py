"""The headroom of a rendered buffers.json or a running config_db.json: profiles, and the cable lengths in use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.diag import Diagnostic, Source
from netaudit.lint.jsontext import Node, Places, parse
from netaudit.lint.table import Bound, Row, Table, Use

TABLES: Final = ("BUFFER_PROFILE", "CABLE_LENGTH", "BUFFER_POOL")
"""A file with none of them says nothing about headroom."""
_PROFILE = re.compile(r"pg_lossless_([0-9]{1,9})_([0-9]{1,9})m(?:_.*)?_profile")
_LENGTH = re.compile(r"([0-9]{1,9})m")
_DIGITS = re.compile(r"[0-9]{1,15}")
MAX_PROBLEMS: Final = 50


def read_config(text: str, file: str, hwsku: str = "") -> Table | None:
    """The table of a file; `None` where it says nothing about headroom. Raises `Invalid` for what is not JSON."""
    places = Places(file, text)
    root = _nested(parse(text, file).table)
    if not any(name in root for name in TABLES):
        return None
    read = _Reader(places, root)
    box = read.box()
    rows = tuple(read.rows())
    uses = tuple(read.uses())
    stale = tuple(read.stale())
    return Table(
        file=file,
        kind="config",
        hwsku=_text(box, "hwsku") or hwsku,
        rows=rows,
        uses=uses,
        stale=stale,
        shared=read.shared(),
        dynamic=_text(box, "buffer_model") == "dynamic",
        problems=tuple(read.problems[:MAX_PROBLEMS]),
    )


def _nested(root: Mapping[str, Node]) -> Mapping[str, Node]:
    """Tables of rows, also where the file has `TABLE|key` as redis has it."""
    flat = [name for name in root if "|" in name]
    if not flat:
        return root
    tables: dict[str, dict[str, Node]] = {name: dict(root[name].table) for name in root if "|" not in name}
    for name in flat:
        table, _, key = name.partition("|")
        tables.setdefault(table, {})[key] = root[name]
    first = root[flat[0]]
    return {name: Node(value=rows, start=first.start, key=first.key, width=1) for name, rows in tables.items()}


def _text(node: Node | None, field: str) -> str:
    found = node.table.get(field) if node is not None else None
    return found.text or "" if found is not None else ""


def _whole(node: Node | None) -> str:
    return node.text or "" if node is not None else ""


class _Reader:
    """One file while it is read."""

    def __init__(self, places: Places, root: Mapping[str, Node]) -> None:
        self.places, self.root = places, root
        self.problems: list[Diagnostic] = []

    def table(self, name: str) -> Mapping[str, Node]:
        node = self.root.get(name)
        return node.table if node is not None else {}

    def box(self) -> Node | None:
        return self.table("DEVICE_METADATA").get("localhost")

    def source(self, node: Node) -> Source:
        return self.places.source(node.start, node.width)

    def wrong(self, message: str, node: Node, hint: str = "") -> None:
        self.problems.append(Diagnostic(message=message, source=self.source(node), hint=hint, rule="TAB-13"))

    def shared(self) -> bool | None:
        """A pool with an xoff carries the headroom of all groups."""
        ingress = [pool for pool in self.table("BUFFER_POOL").values() if _text(pool, "type") in ("ingress", "both")]
        return any("xoff" in pool.table for pool in ingress) if ingress else None

    def rows(self) -> Iterator[Row]:
        """Profiles that buffermgrd makes or a person has made in its name, and others with an xoff are not rows."""
        for name, node in self.table("BUFFER_PROFILE").items():
            named = _PROFILE.fullmatch(name)
            if named is None or _text(node, "headroom_type") == "dynamic" or "xoff" not in node.table:
                continue
            row = self._row(int(named[1]), int(named[2]), node)
            if row is not None:
                yield row

    def _row(self, speed_mbps: int, length_m: int, node: Node) -> Row | None:
        figures: dict[str, int] = {}
        columns: dict[str, Source] = {}
        for field in ("size", "xon", "xoff", "xon_offset"):
            value = node.table.get(field)
            if value is None:
                continue
            columns[field] = self.source(value)
            if value.text is None or _DIGITS.fullmatch(value.text) is None:
                self.wrong(f"{field} is no number of bytes", value, 'bytes, as text: "19456"')
                return None
            figures[field] = int(value.text)
        return Row(
            speed_mbps=speed_mbps,
            length_m=length_m,
            size_bytes=figures.get("size", 0),
            xon_bytes=figures.get("xon", 0),
            xoff_bytes=figures["xoff"],
            xon_offset_bytes=figures.get("xon_offset"),
            source=self.places.source(node.key, 1),
            columns=columns,
        )

    def uses(self) -> Iterator[Use]:
        """(speed, length) of the ports that pause; one for all ports alike."""
        alike: dict[tuple[int, int], list[str]] = {}
        first: dict[tuple[int, int], Source] = {}
        ports = self.table("PORT")
        for cables in self.table("CABLE_LENGTH").values():
            for port, value in cables.table.items():
                length = _LENGTH.fullmatch(value.text or "")
                if length is None:
                    self.wrong(f"`{(value.text or '?')[:40]}` is no cable length", value, "metres with their unit: 40m")
                    continue
                speed = _text(ports.get(port), "speed")
                if int(length[1]) == 0 or not _DIGITS.fullmatch(speed) or not self._pauses(port, ports[port]):
                    continue
                key = (int(speed), int(length[1]))
                alike.setdefault(key, []).append(port)
                first.setdefault(key, self.source(value))
        for (speed_mbps, length_m), names in alike.items():
            yield Use(speed_mbps=speed_mbps, length_m=length_m, ports=tuple(names), source=first[speed_mbps, length_m])

    def stale(self) -> Iterator[Bound]:
        """Priority groups bound to a profile of another speed or length than the port's."""
        ports = self.table("PORT")
        lengths = {port: value for row in self.table("CABLE_LENGTH").values() for port, value in row.table.items()}
        for key, group in self.table("BUFFER_PG").items():
            port = key.partition("|")[0]
            bound = group.table.get("profile")
            name = (bound.text or "").strip("[]").rpartition("|")[2] if bound is not None else ""
            named, length = _PROFILE.fullmatch(name), _LENGTH.fullmatch(_whole(lengths.get(port)))
            speed = _text(ports.get(port), "speed")
            if bound is None or named is None or length is None or not _DIGITS.fullmatch(speed):
                continue
            own = (int(speed), int(length[1]))
            if own != (int(named[1]), int(named[2])):
                yield Bound(
                    port=port,
                    speed_mbps=own[0],
                    length_m=own[1],
                    profile_speed_mbps=int(named[1]),
                    profile_length_m=int(named[2]),
                    source=self.source(bound),
                )

    def _pauses(self, port: str, row: Node) -> bool:
        """A port that is down or has no lossless priority needs no profile."""
        maps = self.table("PORT_QOS_MAP")
        if _text(row, "admin_status") == "down":
            return False
        return not maps or bool(_text(maps.get(port), "pfc_enable"))
