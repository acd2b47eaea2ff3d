"""An answer of Junos as one tree, whether it came as XML or as JSON, and in either of the two JSON forms.

The common form is the verbose JSON of `| display json`: an element is an object, its children lists by name, its text
under `data` (field/real/junos). What a device sends is bounded, and XML with a document type is refused unread.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias
from xml.parsers import expat

Node: TypeAlias = Mapping[str, object]

LIMIT_CHARACTERS: Final = 64 * 1024 * 1024
"""Longest answer that is read, as long as the SSH client lets through."""
DEEPEST: Final = 64
"""Elements within each other; the deepest of the captures are some 12."""


class Unreadable(ValueError):
    """Text that is no answer of Junos, or one that is cut off."""


def parsed(text: str) -> Node:
    """The tree of an answer. Raises `Unreadable`."""
    if len(text) > LIMIT_CHARACTERS:
        raise Unreadable(f"longer than {LIMIT_CHARACTERS:,} characters")
    body = text.strip()
    if body.startswith("<"):
        return _from_xml(body)
    if not body.startswith("{"):
        raise Unreadable(f"neither JSON nor XML: {body[:60]!r}" if body else "an empty answer")
    return _from_json(body)


def _from_json(body: str) -> Node:
    try:
        # a number with a dot stays text: as a float, AS 65000.10 would become 65000.1. Behind the value some releases
        # print `{master:0}`
        value, _ = json.JSONDecoder(parse_float=str).raw_decode(body)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON, perhaps cut off: {error}") from None
    if not isinstance(value, dict):
        raise Unreadable("not a JSON object")
    return value


def _from_xml(body: str) -> Node:
    """Elements by their local names; attributes are left out."""
    root: dict[str, object] = {}
    stack: list[dict[str, object]] = [root]
    texts: list[list[str]] = [[]]
    parser = expat.ParserCreate()

    def start(name: str, _: object) -> None:
        if len(stack) > DEEPEST:
            raise Unreadable(f"XML with more than {DEEPEST} elements within each other")
        node: dict[str, object] = {}
        _children(stack[-1], name.rpartition(":")[2]).append(node)
        stack.append(node)
        texts.append([])

    def end(_: str) -> None:
        node, words = stack.pop(), "".join(texts.pop()).strip()
        if words:
            node["data"] = words

    def refuse(*_: object) -> None:
        raise Unreadable("XML with a document type, which no answer of Junos has")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda data: texts[-1].append(data)
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(body.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise Unreadable(f"not XML, perhaps cut off: {error}") from None
    return root


def _children(node: dict[str, object], name: str) -> list[object]:
    found = node.setdefault(name, [])
    if not isinstance(found, list):  # an element named `data`, beside text
        raise Unreadable(f"XML with an element {name} and text of that name")
    return found


def elements(node: Node, name: str) -> Iterator[Node]:
    """The children of that name; in the compact JSON form one child may stand without a list, and be plain text."""
    found = node.get(name)
    for one in found if isinstance(found, list) else () if found is None else (found,):
        yield one if isinstance(one, dict) else {"data": one}


def word(node: Node, *path: str) -> str:
    """The text of the first element at a path, without the blanks around it; empty where there is none."""
    for name in path:
        child = next(elements(node, name), None)
        if child is None:
            return ""
        node = child
    data = node.get("data")
    return data.strip() if isinstance(data, str) else str(data) if type(data) is int else ""


def found(node: Node, name: str) -> tuple[Node, ...]:
    """The outermost elements of that name, wherever they are: several where a box has several routing engines."""
    result: list[Node] = []
    waiting: list[Node] = [node]
    while waiting:
        one = waiting.pop(0)
        if name in one:
            result += elements(one, name)
            continue
        for child in one.values():
            waiting += [part for part in (child if isinstance(child, list) else [child]) if isinstance(part, dict)]
    return tuple(result)


def only(text: str, name: str) -> tuple[Node, ...]:
    """The elements of that name in an answer. Raises `Unreadable` where there is none: it answers something else."""
    tree = parsed(text)
    result = found(tree, name)
    if not result:
        said = next((word(one, "message") for one in (*found(tree, "error"), *found(tree, "rpc-error"))), "")
        raise Unreadable(f"no {name} in the answer" + (f": {' '.join(said.split())[:200]}" if said else ""))
    return result
