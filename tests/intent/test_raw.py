"""`raw` and `timezone`: what is read, and what is refused, at its place."""

from __future__ import annotations

import pytest

from netaudit.diag import Invalid

from .example import problems, read, small

ENTRY = '[{where: "role=spine", file: x.cfg, owner: secops, reason: CHG-812}]'
GOOD = "! aaa\nip nht resolve-via-default\nline vty\n exec-timeout 5 0\nexit\n"


def told(tmp_path, text: str) -> list[tuple[int, int, str, str]]:
    return [
        (d.source.line, d.source.column, d.message, d.hint) for d in problems(tmp_path, text) if d.source is not None
    ]


def test_a_snippet_is_kept_as_it_is_written(tmp_path):
    (tmp_path / "x.cfg").write_text(GOOD)
    assert read(tmp_path, small(raw=ENTRY)).raw == (GOOD.rstrip("\n"),)


def test_no_snippet_is_no_text(tmp_path):
    assert read(tmp_path, small()).raw == ()


def test_a_file_that_is_not_there_is_told_where_it_is_named(tmp_path):
    text = small(raw=ENTRY)
    found = told(tmp_path, text)
    assert [(line, message) for line, _, message, _ in found] == [(10, f"there is no file `{tmp_path}/x.cfg`")]
    assert text.splitlines()[9][found[0][1] - 1 :].startswith("x.cfg")


def test_a_folder_is_no_snippet(tmp_path):
    (tmp_path / "x.cfg").mkdir()
    assert [message for _, _, message, _ in told(tmp_path, small(raw=ENTRY))] == [
        f"`{tmp_path}/x.cfg` is a folder, not a file"
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("ip nht resolve-via-default\n" * 4_000, "`x.cfg` has more than 64 KiB"),
        ("! nothing\n\nexit\n", "`x.cfg` has no line of configuration in it"),
        ("", "`x.cfg` has no line of configuration in it"),
    ],
    ids=["large", "comments", "empty"],
)
def test_a_snippet_is_a_few_lines(tmp_path, content, said):
    (tmp_path / "x.cfg").write_text(content)
    assert [(line, message) for line, _, message, _ in told(tmp_path, small(raw=ENTRY))] == [(10, said)]


def test_a_file_of_another_kind_is_refused(tmp_path):
    found = told(tmp_path, small(raw=ENTRY.replace("x.cfg", "x.txt")))
    assert [message for _, _, message, _ in found] == ["`x.txt` is no file of configuration lines or tables"]


def test_a_line_that_touches_what_is_ours_is_told_in_the_snippet(tmp_path):
    (tmp_path / "x.cfg").write_text("ip nht resolve-via-default\nrouter bgp 65000\n neighbor A peer-group\n")
    with pytest.raises(Invalid) as caught:
        read(tmp_path, small(raw=ENTRY))
    assert [(d.source.file, d.source.line, d.source.column) for d in caught.value.diagnostics if d.source] == [
        (str(tmp_path / "x.cfg"), 2, 1),
        (str(tmp_path / "x.cfg"), 3, 2),
    ]
    assert "touches the area bgp, which is ours" in caught.value.diagnostics[0].message


def test_a_snippet_for_a_file_that_is_not_ours_would_be_written_nowhere(tmp_path):
    (tmp_path / "x.cfg").write_text(GOOD)
    found = told(tmp_path, small(raw=ENTRY, owns="[ports, qos]"))
    assert [message for _, _, message, _ in found] == [
        "`x.cfg` would be written nowhere: the routing configuration is not ours"
    ]


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("a-spine1:3", "a snippet is for whole devices, not for port 3"),
        ("rolle=spine", "`rolle` is not a key of `where`"),
    ],
)
def test_a_snippet_is_for_devices(tmp_path, where, said):
    (tmp_path / "x.cfg").write_text(GOOD)
    found = told(tmp_path, small(raw=ENTRY.replace("role=spine", where)))
    assert [(line, message) for line, _, message, _ in found] == [(10, said)]


def test_a_snippet_needs_an_owner_and_a_reason(tmp_path):
    (tmp_path / "x.cfg").write_text(GOOD)
    found = told(tmp_path, small(raw='[{where: "role=spine", file: x.cfg}]'))
    assert [message for _, _, message, _ in found] == ["`raw[1]` needs `owner`", "`raw[1]` needs `reason`"]


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "UTC", "America/St_Johns"])
def test_a_time_zone_is_a_name_of_ianas(tmp_path, zone):
    assert read(tmp_path, small(timezone=zone)).model.timezone == zone


@pytest.mark.parametrize(
    ("zone", "message", "hint"),
    [
        ("Asia/Tokio", "`timezone` is a time zone, not `Asia/Tokio`", "did you mean `Asia/Tokyo`?"),
        ("9", "`timezone` is text; unquoted, `9` is a number", 'write "9"'),
        (
            "../../etc/passwd",
            "`timezone` is a time zone, not `../../etc/passwd`",
            "a name of IANA's list, for example Asia/Tokyo",
        ),
    ],
)
def test_an_unknown_time_zone_is_refused_with_the_nearest_name(tmp_path, zone, message, hint):
    assert [(m, h) for _, _, m, h in told(tmp_path, small(timezone=zone))] == [(message, hint)]
