"""FRR's configuration: which lines are taken, what is shown of them, and what FRR itself says of the grammar."""

from __future__ import annotations

import re

import pytest
from oracles import frr

from lab.sim import example
from netaudit.lab.sim import frr_grammar
from netaudit.lab.sim.frr_text import load, printed

ROUTER = "router bgp 65001\n"
HEADS = {
    "": "",
    "router bgp": ROUTER,
    "ipv4": f"{ROUTER} address-family ipv4 unicast\n",
    "ipv6": f"{ROUTER} address-family ipv6 unicast\n",
    "family": f"{ROUTER} address-family ipv6 unicast\n",
    "route-map": "route-map X permit 10\n",
    "interface": "interface Ethernet0\n",
    "line": "line vty\n",
    "vrf": "vrf X\n",
}
VALUES = {
    "ASN": "65001",
    "N": "10",
    "PATHS": "64",
    "NAME": "X",
    "REST": "65001:10",
    "A4": "10.0.0.1",
    "A6": "fd00::1",
    "P4": "10.0.0.0/24",
    "P6": "fd00::/64",
    "IF": "Ethernet0",
    "LEVEL": "errors",
}


def lines_of(form: str) -> list[str]:
    """Every line that a form of the grammar stands for."""
    made = [""]
    for optional, choice, word in re.findall(r"\[([^\]]*)\]|\(([^)]*)\)|(\S+)", form):
        if optional:
            made = [start + end for start in made for end in ["", *(f" {line}" for line in lines_of(optional))]]
        elif choice:
            made = [f"{start} {line}" for start in made for part in choice.split("|") for line in lines_of(part)]
        else:
            made = [f"{start} {VALUES.get(word, word)}" for start in made]
    return [line.strip() for line in made]


def all_lines() -> list[tuple[str, str]]:
    """(block, line) of the whole grammar."""
    return [
        (block, line)
        for block, forms in frr_grammar.FORMS.items()
        for form in filter(None, map(str.strip, forms.splitlines()))
        for line in lines_of(form.partition(" → ")[0])
    ]


def unknown(text: str) -> list[str]:
    return [problem.text for problem in load(text)[1] if not problem.semantic]


def test_frr_takes_every_line_of_the_grammar_and_so_do_we() -> None:
    """One file for FRR, as starting vtysh for each of the lines takes seconds."""
    text = "\n".join(f"{HEADS[block]}{line}\nend" for block, line in all_lines())
    assert frr.vtysh_problems(text) == ()
    assert unknown(text) == []


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("", "router bgp 0"),
        ("", "router bgp 4294967296"),
        ("", "route-map X permitt 10"),
        ("", "ip prefix-list X permit 10.0.0.0/33"),
        ("", "ip prefix-list X permit any le 32"),
        ("", "ipv6 route 10.0.0.0/8 blackhole"),
        ("", "neighbor X activate"),
        ("", "network 10.0.0.0/8"),
        ("router bgp", "bgp router-id 10.0.0"),
        ("router bgp", "bgp router-id 10.0.0.256"),
        ("router bgp", "neighbor Ethernet0 remote-as outside"),
        ("router bgp", "neighbor Ethernet0 interface remote-as"),
        ("router bgp", "timers bgp 3"),
        ("ipv4", "network fd00::/8"),
        ("ipv4", "neighbor X route-map Y"),
        ("ipv4", "maximum-paths 0"),
        ("route-map", "neighbor X activate"),
        ("interface", "ip address 10.0.0.1"),
    ],
)
def test_a_line_that_frr_does_not_know_is_unknown_here_too(block: str, line: str) -> None:
    assert unknown(f"{HEADS[block]}{line}\n") == [line]
    assert frr.vtysh_problems(f"{HEADS[block]}{line}\n")


def test_the_problem_names_line_and_text() -> None:
    _, problems = load("!\nhostname a\n  bad   line\n")
    assert [str(problem) for problem in problems] == ["line 3: % Unknown command: bad line"]


@pytest.mark.parametrize("name", ["leaf1", "spine2"])
def test_the_example_passes_frr_and_comes_back_as_it_was(name: str) -> None:
    text = example.frr_conf(name)
    assert frr.vtysh_problems(text) == ()
    config, problems = load(text)
    assert problems == ()
    wanted = [line for line in text.splitlines() if line.strip() not in ("!", "end")]
    assert [line for line in printed(config).splitlines() if line.strip() not in ("!", "")] == wanted


def test_what_is_printed_means_the_same() -> None:
    config, _ = load(example.frr_conf("leaf1"))
    assert load(printed(config)) == (config, ())


