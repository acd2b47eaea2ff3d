"""Classes, queues, PFC, ECN and the watchdog: `qos …` and `interface X qos …`, written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.platforms.nvue.buffers import pfc_bindings
from netaudit.platforms.nvue.names import native, native_ports
from netaudit.platforms.nvue.profiles import DEFAULT, Profiles, marking_profiles, scheduler_profiles
from netaudit.platforms.nvue.tree import Tree, put, switch
from netaudit.state import Device, Marking, PortQos, Qos, Scheduler, Trimming, Watchdog, Wred

POLL_MS: Final = 100
"""polling-interval where none is set (nvue.md section 3)."""
KBPS: Final = 125
"""Bytes per second of one kbit/s, in which a shaper counts."""
HASH: Final[Mapping[str, str]] = {
    "source-ip": "source-ip",
    "destination-ip": "destination-ip",
    "protocol": "ip-protocol",
    "source-port": "source-port",
    "destination-port": "destination-port",
}
"""What ECMP hashes unless it is told otherwise, our word → NVUE's."""
MORE_HASH: Final = (
    *("ipv6-label", "ingress-interface", "gtp-teid", "inner-source-ip", "inner-destination-ip", "inner-ip-protocol"),
    *("inner-source-port", "inner-destination-port", "inner-ipv6-label"),
)
"""What it hashes where it is told to (nvue.md section 4)."""


def write_qos(device: Device, tree: Tree) -> None:
    """`qos roce mode lossless`, and everything that the intent says of classes, whatever RoCE's own defaults are."""
    ports = native_ports(device)
    for key, profile, content in pfc_bindings(device):
        put(tree, ("interface", native(key, ports), "qos", "pfc", "profile"), profile)
        put(tree, ("qos", "pfc", profile), content)
    qos = device.qos
    if qos is None:
        return
    if any(isinstance(port.pfc, frozenset) and port.pfc for port in (qos.ports or {}).values()):
        put(tree, ("qos", "roce"), {"state": switch(True), "mode": "lossless"})
    _write_maps(qos, tree)
    schedulers, marking = scheduler_profiles(qos), marking_profiles(qos)
    _write_schedulers(qos, schedulers, tree)
    _write_marking(qos, marking, tree)
    _write_watchdog(qos, tree)
    _write_forwarding(qos, tree)
    for key, port in (qos.ports or {}).items():
        at = ("interface", native(key, ports), "qos")
        for kind, profile in _bound(key, port, qos, schedulers, marking):
            put(tree, (*at, kind, "profile"), profile)
        if isinstance(port.watchdog, Watchdog):
            put(tree, (*at, "pfc-watchdog", "state"), "enable")


def _bound(key: str, port: PortQos, qos: Qos, schedulers: Profiles, marking: Profiles) -> Iterator[tuple[str, str]]:
    """(kind, profile) of each profile that a port takes; what holds for every port needs none."""
    if isinstance(port.dscp_to_tc, str) and port.dscp_to_tc != DEFAULT:
        yield "mapping", port.dscp_to_tc
    if isinstance(port.rewrite, str):
        yield "remark", port.rewrite
    if key in schedulers.of_port:
        yield "egress-scheduler", schedulers.of_port[key]
        if _caps(qos, schedulers.content[schedulers.of_port[key]]):
            yield "egress-shaper", schedulers.of_port[key]
    if key in marking.of_port:
        yield "congestion-control", marking.of_port[key]


def _write_maps(qos: Qos, tree: Tree) -> None:
    for name, dscps in (qos.dscp_to_tc or {}).items():
        at = ("qos", "mapping", name)
        put(tree, (*at, "trust"), "both")
        for dscp, priority in sorted(dscps.items()):
            put(tree, (*at, "dscp", str(dscp), "switch-priority"), priority)
    for name, queues in (qos.tc_to_queue or {}).items():
        for priority, queue in sorted(queues.items()):
            put(tree, ("qos", "egress-queue-mapping", name, "switch-priority", str(priority), "traffic-class"), queue)


