"""The report in a real browser: what only a browser knows, from the policy to the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from netaudit.audit.findings import AuditResult
from netaudit.audit.report.html import render

from .chromium import PROGRAM, Browser, browser
from .samples import CLEAN, FINDINGS, HOSTILE, NOT_AUDITED, ONLY_UNKNOWN, large

if PROGRAM is None:
    pytest.skip("no chromium", allow_module_level=True)

SAMPLES: dict[str, AuditResult] = {
    "clean": CLEAN,
    "findings": FINDINGS,
    "not-audited": NOT_AUDITED,
    "only-unknown": ONLY_UNKNOWN,
    "hostile": HOSTILE,
    "large": large(20, ["a-su3-r3-leaf"]),
    "huge": large(130, ["a-su7-r3-leaf"]),
}
FOCUS = "document.activeElement.getAttribute('aria-label')"
VISIBLE = "[...document.querySelectorAll('article')].filter(a => a.getClientRects().length).map(a => a.id)"
SHOWN_ROWS = (
    "[...document.querySelectorAll('#finding-rows tr')].filter(r => !r.hidden).map(r => r.cells[2].textContent)"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name, result in SAMPLES.items():
        (folder / f"{name}.html").write_text(render(result), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as made:
        yield made


@pytest.fixture
def tab(running: Browser) -> Browser:
    """The tab as a desk shows it, with no page and no complaint."""
    running.scripts(True)
    running.send("Page.navigate", url="about:blank")
    running.screen(1280, 900)
    running.complaints.clear()
    running.requests.clear()
    return running


@pytest.mark.parametrize("name", SAMPLES)
def test_the_page_asks_for_nothing_and_the_browser_has_no_complaint(tab: Browser, pages: Path, name: str) -> None:
    page = pages / f"{name}.html"
    tab.open(page)
    tab.open(page, "#all-devices")
    assert tab.run("document.documentElement.className") == ""  # our script ran to where it says so
    assert tab.run("getComputedStyle(document.querySelector('.counts')).display") == "flex"  # and our style holds
    assert tab.complaints == []
    assert {url.partition("#")[0] for url in tab.requests} <= {page.as_uri(), "data:,"}


def test_device_text_runs_nothing(tab: Browser, pages: Path) -> None:
    tab.open(pages / "hostile.html")
    tab.run("document.querySelectorAll('*').forEach(e => e.dispatchEvent(new MouseEvent('mouseover')))")
    assert tab.run("document.scripts.length") == 1
    assert tab.run("document.body.innerText.includes('alert(1)')") is True
    assert tab.complaints == []


def test_foreign_script_would_be_stopped_by_the_policy(tab: Browser, pages: Path, tmp_path: Path) -> None:
    attacked = tmp_path / "attacked.html"
    html = (pages / "clean.html").read_text(encoding="utf-8")
    attacked.write_text(html.replace("</main>", "<script>document.title = 'owned'</script></main>"), encoding="utf-8")
    tab.open(attacked)
    assert tab.run("document.title") == "As intended: tokyo-gpu1, audit 2026-W48"
    assert any("Content Security Policy" in text for text in tab.complaints)


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_device_opens_by_its_address(tab: Browser, pages: Path, scripts: bool) -> None:
    tab.scripts(scripts)
    page = pages / "not-audited.html"
    tab.open(page)
    assert tab.run(VISIBLE) == ["device-a-su1-r3-leaf"]
    tab.open(page, "#device-b-spine2")
    assert tab.run(VISIBLE) == ["device-b-spine2"]
    tab.open(page, "#finding-2")
    assert tab.run(VISIBLE) == ["device-a-su1-r1-leaf"]
    tab.open(page, "#device-a-su1-r1-leaf:64")
    assert tab.run(VISIBLE) == ["device-a-su1-r1-leaf"]
    tab.open(page, "#all-devices")
    assert len(tab.run(VISIBLE)) == 10


def test_without_script_all_content_is_there_and_nothing_that_does_nothing(tab: Browser, pages: Path) -> None:
    tab.scripts(False)
    tab.open(pages / "findings.html")
    assert len(tab.run(SHOWN_ROWS)) == 6
    assert tab.run("document.querySelectorAll('.plane a.cell').length") == 20
    for selector in ("#filters", ".cmd button", ".scripted"):
        assert tab.run(f"document.querySelector('{selector}').getClientRects().length") == 0


def test_the_map_is_one_tab_stop_a_plane_and_walked_with_arrows(tab: Browser, pages: Path) -> None:
    tab.open(pages / "not-audited.html")
    assert tab.run(
        "[...document.querySelectorAll('.plane')].map(p => p.querySelectorAll('[tabindex=\"0\"]').length)"
    ) == [1, 1]
    tab.run("document.querySelector('.plane [tabindex=\"0\"]').focus()")
    assert tab.run(FOCUS) == "a-su1-r1-leaf: error, 1 cause"  # the first that is not as intended
    walked = []
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "End", "ArrowUp", "ArrowUp", "End", "ArrowRight", "Home"):
        tab.press(key)
        walked.append(tab.run(FOCUS).partition(":")[0].removeprefix("a-"))
    assert walked == [
        *("su1-r2-leaf", "su2-r2-leaf", "spine2", "spine2", "su2-r2-leaf", "su1-r2-leaf"),
        *("su1-r4-leaf", "su1-r4-leaf", "su1-r1-leaf"),
    ]
    assert tab.run("document.getElementById('read').textContent") == "a-su1-r1-leaf: error, 1 cause"
    tab.press("Enter")
    assert tab.run("location.hash") == "#device-a-su1-r1-leaf"
    assert tab.run(VISIBLE) == ["device-a-su1-r1-leaf"]


def test_the_filter_narrows_the_findings_and_is_an_address(tab: Browser, pages: Path) -> None:
    page = pages / "findings.html"
    tab.open(page, "#findings?sev=error&plane=b")
    assert tab.run(SHOWN_ROWS) == ["CAB-02", "BGP-02"]
    assert tab.run("document.getElementById('shown').textContent") == "2 of 6 causes"
    tab.open(page, "#findings?rule=INT")
    assert tab.run(SHOWN_ROWS) == ["INT-01", "INT-04", "INT-10"]
    tab.open(page, "#findings?q=nothing+like+this")
    assert tab.run(SHOWN_ROWS) == []


def test_slash_searches_and_the_map_dims_what_does_not_match(tab: Browser, pages: Path) -> None:
    tab.open(pages / "findings.html")
    tab.press("/")
    assert tab.run("document.activeElement.name") == "q"
    tab.type("b-su2-r3")
    assert tab.run(SHOWN_ROWS) == ["CAB-02"]
    assert tab.run("location.hash") == "#findings?q=b-su2-r3"
    bright = (
        "[...document.querySelectorAll('.plane .cell:not(.dim)')].map(c => c.getAttribute('aria-label').split(':')[0])"
    )
    assert tab.run(bright) == ["b-su2-r3-leaf"]
    tab.run("document.querySelector('#filters [type=reset]').click()")
    tab.run("new Promise(done => setTimeout(done))")
    assert len(tab.run(SHOWN_ROWS)) == 6
    assert len(tab.run(bright)) == 20


def test_copy_says_what_it_did(tab: Browser, pages: Path) -> None:
    tab.open(pages / "findings.html")
    tab.run("document.querySelector('.cmd button').click()")
    tab.run("new Promise(done => setTimeout(done, 50))")
    said = tab.run("document.getElementById('live').textContent")
    assert said.partition(": ")[0] in ("Copied", "Selected")  # a browser without a desk may refuse the clipboard
    assert said.partition(": ")[2] == FINDINGS.findings[0].fix
    if said.startswith("Selected"):
        assert tab.run("String(getSelection())") == FINDINGS.findings[0].fix


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("width", [390, 640, 1280])
def test_nothing_runs_over_the_edge(tab: Browser, pages: Path, name: str, width: int) -> None:
    tab.screen(width, 844)
    tab.open(pages / f"{name}.html", "#all-devices")
    assert tab.run("document.documentElement.scrollWidth") <= width


CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d');
  const parts = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parts(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const weak = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.getClientRects().length) continue;
    if (element.closest('.sr, .skip, script, option')) continue;
    const both = [parts(getComputedStyle(element).color), behind(element)];
    const [a, b] = both.map(luminance).sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) weak.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return [...weak];
})()"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_stands_out_from_its_ground_in_both_schemes(tab: Browser, pages: Path, dark: bool) -> None:
    tab.screen(1280, 900, dark=dark)
    tab.open(pages / "not-audited.html", "#all-devices")
    ground = tab.run("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(19, 22, 25)" if dark else "rgb(248, 248, 246)")
    assert tab.run(CONTRAST) == []  # WCAG 2.2, 1.4.3


def test_paper_is_white_and_holds_the_first_causes_devices_unfolded(tab: Browser, pages: Path) -> None:
    tab.screen(794, 1123, dark=True, media="print")
    tab.open(pages / "findings.html", "#device-a-spine2")
    assert tab.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.run(VISIBLE) == ["device-a-su1-r3-leaf", "device-a-su1-r1-leaf", "device-b-su2-r3-leaf"]
    for selector in ("nav", "#filters", ".cmd button", ".pick"):
        assert tab.run(f"document.querySelector('{selector}').getClientRects().length") == 0
    tab.run("dispatchEvent(new Event('beforeprint'))")
    assert tab.run("document.querySelectorAll('details:not([open])').length") == 0
    tab.run("dispatchEvent(new Event('afterprint'))")
    assert tab.run("document.querySelectorAll('details[open]').length") == 0
