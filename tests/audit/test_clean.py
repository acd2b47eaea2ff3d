"""A fabric that does what the intent says has no finding, and what is not seen never passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from intent.example import small
from platforms.answers_sonic import answers

from audit.world import NOON, audited, healthy, observations, setting, told, two_plane
from netaudit.audit.audit import audit
from netaudit.audit.observed import Observation
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms import sonic
from netaudit.state import Device, Store
from netaudit.state.walk import leaves


def test_a_fabric_as_intended_has_no_finding() -> None:
    result = audited()
    assert told(result) == []
    assert result.not_audited == ()
    assert result.exit_code() == 0
    assert [d.audited for d in result.devices] == ["complete"] * 20


def test_every_leaf_that_a_store_holds_is_compared() -> None:
    """The tally counts leaves per store, and each route; nothing is left out in silence."""
    expected = two_plane()
    name = "a-su1-r1-leaf"
    held = sum(
        sum(
            path[0] not in ("name", "platform") and value != {}  # an empty table has no leaf to count
            for path, value in leaves(expected.device(name), expected.held(name, store))
        )
        for store in Store
    )
    verdict = next(d for d in audited().devices if d.name == name)
    assert verdict.values == held + len(healthy(expected)[name][Store.STATE].routes or {})


def test_the_result_does_not_depend_on_the_order_in_which_devices_come_in() -> None:
    expected = two_plane()
    seen = observations(healthy(expected))
    assert audit(expected, iter(seen[::-1]), NOON) == audit(expected, seen, NOON)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"planes": "[a]", "rails": "1"},
        {"spine": "{model: nvidia-sn5600, platform: sonic, count: 2, links: 4, speed: 800G}"},
        {"planes": "[a, b, c, d]", "units": "{su1: {hosts: 1}}", "hosts": "{nic: cx8, speed: 200G}"},
        {"hosts": "{nic: cx8, speed: 400G, cc: rtt}", "units": "{su1: {hosts: 1}, su3: {hosts: 2}}"},
        {"owns": "[ports, bgp]"},
    ],
    ids=["two planes", "one plane", "four links a pair", "four planes", "units with a hole", "two areas of ours"],
)
def test_a_fabric_of_any_size_as_intended_has_no_finding(tmp_path: Path, changes: dict[str, str]) -> None:
    file = tmp_path / "fabric.yml"
    file.write_text(small(**changes))
    result = audited(expected=Expected(build(load(file))))
    assert (told(result), result.not_audited) == ([], ())


def test_a_silent_device_passes_nothing() -> None:
    """It answered, but showed nothing: every area of every store is NOT AUDITED, and nothing is a finding."""
    expected = two_plane()
    name = "a-spine1"
    silent = Observation(device=name, stores={s: Device(name=name, platform="sonic") for s in Store}, read_at=NOON)
    result = audit(expected, [silent if o.device == name else o for o in observations(healthy(expected))], NOON)
    assert told(result) == []
    assert result.exit_code() == 3
    assert sorted(n.what for n in result.not_audited) == [
        "applied buffers",
        "applied ports",
        "applied routes",
        "running bgp",
        "running buffers",
        "running interfaces",
        "running lldp",
        "running ports",
        "running qos",
        "running system",
        "running vlans",
        "running vrfs",
        "saved bgp",
        "saved buffers",
        "saved interfaces",
        "saved lldp",
        "saved ports",
        "saved qos",
        "saved system",
        "saved vlans",
        "saved vrfs",
        "state bgp",
        "state lldp",
        "state ports",
        "state routes",
        "state system",
    ]
    verdict = next(d for d in result.devices if d.name == name)
    assert (verdict.audited, verdict.values) == ("part", 0)


def test_a_store_that_was_not_read_passes_nothing() -> None:
    expected = two_plane()
    seen = observations(healthy(expected))
    first = seen[0]
    less = Observation(device=first.device, stores={s: d for s, d in first.stores.items() if s is not Store.APPLIED})
    result = audit(expected, [less, *seen[1:]], NOON)
    assert [(n.device, n.what) for n in result.not_audited] == [
        (first.device, "applied ports"),
        (first.device, "applied buffers"),
        (first.device, "applied routes"),
    ]


def test_no_device_disappears() -> None:
    """A device that nobody asked stands in the result as NOT AUDITED."""
    expected = two_plane()
    result = audit(expected, observations(healthy(expected))[1:], NOON)
    assert [(n.device, n.what, n.reason) for n in result.not_audited] == [
        ("a-su1-r1-leaf", "everything", "it was not asked")
    ]
    assert [d.audited for d in result.devices][:2] == ["not", "complete"]
    assert result.exit_code() == 3


def test_declared_blind_spots_stand_once_and_leave_the_exit_code_alone() -> None:
    result = audited()
    assert [spot.what for spot in result.declared] == [
        "qos.*",
        "buffers.ports.*.cable_length_m",
        "ports.*.cable_m",
        "vlans.*",
        "NIC side of hosts",
    ]
    assert result.exit_code() == 0


def test_the_exit_code_is_2_from_the_severity_that_counts() -> None:
    warned = audited(setting("a-spine1", "ports.1.description", "to nowhere"))
    assert told(warned) == [("INT-08", "a-spine1:1")]
    assert warned.exit_code() == 0
    assert warned.exit_code(fail_on=Severity.WARNING) == 2
    assert audited(setting("a-spine1", "ports.1.mtu_bytes", 9100)).exit_code() == 2


def test_a_fabric_as_its_switches_answer_has_no_finding() -> None:
    """The whole way: from the text of every answer through the reader to the verdict."""
    expected = two_plane()
    seen = []
    for name, shown in healthy(expected).items():
        whole = {store: expected.device(name) for store in Store}
        whole[Store.STATE] = replace(whole[Store.STATE], lldp=shown[Store.STATE].lldp, routes=shown[Store.STATE].routes)
        reading = sonic.read(answers(whole), name)
        assert reading.problems == ()
        seen.append(Observation(device=name, stores=reading.stores, read_at=NOON))
    result = audit(expected, seen, NOON)
    assert (told(result), result.not_audited, result.exit_code()) == ([], (), 0)
