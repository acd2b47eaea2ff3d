"""netaudit's plugins and tasks in plain Nornir, as a script would use them; and the inventory of the example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from collect.device import Device, running
from nornir.core import Nornir
from nornir.core.inventory import ConnectionOptions, Defaults, Groups, Host, Hosts, Inventory
from nornir.core.plugins.connections import ConnectionPluginRegister
from nornir.core.plugins.inventory import InventoryPluginRegister
from nornir.plugins.inventory import SimpleInventory
from nornir.plugins.runners import ThreadedRunner

from netaudit.collect.secrets import reference
from netaudit.collect.targets import Target
from netaudit.diag import Invalid, Unusable
from netaudit.fabric import Fabric, build
from netaudit.intent import load
from netaudit.nornir.connections import GNMI, SSH, GnmiConnection, SshConnection, target_of
from netaudit.nornir.inventory import NetauditIntent, fabric_targets, inventory, simple_inventory
from netaudit.nornir.tasks import netaudit_collect
from netaudit.platforms import Answer, Query
from netaudit.state import Store

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLE = REPOSITORY / "intent" / "two-plane.yml"
PORT = Query(id="PORT", store=Store.RUNNING, transport="gnmi", target="CONFIG_DB", path=("PORT",))
FRR = Query(id="frr", store=Store.RUNNING, transport="ssh", command="show frr")
ASKED = {"sonic": (PORT, FRR)}


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    with running(tmp_path) as one:
        one.tables["CONFIG_DB", "PORT"] = "{}"
        one.commands["show frr"] = (0, "router bgp 1\n", "")
        yield one


def extras(target: Target) -> dict[str, object]:
    assert target.password is not None
    return {"user": target.user, "password": reference(target.password)}


def nornir(targets: Mapping[str, Target]) -> Nornir:
    hosts = Hosts()
    for name, target in targets.items():
        common = extras(target)
        options = {
            GNMI: ConnectionOptions(port=target.gnmi_port, extras={**common, "ca": str(target.ca)}),
            SSH: ConnectionOptions(port=target.ssh_port, extras={**common, "known_hosts": str(target.known_hosts)}),
        }
        hosts[name] = Host(name=name, hostname=target.address, platform="sonic", connection_options=options)
    ConnectionPluginRegister.auto_register()
    for name, plugin in ((GNMI, GnmiConnection), (SSH, SshConnection)):
        if name not in ConnectionPluginRegister.available:
            ConnectionPluginRegister.register(name, plugin)
    made = Inventory(hosts=hosts, groups=Groups(), defaults=Defaults())
    return Nornir(inventory=made, runner=ThreadedRunner(num_workers=2))


def test_a_script_collects_over_both_connections(device: Device) -> None:
    with nornir({"leaf1": device.target}) as nr:
        result = nr.run(netaudit_collect, queries=ASKED)
    assert not result.failed
    assert result["leaf1"].result == {"PORT": Answer(text="{}"), "frr": Answer(text="router bgp 1\n")}


def test_a_device_in_part_is_no_failure_and_says_what_is_missing(device: Device) -> None:
    with nornir({"leaf1": replace(device.target, gnmi_port=1)}) as nr:
        result = nr.run(netaudit_collect, queries=ASKED)
    assert not result.failed
    assert result["leaf1"].result["PORT"].reason == "gNMI TCP: 127.0.0.1:1: connection refused"


def test_a_silent_device_is_a_failure_with_its_reason(device: Device) -> None:
    with nornir({"leaf1": replace(device.target, gnmi_port=1, ssh_port=2)}) as nr:
        result = nr.run(netaudit_collect, queries=ASKED)
    assert result.failed
    assert "SSH TCP: 127.0.0.1:2: connection refused" in result["leaf1"][0].reason


def test_a_host_of_the_inventory_is_the_target_it_was_made_from(device: Device) -> None:
    host = nornir({"leaf1": device.target}).inventory.hosts["leaf1"]
    assert target_of(host) == device.target


WRONG = {
    "a password as such": ({"password": "hunter2"}, {}),
    "an unknown extra": ({}, {"passwd": "x"}),
    "no hostname": ({"hostname": None}, {}),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("plugin", [GnmiConnection, SshConnection])
def test_wrong_options_are_refused_without_repeating_a_password(what: str, plugin: type) -> None:
    arguments, more = WRONG[what]
    given = {"hostname": "127.0.0.1", "username": None, "password": None, "port": 1, "platform": None, **arguments}
    with pytest.raises(Unusable) as caught:
        plugin().open(**given, extras=more)
    assert "hunter2" not in str(caught.value)


def test_a_connection_that_is_not_open_says_so() -> None:
    for plugin in (GnmiConnection(), SshConnection()):
        plugin.close()
        with pytest.raises(Unusable, match="not open"):
            _ = plugin.connection


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    return build(load(EXAMPLE))


def test_the_inventory_has_every_switch_in_its_groups(fabric: Fabric) -> None:
    made = NetauditIntent(str(EXAMPLE)).load()
    assert set(made.hosts) == set(fabric.devices)
    leaf = made.hosts["a-su1-r3-leaf"]
    assert [g.name for g in leaf.groups] == ["role=leaf", "plane=a", "unit=su1", "platform=sonic"]
    assert leaf.data["place"] == "a/su1/r3"
    assert leaf.hostname == fabric.devices["a-su1-r3-leaf"].management


def test_a_targets_file_takes_the_place_of_management(fabric: Fabric, tmp_path: Path) -> None:
    file = tmp_path / "targets.json"
    rows = {name: {"address": "127.0.0.1", "ssh_port": 2200, "gnmi_port": 5000} for name in fabric.devices}
    file.write_text(json.dumps({"targets": rows, "credentials": {"user": "admin", "password": "env:PW"}}))
    host = NetauditIntent(str(EXAMPLE), str(file)).load().hosts["b-spine2"]
    assert host.get_connection_parameters(SSH).port == 2200
    assert host.get_connection_parameters(GNMI).extras == {"user": "admin", "password": "env:PW"}
    assert (target_of(host).https_port, target_of(host).netconf_port) == (443, 830)


def test_the_ports_of_apis_are_in_the_inventory_where_they_are_unusual(fabric: Fabric, tmp_path: Path) -> None:
    file = tmp_path / "targets.json"
    rows = {n: {"address": "127.0.0.1", "https_port": 4430, "netconf_port": 8300} for n in fabric.devices}
    file.write_text(json.dumps({"targets": rows}))
    targets = fabric_targets(fabric, file)
    for name, text in simple_inventory(fabric, targets).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{kind}.yaml") for kind in ("hosts", "groups", "defaults")]
    host = SimpleInventory(*files).load().hosts["b-spine2"]
    assert target_of(host) == targets["b-spine2"]


def test_an_unusable_intent_is_refused_with_its_problems(tmp_path: Path) -> None:
    (tmp_path / "x.yml").write_text("schema: 1\n")
    with pytest.raises(Invalid):
        NetauditIntent(str(tmp_path / "x.yml")).load()


def test_the_files_of_the_example_are_what_the_intent_gives(fabric: Fabric, request: pytest.FixtureRequest) -> None:
    for name, text in simple_inventory(fabric, fabric_targets(fabric)).items():
        file = REPOSITORY / "inventory" / name
        if request.config.getoption("--update"):
            file.write_text(text, encoding="utf-8")
        assert file.read_text(encoding="utf-8") == text, f"inventory/{name} is old: pytest --update"


def test_simple_inventory_reads_the_same_hosts_from_the_files(fabric: Fabric, tmp_path: Path) -> None:
    targets = fabric_targets(fabric)
    for name, text in simple_inventory(fabric, targets).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{kind}.yaml") for kind in ("hosts", "groups", "defaults")]
    assert SimpleInventory(*files).load().dict() == inventory(fabric, targets).dict()


def test_the_plugins_are_entry_points_of_the_package() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text()
    for name, where in {
        "NetauditIntent": "netaudit.nornir.inventory:NetauditIntent",
        GNMI: "netaudit.nornir.connections:GnmiConnection",
        SSH: "netaudit.nornir.connections:SshConnection",
    }.items():
        assert f'{name} = "{where}"' in text
    assert InventoryPluginRegister.available is not None


def test_no_secret_is_in_the_inventory(fabric: Fabric, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETAUDIT_USER", "hunter2")
    texts = simple_inventory(fabric, fabric_targets(fabric))
    assert "hunter2" not in "".join(texts.values())
    assert 'password: "keyring:netaudit"' in texts["defaults.yaml"]
