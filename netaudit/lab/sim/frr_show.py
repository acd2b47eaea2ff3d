"""What vtysh answers to `show … json`, on every NOS that routes with FRR."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from netaudit.lab.sim import bgp_json, zebra_json
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.frr_policy import canonical

_ONE_PREFIX: Final = re.compile(r"show bgp (ipv4|ipv6) unicast (\S+) json")
_ALL_ROUTES: Final = re.compile(r"show (ip|ipv6) route vrf all json")
_IN_VRF: Final = re.compile(r"show bgp vrf (\S+) (summary|neighbors?|ipv4 unicast|ipv6 unicast) json")
OF_BGPD: Final = "show bgp "
NO_DAEMON: Final = "bgpd is not running\n"
"""What vtysh says on stderr for a command of a daemon that is not there, with exit code 1 (seen with FRR 8.4.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """How a command ended."""

    code: int = 0
    out: str | bytes = ""
    err: str = ""


def answers(fabric: Fabric, device: Device, command: str) -> list[Mapping[str, object]]:
    """The JSON values that a command prints. Of all VRFs zebra prints one after the other until FRR 10.1 (#15632)."""
    every = _ALL_ROUTES.fullmatch(command)
    if every:
        family = "ipv6" if every[1] == "ipv6" else "ipv4"
        vrfs = ("", *sorted(device.facts().vrfs))
        return [zebra_json.routes(fabric, device, family, vrf) for vrf in vrfs]
    answer = _answer(fabric, device, command)
    return [] if answer is None else [answer]


def with_texts(data: object) -> object:
    """The same data with text in place of each number."""
    if isinstance(data, Mapping):
        return {key: with_texts(value) for key, value in data.items()}
    if isinstance(data, list):
        return [with_texts(value) for value in data]
    return str(data) if isinstance(data, int | float) and not isinstance(data, bool) else data


def _answer(fabric: Fabric, device: Device, command: str) -> Mapping[str, object] | None:
    """The answer to `show … json`."""
    if command == "show bgp summary json":
        return bgp_json.bgp_summary(fabric, device)
    if command in ("show bgp neighbors json", "show bgp neighbor json"):
        return bgp_json.bgp_neighbors(fabric, device)
    inside = _IN_VRF.fullmatch(command)
    if inside:
        return _of_vrfs(fabric, device, *inside.groups())
    for family, short in (("ipv4", "ip"), ("ipv6", "ipv6")):
        if command == f"show bgp {family} unicast json":
            return bgp_json.bgp_table(fabric, device, family)
        if command in (f"show bgp {family} unicast summary json", f"show bgp {family} summary json"):
            return bgp_json.family_summary(fabric, device, family)
        if command == f"show {short} route json":
            return zebra_json.routes(fabric, device, family)
    single = _ONE_PREFIX.fullmatch(command)
    if single and "/" in single[2]:
        try:
            return bgp_json.bgp_prefix(fabric, device, single[1], canonical(single[2]))
        except ValueError:
            return None
    return None


def _of_vrfs(fabric: Fabric, device: Device, which: str, what: str) -> Mapping[str, object] | None:
    """The answer for one VRF, or for each with a speaker by its name."""

    def one(vrf: str) -> Mapping[str, object]:
        if what == "summary":
            return bgp_json.bgp_summary(fabric, device, vrf)
        if what.startswith("neighbor"):
            return {**bgp_json.vrf_words(device, vrf), **bgp_json.bgp_neighbors(fabric, device, vrf)}
        return bgp_json.bgp_table(fabric, device, what.partition(" ")[0], vrf)

    speakers = device.facts().frr.speakers
    if which == "all":
        return {vrf or "default": one(vrf) for vrf in speakers}
    vrf = "" if which == "default" else which
    return one(vrf) if vrf in speakers else {}
