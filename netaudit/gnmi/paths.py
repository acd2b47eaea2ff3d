"""Path elements as text: `interface[name=Ethernet1/1]`, its keys escaped as the gNMI path conventions say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

ANY: Final = "*"
_KEY: Final = r"\[([^=\[\]]+)=((?:\\.|[^\\\]])*)\]"
_KEYED: Final = re.compile(rf"([^\[\]]+)((?:{_KEY})+)", re.DOTALL)
_ONE_KEY: Final = re.compile(_KEY, re.DOTALL)
_PREFIX: Final = re.compile(r"[A-Za-z_][\w.-]*:(?=[A-Za-z_])")
"""A YANG module before a name; a database key such as `Ethernet0|fc00::1/126` has none."""


@lru_cache(maxsize=16_384)
def parts(element: str) -> tuple[str, Mapping[str, str]]:
    """Name and keys of an element; what is not of the form `name[key=value]` is a name as a whole."""
    found = _KEYED.fullmatch(element) if element.endswith("]") else None
    if found is None:
        return element, {}
    keys = {name: re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for name, value in _ONE_KEY.findall(found[2])}
    return found[1], keys


def spelled(name: str, keys: Mapping[str, str]) -> str:
    """The element as text, its keys by name."""
    escaped = {key: value.replace("\\", "\\\\").replace("]", "\\]") for key, value in keys.items()}
    return name + "".join(f"[{key}={escaped[key]}]" for key in sorted(escaped))


def split(text: str) -> tuple[str, ...]:
    """The elements of `/interfaces/interface[name=Ethernet1/1]/state`; a `/` between brackets is of the key."""
    found, depth, start = [], 0, 0
    skip = False
    for at, sign in enumerate(text):
        if skip:
            skip = False
        elif sign == "\\":
            skip = True
        elif sign == "[":
            depth += 1
        elif sign == "]":
            depth = max(0, depth - 1)
        elif sign == "/" and not depth:
            found.append(text[start:at])
            start = at + 1
    return tuple(filter(None, (*found, text[start:])))


def plain(name: str) -> str:
    """A name without the YANG module before it: `openconfig-interfaces:interfaces` → `interfaces`."""
    return _PREFIX.sub("", name, count=1) if _PREFIX.match(name) else name


def covers(wanted: Sequence[str], there: Sequence[str]) -> bool:
    """Is `there` what `wanted` asks for, or below it? `*` stands for any name and any key; keys left out for all."""
    return len(wanted) <= len(there) and all(map(_fits, wanted, there))


def _fits(wanted: str, there: str) -> bool:
    if wanted in (there, ANY):
        return True
    (name, keys), (other, others) = parts(wanted), parts(there)
    if plain(name) != plain(other):
        return False
    values = {plain(key): value for key, value in others.items()}
    return all(value == ANY or values.get(plain(key)) in (value, ANY) for key, value in keys.items())
