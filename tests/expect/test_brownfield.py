"""The adopted fabric: nothing is renumbered, and what it announces passes its own policies."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from netaudit.checks import check
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms import platform
from netaudit.render import render
from netaudit.state import Failures

INTENT = Path(__file__).resolve().parents[2] / "intent" / "brownfield.yml"


@cache
def brownfield() -> Expected:
    return Expected(build(load(INTENT)))


def test_every_name_number_and_prefix_is_the_one_that_runs() -> None:
    with (INTENT.parent / "brownfield" / "devices.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    devices = brownfield().built.devices
    assert set(devices) == set(rows)
    for name, device in devices.items():
        row = rows[name]
        assert str(device.place) == row["place"]
        assert device.asn == int(row["asn"])
        assert device.loopbacks == (f"{row['loopback']}/32",)
        assert device.router_id == row["loopback"]
        assert device.blocks == tuple(filter(None, [row["block"]]))


def test_every_leaf_learns_all_others_although_no_prefix_is_of_a_pool() -> None:
    for name, place in brownfield().devices.items():
        learned = {prefix for (_, prefix), route in brownfield().routes(name, Failures()).items() if route.hops}
        wanted = {
            prefix
            for other, device in brownfield().built.devices.items()
            if other != name and (place.role == "leaf" or device.place.role == "leaf")
            for prefix in (*device.loopbacks, *device.blocks)
        }
        assert learned == wanted


def test_no_valley_path_comes_of_spines_with_asns_of_their_own() -> None:
    routes = brownfield().routes("agg-east", Failures())
    assert ("default", "192.168.255.4/32") not in routes
    assert routes["default", "10.21.128.0/26"].as_paths == {(4200077031,)}


def test_the_checks_accept_it_and_its_files_are_sound() -> None:
    assert check(brownfield()).count(Severity.ERROR) == 0
    for name in brownfield().devices:
        assert platform("sonic").problems(render(brownfield().device(name))) == ()
