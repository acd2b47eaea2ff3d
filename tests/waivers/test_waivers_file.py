"""`waivers.yml`: read strictly, added to without touching what is there."""

from __future__ import annotations

import multiprocessing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.diag import Invalid, Unusable
from netaudit.intent.waivers import WaiverRow, add_waiver, has_other_fabrics, load_waivers

DAY = date(2026, 12, 31)
ENTRY = '- {rule: MGT-05, device: a-spine1, owner: netops, reason: CHG-1, until: "2026-12-31"}\n'


def written(folder: Path, text: str) -> Path:
    file = folder / "waivers.yml"
    file.write_bytes(text.encode())
    return file


def problems(folder: Path, text: str) -> list[str]:
    """`line:column message` of each."""
    with pytest.raises(Invalid) as caught:
        load_waivers(written(folder, text))
    return [f"{d.source.line}:{d.source.column} {d.message}" for d in caught.value.diagnostics if d.source]


def add(file: Path, **other: object) -> WaiverRow:
    given: dict[str, object] = {
        "rule": "MGT-05",
        "device": "a-spine1",
        "place": "",
        "owner": "netops",
        "reason": "CHG-1",
        "until": DAY,
        **other,
    }
    return add_waiver(file, **given)  # type: ignore[arg-type]


def test_no_file_and_an_empty_one_are_no_waivers(tmp_path: Path) -> None:
    assert load_waivers(tmp_path / "waivers.yml") == ()
    assert load_waivers(written(tmp_path, "")) == ()
    assert load_waivers(written(tmp_path, "# nothing yet\n")) == ()
    assert load_waivers(written(tmp_path, "[]\n")) == ()


def test_an_entry_has_its_fields_and_its_place(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "# ours\n- rule: INT-04\n  device: plane=a role=leaf\n  object: 12/1\n"
        "  owner: netops\n  reason: 'CHG: 2'\n  until: 2026-12-31\n",
    )
    (row,) = load_waivers(file)
    assert (row.rule, row.device, row.object) == ("INT-04", "plane=a role=leaf", "12/1")
    assert (row.owner, row.reason, row.until) == ("netops", "CHG: 2", DAY)
    assert (row.source.line, row.device_source.line, row.device_source.column) == (2, 3, 11)


def test_the_list_may_stand_below_the_key_waivers(tmp_path: Path) -> None:
    file = written(tmp_path, "waivers:\n" + ENTRY)
    assert [r.source.line for r in load_waivers(file)] == [2]
    add(file, device="b-spine1")
    assert [r.device for r in load_waivers(file)] == ["a-spine1", "b-spine1"]
    assert problems(tmp_path, "waivers: []\nwaiver: []\n") == ["2:1 unknown key `waiver`"]
    assert problems(tmp_path, "waivers: {}\n")[0].endswith("waivers are a list, each entry with `- `")


def test_a_waiver_for_another_fabric_of_the_folder_is_none_of_ours(tmp_path: Path) -> None:
    ours = tmp_path / "ours.yml"
    ours.write_text("fabric: ours\n")
    written(tmp_path, ENTRY)
    assert not has_other_fabrics(ours)
    (tmp_path / "theirs.yaml").write_text("schema: 1\nfabric: theirs\n")
    assert has_other_fabrics(ours)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fabric: x\n", ["1:1 waivers are a list, each entry with `- `"]),
        ("- MGT-05\n", ["1:3 a waiver is a mapping of keys to values"]),
        ("- {rule: MGT-05, device: a, owner: o, reason: r}\n", ["1:3 this waiver has no `until`"]),
        (ENTRY.replace("owner", "ownr"), ["1:36 unknown key `ownr`"]),
        (ENTRY.replace("2026-12-31", "2026-02-30"), ["1:73 `2026-02-30` is not a day"]),
        (ENTRY.replace('"2026-12-31"', "20261231"), ["1:73 `until` is a text that says something"]),
        (ENTRY.replace("CHG-1", "''"), ["1:59 `reason` is a text that says something"]),
        (ENTRY.replace("CHG-1", "[a]"), ["1:51 `reason` is a text that says something"]),
        (ENTRY.replace("a-spine1", "12"), ["1:26 `device` is a text that says something"]),
        ("- {rule: MGT-05, rule: MGT-06, device: a, owner: o, reason: r, until: 2026-12-31}\n", ["1:18 "]),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, told: list[str]) -> None:
    found = problems(tmp_path, text)
    assert len(found) == len(told)
    assert all(one.startswith(start) for one, start in zip(found, told, strict=True)), found


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    assert len(problems(tmp_path, "- 5\n- {rule: MGT-05}\n- {device: a, what: b}\n")) == 1 + 4 + 5


