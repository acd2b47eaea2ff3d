"""EOS by pyavd, Arista's own schema and renderer: the same device, checked by the one and written by the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from netaudit.equivalence.witnesses.eos_structured import structured
from netaudit.platforms import Files, eos
from netaudit.state import Device

LIBRARY = "pyavd"
MOST = 20
"""Objections that are told."""


def witness(files: Files, device: Device) -> tuple[str, tuple[str, ...]] | None:
    """What the schema objects to, and the lines that only one of both texts has; `None` where it is not installed."""
    if find_spec(LIBRARY) is None:
        return None
    library = import_module("pyavd")
    checked = library.validate_structured_config(structured(device))
    if checked.validated_data is None:
        said = (f"{'.'.join(map(str, v.path))}: {v.message}" for v in checked.validation_result.violations)
        return LIBRARY, tuple(said)[:MOST]
    return LIBRARY, tuple(_unlike(files[eos.FILES[0]], str(library.get_device_config(checked.validated_data))))[:MOST]


def _unlike(ours: str, theirs: str) -> Iterator[str]:
    """Lines are told apart with those that they stand below; their order in a stanza does not count."""
    mine, other = lines_of(ours), lines_of(theirs)
    yield from (f"only we write: {' / '.join(line)}" for line in sorted(mine - other))
    yield from (f"only {LIBRARY} writes: {' / '.join(line)}" for line in sorted(other - mine))


def lines_of(text: str) -> Counter[tuple[str, ...]]:
    """Each line of a text with those that it stands below, told by its indentation alone."""
    found: Counter[tuple[str, ...]] = Counter()
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("!") or line == "end":
            continue
        indent = len(raw) - len(raw.lstrip())
        above = [(depth, words) for depth, words in above if depth < indent]
        above.append((indent, line))
        found[tuple(words for _, words in above)] += 1
    return found
