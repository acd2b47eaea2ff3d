"""What all sections of the schema share: strictness, and the types that read a text of the intent into a value."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from datetime import date
from difflib import get_close_matches
from fractions import Fraction
from typing import Annotated, TypeAlias
from zoneinfo import available_timezones

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from netaudit.intent import quantity
from netaudit.intent.quantity import Misread
from netaudit.intent.schema.words import words

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

NAME = r"[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?"
"""A name that may become part of a host name (RFC 1123); 32 leave room for the other parts within 63."""
SECRET = r"(env:[A-Za-z_][A-Za-z0-9_]*|keyring:[A-Za-z0-9_.@/-]+|file:\S.*)"
"""Where a secret is kept. The intent never holds one."""
_PATTERN_NAMES = ("plane", "unit", "rail", "n", "block")


class Section(BaseModel):
    """A mapping of the intent: unknown keys are errors, nothing is converted silently, nothing changes later."""

    # Built when first used, which is once, as part of the whole: a validator for each section would be half the time.
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Its JSON Schema, each key with what it means."""
        made = handler(core_schema)
        properties = handler.resolve_ref_schema(made).get("properties", {})
        for name, text in words(cls).items():
            found = properties[cls.model_fields[name].alias or name]
            if "$ref" not in found or handler.resolve_ref_schema(found).get("description") != text:
                found.setdefault("description", text)
        return made


def _reading(read: Callable[[object], object]) -> PlainValidator:
    """Read a value by `read`, its `Misread` turned into pydantic's form of an error."""

    def validate(value: object) -> object:
        try:
            return read(value)
        except Misread as error:
            context = {"message": error.message, "hint": error.hint}
            raise PydanticCustomError("misread", "{message}", context) from None

    return PlainValidator(validate)


reading = _reading
"""The same, for sections with types of their own."""


def _text(value: object) -> str:
    if not isinstance(value, str):
        # `written` in problems.py shows the text as it stands in the file; here only its kind is known.
        raise PydanticCustomError("needs_text", "is text")
    return value


def matching(pattern: str, kind: str, example: str) -> Callable[[object], str]:
    """A reader of text that has the form of `pattern`."""
    compiled = re.compile(pattern, re.ASCII)

    def read(value: object) -> str:
        text = _text(value)
        if not compiled.fullmatch(text):
            raise Misread(f"is {kind}, not `{text}`", f"for example {example}")
        return text

    return read


def _network(value: object) -> Network:
    text = _text(value)
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        pass
    try:
        interface = ipaddress.ip_interface(text)
    except ValueError:
        raise Misread(f"is a network, not `{text}`", "for example 10.255.0.0/16 or fd00:ff::/48") from None
    message = f"has bits set behind its length: {text} is an address in {interface.network}"
    raise Misread(message, f"write {interface.network}")


def _pools(value: object) -> tuple[Network, ...]:
    """One pool, or one of IPv4 and one of IPv6."""
    items = value if isinstance(value, tuple) else (value,)
    pools = tuple(_network(item) for item in items)
    if not 1 <= len(pools) <= 2 or len({pool.version for pool in pools}) != len(pools):
        raise Misread("is one pool, or one of IPv4 and one of IPv6", "for example [10.255.0.0/16, fd00:ff::/48]")
    for pool in pools:
        if pool.is_multicast or pool.is_loopback or pool.is_link_local or pool.prefixlen == 0:
            raise Misread(
                f"has {pool}, which no device can have an address of", "take private space (RFC 1918, RFC 4193)"
            )
    return pools


def _date(value: object) -> date:
    text = value if isinstance(value, str) else ""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
            return date.fromisoformat(text)
    except ValueError:
        pass
    shown = f", not `{value}`" if isinstance(value, (str, int, float)) else ""
    raise Misread(f"is a date{shown}", "year-month-day: 2027-01-31")


def _zone(value: object) -> str:
    text = _text(value)
    known = available_timezones()
    if text in known or text == "UTC":
        return text
    if not known:
        raise Misread(f"is `{text}`, and this machine knows no time zones", "install the package tzdata")
    near = get_close_matches(text, sorted(known), n=1)
    hint = f"did you mean `{near[0]}`?" if near else "a name of IANA's list, for example Asia/Tokyo"
    raise Misread(f"is a time zone, not `{text[:60]}`", hint)


