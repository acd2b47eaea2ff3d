"""Text of the site's own in frr.conf: every line of it is found again, and none may touch what is ours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netaudit.platforms import platform
from netaudit.platforms.sonic import raw_lines, raw_problems
from netaudit.render import render
from netaudit.state import Bgp, Device, Store
from netaudit.state.walk import differences
from platforms.example import devices

TEXT = (
    "! owner: secops\nip nht resolve-via-default\nline vty\n exec-timeout 5 0\nexit\n!\nip route 10.9.0.0/16 10.0.0.1"
)
LINES = frozenset({"ip nht resolve-via-default", "line vty", "exec-timeout 5 0", "ip route 10.9.0.0/16 10.0.0.1"})
ALL = ("ports", "addressing", "bgp")


def with_raw(device: Device) -> Device:
    return replace(device, bgp=replace(device.bgp or Bgp(), raw=TEXT, unmodelled=raw_lines(TEXT)))


def test_comments_and_ends_of_blocks_are_no_lines_that_a_device_must_have() -> None:
    assert raw_lines(TEXT) == LINES


def test_text_of_the_sites_own_stands_last_and_as_it_was_written() -> None:
    for device in devices():
        sonic = platform("sonic")
        plain, text = (render(sonic.quantize(d))["frr.conf"] for d in (device, with_raw(device)))
        assert text == f"{plain}{TEXT}\n"


def test_the_contract_holds_with_it_and_each_line_that_goes_is_seen() -> None:
    sonic = platform("sonic")
    for device in devices():
        expected = sonic.quantize(with_raw(device))
        files = render(expected)
        held = sonic.held(Store.RUNNING, expected)
        assert list(differences(expected, sonic.read_config(files, device.name), held)) == []
        for line in LINES:
            less = {**files, "frr.conf": files["frr.conf"].replace(f"{line}\n", "", 1)}
            found = list(differences(expected, sonic.read_config(less, device.name), held))
            assert [(d.path, d.observed) for d in found] == [(("bgp", "unmodelled"), LINES - {line})]


@pytest.mark.parametrize(
    "line",
    [
        "router bgp 65001",
        "router bgp 65001 vrf storage",
        "router bg 65001",
        "no router bgp",
        "address-family ipv4 unicast",
        "neighbor FABRIC allowas-in 1",
        "route-map FABRIC-IN permit 30",
        "ip prefix-list X seq 5 permit 10.0.0.0/8",
        "ipv6 prefix-list X description mine",
        "ip route 10.0.0.0/8 blackhole",
        "ipv6 route fd00::/8 Null0",
        "ip route ten blackhole",
        "frr defaults traditional",
        "interface Ethernet0",
        "log syslog informational",
        "# a comment",
        "banner \x1b[2J",
    ],
)
def test_a_line_of_ours_or_one_that_is_not_read_back_is_refused(line: str) -> None:
    assert [number for number, _, _ in raw_problems(f"line vty\n{line}\n", ALL)] == [2]


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "router ospf\n network 10.0.0.0/8 area 0\n neighbor 10.0.0.1\nexit\n",
        "interface eth0\n description oob\nexit\n",
        "password 8 x\n",
    ],
)
def test_other_lines_are_the_sites_own(text: str) -> None:
    assert list(raw_problems(text, ALL)) == []


def test_an_interface_is_the_sites_own_where_neither_ports_nor_addresses_are_ours() -> None:
    text = "interface Ethernet0\n ip ospf area 0\nexit\n"
    assert [number for number, _, _ in raw_problems(text, ("bgp", "addressing"))] == [1, 2]
    assert list(raw_problems(text, ("bgp",))) == []
