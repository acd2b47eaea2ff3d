from __future__ import annotations

import json
import os
from fractions import Fraction
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path

import pytest

from netaudit.diag import Invalid, Severity
from netaudit.intent import load
from netaudit.intent.schema import IntentModel

from .example import EXAMPLE, SMALL, problems, read, small

MESSAGES = tuple[str, ...]


def test_the_example_is_complete():
    intent = load(EXAMPLE)
    assert (intent.model.fabric, intent.model.planes, intent.model.rails) == ("two-plane", ("a", "b"), 4)
    assert {name: (unit.id, unit.hosts) for name, unit in intent.model.units.items()} == {"su1": (1, 4), "su2": (2, 4)}
    assert (intent.model.unit_capacity, intent.model.host_capacity) == (4, 8)
    assert len(intent.devices) == 20
    assert {row.hwsku for row in intent.devices} == {"ACS-SN5600"}
    assert intent.cables[frozenset({"a-su1-r1-leaf:64", "a-spine1:1"})].length_m == 34.0
    assert intent.warnings == ()


def test_the_example_spells_out_the_defaults(tmp_path):
    spelt, silent = load(EXAMPLE).model, read(tmp_path, small()).model
    for section in ("names", "owns", "addressing", "bgp", "traffic", "pfc", "buffers", "mtu", "load_balancing"):
        assert getattr(spelt, section) == getattr(silent, section), section


def test_quantities_arrive_in_the_units_of_their_names(tmp_path):
    model = read(tmp_path, small()).model
    assert (model.hosts.speed, model.spine.speed) == (400_000, 800_000)
    assert (model.cables.leaf_spine.length_m, model.cables.leaf_spine.medium) == (40.0, "dr8")
    assert (model.bgp.keepalive, model.bgp.hold, model.bgp.asn_base) == (3, 9, 4_200_000_000)
    assert (model.pfc.watchdog.detect, model.pfc.watchdog.restore, model.pfc.watchdog.poll) == (200, 400, None)
    assert (model.traffic["roce"].share, model.traffic["control"].cap) == (Fraction(60), Fraction(5))
    assert (model.buffers.shallow.alpha, model.buffers.deep.headroom) == (Fraction(1), "computed")
    assert model.addressing.loopbacks == (IPv4Network("10.255.0.0/16"), IPv6Network("fd00:ff::/48"))


@pytest.mark.parametrize(
    ("path", "line_and_column"),
    [
        ("leaf.model", "13:15"),
        ("leaf", "13:1"),
        ("cables.host-leaf", "16:14"),
        ("units.su1", "9:3"),
        ("units.su1.id", "9:3"),
        ("planes.1", "6:13"),
        ("traffic.roce", "32:3"),
        ("pfc.watchdog.poll", "35:7"),
        ("bgp.bfd", "30:1"),
    ],
)
def test_a_path_is_found_where_it_is_written_or_at_its_nearest_ancestor(path, line_and_column):
    intent = load(EXAMPLE)
    assert str(intent.source(path)) == f"{EXAMPLE}:{line_and_column}"


def test_only_what_is_written_counts_as_given():
    intent = load(EXAMPLE)
    assert intent.given("bgp.hold")
    assert not intent.given("bgp.bfd")
    assert intent.source("load_balancing.mode") is None


def test_sources_show_their_lines():
    intent = load(EXAMPLE)
    assert intent.text(intent.source("rails")).startswith("rails: 4")
    row = next(row for row in intent.devices if row.name == "a-spine1")
    assert intent.text(row.cell("serial"))[row.cell("serial").column - 1 :].startswith(row.serial)


def test_a_model_can_be_written_as_json_and_equal_ones_alike():
    written = load(EXAMPLE).model.model_dump_json(by_alias=True)
    assert json.loads(written)["cables"]["leaf-spine"] == "40m dr8"
    assert written == load(EXAMPLE).model.model_dump_json(by_alias=True)


@pytest.mark.parametrize(("section", "one", "other"), [("bgp", "{hold: 9s}", "{hold: 12s}"),
    ("cables", "{host-leaf: 3m dac, leaf-spine: 40m dr8}", "{host-leaf: 2m dac, leaf-spine: 40m dr8}"),
    ("buffers", "{shallow: {alpha: 1/4}}", "{shallow: {alpha: 1/8}}"),
    ("addressing", "{loopbacks: 10.1.0.0/16, hosts: 10.2.0.0/16}", "{loopbacks: 10.1.0.0/16, hosts: 10.3.0.0/16}"),
    ("overrides", "[{where: a, set: {mtu: 9000}, reason: x}]", "[{where: a, set: {mtu: 9000}, reason: y}]"),
])  # fmt: skip
def test_whatever_differs_differs_in_json(tmp_path, section, one, other):
    written = [read(tmp_path, small(**{section: text})).model.model_dump_json(by_alias=True) for text in (one, other)]
    assert written[0] != written[1]


def test_units_can_be_counted(tmp_path):
    counted = read(tmp_path, small(units="{count: 3, hosts: 2}"))
    spelt = read(tmp_path, small(units="{su1: {hosts: 2}, su2: {hosts: 2}, su3: {hosts: 2}}"))
    assert counted.model == spelt.model
    assert counted.text(counted.source("units.su2.hosts")).startswith("units: {count: 3")


