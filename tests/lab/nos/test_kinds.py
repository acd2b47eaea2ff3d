"""A lab of several kinds of devices: one that only this folder knows joins links, LLDP, sessions, tables and faults."""

from __future__ import annotations

import json
import os
import ssl
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from paramiko.ssh_exception import NoValidConnectionsError

from lab.nos import mixed
from lab.nos.kinds import toy
from lab.nos.mixed import ASN, TOY
from lab.sim.client import TIMEOUT_S, Client, refusal, run, value_of
from netaudit import gnmi
from netaudit.diag import Invalid
from netaudit.lab import control
from netaudit.lab.sim import faults, lldp, nos, rib, shell, views
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos import Kind, sonic
from netaudit.lab.sim.serve import boot_fabric
from netaudit.lab.sim.switch import Switch

KINDS: tuple[Kind, ...] = (sonic, toy)
DEVICES: tuple[type[Device], ...] = (Switch, toy.Toy)


@pytest.fixture
def fabric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fabric:
    monkeypatch.setattr(nos, "__path__", [*nos.__path__, str(Path(toy.__file__).parent)])
    return boot_fabric(mixed.write(tmp_path / "lab"))


def states(fabric: Fabric, name: str = TOY) -> list[str]:
    return [one.state for one in views.sessions(fabric, fabric.switches[name])]


def hops(fabric: Fabric, name: str, prefix: str) -> set[str]:
    found = rib.entries(fabric, fabric.switches[name], "ipv4").get(prefix, ())
    return {hop.interface for entry in found if entry.protocol == "bgp" for hop in entry.hops}


def test_a_kind_is_there_as_soon_as_its_file_is(fabric: Fabric) -> None:
    assert "toy" in nos.names()
    assert fabric.switches[TOY].facts().position == {"port1": "1", "port2": "2"}


def test_sessions_and_routes_reach_over_a_device_of_another_kind(fabric: Fabric) -> None:
    assert states(fabric) == ["Established", "Established"]
    assert hops(fabric, "leaf1", mixed.LOOPBACK) == {"Ethernet24"}
    assert hops(fabric, TOY, "10.0.2.0/29") == {"port2"}
    table = dict(views.bgp_table(fabric, fabric.switches[TOY], "ipv4"))
    assert [(path.as_path, path.peer) for path in table["10.0.1.0/29"] if path.best] == [((4200000000,), "10.9.1.0")]


def test_each_hears_the_other_by_lldp(fabric: Fabric) -> None:
    heard = lldp.heard(fabric, fabric.switches[TOY])
    assert {native: (said.system_name, said.port_id) for native, said in heard.items()} == {
        "port1": ("leaf1", "etp4"),
        "port2": ("leaf2", "etp4"),
    }
    entry = lldp.neighbors(fabric, fabric.switches["leaf1"])["Ethernet24"]
    assert (entry["lldp_rem_sys_name"], entry["lldp_rem_port_id"], entry["lldp_rem_port_id_subtype"]) == (
        TOY,
        "port1",
        "5",
    )


@pytest.mark.parametrize(
    ("kind", "arguments", "left"),
    [
        ("link", ["toy1:1"], ["Idle", "Established"]),
        ("session", ["toy1:2"], ["Established", "Active"]),
        ("asn", [TOY, "65009"], ["Idle", "Idle"]),
        ("bgpd", [TOY], []),
        ("swap", ["toy1:1", "leaf1:5"], ["Active", "Established"]),
        ("typed", [TOY, "neighbor 10.9.1.0 65009"], ["Idle", "Established"]),
    ],
)
def test_a_fault_of_links_and_sessions_works_for_every_kind_and_is_healed(
    fabric: Fabric, kind: str, arguments: list[str], left: list[str]
) -> None:
    before = fabric.switches[TOY].routing()
    assert states(fabric) == ["Established", "Established"]
    faults.make(fabric, kind, arguments)
    assert states(fabric) == left
    faults.heal(fabric)
    assert states(fabric) == ["Established", "Established"]
    assert fabric.switches[TOY].routing() == before


