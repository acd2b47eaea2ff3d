"""The steps of a change: what is loaded, what waits, what is put back; each text is one that a step really carries."""

from __future__ import annotations

import pytest

from netaudit.platforms import Impact, eos

HEAD = "! device: leaf1 (DCS-X, EOS-4.36.1F)\nhostname leaf1\nusername admin secret sha512 $6$x\n"
PORT = "interface Ethernet1/1\n   speed 400g-4\n   mtu 9214\n   no switchport\n   ip address 10.0.0.1/31\n"
BGP = "router bgp 65101\n   router-id 10.0.0.1\n"
QOS = "qos map dscp 26 to traffic-class 3\n"
PROFILE = "qos profile P\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
MMU = "platform trident mmu queue profile M\n    ingress headroom bytes 98304\n!\n"
MMU += "platform trident mmu queue profile M apply\n"
OLD = HEAD + PROFILE + PORT + "   service-profile P\n" + QOS + BGP + MMU + "end\n"


def files(text: str) -> dict[str, str]:
    return {"eos.cfg": text}


def test_nothing_changes_where_both_mean_the_same() -> None:
    assert eos.steps(files(OLD), files(OLD.replace("!", "!\n!")), "r").apply == ()


def test_a_change_waits_for_its_confirmation_and_the_old_text_is_the_way_back() -> None:
    new = OLD.replace("mtu 9214", "mtu 9000")
    steps = eos.steps(files(OLD), files(new), "2026-11-30-01")
    named = {step.name: step for step in (*steps.prepare, *steps.apply, *steps.save, *steps.undo, *steps.clean)}
    assert [step.name for step in steps.prepare] == ["keep startup-config", "load"]
    assert named["load"].content == new
    assert [(step.driver, step.revert_s) for step in steps.apply] == [("commit_config", 600)]
    assert [step.driver for step in steps.save] == ["confirm_commit"]
    assert [step.driver for step in steps.undo] == ["discard_config", "load_replace_candidate", "commit_config", ""]
    assert named["load the old text"].content == OLD
    assert named["restore startup-config"].command == "copy flash:netaudit-2026-11-30-01-startup startup-config"
    assert not any(step.driver == "rollback" for step in named.values())  # NAPALM's is what was saved
    assert steps.clean[-1].command == "delete flash:netaudit-2026-11-30-01-startup"


def test_nothing_that_runs_changes_before_the_commit() -> None:
    steps = eos.steps(files(OLD), files(OLD.replace("9214", "9000")), "r")
    assert {step.driver for step in steps.prepare} <= {"", "load_replace_candidate"}
    assert [step.command for step in steps.prepare if not step.driver] == [
        "copy startup-config flash:netaudit-r-startup"
    ]


@pytest.mark.parametrize(
    ("change", "impact"),
    [
        (("to traffic-class 3", "to traffic-class 4"), Impact.NONE),
        (("mtu 9214", "mtu 9000"), Impact.NONE),
        (("router-id 10.0.0.1", "router-id 10.0.0.9"), Impact.RESET),
        (("speed 400g-4", "speed 400g-8"), Impact.FLAP),
        (("10.0.0.1/31", "10.0.0.3/31"), Impact.FLAP),
        (("priority 3 no-drop", "priority 4 no-drop"), Impact.FLAP),
        (("bytes 98304", "bytes 65536"), Impact.FLAP),
        (("   mtu 9214\n", "   mtu 9214\n   shutdown\n"), Impact.FLAP),
    ],
)
def test_the_impact_is_that_of_what_differs(change: tuple[str, str], impact: Impact) -> None:
    assert eos.steps(files(OLD), files(OLD.replace(*change)), "r").impact is impact
