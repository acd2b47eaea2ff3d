"""Recording and replay: what was recorded comes back, and half of it never passes for a whole."""

from __future__ import annotations

import gc
import gzip
import json
import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.collect import snapshot
from netaudit.collect.snapshot import Recorded, Recorder, load, save
from netaudit.diag import Invalid, Unusable
from netaudit.platforms import Answer, Miss

TAKEN = datetime(2026, 11, 23, 6, 0, tzinfo=timezone(timedelta(hours=9)))
ANSWERS = {
    "PORT": Answer(text='{"Ethernet0": {}}'),
    "PFC_WD": Answer(miss=Miss.ABSENT),
    "frr": Answer(miss=Miss.FAILED, reason="SSH TCP: refused"),
    "empty": Answer(text=""),
}
DEVICES = {"leaf1": Recorded(platform="sonic", answers=ANSWERS), "leaf2": Recorded(platform="eos", answers={})}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(tmp_path / "snap", DEVICES, fabric="lab", version="0.1.0", taken=TAKEN)
    return tmp_path / "snap"


def test_a_recording_comes_back_as_it_was(folder: Path) -> None:
    found = load(folder)
    assert (found.fabric, found.version, found.taken) == ("lab", "0.1.0", datetime(2026, 11, 22, 21, 0, tzinfo=UTC))
    assert {name: found.device(name) for name in found.devices} == DEVICES
    assert found.device("leaf3") is None


answers = st.dictionaries(
    st.text(max_size=8),
    st.builds(Answer, text=st.text(max_size=40))
    | st.builds(Answer, miss=st.sampled_from(Miss), reason=st.text(max_size=20)),
    max_size=4,
)


@settings(max_examples=30)
@given(answers)
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, one: dict[str, Answer]) -> None:
    folder = tmp_path_factory.mktemp("any")
    recorded = Recorded(platform="sonic", answers=one)
    assert save(folder, {"d": recorded}, fabric="f", version="0", taken=TAKEN).device("d") == recorded


def test_the_same_answers_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    save(tmp_path / "again", DEVICES, fabric="lab", version="0.1.0", taken=TAKEN)
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_an_interrupted_recording_leaves_nothing_and_an_earlier_snapshot_as_it_was(folder: Path) -> None:
    recorder = Recorder(folder, fabric="lab", version="1", taken=TAKEN)
    recorder.add("leaf9", "sonic", ANSWERS)
    assert load(folder).devices == ("leaf1", "leaf2")
    del recorder
    gc.collect()
    assert [file.name for file in folder.parent.iterdir()] == ["snap"]
    assert load(folder).device("leaf1") == DEVICES["leaf1"]


def test_a_new_recording_takes_the_place_of_the_earlier_one(folder: Path) -> None:
    recorder = Recorder(folder, fabric="lab", version="1", taken=TAKEN)
    recorder.add("leaf9", "sonic", ANSWERS)
    recorder.finish()
    assert load(folder).devices == ("leaf9",)
    assert sorted(file.name for file in folder.iterdir()) == ["leaf9.json.gz", "snapshot.json"]
    assert [file.name for file in folder.parent.iterdir()] == ["snap"]


def test_a_folder_without_a_meta_file_is_no_snapshot(folder: Path) -> None:
    (folder / "snapshot.json").unlink()
    with pytest.raises(Invalid, match="is no snapshot"):
        load(folder)


def test_a_folder_with_other_files_is_not_overwritten(tmp_path: Path) -> None:
    for name in ("leaf1.json.gz", "thesis.txt"):
        (tmp_path / name).write_text("years of work")
        with pytest.raises(Unusable, match=rf"holds other files \({name}\)"):
            Recorder(tmp_path, fabric="lab", version="0", taken=TAKEN)
    assert len(list(tmp_path.iterdir())) == 2


def test_files_are_private(folder: Path) -> None:
    assert {file.stat().st_mode & 0o077 for file in folder.iterdir()} == {0}


def packed(data: object) -> bytes:
    return gzip.compress(json.dumps(data).encode())


