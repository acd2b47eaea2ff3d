"""What of the lab of real FRR needs no lab: rows, frames, routes, texts of outsiders, faults and what it cannot do."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from fabric.made import fabric
from intent.example import small

from netaudit.cli.run import run
from netaudit.diag import Unusable
from netaudit.expect import Expected
from netaudit.lab.frr import lldp, routes, scripts, start
from netaudit.lab.frr.faults import FAULTS
from netaudit.lab.frr.outsiders import configuration, label
from netaudit.lab.frr.redis import Redis
from netaudit.lab.sim.peers import Contact, Outsider
from netaudit.labdir_frr import refuse_unsupported


def test_every_real_fault_is_listed_with_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "faults", "--frr"]) == 0
    printed = capsys.readouterr().out
    for kind, (arguments, _) in FAULTS.items():
        assert f"  {' '.join((kind, *arguments))}  " in printed


def test_configured_is_for_real_switches_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    intent = tmp_path / "fabric.yml"
    intent.write_text(small())
    assert run(["lab", "up", str(intent), "--configured", "--dir", str(tmp_path / "lab")]) == 4
    assert "push to them" in capsys.readouterr().err
    assert not (tmp_path / "lab").exists()


def test_an_intent_with_vlans_is_refused_before_anything_starts() -> None:
    made = Expected(fabric(small(hosts="{nic: cx8, speed: 400G, attach: vlan}")))
    with pytest.raises(Unusable, match="VLANs") as caught:
        refuse_unsupported(made)
    assert "--sim" in caught.value.hint
    refuse_unsupported(Expected(fabric(small())))


def test_two_folders_have_two_tags_and_one_folder_has_one(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert start.tag_of(one) == start.tag_of(tmp_path / "two" / ".." / "one")
    assert start.tag_of(one) != start.tag_of(two)


def test_an_outsider_announces_what_is_its_own_and_passes_nothing_on() -> None:
    one = Outsider(
        name="core1",
        device="core1.example.net",
        asn=64512,
        contacts=(Contact(port="et-0/0/1"),),
        prefixes=("10.160.0.0/16", "fd00:99::/32"),
    )
    lines = configuration(one, {"et-0/0/1": "cable7a"}).splitlines()
    assert " neighbor cable7a interface remote-as external" in lines
    assert lines.count("  neighbor cable7a filter-list OWN out") == 2
    v4, v6 = lines.index(" address-family ipv4 unicast"), lines.index(" address-family ipv6 unicast")
    assert v4 < lines.index("  network 10.160.0.0/16") < v6 < lines.index("  network fd00:99::/32")
    assert label("core 1/a") == "peer.core-1-a"


def test_ipv6_routes_of_several_entries_are_one_route() -> None:
    hop = {"dst": "fd00::/64", "protocol": "bgp", "metric": 20, "gateway": "fe80::1"}
    merged = list(routes.merged([{**hop, "dev": "Ethernet0"}, {**hop, "dev": "Ethernet8"}]))
    assert [[one["dev"] for one in route["nexthops"]] for route in merged] == [["Ethernet0", "Ethernet8"]]


def test_a_host_s_frame_says_who_it_is_and_which_port() -> None:
    frame = lldp.frame(bytes(6), "su1-h1", "nic1p1", 12)
    assert frame[:6].hex() == "0180c200000e"
    assert frame[12:14].hex() == "88cc"
    assert b"\x07su1-h1" in frame
    assert b"\x07nic1p1" in frame
    assert frame.endswith(b"\x00\x00")


def test_the_scripts_of_a_switch_are_good_sh(tmp_path: Path) -> None:
    scripts.write_common(tmp_path / "common", "admin", "a secret", b"key\n")
    names = [tmp_path / "common/etc/start.sh", *(tmp_path / "common/bin").iterdir()]
    for path in names:
        if path.read_text().startswith("#!/bin/sh"):
            assert subprocess.run(("sh", "-n", str(path)), stdin=subprocess.DEVNULL, check=False).returncode == 0, path
    shadow = (tmp_path / "common/etc/shadow").read_text()
    assert "a secret" not in shadow
    assert "admin:$5$" in shadow
    assert (tmp_path / "common/etc/shadow").stat().st_mode & 0o077 == 0


def test_a_redis_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="does not answer"):
        Redis(tmp_path / "none.sock")


def test_a_redis_that_hangs_up_is_told() -> None:
    folder = Path(os.environ.get("TMPDIR", "/tmp"))
    path = folder / "short.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen(1)

        def hang_up() -> None:
            client, _ = server.accept()
            client.recv(10)
            client.sendall(b"*2\r\n+OK")
            client.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        with Redis(path) as redis, pytest.raises(Unusable, match="went away"):
            redis.ask([("PING",)])
        thread.join()
    path.unlink()
