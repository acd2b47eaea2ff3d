"""What is fed with slips, one function an area. A case either ends, or refuses its input as `Invalid` or `Unusable`."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from audit.world import two_plane
from platforms import answers_sonic
from platforms.example import LEAF, devices, in_stores

from netaudit import gnmi, platforms
from netaudit.audit.audit import conclude
from netaudit.audit.compare import compare
from netaudit.audit.observed import Observation
from netaudit.audit.report import html, text
from netaudit.audit.report import json as json_report
from netaudit.cli.lint_tables import lint_path
from netaudit.collect import answered, snapshot
from netaudit.collect.targets import load_targets
from netaudit.diag import Invalid, Severity
from netaudit.diag_text import line_of_file, render_diagnostics
from netaudit.difference import compare as difference
from netaudit.difference.data import diff_data, diff_markdown
from netaudit.expect import Expected
from netaudit.export import as_csv, as_dot, cables, graph
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.intent.waivers import load_waivers
from netaudit.pipeline import observation, replay
from netaudit.pipeline_check import check_all
from netaudit.platforms import Answer, Answers
from netaudit.push.plan import DevicePlan, Running, Wanted, device_plan, make_plan
from netaudit.push.plan_file import load_plan, save_plan
from netaudit.render import render
from netaudit.state.walk import Kind, differences
from netaudit.terminal import Style

from . import mutate

SONIC = platforms.platform("sonic")
Case = Callable[[random.Random, Path], None]

INTENT = """\
schema: 1
fabric: drawn
planes: [a]
rails: 1
units:
  su1: {hosts: 2}
  su2: {hosts: 1}
capacity: {units: 3, hosts: 4}
hosts: {nic: cx8, speed: 400G, names: hosts.csv}
leaf: {model: nvidia-sn5600, platform: sonic}
spine: {model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 800G}
cables:
  host-leaf: 3m dac
  leaf-spine: 40m dr8
  measured: cables.csv
devices: devices.csv
versions: {sonic: "202411"}
names: {leaf: "{plane}-{unit}-r{rail}-leaf", spine: "{plane}-spine{n}"}
management:
  dns: "{name}.oob.example.net"
  credentials: {user: "env:NETAUDIT_USER", password: "keyring:netaudit"}
addressing:
  loopbacks: [10.255.0.0/16, "fd00:ff::/48"]
  hosts: 10.0.0.0/10
bgp: {keepalive: 3s, hold: 9s}
traffic:
  roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}
  control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp, bfd]}
  default: {share: 40%}
pfc: {watchdog: {detect: 200ms, restore: 400ms, action: drop}}
buffers:
  shallow: {alpha: 1, headroom: published, packets: worst-case, shared_headroom: 4}
mtu: {port: 9216, host: 9000, roce: 4096}
"""
TABLES = {
    "devices.csv": "place,name,serial,mac,hwsku,management,rack,asn,loopback\n"
    "a/su1/r1,a-su1-r1-leaf,MT01,02:00:00:00:01:01,ACS-SN5600,198.51.100.11,su1-a,,\n"
    "a/su2/r1,a-su2-r1-leaf,MT02,02:00:00:00:01:02,ACS-SN5600,198.51.100.12,su2-a,4200000077,10.255.9.9\n"
    'a/spine/1,a-spine1,MT03,02:00:00:00:01:03,ACS-SN5600,198.51.100.13,"core, a",,\n'
    "a/spine/2,a-spine2,,,,,,,\n",
    "cables.csv": "a,b,length\n# measured in May\na-su1-r1-leaf:64,a-spine1:1,34m\na-su1-r1-leaf:63,a-spine2:1,38.5m\n",
    "hosts.csv": 'unit,index,name,ports\nsu1,1,gpu-001,\nsu1,2,gpu-002,"r1/a=02:00:00:00:00:01"\nsu2,1,gpu-100,\n',
}
WAIVERS = '- {rule: MGT-05, device: a-spine1, owner: netops, reason: CHG-4711, until: "2026-12-31"}\n' * 2


def _whole(folder: Path, intent: str, tables: Mapping[str, str]) -> None:
    """Everything that is done with an intent before a device is touched."""
    for name, rows in tables.items():
        (folder / name).write_text(rows, encoding="utf-8", errors="surrogatepass", newline="")
    file = folder / "fabric.yml"
    file.write_text(intent, encoding="utf-8", errors="surrogatepass", newline="")
    try:
        read = load(file)
        expected = Expected(build(read))
    except Invalid as error:
        render_diagnostics(error.diagnostics[:100], line_of_file)  # as many as the program prints
        raise
    checked = check_all(expected)
    render_diagnostics(checked.diagnostics, read.text)
    names = tuple(expected.devices)
    plan = tuple(cables(expected.built, names))
    as_csv(plan), as_dot(expected.built, names), json.dumps(graph(expected.built, names))
    if any(d.severity is Severity.ERROR for d in checked.diagnostics) or len(names) > 40:
        return
    found = difference(_plain(), expected)
    diff_markdown(found, "a", "b"), json.dumps(diff_data(found, "a", "b"))


@cache
def _plain() -> Expected:
    """The intent without slips, to be compared with."""
    with tempfile.TemporaryDirectory() as name:
        for file, rows in {**TABLES, "fabric.yml": INTENT}.items():
            (Path(name) / file).write_text(rows)
        return Expected(build(load(Path(name) / "fabric.yml")))


def intents(chance: random.Random, folder: Path) -> None:
    """An intent with slips, its tables as they should be."""
    _whole(folder, mutate.text(chance, INTENT), TABLES)


def tables(chance: random.Random, folder: Path) -> None:
    """A CSV with slips beside an intent as it should be."""
    name = chance.choice(tuple(TABLES))
    _whole(folder, INTENT, {**TABLES, name: mutate.text(chance, TABLES[name])})


SNIPPET = """\
{"NTP_SERVER": {"192.0.2.1": {}, "192.0.2.2": {"iburst": "on", "tags": ["a", "b"]}},
 "SYSLOG_SERVER": {"192.0.2.7": {"source": "192.0.2.9"}},
 "DEVICE_METADATA": {"localhost": {"timezone": "UTC"}}}
