"""LLDP of the lab: what lldpd of a switch hears, and the frames that the hosts send."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from netaudit.diag import Unusable
from netaudit.lab.frr.node import Node
from netaudit.lab.sim.database import text

_MULTICAST: Final = bytes.fromhex("0180c200000e")
"""Nearest bridge (IEEE 802.1AB 7.1)."""
ETHERTYPE: Final = 0x88CC
_SUBTYPES: Final[Mapping[str, str]] = {"mac": "4", "local": "7", "ifname": "5", "ifalias": "1", "ip": "5"}
_PORT_SUBTYPES: Final[Mapping[str, str]] = {"mac": "3", "ifname": "5", "local": "7", "ifalias": "1"}


def neighbors(node: Node) -> Mapping[str, Mapping[str, str]]:
    """LLDP_ENTRY_TABLE: native name → the neighbor heard there, as lldpsyncd writes it. Raises `Unusable`."""
    return dict(_entries(_read(node, "show", "neighbors")))


def _read(node: Node, *words: str) -> Any:
    """What lldpd tells; empty where it does not run."""
    answer = lldpcli(node, "-f", "json0", *words)
    try:
        return json.loads(answer or "{}")
    except ValueError as error:
        raise Unusable(f"{node.name}: lldpcli answers no JSON: {error}", "netaudit lab status") from error


def _entries(told: Any) -> Iterator[tuple[str, Mapping[str, str]]]:  # lldpcli's own JSON
    for lldp in told.get("lldp", ()):
        for interface in lldp.get("interface", ()):
            chassis = interface["chassis"][0]
            port = interface["port"][0]
            identity, port_id = chassis["id"][0], port["id"][0]
            yield (
                interface["name"],
                {
                    "lldp_rem_chassis_id": identity["value"],
                    "lldp_rem_chassis_id_subtype": _SUBTYPES.get(identity["type"], "7"),
                    "lldp_rem_index": str(interface.get("rid", "1")),
                    "lldp_rem_man_addr": "",
                    "lldp_rem_port_desc": _value(port, "descr"),
                    "lldp_rem_port_id": port_id["value"],
                    "lldp_rem_port_id_subtype": _PORT_SUBTYPES.get(port_id["type"], "7"),
                    "lldp_rem_sys_cap_enabled": "28 00",
                    "lldp_rem_sys_cap_supported": "28 00",
                    "lldp_rem_sys_desc": _value(chassis, "descr"),
                    "lldp_rem_sys_name": _value(chassis, "name"),
                    "lldp_rem_time_mark": "0",
                },
            )


def lldpcli(node: Node, *words: str, lines: Iterable[str] = ()) -> str:
    """One command of lldpcli, or the lines of many; what it answers, empty where lldpd does not run."""
    done = subprocess.run(
        # from inside: it drops to a user of its own, who may not look into the switch from here
        (*node.entered(), "lldpcli", "-u", "/run/lldpd.socket", *words),
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def manage(node: Node) -> bool:
    """Do what lldpmgrd does: the port id is the alias, the description the name, and where LLDP is off it is off.

    Whether there is nothing left to do: lldpd learns of a new port a moment after the kernel.
    """
    told = _read(node, "show", "interfaces")
    seen = {one["name"]: one for part in told.get("lldp", ()) for one in part.get("interface", ())}
    lines = []
    late = False
    present = {path.name for path in (node.root / "sys/class/net").iterdir()}
    for native, row in node.switch.config.get("PORT", {}).items():
        if native in present:
            alias, speaks = text(row, "alias") or native, node.switch.says(native) is not None
            late = late or native not in seen
            if native in seen and _spoken(seen[native]) != ((alias, True) if speaks else (alias, False)):
                lines.append(f"configure ports {native} lldp portidsubtype local {alias} description {native}")
                lines.append(f"configure ports {native} lldp status {'rx-and-tx' if speaks else 'disabled'}")
    if lines:
        lldpcli(node, lines=lines)
    return not lines and not late


def _spoken(interface: Mapping[str, Any]) -> tuple[str, bool]:
    """(port id that is sent, whether anything is sent)."""
    return interface["port"][0]["id"][0]["value"], _value(interface, "status") != "disabled"


def _value(part: Mapping[str, Any], name: str) -> str:
    found: Sequence[Mapping[str, str]] = part.get(name, ())
    return found[0]["value"] if found else ""


def frame(mac: bytes, name: str, port_id: str, ttl_s: int) -> bytes:
    """An Ethernet frame by which a host says who it is and which of its ports this is."""
    locally = b"\x07"
    return b"".join(
        (
            _MULTICAST,
            mac,
            struct.pack("!H", ETHERTYPE),
            _tlv(1, locally + name.encode()),
            _tlv(2, locally + port_id.encode()),
            _tlv(3, struct.pack("!H", ttl_s)),
            _tlv(4, port_id.encode()),
            _tlv(5, name.encode()),
            _tlv(6, b"Linux"),
            _tlv(7, struct.pack("!HH", 0x0080, 0x0080)),  # station only (IEEE 802.1AB table 8-4)
            _tlv(0, b""),
        )
    )


def _tlv(kind: int, value: bytes) -> bytes:
    return struct.pack("!H", kind << 9 | len(value)) + value


def sender() -> socket.socket:
    """A socket that sends frames, in the network namespace of the thread that calls."""
    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