def test_a_unit_takes_its_number_from_its_name_or_its_id(tmp_path):
    model = read(tmp_path, small(units="{su12: {hosts: 2}, edge: {id: 3, hosts: 2}}")).model
    assert {name: unit.id for name, unit in model.units.items()} == {"su12": 12, "edge": 3}


def test_default_takes_what_the_shares_leave(tmp_path):
    model = read(tmp_path, small(traffic="{roce: {dscp: [26], priority: 3, lossless: true, share: 62.5%}}")).model
    assert model.traffic["default"].share == Fraction(75, 2)


def test_ecn_is_automatic_explicit_or_absent(tmp_path):
    def ecn(text: str) -> object:
        classes = f"{{roce: {{dscp: [26], queue: 3, share: 60%, ecn: {text}}}}}"
        return read(tmp_path, small(traffic=classes)).model.traffic["roce"].ecn

    assert ecn("auto") == "auto"
    assert ecn("none") is None
    explicit = ecn("{kmin: 1MB, kmax: 2MB, pmax: 10%}")
    assert (explicit.kmin, explicit.kmax, explicit.pmax) == (10**6, 2 * 10**6, Fraction(10))


def test_an_override_says_only_what_it_sets(tmp_path):
    text = small(overrides="[{where: role=leaf, set: {speed: 200G, enabled: false}, reason: CHG-1, until: 2027-01-31}]")
    override = read(tmp_path, text).model.overrides[0]
    assert override.set == {"speed": 200_000, "enabled": False}
    assert override.until.isoformat() == "2027-01-31"


def test_a_folder_stands_for_its_only_fabric(tmp_path):
    (tmp_path / "fabric.yaml").write_text(small())
    (tmp_path / "waivers.yml").write_text("waivers: []\n")
    assert load(tmp_path).file == str(tmp_path / "fabric.yaml")
    (tmp_path / "second.yml").write_text(small())
    with pytest.raises(Invalid, match="2 fabrics"):
        load(tmp_path)


def test_paths_of_tables_start_at_the_intent(tmp_path, monkeypatch):
    read(tmp_path, small(devices="devices.csv"), devices="name\na-su1-r1-leaf\n")
    monkeypatch.chdir(tmp_path.parent)
    intent = load(Path(tmp_path.name) / "fabric.yml")
    assert str(intent.devices[0].source) == f"{tmp_path.name}{os.sep}devices.csv:2:1"


def test_a_short_hold_time_is_a_warning_and_an_intent(tmp_path):
    intent = read(tmp_path, small(bgp="{keepalive: 10s, hold: 20s}"))
    assert [warning.severity for warning in intent.warnings] == [Severity.WARNING]
    assert intent.model.bgp.hold == 20


def test_the_same_pool_for_hosts_and_loopbacks_is_refused_even_where_one_is_a_default(tmp_path):
    found = problems(tmp_path, small(addressing="{loopbacks: 10.1.0.0/16}"))
    assert ["in common" in d.message for d in found] == [True]


@pytest.mark.parametrize("key", sorted(SMALL))
def test_each_required_key_is_asked_for_by_name(tmp_path, key):
    text = "".join(line for line in small().splitlines(keepends=True) if not line.startswith(f"{key}:"))
    assert f"the intent needs `{key}`" in {d.message for d in problems(tmp_path, text)}


@pytest.mark.parametrize(
    "change",
    [
        {"rails": "0"},
        {"planes": "[]"},
        {"units": "{}"},
        {"fabric": "a b"},
        {"planes": "[a_b]"},
        {"schema": "2"},
        {"owns": "[all, bgp, cheese]"},
        {"hosts": "{nic: cx8, speed: 400G, attach: glue}"},
        {"mtu": "{roce: 9000}"},
        {"bgp": "{maximum_paths: 0}"},
        {"bgp": "{bfd: 1}"},
        {"buffers": "{shallow: {alpha: -1}}"},
        {"buffers": "{shallow: {shared_headroom: 0}}"},
        {"addressing": "{loopbacks: []}"},
        {"versions": "{sonic: 2}"},
        {"pfc": "{watchdog: {poll: 300ms}}"},
        {"traffic": "{x: {dscp: [1], queue: 8, share: 10%}}"},
        {"traffic": "{x: {dscp: [1], queue: 1}}"},
        {"names": "{leaf: leaf}"},
        {"overrides": "[{where: a}]"},
    ],
    ids=str,
)
def test_one_wrong_value_is_one_or_more_problems_in_its_line(tmp_path, change):
    text = small(**change)
    line = next(n for n, row in enumerate(text.splitlines(), 1) if row.startswith(f"{next(iter(change))}:"))
    found = problems(tmp_path, text)
    assert {d.source.line for d in found} == {line}


def test_every_key_of_the_schema_says_what_it_is():
    from netaudit.intent.partial import section_of
    from netaudit.intent.schema.words import words

    def silent(section: type, path: str) -> list[str]:
        found = []
        for name, field in section.model_fields.items():
            inner, _ = section_of(field.annotation)
            if not words(section).get(name, "").strip():
                found.append(f"{path}.{name}")
            found += silent(inner, f"{path}.{name}") if inner else []
        return found

    assert silent(IntentModel, "") == []
