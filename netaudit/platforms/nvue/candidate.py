"""What one device shall hold: ours where the area is ours, its own text byte for byte everywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from netaudit.platforms import Files
from netaudit.platforms.nvue.areas import Owned, Whose, made_vrfs, ownership
from netaudit.platforms.nvue.config import FILE, document, natural, nodes, tree_of, version_of
from netaudit.platforms.nvue.ranges import expanded, names_of
from netaudit.platforms.nvue.text import Node, spelled
from netaudit.platforms.nvue.tree import Tree, Value, leaves, line, of, same
from netaudit.platforms.nvue.words import NEW_WORDS, modern, older, release

_SECRET: Final = ("password", "secret", "key", "community", "passphrase")
_MAX_SHOWN: Final = 120


def candidate(rendered: Files, running: Files, owns: Iterable[str]) -> Files:
    """The running text with our parts put in, in the words of the version that runs."""
    areas = tuple(owns)
    text = running[FILE]
    ours = document(rendered[FILE])[1]
    _, node = nodes(text)
    whose = ownership(areas, ours, modern(expanded(of(node))))
    spoken = ours if release(version_of(text)) >= NEW_WORDS else older(ours)
    merge = _Merge(text.split("\n"), whose, made_vrfs(areas, ours))
    body = merge.children(node, spoken, ())
    if not body:
        return {FILE: text}
    made = _document(merge.lines, node, body)
    return {FILE: text if same(tree_of(made), tree_of(text)) else made}


def _document(lines: list[str], node: Node, body: list[str]) -> str:
    """The text with other lines below `set`."""
    head = lines[node.start]
    if not node.children:
        head = head[: head.index("set") + 3] + ":"
    return "\n".join([*lines[: node.start], head, *body, *lines[node.end :]])


class _Merge:
    """The lines of one text, and whose its parts are."""

    def __init__(self, lines: list[str], whose: Whose, vrfs: frozenset[str]) -> None:
        self.lines = lines
        self.whose = whose
        self.vrfs = vrfs

    def children(self, node: Node | None, ours: Value | None, path: tuple[str, ...]) -> list[str]:
        """What stands below a part: theirs in their order, then what only we have."""
        found: list[str] = []
        below = ours if isinstance(ours, dict) else {}
        there: Mapping[str, Node] = node.children if node is not None else {}
        at = node.start + 1 if node is not None else 0
        for name, child in there.items():
            found.extend(row for row in self.lines[at : child.start] if row.strip())  # comments between them
            # of a range what is ours goes, since each of its names gets its own; what is theirs stays as it is
            one = names_of(name)[0] if path == ("interface",) else name
            found.extend(self.entry(child, below.get(name), (*path, one), child.indent))
            at = child.end
        indent = _indent(node)
        for name in sorted(below.keys() - there.keys(), key=natural):
            found.extend(self.entry(None, below[name], (*path, name), indent))
        return found

    def entry(self, node: Node | None, ours: Value | None, path: tuple[str, ...], indent: int) -> list[str]:
        """The lines of one key; none where nothing shall be there."""
        whose = self.whose(path)
        kept = self.lines[node.start : node.end] if node is not None else []
        if whose is Owned.NOT:
            made = len(path) == 2 and path[0] == "vrf" and path[1] in self.vrfs and node is None
            return kept or ([f"{' ' * indent}{spelled(path[-1])}: {{}}"] if made else [])
        if whose is Owned.WHOLE:
            if ours is None:
                return []
            held = _held(node, path[-1])
            return kept if held is not None and same(held, ours) else list(written(path[-1], ours, indent))
        body = self.children(node, ours, path)
        if not body:
            must = len(path) == 2 and path[0] == "vrf" and path[1] in self.vrfs
            empty = node is not None and not node.children
            if must or empty:
                return kept if empty else [f"{' ' * indent}{spelled(path[-1])}: {{}}"]
            return []
        if node is not None and node.children:
            return [self.lines[node.start], *body]
        return [f"{' ' * indent}{spelled(path[-1])}:", *(_moved(row, node, indent) for row in body)]


def _held(node: Node | None, name: str) -> Value | None:
    """What a part of the text says, ranges expanded."""
    if node is None:
        return None
    return node.text if node.text is not None else expanded({name: of(node)})[name]


def _indent(node: Node | None) -> int:
    """The column of keys below a part; of one that is new, 0, to be moved by who knows where it stands."""
    if node is None:
        return 0
    return next((child.indent for child in node.children.values()), node.indent + 2)


def _moved(row: str, node: Node | None, indent: int) -> str:
    """A line of a part that is new, below its key."""
    return row if node is not None else f"{' ' * (indent + 2)}{row}"


def written(key: str, value: Value, indent: int) -> Iterator[str]:
    """A part of our tree as lines."""
    head = f"{' ' * indent}{spelled(key)}:"
    if not isinstance(value, dict):
        yield f"{head} {spelled(int(value) if str(value).isdigit() and str(int(value)) == str(value) else value)}"
    elif not value:
        yield f"{head} {{}}"
    else:
        yield head
        for name in sorted(value, key=natural):
            yield from written(name, value[name], indent + 2)


def kept(running: Files, rendered: Files, owns: Iterable[str]) -> Files:
    """What the running file has where a push may change it: the header, and our areas alone."""
    areas = tuple(owns)
    text = running[FILE]
    header, node = nodes(text)
    ours = document(rendered[FILE])[1]
    raw = expanded(of(node))
    theirs = modern(raw)
    whose = ownership(areas, ours, theirs)
    found: Tree = {}
    _gather(raw, whose, (), found)
    for vrf in made_vrfs(areas, ours) & frozenset(_below(theirs, "vrf")):
        vrfs = found.setdefault("vrf", {})
        if isinstance(vrfs, dict):
            vrfs.setdefault(vrf, {})
    head = text.split("\n")[header.start : header.end] if header is not None else []
    lines = [*head, "- set:", *(row for name in found for row in written(name, found[name], 4))]
    return {FILE: "\n".join([*lines, ""]) if found else "\n".join([*head, "- set: {}", ""])}


def _below(tree: Tree, name: str) -> Iterable[str]:
    value = tree.get(name)
    return value if isinstance(value, dict) else ()


def _gather(tree: Value, whose: Whose, path: tuple[str, ...], found: Tree) -> None:
    """Copy what is ours of a tree."""
    for name, value in tree.items() if isinstance(tree, dict) else ():
        here = (*path, name)
        mine = whose(here)
        if mine is Owned.WHOLE:
            at = found
            for step in path:
                at = at.setdefault(step, {})  # type: ignore[assignment]  # a mapping above a mapping
            at[name] = value
        elif mine is Owned.PART:
            _gather(value, whose, here, found)


def equal(one: Files, other: Files) -> bool:
    """Do both say the same, whichever words of whichever version they say it in?"""
    return one[FILE] == other[FILE] or same(document(one[FILE])[1], document(other[FILE])[1])


def diff(running: Files, candidate: Files) -> tuple[str, ...]:
    """What changes, in the words of `nv set`, one leaf a line: `interface swp1 link mtu  9000 → 9216`."""
    before, after = dict(leaves(tree_of(running[FILE]))), dict(leaves(tree_of(candidate[FILE])))
    changed = (path for path in {**before, **after} if before.get(path) != after.get(path))
    return tuple(
        f"{line(path, '')}  {_shown(path, before.get(path))} → {_shown(path, after.get(path))}"
        for path in sorted(changed, key=lambda p: tuple(map(natural, p)))
    )


def _shown(path: tuple[str, ...], value: str | None) -> str:
    if value is None:
        return "-"
    if any(word in name for name in path for word in _SECRET):
        return "***"
    return value[:_MAX_SHOWN] or "set"
