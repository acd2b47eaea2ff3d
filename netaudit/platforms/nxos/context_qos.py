"""Classes, queues, PFC and headroom as the template prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from netaudit.platforms.nxos.quantize_qos import HASHES, KBYTE, POLL_MS, QUEUES, policy_of
from netaudit.platforms.nxos.text import ranges
from netaudit.state import Device, Leaf, PortQos, Profile, Qos, Watchdog, Wred

DEFAULT_MTU = 1500
_SERVED = (6, 5, 4, 3, 2, 1, 0, 7)
"""Order of the classes in a queuing policy, as Cisco's blueprint has it (nxos.md section 1, N1)."""
NETWORK = "QOS-NETWORK"
"""Name of the network-qos policy: one is in force on a switch."""


def qos_context(device: Device) -> Mapping[str, object]:
    """Blocks of classes and queues; nothing where they are not managed."""
    qos = device.qos
    if qos is None:
        return {"class_maps": [], "classifiers": [], "network": None, "egress": [], "system": "", "dog": {}, "hash": ""}
    maps = {name: _classes(name, m) for name, m in sorted((qos.dscp_to_tc or {}).items())}
    policies = _policies(qos)
    return {
        "class_maps": [(c, dscps) for classes, _ in maps.values() for c, _, dscps in classes],
        "classifiers": [(name, [(c, g) for c, g, _ in classes], rest) for name, (classes, rest) in maps.items()],
        "network": {"name": NETWORK, "mtu": _mtu(device), "lossless": sorted(_lossless(qos))},
        "egress": [{"name": name, "classes": _queues(qos, name)} for name in sorted(policies)],
        "system": system_policy(qos),
        "dog": _dog(qos),
        "hash": HASHES.get(qos.hash_fields, "") if isinstance(qos.hash_fields, frozenset) else "",
    }


def _classes(name: str, table: Mapping[int, int]) -> tuple[list[tuple[str, int, str]], int]:
    """(class, qos-group, its DSCPs) of each group but the one of most DSCPs, which is that of the rest."""
    groups: dict[int, set[int]] = {}
    for dscp, group in ((d, g) for d, g in table.items() if isinstance(g, int)):
        groups.setdefault(group, set()).add(dscp)
    rest = max(groups, key=lambda group: (len(groups[group]), -group), default=0)
    made = [(f"{name}-Q{group}", group, ranges(groups[group])) for group in sorted(groups) if group != rest]
    return made, rest


def _mtu(device: Device) -> int:
    """Largest packet of a class: what the largest port takes."""
    sizes = (p.mtu_bytes for p in (device.ports or {}).values())
    return max((size for size in sizes if isinstance(size, int)), default=DEFAULT_MTU)


def _lossless(qos: Qos) -> frozenset[int]:
    sets = (port.pfc for port in (qos.ports or {}).values())
    return frozenset[int]().union(*(pfc for pfc in sets if isinstance(pfc, frozenset)))


def _policy(port: PortQos) -> str:
    """The policy that a port's queues are called after; empty where they have none."""
    for number, queue in (port.queues or {}).items():
        for name in (queue.scheduler, queue.wred):
            if isinstance(name, str) and (policy := policy_of(name, number)):
                return policy
    return ""


def _policies(qos: Qos) -> Counter[str]:
    return Counter(name for port in (qos.ports or {}).values() if (name := _policy(port)))


def system_policy(qos: Qos) -> str:
    """The policy of the most ports, the first by name of several: the system has it, and others say their own."""
    found = _policies(qos)
    return min(found, key=lambda name: (-found[name], name), default="")


