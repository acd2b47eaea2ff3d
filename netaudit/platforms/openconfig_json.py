"""Trees of OpenConfig as plain JSON: names without modules, list entries, leaves by their types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address, ip_network
from typing import Final, TypeAlias

Json: TypeAlias = object

MAX_DEPTH: Final = 80
_PREFIX: Final = re.compile(r"^[A-Za-z_][\w.-]*:(?=[A-Za-z_])")
_NUMBER: Final = re.compile(r"\d{1,20}", re.ASCII)
_ASDOT: Final = re.compile(r"(\d{1,5})\.(\d{1,5})", re.ASCII)


def load(text: str) -> tuple[Json, list[str]]:
    """The tree of an answer with plain names, and what is wrong with it as a whole."""
    try:
        return _plain(json.loads(text), 0), []
    except RecursionError:
        return None, ["the answer is nested too deeply"]
    except ValueError as error:
        return None, [str(error) if str(error).startswith("the answer") else "the answer is no JSON"]


def _plain(value: Json, depth: int) -> Json:
    """The tree with module prefixes taken off its names; objects that become one name are one object.

    OpenConfig's names have hyphens; a server that makes its text of protobuf sends `neighbor_address` (a real capture).
    """
    if depth > MAX_DEPTH:
        raise ValueError("the answer is nested too deeply")
    if isinstance(value, dict):
        made: dict[str, Json] = {}
        for name, below in value.items():
            bare, clean = _PREFIX.sub("", name, count=1).replace("_", "-"), _plain(below, depth + 1)
            before = made.get(bare)
            if isinstance(before, dict) and isinstance(clean, dict):
                made[bare] = _both(before, clean)
            else:
                made[bare] = clean
        return made
    return [_plain(one, depth + 1) for one in value] if isinstance(value, list) else value


def _both(one: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    made = dict(one)
    for name, value in other.items():
        before = made.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            made[name] = _both(before, value)
        else:
            made[name] = value
    return made


def entries(
    tree: Json, chain: Sequence[str], signs: Sequence[str]
) -> Iterator[tuple[Mapping[str, str], Mapping[str, Json]]]:
    """What stands at the end of a chain of names that begins anywhere in it, with the names of list entries above.

    A tree without any name of the chain is taken for what stands at its end, if it has one of `signs`.
    """
    start = next((at for at in range(len(chain)) if isinstance(tree, Mapping) and chain[at] in tree), None)
    if start is not None:
        yield from _descend(tree, chain[start:], {})
    else:
        for entry in tree if isinstance(tree, list) else [tree]:
            if isinstance(entry, Mapping) and any(sign in entry or sign in obj(entry.get("state")) for sign in signs):
                yield {}, entry


def _descend(
    tree: Json, chain: Sequence[str], above: Mapping[str, str]
) -> Iterator[tuple[Mapping[str, str], Mapping[str, Json]]]:
    if not chain:
        if isinstance(tree, Mapping):
            yield above, tree
        return
    below = tree.get(chain[0]) if isinstance(tree, Mapping) else None
    if isinstance(below, list):
        for entry in below:
            if isinstance(entry, Mapping):
                name = text_of(entry.get("name")) or text_of(obj(entry.get("state")).get("name"))
                yield from _descend(entry, chain[1:], {**above, chain[0]: name})
    elif below is not None:
        yield from _descend(below, chain[1:], above)


def vrf_of(above: Mapping[str, str]) -> str:
    """The VRF that something stands in; the default instance is called `default` by EOS, NX-OS, Junos and Cumulus."""
    name = above.get("network-instance", "")
    return "default" if name in ("", "default", "DEFAULT") else name


def name_of(entry: Mapping[str, Json], key: str) -> str | None:
    """The key of a list entry, or the leaf in its state or config."""
    for holder in (entry, obj(entry.get("state")), obj(entry.get("config"))):
        name = holder.get(key)
        if isinstance(name, str) and name:
            return name
    return None


def key_of(entry: Json, name: str) -> str:
    """A key as text, numbers too."""
    for holder in (obj(entry), obj(at(entry, "state"))):
        value = holder.get(name)
        if isinstance(value, int | str) and not isinstance(value, bool):
            return str(value)
    return ""


def at(tree: Json, *names: str) -> Json:
    """What stands below some names; None where one is not there."""
    for name in names:
        tree = tree.get(name) if isinstance(tree, Mapping) else None
    return tree


def obj(value: Json) -> Mapping[str, Json]:
    """An object; an empty one in place of anything else."""
    return value if isinstance(value, Mapping) else {}


def listed(value: Json) -> Sequence[Json]:
    """A list; an empty one in place of anything else."""
    return value if isinstance(value, list) else []


def text_of(value: Json) -> str:
    """Text, or a number as text; empty in place of anything else."""
    if isinstance(value, bool):
        return ""
    return str(value) if isinstance(value, int | str) else ""


def identity(value: Json) -> str:
    """A word of an enumeration or an identity, without module: `openconfig-bgp-types:IPV4_UNICAST`."""
    return text_of(value).rpartition(":")[2].strip()


def flag(value: Json) -> bool | None:
    """A boolean, which may be text."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


def is_up(value: Json, what: str, problems: list[str]) -> bool | None:
    """`UP` is up; any other state of RFC 2863 is not."""
    if value is None:
        return None
    word = identity(value)
    if word not in ("UP", "DOWN", "TESTING", "UNKNOWN", "DORMANT", "NOT_PRESENT", "LOWER_LAYER_DOWN"):
        problems.append(f"{what} is {str(value)[:40]!r}")
        return None
    return None if word == "UNKNOWN" else word == "UP"


def number(value: Json, what: str, problems: list[str]) -> int | None:
    """A number that may be text; 64 bits come as text in JSON_IETF (RFC 7951), and keep every digit."""
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        return int(value)
    problems.append(f"{what} is {str(value)[:40]!r}")
    return None


def asn_of(value: Json, what: str, problems: list[str]) -> int | None:
    """An ASN; one that cannot be is a problem."""
    if value is None:
        return None
    number = asn(value)
    if number is None:
        problems.append(f"{what} is {str(value)[:40]!r}, no ASN")
    return number


def is_address(text: str) -> bool:
    """Is it an IPv4 or IPv6 address?"""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def address_of(text: str) -> str:
    """An address in canonical text (field case A16); other text as it is."""
    host, percent, zone = text.partition("%")
    return f"{ip_address(host)}{percent}{zone}" if is_address(host) else text


def prefix_of(text: str) -> str:
    """A prefix in canonical text, without host bits; empty if it is none."""
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        return ""


def asn(value: Json) -> int | None:
    """An ASN in asplain or asdot, as number or text; None for what is none (field case A12)."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = str(value).strip()
    dotted = _ASDOT.fullmatch(text)
    if dotted:
        high, low = int(dotted[1]), int(dotted[2])
        number = high * 65536 + low if max(high, low) < 65536 else 0
    else:
        number = int(text) if _NUMBER.fullmatch(text) else 0
    return number if 0 < number < 2**32 else None
