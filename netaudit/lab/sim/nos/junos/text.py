"""Configurations of the simulated Junos as text: set lines, braces and XML are read and printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from netaudit.lab.sim.nos.junos import tree as statements
from netaudit.lab.sim.nos.junos.schema import Head, Kind, Refusal, by_element, check, root, ways
from netaudit.lab.sim.nos.junos.tree import Tree, words_of

_PLAIN: Final = re.compile(r"[\w.:/@%*+,<>!~=&|^-]+", re.ASCII)
_TOKEN: Final = re.compile(
    r'/\*.*?\*/|\#[^\n]*|"(?:\\.|[^"\\])*"|[{};\[\]()]|[^\s{};\[\]()"\#]+(?:"[^"]*")?', re.DOTALL
)
_TAGS: Final = ("inactive:", "replace:", "delete:", "protect:", "active:")


def quoted(word: str) -> str:
    """A word as Junos prints it; an expression of policies stays bare."""
    if _PLAIN.fullmatch(word) or word.startswith("( "):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def spelled(head: Head) -> str:
    """The words of a statement."""
    return " ".join(map(quoted, head))


def set_lines(tree: Tree, before: str = "") -> Iterator[str]:
    """`display set`: a line for each statement that holds no other, `deactivate` lines behind what they are about."""
    for head, child in tree.sorted():
        path = f"{before} {spelled(head)}".strip()
        if child.children:
            yield from set_lines(child, path)
        else:
            yield f"set {path}"
        if child.inactive:
            yield f"deactivate {path}"


def braces(tree: Tree, depth: int = 0) -> Iterator[str]:
    """The text of `show configuration`."""
    space, seen = "    " * depth, set[int]()
    for head, child in tree.sorted():
        mark, kind = "inactive: " if child.inactive else "", child.kind
        if kind is not None and kind.what == "leaves":
            if id(kind) in seen:
                continue
            seen.add(id(kind))
            values = [one[-1] for one, other in tree.sorted() if other.kind is kind]
            shown = quoted(values[0]) if len(values) == 1 else f"[ {' '.join(map(quoted, values))} ]"
            yield f"{space}{mark}{spelled(kind.words)} {shown};"
        elif not child.children:
            yield f"{space}{mark}{spelled(head)};"
        elif kind is not None and (kind.one_line or _is_short(head, child)):
            yield f"{space}{mark}{spelled(head)} {_in_line(child)};"
        else:
            yield f"{space}{mark}{spelled(head)} {{"
            yield from braces(child, depth + 1)
            yield f"{space}}}"


def _is_short(head: Head, tree: Tree) -> bool:
    """Conditions and actions of a policy that are one word or two: `then reject;`, `from policy NAME;`."""
    only = next(iter(tree.children.items()))
    return head in (("from",), ("then",)) and len(tree.children) == 1 and only[0][0] != "load-balance"


def _in_line(tree: Tree) -> str:
    """All below a statement on its line, values of a list in brackets."""
    lists: dict[int, list[str]] = {}
    for one, child in tree.sorted():
        if child.kind is not None and child.kind.what == "leaves":
            lists.setdefault(id(child.kind), []).append(one[-1])
    parts: list[str] = []
    for one, child in tree.sorted():
        values = lists.get(id(child.kind), []) if child.kind is not None else []
        if len(values) > 1:
            listed = f"{spelled(one[:-1])} [ {' '.join(map(quoted, values))} ]"
            parts += [listed] if listed not in parts else []
        else:
            parts.append(spelled(one))
    return " ".join(parts)


def load_set(tree: Tree, text: str) -> list[Refusal]:
    """Carry out lines one after the other; those that are refused are told, the others stay."""
    refused: list[Refusal] = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            statements.set_words(tree, words_of(line))
        except Refusal as error:
            refused.append(error)
    return refused


def load_braces(tree: Tree, text: str) -> list[Refusal]:
    """Merge text with braces into a tree; what is refused is told."""
    refused: list[Refusal] = []
    path: list[list[str]] = []
    words: list[str] = []
    tags: list[str] = []
    marked: list[list[str]] = []
    for token in _TOKEN.findall(text):
        if token.startswith(("/*", "#")):
            continue
        if token in _TAGS:
            tags.append(token)
        elif token in ("{", ";"):
            whole = [word for part in path for word in part] + words
            if "inactive:" in tags:
                marked.append(whole)
            _merge(tree, whole, tags, refused, opens=token == "{")
            if token == "{":
                path.append(words)
            words, tags = [], []
        elif token != "}":
            words.append(_bare(token))
        elif path:
            path.pop()
        else:
            refused.append(Refusal("syntax error", "}"))
            break
    if path or words:
        refused.append(Refusal("syntax error", "EOF" if path else words[0]))
    for line in marked:
        _carry_out(tree, ["deactivate", *line], refused)
    return refused


def _merge(tree: Tree, words: list[str], tags: Sequence[str], refused: list[Refusal], *, opens: bool) -> None:
    """Set the statement that a brace opens or a semicolon ends, as the tags before it say."""
    if "replace:" in tags or "delete:" in tags:
        _without(tree, words)
    if "delete:" not in tags and words:
        if opens:
            _open(tree, words, refused)
        else:
            _carry_out(tree, ["set", *words], refused)


def _carry_out(tree: Tree, words: Sequence[str], refused: list[Refusal]) -> None:
    try:
        statements.set_words(tree, words)
    except Refusal as error:
        refused.append(error)


def _bare(token: str) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1]) if token.startswith('"') else token


def _without(tree: Tree, words: Sequence[str]) -> None:
    try:
        statements.delete(tree, words)
    except Refusal:
        return  # what is to go or to be replaced need not be there


def _open(tree: Tree, words: Sequence[str], refused: list[Refusal]) -> None:
    """Make the statement that a brace opens. One that its words do not lead to is found by its first line inside."""
    try:
        for way in list(ways(words)):
            if not way[-1][1].ends:
                statements.put(tree, way)
    except Refusal as error:
        refused.append(error)


def load_xml(tree: Tree, element: Element) -> list[Refusal]:
    """Merge a `<configuration>` into a tree; what is refused is told."""
    refused: list[Refusal] = []
    _load_element(tree, root(), element, "", refused)
    return refused


def _load_element(tree: Tree, level: Sequence[Kind], element: Element, where: str, refused: list[Refusal]) -> None:
    for child in element:
        name = _local(child.tag)
        kinds = by_element(level, name)
        try:
            _take(tree, kinds, child, where, refused)
        except Refusal as error:
            refused.append(error)


def _take(tree: Tree, kinds: Mapping[str, Kind], child: Element, where: str, refused: list[Refusal]) -> None:
    name, value = _local(child.tag), (child.text or "").strip()
    if not kinds:
        if name in ("name", "as-number"):
            return
        raise Refusal("syntax error", name, where)
    if "" not in kinds:  # <family><inet>…
        for below in child:
            kind = kinds.get(_local(below.tag))
            if kind is None:
                raise Refusal("syntax error", _local(below.tag), where)
            _into(tree, (kind.words, kind), below, where, refused)
        return
    kind = kinds[""]
    if kind.what == "list":
        key = next(((one.text or "").strip() for one in child if _local(one.tag) == "name"), "")
        if not key:
            raise Refusal("missing mandatory statement", "name", where)
        _into(tree, ((*kind.words, key), kind), child, where, refused)
    elif kind.what == "leaf" or kind.what == "leaves":
        check(kind, value, where)
        statements.put(tree, (((*kind.words, value), kind),))
    elif kind.what in ("line", "free"):
        statements.put(tree, (((*kind.words, *_flat(child)), kind),))
    else:
        _into(tree, (kind.words, kind), child, where, refused)


def _into(tree: Tree, step: tuple[Head, Kind], child: Element, where: str, refused: list[Refusal]) -> None:
    statements.put(tree, (step,))
    _load_element(tree.children[step[0]], step[1].below, child, f"{where} {spelled(step[0])}".strip(), refused)


def _flat(element: Element) -> Iterator[str]:
    if (element.text or "").strip():
        yield (element.text or "").strip()
    for child in element:
        if _local(child.tag) != "name":
            yield _local(child.tag)
        yield from _flat(child)


def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


def compared(old: Tree, new: Tree, level: str = "") -> Iterator[str]:
    """`show | compare`: the patch from one configuration to another, a hierarchy level at a time."""
    here: list[str] = []
    deeper: list[tuple[Tree, Tree, str]] = []
    heads = dict.fromkeys((*(head for head, _ in old.sorted()), *(head for head, _ in new.sorted())))
    for head in heads:
        before, after = old.children.get(head), new.children.get(head)
        if before is None or after is None:
            sign, one = ("-", before) if after is None else ("+", after)
            shown = Tree(None, {head: one}) if one is not None else Tree()
            here += [f"{sign}   {line}" for line in braces(shown)]
        elif before.inactive != after.inactive:
            mark = "inactive: " if after.inactive else "active: "
            here.append(f"!    {mark}{spelled(head)} {{ ... }}")
        if before is not None and after is not None and before.children != after.children:
            deeper.append((before, after, f"{level} {spelled(head)}".strip()))
    if here:
        yield f"[edit {level}]" if level else "[edit]"
        yield from here
    for before, after, below in deeper:
        yield from compared(before, after, below)


def same(one: Tree, other: Tree) -> bool:
    """Do two configurations say the same, in the same order where there is one?"""
    return one is other or list(set_lines(one)) == list(set_lines(other))


def elements(tree: Tree) -> Iterator[str]:
    """The configuration as XML."""
    yield "<configuration>"
    yield from _elements(tree)
    yield "</configuration>"


def _elements(tree: Tree) -> Iterator[str]:
    for head, child in tree.sorted():
        kind = child.kind
        mark = ' inactive="inactive"' if child.inactive else ""
        if kind is None or kind.what in ("line", "free"):
            yield f"<{head[0]}{mark}>{escape(' '.join(head[1:]))}</{head[0]}>"
            continue
        name = kind.element or kind.words[0]
        if kind.ends:
            below = f"<{kind.words[1]}/>" if len(kind.words) > 1 else ""
            value = escape(head[-1]) if kind.what != "flag" else below
            yield f"<{name}{mark}>{value}</{name}>" if value else f"<{name}{mark}/>"
            continue
        yield f"<{name}{mark}>"
        if kind.what == "list":
            yield f"<name>{escape(head[-1])}</name>"
        inner = kind.words[1] if len(kind.words) > 1 and kind.what == "container" else ""
        if inner:
            yield f"<{inner}>"
        yield from _elements(child)
        if inner:
            yield f"</{inner}>"
        yield f"</{name}>"


def filtered(tree: Tree, wanted: Element) -> Tree:
    """What of a configuration a filter asks for: the branches that its innermost elements name."""
    made = Tree(tree.kind)
    asked = {_local(child.tag): child for child in wanted}
    for head, child in tree.children.items():
        kind = child.kind
        name = (kind.element or kind.words[0]) if kind is not None and (kind.element or kind.words) else head[0]
        if name in asked:
            made.children[head] = filtered(child, asked[name]) if len(asked[name]) else child
    return made if asked else tree
