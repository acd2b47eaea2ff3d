from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from netaudit.audit.findings import AuditResult
from netaudit.audit.report import json as report_json
from netaudit.audit.report import markdown
from netaudit.audit.report.paper import of_audit, of_check
from netaudit.diag import Diagnostic, Source

from .changed import ACCEPTED, CHANGED, EVIL_CHANGED
from .samples import CLEAN, FINDINGS, HOSTILE, NOT_AUDITED, QOS, wrong_ca

ALL = [CLEAN, FINDINGS, NOT_AUDITED, HOSTILE, CHANGED, ACCEPTED, EVIL_CHANGED]
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = {"text", "softbreak", "html_inline", "strong_open", "strong_close", "code_inline", "text_special"}


def parsed(page: bytes) -> list[Token]:
    return READER.parse(page.decode())


def inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or ()]


def cells(tokens: list[Token]) -> list[str]:
    kinds = [token.type for token in tokens]
    return [tokens[i + 1].content for i, kind in enumerate(kinds) if kind in ("td_open", "th_open")]


@pytest.mark.parametrize("result", ALL)
def test_nothing_of_a_device_becomes_markup(result: AuditResult) -> None:
    tokens = parsed(markdown.render(of_audit(result)))
    assert {t.type for t in tokens} <= {
        *(
            f"{kind}_{end}"
            for kind in ("heading", "paragraph", "table", "thead", "tbody", "tr", "th", "td")
            for end in ("open", "close")
        ),
        *(f"{kind}_{end}" for kind in ("bullet_list", "list_item") for end in ("open", "close")),
        "inline",
    }
    assert {t.type for t in inline(tokens)} <= OURS
    assert {t.content for t in inline(tokens) if t.type == "html_inline"} <= {"<br>"}


@pytest.mark.parametrize("result", ALL)
def test_every_row_of_a_table_has_the_cells_of_its_head(result: AuditResult) -> None:
    page = markdown.render(of_audit(result)).decode()
    for block in page.split("\n\n"):
        if block.startswith("| "):
            tokens = READER.parse(block)
            rows = "".join(t.type[0] + t.type[1] for t in tokens if t.type in ("tr_open", "td_open", "th_open"))
            widths = {len(row) for row in rows.split("tr")[1:]}
            assert len(widths) == 1
            assert len(tokens) > 0
            assert len(block.splitlines()) == sum(t.type == "tr_open" for t in tokens) + 1


@given(st.text(min_size=1, max_size=60))
def test_any_text_reads_as_it_is_written(given_text: str) -> None:
    (paragraph,) = (t for t in READER.parse(f"x {markdown.text(given_text)} x") if t.type == "inline")
    shown = "".join(child.content for child in paragraph.children or ())
    assert {child.type for child in paragraph.children or ()} <= {"text", "text_special"}
    assert shown.replace("@\u2060", "@") == f"x {markdown.safe(given_text)} x"


@given(st.text(alphabet="a`| \\", min_size=1, max_size=20))
def test_a_command_is_a_code_span_of_the_same_text(command: str) -> None:
    (paragraph,) = (t for t in READER.parse(f"- {markdown.code(command)}") if t.type == "inline")
    (span,) = paragraph.children or ()
    assert (span.type, span.content) == ("code_inline", command)


@pytest.mark.parametrize(
    "link", ["https://evil.example/x", "www.evil.example", "[x](http://e)", "a@b.example", "<http://e>"]
)
def test_no_link_and_no_mention_comes_of_a_text(link: str) -> None:
    shown = markdown.text(link)
    assert "://" not in shown
    assert "www." not in shown
    assert "@b" not in shown


def test_the_page_says_verdict_causes_commands_and_what_changed() -> None:
    page = markdown.render(of_audit(CHANGED)).decode()
    assert page.startswith("## ✖ tokyo-gpu1 is not as intended: 4 causes explain 41 errors; start with a-su1-r3-leaf\n")
    assert "| ✖ error **new** | QOS-02 | a-su1-r3-leaf |" in page
    assert "- `netaudit plan intent/ --where a-su1-r3-leaf -o plan.json`" in page
    assert "- **change**: + 2 new   = 4 persisting" in page
    assert "waived until 2026-12-31 by netops: CHG-4711" in page


def test_not_audited_has_its_own_table_with_the_reason() -> None:
    tokens = parsed(markdown.render(of_audit(NOT_AUDITED)))
    assert "everything of b-spine2" in cells(tokens)
    assert any("TLS certificate ended 2026-11-20" in cell for cell in cells(tokens))


def test_all_that_one_wrong_certificate_hides_is_one_row_and_json_keeps_each() -> None:
    result = replace(CLEAN, not_audited=wrong_ca("a-spine1", "a-spine2"))
    assert markdown.render(of_audit(result)).decode().count("another CA") == 1
    assert sum(item.unseen for item in of_audit(result).items) == 6
    assert len(json.loads(report_json.render(result))["not_audited"]) == 6
    assert result.exit_code() == 3


def test_a_long_table_is_cut_and_says_so() -> None:
    many = replace(CLEAN, findings=tuple(replace(QOS, object=f"place {i}") for i in range(markdown.AT_MOST + 5)))
    page = markdown.render(of_audit(many)).decode()
    assert "… and 5 more." in page
    assert page.count("\n| ✖") == markdown.AT_MOST


def test_a_check_lists_its_problems_with_their_places() -> None:
    found = [
        Diagnostic(message="a | b", source=Source(file="a.yml", line=5, column=2), hint="do *this*", rule="CAB-09")
    ]
    paper = of_check(version="1", fabric="f", intent="a.yml", verdict="v", exit_code=2, diagnostics=found, rules={})
    page = markdown.render(paper).decode()
    assert r"| ✖ error | CAB-09 | a.yml:5:2 | a \| b | hint: do \*this\* |" in page
