"""Whether the documentation says what the code does: pages made from it, commands, links, rules and examples."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from conftest import Golden
from oracles import frr, sonic_yang

from netaudit import checks
from netaudit.audit.findings import AuditResult, DeviceVerdict, Finding, NotAudited
from netaudit.audit.rules import RULES
from netaudit.cli.run import BAD_INPUT, BUG, INTERRUPTED
from netaudit.diag import Severity
from netaudit.docs import PAGES
from netaudit.docs.codes import CODES, COMMANDS
from netaudit.docs.commands import Line, lines
from netaudit.docs.intent import intent_page, keys
from netaudit.docs.markdown import table
from netaudit.docs.rules import ID, said_by_checks
from netaudit.intent.schema.lossless import default_traffic
from netaudit.lab.sim.faults import FAULTS
from netaudit.pipeline import load_fabric
from netaudit.pipeline_check import check_all
from netaudit.platforms import Impact
from netaudit.push.plan import DevicePlan, Plan, Status
from netaudit.push.result import Outcome, PushResult, Word
from netaudit.render import render
from netaudit.state import Place

REPOSITORY = Path(__file__).resolve().parents[1]
DOCS = REPOSITORY / "docs"
WRITTEN = (REPOSITORY / "README.md", REPOSITORY / "CHANGELOG.md", DOCS / "architecture.md", *DOCS.glob("howto/*.md"))
ALL = (*WRITTEN, *DOCS.glob("reference/*.md"))
EXAMPLE = REPOSITORY / "intent" / "two-plane.yml"

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(netaudit [^`]+)`")
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def named(file: Path) -> str:
    return file.relative_to(REPOSITORY).as_posix()


def blocks(file: Path, language: str) -> list[str]:
    return [text for found, text in BLOCK.findall(file.read_text(encoding="utf-8")) if found == language]


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_code_says(name: str, golden: Golden) -> None:
    golden(DOCS / "reference" / name, PAGES[name]())


def test_every_reference_page_is_generated() -> None:
    assert {file.name for file in DOCS.glob("reference/*")} == set(PAGES)


# --- commands


def typed() -> Iterator[tuple[str, str]]:
    """(file, command line) of everything that a reader is told to type."""
    for file in WRITTEN:
        for block in (*blocks(file, "console"), *blocks(file, "sh")):
            for line in block.splitlines():
                text = line.removeprefix("$ ").strip()
                if text.startswith("netaudit "):
                    yield named(file), text


def command_of(words: list[str]) -> tuple[Line, list[str]] | None:
    """The command that a line names, and what follows it."""
    for line in lines():
        own = line.words.split()
        if words[: len(own)] == own:
            return line, words[len(own) :]
    return None


@pytest.mark.parametrize(("file", "text"), list(typed()))
def test_every_command_line_can_be_typed(file: str, text: str) -> None:
    plain = re.split(r"\s[>|]\s", text)[0]
    words = shlex.split(plain, comments=True)[1:]
    found = command_of(words)
    assert found, f"{file}: there is no such command: {text}"
    command, rest = found
    # Parses as the command line would, and runs nothing. Raises for an unknown option or a missing argument.
    command.command.make_context(command.words, rest)  # type: ignore[attr-defined]


def test_there_are_command_lines_to_look_at() -> None:
    assert len(list(typed())) > 20


@pytest.mark.parametrize("file", ALL, ids=named)
def test_every_command_in_a_sentence_exists_with_its_options(file: Path) -> None:
    for text in INLINE.findall(BLOCK.sub("", file.read_text(encoding="utf-8"))):
        words = text.split()[1:]
        if words[0].startswith("-") or words[0].isupper() or any(line.words.split()[0] == words[0] for line in lines()):
            found = command_of(words)
            options = {o for p in (found[0].command.params if found else ()) for o in (*p.opts, *p.secondary_opts)}
            wanted = {word for word in words if word.startswith("-")}
            assert wanted <= options | {"--help", "--version"}, f"{named(file)}: {text}"
        else:
            pytest.fail(f"{named(file)}: there is no such command: {text}")


# --- links


def anchors(file: Path) -> set[str]:
    """What GitHub makes of the headings: lower case, blanks to hyphens, the rest of the signs dropped."""
    titles = HEADING.findall(BLOCK.sub("", file.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("file", ALL, ids=named)
def test_every_link_leads_somewhere(file: Path) -> None:
    for target in LINK.findall(BLOCK.sub("", file.read_text(encoding="utf-8"))):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        there = (file.parent / path).resolve() if path else file
        assert there.exists(), f"{named(file)}: no {target}"
        assert not anchor or anchor in anchors(there), f"{named(file)}: no heading for {target}"


@pytest.mark.parametrize("file", ALL, ids=named)
def test_no_page_names_a_place_of_the_author_s_machine(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"/work/|/tmp/|/root/|\.\./shared|reference/\w+-\w+\.md section", text)


# --- rules


def rule_entries() -> set[str]:
    return set(HEADING.findall((DOCS / "reference" / "rules.md").read_text(encoding="utf-8")))


def test_every_rule_has_an_entry() -> None:
    ids = {rule.id for rule in RULES} | set(checks.RULES) | {said.id for said in said_by_checks()}
    assert ids <= rule_entries()


def test_every_rule_of_a_check_is_given_somewhere_with_a_severity() -> None:
    given = {said.id for said in said_by_checks() if said.severities}
    assert set(checks.RULES) <= given


@pytest.mark.parametrize("file", WRITTEN, ids=named)
def test_every_rule_that_a_page_names_exists(file: Path) -> None:
    named_rules = set(re.findall(rf"\b{ID.pattern}\b", file.read_text(encoding="utf-8")))
    assert named_rules <= rule_entries()


# --- exit codes

PLACE = Place(role="spine", tier=1, plane="a", number=1)


def ended(result: PushResult | Plan | AuditResult) -> int:
    return result.exit_code if isinstance(result, PushResult) else result.exit_code()


def pushed(word: Word, **said: object) -> PushResult:
    values: Mapping[str, object] = {"run": "2026-11-29-01", "outcomes": {"a-spine1": Outcome(word=word)}, **said}
    return PushResult(**values)  # type: ignore[arg-type]


def planned(status: Status) -> Plan:
    device = DevicePlan(name="a-spine1", platform="sonic", place=PLACE, status=status, files={})
    return Plan(fabric="x", intent_sha256="", devices=(device,))


def audited(*, severity: Severity | None = None, unseen: bool = False) -> AuditResult:
    now = datetime(2026, 11, 29, tzinfo=UTC)
    finding = Finding(
        rule="INT-01", severity=severity or Severity.INFO, device="d", object="d:1", title="t", effect="e", fix="f"
    )
    return AuditResult(
        fabric="x",
        intent="x",
        started_at=now,
        finished_at=now,
        devices=(DeviceVerdict(name="d", place=PLACE, audited="not" if unseen else "complete"),),
        findings=(finding,) if severity else (),
        not_audited=(NotAudited(device="d", what="everything", reason="r"),) if unseen else (),
    )


@pytest.mark.parametrize(
    ("command", "code", "result"),
    [
        ("push", 0, pushed(Word.DONE)),
        ("push", 2, pushed(Word.UNDONE, stopped="why")),
        ("push", 3, pushed(Word.UNKNOWN, stopped="why")),
        ("push", 4, pushed(Word.UNTOUCHED, stopped="why", stale=True)),
        ("push", 130, pushed(Word.DONE, stopped="interrupted", interrupted=True)),
        ("plan", 0, planned(Status.CHANGE)),
        ("plan", 3, planned(Status.UNREAD)),
        ("plan", 3, planned(Status.REFUSED)),
        ("audit", 0, audited(severity=Severity.WARNING)),
        ("audit", 2, audited(severity=Severity.ERROR)),
        ("audit", 3, audited(severity=Severity.ERROR, unseen=True)),
    ],
)
def test_an_exit_code_means_what_its_page_says(
    command: str, code: int, result: PushResult | Plan | AuditResult
) -> None:
    assert ended(result) == code
    assert (command, code) in COMMANDS


def test_a_plan_that_changes_something_exits_with_2_where_that_is_asked_for() -> None:
    assert planned(Status.CHANGE).exit_code(detailed=True) == 2
    assert "--detailed-exitcode" in COMMANDS["plan", 2]


def test_the_codes_of_every_command_are_explained() -> None:
    assert {BAD_INPUT, BUG, INTERRUPTED} <= set(CODES)
    assert {code for _, code in COMMANDS} <= set(CODES)
    assert {command for command, _ in COMMANDS} <= {line.words for line in lines()}


# --- the intent


def paths(data: object, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every key of a YAML text as the page writes it, the user's own names as `<name>`."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            name = "<name>" if at in (("units",), ("traffic",), ("versions",)) else str(key)
            if at != ("versions",):
                yield (*at, name)
            yield from paths(value, (*at, name))


def test_every_key_of_the_example_is_on_the_page() -> None:
    known = {key.path for key in keys()}
    example = set(paths(yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))))
    assert {path for path in example if path[-1] != "<name>"} <= known


def test_every_key_of_the_page_says_what_it_is() -> None:
    assert [key.path for key in keys() if not key.what or not key.type] == []
    assert "None" not in intent_page()


def test_the_default_traffic_is_that_of_the_example() -> None:
    assert dict(load_fabric(EXAMPLE).built.intent.model.traffic) == default_traffic()


def test_the_first_fabric_of_the_how_to_can_be_built(tmp_path: Path) -> None:
    page = DOCS / "howto" / "first-fabric.md"
    (intent,) = blocks(page, "yaml")
    devices, cables = blocks(page, "csv")
    (tmp_path / "fabric.yml").write_text(intent.replace("40m dr8}", "40m dr8, measured: cables.csv}"), encoding="utf-8")
    (tmp_path / "devices.csv").write_text(devices, encoding="utf-8")
    (tmp_path / "cables.csv").write_text(cables, encoding="utf-8")
    found = check_all(load_fabric(tmp_path / "fabric.yml")).diagnostics
    assert [d.message for d in found if d.severity is Severity.ERROR] == []


# --- what the pages show


@pytest.mark.parametrize(
    "words",
    [["check", "intent/two-plane.yml"], ["show", "headroom", "intent/two-plane.yml", "a-su1-r1-leaf:64"]],
    ids=lambda words: " ".join(words[:2]),
)
def test_the_readme_shows_what_a_command_prints(words: list[str]) -> None:
    program = "import sys; from netaudit.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.DEVNULL,
        cwd=REPOSITORY,
        env={"PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "utf-8", "PATH": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    first = done.stdout.splitlines()[0] if done.stdout else done.stderr
    assert first in (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["a-su1-r1-leaf", "a-spine1"])
def test_what_is_rendered_passes_the_yang_models_of_sonic(name: str) -> None:
    files = render(load_fabric(EXAMPLE).device(name))
    assert sonic_yang.problems(json.loads(files["config_db.json"])) == []


@pytest.mark.parametrize("name", ["a-su1-r1-leaf", "a-spine1"])
def test_what_is_rendered_passes_the_parsers_of_frr(name: str) -> None:
    text = render(load_fabric(EXAMPLE).device(name))["frr.conf"]
    assert frr.vtysh_problems(text) == ()
    assert frr.bgpd_problems(text) == ()


REGISTER = """\
from nornir.core.plugins.inventory import InventoryPluginRegister
from netaudit.nornir.inventory import NetauditIntent
InventoryPluginRegister.auto_register()
InventoryPluginRegister.available.setdefault("NetauditIntent", NetauditIntent)
"""
"""What the installation does by its entry point; the tests also run where netaudit is not installed."""


def test_the_scripts_of_the_nornir_page_run_and_make_the_inventory(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "intent", tmp_path / "intent")
    (tmp_path / "inventory").mkdir()
    scripts = blocks(DOCS / "howto" / "nornir.md", "python")
    (tmp_path / "script.py").write_text(
        "\n".join((REGISTER, *scripts, "assert len(spines.inventory.hosts) == 4\n")), encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "script.py"],
        stdin=subprocess.DEVNULL,
        cwd=tmp_path,
        env={"PYTHONPATH": str(REPOSITORY), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for file in (REPOSITORY / "inventory").glob("*.yaml"):
        assert (tmp_path / "inventory" / file.name).read_text(encoding="utf-8") == file.read_text(encoding="utf-8")


def test_the_lab_page_has_every_fault() -> None:
    text = (DOCS / "howto" / "lab.md").read_text(encoding="utf-8")
    assert set(re.findall(r"netaudit lab break ([\w-]+) ", text)) == set(FAULTS)


def test_every_impact_is_explained() -> None:
    text = (DOCS / "howto" / "push.md").read_text(encoding="utf-8")
    assert [impact for impact in Impact if f"| {impact} |" not in text] == []


def test_the_picture_is_1280_wide_and_small() -> None:
    data = (DOCS / "report.png").read_bytes()
    width, _ = struct.unpack(">II", data[16:24])
    assert data.startswith(b"\x89PNG")
    assert width == 1280
    assert len(data) <= 300_000


def test_a_name_in_angle_brackets_is_not_taken_for_html() -> None:
    assert table(("a",), [("OUT/<device>/`<file>`|b",)]).splitlines()[-1] == "| OUT/&lt;device>/`<file>`\\|b |"
