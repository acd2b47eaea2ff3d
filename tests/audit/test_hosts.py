"""Hosts are known by what their NICs say; what a NIC does not say is not verifiable, and never wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from intent.example import small

from audit.world import audited, setting, swapped, told
from netaudit.audit.findings import AuditResult
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.state import ABSENT, LldpNeighbor, Store

LEAF = "a-su1-r1-leaf"


def heard_at_a_host_port(neighbor: object) -> AuditResult:
    return audited(setting(LEAF, "lldp.neighbors.1/1", neighbor, Store.STATE))


SECRETS = {
    "silence": ABSENT,
    "a MAC address as port id": LldpNeighbor(system="su1-h1", port="0c:42:a1:00:00:01"),
    "an interface name": LldpNeighbor(system="su1-h1", port="ens1f0np0"),
    "no port id": LldpNeighbor(system="su1-h1", port=ABSENT),
    "no system name": LldpNeighbor(system="", port="0c:42:a1:00:00:01"),
    "neither": LldpNeighbor(system=ABSENT, port=ABSENT),
}


@pytest.mark.parametrize("neighbor", SECRETS.values(), ids=SECRETS)
def test_a_nic_that_does_not_say_which_port_it_is_is_not_verifiable(neighbor: object) -> None:
    result = heard_at_a_host_port(neighbor)
    assert told(result) == []
    assert result.not_audited == ()
    assert result.exit_code() == 0
    assert [(u.what, u.where) for u in result.unverifiable] == [("which NIC port is plugged in", (f"{LEAF}:1/1",))]


SPELLINGS = {
    "its name": LldpNeighbor(system="su1-h1", port="nic1p1"),
    "its full name": LldpNeighbor(system="su1-h1.gpu.example.net", port="nic1p1"),
}


@pytest.mark.parametrize("neighbor", SPELLINGS.values(), ids=SPELLINGS)
def test_a_host_is_known_by_its_short_or_full_name(neighbor: LldpNeighbor) -> None:
    result = heard_at_a_host_port(neighbor)
    assert (told(result), result.unverifiable) == ([], ())


def test_a_host_that_the_model_does_not_know_is_a_finding() -> None:
    assert told(heard_at_a_host_port(LldpNeighbor(system="localhost", port="nic1p1"))) == [("CAB-04", f"{LEAF}:1/1")]


def test_two_rails_swapped_cannot_be_told_of_a_host_that_sends_its_mac_addresses() -> None:
    macs = {"su1-h1": "0c:42:a1:00:00:01"}
    result = audited(swapped(f"{LEAF}:1/1", "a-su1-r2-leaf:1/1", port_ids=macs))
    assert told(result) == []
    assert result.unverifiable[0].where == (f"{LEAF}:1/1", "a-su1-r2-leaf:1/1")


def test_a_port_id_that_hosts_csv_has_tells_the_nic_port(tmp_path: Path) -> None:
    """DESIGN.md section 3, «Host LLDP»: compared by port id where hosts.csv has it."""
    (tmp_path / "hosts.csv").write_text(
        "unit,index,name,ports\nsu1,1,gpu1,r1/a=0c:42:a1:00:00:01 r2/a=0c:42:a1:00:00:02\n"
    )
    file = tmp_path / "fabric.yml"
    file.write_text(small(hosts="{nic: cx8, speed: 400G, names: hosts.csv}"))
    expected = Expected(build(load(file)))
    assert expected.neighbor("gpu1", "0c:42:a1:00:00:02") == ("gpu1", "r2/a")
    assert expected.neighbor("gpu1", "0c:42:a1:00:00:09") == ("gpu1", None)
    assert expected.neighbor("gpu1", "nic1p2") == ("gpu1", "r1/b")
