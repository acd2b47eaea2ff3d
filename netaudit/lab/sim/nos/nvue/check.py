"""Whether a configuration, or a line of `nv set`, fits what a release takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address, ip_interface, ip_network
from typing import Final

from netaudit.lab.sim.nos.nvue.schema import ANYTHING, Grammar, Json, Keyed, Leaf, Open, grammar


def problems(tree: Json, modern: bool) -> Iterator[str]:
    """What a box refuses in a configuration, each with its path."""
    yield from _wrong(tree, grammar(modern), ())


def _wrong(node: Json, allowed: Grammar, where: tuple[str, ...]) -> Iterator[str]:
    if isinstance(allowed, Open):
        return
    path = ".".join(where)
    if isinstance(allowed, Leaf):
        if isinstance(node, Mapping):
            yield f"{path} is a value and holds {', '.join(map(str, node)) or 'nothing'}"
        elif why := _unfit(node, allowed):
            yield f"{path}: {why}"
        return
    if node is None:
        return
    if not isinstance(node, Mapping):
        yield f"{path}: {node!r} is not one of its parts"
        return
    for name, child in node.items():
        if isinstance(allowed, Keyed):
            if why := _unfit(name, allowed.key):
                yield f"{path}.{name}: {why}"
            else:
                yield from _wrong(child, allowed.below, (*where, name))
        elif _has(allowed, name):
            yield from _wrong(child, allowed.get(name, ANYTHING), (*where, name))
        else:
            yield f"{path or 'the tree'} has no part {name!r}"


_OTHER_WORD: Final = {"state": "enable", "enable": "state"}


def _has(allowed: Mapping[str, Grammar], name: str) -> bool:
    """Whether a branch has a part of that name. One with parts that are not looked at has no word of other releases."""
    return name in allowed or ("" in allowed and _OTHER_WORD.get(name) not in allowed)


def _unfit(value: Json, leaf: Leaf) -> str:
    """Why a value does not fit; empty if it does."""
    if isinstance(value, bool):
        return f"{value} is not one of {', '.join(leaf.words)}: quote 'on' and 'off'" if leaf.words else ""
    text = str(value)
    if text in leaf.words or (not leaf.words and leaf.least is None and not leaf.kind):
        return ""
    if leaf.kind:
        return _unfit_address(text, leaf.kind)
    if leaf.least is None or leaf.most is None:
        return f"{text!r} is not one of {', '.join(leaf.words)}"
    if not (text.isascii() and text.isdecimal()) or not leaf.least <= int(text) <= leaf.most:
        return f"{text!r} is not a number from {leaf.least} to {leaf.most}"
    return ""


def _unfit_address(text: str, kind: str) -> str:
    try:
        if kind == "address":
            ip_address(text)
        elif kind == "network":
            ip_network(text)
        else:
            ip_interface(text)
    except ValueError as error:
        return str(error)
    return "" if kind == "address" or "/" in text else f"{text!r} has no length"


def placed(words: Sequence[str], modern: bool) -> tuple[tuple[str, ...], Json]:
    """(path, value) that the words of `nv set` stand for; without a value the path ends in a key or a branch.

    Raises `ValueError` for words that lead nowhere.
    """
    allowed: Grammar = grammar(modern)
    path: list[str] = []
    for at, word in enumerate(words):
        if isinstance(allowed, Leaf):
            if at < len(words) - 1:
                raise ValueError(f"'{words[at + 1]}' is not expected after {' '.join(words[: at + 1])}")
            if why := _unfit(word, allowed):
                raise ValueError(f"{' '.join(words[:at])}: {why}")
            return tuple(path), int(word) if allowed.least is not None and word.isdecimal() else word
        if isinstance(allowed, Open):
            rest = [*path, *words[at:]]
            return (tuple(rest[:-1]), rest[-1]) if len(rest) > 1 else (tuple(rest), {})
        if isinstance(allowed, Keyed):
            if why := _unfit(word, allowed.key):
                raise ValueError(f"{' '.join(words[:at])}: {why}")
            allowed = allowed.below
        elif _has(allowed, word):
            allowed = allowed.get(word, ANYTHING)
        else:
            raise ValueError(f"'{word}' is not one of {', '.join(sorted(allowed))}")
        path.append(word)
    if isinstance(allowed, Leaf):
        raise ValueError(f"{' '.join(words)} needs a value")
    return tuple(path), {}
