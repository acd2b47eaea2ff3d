"""Fabrics that no example has: each rendering is NX-OS, is taken by the lab's box, and is read back as expected."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.lab.sim.nos.nxos.config import Cage
from netaudit.lab.sim.nos.nxos.config import load as boxed
from netaudit.platforms import nxos
from netaudit.render import render
from netaudit.state import Store
from netaudit.state.walk import differences, dotted

from .fabrics import INTENTS, switches
from .grammar import dangling, faults

CAGES = {number: Cage(lanes=8, speed_mbps=800_000) for number in range(1, 129)}
CONTROL = "  control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp, bfd]}"
DEFAULT = "  default: {share: 40%}"
ROCE = "  roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}"
STORE = "  store: {dscp: [28, 30], priority: 4, lossless: true, share: 30%, ecn: auto}"
WATCHDOG = "{detect: 200ms, restore: 400ms, action: drop}"
VARIATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "two lossless classes": (
        (
            ROCE,
            ROCE.replace("60%", "30%")
            + "\n  store: {dscp: [28, 30], priority: 4, lossless: true, share: 30%, ecn: auto}",
        ),
    ),
    "no strict class": ((CONTROL, "  control: {dscp: [48], queue: 6, share: 10%}"), ("share: 60%", "share: 50%")),
    "a strict class in queue 7 already": ((CONTROL, CONTROL.replace("queue: 6", "queue: 7")),),
    "a class in queue 7 that is not strict": (
        (DEFAULT, "  default: {share: 30%}\n  bulk: {dscp: [8, 10], queue: 7, share: 10%}"),
    ),
    "the usual class in another queue": ((DEFAULT, "  default: {queue: 1, share: 40%}"),),
    "a lossless class in another queue": ((ROCE, ROCE.replace("priority: 3,", "priority: 3, queue: 5,")),),
    "nothing lossless": ((ROCE, "  roce: {dscp: [26], queue: 3, share: 60%}"),),
    "many DSCPs": ((ROCE, ROCE.replace("[26]", "[24, 25, 26, 27, 32, 40, 41]")),),
    "shares of thirds": (
        ("share: 60%", "share: 33%"),
        (DEFAULT, "  default: {share: 33%}\n  bulk: {dscp: [8], queue: 1, share: 34%}"),
    ),
    "thresholds of one's own": (("ecn: auto", "ecn: {kmin: 150kB, kmax: 3000kB, pmax: 7%}"),),
    "a watchdog that tells": ((WATCHDOG, "{detect: 300ms, restore: 3s, action: alert}"),),
    "smaller packets": (("mtu: {port: 9216, host: 9000, roce: 4096}", "mtu: {port: 9100, host: 9000, roce: 4096}"),),
    "slower timers": (("bgp: {keepalive: 3s, hold: 9s}", "bgp: {keepalive: 60s, hold: 180s, maximum_paths: 128}"),),
    "an own ASN in paths": (
        ("bgp: {keepalive: 3s, hold: 9s}", "bgp: {keepalive: 3s, hold: 9s, allowas_in: {leaf: 1, spine: 2}}"),
    ),
    "a unit that is planned": (("  su2: {hosts: 4}", "  su2: {hosts: 4, status: planned}"),),
    "a unit that is drained": (("  su2: {hosts: 4}", "  su2: {hosts: 4, status: drained}"),),
    "hosts with IPv6": (("  hosts: 10.0.0.0/10 ", '  hosts: [10.0.0.0/10, "fd10::/44"] '),),
    "headroom that is left to the switch": (("headroom: published", "headroom: dynamic"),),
    "a hash by addresses and ports": (("mtu: {port", "load_balancing: {hash: [five-tuple]}\nmtu: {port"),),
}


def fabric(folder: Path, changes: tuple[tuple[str, str], ...]) -> Expected:
    text = (INTENTS / "two-plane.yml").read_text(encoding="utf-8").replace("platform: sonic", "platform: nxos")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    shutil.copytree(INTENTS / "two-plane", folder / "two-plane")
    (folder / "two-plane.yml").write_text(text, encoding="utf-8")
    return Expected(build(load(folder / "two-plane.yml")))


@pytest.mark.parametrize("changes", VARIATIONS.values(), ids=VARIATIONS)
def test_what_is_rendered_is_nxos_and_is_read_back(changes: tuple[tuple[str, str], ...], tmp_path: Path) -> None:
    met = 0
    for device in switches(fabric(tmp_path, changes)):
        text = render(device)["nxos.cfg"]
        assert list(faults(text)) == [], device.name
        assert list(dangling(text)) == [], device.name
        assert nxos.problems({"nxos.cfg": text}) == (), device.name
        assert boxed(text, CAGES)[1] == (), device.name
        read = nxos.read_config({"nxos.cfg": text}, device.name)
        assert [dotted(d.path) for d in differences(device, read, nxos.HELD[Store.RUNNING])] == [], device.name
        assert nxos.quantize(device) == device
        met += 1
    assert met >= 4
