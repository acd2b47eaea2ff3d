"""Lines of the site's own: rendered as they are, looked for one by one, and refused where an area is ours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netaudit.platforms import eos
from netaudit.platforms.eos.areas import OWNS
from netaudit.platforms.eos.raw import masked
from netaudit.render import render
from netaudit.state import Device, Store
from netaudit.state.walk import Kind, differences
from platforms.example import devices

SNIPPET = """\
! of the people for security
tacacs-server host 192.0.2.9 key 7 0123456789
logging host 192.0.2.8
management ssh
   idle-timeout 60
"""


def with_raw(text: str) -> Device:
    leaf = devices("eos")[0]
    assert leaf.bgp is not None
    return eos.quantize(replace(leaf, bgp=replace(leaf.bgp, raw=text, unmodelled=eos.raw_lines(text))))


def test_a_device_with_the_lines_is_as_it_should_be_whatever_else_it_has() -> None:
    device = with_raw(SNIPPET)
    text = render(device)["eos.cfg"] + "aaa authorization exec default local\n"
    assert SNIPPET in text
    read = eos.read_config({"eos.cfg": text}, device.name)
    found = [d for d in differences(device, read, eos.held(Store.RUNNING, device)) if d.kind is not Kind.EXTRA]
    assert found == []


@pytest.mark.parametrize("line", ["logging host 192.0.2.8\n", "   idle-timeout 60\n"])
def test_a_line_that_is_missing_is_one_difference(line: str) -> None:
    device = with_raw(SNIPPET)
    read = eos.read_config({"eos.cfg": render(device)["eos.cfg"].replace(line, "")}, device.name)
    found = [d for d in differences(device, read, eos.held(Store.RUNNING, device)) if d.kind is not Kind.EXTRA]
    assert [(d.path[:2], d.kind) for d in found] == [(("raw", "lines"), Kind.MISSING)]
    assert found[0].path[2].endswith(line.strip())


def test_another_secret_is_another_line_and_no_secret_is_in_the_state() -> None:
    device = with_raw(SNIPPET)
    assert "0123456789" not in str(device.raw)
    other = render(device)["eos.cfg"].replace("0123456789", "9876543210")
    read = eos.read_config({"eos.cfg": other}, device.name)
    assert "9876543210" not in str(read.raw)
    found = [d for d in differences(device, read, eos.held(Store.RUNNING, device)) if d.kind is Kind.MISSING]
    assert len(found) == 1
    assert "tacacs-server host 192.0.2.9 key <hidden" in found[0].path[2]


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("username admin secret sha512 $6$abc", "$6$abc"),
        ("   neighbor X password 7 abc", "abc"),
        ("snmp-server community public ro", "public"),
        ("ntp authentication-key 1 sha1 7 0123", "0123"),
        ("snmp-server user a b v3 auth sha word priv aes other", "word"),
        ("hostname leaf1", ""),
    ],
)
def test_what_stands_behind_a_word_for_a_secret_is_hidden(line: str, hidden: str) -> None:
    assert hidden == "" or hidden not in masked(line)
    if not hidden:
        assert "hostname" not in line or masked(line) == line


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("router bgp 65001\n   neighbor 192.0.2.1 shutdown\n", "bgp"),
        ("no router bgp 65001\n", "bgp"),
        ("route-map X permit 10\n", "bgp"),
        ("ip prefix-list X\n   seq 10 permit 0.0.0.0/0\n", "bgp"),
        ("ip route 192.0.2.0/24 Null0\n", "bgp"),
        ("interface Ethernet1/1\n   mtu 9000\n", "ports"),
        ("interface Ethernet1/1\n   ip address 192.0.2.1/31\n", "addressing"),
        ("interface Ethernet1/1\n   no priority-flow-control\n", "qos"),
        ("interface Loopback0\n   ip address 192.0.2.1/32\n", "addressing"),
        ("vlan 10\n", "addressing"),
        ("qos map dscp 1 to traffic-class 3\n", "qos"),
        ("platform trident mmu headroom-pool limit bytes 1\n", "buffers"),
        ("no lldp run\n", "lldp"),
    ],
)
def test_a_line_of_an_area_of_ours_is_refused_with_its_number(text: str, area: str) -> None:
    ((number, message, hint),) = eos.raw_problems(f"!\n{text}", OWNS)
    assert number in (2, 3)
    assert f"the area {area}, which is ours" in message
    assert hint
    assert list(eos.raw_problems(text, set(OWNS) - {area})) == []


@pytest.mark.parametrize(
    "text", [SNIPPET, "ip route vrf MGMT 0.0.0.0/0 192.0.2.1\n", "interface Ethernet1/1\n   load-interval 5\n"]
)
def test_other_lines_may_stand(text: str) -> None:
    assert list(eos.raw_problems(text, OWNS)) == []


@pytest.mark.parametrize("text", ["# a comment of a shell\n", "hostname \x07\n", "banner motd\nhello\nEOF\n"])
def test_what_could_not_be_audited_is_refused(text: str) -> None:
    assert len(list(eos.raw_problems(text, OWNS))) >= 1
