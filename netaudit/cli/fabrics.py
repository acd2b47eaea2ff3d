"""Which fabrics a command works on, where INTENT is a folder with several of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.diag import Diagnostic, Invalid, Source

if TYPE_CHECKING:
    from netaudit.expect import Expected

FabricName = Annotated[
    str | None,
    typer.Option("--fabric", envvar="NETAUDIT_FABRIC", help="One fabric, where INTENT is a folder of several."),
]


def all_of(intent: Path, fabric: str | None = None) -> tuple[Expected, ...]:
    """The fabric of a file, or every fabric of a folder; with a name that one of the workspace. Raises `Invalid`."""
    from netaudit.intent import fabric_files
    from netaudit.pipeline_load import load_fabric, load_fabrics

    if fabric is None and len(fabric_files(intent)) < 2:
        return (load_fabric(intent),)
    known = load_fabrics(intent)
    if fabric is None:
        return known
    found = tuple(expected for expected in known if expected.fabric == fabric)
    if not found:
        names = ", ".join(expected.fabric for expected in known)
        raise Invalid(
            [
                Diagnostic(
                    message=f"there is no fabric `{fabric}` in {intent}",
                    source=Source(file="--fabric", line=1),
                    hint=f"there {'are' if len(known) > 1 else 'is'} {names}",
                )
            ]
        )
    return found


def one_of(intent: Path, fabric: str | None, why: str) -> Expected:
    """One fabric. `why` says what a command cannot do for several. Raises `Invalid` with their names."""
    known = all_of(intent, fabric)
    if len(known) > 1:
        names = ", ".join(expected.fabric for expected in known)
        message = f"there are {len(known)} fabrics in {intent}: {names}; {why}"
        raise Invalid([Diagnostic(message=message, hint=f"--fabric {known[0].fabric}")])
    return known[0]


def parts(known: Sequence[Expected], where: str | None) -> tuple[tuple[Expected, tuple[str, ...]], ...]:
    """Each fabric with the devices of it that are meant; one of which none is meant is left out. Raises `Invalid`."""
    from netaudit.pipeline_load import select

    found: list[tuple[Expected, tuple[str, ...]]] = []
    refused: list[Invalid] = []
    for expected in known:
        try:
            found.append((expected, select(expected, where)))
        except Invalid as error:
            refused.append(error)
    # grammar is wrong for all of them; a part that is of none is no part
    if refused and not found:
        raise refused[0] if len(known) == 1 else _of_none(known, where, refused[0])
    return tuple(found)


def _of_none(known: Sequence[Expected], where: str | None, first: Invalid) -> Invalid:
    (diagnostic, *_) = first.diagnostics
    if "matches no device" not in diagnostic.message:
        return first
    names = ", ".join(expected.fabric for expected in known)
    return Invalid([Diagnostic(message=f"`{where}` matches no device of {names}", hint=diagnostic.hint)])


def with_device(known: Sequence[Expected], text: str) -> tuple[Expected, ...]:
    """The one fabric that has the device of a `DEVICE[:PORT]`: names are unique in a workspace. Else all of them."""
    name = text.strip().partition(":")[0]
    found = tuple(e for e in known if name in e.built.devices or name in e.built.hosts)
    return found[:1] or tuple(known)


def no_device(known: Sequence[Expected], text: str) -> Invalid:
    """No fabric of a workspace has the device."""
    from difflib import get_close_matches

    name = text.strip().partition(":")[0]
    near = get_close_matches(name, [n for e in known for n in (*e.built.devices, *e.built.hosts)], 1)
    names = ", ".join(expected.fabric for expected in known)
    hint = f"did you mean `{near[0]}`?" if near else "netaudit show device INTENT  lists them"
    return Invalid([Diagnostic(message=f"there is no device `{name}` in {names}", hint=hint)])


def named(expected: Expected, intent: Path, known: Sequence[Expected]) -> str:
    """How commands that are printed name the intent of a fabric: as it was given, or its own file of several."""
    return expected.built.intent.file if len(known) > 1 else str(intent)


def apart(file: Path, expected: Expected, known: Sequence[Expected]) -> Path:
    """A file for one fabric: as it is named, or with the fabric's name where several are written."""
    return file.with_name(f"{file.stem}-{expected.fabric}{file.suffix}") if len(known) > 1 else file


def worst(codes: Sequence[int]) -> int:
    """One exit code of several: incomplete (3) wins over findings (2), those over 0."""
    return next((code for code in (1, 4, 3, 2) if code in codes), 0)


def for_each(known: Sequence[Expected], what: Callable[[Expected], int]) -> int:
    """Do it for one fabric after the other; the exit code of all."""
    return worst([what(expected) for expected in known])
