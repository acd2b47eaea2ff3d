"""Devices for the tests of NVUE: those of the examples, of every example intent, and of any version."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms import nvue
from netaudit.state import Device
from platforms.example import devices

EXAMPLES = Path(__file__).resolve().parents[3] / "intent"
INTENTS = tuple(sorted(path.stem for path in EXAMPLES.glob("*.yml")))
RELEASES = tuple(f"5.{minor}" for minor in range(6, 19))
"""Those that are rendered for: the first with a PFC watchdog to the newest that there is a model of."""


def held(device: Device, version: str = "") -> Device:
    """A device as Cumulus Linux of a version can hold it."""
    return nvue.quantize(replace(device, platform="nvue", version=version))


@cache
def examples(version: str = "") -> tuple[Device, ...]:
    """The devices of the general contract."""
    return tuple(held(device, version) for device in devices("nvue"))


VARIANTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "": (),
    "hosts in a VLAN": (("hosts: {nic: cx8,", "hosts: {attach: vlan, nic: cx8,"),),
    "hosts that speak BGP": (("hosts: {nic: cx8,", "hosts: {attach: bgp, nic: cx8,"),),
    "numbered links": (
        ("  hosts: 10.0.0.0/10 ", "  fabric: numbered\n  numbered: 10.64.0.0/12\n  hosts: 10.0.0.0/10 "),
    ),
    "two lossless classes whose queues have other numbers": (
        (
            "share: 60%, ecn: auto}",
            "share: 40%, ecn: auto, queue: 4}\n  disk: {dscp: [18], priority: 5, lossless: true, "
            "share: 20%, queue: 2, ecn: auto}",
        ),
    ),
    "nothing lossless": (("priority: 3, lossless: true, share: 60%", "queue: 3, share: 60%"),),
    "a class that trims": (("default: {share: 40%}", "default: {share: 40%, trim: {size: 256B, dscp: 48}}"),),
}
"""What is changed in the text of the example two-plane, by name."""


@cache
def expected(intent: str, roles: str = "all", variant: str = "") -> Expected:
    """An example intent with NVUE on every switch, on the leaves alone or on all but the leaves."""
    folder = Path(mkdtemp(prefix="nvue-intent-"))
    try:
        shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
        file = folder / f"{intent}.yml"
        text = file.read_text()
        lines = [switched(line, roles) for line in text.splitlines()]
        changed = "\n".join(lines) + "\n"
        for old, new in VARIANTS[variant]:
            assert old in changed, f"{intent} has no {old!r}"
            changed = changed.replace(old, new)
        file.write_text(changed)
        return Expected(build(load(file)))
    finally:
        shutil.rmtree(folder)


def switched(line: str, roles: str) -> str:
    """A line of an intent with its platform changed, where it is of one of the roles."""
    if line.startswith("versions:") and "nvue" not in line:
        return line.replace("{", '{nvue: "5.17.0", ', 1)
    leaf = line.startswith("leaf:")
    if (roles == "leaf" and not leaf) or (roles == "others" and leaf):
        return line
    return re.sub(r"platform: \w+", "platform: nvue", line)


@cache
def of_intent(intent: str, roles: str = "all", variant: str = "") -> tuple[Device, ...]:
    """The NVUE switches of an intent, one of each kind: the others differ from one of these by numbers alone."""
    return tuple(_of_intent(intent, roles, variant))


def _of_intent(intent: str, roles: str, variant: str) -> Iterator[Device]:
    fabric = expected(intent, roles, variant)
    seen: set[tuple[str, str]] = set()
    for name, place in fabric.devices.items():
        device = fabric.device(name)
        kind = (place.role, str(len(device.ports or {})))
        if device.platform == "nvue" and kind not in seen:
            seen.add(kind)
            yield device
