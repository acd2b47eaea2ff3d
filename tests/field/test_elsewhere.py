"""The field cases once more, not on a leaf alone: spines and blocks, numbered links, IPv6 alone, several at once.

Each case keeps its outcome (class and count of findings) wherever it happens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from audit.world import swapped

from field.site import LEAF, audited, put, rules, told_by
from netaudit.diag import Invalid, Severity
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent.waivers import load_waivers
from netaudit.platforms import Answer, Miss, sonic
from netaudit.render import render
from netaudit.state import Failures
from tests.intent.example import problems, read, small

STORAGE = (
    "{storage: {id: 1, model: nvidia-sn5600, platform: sonic, buffers: deep, count: 2, links: 2, speed: 400G,"
    " cable: 320m dr4}}"
)
ONE_PLANE = {"planes": "[a]", "rails": "2", "units": "{su1: {hosts: 2}, su2: {hosts: 2}}", "blocks": STORAGE}


def fabric(**changes: str) -> Expected:
    with TemporaryDirectory() as folder:
        return Expected(build(read(Path(folder), small(**{**ONE_PLANE, **changes}))))


@cache
def unnumbered() -> Expected:
    """One plane with two storage switches, links without addresses."""
    return fabric()


@cache
def numbered() -> Expected:
    """The same, each link a /31."""
    return fabric(addressing="{fabric: numbered, loopbacks: 10.255.0.0/16}")


@cache
def ipv6_only() -> Expected:
    """The same without any IPv4 address."""
    return fabric(addressing='{loopbacks: ["fd00:ff::/48"], hosts: "fd00:10::/32"}')


FABRICS = {"unnumbered": unnumbered, "numbered": numbered, "IPv6 only": ipv6_only}
BLOCK, BLOCK_LEAF, BLOCK_SPINE = "a-storage1", "a-su1-r1-leaf", "a-spine1"
ROLES = {"leaf": BLOCK_LEAF, "spine": BLOCK_SPINE, "block": BLOCK}
every_fabric = pytest.mark.parametrize("make", FABRICS.values(), ids=FABRICS)
every_role = pytest.mark.parametrize("device", ROLES.values(), ids=ROLES)


def lossless_rows(device: str, make: Callable[[], Expected]) -> list[str]:
    """Keys of priority groups 3, in the order of the ports."""
    table = json.loads(told_by(device, make())["BUFFER_PG"].text)
    return [key for key in table if key.endswith("|3")]


@every_fabric
def test_a_fabric_as_it_should_be_has_no_finding_at_all(make: Callable[[], Expected]) -> None:
    result = audited({name: {} for name in make().devices}, expected=make())
    assert (rules(result), result.not_audited, result.exit_code()) == ([], (), 0)


# A01 to A04


@every_role
@every_fabric
def test_a_lossless_group_that_is_gone_is_one_finding_of_its_port(device: str, make: Callable[[], Expected]) -> None:
    key = lossless_rows(device, make)[0]
    result = audited({device: {"BUFFER_PG": put(**{key: None})}}, expected=make())
    assert len(result.findings) == 1, rules(result)
    assert (result.findings[0].severity, result.findings[0].rule) == (Severity.ERROR, "HDR-02")


@pytest.mark.parametrize("device", [BLOCK_SPINE, BLOCK])
def test_lossless_groups_that_are_gone_on_every_port_are_one_finding_of_the_switch(device: str) -> None:
    keys = lossless_rows(device, unnumbered)
    assert len(keys) >= 3
    gone = put(**dict.fromkeys(keys))
    result = audited({device: {"BUFFER_PG": gone}}, expected=unnumbered())
    assert {f.rule for f in result.findings} == {"HDR-02"}
    assert sum(len(f.objects) for f in result.findings) == len(keys)
    assert len(result.findings) <= 2, "one for each kind of port: those to leaves and those to blocks"


@every_role
def test_a_detection_below_the_poll_on_one_port_is_one_finding(device: str) -> None:
    port = next(k for k in json.loads(told_by(device, unnumbered())["PFC_WD"].text) if k != "GLOBAL")
    result = audited({device: {"PFC_WD": put(port, detection_time="100")}}, expected=unnumbered())
    assert len(result.findings) == 1, rules(result)
    assert result.findings[0].rule.startswith("WD-")


@every_role
def test_a_port_that_uses_another_dscp_map_is_one_finding(device: str) -> None:
    port = next(iter(json.loads(told_by(device, unnumbered())["PORT_QOS_MAP"].text)))
    result = audited({device: {"PORT_QOS_MAP": put(port, dscp_to_tc_map="STOCK")}}, expected=unnumbered())
    assert len(result.findings) == 1, rules(result)


@every_role
def test_a_profile_that_marks_late_is_one_finding(device: str) -> None:
    def swapped_thresholds(tree: Any) -> None:
        row = next(iter(tree.values()))
        low, high = row["green_min_threshold"], row["green_max_threshold"]
        row.update(green_min_threshold=high, green_max_threshold=low)

    result = audited({device: {"WRED_PROFILE": swapped_thresholds}}, expected=unnumbered())
    assert [f.rule for f in result.findings] == ["ECN-01"]


# A05 to A07


@every_role
def test_a_port_that_kept_half_of_its_lanes_is_one_finding(device: str) -> None:
    ports = json.loads(told_by(device, unnumbered())["PORT"].text)
    name = next(n for n, row in ports.items() if row["admin_status"] == "up")
    lanes = ports[name]["lanes"].split(",")
    result = audited({device: {"PORT": put(name, lanes=",".join(lanes[: len(lanes) // 2]))}}, expected=unnumbered())
    assert [f.rule for f in result.findings] == ["INT-02"]


@every_role
@pytest.mark.parametrize("value", [None, "none", "N/A"])
def test_fec_that_is_not_rs_on_a_pam4_port_is_one_finding(device: str, value: str | None) -> None:
    ports = json.loads(told_by(device, unnumbered())["PORT"].text)
    name = next(n for n, row in ports.items() if row["admin_status"] == "up")
    result = audited({device: {"PORT": put(name, fec=value)}}, expected=unnumbered())
    assert [f.rule for f in result.findings] == ["INT-03"]


@every_role
def test_mtus_that_are_not_told_are_one_info_and_a_wrong_one_beside_them_one_error(device: str) -> None:
    def half(tree: Any) -> None:
        names = [n for n, row in tree.items() if row.get("admin_status") == "up"]
        for name in names[1:]:
            tree[name]["mtu"] = "0"
        tree[names[0]]["mtu"] = "1500"

    result = audited({device: {"PORT_TABLE": half}}, expected=unnumbered())
    assert sorted((f.rule, str(f.severity)) for f in result.findings)[:1] == [("INT-04", "error")]
    assert {f.rule for f in result.findings} == {"INT-04", "INT-12"}
    assert result.exit_code() == 2


# A08 to A12


def without_policies(text: str, peer: str) -> str:
    return re.sub(rf"^ *neighbor {re.escape(peer)} route-map .*\n", "", text, flags=re.MULTILINE)


def peers(device: str, make: Callable[[], Expected]) -> list[str]:
    summary = json.loads(told_by(device, make())["summary"].text)
    return list(next(iter(summary.values()))["peers"])


@every_role
@every_fabric
def test_a_session_without_either_policy_is_one_finding(device: str, make: Callable[[], Expected]) -> None:
    given, peer = told_by(device, make())["frr"].text, peers(device, make)[0]
    changed = one_peer_without(given, peer)
    result = audited({device: {"frr": changed}}, expected=make())
    assert [f.rule for f in result.findings] == ["BGP-11"], rules(result)


def one_peer_without(text: str, peer: str) -> str:
    """A configuration in which all other sessions keep their policies, wherever those are set."""
    own = without_policies(text, peer)
    if own != text:
        return own
    groups = dict(re.findall(r"neighbor (\S+) (?:interface )?peer-group (\S+)", text))
    group = groups[peer]
    lines = []
    for line in text.splitlines():
        found = re.match(rf" *neighbor {group} route-map (.*)", line)
        if found:
            lines += [
                f"  neighbor {p} route-map {found.group(1)}" for p, g in groups.items() if g == group != p != peer
            ]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


@every_role
@every_fabric
def test_a_speaker_that_runs_without_relax_although_it_is_configured_is_one_finding(
    device: str, make: Callable[[], Expected]
) -> None:
    """The running configuration is right, `show bgp summary` says `"false"`: only the speaker is otherwise."""

    def off(tree: Any) -> None:
        for family in tree.values():
            family["bestPath"] = {"multiPathRelax": "false"}

    result = audited({device: {"summary": off}}, expected=make())
    (finding,) = result.findings
    assert (finding.rule, finding.severity, result.exit_code()) == ("BGP-07", Severity.ERROR, 2)
    assert finding.title.endswith("configured, and not what runs")
    assert [dict(c.observed) for c in finding.comparisons] == [{"running": "yes", "saved": "yes", "state": "no"}]


def test_a_speaker_that_does_not_tell_whether_it_relaxes_is_not_audited_in_that() -> None:
    def untold(tree: Any) -> None:
        for family in tree.values():
            del family["bestPath"]

    result = audited({LEAF: {"summary": untold}})
    assert rules(result) == []
    assert [(n.device, n.what) for n in result.not_audited] == [(LEAF, "state bgp")]


def test_the_evidence_of_a_narrower_route_names_its_ports_and_both_neighbors() -> None:
    def narrow(tree: Any) -> None:
        for entries in tree.values():
            for entry in entries:
                if entry["protocol"] == "bgp":
                    entry["nexthops"] = entry["nexthops"][:1]

    def off(tree: Any) -> None:
        for family in tree.values():
            family["bestPath"] = {"multiPathRelax": "false"}

    result = audited({LEAF: {"route4": narrow, "route6": narrow, "summary": off}})
    (finding,) = result.findings
    routes = [c for c in finding.comparisons if " routes." in c.what]
    assert 1 <= len(routes) <= 3
    assert len(routes[0].expected.partition(" via ")[0].split(", ")) > 1
    assert len(routes[0].observed["state"].partition(" via ")[0].split(", ")) == 1
    assert finding.consequences[0].devices == (LEAF,)


@every_role
@every_fabric
def test_a_session_that_never_opened_is_one_finding(device: str, make: Callable[[], Expected]) -> None:
    def idle(tree: Any) -> None:
        first = next(iter(next(iter(tree.values()))["peers"]))
        for family in tree.values():
            if first in family["peers"]:
                family["peers"][first].update(state="Idle", remoteAs=0)

    result = audited({device: {"summary": idle}}, expected=make())
    assert result.not_audited == ()
    assert [f.rule for f in result.findings if f.rule.startswith("BGP")] == ["BGP-01"]
    assert "BGP-02" not in {f.rule for f in result.findings}


@every_role
@every_fabric
def test_asns_that_a_switch_spells_with_a_dot_are_no_finding(device: str, make: Callable[[], Expected]) -> None:
    def dotted(tree: Any) -> None:
        for family in tree.values():
            family["as"] = spelled(int(family["as"]))
            for peer in family["peers"].values():
                peer["remoteAs"] = spelled(int(peer["remoteAs"]))

    def spelled(number: int) -> str:
        return f"{number >> 16}.{number & 65535}"

    result = audited({device: {"summary": dotted}}, expected=make())
    assert (rules(result), result.not_audited) == ([], ())


# A13 to A15


def test_three_rails_of_a_host_in_a_ring_are_one_finding() -> None:
    expected = fabric(rails="4", units="{su1: {hosts: 4}}", blocks="{}")
    leaves = [f"a-su1-r{r}-leaf" for r in (1, 2, 3)]

    def hears(rail: int) -> Callable[[Any], object]:
        return put("Ethernet0", lldp_rem_sys_name="su1-h1", lldp_rem_port_id=f"nic{rail}p1")

    changes = {leaf: {"LLDP_ENTRY_TABLE": hears(r)} for leaf, r in zip(leaves, (2, 3, 1), strict=True)}
    result = audited(changes, expected=expected)
    assert [f.rule for f in result.findings] == ["CAB-02"]
    assert set(result.findings[0].devices) == set(leaves)
    assert [leaf for leaf in leaves if f"{leaf}:1/1" not in result.findings[0].instruction] == []


def test_two_pairs_of_exchanged_plugs_are_two_findings_and_touch_no_others() -> None:
    result = audited({}, swapped(f"{LEAF}:64", f"{LEAF}:63"), swapped("b-su1-r1-leaf:64", "b-su1-r1-leaf:63"))
    assert sorted(f.rule for f in result.findings) == ["CAB-02", "CAB-02"]


@every_role
def test_a_switch_whose_neighbors_all_send_their_mac_address_has_no_finding(device: str) -> None:
    def macs(tree: Any) -> None:
        for row in tree.values():
            row.update(lldp_rem_port_id="02:00:00:aa:bb:cc", lldp_rem_port_id_subtype="3", lldp_rem_port_desc="")

    result = audited({device: {"LLDP_ENTRY_TABLE": macs}}, expected=unnumbered())
    assert (rules(result), result.not_audited, result.exit_code()) == ([], (), 0)
    assert result.unverifiable != ()


@every_role
def test_a_neighbor_is_the_same_by_its_full_name_in_another_domain(device: str) -> None:
    def far(tree: Any) -> None:
        for row in tree.values():
            row["lldp_rem_sys_name"] = f"{row['lldp_rem_sys_name']}.gpu.dc2.example.org"

    assert rules(audited({device: {"LLDP_ENTRY_TABLE": far}}, expected=unnumbered())) == []


# A16, A17


@every_role
@every_fabric
def test_addresses_and_prefixes_in_other_spellings_are_no_finding(device: str, make: Callable[[], Expected]) -> None:
    def shouted(tree: Any) -> object:
        return {
            key.upper().replace("ETHERNET", "Ethernet").replace("LOOPBACK", "Loopback"): r for key, r in tree.items()
        }

    frr = re.sub(
        r"\bfd00:[0-9a-f:]+",
        lambda m: m.group().upper().replace("FD00:", "FD00:0", 1),
        told_by(device, make())["frr"].text,
    )
    frr = frr.replace("FD00:0:", "FD00::") if "FD00:0:" in frr else frr
    changes = {"INTERFACE": shouted, "LOOPBACK_INTERFACE": shouted, "frr": frr}
    result = audited({device: changes}, expected=make())
    assert (rules(result), result.not_audited) == ([], ())


@every_role
def test_a_switch_that_sends_every_number_as_a_number_has_no_finding(device: str) -> None:
    def number(value: Any) -> Any:
        return (
            int(value)
            if isinstance(value, str) and value.isascii() and value.isdigit() and value == str(int(value))
            else value
        )

    def typed(tree: Any) -> object:
        return {
            key: {f: number(v) for f, v in row.items()} if isinstance(row, dict) else row for key, row in tree.items()
        }

    given = told_by(device, unnumbered())
    tables = [
        q.id for q in sonic.QUERIES if q.transport == "gnmi" and given[q.id].miss is None and q.id != "EEPROM_INFO"
    ]
    result = audited({device: dict.fromkeys(tables, typed)}, expected=unnumbered())
    assert (rules(result), result.not_audited) == ([], ())


# A18 to A20


@every_role
def test_one_answer_that_was_too_large_costs_that_part_and_no_other(device: str) -> None:
    lost = Answer(miss=Miss.FAILED, reason="the answer has 90,000,000 bytes; the limit is 64 MiB")
    result = audited({device: {"BUFFER_PG": lost}}, expected=unnumbered())
    assert rules(result) == []
    assert {n.device for n in result.not_audited} == {device}
    assert "64 MiB" in result.not_audited[0].reason
    assert result.exit_code() == 3


# A23, A24


def test_keys_that_stand_twice_are_refused_in_every_file_of_an_intent(tmp_path: Path) -> None:
    (tmp_path / "waivers.yml").write_text(
        "- {rule: MGT-05, device: a, owner: x, reason: y, until: 2099-01-01, owner: z}\n", encoding="utf-8"
    )
    with pytest.raises(Invalid) as refused:
        load_waivers(tmp_path / "waivers.yml")
    assert "second time" in refused.value.diagnostics[0].message
    rows = "place,asn,asn\na/su1/r1,65001,65002\n"
    assert any("asn" in d.message for d in problems(tmp_path, small(devices="devices.csv"), devices=rows))
    rows = "place,asn\na/su1/r1,65001\na/su1/r1,65002\n"
    assert problems(tmp_path, small(devices="devices.csv"), devices=rows) != ()


@every_role
@every_fabric
def test_a_patch_from_a_changed_switch_back_is_taken_and_gives_what_is_rendered(
    device: str, make: Callable[[], Expected]
) -> None:
    """Addresses gone, an emptied table, a foreign row: the patch is one that GCU takes."""
    from netaudit.lab.sim import gcu

    files = dict(render(make().device(device)))
    database = json.loads(files["config_db.json"])
    running = json.loads(files["config_db.json"])
    address = next(key for key in running["LOOPBACK_INTERFACE"] if "|" in key)
    del running["LOOPBACK_INTERFACE"][address]
    running["SYSLOG_SERVER"] = {"192.0.2.9": {}}
    database["SYSLOG_SERVER"] = running["SYSLOG_SERVER"]
    held = {"config_db.json": json.dumps(running), "frr.conf": files["frr.conf"]}
    owns = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")
    wanted = sonic.candidate(files, held, owns)
    steps = sonic.steps(held, wanted, "r")
    patch = json.loads(next(s.content for s in steps.prepare if s.path.endswith("json-patch")))
    assert [op["op"] for op in patch] == ["add"]
    assert gcu.apply_patch(running, patch).config == json.loads(wanted["config_db.json"])
    assert sonic.equal(wanted, {**files, "config_db.json": json.dumps(database)})


def test_what_the_fabrics_here_are() -> None:
    """The variants mean something only while these differ as they say."""
    six = ipv6_only().routes(BLOCK_LEAF, Failures())
    assert six
    assert all(":" in prefix for _, prefix in six)
    assert all("/" not in peer and "." in peer for peer in peers(BLOCK_LEAF, numbered))
    assert BLOCK in unnumbered().devices
