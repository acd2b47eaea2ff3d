from __future__ import annotations

import base64
import hashlib
import itertools
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError

from netaudit.audit.findings import AuditResult, Comparison, Finding, NotAudited
from netaudit.audit.report.html import finalize, render
from netaudit.resources import template_dir

from .samples import (
    CLEAN,
    EVIL,
    FINDINGS,
    HOSTILE,
    MTU,
    NOT_AUDITED,
    ONE,
    ONLY_UNKNOWN,
    QOS,
    SPARE,
    WARNINGS,
    large,
    unseen,
)

SAMPLES = {
    "clean": CLEAN,
    "findings": FINDINGS,
    "not_audited": NOT_AUDITED,
    "only_unknown": ONLY_UNKNOWN,
    "one": ONE,
    "warnings": WARNINGS,
    "hostile": HOSTILE,
    "huge": large(130, ["a-su7-r3-leaf"]),
    "nothing": replace(CLEAN, devices=()),
}
VOID = {"meta", "link", "br", "input", "img", "hr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    def all(self, tag: str = "", **wanted: str) -> list[Element]:
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                fits = child.tag == tag if tag else True
                if fits and all(w in child.attributes.get(k.strip("_"), "").split() for k, w in wanted.items()):
                    found.append(child)
                found += child.all(tag, **wanted)
        return found

    @property
    def text(self) -> str:
        said = "".join(child if isinstance(child, str) else child.text for child in self.children)
        return said if self.tag not in ("style", "script") else ""


class Tree(HTMLParser):
    """Builds the tree and refuses what a browser would repair."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(html)
        self.close()
        assert self._open == [self.root], f"never closed: {[element.tag for element in self._open[1:]]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        doubled = [name for name, count in Counter(name for name, _ in attrs).items() if count > 1]
        assert not doubled, f"<{tag}> has {doubled} twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def tree(result: AuditResult) -> Element:
    return Tree(render(result)).root


def only(elements: list[Element]) -> Element:
    assert len(elements) == 1
    return elements[0]


def by_id(root: Element, name: str) -> Element:
    return only([element for element in root.all() if element.attributes.get("id") == name])


@pytest.mark.parametrize("result", SAMPLES.values(), ids=SAMPLES)
def test_every_element_is_closed_every_id_is_unique_and_every_link_arrives(result: AuditResult) -> None:
    elements = tree(result).all()
    ids = Counter(element.attributes["id"] for element in elements if "id" in element.attributes)
    assert not [name for name, count in ids.items() if count > 1]
    assert all(re.fullmatch(r"\S+", name) for name in ids)
    for element in elements:
        href = element.attributes.get("href", "#")
        assert href == "data:," if element.tag == "link" else href.startswith("#")
        assert href in ("#", "data:,") or href[1:] in ids, href
        for name in ("aria-labelledby", "for"):
            assert element.attributes.get(name, "coverage") in ids


@pytest.mark.parametrize("result", SAMPLES.values(), ids=SAMPLES)
def test_the_page_loads_nothing_and_runs_only_what_is_ours(result: AuditResult) -> None:
    root = tree(result)
    policies = [m.attributes["content"] for m in root.all("meta") if m.attributes.get("http-equiv")]
    assert only(root.all("style")).attributes == {}
    assert only(root.all("script")).attributes == {}
    for tag, name in (("style", "audit.css"), ("script", "audit.js")):
        text = (template_dir() / "report" / name).read_text(encoding="utf-8")
        assert only(root.all(tag)).children == [text]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policies[0]
    assert policies[0].startswith("default-src 'none';")
    assert "unsafe" not in policies[0]
    for element in root.all():
        assert not {"src", "style", "srcset", "action", "formaction"} & element.attributes.keys()
        assert not [name for name in element.attributes if name.startswith("on")]


def test_device_text_stays_text() -> None:
    html = render(HOSTILE)
    assert "<script>alert" not in html
    assert "\x1b" not in html
    assert "\u202e" not in html
    assert html.count("<script>") == html.count("</script>") == 1
    root = Tree(html).root
    shown = EVIL.replace("\u202e", r"\u202e").replace("\x1b", r"\x1b")
    assert root.text.count(shown) > 30
    assert shown in only(root.all("title")).text
    assert any(shown in element.attributes.get("title", "") for element in root.all("a"))


def test_no_control_character_reaches_the_page() -> None:
    html = render(HOSTILE)
    assert all(c.isprintable() or c == "\n" for c in html)
    html.encode()


def test_two_names_never_share_an_address() -> None:
    a, b = CLEAN.devices[:2]
    twins = replace(CLEAN, devices=(replace(a, name="leaf é"), replace(b, name="leaf_20_e9"), *CLEAN.devices[2:]))
    elements = tree(twins).all()
    ids = [element.attributes["id"] for element in elements if element.attributes.get("id", "").startswith("device-")]
    assert len(ids) == len(set(ids)) == 20


def test_the_verdict_names_the_switch_to_start_with() -> None:
    root = tree(FINDINGS)
    heading = only(root.all("h1"))
    assert heading.text == "tokyo-gpu1 is not as intended: 4 causes explain 41 errors; start with a-su1-r3-leaf"
    assert only(heading.all("a")).attributes["href"] == "#device-a-su1-r3-leaf"
    assert only(root.all("title")).text == "Not as intended: tokyo-gpu1, audit 2026-W48"


@pytest.mark.parametrize(
    ("result", "title", "verdict"),
    [
        (CLEAN, "As intended", "tokyo-gpu1 is as intended: 20 of 20 switches audited, 0 findings"),
        (WARNINGS, "Warnings", "tokyo-gpu1 has no errors but 1 warning cause; start with a-spine2"),
        (
            ONLY_UNKNOWN,
            "NOT AUDITED",
            "tokyo-gpu1: no findings on 18 of 20 switches; 2 were NOT AUDITED, so nobody can say it is as intended",
        ),
    ],
)
def test_title_and_heading_say_the_state(result: AuditResult, title: str, verdict: str) -> None:
    root = tree(result)
    assert only(root.all("title")).text.startswith(title)
    assert only(root.all("h1")).text == verdict


def test_the_first_screen_holds_three_causes_with_command_and_counts_the_rest() -> None:
    causes = by_id(tree(FINDINGS), "causes")
    told = only(causes.all("ol")).all("li")
    assert [only(cause.all("code")).text for cause in told] == [f.fix for f in FINDINGS.findings[:3]]
    assert "Explains 2 BGP sessions, 1,023 routes on 10 devices." in told[1].text
    assert "By hand: swap the plugs" in told[2].text
    assert [item.text.split(":")[0].strip() for item in only(causes.all("ul")).all("li")] == [
        "Error",
        "Warning",
        "Info",
    ]


def test_the_counters_are_those_of_the_audit() -> None:
    counts = only(tree(NOT_AUDITED).all("dl"))
    words = [" ".join(term.text.split()) for term in counts.all("dt")]
    numbers = [" ".join(value.text.split()) for value in counts.all("dd")]
    assert dict(zip(words, numbers, strict=True)) == {
        "error": "4 causes, 41 findings",
        "warning": "1 cause, 8 findings",
        "info": "1 cause",
        "NOT AUDITED": "2 of 20 switches",
        "as intended": "10 of 20 switches",
        "declared": "3 blind spots",
        "compared": "225,856 values in 4 min 12 s",
    }


def cells(root: Element) -> dict[str, Element]:
    return {c.attributes["aria-label"].split(":")[0]: c for c in root.all("a", class_="cell")}


def test_the_map_shows_every_switch_once_with_word_and_sign() -> None:
    found = cells(tree(NOT_AUDITED))
    assert set(found) == {device.name for device in NOT_AUDITED.devices}
    said = {name: cell.attributes["aria-label"].partition(": ")[2] for name, cell in found.items()}
    assert said["a-su1-r3-leaf"] == "error, 1 cause"
    assert said["a-spine2"] == "warning, 1 cause"
    assert said["b-spine1"] == "info, 1 cause"
    assert said["b-spine2"] == "NOT AUDITED"
    assert said["a-su2-r1-leaf"] == "as intended"
    for cell in found.values():
        good = "good" in cell.attributes["class"].split()
        assert bool(cell.children) is not good


def test_a_rail_is_a_column_and_a_unit_a_row() -> None:
    plane = tree(CLEAN).all("table", class_="plane")[0]
    assert [head.text for head in only(plane.all("thead")).all("th")] == ["unit", "r1", "r2", "r3", "r4"]
    rows = only(plane.all("tbody")).all("tr")
    assert rows[1].all("th")[0].text == "su2"
    assert [place.all("a")[0].attributes["href"] for place in rows[1].all("td")] == [
        f"#device-a-su2-r{rail}-leaf" for rail in (1, 2, 3, 4)
    ]


def test_an_error_on_a_switch_seen_in_part_shows_both() -> None:
    bad = replace(QOS, device="a-su2-r2-leaf", devices=("a-su2-r2-leaf",))
    cell = cells(tree(replace(NOT_AUDITED, findings=(bad,))))["a-su2-r2-leaf"]
    assert cell.attributes["class"].split() == ["cell", "error", "partly"]
    assert cell.attributes["aria-label"] == "a-su2-r2-leaf: error, 1 cause, NOT AUDITED in part"


def test_an_unread_switch_is_never_good_even_if_it_has_findings_only_of_others() -> None:
    info = replace(SPARE, devices=("b-spine1", "b-spine2"))
    assert "unknown" in cells(tree(replace(unseen(CLEAN), findings=(info,))))["b-spine2"].attributes["class"].split()


def test_the_map_of_a_huge_fabric_shows_units_by_their_worst_leaf() -> None:
    found = cells(tree(SAMPLES["huge"]))
    assert len(found) == 2 * (130 + 16)
    assert found["a su7"].attributes["aria-label"] == "a su7: error, 1 cause, 8 switches, worst a-su7-r3-leaf"
    assert found["a su7"].attributes["href"] == "#device-a-su7-r3-leaf"
    assert "good" in found["b su7"].attributes["class"].split()


def test_not_audited_stands_on_the_first_screen_by_name_and_reason() -> None:
    missing = by_id(by_id(tree(NOT_AUDITED), "map"), "not-audited")
    assert [" ".join(item.text.split()) for item in missing.all("li")] == [
        "b-spine2 unreachable: TLS certificate ended 2026-11-20, SSH no answer in 10 s; "
        "its 8 links were seen from the leaves only; either state of the far end passes",
        "a-su2-r2-leaf applied buffers, applied qos: no answer in 60 s; all else was audited",
    ]


def article(root: Element, name: str) -> Element:
    return only([a for a in root.all("article") if a.attributes["id"] == f"device-{name}"])


def test_a_device_shows_what_each_store_says() -> None:
    table = article(tree(FINDINGS), "b-su1-r2-leaf").all("table")[0]
    assert [head.text for head in table.all("th", scope="col")] == ["What", "Expected", "running", "saved", "applied"]
    row = only(table.all("tbody")).all("tr")[0]
    assert [cell.text for cell in row.all("td")] == ["4200000012", "≠ 4200000010", "= 4200000012", "≠ 4200000010"]


def test_a_store_that_was_not_read_says_nothing() -> None:
    half = replace(
        QOS,
        comparisons=(
            Comparison(what="a", expected="1", observed={"running": "2"}),
            Comparison(what="b", expected="1", observed={"state": ""}),
        ),
    )
    rows = only(article(tree(replace(CLEAN, findings=(half,))), "a-su1-r3-leaf").all("tbody")).all("tr")
    assert [[cell.text for cell in row.all("td")] for row in rows] == [["1", "≠ 2", "–"], ["1", "–", "≠ (empty)"]]


def test_a_device_shows_the_line_of_the_intent_with_its_place_marked() -> None:
    source = article(tree(FINDINGS), "a-su1-r3-leaf").all(class_="source")[0]
    assert source.text == (
        "intent/tokyo-gpu1.yaml:23:19"
        "23 │   roce:    {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}"
        "   │                   ^^^^"
    )
    line, caret = (text.partition("│ ")[2] for text in (source.text[:-25], source.text[-25:]))
    assert line[caret.index("^") :].startswith("[26], ")
    assert caret.count("^") == len("[26]")


def test_the_front_panel_marks_the_bad_cages_and_links_to_why() -> None:
    panel = article(tree(FINDINGS), "a-su1-r1-leaf").all("figure")[0]
    cages = panel.all("li")
    assert len(cages) == 64
    assert [c.attributes["id"] for c in cages if "error" in c.attributes["class"]] == ["device-a-su1-r1-leaf:64"]
    assert cages[63].all("a")[0].attributes["href"] == "#finding-2"
    assert cages[63].all("a")[0].attributes["aria-label"] == "64: a-spine1; error"
    assert cages[0].all("span")[0].attributes["title"] == "1: su1-h1, su1-h2"
    assert panel.all("figcaption")[0].text == "64 cages: 18 in use, 46 spare ports, 1 with findings."


def test_the_front_panel_of_an_unread_switch_claims_nothing() -> None:
    panel = article(tree(ONLY_UNKNOWN), "b-spine2").all("figure")[0]
    assert Counter(cage.attributes["class"] for cage in panel.all("li")) == {"unknown": 8, "spare": 56}
    assert panel.all("figcaption")[0].text.endswith("none was read: NOT AUDITED.")


def test_a_switch_of_another_cause_points_to_where_it_is_told() -> None:
    told = article(tree(FINDINGS), "b-su2-r4-leaf")
    assert told.all("h4")[0].text == "Part of a cause that starts elsewhere"
    assert {"#finding-3", "#device-b-su2-r3-leaf"} <= {link.attributes["href"] for link in told.all("a")}


def test_a_switch_as_intended_takes_one_line() -> None:
    root = tree(NOT_AUDITED)
    assert len(root.all("article")) == 10
    line = by_id(root, "device-a-su2-r1-leaf")
    assert (line.tag, line.text) == ("li", "a-su2-r1-leaf 12,806 values")


def test_a_cause_of_no_switch_is_told_all_the_same() -> None:
    crashed = Finding(
        rule="AUD-01",
        severity=QOS.severity,
        device="tokyo-gpu1",
        object="rule BGP-03",
        title="Rule BGP-03 crashed",
        effect="",
        fix="netaudit rules BGP-03",
    )
    told = article(tree(replace(CLEAN, findings=(crashed,))), "tokyo-gpu1")
    assert "not a switch of this fabric" in told.text
    assert "Rule BGP-03 crashed" in told.text


def test_long_comparisons_are_folded_and_the_rest_counted() -> None:
    many = replace(MTU, comparisons=MTU.comparisons * 20)
    told = article(tree(replace(CLEAN, findings=(many,))), "a-spine2")
    assert [len(only(table.all("tbody")).all("tr")) for table in told.all("table")] == [10, 90]
    assert "60 more values: netaudit report -o json" in told.text


def test_the_findings_table_has_a_row_a_cause_for_the_filter() -> None:
    rows = by_id(tree(FINDINGS), "finding-rows").all("tr")
    assert [(r.attributes["data-sev"], r.attributes["data-rule"], r.attributes["data-planes"]) for r in rows] == [
        ("error", "QOS", "a"),
        ("error", "INT", "a"),
        ("error", "CAB", "b"),
        ("error", "BGP", "b"),
        ("warning", "INT", "a"),
        ("info", "INT", "b"),
    ]


def test_coverage_tells_declared_unproven_and_changed_apart() -> None:
    coverage = by_id(tree(NOT_AUDITED), "coverage")
    assert [heading.text for heading in coverage.all("h3")] == [
        "NOT AUDITED",
        "Declared blind spots",
        "Neither right nor wrong",
        "Changed during the audit",
    ]
    assert "Gone when read again after 30 s; not counted." in coverage.text
    assert "a-su2-r1…r4-leaf" in coverage.text


def test_a_gap_of_something_else_than_a_switch_has_its_place() -> None:
    gone = NotAudited(device="links", what="lengths", reason="no optics answered")
    root = tree(replace(CLEAN, not_audited=(gone,)))
    assert "lengths: no optics answered" in article(root, "links").text
    assert "1 part of the audit was NOT AUDITED" in only(root.all("h1")).text


def test_headings_go_down_one_level_at_a_time() -> None:
    levels = [int(e.tag[1]) for e in tree(NOT_AUDITED).all() if re.fullmatch(r"h\d", e.tag)]
    assert levels[0] == 1
    assert all(below - above <= 1 for above, below in itertools.pairwise(levels))


def test_the_page_of_twenty_switches_is_small_and_a_large_one_does_not_explode() -> None:
    assert len(render(NOT_AUDITED).encode()) < 300_000
    every = large(2, [f"{plane}-su{u}-r{r}-leaf" for plane in "ab" for u in (1, 2) for r in range(1, 9)])
    assert len(every.devices) == 64
    assert len(render(every).encode()) < 64 * 15_000
    clean = len(render(large(60)).encode()) - len(render(large(20)).encode())
    assert clean / (2 * 40 * 8) < 650  # bytes a switch without findings; design/README.md gives 0.65 kB


def test_the_same_audit_gives_the_same_page() -> None:
    assert render(NOT_AUDITED) == render(replace(NOT_AUDITED))


@pytest.mark.parametrize("value", [None, True, 1.5, ["x"]])
def test_the_template_refuses_to_print_what_is_neither_text_nor_number(value: object) -> None:
    environment = Environment(undefined=StrictUndefined, autoescape=True, finalize=finalize)
    with pytest.raises(TypeError, match="neither text nor a whole number"):
        environment.from_string("{{ value }}").render(value=value)


def test_the_template_refuses_a_name_it_does_not_know() -> None:
    environment = Environment(undefined=StrictUndefined, autoescape=True, finalize=finalize)
    with pytest.raises(UndefinedError, match="'nobody' is undefined"):
        environment.from_string("{{ nobody }}").render()
