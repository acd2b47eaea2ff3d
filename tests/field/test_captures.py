"""A real fabric, as its switches were captured, audited against an intent written for it: two exchanged cables.

`frr/fabric_unnumbered` are eight Cumulus switches: LLDP as `net show lldp json` (which is lldpd's own JSON) and BGP as
`show bgp vrf all neighbor json`. What a SONiC switch would show of the same is made from it: lldp_syncd writes lldpd's
JSON to APPL_DB, and the ports have the names that their places in the pattern have on the model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from audit.world import NOON, stores
from platforms.answers_sonic import answers

from field.site import observed
from netaudit.audit.audit import conclude
from netaudit.audit.compare import compare
from netaudit.audit.findings import AuditResult
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.platforms import Answer, Answers, Miss
from tests.intent.example import read, small

LEAVES, SPINES, EXITS = ("leaf01", "leaf02", "leaf03", "leaf04"), ("spine01", "spine02"), ("exit01", "exit02")
PEER_LINKS = (("leaf01", "leaf02"), ("leaf03", "leaf04"))
ROOM = {"leaf": ("swp3", "swp4"), "exit": ("swp3", "swp4", "swp5", "swp6")}
"""Ports beside the pattern, which take cages 40 and up."""
ROUTES = ("bgp4", "bgp6", "route4", "route6", "ROUTE_TABLE")


def _link(a: str, b: str) -> str:
    # drained: the cable is there and carries no session of ours (peer links of MLAG, loops, sub-interfaces)
    return f'{{a: "{a}", b: "{b}", speed: 400G, cable: 3m dac, status: drained}}'


def _cage(port: str) -> int:
    return 40 + int(port.removeprefix("swp"))


def intent() -> str:
    """The intent, by habit: exit01 on the fifth port of a spine, exit02 on the sixth."""
    links = [_link(f"{a}:{_cage(p)}", f"{b}:{_cage(p)}") for a, b in PEER_LINKS for p in ROOM["leaf"]]
    for number, name in enumerate(EXITS, start=1):
        links += [_link(f"{name}:{_cage(p)}", f"loop:{name}-{p}") for p in ("swp3", "swp4")]
        links += [_link(f"{name}:{_cage('swp5')}", f"edge01:eth{number}")]
        links += [_link(f"{name}:{_cage('swp6')}", f"internet:swp{number}")]
    return small(
        fabric="captured",
        planes="[a]",
        rails="1",
        units="{count: 4, hosts: 1}",
        spine="{model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G}",
        blocks="{exit: {id: 1, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G,"
        " cable: 40m dr4}}",
        external="{edge01: {asn: 65530}, internet: {asn: 25253}, loop: {asn: 65001}}",
        links=f"[{', '.join(links)}]",
        owns="[lldp]",
        devices="devices.csv",
    )


def pins() -> str:
    """Names, ASNs and loopbacks as they are."""
    rows = ["place,name,asn,loopback"]
    rows += [f"a/su{n}/r1,{name},{65100 + n},10.0.0.{10 + n}" for n, name in enumerate(LEAVES, start=1)]
    rows += [f"a/spine/{n},{name},65000,10.0.0.{20 + n}" for n, name in enumerate(SPINES, start=1)]
    rows += [f"a/exit/{n},{name},{65200 + n},10.0.0.{100 + n}" for n, name in enumerate(EXITS, start=1)]
    return "\n".join(rows) + "\n"


@pytest.fixture
def fabric(tmp_path: Path) -> Expected:
    return Expected(build(read(tmp_path, intent(), devices=pins())))


def names(expected: Expected, device: str) -> Mapping[str, str]:
    """Port of the capture → port of the model: swp1 and up are the pattern's in its own order."""
    laid = expected.built.ports(device)
    if device in SPINES:
        planned = {port.peer.device: key for key, port in laid.items() if port.peer is not None}
        return {f"swp{n}": planned[name] for n, name in enumerate((*LEAVES, *EXITS), start=1)}
    to = {port.peer.device: key for key, port in laid.items() if port.peer is not None}
    beside = ROOM["leaf" if device in LEAVES else "exit"]
    return {f"swp{n}": to[name] for n, name in enumerate(SPINES, start=1)} | {p: str(_cage(p)) for p in beside}


def native(expected: Expected, device: str, port: str) -> str:
    """The name that a port of the capture has on the model; of others, and of what is not ours, it stays."""
    if device not in expected.devices:
        return port
    key = names(expected, device).get(port)
    return expected.built.ports(device)[key].native if key is not None else port


def lldp_table(expected: Expected, device: str, captured: dict[str, Any]) -> Mapping[str, Mapping[str, str]]:
    """APPL_DB LLDP_ENTRY_TABLE, as lldp_syncd makes it of lldpd's JSON."""
    rows: dict[str, dict[str, str]] = {}
    for one in captured["lldp"][0]["interface"]:
        system, port = one["chassis"][0]["name"][0]["value"], one["port"][0]
        rows[native(expected, device, one["name"])] = {
            "lldp_rem_chassis_id": one["chassis"][0]["id"][0]["value"],
            "lldp_rem_sys_name": system,
            "lldp_rem_port_id_subtype": {"ifname": "5", "mac": "3"}[port["id"][0]["type"]],
            "lldp_rem_port_id": native(expected, system, port["id"][0]["value"]),
            "lldp_rem_port_desc": native(expected, system, port["descr"][0]["value"]),
        }
    return rows