DEFAULTS = (
    " bgp log-neighbor-changes",
    " no bgp ebgp-requires-policy",
    " bgp network import-check",
    " bgp deterministic-med",
    " timers bgp 3 9",
    " neighbor X peer-group",
    " neighbor X advertisement-interval 0",
    " address-family ipv4 unicast",
    "  maximum-paths 514",
)


def test_what_the_profile_has_anyway_is_not_shown() -> None:
    config, problems = load("frr defaults datacenter\nrouter bgp 65001\n" + "\n".join(DEFAULTS))
    assert problems == ()
    shown = [line.strip() for line in printed(config).splitlines() if line.strip() not in ("!", "exit")]
    assert shown == [
        "frr defaults datacenter",
        "router bgp 65001",
        "neighbor X peer-group",
        "address-family ipv4 unicast",
        "exit-address-family",
    ]


def test_a_default_takes_back_what_was_set() -> None:
    start, _ = load("frr defaults datacenter\nrouter bgp 65001\n timers bgp 10 30\n bgp ebgp-requires-policy\n")
    back, _ = load("router bgp 65001\n timers bgp 3 9\n no bgp ebgp-requires-policy\n", into=start)
    assert back[("router bgp 65001",)] == ()


def test_under_the_traditional_profile_the_same_lines_are_shown() -> None:
    config, _ = load("router bgp 65001\n timers bgp 3 9\n no bgp ebgp-requires-policy\n")
    assert "timers bgp 3 9" in printed(config)


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        ("bgp router-id 10.0.0.1", "bgp router-id 10.0.0.2", ("bgp router-id 10.0.0.2",)),
        ("timers bgp 1 3", "timers bgp 5 15", ("timers bgp 5 15",)),
        ("bgp ebgp-requires-policy", "no bgp ebgp-requires-policy", ()),
        ("no bgp network import-check", "bgp network import-check", ()),
        ("bgp router-id 10.0.0.1", "no bgp router-id", ("bgp router-id 10.0.0.1",)),
        ("bgp router-id 10.0.0.1", "no bgp router-id 10.0.0.1", ()),
    ],
)
def test_a_second_line_about_the_same_takes_the_place_of_the_first(
    first: str, second: str, left: tuple[str, ...]
) -> None:
    config, _ = load(f"frr defaults datacenter\n{ROUTER} {first}\n")
    after, _ = load(f"{ROUTER} {second}\n", into=config)
    assert after[("router bgp 65001",)] == left


def test_both_sides_of_a_neighbor_have_their_own_route_map() -> None:
    head = f"{ROUTER} neighbor X peer-group\n address-family ipv4 unicast\n"
    config, _ = load(f"{head}  neighbor X route-map A in\n  neighbor X route-map B out\n  neighbor X route-map C in\n")
    assert config[("router bgp 65001", "address-family ipv4 unicast")] == (
        "neighbor X route-map C in",
        "neighbor X route-map B out",
    )


def test_prefix_list_entries_without_number_are_numbered_by_fives() -> None:
    lines = ("permit 10.0.0.0/8", "seq 12 deny 10.1.0.0/16", "permit any", "permit any")
    config, _ = load("".join(f"ip prefix-list X {line}\n" for line in lines))
    assert config[()] == (
        "ip prefix-list X seq 5 permit 10.0.0.0/8",
        "ip prefix-list X seq 12 deny 10.1.0.0/16",
        "ip prefix-list X seq 15 permit any",
    )


def test_a_block_that_is_negated_goes_with_all_in_it() -> None:
    config, _ = load(example.frr_conf("leaf1"))
    after, problems = load("no router bgp 4200000000\nno route-map IN4 permit 10\n", into=config)
    assert problems == ()
    assert [at for at in after if at] == [("route-map IN6 permit 10",)]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (f"{ROUTER} address-family ipv4 unicast\n  neighbor X activate\n", "neighbor X activate"),
        (f"{ROUTER} neighbor Ethernet0 interface peer-group X\n", "neighbor Ethernet0 interface peer-group X"),
        ("router bgp 65001\nrouter bgp 65002\n", "router bgp 65002"),
    ],
)
def test_what_is_well_formed_and_makes_no_sense_is_refused_by_the_daemon_only(text: str, refused: str) -> None:
    _, problems = load(text)
    assert [(problem.text, problem.semantic) for problem in problems] == [(refused, True)]
    assert frr.vtysh_problems(text) == ()
    assert frr.bgpd_problems(text)


def test_the_lines_of_a_block_that_was_refused_go_nowhere() -> None:
    config, problems = load("router bgp 65001\nrouter bgp 65002\n bgp router-id 10.0.0.1\n")
    assert [problem.text for problem in problems] == ["router bgp 65002", "bgp router-id 10.0.0.1"]
    assert config[("router bgp 65001",)] == ()
