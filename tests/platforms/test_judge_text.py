"""The text of a rendered device, read anew from the references alone, says what the intent means.

Nothing of a platform's reader is used: a few regular expressions after eos.md, nxos.md and junos.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from netaudit import platforms
from netaudit.checks import check
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.render import render
from netaudit.state import Device

MODELS = {"eos": "arista-7060x6-64pe", "nxos": "nvidia-sn5600", "junos": "juniper-qfx5240-64od"}
CLASSES = {
    "as usual": "roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}",
    "other numbers": "roce: {dscp: [24, 3], priority: 4, lossless: true, share: 60%, ecn: auto}",
    "a queue of its own": "roce: {dscp: [26], priority: 3, queue: 1, lossless: true, share: 60%, ecn: auto}",
    "two that are lossless": "roce: {dscp: [26], priority: 3, lossless: true, share: 40%, ecn: auto}\n"
    "  store: {dscp: [18], priority: 2, queue: 4, lossless: true, share: 20%, ecn: auto}",
}
Chain = Callable[[str], tuple[Mapping[int, int], set[int]]]
"""Text → (DSCP → the PFC priority that protects it, priorities with PFC)."""


def intent(nos: str, classes: str, *, more: str = "") -> str:
    model = f"model: {MODELS[nos]}, platform: {nos}"
    return f"""schema: 1
