"""Fabrics side by side share no name, number or prefix (DESIGN.md rule 12)."""

from __future__ import annotations

from pathlib import Path

import pytest
from intent.example import small

from netaudit.diag import Invalid
from netaudit.fabric import fabrics, workspace

APART = {
    "planes": "[c, d]",
    "units": "{su8: {hosts: 2}}",
    "bgp": "{asn_base: 4210000000}",
    "addressing": '{loopbacks: [10.254.0.0/16, "fd00:fe::/48"], hosts: 10.64.0.0/10, numbered: 10.128.0.0/12}',
}


def both(folder: Path, **changes: str) -> list[str]:
    """What is wrong with two fabrics of which the second differs as given."""
    (folder / "other.yml").write_text(small(**{"fabric": "other", **changes}), encoding="utf-8")
    (folder / "fabric.yml").write_text(f"include: [other.yml]\n{small()}", encoding="utf-8")
    try:
        assert workspace(folder / "fabric.yml").name == "small"
    except Invalid as error:
        return [d.message.replace(f" ({folder / 'other.yml'})", "") for d in error.diagnostics]
    return []


def test_fabrics_with_names_numbers_and_pools_of_their_own_stand_side_by_side(tmp_path: Path) -> None:
    assert both(tmp_path, **APART) == []


SHARED = {
    "planes": (
        {"planes": "[a, d]", "units": "{su1: {hosts: 2}}", "names": '{leaf: "x-{plane}-{unit}-r{rail}"}'},
        "a-spine1 and 3 more in both small and other",
    ),
    "bgp": ({"bgp": "{}"}, "ASN 4200100000 and 1 more in both small and other"),
    "addressing": (
        {
            "units": "{su1-x: {id: 1, hosts: 2}}",
            "addressing": '{loopbacks: [10.254.0.0/16, "fd00:fe::/48"], hosts: 10.0.0.0/9, numbered: 10.128.0.0/12}',
        },
        "10.0.0.0/30 of small and 10.0.0.0/30 of other have addresses in common",
    ),
}


@pytest.mark.parametrize(("change", "said"), SHARED.values(), ids=SHARED)
def test_what_two_fabrics_share_is_told_once(tmp_path: Path, change: dict[str, str], said: str) -> None:
    (found,) = both(tmp_path, **(APART | change))
    assert said in found


def test_two_fabrics_of_one_name_are_told(tmp_path: Path) -> None:
    assert "`small` is the name of two fabrics" in both(tmp_path, **(APART | {"fabric": "small"}))


def test_a_fabric_beside_it_that_cannot_be_built_is_told_too(tmp_path: Path) -> None:
    assert both(tmp_path, **(APART | {"units": "{su80: {hosts: 2}}"})) == [
        "spine: 160 leaf-spine ports at 800G need more cages than nvidia-sn5600 has left"
    ]


def test_two_fabrics_that_include_each_other_are_one_workspace_from_either_side(tmp_path: Path) -> None:
    """Rule 12: an included fabric is looked at and not merged, so there is nothing that could go round."""
    (tmp_path / "one.yml").write_text(f"include: [two.yml]\n{small()}", encoding="utf-8")
    (tmp_path / "two.yml").write_text(f"include: [one.yml]\n{small(**(APART | {'fabric': 'other'}))}", encoding="utf-8")
    assert [workspace(tmp_path / name).name for name in ("one.yml", "two.yml")] == ["small", "other"]
    assert [fabric.name for fabric in fabrics(tmp_path / "one.yml")] == ["small", "other"]
    assert [fabric.name for fabric in fabrics(tmp_path / "two.yml")] == ["other", "small"]


def test_a_folder_is_a_workspace_of_all_fabrics_in_it(tmp_path: Path) -> None:
    (tmp_path / "one.yml").write_text(small(), encoding="utf-8")
    (tmp_path / "two.yml").write_text(small(**(APART | {"fabric": "other"})), encoding="utf-8")
    (tmp_path / "notes.yml").write_text("mtu: {port: 9000}\n", encoding="utf-8")
    assert [fabric.name for fabric in fabrics(tmp_path)] == ["small", "other"]
    (tmp_path / "two.yml").write_text(small(fabric="other"), encoding="utf-8")
    with pytest.raises(Invalid) as caught:
        fabrics(tmp_path)
    assert len(caught.value.diagnostics) == 3  # names, numbers, addresses


def test_fabrics_that_include_each_other_are_each_built_once(tmp_path: Path) -> None:
    (tmp_path / "one.yml").write_text(f"include: [two.yml]\n{small()}", encoding="utf-8")
    other = small(**(APART | {"fabric": "other"}))
    (tmp_path / "two.yml").write_text(f"include: [one.yml]\n{other}", encoding="utf-8")
    assert [fabric.name for fabric in fabrics(tmp_path / "one.yml")] == ["small", "other"]
    assert workspace(tmp_path / "two.yml").name == "other"


def test_a_folder_without_a_fabric_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no fabric in it"):
        fabrics(tmp_path)
