"""Text of a device is untrusted: whatever it says, nothing but a refusal comes of it, and soon."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.platforms import Files, eos
from netaudit.platforms.eos.areas import OWNS
from netaudit.render import render
from platforms.example import devices

TEXT = "".join(render(eos.quantize(devices("eos")[2])).values())
LINES = TEXT.splitlines()
WORDS = sorted(set(TEXT.split()))

USES: dict[str, Callable[[Files], object]] = {
    "read_config": lambda files: eos.read_config(files, "x"),
    "problems": eos.problems,
    "candidate of it": lambda files: eos.candidate({"eos.cfg": TEXT}, files, OWNS),
    "candidate with it": lambda files: eos.candidate(files, {"eos.cfg": TEXT}, OWNS),
    "kept": lambda files: eos.kept(files, {"eos.cfg": TEXT}, OWNS),
    "equal": lambda files: eos.equal(files, {"eos.cfg": TEXT}),
    "diff": lambda files: eos.diff(files, {"eos.cfg": TEXT}),
    "raw_lines": lambda files: eos.raw_lines(files["eos.cfg"]),
    "raw_problems": lambda files: list(eos.raw_problems(files["eos.cfg"], OWNS)),
}


def survives(text: str) -> None:
    """Whatever is no `ValueError` comes out of here."""
    for use in USES.values():
        with suppress(ValueError):
            use({"eos.cfg": text})


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_a_configuration_with_its_lines_torn_apart_is_read_or_refused(seed: int) -> None:
    dice = random.Random(seed)
    lines = list(LINES)
    for _ in range(dice.randrange(1, 12)):
        at = dice.randrange(len(lines))
        what = dice.randrange(6)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(at, dice.choice(LINES))
        elif what == 2:
            lines[at] = lines[at].strip()
        elif what == 3:
            words = lines[at].split(" ")
            words[dice.randrange(len(words))] = dice.choice([*WORDS, "", "-1", "9" * 30, "\u0663", "é", "\t", "::%x"])
            lines[at] = " ".join(words)
        elif what == 4:
            lines[at] = " " * dice.randrange(40) + lines[at]
        else:
            lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
    survives("\n".join(lines))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_at_all_is_read_or_refused(text: str) -> None:
    survives(text)


LONG = {
    "deep": "\n".join(" " * depth + "x" for depth in range(5_000)),
    "wide": "\n".join(f"interface Ethernet{n}/1\n   mtu 9000" for n in range(5_000)),
    "one stanza": "interface Ethernet1/1\n" + "   ip address 10.0.0.1/8\n" * 5_000,
    "one line": "qos map dscp " + "1 " * 200_000 + "to traffic-class 1",
    "vlans": "vlan " + ",".join(["1-4094"] * 200),
    "trunks": "\n".join(f"interface Ethernet{n}\n   switchport mode trunk" for n in range(200)) + "\nvlan 1-4094",
    "a banner without an end": "banner motd\n" + "x\n" * 100_000,
    "neighbors": "router bgp 1\n"
    + "\n".join(f"   neighbor 10.{n // 256}.{n % 256}.1 remote-as 2" for n in range(5_000)),
    "port lists": "router bgp 1\n" + "   neighbor interface Ethernet1-4094 peer-group X\n" * 50,
    "profiles": "\n".join(f"qos profile P-v{n}\n   tx-queue 3\n      bandwidth percent {n % 100}" for n in range(500)),
}


@pytest.mark.parametrize("name", LONG)
def test_a_text_that_is_far_too_long_takes_seconds_and_no_more(name: str) -> None:
    start = time.process_time()
    survives(LONG[name])
    assert time.process_time() - start < 30
