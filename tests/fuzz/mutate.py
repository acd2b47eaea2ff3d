"""Slips that people, editors, transfers and devices make: of text, of bytes, and of trees as JSON has them."""

from __future__ import annotations

import random
import re
from typing import TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

PIECES = (
    " ", "\n", "\t", ":", ": ", "[", "]", "{", "}", '"', "'", "- ", "&a ", "*a", "<<: ", "? ", "| ", "%", "!!int ",
    "{}", "[]", "", "0", "-1", "1e9", "1e999", "9:9", "no", "null", "99999999999999999999", "4294967296", "\ufeff",
    "\x00", "\x1b[31m", "\u202e", "ü", "😀", "\ud800", "#", ",", ";", "/", "..", "../../etc/passwd", "~", "~nobody/x",
    "NaN", "Infinity", "0x10", "00", "1_000", "٣", "a" * 300, "3m", "400G", "10.0.0.0/33", "::/0", "fe80::1%eth0",
    "65536", "2147483648", "\r\n", "\x85", "true", "`", "$(x)",
)  # fmt: skip
NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "7",
    "64",
    "65",
    "255",
    "256",
    "4095",
    "65535",
    "65536",
    "1000000",
    "999999999",
    "1e6",
    "0.5",
)
VALUES: tuple[Json, ...] = (
    None, True, False, 0, -1, 1, 64, 2**31, 2**63, 2**64, 10**30, 1.5, -0.0, 1e308, "", " ", "0", "-1", "up",
    "Ethernet0", "Ethernet99999999999", "a" * 500, "ü\u202e\x00", "١", "10.0.0.0/8", "::/0", "4200000000", "3,4",
    "0-63", "7-3", [], {}, [[]], {"": ""}, {"a": {"b": {"c": []}}}, ["x", 1, None], "[BUFFER_PROFILE|x]", "0x1F", "1e3",
    "\ud800", "9" * 5000,
)  # fmt: skip
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[\w./|-]+")


def text(chance: random.Random, given: str) -> str:
    """The text with one to four slips."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        given = _slip(chance, given)
    return given


def _slip(chance: random.Random, given: str) -> str:
    at = chance.randrange(len(given) + 1)
    match chance.randrange(10):
        case 0 | 1:
            return given[:at] + chance.choice(PIECES) + given[at + chance.randrange(4) :]
        case 2:
            return given[:at] + given[at + chance.randrange(1, 60) :]
        case 3:
            return given[:at]
        case 4 | 5:
            return _exchanged(chance, given, _NUMBER, NUMBERS)
        case 6:
            return _exchanged(chance, given, _WORD, _WORD.findall(given) or ("",))
        case 7:
            return _exchanged(chance, given, _WORD, PIECES)
        case _:
            return _lines(chance, given)


def _exchanged(chance: random.Random, given: str, kind: re.Pattern[str], instead: tuple[str, ...] | list[str]) -> str:
    found = list(kind.finditer(given))
    if not found:
        return given
    one = chance.choice(found)
    return given[: one.start()] + chance.choice(instead) + given[one.end() :]


def _lines(chance: random.Random, given: str) -> str:
    rows = given.split("\n")
    one, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    match chance.randrange(4):
        case 0:
            rows[one], rows[other] = rows[other], rows[one]
        case 1:
            rows.insert(other, rows[one])
        case 2:
            del rows[one]
        case _:
            rows[one] = " " * chance.randrange(9) + rows[one].lstrip()
    return "\n".join(rows)


def data(chance: random.Random, given: bytes) -> bytes:
    """The bytes with some of them changed, taken out, doubled or cut off."""
    raw = bytearray(given)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(raw) + 1)
        match chance.randrange(4):
            case 0:
                raw[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del raw[at : at + chance.randrange(1, 20)]
            case 2:
                raw[at:at] = raw[at : at + chance.randrange(1, 20)]
            case _:
                del raw[at:]
    return bytes(raw)


def tree(chance: random.Random, given: Json) -> Json:
    """The same tree with one to three places changed; the given one stays as it is."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        given = _changed(chance, given)
    return given


def _changed(chance: random.Random, given: Json) -> Json:
    if isinstance(given, dict) and given and chance.random() < 0.93:
        key = chance.choice(list(given))
        rest = {k: v for k, v in given.items() if k != key}
        match chance.randrange(12):
            case 0:
                return rest
            case 1:
                return {**rest, str(chance.choice(VALUES))[:600]: given[key]}
            case 2:
                return {**given, key: given[chance.choice(list(given))]}
            case _:
                return {**given, key: _changed(chance, given[key])}
    if isinstance(given, list) and given and chance.random() < 0.93:
        at = chance.randrange(len(given))
        match chance.randrange(8):
            case 0:
                return given[:at] + given[at + 1 :]
            case 1:
                return [*given, given[at]]
            case _:
                return [*given[:at], _changed(chance, given[at]), *given[at + 1 :]]
    if isinstance(given, str) and chance.random() < 0.4:
        return _slip(chance, given)
    return chance.choice(VALUES)
