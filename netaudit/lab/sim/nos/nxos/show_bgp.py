"""`show bgp`: sessions in words and as data, tables in words; both forms are those of real captures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.lab.sim import views
from netaudit.lab.sim.fabric import Fabric, router_id
from netaudit.lab.sim.nos.nxos.config import INVALID
from netaudit.lab.sim.nos.nxos.device import Nexus

FAMILIES: Final = {"ipv4": (1, "IPv4 Unicast"), "ipv6": (2, "IPv6 Unicast")}
_STATES: Final = {"Idle (Admin)": "Shut (Admin)", "Connect": "Idle"}
NOT_RUNNING: Final = "Note:  process currently not running\n"


def vrfs(fabric: Fabric, switch: Nexus) -> Iterator[str]:
    """VRFs with a speaker that runs; the default one is the empty name."""
    return (vrf for vrf in switch.facts().frr.speakers if views.speaks(fabric, switch, vrf))


def absent(fabric: Fabric, switch: Nexus) -> str:
    """Why there is nothing to show of BGP; empty where it runs."""
    if "feature bgp" not in switch.tree:
        return INVALID
    return "" if any(True for _ in vrfs(fabric, switch)) else NOT_RUNNING


def summary(fabric: Fabric, switch: Nexus) -> tuple[str, Mapping[str, object] | None]:
    """`show bgp vrf all all summary`."""
    if reason := absent(fabric, switch):
        return reason, None
    text, rows = "", list[dict[str, object]]()
    for vrf in vrfs(fabric, switch):
        families = []
        sessions = views.sessions(fabric, switch, vrf)
        asn = switch.facts().frr.speakers[vrf].asn
        for family, (number, name) in FAMILIES.items():
            mine = [one for one in sessions if family in one.families]
            text += _heading(vrf, name, router_id(switch, vrf), asn, mine, family)
            neighbors = [_row(one, family) for one in mine]
            table = {"TABLE_neighbor": {"ROW_neighbor": _rows(neighbors)}} if neighbors else {}
            families.append({"af-id": number, "TABLE_saf": {"ROW_saf": {"safi": 1, "af-name": name, **table}}})
        rows.append(
            {
                "vrf-name-out": vrf or "default",
                "vrf-router-id": router_id(switch, vrf),
                "vrf-local-as": str(asn),
                "TABLE_af": {"ROW_af": families},
            }
        )
    return text, {"TABLE_vrf": {"ROW_vrf": _rows(rows)}}


def _rows(rows: list[dict[str, object]]) -> object:
    return rows[0] if len(rows) == 1 else rows


def _state(one: views.SessionView) -> str:
    return _STATES.get(one.state, one.state)


def _row(one: views.SessionView, family: str) -> dict[str, object]:
    return {
        "neighborid": one.key,
        "neighborversion": 4,
        "msgrecvd": 10,
        "msgsent": 10,
        "neighbortableversion": 1,
        "inq": 0,
        "outq": 0,
        "neighboras": str(one.remote_asn),
        "time": "PT1M" if one.up else "never",
        "state": _state(one),
        "prefixreceived": one.received.get(family, 0),
    }


def _heading(vrf: str, name: str, router: str, asn: int, sessions: list[views.SessionView], family: str) -> str:
    """One table in words. Without a neighbor there is its first line alone."""
    first = f"BGP summary information for VRF {vrf or 'default'}, address family {name}\n"
    if not sessions:
        return f"{first}\n"
    up = sum(one.up for one in sessions)
    text = (
        f"{first}BGP router identifier {router}, local AS number {asn}\n"
        f"BGP table version is 1, {name} config peers {len(sessions)}, capable peers {up}\n\n"
        "Neighbor        V    AS MsgRcvd MsgSent   TblVer  InQ OutQ Up/Down  State/PfxRcd\n"
    )
    for one in sessions:
        start = f"{one.key:<16}" if len(one.key) < 16 else f"{one.key}\n{'':<16}"
        last = str(one.received.get(family, 0)) if one.up else _state(one)
        time = "00:01:00" if one.up else "never"
        text += f"{start}4 {one.remote_asn:>5}      10      10        1    0    0 {time:>8} {last}\n"
    return f"{text}\n"


_CODES: Final = (
    "Status: s-suppressed, x-deleted, S-stale, d-dampened, h-history, *-valid, >-best\n"
    "Path type: i-internal, e-external, c-confed, l-local, a-aggregate, r-redist, I-injected\n"
    "Origin codes: i - IGP, e - EGP, ? - incomplete, | - multipath, & - backup\n\n"
    "   Network            Next Hop            Metric     LocPrf     Weight Path\n"
)


def table(fabric: Fabric, switch: Nexus, family: str) -> str:
    """`show bgp vrf all ipv4 unicast`."""
    if reason := absent(fabric, switch):
        return reason
    text = ""
    for vrf in vrfs(fabric, switch):
        text += f"BGP routing table information for VRF {vrf or 'default'}, address family {FAMILIES[family][1]}\n"
        text += f"BGP table version is 1, Local Router ID is {router_id(switch, vrf)}\n{_CODES}"
        for prefix, paths in views.bgp_table(fabric, switch, family, vrf):
            text += "".join(_lines(prefix, paths, family))
        text += "\n"
    return text


def _lines(prefix: str, paths: tuple[views.PathView, ...], family: str) -> Iterator[str]:
    name = prefix
    for path in paths:
        mark = ">" if path.best else "|" if path.multipath else " "
        if path.hop is None:
            hop, kind, numbers = "::" if family == "ipv6" else "0.0.0.0", "l", f"{100:>20}{32768:>11} i"
        else:
            words = "".join(f"{asn} " for asn in path.as_path)
            preference = "" if path.external else 100
            hop, kind = path.hop.address, "e" if path.external else "i"
            numbers = f"{preference:>20}{0:>11} {words}i"
        start = f"*{mark}{kind}{name:<19}" if len(name) < 19 else f"*{mark}{kind}{name}\n{'':<22}"
        yield f"{start}{hop:<17}{numbers}\n"
        name = ""
