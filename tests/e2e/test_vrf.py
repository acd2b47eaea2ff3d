"""Links in a VRF, on a lab of real gRPC and SSH: pushed, audited, broken, and put in and taken out of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from expect.test_vrfs import TEXT as WHOLE

from e2e.test_vlan import Lab, running
from netaudit.lab import control

pytestmark = pytest.mark.lab

TEXT = WHOLE.replace("planes: [a, b]", "planes: [a]").replace("rails: 2", "rails: 1")
ONE, TWO = "a-border1", "a-border2"
VRF = "Vrf_storage"
# what is broken → the one rule, the exit code, an object of the finding
ONE_FINDING = {
    f"vrf {ONE}:1 default": ("ADR-09", 2, f"{ONE}:1 – core1:et-0/0/1"),
    f"vrf {ONE}:2/2 default": ("ADR-09", 2, f"{ONE}:2/2 – core2:xe-1"),
    f"vrf {ONE}:3 {VRF}": ("ADR-09", 2, f"{ONE}:3 – core3:et-0/0/2"),
    f"vrf {TWO}:4 default": ("ADR-09", 2, f"{ONE}:4 – {TWO}:4"),
    f"vrf-gone {ONE} {VRF}": ("ADR-09", 2, f"{ONE} VRF storage"),
    f"vrf-gone {TWO} {VRF}": ("ADR-09", 2, f"{TWO} VRF storage"),
    f"vrf-speaker {ONE} {VRF}": ("ADR-09", 2, f"{ONE} VRF storage"),
    f"session {ONE}:1": ("BGP-01", 2, f"{ONE}:1 – core1:et-0/0/1"),
    f"session {ONE}:2/2": ("BGP-01", 2, f"{ONE}:2/2 – core2:xe-1"),
    f"session {ONE}:4": ("BGP-01", 2, f"{ONE}:4 – {TWO}:4"),
    "withdraw core2 10.170.0.0/16": ("RIB-01", 2, "10.170.0.0/16 in VRF storage"),
    "asn core1 64999": ("BGP-02", 2, "core1"),
    f"link {ONE}:1": ("INT-01", 2, f"{ONE}:1 – core1:et-0/0/1"),
    f"link {ONE}:2/2": ("INT-01", 2, f"{ONE}:2/2 – core2:xe-1"),
    f"shut {ONE}:2/2": ("INT-01", 2, f"{ONE}:2/2 – core2:xe-1"),
    f"link {ONE}:4": ("INT-01", 2, f"{ONE}:4 – {TWO}:4"),
}
FOREIGN = {
    "VRF": {"Vrf-red": {"fallback": "true"}},
    "INTERFACE": {"Ethernet128": {"vrf_name": "Vrf-red"}, "Ethernet128|192.0.2.1/31": {}},
}
"""A VRF of a second engineer's, with a spare port in it."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("vrf")
    made = Lab(folder, TEXT)
    file = made.box(ONE) / "etc/sonic/config_db.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **FOREIGN}))
    try:
        made.boot()
        assert made.push(made.expected) == 0
        yield made
    finally:
        control.down(folder / "lab")


def test_a_fabric_with_a_vrf_is_pushed_and_is_as_intended(lab: Lab) -> None:
    lab.assert_as_intended(lab.expected)


def test_the_vrf_of_somebody_else_stays_with_what_is_in_it(lab: Lab) -> None:
    saved = json.loads((lab.box(ONE) / "etc/sonic/config_db.json").read_text())
    assert saved["VRF"] == {"Vrf-red": {"fallback": "true"}, VRF: {}}
    assert {key: row for key, row in saved["INTERFACE"].items() if key in FOREIGN["INTERFACE"]} == FOREIGN["INTERFACE"]


@pytest.mark.parametrize("fault", ONE_FINDING)
def test_a_fault_alone_is_one_finding_at_its_place(lab: Lab, fault: str) -> None:
    rule, code, place = ONE_FINDING[fault]
    kind, *words = fault.split()
    control.break_(lab.folder / "lab", kind, words)
    try:
        result = lab.audit(lab.expected)
    finally:
        control.heal(lab.folder / "lab")
    assert [f.rule for f in result.findings] == [rule], [(f.title, f.comparisons) for f in result.findings]
    assert place in result.findings[0].objects
    assert (result.exit_code(), result.not_audited) == (code, ())


def test_a_dead_numbered_link_carries_its_session_and_its_routes(lab: Lab) -> None:
    control.break_(lab.folder / "lab", "link", [f"{ONE}:2/2"])
    try:
        (finding,) = lab.audit(lab.expected).findings
    finally:
        control.heal(lab.folder / "lab")
    told = [consequence.text for consequence in finding.consequences]
    assert told == ["1 BGP session", "2 routes on 2 devices"]


def test_links_go_into_a_vrf_and_out_of_it_by_a_push(tmp_path: Path) -> None:
    texts = (TEXT.replace(", vrf: storage", ""), TEXT, TEXT.replace("vrf: storage", "vrf: backup"))
    with running(tmp_path, texts[0]) as lab:
        for text in (*texts, texts[0]):
            expected = lab.load(text)
            assert lab.push(expected) == 0
            lab.assert_as_intended(expected)
