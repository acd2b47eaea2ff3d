"""A box with Cumulus Linux: what its shell takes, shows and refuses, and how it joins a fabric with SONiC spines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lab.nos import nvue_lab
from lab.sim.example import ASNS, LEAVES, SPINES
from netaudit.diag import Invalid
from netaudit.hardware import models, switch
from netaudit.lab.factory import factory_files
from netaudit.lab.factory import nvue as boxes
from netaudit.lab.sim import faults, lldp, rib, views
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nvue.box import Nvue
from netaudit.lab.sim.nos.nvue.cli import NvueCli
from netaudit.lab.sim.nos.nvue.document import Tree, names_of, read
from netaudit.lab.sim.serve import boot_fabric

HASH = "$6$lab$simulated.hash.of.no.password"
MODELS = [model.name for model in models() if model.vendor == "NVIDIA"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """A login on one box."""

    fabric: Fabric
    box: Nvue
    kept: dict[str, Tree]

    def run(self, line: str, code: int = 0) -> str:
        done = NvueCli(self.fabric, self.box, self.kept).run(line)
        assert done.code == code, done
        return (done.out if isinstance(done.out, str) else done.out.decode()) + done.err

    def put(self, text: str) -> str:
        (self.box.folder / "tmp/a.yaml").write_text(text)
        return "/tmp/a.yaml"

    def patch(self, text: str, code: int = 0) -> str:
        return self.run(f"nv config patch {self.put(text)}", code)

    def shown(self) -> dict[str, dict[str, object]]:
        return dict(yaml.safe_load(self.run("nv config show --expand"))[1]["set"])

    def json(self, line: str) -> dict[str, object]:
        return dict(json.loads(self.run(line)))


def shell_of(fabric: Fabric, name: str = "leaf1") -> Shell:
    box = fabric.switches[name]
    assert isinstance(box, Nvue)
    return Shell(fabric=fabric, box=box, kept={"1": box.applied})


@pytest.fixture
def boot(tmp_path: Path) -> Callable[..., Shell]:
    return lambda **changed: shell_of(boot_fabric(nvue_lab.write(tmp_path / "lab", **changed)))


@pytest.fixture
def shell(boot: Callable[..., Shell]) -> Shell:
    return boot()


@pytest.fixture
def fabric(boot: Callable[..., Shell]) -> Fabric:
    """The leaves configured."""
    made = boot().fabric
    for leaf in LEAVES:
        one = shell_of(made, leaf)
        one.patch(nvue_lab.lines(leaf))
        assert one.run("nv config apply -y") == "applied [rev_id: 2]\n"
    return made


@pytest.mark.parametrize("model", MODELS)
def test_every_switch_of_the_maker_has_a_box(tmp_path: Path, model: str) -> None:
    from netaudit.lab.sim.nos import nvue

    files = factory_files("nvue", switch(model), "any", hostname="leaf1", serial="S", mac="02:00:00:00:00:01")
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    box = nvue.boot("leaf1", tmp_path)
    assert box.hostname() == "leaf1"
    assert set(box.facts().ports) == {str(cage.number) for cage in switch(model).cages}
    assert not any(port.enabled for port in box.facts().ports.values())


def test_a_switch_of_another_maker_has_none() -> None:
    with pytest.raises(Invalid, match="runs no Cumulus Linux"):
        factory_files("nvue", switch("arista-7060x6-64pe"), "x", hostname="a", serial="S", mac="02:00:00:00:00:01")


@pytest.mark.parametrize("release", [14, 15, 16, 17, 18])
def test_the_grammar_takes_the_example_that_the_models_of_its_release_take(shared: Path, release: int) -> None:
    from netaudit.lab.sim.nos.nvue import check

    text = (shared / "data/vendor-examples/nvue-5.17-leaf.yaml").read_text()
    _, tree, _ = read(text, modern=True)
    wrong = list(check.problems(tree, modern=release >= 15))
    models_of = pytest.importorskip(f"nvueschema.models.v5_{release}")
    validation = pytest.importorskip("pydantic").ValidationError
    try:
        models_of.NvueConfig(**yaml.safe_load(text)[1]["set"])
        accepted = True
    except validation:
        accepted = False
    assert (not wrong) == accepted


@pytest.mark.parametrize("release", [11, 13, 14, 15, 16, 17, 18])
def test_the_factory_file_is_valid_by_the_models(release: int) -> None:
    models_of = pytest.importorskip(f"nvueschema.models.v5_{release}")
    files = boxes.factory_files(
        switch(nvue_lab.MODEL), "x", hostname="a", serial="S", mac="02:00:00:00:00:01", version=f"5.{release}.0"
    )
    models_of.NvueConfig(**yaml.safe_load(files["etc/nvue.d/startup.yaml"])[1]["set"])


def test_sessions_with_sonic_spines_come_up_and_carry_routes(fabric: Fabric) -> None:
    leaf = fabric.switches["leaf1"]
    found = views.sessions(fabric, leaf)
    assert [(one.key, one.state, one.remote_asn, one.remote_hostname) for one in found] == [
        ("swp5", "Established", ASNS["spine2"], "spine2"),
        ("swp6", "Established", ASNS["spine2"], "spine2"),
        ("swp7", "Established", ASNS["spine1"], "spine1"),
        ("swp8", "Established", ASNS["spine1"], "spine1"),
    ]
    routes = rib.entries(fabric, leaf, "ipv4")["10.0.2.0/29"]
    assert {hop.interface for hop in routes[0].hops} == {"swp5", "swp6", "swp7", "swp8"}
    assert {peer.state for spine in SPINES for peer in views.sessions(fabric, fabric.switches[spine])} == {
        "Established"
    }


def test_lldp_names_the_port_and_the_box(fabric: Fabric) -> None:
    heard = lldp.heard(fabric, fabric.switches["spine1"])["Ethernet0"]
    assert (heard.system_name, heard.port_id, heard.port_subtype) == ("leaf1", "swp8", 5)
    told = shell_of(fabric).json("sudo lldpctl -f json0")
    ports = told["lldp"][0]["interface"]  # type: ignore[index]
    assert ("swp8", "spine1") in {(one["name"], one["chassis"][0]["name"][0]["value"]) for one in ports}
    assert shell_of(fabric).json("nv show interface lldp-detail -o json")["swp8"]


def test_frr_answers_in_its_own_json(fabric: Fabric) -> None:
    shell = shell_of(fabric)
    peers = shell.json("sudo vtysh -c 'show bgp vrf all neighbors json'")["default"]
    assert peers["swp8"]["bgpState"] == "Established"  # type: ignore[index]
    table = shell.json("sudo vtysh -c 'show bgp vrf all ipv4 unicast json'")["default"]
    assert "10.0.2.0/29" in table["routes"]  # type: ignore[index]
    assert shell.json("sudo vtysh -c 'show ip route vrf all json'")["10.0.2.0/29"]
    faults.make(fabric, "bgpd", ["leaf1"])
    assert shell.run("sudo vtysh -c 'show bgp vrf all neighbors json'", code=1) == "bgpd is not running\n"


def test_what_is_set_is_pending_until_it_is_applied(shell: Shell) -> None:
    assert shell.run("nv set interface swp1-3 link mtu 9000") == "created [rev_id: 2]\n"
    assert shell.run("nv set interface swp2 description 'to spine1'") == ""
    assert "swp1" not in shell.shown()["interface"]
    assert shell.run("nv config diff -o commands").splitlines() == [
        "nv set interface swp1 link mtu 9000",
        "nv set interface swp2 link mtu 9000",
        "nv set interface swp2 description 'to spine1'",
        "nv set interface swp3 link mtu 9000",
    ]
    assert shell.run("nv config apply") == "applied [rev_id: 2]\n"
    assert shell.run("nv config diff") == ""
    assert shell.shown()["interface"]["swp2"] == {"description": "to spine1", "link": {"mtu": 9000}}  # type: ignore[index]
    shell.run("nv unset interface swp2 description")
    assert yaml.safe_load(shell.run("nv config diff")) == [{"unset": {"interface": {"swp2": {"description": None}}}}]


def test_interfaces_that_are_alike_are_shown_as_a_range_unless_expanded(shell: Shell) -> None:
    shell.run("nv set interface swp1-3,8 link mtu 9000")
    shell.run("nv config apply -y")
    shown = yaml.safe_load(shell.run("nv config show"))[1]["set"]["interface"]
    assert set(shown) == {"eth0", "swp1-3,8"}
    assert set(shell.shown()["interface"]) == {"eth0", "swp1", "swp2", "swp3", "swp8"}


def test_secrets_are_shown_as_stars_and_kept_as_they_are(shell: Shell) -> None:
    assert HASH not in shell.run("nv config show")
    assert shell.shown()["system"]["aaa"] == {"user": {"cumulus": {"hashed-password": "*", "role": "system-admin"}}}  # type: ignore[index]
    shell.run("nv set system hostname other")
    shell.run("nv config apply -y")
    assert HASH in shell.run("sudo cat /etc/nvue.d/startup.yaml")
    masked = shell.run("sudo sed -E 's/^( *[a-z-]*password: ).+/\\1\"*\"/' /etc/nvue.d/startup.yaml")
    assert 'hashed-password: "*"' in masked
    assert HASH not in masked


def test_a_replace_by_what_is_shown_makes_a_star_of_the_password_as_on_a_switch(shell: Shell) -> None:
    shell.run(f"nv config replace {shell.put(shell.run('nv config show'))}")
    shell.run("nv config apply -y")
    assert HASH not in shell.run("sudo cat /etc/nvue.d/startup.yaml")


def test_an_apply_saves_unless_auto_save_is_off(shell: Shell) -> None:
    shell.run("nv set system hostname one")
    shell.run("nv config apply -y")
    assert "hostname: one" in shell.run("sudo cat /etc/nvue.d/startup.yaml")
    shell.run("nv set system config auto-save state disabled")
    shell.run("nv set system hostname two")
    shell.run("nv config apply -y")
    assert "hostname: one" in shell.run("sudo cat /etc/nvue.d/startup.yaml")
    assert yaml.safe_load(shell.run("nv config diff startup applied"))[0]["set"]["system"]["hostname"] == "two"
    assert shell.run("nv config save") == "saved\n"
    assert "hostname: two" in shell.run("sudo cat /etc/nvue.d/startup.yaml")


def test_an_apply_that_is_not_confirmed_goes_back(shell: Shell) -> None:
    async def unconfirmed() -> None:
        shell.run("nv set system hostname trial")
        shell.run("nv config apply --confirm 1s -y")
        assert shell.box.hostname() == "trial"
        assert "Another config apply waits" in shell.run("nv config apply -y", code=1)
        assert "seconds left" in shell.run("nv config apply --confirm-status")
        await asyncio.sleep(1.1)
        assert shell.box.hostname() == "leaf1"

    asyncio.run(unconfirmed())
    assert "hostname: leaf1" in shell.run("sudo cat /etc/nvue.d/startup.yaml")


@pytest.mark.parametrize(("word", "name"), [("--confirm-yes", "trial"), ("--confirm-no", "leaf1")])
def test_an_apply_on_trial_is_confirmed_or_taken_back_by_a_word(shell: Shell, word: str, name: str) -> None:
    async def decided() -> None:
        shell.run("nv set system hostname trial")
        shell.run("nv config apply --confirm -y")
        assert "hostname: leaf1" in shell.run("sudo cat /etc/nvue.d/startup.yaml")
        shell.run(f"nv config apply {word}")
        assert "There is no config apply" in shell.run(f"nv config apply {word}", code=1)

    asyncio.run(decided())
    assert shell.box.hostname() == name
    assert f"hostname: {name}" in shell.run("sudo cat /etc/nvue.d/startup.yaml")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nv set interface swp1 link mtu 100", "'100' is not a number from 552 to 9216"),
        ("nv set interface swp1 link speed 300G", "'300G' is not one of auto, 10M"),
        ("nv set interface swp1 lnk mtu 9000", "'lnk' is not one of"),
        ("nv set qos mapping default-global dscp 99 switch-priority 3", "'99' is not a number from 0 to 63"),
        ("nv set qos pfc-watchdog robustness 0", "'0' is not a number from 1 to 1000"),
        (
            "nv set qos egress-queue-mapping other switch-priority 0 traffic-class 0",
            "'other' is not one of default-global",
        ),
        ("nv set router bgp autonomous-system", "needs a value"),
        ("nv set interface swp1 ipv4 address 10.0.0.1", "'10.0.0.1' has no length"),
        ("nv set interface swp1 ip address 10.0.0.1/31", "'ip' is not one of"),
        ("nv set router policy prefix-list A rule 10 match 10.0.0.1/24 max-prefix-len 32", "has host bits set"),
        ("nv config frobnicate", "Invalid Command"),
        ("nv frobnicate", "Invalid Command"),
        ("nv config apply 77", "Revision 77 does not exist"),
        ("vtysh", "only -c COMMAND"),
    ],
)
def test_a_command_that_is_wrong_is_refused_and_changes_nothing(shell: Shell, line: str, message: str) -> None:
    assert message in shell.run(line, code=1)
    assert shell.box.pending is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- set:\n    qos:\n      roce:\n        enable: on\n", "qos.roce has no part 'enable'"),
        ("- set:\n    qos:\n      roce:\n        state: on\n", "quote 'on' and 'off'"),
        ("- set: [1]\n", "set holds no tree"),
        ("set: {}\n", "a list of header, set and unset"),
        ("- set:\n    qos: {\n", "not YAML"),
        ("- set:\n    qos: {}\n    qos: {}\n", "duplicate key qos"),
        ("nv set interface swp1 link mtu 9000\nnv set interface swp1 link mtu 1\n", "line 2: nv set interface swp1"),
    ],
)
def test_a_file_that_is_wrong_is_refused_whole(shell: Shell, text: str, message: str) -> None:
    assert message in shell.patch(text, code=1)
    assert shell.box.pending is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nv set qos traffic-pool a memory-percent 60\nnv set qos traffic-pool b memory-percent 50\n", "110 percent"),
        ("nv set interface swp9s1 type swp\n", "swp9 is not split so"),
        ("nv set interface swp90 type swp\n", "the switch has no such port"),
    ],
)
def test_what_contradicts_itself_is_refused_when_it_is_applied(shell: Shell, text: str, message: str) -> None:
    before = shell.box.applied
    shell.patch(text)
    assert message in shell.run("nv config apply -y", code=1)
    assert shell.box.applied is before


def test_releases_before_5_15_have_the_old_words(boot: Callable[..., Shell]) -> None:
    old = """- header:
    model: SN5600
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.14.0
- set:
    interface:
      swp5:
        ip:
          address:
            10.0.0.1/31: {}
        type: swp
    router:
      bgp:
        autonomous-system: 65001
        enable: 'on'
    vrf:
      default:
        router:
          bgp:
            enable: 'on'
            neighbor:
              10.0.0.0:
                remote-as: 65002
