"""Field cases A05 to A07: lanes after a breakout, FEC of both ends, and the many meanings of an MTU."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from audit.world import link_down, setting, two_plane

from field.site import LEAF, SPINE, audited, put, rules, told_by
from netaudit.diag import Severity
from netaudit.platforms import sonic
from netaudit.render import render
from netaudit.state import Port
from tests.intent.example import problems, small


def judged(ports: object) -> list[str]:
    return list(sonic.problems({"config_db.json": json.dumps({"PORT": ports})}))


# Case A05, two ports own the same lanes


def cage(**rows: dict[str, str]) -> dict[str, dict[str, str]]:
    return {name: {"index": "7", **row} for name, row in rows.items()}


def test_a_lane_of_two_ports_and_an_alias_of_two_ports_are_told_and_a_shared_cage_is_not() -> None:
    told = judged(
        cage(
            Ethernet48={"lanes": "49,50,51,52", "speed": "200000", "alias": "etp7a"},
            Ethernet52={"lanes": "51,52", "speed": "100000", "alias": "etp7b"},
            Ethernet56={"lanes": "53,54", "speed": "100000", "alias": "etp7b"},
        )
    )
    assert told == [
        "PORT|Ethernet52 lanes: lanes 51, 52 are lanes of Ethernet48 too",
        "PORT|Ethernet56 alias: etp7b is the alias of Ethernet52 too",
    ]


def test_the_breakout_of_the_case_is_told_the_same(original: Callable[[str], str]) -> None:
    told = sonic.problems({"config_db.json": original("A05/rendered_config_db.json")})
    assert told == (
        "PORT|Ethernet2 lanes: lanes 2, 3 are lanes of Ethernet0 too",
        "PORT|Ethernet4 alias: etp1b is the alias of Ethernet2 too",
    )


def test_a_port_of_equal_speed_on_other_lanes_is_a_change_of_the_plan() -> None:
    rows = cage(Ethernet48={"lanes": "49,50,51,52", "speed": "100000"})
    narrower = cage(Ethernet48={"lanes": "49,50", "speed": "100000"})
    old, new = ({"config_db.json": json.dumps({"PORT": p}), "frr.conf": ""} for p in (rows, narrower))
    assert sonic.diff(old, new) == ("PORT|Ethernet48 lanes  49,50,51,52 → 49,50",)
    assert sonic.steps(old, new, "r").apply != ()


def test_a_variant_a_lane_that_stands_twice_in_one_port() -> None:
    told = judged(cage(Ethernet48={"lanes": "49,50,50,52", "speed": "200000"}))
    assert told == ["PORT|Ethernet48 lanes: a lane stands here twice"]


def test_a_port_that_kept_its_old_lanes_is_one_finding() -> None:
    result = audited({LEAF: {"PORT": put("Ethernet504", lanes="505,506,507,508")}})
    assert rules(result) == [("INT-02", f"{LEAF}:64")]


# Case A06, FEC


def test_a_400g_link_is_rendered_with_rs_fec_at_both_ends() -> None:
    for name, port in ((LEAF, "Ethernet0"), (LEAF, "Ethernet504"), (SPINE, "Ethernet0")):
        assert json.loads(render(two_plane().device(name))["config_db.json"])["PORT"][port]["fec"] == "rs"


def test_fec_is_physics_and_nothing_that_an_intent_may_set(tmp_path: Path) -> None:
    """40G with RS-FEC, or PAM4 without, cannot be asked for: the key is refused where it stands."""
    asked = '[{where: "a-su1-r1-leaf:1/1", set: {fec: rs}, reason: x}]'
    (told,) = problems(tmp_path, small(overrides=asked))
    assert told.severity is Severity.ERROR
    assert told.source is not None
    assert told.source.line == 10


@pytest.mark.parametrize(("fec", "speed", "lanes"), [("rs", "40000", 4), ("none", "400000", 4), ("fc", "100000", 2)])
def test_a_fec_that_no_port_of_that_speed_has_is_told_of_a_file(fec: str, speed: str, lanes: int) -> None:
    told = judged(cage(Ethernet48={"lanes": ",".join(map(str, range(49, 49 + lanes))), "speed": speed, "fec": fec}))
    assert [line.partition(":")[0] for line in told] == ["PORT|Ethernet48 fec"]


@pytest.mark.parametrize(
    ("fec", "speed", "lanes"), [("none", "100000", 4), ("rs", "100000", 4), ("fc", "40000", 4), ("rs", "800000", 8)]
)
def test_a_fec_that_a_port_of_that_speed_may_have_is_not(fec: str, speed: str, lanes: int) -> None:
    row = {"lanes": ",".join(map(str, range(49, 49 + lanes))), "speed": speed, "fec": fec}
    assert judged(cage(Ethernet48=row)) == []


def test_fec_that_is_off_at_one_end_of_a_dead_link_is_one_finding_of_that_end() -> None:
    off = setting(SPINE, "ports.1.fec", "none")
    result = audited({SPINE: {"PORT": put("Ethernet0", fec="none")}}, off, link_down(f"{LEAF}:64"))
    assert rules(result) == [("INT-03", f"{SPINE}:1")]


@pytest.mark.parametrize("value", [None, "none", "N/A", ""])
def test_fec_that_is_missing_or_off_means_the_same_where_lanes_are_nrz(value: str | None) -> None:
    assert _read(value, "100000", 4).fec == "none"


@pytest.mark.parametrize("value", [None, "N/A", ""])
def test_fec_that_is_missing_is_not_taken_for_off_where_lanes_are_pam4(value: str | None) -> None:
    assert _read(value, "400000", 4).fec not in ("none", "rs")


def test_a_variant_fec_that_is_missing_at_one_end_of_a_pam4_link_is_one_finding() -> None:
    result = audited({LEAF: {"PORT": put("Ethernet496", fec=None), "saved": put("PORT", "Ethernet496", fec=None)}})
    assert rules(result) == [("INT-03", f"{LEAF}:63")]


def test_the_ports_of_the_case_differ_at_one_end_only(original_json: Callable[[str], Any]) -> None:
    """Ethernet8 has `none` at one end and no field at the other: equal. Ethernet0 has rs and none: not."""
    ends = original_json("A06/observed_ports.json")
    read = {device: {n: _read(r.get("fec"), r["speed"], 4).fec for n, r in p.items()} for device, p in ends.items()}
    assert read["leaf01"]["Ethernet8"] == read["spine01"]["Ethernet8"] == "none"
    assert (read["leaf01"]["Ethernet0"], read["spine01"]["Ethernet0"]) == ("rs", "none")


def _read(fec: str | None, speed: str, lanes: int) -> Port:
    row = {"index": "1", "speed": speed, "lanes": ",".join(map(str, range(lanes)))}
    rows = {"PORT": {"Ethernet0": row if fec is None else {**row, "fec": fec}}}
    ports = sonic.read_config({"config_db.json": json.dumps(rows)}, "x").ports
    assert ports is not None
    return ports["1"]


# Case A07, MTU


def test_a_smaller_mtu_is_one_finding_of_its_port() -> None:
    result = audited({LEAF: {"PORT": put("Ethernet0", mtu="1500")}})
    assert rules(result) == [("INT-04", f"{LEAF}:1/1")]
    assert "1500" in result.findings[0].effect


def test_an_mtu_of_0_is_not_reported_and_no_mismatch() -> None:
    """EOS says 0 over OpenConfig for a port that has the default. Junos and NX-OS count the frame: with those."""
    result = audited({LEAF: {"PORT_TABLE": put("Ethernet0", mtu="0")}})
    assert rules(result) == [("INT-12", f"{LEAF}:1/1")]
    (told,) = result.findings
    assert (told.severity, result.not_audited, result.exit_code()) == (Severity.INFO, (), 0)
    assert "observed 0 (not reported)" in told.effect


def test_a_variant_an_mtu_that_the_switch_does_not_tell_hides_no_other_fault() -> None:
    def ports(tree: Any) -> None:
        tree["Ethernet0"]["mtu"] = 0
        tree["Ethernet4"]["mtu"] = 1500

    result = audited({LEAF: {"PORT": ports}})
    assert rules(result) == [("INT-04", f"{LEAF}:1/2"), ("INT-12", f"{LEAF}:1/1")]
    assert (result.not_audited, result.exit_code()) == ((), 2)


def test_the_layer_3_size_of_sonic_is_compared_as_it_is() -> None:
    """PORT|mtu is the IP MTU (sonic-buildimage#17445): 9216 of the intent is 9216 on the switch, no 14 or 22 more."""
    assert json.loads(told_by(LEAF)["PORT"].text)["Ethernet0"]["mtu"] == "9216"
    assert rules(audited({})) == []
