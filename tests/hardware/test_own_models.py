"""A user's own models: they extend the catalogue, are refused with their place, and cannot harm."""

from __future__ import annotations

import pickle
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest
from intent.example import small

from netaudit import hardware
from netaudit.diag import Diagnostic, Invalid
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import Intent, load, models_schema

SWITCH = """\
switches:
  acme-9064:
    vendor: Acme
    asic: Tomahawk 5
    cell: 254 B
    buffer: 165MB
    parts: 2
    cages:
      - {cages: 1-64, lanes: 8, first_lane: 1, speed: 800G, modes: [1x800G, 2x400G, 4x200G], alias: "etp{cage}"}
      - {cages: "65", lanes: 1, first_lane: 513, speed: 25G, modes: [1x25G], service: true}
    hwskus:
      Acme-9064:
        platform: x86_64-acme_9064-r0
        headroom:
          - {speed: 400G, length: 5, size: 18796B, xon: 18796B, xoff: 393192B}
          - {speed: 400G, length: 40, size: 18796B, xon: 18796B, xoff: 446024B}
          - {speed: 800G, length: 40, size: 18796B, xon: 18796B, xoff: 835406B}
    estimates: {buffer: 10%}
    source: Acme 9064 data sheet, 2026-03
"""
NIC = """\
nics:
  acme-nic: {title: Acme N1, ports: 2, speeds: [200G, 400G], together: 800G, pcie: 6, source: Acme N1 brief}
"""
INTENT = small(
    hardware="[models.yml]",
    hosts="{nic: acme-nic, speed: 400G}",
    leaf="{model: acme-9064, platform: sonic}",
)


def read(folder: Path, models: str | bytes = SWITCH + NIC, intent: str = INTENT) -> Intent:
    (folder / "models.yml").write_bytes(models if isinstance(models, bytes) else models.encode())
    file = folder / "fabric.yml"
    file.write_text(intent, encoding="utf-8")
    return load(file)


def problems(folder: Path, models: str | bytes, intent: str = INTENT) -> tuple[Diagnostic, ...]:
    try:
        read(folder, models, intent)
    except Invalid as error:
        return error.diagnostics
    return ()


def told(folder: Path, models: str, intent: str = INTENT) -> list[tuple[str, str]]:
    found = problems(folder, models, intent)
    return [
        (f"{Path(d.source.file).name}:{d.source.line}:{d.source.column}" if d.source else "", d.message) for d in found
    ]


def test_an_own_model_is_a_switch_of_the_fabric(tmp_path):
    intent = read(tmp_path)
    expected = Expected(build(intent))
    leaf = next(d for d in expected.built.devices.values() if d.place.role == "leaf")
    assert (leaf.model.name, leaf.model.itms, leaf.hwsku) == ("acme-9064", 2, "Acme-9064")
    port = expected.device(leaf.name).ports["1/1"]
    assert (port.alias, port.lanes, port.speed_mbps) == ("etp1a", (1, 2, 3, 4), 400_000)
    assert expected.device(leaf.name).ports["65"].alias is None  # none was given
    profile = expected.device(leaf.name).buffers.profiles["pg_lossless_400000_5m_profile"]
    assert profile.xoff_bytes == 393_192


def test_figures_of_the_chip_come_from_the_catalogue_and_say_so(tmp_path):
    model = read(tmp_path).hardware["acme-9064"]
    assert model.headroom == hardware.switch("dell-z9864f").headroom
    assert model.limits == hardware.switch("dell-z9864f").limits
    assert model.can("trimming")
    assert model.sources["limits.ecmp_width"].startswith("as ")
    assert model.figure("buffer_bytes").note == "estimate ±10 %"
    assert model.figure("cell_bytes").source == "Acme 9064 data sheet, 2026-03"
    assert model.origin.endswith("models.yml")


def test_a_chip_nobody_knows_gets_the_generic_ceiling(tmp_path):
    model = read(tmp_path, SWITCH.replace("Tomahawk 5", "Acme One") + NIC).hardware["acme-9064"]
    assert (model.headroom.method, model.features) == ("ceiling", {})
    assert "generic" in model.sources["headroom.method"]


def test_an_own_nic_has_what_pcie_gives_it(tmp_path):
    card = read(tmp_path).hardware["acme-nic"]
    assert (card.port_speeds_mbps, card.total_mbps, card.pcie_mbps) == ((400_000, 200_000), 800_000, 968_000)


def test_the_name_finds_the_model_wherever_it_goes(tmp_path):
    intent = read(tmp_path)
    name = intent.model.leaf.model
    assert name == "acme-9064"
    assert hardware.switch(name) is intent.hardware["acme-9064"]
    assert hardware.nic(intent.model.hosts.nic).title == "Acme N1"
    assert hardware.switch(pickle.loads(pickle.dumps(name))).buffer_bytes == 165_000_000
    with pytest.raises(KeyError):
        hardware.switch("acme-9064")  # the text alone is nobody's model


