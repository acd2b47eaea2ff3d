"""A file that appears whole or not at all: what a run leaves behind when it is killed, or the disk is full."""

from __future__ import annotations

import os
import time
from pathlib import Path

from netaudit.diag import Unusable


def write_whole(file: Path, content: bytes, *, private: bool = False, lasting: bool = False) -> None:
    """Put the content there, its folders too. Raises `Unusable`; then the file is as it was, and nothing is left over.

    A link is followed, and what is no file, as /dev/stdout or a named pipe, is written to. `private`: only its owner
    can read it; else it keeps the mode that it has. `lasting`: it is on the disk when this returns, which takes a wait.
    """
    try:
        target = file.resolve()
        if target.exists() and not (target.is_file() or target.is_dir()):
            file.write_bytes(content)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        # a name of its own, in the same folder: a rename replaces a file there, and is not one between two file systems
        part = target.with_name(f".{os.getpid()}-{time.time_ns():x}.part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if private else 0o666)
        try:
            with os.fdopen(handle, "wb") as stream:
                if target.exists() and not private:
                    os.fchmod(stream.fileno(), target.stat().st_mode & 0o777)
                stream.write(content)
                if lasting:
                    stream.flush()
                    os.fsync(stream.fileno())
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except (OSError, RuntimeError, ValueError) as error:  # ValueError: a NUL in the name; RuntimeError: links in a loop
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unusable(f"{file} cannot be written: {why}", "look at the path, space and permissions") from None
