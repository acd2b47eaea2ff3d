"""What a box ships with, against what SONiC's own templates render for it."""

from __future__ import annotations

import json
from functools import cache

import pytest

from netaudit.diag import Invalid
from netaudit.hardware import models, switch
from netaudit.lab.factory.sonic import factory_files

CASES = [(model.name, hwsku) for model in models() for hwsku in sorted(model.hwskus) if hwsku]
Config = dict[str, dict[str, dict[str, str]]]


@cache
def shipped(model: str, hwsku: str) -> dict[str, str]:
    return dict(factory_files(switch(model), hwsku, serial="MT2345X00001", mac="b0:cf:0e:00:00:01"))


@cache
def config(model: str, hwsku: str) -> Config:
    tree: Config = json.loads(shipped(model, hwsku)["etc/sonic/config_db.json"])
    return tree


@pytest.mark.parametrize(
    ("hwsku", "file"),
    [("ACS-SN5600", "rendered_sn5600_acs_t1.json"), ("Mellanox-SN5600-O128", "rendered_sn5600_o128_t1.json")],
)
def test_stock_tables_are_those_sonic_renders(shared, hwsku, file):
    rendered: Config = json.loads((shared / "data" / "sonic-real" / file).read_text())
    # A rendering without a speed column gives the 25G service port the speed of the others (sonic.md 1 has it right).
    rendered["PORT"]["Ethernet512"]["speed"] = "25000"
    del rendered["DEVICE_METADATA"]  # name, ASN and MAC are the renderer's
    ours = config("nvidia-sn5600", hwsku)
    assert {table: ours.get(table) for table in rendered} == rendered


@pytest.mark.parametrize(("model", "hwsku"), CASES)
def test_every_value_is_text(model, hwsku):
    values = [value for table in config(model, hwsku).values() for row in table.values() for value in row.values()]
    assert {type(value) for value in values} == {str}


@pytest.mark.parametrize(("model", "hwsku"), CASES)
def test_all_ports_are_up_and_in_every_table_of_ports(model, hwsku):
    tree = config(model, hwsku)
    ports = set(tree["PORT"])
    assert {row["admin_status"] for row in tree["PORT"].values()} == {"up"}
    assert set(tree["CABLE_LENGTH"]["AZURE"]) == ports
    assert set(tree["PORT_QOS_MAP"]) == {*ports, "global"}
    for table in ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE"):
        assert {key.partition("|")[0] for key in tree[table]} == ports


@pytest.mark.parametrize(("model", "hwsku"), CASES)
def test_each_cage_has_one_breakout_row_under_its_first_port(model, hwsku):
    tree = config(model, hwsku)
    first: dict[str, str] = {}
    for name, row in sorted(tree["PORT"].items(), key=lambda item: int(item[0].removeprefix("Ethernet"))):
        first.setdefault(row["index"], name)
    spelled = switch(model).hwskus[hwsku].breakout_modes
    assert set(tree["BREAKOUT_CFG"]) == (set(first.values()) if spelled else set())


@pytest.mark.parametrize(("model", "hwsku"), CASES)
def test_a_new_box_has_no_addresses_and_no_bgp(model, hwsku):
    tree = config(model, hwsku)
    assert not {"INTERFACE", "LOOPBACK_INTERFACE", "BGP_NEIGHBOR", "STATIC_ROUTE"} & set(tree)
    assert tree["DEVICE_METADATA"]["localhost"]["hostname"] == "sonic"


@pytest.mark.parametrize(("model", "hwsku"), CASES)
def test_the_lookup_file_says_what_the_catalogue_says(model, hwsku):
    lines = shipped(model, hwsku)["hwsku/pg_profile_lookup.ini"].splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    table = switch(model).hwskus[hwsku].pg
    assert {(int(speed), int(cable.removesuffix("m"))) for speed, cable, *_ in rows} == set(table)
    for speed, cable, size, xon, xoff, threshold, *_offset in rows:
        row = table[int(speed), int(cable.removesuffix("m"))]
        assert (row.size_bytes, row.xon_bytes, row.xoff_bytes) == (int(size), int(xon), int(xoff))
        assert row.threshold == int(threshold)


@pytest.mark.parametrize(("model", "hwsku"), CASES)
def test_the_port_file_lists_the_ports_of_the_configuration(model, hwsku):
    lines = shipped(model, hwsku)["hwsku/port_config.ini"].splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    fields = ("lanes", "alias", "index", "speed")
    assert {name: tuple(rest) for name, *rest in rows} == {
        name: tuple(row[field] for field in fields) for name, row in config(model, hwsku)["PORT"].items()
    }


def test_the_eeprom_holds_the_facts_of_the_box():
    assert json.loads(shipped("nvidia-sn5600", "ACS-SN5600")["eeprom.json"]) == {
        "serial": "MT2345X00001",
        "mac": "b0:cf:0e:00:00:01",
        "platform": "x86_64-nvidia_sn5600-r0",
        "hwsku": "ACS-SN5600",
    }


def test_a_hwsku_of_another_model_is_refused_with_those_there_are():
    with pytest.raises(Invalid) as caught:
        shipped("nvidia-sn5600", "ACS-SN5400")
    assert "ACS-SN5600" in caught.value.diagnostics[0].hint


def test_a_hostname_may_be_given():
    files = factory_files(switch("nvidia-sn5600"), "ACS-SN5600", hostname="leaf1", serial="S", mac="00:00:00:00:00:01")
    assert json.loads(files["etc/sonic/config_db.json"])["DEVICE_METADATA"]["localhost"]["hostname"] == "leaf1"