def test_prefixes_are_withdrawn_and_announced_by_every_kind(fabric: Fabric) -> None:
    faults.make(fabric, "withdraw", [TOY, mixed.LOOPBACK])
    faults.make(fabric, "announce", [TOY, "10.77.0.0/24"])
    assert (hops(fabric, "leaf1", mixed.LOOPBACK), hops(fabric, "leaf1", "10.77.0.0/24")) == (set(), {"Ethernet24"})
    faults.heal(fabric)
    assert hops(fabric, "leaf1", mixed.LOOPBACK) == {"Ethernet24"}


def test_lldp_can_be_silent_and_name_ports_otherwise(fabric: Fabric) -> None:
    faults.make(fabric, "port-id", [TOY, "mac"])
    assert lldp.heard(fabric, fabric.switches["leaf1"])["Ethernet24"].port_id == "02:00:00:00:00:15"
    faults.make(fabric, "lldp-port", ["toy1:1"])
    assert "Ethernet24" not in lldp.heard(fabric, fabric.switches["leaf1"])
    faults.make(fabric, "lldp", [TOY])
    assert lldp.heard(fabric, fabric.switches[TOY]) == {}


def test_a_device_that_lies_about_a_port_says_the_opposite(fabric: Fabric) -> None:
    faults.make(fabric, "lie", ["toy1:1"])
    assert not views.ports(fabric, fabric.switches[TOY])["port1"].up
    assert states(fabric) == ["Established", "Established"]


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        ("mtu", ["toy1:1", "9100"], "toy1 is no SONiC switch"),
        ("pfc", ["toy1:1"], "toy1 is no SONiC switch"),
        ("ecmp", [TOY, "1"], "toy1 is no SONiC switch"),
        ("impostor", [TOY, "leaf1"], "leaf1 is of another kind than toy1"),
        ("typed", [TOY, "abracadabra"], "does not take abracadabra"),
        ("withdraw", [TOY, "10.0.0.0/8"], "toy1 does not originate 10.0.0.0/8"),
    ],
)
def test_a_fault_that_cannot_be_says_why(fabric: Fabric, kind: str, arguments: list[str], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        faults.make(fabric, kind, arguments)


def test_a_sonic_switch_still_runs_its_commands(fabric: Fabric) -> None:
    done = shell.run(fabric, fabric.sonic("leaf1"), "vtysh -c 'show bgp summary json'")
    assert json.loads(done.out)["ipv4Unicast"]["peers"]["10.9.1.1"]["remoteAs"] == ASN
    with pytest.raises(TypeError):
        fabric.sonic(TOY)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    labdir = mixed.write(tmp_path_factory.mktemp("mixed"))
    with pytest.MonkeyPatch.context() as patch:
        tests = str(Path(__file__).parents[2])
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (tests, os.environ.get("PYTHONPATH", "")))))
        targets = control.up(labdir, TIMEOUT_S, module="lab.nos.served")
    try:
        yield Client(labdir=labdir, targets=json.loads(targets.read_text(encoding="utf-8")))
    finally:
        control.down(labdir)


def test_the_status_tells_how_many_of_each_kind_run(running: Client) -> None:
    assert control.status(running.labdir)["platforms"] == "4 sonic, 1 toy"


def test_each_kind_has_its_own_doors(running: Client) -> None:
    found = {name: sorted(target) for name, target in dict(running.targets["targets"]).items()}
    assert found["leaf1"] == ["address", "gnmi_port", "ssh_port"]
    assert found[TOY] == ["address", "gnmi_port", "https_port", "ssh_port"]


def test_commands_run_over_ssh_and_files_go_both_ways(running: Client) -> None:
    with running.ssh(TOY) as ssh:
        assert run(ssh, "peers") == (0, "10.9.1.0 4200000000 Established\n10.9.2.0 4200000001 Established\n", "")
        assert run(ssh, "abracadabra")[0] == 1
        sftp = ssh.open_sftp()
        assert b"hostname toy1" in sftp.open("/toy.conf").read()


