"""A recording of what devices answered: a folder with one gzip JSON file a device, and replay of it."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tempfile
import weakref
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from netaudit.collect.masked import masked
from netaudit.diag import Diagnostic, Invalid, Source, Unusable
from netaudit.platforms import Answer, Answers, Miss
from netaudit.whole import write_whole

FORMAT: Final = 1
_META: Final = "snapshot.json"
_ANOTHER: Final = "name a new or empty folder, or an earlier snapshot"
_META_LIMIT_BYTES: Final = 16 * 1024 * 1024
DEVICE_LIMIT_BYTES: Final = 96 * 1024 * 1024
"""Unpacked size of one device's file that is read: a route table has about 5 MB (sonic.md 8), the largest answer that a
client takes 64 MiB; guards against gzip bombs, and keeps a reader below 500 MiB."""
MOST_VALUES: Final = 100_000
"""Values of one device's file; an answer is one string. Guards against files of nothing but brackets."""
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NO_FILE: Final = "it is no ordinary file"
"""Of a pipe or a device nobody knows whether it ever ends."""
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""Device names that are safe as file names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One device of a snapshot."""

    platform: str
    answers: Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A recording; `device` reads one device's answers from its file each time it is called."""

    folder: Path
    fabric: str
    taken: datetime
    """UTC, when the recording began."""
    version: str
    """Of the netaudit that took it."""
    devices: tuple[str, ...]

    def device(self, name: str) -> Recorded | None:
        """What the device answered; None if it is not in the recording. Raises Invalid for an unusable file."""
        return _read_device(self.folder / f"{name}.json.gz", name) if name in self.devices else None

    def look(self, name: str) -> Recorded | str:
        """What the device answered, or why nobody knows: a damaged file costs its own device and no other."""
        try:
            return self.device(name) or "it is not in the snapshot"
        except Invalid as error:
            damage = error.diagnostics[0]
            return f"its file in the snapshot is of no use: {name}.json.gz: {damage.message}"