"""


def raws(chance: random.Random, folder: Path) -> None:
    """A snippet of tables with slips: refused at its place, or rendered, read back and merged."""
    told = _told(chance, SNIPPET)
    (folder / "ntp.json").write_text(told, encoding="utf-8", errors="surrogatepass")
    (folder / "fabric.yml").write_text(
        "schema: 1\nfabric: drawn\nplanes: [a]\nrails: 1\nunits: {su1: {hosts: 1}}\nhosts: {nic: cx8, speed: 400G}\n"
        "leaf: {model: nvidia-sn5600, platform: sonic}\n"
        "spine: {model: nvidia-sn5600, platform: sonic, count: 1, links: 1, speed: 800G}\n"
        "cables: {host-leaf: 3m dac, leaf-spine: 40m dr8}\n"
        'raw: [{where: "role=leaf", file: ntp.json, owner: netops, reason: CHG-1}]\n'
    )
    try:
        expected = Expected(build(load(folder / "fabric.yml")))
    except Invalid as error:
        render_diagnostics(error.diagnostics[:100], line_of_file)
        raise
    device = expected.device("a-su1-r1-leaf")
    files = render(device)
    read = SONIC.read_config(files, device.name)
    left = [d for d in differences(device.raw, read.raw) if d.kind is not Kind.EXTRA]
    assert left == [], left
    assert SONIC.equal(files, SONIC.candidate(files, files, ("ports", "addressing", "bgp", "qos", "buffers", "lldp")))


def waivers(chance: random.Random, folder: Path) -> None:
    """A waivers.yml with slips."""
    (folder / "waivers.yml").write_text(mutate.text(chance, WAIVERS), encoding="utf-8", errors="surrogatepass")
    load_waivers(folder / "waivers.yml")


@cache
def _answers() -> Answers:
    """What the example's leaf answers, its spare ports left out."""
    return answers_sonic.answers(in_stores(LEAF))


def _audited(seen: Observation, chance: random.Random) -> None:
    """Compared; now and then concluded and written down as well, which takes longer."""
    audit = compare(two_plane(), seen)
    if chance.random() < 0.05:
        result = conclude(two_plane(), {seen.device: audit}, datetime.now(UTC), (seen.device,))
        text.render(result, Style())
        json_report.render(result)
        html.render(result)


def answers(chance: random.Random, folder: Path) -> None:
    """A device's answers with slips in some: read, compared, reported."""
    given = dict(_answers())
    for query in chance.sample(sorted(given), chance.choice((1, 1, 2, 5))):
        given[query] = Answer(text=_told(chance, given[query].text))
    _audited(observation(LEAF, "sonic", given), chance)


def _told(chance: random.Random, told: str) -> str:
    """What a device may say in place of this."""
    if told[:1] in ("{", "[") and chance.random() < 0.7:
        return json.dumps(mutate.tree(chance, json.loads(told)))
    return mutate.text(chance, told)


def gets(chance: random.Random, folder: Path) -> None:
    """The bytes of a gNMI reply with slips, read as the client reads them."""
    queries = [q for q in SONIC.QUERIES if q.transport == "gnmi"][:6]
    reply = gnmi.GetResponse()
    for query in queries:
        notification = reply.notification.add()
        notification.prefix.CopyFrom(gnmi.path(target=query.target))
        update = notification.update.add()
        update.path.CopyFrom(gnmi.path(*query.path))
        update.val.json_ietf_val = _answers()[query.id].text[:2_000].encode()
    try:
        got = gnmi.GetResponse.FromString(mutate.data(chance, reply.SerializeToString()))
    except Exception as error:  # noqa: BLE001 - protobuf's error has no public name common to its implementations
        assert type(error).__name__ == "DecodeError"  # noqa: PT017 - anything else is a finding
        return
    values = answered.answers_of(queries, answered.updates_of(got.notification))
    if values is not None:
        given = {**_answers(), **{q.id: v for q, v in zip(queries, values, strict=True)}}
        _audited(observation(LEAF, "sonic", given), chance)


