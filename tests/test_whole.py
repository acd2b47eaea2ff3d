"""A file is there whole or as it was before, whatever goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from netaudit.diag import Unusable
from netaudit.whole import write_whole

REPOSITORY = Path(__file__).resolve().parents[1]


def names(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


@pytest.mark.parametrize("lasting", [False, True])
def test_the_content_is_there_with_its_folders_and_nothing_else(tmp_path: Path, lasting: bool) -> None:
    file = tmp_path / "a" / "b" / "plan.json"
    write_whole(file, b"one", lasting=lasting)
    write_whole(file, b"two", lasting=lasting)
    assert file.read_bytes() == b"two"
    assert names(file.parent) == ["plan.json"]


def test_a_name_of_255_bytes_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 255)
    write_whole(file, b"one")
    assert file.read_bytes() == b"one"


def test_a_private_file_is_its_owners_even_where_it_was_open_before(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(b"old")
    file.chmod(0o644)
    write_whole(file, b"new", private=True)
    assert mode(file) == 0o600


def test_another_file_keeps_its_mode_and_a_new_one_has_the_usual_one(tmp_path: Path) -> None:
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.write_bytes(b"")
    old.chmod(0o640)
    usual.write_bytes(b"")
    for file in (old, new):
        write_whole(file, b"content")
    assert (mode(old), mode(new)) == (0o640, mode(usual))


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    file, link = tmp_path / "elsewhere" / "waivers.yml", tmp_path / "waivers.yml"
    link.symlink_to(file)
    write_whole(link, b"content")
    assert link.is_symlink()
    assert file.read_bytes() == b"content"


def test_a_named_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"content")
    reader.join(10)
    assert heard == [b"content"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["folder", "file/below", "x" * 256, "a\0b", "loop"], ids=ascii)
def test_what_cannot_be_written_is_said_and_leaves_nothing_over(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "loop").symlink_to("loop")
    before = names(tmp_path)
    with pytest.raises(Unusable, match=r"cannot be written: .+"):
        write_whole(tmp_path / name, b"content")
    assert names(tmp_path) == before
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: the write fails half-way, with an error that names no file."""
    file = tmp_path / "plan.json"
    file.write_bytes(b"old")
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from netaudit.diag import Unusable\n"
        "from netaudit.whole import write_whole\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: write_whole(Path(sys.argv[1]), b'x' * 100_000)\n"
        "except Unusable as error: print(error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)],
        stdin=subprocess.DEVNULL,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == f"{file} cannot be written: File too large\n"
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["plan.json"]
