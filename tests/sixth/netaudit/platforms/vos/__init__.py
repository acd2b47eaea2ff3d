"""VOS, a NOS that nobody sells: a line of its configuration is a leaf of the state. It holds all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from netaudit.platforms.vos.tree import device, lines, parsed

from netaudit.platforms import Answers, Files, Impact, Miss, Query, Reading, Step, Steps
from netaudit.platforms.plain import (
    BLIND_COMPUTING,
    LENGTH_QUERIES,
    RAW_SUFFIXES,
    RAW_TABLES,
    computed_profile,
    full_name,
    lossless_profile,
    merged,
    raw_lines,
    raw_problems,
    raw_queries,
    raw_table_problem,
    vrf_problem,
)
from netaudit.state import ABSENT, Bgp, BgpNeighbor, BlindSpot, Device, Lldp, LldpNeighbor, Port, Route, Store, System
from netaudit.state.expectation import Held
from netaudit.state.walk import without

NAME, TITLE, FILES, ROUTING_FILE = "vos", "VOS", ("vos.conf",), ""
TABLES, NAPALM, GNMI_PORT, VENDORS, REFUSED = False, "", 9339, (), ()
IMPLIED: Mapping[str, str] = {"system.routing_rows": "VOS has one configuration and no rows beside it"}
_LIVE = (
    *("system.serial", "ports.*.oper_up", "ports.*.cable_m", "lldp.neighbors"),
    *("bgp.neighbors.*.session", "bgp.neighbors.*.remote_asn"),
)
"""What is, and no setting: it stays expected, and is written nowhere."""
UNSUPPORTED: Mapping[str, str] = {"qos.trimming": "VOS drops what finds no room"}
ROUNDED: Mapping[str, str] = {}
UNVERIFIED: Mapping[str, str] = {}
OWNS: Mapping[str, tuple[str, ...]] = {
    "ports": ("ports",),
    "addressing": ("interfaces", "vlans", "vrfs"),
    "bgp": ("bgp",),
    "qos": ("qos",),
    "buffers": ("buffers",),
    "lldp": ("lldp",),
}
_PORT = ("native", "alias", "enabled", "speed_mbps", "lanes", "breakout", "fec", "mtu_bytes", "autoneg", "description")
_CONFIGURED: Held = {
    "system": dict.fromkeys(("hostname", "hwsku", "hardware", "mac", "tier", "asn", "own_routing_files"), True),
    "ports": {"*": dict.fromkeys((*_PORT, "pfc_asymmetric"), True)},
    "vrfs": True,
    "interfaces": True,
    "vlans": True,
    "bgp": {
        **dict.fromkeys(("asn", "router_id", "multipath_relax", "maximum_paths", "keepalive_s", "hold_s"), True),
        **dict.fromkeys(("requires_policy", "networks", "discards", "policies", "vrfs"), True),
        "neighbors": {
            "*": dict.fromkeys(("vrf", "remote", "import_policy", "export_policy", "families", "allowas_in"), True)
        },
    },
    "qos": True,
    "buffers": True,
    "lldp": {"enabled": True},
}
HELD: Mapping[Store, Held] = {
    Store.RUNNING: _CONFIGURED,
    Store.SAVED: _CONFIGURED,
    Store.APPLIED: False,
    Store.STATE: {
        "system": {"serial": True},
        "ports": {"*": {"oper_up": True}},
        "bgp": {"neighbors": {"*": {"session": True, "remote_asn": True}}},
        "lldp": {"neighbors": True},
    },
}
BLIND = (BlindSpot(what="*", where="vos, applied", reason="VOS shows nothing of its hardware"),)
_ASKED = {"running": Store.RUNNING, "saved": Store.SAVED, "live": Store.STATE}
QUERIES = tuple(Query(id=i, store=store, transport="ssh", command=f"show {i}") for i, store in _ASKED.items())
PUSH_QUERIES = tuple(query for query in QUERIES if query.id != "saved")
SESSION_QUERIES = ("running", "live")


def port_name(port: str, lanes: int, cage_lanes: int, first_lane: int) -> str:
    """`port-1-2`."""
    return f"port-{port.replace('/', '-')}"


def cage_of(name: str, cage_lanes: int) -> str | None:
    """The cage of `port-1-2` is 1."""
    found = re.fullmatch(r"port-(\d+)(?:-\d+)?", name)
    return found[1] if found else None


def unnumbered(version: str) -> str:
    """VOS peers over link-local addresses."""
    return ""


def asked(store: Store, path: tuple[str, ...]) -> str:
    """The command."""
    return next((f"show {i}" for i, of in _ASKED.items() if of is store), "")


def quantize(device: Device) -> Device:
    """Everything but what it has no place for."""
    return without(device, (*UNSUPPORTED, *IMPLIED))


def held(store: Store, device: Device) -> Held:
    """The same for every device."""
    return HELD[store]


def context(device: Device) -> Mapping[str, object]:
    """The lines."""
    return {"lines": tuple(lines(without(device, (*_LIVE, "bgp.unmodelled", "raw"))))}


def read_config(files: Files, name: str) -> Device:
    """The state that the lines describe."""
    return device(files.get("vos.conf", ""), name)


def read(answers: Answers, name: str) -> Reading:
    """Two configurations, and what is."""
    stores: dict[Store, Device] = {Store.APPLIED: Device(name=name, platform="vos")}
    problems: list[tuple[str, str]] = []
    for query, store in _ASKED.items():
        answer = answers[query]
        stores[store] = Device(name=name, platform="vos")
        try:
            if answer.miss is not None:
                raise ValueError(answer.reason or str(answer.miss))
            text = answer.text
            stores[store] = _live(json.loads(text), name) if query == "live" else device(text, name)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            problems.append((query, str(error)[:300]))
    return Reading(stores=stores, problems=tuple(problems))


def _live(told: Mapping[str, object], name: str) -> Device:
    rows: dict[str, dict[str, dict[str, object]]] = told["tables"]  # type: ignore[assignment]
    keys = {port: key for key, port in rows["position"].items()}
    heard = {key: LldpNeighbor(**row) if row else ABSENT for key, row in rows["lldp"].items()}  # type: ignore[arg-type]
    sessions = {
        keys.get(key, key): BgpNeighbor(session=str(row["state"]), remote_asn=int(str(row["asn"])) or ABSENT)
        for key, row in rows["sessions"].items()
    }
    routes = {
        ("default", prefix): Route(
            frozenset(map(str, row["hops"])),  # type: ignore[call-overload]
            frozenset(tuple(path) for path in row["as_paths"]),  # type: ignore[attr-defined]
        )
        for prefix, row in rows["routes"].items()
    }
    return Device(
        name=name,
        platform="vos",
        system=System(serial=str(told["serial"])),
        ports={key: Port(oper_up=bool(up)) for key, up in rows["ports"].items()},
        bgp=Bgp(neighbors=sessions),
        lldp=Lldp(neighbors=heard),
        routes=routes,
    )


def running_files(answers: Answers) -> tuple[Files, str]:
    """The running lines, and the serial number."""
    if any(answers[query.id].miss is Miss.FAILED for query in PUSH_QUERIES):
        raise ValueError("the device did not tell its configuration")
    parsed(answers["running"].text)
    return {"vos.conf": answers["running"].text}, str(json.loads(answers["live"].text)["serial"])


def problems(files: Files) -> tuple[str, ...]:
    """Whatever is no line."""
    try:
        parsed(files.get("vos.conf", ""))
    except ValueError as error:
        return (str(error),)
    return ()


def _ours(owns: Iterable[str]) -> frozenset[str]:
    areas = set(owns)
    wanted = OWNS if "all" in areas else {area: OWNS[area] for area in areas if area in OWNS}
    return frozenset(part for parts in wanted.values() for part in parts) | {"system"}


def candidate(rendered: Files, running: Files, owns: Iterable[str]) -> Files:
    """Our lines where the area is ours, theirs elsewhere."""
    mine = _ours(owns)
    theirs = (line for line in running["vos.conf"].splitlines() if _part(line) not in mine)
    new = (line for line in rendered["vos.conf"].splitlines() if _part(line) in mine)
    return {"vos.conf": "".join(f"{line}\n" for line in sorted((*theirs, *new)))}


def _part(line: str) -> object:
    """The first word of a line's path."""
    path, _ = json.JSONDecoder().raw_decode(line)
    return path[0]


