"""Inputs made to be large once they are read: `python -m tests.fuzz.bombs NAME` takes one, and says what it cost."""

from __future__ import annotations

import contextlib
import faulthandler
import gzip
import json
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from netaudit.collect import snapshot
from netaudit.diag import Invalid
from netaudit.pipeline import observation
from netaudit.platforms import Answer
from tests.fuzz import areas
from tests.fuzz.memory import peak_mib

LIMIT_S = 60.0
"""A hang, and not a slow machine: each takes a few seconds."""


def _intent(old: str, new: str) -> Callable[[Path], None]:
    assert old in areas.INTENT
    return lambda folder: areas._whole(folder, areas.INTENT.replace(old, new), areas.TABLES)


def _more(text: str) -> Callable[[Path], None]:
    return lambda folder: areas._whole(folder, text + areas.INTENT, areas.TABLES)


def _table(name: str, text: str) -> Callable[[Path], None]:
    return lambda folder: areas._whole(folder, areas.INTENT, {**areas.TABLES, name: text})


def _answer(query: str, text: str) -> Callable[[Path], None]:
    def read(folder: Path) -> None:
        given = {**areas._answers(), query: Answer(text=text)}
        areas._audited(observation(areas.LEAF, "sonic", given), random.Random(1))

    return read


def _unpacked(piece: bytes, count: int, start: bytes = b"", end: bytes = b"") -> Callable[[Path], None]:
    """A device's file that is small as long as it is packed; it is written piece by piece, as memory is measured."""

    def read(folder: Path) -> None:
        meta = {"format": 1, "fabric": "f", "taken": "2026-11-29T00:00:00+00:00", "version": "0", "devices": ["x"]}
        (folder / "snapshot.json").write_text(json.dumps(meta))
        with gzip.open(folder / "x.json.gz", "wb", 1) as stream:
            stream.write(start)
            for _ in range(count):
                stream.write(piece)
            stream.write(end)
        snapshot.load(folder).device("x")

    return read


def _alias_tower() -> str:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    return "\n".join((*rows, ""))


_KEYS = [f'"k{n}":1' for n in range(1, 90_000)]
BOMBS: Mapping[str, Callable[[], Callable[[Path], None]]] = {
    "spines": lambda: _intent("count: 2, links: 1", "count: 99999999, links: 1"),
    "links": lambda: _intent("count: 2, links: 1", "count: 2, links: 99999999"),
    "rails": lambda: _intent("rails: 1", "rails: 99999999"),
    "hosts": lambda: _intent("su1: {hosts: 2}", "su1: {hosts: 999999999}"),
    "capacity": lambda: _intent("units: 3, hosts: 4", "units: 999999999, hosts: 999999999"),
    "unit number": lambda: _intent("su1: {hosts: 2}", "su999999999: {hosts: 2}"),
    "name as wide as memory": lambda: _intent("{plane}-{unit}", "{plane:>999999999}-{unit}"),
    "planes": lambda: _intent("planes: [a]", f"planes: [{', '.join(f'p{n}' for n in range(20_000))}]"),
    "units": lambda: _intent("  su1: {hosts: 2}", "\n".join(f"  su{n}: {{hosts: 2}}" for n in range(10, 20_000))),
    "unknown keys": lambda: _more("".join(f"k{n}: 1\n" for n in range(200_000))),
    "alias tower": lambda: _more(_alias_tower()),
    "brackets": lambda: _more(f"x: [{'[],' * 500_000}]\n"),
    "nesting": lambda: _more(f"x: {'[' * 100_000}\n"),
    "an open quote": lambda: _table("cables.csv", 'a,b,length\n"' + "a" * 7_000_000),
    "columns": lambda: _table("cables.csv", "a,b,length" + ",x" * 1_000_000 + "\n"),
    "strange devices": lambda: _table("devices.csv", "place\n" + "".join(f"a/su{n}/r1\n" for n in range(9, 60_000))),
    "lists in an answer": lambda: _answer("PORT", f"[{'[],' * 12_000_000}[]]"),
    "objects in an answer": lambda: _answer("bgp4", f"[{'{},' * 12_000_000}[]]"),
    "depth of an answer": lambda: _answer("route4", '{"a":' * 200_000 + "1" + "}" * 200_000),
    "digits in an answer": lambda: _answer("summary", '{"as":' + "9" * 4_000_000 + "}"),
    "a key that stands twice": lambda: _answer("saved", "{" + ",".join(_KEYS) + ',"k89999":1}'),
    "ports": lambda: _answer("PORT", json.dumps({f"Ethernet{n}": {"lanes": "1"} for n in range(20_000)})),
    "a packed snapshot": lambda: _unpacked(b"[" * 2**20, 800),
    "brackets in a snapshot": lambda: _unpacked(b"[]," * 100_000, 300, b'{"answers":[', b"[]]}"),
}  # fmt: skip


def main(name: str) -> int:
    """Prints the peak of memory in MiB: of the process, which had to make the input as well."""
    feed = BOMBS[name]()
    faulthandler.dump_traceback_later(LIMIT_S, exit=True)
    with tempfile.TemporaryDirectory(prefix="netaudit-bomb-") as folder, contextlib.suppress(Invalid):
        feed(Path(folder))
    peak = round(peak_mib())
    sys.stdout.write(f"{peak}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
