"""What a lab of real FRR is made of for a fabric: interfaces by the names of the NOS, addresses, cables, frr.conf."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from netaudit.diag import Unusable
from netaudit.expect import Expected
from netaudit.lab.frr.namespace import HOSTS, End, Interface, Wiring
from netaudit.platforms import platform
from netaudit.render import render
from netaudit.state import Device, Link
from netaudit.whole import write_whole

ROUTING = "frr.conf"


def wiring(expected: Expected) -> Wiring:
    """Every switch and cable. The far ends of hosts and of neighbors of others are in a namespace of their own."""
    natives = {name: native_names(expected, name) for name in expected.devices}
    return Wiring(
        switches={name: _interfaces(expected.device(name), natives[name]) for name in natives},
        cables=tuple(_cables(expected.links, natives)),
    )


def native_names(expected: Expected, name: str) -> Mapping[str, str]:
    """Port → what the switch calls it."""
    return {key: port.native for key, port in expected.built.ports(name).items()}


def configs(expected: Expected) -> Iterator[tuple[str, str]]:
    """(switch, its frr.conf)."""
    for name in expected.devices:
        yield name, render(expected.device(name))[ROUTING]


def refuse_unsupported(expected: Expected) -> None:
    """Raise `Unusable` for what a lab of real FRR cannot do: naming all of it, with the devices."""
    found: dict[str, list[str]] = {}
    for name in expected.devices:
        device = expected.device(name)
        if device.vrfs:
            found.setdefault("VRFs", []).append(name)
        if device.vlans:
            found.setdefault("VLANs", []).append(name)
    if found:
        told = "; ".join(f"{what} ({names[0]} and {len(names) - 1} more)" for what, names in found.items())
        raise Unusable(f"a lab of real FRR has no {told}", "the simulator has: netaudit lab up --sim")


def write_configured(expected: Expected, folder: Path) -> None:
    """Put what a push would bring every switch to into its files, as if it had been pushed and saved.

    The folder holds the lab as `labdir.write_lab` writes it.
    """
    owns = tuple(expected.built.intent.model.owns)
    areas = ("ports", "addressing", "bgp", "qos", "buffers", "lldp") if "all" in owns else owns
    for name, device in expected.built.devices.items():
        box = folder / "devices" / name / "etc/sonic"
        running = {"config_db.json": (box / "config_db.json").read_text(encoding="utf-8"), ROUTING: ""}
        made = platform(device.platform).candidate(render(expected.device(name)), running, areas)
        write_whole(box / "config_db.json", made["config_db.json"].encode())
        write_whole(box / "frr" / ROUTING, made[ROUTING].encode())


def _interfaces(device: Device, native: Mapping[str, str]) -> Mapping[str, Interface]:
    """Loopbacks first: FRR takes its router id from what is there."""
    ports = device.ports or {}
    found: dict[str, Interface] = {}
    for key, interface in (device.interfaces or {}).items():
        addresses = interface.addresses if isinstance(interface.addresses, frozenset) else frozenset()
        port = ports.get(key)
        found[native.get(key, key)] = Interface(
            addresses=tuple(sorted(addresses)),
            mtu_bytes=port.mtu_bytes if port is not None and isinstance(port.mtu_bytes, int) else 9216,
            up=port is None or port.enabled is True,
        )
    return found


def _cables(links: Sequence[Link], natives: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[End, End]]:
    for number, link in enumerate(links, start=1):
        one, other = (
            End(switch=end.device, interface=natives[end.device][end.port])
            if end.device in natives
            else End(switch=HOSTS, interface=f"h{number}")
            for end in (link.a, link.b)
        )
        yield one, other