def test_a_shell_echoes_runs_and_prompts_as_netmiko_expects(running: Client) -> None:
    netmiko = pytest.importorskip("netmiko")
    with netmiko.ConnectHandler(
        device_type="generic",
        host="127.0.0.1",
        port=running.port(TOY, "ssh"),
        username="admin",
        password=running.password,
    ) as shell:
        assert shell.find_prompt() == "toy1>"
        assert shell.send_command("show").splitlines()[0] == "hostname toy1"
        shell.send_command("address lo 10.255.9.9/32")
        assert "address lo 10.255.9.9/32" in shell.send_command("show")


def ask(running: Client, password: str) -> tuple[int, object]:
    context = ssl.create_default_context(cafile=str(running.targets["ca"]))
    login = b64encode(f"admin:{password}".encode()).decode()
    request = urllib.request.Request(
        f"https://127.0.0.1:{running.port(TOY, 'https')}/api?x=1", headers={"Authorization": f"Basic {login}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S, context=context) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, None


def test_the_api_answers_those_who_are_let_in(running: Client) -> None:
    assert ask(running, running.password) == (200, {"hostname": TOY, "asked": "/api?x=1"})
    assert ask(running, "wrong") == (401, None)


def test_openconfig_is_got_by_key_and_by_wildcard(running: Client) -> None:
    neighbor = ("lldp", "interfaces", "interface[name=port1]", "neighbors", "neighbor[id=1]", "state", "system-name")
    states = ("interfaces", "interface[name=*]", "state", "oper-status")
    instance = ("network-instances", "network-instance[name=default]", "protocols")
    bgp = (*instance, "protocol[identifier=*][name=BGP]", "bgp", "neighbors", "neighbor[neighbor-address=10.9.1.0]")
    request = gnmi.GetRequest(
        path=[gnmi.path(*one) for one in (neighbor, states, (*bgp, "state"))], encoding=gnmi.Encoding.JSON_IETF
    )
    answer = running.call(TOY, gnmi.GET, request, gnmi.GetResponse)
    assert value_of(answer.notification[0]) == "leaf1"
    found = {gnmi.elems(one.path)[1]: json.loads(one.val.json_ietf_val) for one in answer.notification[1].update}
    assert found == {"interface[name=port1]": "UP", "interface[name=port2]": "UP"}
    state = value_of(answer.notification[2])
    assert state["openconfig-network-instance:session-state"] == "ESTABLISHED"
    assert state["openconfig-network-instance:peer-as"] == 4200000000


def test_a_path_to_nothing_is_not_found(running: Client) -> None:
    request = gnmi.GetRequest(path=[gnmi.path("interfaces", "interface[name=port9]")], encoding=4)
    with pytest.raises(grpc.RpcError) as refused:
        running.call(TOY, gnmi.GET, request, gnmi.GetResponse)
    assert refusal(refused.value) == ("NOT_FOUND", "no data at /interfaces/interface[name=port9]")


def test_a_subscription_sends_all_and_then_what_changes(running: Client) -> None:
    path = gnmi.path("interfaces", "interface[name=*]", "state", "oper-status")
    wanted = gnmi.SubscriptionList(
        subscription=[gnmi.Subscription(path=path, mode=gnmi.SubscriptionMode.ON_CHANGE)],
        mode=gnmi.ListMode.STREAM,
        encoding=gnmi.Encoding.PROTO,
    )
    stream = running.subscribe(TOY, [gnmi.SubscribeRequest(subscribe=wanted)])
    assert [one.val.string_val for one in next(stream).update.update] == ["UP", "UP"]
    assert next(stream).sync_response
    control.break_(running.labdir, "link", ["toy1:1"])
    try:
        changed = next(stream).update.update
        assert [(gnmi.elems(one.path)[1], one.val.string_val) for one in changed] == [("interface[name=port1]", "DOWN")]
    finally:
        control.heal(running.labdir)
        stream.close()


def test_a_device_of_another_kind_can_be_made_unreachable(running: Client) -> None:
    control.break_(running.labdir, "unreachable", [TOY])
    try:
        with pytest.raises(NoValidConnectionsError):
            running.ssh(TOY)
    finally:
        control.heal(running.labdir)
    assert ask(running, running.password)[0] == 200
