"""Every table of sonic-buildimage is read, and the flags that are known of them are found (headroom.md 3)."""

from __future__ import annotations

import csv
from collections.abc import Mapping

import pytest

from netaudit.lint import Table, read_config, read_lookup

from .tables import judged


@pytest.fixture(scope="module")
def published(shared) -> Mapping[str, Table]:
    """HWSKU → its table, written as the file is."""
    texts: dict[str, list[str]] = {}
    with (shared / "data" / "pg_profile_tables.csv").open() as file:
        for row in csv.DictReader(file):
            key = f"{row['platform']}/{row['hwsku']}/{row['source_path']}"
            fields = ("speed_mbps", "cable_m", "size", "xon", "xoff", "threshold", "xon_offset")
            cells = [row[name] + ("m" if name == "cable_m" else "") for name in fields if row[name]]
            texts.setdefault(key, []).append(" ".join(cells))
    return {key: read_lookup("\n".join(rows) + "\n", key, key.split("/")[2]) for key, rows in texts.items()}


def about(published: Mapping[str, Table], hwsku: str) -> list[tuple[str, str, str]]:
    table = next(table for table in published.values() if table.hwsku == hwsku)
    return [(str(d.severity), d.rule, d.message) for d in judged(table)]


def test_every_published_line_is_read(published):
    assert sum(len(table.rows) for table in published.values()) == 4991
    assert not [problem for table in published.values() for problem in table.problems]


@pytest.mark.parametrize(
    ("hwsku", "severity", "rule", "said"),
    [
        ("ACS-SN5600", "error", "TAB-03", "40G at 5 m: size 75,776 B is 1,024 B less than xon + xoff, 76,800 B"),
        ("ACS-SN5600", "warning", "TAB-03", "800G at 5 m: size 304,128 B is 1,024 B less than xon + xoff + one frame"),
        ("ACS-SN5600", "warning", "TAB-03", "800G at 300 m: size 1,198,080 B is 1,024 B less than xon + xoff + one"),
        ("Mellanox-SN4700-C128", "error", "TAB-12", "400G at 2,000 m: xoff 876,544 B, 876,544 B less than the formula"),
        ("Mellanox-SN4700-C128", "error", "TAB-01", "400G at 2,000 m has 518,144 B more than 300 m, though"),
        ("Mellanox-SN4600C-C64", "error", "TAB-12", "100G at 2,000 m: xoff"),
        ("Mellanox-SN5600-C256S1", "error", "TAB-12", "800G at 1,000 m: xoff 1,153,024 B, 9,216 B less"),
        ("NH-4010", "error", "TAB-02", "800G: one value, 612,140 B, for 5, "),
        ("Arista-7060X6-64PE-B-O128", "warning", "TAB-05", "400G at 150 m: xoff 611,328 B is 204 B beyond a multiple"),
        ("Nokia-IXR7220-H5-64O", "warning", "TAB-07", "cells of 208 B: copied from a table of Tomahawk"),
        ("Nokia-IXR7220-H5-64D", "warning", "TAB-06", "800G at 5, "),
    ],
)
def test_a_known_flag_is_found(published, hwsku, severity, rule, said):
    assert [m for s, r, m in about(published, hwsku) if (s, r) == (severity, rule) and said in m], about(
        published, hwsku
    )


@pytest.mark.parametrize("hwsku", ["Mellanox-SN5640-C512X2", "DellEMC-Z9664f-O64", "ACS-MSN4600C"])
def test_a_table_that_follows_its_formula_has_no_error(published, hwsku):
    assert "error" not in {severity for severity, _, _ in about(published, hwsku)}


def test_every_real_configuration_is_read(shared):
    files = sorted((shared / "data" / "sonic-real").glob("*.json"))
    tables = [read_config(file.read_text(), file.name) for file in files]
    assert len(files) >= 30
    assert sum(table is not None for table in tables) >= 26
    assert not [p.message for table in tables if table is not None for p in table.problems]
