"""`waive`: accept a finding until a day."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, following, out, style, verdict
from netaudit.cli.fabrics import FabricName, all_of, one_of
from netaudit.terminal import Role, counted, safe

if TYPE_CHECKING:
    from netaudit.expect import Expected


def waive(
    intent: Intent,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Id of the rule: MGT-05.", show_default=False)],
    device: Annotated[
        str,
        typer.Argument(metavar="DEVICE", help="A name, a pattern (a-spine*) or plane=a role=leaf.", show_default=False),
    ],
    place: Annotated[
        str, typer.Argument(metavar="[OBJECT]", help="A pattern of the place on it: 12/1, 1/*; else every place.")
    ] = "",
    owner: Annotated[
        str, typer.Option("--owner", envvar="NETAUDIT_OWNER", help="Who answers for it.", show_default=False)
    ] = "",
    reason: Annotated[
        str, typer.Option("--reason", envvar="NETAUDIT_REASON", help="Why, best with a ticket.", show_default=False)
    ] = "",
    until: Annotated[
        str, typer.Option("--until", envvar="NETAUDIT_UNTIL", help="Last day: 2026-12-31.", show_default=False)
    ] = "",
    fabric: FabricName = None,
) -> None:
    """Accept a finding until a day: it is listed, and does not count. Written to waivers.yml beside the intent."""
    from netaudit import pipeline_watch
    from netaudit.audit.findings import Waiver

    given = {"RULE": rule, "DEVICE": device, "[OBJECT]": place, "--owner": owner, "--reason": reason}
    texts = {name: _said(name, text) for name, text in given.items()}
    wanted = Waiver(
        rule=texts["RULE"],
        device=texts["DEVICE"],
        object=texts["[OBJECT]"],
        owner=texts["--owner"],
        reason=texts["--reason"],
        until=_day(until),
    )
    added = pipeline_watch.waive(_meant(intent, fabric, wanted.device), wanted)
    shown = style()
    where = f"{counted(len(added.devices), 'device')}" if len(added.devices) != 1 else next(iter(added.devices))
    at = f"{added.object} of {where}" if added.object else where
    out(verdict("◌", Role.GOOD, shown.show(f"{added.rule} on {at} is waived until {added.until}")))
    out(f"\n  written    {shown.show(str(added.source))}\n  owner      {shown.show(added.owner)}")
    out(f"  reason     {shown.show(added.reason)}\n\n")
    out(following(f"netaudit audit {shown.show(str(intent))}"))


def _meant(intent: Path, fabric: str | None, device: str) -> Expected:
    """The fabric of a workspace that has the devices. Raises `Invalid` where several have."""
    from netaudit.pipeline_watch import meant_devices

    known = all_of(intent, fabric)
    having = [expected for expected in known if meant_devices(expected, device)]
    return having[0] if len(having) == 1 else one_of(intent, fabric, f"`{device}` is not of exactly one")


def _said(name: str, text: str) -> str:
    """The text without blanks around it. Raises `typer.BadParameter` for none, and for what no line can hold."""
    text = text.strip()
    if not text and name != "[OBJECT]":
        raise typer.BadParameter("say it: a waiver needs rule, device, owner, reason and a last day", param_hint=name)
    if safe(text) != text:
        raise typer.BadParameter(f"`{safe(text)}` has characters that cannot be seen", param_hint=name)
    return text


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII) else None
    except ValueError:
        day = None
    if day is None:
        raise typer.BadParameter(f"`{text}` is not a day, for example 2026-12-31", param_hint="--until")
    if day < datetime.now(UTC).date():
        raise typer.BadParameter(f"{text} has passed: nothing would be waived", param_hint="--until")
    return day
