"""Ports by the numbers on the front panel, and EOS's names for them; speeds as the closed list has them."""

from __future__ import annotations

import pytest

from netaudit import hardware
from netaudit.platforms import eos
from netaudit.platforms.eos.names import Seen, expanded, positions
from netaudit.platforms.eos.speeds import WORDS, read_speed, spelled

NAMES = {
    ("1", 8, 8): "Ethernet1/1",
    ("64", 8, 8): "Ethernet64/1",
    ("1/1", 4, 8): "Ethernet1/1",
    ("1/2", 4, 8): "Ethernet1/5",
    ("2/4", 2, 8): "Ethernet2/7",
    ("3/8", 1, 8): "Ethernet3/8",
    ("3", 4, 4): "Ethernet3/1",
    ("65", 1, 1): "Ethernet65",
}


@pytest.mark.parametrize(("port", "name"), NAMES.items(), ids=str)
def test_a_port_is_named_after_its_cage_and_the_first_of_its_lanes(port: tuple[str, int, int], name: str) -> None:
    key, lanes, cage_lanes = port
    assert eos.port_name(key, lanes, cage_lanes, 0) == name
    assert eos.cage_of(name, cage_lanes) == key.partition("/")[0]


@pytest.mark.parametrize("text", ["etp1", "Ethernet", "Ethernet1/1/1/1", "Ethernet-4", "", "Management1", "1/1"])
def test_other_text_is_no_port_name(text: str) -> None:
    assert eos.cage_of(text, 8) is None


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("Et1/1", "Ethernet1/1"),
        ("et1", "Ethernet1"),
        ("ethernet 1/5", "Ethernet1/5"),
        ("Ethernet1/1", "Ethernet1/1"),
        ("Ma1", "Management1"),
        ("Po10", "Port-Channel10"),
        ("Vl100", "Vlan100"),
        ("Lo0", "Loopback0"),
        ("swp1", "swp1"),
        ("02:00:00:aa:bb:01", "02:00:00:aa:bb:01"),
        ("et-0/0/1", "et-0/0/1"),
        ("", ""),
    ],
)
def test_a_short_name_is_written_out_and_other_text_stays(short: str, name: str) -> None:
    assert eos.full_name(short) == name


def test_every_port_of_every_box_in_every_mode_comes_back_from_the_names_alone() -> None:
    """Field case A15: the other way round no two ports of a box have one name."""
    for model in (hardware.switch(name) for name in hardware.switch_names()):
        for mode_of in (max, min):
            seen, keys = [], {}
            for cage in model.cages:
                modes = sorted(cage.breakouts, key=lambda mode: len(cage.split(mode)))
                mode = mode_of(modes, key=lambda mode: len(cage.split(mode)))
                for part in cage.split(mode):
                    key = f"{cage.number}/{part.number}" if part.number else str(cage.number)
                    name = eos.port_name(key, len(part.lanes), len(cage.lanes), 0)
                    assert name not in keys
                    keys[name] = key
                    seen.append(Seen(name=name, lanes=len(part.lanes)))
            found = positions(seen)
            # a cage in one piece that the model counts as a part is the cage itself
            assert {name: key for name, key in found.items() if key != keys[name]} in (
                {},
                {name: key.partition("/")[0] for name, key in keys.items() if found[name] != key},
            )