@pytest.mark.parametrize(
    "text", ["- [\n", "\t- a\n", "- &a [*a]\n", "- " * 5_000 + "x\n", "\x00", "--- \n- a\n---\n- b\n"]
)
def test_what_is_no_yaml_is_refused_and_never_a_crash(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, text)


def test_a_new_file_says_what_it_is_and_reads_back(tmp_path: Path) -> None:
    file = tmp_path / "waivers.yml"
    row = add(file, place="1/*")
    assert file.read_text().startswith("# Findings that are accepted")
    assert load_waivers(file) == (row,)
    assert (row.rule, row.device, row.object, row.until) == ("MGT-05", "a-spine1", "1/*", DAY)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "# ours\r\n",
        ENTRY,
        ENTRY.rstrip("\n"),
        "  " + ENTRY,
        "# c\n\n" + ENTRY.replace("\n", "   # why\n"),
        "\ufeff" + ENTRY,
    ],
)
def test_what_stands_there_stays(tmp_path: Path, before: str) -> None:
    file = written(tmp_path, before)
    rows = load_waivers(file)
    add(file, device="b-spine1")
    assert file.read_bytes().decode().startswith(before.removeprefix("\ufeff"))
    assert [r.device for r in load_waivers(file)] == [*(r.device for r in rows), "b-spine1"]


TEXTS = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=40).filter(str.strip)


@given(device=TEXTS, owner=TEXTS, reason=TEXTS)
def test_any_text_is_written_so_that_it_reads_the_same(
    tmp_path_factory: pytest.TempPathFactory, device: str, owner: str, reason: str
) -> None:
    file = tmp_path_factory.mktemp("w") / "waivers.yml"
    add(file, device=device.strip(), owner=owner.strip(), reason=reason.strip())
    (row,) = load_waivers(file)
    assert (row.device, row.owner, row.reason) == (device.strip(), owner.strip(), reason.strip())


@pytest.mark.parametrize(
    "text", ["yes", "null", "1:30", "0123", "~", "a: b", "# x", "- x", "*", "a\u2028b\x85c\x7f"[:-1], "'\"\\"]
)
def test_words_that_yaml_reads_as_something_else_stay_text(tmp_path: Path, text: str) -> None:
    file = tmp_path / "waivers.yml"
    assert add(file, owner=text).owner == text
    assert load_waivers(file)[0].owner == text


def test_the_same_waiver_twice_is_refused_unless_it_lasts_longer(tmp_path: Path) -> None:
    file = tmp_path / "waivers.yml"
    add(file)
    with pytest.raises(Invalid, match="waived already, until 2026-12-31"):
        add(file)
    add(file, until=date(2027, 6, 30))
    add(file, place="12/1")
    assert len(load_waivers(file)) == 3


@pytest.mark.parametrize("text", ["[]\n", "[{rule: MGT-05, device: a, owner: o, reason: r, until: 2026-12-31}]\n"])
def test_a_list_that_has_no_end_to_add_to_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(Invalid) as caught:
        add(file)
    assert "cannot be put at its end" in caught.value.diagnostics[0].hint
    assert file.read_text() == text


def test_a_broken_file_is_not_added_to(tmp_path: Path) -> None:
    file = written(tmp_path, "- {rule: MGT-05}\n")
    with pytest.raises(Invalid):
        add(file)
    assert file.read_text() == "- {rule: MGT-05}\n"


def test_a_linked_file_is_written_where_it_is_and_keeps_its_mode(tmp_path: Path) -> None:
    real = written(tmp_path, ENTRY)
    real.chmod(0o640)
    (tmp_path / "other").mkdir()
    link = tmp_path / "other" / "waivers.yml"
    link.symlink_to(real)
    add(link, device="b-spine1")
    assert link.is_symlink()
    assert len(load_waivers(real)) == 2
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="cannot be written"):
        add(tmp_path / "nowhere" / "waivers.yml")


def _add_many(file: Path, start: int) -> None:
    for number in range(start, start + 10):
        add(file, device=f"a-spine{number}")


def test_two_people_at_once_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "waivers.yml"
    context = multiprocessing.get_context("fork")
    people = [context.Process(target=_add_many, args=(file, start)) for start in (100, 200, 300)]
    for person in people:
        person.start()
    for person in people:
        person.join(60)
    assert len(load_waivers(file)) == 30
    assert [f.name for f in tmp_path.iterdir()] == ["waivers.yml"]
