"""An audit or a check as JUnit XML: one suite a switch (or file), a case for each finding, red where the exit code is.

Shape: what Jenkins' and GitLab's readers take (testsuites, testsuite, testcase, failure, error, skipped, system-out).
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from netaudit.audit.report.paper import Item, Paper
from netaudit.terminal import safe

_NO_XML = re.compile("[\ufffe\uffff]")
"""Characters that XML 1.0 (2.2) forbids and `safe` has no reason to hide; all others of that kind are controls."""


def render(paper: Paper) -> bytes:
    """Return the XML document in UTF-8."""
    by_suite: dict[str, list[Item]] = {name: [] for name in paper.suites}
    for item in paper.items:
        by_suite.setdefault(item.suite, []).append(item)
    root = Xml.Element("testsuites", name=_text(f"netaudit {paper.command} {paper.fabric}"))
    for name, items in by_suite.items():
        _suite(root, paper, name, items)
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    Xml.indent(root)
    text = Xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _suite(root: Xml.Element, paper: Paper, name: str, items: list[Item]) -> None:
    suite = Xml.SubElement(root, "testsuite", name=_text(name))
    suite.set("tests", str(max(1, len(items))))
    suite.set("failures", str(sum(i.fails and not i.unseen for i in items)))
    suite.set("errors", str(sum(i.unseen for i in items)))
    suite.set("skipped", str(sum(bool(i.waived) for i in items)))
    if not items:
        word = "as intended" if paper.command == "audit" else "no problem found"
        Xml.SubElement(suite, "testcase", classname=_text(name), name=word)
    for item in items:
        _case(suite, name, item)


def _case(suite: Xml.Element, name: str, item: Item) -> None:
    # A viewer tells cases apart by class and name: the place is part of it.
    place = "" if item.place in item.title else f" ({item.place})"
    case = Xml.SubElement(suite, "testcase", classname=_text(name), name=_text(f"{item.rule} {item.title}{place}"))
    if item.source:
        case.set("file", _text(item.source.file))
        case.set("line", str(item.source.line))
    lines = "\n".join(_text(line) for line in (*item.details, *([item.command] if item.command else [])))
    if item.waived:
        Xml.SubElement(case, "skipped", message=_text(item.waived))
    elif item.unseen:
        Xml.SubElement(case, "error", message=_text(item.title), type=_text(item.rule)).text = lines
    elif item.fails:
        Xml.SubElement(case, "failure", message=_text(item.title), type=_text(item.rule)).text = lines
    else:
        Xml.SubElement(case, "system-out").text = f"{item.severity}: {_text(item.title)}\n{lines}"


def _text(text: str) -> str:
    return _NO_XML.sub("\ufffd", safe(text))