def test_two_models_of_one_name_are_kept_apart_in_one_process(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = read(tmp_path / "a").model.leaf.model
    other = read(tmp_path / "b", SWITCH.replace("393192B", "400000B") + NIC).model.leaf.model
    again = read(tmp_path / "b", SWITCH.replace("393192B", "400000B") + NIC).model.leaf.model
    assert one != other
    assert other == again
    assert {one: 1}.get(other) is None
    sizes = [hardware.switch(n).hwskus["Acme-9064"].pg[400_000, 5].xoff_bytes for n in (one, other)]
    assert sizes == [393_192, 400_000]


WRONG = {
    "a name of the catalogue": (
        "acme-9064:",
        "nvidia-sn5600:",
        ("models.yml:2:3", "`nvidia-sn5600` is a model of the catalogue, whose figures are not overridden in silence"),
    ),
    "a key nobody knows": ("parts: 2", "part: 2", ("models.yml:7:5", "unknown key `part`")),
    "a bare number": ("cell: 254 B", "cell: 254", ("models.yml:5:11", "`cell` is a size and needs a unit")),
    "a missing source": (
        "    source: Acme 9064 data sheet, 2026-03\n",
        "",
        ("models.yml:2:3", "`acme-9064` needs `source`"),
    ),
    "lanes that cannot be divided": (
        "modes: [1x800G, 2x400G, 4x200G]",
        "modes: [1x800G, 3x200G]",
        ("models.yml:9:77", "8 lanes cannot be divided by 3"),
    ),
    "a lane too fast": (
        "modes: [1x800G, 2x400G, 4x200G]",
        "modes: [1x800G, 2x3200G]",
        ("models.yml:9:77", "`2x3200G` asks more than 200G of a lane"),
    ),
    "no undivided mode": (
        "modes: [1x800G, 2x400G, 4x200G]",
        "modes: [2x400G]",
        ("models.yml:9:61", "no mode is the undivided cage at 800G"),
    ),
    "cages twice": ('cages: "65"', 'cages: "64"', ("models.yml:10:17", "cage 64 is in entry 1 already")),
    "lanes twice": ("first_lane: 513", "first_lane: 512", ("models.yml:10:45", "lane 512 is in entry 1 already")),
    "cages that count down": ("cages: 1-64", "cages: 64-1", ("models.yml:9:17", "`64-1` counts down, or from 0")),
    "a placeholder": (
        'alias: "etp{cage}"',
        'alias: "etp{cage.__class__}"',
        ("models.yml:9:101", "`alias` has a placeholder that is none"),
    ),
    "an open brace": ('alias: "etp{cage}"', 'alias: "etp{"',
                      ("models.yml:9:101", "`alias` has a placeholder that is none")),
    "a row twice": ("length: 40, size: 18796B, xon: 18796B, xoff: 446024B", "length: 5, size: 1B, xon: 1B, xoff: 1B",
                    ("models.yml:16:13", "400G at 5 m is row 1 already")),
    "a class nobody knows": ("vendor: Acme", "vendor: Acme\n    class: medium",
                             ("models.yml:4:12", "`class` is shallow or deep, not `medium`")),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_where_it_stands(tmp_path, case):
    old, new, wanted = WRONG[case]
    assert old in SWITCH
    found = told(tmp_path, SWITCH.replace(old, new) + NIC)
    assert [one for one in found if not one[0].startswith("fabric.yml")] == [wanted]


def test_a_misspelt_key_gets_the_nearest_one(tmp_path):
    (first, *_) = problems(tmp_path, SWITCH.replace("parts: 2", "part: 2") + NIC)
    assert first.hint == "did you mean `parts`?"


def test_one_model_in_two_files_is_an_error(tmp_path):
    (tmp_path / "more.yml").write_text(SWITCH, encoding="utf-8")
    intent = INTENT.replace("[models.yml]", "[models.yml, more.yml]")
    (place, message) = told(tmp_path, SWITCH + NIC, intent)[0]
    assert place == "more.yml:2:3"
    assert message.startswith("`acme-9064` is a model of ")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ("[gone.yml]", "there is no file `gone.yml`"),
        ("[models.yml, models.yml]", "`models.yml` is named twice"),
        ("[" + ", ".join(f"m{n}.yml" for n in range(21)) + "]", "more than 20 files"),
    ],
)
def test_files_that_cannot_be_read_are_told_in_the_intent(tmp_path, files, message):
    found = told(tmp_path, SWITCH + NIC, INTENT.replace("[models.yml]", files))
    assert message in [text for _, text in found]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "a file of models is a mapping with `switches` or `nics`"),
        ("", "a file of models is a mapping with `switches` or `nics`"),
        ("switches: {a: [\n", None),
        (b"switches: \xff\n", "byte 0xff is not UTF-8"),
        ("nics: {acme-nic: 3}\n", "`acme-nic` is a mapping of keys to values, not `3`"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path, text, message):
    found = problems(tmp_path, text)
    assert found
    assert all(d.message for d in found)
    assert message is None or message in [d.message for d in found]


def test_a_model_of_no_file_is_still_unknown(tmp_path):
    assert told(tmp_path, NIC) == [("fabric.yml:7:15", "there is no switch `acme-9064` in the catalogue")]


def test_the_json_schema_of_a_file_says_what_every_key_is():
    made = models_schema()
    definitions = made["$defs"]
    assert set(made["properties"]) == {"switches", "nics"}
    for name in ("OwnSwitch", "OwnCages", "OwnRow", "OwnPool", "OwnHwsku", "OwnNic"):
        for key, body in definitions[name]["properties"].items():
            assert body.get("description") or "$ref" in str(body), f"{name}.{key}"
    assert "class" in definitions["OwnSwitch"]["properties"]


@hypothesis.settings(max_examples=150, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(
    line=st.integers(0, SWITCH.count("\n") + NIC.count("\n")),
    at=st.integers(0, 90),
    cut=st.integers(0, 12),
    put=st.text(st.sampled_from("{}[]:,-\"'&*!|>#%@ \n\t019xGBé\x00\u2028"), max_size=6),
)
def test_no_damage_to_a_file_ends_in_a_traceback(tmp_path_factory, line, at, cut, put):
    folder = tmp_path_factory.mktemp("own")
    rows = (SWITCH + NIC).splitlines(keepends=True)
    row = rows[min(line, len(rows) - 1)]
    rows[min(line, len(rows) - 1)] = row[:at] + put + row[at + cut :]
    for diagnostic in problems(folder, "".join(rows).encode("utf-8", "replace")):
        assert diagnostic.message
