"""Tables of the site's own in config_db.json: written, merged beside what others have, read back, owned by nobody."""

from __future__ import annotations

import json
from dataclasses import replace

from audit.world import audited, healthy, setting, two_plane

from netaudit.platforms import Answer, Miss, platform, sonic
from netaudit.render import render
from netaudit.state import Device, Store
from netaudit.state.walk import Kind, differences
from platforms.answers_sonic import answers
from platforms.example import devices, in_stores

RAW = {
    "NTP_SERVER": {"192.0.2.1": {"NULL": "NULL"}, "192.0.2.2": {"iburst": "on", "tags": "a,b"}},
    "DEVICE_METADATA": {"localhost": {"timezone": "UTC"}},
}
HELD = sonic.HELD[Store.RUNNING]
OWNS = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")


def with_raw(device: Device) -> Device:
    return platform("sonic").quantize(replace(device, raw=RAW))


def no_findings(expected: Device, read: Device) -> list[tuple[tuple[str, ...], Kind]]:
    held = sonic.held(Store.RUNNING, expected)
    return [(d.path, d.kind) for d in differences(expected, read, held) if d.kind is not Kind.EXTRA]


def test_rows_are_written_beside_ours_and_read_back() -> None:
    for device in devices():
        expected = with_raw(device)
        files = render(expected)
        tables = json.loads(files["config_db.json"])
        assert tables["NTP_SERVER"] == {"192.0.2.1": {}, "192.0.2.2": {"iburst": "on", "tags": "a,b"}}
        assert tables["DEVICE_METADATA"]["localhost"]["timezone"] == "UTC"
        assert no_findings(expected, sonic.read_config(files, device.name)) == []


def test_each_row_and_field_that_goes_is_seen_and_what_others_add_is_not() -> None:
    device = with_raw(devices()[0])
    tables = json.loads(render(device)["config_db.json"])
    for path in (("NTP_SERVER", "192.0.2.1"), ("NTP_SERVER", "192.0.2.2", "iburst"), ("NTP_SERVER",)):
        less = json.loads(json.dumps(tables))
        node = less
        for name in path[:-1]:
            node = node[name]
        del node[path[-1]]
        read = sonic.read_config({"config_db.json": json.dumps(less), "frr.conf": render(device)["frr.conf"]}, "x")
        assert no_findings(device, read) == [(("raw", *path), Kind.MISSING)]
    tables["NTP_SERVER"]["192.0.2.1"]["association_type"] = "server"
    read = sonic.read_config({"config_db.json": json.dumps(tables), "frr.conf": render(device)["frr.conf"]}, "x")
    assert no_findings(device, read) == []


def test_a_candidate_adds_the_rows_and_keeps_every_row_and_field_of_others() -> None:
    files = dict(render(with_raw(devices()[0])))
    running = json.loads(render(platform("sonic").quantize(devices()[0]))["config_db.json"])
    running["NTP_SERVER"] = {"198.51.100.9": {"iburst": "off"}, "192.0.2.2": {"version": "4", "iburst": "off"}}
    running["SYSLOG_SERVER"] = {"198.51.100.2": {}}
    running["DEVICE_METADATA"]["localhost"]["rack_mgmt_map"] = "x"
    held = {"config_db.json": json.dumps(running), "frr.conf": files["frr.conf"]}
    wanted = json.loads(sonic.candidate(files, held, OWNS)["config_db.json"])
    assert wanted["NTP_SERVER"] == {
        "192.0.2.1": {},
        "192.0.2.2": {"version": "4", "iburst": "on", "tags": "a,b"},
        "198.51.100.9": {"iburst": "off"},
    }
    assert wanted["SYSLOG_SERVER"] == {"198.51.100.2": {}}
    box = wanted["DEVICE_METADATA"]["localhost"]
    assert (box["rack_mgmt_map"], box["timezone"]) == ("x", "UTC")


def test_rows_of_the_site_are_rendered_but_what_the_box_is_stays_its_own() -> None:
    files = dict(render(with_raw(devices()[0])))
    running = json.loads(files["config_db.json"])
    running["DEVICE_METADATA"]["localhost"].update(hostname="theirs", mac="02:00:00:00:00:99", hwsku="Theirs")
    held = {"config_db.json": json.dumps(running), "frr.conf": files["frr.conf"]}
    box = json.loads(sonic.candidate(files, held, OWNS)["config_db.json"])["DEVICE_METADATA"]["localhost"]
    assert (box["hostname"], box["mac"], box["hwsku"]) == ("theirs", "02:00:00:00:00:99", "Theirs")


def test_a_table_that_is_asked_anyway_is_not_asked_twice() -> None:
    assert [q.id for q in sonic.raw_queries(with_raw(devices()[0]))] == ["NTP_SERVER"]
    assert sonic.raw_queries(devices()[0]) == ()


def test_a_table_that_could_not_be_read_is_not_seen_and_never_missing() -> None:
    device = with_raw(devices()[0])
    given = answers(in_stores(device.name))
    for miss, kind in ((Miss.FAILED, Kind.UNSEEN), (Miss.ABSENT, Kind.MISSING)):
        read = sonic.read({**given, "NTP_SERVER": Answer(miss=miss, reason="no answer")}, device.name)
        found = [(d.path, d.kind) for d in differences(device, read.stores[Store.RUNNING], HELD)]
        of_ntp = [(path, k) for path, k in found if path[:2] == ("raw", "NTP_SERVER")]
        assert {k for _, k in of_ntp} == {kind}


def test_the_reader_of_a_switch_without_such_rows_finds_nothing_of_them() -> None:
    assert two_plane().device("a-spine1").raw is None
    assert audited(setting("a-spine1", "raw", {"NTP_SERVER": {"a": {"b": "c"}}})).findings == ()
    assert healthy(two_plane())["a-spine1"][Store.RUNNING].raw is None