def _write_schedulers(qos: Qos, profiles: Profiles, tree: Tree) -> None:
    rows = qos.schedulers or {}
    for profile, content in profiles.content.items():
        for queue, name in content:
            at = ("qos", "egress-scheduler", profile, "traffic-class", queue)
            put(tree, at, _served(rows[name]) if name in rows else {})
        for queue, kbps in _caps(qos, content).items():
            put(tree, ("qos", "egress-shaper", profile, "traffic-class", queue, "max-rate"), kbps)


def _served(row: Scheduler) -> Tree:
    made: Tree = {}
    if isinstance(row.kind, str):
        made["mode"] = row.kind
    if isinstance(row.weight, int):
        made["bw-percent"] = row.weight
    return made


def _caps(qos: Qos, content: tuple[tuple[str, str], ...]) -> Mapping[str, int]:
    """Queue → ceiling in kbit/s."""
    rows = ((queue, (qos.schedulers or {}).get(name)) for queue, name in content)
    return {
        queue: row.cap_bytes_per_s // KBPS
        for queue, row in rows
        if row is not None and isinstance(row.cap_bytes_per_s, int)
    }


def _write_marking(qos: Qos, profiles: Profiles, tree: Tree) -> None:
    """A profile takes the place of default-global, in which RoCE marks queue 0 as well."""
    rows = qos.wred or {}
    for profile, content in profiles.content.items():
        for queue, name in content:
            at = ("qos", "congestion-control", profile, "traffic-class", queue)
            put(tree, at, _marked(rows[name]) if name in rows else {})


def _marked(row: Wred) -> Tree:
    made: Tree = {}
    if isinstance(row.ecn, bool):
        made["ecn"] = "enable" if row.ecn else "disable"
    marking = (row.colours or {}).get("green", Marking())
    for word, value in (
        ("min-threshold", marking.kmin_bytes),
        ("max-threshold", marking.kmax_bytes),
        ("probability", marking.pmax_percent),
    ):
        if isinstance(value, int):
            made[word] = value
    if made:
        made["red"] = "disable"  # what may be marked is not dropped by chance
    return made


def _write_watchdog(qos: Qos, tree: Tree) -> None:
    poll = qos.watchdog_poll_ms
    if isinstance(poll, int):
        put(tree, ("qos", "pfc-watchdog", "polling-interval"), poll)
    rounds = robustness(qos)
    if rounds is not None:
        put(tree, ("qos", "pfc-watchdog", "robustness"), rounds)


def robustness(qos: Qos) -> int | None:
    """Polling intervals after which the watchdog acts: the same on all ports, none too early."""
    poll = qos.watchdog_poll_ms if isinstance(qos.watchdog_poll_ms, int) and qos.watchdog_poll_ms > 0 else POLL_MS
    dogs = (port.watchdog for port in (qos.ports or {}).values())
    detect = [dog.detect_ms for dog in dogs if isinstance(dog, Watchdog) and isinstance(dog.detect_ms, int)]
    return min(1000, max(1, max(-(-ms // poll) for ms in detect))) if detect else None


def _write_forwarding(qos: Qos, tree: Tree) -> None:
    if isinstance(qos.hash_fields, frozenset):
        words = {HASH.get(field, field) for field in qos.hash_fields}
        known = {word: switch(word in words) for word in HASH.values()}
        more = {word: switch(True) for word in sorted(words - known.keys())}
        put(tree, ("system", "forwarding", "ecmp-hash"), {**known, **more})
    if isinstance(qos.trimming, Trimming):
        put(tree, ("system", "forwarding", "packet-trim"), _trimmed(qos.trimming, qos))


def _trimmed(trimming: Trimming, qos: Qos) -> Tree:
    made: Tree = {"state": switch(True)}
    if isinstance(trimming.size_bytes, int):
        made["size"] = trimming.size_bytes
    if isinstance(trimming.dscp, int):
        made["remark"] = {"dscp": trimming.dscp}
    if isinstance(trimming.queue, int):
        queues = (qos.tc_to_queue or {}).get(DEFAULT, {})
        made["switch-priority"] = next((p for p, q in queues.items() if q == trimming.queue), trimming.queue)
    return made
