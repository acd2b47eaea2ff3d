"""Real BGP holds what is expected: each prefix of each switch, its next hops and AS path, whole and under failures.

Each fabric runs real zebra, bgpd and staticd with the frr.conf that is rendered for it. Any difference is ours.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pytest
from fabric.made import fabric
from intent.example import small

from lab_frr.needs import real_frr
from lab_frr.real import Real, running
from netaudit.expect import Expected
from netaudit.state import Failures, Link

pytestmark = real_frr

SPINE = "{{model: nvidia-sn5600, platform: sonic, count: {count}, links: {links}, speed: 400G}}"
POOLS = '{loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: 10.0.0.0/10}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A fabric that is brought up."""

    keys: Mapping[str, str]
    tables: Mapping[str, str] = field(default_factory=dict)

    def expected(self) -> Expected:
        return Expected(fabric(small(**{"addressing": POOLS, **self.keys}), **self.tables))


CASES: dict[str, Case] = {
    "two planes of 8 leaves and 4 spines": Case(
        keys={
            "planes": "[a, b]",
            "rails": "4",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=4, links=1),
        }
    ),
    "two links to each spine": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=2, links=2),
        }
    ),
    "spines with an AS number each": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=2, links=1),
            "devices": "devices.csv",
        },
        tables={"devices": "place,asn\na/spine/1,4200900001\na/spine/2,4200900002\n"},
    ),
    "a storage block and a border with a default route": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=2, links=1),
            "blocks": (
                "{storage: {id: 1, model: nvidia-sn5600, platform: sonic, count: 2, to: spine, links: 2, speed: 400G, "
                "cable: 40m dr4, originates: [10.200.0.0/16]}, "
                "border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, to: spine, links: 1, speed: 400G, "
                'cable: 40m dr4, originates: [0.0.0.0/0, "::/0"]}}'
            ),
        }
    ),
    "numbered links": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=2, links=2),
            "addressing": "{loopbacks: 10.255.0.0/16, hosts: 10.0.0.0/10, fabric: numbered, numbered: 10.64.0.0/12}",
        }
    ),
    "three tiers, grouped": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 2}, su3: {hosts: 1, pod: 3}}",
            "spine": SPINE.format(count=2, links=2).replace("}", ", per: pod}"),
            "superspine": "{model: nvidia-sn5600, wiring: grouped, count: 4, links: 1, speed: 800G}",
            "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr4, spine-superspine: 40m dr8}",
        }
    ),
    "three tiers, full, with blocks below both": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 2}}",
            "spine": SPINE.format(count=2, links=1).replace("}", ", per: pod}"),
            "superspine": "{model: nvidia-sn5600, wiring: full, count: 3, links: 2, speed: 800G}",
            "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr4, spine-superspine: 40m dr8}",
            "blocks": (
                "{storage: {id: 1, model: nvidia-sn5600, platform: sonic, count: 1, to: spine, links: 1, speed: 400G, "
                "cable: 40m dr4, originates: [10.200.0.0/16]}, "
                "border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, to: superspine, links: 1, "
                'speed: 400G, cable: 40m dr4, originates: [0.0.0.0/0, "::/0"]}}'
            ),
        }
    ),
    "three tiers where spines take their own AS number": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 2}}",
            "spine": SPINE.format(count=2, links=1).replace("}", ", per: pod}"),
            "superspine": "{model: nvidia-sn5600, wiring: full, count: 2, links: 1, speed: 800G}",
            "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr4, spine-superspine: 40m dr8}",
            "bgp": "{allowas_in: {spine: 1}}",
        }
    ),
    "leaves joined and spines with an AS number each joined": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=2, links=1),
            "devices": "devices.csv",
            "links": (
                '[{a: "a-su1-r1-leaf:30", b: "a-su2-r1-leaf:30", speed: 800G, cable: 5m aoc}, '
                '{a: "a-spine1:30", b: "a-spine2:30", speed: 800G, cable: 5m aoc}]'
            ),
        },
        tables={"devices": "place,asn\na/spine/1,4200900001\na/spine/2,4200900002\n"},
    ),
    "rail-only spines": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=2, links=1).replace("}", ", per: rail}"),
        }
    ),
}


