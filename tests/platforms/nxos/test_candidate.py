"""What a switch shall hold: our blocks and lines where an area is ours, every other byte as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.platforms import nxos
from netaudit.render import render

from .fabrics import fabric

AREAS = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")
RENDERED = render(fabric("two-plane", ("leaf", "spine")).device("a-su1-r1-leaf"))
FOREIGN = """!Command: show running-config
!Time: Mon Nov 30 02:00:00 2026

version 10.5(2) Bios:version 05.50
hostname factory-name
vdc factory-name id 1
  limit-resource vlan minimum 16 maximum 4094

feature nxapi
feature lldp

no password strength-check
username admin password 5 $5$HIDDEN  role network-admin
ip domain-lookup
copp profile strict
class-map type control-plane match-any copp-x
  match protocol arp
ntp server 192.0.2.7 use-vrf management
vlan 1
ip prefix-list MGMT seq 5 permit 192.0.2.0/24
route-map TO-OSPF permit 10
  match ip address prefix-list MGMT
router ospf 1
  redistribute static route-map TO-OSPF

vrf context management
  ip route 0.0.0.0/0 192.0.2.254
banner motd ^
  router bgp 1
^
line console
line vty
  exec-timeout 15

interface mgmt0
  description out of band
  vrf member management
  ip address 192.0.2.1/24
"""


def candidate(running: str, *areas: str) -> str:
    return nxos.candidate(RENDERED, {"nxos.cfg": running}, areas)["nxos.cfg"]


def test_without_an_area_of_ours_nothing_changes() -> None:
    assert candidate(FOREIGN) == FOREIGN
    assert candidate(RENDERED["nxos.cfg"]) == RENDERED["nxos.cfg"]


def test_what_is_ours_already_stays_byte_for_byte() -> None:
    assert candidate(RENDERED["nxos.cfg"], *AREAS) == RENDERED["nxos.cfg"]
    assert candidate(RENDERED["nxos.cfg"].replace("\n", "\r\n"), *AREAS) == RENDERED["nxos.cfg"].replace("\n", "\r\n")


def test_everything_of_others_stays_byte_for_byte() -> None:
    made = candidate(FOREIGN, *AREAS)
    rest = made.replace("feature bgp\n", "", 1)
    assert rest.startswith(FOREIGN)
    assert nxos.equal({"nxos.cfg": made}, nxos.candidate(RENDERED, {"nxos.cfg": made}, AREAS))


def test_a_candidate_of_the_candidate_is_the_same() -> None:
    made = candidate(FOREIGN, *AREAS)
    assert candidate(made, *AREAS) == made


def test_gnmi_is_switched_on_where_the_switch_is_ours_as_a_whole() -> None:
    assert "feature grpc" not in candidate(FOREIGN, *AREAS)
    assert "\nfeature grpc\nfeature openconfig\n" in candidate(FOREIGN, "all")


def test_lines_that_the_site_brings_are_added_and_those_that_are_there_stay() -> None:
    own = {"nxos.cfg": f"{RENDERED['nxos.cfg']}\nfeature tacacs+\nntp server 192.0.2.9\nline vty\n  session-limit 16\n"}
    made = nxos.candidate(own, {"nxos.cfg": FOREIGN}, AREAS)["nxos.cfg"]
    assert "ntp server 192.0.2.7 use-vrf management\n" in made
    assert "\nfeature tacacs+\nntp server 192.0.2.9\n" in made
    assert "line vty\n  exec-timeout 15\n  session-limit 16\n" in made
    assert nxos.candidate(own, {"nxos.cfg": made}, AREAS)["nxos.cfg"] == made
    assert nxos.candidate(own, {"nxos.cfg": FOREIGN}, ())["nxos.cfg"] == FOREIGN


OLD = """feature bgp
class-map type qos match-any OLD
  match dscp 46
policy-map type qos OLD-IN
  class OLD
    set qos-group 5
policy-map type queuing OLD-OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 100
policy-map type queuing OLD-HEADROOM
  class type queuing c-in-q3
    pause buffer-size 27456 pause-threshold 12480 resume-threshold 12480
system qos
  service-policy type queuing output OLD-OUT
  fex queuing x
ip prefix-list OLD seq 5 permit 10.0.0.0/8
route-map OLD permit 10
  match ip address prefix-list OLD
ip route 10.200.0.0/16 Null0
ip route 10.201.0.0/16 10.0.0.9
vlan 1,200
interface breakout module 1 port 64 map 100g-4x
interface Vlan200
  ip address 10.200.0.1/24
interface loopback1
  ip address 10.202.0.1/32
interface Ethernet1/1
  description the old one
  no switchport
  mtu 1500
  storm-control broadcast level 1.00
  ip address 10.9.9.1/31
  ip access-group EDGE in
  service-policy type qos input OLD-IN
  service-policy type queuing input OLD-HEADROOM
  no shutdown
interface Ethernet1/61
  mtu 1500
  lldp transmit
interface Ethernet1/64/1
interface port-channel7
  description somebody's
router bgp 65100
  neighbor 10.9.9.0
    password 3 HIDDEN
    remote-as 65200
