"""What the files of a new fabric say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final

from netaudit.scaffold.sizes import Sizes, sizes

GITIGNORE: Final = (
    "/.netaudit/", "/runs/", "/report-*.html", "/plan.json", "/targets.json", "*.part",
)  # fmt: skip
"""What netaudit leaves in the folder that it is run in, and what may hold the way to a device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is known of a fabric on the first day."""

    fabric: str = "fabric1"
    planes: int = 2
    rails: int = 4
    units: int = 2
    hosts: int = 4
    """Of a unit."""


def scaffold(wish: Wish, schema: str) -> Mapping[str, str]:
    """File name → text; `schema` is the JSON Schema of the intent. Raises `Invalid` for a fabric that does not fit."""
    size = sizes(planes=wish.planes, rails=wish.rails, units=wish.units, hosts=wish.hosts)
    return {
        f"{wish.fabric}.yml": _intent(wish, size),
        "devices.csv": _devices(wish, size),
        "cables.csv": _cables(wish, size),
        "netaudit.schema.json": schema,
    }


def merged_gitignore(there: str) -> str:
    """A .gitignore with our lines: what was in it stays as it was, and no line comes twice."""
    missing = [line for line in GITIGNORE if line not in there.splitlines()]
    if not missing:
        return there
    end = "" if not there or there.endswith("\n") else "\n"
    return there + end + "\n".join(("# What netaudit leaves here", *missing, ""))


def _planes(wish: Wish) -> str:
    return ascii_lowercase[: wish.planes]


def _intent(wish: Wish, size: Sizes) -> str:
    planes, units = ", ".join(_planes(wish)), "\n".join(f"  su{n}: {{hosts: {wish.hosts}}}" for n in _units(wish))
    plural = "one network" if wish.planes == 1 else f"{wish.planes} disjoint networks; NIC port n is in the n-th"
    nic = f"{size.nic_mbps // 1000}G"
    capacity = f"capacity: {{units: {size.unit_capacity}, hosts: {size.host_capacity}}}"
    spine = f"model: nvidia-sn5600, platform: sonic, count: {size.spines}, links: {size.links}, speed: 800G"
    return f"""\
# yaml-language-server: $schema=netaudit.schema.json
# A fabric to start from: it can be built as it stands. Change a line, then `netaudit check {wish.fabric}.yml`.
# Names, ports, addresses, AS numbers, headroom, ECN thresholds and expected routes are computed from what stands here;
# `netaudit show explain {wish.fabric}.yml DEVICE:PORT FIELD` tells how. Every key there is: `netaudit schema`.
schema: 1
fabric: {wish.fabric}
{f"planes: [{planes}]":<34} # {plural}
{f"rails: {wish.rails}":<34} # NICs of a host; NIC r of every host of a unit meets on the leaf of rail r

units:                             # groups of hosts; the number in the name places ports, addresses and AS numbers
{units}
{capacity:<34} # growing up to here renumbers and re-cables nothing

{f"hosts: {{nic: cx8, speed: {nic}}}":<34} # speed of one NIC port; every port is a routed /31
leaf: {{model: nvidia-sn5600, platform: sonic}}   # one for each plane, unit and rail
# count and links are for each plane
spine: {{{spine}}}

cables:                            # the length decides the headroom, the medium whether the length can be bridged
  host-leaf: 3m dac
  leaf-spine: 40m dr8
  measured: cables.csv             # lengths that are known better than that
devices: devices.csv               # serials, MACs, management addresses: facts that no tool may invent
versions: {{sonic: "202411"}}        # quoted: a version is text, not a number

management:                        # how a device is reached, where devices.csv has no address
  dns: "{{name}}.oob.example.net"
  credentials: {{user: "env:NETAUDIT_USER", password: "keyring:netaudit"}}   # where they are, never what they are

# Everything else has a default. These are the ones that a first reader looks for; take the `#` away to change one.
# bgp: {{keepalive: 3s, hold: 9s}}
# mtu: {{port: 9216, host: 9000, roce: 4096}}
# pfc: {{watchdog: {{detect: 200ms, restore: 400ms, action: drop}}}}
# addressing:
#   loopbacks: [10.255.0.0/16, "fd00:ff::/48"]
#   hosts: 10.0.0.0/10
"""


def _units(wish: Wish) -> range:
    return range(1, wish.units + 1)


def _devices(wish: Wish, size: Sizes) -> str:
    rows = "\n".join(f"{place},{name},,,," for place, name in _switches(wish, size))
    return f"""\
# Facts of each box, as they are known; an empty cell is unknown. A box with another serial is never pushed to.
# A name here wins over the pattern. More columns: hwsku, version, and the pins asn and loopback.
place,name,serial,mac,management,rack
{rows}
"""


def _switches(wish: Wish, size: Sizes) -> Iterator[tuple[str, str]]:
    """(place, name by the default pattern) of every switch, leaves before spines, plane by plane."""
    for plane in _planes(wish):
        for unit in _units(wish):
            for rail in range(1, wish.rails + 1):
                yield f"{plane}/su{unit}/r{rail}", f"{plane}-su{unit}-r{rail}-leaf"
        for number in range(1, size.spines + 1):
            yield f"{plane}/spine/{number}", f"{plane}-spine{number}"


def _cables(wish: Wish, size: Sizes) -> str:
    return f"""\
# Measured lengths of single cables: both ends as device:cage, and the length. They win over `cables:` in the intent.
# All ends there are: `netaudit export {wish.fabric}.yml cables`. For example:
#   a-su1-r1-leaf:64,a-spine1:1,34m
a,b,length
"""
