from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.intent import tables
from netaudit.intent.nodes import lines

from .example import problems, read, small


def test_columns_stand_in_any_order_and_those_not_needed_are_left_out(tmp_path):
    first = read(tmp_path, small(devices="devices.csv"), devices="serial,place\nMT1,a/su1/r1\n").devices[0]
    assert (first.serial, first.place, first.name, first.mac, first.asn) == ("MT1", "a/su1/r1", None, None, None)
    assert (first.cell("serial").column, first.cell("place").column) == (1, 5)


def test_a_column_the_file_lacks_is_located_at_its_row(tmp_path):
    row = read(tmp_path, small(devices="devices.csv"), devices="serial,place\nMT1,a/su1/r1\n").devices[0]
    assert row.cell("mac") == row.source


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_what_spreadsheets_write_is_read(tmp_path, start, end):
    text = f'{start}place,rack,serial{end}{end}a/su1/r1,"row 4, rack ""B""",MT1{end}'
    row = read(tmp_path, small(devices="devices.csv"), devices=text).devices[0]
    assert (row.rack, row.serial, row.source.line) == ('row 4, rack "B"', "MT1", 3)
    assert row.cell("serial").column == 30


def test_a_row_known_by_the_name_of_the_pattern_gets_its_place(tmp_path):
    rows = read(tmp_path, small(devices="devices.csv"), devices="name\nb-spine2\na-su1-r2-leaf\n").devices
    assert [row.place for row in rows] == ["b/spine/2", "a/su1/r2"]


def test_a_name_beside_a_place_renames(tmp_path):
    row = read(tmp_path, small(devices="devices.csv"), devices="place,name\na/spine/1,core-left\n").devices[0]
    assert (row.place, row.name) == ("a/spine/1", "core-left")


@pytest.mark.parametrize("text", ["02:00:00:00:01:0A", "02-00-00-00-01-0a", "0200.0000.010a", "02000000010a"])
def test_a_mac_is_read_in_every_spelling(text):
    found, wrong = tables.devices(("name,mac", f"leaf1,{text}"), "d.csv")
    assert (found[0].mac, wrong) == ("02:00:00:00:01:0a", ())


def test_the_same_mac_in_two_spellings_is_the_same():
    _, wrong = tables.devices(("name,mac", "a,02:00:00:00:01:0a", "b,0200.0000.010A"), "d.csv")
    assert [str(d.source) for d in wrong] == ["d.csv:3:3"]
    assert "a (line 2)" in wrong[0].message


@pytest.mark.parametrize("column", tables.UNIQUE)
def test_a_value_that_stands_twice_names_both_lines(column):
    value = {"mac": "02:00:00:00:01:0a", "management": "198.51.100.1", "loopback": "10.255.0.1", "place": "a/su1/r1"}
    value |= {"block": "10.20.4.0/25"}
    cell = value.get(column, "same")
    # a second column keeps the rows devices of their own, unless it is the one in question
    other = "name" if column != "name" else "place"
    others = ("one", "two") if other == "name" else ("a/su1/r1", "a/su1/r2")
    _, wrong = tables.devices((f"{other},{column}", f"{others[0]},{cell}", f"{others[1]},{cell}"), "d.csv")
    assert [(d.source.line, "line 2" in d.message) for d in wrong] == [(3, True)]


def test_spines_of_a_plane_may_share_a_pinned_asn():
    _, wrong = tables.devices(("name,asn", "a,4200100000", "b,4200100000"), "d.csv")
    assert wrong == ()


def test_an_asn_is_read_in_asdot():
    found, _ = tables.devices(("name,asn", "a,65000.10"), "d.csv")
    assert found[0].asn == 4_259_840_010


def test_a_host_end_of_a_cable_is_a_nic_port():
    found, wrong = tables.cables(("a,b,length", "su1-h3:r2/a,a-su1-r2-leaf:2/1,2.5m"), "c.csv", None)
    assert wrong == ()
    assert found[frozenset({"su1-h3:r2/a", "a-su1-r2-leaf:2/1"})].length_m == 2.5


def test_hosts_have_names_and_lldp_port_ids(tmp_path):
    text = small(hosts="{nic: cx8, speed: 400G, names: hosts.csv}")
    rows = "unit,index,name,ports\nsu1,1,gpu-001,r1/a=eth0 r2/b=eth3\nsu1,2,,\n"
    intent = read(tmp_path, text, hosts=rows)
    assert intent.host_names == {("su1", 1): "gpu-001"}
    assert intent.host_ports == {("su1", 1): {"r1/a": "eth0", "r2/b": "eth3"}}


def test_problems_of_tables_and_of_the_intent_come_in_one_run(tmp_path):
    text = small(devices="devices.csv", rails="no", cables="{host-leaf: 3m dac, leaf-spine: 4m dr8, measured: c.csv}")
    found = problems(tmp_path, text, devices="name,serail\n", c="a,b,length\nx:1,y:1,3\n")
    assert {d.source.file.rsplit("/", 1)[-1] for d in found} == {"fabric.yml", "devices.csv", "c.csv"}


READERS = [tables.devices, tables.hosts, lambda rows, file: tables.cables(rows, file, None)]


@given(st.sampled_from(READERS), st.text(alphabet='abplcenmi,"\n #:/1', max_size=60))
def test_any_text_is_a_table_or_a_problem_with_a_place(reader, text):
    found, wrong = reader(lines(text), "t.csv")
    assert found or wrong or text.strip()
    assert all(d.source.line <= text.count("\n") + 1 for d in wrong)