"""
GONE = {
    "ports": ("interface breakout module 1 port 64 ", "interface Ethernet1/1\n", "interface Ethernet1/64/1\n"),
    "addressing": ("interface Vlan200", "interface loopback1", "vlan 1,200"),
    "bgp": ("router bgp 65100", "ip prefix-list OLD", "route-map OLD", "ip route 10.200.0.0/16 Null0", "password 3"),
    "qos": ("class-map type qos match-any OLD", "policy-map type qos OLD-IN", "policy-map type queuing OLD-OUT"),
    "buffers": ("policy-map type queuing OLD-HEADROOM",),
    "lldp": (),
}


@pytest.mark.parametrize("area", AREAS)
def test_an_area_is_ours_or_left_alone(area: str) -> None:
    alone, without = candidate(OLD, area), candidate(OLD, *(a for a in AREAS if a != area))
    for line in GONE[area]:
        assert line in OLD
        assert line not in alone, line
        if not line.startswith("interface Ethernet"):
            assert line in without, line
    for other in AREAS:
        for line in GONE[other] if other != area else ():
            assert line in alone, line


def test_lines_that_no_leaf_stands_for_stay_with_their_block() -> None:
    made = candidate(OLD, *AREAS)
    port = made.split("interface Ethernet1/61\n", 1)[1].split("\ninterface ")[0] + "\n"
    assert "  lldp transmit\n" in port
    assert "  mtu 9216\n" in port
    assert "  fex queuing x\n" in made
    assert "ip route 10.201.0.0/16 10.0.0.9\n" in made
    assert "interface port-channel7\n  description somebody's\n" in made
    assert "\nvlan 1\n" in made


def test_a_vrf_of_others_stays_with_its_interfaces() -> None:
    text = "vrf context THEIRS\ninterface Vlan300\n  vrf member THEIRS\n  ip address 10.0.0.1/24\n"
    assert candidate(text, "addressing").startswith(text)


def test_a_policy_that_others_bind_stays() -> None:
    text = (
        "class-map type qos match-any THEIRS\n  match dscp 46\n"
        "policy-map type qos THEIRS-IN\n  class THEIRS\n    set qos-group 5\n"
        "policy-map type qos OLD-IN\n  class OLD\n    set qos-group 5\n"
        "interface port-channel7\n  service-policy type qos input THEIRS-IN\n"
    )
    made = candidate(text, "qos")
    assert "policy-map type qos THEIRS-IN\n" in made
    assert "class-map type qos match-any THEIRS\n" in made
    assert "OLD-IN" not in made


def test_a_port_that_is_in_no_plan_stays() -> None:
    text = "interface Ethernet1/99\n  description a test port\n  mtu 1500\n"
    assert text in candidate(text, *AREAS)


def test_the_hash_is_ours_only_where_the_intent_says_something_of_it() -> None:
    text = "ip load-sharing address source-destination rotate 32\n"
    assert text in candidate(text, *AREAS)


def test_the_vendors_example_keeps_what_is_its_own(shared: Path) -> None:
    text = (shared / "data" / "vendor-examples" / "nxos-leaf.cfg").read_text(encoding="utf-8")
    made = candidate(text, *AREAS)
    for line in (
        "hostname leaf1\n",
        "feature bfd\n",
        "bfd interval 500 min_rx 500 multiplier 3\n",
        "  no ip redirects\n",
    ):
        assert line in made
    mgmt = "interface mgmt0\n  vrf member management\n  ip address 203.0.113.211/27\n"
    assert mgmt in made
    assert nxos.problems({"nxos.cfg": made}) == ()


def test_what_was_kept_leads_back(shared: Path) -> None:
    example = (shared / "data" / "vendor-examples" / "nxos-leaf.cfg").read_text(encoding="utf-8")
    for text in (OLD.replace("    password 3 HIDDEN\n", ""), example.replace("  no ip redirects\n", ""), FOREIGN):
        running = {"nxos.cfg": text}
        made = nxos.candidate(RENDERED, running, AREAS)
        kept = nxos.kept(running, RENDERED, AREAS)
        back = nxos.candidate(kept, made, AREAS)
        # ports that the running text did not name are named then, as on a switch, which names them all
        lines = {line for line in nxos.diff(running, back) if not line.startswith("+ interface Ethernet1/")}
        # a feature that is on may be needed by others by now
        assert lines - {"+ feature bgp"} <= {
            "- interface Ethernet1/1 > storm-control broadcast level 1.00",
            "- interface Ethernet1/1 > ip access-group EDGE in",
        }


def test_nothing_of_others_and_no_secret_is_kept() -> None:
    kept = nxos.kept({"nxos.cfg": FOREIGN + OLD}, RENDERED, AREAS)["nxos.cfg"]
    assert "HIDDEN" not in kept
    for line in ("username", "ntp server", "line vty", "interface mgmt0", "port-channel7", "storm-control"):
        assert line not in kept


EQUAL = {
    "comments and blank lines": lambda text: "!Time: now\n\n" + text.replace("\ninterface", "\n\n\ninterface"),
    "the version": lambda text: "version 10.5(3)\n" + text,
    "another order of ports": lambda text: (
        text.replace("interface Ethernet1/61", "interface X", 1) and "\n".join(reversed(text.split("\n\n")))
    ),
    "a default that is said": lambda text: text.replace(
        "interface Ethernet1/9\n", "interface Ethernet1/9\n  fec auto\n"
    ),
    "a long prefix": lambda text: text.replace("fd00:ff::1/128", "fd00:00ff:0::1/128"),
    "a setting that changes no route": lambda text: text.replace("      disable-peer-as-check\n", ""),
}


@pytest.mark.parametrize("change", EQUAL.values(), ids=EQUAL)
def test_what_means_the_same_is_equal(change: object) -> None:
    assert callable(change)
    other = {"nxos.cfg": change(RENDERED["nxos.cfg"])}
    assert nxos.equal(RENDERED, other)
    assert nxos.diff(RENDERED, other) == ()


DIFFERENT = {
    "an MTU": ("\n  mtu 9216", "\n  mtu 9000"),
    "the MTU of a class": ("    mtu 9216", "    mtu 9000"),
    "a marking": ("433 kbytes", "434 kbytes"),
    "a policy": ("permit 10.0.0.0/11 le 28", "permit 10.0.0.0/11 le 32"),
    "the number of a peer": ("remote-as 4200100000", "remote-as 4200100001"),
    "somebody's line": ("feature grpc", "feature grpc\nntp server 192.0.2.1"),
    "somebody's secret": ("feature grpc", "feature grpc\nusername x password 5 y"),
    "a line of a port that no leaf stands for": ("  mtu 9216", "  lldp transmit\n  mtu 9216"),
}


@pytest.mark.parametrize(("old", "new"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_means_something_else_is_not_equal(old: str, new: str) -> None:
    other = {"nxos.cfg": RENDERED["nxos.cfg"].replace(old, new, 1)}
    assert not nxos.equal(RENDERED, other)
    assert nxos.diff(RENDERED, other)


def test_a_value_that_changes_is_two_lines_of_the_diff() -> None:
    other = {"nxos.cfg": RENDERED["nxos.cfg"].replace("\n  mtu 9216", "\n  mtu 9000", 1)}
    assert nxos.diff(RENDERED, other) == (
        "- interface Ethernet1/1/1 > mtu 9216",
        "+ interface Ethernet1/1/1 > mtu 9000",
    )


def test_a_block_that_goes_is_one_line_and_no_secret_is_shown() -> None:
    lines = nxos.diff({"nxos.cfg": OLD}, nxos.candidate(RENDERED, {"nxos.cfg": OLD}, AREAS))
    assert "- router bgp 65100" in lines
    assert not any("HIDDEN" in line for line in lines)
    changed = OLD.replace("HIDDEN", "OTHER")
    assert any("may hold a secret" in line for line in nxos.diff({"nxos.cfg": OLD}, {"nxos.cfg": changed}))
    assert not any("OTHER" in line for line in nxos.diff({"nxos.cfg": OLD}, {"nxos.cfg": changed}))


@pytest.mark.parametrize(
    "text", ["", "\n", "!", "interface\n", "  mtu 9216\n", "banner motd ^\nno end", "vlan\n", "no\n"]
)
def test_odd_text_is_kept_or_refused(text: str) -> None:
    try:
        assert candidate(text) == text
    except ValueError as error:
        assert str(error)  # noqa: PT017  # either answer is right, and no other


def test_hostile_text_raises_nothing_but_a_value_error() -> None:
    whole = FOREIGN + OLD
    rows = whole.splitlines()
    for number in range(0, len(rows), 2):
        for line in (rows[number].strip(), f"  {rows[number]} {'x' * 300}", "\tvlan 1-99999"):
            text = "\n".join((*rows[:number], line, *rows[number + 1 :]))
            try:
                made = nxos.candidate(RENDERED, {"nxos.cfg": text}, AREAS)
                nxos.diff({"nxos.cfg": text}, made)
                nxos.kept({"nxos.cfg": text}, RENDERED, AREAS)
                nxos.problems(made)
            except ValueError as error:
                assert str(error)  # noqa: PT017  # either answer is right, and no other


def test_a_line_for_several_cages_is_what_it_says_of_each() -> None:
    """The rendering says of each cage what a switch may say of all of them at once."""
    several = "interface breakout module 1 port 1-4 map 400g-2x\n"
    single = "".join(f"interface breakout module 1 port {n} map 400g-2x\n" for n in range(1, 5))
    whole = RENDERED["nxos.cfg"]
    assert single in whole
    running = whole.replace(single, several)
    assert candidate(running, *AREAS) == running
    assert nxos.equal({"nxos.cfg": running}, RENDERED)
    assert nxos.changes(running, whole) == ()
    wider = whole.replace(single, several.replace("1-4", "1-5"))
    made = candidate(wider, *AREAS)
    assert made == whole
    assert nxos.changes(wider, made)[0] == "no interface breakout module 1 port 5 map 400g-2x"