BIG: Mapping[str, Case] = {
    "two planes of 16 leaves and 8 spines": Case(
        keys={
            "planes": "[a, b]",
            "rails": "8",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "spine": SPINE.format(count=8, links=1),
        }
    ),
    "four pods of 4 leaves and 4 spines, 2 links up": Case(
        keys={
            "planes": "[a]",
            "rails": "4",
            "units": "{" + ", ".join(f"su{n}: {{hosts: 1, pod: {n}}}" for n in range(1, 5)) + "}",
            "spine": SPINE.format(count=4, links=1).replace("}", ", per: pod}"),
            "superspine": "{model: nvidia-sn5600, wiring: grouped, count: 8, links: 2, speed: 800G}",
            "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr4, spine-superspine: 40m dr8}",
        }
    ),
    "rails on their own spines, two links to each": Case(
        keys={
            "planes": "[a, b]",
            "rails": "4",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}, su3: {hosts: 1}}",
            "spine": SPINE.format(count=2, links=2).replace("}", ", per: rail}"),
        }
    ),
    "three planes of IPv6 only": Case(
        keys={
            "planes": "[a, b, c]",
            "rails": "2",
            "units": "{su1: {hosts: 1}, su2: {hosts: 1}}",
            "hosts": "{nic: cx8, speed: 200G}",
            "spine": SPINE.format(count=2, links=1),
            "addressing": '{loopbacks: ["fd00:ff::/48"], hosts: ["fd10::/32"]}',
        }
    ),
    "leaves of two rails in three tiers": Case(
        keys={
            "planes": "[a]",
            "rails": "4",
            "leaf": "{model: nvidia-sn5600, platform: sonic, rails: 2}",
            "units": "{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 1}, su3: {hosts: 1, pod: 2}}",
            "spine": SPINE.format(count=2, links=1).replace("}", ", per: pod}"),
            "superspine": "{model: nvidia-sn5600, wiring: grouped, count: 2, links: 1, speed: 800G}",
            "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr4, spine-superspine: 40m dr8}",
        }
    ),
    "three tiers with an AS number for each spine and superspine": Case(
        keys={
            "planes": "[a]",
            "rails": "2",
            "units": "{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 2}}",
            "spine": SPINE.format(count=2, links=1).replace("}", ", per: pod}"),
            "superspine": "{model: nvidia-sn5600, wiring: full, count: 2, links: 1, speed: 800G}",
            "cables": "{host-leaf: 3m dac, leaf-spine: 40m dr4, spine-superspine: 40m dr8}",
            "devices": "devices.csv",
        },
        tables={
            "devices": "place,asn\na/spine/1,4200900001\na/spine/2,4200900002\na/spine/3,4200900003\n"
            "a/spine/4,4200900004\na/superspine/1,4200900011\na/superspine/2,4200900012\n"
        },
    ),
}
"""What takes minutes: make lab-test."""
if os.environ.get("NETAUDIT_LAB_SIZES") == "all":
    CASES |= BIG
PHASES = ("whole", "one link lost", "two links lost", "a spine lost too", "mended")


def lost_links(expected: Expected) -> tuple[Link, Link]:
    """The first link, and one of another leaf to another spine."""
    links = [link for link in expected.links if link.kind == "leaf-spine"]
    first = links[0]
    return first, next(k for k in reversed(links) if k.a.device != first.a.device and k.b.device != first.b.device)


def lost_spine(expected: Expected) -> str:
    """The spine of the first link."""
    return lost_links(expected)[0].b.device


def of_device(expected: Expected, name: str) -> tuple[Link, ...]:
    """Every link of a device to another switch."""
    return tuple(link for link in expected.links if name in (link.a.device, link.b.device))


def failures_at(phase: str, expected: Expected) -> Failures:
    """What has failed in a phase."""
    if phase in ("whole", "mended"):
        return Failures()
    first, other = lost_links(expected)
    links = frozenset({first} if phase == "one link lost" else {first, other})
    devices = frozenset({lost_spine(expected)} if phase == "a spine lost too" else ())
    return Failures(links=links, devices=devices)


@pytest.fixture(scope="module")
def fabrics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Real]]:
    """All fabrics at once: what takes long is waiting for BGP's timers."""
    with running({name: case.expected() for name, case in CASES.items()}, tmp_path_factory.mktemp("frr")) as real:
        yield real


@pytest.fixture(scope="module", params=PHASES)
def phase(request: pytest.FixtureRequest, fabrics: Mapping[str, Real]) -> str:
    """One phase after the other, each for all fabrics: what was lost stays lost until all is mended."""
    name = str(request.param)
    for real in fabrics.values():
        bring_to(real, name)
    return name


def bring_to(real: Real, phase: str) -> None:
    """Cut or mend what has to be, whatever was before."""
    failures = failures_at(phase, real.expected)
    broken = set(failures.links)
    for device in failures.devices:
        broken |= set(of_device(real.expected, device))
    first, other = lost_links(real.expected)
    candidates = dict.fromkeys((first, other, *of_device(real.expected, lost_spine(real.expected))))
    real.mend([link for link in candidates if link not in broken])
    real.cut([link for link in candidates if link in broken])


@pytest.mark.parametrize("name", CASES)
def test_every_route_of_every_switch_is_what_frr_and_the_kernel_hold(
    name: str, phase: str, fabrics: Mapping[str, Real]
) -> None:
    real = fabrics[name]
    assert real.settled(failures_at(phase, real.expected)) == []


def test_a_difference_is_told(fabrics: Mapping[str, Real]) -> None:
    real = next(iter(fabrics.values()))
    bring_to(real, "whole")
    assert real.settled(Failures()) == []
    first, _ = lost_links(real.expected)
    assert any(first.a.device in line for line in real.differences(Failures(links=frozenset({first}))))
