"""Parts of an intent in other files: what wins, and that every place is that of the file it stands in."""

from __future__ import annotations

from pathlib import Path

from intent.example import SMALL, problems, read, small

BASE = "".join(f"{key}: {value}\n" for key, value in SMALL.items() if key in ("hosts", "leaf", "spine", "cables"))
MAIN = "".join(f"{key}: {value}\n" for key, value in SMALL.items() if key not in ("hosts", "leaf", "spine", "cables"))


def test_a_part_says_what_the_intent_does_not(tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(BASE, encoding="utf-8")
    intent = read(tmp_path, f"include: [base.yml]\n{MAIN}")
    assert intent.model.spine.count == 2
    source = intent.source("spine.count")
    assert source is not None
    assert (Path(source.file).name, source.line) == ("base.yml", 3)
    assert intent.text(source).startswith("spine: ")
    assert intent.given("hosts.speed")


def test_the_intent_wins_over_its_parts_key_by_key_and_a_later_part_over_an_earlier(tmp_path: Path) -> None:
    (tmp_path / "one.yml").write_text(
        f"{BASE}mtu: {{port: 9100, host: 8900}}\nversions: {{sonic: a}}\n", encoding="utf-8"
    )
    (tmp_path / "two.yml").write_text("mtu: {port: 9000}\nowns: [ports]\n", encoding="utf-8")
    intent = read(tmp_path, f"include: [one.yml, two.yml]\n{MAIN}mtu: {{host: 8800}}\nowns: [bgp]\n")
    assert (intent.model.mtu.port, intent.model.mtu.host, intent.model.owns) == (9000, 8800, ("bgp",))
    files = {key: Path(intent.source(f"mtu.{key}").file).name for key in ("port", "host")}  # type: ignore[union-attr]
    assert files == {"port": "two.yml", "host": "fabric.yml"}


def test_a_mistake_in_a_part_is_told_in_that_file_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(f"{BASE}mtu: {{port: 99999}}\nbgp: {{hold: 9}}\n", encoding="utf-8")
    found = problems(tmp_path, f"include: [base.yml]\n{MAIN}")
    assert [(Path(d.source.file).name, d.source.line) for d in found if d.source] == [("base.yml", 5), ("base.yml", 6)]
    assert "a bare number" in found[1].message or "unit" in found[1].message


def test_tables_are_looked_for_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "base.yml").write_text(f"{BASE}devices: racks.csv\n", encoding="utf-8")
    (tmp_path / "site" / "racks.csv").write_text("place,rack\na/spine/1,r7\n", encoding="utf-8")
    assert read(tmp_path, f"include: [site/base.yml]\n{MAIN}").devices[0].rack == "r7"


def test_a_file_that_is_a_fabric_shares_the_workspace_and_is_not_merged(tmp_path: Path) -> None:
    (tmp_path / "other.yml").write_text(small(fabric="other", mtu="{port: 9000}"), encoding="utf-8")
    intent = read(tmp_path, f"include: [other.yml]\n{small()}")
    assert intent.workspace == (tmp_path / "other.yml",)
    assert intent.model.mtu.port == 9216


def test_files_that_cannot_be_included_are_told_where_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(BASE, encoding="utf-8")
    (tmp_path / "chain.yml").write_text("include: [base.yml]\n", encoding="utf-8")
    (tmp_path / "list.yml").write_text("- a\n", encoding="utf-8")
    found = problems(tmp_path, f"include: [none.yml, base.yml, base.yml, chain.yml, list.yml]\n{MAIN}")
    said = {d.message.replace(f"{tmp_path}/", "") for d in found}
    assert said == {
        "there is no file `none.yml`",
        "`base.yml` is included twice",
        "an included part includes nothing: fabric.yml → chain.yml → base.yml",
        "`list.yml` is no mapping of keys to values",
    }
    first = next(d for d in found if "none" in d.message)
    assert first.source is not None
    assert (Path(first.source.file).name, first.source.line, first.source.column) == ("fabric.yml", 1, 11)


def test_a_file_that_includes_itself_is_told_with_the_chain(tmp_path: Path) -> None:
    for name in ("fabric.yml", "./fabric.yml", f"../{tmp_path.name}/fabric.yml"):
        (found,) = problems(tmp_path, f"include: [{name}]\n{small()}")
        assert found.message == "a file cannot include itself: fabric.yml → fabric.yml"
        assert found.source is not None
        assert (Path(found.source.file).name, found.source.line, found.source.column) == ("fabric.yml", 1, 11)


def test_a_part_that_includes_itself_or_the_intent_is_told_with_the_chain(tmp_path: Path) -> None:
    for back in ("base.yml", "fabric.yml"):
        (tmp_path / "base.yml").write_text(f"include: [{back}]\n{BASE}", encoding="utf-8")
        found = problems(tmp_path, f"include: [base.yml]\n{MAIN}")
        assert f"an included part includes nothing: fabric.yml → base.yml → {back}" in {d.message for d in found}


def test_a_link_to_itself_is_not_followed_for_ever(tmp_path: Path) -> None:
    (tmp_path / "loop.yml").symlink_to("loop.yml")
    (found,) = problems(tmp_path, f"include: [loop.yml]\n{small()}")
    assert "loop.yml" in found.message
