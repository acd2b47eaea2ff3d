"""What can be broken on purpose. Each fault is a plain function of the table at the end; `heal` undoes them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from netaudit.lab.sim.fabric import Fabric, Faults
from netaudit.lab.sim.faults import answers, cabling, ports, qos, routing, vlans, vrfs
from netaudit.lab.sim.faults.tools import Fault, closest, wrong
from netaudit.lab.sim.files import write_bytes

FAULTS: Final[Mapping[str, tuple[tuple[str, ...], Fault]]] = {
    "swap": (("A", "B"), cabling.swap),
    "link": (("A",), cabling.link),
    "session": (("A",), routing.session),
    "asn": (("DEVICE", "N"), routing.asn),
    "withdraw": (("DEVICE", "PREFIX"), routing.withdraw),
    "announce": (("DEVICE", "PREFIX"), routing.announce),
    "typed": (("DEVICE", "LINE..."), routing.typed),
    "unreachable": (("DEVICE",), answers.unreachable),
    "ecmp": (("DEVICE", "N"), routing.ecmp),
    "relax": (("DEVICE",), routing.relax),
    "policy": (("DEVICE", "in|out"), routing.policy),
    "bgpd": (("DEVICE",), routing.bgpd),
    "lldp": (("DEVICE",), cabling.lldp),
    "lldp-port": (("A",), cabling.lldp_port),
    "optic-length": (("A", "LENGTH"), cabling.optic_length),
    "plug-length": (("A", "TEXT"), cabling.plug_length),
    "port-id": (("DEVICE", "alias|name|mac|mac-only"), cabling.port_id),
    "mtu": (("A", "BYTES"), ports.mtu),
    "fec": (("A", "MODE"), ports.fec),
    "speed": (("A", "MBPS"), ports.speed),
    "shut": (("A",), ports.shut),
    "enable": (("A",), ports.enable),
    "lanes": (("A", "B"), ports.lanes),
    "address": (("A", "ADDRESS"), ports.address),
    "vlan": (("DEVICE", "N"), vlans.vlan),
    "vlan-gone": (("DEVICE", "N"), vlans.vlan_gone),
    "vlan-member": (("A", "N", "untagged|tagged|none"), vlans.vlan_member),
    "vrf": (("A", "VRF"), vrfs.vrf),
    "vrf-gone": (("DEVICE", "VRF"), vrfs.vrf_gone),
    "vrf-speaker": (("DEVICE", "VRF"), vrfs.vrf_speaker),
    "unsaved": (("DEVICE",), ports.unsaved),
    "unapplied": (("A", "FIELD", "VALUE"), ports.unapplied),
    "unapplied-headroom": (("A", "PROFILE"), ports.unapplied_headroom),
    "stuck-route": (("DEVICE", "PREFIX"), routing.stuck_route),
    "pfc": (("A",), qos.pfc),
    "dscp": (("DEVICE", "DSCP", "TC"), qos.dscp),
    "dscp-stock": (("DEVICE",), qos.dscp_stock),
    "tc": (("DEVICE", "TC", "QUEUE"), qos.tc),
    "tc-group": (("DEVICE", "TC", "GROUP"), qos.tc_group),
    "ecn": (("DEVICE", "PROFILE", "KMIN", "KMAX"), qos.ecn),
    "ecn-off": (("DEVICE", "PROFILE"), qos.ecn_off),
    "ecn-unbound": (("A",), qos.ecn_unbound),
    "weight": (("DEVICE", "SCHEDULER", "N"), qos.weight),
    "watchdog": (("A",), qos.watchdog),
    "watchdog-stop": (("DEVICE",), qos.watchdog_stop),
    "watchdog-time": (("A", "MS"), qos.watchdog_time),
    "watchdog-poll": (("DEVICE", "MS"), qos.watchdog_poll),
    "cable-length": (("A", "LENGTH"), qos.cable_length),
    "headroom": (("DEVICE", "PROFILE", "BYTES"), qos.headroom),
    "profile": (("A", "PROFILE"), qos.profile),
    "no-headroom": (("A",), qos.no_headroom),
    "cut-off": (("DEVICE", "TABLE"), answers.cut_off),
    "large": (("DEVICE", "TABLE", "MIB"), answers.large),
    "numbers": (("DEVICE", "ints|strings"), answers.numbers),
    "no-sync": (("DEVICE",), answers.no_sync),
    "slow": (("DEVICE", "MS"), answers.slow),
    "hang": (("DEVICE",), answers.hang),
    "lie": (("A",), answers.lie),
    "impostor": (("DEVICE", "DEVICE"), answers.impostor),
}
"""Kind → (its arguments, what it does). A and B are ports, `device:cage[/sub]`; `...` ends what may be many words."""


def listed() -> Iterator[tuple[str, str]]:
    """(how it is typed, what it does) of every fault."""
    for kind, (arguments, fault) in FAULTS.items():
        yield " ".join((kind, *arguments)), (fault.__doc__ or "").partition("\n")[0]


def make(fabric: Fabric, kind: str, arguments: Sequence[str]) -> str:
    """Break something and say what. Raises `Invalid` for a wrong kind, name or number of arguments."""
    if kind not in FAULTS:
        raise wrong(f"{kind} is nothing that can be broken", closest(kind, list(FAULTS)))
    wanted, fault = FAULTS[kind]
    rest = bool(wanted) and wanted[-1].endswith("...")
    if len(arguments) < len(wanted) or (len(arguments) > len(wanted) and not rest):
        raise wrong(f"{kind} wants {len(wanted)} argument(s), not {len(arguments)}", f"break {kind} {' '.join(wanted)}")
    fabric.routing()  # what is up now is remembered by its peers
    told = fault(fabric, arguments)
    fabric.faults.told.append(told)
    fabric.changed()
    return told


def heal(fabric: Fabric) -> str:
    """Undo every fault. What somebody changed since is left as it is: routing, CONFIG_DB and files alike."""
    faults = fabric.faults
    for name, (before, after) in faults.routing.items():
        if fabric.switches[name].routing() == after:
            fabric.switches[name].put_routing(before)
    for name, (config, broken) in faults.configs.items():
        switch = fabric.sonic(name)
        if switch.config == broken:
            switch.config = config
    for path, (content, changed) in faults.files.items():
        if path.is_file() and path.read_bytes() == changed:
            write_bytes(path, content)
    fabric.faults = Faults()
    for name in faults.stopped:
        fabric.forget_peers(name)
    fabric.changed()
    count = len(faults.told)
    return f"{count} fault{'' if count == 1 else 's'} healed" if count else "nothing was broken"
