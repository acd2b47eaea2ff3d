"""How a switch is taken from one configuration to another and back: by patch or by reload, and in which order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction

import pytest
from audit.world import two_plane
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.lab.sim import gcu
from netaudit.lab.sim.patch import patched
from netaudit.platforms import Files, Impact, Step, Steps
from netaudit.platforms.sonic import HELD, equal, steps
from netaudit.render import render
from netaudit.state import Device, Store
from netaudit.state.walk import Path, below, with_leaf
from platforms.example import LEAF, devices, lean
from platforms.nudge import one_of_each, other

PLANNED = devices()[0]
CANDIDATE = render(PLANNED)
RUN = "20261130T120000Z-7"


def of(running: Files, candidate: Files = CANDIDATE) -> Steps:
    return steps(running, candidate, RUN)


def there(found: Steps) -> tuple[Step, ...]:
    return (*found.prepare, *found.apply)


def names(found: Steps) -> list[str]:
    return [step.name for step in there(found)]


def patch_of(found: Steps) -> list[dict[str, object]]:
    operations: list[dict[str, object]] = json.loads(
        next(s.content for s in found.prepare if s.path.endswith("json-patch"))
    )
    return operations


def running_with(path: str, value: object, device: Device = PLANNED) -> Files:
    return render(with_leaf(device, tuple(path.split(".")), value))


PROFILE, POOL = "buffers.profiles.q_lossy_profile", "buffers.pools.ingress_lossless_pool"

WAYS: Mapping[str, tuple[str, object, str, Impact]] = {
    # sonic.md section 10: what GCU takes, and what it does to ports on the way
    "a scheduler's weight": ("qos.schedulers.ROCE.weight", 50, "patch", Impact.NONE),
    "an ECN threshold": ("qos.wred.ROCE-800G.colours.green.kmin_bytes", 1_048_576, "patch", Impact.NONE),
    "a DSCP": ("qos.dscp_to_tc.ROCE.26", 1, "patch", Impact.NONE),
    "an MTU": ("ports.64.mtu_bytes", 9100, "patch", Impact.NONE),
    "a description": ("ports.64.description", "old", "patch", Impact.NONE),
    "an address": ("interfaces.1/1.addresses", frozenset({"192.0.2.0/31"}), "patch", Impact.NONE),
    "a speed": ("ports.1/1.speed_mbps", 200_000, "patch", Impact.FLAP),
    "FEC": ("ports.1/1.fec", "none", "patch", Impact.FLAP),
    "an admin state": ("ports.64.enabled", False, "patch", Impact.FLAP),
    "PFC of a port": ("qos.ports.64.pfc", frozenset(), "patch", Impact.FLAP),
    "a queue's scheduler": ("qos.ports.64.queues.3.scheduler", "DEFAULT", "patch", Impact.FLAP),
    "a priority group's profile": ("buffers.ports.64.groups.0", "q_lossy_profile", "patch", Impact.FLAP),
    "a watchdog of a port": ("qos.ports.64.watchdog.detect_ms", 400, "patch", Impact.NONE),
    "a profile's alpha": (f"{PROFILE}.alpha", Fraction(1), "patch", Impact.NONE),
    "headroom": ("buffers.profiles.pg_lossless_800000_40m_profile.xoff_bytes", 1, "patch", Impact.NONE),
    "the ASN in the database": ("system.asn", 65100, "patch", Impact.NONE),
    "a profile's size": (f"{PROFILE}.size_bytes", 1, "reload", Impact.DRAIN),
    "a profile's kind of limit": (f"{PROFILE}.limit_bytes", 1, "reload", Impact.DRAIN),
    "a pool": (f"{POOL}.size_bytes", 1, "reload", Impact.DRAIN),
    "the watchdog's interval": ("qos.watchdog_poll_ms", 100, "reload", Impact.DRAIN),
    "lanes": ("ports.64.lanes", (1, 2, 3, 4), "reload", Impact.DRAIN),
    "a breakout": ("ports.64.breakout", "2x400G[200G]", "reload", Impact.DRAIN),
    "the type of the device": ("system.tier", 1, "reload", Impact.DRAIN),
    "the routing mode": ("system.own_routing_files", False, "reload", Impact.DRAIN),
    "the buffer model": ("buffers.model", "dynamic", "reload", Impact.DRAIN),
}


@pytest.mark.parametrize(("path", "value", "way", "impact"), WAYS.values(), ids=WAYS)
def test_each_change_goes_the_mildest_way_that_works(path: str, value: object, way: str, impact: Impact) -> None:
    found = of(running_with(path, value))
    assert ("apply patch" in names(found), "reload" in names(found)) == (way == "patch", way == "reload")
    assert found.impact is impact


def test_nothing_to_do_is_no_step() -> None:
    assert of(CANDIDATE) == Steps()


def test_a_patch_is_tried_before_it_is_applied_and_a_checkpoint_comes_first() -> None:
    found = of(running_with("qos.schedulers.ROCE.weight", 50))
    assert names(found) == [
        "checkpoint",
        "keep saved config_db.json",
        "keep saved frr.conf",
        "upload patch",
        "try patch",
        "apply patch",
    ]
    assert [step.name for step in found.apply] == ["apply patch"], "until then nothing that runs has changed"
    assert [step.name for step in found.save] == ["save"]
    assert [step.name for step in found.undo] == ["rollback", "restore saved config_db.json"]


def test_a_change_of_routing_alone_resets_sessions_and_touches_no_database() -> None:
    found = of(running_with("bgp.hold_s", 30))
    assert names(found) == [
        "checkpoint",
        "keep saved config_db.json",
        "keep saved frr.conf",
        "upload frr.conf",
        "put frr.conf aside",
        "check frr.conf",
        "move frr.conf",
        "reload frr",
    ]
    assert found.impact is Impact.RESET
    assert [step.name for step in found.undo] == [
        "upload old frr.conf",
        "put old frr.conf",
        "reload frr",
        "restore saved frr.conf",
    ]


def test_routing_is_checked_before_anything_is_loaded_and_taken_after() -> None:
    """A text that FRR refuses must be known before the database is another one."""
    found = of(running_with("bgp.hold_s", 30, with_leaf(PLANNED, ("qos", "schedulers", "ROCE", "weight"), 50)))
    order = names(found)
    assert order.index("check frr.conf") < order.index("upload patch") < order.index("move frr.conf")


def test_a_reload_takes_the_routing_too_for_it_starts_from_files() -> None:
    found = of(running_with(f"{POOL}.size_bytes", 1))
    order = names(found)
    assert order.index("check frr.conf") < order.index("reload") < order.index("reload frr")
    upload = next(step for step in found.prepare if step.path.endswith("config_db.json"))
    assert upload.content == CANDIDATE["config_db.json"]
    old = next(step for step in found.undo if step.path.endswith("old.json"))
    assert equal({**CANDIDATE, "config_db.json": old.content}, running_with(f"{POOL}.size_bytes", 1))


def with_every_port(leaf: str, value: object) -> Device:
    whole = two_plane().device(LEAF)
    ports = {key: with_leaf(port, (leaf,), value) for key, port in (whole.ports or {}).items()}
    return with_leaf(whole, ("ports",), ports)


def test_a_quiet_change_of_every_port_is_a_patch_that_interrupts_nothing() -> None:
    """A reload is quicker than GCU, which sleeps a second for each change, and drops all traffic."""
    found = of(render(with_every_port("mtu_bytes", 9100)), render(two_plane().device(LEAF)))
    assert "apply patch" in names(found)
    assert found.impact is Impact.NONE
    assert next(step for step in found.apply if step.name == "apply patch").timeout_s > 600


def test_new_speeds_of_many_ports_go_by_reload() -> None:
    """GCU sorts speeds for minutes a port (BI #23945)."""
    found = of(render(with_every_port("speed_mbps", 100_000)), render(two_plane().device(LEAF)))
    assert "reload" in names(found)


def test_the_old_routing_is_put_back_as_it_was() -> None:
    running = running_with("bgp.hold_s", 30)
    undo = {step.path: step.content for step in of(running).undo if step.path}
    assert list(undo.values()) == [running["frr.conf"]]


def test_two_runs_share_no_file_and_a_run_leaves_none() -> None:
    one, two = (steps(running_with("bgp.hold_s", 30), CANDIDATE, run) for run in ("r1", "r2"))
    assert {s.path for s in there(one) if s.path}.isdisjoint(s.path for s in there(two) if s.path)
    removed = " ".join(step.command for step in one.clean)
    for step in (*there(one), *one.undo):
        if step.path:
            assert step.path in removed
    assert "delete-checkpoint netaudit-r1" in removed


def test_the_syntax_check_counts_what_is_said_as_a_failure() -> None:
    """vtysh -C ends with 0 after some errors (lab.md, syntax check)."""
    check = next(step for step in of(running_with("bgp.hold_s", 30)).prepare if step.name == "check frr.conf")
    assert check.error_if_stderr


def config_paths() -> list[tuple[Path, object]]:
    found = []
    for path, value in one_of_each(PLANNED):
        part = HELD[Store.RUNNING]
        for name in path:
            part = below(part, name)
        if part is not False and path[0] != "bgp" and path != ("system", "routing_rows"):
            found.append((path, value))
    return found


PATHS = config_paths()


@given(st.sets(st.sampled_from(range(len(PATHS))), min_size=1, max_size=4))
@settings(max_examples=60)
def test_every_patch_gives_the_candidate_and_is_not_refused(chosen: set[int]) -> None:
    """From whatever drift: the patch applies, gives the candidate, and GCU (as the simulator knows it) takes it."""
    drifted = PLANNED
    for number in chosen:
        path, value = PATHS[number]
        drifted = with_leaf(drifted, path, other(path, value))
    running = render(drifted)
    found = of(running)
    if "apply patch" not in names(found):
        assert "reload" in names(found)
        return
    old, new = json.loads(running["config_db.json"]), json.loads(CANDIDATE["config_db.json"])
    assert patched(old, patch_of(found)) == new
    update = gcu.apply_patch(old, patch_of(found))
    assert update.config == new
    assert not update.flaps or found.impact is Impact.FLAP


TABLES = sorted(json.loads(CANDIDATE["config_db.json"]))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("way", ["comes", "goes"])
def test_a_whole_table_that_comes_or_goes_is_reloaded_or_taken_by_gcu(table: str, way: str) -> None:
    whole = json.loads(CANDIDATE["config_db.json"])
    less = {name: rows for name, rows in whole.items() if name != table}
    old, new = (less, whole) if way == "comes" else (whole, less)
    found = of({**CANDIDATE, "config_db.json": json.dumps(old)}, {**CANDIDATE, "config_db.json": json.dumps(new)})
    if "reload" not in names(found):
        assert gcu.apply_patch(old, patch_of(found)).config == new


ROW_TABLES = [t for t in TABLES if t not in ("DEVICE_METADATA", "LLDP", "LOOPBACK_INTERFACE")]


@pytest.mark.parametrize("table", ROW_TABLES)
@pytest.mark.parametrize("way", ["comes", "goes"])
def test_a_row_that_comes_or_goes_is_reloaded_or_taken_by_gcu(table: str, way: str) -> None:
    whole = json.loads(CANDIDATE["config_db.json"])
    first = next(iter(whole[table]))
    less = {**whole, table: {key: row for key, row in whole[table].items() if key != first}}
    less = {name: rows for name, rows in less.items() if rows}
    old, new = (less, whole) if way == "comes" else (whole, less)
    found = of({**CANDIDATE, "config_db.json": json.dumps(old)}, {**CANDIDATE, "config_db.json": json.dumps(new)})
    if "reload" not in names(found):
        assert gcu.apply_patch(old, patch_of(found)).config == new


def test_a_slash_in_a_key_is_escaped() -> None:
    found = of(running_with("interfaces.1/1.addresses", frozenset()))
    assert "/INTERFACE/Ethernet0|10.0.0.0~131" in [op["path"] for op in patch_of(found)]


def test_a_first_load_goes_by_reload() -> None:
    bare = {
        "DEVICE_METADATA": {"localhost": {"hostname": "sonic"}},
        "PORT": {"Ethernet0": {"lanes": "0", "index": "1"}},
    }
    found = of({"config_db.json": json.dumps(bare), "frr.conf": ""}, render(lean(two_plane().device(LEAF))))
    assert found.impact is Impact.DRAIN
    assert "reload" in names(found)


@pytest.mark.parametrize(
    ("leaf", "value", "way"),
    [
        ("oversubscription", 4, "apply patch"),
        ("alpha", Fraction(2), "reload"),
        ("small_packet_percent", 50, "reload"),
        ("lossless_mtu_bytes", 4096, "reload"),
    ],
)
def test_what_buffermgrd_takes_up_only_at_its_start_is_reloaded(leaf: str, value: object, way: str) -> None:
    """It keeps the profiles that it has computed, but where the over-subscription changes."""
    wanted = devices()[3]
    running = with_leaf(wanted, ("buffers", "computing", leaf), value)
    found = steps(render(running), render(wanted), "test")
    assert {"apply patch", "reload"} & {step.name for step in found.apply} == {way}


def test_a_length_on_a_switch_that_computes_is_a_patch_that_interrupts_nothing() -> None:
    wanted = devices()[3]
    running = with_leaf(wanted, ("buffers", "ports", "64", "cable_length_m"), 5)
    found = steps(render(running), render(wanted), "test")
    assert "apply patch" in names(found)
    assert found.impact is Impact.NONE
