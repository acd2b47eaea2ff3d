"""An NX-OS configuration read into the state. It knows no model: what hangs on a port is found by the port's name."""

from __future__ import annotations

import re

from netaudit.platforms import Files
from netaudit.platforms.nxos.answers_text import Unreadable
from netaudit.platforms.nxos.config_bgp import read_bgp
from netaudit.platforms.nxos.config_ports import read_interfaces, read_ports, read_vlans, read_vrfs
from netaudit.platforms.nxos.config_qos import read_buffers, read_qos
from netaudit.platforms.nxos.raw import others_rows
from netaudit.platforms.nxos.text import Line, parse
from netaudit.state import ABSENT, Device, Leaf, Lldp, System

FILE = "nxos.cfg"
_PROMPTS = ("hostname ", "switchname ")
_FOREIGN = re.compile(r"[{}<]|set |config_db", re.ASCII)


def read_config(files: Files, name: str) -> Device:
    """The state that `nxos.cfg` describes. Raises `Unreadable`, a `ValueError`, for what is none of NX-OS."""
    if FILE not in files:
        raise Unreadable(f"no {FILE}")
    lines = parse(files[FILE])
    first = lines[0].text if lines else ""
    if _FOREIGN.match(first):
        raise Unreadable(f"this is no configuration of NX-OS: its first line is {first[:60]!r}")
    version = next((line.text.split(" ")[1] for line in lines if line.text.startswith("version ")), "")
    return Device(
        name=name,
        platform="nxos",
        version=version,
        system=System(hostname=_hostname(lines)),
        vrfs=read_vrfs(lines),
        ports=read_ports(lines),
        interfaces=read_interfaces(lines),
        vlans=read_vlans(lines),
        bgp=read_bgp(lines),
        qos=read_qos(lines),
        buffers=read_buffers(lines),
        lldp=Lldp(enabled=any(line.text == "feature lldp" for line in lines)),
        raw=others_rows(lines),
    )


def _hostname(lines: list[Line]) -> Leaf[str]:
    found = [line.text.split(" ", 1)[1] for line in lines if line.text.startswith(_PROMPTS)]
    return found[-1] if found else ABSENT
