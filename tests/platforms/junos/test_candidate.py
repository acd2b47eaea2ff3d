"""What a switch shall hold: ours where the area is, everything else byte for byte; and the lines that lead there."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.platforms import Files, junos
from netaudit.platforms.junos.text import active, entries
from netaudit.render import render
from netaudit.state.walk import with_leaf
from platforms.example import devices
from platforms.junos.curly import curly
from platforms.junos.grammar import rule_of

EXAMPLE = Path(__file__).resolve().parents[4] / "shared" / "data" / "vendor-examples" / "junos-leaf.set"
AREAS = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")
FOREIGN = """\
# somebody's notes
set version 24.4R1.9-EVO
set system root-authentication encrypted-password "$6$secret"
set system login user noc class super-user
set system services netconf ssh
set interfaces lo0 unit 0 family inet filter input PROTECT-RE
set interfaces re0:mgmt-0 unit 0 family inet address 192.0.2.10/24
set interfaces ae0 unit 0 family inet address 192.0.2.129/31
set policy-options prefix-list MANAGEMENT 192.0.2.0/24
set firewall family inet filter PROTECT-RE term SSH from source-prefix-list MANAGEMENT
set firewall   family inet filter PROTECT-RE term SSH then accept
deactivate firewall family inet filter PROTECT-RE term SSH
set routing-instances mgmt_junos routing-options static route 0.0.0.0/0 next-hop 192.0.2.1
set routing-options static route 198.51.100.0/24 next-hop 192.0.2.1
set snmp community "very secret" authorization read-only
set chassis fpc 0 traffic-manager buffer-monitor-enable
"""
OLD = """\
set interfaces et-0/0/0 mtu 1514
set interfaces et-0/0/0 unit 0 family inet address 203.0.113.1/31
set interfaces et-0/0/99 description "not in the design"
set interfaces lo0 unit 0 family inet address 203.0.113.9/32
set class-of-service schedulers OLD transmit-rate percent 10
set policy-options policy-statement OLD then accept
set protocols bgp group OLD neighbor 203.0.113.0 peer-as 65000
set protocols lldp interface all
deactivate protocols lldp interface all
set routing-options static route 203.0.113.0/24 discard
"""


def conf(text: str) -> Files:
    return {"junos.conf": text}


def leaf() -> Files:
    return render(junos.quantize(devices("junos")[0]))


def statements(files: Files) -> set[tuple[str, ...]]:
    return set(active(entries(files["junos.conf"])))


def test_what_is_not_ours_stays_byte_for_byte_and_in_its_order() -> None:
    made = junos.candidate(leaf(), conf(FOREIGN + OLD), AREAS)["junos.conf"]
    assert made.startswith(FOREIGN)


def test_what_is_ours_is_replaced_and_nothing_old_is_left_of_it() -> None:
    made = junos.candidate(leaf(), conf(FOREIGN + OLD), AREAS)
    text = made["junos.conf"]
    for gone in ("203.0.113", "OLD", "et-0/0/99", "deactivate protocols"):
        assert gone not in text
    assert junos.read_config(made, "x").qos == junos.read_config(leaf(), "x").qos
    assert junos.read_config(made, "x").bgp == junos.read_config(leaf(), "x").bgp


def test_an_area_that_is_not_ours_is_not_touched() -> None:
    made = junos.candidate(leaf(), conf(FOREIGN + OLD), ("lldp",))["junos.conf"]
    kept = [line for line in (FOREIGN + OLD).splitlines() if "lldp" not in line]
    assert [line for line in made.splitlines() if "lldp" not in line] == kept
    assert "set protocols lldp port-id-subtype interface-name" in made


def test_the_box_itself_is_rendered_and_never_pushed() -> None:
    made = junos.candidate(leaf(), conf(FOREIGN), AREAS)["junos.conf"]
    assert "set system host-name" not in made
    assert "extension-service" not in made


def test_a_candidate_of_a_candidate_is_the_same() -> None:
    once = junos.candidate(leaf(), conf(FOREIGN + OLD), AREAS)
    assert junos.candidate(leaf(), once, AREAS) == once
    assert junos.diff(once, once) == ()


def test_the_accepted_example_keeps_all_that_is_no_area_of_ours() -> None:
    if not EXAMPLE.exists():
        pytest.skip("the accepted example is in the project's shared folder, which is not here")
    text = EXAMPLE.read_text()
    made = junos.candidate(leaf(), conf(text), AREAS)["junos.conf"]
    foreign = [line for line in text.splitlines() if line.startswith(("set system", "set chassis fpc"))]
    foreign += [line for line in text.splitlines() if "enhanced-hash-key" in line]
    assert [line for line in made.splitlines() if line in foreign] == [
        line for line in text.splitlines() if line in foreign
    ]
    assert junos.candidate(conf(text), conf(text), AREAS) == conf(text)


def test_of_curly_text_every_statement_is_kept_as_a_set_line() -> None:
    text = "".join(f"{line}\n" for line in FOREIGN.splitlines() if line.startswith("set"))
    made = junos.candidate(leaf(), conf(curly(text)), AREAS)
    assert statements(conf(text)) <= statements(made)


def test_what_is_kept_for_a_rollback_brings_the_old_back_and_holds_nothing_of_others() -> None:
    running = conf(FOREIGN + OLD)
    kept = junos.kept(running, leaf(), AREAS)
    assert "secret" not in kept["junos.conf"]
    pushed = junos.candidate(leaf(), running, AREAS)
    back = junos.candidate(kept, pushed, AREAS)
    assert statements(back) == statements(running) | {("protocols", "lldp", "interface", "all")}


def test_a_text_of_the_sites_own_is_a_group_that_is_always_ours() -> None:
    raw = with_leaf(junos.quantize(devices("junos")[0]), ("lldp", "enabled"), True)
    assert raw.bgp is not None
    text = (
        leaf()["junos.conf"] + "set groups netaudit-raw system ntp server 192.0.2.123\nset apply-groups netaudit-raw\n"
    )
    made = junos.candidate(conf(text), conf(FOREIGN), ("lldp",))["junos.conf"]
    assert "set groups netaudit-raw system ntp server 192.0.2.123\n" in made
    assert "netaudit-raw" not in junos.candidate(leaf(), conf(made), ("lldp",))["junos.conf"]


LISTS = frozenset(
    {
        *("code-points", "fill-level", "drop-probability", "members", "address", "interface", "protocol", "export"),
        *("import", "allow", "neighbor", "flow-control-queue", "code-point", "route", "group", "apply-groups"),
        *("inet", "inet6"),  # flags of a hash key
    }
)
"""Words that several values may stand below: written from the YANG, not from `changes`."""


def loaded(running: Files, lines: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What Junos holds once the lines are merged: the statements in force, in order."""
    held = [entry.words for entry in entries(running["junos.conf"]) if entry.verb == "set"]
    off = {entry.words for entry in entries(running["junos.conf"]) if entry.verb == "deactivate"}
    for line in lines:
        verb, _, rest = line.partition(" ")
        words = entries(f"set {rest}")[0].words
        if verb == "delete":
            assert any(words == statement[: len(words)] for statement in held), f"nothing to delete: {line}"
            held = [statement for statement in held if statement[: len(words)] != words]
            off = {place for place in off if place[: len(words)] != words}
        elif verb == "activate":
            off.remove(words)
        elif verb == "set":
            rule = rule_of(words)
            single = rule is not None and rule.words[-1][:1] in "<(" and words[-2] not in LISTS
            held = [s for s in held if not (single and s[:-1] == words[:-1])]
            held = [s for s in held if s != words[: len(s)]] if words not in held else held
            held.append(words)
    return [s for s in held if not any(s[: len(place)] == place for place in off)]


