"""What number a quantity of the intent stands for, by its unit; a bare number is refused, never guessed.

Every reader takes the plain value as YAML gave it and raises `Misread`, whose message goes on after the name of the
field ("`detect` is a time and needs a unit").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

_NUMBER = re.compile(r"([-+]?)(\d{1,15}(?:\.\d{1,9})?)\s*(\S*)", re.ASCII)
"""Sign, digits, unit. Fifteen digits hold every quantity of a fabric and no conversion of them is slow."""

SPEED_UNITS: Mapping[str, int] = {
    **dict.fromkeys(("M", "Mbps", "Mb/s", "Mbit/s"), 1),
    **dict.fromkeys(("G", "Gbps", "Gb/s", "Gbit/s", "GbE"), 1_000),
    **dict.fromkeys(("T", "Tbps", "Tb/s", "Tbit/s", "TbE"), 1_000_000),
}
"""Unit → Mb/s."""
LENGTH_UNITS: Mapping[str, Fraction] = {"cm": Fraction(1, 100), "m": Fraction(1), "km": Fraction(1_000)}
"""Unit → metres."""
TIME_UNITS: Mapping[str, int] = {"ms": 1, "s": 1_000, "min": 60_000}
"""Unit → milliseconds."""
SIZE_UNITS: Mapping[str, int] = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}
"""Unit → bytes (IEC 80000-13: kB is 1,000 bytes, KiB is 1,024)."""
ASN_MAX = 4_294_967_294
"""RFC 7300: 4294967295 is reserved."""
ASN_RESERVED: Mapping[int, str] = {
    0: "RFC 7607: a neighbor that sends it is refused",
    23_456: "AS_TRANS, which stands for every AS number of 32 bits at an old neighbor (RFC 6793)",
    65_535: "the last number of 16 bits is reserved (RFC 7300)",
    4_294_967_295: "the last number of 32 bits is reserved (RFC 7300)",
}
"""AS number that no speaker may have → why."""
_ASN_HINT = 'write 4200000000 or "64086.59904"'


class Misread(ValueError):
    """A value is not what its field takes: what is wrong with it, and what to write."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)


def speed_mbps(value: object) -> int:
    """Mb/s of `400G`, `1.6T` or `100 Gb/s`."""
    number, unit = _split(value, "a speed", "400G", f"{value}G, if Gb/s are meant; a bare number is never guessed")
    if unit in SIZE_UNITS:
        raise Misread(f"is a speed, and {_shown(value)} is a size", "write bits a second: 400G")
    if unit not in SPEED_UNITS:
        raise _unknown_unit(value, unit, "a speed", SPEED_UNITS, ("M", "G", "T"))
    return _whole(number * SPEED_UNITS[unit], "a speed above 0, in whole Mb/s")


def length_m(value: object) -> float:
    """Metres of `3m`, `320 m` or `1.2km`."""
    number, unit = _split(value, "a length", "3m", f"{value}m, if metres are meant; a bare number is never guessed")
    if unit not in LENGTH_UNITS:
        raise _unknown_unit(value, unit, "a length", LENGTH_UNITS, ("m", "km"))
    if number <= 0:
        raise Misread(f"is a length above 0, not {_shown(value)}")
    return float(number * LENGTH_UNITS[unit])


def time_ms(value: object) -> int:
    """Milliseconds of `200ms` or `3s`."""
    hint = f"{value}ms, if milliseconds are meant; a bare number is never guessed"
    number, unit = _split(value, "a time", "200ms", hint)
    if unit not in TIME_UNITS:
        raise _unknown_unit(value, unit, "a time", TIME_UNITS, ("ms", "s"))
    return _whole(number * TIME_UNITS[unit], "a time above 0, in whole milliseconds")


def time_us(value: object) -> int:
    """Microseconds of `128us`: gaps of traffic."""
    hint = f"{value}us, if microseconds are meant; a bare number is never guessed"
    number, unit = _split(value, "a time", "128us", hint)
    if unit != "us" and unit not in TIME_UNITS:
        raise _unknown_unit(value, unit, "a time", {"us": 1, **TIME_UNITS}, ("us", "ms"))
    each = 1 if unit == "us" else TIME_UNITS[unit] * 1_000
    return _whole(number * each, "a time above 0, in whole microseconds")


def time_s(value: object) -> int:
    """Seconds of `3s`: a time that its protocol counts in whole seconds."""
    hint = f"{value}s, if seconds are meant; a bare number is never guessed"
    number, unit = _split(value, "a time", "3s", hint)
    if unit not in TIME_UNITS:
        raise _unknown_unit(value, unit, "a time", TIME_UNITS, ("s",))
    return _whole(number * TIME_UNITS[unit] / 1_000, "a time above 0, in whole seconds")


def percent(value: object) -> Fraction:
    """Percent of `60%` or `12.5 %`, above 0 and at most 100."""
    number, unit = _split(value, "a share", "60%", _percent_hint(value))
    if unit != "%":
        raise _unknown_unit(value, unit, "a share", {"%": 1}, ("%",))
    if not 0 < number <= 100:
        raise Misread(f"is a share above 0 % and at most 100 %, not {_shown(value)}")
    return number