"""
    shell = boot(leaf1=old)
    assert "unrecognized" in shell.run("nv config show --expand", code=1)
    assert shell.run("nv config show --expand || nv config show") == shell.run("nv config show")
    assert [one.key for one in views.sessions(shell.fabric, shell.box)] == ["10.0.0.0"]
    assert str(shell.box.facts().addresses["swp5"][0]) == "10.0.0.1/31"
    assert "has no part 'state'" in shell.patch("- set:\n    router:\n      bgp:\n        state: enabled\n", code=1)


def test_the_box_tells_its_serial_number_and_its_ports(fabric: Fabric) -> None:
    shell = shell_of(fabric)
    assert shell.json("nv show platform -o json")["serial-number"] == "MTleaf1"
    ports = shell.json("nv show interface -o json")
    assert ports["swp5"]["link"]["oper-status"] == "up"  # type: ignore[index]
    assert ports["swp1s1"]["link"]["oper-status"] == "down"  # type: ignore[index]


def test_faults_of_bgp_change_what_is_applied_and_are_healed(fabric: Fabric) -> None:
    before = fabric.switches["leaf1"].routing()
    faults.make(fabric, "asn", ["leaf1", "65009"])
    assert "autonomous-system: 65009" in shell_of(fabric).run("nv config show")
    faults.make(fabric, "withdraw", ["leaf1", "10.0.1.0/29"])
    faults.make(fabric, "announce", ["leaf1", "10.77.0.0/24"])
    faults.make(fabric, "typed", ["leaf1", "nv", "set", "qos", "pfc", "default-global", "cable-length", "5"])
    networks = fabric.switches["leaf1"].facts().frr.speakers[""].networks["ipv4"]
    assert set(networks) == {"10.255.0.1/32", "10.77.0.0/24"}
    faults.heal(fabric)
    assert fabric.switches["leaf1"].routing() == before
    assert {one.state for one in views.sessions(fabric, fabric.switches["leaf1"])} == {"Established"}


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("swp1-3,5", ("swp1", "swp2", "swp3", "swp5")),
        ("swp1s0", ("swp1s0",)),
        ("10,20-22", ("10", "20", "21", "22")),
        ("eth0", ("eth0",)),
        ("swp1-99999", ("swp1-99999",)),
    ],
)
def test_a_range_stands_for_its_names(key: str, names: tuple[str, ...]) -> None:
    assert names_of(key) == names


WORDS = st.sampled_from(
    [
        "nv",
        "set",
        "unset",
        "show",
        "config",
        "interface",
        "swp1",
        "swp1-4",
        "link",
        "mtu",
        "9000",
        "-o",
        "json",
        "-r",
        "applied",
        "patch",
        "replace",
        "apply",
        "diff",
        "--confirm",
        "--confirm-yes",
        "qos",
        "roce",
        "mode",
        "lossless",
        "router",
        "bgp",
        "vrf",
        "default",
        "neighbor",
        "peer-group",
        "lo",
        "ipv4",
        "address",
        "10.0.0.1/31",
        "static",
        "policy",
        "prefix-list",
        "rule",
        "10",
        "match",
        "type",
        "sudo",
        "vtysh",
        "-c",
        "lldpctl",
        "-f",
        "json0",
        "cat",
        "/etc/nvue.d/startup.yaml",
        "sed",
        "-E",
        "s/a/b/",
        "rm",
        "''",
        "'",
        '"',
        "=",
        ",",
        "-",
        "/tmp/a.yaml",
        "||",
        "detach",
        "history",
        "--expand",
    ]
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(WORDS | st.text(max_size=5), max_size=10))
def test_no_line_breaks_the_shell(shell: Shell, words: list[str]) -> None:
    if "--confirm" not in words:
        done = NvueCli(shell.fabric, shell.box, shell.kept).run(" ".join(words))
        assert done.code in (0, 1, 2, 127)
        shell.box.facts()


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.sampled_from("- set:\n un{}[]'\"#|>&*!1a,.~"), max_size=60))
def test_no_file_breaks_the_shell(shell: Shell, text: str) -> None:
    done = NvueCli(shell.fabric, shell.box, shell.kept).run(f"nv config patch {shell.put(text)}")
    assert done.code in (0, 1)