ROWS: dict[str, tuple[list[Seen], dict[str, str]]] = {
    "a whole cage, and its lanes as a switch lists them": (
        [Seen(name="Ethernet1/1", lanes=8), *(Seen(name=f"Ethernet1/{n}", empty=True) for n in range(2, 9))],
        {"Ethernet1/1": "1"},
    ),
    "two halves, and the lanes that are not in use": (
        [
            Seen(name="Ethernet1/1", lanes=4),
            *(Seen(name=f"Ethernet1/{n}", empty=True) for n in (2, 3, 4)),
            Seen(name="Ethernet1/5", lanes=4),
            *(Seen(name=f"Ethernet1/{n}", empty=True) for n in (6, 7, 8)),
        ],
        {"Ethernet1/1": "1/1", "Ethernet1/5": "1/2"},
    ),
    "one half that somebody emptied is still a half": (
        [Seen(name="Ethernet1/1", lanes=4), Seen(name="Ethernet1/5", empty=True), Seen(name="Ethernet1/6", empty=True)],
        {"Ethernet1/1": "1/1", "Ethernet1/5": "1/2"},
    ),
    "a cage of which nothing is said": (
        [Seen(name=f"Ethernet1/{n}", empty=True) for n in range(1, 5)],
        {"Ethernet1/1": "1"},
    ),
    "a half that got other lanes keeps its place": (
        [Seen(name="Ethernet1/1", lanes=2), Seen(name="Ethernet1/5", lanes=4)],
        {"Ethernet1/1": "1/1", "Ethernet1/5": "1/2"},
    ),
    "a cage of one lane": ([Seen(name="Ethernet65", lanes=1)], {"Ethernet65": "65"}),
    "what is no port": ([Seen(name="Management1"), Seen(name="Ethernet1/1.100"), Seen(name="Loopback0")], {}),
}


@pytest.mark.parametrize("case", ROWS)
def test_a_port_alone_in_its_cage_is_the_cage_and_several_are_its_parts(case: str) -> None:
    seen, keys = ROWS[case]
    assert positions(seen) == keys


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ethernet1/1", ["Ethernet1/1"]),
        ("Ethernet1-3", ["Ethernet1", "Ethernet2", "Ethernet3"]),
        ("Ethernet1/1-1/3", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]),
        ("Ethernet1/1-3/1,5", ["Ethernet1/1", "Ethernet2/1", "Ethernet3/1", "Ethernet5"]),
        ("Ethernet1/1-2/5", ["Ethernet1/1", "Ethernet2/5"]),
        ("Et2", ["Ethernet2"]),
        ("10.0.0.1", ["10.0.0.1"]),
    ],
)
def test_a_list_of_interfaces_is_read_one_by_one(text: str, names: list[str]) -> None:
    assert list(expanded(text)) == names


def test_a_list_that_has_no_end_is_cut_off() -> None:
    assert len(list(expanded("Ethernet1-999999999"))) == 4096


def test_every_speed_has_one_word_and_the_word_is_read_as_that_speed() -> None:
    assert len(set(WORDS.values())) == len(WORDS)
    for pair, word in WORDS.items():
        assert spelled(*pair) == pair
        assert read_speed([word]) == (*pair, False)
        assert read_speed(["auto", word]) == (*pair, True)


def test_every_word_for_a_speed_is_one_of_aristas_own_list() -> None:
    pyavd = pytest.importorskip("pyavd", reason="pyavd, Arista's renderer, is not installed")
    for word in WORDS.values():
        for said in (word, f"auto {word}"):
            port = {"name": "Ethernet1/1", "speed": said}
            assert pyavd.validate_structured_config({"ethernet_interfaces": [port]}).validated_data is not None, said


@pytest.mark.parametrize(
    ("speed", "lanes", "pair"),
    [
        (400_000, 8, (400_000, 8)),
        (200_000, 8, (200_000, 4)),
        (100_000, 8, (100_000, 4)),
        (400_000, 1, (400_000, 2)),
        (1_200_000, 8, None),
    ],
)
def test_lanes_for_which_there_is_no_word_become_the_next_fewer(
    speed: int, lanes: int, pair: tuple[int, int] | None
) -> None:
    assert spelled(speed, lanes) == pair


@pytest.mark.parametrize(("name", "good"), [("storage", True), ("Vrf-red", True), ("default", False), ("a b", False)])
def test_a_vrf_has_a_name_of_one_word_that_is_not_the_clis(name: str, good: bool) -> None:
    assert (eos.vrf_problem(name) == "") is good


@pytest.mark.parametrize("version", ["", "4.34.1F", "4.28.0F"])
def test_links_between_switches_need_no_addresses(version: str) -> None:
    assert eos.unnumbered(version) == ""
