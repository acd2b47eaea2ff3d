"""An intent as it is named on a command line: a file, a folder, or one of both as it was in a revision of git."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Final

from netaudit.cli.fabrics import all_of
from netaudit.diag import Diagnostic, Invalid, Source, Unusable

if TYPE_CHECKING:
    from netaudit.expect import Expected

MAX_FILE: Final = 8 * 2**20
"""Bytes of a file that is taken out of git; the reader of intents takes no more."""
MAX_ALL: Final = 256 * 2**20
"""Bytes of a folder that is taken out of git. Judgement: the tables of the largest fabric have 2 MB."""


def expected_of(named: str, other: str, fabric: str | None = None) -> tuple[Expected, ...]:
    """The expected states of an intent named as a file, a folder, `REV:path`, or `REV` for the path of the `other`.

    Of a folder every fabric in it, or the one of that name. Raises `Invalid` with the problems of the intent, their
    places in the words of the user.
    """
    if Path(named).exists():
        return all_of(Path(named), fabric)
    revision, path = _split(named, other)
    with _taken_out(revision, path) as (folder, intent):
        try:
            return all_of(intent, fabric)
        except Invalid as error:
            raise Invalid(_renamed(d, folder, revision) for d in error.diagnostics) from None


def _split(named: str, other: str) -> tuple[str, str]:
    """(revision, path) of what is no file. Raises `Invalid` where it can be neither."""
    revision, colon, path = named.partition(":")
    if colon and revision:
        return revision, path
    if colon or not named or not _is_revision(named):
        message = f"there is no file, folder or git revision `{named}`"
        hint = "a file, a folder, HEAD~1:intent/fabric.yml, or a revision alone for the same path"
        raise Invalid([Diagnostic(message=message, hint=hint, source=Source(file=named or "?", line=1))])
    return named, other if ":" not in other or Path(other).exists() else other.partition(":")[2]


def _is_revision(name: str) -> bool:
    return _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").returncode == 0


@contextmanager
def _taken_out(revision: str, path: str) -> Iterator[tuple[Path, Path]]:
    """(a folder that is gone afterwards, the intent in it) with what stood beside the intent in that revision."""
    done = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = done.stdout.decode().strip()
    if done.returncode or not commit:
        raise _unknown(f"git knows no revision `{revision}` here", revision)
    inside = _inside(commit, path)
    kind = _git("cat-file", "-t", f"{commit}:{inside}").stdout.decode().strip()
    if kind not in ("blob", "tree"):
        raise _unknown(f"there is no `{path}` in revision `{revision}`", f"{revision}:{path}")
    parent = inside if kind == "tree" else str(PurePosixPath(inside).parent)
    tree = f"{commit}:{'' if parent == '.' else parent}"
    with tempfile.TemporaryDirectory(prefix="netaudit-diff-") as name:
        # as deep as in the repository, so that the same words name it
        folder = Path(name) / parent
        folder.mkdir(parents=True, exist_ok=True)
        _unpack(tree, folder, _top())
        yield Path(name), Path(name) / inside


def _inside(commit: str, path: str) -> str:
    """The path from the top of the repository: as git reads it, or seen from here where that is not there."""
    prefix = _git("rev-parse", "--show-prefix").stdout.decode().strip()
    here = PurePosixPath(prefix) / path
    if path.startswith(("./", "../")) or Path(path).is_absolute() or not _there(commit, path):
        top = _top()
        whole = Path(path) if Path(path).is_absolute() else top / here
        resolved = Path(*[part for part in whole.parts if part != "."]).resolve()
        return resolved.relative_to(top.resolve()).as_posix() if resolved.is_relative_to(top.resolve()) else path
    return str(PurePosixPath(path))


def _top() -> Path:
    """The folder of the repository's working tree."""
    return Path(_git("rev-parse", "--show-toplevel").stdout.decode().strip())


def _there(commit: str, path: str) -> bool:
    return _git("cat-file", "-e", f"{commit}:{path}").returncode == 0


def _unpack(tree: str, folder: Path, top: Path) -> None:
    """Write the regular files of a tree. Raises `Unusable`."""
    # from the top: git refuses an archive of a whole tree in a folder that it does not track
    with subprocess.Popen(
        ["git", "-C", str(top), "archive", "--format=tar", tree], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            _extract(process.stdout, folder)
        except tarfile.TarError:
            pass  # git has said why on stderr
        finally:
            process.stdout.close()
        told = process.stderr.read().decode("utf-8", "replace").strip()
        if process.wait() != 0:
            raise Unusable(f"git cannot give {tree}: {told[:200]}", "try `git archive` by hand")


def _extract(stream: IO[bytes], folder: Path) -> None:
    total = 0
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            if not member.isreg() or member.size > MAX_FILE:
                continue
            total += member.size
            if total > MAX_ALL:
                raise Unusable(
                    f"the folder in git is larger than {MAX_ALL // 2**20} MiB", "keep intents in a folder of their own"
                )
            archive.extract(member, folder, filter="data")


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A git command that reads. Raises `Unusable` where there is no git."""
    try:
        return subprocess.run(["git", *arguments], capture_output=True, check=False, timeout=60)
    except FileNotFoundError:
        raise Unusable("there is no program `git` here", "install git, or name files") from None
    except subprocess.TimeoutExpired:
        raise Unusable("git did not answer within 60 s", "try `git status`") from None


def _unknown(message: str, named: str) -> Invalid:
    hint = "a path starts at the top of the repository: HEAD~1:intent/fabric.yml"
    return Invalid([Diagnostic(message=message, hint=hint, source=Source(file=named, line=1))])


def _renamed(diagnostic: Diagnostic, folder: Path, revision: str) -> Diagnostic:
    """With `REV:path` in place of the path of a file that is gone."""
    source = diagnostic.source
    message = diagnostic.message.replace(f"{folder}/", f"{revision}:")
    if source is None:
        return replace(diagnostic, message=message)
    return replace(
        diagnostic, message=message, source=replace(source, file=source.file.replace(f"{folder}/", f"{revision}:"))
    )
