"""What FRR's own parsers object to in a frr.conf: vtysh its grammar, bgpd the meaning. No daemon is started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

FOLDERS = ("/usr/lib/frr", "/usr/libexec/frr", "/usr/sbin")  # Debian, Fedora, from source
TIMEOUT_S = 60  # 5,166 lines take 61 ms (lab.md); what takes this long hangs


def vtysh_problems(text: str) -> tuple[str, ...]:
    """Return the lines that FRR's grammar refuses; skips the test where FRR is not installed.

    A bad line that opens a block can end in exit code 0 all the same, so any word on stderr counts (lab.md, syntax
    check), save that vtysh found no file of its own to read.
    """
    program = _program("vtysh")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "frr.conf"
        file.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [program, "-C", "-f", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S
        )
    said = [line for line in done.stderr.splitlines() if line.strip()]
    objections = [line for line in said if "Can't open configuration file /etc/frr/vtysh.conf" not in line]
    if done.returncode and not objections:
        return (f"vtysh ended with code {done.returncode}",)
    return tuple(objections)


def bgpd_problems(text: str) -> tuple[str, ...]:
    """Return what bgpd refuses by its meaning; skips the test where FRR is not installed or the user is not root.

    Its exit code is always 0 and it knows no other daemon's lines, so only `Command returned` counts (lab.md).
    """
    program = _program("bgpd")
    if os.geteuid() != 0:
        pytest.skip("bgpd checks a file for root only")
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        # bgpd gives up root before it reads: a path below pytest's private folder would be closed to it, and that
        # looks like a file without faults. An open file is not; its mode has to let others read.
        os.fchmod(file.fileno(), 0o644)
        process = subprocess.Popen([program, "-C", "-f", "/dev/stdin"], stdin=file, stderr=subprocess.PIPE, text=True)
        try:
            _, stderr = process.communicate(timeout=TIMEOUT_S)
        finally:
            process.kill()
            process.wait()
            shutil.rmtree(f"/var/tmp/frr/bgpd.{process.pid}", ignore_errors=True)  # its crash log folder
    assert "can't open configuration file" not in stderr, stderr
    lines = stderr.splitlines()
    return tuple(
        f"{found[1]} ({before.strip()})" if before.startswith("%") else found[1]
        for before, line in zip(["", *lines], lines, strict=False)
        if (found := re.search(r"Command returned (.*)", line))
    )


def _program(name: str) -> str:
    if sys.platform != "linux":
        pytest.skip("FRR runs on Linux only")
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(FOLDERS))
    if found is None:
        pytest.skip("FRR is not installed")
    return found