def summary(expected: Expected, device: str, captured: Mapping[str, Mapping[str, object]]) -> object:
    """`show bgp vrf all summary json`: the same sessions with the fields that it has of them."""
    told: dict[str, object] = {}
    for vrf, table in captured.items():
        peers = {name: row for name, row in table.items() if isinstance(row, Mapping)}
        told[vrf] = {
            "ipv4Unicast": {
                "as": next(iter(peers.values()))["localAs"],
                "peers": {
                    native(expected, device, name): {"remoteAs": row["remoteAs"], "state": row["bgpState"]}
                    for name, row in peers.items()
                },
            }
        }
    return told


def audited(
    expected: Expected,
    folder: Path,
    lldp: Callable[[str, dict[str, Any]], object] = lambda device, told: None,
    sessions: Callable[[str, dict[str, Any]], object] = lambda device, told: None,
) -> AuditResult:
    """The audit of the captures. Routes were captured without AS paths, so they are not audited."""
    audits = {}
    for device in expected.devices:
        heard = json.loads((folder / f"{device}.lldp.json").read_text(encoding="utf-8"))
        peers = json.loads((folder / f"{device}.bgp_neighbors.json").read_text(encoding="utf-8"))
        lldp(device, heard)
        sessions(device, peers)
        given: Answers = {
            **answers(stores(expected, device)),
            "LLDP_ENTRY_TABLE": Answer(text=json.dumps(lldp_table(expected, device, heard))),
            "summary": Answer(text=json.dumps(summary(expected, device, peers))),
            **dict.fromkeys(ROUTES, Answer(miss=Miss.FAILED, reason="not captured")),
        }
        audits[device] = compare(expected, observed(device, given))
    return conclude(expected, audits, NOON)


@pytest.fixture
def captures(shared: Path) -> Path:
    return shared / "field" / "real" / "frr" / "fabric_unnumbered"


def test_the_captures_give_the_two_exchanged_cables_and_nothing_else(fabric: Expected, captures: Path) -> None:
    result = audited(fabric, captures)
    assert [f.rule for f in result.findings] == ["CAB-02", "CAB-02"], [(f.rule, f.title) for f in result.findings]
    first, second = (names(fabric, "spine01"), names(fabric, "spine02"))
    assert {f.instruction for f in result.findings} == {
        f"swap the plugs at spine01:{first['swp5']} and spine01:{first['swp6']}",
        f"swap the plugs at spine02:{second['swp5']} and spine02:{second['swp6']}",
    }
    assert {n.what for n in result.not_audited} == {"state routes", "applied routes"}


def test_a_session_that_is_down_in_a_capture_is_a_third_finding(fabric: Expected, captures: Path) -> None:
    """BGP is read from the captures as well."""

    def idle(device: str, sessions: dict[str, Any]) -> None:
        if device in ("leaf03", "spine02"):
            sessions["default"]["swp2" if device == "leaf03" else "swp3"]["bgpState"] = "Active"

    result = audited(fabric, captures, sessions=idle)
    assert sorted(f.rule for f in result.findings) == ["BGP-01", "CAB-02", "CAB-02"]


def test_a_wrong_asn_in_the_captures_is_a_third_finding(fabric: Expected, captures: Path) -> None:
    def renumbered(device: str, sessions: dict[str, Any]) -> None:
        text = json.dumps(sessions).replace("65104", "65199")
        sessions.clear()
        sessions.update(json.loads(text))

    result = audited(fabric, captures, sessions=renumbered)
    assert [f.object for f in result.findings if f.rule == "BGP-02"] == ["leaf04"]
    assert len(result.findings) == 3


def test_where_the_exits_are_wired_as_planned_nothing_is_found(fabric: Expected, captures: Path) -> None:
    def as_planned(device: str, told: dict[str, Any]) -> None:
        text = json.dumps(told)
        if device in SPINES:
            text = text.replace("exit01", "?").replace("exit02", "exit01").replace("?", "exit02")
            text = text.replace("65201", "?").replace("65202", "65201").replace("?", "65202")
        elif device in EXITS:
            text = text.replace('"swp5"', '"?"').replace('"swp6"', '"swp5"').replace('"?"', '"swp6"')
        told.clear()
        told.update(json.loads(text))

    def lldp(device: str, told: dict[str, Any]) -> None:
        local = [one["name"] for one in told["lldp"][0]["interface"]]
        as_planned(device, told)
        for one, name in zip(told["lldp"][0]["interface"], local, strict=True):
            one["name"] = name

    result = audited(fabric, captures, lldp=lldp, sessions=lambda d, t: as_planned(d, t) if d in SPINES else None)
    assert [(f.rule, f.title) for f in result.findings] == []
