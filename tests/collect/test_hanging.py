"""A device that lets requests wait costs a few timeouts, and not one for each path."""

from __future__ import annotations

from collect.device import Device
from netaudit.collect.read import collect_device
from netaudit.platforms import Miss, Query
from netaudit.state import Store


def command(text: str) -> Query:
    return Query(id=text, store=Store.STATE, transport="ssh", command=text)


def test_two_commands_in_a_row_that_get_no_answer_end_the_asking(device: Device) -> None:
    texts = [f"show {number}" for number in range(6)]
    device.slow.update(dict.fromkeys(texts, 20.0))
    answers = collect_device(map(command, texts), device.target, timeout_s=0.4)
    assert device.ran == texts[:2]
    assert {(a.miss, a.reason) for a in answers.values()} == {(Miss.FAILED, "SSH path: no answer in 0.4 s")}


def test_one_slow_command_costs_only_itself(device: Device) -> None:
    texts = ["show 1", "show 2", "show 3", "show 4"]
    device.commands.update(dict.fromkeys(texts, (0, "{}", "")))
    device.slow.update({"show 1": 20.0, "show 3": 20.0})
    answers = collect_device(map(command, texts), device.target, timeout_s=0.4)
    assert [answers[text].miss for text in texts] == [Miss.FAILED, None, Miss.FAILED, None]