RUNNING = {
    "a foreign configuration": FOREIGN + OLD,
    "an empty one": "set version 24.4R1.9-EVO\n",
    "one with all lldp off": FOREIGN + "set protocols lldp interface all\ndeactivate protocols lldp\n",
}


@pytest.mark.parametrize("running", RUNNING.values(), ids=RUNNING)
@pytest.mark.parametrize("number", range(3))
def test_the_lines_lead_from_what_runs_to_the_candidate(running: str, number: int) -> None:
    ours = render(junos.quantize(devices("junos")[number]))
    wanted = junos.candidate(ours, conf(running), AREAS)
    lines = junos.changes(conf(running), wanted)
    assert set(loaded(conf(running), lines)) == statements(wanted)
    assert not any("secret" in line for line in lines)


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2)])
def test_the_lines_lead_from_one_rendering_to_another_and_keep_the_order_of_terms(one: int, other: int) -> None:
    old, new = (conf(FOREIGN + render(junos.quantize(devices("junos")[n]))["junos.conf"]) for n in (one, other))
    wanted = junos.candidate(new, old, AREAS)
    result = loaded(old, junos.changes(old, wanted))
    assert set(result) == statements(wanted)
    for name in {s[2] for s in result if s[:2] == ("policy-options", "policy-statement")}:
        terms = list(
            dict.fromkeys(
                s[4] for s in result if s[:3] == ("policy-options", "policy-statement", name) and s[3] == "term"
            )
        )
        assert not terms or terms[-1] == "REST"


