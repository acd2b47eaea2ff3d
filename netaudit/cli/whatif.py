"""`whatif`: what is left of the fabric when something fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Output, end, out, outputs, style, write_file
from netaudit.cli.fabrics import FabricName, one_of

if TYPE_CHECKING:
    from netaudit.whatif import Outcome, Requirement, Study

NOT_MET = 2
FORMATS = ("text", "json", "junit", "markdown", "github", "sarif")

Fail = Annotated[
    list[str] | None,
    typer.Option("--fail", help="What fails: a-spine1, a-spine1:12, 'plane=a', 'role=spine plane=a'. May be repeated."),
]
Kinds = Annotated[
    str | None,
    typer.Option("--sweep", envvar="NETAUDIT_SWEEP", help="Which single failures: link,module,switch,plane. All."),
]
Pairs = Annotated[
    list[str] | None,
    typer.Option("--pairs", help="Two at once: spine,spine; leaf,link. May be repeated."),
]
Require = Annotated[
    list[str] | None,
    typer.Option("--require", help="'any single switch: capacity >= 0.85'. May be repeated; exit 2 if not met."),
]
All = Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="Every line of every list.")]


def whatif(
    intent: Intent,
    fail: Fail = None,
    sweep: Kinds = None,
    pairs: Pairs = None,
    require: Require = None,
    output: Output = "text",
    everything: All = False,
    fabric: FabricName = None,
) -> None:
    """What is left when something fails: capacity, paths, hot links, who is cut off. Touches no device.

    Without --fail or --pairs every single link, module, switch and plane is tried, and the worst comes first.
    """
    from netaudit.cli.whatif_text import Answer, as_json, as_paper, as_text
    from netaudit.whatif import Study, graph

    wanted = outputs(output, FORMATS)
    expected = one_of(intent, fabric, "what is left is told of one")
    study = Study(graph(expected))
    required = _required(study, require or ())
    found = tuple(_outcomes(study, tuple(fail or ()), _kinds(sweep), tuple(map(_pair, pairs or ())), required))
    answer = Answer(expected=expected, named=str(intent), outcomes=found, required=required)
    code = NOT_MET if answer.missed else 0
    for name, file in wanted.items():
        if name == "text":
            data = as_text(answer, style(), everything=everything).encode()
        elif name == "json":
            data = as_json(answer).encode()
        else:
            from netaudit.cli.report import paper_bytes

            data = paper_bytes(as_paper(answer, code), name)
        _write(file, data)
    end(code)


def _write(file: Path | None, data: bytes) -> None:
    if file is None:
        out(data.decode())
    else:
        write_file(file, data)


def _outcomes(
    study: Study,
    fail: tuple[str, ...],
    kinds: tuple[str, ...],
    pairs: tuple[tuple[str, str], ...],
    required: tuple[Requirement, ...],
) -> Iterator[Outcome]:
    """What is asked for, and whatever a requirement speaks of."""
    from netaudit.whatif import KINDS, named

    if fail:
        yield study.outcome(named(study.graph, fail))
    single = [r for r in required if not r.other]
    if kinds or single or not (fail or pairs or required):
        yield from study.sweep(kinds or KINDS)
    twice = dict.fromkeys((*pairs, *((r.one, r.other) for r in required if r.other)))
    for one, other in twice:
        yield from study.pairs(one, other)


def _required(study: Study, texts: list[str] | tuple[str, ...]) -> tuple[Requirement, ...]:
    """Every requirement. Raises `Invalid` with all that are none."""
    from netaudit.diag import Diagnostic, Invalid
    from netaudit.whatif import requirement

    found: list[Requirement] = []
    wrong: list[Diagnostic] = []
    for text in texts:
        try:
            found.append(requirement(text, study.words))
        except Invalid as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise Invalid(wrong)
    return tuple(found)


def _kinds(text: str | None) -> tuple[str, ...]:
    from netaudit.whatif import KINDS

    kinds = tuple(part.strip() for part in (text or "").split(",") if part.strip())
    for kind in kinds:
        if kind not in KINDS:
            raise typer.BadParameter(f"`{kind}` is no kind of failure; known: {', '.join(KINDS)}", param_hint="--sweep")
    return kinds


def _pair(text: str) -> tuple[str, str]:
    one, comma, other = text.partition(",")
    if not comma or not one.strip() or not other.strip() or "," in other:
        raise typer.BadParameter(f"`{text}` is not two of something: spine,spine", param_hint="--pairs")
    return one.strip(), other.strip()
