"""The commands of a box: what they change, print and return."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.sim import example
from lab.sim.conftest import Lab
from netaudit.lab.sim.database import read_config

Boot = Callable[..., Lab]
SAVED = "etc/sonic/config_db.json"


def saved(lab: Lab, name: str = "leaf1") -> str:
    return (lab.labdir / "devices" / name / SAVED).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "ls | cat",
        "cat a; rm b",
        "cat a && cat b",
        "cat < a",
        "echo `x`",
        "cat $HOME",
        "cat a > b",
        "cat 'a'; rm b",
        "a\nb",
    ],
)
def test_there_is_no_shell(lab: Lab, line: str) -> None:
    assert lab.run("leaf1", line).code == 2


@pytest.mark.parametrize("line", ["", "sudo", "ls", "sudo reboot", "python3 -c 'print(1)'"])
def test_an_unknown_command_is_not_found(lab: Lab, line: str) -> None:
    done = lab.run("leaf1", line)
    assert (done.code, done.err.endswith("command not found\n")) == (127, True)


def test_what_stands_in_single_quotes_is_one_word(lab: Lab) -> None:
    assert lab.run("leaf1", "vtysh -c 'show bgp | x'").code == 1
    assert lab.run("leaf1", "cat 'unclosed").code == 2


def test_sudo_and_full_paths_change_nothing(lab: Lab) -> None:
    outs = {
        lab.run("leaf1", line).out
        for line in (
            "config list-checkpoints",
            "sudo config list-checkpoints",
            "sudo -n /usr/local/bin/config list-checkpoints",
        )
    }
    assert len(outs) == 1


def test_files_are_copied_moved_hashed_and_removed(lab: Lab) -> None:
    lab.put("leaf1", "/tmp/a", "text\n")
    assert lab.run("leaf1", "cp /tmp/a /tmp/b").code == 0
    assert lab.run("leaf1", "sudo mv /tmp/b /etc/sonic/frr/b").code == 0
    assert lab.run("leaf1", "cat /etc/sonic/frr/b").out == b"text\n"
    digest = hashlib.sha256(b"text\n").hexdigest()
    assert lab.run("leaf1", "sha256sum /etc/sonic/frr/b").out == f"{digest}  /etc/sonic/frr/b\n"
    assert lab.run("leaf1", "test -e /tmp/b").code == 1
    assert lab.run("leaf1", "test -e /etc/sonic/frr/b").code == 0
    assert lab.run("leaf1", "mkdir -p /tmp/x/y").code == 0
    assert lab.run("leaf1", "cp /tmp/a /tmp/x/y").code == 0
    assert lab.run("leaf1", "test -f /tmp/x/y/a").code == 0
    assert lab.run("leaf1", "rm -f /etc/sonic/frr/b").code == 0
    assert lab.run("leaf1", "test -e /etc/sonic/frr/b").code == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("cat /nope", 1),
        ("cat /etc", 1),
        ("cp /nope /tmp/a", 1),
        ("cp /etc/sonic/config_db.json /nope/a", 1),
        ("cp /tmp", 1),
        ("mv /nope /tmp/a", 1),
        ("rm /nope", 1),
        ("rm -f /nope", 0),
        ("rm -f /tmp", 1),
        ("rm -rf /tmp", 0),
        ("rm --what /tmp/a", 1),
        ("sha256sum /nope", 1),
        ("test /tmp", 2),
    ],
)
def test_a_file_command_that_cannot_do_its_work_says_so_with_its_exit_code(lab: Lab, line: str, code: int) -> None:
    done = lab.run("leaf1", line)
    assert (done.code, bool(done.err)) == (code, code != 0)


def test_no_path_leads_out_of_the_box(lab: Lab) -> None:
    outside = lab.labdir / "secret"
    outside.write_text("x", encoding="utf-8")
    assert lab.run("leaf1", "cat /../../secret").code == 1
    (lab.labdir / "devices/leaf1/tmp/link").symlink_to(outside)
    assert (lab.run("leaf1", "cat /tmp/link").out, lab.run("leaf1", "cat /tmp/link").code) == (b"", 1)


def test_the_running_configuration_is_shown_as_it_is_saved(lab: Lab) -> None:
    lab.run("leaf1", "sudo config save -y")
    assert lab.run("leaf1", "show runningconfiguration all").out == saved(lab)
    assert lab.run("leaf1", "hostname").out == "leaf1\n"


def test_a_folder_that_is_in_the_way_is_an_error_not_a_crash(lab: Lab) -> None:
    lab.put("leaf1", "/tmp/a", "x")
    assert lab.run("leaf1", "mkdir -p /tmp/a/b").code == 1


def test_a_version_is_shown(lab: Lab) -> None:
    assert "SONiC Software Version: SONiC.202411" in str(lab.run("leaf1", "show version").out)


# ---------------------------------------------------------------- config


def test_a_patch_is_in_force_and_not_saved_until_it_is(lab: Lab) -> None:
    assert lab.patch("leaf1", ("replace", "/PORT/Ethernet0/mtu", "9000")).code == 0
    assert lab.switch("leaf1").config["PORT"]["Ethernet0"]["mtu"] == "9000"
    assert json.loads(saved(lab))["PORT"]["Ethernet0"]["mtu"] == "9216"
    assert lab.run("leaf1", "sudo config save -y").code == 0
    assert json.loads(saved(lab))["PORT"]["Ethernet0"]["mtu"] == "9000"


def test_a_saved_config_is_read_back_equal(lab: Lab) -> None:
    lab.run("leaf1", "sudo config save -y")
    assert read_config(saved(lab), SAVED) == lab.switch("leaf1").config
    assert lab.switch("leaf1").config["MGMT_INTERFACE"]["eth0|192.0.2.9/24"]["forced_mgmt_routes"] == [
        "198.51.100.0/24"
    ]


def test_a_dry_run_changes_nothing(lab: Lab) -> None:
    lab.put("leaf1", "/tmp/p", [{"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "9000"}])
    done = lab.run("leaf1", "sudo config apply-patch -d /tmp/p")
    assert (done.code, lab.switch("leaf1").config["PORT"]["Ethernet0"]["mtu"]) == (0, "9216")
    lab.put("leaf1", "/tmp/q", [{"op": "remove", "path": "/BUFFER_POOL"}])
    assert lab.run("leaf1", "sudo config apply-patch -d /tmp/q").code == 2


def test_a_refused_patch_ends_as_click_does_and_changes_nothing(lab: Lab) -> None:
    before = lab.switch("leaf1").config
    done = lab.patch("leaf1", ("replace", "/PORT/Ethernet0/mtu", "9000"), ("remove", "/BUFFER_POOL"))
    assert done.code == 2
    assert done.err.startswith("Failed to apply patch due to: ")
    assert done.err.splitlines()[-1].startswith("Error: ")
    assert lab.switch("leaf1").config is before


@pytest.mark.parametrize("command", ["apply-patch", "replace"])
@pytest.mark.parametrize("content", ["{", "", None])
def test_a_patch_that_is_no_json_or_no_file_is_refused(lab: Lab, command: str, content: str | None) -> None:
    if content is not None:
        lab.put("leaf1", "/tmp/p", content)
    done = lab.run("leaf1", f"sudo config {command} /tmp/p")
    assert (done.code, done.err.splitlines()[-1][:7]) == (2, "Error: ")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "frobnicate",
        "apply-patch",
        "apply-patch a b",
        "apply-patch --what /tmp/p",
        "checkpoint",
        "checkpoint ../x",
        "rollback nope",
        "delete-checkpoint nope",
        "reload -y a b",
    ],
)
def test_wrong_usage_ends_with_2(lab: Lab, line: str) -> None:
    done = lab.run("leaf1", f"sudo config {line}")
    assert (done.code, "Error: " in done.err) == (2, True)


def test_a_checkpoint_takes_a_change_back(lab: Lab) -> None:
    before = lab.switch("leaf1").config
    assert lab.run("leaf1", "sudo config checkpoint pre").code == 0
    assert json.loads(lab.run("leaf1", "config list-checkpoints").out) == ["pre"]
    lab.patch("leaf1", ("replace", "/PORT/Ethernet0/mtu", "9000"))
    assert lab.run("leaf1", "sudo config rollback pre").code == 0
    assert lab.switch("leaf1").config == before
    assert lab.run("leaf1", "sudo config delete-checkpoint pre").code == 0
    assert json.loads(lab.run("leaf1", "config list-checkpoints").out) == []


def test_a_rollback_over_a_change_of_the_pools_is_refused(lab: Lab) -> None:
    lab.run("leaf1", "sudo config checkpoint pre")
    lab.put("leaf1", "/tmp/more", {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1"}}})
    assert lab.run("leaf1", "sudo config load -y /tmp/more").code == 0
    assert lab.run("leaf1", "sudo config rollback pre").code == 2


def test_a_replace_takes_the_whole_config(lab: Lab) -> None:
    config = dict(lab.switch("leaf1").config)
    del config["PORT_QOS_MAP"]
    lab.put("leaf1", "/tmp/all", config)
    assert lab.run("leaf1", "sudo config replace /tmp/all").code == 0
    assert "PORT_QOS_MAP" not in lab.switch("leaf1").config


def test_a_load_merges_without_a_word_on_what_is_wrong(lab: Lab) -> None:
    lab.put("leaf1", "/tmp/more", {"PORT": {"Ethernet0": {"mtu": "1"}}, "NONSENSE": {"x": {}}})
    assert lab.run("leaf1", "sudo config load -y /tmp/more").code == 0
    config = lab.switch("leaf1").config
    assert (config["PORT"]["Ethernet0"]["mtu"], config["PORT"]["Ethernet0"]["speed"], config["NONSENSE"]) == (
        "1",
        "400000",
        {"x": {}},
    )
    assert lab.run("leaf1", "sudo config load -y /tmp/nope").code == 0
    lab.put("leaf1", "/tmp/broken", "{")
    assert lab.run("leaf1", "sudo config load -y /tmp/broken").code == 1


@pytest.mark.parametrize("command", ["reload", "load", "save"])
def test_without_yes_nothing_is_done(lab: Lab, command: str) -> None:
    before = lab.switch("leaf1").config
    assert lab.run("leaf1", f"sudo config {command}").code == 1
    assert lab.switch("leaf1").config is before


def test_a_reload_puts_a_file_in_place_of_all_and_adds_what_the_box_knows(lab: Lab) -> None:
    config = example.config("leaf1")
    del config["PORT_QOS_MAP"], config["DEVICE_METADATA"]["localhost"]["mac"]
    lab.put("leaf1", "/tmp/new.json", config)
    assert lab.run("leaf1", "sudo config reload -y -f /tmp/new.json").code == 0
    after = lab.switch("leaf1").config
    assert ("PORT_QOS_MAP" in after, after["DEVICE_METADATA"]["localhost"]["mac"]) == (False, "02:00:00:00:00:01")
    assert json.loads(saved(lab))["PORT_QOS_MAP"]


def test_a_reload_without_a_file_takes_the_saved_one(lab: Lab) -> None:
    lab.patch("leaf1", ("replace", "/PORT/Ethernet0/mtu", "9000"))
    assert lab.run("leaf1", "sudo config reload -y").code == 0
    assert lab.switch("leaf1").config["PORT"]["Ethernet0"]["mtu"] == "9216"


@pytest.mark.parametrize("content", ["{", "[]", '{"PORT": []}', '{"PORT": {"Ethernet0": {"mtu": {}}}}', None])
def test_a_reload_of_a_broken_file_leaves_all_as_it_was(lab: Lab, content: str | None) -> None:
    before = lab.switch("leaf1").config
    if content is not None:
        lab.put("leaf1", "/tmp/new.json", content)
    assert lab.run("leaf1", "sudo config reload -y -f /tmp/new.json").code == 1
    assert lab.switch("leaf1").config is before


def test_a_reload_restarts_routing_from_its_file(lab: Lab) -> None:
    lab.run("leaf1", "vtysh -c 'configure terminal' -c 'no router bgp 4200000000'")
    assert lab.show("leaf1", "show bgp summary json") == {}
    lab.run("leaf1", "sudo config reload -y")
    assert set(lab.states("leaf1").values()) == {"Established"}


@pytest.mark.parametrize("mode", ["separated", ""])
def test_without_split_unified_a_file_of_ours_is_ignored(lab: Lab, mode: str) -> None:
    config = example.config("leaf1")
    config["DEVICE_METADATA"]["localhost"]["docker_routing_config_mode"] = mode
    lab.put("leaf1", "/tmp/new.json", config)
    lab.run("leaf1", "sudo config reload -y -f /tmp/new.json")
    assert lab.show("leaf1", "show bgp summary json") == {}
    assert (lab.labdir / "devices/leaf1/etc/sonic/frr/frr.conf").exists()


def test_the_mode_of_a_patch_counts_from_the_next_restart_of_routing(boot: Boot) -> None:
    lab = boot()
    lab.patch("leaf1", ("replace", "/DEVICE_METADATA/localhost/docker_routing_config_mode", "separated"))
    assert set(lab.states("leaf1").values()) == {"Established"}
    assert lab.run("leaf1", "sudo systemctl restart bgp").code == 0
    assert lab.show("leaf1", "show bgp summary json") == {}


def test_missing_fpm_lines_are_appended_to_the_file_at_a_restart(boot: Boot) -> None:
    text = example.frr_conf("leaf1").replace("no fpm use-next-hop-groups\nfpm address 127.0.0.1\n", "")
    lab = boot({"devices/leaf1/etc/sonic/frr/frr.conf": text})
    file = lab.labdir / "devices/leaf1/etc/sonic/frr/frr.conf"
    assert file.read_text(encoding="utf-8") == f"{text}no fpm use-next-hop-groups\nfpm address 127.0.0.1\n"


def test_flaps_are_counted_where_gcu_takes_a_port_down(lab: Lab) -> None:
    lab.patch("leaf1", ("replace", "/PORT_QOS_MAP/Ethernet0/pfc_enable", "4"))
    assert (lab.switch("leaf1").flaps["Ethernet0"], lab.switch("leaf1").flaps["Ethernet56"]) == (1, 0)


def test_buffermgrd_answers_a_patch_at_once(lab: Lab) -> None:
    lab.patch("leaf1", ("replace", "/PORT_QOS_MAP/Ethernet0/pfc_enable", "3,4"))
    assert lab.switch("leaf1").config["BUFFER_PG"]["Ethernet0|3-4"] == {"profile": "pg_lossless_400000_5m_profile"}


# ---------------------------------------------------------------- vtysh and frr-reload.py


def test_the_running_config_is_shown_as_it_was_loaded(lab: Lab) -> None:
    shown = str(lab.run("leaf1", "sudo vtysh -c 'show running-config'").out).splitlines()
    assert shown[:4] == ["Building configuration...", "", "Current configuration:", "!"]
    assert "hostname leaf1" in shown
    wanted = [line for line in example.frr_conf("leaf1").splitlines() if line != "!"]
    assert [line for line in shown if line in wanted] == wanted
    assert shown[-1] == "end"


@pytest.mark.parametrize(
    "line",
    ["vtysh -c 'show frobnication'", "vtysh -c 'show bgp ipv4 unicast x/y json'", "vtysh", "vtysh -d x", "vtysh -c",
     "vtysh -C -f /etc/frr/nope", "vtysh -f /etc/frr/nope"],
)  # fmt: skip
def test_vtysh_refuses_what_it_does_not_know_with_1(lab: Lab, line: str) -> None:
    assert lab.run("leaf1", line).code == 1


def test_several_commands_give_their_answers_in_a_row(lab: Lab) -> None:
    done = lab.run("leaf1", "vtysh -c 'show version' -c 'show bgp summary json' -c 'nope'")
    assert done.code == 1
    assert str(done.out).startswith("FRRouting ")
    assert str(done.out).endswith("% Unknown command: nope\n")


def test_one_prefix_has_a_shape_of_its_own(lab: Lab) -> None:
    found = lab.show("leaf1", "show bgp ipv4 unicast 10.0.2.0/29 json")
    assert [
        (path["bestpath"]["overall"] if "bestpath" in path else None, path["multipath"]) for path in found["paths"]
    ] == [
        (True, True),
        *[(None, True)] * 3,
    ]
    assert found["paths"][0]["aspath"]["segments"][0]["list"] == [4200100000, 4200000001]
    assert found["paths"][0]["peer"]["interface"] == "Ethernet56"
    assert lab.show("leaf1", "show bgp ipv4 unicast 192.0.2.0/24 json") == {}


def test_a_check_finds_unknown_lines_and_changes_nothing(lab: Lab) -> None:
    before = lab.switch("leaf1").frr
    lab.put("leaf1", "/etc/sonic/frr/new.conf", "hostname a\nnonsense\nrouter bgp 1\n neighbor X activate\n")
    done = lab.run("leaf1", "vtysh -C -f /etc/frr/new.conf")
    assert (done.code, done.err) == (
        2, "line 2: % Unknown command: nonsense\nline 4: % Unknown command: neighbor X activate\n"
    )  # fmt: skip
    assert lab.switch("leaf1").frr is before
    lab.put("leaf1", "/etc/sonic/frr/new.conf", example.frr_conf("leaf1"))
    assert lab.run("leaf1", "sudo vtysh -C -f /etc/frr/new.conf").code == 0


def test_the_container_sees_only_the_files_that_are_mounted_there(lab: Lab) -> None:
    lab.put("leaf1", "/tmp/frr.conf", example.frr_conf("leaf1"))
    assert lab.run("leaf1", "vtysh -C -f /tmp/frr.conf").code == 1
    assert lab.run("leaf1", "vtysh -C -f /etc/sonic/frr/frr.conf").code == 0


def test_a_reload_makes_the_running_config_equal_to_the_file(lab: Lab) -> None:
    assert lab.reload_frr("leaf1", example.frr_conf("leaf1").replace("  network 10.0.1.0/29\n", "")).code == 0
    assert lab.paths("leaf2", "10.0.1.0/29") == []
    assert lab.reload_frr("leaf1", example.frr_conf("leaf1")).code == 0
    assert lab.paths("leaf2", "10.0.1.0/29") != []


def test_a_change_of_the_asn_is_one_reload(lab: Lab) -> None:
    assert lab.reload_frr("leaf1", example.frr_conf("leaf1", asn=4200000077)).code == 0
    assert set(lab.paths("leaf2", "10.0.1.0/29")) == {"4200100000 4200000077"}


def test_a_reload_with_an_unknown_line_does_nothing(lab: Lab) -> None:
    before = lab.switch("leaf1").frr
    done = lab.reload_frr("leaf1", example.frr_conf("leaf1") + "nonsense\n")
    assert (done.code, "% Unknown command: nonsense" in done.err) == (1, True)
    assert lab.switch("leaf1").frr is before


def test_a_reload_with_a_line_that_frr_refuses_takes_the_others(lab: Lab) -> None:
    text = example.frr_conf("leaf1").replace("  maximum-paths 64", "  neighbor NOBODY activate\n  maximum-paths 2", 1)
    done = lab.reload_frr("leaf1", text)
    assert done.code == 1
    assert len(lab.hops("leaf1", "10.0.2.0/29")) == 2


def test_a_test_run_shows_both_sides_and_changes_nothing(lab: Lab) -> None:
    lab.put("leaf1", "/etc/sonic/frr/new", example.frr_conf("leaf1").replace("maximum-paths 64", "maximum-paths 2"))
    done = lab.run("leaf1", "docker exec -i bgp /usr/lib/frr/frr-reload.py --test /etc/frr/new")
    assert done.code == 0
    gone, come = str(done.out).split("Lines To Add")
    assert ("maximum-paths 64" in gone, "maximum-paths 2" in come) == (True, True)
    assert len(lab.hops("leaf1", "10.0.2.0/29")) == 4


def test_a_reload_from_another_file_writes_frr_conf(lab: Lab) -> None:
    lab.put("leaf1", "/etc/sonic/frr/new", example.frr_conf("leaf1").replace("maximum-paths 64", "maximum-paths 2"))
    assert lab.run("leaf1", "docker exec bgp /usr/lib/frr/frr-reload.py --reload /etc/frr/new").code == 0
    written = (lab.labdir / "devices/leaf1/etc/sonic/frr/frr.conf").read_text(encoding="utf-8")
    assert "maximum-paths 2" in written
    lab.run("leaf1", "sudo systemctl restart bgp")
    assert len(lab.hops("leaf1", "10.0.2.0/29")) == 2


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("docker exec bgp /usr/lib/frr/frr-reload.py --reload /etc/frr/nope", 1),
        ("docker exec bgp /usr/lib/frr/frr-reload.py /etc/frr/frr.conf", 2),
        ("docker exec bgp bash", 127),
        ("docker exec swss supervisorctl", 1),
        ("docker ps", 1),
        ("systemctl stop bgp", 1),
        ("show interfaces", 2),
    ],
)
def test_what_is_not_simulated_says_so(lab: Lab, line: str, code: int) -> None:
    done = lab.run("leaf1", line)
    assert (done.code, bool(done.err)) == (code, True)


def test_lines_can_be_added_and_taken_back_one_by_one(lab: Lab) -> None:
    enter = "vtysh -c 'configure terminal' -c 'router bgp 4200000000' -c 'address-family ipv4 unicast'"
    assert lab.run("leaf1", f"{enter} -c 'no network 10.0.1.0/29'").code == 0
    assert lab.paths("leaf2", "10.0.1.0/29") == []
    assert lab.run("leaf1", f"{enter} -c 'network 10.0.1.0/29'").code == 0
    assert lab.paths("leaf2", "10.0.1.0/29") != []
    done = lab.run("leaf1", "vtysh -c 'configure terminal' -c 'router bgp 1'")
    assert (done.code, "BGP is already running; AS is 4200000000" in str(done.out)) == (1, True)


def test_a_loaded_file_adds_its_good_lines_and_ends_as_its_last_bad_one_says(lab: Lab) -> None:
    lab.put("leaf1", "/etc/sonic/frr/more", "nonsense\nip route 192.0.2.0/24 blackhole\nrouter bgp 1\n")
    assert lab.run("leaf1", "vtysh -f /etc/frr/more").code == 13
    assert "192.0.2.0/24" in lab.show("leaf1", "show ip route json")
    lab.put("leaf1", "/etc/sonic/frr/more", "nonsense\n")
    assert lab.run("leaf1", "vtysh -f /etc/frr/more").code == 2


def test_writing_keeps_what_runs_through_a_restart(lab: Lab) -> None:
    lab.run("leaf1", "vtysh -c 'configure terminal' -c 'ip route 192.0.2.0/24 blackhole'")
    assert lab.run("leaf1", "vtysh -c write").code == 0
    lab.run("leaf1", "sudo config reload -y")
    assert "192.0.2.0/24" in lab.show("leaf1", "show ip route json")


def test_nothing_is_left_beside_the_files_that_are_written(lab: Lab) -> None:
    lab.run("leaf1", "sudo config save -y")
    lab.run("leaf1", "vtysh -c write")
    box = lab.labdir / "devices/leaf1"
    assert [path for path in Path(box).rglob(".*") if path.is_file()] == []
