"""Every rendering against NVIDIA's own models, of each release that is rendered for; and that these models bite."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from oracles.nvue import problems, versions

from netaudit.platforms import nvue
from netaudit.render import render
from platforms.nvue.fabrics import INTENTS, RELEASES, VARIANTS, examples, of_intent


def test_there_is_a_model_of_every_release_that_is_rendered_for() -> None:
    assert set(RELEASES) <= set(versions())


@pytest.mark.parametrize("release", RELEASES)
def test_the_models_take_every_example_device_in_the_words_of_their_release(release: str) -> None:
    for device in examples(release):
        assert problems(render(device)["nvue.yaml"], release) == [], device.name


@pytest.mark.parametrize("intent", INTENTS)
def test_the_models_take_every_switch_of_every_example_intent(intent: str) -> None:
    for device in of_intent(intent):
        for release in ("5.6", "5.14", "5.15", "5.18"):
            text = render(nvue.quantize(replace(device, version=release)))["nvue.yaml"]
            assert problems(text, release) == [], f"{device.name} {release}"


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "numbered links"])
def test_the_models_take_every_variant(variant: str) -> None:
    for device in of_intent("two-plane", variant=variant):
        assert problems(render(device)["nvue.yaml"], "5.17") == [], device.name


def test_the_models_take_the_vendors_example_from_5_15_on_and_not_before(shared: Path) -> None:
    text = (shared / "data" / "vendor-examples" / "nvue-5.17-leaf.yaml").read_text()
    assert [release for release in RELEASES if not problems(text, release)] == ["5.15", "5.16", "5.17", "5.18"]


def test_words_of_one_side_of_5_15_are_refused_on_the_other() -> None:
    new, old = (render(examples(release)[0])["nvue.yaml"] for release in ("5.16", "5.14"))
    assert problems(new, "5.14")
    assert problems(old, "5.16")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("mtu: 9216", "mtu: 9300"),
        ("speed: 400G", "speed: 450G"),
        ("mode: lossless", "mode: no-loss"),
        ("hash-seed:", "hash-sed:"),
        ("polling-interval:", "poll-interval:"),
        ("traffic-pool:", "traffic-pools:"),
    ],
)
def test_the_judge_sees_a_wrong_value_and_an_unknown_key(right: str, wrong: str) -> None:
    text = render(examples("5.17")[0])["nvue.yaml"]
    assert right in text
    assert problems(text.replace(right, wrong, 1), "5.17")
