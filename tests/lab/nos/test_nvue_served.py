"""A box with Cumulus Linux over real gRPC and SSH, as any client would use it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import grpc
import pytest

from lab.nos import nvue_lab
from lab.sim.client import TIMEOUT_S, Client, refusal, run
from netaudit import gnmi
from netaudit.lab import control

OPER = gnmi.path("interfaces", "interface[name=*]", "state", "oper-status")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    labdir = nvue_lab.write(tmp_path_factory.mktemp("nvue"))
    targets = control.up(labdir, TIMEOUT_S)
    try:
        yield Client(labdir=labdir, targets=json.loads(targets.read_text(encoding="utf-8")))
    finally:
        control.down(labdir)


def stream(mode: int = gnmi.ListMode.STREAM, encoding: int = gnmi.Encoding.JSON) -> list[gnmi.SubscribeRequest]:
    wanted = gnmi.SubscriptionList(
        subscription=[gnmi.Subscription(path=OPER, mode=gnmi.SubscriptionMode.ON_CHANGE)], mode=mode, encoding=encoding
    )
    return [gnmi.SubscribeRequest(subscribe=wanted)]


def refused(running: Client, requests: list[gnmi.SubscribeRequest], name: str = "leaf1") -> tuple[str, str]:
    with pytest.raises(grpc.RpcError) as error:
        list(running.subscribe(name, requests))
    return refusal(error.value)


def test_netmiko_configures_a_box_as_it_would_a_real_one(running: Client) -> None:
    netmiko = pytest.importorskip("netmiko")
    with netmiko.ConnectHandler(
        device_type="cumulus_linux",
        host="127.0.0.1",
        port=running.port("leaf2", "ssh"),
        username="admin",
        password=running.password,
    ) as shell:
        assert shell.find_prompt() == "admin@leaf2:mgmt:~$"
        for line in nvue_lab.lines("leaf2").splitlines():
            assert "Error" not in shell.send_command(line)
        assert "applied [rev_id: 2]" in shell.save_config()
        assert "hostname: leaf2" in shell.send_command("nv config show")


def test_gnmi_is_off_until_it_is_configured_and_then_streams_and_answers_nothing_else(running: Client) -> None:
    assert refused(running, stream())[0] == "UNAVAILABLE"
    with running.ssh("leaf1") as ssh:
        for line in nvue_lab.lines("leaf1").splitlines():
            assert run(ssh, line)[0] == 0
        assert run(ssh, "nv set system gnmi-server state enabled")[0] == 0
        assert run(ssh, "nv config apply -y")[0] == 0
    found = running.subscribe("leaf1", stream())
    told = {gnmi.elems(one.path)[1]: json.loads(one.val.json_val) for one in next(found).update.update}
    assert told["interface[name=swp8]"] == "UP"
    assert told["interface[name=swp2]"] == "DOWN"
    assert next(found).sync_response
    found.close()  # type: ignore[attr-defined]
    assert refused(running, stream(mode=gnmi.ListMode.ONCE)) == ("UNIMPLEMENTED", "no ONCE subscriptions")
    assert refused(running, stream(encoding=gnmi.Encoding.JSON_IETF))[0] == "UNIMPLEMENTED"
    with pytest.raises(grpc.RpcError) as error:
        running.call("leaf1", gnmi.GET, gnmi.GetRequest(path=[OPER]), gnmi.GetResponse)
    assert refusal(error.value) == ("UNIMPLEMENTED", "Get is not implemented")


def test_all_sessions_of_the_lab_are_up(running: Client) -> None:
    assert control.status(running.labdir)["sessions"] == 8
    with running.ssh("leaf1") as ssh:
        code, out, _ = run(ssh, "sudo vtysh -c 'show bgp vrf all neighbors json'")
    assert code == 0
    assert {row["bgpState"] for key, row in json.loads(out)["default"].items() if key.startswith("swp")} == {
        "Established"
    }


def test_files_go_up_and_are_patched_in(running: Client) -> None:
    with running.ssh("leaf1") as ssh:
        with ssh.open_sftp() as sftp, sftp.open("/tmp/a.yaml", "w") as file:
            file.write("- set:\n    system:\n      config:\n        auto-save:\n          state: enabled\n")
        assert run(ssh, "nv config patch /tmp/a.yaml") == (0, "created [rev_id: 3]\n", "")
        assert run(ssh, "nv config apply -y")[0] == 0
        assert run(ssh, "nv config patch /tmp/none.yaml")[0] == 1


def test_an_apply_that_nobody_confirms_goes_back_by_itself(running: Client) -> None:
    with running.ssh("leaf1") as ssh:
        run(ssh, "nv set system hostname trial")
        assert run(ssh, "nv config apply --confirm 1s -y")[0] == 0
        assert run(ssh, "hostname")[1] == "trial\n"
        assert "waits for its confirmation" in run(ssh, "nv config apply -y")[2]
        left = run(ssh, "nv config apply --confirm-status")[1]
        assert "seconds left" in left
        for _ in range(40):
            if run(ssh, "hostname")[1] == "leaf1\n":
                break
            time.sleep(0.1)
        assert run(ssh, "hostname")[1] == "leaf1\n"
