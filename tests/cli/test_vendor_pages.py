"""What a person reads of switches that run another NOS than SONiC: no word of SONiC's that is not true there."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from netaudit.checks import check
from netaudit.cli.show import addresses, device, headroom, headrooms, platform, rib
from netaudit.cli.show.explain import explain, explain_data
from netaudit.cli.show.explain_text import explain_page
from netaudit.cli.show.page import View
from netaudit.cli.show.target import target
from netaudit.diag import Invalid, Severity
from netaudit.difference import compare
from netaudit.difference.text import diff_text
from netaudit.expect import Expected
from netaudit.export.containerlab import as_containerlab
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.intent.where import parse
from netaudit.terminal import Style
from tests.cli.showing import REPOSITORY

NAMED = Path("intent/five-nos.yml")
VIEW = View(named=str(NAMED))


def mixed() -> Expected:
    with contextlib.chdir(REPOSITORY):
        return Expected(build(load(NAMED)))


MIXED = mixed()


def explained(where: str, field: str) -> str:
    return " ".join(explain_page(explain(MIXED, target(MIXED, where), field), VIEW).split())


def changed(folder: Path, old: str, new: str) -> Path:
    """The fabric of five NOSes with one text of it changed."""
    text = (REPOSITORY / NAMED).read_text(encoding="utf-8")
    assert old in text
    path = folder / "changed.yml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    try:
        load(path)
    except Invalid as error:
        return [f"{d.source.line if d.source else 0}: {d.message} | {d.hint}" for d in error.diagnostics]
    return []


# ── show explain ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_headroom_of_an_eos_switch_is_that_of_the_whole_switch() -> None:
    shown = explained("m-spine1:62/2", "xoff")
    assert "xoff is 805,180 B" in shown, "the port needs less, and there is one profile for all"
    assert "ingress headroom bytes 805180" in shown
    assert "on eos one queue profile holds for the whole switch" in shown
    assert "bytes at 30 m" in shown, "the derivation is that of the port that needs most"


def test_what_a_nos_holds_otherwise_is_said_with_both_numbers() -> None:
    shown = explained("m-spine1:1", "mtu")
    assert "on eos 9,216 B is asked for, 9,214 B is what it holds" in shown
    assert "unverified 9,214 as the most" in shown


@pytest.mark.parametrize(
    ("where", "field", "says"),
    [
        ("m-spine1", "system.tier", "eos has no place for it: no source shows how EOS is given a seed"),
        ("m-backup1:64/1", "alpha", "nxos has no place for it: the share of the free pool"),
        ("m-backup1:64/1", "length", "on nxos it is no setting of its own: headroom is said in bytes"),
        ("m-row1-r1-leaf", "system.own_routing_files", "on nvue it is no setting of its own"),
    ],
)
def test_a_leaf_without_a_setting_says_why_in_the_words_of_its_platform(where: str, field: str, says: str) -> None:
    shown = explained(where, field)
    assert says in shown
    assert "the device only shows it" not in shown
    found = explain_data(explain(MIXED, target(MIXED, where), field))["platform"]
    assert isinstance(found, dict)
    assert says.partition(":")[0] in str(found["no_setting"])


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("m-storage1:64/1", "headroom is computed by the switch"),
        ("m-row1-r1-leaf:64", "their sizes are the switch's own"),
    ],
)
def test_a_nos_that_computes_headroom_says_so_where_bytes_are_asked_for(where: str, says: str) -> None:
    with pytest.raises(Invalid) as error:
        explain(MIXED, target(MIXED, where), "xoff")
    assert says in error.value.diagnostics[0].hint


@pytest.mark.parametrize(
    ("name", "cage"),
    [
        ("m-spine1:Ethernet1/1", "m-spine1:1"),
        ("m-spine1:Et62/5", "m-spine1:62/2"),
        ("m-storage1:et-0/0/63:0", "m-storage1:64/1"),
        ("m-backup1:Eth1/64/1", "m-backup1:64/1"),
        ("m-row1-r1-leaf:swp1s0", "m-row1-r1-leaf:1/1"),
    ],
)
def test_a_name_of_a_port_is_refused_with_the_cage_it_is_in(name: str, cage: str) -> None:
    with pytest.raises(Invalid) as error:
        target(MIXED, name)
    assert f"`{cage}`" in error.value.diagnostics[0].hint
    with pytest.raises(Invalid) as again:
        parse(name, translate=MIXED.built.port_of)
    assert f"`{cage}`" in again.value.diagnostics[0].hint, "--where and show say the same"


# ── show headroom, addresses, rib, device, platform ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("m-storage1:64/1", "junos computes its own"),
        ("m-storage1:64/1", "cable length 40 m is set, the bytes are the switch's own"),
        ("m-row1-r1-leaf:64", "nvue computes its own"),
        ("m-spine1:62/2", "on eos 805,180 B is set: one queue profile holds for the whole switch"),
        ("m-backup1:64/1", "alpha not set on nxos"),
        ("m-backup1:64/1", "nxos has no tables of a vendor's"),
    ],
)
def test_headroom_says_what_the_device_itself_is_told(where: str, says: str) -> None:
    at = target(MIXED, where)
    assert says in " ".join(headroom.port_page(MIXED, at.device, at.port or "", VIEW).split())


def test_headroom_of_a_sonic_switch_says_nothing_of_its_nos() -> None:
    shown = headroom.port_page(MIXED, "m-archive1", "64/1", VIEW)
    assert "on sonic" not in shown
    assert "computes its own" not in shown


def test_the_page_of_all_headroom_names_each_nos_that_holds_it_otherwise() -> None:
    shown = headrooms.kinds_page(MIXED, tuple(MIXED.devices), VIEW)
    assert [nos for nos in ("nvue", "eos", "junos", "nxos", "sonic") if f"on {nos} " in shown] == [
        "nvue",
        "eos",
        "junos",
        "nxos",
    ]


@pytest.mark.parametrize("name", ["m-spine1", "m-storage1", "m-backup1", "m-row1-r1-leaf", "m-archive1"])
def test_a_page_of_headroom_sends_on_to_a_word_that_is_explained(name: str) -> None:
    port = next(key for key, laid in MIXED.built.ports(name).items() if laid.peer)
    words = headroom.port_page(MIXED, name, port, VIEW).rpartition("show explain ")[2].split()
    assert explain(MIXED, target(MIXED, words[1]), words[2]).value is not None


def test_links_that_have_addresses_because_of_a_nos_are_named_with_the_reason() -> None:
    shown = " ".join(addresses.addresses_page(MIXED, None, VIEW).split())
    assert "but backup-spine: numbered from 10.192.0.0/12; nxos: BGP over link-local addresses" in shown


def test_a_prefix_of_two_devices_is_from_both_of_this_plane() -> None:
    rows = rib.rib_data(MIXED, "m-spine1", "10.220.0.0/16")["routes"]
    assert isinstance(rows, list)
    assert [dict(row)["from"] for row in rows] == ["m-storage1, m-storage2"]


def test_a_box_without_a_hardware_profile_has_no_line_of_it() -> None:
    assert "HWSKU" not in device.device_page(MIXED, target(MIXED, "m-storage1"), VIEW)
    assert "a word of SONiC's" in device.device_page(MIXED, target(MIXED, "m-spine1"), VIEW)
    assert "the model's default" in device.device_page(MIXED, target(MIXED, "m-archive1"), VIEW)


def test_a_gnmi_query_without_a_target_has_no_gap_in_its_name() -> None:
    shown = platform.platform_page(MIXED, target(MIXED, "m-spine1"), VIEW)
    assert "gNMI, 2 paths" in shown
    assert "gNMI ," not in shown
    assert "gNMI  " not in explained("m-spine1:1", "neighbor")


def test_a_topology_for_containerlab_has_names_that_linux_takes_and_says_who_has_no_frr_conf() -> None:
    text = as_containerlab(MIXED.built, tuple(MIXED.devices))
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert any("frr.conf of a switch of SONiC" in line for line in comments)
    assert any(line.startswith("# cabling alone") and "m-spine1" in line for line in comments)
    assert not any("m-archive1" in line for line in comments)
    ends = [end for line in text.splitlines() if "endpoints:" in line for end in line.split('"')[1::2]]
    assert all(end.count(":") == 1 and "/" not in end for end in ends)
    assert {"m-spine1:Ethernet1-1", "m-storage1:et-0-0-63-0", "m-archive1:Ethernet504"} <= set(ends)


# ── diff, where, versions, raw ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("nos", ["sonic", "nxos"])
def test_another_nos_in_place_of_one_is_an_installation_and_no_diff(nos: str, tmp_path: Path) -> None:
    path = changed(tmp_path, "platform: nvue}", f"platform: {nos}}}")
    found = compare(MIXED, Expected(build(load(path))))
    assert found.reinstalled["m-row1-r1-leaf"] == ("nvue", nos)
    text = " ".join("\n".join(diff_text(found, "old", "new", Style())).split())
    assert f"8 devices nvue → {nos}" in text
    assert "installed anew" in text
    assert all(device.platform != nos for device in found.plan.changes if device.name.endswith("leaf"))


def test_a_text_without_a_number_is_no_version(tmp_path: Path) -> None:
    (only,) = problems(changed(tmp_path, "eos: 4.34.1F", "eos: banana"))
    assert only.startswith("19: `banana` is no version of eos | ")
    assert problems(changed(tmp_path, 'sonic: "202411"', "sonic: master")) == []


def test_a_misspelt_platform_of_a_where_is_corrected() -> None:
    with pytest.raises(Invalid) as error:
        parse("role=spine platform=eoss")
    (only,) = error.value.diagnostics
    assert (only.message, only.hint) == ("there is no platform `eoss`", "did you mean `eos`?")


@pytest.mark.parametrize(
    ("where", "line", "says"),
    [
        ("platform=eos role=spine", "ip name-server 192.0.2.1", ""),
        ("role=spine", "ip name-server 192.0.2.1", ""),
        ("m-spine1", "ip name-server 192.0.2.1", ""),
        ("role=spine", "router bgp 1", "touches the area bgp"),
        ("m-backup1", "router bgp 1", "touches the area bgp"),
        ("role=storage", "ip name-server 192.0.2.1", "is no file of configuration lines"),
    ],
)
def test_raw_lines_are_judged_by_the_nos_of_the_devices_they_are_for(
    where: str, line: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / "own.cfg").write_text(f"{line}\n", encoding="utf-8")
    entry = f'raw: [{{where: "{where}", file: own.cfg, owner: me, reason: CHG-1}}]\naddressing:'
    found = problems(changed(tmp_path, "addressing:", entry))
    assert len(found) == (1 if says else 0)
    assert all(says in problem for problem in found)


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (
            "buffers: {shallow: {headroom: dynamic}}",
            "no source says how arista-7060x6-64pe, juniper-qfx5240-64od compute",
        ),
        ("buffers: {shallow: {alpha: 512}}", "alpha 512 is not 1/256 to 128: no switch can be set to it"),
    ],
)
def test_checks_of_a_fabric_without_sonic_say_nothing_of_sonic(extra: str, says: str, tmp_path: Path) -> None:
    path = changed(tmp_path, "platform: sonic", "platform: nvue")
    path.write_text(f"{path.read_text(encoding='utf-8')}{extra}\n", encoding="utf-8")
    found = check(Expected(build(load(path)))).diagnostics
    assert any(says in d.message for d in found)
    assert not [d for d in found if d.severity is Severity.ERROR and "SONiC" in f"{d.message} {d.hint}"]


def test_a_hwsku_of_another_nos_says_that_the_cell_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("place,hwsku\nm/spine/1,ACS-SN5600\n", encoding="utf-8")
    with pytest.raises(Invalid) as error:
        build(load(changed(tmp_path, "addressing:", "devices: own.csv\naddressing:")))
    (only,) = error.value.diagnostics
    assert only.hint.endswith("it is a word of SONiC's, leave the cell empty for eos")


def test_a_port_that_leads_to_an_external_neighbor_is_explained() -> None:
    with contextlib.chdir(REPOSITORY):
        outside = Expected(build(load(Path("intent/three-profiles.yml"))))
    found = explain(outside, target(outside, "t-storage2:1"), "speed")
    assert found.far is not None
    assert found.far.text == "which is not read: an external neighbor"