fabric: judged
planes: [a]
rails: 1
units: {{su1: {{hosts: 2}}, su2: {{hosts: 2, status: drained}}}}
hosts: {{nic: cx8, speed: 400G}}
leaf: {{{model}}}
spine: {{{model}, count: 2, links: 1, speed: 800G}}
cables: {{host-leaf: 3m dac, leaf-spine: 30m dr8}}
addressing: {{loopbacks: 10.255.0.0/16}}
traffic:
  {classes}
  control: {{dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp, bfd]}}
  default: {{queue: 0, share: 40%}}
{more}"""


def fabric(folder: Path, text: str) -> Expected:
    path = folder / "intent.yml"
    path.write_text(text, encoding="utf-8")
    return Expected(build(load(path)))


def rendered(expected: Expected, name: str) -> tuple[Device, str]:
    device = expected.intended(name)
    platform = platforms.platform(device.platform)
    return device, "\n".join(render(platform.quantize(device)).values())


def found(pattern: str, text: str) -> list[Any]:
    return [m.groups() for m in re.finditer(f"^ *{pattern}$", text, re.MULTILINE)]


def eos_chain(text: str) -> tuple[Mapping[int, int], set[int]]:
    """Priority n protects traffic class n (eos.md section 2)."""
    default = (1, 0, 2, 3, 4, 5, 6, 7)
    classes = {dscp: default[dscp // 8] for dscp in range(64)}
    for dscps, tc in found(r"qos map dscp ([\d ]+) to traffic-class (\d)", text):
        classes |= {int(dscp): int(tc) for dscp in dscps.split()}
    on = {int(p) for (p,) in found(r"priority-flow-control priority (\d) no-drop", text)}
    return {dscp: tc for dscp, tc in classes.items() if tc in on}, on


def nxos_chain(text: str) -> tuple[Mapping[int, int], set[int]]:
    """qos-group n is nq n, which pauses its own number (nxos.md section 7)."""
    matched = {
        m[1]: m[2] for m in re.finditer(r"^class-map type qos match-any (\S+)\n((?:  .*\n)+)", text, re.MULTILINE)
    }
    groups: dict[int, int] = {}
    for name, group in re.findall(r"^  class (\S+)\n    set qos-group (\d)$", text, re.MULTILINE):
        for first, last in re.findall(r"\b(\d+)(?:-(\d+))?", matched.get(name, "")):
            groups |= dict.fromkeys(range(int(first), int(last or first) + 1), int(group))
    pauses = re.findall(
        r"^  class type network-qos c-8q-nq(\d)\n(?:    mtu \d+\n)?    pause pfc-cos (\d)$", text, re.MULTILINE
    )
    assert all(queue == cos for queue, cos in pauses)
    on = {int(cos) for _, cos in pauses}
    return {dscp: group for dscp, group in groups.items() if group in on}, on


def junos_chain(text: str) -> tuple[Mapping[int, int], set[int]]:
    """A code point that pauses is of a no-loss class, and the class's priority pauses the class's queue (junos.md)."""
    cos = "set class-of-service "
    queues = dict(found(rf"{cos}forwarding-classes class (\S+) queue-num (\d)", text))
    priorities = dict(found(rf"{cos}forwarding-classes class (\S+) pfc-priority (\d)", text))
    assert {name for (name,) in found(rf"{cos}forwarding-classes class (\S+) no-loss", text)} == set(priorities)
    points = {
        int(bits, 2): name
        for name, bits in found(rf"{cos}classifiers dscp \S+ forwarding-class (\S+) .* code-points ([01]+)", text)
    }
    paused = {
        int(bits, 2)
        for (bits,) in found(rf"{cos}congestion-notification-profile \S+ input dscp code-point ([01]+) pfc", text)
    }
    sent = found(
        rf"{cos}congestion-notification-profile \S+ output ieee-802.1 code-point ([01]+) flow-control-queue (\d)", text
    )
    assert {(int(bits, 2), queue) for bits, queue in sent} == {(int(p), queues[name]) for name, p in priorities.items()}
    return {dscp: int(priorities[points[dscp]]) for dscp in paused}, {int(p) for p in priorities.values()}


CHAINS: Mapping[str, Chain] = {"eos": eos_chain, "nxos": nxos_chain, "junos": junos_chain}


@pytest.mark.parametrize("classes", CLASSES.values(), ids=CLASSES.keys())
@pytest.mark.parametrize("nos", CHAINS)
def test_the_dscps_of_a_lossless_class_are_what_its_priority_protects(nos: str, classes: str, tmp_path: Path) -> None:
    expected = fabric(tmp_path, intent(nos, classes))
    asked = {
        int(dscp): int(priority)
        for dscps, priority in re.findall(r"dscp: \[([\d, ]+)\], priority: (\d)", classes)
        for dscp in dscps.split(",")
    }
    for name in ("a-su1-r1-leaf", "a-su2-r1-leaf", "a-spine1"):
        assert CHAINS[nos](rendered(expected, name)[1]) == (asked, set(asked.values()))


REFERENCES = {
    "eos": (
        (r"   service-profile (\S+)", r"qos profile (\S+)"),
        (r"neighbor \S+ route-map (\S+) (?:in|out)", r"route-map (\S+) (?:permit|deny) \d+"),
        (r"match ip address prefix-list (\S+)", r"ip prefix-list (\S+)"),
        (r"neighbor (?:interface )?\S+ peer[- ]group (\S+).*", r"neighbor (\S+) peer group"),
        (r"platform trident mmu queue profile (\S+)", r"platform trident mmu queue profile (\S+) apply"),
    ),
    "nxos": (
        (r"service-policy type qos input (\S+)", r"policy-map type qos (\S+)"),
        (r"service-policy type queuing (?:in|out)put (\S+)", r"policy-map type queuing (\S+)"),
        (r"service-policy type network-qos (\S+)", r"policy-map type network-qos (\S+)"),
        (r"route-map (\S+) (?:in|out)", r"route-map (\S+) (?:permit|deny) \d+"),
        (r"match ip address prefix-list (\S+)", r"ip prefix-list (\S+) seq .*"),
    ),
    "junos": (
        (r"set class-of-service interfaces \S+ scheduler-map (\S+)", r"set class-of-service scheduler-maps (\S+) .*"),
        (r".* drop-profile (\S+)", r"set class-of-service drop-profiles (\S+) interpolate fill-level \S+"),
        (
            r"set class-of-service scheduler-maps .* scheduler (\S+)",
            r"set class-of-service schedulers (\S+) priority .*",
        ),
        (r"set protocols bgp group \S+ import (\S+)", r"set policy-options policy-statement (\S+) .*"),
        (r"set protocols bgp group \S+ peer-as-list (\S+)", r"set policy-options as-list (\S+) .*"),
        (r".* peer-auto-discovery interface (\S+)", r"set protocols router-advertisement interface (\S+)"),
    ),
}
"""NOS → (what names something, what it must be named in)."""


def dangling(nos: str, text: str) -> Iterator[str]:
    for use, place in REFERENCES[nos]:
        used, there = ({groups[0] for groups in found(pattern, text)} for pattern in (use, place))
        assert used, use
        yield from used - there


@pytest.mark.parametrize("nos", REFERENCES)
def test_what_a_line_names_is_there(nos: str, tmp_path: Path) -> None:
    expected = fabric(tmp_path, intent(nos, CLASSES["two that are lossless"]))
    for name in expected.devices:
        assert not list(dangling(nos, rendered(expected, name)[1])), name


@pytest.mark.parametrize(
    ("nos", "action", "may"),
    [
        *(("eos", "forward", False), ("eos", "alert", True)),
        *(("nxos", "forward", False), ("nxos", "alert", True)),
        *(("junos", "alert", False), ("junos", "forward", True)),
    ],
)
def test_a_watchdog_does_what_is_asked_or_is_refused(nos: str, action: str, may: bool, tmp_path: Path) -> None:
    text = intent(nos, CLASSES["as usual"], more=f"pfc: {{watchdog: {{action: {action}}}}}\n")
    said = [d.message for d in check(fabric(tmp_path, text)).diagnostics if d.rule == "PLT-01"]
    assert [message for message in said if "watchdog" in message] == ([] if may else said)
    assert bool(said) is not may


def test_a_number_that_is_rounded_has_the_reason_of_its_own_leaf(tmp_path: Path) -> None:
    text = intent("junos", CLASSES["as usual"], more="pfc: {watchdog: {detect: 333ms}}\n")
    told = [d.message for d in check(fabric(tmp_path, text)).diagnostics if d.rule == "PLT-07"]
    assert [message.rpartition(": ")[2] for message in told if "detect_ms" in message] == [
        "whole poll intervals, rounded up"
    ]
