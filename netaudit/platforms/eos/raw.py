"""Text of the site's own: which lines a device must have, and which it may not bring."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from netaudit.platforms.eos.areas import area_of
from netaudit.platforms.eos.text import Line, Unreadable, parse, paths

SUFFIXES: Final[tuple[str, ...]] = (".cfg", ".conf")
"""Files whose lines go to eos.cfg."""
TABLE: Final = "lines"
"""The table of `Device.raw` in which every line of a configuration is a row."""
_PRESENT: Final = {"line": "present"}
BELOW: Final = " / "
"""Between a line and the one that it stands below."""
_SECRET = re.compile(
    r"\b(secret|password|passphrase|key|community|shared-secret|token|auth|priv|md5|sha1|sha512)\b (.+)", re.IGNORECASE
)


def masked(line: str) -> str:
    """A line without what may be a secret in it; what stands in its place tells secrets apart and not what they are."""
    found = _SECRET.search(line)
    if found is None:
        return line
    digest = hashlib.sha256(found.group(2).encode()).hexdigest()[:6]
    return f"{line[: found.start(2)]}<hidden {digest}>"


def named(path: Iterable[str]) -> str:
    """How a line is called, with those that it stands below."""
    return BELOW.join(masked(line) for line in path)


def raw_lines(text: str) -> frozenset[str]:
    """The lines that a device must have."""
    try:
        return frozenset(named(path) for path in paths(parse(text)))
    except Unreadable:
        return frozenset()


def raw_rows(lines: Iterable[str]) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The same as rows of `Device.raw`."""
    return {TABLE: dict.fromkeys(sorted(lines), _PRESENT)}


def read_raw(lines: Iterable[Line]) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Every line of a configuration as such a row: those that nobody expects are of no interest."""
    return {TABLE: {named(path): _PRESENT for path in paths(lines)}}


def raw_problems(text: str, owns: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """(line, what is wrong, hint) for each line that is ours, or that could not be audited. `owns`: areas."""
    for number, written in enumerate(text.splitlines(), start=1):
        stripped = written.strip()
        if stripped.startswith("#") or (stripped and not stripped.isprintable()):
            yield number, f"EOS does not keep this line: {stripped[:60]!r}", "plain text; a comment starts with `!`"
    try:
        lines = parse(text)
    except Unreadable as error:
        yield 1, str(error), "lines of an EOS configuration"
        return
    for line in lines:
        yield from _problems(line, (), owns)


def _problems(line: Line, above: tuple[str, ...], owns: Collection[str]) -> Iterator[tuple[int, str, str]]:
    area = area_of((*above, line.text))
    if line.text.startswith(("no ", "default ")) and not area:
        area = area_of((*above, line.text.partition(" ")[2]))
    if area and (area in owns or "all" in owns):
        yield line.number, f"`{line.text}` touches the area {area}, which is ours", "it comes from the intent alone"
    elif line.text.startswith("banner "):
        yield line.number, "the text of a banner could not be audited", "set it by other means"
    else:
        for below in line.below:
            yield from _problems(below, (*above, line.text), owns)
