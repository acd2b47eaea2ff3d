from __future__ import annotations

import re

import pytest

from netaudit.intent.later import LATER, Later

from .example import problems, small

WRITTEN = {
    "blocks.*.platform": {
        "blocks": "{storage: {id: 1, model: nvidia-sn5600, count: 1, links: 1, speed: 400G, cable: 9m dr4, "
        "platform: eos}}"
    },
    "leaf.platform": {"leaf": "{model: nvidia-sn5600, platform: nvue}"},
    "spine.platform": {"spine": "{model: nvidia-sn5600, count: 2, links: 1, speed: 800G, platform: nxos}"},
    "superspine.platform": {
        "units": "{su1: {hosts: 2, pod: 1}}",
        "spine": "{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G, per: pod}",
        "cables": "{host-leaf: 3m dac, leaf-spine: 4m dr8, spine-superspine: 9m dr8}",
        "superspine": "{model: nvidia-sn5600, count: 2, links: 1, speed: 800G, platform: eos}",
    },
    "management.jump": {"management": "{jump: bastion.example.net}"},
}


@pytest.mark.parametrize("row", LATER, ids=[".".join(row.path) for row in LATER])
def test_what_comes_later_is_refused_where_it_stands_and_nothing_else_is_said(tmp_path, row: Later):
    path = ".".join(row.path)
    text = small(**WRITTEN.get(path, {path: "{}"}))
    found = problems(tmp_path, text)
    assert ["is not supported yet by this version" in d.message for d in found] == [True]
    key = row.path[0]
    assert text.splitlines()[found[0].source.line - 1].startswith(f"{key}:")


FREE_TEXT = {"management.jump"}
WORDS = sorted({".".join(row.path) for row in LATER if isinstance(next(iter(row.allowed), None), str)} - FREE_TEXT)


@pytest.mark.parametrize("path", WORDS)
def test_a_misspelt_word_is_a_mistake_and_not_a_thing_to_come(tmp_path, path):
    key, value = list(WRITTEN[path].items())[-1]
    last = re.findall(r"[a-z-]+(?=[\]}]*$)", value)[0]
    found = problems(tmp_path, small(**(WRITTEN[path] | {key: value.replace(last, f"{last}x")})))
    assert found
    assert not any("not supported yet" in d.message for d in found)