class Recorder:
    """Writes a snapshot device by device, and puts it in the place of `folder` when it is finished.

    Until then it grows in a folder beside it, which goes when the recorder goes: an interrupted recording leaves
    nothing behind, and an earlier snapshot as it was.
    """

    def __init__(self, folder: Path, *, fabric: str, version: str, taken: datetime) -> None:
        self._folder = folder.resolve()
        when = taken.astimezone(UTC).isoformat()
        self._meta = {"format": FORMAT, "fabric": fabric, "taken": when, "version": version}
        self._devices: list[str] = []
        try:
            _check_replaceable(self._folder)
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            self._growing = Path(tempfile.mkdtemp(dir=self._folder.parent, prefix=f".{self._folder.name}."))
        except OSError as error:
            raise Unusable(f"{folder} cannot be written: {error.strerror}", _ANOTHER) from None
        weakref.finalize(self, shutil.rmtree, self._growing, ignore_errors=True)

    def add(self, name: str, platform: str, answers: Answers) -> None:
        """Write the answers of one device, without secrets."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} cannot be a file name")
        data = {"format": FORMAT, "device": name, "platform": platform, "answers": _to_json(masked(answers))}
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        # mtime 0: the same answers give the same bytes.
        packed = gzip.compress(text, compresslevel=6, mtime=0)
        write_whole(self._growing / f"{name}.json.gz", packed, private=True, lasting=True)
        self._devices.append(name)

    def finish(self) -> Snapshot:
        """Put the snapshot in its place; an earlier one there is removed."""
        text = json.dumps({**self._meta, "devices": sorted(self._devices)}, indent=1, ensure_ascii=False)
        write_whole(self._growing / _META, text.encode("utf-8"), private=True, lasting=True)
        earlier = self._growing.with_name(f"{self._growing.name}.earlier")
        try:
            if self._folder.exists():
                _check_replaceable(self._folder)
                self._folder.rename(earlier)
            self._growing.rename(self._folder)
        except OSError as error:
            if earlier.exists() and not self._folder.exists():
                earlier.rename(self._folder)
            raise Unusable(f"{self._folder} cannot be replaced: {error.strerror}", _ANOTHER) from None
        shutil.rmtree(earlier, ignore_errors=True)
        return load(self._folder)


def _check_replaceable(folder: Path) -> None:
    """Raise Unusable unless the folder is missing, empty or a snapshot: nothing else is ours to replace."""
    if not folder.exists():
        return
    entries = [entry.name for entry in folder.iterdir()]
    foreign = [name for name in entries if name != _META and not name.endswith(".json.gz")]
    if foreign or (entries and _META not in entries):
        raise Unusable(f"{folder} holds other files ({(foreign or entries)[0]}): not overwritten", _ANOTHER)


def save(folder: Path, devices: Mapping[str, Recorded], *, fabric: str, version: str, taken: datetime) -> Snapshot:
    """Write a whole snapshot at once."""
    recorder = Recorder(folder, fabric=fabric, version=version, taken=taken)
    for name, recorded in devices.items():
        recorder.add(name, recorded.platform, recorded.answers)
    return recorder.finish()


def load(folder: Path) -> Snapshot:
    """The snapshot of a folder, its devices not read yet. Raises Invalid for what is none."""
    file = folder / _META
    try:
        if not file.is_file() and file.exists():
            raise _invalid(file, _NO_FILE)
        if file.stat().st_size > _META_LIMIT_BYTES:
            raise _invalid(file, f"larger than {_META_LIMIT_BYTES:,} bytes")
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _invalid(file, f"{folder} is no snapshot: {_META} is missing; an interrupted one has none") from None
    except OSError as error:
        raise _invalid(file, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _invalid(file, "broken JSON") from None
    try:
        _check_format(data["format"], file)
        taken = datetime.fromisoformat(data["taken"])
        devices = tuple(data["devices"])
        if not isinstance(data["devices"], list):
            raise TypeError
        text = (data["fabric"], data["version"], *devices)
        if taken.tzinfo is None or not all(isinstance(t, str) for t in text):
            raise TypeError
        if not all(_NAME.fullmatch(name) for name in devices):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise _invalid(file, "not the meta file of a snapshot") from None
    return Snapshot(
        folder=folder, fabric=data["fabric"], taken=taken.astimezone(UTC), version=data["version"], devices=devices
    )


def _read_device(file: Path, name: str) -> Recorded:
    try:
        if not file.is_file() and file.exists():
            raise _invalid(file, _NO_FILE)
        with gzip.open(file, "rb") as stream:
            text = stream.read(DEVICE_LIMIT_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise _invalid(file, "cut off or damaged") from None
    except OSError as error:
        raise _invalid(file, f"cannot be read: {error.strerror}") from None
    if len(text) > DEVICE_LIMIT_BYTES:
        raise _invalid(file, f"more than {DEVICE_LIMIT_BYTES:,} bytes unpacked")
    bare = _STRING.sub(b"", text)
    if sum(map(bare.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise _invalid(file, f"not the answers of {name}")
    del bare
    try:
        data = json.loads(text.decode("utf-8", "surrogatepass"))
        _check_format(data["format"], file)
        if data["device"] != name or not isinstance(data["platform"], str):
            raise TypeError
        return Recorded(platform=data["platform"], answers=dict(_from_json(data["answers"])))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise _invalid(file, f"not the answers of {name}") from None


def _to_json(answers: Answers) -> Mapping[str, Mapping[str, str]]:
    return {
        id_: {"text": a.text} if a.miss is None else {"miss": a.miss.value, "reason": a.reason}
        for id_, a in answers.items()
    }


def _from_json(data: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Answer]]:
    for id_, item in data.items():
        text, reason = item.get("text", ""), item.get("reason", "")
        if not isinstance(text, str) or not isinstance(reason, str) or ("text" in item) == ("miss" in item):
            raise TypeError
        miss = Miss(item["miss"]) if "miss" in item else None
        yield id_, Answer(text=text, miss=miss, reason=reason)


def _check_format(found: object, file: Path) -> None:
    if found != FORMAT:
        raise _invalid(file, f"format {found}; this version reads format {FORMAT}")


def _invalid(file: Path, message: str) -> Invalid:
    hint = "take a new one: netaudit collect INTENT -o SNAP"
    return Invalid([Diagnostic(message=message, source=Source(file=str(file), line=1), hint=hint)])