def kept(running: Files, rendered: Files, owns: Iterable[str]) -> Files:
    """What of the running lines is in an area of ours."""
    return candidate(running, {"vos.conf": ""}, owns)


def equal(one: Files, other: Files) -> bool:
    """Do both have the same lines?"""
    return parsed(one["vos.conf"]) == parsed(other["vos.conf"])


def diff(running: Files, candidate: Files) -> tuple[str, ...]:
    """Lines that go and lines that come."""
    old, new = running["vos.conf"].splitlines(), candidate["vos.conf"].splitlines()
    return (*(f"- {line}" for line in old if line not in new), *(f"+ {line}" for line in new if line not in old))


def steps(running: Files, candidate: Files, run: str) -> Steps:
    """Upload and load; the old text takes it back."""
    if equal(running, candidate):
        return Steps()
    texts = {"new": candidate["vos.conf"], "old": running["vos.conf"]}
    at = f"/tmp/{run}-"
    upload = {word: Step(name=f"upload {word}", path=f"{at}{word}", content=text) for word, text in texts.items()}
    load = {word: Step(name=f"load {word}", command=f"load {at}{word}") for word in texts}
    save = Step(name="save", command="save")
    return Steps(
        prepare=(upload["new"], upload["old"]),
        apply=(load["new"],),
        save=(save,),
        undo=(load["old"], save),
        impact=Impact.RESET,
    )


__all__ = [
    "BLIND_COMPUTING",
    "LENGTH_QUERIES",
    "RAW_SUFFIXES",
    "RAW_TABLES",
    "computed_profile",
    "full_name",
    "lossless_profile",
    "merged",
    "raw_lines",
    "raw_problems",
    "raw_queries",
    "raw_table_problem",
    "vrf_problem",
]