def test_what_is_secret_is_pushed_and_never_shown() -> None:
    old = FOREIGN + OLD + 'set protocols bgp group OLD authentication-key "$9$hidden"\n'
    new = leaf()["junos.conf"] + 'set groups netaudit-raw system tacplus-server 192.0.2.1 secret "hidden too"\n'
    wanted = junos.candidate(conf(new), conf(old), AREAS)
    assert any("hidden too" in line for line in junos.changes(conf(old), wanted))
    assert not any("hidden" in line for line in junos.diff(conf(old), wanted))
    assert "hidden" not in junos.kept(conf(old), conf(new), AREAS)["junos.conf"]
    read = junos.read_config(conf(old), "x").bgp
    assert read is not None
    assert isinstance(read.unmodelled, frozenset)
    assert "set protocols bgp group OLD authentication-key <secret>" in read.unmodelled
    assert junos.raw_lines("set system tacplus-server 192.0.2.1 secret hidden\n") == frozenset(
        {"set system tacplus-server 192.0.2.1 secret <secret>"}
    )


def test_a_change_of_one_value_is_one_line() -> None:
    held = junos.quantize(devices("junos")[0])
    before, after = render(held), render(with_leaf(held, ("ports", "64", "mtu_bytes"), 9000))
    assert junos.diff(before, after) == ("set interfaces et-0/0/63 mtu 9014",)


def test_a_policy_that_changes_is_written_anew_for_its_terms_have_an_order() -> None:
    held = junos.quantize(devices("junos")[0])
    before, after = render(held), render(with_leaf(held, ("bgp", "networks"), frozenset({"10.0.0.0/28"})))
    lines = junos.diff(before, after)
    assert lines[0] == "delete policy-options policy-statement ORIGINATE"
    assert lines[-1] == "set policy-options policy-statement ORIGINATE term REST then reject"


def test_order_and_form_of_lines_mean_nothing_but_for_the_terms_of_a_policy() -> None:
    text = leaf()["junos.conf"]
    assert junos.equal(
        conf(text), conf("".join(sorted(text.splitlines(keepends=True), key=lambda line: "term" in line)))
    )
    one = "set policy-options policy-statement P term A then accept\n"
    other = "set policy-options policy-statement P term B then reject\n"
    assert not junos.equal(conf(one + other), conf(other + one))
