"""Audits to render: the findings of DESIGN.md's families, without any device behind them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from netaudit.audit.findings import (
    AuditResult,
    Comparison,
    Consequence,
    DeviceVerdict,
    Finding,
    NotAudited,
    Unverifiable,
)
from netaudit.diag import Severity, Source
from netaudit.state import BlindSpot, Place

JST = timezone(timedelta(hours=9), "JST")
START = datetime(2026, 11, 23, 6, 0, tzinfo=JST)
STORES = ("running", "saved", "applied", "state")
INTENT = "intent/tokyo-gpu1.yaml"


def leaf_ports(unit: str, rail: int, plane: str, *, hosts: int = 32, spines: int = 2) -> tuple[tuple[str, str], ...]:
    """64 cages: two hosts a cage from the first on, uplinks from the last down, spare between."""
    down = [(f"{cage}/{sub}", f"{unit}-h{2 * cage + sub - 2}") for cage in range(1, hosts // 2 + 1) for sub in (1, 2)]
    up = [(str(64 - i), f"{plane}-spine{i + 1}") for i in range(spines)]
    spare = [(str(cage), "spare") for cage in range(hosts // 2 + 1, 65 - spines)]
    return (*down, *spare, *reversed(up))


def devices(units: int = 2, rails: int = 4, spines: int = 2) -> tuple[DeviceVerdict, ...]:
    made: list[DeviceVerdict] = []
    for plane in "ab":
        leaves = [(f"su{u}", r) for u in range(1, units + 1) for r in range(1, rails + 1)]
        for unit, rail in leaves:
            made.append(
                DeviceVerdict(
                    name=f"{plane}-{unit}-r{rail}-leaf",
                    place=Place(role="leaf", tier=0, plane=plane, unit=unit, rail=rail),
                    audited="complete",
                    read_at=START + timedelta(seconds=20 + rail),
                    stores=STORES,
                    values=12_806,
                    model="nvidia-sn5600, sonic 202411",
                    address=f"198.51.100.{len(made) % 250 + 1}",
                    ports=leaf_ports(unit, rail, plane, spines=spines),
                )
            )
        for n in range(1, spines + 1):
            ports = tuple((str(i), f"{plane}-{unit}-r{rail}-leaf") for i, (unit, rail) in enumerate(leaves, 1))
            made.append(
                DeviceVerdict(
                    name=f"{plane}-spine{n}",
                    place=Place(role="spine", tier=1, plane=plane, number=n),
                    audited="complete",
                    read_at=START + timedelta(seconds=40),
                    stores=STORES,
                    values=9_121,
                    model="arista-7060x6-64pe, eos 4.34.1F",
                    address=f"198.51.100.{len(made) % 250 + 1}",
                    ports=ports + tuple((str(i), "spare") for i in range(len(ports) + 1, 65)),
                )
            )
    return tuple(made)


QOS = Finding(
    rule="QOS-02",
    severity=Severity.ERROR,
    device="a-su1-r3-leaf",
    object="a-su1-r3-leaf",
    title="The stock QoS map replaced ours on a-su1-r3-leaf",
    effect="RoCE (DSCP 26) is best effort on rail 3 of su1: 32 hosts",
    fix="netaudit plan intent/ --where a-su1-r3-leaf -o plan.json",
    devices=("a-su1-r3-leaf",),
    objects=tuple(f"a-su1-r3-leaf:{port}" for port, there in leaf_ports("su1", 3, "a") if there != "spare"),
    comparisons=(
        Comparison(
            what="qos.maps.dscp_to_tc.26",
            expected="3",
            observed={"running": "1", "saved": "1", "applied": "1"},
            queries=("gNMI CONFIG_DB DSCP_TO_TC_MAP", "gNMI APPL_DB DSCP_TO_TC_MAP_TABLE"),
            source=Source(file=INTENT, line=23, column=19, width=4),
            source_text="  roce:    {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}",
            derivation="traffic.roce.dscp",
        ),
        Comparison(
            what="qos.ports.1/1.pfc_priorities",
            expected="3",
            observed={"running": "3", "saved": "3", "applied": "absent"},
            queries=("gNMI CONFIG_DB PORT_QOS_MAP",),
            source=Source(file=INTENT, line=23, column=34, width=1),
            source_text="  roce:    {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}",
            derivation="traffic.roce.priority",
        ),
    ),
)
SWAP = Finding(
    rule="CAB-02",
    severity=Severity.ERROR,
    device="b-su2-r3-leaf",
    object="b-su2-r3-leaf:9/1",
    title="Host cables of rail 3 and rail 4 are swapped",
    effect="2 hosts reach rail 3 over rail 4: their rail traffic takes the spines of plane b",
    fix='netaudit export intent/ cables --where "b-su2-r3-leaf:9" -o markdown',
    devices=("b-su2-r3-leaf", "b-su2-r4-leaf"),
    objects=("b-su2-r3-leaf:9/1", "b-su2-r3-leaf:9/2", "b-su2-r4-leaf:9/1", "b-su2-r4-leaf:9/2"),
    comparisons=(
        Comparison(
            what="lldp.neighbors.9/1",
            expected="su2-h17 r3/b",
            observed={"state": "su2-h17 r4/b"},
            queries=("gNMI STATE_DB LLDP_ENTRY_TABLE",),
            derivation="rail r of a host goes to the leaf of rail r",
        ),
        Comparison(
            what="lldp.neighbors.9/2",
            expected="su2-h18 r3/b",
            observed={"state": "su2-h18 r4/b"},
            queries=("gNMI STATE_DB LLDP_ENTRY_TABLE",),
            derivation="rail r of a host goes to the leaf of rail r",
        ),
    ),
    consequences=(Consequence(text="4 routes on 2 devices", count=4, devices=("b-su2-r3-leaf", "b-su2-r4-leaf")),),
    instruction="swap the plugs in cage 9 of b-su2-r3-leaf and cage 9 of b-su2-r4-leaf",
)
LINK = Finding(
    rule="INT-01",
    severity=Severity.ERROR,
    device="a-su1-r1-leaf",
    object="a-su1-r1-leaf:64",
    title="The link a-su1-r1-leaf:64 – a-spine1:1 is down",
    effect="50 % of the uplink capacity of a-su1-r1-leaf is left for 32 hosts",
    fix='netaudit show links intent/ "a-su1-r1-leaf:64"',
    devices=("a-su1-r1-leaf", "a-spine1"),
    objects=("a-su1-r1-leaf:64", "a-spine1:1"),
    comparisons=(
        Comparison(
            what="ports.64.oper_up",
            expected="True",
            observed={"state": "False"},
            queries=("gNMI STATE_DB PORT_TABLE",),
            source=Source(file=INTENT, line=11, column=1, width=5),
            source_text="spine: {model: 7060x6-64pe, platform: eos, count: 2, links: 1, speed: 800G}",
            derivation="links.leaf-spine",
        ),
    ),
    consequences=(
        Consequence(text="2 BGP sessions", count=2, devices=("a-su1-r1-leaf", "a-spine1")),
        Consequence(
            text="1,023 routes on 10 devices",
            count=1023,
            devices=(*(f"a-su{u}-r{r}-leaf" for u in (1, 2) for r in (1, 2, 3, 4)), "a-spine1", "a-spine2"),
        ),
    ),
    instruction="look at the optics of a-su1-r1-leaf:64 and a-spine1:1: no light is received on either end",
)
ASN = Finding(
    rule="BGP-02",
    severity=Severity.ERROR,
    device="b-su1-r2-leaf",
    object="b-su1-r2-leaf",
    title="The BGP speaker runs as AS 4200000010",
    effect="its 2 sessions are refused by the spines: 32 hosts have no rail 2 in plane b",
    fix="netaudit plan intent/ --where b-su1-r2-leaf -o plan.json",
    devices=("b-su1-r2-leaf",),
    objects=("b-su1-r2-leaf",),
    comparisons=(
        Comparison(
            what="bgp.asn",
            expected="4200000012",
            observed={"running": "4200000010", "saved": "4200000012", "applied": "4200000010"},
            queries=("vtysh show running-config", "gNMI CONFIG_DB DEVICE_METADATA"),
            source=Source(file=INTENT, line=21, column=7, width=20),
            source_text="bgp: {asn_base: 4200000000, keepalive: 3s, hold: 9s, bfd: false}",
            derivation="4200000000 + 16 × 0 + 12, bgp.asn_base and the number of the leaf",
        ),
    ),
    consequences=(
        Consequence(text="2 BGP sessions on 3 devices", count=2, devices=("b-su1-r2-leaf", "b-spine1", "b-spine2")),
    ),
)
MTU = Finding(
    rule="INT-04",
    severity=Severity.WARNING,
    device="a-spine2",
    object="a-spine2:5",
    title="The MTU of 8 ports is 9100",
    effect="frames above 9,100 B are dropped between plane a's leaves; none is sent today",
    fix="netaudit plan intent/ --where a-spine2 -o plan.json",
    devices=("a-spine2",),
    objects=tuple(f"a-spine2:{i}" for i in range(1, 9)),
    comparisons=tuple(
        Comparison(
            what=f"ports.{i}.mtu_bytes",
            expected="9216",
            observed={"running": "9100", "saved": "9216"},
            queries=("eAPI show running-config",),
            derivation="mtu.port",
        )
        for i in range(1, 9)
    ),
)
SPARE = Finding(
    rule="INT-10",
    severity=Severity.INFO,
    device="b-spine1",
    object="b-spine1:40",
    title="A spare port is up",
    effect="none today; a stray cable here becomes a path",
    fix="netaudit plan intent/ --where b-spine1:40 -o plan.json",
    devices=("b-spine1",),
    objects=("b-spine1:40",),
)

CLEAN = AuditResult(
    fabric="tokyo-gpu1",
    intent="intent/",
    started_at=START,
    finished_at=START + timedelta(minutes=4, seconds=12),
    devices=devices(),
    findings=(),
    declared=(
        BlindSpot(what="NIC side of 64 hosts", where="", reason="no collector runs on hosts"),
        BlindSpot(what="headroom watermark", where="eos", reason="the platform has no such counter"),
        BlindSpot(what="applied seed", where="sonic", reason="ASIC_DB does not show it before 202505"),
    ),
    unverifiable=(
        Unverifiable(
            what="far end of host links",
            where=tuple(f"a-su2-r{r}-leaf" for r in range(1, 5)),
            reason="the hosts of su2 send no LLDP",
        ),
    ),
    links=272,
    route_tables=20,
    version="0.1.0",
)
FINDINGS = replace(
    CLEAN,
    findings=(QOS, LINK, SWAP, ASN, MTU, SPARE),
    changed_during=(
        "a-su2-r1-leaf ports.3/1.oper_up: down, then up",
        "a-spine1 bgp.neighbors: Active, then Established",
    ),
    settle_s=30.0,
)
ONE = replace(CLEAN, findings=(QOS,))
WARNINGS = replace(CLEAN, findings=(MTU, SPARE))


def unseen(result: AuditResult) -> AuditResult:
    """The same audit, but b-spine2 did not answer and a-su2-r2-leaf answered in part."""
    gone = {"b-spine2": "not", "a-su2-r2-leaf": "part"}
    return replace(
        result,
        devices=tuple(
            replace(d, audited=gone[d.name], values=d.values // 2 if gone[d.name] == "part" else 0, stores=STORES[:2])
            if d.name in gone
            else d
            for d in result.devices
        ),
        not_audited=(
            NotAudited(
                device="b-spine2",
                what="everything",
                reason="unreachable: TLS certificate ended 2026-11-20, SSH no answer in 10 s",
                effect="its 8 links were seen from the leaves only; either state of the far end passes",
            ),
            NotAudited(
                device="a-su2-r2-leaf", what="applied buffers", reason="no answer in 60 s; all else was audited"
            ),
            NotAudited(device="a-su2-r2-leaf", what="applied qos", reason="no answer in 60 s; all else was audited"),
        ),
    )


NOT_AUDITED = unseen(FINDINGS)
ONLY_UNKNOWN = unseen(CLEAN)

EVIL = "</script><script>alert(1)</script>\u202e\x1b[31mred\" onmouseover='alert(2)'"
HOSTILE = replace(
    unseen(CLEAN),
    fabric=f"f{EVIL}",
    intent=f"intent/{EVIL}",
    devices=(
        replace(
            CLEAN.devices[0], name=f"leaf {EVIL}", model=EVIL, address=EVIL, ports=(("1/1", EVIL), (EVIL, "spare"))
        ),
        *CLEAN.devices[1:],
    ),
    findings=(
        replace(
            QOS,
            rule=f"QOS-02{EVIL}",
            device=f"leaf {EVIL}",
            devices=(f"leaf {EVIL}", "not a device"),
            object=EVIL,
            title=f"Title {EVIL}",
            effect=f"Effect {EVIL}",
            fix=f"netaudit plan {EVIL}",
            objects=(f"leaf {EVIL}:1/1", EVIL),
            comparisons=(
                Comparison(
                    what=EVIL,
                    expected=EVIL,
                    observed={"running": EVIL, EVIL: EVIL},
                    queries=(EVIL,),
                    source=Source(file=EVIL, line=1, column=2, width=3),
                    source_text=EVIL,
                    derivation=EVIL,
                ),
            ),
            consequences=(Consequence(text=EVIL, count=1, devices=(EVIL,)),),
            instruction=EVIL,
        ),
    ),
    not_audited=(NotAudited(device=EVIL, what=EVIL, reason=EVIL, effect=EVIL),),
    declared=(BlindSpot(what=EVIL, where=EVIL, reason=EVIL),),
    unverifiable=(Unverifiable(what=EVIL, where=(EVIL,), reason=EVIL),),
    changed_during=(EVIL,),
    version=EVIL,
)


def large(units: int, broken: Iterable[str] = ()) -> AuditResult:
    """A fabric of 2 planes, 8 rails, 16 spines a plane and that many units; each of `broken` has the QoS finding."""
    made = devices(units, 8, 16)
    findings = tuple(
        replace(QOS, device=name, object=name, devices=(name,), objects=tuple(f"{name}:{i}" for i in range(49, 65)))
        for name in broken
    )
    return replace(CLEAN, devices=made, findings=findings, started_at=START.astimezone(UTC))


def wrong_ca(*devices: str) -> tuple[NotAudited, ...]:
    """What is not audited of switches whose certificate another CA has signed: each question by itself."""
    asked = {
        "running ports": "CONFIG_DB PORT",
        "running qos": "CONFIG_DB QUEUE",
        "applied buffers": "APPL_DB BUFFER_PG",
    }
    why = "gNMI TLS: another CA"
    return tuple(
        NotAudited(device=device, what=what, reason=f"gNMI {table}: {why}", cause=why)
        for device in devices
        for what, table in asked.items()
    )