def _secret(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(SECRET, value, re.ASCII):
        # the value is not repeated: it may be the secret itself
        raise Misread("says where the secret is, never what it is", "env:NAME, keyring:NAME or file:PATH")
    return value


def _name_pattern(value: object) -> str:
    text = _text(value)
    unknown = [name for name in re.findall(r"\{(.*?)\}", text) if name not in _PATTERN_NAMES]
    if unknown:
        raise Misread(f"has an unknown placeholder `{{{unknown[0]}}}`", _placeholder_hint(unknown[0]))
    plain = re.sub(r"\{[a-z]+\}", "x", text)
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", plain, re.ASCII):
        raise Misread(f"is a host name with placeholders, not `{text}`", 'for example "{plane}-{unit}-r{rail}-leaf"')
    return text


def _placeholder_hint(name: str) -> str:
    known = ", ".join(f"{{{known}}}" for known in _PATTERN_NAMES)
    return f"known: {known}" if name else f"write one of {known}"


def _schema(pattern: str, *examples: str, kind: str = "string") -> WithJsonSchema:
    return WithJsonSchema({"type": kind, "pattern": f"^{pattern}$", "examples": list(examples)})


pattern_schema = _schema
"""The same, for sections with types of their own."""


def _pools_text(pools: tuple[Network, ...]) -> list[str]:
    return [str(pool) for pool in pools]


_AS_TEXT = PlainSerializer(str, when_used="json")
"""In JSON as the text of the intent; pydantic's own serializers do not expect a value that a `PlainValidator` made."""
_DECIMAL = r"\d+(\.\d+)?\s*"

Name = Annotated[str, _reading(matching(NAME, "a name of letters, digits and hyphens", "su1")), _schema(NAME, "su1")]
Text = Annotated[str, _reading(_text), WithJsonSchema({"type": "string"})]
Speed = Annotated[
    int,
    _reading(quantity.speed_mbps),
    _schema(_DECIMAL + "(M|G|T|[MGT]bps|[MGT]b/s|[MGT]bit/s|[GT]bE)", "400G", "1.6T"),
]
"""Mb/s."""
Microseconds = Annotated[int, _reading(quantity.time_us), _schema(_DECIMAL + "(us|ms|s)", "128us", "1ms")]
Milliseconds = Annotated[int, _reading(quantity.time_ms), _schema(_DECIMAL + "(ms|s|min)", "200ms", "3s")]
Seconds = Annotated[int, _reading(quantity.time_s), _schema(_DECIMAL + "(ms|s|min)", "3s")]
Percent = Annotated[Fraction, _reading(quantity.percent), _AS_TEXT, _schema(_DECIMAL + "%", "60%")]
"""Percent, as an exact number."""
Size = Annotated[int, _reading(quantity.size_bytes), _schema(_DECIMAL + "(B|[kMG]B|[KMG]iB)", "52MB", "9KiB")]
"""Bytes."""
Alpha = Annotated[
    Fraction,
    _reading(quantity.alpha),
    _AS_TEXT,
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^\d+(\s*/\s*\d+)?$"}],
            "examples": [1, 8, "1/4"],
        }
    ),
]
Asn = Annotated[
    int,
    _reading(quantity.asn),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": quantity.ASN_MAX},
                {"type": "string", "pattern": r"^(\d{1,5}\.)?\d{1,10}$"},
            ]
        }
    ),
]
Pools = Annotated[
    tuple[Network, ...],
    _reading(_pools),
    PlainSerializer(_pools_text, when_used="json"),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
            ],
            "examples": [["10.255.0.0/16", "fd00:ff::/48"]],
        }
    ),
]
"""One pool, or one of IPv4 and one of IPv6."""
Pool = Annotated[
    Network, _reading(_network), _AS_TEXT, WithJsonSchema({"type": "string", "examples": ["10.64.0.0/12"]})
]
Day = Annotated[date, _reading(_date), _AS_TEXT, WithJsonSchema({"type": "string", "format": "date"})]
Zone = Annotated[str, _reading(_zone), WithJsonSchema({"type": "string", "examples": ["Asia/Tokyo"]})]
"""Name of a time zone at IANA."""
Secret = Annotated[str, _reading(_secret), _schema(SECRET, "env:NETAUDIT_USER", "keyring:netaudit")]
NamePattern = Annotated[
    str, _reading(_name_pattern), WithJsonSchema({"type": "string", "examples": ["{plane}-{unit}-r{rail}-leaf"]})
]