GOOD = {"format": 1, "device": "leaf1", "platform": "sonic", "answers": {}}
DAMAGED = {
    "cut off": lambda whole: whole[: len(whole) // 2],
    "not gzip": lambda whole: b"hello",
    "empty": lambda whole: b"",
    "a flipped bit": lambda whole: whole[:40] + bytes([whole[40] ^ 1]) + whole[41:],
    "not JSON": lambda whole: gzip.compress(b"{"),
    "another device": lambda whole: packed({**GOOD, "device": "leaf2"}),
    "a later format": lambda whole: packed({**GOOD, "format": 2}),
    "no answers": lambda whole: packed({**GOOD, "answers": ["x"]}),
    "an answer of neither kind": lambda whole: packed({**GOOD, "answers": {"PORT": {}}}),
    "an unknown miss": lambda whole: packed({**GOOD, "answers": {"PORT": {"miss": "maybe"}}}),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_device_is_refused_and_costs_the_others_nothing(folder: Path, what: str) -> None:
    file = folder / "leaf1.json.gz"
    file.write_bytes(DAMAGED[what](file.read_bytes()))
    found = load(folder)
    with pytest.raises(Invalid) as caught:
        found.device("leaf1")
    assert caught.value.diagnostics[0].source is not None
    assert caught.value.diagnostics[0].source.file == str(file)
    assert found.device("leaf2") == DEVICES["leaf2"]


def test_a_look_at_a_damaged_device_says_why(folder: Path) -> None:
    (folder / "leaf1.json.gz").write_bytes(b"hello")
    found = load(folder)
    assert found.look("leaf1") == "its file in the snapshot is of no use: leaf1.json.gz: cut off or damaged"
    assert found.look("leaf2") == DEVICES["leaf2"]
    assert found.look("leaf3") == "it is not in the snapshot"


@pytest.mark.parametrize("name", ["leaf1.json.gz", "snapshot.json"])
def test_a_pipe_in_place_of_a_file_is_refused_and_not_waited_for(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(Invalid, match="no ordinary file"):
        load(folder).device("leaf1")


def test_a_missing_device_file_is_refused(folder: Path) -> None:
    (folder / "leaf2.json.gz").unlink()
    with pytest.raises(Invalid, match="cannot be read"):
        load(folder).device("leaf2")


def test_what_unpacks_without_end_is_refused_before_it_fills_the_memory(folder: Path) -> None:
    (folder / "leaf1.json.gz").write_bytes(gzip.compress(bytes(snapshot.DEVICE_LIMIT_BYTES + 1), compresslevel=1))
    with pytest.raises(Invalid, match=f"more than {snapshot.DEVICE_LIMIT_BYTES:,} bytes unpacked"):
        load(folder).device("leaf1")


META = {
    "cut off": '{"format": 1, "fab',
    "another file": '{"hello": "world"}',
    "a list": "[]",
    "a later format": '{"format": 2, "fabric": "x", "taken": "2026-01-01T00:00:00+00:00", "version": "0",'
    ' "devices": []}',
    "a time without a zone": '{"format": 1, "fabric": "x", "taken": "2026-01-01", "version": "0", "devices": []}',
    "a word for the devices": '{"format": 1, "fabric": "x", "taken": "2026-01-01T00:00:00+00:00", "version": "0",'
    ' "devices": "abc"}',
    "a path for a name": '{"format": 1, "fabric": "x", "taken": "2026-01-01T00:00:00+00:00", "version": "0",'
    ' "devices": ["../../etc/x"]}',
}


@pytest.mark.parametrize("what", META)
def test_a_meta_file_that_is_none_is_refused(folder: Path, what: str) -> None:
    (folder / "snapshot.json").write_text(META[what])
    with pytest.raises(Invalid):
        load(folder)


def test_a_name_that_leaves_the_folder_is_not_written(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "snap", fabric="lab", version="0", taken=TAKEN)
    for name in ("../x", "a/b", "", ".hidden"):
        with pytest.raises(ValueError, match="file name"):
            recorder.add(name, "sonic", {})