def size_bytes(value: object) -> int:
    """Bytes of `52MB` (10^6) or `9KiB` (2^10)."""
    number, unit = _split(value, "a size", "52MB", f"{value}B, if bytes are meant; a bare number is never guessed")
    if unit in SPEED_UNITS:
        raise Misread(f"is a size, and {_shown(value)} is a rate", "write bytes: 52MB is 10^6, 52MiB is 2^20")
    if unit == "KB":
        raise Misread("has the unit `KB`, which means two things", "kB is 1,000 bytes, KiB is 1,024")
    if unit not in SIZE_UNITS:
        raise _unknown_unit(value, unit, "a size", SIZE_UNITS, tuple(SIZE_UNITS))
    return _whole(number * SIZE_UNITS[unit], "a size above 0, in whole bytes")


def alpha(value: object) -> Fraction:
    """The fraction of `1`, `8` or `1/4`: how much of the free buffer a queue may take, alpha / (1 + alpha)."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 1_024:
        return Fraction(value)
    if isinstance(value, str) and (found := re.fullmatch(r"(\d{1,4})(?:\s*/\s*(\d{1,4}))?", value, re.ASCII)):
        over, under = int(found[1]), int(found[2] or "1")
        if over and under:
            return Fraction(over, under)
    near = f"{Fraction(value).limit_denominator(256)}" if isinstance(value, float) and 0 < value < 1_024 else "1/4"
    raise Misread(f"is a fraction above 0, not {_shown(value)}", f"write 1, 8 or a fraction: {near}")


def cable(value: object) -> tuple[float, str]:
    """Length in metres and medium of `40m dr8`."""
    if not isinstance(value, str) or isinstance(value, bool):
        raise Misread(
            "is a cable: a length and a medium", f"{value}m dac, if metres are meant" if _bare(value) else "3m dac"
        )
    found = re.fullmatch(r"\s*(\S+?(?:\s+(?:cm|m|km))?)\s+(\d?[A-Za-z][A-Za-z0-9.+-]*)\s*", value, re.ASCII)
    if len(value.split()) > 3 or (not found and len(value.split()) > 2):
        raise Misread(f"is a length and a medium, not {_shown(value)}", "for example 40m dr8")
    if not found or found[2] in LENGTH_UNITS:
        length = length_m(value)  # says what is wrong with the length, if that is it
        raise Misread("needs a medium after the length", f"{_number(length)}m dac, {_number(length)}m dr8")
    return length_m(found[1]), found[2].lower()


def asn(value: object) -> int:
    """AS number of `4200000000`, or of `"65000.10"` (asdot, RFC 5396), in asplain."""
    number = -1
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) and (found := re.fullmatch(r"(?:(\d{1,5})\.)?(\d{1,10})", value, re.ASCII)):
        high, low = int(found[1] or 0), int(found[2])
        number = high * 65_536 + low if not found[1] or (high < 65_536 and low < 65_536) else -1
    elif isinstance(value, float):
        raise Misread("is an AS number; unquoted, YAML reads this as a decimal fraction and loses its last zeros")
    if number in ASN_RESERVED:
        raise Misread(f"is an AS number that nobody may have, {_shown(value)}: {ASN_RESERVED[number]}", _ASN_HINT)
    if not 1 <= number <= ASN_MAX:
        raise Misread(f"is an AS number, 1 to {ASN_MAX}, not {_shown(value)}", _ASN_HINT)
    return number


def _split(value: object, kind: str, example: str, bare_hint: str) -> tuple[Fraction, str]:
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        raise Misread(f"is {kind}, not {_shown(value)}", f"for example {example}")
    if _bare(value):
        raise Misread(f"is {kind} and needs a unit", bare_hint)
    found = _NUMBER.fullmatch(str(value).strip())
    if not found or found[1]:
        raise Misread(f"is {kind}, not {_shown(value)}", f"for example {example}")
    return Fraction(found[2]), found[3]


def _bare(value: object) -> bool:
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value.strip())
        return bool(found) and not (found and found[3])
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _whole(number: Fraction, kind: str) -> int:
    if number.denominator != 1 or number <= 0:
        raise Misread(f"is {kind}")
    return int(number)


def _unknown_unit(value: object, unit: str, kind: str, known: Mapping[str, object], shown: tuple[str, ...]) -> Misread:
    folded = {name.casefold(): name for name in known}
    text = str(value)
    if unit.casefold() in folded:
        right = text[: len(text.rstrip()) - len(unit)].rstrip() + folded[unit.casefold()]
        return Misread(f"is {kind}, and `{unit}` is no unit of it", f"did you mean `{right}`?")
    return Misread(f"is {kind}, and `{unit}` is no unit of it", "units: " + ", ".join(shown))


def _percent_hint(value: object) -> str:
    if isinstance(value, float) and 0 < value < 1:
        return f"{_number(float(round(value * 100, 6)))}%, if a part of 1 is meant; a bare number is never guessed"
    return f"{value}%, if percent are meant; a bare number is never guessed"


def _number(value: float) -> str:
    return f"{value:.9g}"


def _shown(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return f"`{str(value).lower()}`"
        case str() | int() | float():
            return f"`{value}`"
        case Mapping():
            return "a mapping"
        case _:
            return "a list"
