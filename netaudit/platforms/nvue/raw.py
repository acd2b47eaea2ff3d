"""Text of the site's own: a YAML tree of routing that is none of ours, merged into the file (DESIGN.md, rule 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from netaudit.platforms.nvue.ranges import expanded
from netaudit.platforms.nvue.text import Node, Unreadable, mapping, parse
from netaudit.platforms.nvue.tree import Tree, leaves, line, of, put
from netaudit.platforms.nvue.words import modern

SUFFIXES = (".yaml", ".yml")
_ROUTING = "only what stands below `router` and `vrf NAME router` is audited: ospf, pim, a static route"


def merge(text: str, tree: Tree) -> None:
    """Put each leaf of a text where it belongs; several texts follow one another."""
    for path, value in _leaves(text):
        put(tree, path, value if value else {})


def raw_lines(text: str) -> frozenset[str]:
    """The lines that a device must have, in the words of `nv set`; none of a text that cannot be read."""
    try:
        return frozenset(line(path, value) for path, value in _leaves(text))
    except Unreadable:
        return frozenset()


def _leaves(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for part in _parts(text):
        yield from leaves(modern(expanded(of(_set(parse(part))))))


def _parts(text: str) -> Iterator[str]:
    """Snippets follow one another: each begins anew at the left edge with a key that an earlier one may have had."""
    seen: set[str] = set()
    part: list[str] = []
    for row in text.splitlines():
        head = row.partition(":")[0]
        if row[:1].strip() and not row.startswith(("#", "-")):
            if head in seen:
                yield "\n".join(part)
                seen, part = set(), []
            seen.add(head)
        part.append(row)
    yield "\n".join(part)


def _set(node: Node) -> Node:
    """The tree itself, of a text that has `set:` around it, in a list or not."""
    for item in (node, *node.items):
        if "set" in item.children:
            return item.children["set"]
    return node


def raw_problems(text: str, owns: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """(line, what is wrong, hint) for each line that is ours, or that could not be audited."""
    try:
        tree = _set(parse(text))
    except Unreadable as error:
        yield 1, str(error), "a mapping as `nv config show -o yaml` prints it below `set:`"
        return
    for path, node in _nodes(tree, ()):
        said = line(path, node.text or "")
        where = path[1:] if path[0] == "router" else path[3:] if path[0] == "vrf" and path[2:3] == ("router",) else None
        if where is None:
            yield node.start + 1, f"`{said}` would not be audited", _ROUTING
        elif where[:1] in (("bgp",), ("policy",)):
            hint = "BGP and its policies come from the intent alone"
            yield node.start + 1, f"`{said}` touches the area bgp, which is ours", hint
        elif where[:1] in (("adaptive-routing",), ("bfd",)):
            yield node.start + 1, f"`{said}` would not be audited", _ROUTING


def _nodes(node: Node, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Node]]:
    if not node.children:
        if at:
            yield at, node
        return
    for name, child in mapping(node).items():
        yield from _nodes(child, (*at, name))
