from __future__ import annotations

import pytest

from netaudit.intent.later import LATER, Later

from .example import problems, small

WRITTEN = {"management.jump": {"management": "{jump: bastion.example.net}"}}


@pytest.mark.parametrize("row", LATER, ids=[".".join(row.path) for row in LATER])
def test_what_comes_later_is_refused_where_it_stands_and_nothing_else_is_said(tmp_path, row: Later):
    path = ".".join(row.path)
    text = small(**WRITTEN.get(path, {path: "{}"}))
    found = problems(tmp_path, text)
    assert ["is not supported yet by this version" in d.message for d in found] == [True]
    key = row.path[0]
    assert text.splitlines()[found[0].source.line - 1].startswith(f"{key}:")


PLATFORM = {
    "leaf": "{model: nvidia-sn5600, platform: sonix}",
    "spine": "{model: nvidia-sn5600, platform: sonix, count: 2, links: 1, speed: 800G}",
}


@pytest.mark.parametrize(("key", "value"), PLATFORM.items())
def test_a_platform_that_is_misspelt_is_told_with_the_ones_there_are(tmp_path, key: str, value: str):
    (found,) = problems(tmp_path, small(**{key: value}))
    assert "sonix" in found.message
    assert "sonic" in found.hint
    assert "not supported yet" not in found.message
