"""Every page of `show` on the example, the numbers it rests on, and what it says of other fabrics."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from netaudit.cli.show import addresses, device, ecn, fabric, hardware, headroom, headrooms, links, platform, rib
from netaudit.cli.show.page import Json, View, dump
from netaudit.cli.show.target import Target
from netaudit.diag import Invalid
from netaudit.expect import Expected
from netaudit.expect.ecn import rtt_ns
from netaudit.state import Failures
from netaudit.terminal import Style
from tests.cli import showing
from tests.cli.showing import FULL, VIEW, example
from tests.conftest import Golden

EXAMPLE = example()
LEAF = Target(device="a-su1-r1-leaf")
UPLINK = Target(device="a-su1-r1-leaf", port="64")
HOST_PORT = Target(device="a-su1-r1-leaf", port="1/1")
SPARE = Target(device="a-su1-r1-leaf", port="10")
ALL = tuple(EXAMPLE.built.devices)

PAGES: dict[str, Callable[[View], str]] = {
    "fabric": lambda view: fabric.fabric_page(EXAMPLE, view),
    "device": lambda view: device.device_page(EXAMPLE, None, view),
    "device-leaf": lambda view: device.device_page(EXAMPLE, LEAF, view),
    "device-port": lambda view: device.device_page(EXAMPLE, UPLINK, view),
    "links": lambda view: links.links_page(EXAMPLE, None, view),
    "links-leaf": lambda view: links.links_page(EXAMPLE, LEAF, view),
    "links-port": lambda view: links.links_page(EXAMPLE, UPLINK, view),
    "links-spare": lambda view: links.links_page(EXAMPLE, SPARE, view),
    "addresses": lambda view: addresses.addresses_page(EXAMPLE, None, view),
    "addresses-leaf": lambda view: addresses.addresses_page(EXAMPLE, LEAF, view),
    "headroom": lambda view: headrooms.kinds_page(EXAMPLE, ALL, view),
    "headroom-leaf": lambda view: headrooms.kinds_page(EXAMPLE, ("a-su1-r1-leaf",), view),
    "headroom-measured": lambda view: headroom.port_page(EXAMPLE, "a-su1-r1-leaf", "64", view),
    "headroom-host": lambda view: headroom.port_page(EXAMPLE, "a-su1-r1-leaf", "1/1", view),
    "headroom-spare": lambda view: headroom.port_page(EXAMPLE, "a-su1-r1-leaf", "10", view),
    "ecn": lambda view: ecn.ecn_page(EXAMPLE, None, view),
    "ecn-port": lambda view: ecn.ecn_page(EXAMPLE, HOST_PORT, view),
    "rib-leaf": lambda view: rib.rib_page(EXAMPLE, "a-su1-r1-leaf", "", view),
    "rib-spine": lambda view: rib.rib_page(EXAMPLE, "b-spine2", "", view),
    "rib-prefix": lambda view: rib.rib_page(EXAMPLE, "a-su1-r1-leaf", "10.255.32.1", view),
    "platform": lambda view: platform.platform_page(EXAMPLE, None, view),
    "hardware": lambda view: hardware.hardware_page(EXAMPLE, None, view),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_reads_as_it_was_reviewed(name: str, golden: Golden) -> None:
    golden(f"show/{name}.txt", PAGES[name](VIEW))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_begins_with_its_verdict_ends_with_one_command_and_stays_in_a_hundred_columns(name: str) -> None:
    lines = PAGES[name](FULL).splitlines()
    assert lines[0].startswith("● ")
    assert lines[-1].startswith("Next: netaudit show ")
    assert [line for line in lines[1:-1] if len(line) > 100 or line != line.rstrip()] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_plain_ascii_where_the_terminal_has_no_more(name: str) -> None:
    shown = PAGES[name](View(named="intent/two-plane.yml", style=Style(unicode=False), everything=True))
    assert shown.isascii()


def test_colour_changes_nothing_but_colour() -> None:
    coloured = headroom.port_page(EXAMPLE, "a-su1-r1-leaf", "64", View(named="i.yml", style=Style(colour=True)))
    plain = headroom.port_page(EXAMPLE, "a-su1-r1-leaf", "64", View(named="i.yml"))
    assert "\x1b[1m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


DATA: dict[str, Callable[[], object]] = {
    "fabric": lambda: fabric.fabric_data(EXAMPLE),
    "device-leaf": lambda: device.device_data(EXAMPLE, LEAF),
    "device-port": lambda: device.device_data(EXAMPLE, UPLINK),
    "links-leaf": lambda: links.links_data(EXAMPLE, LEAF),
    "addresses-leaf": lambda: addresses.addresses_data(EXAMPLE, LEAF),
    "headroom": lambda: headrooms.kinds_data(EXAMPLE, ALL),
    "headroom-measured": lambda: headroom.port_data(EXAMPLE, "a-su1-r1-leaf", "64"),
    "ecn-port": lambda: ecn.ecn_data(EXAMPLE, HOST_PORT),
    "rib-leaf": lambda: rib.rib_data(EXAMPLE, "a-su1-r1-leaf", ""),
    "platform": lambda: platform.platform_data(EXAMPLE, None),
    "hardware": lambda: hardware.hardware_data(EXAMPLE, None),
}


def keys(node: object, at: str = "") -> list[str]:
    """Every key of a JSON value, `[]` for the items of a list; what a script relies on."""
    if isinstance(node, dict):
        return [path for key, item in node.items() for path in (f"{at}.{key}", *keys(item, f"{at}.{key}"))]
    if isinstance(node, list) and node:
        return [path for item in node for path in keys(item, f"{at}[]")]
    return []


def test_the_keys_of_the_json_are_stable(golden: Golden) -> None:
    found = {f"{name}{path}" for name, made in DATA.items() for path in keys(made()) if "ports." not in path}
    golden("show/keys.txt", "\n".join(sorted(found)) + "\n")


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def number(data: Json, *path: str) -> Json:
    for part in path:
        assert isinstance(data, dict)
        data = data[part]
    return data


@pytest.mark.parametrize(("port", "xoff"), [("1/1", 231_424), ("64", 362_496)])
def test_headroom_by_formula_equals_the_published_row_of_its_length(port: str, xoff: int) -> None:
    data = dict(headroom.port_data(EXAMPLE, "a-su1-r1-leaf", port))
    assert number(data, "headroom", "xoff_bytes") == xoff
    assert number(data, "published", "xoff_bytes") == xoff
    assert number(data, "formula_at_row", "xoff_bytes") == xoff


def test_ieee_allows_a_peer_twice_the_quanta_that_sonic_counts_at_800g() -> None:
    data = dict(headroom.port_data(EXAMPLE, "a-su2-r1-leaf", "64"))  # 40 m: no measured row
    assert number(data, "xoff_with_ieee_quanta_bytes") == 536_576  # design/terminal.md, headroom.md 1.1
    host = dict(headroom.port_data(EXAMPLE, "a-su1-r1-leaf", "1/1"))
    assert number(host, "xoff_with_ieee_quanta_bytes") is None  # the same 905 at 400G


def test_the_round_trip_shown_is_the_one_that_the_thresholds_rest_on() -> None:
    (shown, *_) = ecn.marked(EXAMPLE, None)
    assert shown.rtt is not None
    assert shown.rtt.value == rtt_ns(EXAMPLE.built)


@pytest.mark.parametrize("name", EXAMPLE.built.devices)
def test_the_table_has_the_size_that_the_formula_says(name: str) -> None:
    found, sums = rib.rib(EXAMPLE, name), rib.formula(EXAMPLE, EXAMPLE.built.devices[name])
    assert sums is not None
    assert (sums.prefixes, sums.paths) == (found.prefixes, found.paths)
    assert sum(len(g.prefixes) for g in found.groups) == len(EXAMPLE.routes(name, Failures()))


# ── other fabrics ─────────────────────────────────────────────────────────────────────────────────────────────────


def small(folder: Path, **changes: str) -> Expected:
    return showing.fabric(folder, **changes)


def test_a_cable_that_no_row_covers_gets_no_headroom_and_says_so(tmp_path: Path) -> None:
    far = small(tmp_path, cables="{host-leaf: 3m dac, leaf-spine: 450m dr8}")
    shown = headroom.port_page(far, "a-su1-r1-leaf", "64", VIEW)
    assert shown.startswith("✖ no headroom on a-su1-r1-leaf:64 (800G, 450 m): the headroom table of ACS-SN5600 has no")
    assert "the port would drop lossless packets" in shown
    assert headrooms.kinds_page(far, tuple(far.built.devices), VIEW).startswith("✖ no headroom on 16 ports of small")


def test_computed_headroom_says_how_far_it_is_from_the_published_row(tmp_path: Path) -> None:
    ours = small(tmp_path, buffers="{shallow: {headroom: computed, packets: bulk}}")
    shown = headroom.port_page(ours, "a-su1-r1-leaf", "64", VIEW)
    assert shown.startswith("● xoff 134,144 B for priority 3 on a-su1-r1-leaf:64 (800G, 40 m), by the formula")
    assert "228,352 B less than the published row" in shown


def test_without_a_lossless_class_no_headroom_is_used(tmp_path: Path) -> None:
    lossy = small(tmp_path, traffic="{default: {share: 100%}}")
    assert headroom.port_page(lossy, "a-su1-r1-leaf", "64", VIEW).startswith("● no class is lossless")
    assert ecn.ecn_page(lossy, None, VIEW).startswith("● no class is marked by ECN in small")


def test_given_thresholds_are_shown_as_given(tmp_path: Path) -> None:
    given = "{roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: {kmin: 1MB, kmax: 2MB, pmax: 20%}}}"
    shown = ecn.ecn_page(small(tmp_path, traffic=given), UPLINK, VIEW)
    assert shown.startswith("● roce at 800G is marked from 1,000,000 B to 2,000,000 B on a-su1-r1-leaf:64")
    assert "Kmin                 1,000,000 B  intent: traffic.roce.ecn" in shown
    assert "Kmin, time to drain        10 us  at line rate" in shown


def test_an_overridden_speed_has_thresholds_and_headroom_of_its_own(tmp_path: Path) -> None:
    slow = small(tmp_path, overrides='[{where: "a-su1-r1-leaf:1/1", set: {speed: 200G}, reason: CHG-1}]')
    assert ecn.used_speeds(slow, None) == (200_000, 400_000, 800_000)
    assert ecn.used_speeds(slow, HOST_PORT) == (200_000,)
    assert number(dict(headroom.port_data(slow, "a-su1-r1-leaf", "1/1")), "speed_mbps") == 200_000
    assert "200G" in links.links_page(slow, HOST_PORT, VIEW)


def test_spines_with_asns_of_their_own_have_no_formula(tmp_path: Path) -> None:
    own = showing.fabric(tmp_path, devices="place,asn\na/spine/1,65099\n")
    shown = rib.rib_page(own, "a-su1-r1-leaf", "", VIEW)
    assert "no formula: the spines of this plane do not share one ASN" in shown
    assert "65099 4200000001 or 4200100000 4200000001" in shown


@pytest.mark.parametrize(
    ("prefix", "message", "hint"),
    [
        ("10.0.0.17", "a-su1-r1-leaf must have no route to 10.0.0.17/32", "it is inside 10.0.0.16/28"),
        (
            "10.32.0.0/28",
            "a-su1-r1-leaf must have no route to 10.32.0.0/28",
            "it is of b-su1-r1-leaf, and the planes are disjoint",
        ),
        (
            "192.0.2.0/24",
            "a-su1-r1-leaf must have no route to 192.0.2.0/24",
            "no device of this fabric originates it",
        ),
        ("ten", "`ten` is not a prefix", "for example 10.0.0.0/28"),
    ],
)
def test_a_prefix_that_is_not_in_the_table_is_refused(prefix: str, message: str, hint: str) -> None:
    with pytest.raises(Invalid) as error:
        rib.rib_page(EXAMPLE, "a-su1-r1-leaf", prefix, VIEW)
    (only,) = error.value.diagnostics
    assert (only.message, only.hint) == (message, hint)


def test_a_spine_has_no_route_to_another_spine_of_its_plane() -> None:
    with pytest.raises(Invalid) as error:
        rib.rib_page(EXAMPLE, "a-spine1", "10.255.32.2/32", VIEW)
    assert error.value.diagnostics[0].hint == "it is of a-spine2, whose AS path holds the own ASN 4200100000"


def test_the_json_of_a_page_parses_back_and_has_a_version() -> None:
    for made in DATA.values():
        data = made()
        assert isinstance(data, dict)
        back = json.loads(dump(data))
        assert back["version"] == 1
        assert back["show"] == data["show"]
