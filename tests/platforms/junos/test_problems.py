"""What would not work although each statement is Junos's."""

from __future__ import annotations

import pytest

from netaudit.platforms import junos
from netaudit.render import render
from platforms.example import devices

PFC = "set class-of-service congestion-notification-profile"
CASES: dict[str, tuple[str, str]] = {
    "partitions of less than all": (
        "set class-of-service shared-buffer ingress buffer-partition lossless percent 60\n"
        "set class-of-service shared-buffer egress buffer-partition lossless percent 60\n",
        "add up to 60 %",
    ),
    "partitions that differ": (
        "set class-of-service shared-buffer ingress buffer-partition lossless percent 100\n"
        "set class-of-service shared-buffer egress buffer-partition lossless percent 50\n",
        "another part at egress",
    ),
    "a partition of no such name": (
        "set class-of-service shared-buffer egress buffer-partition multicast percent 10\n",
        "no egress partition `multicast`",
    ),
    "a watchdog for nothing": (f"{PFC} P pfc-watchdog detection 2\n", "P has a watchdog and no output"),
    "both code points at the input": (
        f"{PFC} P input dscp code-point 011010 pfc\n{PFC} P input ieee-802.1 code-point 011 pfc\n",
        "both DSCP and 802.1p",
    ),
    "watchdogs that differ": (
        "".join(
            f"{PFC} {name} pfc-watchdog watchdog-action {action}\n"
            f"{PFC} {name} output ieee-802.1 code-point 011 flow-control-queue 3\n"
            f"set class-of-service interfaces {port} congestion-notification-profile {name}\n"
            for name, action, port in (("A", "drop", "et-0/0/0"), ("B", "forward", "et-0/0/1"))
        ),
        "one setting for the switch",
    ),
    "too many classes without loss": (
        "".join(
            f"set class-of-service forwarding-classes class Q{n} {what}\n"
            for n in range(7)
            for what in (f"queue-num {n}", "no-loss", f"pfc-priority {n}")
        ),
        "7 classes without loss",
    ),
    "a class on no queue": ("set class-of-service forwarding-classes class A queue-num 8\n", "on no queue"),
    "one priority twice": (
        "".join(
            f"set class-of-service forwarding-classes class Q{n} {what}\n"
            for n in (3, 4)
            for what in (f"queue-num {n}", "no-loss", "pfc-priority 3")
        ),
        "two forwarding classes have one PFC priority",
    ),
    "more than the whole port": (
        "".join(
            f"set class-of-service scheduler-maps M forwarding-class {c} scheduler {c}\n"
            f"set class-of-service schedulers {c} transmit-rate percent 60\n"
            for c in ("A", "B")
        ),
        "take 120 % of the port",
    ),
    "a scheduler that nobody defines": (
        "set class-of-service scheduler-maps M forwarding-class A scheduler GONE\n",
        "the scheduler GONE, which is not defined",
    ),
    "a drop profile that nobody defines": (
        "set class-of-service schedulers S drop-profile-map loss-priority any protocol any drop-profile GONE\n",
        "the drop profile GONE, which is not defined",
    ),
    "levels that fall": (
        "set class-of-service drop-profiles D interpolate fill-level [ 90 55 ]\n",
        "do not rise",
    ),
    "names of a port that nobody defines": (
        "set class-of-service interfaces et-0/0/0 scheduler-map GONE\n",
        "the scheduler-maps GONE, which is not defined",
    ),
    "a name that is too long": (
        f"set class-of-service schedulers {'S' * 65} priority low\n",
        "64 letters",
    ),
    "frames that are too long": ("set interfaces et-0/0/0 mtu 9217\n", "9216 is the most"),
    "a policy that nobody defines": (
        "set protocols bgp group G export ( ORIGINATE && GONE )\n"
        "set policy-options policy-statement ORIGINATE then accept\n",
        "the policy GONE, which is not defined",
    ),
    "a list of ASNs that nobody defines": ("set protocols bgp group G peer-as-list GONE\n", "the AS list GONE"),
    "a policy of the forwarding table that nobody defines": (
        "set routing-options forwarding-table export GONE\n",
        "the policy GONE",
    ),
    "an LLDP that sends indexes": ("set protocols lldp interface all\n", "port-id-subtype is not interface-name"),
    "an internal neighbor that is to be found": (
        "set protocols bgp group G type internal\n"
        "set protocols bgp group G dynamic-neighbor F peer-auto-discovery interface et-0/0/0.0\n",
        "external ones only",
    ),
    "no text of Junos": ("what is this", "line 1"),
}


@pytest.mark.parametrize(("text", "words"), CASES.values(), ids=CASES)
def test_a_problem_is_told(text: str, words: str) -> None:
    found = junos.problems({"junos.conf": text})
    assert any(words in problem for problem in found), found


def test_what_we_render_has_none() -> None:
    for number in (0, 1):
        assert junos.problems(render(junos.quantize(devices("junos")[number]))) == ()