def _queues(qos: Qos, policy: str) -> list[Mapping[str, object]]:
    made: list[Mapping[str, object]] = []
    level = 0
    for queue in _SERVED:
        name = f"{policy} q{queue}"
        scheduler, wred = (qos.schedulers or {}).get(name), (qos.wred or {}).get(name)
        strict = scheduler is not None and scheduler.kind == "strict"
        weight = scheduler.weight if scheduler is not None and isinstance(scheduler.weight, int) else 0
        made.append(
            {
                "class": "c-out-8q-q-default" if queue == 0 else f"c-out-8q-q{queue}",
                "strict": strict,
                "weight": weight,
                "mark": None if wred is None else _mark(wred),
            }
        )
    strict_ones = [one for one in made if one["strict"]]
    for level, one in enumerate(reversed(strict_ones), start=1):
        made[made.index(one)] = {**one, "level": level}
    return made


def _mark(wred: Wred) -> Mapping[str, object] | None:
    marking = (wred.colours or {}).get("green")
    if marking is None:
        return None
    low, high, most = marking.kmin_bytes, marking.kmax_bytes, marking.pmax_percent
    if not isinstance(low, int) or not isinstance(high, int) or not isinstance(most, int):
        return None
    return {"low": low // KBYTE, "high": high // KBYTE, "most": most, "ecn": wred.ecn is True}


def _dog(qos: Qos) -> Mapping[str, object]:
    """The watchdog of the switch: whether it runs, its interval, and after how many a queue is opened again."""
    dogs = [port.watchdog for port in (qos.ports or {}).values() if isinstance(port.watchdog, Watchdog)]
    poll = qos.watchdog_poll_ms if isinstance(qos.watchdog_poll_ms, int) else POLL_MS[0]
    times = [dog.restore_ms for dog in dogs if isinstance(dog.restore_ms, int)]
    return {
        "runs": bool(dogs),
        "interval": None if poll == POLL_MS[0] else poll,
        "restore": max(times) // poll if times and poll else None,
    }


def port_lines(device: Device, key: str, usual: str) -> Mapping[str, object]:
    """What a port says of queues and headroom; `usual` is the policy that the system has."""
    qos = device.qos
    port = ((qos.ports if qos is not None else None) or {}).get(key)
    bound = ((device.buffers.ports if device.buffers is not None else None) or {}).get(key)
    names = [name for name in ((bound.groups if bound is not None else None) or {}).values() if name]
    egress = _policy(port) if port is not None else ""
    return {
        "pfc": None if port is None or not isinstance(port.pfc, frozenset) else "on" if port.pfc else "off",
        "dog": _watched(port.watchdog) if port is not None else "",
        "classifier": port.dscp_to_tc if port is not None and isinstance(port.dscp_to_tc, str) else "",
        "egress": egress if egress != usual else "",
        "ingress": names[0] if names else "",
    }


def _watched(dog: Leaf[Watchdog]) -> str:
    if not isinstance(dog, Watchdog):
        return ""
    return "on disable-action" if dog.action == "alert" else "on"


def buffers_context(device: Device) -> Mapping[str, object]:
    """Ingress policies with headroom, each with the classes of the groups that ports have it for."""
    buffers = device.buffers
    if buffers is None or buffers.profiles is None:
        return {"ingress": []}
    groups: dict[str, set[int]] = {}
    for port in {id(p): p for p in (buffers.ports or {}).values()}.values():
        for number, name in (port.groups or {}).items():
            if number.isdigit() and int(number) in QUEUES:
                groups.setdefault(name, set()).add(int(number))
    usual = set[int]().union(*groups.values()) or (set(_lossless(device.qos)) if device.qos else set())
    return {
        "ingress": [
            {"name": name, "classes": sorted(groups.get(name, usual)), "pause": _pause(profile)}
            for name, profile in sorted(buffers.profiles.items())
        ]
    }


def _pause(profile: Profile) -> str:
    """`pause` in its one line: how much is kept, at which fill the other side is told to stop, and to go on."""
    size = profile.size_bytes
    if not isinstance(size, int):
        return ""
    words = [f"pause buffer-size {size}"]
    if isinstance(profile.xoff_bytes, int):
        words.append(f"pause-threshold {max(size - profile.xoff_bytes, 0)}")
    if isinstance(profile.xon_bytes, int):
        words.append(f"resume-threshold {profile.xon_bytes}")
    return " ".join(words)
