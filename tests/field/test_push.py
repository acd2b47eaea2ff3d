"""Field cases A21 and A22: a refusal that is only a text, and what another push has left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from push.box import Box, Fabric, fabric, fails, leaf

from netaudit.diag import Unusable
from netaudit.platforms import Step, sonic
from netaudit.push.apply import push
from netaudit.push.run import start_run

PLACES = {"a-su1-r1": leaf("a", "su1", 1), "a-su1-r2": leaf("a", "su1", 2)}
ONE, TWO = PLACES
NEW = "new\nimpact drain\n"


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Fabric]:
    with fabric(tmp_path, PLACES) as one:
        yield one


# Case A21, "% Invalid input" is not success. Texts of Junos and NX-OS come with those platforms.

REFUSED = "% Invalid input (at token 0: 'prioritty-flow-control') at line 2"
SESSION = f"""leaf(config)# priority-flow-control on
leaf(config)# prioritty-flow-control priority 3 no-drop
{REFUSED}
leaf(config)# description 100% Invalid link, see ticket
"""


def half(box: Box) -> tuple[int, str, str]:
    """Takes the first line, refuses the second in words, and ends with 0."""
    box.running = "half\n"
    return 0, SESSION, ""


def lies(box: Box) -> tuple[int, str, str]:
    box.running = NEW
    return 0, SESSION, ""


@pytest.mark.parametrize("answers", [half, lies])
def test_a_line_that_was_refused_in_words_fails_the_push_of_its_device_whatever_the_exit_code(
    lab: Fabric, answers: object
) -> None:
    lab.boxes[TWO].faults["load"] = answers  # type: ignore[assignment]
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert {name: o.word.value for name, o in result.outcomes.items()} == {ONE: "done", TWO: "undone"}
    assert REFUSED in result.undone[TWO]
    assert result.exit_code == 2
    box = lab.boxes[TWO]
    assert (box.running, box.saved, box.checkpoints) == ("old\n", "old\n", {})


ECHOES = {
    "in the echo of a command": "leaf(config)# description 100% Invalid link, see ticket\n",
    "inside a line": "patch 100 % applied\n",
    "behind a word": "Loading: % of rows done 100\n",
}


@pytest.mark.parametrize("text", ECHOES.values(), ids=ECHOES)
def test_words_of_an_error_inside_a_line_are_no_error(text: str, lab: Fabric) -> None:
    for box in lab.boxes.values():

        def load(box: Box, text: str = text) -> tuple[int, str, str]:
            box.running = NEW
            return 0, text, ""

        box.faults["load"] = load
    assert push(lab.plan(NEW), lab.means(), runs=lab.runs).exit_code == 0


VTYSH = {
    "a line that vtysh does not know": "line 7: % Unknown command:  rooter bgp 65000",
    "a value out of range": "% Command incomplete: neighbor FABRIC",
    "a refusal on stdout": "% Specify remote-as or peer-group commands first",
}


@pytest.mark.parametrize("text", VTYSH.values(), ids=VTYSH)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_variant_refusals_of_vtysh_on_either_stream(text: str, stream: str, lab: Fabric) -> None:
    def load(box: Box) -> tuple[int, str, str]:
        box.running = NEW
        said = f"Building configuration...\n{text}\n"
        return (0, said, "") if stream == "stdout" else (0, "", said)

    lab.boxes[ONE].faults["load"] = load
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert {name: o.word.value for name, o in result.outcomes.items()} == {ONE: "undone", TWO: "untouched"}
    assert text.partition(":  ")[0] in result.undone[ONE]


# Case A22, leftovers of another push. Sessions and their timers come with EOS; SONiC has checkpoints, and no lock.


def test_a_push_beside_another_one_is_refused_and_touches_nothing(lab: Fabric) -> None:
    plan = lab.plan(NEW)
    with start_run(lab.runs), pytest.raises(Unusable, match="another push is running"):
        push(plan, lab.means(), runs=lab.runs)
    assert {box.running for box in lab.boxes.values()} == {"old\n"}
    assert push(plan, lab.means(), runs=lab.runs).exit_code == 0


def test_only_our_own_checkpoints_are_removed_and_others_stay(lab: Fabric) -> None:
    for box in lab.boxes.values():
        box.checkpoints["na-1"] = "somebody's\n"
    push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert [box.checkpoints for box in lab.boxes.values()] == [{"na-1": "somebody's\n"}] * 2


def test_a_sonic_switch_is_asked_to_remove_nothing_but_what_this_run_has_made() -> None:
    old = {"config_db.json": '{"PORT": {"Ethernet0": {"mtu": "9100"}}}', "frr.conf": ""}
    new = {"config_db.json": '{"PORT": {"Ethernet0": {"mtu": "9216"}}}', "frr.conf": ""}
    removing: list[Step] = list(sonic.steps(old, new, "2026-11-29-07").clean)
    told = " ".join(step.command for step in removing)
    assert "delete-checkpoint netaudit-2026-11-29-07" in told
    names = [word for step in removing for word in step.command.split()[3:]]
    assert names != []
    assert all("netaudit" in name for name in names)
    assert "*" not in told


def test_an_undo_that_fails_too_is_said_beside_why_it_was_needed(lab: Fabric) -> None:
    lab.boxes[ONE].faults.update(load=half, rollback=fails("Error: no space left on device"))
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert result.exit_code == 3
    assert REFUSED in result.unknown[ONE]
    assert "Error: no space left on device" in result.unknown[ONE]


def test_a_variant_a_configuration_that_somebody_is_changing_meanwhile_is_left_alone(lab: Fabric) -> None:
    """What a pending session of EOS guards, the hash of the running configuration guards on SONiC."""
    plan = lab.plan(NEW)
    lab.boxes[ONE].running = "old\nby another hand\n"
    result = push(plan, lab.means(), runs=lab.runs)
    assert result.exit_code == 4
    assert lab.boxes[ONE].running == "old\nby another hand\n"
    assert lab.boxes[TWO].running == "old\n"
