"""What the CSVs beside an intent say: facts and pins of devices, measured cables, names of hosts."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.intent import csvtext, quantity, where
from netaudit.intent.csvtext import Row
from netaudit.intent.quantity import Misread

DEVICE_COLUMNS = (
    "place", "name", "serial", "mac", "hwsku", "management", "rack", "version", "status", "asn", "loopback",
    "block",
)  # fmt: skip
CABLE_COLUMNS = ("a", "b", "length")
HOST_COLUMNS = ("unit", "index", "name", "ports", "status")
UNIQUE = ("place", "name", "serial", "mac", "management", "loopback", "block")
"""Columns in which no two devices may agree; `asn` is not one, the spines of a plane share theirs."""
_HOST_NAME = re.compile(
    r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*", re.ASCII
)
_PLACE = re.compile(r"[A-Za-z0-9-]+/([A-Za-z0-9-]+/r[1-9]\d*|[A-Za-z0-9-]+/[1-9]\d*)", re.ASCII)
_NIC_PORT = re.compile(r"r[1-9]\d*/[A-Za-z0-9-]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRow:
    """A line of devices.csv: facts of a box, and pins over what the pattern gives. `None` is an empty cell."""

    place: str | None
    """`a/su1/r3`, `a/spine/2`. After `load` always filled, from the name if need be."""
    name: str | None
    serial: str | None
    mac: str | None
    """Lower case, with colons."""
    hwsku: str | None
    management: str | None
    rack: str | None
    version: str | None
    status: str | None
    asn: int | None
    loopback: str | None
    block: str | None
    """Host prefix of a leaf."""
    source: Source
    row: Row = field(repr=False, compare=False)

    def cell(self, column: str) -> Source:
        """Where the value of a column stands."""
        return self.row.cell(column)


@dataclass(frozen=True, slots=True, kw_only=True)
class CableRow:
    """A line of cables.csv: the ends as `device:cage[/sub]`, and how long the cable really is."""

    a: str
    b: str
    length_m: float
    source: Source
    row: Row = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRow:
    """A line of hosts.csv: what a host is called, and how its NIC ports call themselves in LLDP."""

    unit: str
    index: int
    name: str
    ports: Mapping[str, str]
    """`r2/a` → LLDP port id."""
    status: str
    """Its own status; empty: that of its unit alone."""
    source: Source
    row: Row = field(repr=False, compare=False)


def devices(rows: tuple[str, ...], file: str) -> tuple[tuple[DeviceRow, ...], tuple[Diagnostic, ...]]:
    """The devices of a table, and everything that is wrong with it."""
    table = csvtext.read(rows, file, DEVICE_COLUMNS, ())
    problems = list(table.problems)
    found = [row for row in table.rows if _is_device(row, problems)]
    read = tuple(_device(row, problems) for row in found)
    for column in UNIQUE:
        problems.extend(_twice(read, column))
    return read, tuple(problems)


def cables(
    rows: tuple[str, ...], file: str, translate: where.Translate | None
) -> tuple[Mapping[frozenset[str], CableRow], tuple[Diagnostic, ...]]:
    """The cables of a table by their two ends, and everything that is wrong with it."""
    table = csvtext.read(rows, file, CABLE_COLUMNS, CABLE_COLUMNS)
    problems = list(table.problems)
    found: dict[frozenset[str], CableRow] = {}
    ends: dict[str, Row] = {}
    for row in table.rows:
        cable = _cable(row, problems, translate)
        if cable is None:
            continue
        taken = [(column, end) for column, end in (("a", cable.a), ("b", cable.b)) if end in ends]
        if cable.a == cable.b:
            problems.append(Diagnostic(message="both ends of this cable are the same port", source=row.cell("b")))
        elif taken:
            column, end = taken[0]
            message = f"{end} is already an end of the cable in line {ends[end].source.line}"
            hint = "one of the two lines is wrong; netaudit never chooses"
            problems.append(Diagnostic(message=message, source=row.cell(column), hint=hint))
        else:
            ends |= {cable.a: row, cable.b: row}
            found[frozenset((cable.a, cable.b))] = cable
    return found, tuple(problems)


def hosts(rows: tuple[str, ...], file: str) -> tuple[tuple[HostRow, ...], tuple[Diagnostic, ...]]:
    """The hosts of a table, and everything that is wrong with it."""
    table = csvtext.read(rows, file, HOST_COLUMNS, ("unit", "index"))
    problems = list(table.problems)
    found: dict[tuple[str, int], HostRow] = {}
    named: dict[str, HostRow] = {}
    for row in table.rows:
        host = _host(row, problems)
        if host is None:
            continue
        if same := found.get((host.unit, host.index)):
            message = f"host {host.index} of {host.unit} is already in line {same.source.line}"
            problems.append(Diagnostic(message=message, source=row.cell("index")))
        elif host.name and (same := named.get(host.name)):
            message = f"name {host.name} is already the name of a host in line {same.source.line}"
            problems.append(Diagnostic(message=message, source=row.cell("name")))
        else:
            found[host.unit, host.index] = named[host.name] = host
    return tuple(found.values()), tuple(problems)


def named_place(row: DeviceRow, place: str) -> DeviceRow:
    """The row with its place filled in."""
    return replace(row, place=place)


def _is_device(row: Row, problems: list[Diagnostic]) -> bool:
    if row.text("place") or row.text("name"):
        return True
    message = "this line says neither `place` nor `name`"
    problems.append(Diagnostic(message=message, source=row.source, hint="for example a/su1/r3, or a-su1-r3-leaf"))
    return False


def _device(row: Row, problems: list[Diagnostic]) -> DeviceRow:
    def read(column: str, reader: Callable[[str], str]) -> str | None:
        return _value(row, column, reader, problems)

    asn = _value(row, "asn", quantity.asn, problems)
    return DeviceRow(
        place=read("place", _place),
        name=read("name", _host_name),
        serial=read("serial", _word),
        mac=read("mac", _mac),
        hwsku=read("hwsku", _word),
        management=read("management", _management),
        rack=row.text("rack"),
        version=read("version", _word),
        status=read("status", _status),
        asn=asn,
        loopback=read("loopback", _address),
        block=read("block", _network),
        source=row.source,
        row=row,
    )


def _cable(row: Row, problems: list[Diagnostic], translate: where.Translate | None) -> CableRow | None:
    ends = [_end(row, column, problems, translate) for column in ("a", "b")]
    length = _value(row, "length", quantity.length_m, problems)
    if row.text("length") is None:
        problems.append(Diagnostic(message="`length` is empty", source=row.cell("length"), hint="for example 34m"))
    if length is None or ends[0] is None or ends[1] is None:
        return None
    return CableRow(a=ends[0], b=ends[1], length_m=length, source=row.source, row=row)


def _end(row: Row, column: str, problems: list[Diagnostic], translate: where.Translate | None) -> str | None:
    text, source = row.text(column) or "", row.cell(column)
    device, _, port = text.partition(":")
    if _HOST_NAME.fullmatch(device) and _NIC_PORT.fullmatch(port):
        return text
    try:
        found = where.parse(text, source, translate)
    except Invalid as error:
        problems.extend(error.diagnostics)
        return None
    if found.port is None:
        message = f"`{text}` is not a port"
        problems.append(Diagnostic(message=message, source=source, hint="device:cage[/sub], as a-su1-r1-leaf:64"))
        return None
    return str(found)


def _host(row: Row, problems: list[Diagnostic]) -> HostRow | None:
    unit = _value(row, "unit", _word, problems)
    index = _value(row, "index", _index, problems)
    for column in ("unit", "index"):
        if row.text(column) is None:
            problems.append(Diagnostic(message=f"`{column}` is empty", source=row.cell(column)))
    name = _value(row, "name", _host_name, problems)
    ports = _value(row, "ports", _ports, problems)
    status = _value(row, "status", _status, problems)
    if unit is None or index is None:
        return None
    return HostRow(
        unit=unit, index=index, name=name or "", ports=ports or {}, status=status or "", source=row.source, row=row
    )


T = TypeVar("T")


def _value(row: Row, column: str, reader: Callable[[str], T], problems: list[Diagnostic]) -> T | None:
    """A cell as its reader understands it; `None` if it is empty or wrong, and then the problem is noted."""
    text = row.text(column)
    if text is None:
        return None
    try:
        return reader(text)
    except Misread as error:
        message = f"`{column}` {error.message}"
        problems.append(Diagnostic(message=message, source=row.cell(column), hint=error.hint))
        return None


def _twice(rows: tuple[DeviceRow, ...], column: str) -> Iterator[Diagnostic]:
    first: dict[str, DeviceRow] = {}
    for row in rows:
        value = {
            "place": row.place, "name": row.name, "serial": row.serial, "mac": row.mac, "management": row.management,
            "loopback": row.loopback, "block": row.block,
        }[column]  # fmt: skip
        if value is None:
            continue
        if value in first:
            other = first[value]
            message = (
                f"{column} {value} is already the {column} of {other.name or other.place} (line {other.source.line})"
            )
            hint = "one of the two lines is a copy; netaudit never chooses"
            yield Diagnostic(message=message, source=row.cell(column), hint=hint)
        else:
            first[value] = row


def _place(text: str) -> str:
    if not _PLACE.fullmatch(text):
        raise Misread(f"is plane/unit/r<rail> or plane/role/number, not `{text}`", "for example a/su1/r3, a/spine/2")
    return text


def _host_name(text: str) -> str:
    if not _HOST_NAME.fullmatch(text) or len(text) > 253:
        raise Misread(f"is a host name, not `{text}`", "letters, digits and hyphens (RFC 1123)")
    return text


def _word(text: str) -> str:
    if not re.fullmatch(r"[!-~]+", text):
        raise Misread(f"is one word of printable ASCII, not `{text}`")
    return text


def _index(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,5}", text, re.ASCII):
        raise Misread(f"is the number of a host in its unit, from 1, not `{text}`")
    return int(text)


def _ports(text: str) -> Mapping[str, str]:
    """`r1/a=ens1f0np0 r1/b=ens1f1np1`: NIC port in the model and its LLDP port id."""
    pairs = [pair.partition("=") for pair in text.split()]
    for port, equals, name in pairs:
        if not (equals and name and _NIC_PORT.fullmatch(port)):
            raise Misread("is a list of NIC ports and their LLDP port ids", "for example r1/a=ens1f0np0 r1/b=ens1f1np1")
    return {port: name for port, _, name in pairs}


def _mac(text: str) -> str:
    digits = re.sub(r"[:.-]", "", text).lower()
    if not re.fullmatch(r"[0-9a-f]{12}", digits) or not re.fullmatch(
        r"[0-9A-Fa-f]{2}([:-]?[0-9A-Fa-f]{2}){5}|([0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}", text
    ):
        raise Misread(f"is a MAC address, not `{text}`", "for example 02:00:00:00:01:01")
    if int(digits[:2], 16) & 1 or set(digits) == {"0"}:
        raise Misread(f"is the address of one device; {text} is a group or nobody", "its first octet is even")
    return ":".join(digits[i : i + 2] for i in range(0, 12, 2))


def _management(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        if re.fullmatch(r"[\d.:/]+", text, re.ASCII) or not _HOST_NAME.fullmatch(text):
            raise Misread(f"is an address or a name in DNS, not `{text}`", "for example 198.51.100.11") from None
        return text


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise Misread(f"is one address, not `{text}`", "for example 10.255.0.1, without a length") from None


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise Misread(
            f"is one network, not `{text}`", "for example 10.20.4.0/25, no bits set behind its length"
        ) from None


def _status(text: str) -> str:
    if text not in ("planned", "active", "drained", "retired"):
        raise Misread(f"is planned, active, drained or retired, not `{text}`")
    return text
