"""The steps of a push: what is typed, in which portions, and what leads back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from netaudit.platforms import Impact, Step, Steps, platform

NXOS = platform("nxos")
RUNNING = """version 10.4(3)
hostname leaf1
feature bgp
username admin password 5 $5$hash role network-admin
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
interface Ethernet1/1
  description old
  no switchport
  mtu 9216
  ip address 10.0.0.1/31
  no shutdown
interface Ethernet1/2
router bgp 65101
  router-id 10.255.0.1
  neighbor 10.0.0.0
    remote-as 65001
    address-family ipv4 unicast
"""


def steps(old: str, new: str, text: str = RUNNING, run: str = "2026-11-30-01") -> Steps:
    """From a text to the same with something replaced in it."""
    changed = text.replace(old, new)
    assert changed != text
    return NXOS.steps({"nxos.cfg": text}, {"nxos.cfg": changed}, run)


def commands(made: Steps | Iterable[Step]) -> list[str]:
    """What is typed; that questions are not asked stands before what could ask one."""
    steps_ = made.apply if isinstance(made, Steps) else made
    assert all(one.command.startswith(("configure terminal ; ", "terminal dont-ask ; ")) for one in steps_)
    return [one.command.removeprefix("terminal dont-ask ; ") for one in steps_]


def test_the_same_text_needs_no_step() -> None:
    assert NXOS.steps({"nxos.cfg": RUNNING}, {"nxos.cfg": RUNNING}, "x") == Steps()


def test_a_line_is_typed_in_its_block() -> None:
    assert commands(steps("description old", "description new")) == [
        "configure terminal ; interface Ethernet1/1 ; description new"
    ]


def test_a_line_three_blocks_deep_is_typed_below_all_of_them() -> None:
    made = steps("    address-family ipv4 unicast\n", "    address-family ipv4 unicast\n      allowas-in 2\n")
    assert commands(made) == [
        "configure terminal ; router bgp 65101 ; neighbor 10.0.0.0 ; address-family ipv4 unicast ; allowas-in 2"
    ]


def test_many_lines_are_typed_in_portions_that_begin_with_their_blocks() -> None:
    more = "".join(f"    neighbor-filler-{n} {'x' * 60}\n" for n in range(60))
    made = commands(steps("    remote-as 65001\n", f"    remote-as 65001\n{more}"))
    assert len(made) > 3
    assert all(c.startswith("configure terminal ; router bgp 65101 ; neighbor 10.0.0.0 ; ") for c in made)
    assert max(map(len, made)) <= 900
    typed = [part for command in made for part in command.split(" ; ") if part.startswith("neighbor-filler-")]
    assert typed == [line.strip() for line in more.splitlines()]


def test_each_portion_has_a_name_that_tells_how_far_it_is() -> None:
    more = "".join(f"interface loopback{n}\n  description {'x' * 60}\n" for n in range(1, 40))
    made = steps("interface Ethernet1/2\n", f"interface Ethernet1/2\n{more}")
    assert [step.name for step in made.apply][:2] == [
        f"change 1 of {len(made.apply)}",
        f"change 2 of {len(made.apply)}",
    ]


@pytest.mark.parametrize("description", ["a ; reload", "a;b"])
def test_a_semicolon_would_end_the_command_and_is_not_typed(description: str) -> None:
    with pytest.raises(ValueError, match="semicolon"):
        steps("description old", f"description {description}")


def test_nothing_is_saved_before_it_was_read_back() -> None:
    made = steps("mtu 9216", "mtu 9000")
    typed = [step.command for step in (*made.prepare, *made.apply)]
    assert not [command for command in typed if command.endswith((" startup-config", "running-config startup-config"))]
    assert commands(made.save) == ["copy running-config startup-config"]


def test_the_way_back_is_the_checkpoint_and_what_was_saved() -> None:
    made = steps("mtu 9216", "mtu 9000")
    assert commands(made.prepare) == [
        "no checkpoint netaudit_2026_11_30_01",
        "delete bootflash:netaudit_2026_11_30_01_startup no-prompt",
        "checkpoint netaudit_2026_11_30_01",
        "copy startup-config bootflash:netaudit_2026_11_30_01_startup",
    ]
    assert commands(made.undo) == [
        "rollback running-config checkpoint netaudit_2026_11_30_01 atomic",
        "copy bootflash:netaudit_2026_11_30_01_startup startup-config",
    ]
    assert commands(made.clean) == [
        "no checkpoint netaudit_2026_11_30_01",
        "delete bootflash:netaudit_2026_11_30_01_startup no-prompt",
    ]


def test_what_makes_ports_is_typed_backwards_before_the_checkpoint_is_taken() -> None:
    more = "interface breakout module 1 port 5 map 400g-2x\ninterface Ethernet1/5/1\n  mtu 9216\n"
    made = steps("feature bgp\n", f"feature bgp\n{more}")
    undone = commands(made.undo)
    assert "no interface breakout module 1 port 5" in undone[0]
    assert undone[1].startswith("rollback running-config checkpoint ")


def test_every_step_knows_how_the_cli_says_no() -> None:
    made = steps("mtu 9216", "mtu 9000")
    for step in (*made.prepare[2:], *made.apply, *made.save, *made.undo, *made.clean):
        assert "ERROR" in step.refusal
        assert step.harmless_stderr == ("% Deleted all L3 config",)


IMPACTS: Mapping[tuple[str, str], Impact] = {
    ("description old", "description new"): Impact.NONE,
    ("percent 50", "percent 60"): Impact.NONE,
    ("remote-as 65001", "remote-as 65002"): Impact.RESET,
    ("router-id 10.255.0.1", "router-id 10.255.0.2"): Impact.RESET,
    ("mtu 9216", "mtu 9000"): Impact.FLAP,
    ("  no shutdown\n", "  shutdown\n"): Impact.FLAP,
}


@pytest.mark.parametrize("change", IMPACTS, ids=str)
def test_the_impact_is_the_worst_that_a_line_does(change: tuple[str, str]) -> None:
    assert steps(*change).impact is IMPACTS[change]


def test_no_secret_stands_in_a_step() -> None:
    made = steps("mtu 9216", "mtu 9000")
    texts = [f"{step.command}{step.content}" for step in (*made.prepare, *made.apply, *made.undo)]
    assert [text for text in texts if "$5$" in text] == []


def test_the_name_of_a_run_becomes_one_that_nx_os_takes() -> None:
    made = steps("mtu 9216", "mtu 9000", run="ünïcode run/" + "x" * 90)
    name = commands(made.prepare)[0].removeprefix("no checkpoint ")
    assert len(name) == 80
    assert name.isascii()
    assert name.replace("_", "").isalnum()
