"""A simulated box with Junos: what is in force, candidates, locks, commits that wait, and what routing makes of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import cast

import pytest

from lab.nos import junos_lab
from netaudit.diag import Invalid
from netaudit.lab.sim import faults, lldp, rib, views
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.junos import policy, text
from netaudit.lab.sim.nos.junos.box import JunosBox, Login
from netaudit.lab.sim.nos.junos.cli import JunosCli
from netaudit.lab.sim.nos.junos.netconf import Session
from netaudit.lab.sim.nos.junos.policy import Own
from netaudit.lab.sim.nos.junos.schema import Refusal
from netaudit.lab.sim.nos.junos.tree import Tree
from netaudit.lab.sim.serve import boot_fabric
from netaudit.platforms.junos.ask import CONFIGURATION, PREVIOUS, QUERIES


@pytest.fixture
def fabric(tmp_path: Path) -> Fabric:
    """Four boxes as they were racked, then configured."""
    made = boot_fabric(junos_lab.write(tmp_path / "lab"))
    for name in made.switches:
        box(made, name).typed(junos_lab.configuration(name))
        box(made, name).changed = made.changed
    return made


def box(fabric: Fabric, name: str = "leaf1") -> JunosBox:
    return cast(JunosBox, fabric.switches[name])


def cli(fabric: Fabric, name: str = "leaf1") -> JunosCli:
    return JunosCli(fabric, box(fabric, name))


def said(session: JunosCli, *lines: str) -> str:
    """What the last of some lines prints."""
    out = ""
    for line in lines:
        out = str(session.run(line).out)
    return out


def changed(one: JunosBox, login: Login, lines: str) -> None:
    tree = one.edited(login).copy()
    assert text.load_set(tree, lines) == []
    one.put_candidate(login, tree)


def test_sessions_are_discovered_at_both_ends_and_carry_routes(fabric: Fabric) -> None:
    for name in fabric.switches:
        assert [one.state for one in views.sessions(fabric, fabric.switches[name])] == ["Established"] * 2, name
    table = dict(views.bgp_table(fabric, box(fabric), "ipv4"))
    assert {path.as_path for path in table["198.51.100.2/31"]} == {(65001, 65102), (65002, 65102)}
    hops = {
        hop.interface for entry in rib.entries(fabric, box(fabric), "ipv4")["198.51.100.2/31"] for hop in entry.hops
    }
    assert hops == {"et-0/0/62", "et-0/0/63"}


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("delete protocols router-advertisement interface et-0/0/62.0", ["Established"]),
        ("delete interfaces et-0/0/62 unit 0 family inet6", ["Idle", "Established"]),
        ("set interfaces et-0/0/62 disable", ["Idle", "Established"]),
        ("set interfaces et-0/0/62 speed 400g", ["Idle", "Established"]),
        ("set policy-options as-list OTHERS members 65009\ndelete policy-options as-list OTHERS members 65001", None),
        ("deactivate protocols bgp group FABRIC", []),
    ],
)
def test_what_a_session_needs_is_needed(fabric: Fabric, line: str, left: list[str] | None) -> None:
    box(fabric).typed(line)
    fabric.changed()
    states = [one.state for one in views.sessions(fabric, box(fabric))]
    assert states == (["Established"] * 2 if left is None else left)


def test_lldp_sends_the_number_of_a_port_until_it_is_told_to_send_its_name(fabric: Fabric) -> None:
    assert lldp.heard(fabric, box(fabric))["et-0/0/62"].port_id == "et-0/0/0"
    box(fabric, "spine1").typed("delete protocols lldp port-id-subtype")
    fabric.changed()
    heard = lldp.heard(fabric, box(fabric))["et-0/0/62"]
    assert (heard.port_id, heard.port_subtype, heard.port_description) == ("501", 7, "et-0/0/0")
    box(fabric, "spine1").typed("set protocols lldp interface et-0/0/0 disable")
    fabric.changed()
    assert set(lldp.heard(fabric, box(fabric))) == {"et-0/0/0", "et-0/0/63"}


def test_a_split_cage_has_sub_ports_in_place_of_itself(fabric: Fabric) -> None:
    box(fabric).typed("set interfaces et-0/0/4 number-of-sub-ports 2\nset interfaces et-0/0/4 speed 400g")
    ports = box(fabric).facts().ports
    assert [(ports[key].native, ports[key].speed, ports[key].lanes) for key in ("5/1", "5/2")] == [
        ("et-0/0/4:0", "400000", 4),
        ("et-0/0/4:1", "400000", 4),
    ]
    assert "5" not in ports


def test_vrfs_vlans_and_numbered_neighbors_are_understood(fabric: Fabric) -> None:
    box(fabric).typed(
        """set interfaces et-0/0/7 unit 0 family inet address 10.9.0.0/31
        set routing-instances storage instance-type virtual-router
        set routing-instances storage interface et-0/0/7.0
        set routing-instances storage routing-options autonomous-system 65000.1
        set routing-instances storage protocols bgp group X neighbor 10.9.0.1 peer-as 65009
        set interfaces et-0/0/8 unit 0 family ethernet-switching vlan members V1000
        set interfaces irb unit 1000 family inet address 10.8.0.1/24
        set vlans V1000 vlan-id 1000 l3-interface irb.1000
        set routing-options rib inet6.0 static route 2001:db8::/32 discard"""
    )
    facts = box(fabric).facts()
    assert (facts.vrfs, facts.bound) == (frozenset({"storage"}), {"et-0/0/7": "storage"})
    assert facts.members == {"irb.1000": ("et-0/0/8",)}
    speaker = facts.frr.speakers["storage"]
    assert (speaker.asn, list(speaker.peers), speaker.peers["10.9.0.1"].remote) == (
        65000 * 65536 + 1,
        ["10.9.0.1"],
        "65009",
    )
    assert "2001:db8::/32" in {static.prefix for static in facts.frr.statics}


POLICY = """set policy-options policy-statement ONE term A from protocol bgp
set policy-options policy-statement ONE term A then accept
set policy-options policy-statement ONE term B from protocol [ direct static ]
set policy-options policy-statement ONE term B from route-filter 10.0.0.0/8 prefix-length-range /24-/25
set policy-options policy-statement ONE term B then accept
set policy-options policy-statement ONE term C then reject
set policy-options policy-statement TWO term A from route-filter 10.1.0.0/16 orlonger
set policy-options policy-statement TWO term A then accept
set policy-options policy-statement TWO term B then reject"""


@pytest.mark.parametrize(
    ("names", "told", "learned"),
    [
        ([], [], True),
        (["ONE"], ["10.1.0.0/24", "10.2.0.0/25"], True),
        (["( ONE && TWO )"], ["10.1.0.0/24"], False),
        (["TWO"], ["10.1.0.0/24", "10.1.1.0/31"], False),
        (["GONE"], [], True),
        (["GONE", "TWO"], ["10.1.0.0/24", "10.1.1.0/31"], False),
    ],
)
def test_policies_decide_by_protocol_and_length_and_all_of_an_expression_must_agree(
    names: list[str], told: list[str], learned: bool
) -> None:
    root = Tree()
    assert text.load_set(root, POLICY) == []
    own = tuple(Own(prefix=p, protocol="direct") for p in ("10.1.0.0/24", "10.1.1.0/31", "10.2.0.0/25", "192.0.2.0/24"))
    chain = policy.chain(root, names)
    assert list(policy.told(chain, own, "ipv4")) == told
    out = policy.exported(chain, own, "ipv4")
    assert [p for p in (one.prefix for one in own) if policy.permits(out, p)] == told
    assert policy.permits(out, "172.16.0.0/24") is learned
    assert policy.permits(out, "10.1.9.0/28")


def test_a_commit_that_nobody_confirms_is_taken_back(fabric: Fabric) -> None:
    one, login = box(fabric), Login(user="admin", client="netconf")
    one.minute_s = 0.01
    before = one.active

    async def work() -> None:
        changed(one, login, "set interfaces et-0/0/62 mtu 4000")
        one.commit(login, minutes=1)
        assert (one.active.value("interfaces", "et-0/0/62", "mtu"), one.commits[0].comment) == (
            "4000",
            "commit confirmed, rollback in 1mins",
        )
        await asyncio.sleep(0.1)

    asyncio.run(work())
    assert text.same(one.active, before)
    assert [(commit.user, commit.comment) for commit in one.commits[:2]] == [
        ("root", ""),
        ("admin", "commit confirmed, rollback in 1mins"),
    ]


def test_a_second_commit_confirms_the_first(fabric: Fabric) -> None:
    one, login = box(fabric), Login(user="admin", client="netconf")
    one.minute_s = 0.01

    async def work() -> None:
        changed(one, login, "set interfaces et-0/0/62 mtu 4000")
        one.commit(login, minutes=1)
        one.commit(login)
        await asyncio.sleep(0.1)

    asyncio.run(work())
    assert one.active.value("interfaces", "et-0/0/62", "mtu") == "4000"
    assert "mtu 4000;" in (one.folder / "config/juniper.conf").read_text()


def test_one_login_at_a_time_has_the_database_for_itself(fabric: Fabric) -> None:
    one, mine, other = box(fabric), Login(user="a", client="cli"), Login(user="b", client="netconf")
    one.lock(mine)
    with pytest.raises(Refusal, match="configuration database locked by"):
        one.lock(other)
    with pytest.raises(Refusal, match="locked by"):
        one.commit(other)
    changed(one, mine, "set interfaces et-0/0/62 mtu 4000")
    one.unlock(mine)
    assert not one.is_modified()
    changed(one, other, "set interfaces et-0/0/62 mtu 5000")
    with pytest.raises(Refusal, match="configuration database modified"):
        one.lock(mine)


def test_a_refused_commit_changes_nothing(fabric: Fabric) -> None:
    one, login = box(fabric), Login(user="a", client="cli")
    before, count = one.active, len(one.commits)
    changed(one, login, "set protocols bgp group FABRIC import GONE")
    with pytest.raises(Refusal, match="GONE referenced but not defined"):
        one.commit(login)
    assert (one.active, len(one.commits)) == (before, count)


def test_earlier_commits_can_be_had_back(fabric: Fabric) -> None:
    one, login = box(fabric), Login(user="a", client="cli")
    for mtu in (4000, 5000):
        changed(one, login, f"set interfaces et-0/0/62 mtu {mtu}")
        one.commit(login)
    one.back_to(login, 1)
    assert one.edited(login).value("interfaces", "et-0/0/62", "mtu") == "4000"
    with pytest.raises(Refusal, match=r"juniper.conf.40.gz: No such file"):
        one.back_to(login, 40)


def test_configuration_mode_of_the_cli(fabric: Fabric) -> None:
    session = cli(fabric)
    assert session.prompt() == "admin@leaf1> "
    assert said(session, "configure") == "Entering configuration mode\n"
    assert session.prompt() == "\r\n[edit]\r\nadmin@leaf1# "
    assert said(session, "edit interfaces et-0/0/62", "set mtu 4000", "show | compare") == (
        "[edit interfaces et-0/0/62]\n-   mtu 9216;\n+   mtu 4000;\n"
    )
    assert session.prompt() == "\r\n[edit interfaces et-0/0/62]\r\nadmin@leaf1# "
    assert "syntax error" in said(session, "set prioritty 3")
    assert said(session, "top", "commit check") == "configuration check succeeds\n"
    assert said(session, "exit") == "The configuration has been changed but not committed\n"
    assert session.prompt().startswith("Exit with uncommitted changes?")
    said(session, "no")
    assert said(session, "commit comment because") == "commit complete\n"
    assert said(session, "run show system commit").splitlines()[1] == "    because"
    assert said(session, "rollback 1", "commit and-quit").endswith("Exiting configuration mode\n")
    assert session.prompt() == "admin@leaf1> "
    assert session.run("exit").ends


def test_a_refused_commit_of_the_cli_names_level_and_reason(fabric: Fabric) -> None:
    session = cli(fabric)
    out = said(session, "configure", "set protocols bgp group FABRIC import GONE", "commit")
    assert out.startswith("[edit protocols bgp group FABRIC]\n  'GONE'\n    Policy error: Policy GONE")
    assert out.endswith("error: configuration check-out failed\n")


def test_pipes_of_the_cli(fabric: Fabric) -> None:
    session = cli(fabric)
    assert said(session, "show configuration system host-name | display set") == ""
    assert said(session, "show configuration | display set | match host-name") == "set system host-name leaf1\n"
    assert said(session, "show configuration | display set | match mtu | count") == "Count: 2 lines\n"
    assert json.loads(said(session, "show version | display json"))["software-information"][0]["host-name"] == [
        {"data": "leaf1"}
    ]
    assert said(session, "show version | display xml").startswith("<rpc-reply")
    assert "syntax error" in said(session, "show version | frobnicate")
    assert "unknown command" in said(session, "frobnicate")
    assert "syntax error" in said(session, "show frobnicate")


def test_secrets_stay_on_the_switch_when_its_configuration_is_asked_for(fabric: Fabric) -> None:
    box(fabric).typed(
        'set snmp community s3cret\nset system tacplus-server 192.0.2.9 secret "$9$s3cret"\n'
        "set system ntp server 192.0.2.8\nset policy-options community C members 6:1"
    )
    for query in (q for q in QUERIES if q.id in (CONFIGURATION, PREVIOUS)):
        session = cli(fabric)
        said(session, "configure", "commit", "exit")
        lines = said(session, query.command).splitlines()
        assert not [line for line in lines if "s3cret" in line or "$6$" in line]
        assert {"set system ntp server 192.0.2.8", "set policy-options community C members 6:1"} <= set(lines)
        assert "set system host-name leaf1" in lines


def test_every_show_command_has_a_table_for_people_json_and_xml(fabric: Fabric) -> None:
    session = cli(fabric)
    for command in ("version", "chassis hardware", "interfaces terse", "lldp neighbors", "bgp summary", "bgp neighbor"):
        plain = said(session, f"show {command}")
        assert plain
        assert "error" not in plain
        assert json.loads(said(session, f"show {command} | display json"))
    for words in ("et-0/0/62", "spine1"):
        assert words in said(session, "show lldp neighbors")
    assert "AS path: 65001 65102 I" in said(session, "show route protocol bgp")
    assert "up" in said(session, "show interfaces terse | match et-0/0/62")


def rpc(inside: str) -> bytes:
    return f'<rpc message-id="7" xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">{inside}</rpc>'.encode()


def test_requests_that_are_none_are_answered_and_end_nothing(fabric: Fabric) -> None:
    session = Session(fabric, box(fabric), Login(user="a", client="netconf"))
    for request in (b"", b"<rpc", b"\xff\xfe", rpc(""), rpc("<frobnicate/>"), rpc("<load-configuration/>")):
        answer = session.answer(request)
        assert answer is not None
        assert b"<rpc-error>" in answer
    assert not session.closed
    answer = session.answer(rpc("<commit-configuration><check/></commit-configuration>"))
    assert answer is not None
    assert b"commit-check-success" in answer


def test_a_netconf_session_that_ends_leaves_nothing_behind(fabric: Fabric) -> None:
    one = box(fabric)
    session = Session(fabric, one, Login(user="a", client="netconf"))
    lines = "<configuration-set>set interfaces et-0/0/62 mtu 4000</configuration-set>"
    session.answer(rpc("<lock-configuration/>"))
    session.answer(rpc(f'<load-configuration action="set" format="text">{lines}</load-configuration>'))
    assert one.is_modified()
    session.end()
    assert (one.is_modified(), one.locked_by) == (False, None)


def test_faults_of_every_kind_work_on_junos_and_are_healed(fabric: Fabric) -> None:
    before = {name: box(fabric, name).active for name in fabric.switches}
    for kind, arguments in (
        ("asn", ["spine1", "65009"]),
        ("withdraw", ["leaf1", "198.51.100.0/31"]),
        ("announce", ["leaf2", "203.0.113.0/24"]),
        ("typed", ["leaf1", "set interfaces et-0/0/62 mtu 4000"]),
        ("swap", ["leaf1:63", "leaf2:63"]),
    ):
        faults.make(fabric, kind, arguments)
    assert "198.51.100.0/31" not in dict(views.bgp_table(fabric, box(fabric, "spine2"), "ipv4"))
    assert "203.0.113.0/24" not in dict(views.bgp_table(fabric, box(fabric, "leaf2"), "ipv4"))  # its policy says hosts
    faults.heal(fabric)
    assert {name: box(fabric, name).active for name in fabric.switches} == before
    with pytest.raises(Invalid, match="syntax error"):
        faults.make(fabric, "typed", ["leaf1", "set nonsense"])


def test_a_broken_file_is_no_box_and_says_which(tmp_path: Path) -> None:
    labdir = junos_lab.write(tmp_path / "lab")
    (labdir / "devices/leaf1/config/juniper.conf").write_text("interfaces { et-0/0/0 { mtu 99999; } ")
    with pytest.raises(Invalid, match=r"juniper.conf: number: '99999'"):
        boot_fabric(labdir)
