"""Answers of Junos as trees of elements, printed as XML or as the JSON of `| display json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr


@dataclass(slots=True)
class Element:
    """An element: with text, or with others below it."""

    name: str
    below: list[Element] = field(default_factory=list)
    text: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)


def of(name: str, *below: Element, text: str | None = None, **attributes: str) -> Element:
    """An element; attributes are those of the namespace `junos`."""
    return Element(name, list(below), text, {f"junos:{key}": value for key, value in attributes.items()})


def words(**pairs: str | int) -> list[Element]:
    """Elements with text: `admin_status="up"` → `<admin-status>up</admin-status>`."""
    return [Element(name.replace("_", "-"), text=str(text)) for name, text in pairs.items()]


def holding(name: str, *parts: Element | Iterable[Element], **attributes: str) -> Element:
    """An element of others, which may come in lists."""
    below = [one for part in parts for one in ((part,) if isinstance(part, Element) else part)]
    return of(name, *below, **attributes)


def xml(element: Element) -> str:
    """The element as Junos writes it, a line each."""
    return "\n".join(_xml(element))


def _xml(element: Element) -> Iterator[str]:
    tag = element.name + "".join(f" {name}={quoteattr(text)}" for name, text in element.attributes.items())
    if element.text is not None:
        yield f"<{tag}>{escape(element.text)}</{element.name}>"
    elif not element.below:
        yield f"<{tag}/>"
    else:
        yield f"<{tag}>"
        for one in element.below:
            yield from _xml(one)
        yield f"</{element.name}>"


def as_json(element: Element) -> str:
    """The element as `| display json` writes it: every value in a list of its own (field/real/junos)."""
    return json.dumps({element.name: [_json(element)]}, indent=1, ensure_ascii=False) + "\n"


def _json(element: Element) -> object:
    made: dict[str, object] = {}
    if element.attributes:
        made["attributes"] = dict(element.attributes)
    if element.text is not None:
        made["data"] = element.text
    elif not element.below:
        made["data"] = [None]
    rows: dict[str, list[object]] = {}
    for one in element.below:
        rows.setdefault(one.name, []).append(_json(one))
    return {**made, **rows}
