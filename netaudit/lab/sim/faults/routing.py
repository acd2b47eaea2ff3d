"""Faults of BGP: what runs is another configuration; what is saved stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from netaudit.lab.sim import frr_text
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.faults.tools import (
    closest,
    device_of,
    end_of,
    number_of,
    outsider_of,
    reroute,
    run_frr,
    switch_of,
    wrong,
)
from netaudit.lab.sim.frr_config import FAMILIES, Speaker
from netaudit.lab.sim.frr_grammar import MAXIMUM_PATHS
from netaudit.lab.sim.frr_policy import canonical
from netaudit.lab.sim.peers import Outsider
from netaudit.lab.sim.rib import route_table
from netaudit.lab.sim.switch import Switch

_RELAX = "bgp bestpath as-path multipath-relax"


def session(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The BGP session over a port stays down; its link stays up."""
    end, cable = end_of(fabric, arguments[0])
    fabric.faults.blocked |= {end}
    return f"no BGP session comes up between {end} and {cable.far(end)}"


def bgpd(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The BGP daemon of a switch (bgpd) has died and nobody starts it; zebra runs on."""
    device = device_of(fabric, arguments[0])
    _speaker(device)
    fabric.faults.stopped.add(device.name)
    return f"bgpd of {device.name} has died"


def _head(switch: Switch) -> str:
    """The head of the router bgp block."""
    head = next((at[0] for at in switch.frr if at and at[0].startswith("router bgp ")), "")
    if not head:
        raise wrong(f"{switch.name} runs no BGP", "push its configuration first")
    return head


def _speaker(device: Device) -> Speaker:
    """The speaker of the default VRF."""
    speaker = device.facts().frr.speaker
    if speaker is None:
        raise wrong(f"{device.name} runs no BGP", "push its configuration first")
    return speaker


def _typed(fabric: Fabric, switch: Switch, text: str) -> None:
    """Lines typed into vtysh, below `router bgp`."""
    config, _ = frr_text.load(f"{_head(switch)}\n{text}", into=switch.frr)
    run_frr(fabric, switch, config)


def asn(fabric: Fabric, arguments: Sequence[str]) -> str:
    """BGP runs under another ASN; what is saved stays. DEVICE may be a neighbor or host that speaks BGP."""
    number, outsider = number_of(arguments[1], 1, 2**32 - 1, "ASN"), outsider_of(fabric, arguments[0])
    if outsider is not None:
        fabric.faults.outsiders[outsider.device] = replace(outsider, asn=number)
        return f"{outsider.name} speaks as AS {number} instead of {outsider.asn}"
    device = device_of(fabric, arguments[0])
    before = _speaker(device).asn
    reroute(fabric, device, lambda: device.run_as(number))
    return f"{device.name} runs as AS {number} instead of {before}"


def _prefix(text: str) -> tuple[str, str]:
    """(prefix, family) of an argument."""
    try:
        prefix = canonical(text)
    except ValueError as error:
        raise wrong(f"{text} is no prefix: {error}", "10.0.0.0/25, fd00::/64") from error
    return prefix, "ipv6" if ":" in prefix else "ipv4"


def withdraw(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A prefix is no longer originated; its discard route stays. DEVICE may be a neighbor or host that speaks BGP."""
    outsider = outsider_of(fabric, arguments[0])
    if outsider is not None:
        return _withdrawn(fabric, outsider, _prefix(arguments[1])[0])
    device, (prefix, family) = device_of(fabric, arguments[0]), _prefix(arguments[1])
    own = _speaker(device).networks[family]
    if prefix not in own:
        raise wrong(f"{device.name} does not originate {prefix}", closest(prefix, own))
    reroute(fabric, device, lambda: device.originate(prefix, wanted=False))
    return f"{device.name} no longer originates {prefix}"


def _withdrawn(fabric: Fabric, outsider: Outsider, prefix: str) -> str:
    """A speaker that is no switch announces one prefix less."""
    if prefix not in outsider.prefixes:
        raise wrong(f"{outsider.name} does not announce {prefix}", closest(prefix, outsider.prefixes))
    kept = tuple(one for one in outsider.prefixes if one != prefix)
    fabric.faults.outsiders[outsider.device] = replace(outsider, prefixes=kept)
    return f"{outsider.name} no longer announces {prefix}"


def announce(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A prefix is originated that should not be; policies stay. DEVICE may be a neighbor or host that speaks BGP."""
    outsider = outsider_of(fabric, arguments[0])
    if outsider is not None:
        more = tuple(dict.fromkeys((*outsider.prefixes, _prefix(arguments[1])[0])))
        fabric.faults.outsiders[outsider.device] = replace(outsider, prefixes=more)
        return f"{outsider.name} announces {_prefix(arguments[1])[0]}"
    device, (prefix, _) = device_of(fabric, arguments[0]), _prefix(arguments[1])
    _speaker(device)
    reroute(fabric, device, lambda: device.originate(prefix, wanted=True))
    return f"{device.name} originates {prefix}"


def typed(fabric: Fabric, arguments: Sequence[str]) -> str:
    """Somebody types lines (` ; ` between them) into a switch, in the words of its NOS or of FRR, and saves nothing."""
    device, text = device_of(fabric, arguments[0]), " ".join(arguments[1:])
    reroute(fabric, device, lambda: device.typed(text.replace(" ; ", "\n")))
    return f"somebody typed into {device.name}: {text}"


def ecmp(fabric: Fabric, arguments: Sequence[str]) -> str:
    """BGP uses no more than N paths: ECMP is narrower, and nothing says so."""
    switch, paths = switch_of(fabric, arguments[0]), number_of(arguments[1], 1, MAXIMUM_PATHS, "number of paths")
    families = "".join(f" address-family {family} unicast\n  maximum-paths {paths}\n exit\n" for family in FAMILIES)
    _typed(fabric, switch, families)
    return f"{switch.name} uses {paths} path{'' if paths == 1 else 's'} to a destination"


def relax(fabric: Fabric, arguments: Sequence[str]) -> str:
    """Paths through different ASNs are no longer used together (multipath-relax off)."""
    switch = switch_of(fabric, arguments[0])
    _typed(fabric, switch, f" no {_RELAX}\n")
    return f"{switch.name} no longer uses paths through different ASNs together"


def policy(fabric: Fabric, arguments: Sequence[str]) -> str:
    """Policies are missing in one direction, in or out: sessions are Established and carry no routes (RFC 8212)."""
    switch, way = switch_of(fabric, arguments[0]), arguments[1]
    if way not in ("in", "out"):
        raise wrong(f"{way} is no direction", "in, out")
    _head(switch)
    config = {
        block: tuple(line for line in lines if not (" route-map " in line and line.endswith(f" {way}")))
        for block, lines in switch.frr.items()
    }
    run_frr(fabric, switch, config)
    return f"the sessions of {switch.name} have no policy {way}"


def stuck_route(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The hardware keeps one next hop of a route only: APPL_DB has fewer than the routing table."""
    switch, (prefix, _) = switch_of(fabric, arguments[0]), _prefix(arguments[1])
    rows = {key: row for key, row in route_table(fabric, switch).items() if row["protocol"] == "bgp"}
    if prefix not in rows:
        raise wrong(f"{switch.name} learned no {prefix}", closest(prefix, list(rows)))
    first = {field: str(rows[prefix][field]).partition(",")[0] for field in ("nexthop", "ifname", "weight")}
    if first["ifname"] == rows[prefix]["ifname"]:
        raise wrong(f"{prefix} has one next hop at {switch.name}", "a route with several can keep fewer")
    fabric.faults.applied[switch.name, "ROUTE_TABLE", prefix] = first
    return f"{switch.name} forwards {prefix} over {first['ifname']} only"