@cache
def _recorded() -> bytes:
    """A device's file of a snapshot, unpacked."""
    told = {name: {"text": a.text} if a.miss is None else {"miss": str(a.miss)} for name, a in _answers().items()}
    return json.dumps({"format": 1, "device": LEAF, "platform": "sonic", "answers": told}).encode()


def snapshots(chance: random.Random, folder: Path) -> None:
    """A snapshot with slips in its list, in a device's file, or in that file's packing."""
    meta = {"format": 1, "fabric": "two-plane", "taken": "2026-11-29T00:00:00+00:00", "version": "0", "devices": [LEAF]}
    listed, packed = json.dumps(meta), _recorded()
    match chance.randrange(4):
        case 0:
            listed = _told(chance, listed)
        case 1:
            packed = gzip.compress(mutate.data(chance, packed), 1)
        case 2:
            packed = gzip.compress(json.dumps(mutate.tree(chance, json.loads(packed))).encode(), 1)
        case _:
            packed = mutate.data(chance, gzip.compress(packed, 1))
    (folder / "snapshot.json").write_text(listed, encoding="utf-8", errors="surrogatepass")
    (folder / f"{LEAF}.json.gz").write_bytes(packed if packed[:2] == b"\x1f\x8b" else gzip.compress(packed, 1))
    for seen in replay(two_plane(), snapshot.load(folder), [LEAF]):
        _audited(seen, chance)


def targets(chance: random.Random, folder: Path) -> None:
    """A targets.json with slips."""
    for name in ("ca.pem", "known_hosts", "secret"):
        (folder / name).touch(mode=0o600)
    row = {"address": "127.0.0.1", "ssh_port": 2201, "gnmi_port": 5001}
    given = {
        "targets": {"a-spine1": row, "a-spine2": {**row, "address": "::1"}},
        "credentials": {"user": "env:USER", "password": "file:secret"},
        "ca": "ca.pem",
        "known_hosts": "known_hosts",
    }
    (folder / "targets.json").write_text(_told(chance, json.dumps(given)), encoding="utf-8", errors="surrogatepass")
    load_targets(folder / "targets.json", {"a-spine1": "sonic", "a-spine2": "sonic"})


def plans(chance: random.Random, folder: Path) -> None:
    """A plan.json with slips."""
    (folder / "plan.json").write_text(_told(chance, _planned()), encoding="utf-8", errors="surrogatepass")
    load_plan(folder / "plan.json")


@cache
def _planned() -> str:
    with tempfile.TemporaryDirectory() as name:
        save_plan(make_plan("two-plane", "0" * 64, [_device_plan(_files())]), Path(name) / "plan.json")
        return (Path(name) / "plan.json").read_text()


@cache
def _files() -> Mapping[str, str]:
    return render(devices()[0])


def _device_plan(running: Mapping[str, str]) -> DevicePlan:
    place = two_plane().devices[LEAF]
    owns = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")
    wanted = Wanted(name=LEAF, platform="sonic", place=place, files=_files(), owns=owns)
    return device_plan(wanted, Running(files=running, serial=""), SONIC)


def running(chance: random.Random, folder: Path) -> None:
    """A switch's running configuration with slips: planned against, as a push does."""
    given = dict(_files())
    name = chance.choice(tuple(given))
    given[name] = _told(chance, given[name])
    replies = {
        "database": Answer(text=given["config_db.json"]),
        "frr": Answer(text=answers_sonic.shown_by_vtysh(given["frr.conf"])),
        "EEPROM_INFO": Answer(text=_told(chance, '{"Value": "MT1"}')),
    }
    try:
        held, _ = SONIC.running_files(replies)
    except ValueError:
        return
    _device_plan(held)
    SONIC.problems(held)


def headrooms(chance: random.Random, folder: Path) -> None:
    """A vendor's headroom table, or a configuration with one, with slips."""
    rows = "".join(f"{s} {m}m 18796 0 {s // 2 + m} 0 3556\n" for s in (100_000, 400_000, 800_000) for m in (5, 40, 300))
    name = chance.choice(("pg_profile_lookup.ini", "config_db.json"))
    given = rows if name.endswith(".ini") else _files()["config_db.json"]
    (folder / name).write_text(_told(chance, given), encoding="utf-8", errors="surrogatepass")
    for linted in lint_path(folder / name, None):
        render_diagnostics(linted.found, line_of_file)


AREAS: Mapping[str, Case] = {
    "headrooms": headrooms,
    "intents": intents,
    "tables": tables,
    "raws": raws,
    "waivers": waivers,
    "answers": answers,
    "gets": gets,
    "snapshots": snapshots,
    "targets": targets,
    "plans": plans,
    "running": running,
}
