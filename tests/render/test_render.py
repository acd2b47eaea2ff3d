"""What a device is given: golden files, the judgement of the NOS's own parsers, and the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

import pytest
from audit.world import INTENT, two_plane
from jinja2 import UndefinedError
from oracles import frr, sonic_yang

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms.sonic import FILES, context
from netaudit.render import _environment, render


class Compare(Protocol):
    def __call__(self, name: str, text: str) -> None: ...


NAMES = tuple(two_plane().devices)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", ["a-su1-r1-leaf", "b-spine2"])
def test_a_device_is_given_these_files(golden: Compare, name: str, file: str) -> None:
    golden(f"render/{name}/{file}", render(two_plane().device(name))[file])


@pytest.mark.parametrize("name", NAMES)
def test_sonics_own_models_accept_what_is_rendered(name: str) -> None:
    files = render(two_plane().device(name))
    assert sonic_yang.problems(json.loads(files["config_db.json"])) == []


@pytest.mark.parametrize("name", NAMES)
def test_frrs_own_parsers_accept_what_is_rendered(name: str) -> None:
    text = render(two_plane().device(name))["frr.conf"]
    assert frr.vtysh_problems(text) == ()
    assert frr.bgpd_problems(text) == ()


def test_every_value_is_a_string_or_a_list_of_strings() -> None:
    """Unquoted numbers have broken `config reload` for good (sonic.md section 0)."""
    for name in NAMES:
        for table in json.loads(render(two_plane().device(name))["config_db.json"]).values():
            assert table, "GCU refuses an empty table"
            for row in table.values():
                assert all(isinstance(value, str) for value in row.values())


def test_the_same_intent_gives_the_same_bytes() -> None:
    again = Expected(build(load(INTENT)))
    for name in NAMES:
        assert render(again.device(name)) == render(two_plane().device(name))


def test_the_order_of_keys_in_the_intent_changes_no_byte(tmp_path: Path) -> None:
    import yaml

    for table in ("devices.csv", "cables.csv"):
        (tmp_path / table).write_bytes((INTENT.parent / "two-plane" / table).read_bytes())
    data = yaml.safe_load(INTENT.read_text(encoding="utf-8").replace("two-plane/", ""))
    file = tmp_path / "turned.yml"
    file.write_text(yaml.safe_dump(_turned(data), sort_keys=False), encoding="utf-8")
    turned = Expected(build(load(file)))
    assert list(turned.devices)
    for name in NAMES:
        assert render(turned.device(name)) == render(two_plane().device(name))


def _turned(tree: object) -> object:
    """The same mappings, last key first; lists keep their order, which means something."""
    if isinstance(tree, dict):
        return {key: _turned(value) for key, value in reversed(list(tree.items()))}
    return tree


def test_no_text_has_a_word_that_stands_for_nothing() -> None:
    for name in NAMES:
        for text in render(two_plane().device(name)).values():
            assert "None" not in text
            assert "absent" not in text.lower()


def test_a_text_ends_with_one_newline_and_no_line_with_a_blank() -> None:
    for file, text in render(two_plane().device("a-spine1")).items():
        assert text.endswith("\n"), file
        assert not text.endswith("\n\n"), file
        assert [line for line in text.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize("missing", ["prefix_lists", "discards", "speakers"])
def test_a_template_that_lacks_a_value_is_an_error_and_no_empty_text(missing: str) -> None:
    values = {k: v for k, v in context(two_plane().device("a-spine1")).items() if k != missing}
    with pytest.raises(UndefinedError):
        _environment().get_template("sonic/frr.conf.j2").render(values)


def test_a_template_that_prints_a_value_that_is_not_set_is_an_error() -> None:
    values = {**context(two_plane().device("a-spine1")), "discards": [("ip", None)]}
    with pytest.raises(ValueError, match="not set"):
        _environment().get_template("sonic/frr.conf.j2").render(values)
