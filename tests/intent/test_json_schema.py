from __future__ import annotations

import json

import jsonschema
import pytest
import yaml

from netaudit.intent import json_schema
from netaudit.intent.text import parse

from .example import EXAMPLE, small


def _plain(text: str) -> object:
    """The data of an intent as JSON has it."""
    return json.loads(json.dumps(parse(text, "f.yml").data))


def _errors(text: str) -> list[str]:
    validator = jsonschema.Draft202012Validator(json_schema())
    return [error.json_path for error in validator.iter_errors(_plain(text))]


def test_it_is_a_schema_of_draft_2020_12():
    assert json_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(json_schema())


def test_the_schema_beside_the_examples_is_the_current_one(golden):
    golden(EXAMPLE.parent / "netaudit.schema.json", json.dumps(json_schema(), indent=2) + "\n")


def test_the_examples_name_the_schema_and_satisfy_it():
    text = EXAMPLE.read_text()
    assert text.startswith("# yaml-language-server: $schema=netaudit.schema.json\n")
    assert _errors(text) == []


@pytest.mark.parametrize(
    "change",
    [
        {"units": "{count: 4, hosts: 8}"},
        {"units": "{su1: {hosts: 4}, edge: {id: 9, hosts: 4}}"},
        {"addressing": "{loopbacks: 10.255.0.0/16, hosts: [10.0.0.0/10, 'fd00::/40']}"},
        {"bgp": '{asn_base: "65000.10"}'},
        {"buffers": "{shallow: {alpha: 1/4}, deep: {alpha: 8}}"},
        {"bgp": "{maximum_paths: 64}"},
        {"traffic": "{roce: {dscp: [26], queue: 3, share: 60%, ecn: {kmin: 1MB, kmax: 2MiB, pmax: 5%}}}"},
        {"traffic": "{roce: {dscp: [26], queue: 3, share: 60.5 %, ecn: none}}"},
        {"pfc": "{watchdog: {detect: 0.2s}}"},
        {"overrides": "[{where: role=leaf, set: {speed: 1.6T}, reason: x, until: 2027-01-31}]"},
    ],
    ids=str,
)
def test_what_loads_satisfies_the_schema(tmp_path, change):
    from .example import read

    assert read(tmp_path, small(**change))
    assert _errors(small(**change)) == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"rails": '"4"'}, "$.rails"),
        ({"hosts": "{nic: cx8, speed: 400}"}, "$.hosts.speed"),
        ({"rail": "4"}, "$"),
        ({"hosts": "{nic: cx8, speed: 400GB}"}, "$.hosts.speed"),
        ({"planes": "a"}, "$.planes"),
        ({"pfc": "{watchdog: {action: dorp}}"}, "$.pfc.watchdog.action"),
        ({"units": "{count: 0, hosts: 1}"}, "$.units"),
        ({"management": "{credentials: {password: hunter2}}"}, "$.management.credentials.password"),
        ({"cables": "{host-leaf: 3m, leaf-spine: 40m dr8}"}, "$.cables['host-leaf']"),
    ],
    ids=str,
)
def test_what_an_editor_can_see_to_be_wrong_it_shows(change, where):
    assert where in _errors(small(**change))


def test_yaml_1_1_readers_of_the_example_see_the_same_data():
    """Other tools (editors, CI) may use PyYAML as it is: the example holds nothing that they read otherwise."""
    assert json.loads(json.dumps(yaml.safe_load(EXAMPLE.read_text()))) == _plain(EXAMPLE.read_text())
